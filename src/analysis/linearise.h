/* The stiffness of a mechanism in its free directions, for statics.
 *
 *   d = N y with Phi_q N = 0:   Kr y = Zr dz + N^T (change of Q)
 *   Kr = N^T K N,  Zr = N^T dQ/dz
 *
 * K is the exact tangent of M a + Phi_q^T lambda - Q by q, reactions included. N is orthonormal in
 * the metric of the model. Dense: for mechanisms of up to a few hundred coordinates. Small motions
 * are in analysis/small_motion.h. */
#ifndef LMB_ANALYSIS_LINEARISE_H
#define LMB_ANALYSIS_LINEARISE_H

#include "system/solver.h"

typedef struct lmb_linear_model {
    int n, free;      /* coordinates, free directions */
    double *N;        /* n x free */
    double *K;        /* free x free */
    int nz;           /* first-order states of bodies */
    double *Z;        /* free x nz */
    double *F_y;      /* nz x free: d(zdot) along N y */
    double *F_z;      /* nz x nz */
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

/* N and Kr at the solver's present state: position, velocity, a and lambda are used. */
lmb_status lmb_linearise(lmb_linear_model *linear, lmb_solver *solver);

/* Lets z follow y as it does at rest, zdot = 0: K += Zr F_z^-1 F_y. False if F_z is singular: a
 * state has no equilibrium. */
bool lmb_condense_states(lmb_linear_model *linear);

#endif
