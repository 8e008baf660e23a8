/* First derivatives of the projections of ALI3-P (integrate/ali3p.h), which follow a step of the
 * trapezoidal rule whose own derivatives are those of integrate/alpha_tangent.h.
 *
 * With w = v - v* and u = a - a* a projection solves
 *
 *   r_1 = P w + U mu = 0,      c_1 = Phi_q v + Phi_t = 0
 *   r_2 = P u + U kappa = 0,   c_2 = Phi_q a - gamma(q, v, t) = 0,   lambda = lambda* + kappa
 *
 * P and U at (q, v*, a*, lambda*). So a change (dq, dv*, da*, dlambda*) of what the step found does
 *
 *   [ P      U ] [ dw  ]   [ dr_1 + load ]                   dr_1 = r_1 along the change with w and
 *   [ Phi_q  0 ] [ dmu ] = -[ (c_1)_q dq + Phi_q dv* + load ]       mu held
 *
 *   [ P      U ] [ du     ]    [ dr_2 + load ]
 *   [ Phi_q  0 ] [ dkappa ] = -[ (c_2)_q dq + (c_2)_v (dv* + dw) + Phi_q da* + load ]
 *
 * with loads as in integrate/alpha_tangent.h: what a parameter does to r_1, c_1, r_2, c_2 at states
 * that do not change.
 *
 * With P = M and U = Phi_q^T, dr = D dq is exact, D = d(M w + Phi_q^T mu)/dq, and all of this is
 * transposed to go backwards. Otherwise P contains C and K, or U contains dQ/dlambda: dr would need
 * their derivatives and is a stencil of fourth order along the change, which cannot be transposed.
 */
#ifndef LMB_INTEGRATE_ALI3P_TANGENT_H
#define LMB_INTEGRATE_ALI3P_TANGENT_H

#include "integrate/alpha_tangent.h"

typedef struct lmb_ali3p_tangent lmb_ali3p_tangent;

/* Why it cannot go backwards; NULL: it can. */
const char *lmb_ali3p_stays_forward(const lmb_model *model, lmb_rate_projection projection);

/* Allocates, for projections `full` or `mass`; NULL: out of memory. */
lmb_ali3p_tangent *lmb_ali3p_tangent_new(const lmb_model *model, lmb_rate_projection projection,
                                         lmb_saddle_choice choice);
void lmb_ali3p_tangent_free(lmb_ali3p_tangent *tangent);

/* Takes the projections of a step of length h that ended at a state, from v*, a* and lambda* (nv,
 * nv, nrows). False: their matrix is singular. */
bool lmb_ali3p_tangent_take(lmb_ali3p_tangent *tangent, const lmb_state *state, const double *star,
                            double h, bool redundant);

/* A state of its own with q, v*, a* and lambda*, updated. */
lmb_state *lmb_ali3p_tangent_star(lmb_ali3p_tangent *tangent);

/* A change of what the step found becomes that of what is projected; load: 2 (nv + nrows) or NULL.
 */
void lmb_ali3p_tangent_forward(lmb_ali3p_tangent *tangent, const double *load, double *change,
                               double *lambda);

/* Derivatives of a number by what is projected, and by lambda, become those by what the step found
 * (those by lambda stay) and by the load. */
void lmb_ali3p_tangent_backward(lmb_ali3p_tangent *tangent, double *change, const double *lambda,
                                double *load);

/* r_1, c_1, r_2 and c_2 (2 (nv + nrows)) of the equations of another state with the numbers of the
 * step: what neighbours differ in. The state has v*, a* and lambda* and is updated; it ends with v,
 * a and lambda. */
void lmb_ali3p_tangent_residual(const lmb_ali3p_tangent *tangent, lmb_state *state, double *out);

#endif
