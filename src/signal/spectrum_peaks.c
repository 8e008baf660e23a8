/* Peaks of spectra with the names of the lines that they lie on, and modes of responses. */
#include "base/format.h"
#include "signal/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "math/vec.h"

const char *const lmb_spectrum_line_names[LMB_SPECTRUM_LINES] = {
    "outer race", "inner race", "rolling element", "ball spin", "cage"};

int lmb_spectrum_lines(const lmb_spectrum_work *w, double lines[LMB_SPECTRUM_LINES])
{
    const lmb_bearing_lines *l = &w->lines;
    const double all[] = {l->outer, l->inner, l->rolling_element, l->spin, l->cage};
    double scale = w->by_order && l->shaft > 0 ? 1 / l->shaft : 1;
    for (int i = 0; i < LMB_SPECTRUM_LINES; i++)
        lines[i] = all[i] * scale;
    return w->has_bearing ? LMB_SPECTRUM_LINES : 0;
}

/* --- names ------------------------------------------------------------------------------------ */

/* A fault that was found comes first, with the slip that it has. */
static bool name_found_fault(const lmb_spectrum_work *w, lmb_peak *p, double off_shaft)
{
    const lmb_fault_score *s = &w->diagnosis.scores[0];
    if (!w->diagnosed || !w->diagnosis.alarm)
        return false;
    int h = (int)lround(p->frequency / s->found);
    double off = fabs(p->frequency - h * s->found);
    if (h < 1 || h > 8 || off > 1.5 * w->step || off >= off_shaft)
        return false;
    lmb_snprintf(p->name, sizeof p->name, "%s %dx", lmb_fault_names[s->fault], h);
    return true;
}

/* Names the line that a frequency lies on: multiples of the shaft's, and of those of the bearing as
 * far as slip allows. */
static void name_peak(const lmb_spectrum_work *w, lmb_peak *p)
{
    double f = p->frequency, near = 1.5 * w->step;
    double shaft = w->by_order ? 1 : w->shaft, lines[LMB_SPECTRUM_LINES];
    if (!(shaft > 0) || w->kind == LMB_SPECTRUM_RESPONSE ||
        (w->kind == LMB_SPECTRUM_WATERFALL && !w->by_order))
        return;
    int order = (int)lround(f / shaft);
    double off_shaft = order >= 1 ? fabs(f - order * shaft) : INFINITY, best = INFINITY;
    if (name_found_fault(w, p, off_shaft))
        return;
    if (order <= 50 && off_shaft <= near) {
        /* an envelope shows that something pulsates with the shaft, not what */
        bool named = order <= LMB_SHAFT_FAULTS && w->kind != LMB_SPECTRUM_ENVELOPE;
        lmb_snprintf(p->name, sizeof p->name, "shaft %dx%s%s", order, named ? ", " : "",
                     named ? lmb_shaft_faults[order - 1] : "");
        return;
    }
    int count = lmb_spectrum_lines(w, lines);
    const char *known = w->diagnosed && w->diagnosis.alarm
                            ? lmb_fault_names[w->diagnosis.scores[0].fault]
                            : ""; /* where its lines are is known */
    for (int i = 0; i < count; i++)
        for (int h = 1; h <= 4 && strcmp(known, lmb_spectrum_line_names[i]) != 0; h++) {
            double line = h * lines[i], off = fabs(f / line - 1);
            /* low harmonics are the likelier ones */
            if (off * line <= near + w->slip * line && off + 0.01 * h < best) {
                best = off + 0.01 * h;
                lmb_snprintf(p->name, sizeof p->name, "%s %dx", lmb_spectrum_line_names[i], h);
            }
        }
}

/* --- heights ---------------------------------------------------------------------------------- */

double lmb_spectrum_near(const lmb_spectrum_work *w, double f)
{
    double k = f / w->step, there, height;
    if (!(k >= 0) || k + 1 >= (double)w->bins)
        return NAN;
    size_t middle = (size_t)lround(k), top = middle > 0 ? middle : 1;
    for (size_t i = middle > 1 ? middle - 1 : 1; i <= middle + 1 && i < w->bins; i++)
        top = w->amplitude[i] > w->amplitude[top] ? i : top;
    if (w->as_density)
        return w->density[top];
    if (w->kind == LMB_SPECTRUM_RESPONSE || top == 0 || top + 1 >= w->bins)
        return w->amplitude[top];
    /* a slope beside the frequency is no line */
    if (w->amplitude[top - 1] > w->amplitude[top] || w->amplitude[top + 1] > w->amplitude[top])
        return w->amplitude[middle];
    lmb_welch_peak(&w->welch, w->amplitude, top, &there, &height);
    return height;
}

double lmb_spectrum_change(const lmb_spectrum_work *w, const lmb_peak *p)
{
    return (w->as_density ? 10 : 20) * log10(p->height / p->before);
}

/* Fits a mode to the peak of a response at bin k: on both sides as far as it falls to a third, at
 * least three bins. */
static void fit_mode(const lmb_spectrum_work *w, size_t k, lmb_peak *p)
{
    enum { least_part = 3, MOST = 250 };
    const double *a = w->amplitude;
    size_t low = k, high = k;
    while (low > 1 && k - low < MOST &&
           (k - low < least_part || (a[low - 1] > 0.33 * a[k] && a[low - 1] < 1.05 * a[low])))
        low--;
    while (high + 2 < w->bins && high - k < MOST &&
           (high - k < least_part || (a[high + 1] > 0.33 * a[k] && a[high + 1] < 1.05 * a[high])))
        high++;
    double decay = w->exponential > 0 ? 1 / w->exponential : 0;
    p->coherence = w->coherence[k];
    p->phase = atan2(w->imaginary[k], w->real[k]) * 180 / LMB_PI;
    p->fitted = lmb_mode_fit(high - low + 1, w->axis + low, w->real + low, w->imaginary + low,
                             decay, &p->mode) &&
                p->mode.misfit < 0.1 && fabs(p->mode.frequency - w->axis[k]) < 2 * w->step &&
                p->mode.damping * p->mode.frequency > 0.02 * w->step; /* else it is one of noise */
    if (!p->fitted)
        return;
    p->frequency = p->mode.frequency;
    p->height = hypot(p->mode.real, p->mode.imaginary);
    p->phase = atan2(p->mode.imaginary, p->mode.real) * 180 / LMB_PI;
}

/* The height of a peak in the baseline; of a mode, that of the nearest one within a tenth. */
static double before(const lmb_spectrum_work *w, const lmb_peak *p)
{
    const lmb_spectrum_work *old = w->before;
    double best = 0.1 * p->frequency, height = NAN;
    if (w->kind != LMB_SPECTRUM_RESPONSE)
        return lmb_spectrum_near(old, p->frequency);
    for (int i = 0; i < old->found; i++) {
        double off = fabs(old->peaks[i].frequency - p->frequency);
        height = off < best ? old->peaks[i].height : height;
        best = fmin(best, off);
    }
    return height;
}

/* --- finding them ----------------------------------------------------------------------------- */

/* Whether a response falls by a factor on both sides of a peak before it is higher again. */
static bool stands_out(const lmb_spectrum_work *w, size_t k, double factor)
{
    const double *a = w->amplitude, level = a[k] / factor;
    size_t low = k, high = k;
    while (low > 1 && a[low] > level && a[low - 1] <= a[k])
        low--;
    while (high + 1 < w->bins && a[high] > level && a[high + 1] <= a[k])
        high++;
    return a[low] <= level && a[high] <= level;
}

/* Whether a bin is the largest among its two neighbours on either side: what a window makes of one
 * line. */
static bool is_peak(const lmb_spectrum_work *w, size_t k, size_t high)
{
    const double *a = w->amplitude;
    return a[k] > 0 && a[k] > a[k - 1] && a[k] >= a[k + 1] && !(k > 1 && a[k] < a[k - 2]) &&
           !(k + 2 < high && a[k] < a[k + 2]) &&
           (w->kind != LMB_SPECTRUM_RESPONSE || stands_out(w, k, sqrt(2)));
}

/* Whether the peak of a response is more than one of noise: it is twice as high as what is around
 * it, or wide enough for the lines to show its shape. */
static bool is_mode(const lmb_spectrum_work *w, size_t k, const lmb_peak *p)
{
    bool wide = p->fitted && p->mode.damping * p->mode.frequency > w->step;
    return wide || (stands_out(w, k, 2) && (p->fitted || p->coherence > 0.95));
}

static int by_frequency(const void *a, const void *b)
{
    double x = ((const lmb_peak *)a)->frequency, y = ((const lmb_peak *)b)->frequency;
    return (x > y) - (x < y);
}

/* Puts a peak where it belongs among the largest so far. */
static void insert(lmb_spectrum_work *w, const lmb_peak *p)
{
    int i = w->found < w->peak_count ? w->found++ : w->peak_count;
    for (; i > 0 && w->peaks[i - 1].height < p->height; i--)
        if (i < w->peak_count)
            w->peaks[i] = w->peaks[i - 1];
    if (i < w->peak_count)
        w->peaks[i] = *p;
}

/* What is so much smaller than the largest peak was not measured: 140 dB. */
static const double least_part = 1e-7;

lmb_status lmb_spectrum_peaks(lmb_spectrum_work *w)
{
    size_t low = (size_t)fmax(ceil(w->from / w->step), 1), high = w->bins;
    if (w->to > 0 && w->to / w->step + 1 < (double)high)
        high = (size_t)(w->to / w->step) + 1;
    w->peaks = lmb_arena_alloc(w->arena, (size_t)w->peak_count + 1, sizeof *w->peaks);
    if (!w->peaks)
        return lmb_fail_memory(w->context);
    w->found = 0;
    for (size_t k = low; k + 1 < high; k++) {
        if (!is_peak(w, k, high))
            continue;
        lmb_peak p = {.before = NAN, .frequency = w->axis[k], .height = w->amplitude[k]};
        if (w->kind == LMB_SPECTRUM_RESPONSE)
            fit_mode(w, k, &p);
        else
            lmb_welch_peak(&w->welch, w->amplitude, k, &p.frequency, &p.height);
        if (w->as_density)
            p.height = w->density[k];
        if (w->kind == LMB_SPECTRUM_RESPONSE && !is_mode(w, k, &p))
            continue;
        if (w->before)
            p.before = before(w, &p);
        name_peak(w, &p);
        insert(w, &p);
    }
    double least = w->as_density ? least_part * least_part : least_part;
    while (w->found > 1 && w->peaks[w->found - 1].height < least * w->peaks[0].height)
        w->found--;                       /* rounding */
    if (w->kind == LMB_SPECTRUM_RESPONSE) /* modes are counted from below */
        qsort(w->peaks, (size_t)w->found, sizeof *w->peaks, by_frequency);
    return LMB_OK;
}
