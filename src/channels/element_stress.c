/* Stresses of single elements at a node, computed from the displacements of their nodes. */
#include "channels/element_stress.h"

#include <math.h>
#include <string.h>

#include "fe/element.h"
#include "fe/stress.h"
#include "reduction/body_data.h"

/* Return the displacement of a node: modes and residual displacements times the coordinates e. */
static vec3 displacement(const lmb_body_data *d, const double *e, int node)
{
    const lmb_reduced *r = d->reduced;
    size_t nodes = (size_t)r->node_count, at = 3 * (size_t)node;
    vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < r->mode_count; k++) {
        const double *u = r->shape + 3 * nodes * (size_t)k + at;
        sum = v3_axpy(sum, e[k], v3(u[0], u[1], u[2]));
    }
    for (int j = 0; j < d->load_count; j++) {
        const float *u = d->load_shape + 3 * nodes * (size_t)j + at;
        sum = v3_axpy(sum, e[r->mode_count + j], v3(u[0], u[1], u[2]));
    }
    return sum;
}

/* Compute the stresses at the nodes of an element with given node coordinates. */
static void find_stress(const lmb_body_data *d, const lmb_element_tables *tables, int kind,
                        const int *place, const double *e, double (*out)[LMB_TOGETHER])
{
    double u[LMB_ELEMENT_DOFS_MAX][LMB_TOGETHER] = {0};
    const lmb_element_type *type = lmb_element_type_of((lmb_element_kind)kind);
    const double *material = d->stress_material + 2 * (ptrdiff_t)place[0];
    lmb_element_data x = {.kind = (lmb_element_kind)kind,
                          .material = {.E = material[0], .nu = material[1]}};
    for (int a = 0; a < type->nodes; a++) {
        int node = d->stress_node[place[a]];
        x.x[a] = d->reduced->x[node];
        vec3 moved = displacement(d, e, node);
        for (int i = 0; i < 3; i++)
            u[3 * a + i][0] = v3_get(moved, i);
    }
    type->stress(tables, &x, (const double(*)[LMB_TOGETHER])u, out);
}

bool lmb_element_stress_range(const lmb_body_data *d, const double *e, int place, double out[2])
{
    double stress[LMB_ELEMENT_NODES_MAX * LMB_STRESSES][LMB_TOGETHER];
    lmb_arena *room = lmb_arena_new();
    const lmb_element_tables *tables = room ? lmb_element_tables_new(room) : NULL;
    const int *places = d->solid_place;
    out[0] = INFINITY;
    out[1] = 0;
    for (int i = 0; tables && i < d->solid_count; i++) {
        int nodes = lmb_element_nodes((lmb_element_kind)d->solid_kind[i]), at = 0;
        while (at < nodes && places[at] != place)
            at++;
        if (at < nodes) {
            double tensor[LMB_STRESSES];
            find_stress(d, tables, d->solid_kind[i], places, e, stress);
            for (int c = 0; c < LMB_STRESSES; c++)
                tensor[c] = stress[at * LMB_STRESSES + c][0];
            out[0] = fmin(out[0], lmb_von_mises(tensor));
            out[1] = fmax(out[1], lmb_von_mises(tensor));
        }
        places += nodes;
    }
    lmb_arena_free(room);
    return out[0] <= out[1];
}
