/* The free directions of a mechanism:
 *
 *   d = N y with Phi_q N = 0
 *
 * N is orthonormal in the metric of the model. Dense: for mechanisms of up to a few hundred
 * coordinates. Stiffness in the free directions, for any size, is in analysis/stiffness.h, small
 * motions in analysis/small_motion.h. */
#ifndef LMB_ANALYSIS_LINEARISE_H
#define LMB_ANALYSIS_LINEARISE_H

#include "system/solver.h"

typedef struct lmb_linear_model {
    int n, free;      /* coordinates, free directions */
    double *N;        /* n x free */
    double *full;     /* room: 2 n^2 */
    double *scaled;   /* room: (nrows + 1) n */
    lmb_arena *arena; /* owns all of these */
} lmb_linear_model;

/* Allocates for a model; free with lmb_linear_model_free. */
lmb_status lmb_linear_model_new(lmb_linear_model **out, lmb_context *context,
                                const lmb_model *model);
void lmb_linear_model_free(lmb_linear_model *linear);

/* Only N, from the scaled Jacobian S Phi_q W^(-1/2), so that N^T W N = 1; needs the Jacobian. */
lmb_status lmb_null_space(lmb_linear_model *linear, lmb_solver *solver);

/* out = N y of the free directions, and y = N^T x. */
void lmb_free_motion(const lmb_linear_model *linear, const double *y, double *out);
void lmb_free_part(const lmb_linear_model *linear, const double *x, double *y);

/* Says that the mass matrix is singular in the free directions. */
lmb_status lmb_fail_massless(lmb_context *context);

#endif
