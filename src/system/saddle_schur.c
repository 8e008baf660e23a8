/* The matrix of a step with the clusters eliminated (system/saddle_clusters.h), S as a sparse
 * matrix.
 *
 * What couples clusters in H (of the order of h^2 where no forces act between bodies) is left out.
 * There is no friction here, so U = J^T and L = J T. */
#include <string.h>

#include "math/linear.h"
#include "system/saddle_clusters.h"

typedef struct schur {
    lmb_saddle base;
    lmb_saddle_clusters clusters;
    int *place;  /* for each cluster, row s and row r: where the number goes in S */
    int *corner; /* nrows: where the diagonal is */
    lmb_pattern pattern;
    double *values;
    lmb_linear *solver;
} schur;

/* Whether S is not much fuller than the whole matrix: a cluster that very many rows touch would
 * make it so. */
static bool is_sparse(const schur *a, int entries)
{
    const lmb_model *m = a->base.model;
    return entries <= 2 * (m->couple_values + 2 * m->value_count);
}

/* --- pattern ---------------------------------------------------------------------------------- */

static bool suits(const lmb_model *m, lmb_saddle_use use)
{
    return use == LMB_SADDLE_STEP && m->nrows > 0 && !lmb_saddle_has_couplings(m) &&
           lmb_saddle_has_inertia(m);
}

/* The entry (s, r) of S; `mark` has for each row s the place in the column r under way, or -1. */
static int entry(schur *a, int s, int *mark, int *used)
{
    if (mark[s] < 0) {
        mark[s] = *used;
        a->pattern.row[(*used)++] = s;
    }
    return mark[s];
}

/* One column of S: all rows that share a cluster with row r. `pairs` counts, for each one, where
 * its places start. */
static void index_column(schur *a, int r, const int *pairs, int *mark, int *used)
{
    const lmb_model *m = a->base.model;
    int begin = *used;
    a->corner[r] = entry(a, r, mark, used);
    for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
        int cluster = m->blocks[m->sparse_rows[r].block + k].cluster;
        const lmb_touch *touches = a->clusters.touches + a->clusters.first[cluster];
        int count = a->clusters.first[cluster + 1] - a->clusters.first[cluster], own = 0;
        while (touches[own].row != r)
            own++;
        for (int i = 0; i < count; i++)
            a->place[pairs[cluster] + own * count + i] = entry(a, touches[i].row, mark, used);
    }
    for (int k = begin; k < *used; k++)
        mark[a->pattern.row[k]] = -1;
    a->pattern.start[r + 1] = *used;
}

static bool index_all(schur *a)
{
    const lmb_model *m = a->base.model;
    lmb_arena *arena = a->base.arena;
    int *pairs = lmb_arena_integers(arena, m->cluster_count + 1);
    int *mark = lmb_arena_integers(arena, m->nrows);
    int most = 0, used = 0;
    if (!pairs || !mark)
        return false;
    for (int i = 0; i < m->cluster_count; i++) {
        int count = a->clusters.first[i + 1] - a->clusters.first[i];
        pairs[i + 1] = pairs[i] + count * count;
        most = count > most ? count : most;
    }
    int entries = pairs[m->cluster_count] + m->nrows;
    if (!is_sparse(a, entries))
        return false;
    a->place = lmb_arena_integers(arena, pairs[m->cluster_count]);
    a->corner = lmb_arena_integers(arena, m->nrows);
    a->pattern = (lmb_pattern){m->nrows, lmb_arena_integers(arena, m->nrows + 1),
                               lmb_arena_integers(arena, entries)};
    a->values = lmb_arena_numbers(arena, entries);
    if (!lmb_arena_fine(arena))
        return false;
    for (int r = 0; r < m->nrows; r++)
        mark[r] = -1;
    for (int r = 0; r < m->nrows; r++)
        index_column(a, r, pairs, mark, &used);
    a->solver = lmb_linear_new(&a->pattern);
    return a->solver != NULL;
}

/* --- life ------------------------------------------------------------------------------------- */

static void destroy(lmb_saddle *saddle)
{
    lmb_linear_free(((schur *)saddle)->solver);
    lmb_arena_free(saddle->arena);
}

static lmb_saddle *create(const lmb_model *m, lmb_saddle_use use)
{
    schur *a = lmb_saddle_object(&lmb_saddle_schur, m, use, sizeof *a);
    if (a && lmb_saddle_clusters_index(&a->clusters, a->base.arena, m, use, 0) && index_all(a))
        return &a->base;
    if (a)
        destroy(&a->base);
    return NULL;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static bool factor(lmb_saddle *saddle, const lmb_saddle_matrix *n)
{
    schur *a = (schur *)saddle;
    const lmb_model *m = saddle->model;
    const int *place = a->place;
    if (!lmb_saddle_clusters_factor(&a->clusters, n, saddle->scale, saddle->workers))
        return false;
    memset(a->values, 0, (size_t)a->pattern.start[m->nrows] * sizeof *a->values);
    for (size_t k = 0; k < a->clusters.place[m->cluster_count]; k++)
        a->values[place[k]] += a->clusters.blocks[k];
    for (int r = 0; r < m->nrows; r++)
        a->values[a->corner[r]] += saddle->scale[r] == 0 ? 1 : n->epsilon;
    return lmb_linear_factor(a->solver, a->values);
}

static void solve(lmb_saddle *saddle, double *sides, int count)
{
    schur *a = (schur *)saddle;
    for (int i = 0; i < count; i++, sides += saddle->model->nv + saddle->model->nrows) {
        lmb_saddle_clusters_down(&a->clusters, sides, saddle->workers);
        a->solver->ops->solve(a->solver, sides + saddle->model->nv, 1);
        lmb_saddle_clusters_up(&a->clusters, sides, saddle->workers);
    }
}

static void solve_transposed(lmb_saddle *saddle, double *sides, int count)
{
    schur *a = (schur *)saddle;
    for (int i = 0; i < count; i++, sides += saddle->model->nv + saddle->model->nrows) {
        lmb_saddle_clusters_down_transposed(&a->clusters, sides);
        a->solver->ops->solve_transposed(a->solver, sides + saddle->model->nv, 1);
        lmb_saddle_clusters_up_transposed(&a->clusters, sides);
    }
}

static double condition(const lmb_saddle *saddle)
{
    const lmb_linear *solver = ((const schur *)saddle)->solver;
    return solver->ops->condition(solver);
}

/* det = det(H) det(-S) */
static int sign(const lmb_saddle *saddle)
{
    const schur *a = (const schur *)saddle;
    int minus = saddle->model->nrows % 2 ? -1 : 1;
    return lmb_saddle_clusters_sign(&a->clusters) * minus * a->solver->ops->sign(a->solver);
}

static void pack(lmb_saddle *saddle, lmb_pack *p)
{
    schur *a = (schur *)saddle;
    lmb_saddle_clusters_pack(&a->clusters, p);
    lmb_linear_pack(a->solver, p);
}

const lmb_saddle_kind lmb_saddle_schur = {
    .name = "schur",
    .doc = "Bodies eliminated one by one, an equation for the reactions left: where no forces act "
           "between bodies.",
    .suits = suits,
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .solve = solve,
    .solve_transposed = solve_transposed,
    .condition = condition,
    .sign = sign,
    .pack = pack};
