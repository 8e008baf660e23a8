/* Null space of the constraints and reduced matrices. */
#include "analysis/linearise.h"

#include <cblas.h>
#include <string.h>

#include "system/first_order.h"
#include "system/solver.h"
#include "math/dense.h"

enum { LARGEST = 2000 };

lmb_status lmb_linear_model_new(lmb_linear_model **out, lmb_context *context, const lmb_model *m)
{
    *out = NULL;
    if (m->nv > LARGEST)
        return lmb_fail(context, LMB_SOLVER,
                        "the model has %d coordinates; linearisation goes up to %d", m->nv,
                        LARGEST);
    size_t n = (size_t)m->nv, nz = (size_t)m->nz;
    lmb_arena *arena;
    lmb_linear_model *l = lmb_arena_object(&arena, sizeof *l);
    if (!l)
        return lmb_fail_memory(context);
    *l = (lmb_linear_model){.n = m->nv,
                            .N = lmb_arena_numbers(arena, n * n),
                            .K = lmb_arena_numbers(arena, n * n),
                            .nz = m->nz,
                            .Z = lmb_arena_numbers(arena, n * nz),
                            .F_y = lmb_arena_numbers(arena, nz * n),
                            .F_z = lmb_arena_numbers(arena, nz * nz),
                            .full = lmb_arena_numbers(arena, 2 * n * n),
                            .scaled = lmb_arena_numbers(arena, ((size_t)m->nrows + 1) * n),
                            .arena = arena};
    lmb_status status = lmb_check_memory(context, arena);
    if (status)
        lmb_arena_free(arena);
    else
        *out = l;
    return status;
}

void lmb_linear_model_free(lmb_linear_model *l)
{
    if (l)
        lmb_arena_free(l->arena);
}

lmb_status lmb_null_space(lmb_linear_model *l, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv;
    double *root = l->scaled + (size_t)m->nrows * n;
    lmb_scaled_jacobian(s, l->scaled, root);
    l->free = lmb_dense_null_space(m->nrows, m->nv, l->scaled, 1e-9, l->N);
    for (int k = 0; k < l->free; k++)
        for (size_t i = 0; i < n; i++)
            l->N[(size_t)k * n + i] *= root[i];
    return l->free < 0 ? lmb_fail_memory(s->context) : LMB_OK;
}

void lmb_free_motion(const lmb_linear_model *l, const double *y, double *out)
{
    memset(out, 0, (size_t)l->n * sizeof *out);
    for (int k = 0; k < l->free; k++)
        cblas_daxpy(l->n, y[k], l->N + (size_t)k * (size_t)l->n, 1, out, 1);
}

void lmb_free_part(const lmb_linear_model *l, const double *x, double *y)
{
    for (int k = 0; k < l->free; k++)
        y[k] = cblas_ddot(l->n, l->N + (size_t)k * (size_t)l->n, 1, x, 1);
}

lmb_status lmb_fail_massless(lmb_context *context)
{
    lmb_fail(context, LMB_SOLVER,
             "the mass matrix is singular for a motion that the constraints allow");
    return lmb_hint(context, "give every body that can move a mass, and an inertia if it can turn");
}

/* out = N^T A N for a full matrix. */
static void reduce(const lmb_linear_model *l, const double *A, double *out)
{
    int n = l->n, f = l->free;
    double *AN = l->scaled; /* A times a column of N */
    for (int k = 0; k < f; k++) {
        const double *direction = l->N + (size_t)k * (size_t)n;
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, A, n, direction, 1, 0, AN, 1);
        lmb_free_part(l, AN, out + (size_t)k * (size_t)f);
    }
}

/* The matrices of the first-order states. */
static void linearise_states(lmb_linear_model *l, const lmb_state *s)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)l->n, f = (size_t)l->free, all = (size_t)l->nz;
    memset(l->F_z, 0, all * all * sizeof *l->F_z);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        size_t nv = (size_t)b->nv, nz = (size_t)b->nz, z = (size_t)b->z;
        if (nz == 0)
            continue;
        lmb_first_order_tangent t = lmb_first_order_tangent_of(s, i);
        for (size_t a = 0; a < nz; a++) {
            for (size_t k = 0; k < f; k++) {
                double force = 0, by_y = 0;
                for (size_t j = 0; j < nv; j++) {
                    double along = l->N[k * n + (size_t)b->v + j];
                    force += along * t.force_by_z[a * nv + j];
                    by_y += along * t.by_q[j * nz + a];
                }
                l->Z[(z + a) * f + k] = force;
                l->F_y[k * all + z + a] = by_y;
            }
            for (size_t c = 0; c < nz; c++)
                l->F_z[(z + a) * all + z + c] = t.by_z[a * nz + c];
        }
    }
}

lmb_status lmb_linearise(lmb_linear_model *l, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv;
    double *by_q = l->full, *by_v = l->full + n * n;
    lmb_jacobian(s->state);
    lmb_status status = lmb_null_space(l, s);
    if (status)
        return status;
    lmb_tangent(s->state, by_q, by_v);
    reduce(l, by_q, l->K);
    linearise_states(l, s->state);
    return LMB_OK;
}

bool lmb_condense_states(lmb_linear_model *l)
{
    size_t f = (size_t)l->free, nz = (size_t)l->nz;
    if (nz == 0)
        return true;
    if (!lmb_dense_solve(l->nz, l->F_z, l->free, l->F_y)) /* both are overwritten */
        return false;
    for (size_t j = 0; j < f; j++)
        for (size_t a = 0; a < nz; a++)
            for (size_t i = 0; i < f; i++)
                l->K[j * f + i] += l->Z[a * f + i] * l->F_y[j * nz + a];
    return true;
}
