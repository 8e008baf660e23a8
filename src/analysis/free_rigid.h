/* The free coordinates c of the rigid motion of a model whose bodies move as wholes: coordinates of
 * joints where there are, in the order of the file, else velocity coordinates of bodies; as many as
 * joints and drivers leave free. Modal coordinates are held. */
#ifndef LMB_ANALYSIS_FREE_RIGID_H
#define LMB_ANALYSIS_FREE_RIGID_H

#include "system/extended.h"

/* Chooses them at the solver's present position, whose Jacobian is there; an array in the arena,
 * with the state's rates as values. */
lmb_status lmb_free_rigid(lmb_solver *solver, lmb_arena *arena, lmb_given **out, int *count);

#endif
