/* The embedded form from the null space of the constraints: B = N (N_i)^-1, with N_i the rows of N
 * that belong to the independent coordinates. */
#include "analysis/embedded.h"

#include <string.h>

#include "analysis/linearise.h"
#include "math/dense.h"
#include "math/small.h"

static bool allocate(lmb_embedded *e, int n, int free)
{
    size_t all = (size_t)n, few = (size_t)free;
    e->n = n;
    e->free = free;
    e->index = lmb_arena_integers(e->arena, few);
    e->B = lmb_arena_numbers(e->arena, all * few);
    e->b = lmb_arena_numbers(e->arena, all);
    e->c = lmb_arena_numbers(e->arena, all);
    e->M = lmb_arena_numbers(e->arena, few * few);
    e->Q = lmb_arena_numbers(e->arena, few);
    e->v = lmb_arena_numbers(e->arena, few);
    e->a = lmb_arena_numbers(e->arena, few);
    return lmb_arena_fine(e->arena);
}

void lmb_embedded_free(lmb_embedded *e)
{
    if (!e)
        return;
    lmb_arena_free(e->arena);
    *e = (lmb_embedded){0};
}

/* B^T = (N_i^T)^-1 N^T. */
static bool find_motions(lmb_embedded *e, const lmb_linear_model *l)
{
    size_t n = (size_t)e->n, f = (size_t)e->free;
    double *Ni = lmb_arena_numbers(e->arena, f * f), *Bt = lmb_arena_numbers(e->arena, f * n);
    if (!lmb_arena_fine(e->arena))
        return false;
    for (size_t k = 0; k < f; k++) {
        for (size_t i = 0; i < f; i++)
            Ni[i * f + k] = l->N[k * n + (size_t)e->index[i]];
        for (size_t j = 0; j < n; j++)
            Bt[j * f + k] = l->N[k * n + j];
    }
    bool fine = lmb_dense_solve(e->free, Ni, e->n, Bt);
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < f; k++)
            e->B[k * n + j] = Bt[j * f + k];
    for (size_t k = 0; k < f; k++) /* what they are by definition, without rounding */
        for (size_t i = 0; i < f; i++)
            e->B[k * n + (size_t)e->index[i]] = i == k;
    return fine;
}

/* Takes the motions out of a solution x of the constraints, so that its independent part is 0. */
static void without_independent(const lmb_embedded *e, const double *x, double *out)
{
    size_t n = (size_t)e->n;
    memcpy(out, x, n * sizeof *out);
    for (size_t k = 0; k < (size_t)e->free; k++)
        for (size_t j = 0; j < n; j++)
            out[j] -= e->B[k * n + j] * x[e->index[k]];
    for (int k = 0; k < e->free; k++)
        out[e->index[k]] = 0;
}

/* Mr and Qr, and a_i from them; false if Mr is singular. */
static bool reduce(lmb_embedded *e, lmb_solver *s)
{
    size_t n = (size_t)e->n, f = (size_t)e->free;
    lmb_total_force(s->state, s->force);
    lmb_mass_times(s->state, e->c, s->step);
    for (size_t j = 0; j < n; j++)
        s->force[j] -= s->step[j];
    for (size_t k = 0; k < f; k++) {
        e->Q[k] = e->a[k] = lmb_dot(e->B + k * n, s->force, e->n);
        lmb_mass_times(s->state, e->B + k * n, s->step);
        for (size_t i = 0; i < f; i++)
            e->M[k * f + i] = lmb_dot(e->B + i * n, s->step, e->n);
    }
    double *M = lmb_arena_numbers(e->arena, f * f);
    if (M)
        memcpy(M, e->M, f * f * sizeof *M);
    return M && lmb_dense_solve(e->free, M, 1, e->a);
}

/* The particular solutions b and c, from any velocities and accelerations that fit the rows. */
static void find_particular(lmb_embedded *e, lmb_solver *s)
{
    lmb_solver_factor(s);
    lmb_velocity_side(s->state, s->side);
    lmb_saddle_solve(s->saddle, NULL, s->side, s->step, s->rows);
    without_independent(e, s->step, e->b);
    lmb_acceleration_side(s->state, s->side);
    lmb_saddle_solve(s->saddle, NULL, s->side, s->step, s->rows);
    without_independent(e, s->step, e->c);
}

static lmb_status fill(lmb_embedded *e, lmb_solver *s, const lmb_linear_model *l,
                       const bool *independent)
{
    int count = 0;
    for (int j = 0; j < e->n; j++)
        if (independent[j])
            e->index[count++] = j;
    for (int k = 0; k < count; k++)
        e->v[k] = s->state->v[e->index[k]];
    if (!find_motions(e, l))
        return lmb_fail(s->context, LMB_SOLVER, "the independent coordinates determine nothing");
    find_particular(e, s);
    return reduce(e, s) ? LMB_OK : lmb_fail_massless(s->context);
}

static lmb_status embed(lmb_embedded *e, lmb_solver *s, lmb_linear_model *l, const bool *marked)
{
    int count = 0;
    for (int j = 0; j < l->n; j++)
        count += marked[j];
    lmb_status status = lmb_null_space(l, s);
    if (status)
        return status;
    if (l->free != count)
        return lmb_fail(s->context, LMB_SOLVER,
                        "this position is nearly singular: %d or %d degrees of freedom", l->free,
                        count);
    return allocate(e, l->n, l->free) ? fill(e, s, l, marked) : lmb_fail_memory(s->context);
}

lmb_status lmb_embed(lmb_solver *s, const bool *independent, lmb_embedded *out)
{
    const lmb_model *m = s->state->model;
    lmb_linear_model *l = NULL;
    int count;
    *out = (lmb_embedded){.arena = lmb_arena_new()};
    bool *chosen = lmb_arena_alloc(out->arena, (size_t)m->nv, sizeof *chosen);
    lmb_status status = lmb_check_memory(s->context, out->arena);
    if (!status)
        status = lmb_linear_model_new(&l, s->context, m);
    if (!status) {
        lmb_jacobian(s->state);
        status = independent ? lmb_check_independent(s, independent)
                             : lmb_choose_independent(s, chosen, &count);
    }
    if (!status)
        status = embed(out, s, l, independent ? independent : chosen);
    lmb_linear_model_free(l);
    if (status)
        lmb_embedded_free(out);
    return status;
}
