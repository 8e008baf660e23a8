/* Choice of a linear solver, and the dense one: LU with partial pivoting, small matrices by loops,
 * larger ones by LAPACK. */
#include "math/linear.h"

#include <math.h>
#include <string.h>

#include "math/late.h"

static size_t entries(const lmb_pattern *pattern)
{
    return (size_t)pattern->start[pattern->n];
}

bool lmb_linear_prefers_dense(int n, size_t count)
{
    enum { SMALL = 13, LARGEST = 200 };
    double fill = (double)count / ((double)n * n + 1);
    return n < SMALL || (n <= LARGEST && fill > 0.5);
}

lmb_linear *lmb_linear_new(const lmb_pattern *pattern)
{
    bool dense = lmb_linear_prefers_dense(pattern->n, entries(pattern));
    return lmb_linear_new_of(dense ? &lmb_linear_dense : &lmb_linear_klu, pattern);
}

lmb_linear *lmb_linear_new_of(const lmb_linear_ops *ops, const lmb_pattern *pattern)
{
    lmb_arena *arena;
    lmb_linear *solver = lmb_arena_object(&arena, ops->size);
    if (!solver)
        return NULL;
    double *numbers = lmb_arena_numbers(arena, 2 * entries(pattern) + 1);
    *solver = (lmb_linear){.ops = ops, .arena = arena, .pattern = *pattern, .first = numbers};
    solver->last = numbers ? numbers + entries(pattern) : NULL;
    if (ops->create(solver) && lmb_arena_fine(arena))
        return solver;
    lmb_linear_free(solver);
    return NULL;
}

void lmb_linear_free(lmb_linear *solver)
{
    if (solver && solver->ops->destroy)
        solver->ops->destroy(solver);
    if (solver)
        lmb_arena_free(solver->arena);
}

bool lmb_linear_factor(lmb_linear *solver, const double *values)
{
    size_t size = entries(&solver->pattern) * sizeof *values;
    if (values != solver->last)
        memcpy(solver->last, values, size);
    solver->factored = solver->ops->factor(solver, values);
    if (solver->fresh)
        memcpy(solver->first, values, size);
    return solver->factored;
}

void lmb_linear_pack(lmb_linear *solver, lmb_pack *pack)
{
    size_t count = entries(&solver->pattern);
    bool again = memcmp(solver->first, solver->last, count * sizeof(double)) != 0;
    lmb_pack_flags(pack, &solver->factored, 1);
    lmb_pack_flags(pack, &again, 1);
    lmb_pack_numbers(pack, solver->first, 2 * count);
    if (pack->mode != LMB_PACK_RESTORE)
        return;
    if (solver->ops->forget)
        solver->ops->forget(solver);
    if (!solver->factored)
        return;
    solver->ops->factor(solver, solver->first);
    if (again)
        solver->ops->factor(solver, solver->last);
}

typedef struct dense {
    lmb_linear base;
    int *pivot;     /* row exchanged with row k in step k, counted from 1 */
    double *matrix; /* n x n by columns: L below the diagonal, U above */
} dense;

static bool create(lmb_linear *solver)
{
    dense *s = (dense *)solver;
    size_t n = (size_t)solver->pattern.n;
    s->matrix = lmb_arena_numbers(solver->arena, n * n + 1);
    s->pivot = lmb_arena_integers(solver->arena, n + 1);
    solver->fresh = true;
    return true;
}

/* From this size on LAPACK is faster than plain loops. */
enum { BY_LAPACK = 24 };

/* L U of a small matrix, in place; false: singular. Step k exchanges two rows, then subtracts
 * multiples of row k from those below; the multiples stay where they were found. */
static bool eliminate(double *a, int n, int *pivot)
{
    for (int k = 0; k < n; k++) {
        double *column = a + k * n;
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(column[i]) > fabs(column[best]))
                best = i;
        pivot[k] = best + 1;
        double inverse = 1 / column[best];
        if (!(fabs(column[best]) > 0)) /* also catches NaN */
            return false;
        for (int j = k; best != k && j < n; j++) {
            double keep = a[j * n + best];
            a[j * n + best] = a[j * n + k];
            a[j * n + k] = keep;
        }
        for (int i = k + 1; i < n; i++)
            column[i] *= inverse;
        for (int j = k + 1; j < n; j++) {
            double u = a[j * n + k];
            if (u != 0)
                for (int i = k + 1; i < n; i++)
                    a[j * n + i] -= column[i] * u;
        }
    }
    return true;
}

static bool factor(lmb_linear *solver, const double *values)
{
    dense *s = (dense *)solver;
    const lmb_pattern *p = &solver->pattern;
    int n = p->n;
    double *a = s->matrix;
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int j = 0; j < n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            a[j * n + p->row[k]] += values[k];
    if (n < BY_LAPACK)
        return eliminate(a, n, s->pivot);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, s->pivot) != 0)
        return false;
    double sum = 0; /* of what should be numbers */
    for (int k = 0; k < n; k++)
        sum += a[k * n + k];
    return isfinite(sum);
}

static void solve_small(const dense *s, int n, double *b)
{
    const double *a = s->matrix;
    for (int k = 0; k < n; k++) {
        double *best = &b[s->pivot[k] - 1], x = *best;
        *best = b[k];
        b[k] = x;
        for (int i = k + 1; i < n; i++)
            b[i] -= a[k * n + i] * x;
    }
    for (int k = n - 1; k >= 0; k--) {
        double x = b[k] /= a[k * n + k];
        for (int i = 0; i < k; i++)
            b[i] -= a[k * n + i] * x;
    }
}

static void solve(lmb_linear *solver, double *b, int count)
{
    const dense *s = (const dense *)solver;
    int n = solver->pattern.n;
    if (n >= BY_LAPACK)
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, count, s->matrix, n, s->pivot, b, n);
    for (int i = 0; n < BY_LAPACK && i < count; i++)
        solve_small(s, n, b + i * n);
}

static void solve_transposed_small(const dense *s, int n, double *b)
{
    const double *a = s->matrix;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++)
            b[k] -= a[k * n + i] * b[i];
        b[k] /= a[k * n + k];
    }
    for (int k = n - 1; k >= 0; k--) {
        double *best = &b[s->pivot[k] - 1], x = b[k];
        for (int i = k + 1; i < n; i++)
            x -= a[k * n + i] * b[i];
        b[k] = *best;
        *best = x;
    }
}

static void solve_transposed(lmb_linear *solver, double *b, int count)
{
    const dense *s = (const dense *)solver;
    int n = solver->pattern.n;
    if (n >= BY_LAPACK)
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, count, s->matrix, n, s->pivot, b, n);
    for (int i = 0; n < BY_LAPACK && i < count; i++)
        solve_transposed_small(s, n, b + i * n);
}

static double condition(const lmb_linear *solver)
{
    const dense *s = (const dense *)solver;
    int n = solver->pattern.n;
    double least = INFINITY, most = 0;
    for (int k = 0; k < n; k++) {
        double pivot = fabs(s->matrix[k * n + k]);
        least = fmin(least, pivot);
        most = fmax(most, pivot);
    }
    return n == 0 ? 1 : least / most;
}

static int sign(const lmb_linear *solver)
{
    const dense *s = (const dense *)solver;
    int n = solver->pattern.n, result = 1;
    for (int k = 0; k < n; k++)
        if ((s->matrix[k * n + k] < 0) != (s->pivot[k] != k + 1))
            result = -result;
    return result;
}

const lmb_linear_ops lmb_linear_dense = {
    sizeof(dense), create, NULL, factor, solve, solve_transposed, condition, sign, NULL, NULL,
};
