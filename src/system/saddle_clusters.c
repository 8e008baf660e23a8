/* Clusters eliminated from the saddle-point equations. */
#include "system/saddle_clusters.h"

#include <math.h>
#include <string.h>

#include "math/small.h"

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

bool lmb_saddle_has_inertia(const lmb_model *m)
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

bool lmb_saddle_has_couplings(const lmb_model *m)
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

/* --- which rows touch which clusters ------------------------------------------------------------
 */

static bool list_touches(lmb_saddle_clusters *a, lmb_arena *arena)
{
    const lmb_model *m = a->model;
    int count = 0;
    a->first = lmb_arena_integers(arena, m->cluster_count + 2);
    for (int r = 0; r < m->nrows; r++)
        count += m->sparse_rows[r].block_count;
    a->touches = lmb_arena_alloc(arena, (size_t)count, sizeof *a->touches);
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
                    a->touches[next[block->cluster]++] = (lmb_touch){r, block};
            }
        for (int i = 0; pass == 0 && i < m->cluster_count; i++)
            next[i + 1] += next[i];
    }
    return true;
}

bool lmb_saddle_clusters_index(lmb_saddle_clusters *a, lmb_arena *arena, const lmb_model *m,
                               lmb_saddle_use use)
{
    *a = (lmb_saddle_clusters){.model = m};
    if (!list_touches(a, arena))
        return false;
    int most = 0;
    for (int i = 0; i < m->cluster_count; i++)
        most = a->first[i + 1] - a->first[i] > most ? a->first[i + 1] - a->first[i] : most;
    a->inverse = lmb_arena_numbers(arena, m->mass_count);
    a->turned = use == LMB_SADDLE_MASS ? a->inverse : lmb_arena_numbers(arena, m->mass_count);
    a->rows = lmb_arena_numbers(arena, m->value_count);
    a->answers = lmb_arena_numbers(arena, (size_t)most * (size_t)m->largest_nv);
    a->half = lmb_arena_numbers(arena, m->nv);
    a->other = lmb_arena_numbers(arena, m->nv);
    return lmb_arena_fine(arena);
}

/* --- numbers ------------------------------------------------------------------------------------
 */

/* H^-1 and T H^-1 of one cluster. */
static bool invert_cluster(lmb_saddle_clusters *a, const lmb_saddle_matrix *n, const lmb_cluster *c)
{
    const lmb_model *m = a->model;
    int nv = c->nv;
    double *H = a->inverse + c->mass, *TH = a->turned + c->mass;
    memcpy(H, n->mass + c->mass, (size_t)(nv * nv) * sizeof *H);
    const double *tangent = n->tangent ? n->tangent + m->couples[c->couple].value : NULL;
    for (int k = 0; k < nv * nv && tangent; k++)
        H[k] = n->mass_factor * H[k] + tangent[k];
    int sign = invert(H, nv);
    a->sign *= sign;
    if (sign == 0)
        return false;
    if (TH == H)
        return true;
    memcpy(TH, H, (size_t)(nv * nv) * sizeof *H);
    for (int k = c->node; k < c->node + c->node_count; k++)
        for (int j = 0; lmb_node_turns(&m->nodes[k]) && j < nv; j++)
            lmb_node_tangent_times(n->T + LMB_TURN_NUMBERS * k, TH + j * nv + m->nodes[k].v - c->v);
    return true;
}

bool lmb_saddle_clusters_factor(lmb_saddle_clusters *a, const lmb_saddle_matrix *n,
                                const double *scale)
{
    const lmb_model *m = a->model;
    a->sign = 1;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int k = row->value; k < row->value + row->value_count; k++)
            a->rows[k] = scale[r] * n->state->jacobian[k];
    }
    for (int i = 0; i < m->cluster_count; i++)
        if (!invert_cluster(a, n, &m->clusters[i]))
            return false;
    return true;
}

/* T H^-1 J_r of all rows r of a cluster. A row may touch some of the columns only: those that its
 * block has. */
static inline void find_answers(lmb_saddle_clusters *a, const lmb_cluster *c,
                                const lmb_touch *touches, int count)
{
    int nv = c->nv;
    const double *TH = a->turned + c->mass;
    for (int r = 0; r < count; r++) {
        const lmb_block *block = touches[r].block;
        if (block->nv == nv)
            lmb_small_multiply(TH, a->rows + block->value, nv, a->answers + r * nv);
        else
            lmb_part_multiply(TH + (block->v - c->v) * nv, a->rows + block->value, nv, block->nv,
                              a->answers + r * nv);
    }
}

/* Of each row r: the rows s from `own` times r, or 0, on. */
static inline void find_block(lmb_saddle_clusters *a, int cluster, int own, double *block)
{
    const lmb_cluster *c = &a->model->clusters[cluster];
    const lmb_touch *touches = a->touches + a->first[cluster];
    int count = a->first[cluster + 1] - a->first[cluster], nv = c->nv;
    find_answers(a, c, touches, count);
    for (int r = 0; r < count; r++)
        for (int s = own * r; s < count; s++) {
            const lmb_block *at = touches[s].block;
            *block++ =
                lmb_small_dot(a->rows + at->value, a->answers + r * nv + at->v - c->v, at->nv);
        }
}

LMB_WIDE void lmb_saddle_cluster_block(lmb_saddle_clusters *a, int cluster, double *block)
{
    find_block(a, cluster, 0, block);
}

LMB_WIDE void lmb_saddle_cluster_triangle(lmb_saddle_clusters *a, int cluster, double *block)
{
    find_block(a, cluster, 1, block);
}

/* y = J x - y */
static void subtract_from_rows(const lmb_saddle_clusters *a, const double *x, double *y)
{
    const lmb_model *m = a->model;
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
static void subtract_rows(const lmb_saddle_clusters *a, const double *y, double *f)
{
    const lmb_model *m = a->model;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int k = row->block; k < row->block + row->block_count; k++) {
            const lmb_block *b = &m->blocks[k];
            lmb_small_add(f + b->v, -y[r], a->rows + b->value, b->nv);
        }
    }
}

/* x = A f with the blocks A of all clusters. */
LMB_WIDE static void multiply_clusters(const lmb_saddle_clusters *a, const double *A,
                                       const double *f, double *x)
{
    const lmb_model *m = a->model;
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        lmb_small_multiply(A + c->mass, f + c->v, c->nv, x + c->v);
    }
}

void lmb_saddle_clusters_down(lmb_saddle_clusters *a, double *side)
{
    multiply_clusters(a, a->turned, side, a->half);
    subtract_from_rows(a, a->half, side + a->model->nv);
}

void lmb_saddle_clusters_up(lmb_saddle_clusters *a, double *side)
{
    size_t nv = (size_t)a->model->nv;
    memcpy(a->half, side, nv * sizeof *side);
    subtract_rows(a, side + nv, a->half);
    multiply_clusters(a, a->inverse, a->half, side);
}

/* x = A^T f with the blocks A of all clusters. */
static void multiply_transposed(const lmb_saddle_clusters *a, const double *A, const double *f,
                                double *x)
{
    const lmb_model *m = a->model;
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            x[c->v + j] = lmb_small_dot(A + c->mass + j * c->nv, f + c->v, c->nv);
    }
}

void lmb_saddle_clusters_down_transposed(lmb_saddle_clusters *a, double *side)
{
    multiply_transposed(a, a->inverse, side, a->half);
    subtract_from_rows(a, a->half, side + a->model->nv);
}

void lmb_saddle_clusters_up_transposed(lmb_saddle_clusters *a, double *side)
{
    size_t nv = (size_t)a->model->nv;
    memset(side, 0, nv * sizeof *side);
    subtract_rows(a, side + nv, side);
    multiply_transposed(a, a->turned, side, a->other);
    for (size_t i = 0; i < nv; i++)
        side[i] = a->half[i] + a->other[i];
}

void lmb_saddle_clusters_pack(lmb_saddle_clusters *a, lmb_pack *p)
{
    double sign = a->sign;
    lmb_pack_number(p, &sign);
    a->sign = (int)sign;
    lmb_pack_numbers(p, a->inverse, (size_t)a->model->mass_count);
    lmb_pack_numbers(p, a->turned, (size_t)a->model->mass_count);
    lmb_pack_numbers(p, a->rows, (size_t)a->model->value_count);
}
