/* The metric in which bodies of several nodes bend softly: the change d of a position with the
 * smallest
 *
 *   d^T W d + kappa (d^T K d / 2 - d^T F),        F = -dU/dq, K = d2U/dq2
 *
 * has next to no strain energy where rigid motions are enough, and the least where they are not.
 * kappa K is at most 1e10 W: the part of rounding in rigid motions then is 1e-6. */
#ifndef LMB_ANALYSIS_ELASTIC_METRIC_H
#define LMB_ANALYSIS_ELASTIC_METRIC_H

#include "system/extended.h"

/* Sets H of an elastic system to kappa K at the solver's position, and finds kappa F (nv). `rest`
 * are zeros (nv). */
void lmb_elastic_metric(lmb_extended *extended, const lmb_solver *solver, const double *rest,
                        double *force);

#endif
