/* ALI3-P: the trapezoidal rule with an augmented Lagrangian of index 3, and projections of
 * velocities and accelerations (Bayo and Ledesma, 1996; Cuadrado et al., 2001; Dopico et al.,
 * 2014), on the Lie group of the coordinates.
 *
 * A step of length h from (q_n, v_n, a_n, z_n, f_n) has three stages. With psi the displacement, a*
 * the accelerations and v* the velocities before projection, it solves
 *
 *   psi = h v_n + h^2/4 (a_n + a*),   q = q_n (+) psi,   v* = v_n + h/2 (a_n + a*)          (1)
 *   M(q) a* + Phi_q^T lambda* = Q(q, v*, z, lambda*, t),   Phi(q, t) = 0                    (2)
 *   z = z_n + h/2 (f_n + f),   f = f(q, v*, z)                                              (3)
 *   P (v - v*) + U mu = 0,   Phi_q v + Phi_t = 0                                            (4)
 *   P (a - a*) + U kappa = 0,   Phi_q a = gamma(q, v, t),   lambda = lambda* + kappa        (5)
 *
 * with all of M, Phi_q, U = Phi_q^T - dQ/dlambda and P at (q, v*, a*, lambda*) of the same step,
 * and
 *
 *   P = M + h/2 C + h^2/4 K   (`full`),   P = M   (`mass`),   or v = v*, a = a*   (`none`)
 *
 * K and C are the derivatives of M a + Phi_q^T lambda - Q by q (q (+) dq) and v; they contain what
 * forces owe to q and v through z. In velocity-level rows (rolling) B v* + b = 0 stands for
 * Phi = 0. The next step begins with q, v, a, z and f; lambda is reported, and a guess of the next.
 * So all of (1) to (5) hold in an accepted step but for rounding and what Newton's method leaves.
 *
 * (2) is solved by the iteration of the augmented Lagrangian,
 *
 *   M a* + Phi_q^T (lambda_i + alpha Phi) = Q,   lambda_i+1 = lambda_i + alpha Phi
 *
 * one of Newton's iterations for each update of the multipliers. That is a saddle-point step with
 * eps = 4 / (alpha h^2) on its diagonal (integrate/alpha.c). alpha = 4 penalty m / h^2, with m the
 * heaviest mass of the model and rows scaled to lengths, so that the iteration converges equally
 * well for all steps: each one leaves a part of about 1 / penalty of what joints are open by.
 * (4) and (5) are repeated with the same eps until rounding is left; mu and kappa are sums. Where
 * rows repeat others, lambda is the one of the least norm (of scaled rows) with the same U lambda.
 *
 * Why lambda* + kappa: positions alone determine a* across the joints, 4/h^2 (psi - h v_n) - a_n,
 * and that is a_n + 2/3 h da/dt where a is a_n + h da/dt. So a* and lambda* are of first order; a,
 * v and lambda are of second. Without projection such errors stay in a_n, and with those in v_n
 * they grow until the motion blows up. */
#ifndef LMB_INTEGRATE_ALI3P_H
#define LMB_INTEGRATE_ALI3P_H

#include "integrate/alpha.h"

/* The penalty where none is given: the error of joints falls by it in each iteration, while alpha
 * times rounding stays small against forces. */
extern const double lmb_ali3p_penalty;

/* One step of length h: lmb_alpha_step, then the projections; false if that does not converge or P
 * is singular, with the state as it was. Frames and their rates are those of q and v. */
bool lmb_ali3p_step(lmb_alpha *alpha, lmb_state *state, double h, lmb_effort_count *count);

/* v*, a* and lambda* of the last step (nv, nv, nrows). */
void lmb_ali3p_star(const lmb_alpha *alpha, double *out);

#endif
