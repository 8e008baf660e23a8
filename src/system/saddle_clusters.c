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

/* Rows are worked on four at a time; this many are made room for. */
static int padded(int count)
{
    return (count + 3) & ~3;
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
    a->answers = lmb_arena_numbers(arena, 2 * (size_t)m->largest_nv * (size_t)padded(most));
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

/* J^T of the rows that touch a cluster, one coordinate of all rows after the other. A row may touch
 * some of the coordinates only, those that its block has. */
LMB_PIECE void gather_rows(const lmb_saddle_clusters *a, const lmb_cluster *c,
                           const lmb_touch *touches, int count, double *restrict gathered)
{
    int stride = padded(count);
    for (int s = 0; s < count; s++) {
        const lmb_block *block = touches[s].block;
        const double *row = a->rows + block->value;
        double *restrict to = gathered + s;
        int before = block->v - c->v;
        if (block->nv < c->nv)
            for (int j = 0; j < c->nv; j++)
                to[j * stride] = 0;
        for (int j = 0; j < block->nv; j++)
            to[(before + j) * stride] = row[j];
    }
    for (int s = count; s < stride; s++)
        for (int j = 0; j < c->nv; j++)
            gathered[j * stride + s] = 0;
}

/* The sum over j of x_j y_j for four x: those of x_j stand `stride` further each, those of y_j
 * `step`. */
LMB_PIECE void dot_four(const double *x, int stride, const double *y, int step, int n, double *out)
{
    lmb_four sum = *(const lmb_four *)x * y[0];
    for (int j = 1; j < n; j++)
        sum += *(const lmb_four *)(x + j * stride) * y[j * step];
    *(lmb_four *)out = sum;
}

/* (T H^-1 J^T)^T, and column by column of the block the products of the gathered rows with it; of
 * the lower triangle at least what is on and below the diagonal. */
LMB_PIECE void find_block(const double *TH, const double *gathered, double *answers, int nv,
                          int count, bool lower, double *block)
{
    int stride = padded(count);
    for (int i = 0; i < nv; i++)
        for (int s = 0; s < stride; s += 4)
            dot_four(gathered + s, stride, TH + i, nv, nv, answers + i * stride + s);
    for (int r = 0; r < count; r++, block += count) {
        int s = lower ? r & ~3 : 0;
        for (; s + 4 <= count; s += 4)
            dot_four(gathered + s, stride, answers + r, stride, nv, block + s);
        if (s < count) {
            double last[4];
            dot_four(gathered + s, stride, answers + r, stride, nv, last);
            for (int i = s; i < count; i++)
                block[i] = last[i - s];
        }
    }
}

LMB_WIDE void lmb_saddle_cluster_block(lmb_saddle_clusters *a, int cluster, bool lower,
                                       double *block)
{
    const lmb_cluster *c = &a->model->clusters[cluster];
    const lmb_touch *touches = a->touches + a->first[cluster];
    int count = a->first[cluster + 1] - a->first[cluster], nv = c->nv;
    const double *TH = a->turned + c->mass;
    double *gathered = a->answers + nv * padded(count);
    gather_rows(a, c, touches, count, gathered);
    if (nv == 6)
        find_block(TH, gathered, a->answers, 6, count, lower, block);
    else if (nv == 3)
        find_block(TH, gathered, a->answers, 3, count, lower, block);
    else
        find_block(TH, gathered, a->answers, nv, count, lower, block);
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
