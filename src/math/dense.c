/* Wrappers of LAPACKE. */
#include "math/dense.h"

#include <math.h>
#include <stdlib.h>

#include "math/late.h"
#include "base/arena.h"
#include "base/memory.h"

int lmb_dense_null_space(int rows, int columns, double *a, double negligible, double *basis)
{
    int least = rows < columns ? rows : columns, rank = 0;
    size_t n = (size_t)columns;
    lmb_arena *room = lmb_arena_new();
    double *s = lmb_arena_numbers(room, (size_t)least + 1),
           *vt = lmb_arena_numbers(room, n * n + 1);
    double *super = lmb_arena_numbers(room, (size_t)least + 1);
    bool fine = lmb_arena_fine(room) &&
                (least == 0 || LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'A', rows, columns, a, rows, s,
                                              NULL, 1, vt, columns, super) == 0);
    while (fine && rank < least && s[rank] > negligible * s[0])
        rank++;
    for (size_t k = (size_t)rank; fine && k < n; k++)
        for (size_t i = 0; i < n; i++)
            basis[(k - (size_t)rank) * n + i] = least ? vt[i * n + k] : (double)(i == k);
    lmb_arena_free(room);
    return fine ? columns - rank : -1;
}

int lmb_dense_pivot(int rows, int columns, double *a, double negligible, int *order)
{
    int least = rows < columns ? rows : columns, rank = 0;
    lmb_arena *room = lmb_arena_new();
    lapack_int *pivots = lmb_arena_alloc(room, (size_t)columns + 1, sizeof *pivots);
    double *tau = lmb_arena_numbers(room, (size_t)least + 1);
    bool fine =
        lmb_arena_fine(room) &&
        (least == 0 || LAPACKE_dgeqp3(LAPACK_COL_MAJOR, rows, columns, a, rows, pivots, tau) == 0);
    for (int i = 0; fine && i < columns; i++)
        order[i] = least ? (int)pivots[i] - 1 : i;
    double first = fine && least ? fabs(a[0]) : 0;
    while (fine && rank < least && fabs(a[(size_t)rank * ((size_t)rows + 1)]) > negligible * first)
        rank++;
    lmb_arena_free(room);
    return fine ? rank : -1;
}

bool lmb_dense_symmetric(int n, double *a, double *values)
{
    return n == 0 || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values) == 0;
}

bool lmb_dense_symmetric_general(int n, double *a, double *b, double *values)
{
    return n == 0 || LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', n, a, n, b, n, values) == 0;
}

bool lmb_dense_solve(int n, double *a, int columns, double *b)
{
    if (n == 0)
        return true;
    lapack_int *pivots = lmb_calloc((size_t)n, sizeof *pivots);
    bool solved = pivots && LAPACKE_dgesv(LAPACK_COL_MAJOR, n, columns, a, n, pivots, b, n) == 0;
    free(pivots);
    return solved;
}

bool lmb_dense_solve_complex(int n, double *a, int columns, double *b)
{
    if (n == 0)
        return true;
    lapack_int *pivots = lmb_calloc((size_t)n, sizeof *pivots);
    bool solved = pivots && LAPACKE_zgesv(LAPACK_COL_MAJOR, n, columns, (lapack_complex_double *)a,
                                          n, pivots, (lapack_complex_double *)b, n) == 0;
    free(pivots);
    return solved;
}

bool lmb_dense_eigen(int n, double *a, double *real, double *imaginary, double *vectors)
{
    return n == 0 || LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, a, n, real, imaginary, NULL, 1,
                                   vectors, n) == 0;
}

void lmb_dense_symmetrise(int n, double *a)
{
    size_t m = (size_t)n;
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < j; i++)
            a[j * m + i] = a[i * m + j] = (a[j * m + i] + a[i * m + j]) / 2;
}
