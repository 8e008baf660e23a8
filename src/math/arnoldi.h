/* The largest eigenvalues of an operator that is known by its products alone. */
#ifndef LMB_MATH_ARNOLDI_H
#define LMB_MATH_ARNOLDI_H

#include "math/band.h"

/* y = A x */
typedef void lmb_operator(void *user, const lmb_complex *x, lmb_complex *y);

/* Finds the `count` eigenvalues of largest size, the largest first, and their vectors (n x count,
 * of unit length). `real`: products of real vectors are real, which takes half the room and a
 * quarter of the work. Returns how many were found (fewer if n is smaller), -1 when out of memory,
 * -2 when the method fails. The same input gives the same output. */
int lmb_arnoldi(lmb_arena *arena, int n, lmb_operator *multiply, void *user, int count, bool real,
                lmb_complex *values, lmb_complex *vectors);

#endif
