/* The Runge-Kutta pair of Dormand and Prince (1980), orders 5 and 4:
 *
 *   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y_1 = y + h sum_j a_6j k_j,   error = h sum e_i k_i
 *
 * and the weights d of its interpolant of order 4 (Hairer, Norsett and Wanner). */
#ifndef LMB_INTEGRATE_DOPRI_H
#define LMB_INTEGRATE_DOPRI_H

#include "integrate/motion.h"

enum { LMB_DOPRI_STAGES = 7 };

extern const double lmb_dopri_c[LMB_DOPRI_STAGES];
extern const double lmb_dopri_a[LMB_DOPRI_STAGES][LMB_DOPRI_STAGES - 1];
extern const double lmb_dopri_e[LMB_DOPRI_STAGES];

/* sum_j weights_j rates_j of number i, for `count` vectors of rates, each of a size. */
double lmb_dopri_sum(const double *weights, int count, const double *rates, size_t size, size_t i);

/* Sets the state of a motion to its y0 + h sum_j weights_j rates_j. */
void lmb_dopri_combine(lmb_motion *motion, double h, const double *weights, int count,
                       const double *rates);

/* The stages of a step of length h from motion->y0; rates has room for seven times y. The state is
 * left at the end of the step, not stabilised. */
lmb_status lmb_dopri_step(lmb_motion *motion, double t, double h, double *rates);

/* The error estimated for a step, in units of the tolerance. */
double lmb_dopri_error(const lmb_motion *motion, double h, const double *rates);

/* y at y0 + theta h within a step, 0 <= theta <= 1. */
void lmb_dopri_interpolate(const lmb_motion *motion, const double *y0, double h,
                           const double *rates, double theta, double *y);

#endif
