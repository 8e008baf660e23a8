/* Small motions about a state, at rest or moving.
 *
 *   xdot = A x,   x = (y, u, z)
 *   y = dc     changes of independent coordinates c (analysis/motion_coordinates.h)
 *   u = dc'    changes of the independent ones of their rates: fewer than y where rows are of the
 *              velocity level (rolling), which restrict velocities only
 *   z          changes of the first-order states of bodies
 *
 * Positions and velocities that belong to x satisfy, with rows Phi (position level) and G (all),
 *
 *   (Phi_q; c_q) dq = (0; y)
 *   G dv = -(G v + b)_q dq,    c_q dv + (c_q v)_q dq = u
 *
 * and accelerations and multipliers the augmented equations with their exact tangents:
 *
 *   M da + (Phi_q^T - Q_lambda) dlambda = -K dq - C dv + Q_z dz,    G da = -(change of G a - gamma)
 *
 * from which u' = dc''. In an equilibrium at rest this is -Mr^-1 Kr, -Mr^-1 Cr. Elsewhere it has
 * the changes of free directions, of rotating axes and of accelerations along the motion, without
 * which eigenvalues mean nothing. Matrices are by columns. */
#ifndef LMB_ANALYSIS_SMALL_MOTION_H
#define LMB_ANALYSIS_SMALL_MOTION_H

#include "analysis/motion_coordinates.h"

typedef struct lmb_small_motion {
    int n, rows;                       /* velocity coordinates, rows */
    int positions, speeds, nz, states; /* numbers of y, u, z, and of all three */
    int *coordinate;                   /* positions: the coordinates y */
    int *rate;                         /* speeds: which of the y have a rate among the states */
    lmb_motion_coordinates all;        /* that they are chosen from */
    double *dq;                        /* n x positions */
    double *dv, *da;                   /* n x states */
    double *dl;                        /* rows x states */
    double *A;                         /* states x states */
    double *N;      /* n x positions: free directions, orthonormal in the metric of the model */
    double *free_A; /* states x states: A for states along these, which has the same eigenvalues, in
                       the best-conditioned form */
    double *free_M; /* positions x positions: N^T M N */
    lmb_jet *motion; /* positions: rate and acceleration of the coordinates in the motion itself */
    char **names;    /* states */
    struct lmb_linear_equations *equations;
    lmb_arena *arena; /* owns all of these */
} lmb_small_motion;

/* Linearises at the solver's present state: position, velocity, a, lambda and z are used. The
 * observer is a body, 0 for the ground. */
lmb_status lmb_small_motion_new(lmb_small_motion **out, lmb_solver *solver, int observer);

/* The same in the coordinates of another one of the same model, to be compared with it. */
lmb_status lmb_small_motion_like(lmb_small_motion **out, lmb_solver *solver,
                                 const lmb_small_motion *other);
void lmb_small_motion_free(lmb_small_motion *motion);

/* What generalised forces dQ (n) beside those of the model do: xdot (states), da (n), dl (rows). */
void lmb_small_motion_force(const lmb_small_motion *motion, const double *dQ, double *xdot,
                            double *da, double *dl);

#endif
