/* Whether an explicit method can follow the vibrations of flexible bodies. */
#ifndef LMB_ANALYSIS_STABILITY_H
#define LMB_ANALYSIS_STABILITY_H

#include "system/model.h"

/* The highest angular frequency (rad/s) of the flexible bodies of a model, each by itself, and
 * whose it is; 0 without flexible bodies, -1 when out of memory. Joints and whatever they connect
 * only lower it. */
double lmb_highest_frequency(const lmb_model *model, const lmb_body **whose);

/* The longest step with which a method of fixed step stays stable for a while with vibrations of an
 * angular frequency; infinite for implicit methods. */
double lmb_stable_step(lmb_integrator integrator, double frequency, double duration);

/* Warns if an explicit method will not stay stable over an analysis, or if it will need very many
 * steps for that. */
void lmb_warn_stability(lmb_context *context, const lmb_model *model, const lmb_analysis *analysis);

#endif
