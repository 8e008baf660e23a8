/* Objectives as functions of a series: the values g_i that an expression has at points t_i of an
 * analysis become one number G, with its derivatives by all of them:
 *
 *   integral     sum w_i g_i              of the cubic through four points in each interval
 *   mean, rms    that over the duration; root of the mean of g^2
 *   final        the last g
 *   at           the value at an instant: that of a point, or of the cubic through four of them
 *   min, max     the extreme of the cubic through the four points around the extreme one, or the
 *                value at an end of the span
 *   ks           ln(mean exp(k g)) / k    of max; of min that of -g, negative
 *   p-norm       (mean g^p)^(1/p)         of g >= 0; of min with -p
 *
 * The means of smooth extremes are those of the trapezoidal rule, which never leave the span of the
 * values however sharp they are. Points outside of the window do not enter, except by the value at
 * its edge, on the line between two points. The derivatives of a p-norm by values of 0 are limits.
 *
 * An exact extreme lies where the cubic has no slope, so that its derivatives are those at an
 * instant that stays where it is. */
#ifndef LMB_CHANNELS_FUNCTIONAL_H
#define LMB_CHANNELS_FUNCTIONAL_H

#include "base/message.h"
#include "system/model.h"

/* A part of a series: number i is values[i * stride]. */
typedef struct lmb_series_view {
    int count;
    const double *t;
    const double *values;
    int stride;
    bool discrete; /* there is nothing between the points: they are modes */
} lmb_series_view;

/* A value as a sum of up to four neighbouring ones. */
typedef struct lmb_spot {
    double t, value, w[4];
    int first, count;
    int near; /* a point next to it */
} lmb_spot;

/* The value at an instant: that of a point, but for rounding, or between two that of the cubic
 * through four. */
lmb_spot lmb_spot_at(const lmb_series_view *series, double t);

/* What came of it besides the number. */
typedef struct lmb_functional_report {
    double at;       /* of an exact extreme: where it is, */
    double second;   /* and the next best extreme elsewhere; NaN: there is none */
    bool impossible; /* a p-norm with a value below 0, `second` at the instant `at`, or nothing in
                        the span */
} lmb_functional_report;

/* The number; weights (count) are its derivatives by the values. */
double lmb_functional(const lmb_objective *objective, lmb_series_view series, double *weights,
                      lmb_functional_report *report);

#endif
