/* A in orthonormal free directions, for eigenvalues.
 *
 * With dq = N s and dv = N_u w + ..., where N and N_u are orthonormal in the metric W, y = P s and
 * u = P_u w with constant P = c_q N, P_u = c_u N_u: another set of coordinates, with the same
 * eigenvalues. Coordinates of joints can be badly conditioned (angles in a long chain); these are
 * not. With any da_p that satisfies the rows, da = da_p + N_u alpha and
 *
 *   N_u^T M N_u alpha = N_u^T (f + Q_lambda dlambda - M da_p)
 *   s' = P^-1 y' for s,  N^T W N_u w for w;      w' = alpha + P_u^-1 (dc'' with da_p)
 *
 * At rest da_p and the terms with P^-1 are exactly 0, so nothing but forces in free directions
 * counts. */
#include <string.h>

#include "analysis/linearise.h"
#include "analysis/small_motion_internal.h"
#include "math/late.h"
#include "math/dense.h"

typedef struct room {
    double *R;           /* speeds x n: (N_u^T M N_u)^-1 N_u^T */
    double *dv, *da, *r; /* n */
    double *dl;          /* rows */
    double *y, *u;       /* positions, speeds: sides with P and P_u */
    double *P, *P_u;     /* inverses */
    double *copy;        /* what solving overwrites */
} room;

/* The inverse of the P that equations keep, whose column i belongs to row i. */
static bool invert(int free, const double *P, double *copy, double *inverse)
{
    size_t f = (size_t)free;
    for (size_t i = 0; i < f; i++)
        for (size_t k = 0; k < f; k++) {
            copy[k * f + i] = P[i * f + k];
            inverse[k * f + i] = i == k;
        }
    return lmb_dense_solve(free, copy, free, inverse);
}

static bool find_compliance(const lmb_small_motion *o, room *x)
{
    const lmb_linear_equations *w = o->equations;
    size_t n = (size_t)o->n, f = (size_t)o->speeds;
    for (size_t k = 0; k < f; k++) {
        lmb_mass_times(w->solver->state, w->N_u + k * n, x->r);
        for (size_t i = 0; i < f; i++)
            x->copy[k * f + i] = cblas_ddot(o->n, w->N_u + i * n, 1, x->r, 1);
        cblas_dcopy(o->n, w->N_u + k * n, 1, x->R + k, o->speeds);
    }
    return lmb_dense_solve(o->speeds, x->copy, o->n, x->R);
}

/* f + Q_lambda dl - M da_p, in x->r. */
static void unbalanced(const lmb_small_motion *o, const room *x)
{
    const lmb_linear_equations *w = o->equations;
    const lmb_state *s = w->solver->state;
    const lmb_model *m = s->model;
    lmb_mass_times(s, x->da, x->r);
    for (int i = 0; i < o->n; i++)
        x->r[i] = w->force[i] - x->r[i];
    for (int r = 0; r < m->nrows && m->input_count; r++)
        for (int b = 0; b < m->sparse_rows[r].block_count; b++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + b];
            cblas_daxpy(block->nv, -x->dl[r], s->tangent_lambda + block->value, 1, x->r + block->v,
                        1);
        }
}

/* dv and dl of the states along a free direction: sums of those of the coordinates. */
static void combine(const lmb_small_motion *o, int first, int free, const double *P, int k,
                    const room *x)
{
    memset(x->dv, 0, (size_t)o->n * sizeof *x->dv);
    memset(x->dl, 0, (size_t)o->rows * sizeof *x->dl);
    for (int i = 0; i < free; i++) {
        size_t at = (size_t)(first + i);
        cblas_daxpy(o->n, P[i * free + k], o->dv + at * (size_t)o->n, 1, x->dv, 1);
        cblas_daxpy(o->rows, P[i * free + k], o->dl + at * (size_t)o->rows, 1, x->dl, 1);
    }
}

/* A column; forces and rows are in the equations, dv and dl in the room, `along` is a column of N_u
 * for a velocity and NULL for others. */
static void fill_column(const lmb_small_motion *o, room *x, const double *dq, bool moves,
                        const double *along, int z, double *column)
{
    const lmb_linear_equations *w = o->equations;
    const lmb_model *m = w->solver->state->model;
    int y = o->positions, u = o->speeds;
    memset(x->da, 0, (size_t)o->n * sizeof *x->da);
    if (moves)
        lmb_saddle_solve(w->solver->saddle, NULL, w->side, x->da, w->ignored);
    unbalanced(o, x);
    lmb_small_motion_vary(o, dq, x->dv, x->da);
    for (int i = 0; i < y; i++)
        x->y[i] = along ? 0 : w->change[i].d;
    for (int k = 0; k < u; k++)
        x->u[k] = w->change[o->rate[k]].dd;
    cblas_dgemv(CblasColMajor, CblasNoTrans, y, y, 1, x->P, y, x->y, 1, 0, column, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, u, u, 1, x->P_u, u, x->u, 1, 0, column + y, 1);
    for (int i = 0; i < y && along; i++) {
        const double *N = o->N + (size_t)i * (size_t)o->n;
        for (int j = 0; j < o->n; j++)
            column[i] += N[j] * m->columns[j].size * m->columns[j].size * along[j];
    }
    for (int k = 0; k < u; k++)
        column[y + k] += cblas_ddot(o->n, x->R + k, u, x->r, 1);
    lmb_small_motion_vary_states(w->solver->state, dq, x->dv, z, column + y + u);
}

static void fill(lmb_small_motion *o, room *x)
{
    const lmb_linear_equations *w = o->equations;
    size_t n = (size_t)o->n, states = (size_t)o->states;
    for (int k = 0; k < o->positions; k++) {
        const double *dq = o->N + (size_t)k * n;
        combine(o, 0, o->positions, w->P, k, x);
        bool moves = lmb_small_motion_sides(o, dq, x->dv);
        fill_column(o, x, dq, moves, NULL, -1, o->free_A + (size_t)k * states);
    }
    for (int k = 0; k < o->speeds; k++) {
        const double *along = w->N_u + (size_t)k * n;
        combine(o, o->positions, o->speeds, w->P_u, k, x);
        memcpy(x->dv, along, n * sizeof *along);
        bool moves = lmb_small_motion_sides(o, w->none, x->dv);
        fill_column(o, x, w->none, moves, along, -1,
                    o->free_A + (size_t)(o->positions + k) * states);
    }
    memset(x->dv, 0, n * sizeof *x->dv);
    for (int k = 0; k < o->nz; k++) {
        size_t at = (size_t)(o->positions + o->speeds + k);
        memset(w->force, 0, n * sizeof *w->force);
        lmb_small_motion_add_state(w->solver->state, k, w->force);
        memcpy(x->dl, o->dl + at * (size_t)o->rows, (size_t)o->rows * sizeof *x->dl);
        fill_column(o, x, w->none, false, NULL, k, o->free_A + at * states);
    }
}

lmb_status lmb_small_motion_free_directions(lmb_small_motion *o)
{
    size_t n = (size_t)o->n, y = (size_t)o->positions, u = (size_t)o->speeds;
    lmb_arena *arena = lmb_arena_new();
    room x = {.R = lmb_arena_numbers(arena, u * n + 1),
              .dv = lmb_arena_numbers(arena, n + 1),
              .da = lmb_arena_numbers(arena, n + 1),
              .r = lmb_arena_numbers(arena, n + 1),
              .dl = lmb_arena_numbers(arena, (size_t)o->rows + 1),
              .y = lmb_arena_numbers(arena, y + 1),
              .u = lmb_arena_numbers(arena, u + 1),
              .P = lmb_arena_numbers(arena, y * y + 1),
              .P_u = lmb_arena_numbers(arena, u * u + 1),
              .copy = lmb_arena_numbers(arena, y * y + u * u + 1)};
    lmb_context *context = o->equations->solver->context;
    lmb_status status = lmb_check_memory(context, arena);
    bool fine = !status && find_compliance(o, &x) &&
                invert(o->positions, o->equations->P, x.copy, x.P) &&
                invert(o->speeds, o->equations->P_u, x.copy, x.P_u);
    if (fine)
        fill(o, &x);
    for (size_t j = 0; j < y && fine; j++) {
        lmb_mass_times(o->equations->solver->state, o->N + j * n, x.r);
        for (size_t i = 0; i < y; i++)
            o->free_M[j * y + i] = cblas_ddot(o->n, o->N + i * n, 1, x.r, 1);
    }
    lmb_arena_free(arena);
    return status || fine ? status : lmb_fail_massless(context);
}
