/* Clusters eliminated from the saddle-point equations. */
#include "system/saddle_clusters.h"

#include <math.h>
#include <string.h>

#include "math/small.h"

enum { PANEL = 4 }; /* pivots that are taken together */

/* Eliminates one pivot from columns `first` to `last` - 1; its sign, 0 if it is zero. */
LMB_PIECE int eliminate(double *a, int n, int k, int first, int last)
{
    double pivot = a[k * n + k];
    if (!(fabs(pivot) > 0))
        return 0;
    a[k * n + k] = 1;
    for (int i = 0; i < n; i++)
        a[k * n + i] /= pivot;
    for (int j = first; j < last; j++) {
        double factor = a[j * n + k];
        if (j == k || factor == 0)
            continue;
        a[j * n + k] = 0;
        lmb_small_add(a + j * n, -factor, a + k * n, n);
    }
    return pivot < 0 ? -1 : 1;
}

/* What a whole panel of pivots, from k on, does to a column outside it. */
LMB_PIECE void subtract_panel(double *restrict column, const double *restrict panel, int n, int k)
{
    const double *a = panel, *b = a + n, *c = b + n, *d = c + n;
    double f[PANEL];
    memcpy(f, column + k, sizeof f);
    memset(column + k, 0, sizeof f);
    for (int i = 0; i < n; i++)
        column[i] -= f[0] * a[i] + f[1] * b[i] + f[2] * c[i] + f[3] * d[i];
}

/* Inverts a small matrix in place (Gauss and Jordan, pivots in the diagonal: H is nearly symmetric
 * and positive); the sign of its determinant, 0 if it is singular. Pivots of large ones are taken
 * several at a time, first from each other's columns: fewer passes over the matrix. */
LMB_WIDE static int invert(double *a, int n)
{
    int sign = 1, k = 0;
    for (; n > 4 * PANEL && k + PANEL <= n && sign; k += PANEL) {
        for (int p = k; p < k + PANEL && sign; p++)
            sign *= eliminate(a, n, p, k, k + PANEL);
        for (int j = 0; j < n && sign; j++)
            if (j < k || j >= k + PANEL)
                subtract_panel(a + j * n, a + k * n, n, k);
    }
    for (; k < n && sign; k++)
        sign *= eliminate(a, n, k, 0, n);
    return sign;
}

/* Whether a block of the mass matrix can be inverted: no pivot is rounding of what stood there
 * before, which goes into `diagonal`. The block is overwritten. */
static bool is_regular(double *a, int n, double *diagonal)
{
    const double rounding = 1e-12;
    for (int k = 0; k < n; k++)
        diagonal[k] = fabs(a[k * n + k]);
    for (int k = 0; k < n; k++) {
        double pivot = a[k * n + k];
        if (!(fabs(pivot) > rounding * diagonal[k]))
            return false;
        for (int j = k + 1; j < n; j++)
            if (a[j * n + k] != 0)
                lmb_small_add(a + j * n + k + 1, -a[j * n + k] / pivot, a + k * n + k + 1,
                              n - k - 1);
    }
    return true;
}

bool lmb_saddle_has_inertia(const lmb_model *m)
{
    lmb_state *s = lmb_state_new(m);
    bool all = s != NULL;
    double *mass = all ? lmb_arena_numbers(s->arena, m->mass_count) : NULL;
    double *diagonal = all ? lmb_arena_numbers(s->arena, m->largest_nv + 1) : NULL;
    all = mass && diagonal;
    if (all)
        lmb_mass_blocks(s, mass);
    for (int c = 0; c < m->cluster_count && all; c++)
        all = is_regular(mass + m->clusters[c].mass, m->clusters[c].nv, diagonal);
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
    for (int i = 0; i < m->force_count; i++)
        for (int k = 0; k < m->forces[i].pair_count; k++) {
            const lmb_pair *p = &m->parts.pairs[m->forces[i].pair + k];
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

/* Ranges of like cost; small models are not divided. What they are depends on the model alone. */
static void make_shares(lmb_saddle_clusters *a)
{
    const lmb_model *m = a->model;
    for (int i = 0; i <= a->share_count; i++) {
        a->share[i] = (int)((long)m->cluster_count * i / a->share_count);
        a->row_share[i] = (int)((long)m->nrows * i / a->share_count);
    }
}

bool lmb_saddle_clusters_index(lmb_saddle_clusters *a, lmb_arena *arena, const lmb_model *m,
                               lmb_saddle_use use, int more)
{
    enum { WORTH_SHARING = 400, SHARES = 64 };
    size_t clusters = (size_t)m->cluster_count, most = 0;
    *a = (lmb_saddle_clusters){.model = m};
    a->share_count = m->cluster_count < WORTH_SHARING ? 1 : SHARES;
    a->place = lmb_arena_alloc(arena, clusters + 1, sizeof *a->place);
    if (!a->place || !list_touches(a, arena))
        return false;
    for (size_t i = 0; i < clusters; i++) {
        size_t count = (size_t)(a->first[i + 1] - a->first[i]);
        most = count > most ? count : most;
        a->place[i + 1] = a->place[i] + count * count;
    }
    a->answer_room = 2 * (size_t)m->largest_nv * (size_t)padded((int)most);
    a->blocks = lmb_arena_numbers(arena, a->place[clusters] + (size_t)more + 1);
    a->share = lmb_arena_integers(arena, (size_t)a->share_count + 1);
    a->row_share = lmb_arena_integers(arena, (size_t)a->share_count + 1);
    a->signs = lmb_arena_integers(arena, clusters + 1);
    a->inverse = lmb_arena_numbers(arena, m->mass_count);
    a->turned = use == LMB_SADDLE_MASS ? a->inverse : lmb_arena_numbers(arena, m->mass_count);
    a->masses = use == LMB_SADDLE_MASS ? lmb_arena_numbers(arena, m->mass_count) : NULL;
    a->rows = lmb_arena_numbers(arena, m->value_count);
    a->answers = lmb_arena_numbers(arena, (size_t)a->share_count * a->answer_room);
    a->half = lmb_arena_numbers(arena, m->nv);
    a->other = lmb_arena_numbers(arena, m->nv);
    if (lmb_arena_fine(arena))
        make_shares(a);
    return lmb_arena_fine(arena);
}

/* --- numbers ------------------------------------------------------------------------------------
 */

/* Masses of rigid bodies are constant: their inverse is known from the time before. */
static bool is_known(const lmb_saddle_clusters *a, const lmb_cluster *c, const double *mass)
{
    double *before = a->masses + c->mass;
    size_t size = (size_t)(c->nv * c->nv) * sizeof *before;
    if (memcmp(before, mass, size) == 0)
        return true;
    memcpy(before, mass, size);
    return false;
}

/* H^-1 and T H^-1 of one cluster. */
static int invert_cluster(const lmb_saddle_clusters *a, const lmb_saddle_matrix *n, int cluster)
{
    const lmb_model *m = a->model;
    const lmb_cluster *c = &m->clusters[cluster];
    int nv = c->nv;
    double *H = a->inverse + c->mass, *TH = a->turned + c->mass;
    if (a->masses && is_known(a, c, n->mass + c->mass))
        return a->signs[cluster];
    memcpy(H, n->mass + c->mass, (size_t)(nv * nv) * sizeof *H);
    const double *tangent = n->tangent ? n->tangent + m->couples[c->couple].value : NULL;
    for (int k = 0; k < nv * nv && tangent; k++)
        H[k] = n->mass_factor * H[k] + tangent[k];
    int sign = invert(H, nv);
    if (TH == H || sign == 0)
        return sign;
    memcpy(TH, H, (size_t)(nv * nv) * sizeof *H);
    for (int k = c->node; k < c->node + c->node_count; k++)
        for (int j = 0; lmb_node_turns(&m->nodes[k]) && j < nv; j++)
            lmb_node_tangent_times(n->T + LMB_TURN_NUMBERS * k, TH + j * nv + m->nodes[k].v - c->v);
    return sign;
}

/* J^T of the rows that touch a cluster, one coordinate of all rows after the other. A row may touch
 * some of the coordinates only, those that its block has. */
LMB_PIECE void gather_rows(const lmb_saddle_clusters *a, const lmb_cluster *c,
                           const lmb_touch *touches, int count, int stride,
                           double *restrict gathered)
{
    for (int s = 0; s < count; s++) {
        const lmb_block *block = touches[s].block;
        const double *row = a->rows + block->value;
        double *restrict to = gathered + s;
        int before = block->v - c->v;
        if (block->nv < c->nv)
            for (int j = 0; j < c->nv; j++)
                to[j * stride] = 0;
        if (c->nv == 6 && block->nv == 6)
            for (int j = 0; j < 6; j++)
                to[j * stride] = row[j];
        else
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
                          int count, int stride, bool lower, double *block)
{
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

LMB_WIDE static void set_block(const lmb_saddle_clusters *a, int cluster, double *answers)
{
    const lmb_cluster *c = &a->model->clusters[cluster];
    const lmb_touch *touches = a->touches + a->first[cluster];
    int count = a->first[cluster + 1] - a->first[cluster], nv = c->nv;
    const double *TH = a->turned + c->mass;
    double *gathered = answers + nv * padded(count), *block = a->blocks + a->place[cluster];
    int stride = padded(count);
    gather_rows(a, c, touches, count, stride, gathered);
    if (nv == 6 && stride == 12) /* between two joints in space */
        find_block(TH, gathered, answers, 6, count, 12, a->lower, block);
    else if (nv == 6)
        find_block(TH, gathered, answers, 6, count, stride, a->lower, block);
    else if (nv == 3 && stride == 4) /* and in the plane */
        find_block(TH, gathered, answers, 3, count, 4, a->lower, block);
    else
        find_block(TH, gathered, answers, nv, count, stride, a->lower, block);
}

/* What is done to all clusters, or to all rows. */
typedef struct job {
    lmb_saddle_clusters *a;
    const lmb_saddle_matrix *matrix;
    const double *scale;
    double *side;
} job;

static void scale_share(void *data, int share)
{
    const job *j = data;
    const lmb_model *m = j->a->model;
    for (int r = j->a->row_share[share]; r < j->a->row_share[share + 1]; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        for (int k = row->value; k < row->value + row->value_count; k++)
            j->a->rows[k] = j->scale[r] * j->matrix->state->jacobian[k];
    }
}

static void factor_share(void *data, int share)
{
    const job *j = data;
    lmb_saddle_clusters *a = j->a;
    for (int i = a->share[share]; i < a->share[share + 1]; i++) {
        a->signs[i] = invert_cluster(a, j->matrix, i);
        if (a->signs[i] != 0)
            set_block(a, i, a->answers + (size_t)share * a->answer_room);
    }
}

bool lmb_saddle_clusters_factor(lmb_saddle_clusters *a, const lmb_saddle_matrix *n,
                                const double *scale, lmb_workers *workers)
{
    job j = {.a = a, .matrix = n, .scale = scale};
    lmb_workers_run(workers, scale_share, &j, a->share_count);
    lmb_workers_run(workers, factor_share, &j, a->share_count);
    return lmb_saddle_clusters_sign(a) != 0;
}

int lmb_saddle_clusters_sign(const lmb_saddle_clusters *a)
{
    int sign = 1;
    for (int i = 0; i < a->model->cluster_count; i++)
        sign *= a->signs[i];
    return sign;
}

/* --- solutions ----------------------------------------------------------------------------------
 */

/* y = J x - y of some rows. */
static void subtract_from_rows(const lmb_saddle_clusters *a, int from, int to, const double *x,
                               double *y)
{
    const lmb_model *m = a->model;
    for (int r = from; r < to; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        y[r] = -y[r];
        for (int k = row->block; k < row->block + row->block_count; k++) {
            const lmb_block *b = &m->blocks[k];
            y[r] += lmb_small_dot(a->rows + b->value, x + b->v, b->nv);
        }
    }
}

/* f -= J^T y of some clusters. */
static void subtract_rows(const lmb_saddle_clusters *a, int from, int to, const double *y,
                          double *f)
{
    for (int i = a->first[from]; i < a->first[to]; i++) {
        const lmb_block *b = a->touches[i].block;
        lmb_small_add(f + b->v, -y[a->touches[i].row], a->rows + b->value, b->nv);
    }
}

/* x = A f with the blocks A of some clusters. */
LMB_WIDE static void multiply_clusters(const lmb_saddle_clusters *a, int from, int to,
                                       const double *A, const double *f, double *x)
{
    for (int i = from; i < to; i++) {
        const lmb_cluster *c = &a->model->clusters[i];
        lmb_small_multiply(A + c->mass, f + c->v, c->nv, x + c->v);
    }
}

static void halve_share(void *data, int share)
{
    const job *j = data;
    const int *range = j->a->share + share;
    multiply_clusters(j->a, range[0], range[1], j->a->turned, j->side, j->a->half);
}

static void rows_share(void *data, int share)
{
    const job *j = data;
    const int *range = j->a->row_share + share;
    subtract_from_rows(j->a, range[0], range[1], j->a->half, j->side + j->a->model->nv);
}

static void up_share(void *data, int share)
{
    const job *j = data;
    lmb_saddle_clusters *a = j->a;
    const int *range = a->share + share;
    const lmb_cluster *clusters = a->model->clusters;
    int from = clusters[range[0]].v, to = clusters[range[1] - 1].v + clusters[range[1] - 1].nv;
    memcpy(a->half + from, j->side + from, (size_t)(to - from) * sizeof *a->half);
    subtract_rows(a, range[0], range[1], j->side + a->model->nv, a->half);
    multiply_clusters(a, range[0], range[1], a->inverse, a->half, j->side);
}

void lmb_saddle_clusters_down(lmb_saddle_clusters *a, double *side, lmb_workers *workers)
{
    job j = {.a = a, .side = side};
    lmb_workers_run(workers, halve_share, &j, a->share_count);
    lmb_workers_run(workers, rows_share, &j, a->share_count);
}

void lmb_saddle_clusters_up(lmb_saddle_clusters *a, double *side, lmb_workers *workers)
{
    lmb_workers_run(workers, up_share, &(job){.a = a, .side = side}, a->share_count);
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
    subtract_from_rows(a, 0, a->model->nrows, a->half, side + a->model->nv);
}

void lmb_saddle_clusters_up_transposed(lmb_saddle_clusters *a, double *side)
{
    size_t nv = (size_t)a->model->nv;
    memset(side, 0, nv * sizeof *side);
    subtract_rows(a, 0, a->model->cluster_count, side + nv, side);
    multiply_transposed(a, a->turned, side, a->other);
    for (size_t i = 0; i < nv; i++)
        side[i] = a->half[i] + a->other[i];
}

void lmb_saddle_clusters_pack(lmb_saddle_clusters *a, lmb_pack *p)
{
    for (int i = 0; i < a->model->cluster_count; i++) {
        long sign = a->signs[i];
        lmb_pack_integer(p, &sign, -1, 1);
        a->signs[i] = (int)sign;
    }
    if (a->masses && p->mode == LMB_PACK_RESTORE) /* none is known */
        memset(a->masses, 0, (size_t)a->model->mass_count * sizeof *a->masses);
    lmb_pack_numbers(p, a->inverse, (size_t)a->model->mass_count);
    if (a->turned != a->inverse)
        lmb_pack_numbers(p, a->turned, (size_t)a->model->mass_count);
    lmb_pack_numbers(p, a->rows, (size_t)a->model->value_count);
}

static void block_share(void *data, int share)
{
    lmb_saddle_clusters *a = ((const job *)data)->a;
    for (int i = a->share[share]; i < a->share[share + 1]; i++)
        set_block(a, i, a->answers + (size_t)share * a->answer_room);
}

void lmb_saddle_clusters_blocks(lmb_saddle_clusters *a, lmb_workers *workers)
{
    lmb_workers_run(workers, block_share, &(job){.a = a}, a->share_count);
}
