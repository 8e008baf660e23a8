/* What interface points are and whether they can be; rigid motions and mass properties. */
#include "reduction/interface.h"

#include <stdlib.h>

#include "base/memory.h"
#include "math/late.h"

int lmb_interface_motions(int dimension)
{
    return dimension == 2 ? 3 : LMB_DIRECTIONS;
}

int lmb_interface_direction(int dimension, int k)
{
    return dimension == 2 && k == 2 ? LMB_RZ : k;
}

lmb_status lmb_interface_place(lmb_interface *p, lmb_context *context, const lmb_selectable *nodes)
{
    lmb_node_group group;
    lmb_status status = lmb_node_group_measure(&group, context, nodes, p->nodes, p->count);
    if (!status)
        p->position = lmb_is_round(&group) ? group.middle : group.centre;
    return status;
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

/* Fail if a node of a point belongs to the rigid tie of another point. A rigid tie claims its
 * nodes. */
static lmb_status check_owners(const lmb_fe_model *m, const lmb_interface *points, int p,
                               int *owner, lmb_context *context)
{
    for (int k = 0; k < points[p].count; k++) {
        int *owned = &owner[points[p].nodes[k]];
        if (*owned && *owned != p + 1) {
            lmb_fail(context, LMB_BAD_INPUT, "node %d is tied to both '%s' and '%s'",
                     m->number[points[p].nodes[k]], points[*owned - 1].name, points[p].name);
            return lmb_hint(context,
                            "make their sets or radii smaller, so that no node is in both");
        }
        if (points[p].tie != LMB_TIE_AVERAGE)
            *owned = p + 1;
    }
    return LMB_OK;
}

lmb_status lmb_interfaces_check(const lmb_fe_model *m, const lmb_interface *points, int count,
                                lmb_context *context)
{
    int *owner = lmb_calloc((size_t)m->node_count + 1, sizeof *owner);
    lmb_status status = owner ? LMB_OK : lmb_fail_memory(context);
    for (int average = 0; average < 2 && owner; average++) /* averages may share nodes */
        for (int i = 0; i < count; i++)
            if ((points[i].tie == LMB_TIE_AVERAGE) == average &&
                (check_one(m, &points[i], context) || check_owners(m, points, i, owner, context)))
                status = LMB_BAD_INPUT;
    free(owner);
    return status;
}

/* --- rigid motions ---------------------------------------------------------------------------- */

double lmb_rigid_motion_at(int direction, vec3 arm, int to)
{
    bool carried = direction >= LMB_RX && to < LMB_RX;
    return carried ? v3_get(v3_cross(v3_axis(direction - LMB_RX), arm), to) : to == direction;
}

void lmb_rigid_motion(const lmb_fe_model *m, int direction, vec3 about, double *u)
{
    for (int i = 0; i < m->n; i++)
        u[i] = lmb_rigid_motion_at(direction, v3_sub(m->x[m->node[i]], about), m->direction[i]);
}

void lmb_rigid_motions_of(const lmb_interface *points, int count, int dimension, vec3 about,
                          size_t stride, double *out)
{
    int motions = lmb_interface_motions(dimension);
    for (int k = 0; k < motions; k++)
        for (int i = 0; i < count * motions; i++)
            out[(size_t)k * stride + (size_t)i] = lmb_rigid_motion_at(
                lmb_interface_direction(dimension, k), v3_sub(points[i / motions].position, about),
                lmb_interface_direction(dimension, i % motions));
}

/* The products of all rigid motions about a point through M: 6 x 6; u and w have room for all. */
static void products(const lmb_fe_model *m, vec3 about, double *u, double *w, double out[6][6])
{
    for (int i = 0; i < 6; i++)
        lmb_rigid_motion(m, i, about, u + (size_t)i * (size_t)m->n);
    lmb_symmetric_multiply_many(&m->M, 6, u, w);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, 6, 6, m->n, 1, u, m->n, w, m->n, 0,
                &out[0][0], 6);
}

/* Name the material of the file that lacks a density. */
static lmb_status fail_massless(const lmb_fe_model *m, lmb_context *context)
{
    lmb_fail(context, LMB_BAD_INPUT, "the body has no mass");
    for (int i = 0; m->mesh && i < m->mesh->element_count; i++) {
        const lmb_element *e = &m->mesh->elements[i];
        const lmb_material *of = e->material < 0 ? NULL : &m->mesh->materials[e->material];
        if (of && of->density == 0 && !of->warned) /* not a material of the model file */
            return lmb_hint(context,
                            "the material '%s' has no density: add 'materials: {%s: {density: "
                            "7850}}' to the key 'mesh', in kg/m^3",
                            of->name, of->name);
    }
    return lmb_hint(context, m->mesh ? "give its material a density" : "its mass matrix is zero");
}

lmb_status lmb_mass_properties_of(const lmb_fe_model *m, lmb_context *context, double *mass,
                                  vec3 *centre, mat3 *inertia)
{
    size_t n = (size_t)m->n;
    double *u = lmb_malloc((12 * n + 1) * sizeof *u), *w = u + 6 * n, P[6][6], Q[6][6];
    if (!u)
        return lmb_fail_memory(context);
    products(m, v3(0, 0, 0), u, w, P);
    /* all three translations show the same mass, but for what is held */
    *mass = m->dimension == 2 ? P[0][0] : (P[0][0] + P[1][1] + P[2][2]) / 3;
    /* rotations move the centre c like e x c: about z along (-c.y, c.x), about x along -c.z in y */
    double z = m->dimension == 2 ? 0 : -P[3][1] / *mass;
    *centre = v3(P[5][1] / *mass, -P[5][0] / *mass, z);
    products(m, *centre, u, w, Q);
    for (int j = 0; j < 3; j++)
        inertia->c[j] = v3(Q[3][3 + j], Q[4][3 + j], Q[5][3 + j]);
    free(u);
    if (*mass > 0)
        return LMB_OK;
    return fail_massless(m, context);
}

lmb_status lmb_check_unheld(const lmb_fe_model *m, lmb_context *context)
{
    size_t n = (size_t)m->n;
    int motions = lmb_interface_motions(m->dimension), worst = 0;
    double *all = lmb_malloc((12 * n + 1) * sizeof *all), stiffest = 0, largest = 0;
    if (!all)
        return lmb_fail_memory(context);
    vec3 middle = v3(0, 0, 0);
    for (int i = 0; i < m->node_count; i++)
        middle = v3_axpy(middle, 1.0 / m->node_count, m->x[i]);
    for (int j = 0; j < m->n; j++)
        stiffest = fmax(stiffest, fabs(m->K.value[m->K.start[j]]));
    for (int k = 0; k < motions; k++)
        lmb_rigid_motion(m, lmb_interface_direction(m->dimension, k), middle, all + (size_t)k * n);
    lmb_symmetric_multiply_many(&m->K, motions, all, all + 6 * n);
    for (int k = 0; k < motions; k++) {
        const double *u = all + (size_t)k * n, *w = u + 6 * n;
        int most = (int)cblas_idamax(m->n, w, 1);
        double share = fabs(w[most]) / (stiffest * fabs(u[cblas_idamax(m->n, u, 1)]));
        worst = share > largest ? most : worst;
        largest = fmax(largest, share);
    }
    int node = m->number[m->node[worst]];
    free(all);
    if (largest < 1e-6)
        return LMB_OK;
    return lmb_fail_hint(context,
                         "take supports out of the finite element model: joints hold the body",
                         "a rigid body motion causes elastic forces, largest at node %d: the body "
                         "is supported there, or tied to something that is not part of it",
                         node);
}
