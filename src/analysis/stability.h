/* Whether an explicit method can follow the vibrations of flexible bodies. */
#ifndef LMB_ANALYSIS_STABILITY_H
#define LMB_ANALYSIS_STABILITY_H

#include "system/model.h"

/* The highest angular frequency (rad/s) of the flexible bodies of a model, each by itself, and
 * whose it is; 0 without flexible bodies, -1 when out of memory. Joints and whatever they connect
 * only lower it. */
double lmb_highest_frequency(const lmb_model *model, const lmb_body **whose);

/* Warns if an explicit method will not stay stable over an analysis, or if it will need very many
 * steps for that. */
void lmb_warn_stability(lmb_context *context, const lmb_model *model, const lmb_analysis *analysis);

#endif
