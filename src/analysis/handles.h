/* Two-handle equations: how the places where a body, or several joined ones, are held answer to the
 * forces there,
 *
 *   a_k = sum over l of zeta_kl F_l + zeta_k0,   zeta_kl = J_k M^-1 J_l^T
 *
 * a_k is the acceleration of handle k (of its point, and angular), F_l force and torque on handle
 * l, in global axes. Of joined bodies M^-1 is that of the bodies with their inner joints closed;
 * zeta_k0 is what applied forces and velocities do. Joining is described in docs/solvers.md. */
#ifndef LMB_ANALYSIS_HANDLES_H
#define LMB_ANALYSIS_HANDLES_H

#include "system/solver.h"

typedef struct lmb_handles {
    int count;
    int size;     /* components of a handle: 6, in the plane 3 (x, y, angle) */
    int *joint;   /* count: what holds it there, */
    int *marker;  /* and where */
    double *zeta; /* (count size) x (count size), by rows */
    double *bias; /* count size: zeta_k0 */
} lmb_handles;

/* Marks the bodies (body_count) on the shortest way along joints from one to another; false: there
 * is none without the ground. */
bool lmb_bodies_between(const lmb_model *model, int from, int to, bool *inside);

/* Finds the handles of the marked bodies, their joints to others, and the equations at the solver's
 * present state; in the solver's arena. Drivers of inner joints act. */
lmb_status lmb_find_handles(lmb_solver *solver, const bool *inside, lmb_handles *out);

#endif
