/* The two ways to solve the pencil at a shift; see eigen.c. */
#ifndef LMB_MATH_EIGEN_INTERNAL_H
#define LMB_MATH_EIGEN_INTERNAL_H

#include <pthread.h>

#include "math/eigen.h"

/* K x = w2 M x seen from a shift below all w2 (or at a zero of them if K is definite). */
typedef struct lmb_pencil {
    const lmb_symmetric *k, *m;
    double shift;
    lmb_factor *factor;          /* of K - shift M; the dense way does without */
    int inertial;                /* unknowns that have inertia: the most eigenvalues there can be */
    int solutions;               /* counted */
    double next[LMB_EIGEN_NEXT]; /* about the w2 after those found by blocks */
    int next_count;
} lmb_pencil;

/* Each finds `count` eigenvalues nearest to the shift, ascending, with vectors of unit mass, and
 * says how many there are. */
lmb_status lmb_eigen_lanczos(lmb_pencil *pencil, lmb_context *context, int count, double tolerance,
                             double *value, double *vector, int *found);

/* The same for large matrices, several vectors at a time; it finds none where that does not do.
 * Vectors are as good as the tolerance over their gaps, values as its square. */
lmb_status lmb_eigen_block(lmb_pencil *pencil, lmb_context *context, int count, double tolerance,
                           double *value, double *vector, int *found);
lmb_status lmb_eigen_dense(lmb_pencil *pencil, lmb_context *context, int count, double *value,
                           double *vector, int *found);

/* ARPACK keeps its state in static variables: one thread at a time. */
extern pthread_mutex_t lmb_arpack_mutex;

#endif
