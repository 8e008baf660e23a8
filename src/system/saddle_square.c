/* The Jacobian alone: where there are as many rows as coordinates and all of them act, it decides
 * by itself, at half the size,
 *
 *   x = Phi_q^-1 g,   y = Phi_q^-T (f - M x),
 *
 * and the sign of its determinant is that of the branch that the mechanism is on. With epsilon > 0,
 * or when rows do not act, the whole matrix is factorised. */
#include <string.h>

#include "math/linear.h"
#include "system/saddle.h"

typedef struct square {
    lmb_saddle base;
    lmb_pattern pattern;
    double *values;
    int *place;   /* value_count: where the numbers of the Jacobian go */
    double *mass; /* mass_count: M of the last factorisation */
    bool alone;   /* the last factorisation was that of the Jacobian alone */
    lmb_linear *solver;
    lmb_saddle *whole;
} square;

static bool suits(const lmb_model *m, lmb_saddle_use use)
{
    return use == LMB_SADDLE_MASS && m->nrows == m->nv && m->nv > 0;
}

static void destroy(lmb_saddle *saddle)
{
    square *a = (square *)saddle;
    lmb_linear_free(a->solver);
    lmb_saddle_free(a->whole);
    lmb_arena_free(saddle->arena);
}

/* The pattern of the Jacobian by columns: counted, then placed. */
static void index_jacobian(square *a, int *next)
{
    const lmb_model *m = a->base.model;
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < m->nrows; r++)
            for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
                const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
                for (int j = 0; j < b->nv; j++) {
                    if (pass == 0) {
                        a->pattern.start[b->v + j + 1]++;
                        continue;
                    }
                    a->place[b->value + j] = next[b->v + j];
                    a->pattern.row[next[b->v + j]++] = r;
                }
            }
        for (int j = 0; pass == 0 && j < m->nv; j++) {
            a->pattern.start[j + 1] += a->pattern.start[j];
            next[j] = a->pattern.start[j];
        }
    }
}

static lmb_saddle *create(const lmb_model *m, lmb_saddle_use use)
{
    square *a = lmb_saddle_object(&lmb_saddle_square, m, use, sizeof *a);
    if (!a)
        return NULL;
    lmb_arena *arena = a->base.arena;
    a->pattern = (lmb_pattern){m->nv, lmb_arena_integers(arena, m->nv + 1),
                               lmb_arena_integers(arena, m->value_count)};
    a->values = lmb_arena_numbers(arena, m->value_count);
    a->place = lmb_arena_integers(arena, m->value_count);
    a->mass = lmb_arena_numbers(arena, m->mass_count);
    int *next = lmb_arena_integers(arena, m->nv);
    const lmb_saddle_kind *kind =
        lmb_saddle_dense.fast(m, use) ? &lmb_saddle_dense : &lmb_saddle_klu;
    a->whole = kind->create(m, use);
    if (lmb_arena_fine(arena) && a->whole) {
        index_jacobian(a, next);
        a->solver = lmb_linear_new(&a->pattern);
    }
    if (a->solver)
        return &a->base;
    destroy(&a->base);
    return NULL;
}

static bool factor(lmb_saddle *saddle, const lmb_saddle_matrix *matrix)
{
    square *a = (square *)saddle;
    const lmb_model *m = saddle->model;
    a->alone = matrix->epsilon == 0 && !matrix->positions_only && matrix->state->rows_off == 0;
    if (!a->alone)
        return lmb_saddle_factor(a->whole, matrix);
    memcpy(a->mass, matrix->mass, (size_t)m->mass_count * sizeof *a->mass);
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int k = row->value; k < row->value + row->value_count; k++)
            a->values[a->place[k]] = row->scale * matrix->state->jacobian[k];
    }
    return lmb_linear_factor(a->solver, a->values);
}

/* One right side. The transposed matrix is the same, as M is symmetric. */
static void solve_alone(square *a, double *f)
{
    const lmb_model *m = a->base.model;
    const double *block = a->mass;
    double *g = f + m->nv;
    a->solver->ops->solve(a->solver, g, 1);
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            for (int l = 0; l < c->nv; l++)
                f[c->v + l] -= block[j * c->nv + l] * g[c->v + j];
        block += c->nv * c->nv;
    }
    a->solver->ops->solve_transposed(a->solver, f, 1);
    for (int i = 0; i < m->nv; i++) {
        double y = f[i];
        f[i] = g[i];
        g[i] = y;
    }
}

static void solve(lmb_saddle *saddle, double *sides, int count)
{
    square *a = (square *)saddle;
    size_t n = 2 * (size_t)saddle->model->nv;
    if (!a->alone)
        a->whole->kind->solve(a->whole, sides, count);
    for (int i = 0; a->alone && i < count; i++)
        solve_alone(a, sides + (size_t)i * n);
}

static double condition(const lmb_saddle *saddle)
{
    const square *a = (const square *)saddle;
    return a->alone ? a->solver->ops->condition(a->solver) : a->whole->kind->condition(a->whole);
}

/* det = (-1)^n det(Phi_q)^2 */
static int sign(const lmb_saddle *saddle)
{
    const square *a = (const square *)saddle;
    return !a->alone ? a->whole->kind->sign(a->whole) : saddle->model->nv % 2 ? -1 : 1;
}

static int orientation(const lmb_saddle *saddle)
{
    const square *a = (const square *)saddle;
    return a->alone ? a->solver->ops->sign(a->solver) : 0;
}

static void pack(lmb_saddle *saddle, lmb_pack *p)
{
    square *a = (square *)saddle;
    lmb_pack_flags(p, &a->alone, 1);
    lmb_pack_numbers(p, a->mass, (size_t)saddle->model->mass_count);
    lmb_linear_pack(a->solver, p);
    lmb_saddle_pack(a->whole, p);
}

const lmb_saddle_kind lmb_saddle_square = {
    .name = "square",
    .doc = "The Jacobian alone: mechanisms that their joints and drivers leave no freedom.",
    .exact = true,
    .suits = suits,
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .solve = solve,
    .solve_transposed = solve,
    .condition = condition,
    .sign = sign,
    .orientation = orientation,
    .pack = pack};
