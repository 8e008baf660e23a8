/* The shape that bodies of several nodes have at the beginning, at rest or in motion, without
 * vibrating; sparse, for bodies of any number of nodes.
 *
 * In motion each body moves as a rigid one in its present shape (system/whole.h), with velocities z
 * of its first node, modal coordinates at rest:
 *
 *   v = T z,   a = T z' + b(q, v)
 *   z    fits joints, drivers and the rates of the free coordinates c of the rigid motion
 *   z'   T^T (M a + Phi_q^T lambda - Q) = 0,  Phi_q a = gamma: the rigid bodies' own dynamics
 *
 * and the shape is the q with
 *
 *   M a + Phi_q^T lambda + c_q^T mu = Q(q, v, t),   Phi = 0,   c(q) as given
 *
 * At rest v = a = 0, and mu are the forces that hold the c; in motion mu = 0. */
#ifndef LMB_ANALYSIS_STEADY_SHAPE_H
#define LMB_ANALYSIS_STEADY_SHAPE_H

#include "system/extended.h"

/* Finds it from the solver's present state, which is assembled and whose velocities fit; q, v, a
 * and lambda of the state are then those of the shape. False: it is not found, and the state is as
 * it was. */
lmb_status lmb_steady_shape(lmb_solver *solver, bool at_rest, bool *found);

#endif
