/* Forward dynamics: the motion of a mechanism under forces. */
#ifndef LMB_ANALYSIS_DYNAMICS_H
#define LMB_ANALYSIS_DYNAMICS_H

#include "analysis/mobility.h"
#include "integrate/alpha.h"

/* How to integrate. */
typedef struct lmb_integration {
    lmb_integrator integrator;
    double tolerance;       /* LMB_RK45: relative error of a step */
    double step;            /* LMB_EULER, LMB_ALPHA: its length */
    double spectral_radius; /* LMB_ALPHA: at high frequencies, 0 to 1 */
} lmb_integration;

typedef struct lmb_dynamics {
    lmb_solver *solver;
    lmb_rank rank;
    lmb_integration options;
    double step;       /* the next step to try */
    double usual_step; /* a mean of the steps so far */
    double *q0, *v0;   /* where a step began */
    double work0[LMB_WORK_COUNT];
    lmb_jet *turns0; /* joint angles there */
    double *slopes;  /* 7 x (nq + nv + work): rates of the stages */
    lmb_alpha *alpha;
    long steps, rejected, iterations;
} lmb_dynamics;

/* Assembles at an instant and finds velocities that fit the joints, the drivers and what the model
 * prescribes; a contradiction is reported with its body. */
lmb_status lmb_dynamics_new(lmb_dynamics **out, lmb_context *context, const lmb_model *model,
                            double start, const lmb_integration *options);
void lmb_dynamics_free(lmb_dynamics *dynamics);

/* Integrates to a later instant, in as many steps as the tolerance asks for. */
lmb_status lmb_dynamics_advance(lmb_dynamics *dynamics, double t);

#endif
