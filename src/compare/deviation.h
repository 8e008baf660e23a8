/* How far apart two records of a channel are. */
#ifndef LMB_COMPARE_DEVIATION_H
#define LMB_COMPARE_DEVIATION_H

#include "result/series.h"

typedef struct lmb_deviation {
    double largest, at, rms; /* over all components; `at` is the time of the largest */
    double from, to;         /* the span that was compared */
    bool interpolated;       /* the second record, at instants of the first */
    int compared;            /* instants */
} lmb_deviation;

/* Compares two records of the same size, at the instants of the first that the second covers. Steps
 * of the second longer than `gap` are not interpolated. `row` has room for the values of an
 * instant.
 */
lmb_deviation lmb_deviation_of(const lmb_series *a, const lmb_series *b, double gap, double *row);

#endif
