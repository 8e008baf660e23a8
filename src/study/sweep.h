/* Sweeps and tolerances: a model run at many values of its parameters.
 *
 * A sweep tabulates objectives over a grid, a list, a Latin hypercube or drawn samples. Each
 * sample is the same for any number of threads, and so are the results. What a variable does to an
 * objective is told by its least and largest mean over the values of that variable (its main
 * effect), or where values are drawn by a linear regression over all variables.
 *
 * Tolerances: to first order, with the gradient at the means of the variables,
 *
 *   sigma_G^2 = sum (dG/dp_i sigma_i)^2
 *
 * against the mean and the deviation of drawn samples, with the error that these have by chance,
 *
 *   of the mean s / sqrt(N),   of the deviation sqrt(m4 - s^4 (N - 3) / (N - 1)) / (2 s sqrt(N)) */
#ifndef LMB_STUDY_SWEEP_H
#define LMB_STUDY_SWEEP_H

#include "study/study.h"

/* Makes a sweep, or finds tolerances, as lmb_sweep and lmb_tolerance do; `finish` may be NULL. */
lmb_status lmb_sweep_study(lmb_swept **out, lmb_context *context, const lmb_spec *spec,
                           const lmb_study_options *options, lmb_study_kind kind,
                           lmb_study_finish *finish);

/* What the samples say of the objectives (sweep_statistics.c); LMB_SOLVER: out of memory. */
lmb_status lmb_swept_statistics(lmb_swept *swept, lmb_context *context);

#endif
