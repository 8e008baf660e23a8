/* The state that a linearisation, or the matrices of the equations, are about: a static
 * equilibrium, the motion as the model places it, or the motion in which an analysis begins, with
 * what acts in it. */
#ifndef LMB_RUN_OPERATING_POINT_H
#define LMB_RUN_OPERATING_POINT_H

#include "analysis/analysis.h"

typedef struct lmb_operating_point {
    lmb_solver *solver; /* at the state, with its a and lambda */
    lmb_course course;  /* of a motion; empty for a position */
    lmb_solver *own;    /* of a position */
    lmb_arena *arena;
} lmb_operating_point;

/* Finds it. Analysis -1 is none; one over time gives the motion in which it begins, another one the
 * static equilibrium, as does none; as_placed instead the assembled position with the velocities of
 * the model. Free it also after a failure. */
lmb_status lmb_operating_point_find(lmb_operating_point *out, lmb_context *context,
                                    const lmb_model *model, int analysis, bool as_placed);

/* Follows the motion to a later time; LMB_USAGE for one that is not over time. */
lmb_status lmb_operating_point_advance(lmb_operating_point *point, double t);
void lmb_operating_point_free(lmb_operating_point *point);

#endif
