/* Rows of the model and prescribed quantities in one sparse matrix. */
#include "system/extended.h"

#include <string.h>

#include "math/linear.h"
#include "system/islands.h"
#include "system/whole.h"

/* Numbers of a gradient that belong to one node, and where they go in B. */
typedef struct piece {
    int source;        /* in the Jacobian, or among the gradients of what is prescribed */
    int node, from, n; /* velocity coordinates of a node */
    int place;
} piece;

/* B by rows, and where its numbers go in the matrix. */
typedef struct lmb_extended_matrix {
    const lmb_model *model;
    const lmb_state *state; /* of the last factorisation */
    bool whole;             /* nodes follow their leaders */
    int nv, rows;           /* rows of the model and prescribed quantities */
    int *first_piece;       /* rows + 1 */
    piece *pieces;
    int piece_count;
    double *gradient;     /* of one prescribed quantity */
    int *start, *end;     /* rows: the numbers of each, */
    int *column;          /* entries: and their columns */
    double *value;        /* entries: B */
    int *lower, *upper;   /* entries: places of B and B^T, */
    int *diagonal;        /* nv: of the unit matrix, */
    int *corner;          /* rows: of -e, */
    int *H_place;         /* and of the numbers of H */
    double *root;         /* nv: W^(-1/2) */
    double *side, *x, *y; /* nv + rows; nv; rows */
    double *f;            /* nv: the force, scaled */
    double *b;            /* rows */
    lmb_pattern pattern;
    double *values;
    lmb_linear *linear;
} matrix;

static const lmb_pair *pair_of(const lmb_model *m, const lmb_given *g)
{
    return &m->parts.pairs[m->parts.coordinates[g->coordinate].pair];
}

/* How many numbers the gradient of something prescribed has. */
static int gradient_count(const lmb_model *m, const lmb_given *g)
{
    if (g->column >= 0)
        return 1;
    const lmb_marker *markers = m->parts.markers;
    return markers[pair_of(m, g)->a].nv + markers[pair_of(m, g)->b].nv;
}

/* The gradient of a joint coordinate by its two frames; that of a length L is d(L^2 / 2) / L. */
static void coordinate_loads(const lmb_state *s, const lmb_given *g, lmb_frame load[2])
{
    const lmb_coordinate *c = &s->model->parts.coordinates[g->coordinate];
    const lmb_pair *pair = pair_of(s->model, g);
    const lmb_frame *A = &s->frames[pair->a], *B = &s->frames[pair->b];
    double factor = 1;
    load[0] = load[1] = frame_zero();
    if (c->kind == LMB_COORDINATE_LENGTH)
        factor = 1 / sqrt(2 * lmb_product_value(&c->product, A, B, 0));
    lmb_product_gradient(&c->product, A, B, factor, &load[0], &load[1]);
}

/* And the numbers themselves. */
static void gradient_values(const lmb_state *s, const lmb_given *g, double *out)
{
    const lmb_model *m = s->model;
    lmb_frame load[2];
    if (g->column >= 0) {
        *out = 1;
        return;
    }
    const lmb_pair *pair = pair_of(m, g);
    coordinate_loads(s, g, load);
    memset(out, 0, (size_t)gradient_count(m, g) * sizeof *out);
    if (m->parts.markers[pair->a].nv)
        lmb_add_load(s, pair->a, &load[0], out);
    if (m->parts.markers[pair->b].nv)
        lmb_add_load(s, pair->b, &load[1], out + m->parts.markers[pair->a].nv);
}

void lmb_given_gradient(const lmb_state *s, const lmb_given *g, double *row)
{
    const lmb_model *m = s->model;
    memset(row, 0, (size_t)m->nv * sizeof *row);
    if (g->column >= 0) {
        row[g->column] = 1;
        return;
    }
    const int ends[] = {pair_of(m, g)->a, pair_of(m, g)->b};
    lmb_frame load[2];
    coordinate_loads(s, g, load);
    for (int i = 0; i < 2; i++)
        if (m->parts.markers[ends[i]].nv)
            lmb_add_load(s, ends[i], &load[i], row + m->parts.markers[ends[i]].v);
}

double lmb_given_error(const lmb_state *s, const lmb_given *g, bool rates)
{
    if (g->column >= 0)
        return s->v[g->column] - g->value;
    const lmb_coordinate *c = &s->model->parts.coordinates[g->coordinate];
    if (rates)
        return lmb_coordinate_rate(s, c) - g->value;
    const lmb_pair *pair = &s->model->parts.pairs[c->pair];
    double x = lmb_product_value(&c->product, &s->frames[pair->a], &s->frames[pair->b],
                                 c->turn >= 0 ? s->turn[c->turn] : 0);
    return (c->kind == LMB_COORDINATE_LENGTH ? sqrt(2 * x) : x) - g->value;
}

/* --- pattern ---------------------------------------------------------------------------------- */

/* Room for H, and the blocks of nodes that lead. */
static void make_H(lmb_extended *e, const lmb_model *m)
{
    size_t count = 0;
    if (e->kind == LMB_EXTENDED_NODES)
        return;
    e->block = lmb_arena_integers(e->arena, (size_t)m->node_count + 1);
    for (int i = 0; e->block && i < m->node_count; i++) {
        bool leads = lmb_whole_leader(m, i) == i;
        e->block[i] = leads ? (int)count : -1;
        count += leads ? (size_t)(m->nodes[i].nv * m->nodes[i].nv) : 0;
    }
    bool elastic = e->kind == LMB_EXTENDED_ELASTIC;
    e->H = lmb_arena_numbers(e->arena, (elastic ? (size_t)m->couple_values : count) + 1);
}

lmb_status lmb_extended_new(lmb_extended **out, lmb_solver *s, lmb_extended_kind kind, int count)
{
    lmb_arena *arena;
    lmb_extended *e = *out = lmb_arena_object(&arena, sizeof *e);
    if (!e)
        return lmb_fail_memory(s->context);
    size_t rows = (size_t)(s->state->model->nrows + count) + 1;
    e->arena = arena;
    e->kind = kind;
    e->metric = 1;
    e->count = count;
    e->given = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *e->given);
    e->scale = lmb_arena_numbers(arena, rows);
    e->residual = lmb_arena_numbers(arena, rows);
    e->y = lmb_arena_numbers(arena, rows);
    e->matrix = lmb_arena_alloc(arena, 1, sizeof *e->matrix);
    make_H(e, s->state->model);
    return lmb_check_memory(s->context, arena);
}

void lmb_extended_free(lmb_extended *e)
{
    if (!e)
        return;
    if (e->matrix)
        lmb_linear_free(e->matrix->linear);
    lmb_arena_free(e->arena);
}

/* Columns of B for a node: its own, or those of its leader, which are there once in a row. */
static int place_of(matrix *a, int row, int node, int from, int n, int *end)
{
    const lmb_model *m = a->model;
    const lmb_node *moves = &m->nodes[a->whole ? lmb_whole_leader(m, node) : node];
    int v = a->whole ? moves->v : moves->v + from, count = a->whole ? moves->nv : n;
    for (int k = a->start[row]; a->whole && k < *end; k++)
        if (a->column[k] == v)
            return k;
    int place = *end;
    for (int j = 0; j < count; j++)
        a->column[(*end)++] = v + j;
    return place;
}

/* Adds the numbers for columns v, v + 1, ... (n) of a row, node by node. */
static void add_pieces(matrix *a, int row, int v, int n, int source, int *end)
{
    while (n > 0) {
        const lmb_node *node = lmb_column_node(a->model, v);
        piece p = {source, (int)(node - a->model->nodes), v - node->v, node->v + node->nv - v, 0};
        p.n = p.n < n ? p.n : n;
        p.place = place_of(a, row, p.node, p.from, p.n, end);
        a->pieces[a->piece_count++] = p;
        v += p.n;
        source += p.n;
        n -= p.n;
    }
}

static void index_given(matrix *a, int row, const lmb_given *g, int *end)
{
    const lmb_model *m = a->model;
    if (g->column >= 0) {
        add_pieces(a, row, g->column, 1, 0, end);
        return;
    }
    const lmb_marker *A = &m->parts.markers[pair_of(m, g)->a];
    const lmb_marker *B = &m->parts.markers[pair_of(m, g)->b];
    add_pieces(a, row, A->v, A->nv, 0, end);
    add_pieces(a, row, B->v, B->nv, A->nv, end);
}

static void index_rows(matrix *a, const lmb_extended *e)
{
    const lmb_model *m = a->model;
    int end = 0;
    for (int r = 0; r < a->rows; r++) {
        a->start[r] = end;
        a->first_piece[r] = a->piece_count;
        if (r >= m->nrows)
            index_given(a, r, &e->given[r - m->nrows], &end);
        for (int k = 0; r < m->nrows && k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            add_pieces(a, r, b->v, b->nv, b->value, &end);
        }
        a->end[r] = end;
    }
    a->first_piece[a->rows] = a->piece_count;
}

/* A block of H. */
typedef struct block {
    int row, rows, column, columns, value;
} block;

/* The block of a number: those of couples, or of nodes; false after the last one. */
static bool next_block(const lmb_extended *e, int *i, block *out)
{
    const lmb_model *m = e->matrix->model;
    if (e->kind == LMB_EXTENDED_ELASTIC && *i < m->couple_count) {
        const lmb_couple *c = &m->couples[(*i)++];
        *out = (block){c->row_v, c->row_nv, c->column_v, c->column_nv, c->value};
        return true;
    }
    while (e->kind == LMB_EXTENDED_WHOLES && *i < m->node_count) {
        const lmb_node *node = &m->nodes[*i];
        int value = e->block[(*i)++];
        *out = (block){node->v, node->nv, node->v, node->nv, value};
        if (value >= 0)
            return true;
    }
    return false;
}

/* Counts what the columns of H have besides their diagonals. */
static void count_H(const lmb_extended *e, int *start)
{
    block b;
    for (int i = 0; next_block(e, &i, &b);)
        for (int j = 0; j < b.columns; j++)
            start[b.column + j + 1] += b.rows - (b.row == b.column);
}

static void place_H(lmb_extended *e)
{
    matrix *a = e->matrix;
    block b;
    for (int i = 0; next_block(e, &i, &b);)
        for (int j = 0; j < b.columns; j++)
            for (int k = 0; k < b.rows; k++) {
                bool diagonal = b.row + k == b.column + j;
                int place = diagonal ? a->diagonal[b.column + j] : a->pattern.start[b.column + j]++;
                a->pattern.row[place] = b.row + k;
                a->H_place[b.value + j * b.rows + k] = place;
            }
}

/* The whole matrix by columns: counted first, then placed. */
static void index_matrix(lmb_extended *e)
{
    matrix *a = e->matrix;
    int *start = a->pattern.start, n = a->nv + a->rows;
    for (int j = 0; j < n; j++)
        start[j + 1] = 1;
    count_H(e, start);
    for (int r = 0; r < a->rows; r++)
        for (int k = a->start[r]; k < a->end[r]; k++) {
            start[a->column[k] + 1]++;
            start[a->nv + r + 1]++;
        }
    for (int j = 0; j < n; j++)
        start[j + 1] += start[j];
    int *row = a->pattern.row;
    for (int j = 0; j < a->nv; j++) {
        a->diagonal[j] = start[j]++;
        row[a->diagonal[j]] = j;
    }
    place_H(e);
    for (int r = 0; r < a->rows; r++) {
        for (int k = a->start[r]; k < a->end[r]; k++) {
            a->lower[k] = start[a->column[k]]++;
            row[a->lower[k]] = a->nv + r;
            a->upper[k] = start[a->nv + r]++;
            row[a->upper[k]] = a->column[k];
        }
        a->corner[r] = start[a->nv + r]++;
        row[a->corner[r]] = a->nv + r;
    }
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
}

void lmb_extended_rescale(lmb_extended *e, const lmb_state *s, bool rates)
{
    const lmb_model *m = s->model;
    for (int r = 0; r < m->nrows; r++) {
        bool out = s->row_off[r] || (!rates && m->parts.rows[r].velocity_level);
        e->scale[r] = out ? 0 : m->sparse_rows[r].scale;
    }
    for (int i = 0; i < e->count; i++) {
        const lmb_given *g = &e->given[i];
        double size = g->column >= 0 ? m->columns[g->column].size
                                     : lmb_coordinate_size(m, &m->parts.coordinates[g->coordinate]);
        e->scale[m->nrows + i] = g->off ? 0 : size;
    }
}

/* How many numbers H has. */
static size_t count_numbers(const lmb_extended *e)
{
    block b;
    size_t count = 0;
    for (int i = 0; next_block(e, &i, &b);)
        count += (size_t)(b.rows * b.columns);
    return count;
}

lmb_status lmb_extended_index(lmb_extended *e, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    lmb_arena *arena = e->arena;
    matrix *a = e->matrix;
    size_t sources = (size_t)m->value_count, rows = (size_t)(m->nrows + e->count);
    size_t n = (size_t)m->nv + rows, widest = 1; /* coordinates of a node that leads */
    for (int i = 0; i < m->node_count; i++)
        if (m->nodes[i].kind != LMB_NODE_VECTOR && (size_t)m->nodes[i].nv > widest)
            widest = (size_t)m->nodes[i].nv;
    for (int i = 0; i < e->count; i++)
        sources += (size_t)gradient_count(m, &e->given[i]);
    a->model = m;
    size_t entries = e->kind == LMB_EXTENDED_WHOLES ? widest * sources : sources;
    size_t H = count_numbers(e), all = n + 2 * entries + H;
    *a = (matrix){
        .model = m,
        .whole = e->kind == LMB_EXTENDED_WHOLES,
        .nv = m->nv,
        .rows = (int)rows,
        .first_piece = lmb_arena_integers(arena, rows + 1),
        .pieces = lmb_arena_alloc(arena, sources + 1, sizeof *a->pieces),
        .gradient = lmb_arena_numbers(arena, 2 * (size_t)m->largest_nv + 1),
        .start = lmb_arena_integers(arena, rows),
        .end = lmb_arena_integers(arena, rows),
        .column = lmb_arena_integers(arena, entries),
        .value = lmb_arena_numbers(arena, entries),
        .lower = lmb_arena_integers(arena, entries),
        .upper = lmb_arena_integers(arena, entries),
        .diagonal = lmb_arena_integers(arena, m->nv),
        .corner = lmb_arena_integers(arena, rows),
        .H_place = lmb_arena_integers(arena, H + 1),
        .root = lmb_arena_numbers(arena, m->nv),
        .side = lmb_arena_numbers(arena, n),
        .x = lmb_arena_numbers(arena, m->nv),
        .y = lmb_arena_numbers(arena, rows),
        .f = lmb_arena_numbers(arena, m->nv),
        .b = lmb_arena_numbers(arena, rows),
        .pattern = {(int)n, lmb_arena_integers(arena, n + 1), lmb_arena_integers(arena, all)},
        .values = lmb_arena_numbers(arena, all)};
    lmb_status status = lmb_check_memory(s->context, arena);
    if (status)
        return status;
    index_rows(a, e);
    index_matrix(e);
    lmb_extended_rescale(e, s->state, false);
    a->linear = lmb_linear_new(&a->pattern);
    return a->linear ? LMB_OK : lmb_fail_memory(s->context);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* W^(-1/2), 0 for coordinates that do not move, and the first equation: W, and H. */
static void put_metric(lmb_extended *e, const lmb_solver *s)
{
    matrix *a = e->matrix;
    const lmb_model *m = a->model;
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            a->root[c->v + j] = 1 / sqrt(s->weights[c->mass + j * (c->nv + 1)]);
    }
    for (int i = 0; i < m->node_count && a->whole; i++)
        for (int j = 0; j < m->nodes[i].nv && e->block[i] < 0; j++)
            a->root[m->nodes[i].v + j] = 0;
    memset(a->values, 0, (size_t)a->pattern.start[a->pattern.n] * sizeof *a->values);
    for (int j = 0; j < a->nv; j++)
        a->values[a->diagonal[j]] = a->root[j] == 0 ? 1 : e->metric;
    block b;
    for (int i = 0; next_block(e, &i, &b);)
        for (int j = 0; j < b.columns; j++)
            for (int k = 0; k < b.rows; k++) {
                int at = b.value + j * b.rows + k;
                a->values[a->H_place[at]] += a->root[b.row + k] * a->root[b.column + j] * e->H[at];
            }
}

/* Numbers of a row of B, unscaled, from those of the Jacobian or a gradient. */
static void put_row(matrix *a, const lmb_state *s, int row, const double *source)
{
    for (int k = a->start[row]; k < a->end[row]; k++)
        a->value[k] = 0;
    for (const piece *p = a->pieces + a->first_piece[row]; p < a->pieces + a->first_piece[row + 1];
         p++) {
        if (a->whole)
            lmb_whole_load(s, p->node, p->from, p->n, source + p->source, a->value + p->place);
        else
            memcpy(a->value + p->place, source + p->source, (size_t)p->n * sizeof *source);
    }
}

/* Factorise with e as given. Where H is soft, B H^-1 B^T is far larger than 1, and rounding can
 * cancel e and leave a pivot that is zero. Then take a larger e, as refinement removes its effect.
 */
static bool factor_values(lmb_extended *e, double epsilon)
{
    const double largest = 1e-8;
    matrix *a = e->matrix;
    bool fine;
    do {
        for (int r = 0; r < a->rows; r++)
            a->values[a->corner[r]] = e->scale[r] == 0 ? -1 : -epsilon;
        fine = lmb_linear_factor(a->linear, a->values);
        epsilon *= 100;
    } while (!fine && epsilon <= largest);
    return fine;
}

bool lmb_extended_factor(lmb_extended *e, const lmb_solver *s, double epsilon, bool rates)
{
    matrix *a = e->matrix;
    int nrows = a->model->nrows;
    a->state = s->state;
    lmb_extended_rescale(e, s->state, rates);
    put_metric(e, s);
    for (int r = 0; r < a->rows; r++) {
        if (r >= nrows)
            gradient_values(s->state, &e->given[r - nrows], a->gradient);
        put_row(a, s->state, r, r < nrows ? s->state->jacobian : a->gradient);
        for (int k = a->start[r]; k < a->end[r]; k++) {
            a->value[k] *= e->scale[r] * a->root[a->column[k]];
            a->values[a->lower[k]] = a->values[a->upper[k]] = a->value[k];
        }
    }
    return factor_values(e, epsilon);
}

/* b - B x. */
static void find_residual(const matrix *a, double *out)
{
    for (int r = 0; r < a->rows; r++) {
        out[r] = a->b[r];
        for (int k = a->start[r]; k < a->end[r]; k++)
            out[r] -= a->value[k] * a->x[a->column[k]];
    }
}

/* f - H x, with the metric in H. */
static void find_imbalance(const matrix *a, double *out)
{
    memcpy(out, a->f, (size_t)a->nv * sizeof *out);
    for (int j = 0; j < a->nv; j++)
        for (int k = a->pattern.start[j]; k < a->pattern.start[j + 1]; k++)
            if (a->pattern.row[k] < a->nv)
                out[a->pattern.row[k]] -= a->values[k] * a->x[j];
}

/* x and y change by the solution for the residuals of both equations; the largest change of x. */
static double refine(lmb_extended *e)
{
    matrix *a = e->matrix;
    double largest = 0;
    find_imbalance(a, a->side);
    for (int r = 0; r < a->rows; r++)
        for (int k = a->start[r]; k < a->end[r]; k++)
            a->side[a->column[k]] -= a->value[k] * a->y[r];
    find_residual(a, a->side + a->nv);
    a->linear->ops->solve(a->linear, a->side, 1);
    for (int j = 0; j < a->nv; j++) {
        a->x[j] += a->side[j];
        largest = fmax(largest, fabs(a->side[j]));
    }
    for (int r = 0; r < a->rows; r++)
        a->y[r] += a->side[a->nv + r];
    return largest;
}

/* Starts from x = 0 with scaled right sides. */
static void begin(lmb_extended *e, const double *f, const double *g, const double *c)
{
    matrix *a = e->matrix;
    int nrows = a->model->nrows;
    for (int j = 0; j < a->nv; j++)
        a->f[j] = f ? a->root[j] * f[j] : 0;
    memset(a->x, 0, (size_t)a->nv * sizeof *a->x);
    memset(a->y, 0, (size_t)a->rows * sizeof *a->y);
    for (int r = 0; r < a->rows; r++)
        a->b[r] = e->scale[r] * (r < nrows ? g[r] : c[r - nrows]);
}

static void hand_out(lmb_extended *e, double *d)
{
    const matrix *a = e->matrix;
    for (int j = 0; j < a->nv; j++)
        d[j] = a->root[j] * a->x[j];
    if (a->whole)
        lmb_whole_follow(a->state, d);
    for (int r = 0; r < a->rows; r++)
        e->y[r] = e->scale[r] * a->y[r];
}

void lmb_extended_step(lmb_extended *e, const double *f, const double *g, const double *c,
                       double *d)
{
    begin(e, f, g, c);
    refine(e);
    hand_out(e, d);
}

void lmb_extended_solve(lmb_extended *e, const double *f, const double *g, const double *c,
                        double *d)
{
    enum { MOST_ITERATIONS = 30 };
    matrix *a = e->matrix;
    double change = INFINITY, before;
    begin(e, f, g, c);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double size = 0;
        before = change;
        change = refine(e);
        for (int j = 0; j < a->nv; j++)
            size = fmax(size, fabs(a->x[j]));
        if (!(change > 1e-17 * size) || (i > 1 && change > before / 2))
            break;
    }
    find_residual(a, e->residual);
    hand_out(e, d);
}
