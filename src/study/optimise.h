/* The best design of a model: parameters within bounds, or from lists of choices, for which an
 * objective is least (or largest) while other objectives keep to their limits; or between two
 * objectives the curve of designs that cannot be better in both.
 *
 * Variables are scaled to their bounds, objectives to their values at the start. Where the model
 * cannot be run, the optimiser is told of a large value, so that it steps back.
 *
 * At the end the multipliers of the limits and bounds that are active follow by least squares from
 *
 *   df/dx + sum lambda_i dg_i/dx = 0,     lambda_i = - d(least f) / d(limit_i)
 *
 * What is left of it tells how well the design is known. */
#ifndef LMB_STUDY_OPTIMISE_H
#define LMB_STUDY_OPTIMISE_H

#include "math/minimise.h"
#include "study/study.h"

/* Finds it as lmb_optimise does; `finish` may be NULL. */
lmb_status lmb_optimise_study(lmb_optimum **out, lmb_context *context, const lmb_spec *spec,
                              const lmb_study_options *options, lmb_study_finish *finish);

#endif
