/* Objectives as functions of a series of values. */
#include "study/functional.h"

#include <math.h>
#include <string.h>

static double value_at(const lmb_series_view *s, int i)
{
    return s->values[(size_t)i * (size_t)s->stride];
}

/* Weights of the trapezoidal rule between two instants, with values in between linear; the length
 * of what is integrated. */
static double trapezoids(const lmb_series_view *s, double from, double to, double *weights)
{
    double length = 0;
    memset(weights, 0, (size_t)s->count * sizeof *weights);
    for (int i = 0; i + 1 < s->count; i++) {
        double a = fmax(s->t[i], from), b = fmin(s->t[i + 1], to), h = s->t[i + 1] - s->t[i];
        if (!(b > a) || !(h > 0))
            continue;
        /* the line between two points, integrated from a to b */
        double middle = ((a + b) / 2 - s->t[i]) / h;
        weights[i] += (b - a) * (1 - middle);
        weights[i + 1] += (b - a) * middle;
        length += b - a;
    }
    return length;
}

/* --- at an instant ---------------------------------------------------------------------------- */

/* The first of up to four neighbouring points with different instants that enclose t. */
static int enclose(const lmb_series_view *s, double t, int *count)
{
    int i = 0, after = s->count - 1; /* the last point but one, or t < s->t[i + 1] */
    while (after - i > 1) {
        int middle = i + (after - i) / 2;
        if (s->t[middle] <= t)
            i = middle;
        else
            after = middle;
    }
    int first = i - 1 < 0 ? 0 : i - 1;
    first = first + 4 > s->count ? s->count - 4 : first;
    first = first < 0 ? 0 : first;
    *count = s->count - first < 4 ? s->count - first : 4;
    return first;
}

/* Lagrange's weights of points at t, and their derivatives by t. */
static void lagrange(const double *x, int n, double t, double *w, double *dw)
{
    for (int k = 0; k < n; k++) {
        w[k] = 1;
        dw[k] = 0;
        for (int j = 0; j < n; j++) {
            if (j == k)
                continue;
            double per = 1 / (x[k] - x[j]);
            dw[k] = dw[k] * (t - x[j]) * per + w[k] * per;
            w[k] *= (t - x[j]) * per;
        }
    }
}

/* Whether instants follow each other without one that is there twice, as at an event. */
static bool is_smooth(const lmb_series_view *s, int first, int count)
{
    for (int k = first + 1; k < first + count; k++)
        if (!(s->t[k] > s->t[k - 1]))
            return false;
    return true;
}

/* The same as the trapezoidal rule with the cubic through four points in each interval, exact at
 * Gauss' two points of it. */
static double cubic_rule(const lmb_series_view *s, double from, double to, double *weights)
{
    double length = trapezoids(s, from, to, weights);
    for (int i = 0; i + 1 < s->count; i++) {
        double a = fmax(s->t[i], from), b = fmin(s->t[i + 1], to), h = s->t[i + 1] - s->t[i];
        int count, first = enclose(s, (s->t[i] + s->t[i + 1]) / 2, &count);
        if (!(b > a) || !(h > 0) || count < 4 || !is_smooth(s, first, count))
            continue;
        double middle = ((a + b) / 2 - s->t[i]) / h, w[4], dw[4];
        weights[i] -= (b - a) * (1 - middle);
        weights[i + 1] -= (b - a) * middle;
        for (int side = -1; side <= 1; side += 2) {
            lagrange(s->t + first, count, (a + b) / 2 + side * (b - a) / (2 * sqrt(3)), w, dw);
            for (int k = 0; k < count; k++)
                weights[first + k] += (b - a) / 2 * w[k];
        }
    }
    return length;
}

static double at_instant(const lmb_series_view *s, double t, double *weights)
{
    double w[4], dw[4], sum = 0;
    int count, first = enclose(s, t, &count);
    for (int k = 0; k < s->count; k++) /* a point of the series, but for rounding */
        if (fabs(s->t[k] - t) <= 1e-9 * fmax(fabs(t), s->t[s->count - 1] - s->t[0])) {
            weights[k] = 1;
            return value_at(s, k);
        }
    lagrange(s->t + first, count, t, w, dw);
    for (int k = 0; k < count; k++) {
        weights[first + k] = w[k];
        sum += w[k] * value_at(s, first + k);
    }
    return sum;
}

/* --- extremes --------------------------------------------------------------------------------- */

static bool inside(const lmb_objective *o, double t)
{
    return !(t < o->from) && !(t > o->to);
}

/* Where the cubic around point i has no slope, by bisection between the neighbours. */
static double find_top(const lmb_series_view *s, int first, int count, int i)
{
    double w[4], dw[4], low = s->t[i - 1], high = s->t[i + 1], t = s->t[i];
    double rising = value_at(s, i) >= value_at(s, i - 1) ? 1 : -1; /* before the extreme */
    for (int k = 0; k < 100 && high - low > 1e-15 * (fabs(t) + high - low); k++) {
        double slope = 0;
        lagrange(s->t + first, count, t, w, dw);
        for (int j = 0; j < count; j++)
            slope += dw[j] * value_at(s, first + j);
        *(rising * slope > 0 ? &low : &high) = t;
        t = (low + high) / 2;
    }
    return t;
}

/* The value of the extreme at point i, refined, with its weights. */
static double refine(const lmb_series_view *s, int i, double *weights, double *at)
{
    memset(weights, 0, (size_t)s->count * sizeof *weights);
    *at = s->t[i];
    weights[i] = 1;
    if (i == 0 || i == s->count - 1 || !(s->t[i] > s->t[i - 1]) || !(s->t[i + 1] > s->t[i]))
        return value_at(s, i);
    int count, first = enclose(s, (s->t[i] + s->t[i + 1]) / 2, &count);
    if (!is_smooth(s, first, count))
        return value_at(s, i);
    double w[4], dw[4], sum = 0;
    *at = find_top(s, first, count, i);
    lagrange(s->t + first, count, *at, w, dw);
    weights[i] = 0;
    for (int k = 0; k < count; k++) {
        weights[first + k] = w[k];
        sum += w[k] * value_at(s, first + k);
    }
    return sum;
}

static double exact_extreme(const lmb_objective *o, const lmb_series_view *s, double *weights,
                            lmb_functional_report *report)
{
    double sign = o->kind == LMB_OBJECTIVE_MAX ? 1 : -1, best = -INFINITY, second = -INFINITY;
    int at = -1;
    for (int i = 0; i < s->count; i++)
        if (inside(o, s->t[i]) && sign * value_at(s, i) > best) {
            best = sign * value_at(s, i);
            at = i;
        }
    if (at < 0) {
        report->impossible = true;
        return NAN;
    }
    for (int i = 1; i + 1 < s->count; i++) { /* other local extremes */
        double g = sign * value_at(s, i);
        bool top = g >= sign * value_at(s, i - 1) && g >= sign * value_at(s, i + 1);
        if (top && (i < at - 1 || i > at + 1) && inside(o, s->t[i]))
            second = fmax(second, g);
    }
    report->second = isfinite(second) ? sign * second : NAN;
    return refine(s, at, weights, &report->at);
}

/* Smooth ones; weights have those of the trapezoidal rule. */
static double smooth_extreme(const lmb_objective *o, const lmb_series_view *s, double length,
                             double *weights, lmb_functional_report *report)
{
    double sign = o->kind == LMB_OBJECTIVE_MAX ? 1 : -1, k = o->sharpness, most = -INFINITY,
           sum = 0;
    bool norm = o->smoothing == LMB_SMOOTH_NORM;
    for (int i = 0; i < s->count; i++)
        if (weights[i] > 0) {
            double g = value_at(s, i);
            report->impossible |= norm && !(g > 0);
            most = fmax(most, norm ? sign * log(g) : sign * g);
        }
    if (report->impossible || !(length > 0)) {
        report->impossible = true;
        return NAN;
    }
    for (int i = 0; i < s->count; i++) {
        double g = value_at(s, i), exponent = norm ? sign * log(g) : sign * g;
        weights[i] *= weights[i] > 0 ? exp(k * (exponent - most)) : 0;
        sum += weights[i];
    }
    double mean = most + log(sum / length) / k, G = norm ? exp(sign * mean) : sign * mean;
    for (int i = 0; i < s->count; i++)
        weights[i] *= (norm ? G / value_at(s, i) : 1) / sum;
    return G;
}

/* --- all -------------------------------------------------------------------------------------- */

static double over_time(const lmb_objective *o, const lmb_series_view *s, double length,
                        double *weights, lmb_functional_report *report)
{
    double sum = 0;
    report->impossible = !(length > 0);
    for (int i = 0; i < s->count; i++) {
        double g = value_at(s, i);
        sum += weights[i] * (o->kind == LMB_OBJECTIVE_RMS ? g * g : g);
    }
    double mean = sum / length, root = sqrt(mean);
    for (int i = 0; i < s->count; i++)
        weights[i] *= o->kind == LMB_OBJECTIVE_INTEGRAL ? 1
                      : o->kind == LMB_OBJECTIVE_MEAN   ? 1 / length
                      : root > 0                        ? value_at(s, i) / (length * root)
                                                        : 0;
    return o->kind == LMB_OBJECTIVE_INTEGRAL ? sum : o->kind == LMB_OBJECTIVE_MEAN ? mean : root;
}

double lmb_functional(const lmb_objective *o, lmb_series_view s, double *weights,
                      lmb_functional_report *report)
{
    *report = (lmb_functional_report){.at = NAN, .second = NAN};
    memset(weights, 0, (size_t)s.count * sizeof *weights);
    if (s.count == 0) {
        report->impossible = true;
        return NAN;
    }
    if (o->kind == LMB_OBJECTIVE_FINAL) {
        weights[s.count - 1] = 1;
        return value_at(&s, s.count - 1);
    }
    if (o->kind == LMB_OBJECTIVE_AT)
        return at_instant(&s, o->at, weights);
    if (o->kind >= LMB_OBJECTIVE_MIN && o->smoothing == LMB_SMOOTH_NOT)
        return exact_extreme(o, &s, weights, report);
    double from = isnan(o->from) ? -INFINITY : o->from, to = isnan(o->to) ? INFINITY : o->to;
    if (o->kind <= LMB_OBJECTIVE_RMS)
        return over_time(o, &s, cubic_rule(&s, from, to, weights), weights, report);
    return smooth_extreme(o, &s, trapezoids(&s, from, to, weights), weights, report);
}
