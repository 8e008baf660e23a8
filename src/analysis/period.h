/* The period of what drives a mechanism: of the laws of its drivers and forces. */
#ifndef LMB_ANALYSIS_PERIOD_H
#define LMB_ANALYSIS_PERIOD_H

#include "system/equations.h"

/* Checks a period against all laws from the state's time on; or, for 0, finds it where a driver
 * turns a joint at constant speed. An error if nothing is driven, if a law does not repeat itself,
 * or if no period is found. The state keeps its time. */
lmb_status lmb_find_period(lmb_state *state, lmb_context *context, double *period);

#endif
