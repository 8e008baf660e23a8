/* Assembly: closes the joints from a rough guess. */
#ifndef LMB_ANALYSIS_ASSEMBLY_H
#define LMB_ANALYSIS_ASSEMBLY_H

#include "system/solver.h"

/* Moves the bodies as little as possible so that all rows hold at the state's time, on their right
 * branches. If that cannot be done the message names the joints that stay open, and by how much. */
lmb_status lmb_assemble(lmb_solver *solver);

#endif
