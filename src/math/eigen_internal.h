/* The two ways to solve the pencil at a shift; see eigen.c. */
#ifndef LMB_MATH_EIGEN_INTERNAL_H
#define LMB_MATH_EIGEN_INTERNAL_H

#include "math/eigen.h"

enum { LMB_EIGEN_NEXT = 8 };

/* K x = w2 M x seen from a shift below all w2 (or at a zero of them if K is definite). */
typedef struct lmb_pencil {
    lmb_context *context;
    const lmb_symmetric *k, *m;
    int n;
    double shift;
    lmb_factor *factor; /* of K - shift M; the dense way does without */
    int inertial;       /* unknowns that have inertia: the most eigenvalues there can be */
    int found;          /* eigenvalues, ascending, with vectors of unit mass, */
    double *value, *vector;
    int next_count; /* and values about those that follow, LMB_EIGEN_NEXT at most */
} lmb_pencil;

/* Finds `count` eigenvalues nearest to the shift, or as many as there are. */
lmb_status lmb_eigen_lanczos(lmb_pencil *pencil, int count, double tolerance);

/* The same for large matrices, several vectors at a time; it finds none where that does not do.
 * Vectors are as good as the tolerance over their gaps, values as its square. */
lmb_status lmb_eigen_block(lmb_pencil *pencil, int count, double tolerance);

/* Fills numbers between -1 and 1, the same each time: vectors with a part in every direction. */
void lmb_eigen_start(double *x, size_t count);

#endif
