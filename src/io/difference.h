/* How far apart two records of a channel are. */
#ifndef LMB_IO_DIFFERENCE_H
#define LMB_IO_DIFFERENCE_H

#include "io/series.h"

typedef struct lmb_difference {
    double largest, at, rms; /* over all components; `at` is the time of the largest */
    double from, to;         /* the span that was compared */
    bool interpolated;       /* the second record, at instants of the first */
    int compared;            /* instants */
} lmb_difference;

/* Compares two records of the same size, at the instants of the first that the second covers. `row`
 * has room for the values of an instant. */
lmb_difference lmb_difference_of(const lmb_series *a, const lmb_series *b, double *row);

#endif
