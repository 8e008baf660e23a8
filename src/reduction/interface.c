/* What interface points are, and whether they can be. */
#include "reduction/interface.h"

#include <stdlib.h>

int lmb_interface_motions(int dimension)
{
    return dimension == 2 ? 3 : LMB_DIRECTIONS;
}

int lmb_interface_direction(int dimension, int k)
{
    return dimension == 2 && k == 2 ? LMB_RZ : k;
}

/* A single node must have all the motions that the point is to have. */
static lmb_status check_node(const lmb_fe_model *m, const lmb_interface *p, lmb_context *context)
{
    int node = p->nodes[0];
    for (int k = 0; k < lmb_interface_motions(m->dimension); k++)
        if (m->dof[node][lmb_interface_direction(m->dimension, k)] < 0)
            return lmb_fail_hint(
                context, "tie the point to several nodes: a set, or all within a 'radius'",
                "interface '%s': node %d has no rotations, so it cannot hold a joint by itself",
                p->name, m->number[node]);
    return LMB_OK;
}

/* How far nodes spread from the straight line that fits them best: the second largest extent. */
static double spread(const lmb_fe_model *m, const lmb_interface *p)
{
    vec3 first = m->x[p->nodes[0]], far = first;
    double longest = 0, widest = 0;
    for (int i = 1; i < p->count; i++) {
        double d = v3_norm(v3_sub(m->x[p->nodes[i]], first));
        if (d > longest) {
            longest = d;
            far = m->x[p->nodes[i]];
        }
    }
    vec3 along = longest > 0 ? v3_scale(1 / longest, v3_sub(far, first)) : v3(0, 0, 0);
    for (int i = 1; i < p->count; i++)
        widest = fmax(widest, v3_norm(v3_cross(along, v3_sub(m->x[p->nodes[i]], first))));
    return m->dimension == 2 ? longest : longest > 0 ? widest / longest : 0;
}

/* Nodes of a spider or an average must fix the rotation of the point. */
static lmb_status check_spread(const lmb_fe_model *m, const lmb_interface *p, lmb_context *context)
{
    bool turns = m->dof[p->nodes[0]][LMB_RZ] >= 0;
    if (turns || spread(m, p) > 1e-6)
        return LMB_OK;
    return lmb_fail_hint(
        context, "tie it to nodes of a surface",
        "interface '%s': its %d node%s on one line, which leaves its rotation open", p->name,
        p->count, p->count == 1 ? " is" : "s lie");
}

static lmb_status check_one(const lmb_fe_model *m, const lmb_interface *p, lmb_context *context)
{
    if (p->count == 0)
        return lmb_fail_hint(context, "its set is empty, or its 'radius' is too small",
                             "interface '%s' is tied to no node", p->name);
    for (int i = 0; i < p->count; i++)
        if (m->dof[p->nodes[i]][LMB_UX] < 0)
            return lmb_fail(context, LMB_BAD_INPUT, "interface '%s': node %d belongs to no element",
                            p->name, m->number[p->nodes[i]]);
    return p->tie == LMB_TIE_NODE ? check_node(m, p, context) : check_spread(m, p, context);
}

lmb_status lmb_interfaces_check(const lmb_fe_model *m, const lmb_interface *points, int count,
                                lmb_context *context)
{
    int *owner = calloc((size_t)m->node_count + 1, sizeof *owner);
    lmb_status status = owner ? LMB_OK : lmb_fail_memory(context);
    for (int i = 0; i < count && owner; i++) {
        if (check_one(m, &points[i], context))
            status = LMB_BAD_INPUT;
        for (int k = 0; k < points[i].count && points[i].tie != LMB_TIE_AVERAGE; k++) {
            int *owned = &owner[points[i].nodes[k]];
            if (*owned && *owned != i + 1) {
                status = lmb_fail(context, LMB_BAD_INPUT, "node %d is tied to both '%s' and '%s'",
                                  m->number[points[i].nodes[k]], points[*owned - 1].name,
                                  points[i].name);
                lmb_hint(context, "make their sets or radii smaller, so that no node is in both");
                break;
            }
            *owned = i + 1;
        }
    }
    free(owner);
    return status;
}
