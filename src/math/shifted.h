/* Large sparse matrices F - s E with a shift s, real or complex, for eigenvalues of F x = s E x
 * next to s and for responses to what oscillates:
 *
 *   (F - s E) x = b
 *
 * Rows and columns are scaled so that their largest numbers are about 1, whatever units they have.
 * The matrix that is factorised may have further numbers G, which make it regular; their effect is
 * removed by iteration, x += (F - s E + G)^-1 (b - (F - s E) x), as is that of rounding. */
#ifndef LMB_MATH_SHIFTED_H
#define LMB_MATH_SHIFTED_H

#include "math/band.h"
#include "math/linear.h"

typedef struct lmb_shifted lmb_shifted;

/* An empty matrix of n rows; NULL: out of memory. */
lmb_shifted *lmb_shifted_new(int n);
void lmb_shifted_free(lmb_shifted *matrix);

/* Adds numbers at a place, in any order and also several times; out of memory is found out by
 * lmb_shifted_finish. */
void lmb_shifted_add(lmb_shifted *matrix, int row, int column, double f, double e);
void lmb_shifted_add_regular(lmb_shifted *matrix, int row, int column, double g);

/* All numbers are there: finds the pattern. False: out of memory. */
bool lmb_shifted_finish(lmb_shifted *matrix);

/* Factorises at a shift; false: singular, or out of memory. */
bool lmb_shifted_factor(lmb_shifted *matrix, lmb_complex shift);

/* b (n) becomes x: after a real shift, and after any other one. */
void lmb_shifted_solve(lmb_shifted *matrix, double *b);
void lmb_shifted_solve_complex(lmb_shifted *matrix, lmb_complex *b);

/* y = E x */
void lmb_shifted_times_E(const lmb_shifted *matrix, const double *x, double *y);

/* A measure of how near to singular the last factorisation was: smallest over largest pivot; after
 * a real shift. */
double lmb_shifted_condition(const lmb_shifted *matrix);

#endif
