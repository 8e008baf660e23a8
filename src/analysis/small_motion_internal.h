/* What small_motion.c and free_directions.c share. */
#ifndef LMB_ANALYSIS_SMALL_MOTION_INTERNAL_H
#define LMB_ANALYSIS_SMALL_MOTION_INTERNAL_H

#include "analysis/small_motion.h"

/* The linear equations of da and dl, and room to ask for variations. */
typedef struct lmb_linear_equations {
    lmb_solver *solver;
    lmb_saddle *mass; /* augmented equations, with -dQ/dlambda */
    lmb_variation *variation;
    double *K, *C;        /* n x n */
    double *E;            /* n x speeds: velocities of a unit of u */
    double *none;         /* n zeros */
    double *side, *force; /* rows, n */
    double *ignored;      /* rows */
    double *P, *P_u; /* changes of the coordinates, and of the chosen rates, along N and N_u: column
                        i has those of number i */
    double *N_u;     /* n x speeds: null space of all rows */
    lmb_jet *change; /* positions: of the coordinates */
} lmb_linear_equations;

/* The changes of the coordinates y along dq, dv, da, in equations->change. */
void lmb_small_motion_vary(const lmb_small_motion *motion, const double *dq, const double *dv,
                           const double *da);

/* Generalised forces -K dq - C dv in equations->force, and minus the changes of the rows'
 * accelerations in equations->side; true if one of the latter is not 0. */
bool lmb_small_motion_sides(const lmb_small_motion *motion, const double *dq, const double *dv);

/* Adds Q_z dz of a unit of a first-order state to generalised forces; the rates of these states for
 * a change of q and v, and for that of state number z (-1: none). */
void lmb_small_motion_add_state(const lmb_state *state, int z, double *Q);
void lmb_small_motion_vary_states(const lmb_state *state, const double *dq, const double *dv, int z,
                                  double *zdot);

/* Fills free_A and free_M. */
lmb_status lmb_small_motion_free_directions(lmb_small_motion *motion);

#endif
