/* Elimination of the first k of n unknowns:
 *
 *   [ A11 A12 ]      [ L11     ] [ U11 U12 ]
 *   [ A21 A22 ]  =   [ L21  1  ] [      C  ]     C = A22 - L21 U12
 *
 * Small matrices by loops with the usual k spelled out, larger ones by BLAS. */
#include <math.h>

#include "math/fronts_internal.h"
#include "math/late.h"
#include "math/small.h"

/* From this many closed unknowns on BLAS is faster than plain loops. */
enum { BY_BLAS = 32 };

/* --- definite ----------------------------------------------------------------------------------
 */

/* The panel: L11 first, in the square of closed unknowns, L21 along with it. */
LMB_PIECE bool cholesky_columns(double *panel, int n, int k)
{
    for (int j = 0; j < k; j++) {
        double *restrict column = panel + j * n;
        for (int p = 0; p < j; p++) {
            const double *before = panel + p * n;
            double factor = before[j];
            for (int i = j; i < k; i++)
                column[i] -= factor * before[i];
            for (int i = k; i < n; i++)
                column[i] -= factor * before[i];
        }
        if (!(column[j] > 0) || !isfinite(column[j]))
            return false;
        double pivot = sqrt(column[j]), inverse = pivot * (1 / column[j]); /* side by side */
        column[j] = inverse;
        for (int i = j + 1; i < k; i++)
            column[i] *= inverse;
        for (int i = k; i < n; i++)
            column[i] *= inverse;
    }
    return true;
}

/* C = A22 - L21 L21^T; only its lower triangle counts, but whole columns are quicker. */
LMB_PIECE void subtract_products(const double *panel, double *restrict rest, int n, int k)
{
    int open = n - k;
    for (int j = 0; j < open; j++, rest += open)
        for (int p = 0; p < k; p++) {
            const double *L = panel + p * n + k;
            double factor = L[j];
            for (int i = 0; i < open; i++)
                rest[i] -= factor * L[i];
        }
}

static bool cholesky_by_blas(double *panel, double *rest, int n, int k)
{
    int open = n - k;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', k, panel, n) != 0)
        return false;
    if (open > 0) {
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, open, k, 1,
                    panel, n, panel + k, n);
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, open, k, -1, panel + k, n, 1, rest,
                    open);
    }
    for (int j = 0; j < k; j++)
        panel[(size_t)j * (size_t)(n + 1)] = 1 / panel[(size_t)j * (size_t)(n + 1)];
    return isfinite(panel[(size_t)(k - 1) * (size_t)(n + 1)]);
}

/* With k, and the most usual n, known to the compiler. */
LMB_PIECE bool cholesky_of(double *panel, double *rest, int n, int k)
{
    bool fine;
    if (n == 2 * k) {
        fine = cholesky_columns(panel, 2 * k, k);
        subtract_products(panel, rest, 2 * k, k);
    } else if (n == 3 * k) {
        fine = cholesky_columns(panel, 3 * k, k);
        subtract_products(panel, rest, 3 * k, k);
    } else {
        fine = cholesky_columns(panel, n, k);
        subtract_products(panel, rest, n, k);
    }
    return fine;
}

LMB_WIDE bool lmb_front_cholesky(double *panel, double *rest, int n, int k)
{
    if (k >= BY_BLAS)
        return cholesky_by_blas(panel, rest, n, k);
    switch (k) {
    case 2:
        return cholesky_of(panel, rest, n, 2);
    case 3:
        return cholesky_of(panel, rest, n, 3);
    case 5:
        return cholesky_of(panel, rest, n, 5);
    default:
        return cholesky_of(panel, rest, n, k);
    }
}

/* --- general -----------------------------------------------------------------------------------
 */

/* A pivot is taken if it is this large against the rest of its column, */
static const double large_enough = 1e-3;
/* and against what the column was before the others were eliminated. */
static const double cancelled = 1e-9;

LMB_PIECE double largest_of(const double *x, int from, int to, int *where)
{
    double largest = 0;
    *where = from;
    for (int i = from; i < to; i++)
        if (fabs(x[i]) > largest) {
            largest = fabs(x[i]);
            *where = i;
        }
    return largest;
}

LMB_PIECE void exchange_rows(double *a, int n, int columns, int i, int j)
{
    for (int c = 0; c < columns; c++) {
        double keep = a[c * n + i];
        a[c * n + i] = a[c * n + j];
        a[c * n + j] = keep;
    }
}

/* Column j of L and U11, rows exchanged within the first k; the sign of its pivot, 0: none. */
LMB_PIECE int lu_column(double *panel, int n, int k, int j, int *pivot, bool last)
{
    double *column = panel + j * n;
    int where;
    double before = largest_of(column, 0, n, &where);
    for (int p = 0; p < j; p++) {
        double factor = column[p];
        const double *L = panel + p * n;
        for (int i = p + 1; i < n; i++)
            column[i] -= factor * L[i];
    }
    double outside = largest_of(column, k, n, &where), inside = largest_of(column, j, k, &where);
    bool good = inside > 0 && isfinite(inside) &&
                (last || (inside >= large_enough * outside && inside > cancelled * before));
    if (!good)
        return 0;
    *pivot = where;
    if (where != j)
        exchange_rows(panel, n, k, j, where);
    double inverse = 1 / column[j];
    for (int i = j + 1; i < n; i++)
        column[i] *= inverse;
    return (where == j) == (column[j] > 0) ? 1 : -1;
}

/* U12 = L11^-1 A12 and C = A22 - L21 U12, column by column. */
LMB_PIECE void finish_columns(const double *panel, double *right, double *rest, int n, int k)
{
    int open = n - k;
    for (int j = 0; j < open; j++, right += k, rest += open)
        for (int p = 0; p < k; p++) {
            const double *L = panel + p * n;
            double factor = right[p];
            for (int i = p + 1; i < k; i++)
                right[i] -= factor * L[i];
            for (int i = 0; i < open; i++)
                rest[i] -= factor * L[k + i];
        }
}

static void finish_by_blas(const double *panel, double *right, double *rest, int n, int k)
{
    int open = n - k;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, k, open, 1, panel, n,
                right, k);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, open, open, k, -1, panel + k, n, right,
                k, 1, rest, open);
}

LMB_WIDE int lmb_front_lu(double *panel, double *right, double *rest, int n, int k, int *pivot,
                          bool last)
{
    int sign = 1, open = n - k;
    for (int j = 0; j < k; j++) {
        int own = lu_column(panel, n, k, j, &pivot[j], last);
        if (own == 0)
            return 0;
        sign *= own;
        if (pivot[j] != j)
            exchange_rows(right, k, open, j, pivot[j]);
    }
    if (k >= BY_BLAS && open > 0)
        finish_by_blas(panel, right, rest, n, k);
    else if (k == 5)
        finish_columns(panel, right, rest, n, 5);
    else
        finish_columns(panel, right, rest, n, k);
    return sign;
}
