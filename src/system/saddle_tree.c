/* Divide and conquer in the space of multipliers. A subsystem of bodies is known by the rows that
 * are open, to bodies outside, and by how their rates answer to their multipliers:
 *
 *   y = z - Z lambda      of one body: Z = L H^-1 U, z = L H^-1 f - g
 *
 * Joining two subsystems adds what they say of shared rows; a row all of whose bodies are inside
 * closes: its lambda is eliminated (math/fronts.h). From the top down the multipliers follow, and
 * x = H^-1 (f - U lambda). S = sum of all Z is the matrix of system/saddle_clusters.h; with masses
 * it is symmetric and positive. */
#include <math.h>

#include "math/fronts.h"
#include "system/saddle_clusters.h"

typedef struct tree {
    lmb_saddle base;
    lmb_saddle_clusters clusters;
    lmb_front_matrix matrix;
    int *unknowns;      /* rows of all blocks */
    size_t *corner;     /* nrows: where the diagonal is in the block of its first cluster */
    size_t value_count; /* of the blocks of clusters, and of rows that touch none */
    bool factored;
    lmb_fronts *fronts;
} tree;

static bool suits(const lmb_model *m, lmb_saddle_use use)
{
    if (use == LMB_SADDLE_EXACT || m->nrows == 0)
        return false;
    return (use == LMB_SADDLE_MASS || !lmb_saddle_has_couplings(m)) && lmb_saddle_has_inertia(m);
}

/* Measured by bench_tree: with many bodies twice as fast as KLU on all equations, and from some
 * hundreds on worth threads. Where H is not symmetric, KLU on S alone is about as fast as fronts
 * with exchanges are, until there are threads to share them. */
static bool fast(const lmb_model *m, lmb_saddle_use use)
{
    enum { MANY = 200, VERY_MANY = 400 };
    return m->cluster_count >= (use == LMB_SADDLE_MASS ? MANY : VERY_MANY);
}

static void destroy(lmb_saddle *saddle)
{
    lmb_fronts_free(((tree *)saddle)->fronts);
    lmb_arena_free(saddle->arena);
}

/* --- pattern ------------------------------------------------------------------------------------
 */

/* Rows of one joint, which close together. */
static int *group_rows(const lmb_model *m, lmb_arena *arena, int *count)
{
    int *group = lmb_arena_integers(arena, (size_t)m->nrows + 1);
    *count = 0;
    for (int r = 0; r < m->nrows && group; r++)
        group[r] = r > 0 && lmb_saddle_rows_alike(m, r, r - 1) ? *count - 1 : (*count)++;
    return group;
}

/* One block a cluster, and one a row that touches none. */
static bool make_blocks(tree *a)
{
    const lmb_model *m = a->base.model;
    const lmb_saddle_clusters *c = &a->clusters;
    lmb_arena *arena = a->base.arena;
    int touches = c->first[m->cluster_count];
    a->unknowns = lmb_arena_integers(arena, (size_t)touches + (size_t)m->nrows + 1);
    a->matrix.blocks = lmb_arena_alloc(arena, (size_t)m->cluster_count + (size_t)m->nrows + 1,
                                       sizeof *a->matrix.blocks);
    if (!lmb_arena_fine(arena))
        return false;
    int used = 0;
    for (int i = 0; i < m->cluster_count; i++) {
        int count = c->first[i + 1] - c->first[i], *rows = a->unknowns + used;
        for (int k = 0; k < count; k++)
            rows[k] = c->touches[c->first[i] + k].row;
        a->matrix.blocks[a->matrix.block_count++] = (lmb_front_block){rows, rows, count, count};
        used += count;
    }
    for (int r = 0; r < m->nrows; r++)
        if (m->sparse_rows[r].block_count == 0) {
            int *row = a->unknowns + used++;
            *row = r;
            a->matrix.blocks[a->matrix.block_count++] = (lmb_front_block){row, row, 1, 1};
        }
    return true;
}

/* The touches of each cluster in the order that its block has now. */
static void follow_order(tree *a)
{
    const lmb_model *m = a->base.model;
    lmb_saddle_clusters *c = &a->clusters;
    for (int i = 0; i < m->cluster_count; i++) {
        const int *rows = a->matrix.blocks[i].rows;
        lmb_touch *touches = c->touches + c->first[i];
        for (int k = 0; k < a->matrix.blocks[i].row_count; k++)
            for (int j = k; j < a->matrix.blocks[i].row_count; j++)
                if (touches[j].row == rows[k]) {
                    lmb_touch keep = touches[j];
                    touches[j] = touches[k];
                    touches[k] = keep;
                }
    }
}

/* Where the diagonal of each row is: blocks are squares, one after the other. */
static bool place_corners(tree *a)
{
    size_t next = 0;
    a->corner = lmb_arena_alloc(a->base.arena, (size_t)a->base.model->nrows + 1, sizeof *a->corner);
    for (int b = 0; b < a->matrix.block_count && a->corner; b++) {
        size_t count = (size_t)a->matrix.blocks[b].row_count;
        for (size_t k = 0; k < count; k++)
            a->corner[a->matrix.blocks[b].rows[k]] = next + k * (count + 1);
        next += count * count;
    }
    a->value_count = next;
    return a->corner != NULL;
}

static lmb_saddle *create(const lmb_model *m, lmb_saddle_use use)
{
    tree *a = lmb_saddle_object(&lmb_saddle_tree, m, use, sizeof *a);
    if (!a)
        return NULL;
    a->matrix = (lmb_front_matrix){.n = m->nrows, .definite = use == LMB_SADDLE_MASS};
    a->matrix.group = group_rows(m, a->base.arena, &a->matrix.group_count);
    if (a->matrix.group &&
        lmb_saddle_clusters_index(&a->clusters, a->base.arena, m, use, m->nrows) && make_blocks(a))
        a->fronts = lmb_fronts_new(&a->matrix);
    if (a->fronts && place_corners(a)) {
        a->clusters.lower = a->matrix.definite;
        follow_order(a);
        return &a->base;
    }
    destroy(&a->base);
    return NULL;
}

/* --- numbers ------------------------------------------------------------------------------------
 */

/* Factorises S, its blocks of clusters being known. */
static bool factor_blocks(tree *a)
{
    const lmb_saddle *saddle = &a->base;
    const lmb_model *m = saddle->model;
    double *values = a->clusters.blocks;
    for (size_t i = a->clusters.place[m->cluster_count]; i < a->value_count; i++)
        values[i] = 0;
    for (int r = 0; r < m->nrows; r++)
        values[a->corner[r]] += saddle->scale[r] == 0 ? 1 : saddle->E[r];
    return lmb_fronts_factor(a->fronts, values, NULL, saddle->workers);
}

static bool factor(lmb_saddle *saddle, const lmb_saddle_matrix *n)
{
    tree *a = (tree *)saddle;
    bool inverted = lmb_saddle_clusters_factor(&a->clusters, n, saddle->scale, saddle->workers);
    return a->factored = inverted && factor_blocks(a);
}

static void solve(lmb_saddle *saddle, double *sides, int count)
{
    tree *a = (tree *)saddle;
    for (int i = 0; i < count; i++, sides += saddle->model->nv + saddle->model->nrows) {
        lmb_saddle_clusters_down(&a->clusters, sides, saddle->workers);
        lmb_fronts_solve(a->fronts, sides + saddle->model->nv, saddle->workers);
        lmb_saddle_clusters_up(&a->clusters, sides, saddle->workers);
    }
}

static void solve_transposed(lmb_saddle *saddle, double *sides, int count)
{
    tree *a = (tree *)saddle;
    for (int i = 0; i < count; i++, sides += saddle->model->nv + saddle->model->nrows) {
        lmb_saddle_clusters_down_transposed(&a->clusters, sides);
        lmb_fronts_solve_transposed(a->fronts, sides + saddle->model->nv, saddle->workers);
        lmb_saddle_clusters_up_transposed(&a->clusters, sides);
    }
}

/* Pivots of S are squares of those of J M^-1/2; Cholesky's are their roots already. */
static double condition(const lmb_saddle *saddle)
{
    const tree *a = (const tree *)saddle;
    double ratio = lmb_fronts_condition(a->fronts);
    return a->matrix.definite ? ratio : sqrt(ratio);
}

/* det = det(H) det(-S) */
static int sign(const lmb_saddle *saddle)
{
    const tree *a = (const tree *)saddle;
    int minus = saddle->model->nrows % 2 ? -1 : 1;
    return lmb_saddle_clusters_sign(&a->clusters) * minus * lmb_fronts_sign(a->fronts);
}

/* Blocks and factors follow from the rest. */
static void pack(lmb_saddle *saddle, lmb_pack *p)
{
    tree *a = (tree *)saddle;
    lmb_saddle_clusters_pack(&a->clusters, p);
    lmb_fronts_pack(a->fronts, p);
    lmb_pack_flags(p, &a->factored, 1);
    if (p->mode != LMB_PACK_RESTORE || !a->factored)
        return;
    lmb_saddle_clusters_blocks(&a->clusters, saddle->workers);
    factor_blocks(a);
}

/* The blocks L H^-1 U of the clusters, and the fronts. */
static double work(lmb_saddle *saddle)
{
    const tree *a = (const tree *)saddle;
    double sum = lmb_fronts_work(a->fronts);
    for (int i = 0; i < saddle->model->cluster_count; i++) {
        double nv = saddle->model->clusters[i].nv, rows = a->matrix.blocks[i].row_count;
        sum += nv * (nv + rows) * (nv + rows);
    }
    return sum;
}

const lmb_saddle_kind lmb_saddle_tree = {
    .name = "tree",
    .doc =
        "Bodies joined two by two along a tree, an equation for the reactions left: many bodies.",
    .suits = suits,
    .fast = fast,
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .solve = solve,
    .solve_transposed = solve_transposed,
    .condition = condition,
    .sign = sign,
    .work = work,
    .pack = pack};
