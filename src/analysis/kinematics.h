/* Kinematics and inverse dynamics: the motion that drivers prescribe, instant by instant. */
#ifndef LMB_ANALYSIS_KINEMATICS_H
#define LMB_ANALYSIS_KINEMATICS_H

#include "analysis/mobility.h"

typedef struct lmb_kinematics {
    lmb_solver *solver;
    bool reactions;  /* inverse dynamics: multipliers too */
    bool integrated; /* there are velocity-level rows: positions follow from velocities */
    lmb_rank rank;

    double last_step;  /* length of the last step, 0 before the first */
    double *last_a;    /* nv: accelerations at its beginning */
    double *predicted; /* nq: where a step was expected to end */
    double *q0;        /* nq: where it began */
    double *turns;     /* joint angles there */
    double *stages;    /* 7 x nq: rates of the stages of the integration */

    int sign;           /* of its determinant at the last accepted instant */
    double pivot;       /* and its smallest pivot, against the largest */
    double good_step;   /* the last accepted internal step */
    bool moving;        /* a step has been made */
    bool branched;      /* a branch point was reported */
    int singular_count; /* singular positions so far */
} lmb_kinematics;

/* Assembles at an instant, checks that the drivers determine the motion, and solves there. */
lmb_status lmb_kinematics_new(lmb_kinematics **out, lmb_context *context, const lmb_model *model,
                              double start, bool reactions);

/* The same from a state: its instant, its position, what is switched off in it. It is copied. */
lmb_status lmb_kinematics_from(lmb_kinematics **out, lmb_context *context, const lmb_state *initial,
                               bool reactions);
void lmb_kinematics_free(lmb_kinematics *kinematics);

/* Moves on to a later instant, in as many steps as are needed, and solves there. */
lmb_status lmb_kinematics_advance(lmb_kinematics *kinematics, double t);

/* Forces were changed: reactions anew. Nothing without reactions. */
lmb_status lmb_kinematics_react(lmb_kinematics *kinematics);

/* Laws were changed: positions, velocities and all else anew at the present instant. */
lmb_status lmb_kinematics_moved(lmb_kinematics *kinematics);

/* The state was put back to an earlier one: what was before that is forgotten. */
void lmb_kinematics_restart(lmb_kinematics *kinematics);

/* Saves or restores all that it needs to go on to the last bit; as many numbers at any time. */
void lmb_kinematics_pack(lmb_kinematics *kinematics, lmb_pack *pack);

#endif
