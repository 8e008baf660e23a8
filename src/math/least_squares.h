/* Nonlinear least squares by the method of Levenberg and Marquardt:
 *
 *   minimise  S(x) = sum r_i(x)^2,   lower <= x <= upper
 *
 *   (J^T J + mu D^2) step = -J^T r,   J = dr/dx,   D = diag of the norms of the columns of J
 *
 * by the singular values of J D^-1, so that unknowns which the residuals do not tell apart are seen
 * as such. Unknowns at a bound that the residuals push outwards are held there for a step. */
#ifndef LMB_MATH_LEAST_SQUARES_H
#define LMB_MATH_LEAST_SQUARES_H

#include "base/arena.h"
#include "limber/study.h"

/* Evaluates the residuals and, unless it is NULL, their derivatives (residuals x n). Returns 0, or
 * 1 where there are none (the step is then shortened), or -1 to stop. */
typedef int lmb_residual_function(void *user, const double *x, double *r, double *derivatives);

typedef struct lmb_least_squares_task {
    int n, residuals;
    lmb_residual_function *evaluate;
    void *user;
    const double *lower, *upper; /* n each; NULL: none */
    double tolerance;            /* the change of all x, as a part of them, that ends it */
    int most;                    /* steps */
} lmb_least_squares_task;

typedef struct lmb_least_squares {
    lmb_least_squares_end end;
    int steps;
    double sum;         /* S */
    double *r;          /* residuals, at the end */
    double *covariance; /* n x n: (J^T J)^-1 S / (residuals - n); those of unknowns that are held at
                           a bound are 0 */
    bool *held;         /* n: at a bound */
    int rank;           /* of the unknowns that are not held: below their number where some cannot
                           be told apart */
    double *direction;  /* n: the combination of unknowns, in parts of their errors, that the
                           residuals say least about */
} lmb_least_squares;

/* Goes from x, which becomes the solution; lists live in the arena, which remembers if there is no
 * memory. */
lmb_least_squares lmb_least_squares_solve(const lmb_least_squares_task *task, lmb_arena *arena,
                                          double *x);

#endif
