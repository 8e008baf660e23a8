/* The largest eigenvalues of an operator that is known by its products alone. */
#ifndef LMB_MATH_ARNOLDI_H
#define LMB_MATH_ARNOLDI_H

#include "math/band.h"

/* y = A x */
typedef void lmb_operator(void *user, const lmb_complex *x, lmb_complex *y);

/* How a solution goes; all may be zero. */
typedef struct lmb_arnoldi_options {
    bool real;  /* products of real vectors are real: half the room, a quarter of the work */
    int *steps; /* the size of the basis that is tried first (0: any); becomes the one that was
                   enough, so that problems alike are solved faster. May be NULL */
} lmb_arnoldi_options;

/* Finds the `count` eigenvalues of largest size and their vectors (n x count, of unit length), by
 * Arnoldi's method with complete orthogonalisation. Returns how many were found (fewer if n is
 * smaller), -1 when out of memory, -2 when the method fails. The same input gives the same output.
 */
int lmb_arnoldi(lmb_arena *arena, int n, lmb_operator *multiply, void *user, int count,
                lmb_arnoldi_options options, lmb_complex *values, lmb_complex *vectors);

#endif
