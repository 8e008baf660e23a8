/* First derivatives of a step of the generalized-alpha method (integrate/alpha.h), exact to
 * rounding where the step itself is.
 *
 * A step maps X_0 = (q, v, a, alpha) at its beginning to X_1 and lambda_1 at its end. Changes of q
 * are tangent vectors (nv numbers), so that a change X (nv numbers four times) belongs to each.
 * With P and T the transport and the tangent operator of (+) at psi (frames/node.h), and with what
 * would change if psi did not,
 *
 *   alpha' = -(h dv_0 + h^2 (1/2 - beta) dalpha_0) / (beta h^2)
 *   v'     = dv_0 + h ((1 - gamma) dalpha_0 + gamma alpha')
 *   a'     = ((1 - am) alpha' + am dalpha_0 - af da_0) / (1 - af)
 *   q'     = P dq_0
 *
 * the change of psi and lambda follows from the matrix S of Newton's method (alpha.c), at the end
 * of the step and without anything left out:
 *
 *   S [ dpsi, beta h^2 dlambda ] = -[ beta h^2 (M a' + C v' + K q' + r_p),  Phi_q q' + Phi_p ]
 *
 * and dq_1 = q' + T dpsi, dalpha_1 = alpha' + dpsi / (beta h^2), and so on. The load (r_p, Phi_p)
 * is what a parameter does to the equations at a state that does not change: of the residual r = M
 * a + Phi_q^T lambda - Q and of the rows (of velocity-level rows: of their rates).
 *
 * Backwards the same matrix is used transposed: from the derivatives of a number by X_1 and
 * lambda_1 those by X_0 and by the load. */
#ifndef LMB_INTEGRATE_ALPHA_TANGENT_H
#define LMB_INTEGRATE_ALPHA_TANGENT_H

#include "integrate/alpha.h"

typedef struct lmb_alpha_tangent lmb_alpha_tangent;

/* The parts of a change, nv numbers each. */
enum { LMB_CHANGE_Q, LMB_CHANGE_V, LMB_CHANGE_A, LMB_CHANGE_ALPHA, LMB_CHANGE_PARTS };

/* Allocates for a model without first-order states; NULL: out of memory. */
lmb_alpha_tangent *lmb_alpha_tangent_new(const lmb_model *model, lmb_alpha_method method,
                                         double spectral_radius, lmb_saddle_choice choice);
void lmb_alpha_tangent_free(lmb_alpha_tangent *tangent);

/* Takes a step of length h from the position q0 (nq) to a state, which is updated and has its a and
 * lambda; false: its matrix is singular. */
bool lmb_alpha_tangent_take(lmb_alpha_tangent *tangent, lmb_state *state, const double *q0,
                            double h, bool redundant);

/* A change at its beginning becomes that at its end, with that of lambda (nrows), for a load (nv +
 * nrows, rows as written; NULL: none). */
void lmb_alpha_tangent_forward(lmb_alpha_tangent *tangent, const double *load, double *change,
                               double *lambda);

/* The same of many changes at once, loads one after the other; `room` has as many numbers as the
 * first function says. */
size_t lmb_alpha_tangent_room(const lmb_model *model, int count);
void lmb_alpha_tangent_forward_all(lmb_alpha_tangent *tangent, int count, const double *loads,
                                   double *const *changes, double *const *lambdas, double *room);

/* Derivatives of a number by what is at its end and by lambda (nrows) become those at its beginning
 * and by the load (nv + nrows). */
void lmb_alpha_tangent_backward(lmb_alpha_tangent *tangent, double *change, const double *lambda,
                                double *load);

/* Sizes of the coordinates of a state, which stencils along them are a part of: deformations are
 * small against the model, and so are their rates. */
typedef struct lmb_change_scales {
    const lmb_model *model;
    double part[3][2]; /* of q, v and a: of modal coordinates second; as displacements */
    double lambda;     /* of multipliers of scaled rows */
} lmb_change_scales;

extern const double lmb_change_part; /* that part */

lmb_change_scales lmb_change_scales_of(const lmb_state *state);

/* That of coordinate number i of q, v, a and lambda, one after the other. */
double lmb_change_scale(const lmb_change_scales *scales, size_t i);

/* How far to go along a change of a state and its lambda (nrows): that part of the size of the
 * model, of velocities, ... */
double lmb_change_distance(const lmb_state *state, const double *change, const double *lambda);

#endif
