/* How far the nodes of an element turn against each other.
 *
 * Rotations are interpolated by rotation vectors between the nodes of an element. These are unique
 * up to pi only: beyond, the other way round is shorter, and strains jump. Long before that the
 * interpolation is no longer accurate, so what needs elements that turn by more than 2 rad is
 * refused. */
#ifndef LMB_SYSTEM_ELEMENT_TURNS_H
#define LMB_SYSTEM_ELEMENT_TURNS_H

#include "system/state.h"

#define LMB_LARGE_TURN 2.0 /* rad */

/* A failure that names body, element and time if an element of a state turns too far. */
lmb_status lmb_check_element_turns(lmb_context *context, const lmb_state *state);

#endif
