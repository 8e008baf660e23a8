/* Objectives as functions of a series of values. */
#include "channels/functional.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value_at(const lmb_series_view *s, int i)
{
    return s->values[(size_t)i * (size_t)s->stride];
}

/* The part of the interval behind point i between two instants: its ends as parts of the interval;
 * its length, or 0. */
static double clip(const lmb_series_view *s, int i, double from, double to, double ends[2])
{
    double a = fmax(s->t[i], from), b = fmin(s->t[i + 1], to), h = s->t[i + 1] - s->t[i];
    if (!(b > a) || !(h > 0))
        return 0;
    ends[0] = a > s->t[i] ? (a - s->t[i]) / h : 0;
    ends[1] = b < s->t[i + 1] ? (b - s->t[i]) / h : 1;
    return b - a;
}

/* Weights of the trapezoidal rule between two instants, with values in between linear; the length
 * of what is integrated. */
static double trapezoids(const lmb_series_view *s, double from, double to, double *weights)
{
    double length = 0, ends[2];
    for (int i = 0; i + 1 < s->count; i++) {
        double part = clip(s, i, from, to, ends);
        weights[i] += part > 0 ? part * (1 - (ends[0] + ends[1]) / 2) : 0;
        weights[i + 1] += part > 0 ? part * (ends[0] + ends[1]) / 2 : 0;
        length += part;
    }
    return length;
}

/* --- at an instant ---------------------------------------------------------------------------- */

/* The first of up to four neighbouring points around the interval behind point i. */
static int enclose(const lmb_series_view *s, int i, int *count)
{
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

/* Whether the four points around an interval that is all inside are evenly spaced: then the cubic
 * through them has constant weights. */
static bool is_even(const lmb_series_view *s, int i, double h)
{
    const double even = 1e-9 * h;
    return i > 0 && i + 2 < s->count && fabs(s->t[i] - s->t[i - 1] - h) <= even &&
           fabs(s->t[i + 2] - s->t[i + 1] - h) <= even;
}

/* The same as the trapezoidal rule with the cubic through four points in each interval, exact at
 * Gauss' two points of it. */
static double cubic_rule(const lmb_series_view *s, double from, double to, double *weights)
{
    double length = trapezoids(s, from, to, weights);
    for (int i = 0; i + 1 < s->count; i++) {
        double a = fmax(s->t[i], from), b = fmin(s->t[i + 1], to), h = s->t[i + 1] - s->t[i];
        if (h > 0 && b - a == h && is_even(s, i, h)) {
            const double w[4] = {-1 / 24.0, 13 / 24.0 - 0.5, 13 / 24.0 - 0.5, -1 / 24.0};
            for (int k = 0; k < 4; k++)
                weights[i - 1 + k] += h * w[k];
            continue;
        }
        int count, first = enclose(s, i, &count);
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

static lmb_spot spot_at_point(const lmb_series_view *s, int i)
{
    return (lmb_spot){s->t[i], value_at(s, i), {1}, i, 1, i};
}

/* The value at an instant of the interval behind point i: of the cubic, or of the line where
 * something jumps nearby. */
static lmb_spot spot_between(const lmb_series_view *s, int i, double t)
{
    double dw[4];
    lmb_spot p = {.t = t, .near = i};
    p.first = enclose(s, i, &p.count);
    if (!is_smooth(s, p.first, p.count)) {
        p.first = i;
        p.count = 2;
    }
    lagrange(s->t + p.first, p.count, t, p.w, dw);
    for (int k = 0; k < p.count; k++)
        p.value += p.w[k] * value_at(s, p.first + k);
    return p;
}

lmb_spot lmb_spot_at(const lmb_series_view *s, double t)
{
    double rounding = 1e-9 * fmax(fabs(t), s->t[s->count - 1] - s->t[0]);
    int low = 0, high = s->count - 1; /* the first point that is not before it */
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->t[middle] < t - rounding)
            low = middle + 1;
        else
            high = middle;
    }
    if (fabs(s->t[low] - t) <= rounding)
        return spot_at_point(s, low);
    int last = s->count > 1 ? s->count - 2 : 0;
    low = low > 0 ? low - 1 : 0;
    return spot_between(s, low < last ? low : last, t);
}

static double take_spot(const lmb_spot *p, double *weights)
{
    for (int k = 0; k < p->count; k++)
        weights[p->first + k] = p->w[k];
    return p->value;
}

static double at_instant(const lmb_series_view *s, double t, double *weights,
                         lmb_functional_report *report)
{
    double rounding = 1e-9 * fmax(fabs(t), s->t[s->count - 1] - s->t[0]);
    lmb_spot p;
    report->impossible = t < s->t[0] - rounding || t > s->t[s->count - 1] + rounding;
    if (!report->impossible) {
        p = lmb_spot_at(s, t);
        report->impossible = s->discrete && p.count > 1;
    }
    return report->impossible ? NAN : take_spot(&p, weights);
}

/* --- extremes --------------------------------------------------------------------------------- */

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

/* The extreme at point i, refined where the curve is smooth there. */
static lmb_spot refine(const lmb_series_view *s, int i)
{
    lmb_spot p = spot_at_point(s, i);
    int count, first = enclose(s, i, &count);
    if (s->discrete || i == 0 || i == s->count - 1 || count < 3 || !is_smooth(s, first, count))
        return p;
    double dw[4];
    p = (lmb_spot){.t = find_top(s, first, count, i), .first = first, .count = count, .near = i};
    lagrange(s->t + first, count, p.t, p.w, dw);
    for (int k = 0; k < count; k++)
        p.value += p.w[k] * value_at(s, first + k);
    return p;
}

/* The best one so far, and the next best that is not beside it. */
typedef struct contest {
    double sign;
    lmb_spot best, second;
    bool some, two;
    bool discrete; /* neighbours are others */
} contest;

static void enter(contest *c, const lmb_spot *p)
{
    bool beside = c->some && !c->discrete && abs(p->near - c->best.near) <= 1;
    if (!c->some || c->sign * p->value > c->sign * c->best.value) {
        if (c->some && !beside) {
            c->second = c->best;
            c->two = true;
        }
        c->best = *p;
        c->some = true;
    } else if (!beside && (!c->two || c->sign * p->value > c->sign * c->second.value)) {
        c->second = *p;
        c->two = true;
    }
}

/* Among the tops of the curve and the ends of the span; of numbers that stand alone among all. */
static double exact_extreme(const lmb_objective *o, const lmb_series_view *s, double *weights,
                            lmb_functional_report *report)
{
    int last = s->count - 1;
    double from = fmax(o->from, s->t[0]), to = fmin(o->to, s->t[last]); /* NaN: the ends */
    contest c = {.sign = o->kind == LMB_OBJECTIVE_MAX ? 1 : -1, .discrete = s->discrete};
    report->impossible = !(from <= to);
    for (int i = 0; i <= last && !report->impossible; i++) {
        double g = c.sign * value_at(s, i);
        bool top = (i == 0 || g > c.sign * value_at(s, i - 1)) &&
                   (i == last || g >= c.sign * value_at(s, i + 1));
        if (!top && !s->discrete)
            continue;
        lmb_spot p = refine(s, i);
        if (s->discrete || (p.t >= from && p.t <= to))
            enter(&c, &p);
    }
    for (int end = 0; end < 2 && !report->impossible && !s->discrete; end++) {
        lmb_spot p = lmb_spot_at(s, end ? to : from);
        enter(&c, &p);
    }
    if (report->impossible)
        return NAN;
    report->at = c.best.t;
    report->second = c.two ? c.second.value : NAN;
    return take_spot(&c.best, weights);
}

/* The value at a part x of the interval behind point i, on the line between both points. */
static double value_on_line(const lmb_series_view *s, int i, double x)
{
    double g = value_at(s, x < 1 ? i : i + 1);
    return x > 0 && x < 1 ? g + x * (value_at(s, i + 1) - g) : g;
}

/* g over the extreme value. If that is 0, the limit as all zeros grow from 0 together. */
static double ratio_of(double g, double extreme)
{
    return extreme > 0 ? g / extreme : g > 0 ? INFINITY : 1;
}

/* Smooth extremes: powers of g over the extreme value, or exp(k (g - extreme)), do not overflow. A
 * p-norm whose values are all 0 has its least value there: its weights are 0, as those of rms. */
static double smooth_extreme(const lmb_objective *o, const lmb_series_view *s, double from,
                             double to, double *weights, lmb_functional_report *report)
{
    bool norm = o->smoothing == LMB_SMOOTH_NORM, max = o->kind == LMB_OBJECTIVE_MAX;
    double k = max ? o->sharpness : -o->sharpness, most = max ? -INFINITY : INFINITY, ends[2];
    double length = 0, sum = 0;
    for (int i = 0; i + 1 < s->count; i++) {
        double part = clip(s, i, from, to, ends);
        length += part;
        for (int e = 0; e < 2 && part > 0; e++) {
            double g = value_on_line(s, i, ends[e]);
            most = max ? fmax(most, g) : fmin(most, g);
            if (norm && g < 0 && !report->impossible)
                *report =
                    (lmb_functional_report){s->t[i] + ends[e] * (s->t[i + 1] - s->t[i]), g, true};
        }
    }
    report->impossible |= !(length > 0);
    if (report->impossible)
        return NAN;
    for (int i = 0; i + 1 < s->count; i++) {
        double part = clip(s, i, from, to, ends) / length / 2;
        for (int e = 0; e < 2 && part > 0; e++) {
            double g = value_on_line(s, i, ends[e]), r = norm ? ratio_of(g, most) : 0;
            double slope = part * (norm ? pow(r, k - 1) : exp(k * (g - most)));
            sum += norm ? part * pow(r, k) : slope;
            weights[i] += (1 - ends[e]) * slope;
            weights[i + 1] += ends[e] * slope;
        }
    }
    bool flat = norm && max && most == 0;
    for (int i = 0; i < s->count; i++)
        weights[i] *= flat ? 0 : norm ? pow(sum, 1 / k - 1) : 1 / sum;
    return norm ? most * pow(sum, 1 / k) : most + log(sum) / k;
}

/* --- all -------------------------------------------------------------------------------------- */

static double over_time(const lmb_objective *o, const lmb_series_view *s, double length,
                        double *weights, lmb_functional_report *report)
{
    double sum = 0;
    report->impossible = !(length > 0);
    for (int i = 0; i < s->count; i++) { /* 0 times infinity would be no number */
        double g = weights[i] != 0 ? value_at(s, i) : 0;
        sum += weights[i] * (o->kind == LMB_OBJECTIVE_RMS ? g * g : g);
    }
    double mean = sum / length, root = sqrt(mean);
    for (int i = 0; i < s->count; i++)
        weights[i] *= o->kind == LMB_OBJECTIVE_INTEGRAL ? 1
                      : o->kind == LMB_OBJECTIVE_MEAN   ? 1 / length
                      : root > 0 && weights[i] != 0     ? value_at(s, i) / (length * root)
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
        return at_instant(&s, o->at, weights, report);
    if (o->kind >= LMB_OBJECTIVE_MIN && o->smoothing == LMB_SMOOTH_NOT)
        return exact_extreme(o, &s, weights, report);
    double from = isnan(o->from) ? -INFINITY : o->from, to = isnan(o->to) ? INFINITY : o->to;
    if (o->kind <= LMB_OBJECTIVE_RMS)
        return over_time(o, &s, cubic_rule(&s, from, to, weights), weights, report);
    return smooth_extreme(o, &s, from, to, weights, report);
}
