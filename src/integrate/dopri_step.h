/* Steps of the pair of Dormand and Prince on a motion. */
#ifndef LMB_INTEGRATE_DOPRI_STEP_H
#define LMB_INTEGRATE_DOPRI_STEP_H

#include "integrate/dopri.h"
#include "integrate/motion.h"

/* The stages of a step of length h from motion->y0; rates has room for seven times y. The state is
 * left at the end of the step, not stabilised. */
lmb_status lmb_dopri_step(lmb_motion *motion, double t, double h, double *rates);

/* The error estimated for a step, in units of the tolerance. */
double lmb_dopri_error(const lmb_motion *motion, double h, const double *rates);

/* y at y0 + theta h within a step, 0 <= theta <= 1. */
void lmb_dopri_interpolate(const lmb_motion *motion, const double *y0, double h,
                           const double *rates, double theta, double *y);

#endif
