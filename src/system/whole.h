/* Bodies of several nodes that move as a whole.
 *
 * The first node of such a body has a frame (r_0, R_0), which leads the others: nodes with frames
 * and points. With w = R_0 omega_0, or the angular velocity in the plane,
 *
 *   rdot_i = rdot_0 + w x (r_i - r_0),   omega_i = R_i^T w          v_i = T_i v_0
 *
 * Modal coordinates do not follow. Bodies of one node lead themselves: T = 1. */
#ifndef LMB_SYSTEM_WHOLE_H
#define LMB_SYSTEM_WHOLE_H

#include "system/state.h"

/* The node of the model that a node moves with: another one, or itself. */
int lmb_whole_leader(const lmb_model *model, int node);

/* Whether the model has nodes that follow others. */
bool lmb_whole_exists(const lmb_model *model);

/* Numbers of the velocity coordinates of all nodes with those of the leaders: x_i = T_i x_0, in
 * place, at the state's position. */
void lmb_whole_follow(const lmb_state *state, double *x);

/* The same of one node: x (nv of the node) with x_0 of its leader. */
void lmb_whole_rate(const lmb_state *state, int node, const double *x0, double *x);

/* Adds T_i^T of a force g on the velocity coordinates `from`, `from` + 1, ... (n) of a node to that
 * on those of its leader. */
void lmb_whole_load(const lmb_state *state, int node, int from, int n, const double *g,
                    double *out);

/* Adds T^T g of forces on all nodes to those of the leaders, both nv. */
void lmb_whole_reduce(const lmb_state *state, const double *g, double *out);

/* Turns velocities of nodes that follow from the axes of their leaders to global ones, or back; the
 * numbers of other nodes, and angular velocities, stay as they are (both nv). */
void lmb_whole_turn(const lmb_state *state, const double *x, bool back, double *out);

/* The accelerations of nodes (nv) when those of the leaders are zero, and nodes move against them
 * with rates u = (ur_i, uw_i) (nv; zero for leaders) that are constant in the axes of the leader
 * and of the node:
 *   w x (w x (r_i - r_0)) + 2 w x ur_i,   (R_i^T w) x uw_i */
void lmb_whole_bias(const lmb_state *state, const double *u, double *a);

/* The angular velocity (or acceleration) in global axes of a node with a frame, from the numbers x
 * (nv) of all. */
vec3 lmb_whole_angular(const lmb_state *state, const lmb_node *node, const double *x);

/* q = from (+) d of the leaders; nodes that follow move rigidly with them. */
void lmb_whole_retract(lmb_state *state, const double *from, const double *d);

/* The stiffness K of bodies with nodes that follow, at rest and without gravity, as blocks of
 * couples (couple_values), and their elastic forces (nv); the rest is 0. `rest` are zeros (nv). */
void lmb_whole_stiffness(const lmb_state *state, const double *rest, double *K, double *force);

/* While the state has moved from the position q0, velocities stay what they were: angular ones in
 * global axes, and nodes that follow have those of their body about the first node. */
void lmb_whole_turn_velocities(lmb_state *state, const double *q0);

#endif
