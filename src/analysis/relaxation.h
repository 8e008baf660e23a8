/* Dynamic relaxation: a mechanism comes to rest by moving, where Newton's method fails. */
#ifndef LMB_ANALYSIS_RELAXATION_H
#define LMB_ANALYSIS_RELAXATION_H

#include "system/solver.h"

/* Moves the bodies from an assembled position towards rest until the forces that are left over are
 * below a part of the typical ones; false if that takes too long, the joints open, something runs
 * away, or the work was interrupted. Velocities stay zero. */
bool lmb_relax(lmb_solver *solver, double part);

#endif
