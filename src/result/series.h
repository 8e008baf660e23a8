/* What is read from results: instants, values between them, names of components. */
#ifndef LMB_RESULT_SERIES_H
#define LMB_RESULT_SERIES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/span.h"
#include "channels/component.h"
#include "limber/result.h"

/* How near a time must be to a stored instant to be that instant: 1e-9 of the step there, and
 * never less than the rounding of the numbers. */
double lmb_series_tolerance(const lmb_series *series, int index);

/* The index of the last instant not after t (up to the tolerance), -1 if all are after it. */
int lmb_series_before(const lmb_series *series, double t);

/* The index of the stored instant that t is, or -1. */
int lmb_series_at(const lmb_series *series, double t);

/* Report that t is not a stored instant, and name the nearest ones. */
lmb_status lmb_series_fail_instant(const lmb_series *series, lmb_context *context, double t);

/* Whether t is inside the record. */
bool lmb_series_covers(const lmb_series *series, double t);

/* The values at a time inside the record: the stored ones at an instant, else those of the cubic
 * through the four nearest instants. */
void lmb_series_interpolate(const lmb_series *series, double t, double *values);

/* Instants of an analysis, in the arena: `step` apart, or for 0 at most 300 of those stored, evenly
 * chosen. */
lmb_status lmb_result_instants(lmb_result *result, lmb_context *context, lmb_arena *arena,
                               int analysis, double step, double **time, int *count);

/* Replaces a record by its values at other times inside of it; false: out of memory. */
bool lmb_series_resample(lmb_series *series, const double *time, int count);

/* Leaves the instants in a span. An error if there is none: the message names the channel and says
 * what the record has. */
lmb_status lmb_series_cut(lmb_series *series, lmb_context *context, lmb_span span);

/* What a series is over, in equations: "t", "speed". */
const char *lmb_over_symbol(const lmb_channel *over);

#endif
