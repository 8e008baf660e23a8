/* Assembly of a mechanism and its mobility: degrees of freedom by rank, redundant constraints. */
#ifndef LMB_ANALYSIS_MOBILITY_H
#define LMB_ANALYSIS_MOBILITY_H

#include "system/solver.h"

/* Moves the bodies as little as possible so that all rows hold at the state's time, on their right
 * branches. If that cannot be done the message names the joints that stay open, and by how much. */
lmb_status lmb_assemble(lmb_solver *solver);

/* What the rank of the Jacobian says at the present position. */
typedef struct lmb_rank {
    lmb_mobility counts;
    bool *dependent; /* nrows: this row repeats others that stand before it in the file */
    bool *shared;    /* nrows: its multiplier is not unique */
    bool *loose;     /* nv: this coordinate can still move */
    int singular;    /* redundant rows that are so in this position only: a branch point */
} lmb_rank;

/* Finds the rank at the solver's present position; where rows repeat others, the solver uses the
 * proximal iteration from then on. The arrays live in the solver's arena. */
lmb_status lmb_find_rank(lmb_solver *solver, lmb_rank *rank);

/* Moves to a position near by that the joints allow, drivers left out, in a direction that a number
 * chooses; false if there is none, or it is not found. The position is the caller's to restore. */
bool lmb_move_beside(lmb_solver *solver, unsigned random);

/* Fail unless the drivers determine the motion of all bodies, except for deformations. */
lmb_status lmb_check_determined(lmb_solver *solver, const lmb_rank *rank);

/* Fail if redundant rows contradict the others as soon as the drivers move. Overwrites the
 * velocity.
 */
lmb_status lmb_check_velocities(lmb_solver *solver, const lmb_rank *rank);

/* Says in a warning which constraints are redundant, if any are. */
void lmb_warn_redundant(lmb_solver *solver, const lmb_rank *rank);

#endif
