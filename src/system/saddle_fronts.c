/* The whole matrix of a step by fronts: nodes and rows on the tree of the model (math/fronts.h).
 *
 *   [ H   U ]     couples of clusters, and rows with their clusters, are the blocks. Elastic
 * couples [ L  -E ]     make nodes the separators.
 *
 * A row has nothing on its diagonal but E, so it is closed together with a cluster that it touches,
 * [H U; L -E] of both, as long as that has more coordinates than such rows. Where a front is
 * singular all the same (a rigid body without stiffness), it is joined to its parent. Pivots are
 * chosen in D A D with D = 1 / sqrt(H_ii) for coordinates and 1 / sqrt(sum of L D^2 U) for rows,
 * which makes all entries of the size of 1. */
#include <math.h>
#include <string.h>

#include "math/fronts.h"
#include "system/saddle_assembly.h"

/* Rows that touch the same columns of the same clusters. */
typedef struct bundle {
    int row, count;
} bundle;

typedef struct fronts {
    lmb_saddle base;
    lmb_front_matrix matrix;
    int *group;    /* nv + nrows */
    int *unknowns; /* 0, 1, ..., nv + nrows - 1: blocks are ranges of it */
    bundle *bundles;
    int bundle_count;
    double
        *values; /* of couples as they are in the model, then of bundles: L, U of each block, -E */
    size_t value_count;
    double *turned; /* value_count of the model: L, unscaled */
    double *scale;  /* nv + nrows: D */
    bool factored;
    lmb_fronts *fronts;
} fronts;

static bool suits(const lmb_model *m, lmb_saddle_use use)
{
    return use != LMB_SADDLE_MASS && m->nv > 0;
}

static void destroy(lmb_saddle *saddle)
{
    lmb_fronts_free(((fronts *)saddle)->fronts);
    lmb_arena_free(saddle->arena);
}

/* --- pattern ------------------------------------------------------------------------------------
 */

static void bundle_rows(fronts *a)
{
    const lmb_model *m = a->base.model;
    for (int r = 0; r < m->nrows; r++) {
        if (r > 0 && lmb_saddle_rows_alike(m, r, r - 1))
            a->bundles[a->bundle_count - 1].count++;
        else
            a->bundles[a->bundle_count++] = (bundle){r, 1};
    }
}

/* Rows go with the last of their clusters that has coordinates left for them. */
static bool group_unknowns(fronts *a)
{
    const lmb_model *m = a->base.model;
    lmb_arena *arena = lmb_arena_new();
    int *left = lmb_arena_integers(arena, (size_t)m->cluster_count + 1);
    a->matrix.group_count = m->cluster_count;
    for (int i = 0; i < m->cluster_count && left; i++) {
        left[i] = m->clusters[i].nv;
        for (int j = 0; j < m->clusters[i].nv; j++)
            a->group[m->clusters[i].v + j] = i;
    }
    for (int i = 0; i < a->bundle_count && left; i++) {
        const lmb_sparse_row *row = &m->sparse_rows[a->bundles[i].row];
        int group = -1;
        for (int k = row->block; k < row->block + row->block_count; k++)
            if (left[m->blocks[k].cluster] > a->bundles[i].count)
                group = m->blocks[k].cluster;
        if (group >= 0)
            left[group] -= a->bundles[i].count;
        else
            group = a->matrix.group_count++;
        for (int r = 0; r < a->bundles[i].count; r++)
            a->group[m->nv + a->bundles[i].row + r] = group;
    }
    bool fine = left != NULL;
    lmb_arena_free(arena);
    return fine;
}

static void add_block(fronts *a, int row, int rows, int column, int columns)
{
    lmb_front_block *b = &a->matrix.blocks[a->matrix.block_count++];
    *b = (lmb_front_block){a->unknowns + row, a->unknowns + column, rows, columns};
    a->value_count += (size_t)rows * (size_t)columns;
}

static bool make_blocks(fronts *a)
{
    const lmb_model *m = a->base.model;
    size_t count = (size_t)m->couple_count + (size_t)m->nrows;
    for (int r = 0; r < m->nrows; r++)
        count += 2 * (size_t)m->sparse_rows[r].block_count;
    a->matrix.blocks = lmb_arena_alloc(a->base.arena, count + 1, sizeof *a->matrix.blocks);
    if (!a->matrix.blocks)
        return false;
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *k = &m->couples[c];
        add_block(a, k->row_v, k->row_nv, k->column_v, k->column_nv);
    }
    for (int i = 0; i < a->bundle_count; i++) {
        const bundle *b = &a->bundles[i];
        const lmb_sparse_row *row = &m->sparse_rows[b->row];
        for (int k = row->block; k < row->block + row->block_count; k++) {
            add_block(a, m->nv + b->row, b->count, m->blocks[k].v, m->blocks[k].nv);
            add_block(a, m->blocks[k].v, m->blocks[k].nv, m->nv + b->row, b->count);
        }
        add_block(a, m->nv + b->row, b->count, m->nv + b->row, b->count);
    }
    return true;
}

static bool index_all(fronts *a)
{
    const lmb_model *m = a->base.model;
    lmb_arena *arena = a->base.arena;
    size_t n = (size_t)m->nv + (size_t)m->nrows;
    a->group = lmb_arena_integers(arena, n + 1);
    a->unknowns = lmb_arena_integers(arena, n + 1);
    a->bundles = lmb_arena_alloc(arena, (size_t)m->nrows + 1, sizeof *a->bundles);
    a->turned = lmb_arena_numbers(arena, (size_t)m->value_count + 1);
    a->scale = lmb_arena_numbers(arena, n + 1);
    if (!lmb_arena_fine(arena))
        return false;
    for (size_t i = 0; i < n; i++)
        a->unknowns[i] = (int)i;
    a->matrix = (lmb_front_matrix){.n = (int)n, .group = a->group};
    bundle_rows(a);
    if (!group_unknowns(a) || !make_blocks(a))
        return false;
    a->values = lmb_arena_numbers(arena, a->value_count + 1);
    a->fronts = a->values ? lmb_fronts_new(&a->matrix) : NULL;
    return a->fronts != NULL;
}

static lmb_saddle *create(const lmb_model *m, lmb_saddle_use use)
{
    fronts *a = lmb_saddle_object(&lmb_saddle_fronts, m, use, sizeof *a);
    if (a && index_all(a))
        return &a->base;
    if (a)
        destroy(&a->base);
    return NULL;
}

/* --- numbers ------------------------------------------------------------------------------------
 */

/* H: all couples, with the masses on those of a cluster with itself. Diagonal entries below the
 * rounding of the largest one are noise: from them D of the rows would be so small that E vanishes
 * beside rounding, and redundant rows make the matrix singular. */
static double *put_couples(fronts *a, const lmb_saddle_matrix *n)
{
    const double rounding = 1e-14;
    const lmb_model *m = a->base.model;
    double *to = a->values, largest = 0;
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *k = &m->couples[c];
        int count = k->row_nv * k->column_nv;
        memcpy(to, n->tangent + k->value, (size_t)count * sizeof *to);
        const lmb_cluster *own = &m->clusters[k->row];
        for (int i = 0; i < count && own->couple == c; i++)
            to[i] += n->mass_factor * n->mass[own->mass + i];
        for (int j = 0; j < k->column_nv && own->couple == c; j++) {
            double size = fabs(to[j * (k->row_nv + 1)]);
            a->scale[k->column_v + j] = size;
            largest = fmax(largest, size);
        }
        to += count;
    }
    for (int j = 0; j < m->nv; j++) {
        double size = fmax(a->scale[j], rounding * largest);
        a->scale[j] = size > 0 ? 1 / sqrt(size) : 1;
    }
    return to;
}

/* L, U and -E of one bundle of rows. */
static double *put_bundle(fronts *a, const lmb_saddle_matrix *n, const bundle *b, double *to)
{
    const lmb_model *m = a->base.model;
    const double *J = n->state->jacobian, *friction = n->state->tangent_lambda;
    const double *scale = a->base.scale + b->row;
    double *D = a->scale + m->nv + b->row;
    const lmb_sparse_row *row = &m->sparse_rows[b->row];
    memset(D, 0, (size_t)b->count * sizeof *D);
    for (int k = 0; k < row->block_count; k++) {
        int nv = m->blocks[row->block + k].nv;
        double *L = to, *U = to + nv * b->count;
        const double *of = a->scale + m->blocks[row->block + k].v;
        for (int r = 0; r < b->count; r++) {
            int value = m->blocks[m->sparse_rows[b->row + r].block + k].value;
            for (int j = 0; j < nv; j++) {
                double u = J[value + j] + friction[value + j];
                L[j * b->count + r] = scale[r] * a->turned[value + j];
                U[r * nv + j] = scale[r] * u;
                D[r] += fabs(L[j * b->count + r] * of[j] * of[j] * U[r * nv + j]);
            }
        }
        to = U + nv * b->count;
    }
    memset(to, 0, (size_t)(b->count * b->count) * sizeof *to);
    for (int r = 0; r < b->count; r++) {
        to[r * (b->count + 1)] = scale[r] == 0 ? -1 : -a->base.E[b->row + r];
        D[r] = D[r] > 0 ? 1 / sqrt(D[r]) : 1;
    }
    return to + b->count * b->count;
}

static bool factor(lmb_saddle *saddle, const lmb_saddle_matrix *n)
{
    fronts *a = (fronts *)saddle;
    lmb_saddle_turn_rows(saddle->model, n, a->turned);
    double *to = put_couples(a, n);
    for (int i = 0; i < a->bundle_count; i++)
        to = put_bundle(a, n, &a->bundles[i], to);
    return a->factored = lmb_fronts_factor(a->fronts, a->values, a->scale, a->base.workers);
}

static void solve(lmb_saddle *saddle, double *sides, int count)
{
    fronts *a = (fronts *)saddle;
    for (int i = 0; i < count; i++, sides += a->matrix.n)
        lmb_fronts_solve(a->fronts, sides, saddle->workers);
}

static void solve_transposed(lmb_saddle *saddle, double *sides, int count)
{
    fronts *a = (fronts *)saddle;
    for (int i = 0; i < count; i++, sides += a->matrix.n)
        lmb_fronts_solve_transposed(a->fronts, sides, saddle->workers);
}

static double condition(const lmb_saddle *saddle)
{
    return lmb_fronts_condition(((const fronts *)saddle)->fronts);
}

static int sign(const lmb_saddle *saddle)
{
    return lmb_fronts_sign(((const fronts *)saddle)->fronts);
}

static void pack(lmb_saddle *saddle, lmb_pack *p)
{
    fronts *a = (fronts *)saddle;
    lmb_fronts_pack(a->fronts, p);
    lmb_pack_flags(p, &a->factored, 1);
    lmb_pack_numbers(p, a->values, a->value_count);
    lmb_pack_numbers(p, a->scale, (size_t)a->matrix.n);
    if (p->mode == LMB_PACK_RESTORE && a->factored)
        lmb_fronts_factor(a->fronts, a->values, a->scale, a->base.workers);
}

static double work(lmb_saddle *saddle)
{
    return lmb_fronts_work(((const fronts *)saddle)->fronts);
}

const lmb_saddle_kind lmb_saddle_fronts = {
    .name = "fronts",
    .doc = "All equations along a tree of nodes and rows: large models with forces between bodies.",
    .exact = true,
    .suits = suits,
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .solve = solve,
    .solve_transposed = solve_transposed,
    .condition = condition,
    .sign = sign,
    .work = work,
    .pack = pack};
