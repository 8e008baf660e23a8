/* The state that a linearisation, or the matrices of the equations, are about: a static
 * equilibrium, a point of a path of equilibria, the motion as the model places it, or a motion of
 * an analysis, with what acts in it. */
#ifndef LMB_RUN_OPERATING_POINT_H
#define LMB_RUN_OPERATING_POINT_H

#include "analysis/analysis.h"

typedef struct lmb_operating_point {
    lmb_solver *solver; /* at the state, with its a and lambda */
    lmb_course course;  /* of a motion; empty for a position */
    lmb_solver *own;    /* of a position */
    bool on_path;       /* of a path of equilibria: state->load is its load factor */
    lmb_arena *arena;
} lmb_operating_point;

/* Finds it. Analysis -1 is none; one over time gives its motion at the time `at` (NULL: in which it
 * begins), statics that follow a path the equilibrium at the load factor `at` (NULL: at its end),
 * another one the static equilibrium, as does none; as_placed instead the assembled position with
 * the velocities of the model. LMB_USAGE for a time or load that it has not. Free it also after a
 * failure. */
lmb_status lmb_operating_point_find(lmb_operating_point *out, lmb_context *context,
                                    const lmb_model *model, int analysis, bool as_placed,
                                    const double *at);
void lmb_operating_point_free(lmb_operating_point *point);

#endif
