/* Statics: the position in which a mechanism rests. */
#ifndef LMB_ANALYSIS_STATICS_H
#define LMB_ANALYSIS_STATICS_H

#include "system/solver.h"

/* Moves the bodies from an assembled position to equilibrium at the state's time, with all
 * velocities zero and the reactions in lambda. Free directions without any force stay where they
 * are. */
lmb_status lmb_find_equilibrium(lmb_solver *solver);

/* The same for the table of analyses. */
lmb_status lmb_solve_statics(lmb_solver *solver, const lmb_analysis *analysis);

/* Dynamic relaxation: moves the bodies from an assembled position towards rest until the forces
 * that are left over are below a part of the typical ones; false if that takes too long, the joints
 * open, something runs away, or the work was interrupted. Velocities stay zero. */
bool lmb_relax(lmb_solver *solver, double part);

/* What is left of the forces at the present position beside the reactions, which become lambda: its
 * size in the metric of the model. s->force has the forces. */
double lmb_imbalance(lmb_solver *solver);

/* A typical force, to compare with: the largest of s->force and the reactions, moments over
 * lengths. */
double lmb_typical_force(const lmb_solver *solver);

/* Whether some force has no potential: it turns with a body, is a torque in space, or follows the
 * position of others, or a body has first-order states. K is then not symmetric. */
bool lmb_is_circulatory(const lmb_state *state);

/* Return the coordinate that moves farthest in a step (nv). */
int lmb_largest_entry(const lmb_model *model, const double *step);

/* The size of the largest island: the diagonal of a box around its points, magnified. */
double lmb_extent(const lmb_state *state);

/* The largest weight, force or torque by itself: in equilibrium their sum may be zero. */
double lmb_largest_load(const lmb_state *state);

#endif
