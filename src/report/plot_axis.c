/* Axes of plots; see plot_axis.h. */
#include "report/plot_axis.h"

#include <math.h>
#include <stdlib.h>

#include "base/format.h"

void lmb_range_include(lmb_range *r, double value)
{
    if (!isfinite(value))
        return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

lmb_range lmb_range_widened(lmb_range r, double part)
{
    if (!(r.low <= r.high))
        return (lmb_range){0, 1};
    double span = r.high - r.low, size = fmax(fabs(r.low), fabs(r.high));
    if (span <= 1e-12 * size)
        span = size > 0 ? 0.2 * size : 2, part = 0.5;
    return (lmb_range){r.low - part * span, r.high + part * span};
}

lmb_range lmb_range_centred(lmb_range r, double extent)
{
    double middle = (r.low + r.high) / 2;
    return (lmb_range){middle - extent / 2, middle + extent / 2};
}

lmb_axis lmb_axis_make(lmb_range r, double pixels, double each, bool whole)
{
    lmb_axis a = {.range = r};
    double target = (r.high - r.low) * each / pixels;
    if (whole)
        target = fmax(target, 1);
    double power = pow(10, floor(log10(target))), step = 10 * power;
    static const double steps[] = {1, 2, 5};
    for (int i = 2; i >= 0; i--)
        if (steps[i] * power >= target)
            step = steps[i] * power;
    double first = ceil(r.low / step - 1e-9);
    for (double k = first; k * step <= r.high + 1e-9 * step && a.count < LMB_MOST_TICKS; k++)
        a.ticks[a.count++] = k * step;
    double size = fmax(fabs(r.low), fabs(r.high));
    int exponent = (int)floor(log10(size));
    a.power = exponent >= 5 || exponent <= -4 ? (int)(3 * floor(exponent / 3.0)) : 0;
    double shown = step / pow(10, a.power);
    a.decimals = (int)fmax(0, ceil(-log10(shown) - 1e-9));
    return a;
}

lmb_axis lmb_axis_logarithmic(lmb_range r, double pixels, double each)
{
    lmb_axis a = {.logarithmic = true, .range = {0.1, 1}};
    if (r.high > 0)
        a.range = (lmb_range){fmax(r.low, 1e-8 * r.high) / 1.5, 1.5 * r.high};
    int first = (int)floor(log10(a.range.low)), last = (int)ceil(log10(a.range.high));
    double room = pixels / each / log10(a.range.high / a.range.low); /* ticks a decade */
    int stride = room < 1 ? (int)ceil(1 / room) : 1;
    for (int decade = first; decade <= last; decade++)
        for (int m = 1; m <= 5; m += m == 1 ? 1 : 3) {
            double tick = m * pow(10, decade);
            bool shown = m == 1 ? decade % stride == 0 : room > 3;
            if (shown && tick >= a.range.low && tick <= a.range.high && a.count < LMB_MOST_TICKS)
                a.ticks[a.count++] = tick;
        }
    return a;
}

lmb_axis lmb_axis_names(int count, const char *const *names, double pixels, double each)
{
    lmb_axis a = {.range = {0.5, fmax(count, 1) + 0.5}, .names = names};
    int room = (int)fmin(fmax(pixels / each, 1), LMB_MOST_TICKS), stride = (count - 1) / room + 1;
    for (int i = 0; i < count; i += stride)
        a.ticks[a.count++] = i + 1;
    return a;
}

const char *lmb_axis_text(const lmb_axis *a, int i, char *text, size_t size)
{
    if (a->names)
        return a->names[(int)a->ticks[i] - 1];
    if (a->logarithmic) {
        double tick = a->ticks[i];
        int power = (int)floor(log10(tick) + 1e-9);
        if (power >= -3 && power <= 4)
            lmb_snprintf(text, size, "%g", tick);
        else
            lmb_snprintf(text, size, "%.0fe%s%d", tick / pow(10, power),
                         power < 0 ? "\xe2\x88\x92" : "", abs(power));
        return text;
    }
    double value = a->ticks[i] / pow(10, a->power);
    if (fabs(value) < 1e-12 * fabs(a->range.high - a->range.low) / pow(10, a->power))
        value = 0;
    char number[64];
    lmb_snprintf(number, sizeof number, "%.*f", a->decimals, fabs(value));
    lmb_snprintf(text, size, "%s%s", value < 0 ? "\xe2\x88\x92" : "", number);
    return text;
}

double lmb_axis_place(const lmb_axis *a, double value, double from, double length)
{
    if (a->logarithmic) { /* what is not positive lies below the panel */
        double low = a->range.low, at = log(fmax(value, 0.01 * low) / low);
        return from + at / log(a->range.high / low) * length;
    }
    return from + (value - a->range.low) / (a->range.high - a->range.low) * length;
}
