/* Differences of records; see deviation.h. */
#include "compare/deviation.h"

#include <math.h>
#include <stddef.h>

/* The distance of two numbers; equal infinities and two missing numbers are equal. */
static double distance(double x, double y)
{
    if (x == y || (isnan(x) && isnan(y)))
        return 0;
    double d = fabs(x - y);
    return isnan(d) ? INFINITY : d;
}

static bool same_instants(const lmb_series *a, const lmb_series *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!(fabs(a->time[i] - b->time[i]) <= lmb_series_tolerance(a, i)))
            return false;
    return true;
}

/* Whether a record has values at a time, or so near to it that they can be interpolated. */
static bool knows(const lmb_series *s, double t, double gap)
{
    if (!lmb_series_covers(s, t))
        return false;
    int i = lmb_series_before(s, t);
    return lmb_series_at(s, t) >= 0 || s->time[i + 1] - s->time[i] <= gap;
}

lmb_deviation lmb_deviation_of(const lmb_series *a, const lmb_series *b, double gap, double *row)
{
    lmb_deviation d = {.largest = -1, .interpolated = !same_instants(a, b)};
    double sum = 0;
    for (int i = 0; i < a->count; i++) {
        double t = a->time[i];
        const double *x = a->values + (size_t)i * (size_t)a->size, *y = row;
        if (!d.interpolated)
            y = b->values + (size_t)i * (size_t)b->size;
        else if (knows(b, t, gap))
            lmb_series_interpolate(b, t, row);
        else
            continue;
        d.from = d.compared++ == 0 ? t : d.from;
        d.to = t;
        for (int k = 0; k < a->size; k++) {
            double own = distance(x[k], y[k]);
            sum += own * own;
            if (own > d.largest) {
                d.largest = own;
                d.at = t;
            }
        }
    }
    d.largest = fmax(d.largest, 0);
    if (d.compared)
        d.rms = sqrt(sum / ((double)d.compared * (double)(a->size > 0 ? a->size : 1)));
    return d;
}
