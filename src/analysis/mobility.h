/* Mobility: degrees of freedom by rank, and which constraints are redundant. */
#ifndef LMB_ANALYSIS_MOBILITY_H
#define LMB_ANALYSIS_MOBILITY_H

#include "analysis/solver.h"

/* What the rank of the Jacobian says at the present position. */
typedef struct lmb_rank {
    lmb_mobility counts;
    bool *dependent; /* nrows: this row repeats others that stand before it in the file */
    bool *shared;    /* nrows: its multiplier is not unique */
} lmb_rank;

/* Finds the rank at the solver's present position; the arrays live in the solver's arena. */
lmb_status lmb_find_rank(lmb_solver *solver, lmb_rank *rank);

/* Says in a warning which constraints are redundant, if any are. */
void lmb_warn_redundant(lmb_solver *solver, const lmb_rank *rank);

#endif
