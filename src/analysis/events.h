/* Events of a dynamic analysis: what happens where an expression of channels crosses zero. */
#ifndef LMB_ANALYSIS_EVENTS_H
#define LMB_ANALYSIS_EVENTS_H

#include "analysis/dynamics.h"

typedef struct lmb_events lmb_events;

/* Watches the events that are not left out, from the present state of a motion on; NULL if there
 * are none. Which of them have happened is part of the state. */
lmb_status lmb_events_new(lmb_events **out, lmb_motion *motion);
void lmb_events_free(lmb_events *events);

/* Integrates to an instant and lets events happen on the way; one may stop it before. */
lmb_status lmb_events_advance(lmb_dynamics *dynamics, double end);

#endif
