/* The matrix of a step with the clusters eliminated: an equation for the multipliers alone,
 *
 *   S y = L H^-1 f - g,   S = L H^-1 U + E,   x = H^-1 (f - U y)
 *
 * What couples clusters in H (of the order of h^2 where no forces act between bodies) is left out,
 * so that H is taken cluster by cluster. There is no friction here, so U = J^T and L = J T with the
 * scaled Jacobian J. Each cluster adds, for all rows r and s that touch it, J_s T H^-1 J_r to S,
 * whose pattern is thus known in advance. */
#include <math.h>
#include <string.h>

#include "math/linear.h"
#include "math/small.h"
#include "system/saddle.h"

/* A row at a cluster. */
typedef struct touch {
    int row;
    const lmb_block *block;
} touch;

typedef struct schur {
    lmb_saddle base;
    touch *touches;  /* of all clusters, one after the other */
    int *first;      /* cluster_count + 1: where those of a cluster start */
    int *place;      /* for each cluster, row s and row r: where the number goes in S */
    int *corner;     /* nrows: where the diagonal is */
    double *inverse; /* mass_count: H^-1 of each cluster */
    double *turned;  /* mass_count: T H^-1 */
    double *rows;    /* value_count: J */
    double *answer;  /* most rows of a cluster x largest_nv: T H^-1 J^T */
    double *half;    /* nv */
    double *other;   /* nv */
    lmb_pattern pattern;
    double *values;
    int sign; /* of the determinant of H */
    lmb_linear *solver;
} schur;

/* --- whether it can be, and is worth it ------------------------------------------------------- */

/* Inverts a small matrix in place (Gauss and Jordan, pivots in the diagonal: H is nearly symmetric
 * and positive); the sign of its determinant, 0 if it is singular. */
LMB_WIDE static int invert(double *a, int n)
{
    int sign = 1;
    for (int k = 0; k < n; k++) {
        double pivot = a[k * n + k];
        if (!(fabs(pivot) > 0))
            return 0;
        sign = pivot < 0 ? -sign : sign;
        a[k * n + k] = 1;
        for (int i = 0; i < n; i++)
            a[k * n + i] /= pivot;
        for (int j = 0; j < n; j++) {
            double factor = a[j * n + k];
            if (j == k || factor == 0)
                continue;
            a[j * n + k] = 0;
            lmb_small_add(a + j * n, -factor, a + k * n, n);
        }
    }
    return sign;
}

/* Whether all clusters have mass and inertia. */
static bool has_inertia(const lmb_model *m)
{
    lmb_state *s = lmb_state_new(m);
    bool all = s != NULL;
    double *mass = all ? lmb_arena_numbers(s->arena, m->mass_count) : NULL;
    all = mass != NULL;
    if (all)
        lmb_mass_blocks(s, mass);
    for (int c = 0; c < m->cluster_count && all; c++)
        all = invert(mass + m->clusters[c].mass, m->clusters[c].nv) != 0;
    lmb_state_free(s);
    return all;
}

/* Whether forces act between two clusters that move: stiff ones must not be left out. And whether
 * there are velocity-level rows, whose L is not J T. */
static bool has_couplings(const lmb_model *m)
{
    if (m->input_count)
        return true;
    for (int r = 0; r < m->nrows; r++)
        if (m->parts.rows[r].velocity_level)
            return true;
    for (int i = 0; i < m->force_count; i++) {
        const lmb_pair *p = &m->parts.pairs[m->forces[i].pair];
        if (m->parts.markers[p->a].nv && m->parts.markers[p->b].nv)
            return true;
    }
    for (int i = 0; i < m->body_count; i++)
        if (m->bodies[i].cluster_count > 1 || m->bodies[i].nz)
            return true;
    return false;
}

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
    return use == LMB_SADDLE_STEP && m->nrows > 0 && !has_couplings(m) && has_inertia(m);
}

static bool list_touches(schur *a)
{
    const lmb_model *m = a->base.model;
    int count = 0;
    a->first = lmb_arena_integers(a->base.arena, m->cluster_count + 2);
    for (int r = 0; r < m->nrows; r++)
        count += m->sparse_rows[r].block_count;
    a->touches = lmb_arena_alloc(a->base.arena, (size_t)count, sizeof *a->touches);
    if (!a->first || !a->touches)
        return false;
    int *next = a->first + 1; /* one further, so that it ends up as the starts */
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < m->nrows; r++)
            for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
                const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
                if (pass == 0)
                    next[block->cluster + 1]++;
                else
                    a->touches[next[block->cluster]++] = (touch){r, block};
            }
        for (int i = 0; pass == 0 && i < m->cluster_count; i++)
            next[i + 1] += next[i];
    }
    return true;
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
        int from = a->first[cluster], count = a->first[cluster + 1] - from, own = 0;
        while (a->touches[from + own].row != r)
            own++;
        for (int i = 0; i < count; i++)
            a->place[pairs[cluster] + own * count + i] =
                entry(a, a->touches[from + i].row, mark, used);
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
        int count = a->first[i + 1] - a->first[i];
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
    a->inverse = lmb_arena_numbers(arena, m->mass_count);
    a->turned = lmb_arena_numbers(arena, m->mass_count);
    a->rows = lmb_arena_numbers(arena, m->value_count);
    a->answer = lmb_arena_numbers(arena, most * m->largest_nv);
    a->half = lmb_arena_numbers(arena, m->nv);
    a->other = lmb_arena_numbers(arena, m->nv);
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
    if (a && list_touches(a) && index_all(a))
        return &a->base;
    if (a)
        destroy(&a->base);
    return NULL;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* H^-1 and T H^-1 of one cluster. */
static bool invert_cluster(schur *a, const lmb_saddle_matrix *n, const lmb_cluster *c)
{
    const lmb_model *m = a->base.model;
    int nv = c->nv;
    double *H = a->inverse + c->mass, *TH = a->turned + c->mass;
    const double *tangent = n->tangent + m->couples[c->couple].value;
    for (int k = 0; k < nv * nv; k++)
        H[k] = n->mass_factor * n->mass[c->mass + k] + tangent[k];
    int sign = invert(H, nv);
    a->sign *= sign;
    if (sign == 0)
        return false;
    memcpy(TH, H, (size_t)(nv * nv) * sizeof *H);
    for (int k = c->node; k < c->node + c->node_count; k++)
        for (int j = 0; lmb_node_turns(&m->nodes[k]) && j < nv; j++)
            lmb_node_tangent_times(n->T + LMB_TURN_NUMBERS * k, TH + j * nv + m->nodes[k].v - c->v);
    return true;
}

/* Adds what one cluster has to S; `place` is where its places start. A row may touch some of the
 * columns only: those that its block has. */
LMB_WIDE static void add_cluster(schur *a, const lmb_cluster *c, const touch *touches, int count,
                                 const int *place)
{
    int nv = c->nv;
    const double *TH = a->turned + c->mass;
    for (int r = 0; r < count; r++) {
        const lmb_block *block = touches[r].block;
        if (block->nv == nv)
            lmb_small_multiply(TH, a->rows + block->value, nv, a->answer + r * nv);
        else
            lmb_part_multiply(TH + (block->v - c->v) * nv, a->rows + block->value, nv, block->nv,
                              a->answer + r * nv);
    }
    for (int r = 0; r < count; r++)
        for (int s = 0; s < count; s++) {
            const lmb_block *block = touches[s].block;
            a->values[*place++] += lmb_small_dot(a->rows + block->value,
                                                 a->answer + r * nv + block->v - c->v, block->nv);
        }
}

static bool factor(lmb_saddle *saddle, const lmb_saddle_matrix *n)
{
    schur *a = (schur *)saddle;
    const lmb_model *m = saddle->model;
    const int *place = a->place;
    a->sign = 1;
    memset(a->values, 0, (size_t)a->pattern.start[m->nrows] * sizeof *a->values);
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int k = row->value; k < row->value + row->value_count; k++)
            a->rows[k] = saddle->scale[r] * n->state->jacobian[k];
    }
    for (int i = 0; i < m->cluster_count; i++) {
        int count = a->first[i + 1] - a->first[i];
        if (!invert_cluster(a, n, &m->clusters[i]))
            return false;
        add_cluster(a, &m->clusters[i], a->touches + a->first[i], count, place);
        place += count * count;
    }
    for (int r = 0; r < m->nrows; r++)
        a->values[a->corner[r]] += saddle->scale[r] == 0 ? 1 : n->epsilon;
    return lmb_linear_factor(a->solver, a->values);
}

/* y = J x - y */
static void subtract_from_rows(const schur *a, const double *x, double *y)
{
    const lmb_model *m = a->base.model;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        y[r] = -y[r];
        for (int k = row->block; k < row->block + row->block_count; k++) {
            const lmb_block *b = &m->blocks[k];
            y[r] += lmb_small_dot(a->rows + b->value, x + b->v, b->nv);
        }
    }
}

/* f -= J^T y */
static void subtract_rows(const schur *a, const double *y, double *f)
{
    const lmb_model *m = a->base.model;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int k = row->block; k < row->block + row->block_count; k++) {
            const lmb_block *b = &m->blocks[k];
            lmb_small_add(f + b->v, -y[r], a->rows + b->value, b->nv);
        }
    }
}

/* x = A f with the blocks A of all clusters. */
LMB_WIDE static void multiply_clusters(const schur *a, const double *A, const double *f, double *x)
{
    const lmb_model *m = a->base.model;
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        lmb_small_multiply(A + c->mass, f + c->v, c->nv, x + c->v);
    }
}

static void solve_one(schur *a, double *f)
{
    size_t nv = (size_t)a->base.model->nv;
    double *y = f + nv;
    multiply_clusters(a, a->turned, f, a->half);
    subtract_from_rows(a, a->half, y);
    a->solver->ops->solve(a->solver, y, 1);
    memcpy(a->half, f, nv * sizeof *f);
    subtract_rows(a, y, a->half);
    multiply_clusters(a, a->inverse, a->half, f);
}

/* x = A^T f with the blocks A of all clusters. */
static void multiply_transposed(const schur *a, const double *A, const double *f, double *x)
{
    const lmb_model *m = a->base.model;
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            x[c->v + j] = lmb_small_dot(A + c->mass + j * c->nv, f + c->v, c->nv);
    }
}

/* x = H^-T (f - L^T y) with S^T y = U^T H^-T f - g. */
static void solve_one_transposed(schur *a, double *f)
{
    size_t nv = (size_t)a->base.model->nv;
    double *y = f + nv;
    multiply_transposed(a, a->inverse, f, a->half);
    subtract_from_rows(a, a->half, y);
    a->solver->ops->solve_transposed(a->solver, y, 1);
    memset(f, 0, nv * sizeof *f);
    subtract_rows(a, y, f);
    multiply_transposed(a, a->turned, f, a->other);
    for (size_t i = 0; i < nv; i++)
        f[i] = a->half[i] + a->other[i];
}

static void solve(lmb_saddle *saddle, double *sides, int count)
{
    for (int i = 0; i < count; i++)
        solve_one((schur *)saddle, sides + i * (saddle->model->nv + saddle->model->nrows));
}

static void solve_transposed(lmb_saddle *saddle, double *sides, int count)
{
    for (int i = 0; i < count; i++)
        solve_one_transposed((schur *)saddle,
                             sides + i * (saddle->model->nv + saddle->model->nrows));
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
    return a->sign * minus * a->solver->ops->sign(a->solver);
}

static void pack(lmb_saddle *saddle, lmb_pack *p)
{
    schur *a = (schur *)saddle;
    lmb_pack_numbers(p, a->inverse, (size_t)saddle->model->mass_count);
    lmb_pack_numbers(p, a->turned, (size_t)saddle->model->mass_count);
    lmb_pack_numbers(p, a->rows, (size_t)saddle->model->value_count);
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
