/* Statics: the position in which a mechanism rests. */
#ifndef LMB_ANALYSIS_STATICS_H
#define LMB_ANALYSIS_STATICS_H

#include "analysis/linearise.h"

/* Moves the bodies from an assembled position to equilibrium at the state's time, with all
 * velocities zero and the reactions in lambda. Free directions without any force stay where they
 * are. */
lmb_status lmb_rest(lmb_solver *solver);

#endif
