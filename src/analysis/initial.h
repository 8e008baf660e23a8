/* Where a motion begins: the initial values of joint coordinates and their rates, and the initial
 * velocities of bodies, as the model prescribes them. They hold in a state that is still `placed`.
 */
#ifndef LMB_ANALYSIS_INITIAL_H
#define LMB_ANALYSIS_INITIAL_H

#include "system/extended.h"

/* The joint coordinates that are prescribed in the solver's state, as further rows of its assembly;
 * NULL if there are none and nodes move by themselves. A driver of the same coordinate that says
 * something else is an error. */
lmb_status lmb_initial_positions(lmb_extended **out, lmb_solver *solver, lmb_extended_kind kind);

/* Fails for a joint coordinate that is not where it is to be, though the joints are closed and the
 * coordinates before it have their values. */
lmb_status lmb_initial_unreachable(lmb_solver *solver, const lmb_extended *extended, int which);

/* The smallest change of the state's velocities with which they satisfy the rows, while what the
 * model prescribes stays: velocities of bodies as they are in the state, rates of joints as given.
 * Bodies of several nodes move as wholes, and deform only if they must.
 * What contradicts the joints by less than 1e-6 of the velocities is changed by that; more is an
 * error that says by how much. Needs the position; lmb_find_rank comes before. */
lmb_status lmb_fit_velocities(lmb_solver *solver);

/* The velocities that drivers ask for, all else at rest. */
lmb_status lmb_driven_velocities(lmb_solver *solver);

/* Fails if the state's velocities are not those that the model prescribes for joints: for motions
 * that drivers determine. */
lmb_status lmb_check_initial_rates(lmb_solver *solver);

#endif
