/* The equations of motion in the stabilised index-2 form of Gear, Gupta and Leimkuhler.
 *
 *   qdot = N(q) (v + W^-1 Phi_q^T mu)                       M vdot + Phi_q^T lambda = Q
 *   Phi_q v + Phi_t = e (lambda - lambda_0) / cj            Phi + e mu / cj = 0
 *
 * Joints stay closed in positions and in velocities; mu, which is zero in the exact motion, makes
 * room for both. W is the metric of the model. Quaternions are four numbers: everything but N reads
 * them made unit, so their length, which N leaves as it is, does not matter. A velocity-level row
 * has no position, and its mu is zero.
 *
 * The unknowns are y = (q, v, z, lambda, mu), for rows scaled to lengths, with lambda for a unit of
 * the largest mass. cj, about one over the step, is how fast rates change with y.
 *
 * The terms with e keep the equations regular where rows repeat others, and nearly so in singular
 * positions. lambda_0 is that of the last step, so all they do is to let joints open at the speed e
 * h^2 dlambda/dt. Where no row repeats others, e is as small as rounding. Otherwise it must be
 * larger: Newton's matrix of a few steps ago repeats other combinations of rows than the present
 * equations, and the differences over e must not disturb its convergence. */
#ifndef LMB_INTEGRATE_GGL_H
#define LMB_INTEGRATE_GGL_H

#include "system/saddle.h"

typedef struct lmb_ggl lmb_ggl;

/* Allocates for the model of a state; NULL: out of memory. */
lmb_ggl *lmb_ggl_new(const lmb_state *state);
void lmb_ggl_free(lmb_ggl *ggl);

/* How many unknowns there are. The first nq + nv + nz have rates, the others are algebraic. */
int lmb_ggl_size(const lmb_ggl *ggl);

/* The unknowns and their rates for a state with its a and lambda, and the state for unknowns at an
 * instant, updated. */
void lmb_ggl_get(const lmb_ggl *ggl, const lmb_state *state, double *y, double *rates);
void lmb_ggl_set(lmb_ggl *ggl, lmb_state *state, double t, const double *y, const double *rates);

/* A motion starts; some rows may repeat others. */
void lmb_ggl_start(lmb_ggl *ggl, bool redundant);

/* A step begins with these unknowns: theirs is lambda_0. */
void lmb_ggl_accept(lmb_ggl *ggl, const double *y);

/* What is left of the equations, for a state that has been set. */
void lmb_ggl_residual(lmb_ggl *ggl, lmb_state *state, const double *y, const double *rates,
                      double cj, double *residual);

/* Newton's matrix dF/dy + cj dF/dydot, likewise; factorise it (false: singular); solve in place. */
void lmb_ggl_assemble(lmb_ggl *ggl, lmb_state *state, const double *y, double cj);
bool lmb_ggl_factor(lmb_ggl *ggl);
void lmb_ggl_solve(lmb_ggl *ggl, double *b);

#endif
