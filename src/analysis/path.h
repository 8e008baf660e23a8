/* A path of equilibria: positions and multipliers at rest as the load factor s grows from 0,
 *
 *   Phi_q^T lambda - Q(q, s) = 0,   Phi(q) = 0,   Q = Q_0(q) + s P(q)
 *
 * P are gravity and the forces that are loads (system/state.h). With x = (q, s) and its distances
 * measured by
 *
 *   <x, x'> = d^T W d' / n + D^2 s s'        (n: coordinates, D: their displacement by the first s)
 *
 * the tangent of the path is t = (d_P, 1) / |(d_P, 1)|, K d_P = P in the free directions, with the
 * sign that goes on. A step from x0 of the length h solves the equations together with
 *
 *   <t, x - x0> = h        (arc length, which passes limit points), or s - s0 = h (the load)
 *
 * by Newton's method: d = d_Q + ds d_P, K d_Q = Q.
 *
 * Unstable directions are counted by the pivots of K. With forces that have no potential K is not
 * symmetric, and its symmetric part says nothing of equilibria: there the sign of its determinant
 * tells whether their number is odd. A vibration that grows (flutter) is not seen here. */
#ifndef LMB_ANALYSIS_PATH_H
#define LMB_ANALYSIS_PATH_H

#include "analysis/stiffness.h"

/* A point of the path: what is needed to go on from there. */
typedef struct lmb_path_point {
    double *numbers; /* of the state from q on: positions, multipliers, turns of angles */
    double *tangent; /* nv: of q, */
    double rate;     /* and of s */
    double load;     /* s */
    int unstable;    /* free directions of negative stiffness; without potential 1: an odd number */
} lmb_path_point;

typedef struct lmb_path_walk {
    lmb_solver *solver;
    lmb_stiffness *stiffness;
    bool arc;                  /* steps are arc lengths, else of the load factor */
    bool circulatory;          /* some forces have no potential */
    bool singular;             /* the stiffness where it was looked at last */
    double D;                  /* see above */
    double typical;            /* the largest force so far */
    int iterations;            /* of the last step, */
    int total;                 /* and of all steps since `total` was set to 0 */
    int worst;                 /* the coordinate farthest off after a step that failed; -1: none */
    lmb_path_point here;       /* the present point, */
    lmb_path_point last;       /* and the one before */
    double *P, *d_P, *d_Q, *d; /* nv */
    double *spare;             /* numbers of a state */
    bool *turns;               /* nv: coordinates that are angles */
    lmb_arena *arena;          /* owns these arrays */
} lmb_path_walk;

/* Starts at the solver's present state, an equilibrium without the load. */
lmb_status lmb_path_start(lmb_path_walk **out, lmb_solver *solver, bool arc);
void lmb_path_free(lmb_path_walk *walk);

/* Takes a step of the length h from the present point, which becomes the last one; `done` is false
 * if there is no such point near the tangent, and then it stays. */
lmb_status lmb_path_step(lmb_path_walk *walk, double h, bool *done);

/* Goes back to the last point. */
void lmb_path_back(lmb_path_walk *walk);

/* Between the last point and the present one, a step of h apart, the number of unstable directions
 * has changed: finds the point where the stiffness is singular, which becomes the present one, and
 * its mode (nv, unit length in the metric). The last point stays. `limit`: the load factor turns
 * there; else another path branches off. `jump`: there is no such point, the step has missed a
 * sharp bend and come to another path; a shorter one is needed. */
lmb_status lmb_path_critical(lmb_path_walk *walk, double h, double *mode, bool *limit, bool *jump);

/* Turns from the present point, a bifurcation, to the path that branches off along a mode: the
 * tangent there becomes (mode, 0), with the sign that makes its largest number positive. A step of
 * h is then a point of the other path, which the condition <mode, q - q0> = h keeps off this one.
 */
void lmb_path_turn(lmb_path_walk *walk, const double *mode);

#endif
