/* The lowest eigenvalues of a large sparse pencil:
 *
 *     K x = w2 M x,  x^T M x = 1
 *
 * with K and M symmetric and semidefinite, K + M definite: free vibrations, w2 the square of the
 * circular frequency. K may have motions without resistance, M unknowns without inertia. */
#ifndef LMB_MATH_EIGEN_H
#define LMB_MATH_EIGEN_H

#include "base/arena.h"
#include "math/factor.h"
#include "math/band.h"

typedef struct lmb_eigen_options {
    int count;          /* how many of the lowest are wanted, */
    double below;       /* or, if above 0, all up to this w2 */
    const int *group;   /* of each unknown (lmb_factor_new); may be NULL */
    lmb_factor *factor; /* a factorisation of K that is there already; may be NULL. If it has null
                           pivots, others are made */
    int free;           /* number of motions that K does not resist; 0 if unknown */
    bool complete;      /* check the `count` values by a further factorisation, because the Lanczos
                           method can miss some of several equal values */
    int multipliers;    /* unknowns of K that are multipliers: each makes K negative once */
    double tolerance;   /* of vectors, over their gaps, where a looser one saves time; values are as
                           good as its square. 0: as good as rounding lets them be */
} lmb_eigen_options;

typedef struct lmb_eigen {
    int count;      /* of those found: less than wanted if M has no more inertia */
    double *value;  /* w2, ascending; zeros may come out negative by rounding */
    double *vector; /* n x count; of each the largest component is positive */
    double *next;   /* about the w2 that follow the last, */
    int next_count; /* as many as are known */
    double shift;   /* the one used: 0, or below 0 if K is singular */
    int rigid;      /* values that are zero but for rounding */
} lmb_eigen;

/* Finds the lowest eigenvalues and their vectors, in the arena. The same input gives the same
 * output to the last bit. */
lmb_status lmb_eigen_solve(lmb_eigen *out, lmb_context *context, lmb_arena *arena,
                           const lmb_symmetric *k, const lmb_symmetric *m,
                           const lmb_eigen_options *options);

/* The largest eigenvalues of an operator that is known by its products alone. */

/* y = A x */
typedef void lmb_operator(void *user, const lmb_complex *x, lmb_complex *y);

/* Finds the `count` eigenvalues of largest size, the largest first, and their vectors (n x count,
 * of unit length). `real`: products of real vectors are real, which takes half the room and a
 * quarter of the work. Returns how many were found (fewer if n is smaller), -1 when out of memory,
 * -2 when the method fails. The same input gives the same output. */
int lmb_arnoldi(lmb_arena *arena, int n, lmb_operator *multiply, void *user, int count, bool real,
                lmb_complex *values, lmb_complex *vectors);

#endif
