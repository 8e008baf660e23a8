/* The state that matrices of the equations are wanted in, with its accelerations and multipliers.
 */
#ifndef LMB_RUN_MATRICES_H
#define LMB_RUN_MATRICES_H

#include "analysis/kinematics.h"
#include "limber/linear.h"
#include "run/operating_point.h"

typedef struct lmb_matrix_point {
    lmb_solver *solver; /* at the state */
    bool solved;        /* its accelerations and multipliers are known: the augmented equations are
                           not singular */
    lmb_operating_point at;     /* of an analysis, */
    lmb_kinematics *kinematics; /* of a driven motion, */
    lmb_solver *own;            /* or of a position */
} lmb_matrix_point;

/* Goes there; options may be NULL. Free it also after a failure. */
lmb_status lmb_matrix_point_find(lmb_matrix_point *out, lmb_context *context,
                                 const lmb_model *model, const lmb_matrices_options *options);
void lmb_matrix_point_free(lmb_matrix_point *point);

#endif
