/* The generalized-alpha method on the Lie group of the coordinates, index-3 form.
 *
 *   psi     = h v_n + h^2 ((1/2 - beta) alpha_n + beta alpha_n+1),   q_n+1 = q_n (+) psi
 *   v_n+1   = v_n + h ((1 - gamma) alpha_n + gamma alpha_n+1)
 *   (1 - am) alpha_n+1 + am alpha_n = (1 - af) a_n+1 + af a_n
 *   M a_n+1 + Phi_q^T lambda_n+1 = Q,   Phi(q_n+1) = 0
 *
 * alpha are algorithmic accelerations; am, af, beta, gamma follow from the spectral radius rho at
 * high frequencies: 1 keeps all oscillations, 0 removes those that the step cannot resolve. Second
 * order. (Arnold and Bruels, 2007.) */
#ifndef LMB_INTEGRATE_ALPHA_H
#define LMB_INTEGRATE_ALPHA_H

#include "system/equations.h"

typedef struct lmb_alpha lmb_alpha;

/* Members of the family, each with its own way to damp high frequencies. */
typedef enum lmb_alpha_method {
    LMB_ALPHA_GENERALIZED, /* am and af both: the least damping of low frequencies */
    LMB_ALPHA_HHT,         /* am = 0 (Hilber, Hughes and Taylor); rho from 1/2 to 1 */
    LMB_ALPHA_NEWMARK,     /* am = af = 0; of first order unless rho is 1 */
    LMB_ALPHA_ALI3P        /* the same with rho = 1, and projections: integrate/ali3p.h */
} lmb_alpha_method;

/* Its parameters for a spectral radius. */
void lmb_alpha_parameters(lmb_alpha_method method, double spectral_radius, double *am, double *af,
                          double *beta, double *gamma);

/* Allocates for a model; NULL: out of memory. Of the options it reads the spectral radius, whether
 * equations are solved to rounding, and what is about ALI3-P. */
lmb_alpha *lmb_alpha_new(const lmb_model *model, lmb_alpha_method method,
                         const lmb_integration *options, lmb_saddle_choice choice);
void lmb_alpha_free(lmb_alpha *alpha);

/* The algorithmic accelerations (nv). */
double *lmb_alpha_accelerations(lmb_alpha *alpha);

/* Sets the algorithmic accelerations for steps of length h from a state with consistent q, v, a and
 * lambda; jerk is da/dt there. With redundant rows multipliers are not unique. */
void lmb_alpha_start(lmb_alpha *alpha, const lmb_state *state, const double *jerk, double h,
                     bool redundant);

/* Goes on with steps that are `ratio` times as long: alpha belongs to another instant then. */
void lmb_alpha_change_step(lmb_alpha *alpha, const lmb_state *state, double ratio);

/* What h v must be changed by so that the first psi fits the joints to the order of the method
 * (nv): without that, velocities and multipliers are of first order in the first steps. */
void lmb_alpha_defect(const lmb_alpha *alpha, const lmb_state *state, const double *jerk, double h,
                      double *defect);

/* What steps cost. */
typedef struct lmb_effort_count {
    long iterations, factorisations;
} lmb_effort_count;

/* One step of length h; false if the Newton iteration does not converge, with the state as it was.
 * What it took is added to the count. The frames of the state and their rates are left as they were
 * in the last iteration, which is as near as it needs to be; bias accelerations are not there. */
bool lmb_alpha_step(lmb_alpha *alpha, lmb_state *state, double h, lmb_effort_count *count);

/* Forgets the matrix of earlier steps: the equations have changed. */
void lmb_alpha_forget(lmb_alpha *alpha);

/* Takes the last step, which began at t, back. */
void lmb_alpha_take_back(lmb_alpha *alpha, lmb_state *state, double t);

/* The velocity coordinate that changed most in the last iteration. */
int lmb_alpha_worst(const lmb_alpha *alpha);

/* The largest error of psi in the last step, estimated from the change of accelerations; angles
 * count as lengths of the model. */
double lmb_alpha_error(const lmb_alpha *alpha, const lmb_state *state, double h);

/* The largest change of accelerations in the last step, as displacements per s^2. */
double lmb_alpha_jolt(const lmb_alpha *alpha, const lmb_state *state);

/* Saves or restores what it remembers from step to step. */
void lmb_alpha_pack(lmb_alpha *alpha, lmb_pack *pack);

/* The motion of these methods (integrate/motion.h): makes it ready for steps of length h, or for
 * steps of another length. */
struct lmb_motion;
void lmb_alpha_motion_start(struct lmb_motion *motion, double h);
void lmb_alpha_motion_change_step(struct lmb_motion *motion, double from, double to);

#endif
