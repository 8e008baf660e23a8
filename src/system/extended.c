/* Rows of the model and prescribed quantities in one sparse matrix. */
#include "system/extended.h"

#include <string.h>

#include "math/linear.h"

/* B by rows, and where its numbers go in the matrix. */
typedef struct lmb_extended_matrix {
    const lmb_model *model;
    int nv, rows;         /* rows of the model and prescribed quantities */
    int *start, *end;     /* rows: the numbers of each, */
    int *column;          /* entries: and their columns */
    double *value;        /* entries: B */
    int *lower, *upper;   /* entries: places of B and B^T, */
    int *diagonal;        /* nv: of the unit matrix, */
    int *corner;          /* rows: and of -e */
    double *root;         /* nv: W^(-1/2) */
    double *side, *x, *y; /* nv + rows; nv; rows */
    double *b;            /* rows */
    double epsilon;
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

/* Its columns. */
static void gradient_columns(const lmb_model *m, const lmb_given *g, int *column)
{
    if (g->column >= 0) {
        *column = g->column;
        return;
    }
    const int ends[] = {pair_of(m, g)->a, pair_of(m, g)->b};
    for (int k = 0; k < 2; k++) {
        const lmb_marker *marker = &m->parts.markers[ends[k]];
        for (int j = 0; j < marker->nv; j++)
            *column++ = marker->v + j;
    }
}

/* And the numbers themselves; those of a length L are d(L^2 / 2) / L. */
static void gradient_values(const lmb_state *s, const lmb_given *g, double *out)
{
    const lmb_model *m = s->model;
    if (g->column >= 0) {
        *out = 1;
        return;
    }
    const lmb_coordinate *c = &m->parts.coordinates[g->coordinate];
    const lmb_pair *pair = pair_of(m, g);
    const lmb_frame *A = &s->frames[pair->a], *B = &s->frames[pair->b];
    lmb_frame gA = frame_zero(), gB = frame_zero();
    double factor = 1;
    if (c->kind == LMB_COORDINATE_LENGTH)
        factor = 1 / sqrt(2 * lmb_product_value(&c->product, A, B, 0));
    lmb_product_gradient(&c->product, A, B, factor, &gA, &gB);
    memset(out, 0, (size_t)gradient_count(m, g) * sizeof *out);
    if (m->parts.markers[pair->a].nv)
        lmb_add_load(s, pair->a, &gA, out);
    if (m->parts.markers[pair->b].nv)
        lmb_add_load(s, pair->b, &gB, out + m->parts.markers[pair->a].nv);
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

lmb_status lmb_extended_new(lmb_extended **out, lmb_solver *s, int count)
{
    lmb_arena *arena;
    lmb_extended *e = *out = lmb_arena_object(&arena, sizeof *e);
    if (!e)
        return lmb_fail_memory(s->context);
    e->arena = arena;
    e->count = count;
    e->given = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *e->given);
    e->scale = lmb_arena_numbers(arena, (size_t)(s->state->model->nrows + count) + 1);
    e->residual = lmb_arena_numbers(arena, (size_t)(s->state->model->nrows + count) + 1);
    e->matrix = lmb_arena_alloc(arena, 1, sizeof *e->matrix);
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

static void index_rows(matrix *a, const lmb_extended *e)
{
    const lmb_model *m = a->model;
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        a->start[r] = row->value;
        a->end[r] = row->value + row->value_count;
        for (int k = row->block; k < row->block + row->block_count; k++)
            for (int j = 0; j < m->blocks[k].nv; j++)
                a->column[m->blocks[k].value + j] = m->blocks[k].v + j;
    }
    int at = m->value_count;
    for (int i = 0; i < e->count; i++) {
        a->start[m->nrows + i] = at;
        gradient_columns(m, &e->given[i], a->column + at);
        at += gradient_count(m, &e->given[i]);
        a->end[m->nrows + i] = at;
    }
}

/* The whole matrix by columns: counted first, then placed. */
static void index_matrix(matrix *a)
{
    int *start = a->pattern.start, n = a->nv + a->rows;
    for (int j = 0; j < n; j++)
        start[j + 1] = 1;
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
                      : m->parts.coordinates[g->coordinate].kind == LMB_COORDINATE_ANGLE ? m->length
                                                                                         : 1;
        e->scale[m->nrows + i] = g->off ? 0 : size;
    }
}

lmb_status lmb_extended_index(lmb_extended *e, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    lmb_arena *arena = e->arena;
    size_t entries = (size_t)m->value_count, rows = (size_t)(m->nrows + e->count);
    for (int i = 0; i < e->count; i++)
        entries += (size_t)gradient_count(m, &e->given[i]);
    size_t n = (size_t)m->nv + rows;
    matrix *a = e->matrix;
    *a = (matrix){.model = m,
                  .nv = m->nv,
                  .rows = (int)rows,
                  .start = lmb_arena_integers(arena, rows),
                  .end = lmb_arena_integers(arena, rows),
                  .column = lmb_arena_integers(arena, entries),
                  .value = lmb_arena_numbers(arena, entries),
                  .lower = lmb_arena_integers(arena, entries),
                  .upper = lmb_arena_integers(arena, entries),
                  .diagonal = lmb_arena_integers(arena, m->nv),
                  .corner = lmb_arena_integers(arena, rows),
                  .root = lmb_arena_numbers(arena, m->nv),
                  .side = lmb_arena_numbers(arena, n),
                  .x = lmb_arena_numbers(arena, m->nv),
                  .y = lmb_arena_numbers(arena, rows),
                  .b = lmb_arena_numbers(arena, rows),
                  .pattern = {(int)n, lmb_arena_integers(arena, n + 1),
                              lmb_arena_integers(arena, n + 2 * entries)},
                  .values = lmb_arena_numbers(arena, n + 2 * entries)};
    lmb_status status = lmb_check_memory(s->context, arena);
    if (status)
        return status;
    index_rows(a, e);
    index_matrix(a);
    lmb_extended_rescale(e, s->state, false);
    a->linear = lmb_linear_new(&a->pattern);
    return a->linear ? LMB_OK : lmb_fail_memory(s->context);
}

/* --- numbers ---------------------------------------------------------------------------------- */

bool lmb_extended_factor(lmb_extended *e, const lmb_solver *s, double epsilon, bool rates)
{
    matrix *a = e->matrix;
    const lmb_model *m = a->model;
    a->epsilon = epsilon;
    lmb_extended_rescale(e, s->state, rates);
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            a->root[c->v + j] = 1 / sqrt(s->weights[c->mass + j * (c->nv + 1)]);
    }
    memcpy(a->value, s->state->jacobian, (size_t)m->value_count * sizeof *a->value);
    for (int i = 0; i < e->count; i++)
        gradient_values(s->state, &e->given[i], a->value + a->start[m->nrows + i]);
    for (int j = 0; j < a->nv; j++)
        a->values[a->diagonal[j]] = 1;
    for (int r = 0; r < a->rows; r++) {
        for (int k = a->start[r]; k < a->end[r]; k++) {
            a->value[k] *= e->scale[r] * a->root[a->column[k]];
            a->values[a->lower[k]] = a->values[a->upper[k]] = a->value[k];
        }
        a->values[a->corner[r]] = e->scale[r] == 0 ? -1 : -epsilon;
    }
    return lmb_linear_factor(a->linear, a->values);
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

/* x and y change by the solution for the residuals of both equations; the largest change of x. */
static double refine(lmb_extended *e)
{
    matrix *a = e->matrix;
    double largest = 0;
    for (int j = 0; j < a->nv; j++)
        a->side[j] = -a->x[j];
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
static void begin(lmb_extended *e, const double *g, const double *c)
{
    matrix *a = e->matrix;
    int nrows = a->model->nrows;
    memset(a->x, 0, (size_t)a->nv * sizeof *a->x);
    memset(a->y, 0, (size_t)a->rows * sizeof *a->y);
    for (int r = 0; r < a->rows; r++)
        a->b[r] = e->scale[r] * (r < nrows ? g[r] : c[r - nrows]);
}

static void hand_out(const matrix *a, double *d)
{
    for (int j = 0; j < a->nv; j++)
        d[j] = a->root[j] * a->x[j];
}

void lmb_extended_step(lmb_extended *e, const double *g, const double *c, double *d)
{
    begin(e, g, c);
    refine(e);
    hand_out(e->matrix, d);
}

void lmb_extended_solve(lmb_extended *e, const double *g, const double *c, double *d)
{
    enum { MOST_ITERATIONS = 30 };
    matrix *a = e->matrix;
    double change = INFINITY, before;
    begin(e, g, c);
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
    hand_out(a, d);
}
