/* F - s E: pattern, scaling, factorisation, refined solutions. Vectors have one or two numbers a
 * place, real or complex ones. */
#include "math/shifted.h"

#include <math.h>
#include <string.h>

#include "math/linear_complex.h"

/* One number as it was added. */
typedef struct entry {
    int row, column;
    double f, e, g;
} entry;

struct lmb_shifted {
    int n, count;
    entry *entries; /* until finished */
    lmb_pattern pattern;
    double *F, *E, *G;            /* in the places of the pattern */
    bool regularised;             /* some G is not 0 */
    double real, imaginary;       /* the shift */
    double *row_scale, *scale;    /* of rows and columns */
    double *values;               /* of the factorised matrix: twice as many if it is complex */
    double *side, *rest, *change; /* room: 2 n */
    double *part;                 /* room: one part of complex numbers */
    long double *sum;             /* room: 2 n */
    lmb_linear *solver;
    lmb_linear_complex *complex_solver;
    lmb_arena *arena;
};

lmb_shifted *lmb_shifted_new(int n)
{
    lmb_arena *arena;
    lmb_shifted *m = lmb_arena_object(&arena, sizeof *m);
    if (m)
        *m = (lmb_shifted){.n = n, .arena = arena};
    return m;
}

void lmb_shifted_free(lmb_shifted *m)
{
    if (!m)
        return;
    lmb_linear_free(m->solver);
    lmb_linear_complex_free(m->complex_solver);
    lmb_arena_free(m->arena);
}

static void append(lmb_shifted *m, entry one)
{
    entry *entries = lmb_arena_append(m->arena, m->entries, m->count, sizeof one);
    if (!entries)
        return;
    m->entries = entries;
    m->entries[m->count++] = one;
}

void lmb_shifted_add(lmb_shifted *m, int row, int column, double f, double e)
{
    if (f != 0 || e != 0)
        append(m, (entry){row, column, f, e, 0});
}

void lmb_shifted_add_regular(lmb_shifted *m, int row, int column, double g)
{
    append(m, (entry){row, column, 0, 0, g});
    m->regularised = true;
}

/* --- pattern ---------------------------------------------------------------------------------- */

/* Sorts by rows, or by columns, and leaves those of one place in their order. */
static void sort(const lmb_shifted *m, const entry *from, entry *to, int *next, bool by_row)
{
    memset(next, 0, ((size_t)m->n + 1) * sizeof *next);
    for (int k = 0; k < m->count; k++)
        next[(by_row ? from[k].row : from[k].column) + 1]++;
    for (int j = 0; j < m->n; j++)
        next[j + 1] += next[j];
    for (int k = 0; k < m->count; k++)
        to[next[by_row ? from[k].row : from[k].column]++] = from[k];
}

/* Adds up the numbers of one place; they are sorted by columns, then by rows. */
static void merge(lmb_shifted *m, const entry *sorted)
{
    int used = 0;
    for (int k = 0; k < m->count; k++) {
        const entry *one = &sorted[k];
        if (k == 0 || one->row != sorted[k - 1].row || one->column != sorted[k - 1].column) {
            m->pattern.row[used++] = one->row;
            m->pattern.start[one->column + 1]++;
        }
        m->F[used - 1] += one->f;
        m->E[used - 1] += one->e;
        m->G[used - 1] += one->g;
    }
    for (int j = 0; j < m->n; j++)
        m->pattern.start[j + 1] += m->pattern.start[j];
}

bool lmb_shifted_finish(lmb_shifted *m)
{
    size_t n = (size_t)m->n, count = (size_t)m->count;
    lmb_arena *room = lmb_arena_new();
    entry *rows = lmb_arena_alloc(room, count + 1, sizeof *rows);
    entry *sorted = lmb_arena_alloc(room, count + 1, sizeof *sorted);
    int *next = lmb_arena_integers(room, n + 2);
    m->pattern = (lmb_pattern){m->n, lmb_arena_integers(m->arena, n + 1),
                               lmb_arena_integers(m->arena, count + 1)};
    double **const vectors[] = {&m->row_scale, &m->scale, &m->side, &m->rest, &m->change, &m->part};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = lmb_arena_numbers(m->arena, 2 * n + 1);
    m->sum = lmb_arena_alloc(m->arena, 2 * n + 1, sizeof *m->sum);
    m->F = lmb_arena_numbers(m->arena, count + 1);
    m->E = lmb_arena_numbers(m->arena, count + 1);
    m->G = lmb_arena_numbers(m->arena, count + 1);
    m->values = lmb_arena_numbers(m->arena, 2 * count + 1);
    bool fine = lmb_arena_fine(room) && lmb_arena_fine(m->arena);
    if (fine) {
        sort(m, m->entries, rows, next, true);
        sort(m, rows, sorted, next, false);
        merge(m, sorted);
    }
    lmb_arena_free(room);
    return fine;
}

/* --- factorisation ---------------------------------------------------------------------------- */

/* The size of a number of the matrix that is factorised. */
static double size_of(const lmb_shifted *m, int k)
{
    return hypot(m->F[k] - m->real * m->E[k] + m->G[k], m->imaginary * m->E[k]);
}

/* Scales of rows and columns with which their largest numbers come near 1 (Ruiz). */
static void equilibrate(lmb_shifted *m)
{
    enum { SWEEPS = 8 };
    const lmb_pattern *p = &m->pattern;
    double *row = m->side, *column = m->rest; /* the largest ones */
    for (int i = 0; i < m->n; i++)
        m->row_scale[i] = m->scale[i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        memset(row, 0, (size_t)m->n * sizeof *row);
        memset(column, 0, (size_t)m->n * sizeof *column);
        for (int j = 0; j < m->n; j++)
            for (int k = p->start[j]; k < p->start[j + 1]; k++) {
                double size = size_of(m, k) * m->row_scale[p->row[k]] * m->scale[j];
                row[p->row[k]] = fmax(row[p->row[k]], size);
                column[j] = fmax(column[j], size);
            }
        for (int i = 0; i < m->n; i++) {
            m->row_scale[i] /= row[i] > 0 ? sqrt(row[i]) : 1;
            m->scale[i] /= column[i] > 0 ? sqrt(column[i]) : 1;
        }
    }
}

bool lmb_shifted_factor(lmb_shifted *m, lmb_complex shift)
{
    const lmb_pattern *p = &m->pattern;
    m->real = creal(shift);
    m->imaginary = cimag(shift);
    equilibrate(m);
    for (int j = 0; j < m->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            double scale = m->row_scale[p->row[k]] * m->scale[j];
            double real = scale * (m->F[k] - m->real * m->E[k] + m->G[k]);
            if (m->imaginary == 0) {
                m->values[k] = real;
            } else {
                m->values[2 * k] = real;
                m->values[2 * k + 1] = -scale * m->imaginary * m->E[k];
            }
        }
    if (m->imaginary != 0) {
        if (!m->complex_solver)
            m->complex_solver = lmb_linear_complex_new(p);
        return m->complex_solver &&
               lmb_linear_complex_factor(m->complex_solver, (const lmb_complex *)m->values);
    }
    if (!m->solver)
        m->solver = lmb_linear_new(p);
    return m->solver && lmb_linear_factor(m->solver, m->values);
}

double lmb_shifted_condition(const lmb_shifted *m)
{
    return m->solver->ops->condition(m->solver);
}

/* --- solutions -------------------------------------------------------------------------------- */

/* rest = side - (F - s E) x, with sums and products of more digits: only so does the iteration
 * reach all digits of x where the matrix is nearly singular. */
static void find_rest(const lmb_shifted *m, int parts, const double *x)
{
    const lmb_pattern *p = &m->pattern;
    long double *y = m->sum, real = m->real, imaginary = m->imaginary;
    for (int i = 0; i < parts * m->n; i++)
        y[i] = m->side[i];
    for (int j = 0; j < m->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            long double *to = y + parts * p->row[k], E = m->E[k];
            long double a = m->F[k] - real * E, b = -imaginary * E;
            if (parts == 1) {
                to[0] -= a * x[j];
            } else {
                to[0] -= a * x[2 * j] - b * x[2 * j + 1];
                to[1] -= a * x[2 * j + 1] + b * x[2 * j];
            }
        }
    for (int i = 0; i < parts * m->n; i++)
        m->rest[i] = (double)y[i];
}

/* change = (F - s E + G)^-1 rest */
static void correct(const lmb_shifted *m, int parts)
{
    for (int i = 0; i < parts * m->n; i++)
        m->change[i] = m->rest[i] * m->row_scale[i / parts];
    if (parts == 1)
        m->solver->ops->solve(m->solver, m->change, 1);
    else
        lmb_linear_complex_solve(m->complex_solver, (lmb_complex *)m->change);
    for (int i = 0; i < parts * m->n; i++)
        m->change[i] *= m->scale[i / parts];
}

static double size_of_vector(const lmb_shifted *m, int parts, const double *x)
{
    double largest = 0;
    for (int i = 0; i < parts * m->n; i++)
        largest = fmax(largest, fabs(x[i]) / m->scale[i / parts]);
    return largest;
}

/* Iterates until the next change would be nothing but rounding, or is not half of the last one. */
static void solve(const lmb_shifted *m, int parts, double *x)
{
    enum { MOST_ITERATIONS = 20 };
    int n = parts * m->n;
    double before = INFINITY;
    memcpy(m->side, x, (size_t)n * sizeof *x);
    memcpy(m->rest, x, (size_t)n * sizeof *x);
    memset(x, 0, (size_t)n * sizeof *x);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        correct(m, parts);
        double change = size_of_vector(m, parts, m->change);
        if (!(change < before / 2))
            return;
        for (int k = 0; k < n; k++)
            x[k] += m->change[k];
        if (change * (i ? change / before : 1) <= 1e-15 * size_of_vector(m, parts, x))
            return;
        before = change;
        find_rest(m, parts, x);
    }
}

void lmb_shifted_solve(lmb_shifted *m, double *b)
{
    solve(m, 1, b);
}

void lmb_shifted_solve_complex(lmb_shifted *m, lmb_complex *b)
{
    double *x = (double *)b;
    if (m->imaginary != 0) {
        solve(m, 2, x);
        return;
    }
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < m->n; i++)
            m->part[i] = x[2 * i + part];
        solve(m, 1, m->part);
        for (int i = 0; i < m->n; i++)
            x[2 * i + part] = m->part[i];
    }
}

void lmb_shifted_times_E(const lmb_shifted *m, const double *x, double *y)
{
    const lmb_pattern *p = &m->pattern;
    memset(y, 0, (size_t)m->n * sizeof *y);
    for (int j = 0; j < m->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            y[p->row[k]] += m->E[k] * x[j];
}
