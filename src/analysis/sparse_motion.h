/* Small motions of models of any size: the equations of analysis/small_motion.h as they are, with
 * their sparse matrices, not solved for the states.
 *
 *   F w - s E w = r,   w = (dq, dv, da, dlambda, dz)
 *
 *   Phi_q dq = 0                                        rows of the position level, independent
 *   c_q dv + (c_q v)_q dq            - s y = r_y        y = c_q dq
 *   G dv + (G v + b)_q dq = 0                           all rows that are independent
 *   dc''(dq, dv, da)                 - s u = r_u        u = c_q dv + (c_q v)_q dq, fewer than y
 * where rows are of the velocity level G da + (change of G a - gamma) = 0                  all rows
 *   M da + (Phi_q^T - Q_lambda) dlambda + K dq + C dv - Q_z dz = dQ
 *   f_q dq + f_v dv + f_z dz         - s dz = r_z
 *
 * The eigenvalues of F w = s E w are those of A. A force dQ that oscillates as exp(s t) moves the
 * model by w. */
#ifndef LMB_ANALYSIS_SPARSE_MOTION_H
#define LMB_ANALYSIS_SPARSE_MOTION_H

#include "analysis/motion_coordinates.h"
#include "math/shifted.h"

typedef struct lmb_sparse_motion {
    lmb_solver *solver;
    int n, rows, nz;       /* velocity coordinates, rows, first-order states */
    int positions, speeds; /* numbers of y and u */
    int size;              /* of w: 3 n + rows + nz */
    lmb_motion_coordinates all;
    int *coordinate; /* positions: the coordinates y */
    int *rate;       /* speeds: which of the y have a rate among the states */
    lmb_jet *motion; /* positions: rate and acceleration of them in the motion itself */
    bool *position_row,
        *row; /* rows: those that are independent, of the position level and of all */
    lmb_variation *variation;
    lmb_shifted *matrix;
    lmb_arena *arena; /* owns these arrays */
} lmb_sparse_motion;

/* Coordinates that are chosen elsewhere. */
typedef struct lmb_chosen_coordinates {
    int positions, speeds;
    const int *coordinate, *rate;
} lmb_chosen_coordinates;

/* Linearises at the solver's present state: position, velocity, a, lambda and z are used. The
 * observer is a body, 0 for the ground. The coordinates are chosen unless they are given. */
lmb_status lmb_sparse_motion_new(lmb_sparse_motion **out, lmb_solver *solver, int observer,
                                 const lmb_chosen_coordinates *given);
void lmb_sparse_motion_free(lmb_sparse_motion *motion);

/* Where the parts of w and of the equations begin. */
static inline int lmb_sparse_dv(const lmb_sparse_motion *o)
{
    return o->n;
}
static inline int lmb_sparse_da(const lmb_sparse_motion *o)
{
    return 2 * o->n;
}
static inline int lmb_sparse_dl(const lmb_sparse_motion *o)
{
    return 3 * o->n;
}
static inline int lmb_sparse_dz(const lmb_sparse_motion *o)
{
    return 3 * o->n + o->rows;
}
static inline int lmb_sparse_force(const lmb_sparse_motion *o) /* the equation of dQ */
{
    return 2 * o->n + o->rows;
}

/* Chooses y and u, and independent rows; for lmb_sparse_motion_new. */
lmb_status lmb_sparse_motion_choose(lmb_sparse_motion *motion, const lmb_chosen_coordinates *given);

#endif
