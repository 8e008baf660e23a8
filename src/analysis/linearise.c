/* Null space of the constraints. */
#include "analysis/linearise.h"

#include <string.h>

#include "system/solver.h"
#include "math/late.h"
#include "math/dense.h"

enum { LARGEST = 2000 };

lmb_status lmb_linear_model_new(lmb_linear_model **out, lmb_context *context, const lmb_model *m)
{
    *out = NULL;
    if (m->nv > LARGEST)
        return lmb_fail(context, LMB_SOLVER,
                        "the model has %d coordinates; full matrices of its free directions are "
                        "found up to %d",
                        m->nv, LARGEST);
    size_t n = (size_t)m->nv;
    lmb_arena *arena;
    lmb_linear_model *l = lmb_arena_object(&arena, sizeof *l);
    if (!l)
        return lmb_fail_memory(context);
    *l = (lmb_linear_model){.n = m->nv,
                            .N = lmb_arena_numbers(arena, n * n),
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
