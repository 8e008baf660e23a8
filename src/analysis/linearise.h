/* The linearised equations of a mechanism in its free directions.
 *
 *   d = N y with Phi_q N = 0:   Mr y'' + Cr y' + Kr y = Nr^T (change of Q)
 *   Mr = N^T M N,  Cr = N^T C N,  Kr = N^T K N
 *
 * K and C are the exact tangents of M a + Phi_q^T lambda - Q, reactions included. N is orthonormal
 * in the metric of the model. Dense: for mechanisms of up to a few hundred coordinates. */
#ifndef LMB_ANALYSIS_LINEARISE_H
#define LMB_ANALYSIS_LINEARISE_H

#include "system/solver.h"

typedef struct lmb_linear_model {
    int n, free;       /* coordinates, free directions */
    double *N;         /* n x free */
    double *M, *C, *K; /* free x free */
    double *full;      /* room: 2 n^2 + n */
} lmb_linear_model;

/* Allocates for a model; free with lmb_linear_model_free. */
lmb_status lmb_linear_model_new(lmb_linear_model **out, lmb_context *context,
                                const lmb_model *model);
void lmb_linear_model_free(lmb_linear_model *linear);

/* Only N, from the scaled Jacobian S Phi_q W^(-1/2), so that N^T W N = 1; needs the Jacobian. */
lmb_status lmb_null_space(lmb_linear_model *linear, lmb_solver *solver);

/* Linearises at the solver's present state: position, velocity, a and lambda are used. */
lmb_status lmb_linearise(lmb_linear_model *linear, lmb_solver *solver);

/* The matrix of the first-order form with the state (y, y'): [0 1; -Mr^-1 Kr, -Mr^-1 Cr], 2 free x
 * 2 free, zero before; false if Mr is singular or memory runs out. */
bool lmb_first_order(const lmb_linear_model *linear, double *A);

#endif
