/* Normal forces of joints with friction, for given q and v.
 *
 * The friction of a joint is proportional to N, the size of its reaction, so multipliers and forces
 * depend on each other:
 *
 *   M a + Phi_q^T lambda = Q0 + sum w_i N_i(lambda),   Phi_q a = gamma
 *
 * For given N_i this is linear: lambda = lambda_0 + sum (N_i - N_i0) lambda_i, where lambda_i is
 * the answer to w_i alone, with the matrix that is factorised already. So there are as many
 * unknowns left as joints with friction: Newton's iteration on N_i = N_i(lambda). */
#ifndef LMB_SYSTEM_FRICTION_H
#define LMB_SYSTEM_FRICTION_H

#include "system/saddle.h"

typedef struct lmb_friction lmb_friction;

/* Allocates for a model; NULL: out of memory. */
lmb_friction *lmb_friction_new(const lmb_model *model);
void lmb_friction_free(lmb_friction *friction);

/* Makes lambda of the state and x (the other unknowns, such as accelerations) those of normal
 * forces that agree with lambda. They come from a solution with the matrix of `saddle` and with the
 * Q that lmb_total_force returned last. False if there is no agreement: friction jams. */
bool lmb_friction_solve(lmb_friction *friction, lmb_state *state, lmb_saddle *saddle, double *x);

/* Return the force because of which the last call failed, or NULL. */
const lmb_force *lmb_friction_jams(const lmb_friction *friction);

/* LMB_OK, or the reason why the last call failed. */
lmb_status lmb_friction_status(const lmb_friction *friction, const lmb_state *state,
                               lmb_context *context);

#endif
