/* Spectra of a shaft whose speed is known: over orders, and one after the other for a run-up. */
#include "signal/spectrum.h"

#include <math.h>

#include "base/message.h"
#include "signal/signal.h"

/* --- the speed -------------------------------------------------------------------------------- */

/* Speed and turns from the pulses of a tacho; the record begins at the first pulse and ends at the
 * last. */
static lmb_status read_pulses(lmb_spectrum_work *w)
{
    lmb_waveform *r = &w->record;
    double *places = lmb_arena_numbers(w->arena, r->n), where = 0;
    if (!places)
        return lmb_fail_memory(w->context);
    size_t count = lmb_pulses(r->n, r->other, places);
    if (count < 4) {
        lmb_fail(w->context, LMB_BAD_INPUT, "'%s' has %zu pulse%s: too few for a speed",
                 r->other_name, count, count == 1 ? "" : "s");
        return lmb_hint(w->context,
                        "pulses rise through the middle between least and largest value");
    }
    if (lmb_pulse_gap(count, places, &where) > 1.7)
        lmb_warn(w->context, "a pulse seems to be missing before t = %g s",
                 r->start + where / r->rate);
    size_t first = (size_t)ceil(places[0]), last = (size_t)floor(places[count - 1]);
    size_t n = last - first + 1;
    double *speed = lmb_arena_numbers(w->arena, n);
    r->turns = lmb_arena_numbers(w->arena, n);
    if (!lmb_arena_fine(w->arena) ||
        !lmb_pulse_turns(w->arena, count, places, w->pulses, r->rate, first, last, r->turns, speed))
        return lmb_fail_memory(w->context);
    r->x += first;
    r->n = n;
    r->start += (double)first / r->rate;
    r->other = speed;
    return LMB_OK;
}

lmb_status lmb_spectrum_speed(lmb_spectrum_work *w)
{
    lmb_waveform *r = &w->record;
    double mean = 0;
    lmb_status status = w->pulses > 0 ? read_pulses(w) : LMB_OK;
    if (status)
        return status;
    w->slowest = INFINITY;
    w->fastest = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->other[i] = fabs(r->other[i]);
        w->slowest = fmin(w->slowest, r->other[i]);
        w->fastest = fmax(w->fastest, r->other[i]);
        mean += r->other[i] / (double)r->n;
    }
    if (!(w->fastest > 0))
        return lmb_fail(w->context, LMB_BAD_INPUT, "the shaft does not turn");
    if (w->shaft <= 0) {
        w->shaft = mean;
        if (w->has_bearing)
            w->lines = lmb_bearing_find_lines(&w->bearing, mean);
    }
    bool steady = w->kind == LMB_SPECTRUM_PLAIN || w->kind == LMB_SPECTRUM_ENVELOPE;
    if (steady && w->fastest > 1.02 * w->slowest)
        lmb_warn(w->context,
                 "the speed goes from %.6g to %.6g rpm, which smears lines: see --orders",
                 60 * w->slowest, 60 * w->fastest);
    return LMB_OK;
}

/* --- orders ----------------------------------------------------------------------------------- */

/* The part of the record in which the shaft turns at a tenth of the highest speed or faster, from
 * its ends; *slowest: the least speed in it, or that tenth. */
static void turning(lmb_spectrum_work *w, size_t *first, size_t *last, double *slowest)
{
    const lmb_waveform *r = &w->record;
    double least = w->fastest / 10;
    *first = 0;
    *last = r->n - 1;
    while (*first < *last && r->other[*first] < least)
        ++*first;
    while (*last > *first && r->other[*last] < least)
        --*last;
    *slowest = INFINITY;
    for (size_t i = *first; i <= *last; i++)
        *slowest = fmin(*slowest, fmax(r->other[i], least));
    if (*first > 0 || *last + 1 < r->n)
        lmb_warn(w->context, "what turns slower than a tenth of the highest speed is left out");
}

/* The record over equal angles. */
typedef struct angles {
    size_t first, n;     /* of the instants */
    const double *turns; /* n */
    double per_turn;     /* values a turn */
    size_t count;        /* of values */
    double *x;
} angles;

/* There are at least as many values a turn as there were at the lowest speed, so that nothing is
 * folded down; a power of two of them puts whole orders on lines. */
static lmb_status over_angle(lmb_spectrum_work *w, angles *out)
{
    lmb_waveform *r = &w->record;
    size_t first, last;
    double slowest, per_turn = 1;
    turning(w, &first, &last, &slowest);
    while (per_turn < r->rate / slowest)
        per_turn *= 2;
    size_t n = last - first + 1;
    double *turns = r->turns ? r->turns + first : lmb_arena_numbers(w->arena, n);
    if (!turns)
        return lmb_fail_memory(w->context);
    if (!r->turns)
        lmb_turns(n, r->other + first, r->rate, turns);
    double all = turns[n - 1] - turns[0], count = floor(all * per_turn);
    if (count > 1e8 || count < 64 || all < 2)
        return lmb_fail(w->context, LMB_BAD_INPUT, "%g turns cannot be looked at by order", all);
    *out = (angles){
        first, n, turns, per_turn, (size_t)count, lmb_arena_numbers(w->arena, (size_t)count)};
    if (!out->x)
        return lmb_fail_memory(w->context);
    lmb_angle_record(n, r->x + first, turns, per_turn, out->count, out->x);
    return LMB_OK;
}

/* The time (s, from the beginning of the record) at a value over the angle. */
static double time_of(const angles *a, double rate, size_t value)
{
    double turn = a->turns[0] + (double)value / a->per_turn;
    size_t low = 0, high = a->n - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (a->turns[middle] <= turn)
            low = middle;
        else
            high = middle;
    }
    double step = a->turns[high] - a->turns[low],
           part = step > 0 ? (turn - a->turns[low]) / step : 0;
    return ((double)(a->first + low) + fmin(part, 1)) / rate;
}

/* Amplitudes of all of the record over frequency or, of the record over angle, over order; higher
 * orders lie above half the sampling rate where the shaft is fastest. */
static lmb_status find_amplitudes(lmb_spectrum_work *w, angles *a)
{
    const lmb_waveform *r = &w->record;
    *a = (angles){.count = r->n, .x = r->x, .per_turn = r->rate};
    lmb_status status = w->by_order ? over_angle(w, a) : LMB_OK;
    if (!status)
        status = lmb_spectrum_amplitudes(w, a->count, a->x, a->per_turn);
    if (status || !w->by_order)
        return status;
    size_t limit = (size_t)(r->rate / 2 / w->fastest / w->step);
    w->bins = limit < w->bins ? limit : w->bins;
    return w->bins >= 4 ? LMB_OK
                        : lmb_fail(w->context, LMB_BAD_INPUT,
                                   "a sampling rate of %g Hz shows no orders at %g turns a second",
                                   r->rate, w->fastest);
}

lmb_status lmb_spectrum_orders(lmb_spectrum_work *w)
{
    angles a;
    return find_amplitudes(w, &a);
}

/* --- waterfalls ------------------------------------------------------------------------------- */

/* Time and speed of the slice that begins at a value. */
static void place_slice(lmb_spectrum_work *w, const angles *a, int slice, size_t at)
{
    const lmb_waveform *r = &w->record;
    size_t segment = w->welch.segment;
    if (w->by_order) {
        double from = time_of(a, r->rate, at), to = time_of(a, r->rate, at + segment);
        w->slice_time[slice] = r->start + (from + to) / 2;
        w->slice_speed[slice] = (double)segment / a->per_turn / (to - from);
        return;
    }
    w->slice_time[slice] = r->start + ((double)at + (double)segment / 2) / r->rate;
    for (size_t k = 0; r->other && k < segment; k++)
        w->slice_speed[slice] += r->other[at + k] / (double)segment;
}

lmb_status lmb_spectrum_waterfall(lmb_spectrum_work *w)
{
    enum { MOST = 60 };
    const lmb_waveform *r = &w->record;
    angles a;
    lmb_status status = find_amplitudes(w, &a);
    if (status)
        return status;
    const lmb_welch *one = &w->welch;
    size_t count = lmb_welch_count(one, a.count), stride = (count + MOST - 1) / MOST;
    w->slices = (int)((count + stride - 1) / stride);
    size_t slices = (size_t)w->slices, bins = lmb_welch_bins(one);
    w->slice_time = lmb_arena_numbers(w->arena, slices);
    w->slice_speed = r->other ? lmb_arena_numbers(w->arena, slices) : NULL;
    w->slice_amplitude = lmb_arena_numbers(w->arena, slices * bins);
    w->slice_density = lmb_arena_numbers(w->arena, slices * bins);
    if (!lmb_arena_fine(w->arena))
        return lmb_fail_memory(w->context);
    for (size_t i = 0; i < slices; i++) {
        size_t at = lmb_welch_start(one, i * stride);
        double *density = w->slice_density + i * bins;
        if (!lmb_welch_density(one, one->segment, a.x + at, density))
            return lmb_fail_memory(w->context);
        lmb_welch_amplitudes(one, density, w->slice_amplitude + i * bins);
        w->slice_amplitude[i * bins] = 0;
        place_slice(w, &a, (int)i, at);
    }
    return LMB_OK;
}

void lmb_spectrum_largest(const lmb_spectrum_work *w, int slice, double *place, double *height)
{
    const double *a = w->slice_amplitude + (size_t)slice * lmb_welch_bins(&w->welch);
    size_t best = (size_t)fmax(ceil(w->from / w->step), 1); /* of the part that is shown */
    for (size_t k = best; k + 1 < w->bins && (w->to <= 0 || w->axis[k] <= w->to); k++)
        best = a[k] > a[best] ? k : best;
    best = best < w->bins ? best : w->bins - 1;
    lmb_welch_peak(&w->welch, a, best, place, height);
    if (w->as_density)
        *height = lmb_spectrum_slice(w, slice)[best];
}
