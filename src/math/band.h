/* Complex band matrices: products, and solutions by LAPACK. */
#ifndef LMB_MATH_BAND_H
#define LMB_MATH_BAND_H

#include <complex.h>
#include <stdbool.h>

#undef I /* a common name */

#include "base/arena.h"

typedef double complex lmb_complex;

/* C11's CMPLX, which glibc has for GCC alone. */
#ifndef CMPLX
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

/* Column j has rows j - width ... j + width, one column after the other, as in LAPACK. */
typedef struct lmb_band {
    int n, width;
    lmb_complex *a; /* n x (2 width + 1) */
} lmb_band;

/* A matrix of zeros; false when out of memory. */
bool lmb_band_new(lmb_band *out, lmb_arena *arena, int n, int width);

/* The number in row i and column j, which must be in the band. */
lmb_complex *lmb_band_at(const lmb_band *matrix, int i, int j);

/* a = b, and a = a + factor b, of the same size. */
void lmb_band_copy(lmb_band *a, const lmb_band *b);
void lmb_band_sum(lmb_band *a, lmb_complex factor, const lmb_band *b);

/* Leaves the Hermitian part: a = (a + a^H) / 2. */
void lmb_band_symmetrise(lmb_band *a);

/* y = A x */
void lmb_band_multiply(const lmb_band *matrix, const lmb_complex *x, lmb_complex *y);

/* Triangular factors with row exchanges. */
typedef struct lmb_band_factor {
    int n, width;
    lmb_complex *lu;
    int *pivots;
} lmb_band_factor;

/* Room for factors; false when out of memory. */
bool lmb_band_factor_new(lmb_band_factor *out, lmb_arena *arena, int n, int width);

/* Factorises a matrix; false if it is singular. */
bool lmb_band_factorise(lmb_band_factor *factor, const lmb_band *matrix);

/* b becomes the solution. */
void lmb_band_solve(const lmb_band_factor *factor, lmb_complex *b);

#endif
