/* The invariants of a reduced body: products of its columns through the mass matrix.
 *
 * With w = M p for one column p, the products with all others are sums over nodes of w and of x x w
 * (rigid motions), and of psi_j . w and psi_j x w (mode j and its turned columns). */
#include "reduction/gram.h"

#include <stdlib.h>

/* Displacement or force of a node: translations and rotations, zero where it has none. */
typedef struct pair {
    vec3 t, r;
} pair;

static vec3 triple(const lmb_fe_model *m, const double *u, int node, int first)
{
    const int *dof = m->dof[node] + first;
    return v3(dof[0] < 0 ? 0 : u[dof[0]], dof[1] < 0 ? 0 : u[dof[1]], dof[2] < 0 ? 0 : u[dof[2]]);
}

static void put(const lmb_fe_model *m, double *u, int node, int first, vec3 a)
{
    for (int d = 0; d < 3; d++)
        if (m->dof[node][first + d] >= 0)
            u[m->dof[node][first + d]] = v3_get(a, d);
}

/* The shape of a mode at a node. */
static pair shape_at(const lmb_reduced *r, int mode, int node)
{
    size_t at = 3 * ((size_t)mode * (size_t)r->node_count + (size_t)node);
    const double *s = r->shape + at, *t = r->turn ? r->turn + at : NULL;
    return (pair){v3(s[0], s[1], s[2]), t ? v3(t[0], t[1], t[2]) : v3(0, 0, 0)};
}

/* The column c of the invariants as a motion of the model. */
static void set_column(const lmb_reduced *r, const lmb_fe_model *m, int c, double *u)
{
    if (c < 6) {
        lmb_rigid_motion(m, c, r->origin, u);
        return;
    }
    int turned = c - 6 - r->mode_count, mode = turned < 0 ? c - 6 : turned / 3;
    vec3 e = v3(turned % 3 == 0, turned % 3 == 1, turned % 3 == 2);
    for (int k = 0; k < r->node_count; k++) {
        pair s = shape_at(r, mode, k);
        put(m, u, k, LMB_UX, turned < 0 ? s.t : v3_cross(e, s.t));
        put(m, u, k, LMB_RX, turned < 0 ? s.r : v3_cross(e, s.r));
    }
}

/* Products of w with the rigid motions. */
static void rigid_products(const lmb_reduced *r, const lmb_fe_model *m, const double *w,
                           double *column)
{
    vec3 force = v3(0, 0, 0), moment = v3(0, 0, 0);
    for (int k = 0; k < r->node_count; k++) {
        vec3 f = triple(m, w, k, LMB_UX);
        force = v3_add(force, f);
        moment = v3_add(moment, v3_add(v3_cross(r->x[k], f), triple(m, w, k, LMB_RX)));
    }
    for (int a = 0; a < 3; a++) {
        column[lmb_gram_translation(a)] = v3_get(force, a);
        column[lmb_gram_rotation(a)] = v3_get(moment, a);
    }
}

/* Products of w with a mode and its three turned columns: e_a x psi . w = e_a . psi x w. */
static void mode_products(const lmb_reduced *r, const lmb_fe_model *m, const double *w, int j,
                          double *column)
{
    vec3 turned = v3(0, 0, 0);
    double straight = 0;
    for (int k = 0; k < r->node_count; k++) {
        pair s = shape_at(r, j, k);
        vec3 f = triple(m, w, k, LMB_UX);
        straight += v3_dot(s.t, f);
        turned = v3_add(turned, v3_cross(s.t, f));
        if (!r->turn)
            continue;
        vec3 g = triple(m, w, k, LMB_RX);
        straight += v3_dot(s.r, g);
        turned = v3_add(turned, v3_cross(s.r, g));
    }
    column[lmb_gram_mode(j)] = straight;
    for (int a = 0; a < 3; a++)
        column[lmb_gram_turned_mode(r->mode_count, j, a)] = v3_get(turned, a);
}

lmb_status lmb_find_gram(lmb_reduced *r, lmb_context *context, const lmb_fe_model *m)
{
    enum { BLOCK = 4 };
    size_t n = (size_t)m->n, size = (size_t)lmb_gram_size(r->mode_count);
    double *u = calloc(2 * BLOCK * n + 1, sizeof *u), *w = u + BLOCK * n;
    r->gram = lmb_arena_alloc(r->arena, size * size, sizeof *r->gram);
    if (!u || !r->gram) {
        free(u);
        return lmb_fail_memory(context);
    }
    for (size_t c = 0; c < size; c += BLOCK) {
        int count = size - c < BLOCK ? (int)(size - c) : BLOCK;
        for (int k = 0; k < count; k++)
            set_column(r, m, (int)c + k, u + (size_t)k * n);
        lmb_symmetric_multiply_many(&m->M, count, u, w);
        for (int k = 0; k < count; k++) {
            double *column = r->gram + (c + (size_t)k) * size;
            rigid_products(r, m, w + (size_t)k * n, column);
            for (int j = 0; j < r->mode_count; j++)
                mode_products(r, m, w + (size_t)k * n, j, column);
        }
        if (lmb_progress(context, "invariants", (double)(c + (size_t)count) / (double)size)) {
            free(u);
            return lmb_fail(context, LMB_SOLVER, "interrupted");
        }
    }
    free(u);
    for (size_t j = 0; j < size; j++) /* rounding differs between the sides of the diagonal */
        for (size_t i = 0; i < j; i++)
            r->gram[j * size + i] = r->gram[i * size + j] =
                (r->gram[j * size + i] + r->gram[i * size + j]) / 2;
    return LMB_OK;
}
