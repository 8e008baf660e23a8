/* The shape that flexible bodies have at the beginning, at rest or in motion, without vibrating;
 * sparse, for bodies of any number of nodes and modes.
 *
 * In motion each body moves as a rigid one in its present shape (system/whole.h), with velocities z
 * of its first node. Its nodes and modal coordinates move against that with constant rates u:
 *
 *   v = T z + u,   a = T z' + b(q, v, u)
 *   z    fits joints, drivers and the rates of the free coordinates c of the rigid motion
 *   z'   T^T (M a + Phi_q^T lambda - Q) = 0,  Phi_q a = gamma: the rigid bodies' own dynamics
 *
 * and the shape is the q with
 *
 *   M a + Phi_q^T lambda + c_q^T mu = Q(q, v, t),   Phi = 0,   c(q) as given
 *
 * At rest v = a = 0, and mu are the forces that hold the c; in motion mu = 0.
 *
 * u is the rate at which the shape changes along the motion (analysis/steady_rate.c). Where joints
 * deform bodies at other rates (more of them than rigid bodies would need), v and a differ from the
 * above by as little strain energy as possible. */
#ifndef LMB_ANALYSIS_STEADY_SHAPE_H
#define LMB_ANALYSIS_STEADY_SHAPE_H

#include "system/extended.h"

typedef struct lmb_steady_shape {
    lmb_solver *solver;
    bool at_rest;
    lmb_extended *whole;     /* for velocities and accelerations: the rates of the c are given, */
    lmb_extended *shape;     /* and for steps: their values, */
    double *q_given;         /* nq: those of velocity coordinates of bodies */
    double *rate, *u;        /* nv: u in the axes of leaders, 0 at first; in global ones */
    double *x, *y, *step;    /* nv: room */
    double *held;            /* nv: the load that is applied in steps, */
    double share;            /* and how much of it acts */
    double *g, *c;           /* nrows, count: right sides */
    lmb_state *start, *kept; /* where the search begins, and the last load */
    lmb_arena *arena;
} lmb_steady_shape;

/* Takes the present motion of the free coordinates as given; the solver's state is assembled and
 * its velocities fit. */
lmb_status lmb_steady_shape_new(lmb_steady_shape **out, lmb_solver *solver, bool at_rest);
void lmb_steady_shape_free(lmb_steady_shape *shape);

/* Finds the shape for what is given at the state's time, from its present position; q, v, a and
 * lambda of the state are then those of the shape. False: it is not found, and the state is as it
 * was. */
bool lmb_steady_shape_find(lmb_steady_shape *shape);

/* Finds the shape as it follows the motion from the present instant on, and its rate. `step` is a
 * time in which the motion changes little. Not found: no shape, or none shortly afterwards. */
lmb_status lmb_steady_shape_follow(lmb_steady_shape *shape, double step, bool *found);

#endif
