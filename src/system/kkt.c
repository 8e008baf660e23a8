/* Assembly and solution of the saddle-point equations with a pattern known in advance. */
#include "system/kkt.h"

#include <stdlib.h>
#include <string.h>

#include "math/linear.h"

struct lmb_kkt {
    const lmb_model *model;
    lmb_arena *arena;

    /* the whole matrix */
    lmb_pattern pattern;
    double *values;
    int *lower, *upper; /* where the numbers of the Jacobian go: below and above the diagonal */
    int *block;         /* where the numbers of the body blocks go */
    int *corner;        /* where the -epsilon of each row goes */
    lmb_linear *solver;

    /* the Jacobian alone, if it is square; else solver is NULL */
    struct {
        lmb_pattern pattern;
        double *values;
        int *place; /* where its numbers go */
        lmb_linear *solver;
        double *blocks; /* W of the last factorisation */
    } square;

    bool is_square; /* the last factorisation was that of the Jacobian alone */
    double epsilon;
    double *side;  /* nv + nrows: right side and solution */
    double *scale; /* nrows: of the last factorisation; 0 for a row left out */
};

/* Calls for every number of the Jacobian: its place in the array, row and column. */
#define FOR_EACH_JACOBIAN_NUMBER(m, k, r, column)                                                  \
    for (int r = 0; r < (m)->nrows; r++)                                                           \
        for (int b_ = (m)->sparse_rows[r].block, e_ = b_ + (m)->sparse_rows[r].block_count;        \
             b_ < e_; b_++)                                                                        \
            for (int k = (m)->blocks[b_].value, column = (m)->blocks[b_].v,                        \
                     n_ = column + (m)->blocks[b_].nv;                                             \
                 column < n_; k++, column++)

/* Counts the entries of each column and sets the starts of the columns. */
static void count_columns(lmb_kkt *kkt)
{
    const lmb_model *m = kkt->model;
    int *start = kkt->pattern.start;
    for (int c = 0; c < m->cluster_count; c++)
        for (int j = 0; j < m->clusters[c].nv; j++)
            start[m->clusters[c].v + j + 1] += m->clusters[c].nv;
    FOR_EACH_JACOBIAN_NUMBER(m, k, r, column)
    {
        (void)k;
        start[column + 1]++;
        start[m->nv + r + 1]++;
    }
    for (int r = 0; r < m->nrows; r++)
        start[m->nv + r + 1]++;
    for (int j = 0; j < kkt->pattern.n; j++)
        start[j + 1] += start[j];
}

/* Fills the rows of the columns and remembers where each number goes. */
static void fill_columns(lmb_kkt *kkt, int *next)
{
    const lmb_model *m = kkt->model;
    int *row = kkt->pattern.row, k = 0;
    memcpy(next, kkt->pattern.start, (size_t)kkt->pattern.n * sizeof *next);
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            for (int l = 0; l < c->nv; l++) {
                int place = next[c->v + j]++;
                row[place] = c->v + l;
                kkt->block[k++] = place;
            }
    }
    FOR_EACH_JACOBIAN_NUMBER(m, value, r, column)
    {
        kkt->lower[value] = next[column];
        row[next[column]++] = m->nv + r;
        kkt->upper[value] = next[m->nv + r];
        row[next[m->nv + r]++] = column;
    }
    for (int r = 0; r < m->nrows; r++) {
        kkt->corner[r] = next[m->nv + r];
        row[next[m->nv + r]++] = m->nv + r;
    }
}

static bool allocate(lmb_kkt *kkt)
{
    const lmb_model *m = kkt->model;
    lmb_arena *arena = kkt->arena;
    int n = m->nv + m->nrows;
    int entries = m->mass_count + 2 * m->value_count + m->nrows;
    kkt->pattern =
        (lmb_pattern){n, lmb_arena_integers(arena, n + 1), lmb_arena_integers(arena, entries)};
    kkt->values = lmb_arena_numbers(arena, entries);
    kkt->lower = lmb_arena_integers(arena, m->value_count);
    kkt->upper = lmb_arena_integers(arena, m->value_count);
    kkt->block = lmb_arena_integers(arena, m->mass_count);
    kkt->corner = lmb_arena_integers(arena, m->nrows);
    kkt->side = lmb_arena_numbers(arena, 2 * (size_t)n);
    kkt->scale = lmb_arena_numbers(arena, m->nrows);
    int *next = lmb_arena_integers(arena, n);
    if (!kkt->pattern.start || !kkt->pattern.row || !kkt->values || !kkt->lower || !kkt->upper ||
        !kkt->block || !kkt->corner || !kkt->side || !kkt->scale || !next)
        return false;
    count_columns(kkt);
    fill_columns(kkt, next);
    kkt->solver = lmb_linear_new(&kkt->pattern);
    return kkt->solver != NULL;
}

/* The pattern of the Jacobian alone, by columns. */
static bool allocate_square(lmb_kkt *kkt)
{
    const lmb_model *m = kkt->model;
    if (m->nrows != m->nv || m->nv == 0)
        return true;
    int *start = lmb_arena_integers(kkt->arena, m->nv + 1);
    int *row = lmb_arena_integers(kkt->arena, m->value_count);
    int *next = lmb_arena_integers(kkt->arena, m->nv);
    kkt->square.place = lmb_arena_integers(kkt->arena, m->value_count);
    kkt->square.values = lmb_arena_numbers(kkt->arena, m->value_count);
    kkt->square.blocks = lmb_arena_numbers(kkt->arena, m->mass_count);
    if (!start || !row || !next || !kkt->square.place || !kkt->square.values || !kkt->square.blocks)
        return false;
    FOR_EACH_JACOBIAN_NUMBER(m, k, r, column)
    {
        (void)k;
        start[column + 1]++;
    }
    for (int j = 0; j < m->nv; j++)
        start[j + 1] += start[j];
    memcpy(next, start, (size_t)m->nv * sizeof *next);
    FOR_EACH_JACOBIAN_NUMBER(m, k, r, column)
    {
        kkt->square.place[k] = next[column];
        row[next[column]++] = r;
    }
    kkt->square.pattern = (lmb_pattern){m->nv, start, row};
    kkt->square.solver = lmb_linear_new(&kkt->square.pattern);
    return kkt->square.solver != NULL;
}

lmb_kkt *lmb_kkt_new(const lmb_model *m)
{
    lmb_arena *arena;
    lmb_kkt *kkt = lmb_arena_object(&arena, sizeof *kkt);
    if (!kkt)
        return NULL;
    kkt->model = m;
    kkt->arena = arena;
    if (!allocate(kkt) || !allocate_square(kkt)) {
        lmb_kkt_free(kkt);
        return NULL;
    }
    return kkt;
}

void lmb_kkt_free(lmb_kkt *kkt)
{
    if (!kkt)
        return;
    lmb_linear_free(kkt->solver);
    lmb_linear_free(kkt->square.solver);
    lmb_arena_free(kkt->arena);
}

void lmb_metric_blocks(const lmb_model *m, double *blocks)
{
    memset(blocks, 0, (size_t)m->mass_count * sizeof *blocks);
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i];
        const lmb_cluster *c = &m->clusters[node->cluster];
        for (int j = 0; j < node->nv; j++) {
            double size = lmb_coordinate_size(m, node, j);
            blocks[c->mass + (node->v - c->v + j) * (c->nv + 1)] = size * size;
        }
    }
}

/* The Jacobian alone: enough where there are as many independent rows as coordinates. */
static bool factor_square(lmb_kkt *kkt, const lmb_state *s, const double *blocks)
{
    const lmb_model *m = kkt->model;
    kkt->epsilon = 0;
    memcpy(kkt->square.blocks, blocks, (size_t)m->mass_count * sizeof *blocks);
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        kkt->scale[r] = row->scale;
        for (int k = row->value; k < row->value + row->value_count; k++)
            kkt->square.values[kkt->square.place[k]] = row->scale * s->jacobian[k];
    }
    return lmb_linear_factor(kkt->square.solver, kkt->square.values);
}

bool lmb_kkt_factor(lmb_kkt *kkt, const lmb_state *s, const double *blocks, double epsilon,
                    bool positions_only)
{
    const lmb_model *m = kkt->model;
    kkt->is_square = kkt->square.solver && epsilon == 0 && !positions_only && s->rows_off == 0;
    if (kkt->is_square)
        return factor_square(kkt, s, blocks);
    for (int k = 0; k < m->mass_count; k++)
        kkt->values[kkt->block[k]] = blocks[k];
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        bool out = s->row_off[r] || (positions_only && m->parts.rows[r].velocity_level);
        kkt->scale[r] = out ? 0 : row->scale;
        kkt->values[kkt->corner[r]] = out ? -1 : -epsilon;
        for (int k = row->value; k < row->value + row->value_count; k++) {
            double value = kkt->scale[r] * s->jacobian[k];
            kkt->values[kkt->lower[k]] = value;
            kkt->values[kkt->upper[k]] = value;
        }
    }
    kkt->epsilon = epsilon;
    return lmb_linear_factor(kkt->solver, kkt->values);
}

/* x = Phi_q^-1 g, y = Phi_q^-T (f - W x), in place: (f, g) becomes (x, y). */
static void solve_square(lmb_kkt *kkt)
{
    const lmb_model *m = kkt->model;
    double *f = kkt->side, *g = f + m->nv;
    const double *block = kkt->square.blocks;
    kkt->square.solver->ops->solve(kkt->square.solver, g);
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            for (int l = 0; l < c->nv; l++)
                f[c->v + l] -= block[j * c->nv + l] * g[c->v + j];
        block += c->nv * c->nv;
    }
    kkt->square.solver->ops->solve_transposed(kkt->square.solver, f);
    for (int i = 0; i < m->nv; i++) {
        double y = f[i];
        f[i] = g[i];
        g[i] = y;
    }
}

/* Solves for the right side that stands in kkt->side. */
static void solve_side(lmb_kkt *kkt)
{
    if (kkt->is_square)
        solve_square(kkt);
    else
        kkt->solver->ops->solve(kkt->solver, kkt->side);
}

/* One solve; `y0` (scaled multipliers) is the centre of the proximal term, NULL for zero. */
static void solve_once(lmb_kkt *kkt, const double *f, const double *g, const double *y0)
{
    const lmb_model *m = kkt->model;
    double *side = kkt->side;
    for (int i = 0; i < m->nv; i++)
        side[i] = f ? f[i] : 0;
    for (int r = 0; r < m->nrows; r++)
        side[m->nv + r] = (g ? kkt->scale[r] * g[r] : 0) - (y0 ? kkt->epsilon * y0[r] : 0);
    solve_side(kkt);
}

/* Copies the solution out, multipliers for the rows as written. */
static void hand_out(const lmb_kkt *kkt, double *x, double *y)
{
    const lmb_model *m = kkt->model;
    memcpy(x, kkt->side, (size_t)m->nv * sizeof *x);
    for (int r = 0; r < m->nrows; r++)
        y[r] = kkt->scale[r] * kkt->side[m->nv + r];
}

void lmb_kkt_step(lmb_kkt *kkt, const double *f, const double *g, double *x, double *y)
{
    solve_once(kkt, f, g, NULL);
    hand_out(kkt, x, y);
}

void lmb_kkt_solve(lmb_kkt *kkt, const double *f, const double *g, double *x, double *y)
{
    enum { MOST_ITERATIONS = 20 };
    const lmb_model *m = kkt->model;
    solve_once(kkt, f, g, NULL);
    if (kkt->epsilon > 0) {
        double *now = kkt->side + m->nv, *last = kkt->side + m->nv + m->nrows;
        double change = INFINITY, before, size;
        int iterations = 0;
        do {
            before = change;
            memcpy(last, now, (size_t)m->nrows * sizeof *last);
            solve_once(kkt, f, g, last);
            change = size = 0;
            for (int r = 0; r < m->nrows; r++) {
                change = fmax(change, fabs(now[r] - last[r]));
                size = fmax(size, fabs(now[r]));
            }
        } while (change > 1e-14 * size && change < before / 2 && ++iterations < MOST_ITERATIONS);
    }
    hand_out(kkt, x, y);
}

double lmb_kkt_condition(const lmb_kkt *kkt)
{
    const lmb_linear *solver = kkt->is_square ? kkt->square.solver : kkt->solver;
    return solver->ops->condition(solver);
}

int lmb_kkt_orientation(const lmb_kkt *kkt)
{
    return kkt->is_square ? kkt->square.solver->ops->sign(kkt->square.solver) : 0;
}

double lmb_kkt_weakest(lmb_kkt *kkt, double *rows)
{
    const lmb_model *m = kkt->model;
    double *side = kkt->side, growth = 0;
    for (int r = 0; r < m->nrows; r++) /* a start that no row in use is perpendicular to */
        rows[r] = kkt->scale[r] == 0 ? 0 : 1 + 0.3 * sin(1.7 * r);
    for (int iteration = 0; iteration < 8; iteration++) {
        double norm = 0;
        for (int r = 0; r < m->nrows; r++)
            norm += rows[r] * rows[r];
        norm = sqrt(norm);
        memset(side, 0, (size_t)m->nv * sizeof *side);
        for (int r = 0; r < m->nrows; r++)
            side[m->nv + r] = rows[r] / norm;
        solve_side(kkt); /* y = -(Phi W^-1 Phi^T + eps)^-1 z */
        growth = 0;
        for (int r = 0; r < m->nrows; r++) {
            rows[r] = side[m->nv + r];
            growth += rows[r] * rows[r];
        }
        growth = sqrt(growth);
        if (!(growth > 0) || !isfinite(growth))
            return 0;
    }
    for (int r = 0; r < m->nrows; r++)
        rows[r] /= growth;
    return sqrt(fmax(0, 1 / growth - kkt->epsilon));
}

void lmb_kkt_pack(lmb_kkt *kkt, lmb_pack *pack)
{
    lmb_linear_pack(kkt->solver, pack);
    if (kkt->square.solver)
        lmb_linear_pack(kkt->square.solver, pack);
}
