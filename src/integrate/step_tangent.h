/* First derivatives of a step of any of the implicit methods that solve their equations at the end
 * of it: that of the generalized-alpha method (integrate/alpha_tangent.h), which in ALI3-P is
 * followed by projections (integrate/ali3p_tangent.h). A step and its projections make one map from
 * X_0 = (q, v, a, alpha) to X_1 and lambda_1; its load has the numbers of both. */
#ifndef LMB_INTEGRATE_STEP_TANGENT_H
#define LMB_INTEGRATE_STEP_TANGENT_H

#include "integrate/ali3p_tangent.h"
#include "integrate/motion.h"

typedef struct lmb_step_tangent {
    const lmb_model *model;
    lmb_alpha_tangent *alpha;
    lmb_ali3p_tangent *projection; /* NULL: nothing is projected */
    lmb_state *found;              /* what the step found, before it was projected */
    size_t loads;                  /* numbers of a load */
    size_t stars;                  /* numbers of what the step found besides the state */
    double *inertia;               /* nv: room */
    bool adjusts;                  /* velocities when steps get another length (alpha_change.h) */
} lmb_step_tangent;

/* Allocates for a model without first-order states; NULL: out of memory. */
lmb_step_tangent *lmb_step_tangent_new(const lmb_model *model, const lmb_integration *options,
                                       lmb_saddle_choice choice);
void lmb_step_tangent_free(lmb_step_tangent *tangent);

/* Why it cannot go backwards in steps with these options; NULL: it can. */
const char *lmb_step_stays_forward(const lmb_model *model, const lmb_integration *options);

/* What the last step of a motion found besides its state (tangent->stars numbers). */
void lmb_step_tangent_keep(const lmb_step_tangent *tangent, const lmb_motion *motion, double *star);

/* Takes a step of length h from the position q0 (nq) to a state, which is updated and has its a and
 * lambda, with what was kept of it; false: its matrix is singular. */
bool lmb_step_tangent_take(lmb_step_tangent *tangent, lmb_state *state, const double *q0,
                           const double *star, double h, bool redundant);

/* A change at its beginning becomes that at its end, with that of lambda (nrows), for a load. */
void lmb_step_tangent_forward(lmb_step_tangent *tangent, const double *load, double *change,
                              double *lambda);

/* The same of many changes, loads one after the other: all at once where nothing is projected.
 * `room` has as many numbers as the first function says. */
size_t lmb_step_tangent_room(const lmb_step_tangent *tangent, int count);
void lmb_step_tangent_forward_all(lmb_step_tangent *tangent, int count, const double *loads,
                                  double *const *changes, double *const *lambdas, double *room);

/* Derivatives of a number by what is at its end and by lambda (nrows) become those at its beginning
 * and by the load. */
void lmb_step_tangent_backward(lmb_step_tangent *tangent, double *change, const double *lambda,
                               double *load);

/* The equations of the step in another model with the numbers that solve them in this one: what
 * neighbours differ in, `loads` numbers. The state has the time, the position and turns of the end
 * of the step; it ends with all of it, updated. */
void lmb_step_tangent_residual(const lmb_step_tangent *tangent, lmb_state *state, double *out);

/* M a + Phi_q^T lambda - Q, and rows as written (of velocity-level rows: their rates), of a state
 * that is updated; room: nv. */
void lmb_residual(const lmb_state *state, double *room, double *out);

#endif
