/* Switching joints, drivers and forces off and on in a state.
 *
 * What is off does not act: its equations read lambda = 0, its force is zero. Nothing is removed,
 * so the patterns of all matrices stay. A motion that is under way must be told afterwards
 * (lmb_dynamics_switched). */
#ifndef LMB_SYSTEM_SWITCH_H
#define LMB_SYSTEM_SWITCH_H

#include "system/state.h"

/* A joint that is switched off takes the drivers of its coordinates and the forces along them with
 * it; switched on it comes back alone. */
void lmb_switch_joint(lmb_state *state, int joint, bool on);
void lmb_switch_driver(lmb_state *state, int driver, bool on);
void lmb_switch_force(lmb_state *state, int force, bool on);

/* Switches joints, drivers and forces of a list. */
void lmb_switch_selection(lmb_state *state, const lmb_selection *selection, bool on);

/* For the beginning of an analysis: switches everything on but what it does without; no event has
 * happened yet. */
void lmb_switch_absent(lmb_state *state, const lmb_selection *absent);

#endif
