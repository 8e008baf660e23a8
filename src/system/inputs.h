/* Inputs: the channels that the laws of forces depend on, with their exact derivatives.
 *
 * An input is a number of one or two frames and their velocities: a position, a velocity, an angle,
 * a joint coordinate or its rate. So a law that uses it makes the force depend on further bodies.
 * The reaction of a joint, which friction needs, depends on multipliers too. */
#ifndef LMB_SYSTEM_INPUTS_H
#define LMB_SYSTEM_INPUTS_H

#include "system/state.h"

double lmb_input_value(const lmb_state *state, const lmb_input *input);

/* The derivatives of a reaction by the multipliers of its joint, in their places. */
void lmb_reaction_slope(const lmb_state *state, const lmb_input *input, double *slope);

/* Adds what a force owes to the inputs of its law to the tangents -dQ/dq and -dQ/dv, blocks of
 * couples of bodies, and to -dQ/dlambda of the state. */
void lmb_input_tangent(const lmb_state *state, const lmb_force *force, double *by_q, double *by_v);

#endif
