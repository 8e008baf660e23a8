/* The stiffness of a mechanism in the directions that its joints leave free, for models of any
 * size:
 *
 *   [ K + s W   Phi_q^T ] [ d ]   [ f ]
 *   [ Phi_q      -eps   ] [ y ] = [ 0 ]
 *
 * K is the exact tangent of Phi_q^T lambda - Q at rest, with first-order states that follow, W the
 * metric of the model and s a shift. Both are divided by the size of K, so that the numbers of all
 * blocks are comparable. The symmetric part of K is factorised with its inertia
 * (system/saddle_symmetric.h), K as it is by a solver of the table (system/saddle.h). */
#ifndef LMB_ANALYSIS_STIFFNESS_H
#define LMB_ANALYSIS_STIFFNESS_H

#include "system/saddle_symmetric.h"
#include "system/solver.h"

typedef struct lmb_stiffness {
    lmb_solver *solver;
    lmb_saddle_symmetric *symmetric;
    lmb_saddle *exact;
    double size;      /* of K: its largest number in the metric */
    double shift;     /* s of the last factorisation of the symmetric part, */
    int negative;     /* the free directions in which K + s W is negative there, */
    int null;         /* and those in which it is zero */
    double *K;        /* couple_values: over its size */
    double *T;        /* of nodes that turn: 1 */
    double *side;     /* nv + nrows */
    lmb_arena *arena; /* owns these arrays */
} lmb_stiffness;

lmb_status lmb_stiffness_new(lmb_stiffness **out, lmb_solver *solver);
void lmb_stiffness_free(lmb_stiffness *stiffness);

/* K at the solver's present state: position, lambda and z are used; needs the Jacobian. Where K is
 * zero its size is `least`. */
void lmb_stiffness_update(lmb_stiffness *stiffness, double least);

/* Factorises the symmetric part of K + s W. */
lmb_status lmb_stiffness_factor(lmb_stiffness *stiffness, double shift);

/* The symmetric part of the whole matrix without a shift, rows included, over the size of K; it
 * belongs to the stiffness. */
const lmb_symmetric *lmb_stiffness_matrix(lmb_stiffness *stiffness);

/* d of the last such factorisation for a force f (nv; may be the same). */
lmb_status lmb_stiffness_solve(lmb_stiffness *stiffness, const double *f, double *d);

/* Factorises K as it is; the sign of its determinant in the free directions, 0 if it is singular.
 * Then d and the multipliers y (nrows, of rows as written) of a force f. */
int lmb_stiffness_factor_exact(lmb_stiffness *stiffness);
void lmb_stiffness_solve_exact(lmb_stiffness *stiffness, const double *f, double *d, double *y);

/* y = K x, of the symmetric part of K or of K as it is. */
void lmb_stiffness_times(const lmb_stiffness *stiffness, bool symmetric, const double *x,
                         double *y);

/* x^T W y */
double lmb_metric_product(const lmb_model *model, const double *x, const double *y);

/* The free direction d (nv, d^T W d = 1) in which K is lowest, by inverse iteration from the last
 * factorisation, whose shift must make K + s W positive; its curvature d^T K d. */
lmb_status lmb_stiffness_lowest(lmb_stiffness *stiffness, double *d, double *curvature);

/* The free direction d (nv, d^T W d = 1) in which K as it is, of the last exact factorisation, is
 * nearest to singular, by inverse iteration. */
void lmb_stiffness_null(lmb_stiffness *stiffness, double *d);

/* About the largest curvature of a free direction; needs lmb_solver_factor. `d` is room (nv). */
double lmb_stiffness_highest(lmb_stiffness *stiffness, double *d);

#endif
