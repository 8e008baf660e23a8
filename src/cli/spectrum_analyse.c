/* What limber spectrum computes of a record: spectra over frequency or order, envelopes,
 * waterfalls, responses to impacts, peaks with their names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/spectrum.h"
#include "math/envelope.h"
#include "math/resample.h"
#include "math/vec.h"

/* The segment for a resolution: that of --resolution, else an eighth of the record, as a power of
 * two; never more than the record. */
static lmb_status choose_segment(lmb_spectrum_work *w, size_t n, double rate)
{
    size_t wanted = w->resolution > 0 ? (size_t)ceil(rate / w->resolution) : n / 8, two = 16;
    if (w->resolution <= 0 && w->envelope && w->has_bearing) /* half a per cent of a line */
        wanted = (size_t)fmin(100 / w->lines.outer * rate, (double)n / 2);
    while (two < wanted || (w->resolution <= 0 && two < 1024))
        two *= 2;
    while (two > n)
        two /= 2;
    if (w->resolution > 0 && rate / (double)two > 1.01 * w->resolution)
        lmb_warn(w->context, "the record is too short for that resolution: it is %g",
                 rate / (double)two);
    w->welch.rate = rate;
    w->welch.segment = two;
    w->bins = lmb_welch_bins(&w->welch);
    w->step = rate / (double)two;
    w->averages = lmb_welch_count(&w->welch, n);
    return two >= 16 ? LMB_OK : lmb_fail(w->context, LMB_BAD_INPUT, "the record is too short");
}

static lmb_status make_amplitudes(lmb_spectrum_work *w, size_t n, const double *x, double rate)
{
    lmb_status status = choose_segment(w, n, rate);
    if (status)
        return status;
    double *density = lmb_arena_numbers(w->arena, w->bins);
    w->amplitude = lmb_arena_numbers(w->arena, w->bins);
    w->axis = lmb_arena_numbers(w->arena, w->bins);
    if (!density || !w->amplitude || !w->axis || !lmb_welch_density(&w->welch, n, x, density))
        return lmb_fail_memory(w->context);
    lmb_welch_amplitudes(&w->welch, density, w->amplitude);
    for (size_t k = 0; k < w->bins; k++)
        w->axis[k] = (double)k * w->step;
    w->amplitude[0] = 0; /* the mean is no vibration */
    return LMB_OK;
}

/* The record integrated, without its ends. */
static lmb_status integrate(lmb_spectrum_work *w)
{
    lmb_record *r = &w->record;
    size_t cut = (size_t)(3 / w->high_pass * r->rate);
    if (r->n < 4 * cut + 64)
        return lmb_fail(w->context, LMB_BAD_INPUT,
                        "the record is too short for a high-pass of %g Hz: it takes %g s",
                        w->high_pass, 12 / w->high_pass);
    if (!lmb_integrate(r->n, r->x, r->rate, w->integrate, w->high_pass))
        return lmb_fail_memory(w->context);
    r->x += cut;
    r->other = r->other ? r->other + cut : NULL;
    r->n -= 2 * cut;
    if (strcmp(r->unit, "m/s^2") == 0 || strcmp(r->unit, "m/s2") == 0)
        r->unit = w->integrate == 1 ? "m/s" : "m";
    else
        r->unit = w->integrate == 1 ? "unit s" : "unit s^2";
    return LMB_OK;
}

static lmb_status make_envelope(lmb_spectrum_work *w)
{
    lmb_bands bands;
    size_t count = 0;
    double rate, narrowest = w->has_bearing ? 3 * w->lines.highest : w->record.rate / 16;
    if (!lmb_bands_start(&bands, w->record.n, w->record.x, w->record.rate))
        return lmb_fail_memory(w->context);
    if (w->band_to <= 0 && w->diagnosed && w->diagnosis.alarm) {
        w->band_from = w->diagnosis.scores[0].from;
        w->band_to = w->diagnosis.scores[0].to;
    }
    bool done = true;
    if (w->band_to <= 0)
        done = lmb_bands_choose(&bands, narrowest, &w->band_from, &w->band_to, &w->kurtosis);
    double *power = done ? lmb_bands_power(&bands, w->band_from, w->band_to, &count, &rate) : NULL;
    lmb_bands_free(&bands);
    if (!power)
        return lmb_fail(w->context, LMB_BAD_INPUT, "there is nothing between %g and %g Hz",
                        w->band_from, w->band_to);
    if (w->kurtosis == 0)
        w->kurtosis = lmb_spectral_kurtosis(count, power);
    for (size_t i = 0; i < count; i++)
        power[i] = sqrt(power[i]);
    lmb_status status = make_amplitudes(w, count, power, rate);
    free(power);
    /* the envelope has nothing above the width of its band */
    size_t most = (size_t)((w->band_to - w->band_from) / w->step);
    w->bins = most < w->bins ? most : w->bins;
    return status;
}

/* The speed column in Hz. */
static lmb_status speeds(lmb_spectrum_work *w, double *least, double *most)
{
    lmb_record *r = &w->record;
    double factor = strcmp(r->other_unit, "rad/s") == 0 ? 1 / (2 * LMB_PI)
                    : strcmp(r->other_unit, "Hz") == 0  ? 1
                                                        : 1.0 / 60;
    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->other[i] = fabs(r->other[i]) * factor;
        *least = fmin(*least, r->other[i]);
        *most = fmax(*most, r->other[i]);
    }
    return *most > 0 ? LMB_OK : lmb_fail(w->context, LMB_BAD_INPUT, "the shaft does not turn");
}

/* The record over equal angles; what is slower than a tenth of the highest speed is left out. */
static lmb_status make_orders(lmb_spectrum_work *w)
{
    lmb_record *r = &w->record;
    double least, most;
    lmb_status status = speeds(w, &least, &most);
    if (status)
        return status;
    size_t first = 0, last = r->n - 1;
    while (first < last && r->other[first] < most / 10)
        first++;
    while (last > first && r->other[last] < most / 10)
        last--;
    least = INFINITY;
    for (size_t i = first; i <= last; i++)
        least = fmin(least, fmax(r->other[i], most / 10));
    if (first > 0 || last + 1 < r->n)
        lmb_warn(w->context, "what turns slower than a tenth of the highest speed is left out");
    size_t n = last - first + 1;
    double *turns = lmb_arena_numbers(w->arena, n), per_turn = ceil(r->rate / least);
    if (!turns)
        return lmb_fail_memory(w->context);
    lmb_turns(n, r->other + first, r->rate, turns);
    double count = floor(turns[n - 1] * per_turn);
    if (count > 5e7 || count < 64)
        return lmb_fail(w->context, LMB_BAD_INPUT, "%g turns cannot be looked at by order",
                        turns[n - 1]);
    double *even = lmb_arena_numbers(w->arena, (size_t)count);
    if (!even)
        return lmb_fail_memory(w->context);
    lmb_angle_record(n, r->x + first, turns, 0, per_turn, (size_t)count, even);
    status = make_amplitudes(w, (size_t)count, even, per_turn);
    /* orders above half the sampling rate at the lowest speed were never measured everywhere */
    size_t limit = (size_t)(r->rate / 2 / most / w->step);
    w->bins = limit < w->bins ? limit : w->bins;
    return status;
}

static lmb_status make_waterfall(lmb_spectrum_work *w)
{
    lmb_record *r = &w->record;
    double least, most;
    lmb_status status = r->other ? speeds(w, &least, &most) : LMB_OK;
    if (!status)
        status = make_amplitudes(w, r->n, r->x, r->rate);
    if (status)
        return status;
    lmb_welch one = w->welch;
    size_t count = lmb_welch_count(&w->welch, r->n), stride = (count + 59) / 60;
    w->slices = (int)((count + stride - 1) / stride);
    size_t slices = (size_t)w->slices, bins = lmb_welch_bins(&one);
    w->slice_time = lmb_arena_numbers(w->arena, slices);
    w->slice_speed = lmb_arena_numbers(w->arena, slices);
    w->slice_amplitude = lmb_arena_numbers(w->arena, slices * bins);
    double *density = lmb_arena_numbers(w->arena, bins);
    if (!w->slice_time || !w->slice_speed || !w->slice_amplitude || !density)
        return lmb_fail_memory(w->context);
    for (size_t i = 0; i < slices; i++) {
        size_t at = lmb_welch_start(&one, i * stride);
        if (!lmb_welch_density(&one, one.segment, r->x + at, density))
            return lmb_fail_memory(w->context);
        lmb_welch_amplitudes(&one, density, w->slice_amplitude + i * bins);
        w->slice_amplitude[i * bins] = 0;
        w->slice_time[i] = ((double)at + (double)one.segment / 2) / r->rate;
        for (size_t k = 0; r->other && k < one.segment; k++)
            w->slice_speed[i] += r->other[at + k] / (double)one.segment;
    }
    return LMB_OK;
}

/* H1 of blows: each begins where the force passes a fifth of its largest value; segments follow
 * from there, rectangular, as long as the shortest pause between two. */
static lmb_status make_response(lmb_spectrum_work *w)
{
    lmb_record *r = &w->record;
    enum { MOST = 256 };
    size_t starts[MOST], blows = 0;
    double top = 0;
    for (size_t i = 0; i < r->n; i++)
        top = fmax(top, fabs(r->other[i]));
    size_t quiet = (size_t)(w->resolution > 0 ? r->rate / w->resolution : 0.05 * r->rate);
    for (size_t i = 0, next = 0; i < r->n && blows < MOST; i++)
        if (i >= next && fabs(r->other[i]) > 0.2 * top) {
            size_t before = i > 8 ? i - 8 : 0; /* the blow begins a little earlier */
            starts[blows++] = before;
            next = i + quiet;
        }
    size_t room = r->n - (blows ? starts[blows - 1] : 0);
    for (size_t i = 1; i < blows; i++)
        room = starts[i] - starts[i - 1] < room ? starts[i] - starts[i - 1] : room;
    if (!(top > 0) || room < 32)
        return lmb_fail(w->context, LMB_BAD_INPUT, "there are no blows in the force");
    size_t segment = w->resolution > 0 && quiet < room ? quiet : room;
    w->welch = (lmb_welch){r->rate, segment, 0, LMB_WINDOW_RECTANGULAR};
    w->bins = lmb_welch_bins(&w->welch);
    w->step = r->rate / (double)segment;
    w->averages = blows;
    double *x = lmb_arena_numbers(w->arena, blows * segment);
    double *y = lmb_arena_numbers(w->arena, blows * segment);
    w->real = lmb_arena_numbers(w->arena, w->bins);
    w->imaginary = lmb_arena_numbers(w->arena, w->bins);
    w->coherence = lmb_arena_numbers(w->arena, w->bins);
    w->amplitude = lmb_arena_numbers(w->arena, w->bins);
    w->axis = lmb_arena_numbers(w->arena, w->bins);
    if (!x || !y || !w->real || !w->imaginary || !w->coherence || !w->amplitude || !w->axis)
        return lmb_fail_memory(w->context);
    for (size_t i = 0; i < blows; i++) {
        memcpy(x + i * segment, r->other + starts[i], segment * sizeof *x);
        memcpy(y + i * segment, r->x + starts[i], segment * sizeof *y);
    }
    if (!lmb_welch_response(&w->welch, blows * segment, x, y, w->real, w->imaginary, w->coherence))
        return lmb_fail_memory(w->context);
    for (size_t k = 0; k < w->bins; k++) {
        w->axis[k] = (double)k * w->step;
        w->amplitude[k] = k ? hypot(w->real[k], w->imaginary[k]) : 0;
    }
    return LMB_OK;
}

/* --- peaks ------------------------------------------------------------------------------------ */

/* Names the line that a frequency lies on: multiples of the shaft's, and of those of the bearing as
 * far as slip allows. */
static void name_peak(const lmb_spectrum_work *w, lmb_peak *p)
{
    double f = p->frequency, near = 1.5 * w->step, shaft = w->orders ? 1 : w->shaft;
    p->name[0] = 0;
    if (shaft <= 0)
        return;
    int order = (int)lround(f / shaft);
    double off_shaft = fabs(f - order * shaft);
    /* a fault that was found comes first, with the slip that it has */
    if (w->diagnosed && w->diagnosis.alarm) {
        const lmb_fault_score *s = &w->diagnosis.scores[0];
        int h = (int)lround(f / s->found);
        double off = fabs(f - h * s->found);
        if (h >= 1 && h <= 8 && off <= near && (order < 1 || off < off_shaft)) {
            snprintf(p->name, sizeof p->name, "%s %dx", lmb_fault_names[s->fault], h);
            return;
        }
    }
    if (order >= 1 && order <= 50 && off_shaft <= near) {
        snprintf(p->name, sizeof p->name, "shaft %dx%s%s", order, order <= 3 ? ", " : "",
                 order <= 3 ? lmb_shaft_faults[order - 1] : "");
        return;
    }
    const lmb_bearing_lines *l = &w->lines;
    const double lines[] = {l->outer, l->inner, l->rolling_element, l->spin, l->cage};
    static const char *const names[] = {"outer race", "inner race", "rolling element", "ball spin",
                                        "cage"};
    double scale = w->orders && w->shaft > 0 ? 1 / w->shaft : 1, best = INFINITY;
    for (int i = 0; i < 5 && w->has_bearing; i++)
        for (int h = 1; h <= 4; h++) {
            double off = fabs(f / (h * lines[i] * scale) - 1);
            /* low harmonics are the likelier ones */
            if (off * h * lines[i] * scale <= near + w->slip * h * lines[i] * scale &&
                off + 0.01 * h < best) {
                best = off + 0.01 * h;
                snprintf(p->name, sizeof p->name, "%s %dx", names[i], h);
            }
        }
}

static lmb_status find_peaks(lmb_spectrum_work *w)
{
    size_t low = (size_t)fmax(w->from / w->step, 1), high = w->bins;
    if (w->to > 0 && w->to / w->step + 1 < (double)high)
        high = (size_t)(w->to / w->step) + 1;
    w->peaks = lmb_arena_alloc(w->arena, (size_t)w->peak_count + 1, sizeof *w->peaks);
    if (!w->peaks)
        return lmb_fail_memory(w->context);
    w->found = 0;
    for (size_t k = low; k + 1 < high; k++) {
        double a = w->amplitude[k];
        /* the largest of its two neighbours on either side: what a window makes of one line */
        if (!(a > w->amplitude[k - 1] && a >= w->amplitude[k + 1]) || !(a > 0) ||
            (k > 1 && a < w->amplitude[k - 2]) || (k + 2 < high && a < w->amplitude[k + 2]))
            continue;
        lmb_peak p = {.before = NAN};
        lmb_welch_peak(&w->welch, w->amplitude, k, &p.frequency, &p.amplitude);
        if (w->before) {
            size_t top = k;
            double there;
            for (size_t j = k - 1; j <= k + 1; j++)
                top = w->before[j] > w->before[top] ? j : top;
            lmb_welch_peak(&w->welch, w->before, top, &there, &p.before);
        }
        name_peak(w, &p);
        int i = w->found < w->peak_count ? w->found++ : w->peak_count;
        for (; i > 0 && w->peaks[i - 1].amplitude < p.amplitude; i--)
            if (i < w->peak_count)
                w->peaks[i] = w->peaks[i - 1];
        if (i < w->peak_count)
            w->peaks[i] = p;
    }
    return LMB_OK;
}

lmb_status lmb_spectrum_analyse(lmb_spectrum_work *w)
{
    lmb_record *r = &w->record;
    lmb_status status = w->integrate ? integrate(w) : LMB_OK;
    w->statistics = lmb_signal_statistics(r->n, r->x);
    if (!status && w->has_bearing && w->shaft > 0 && !w->impact && !w->waterfall && !w->orders) {
        lmb_diagnosis_options o = lmb_diagnosis_defaults;
        o.slip = w->slip;
        o.from = w->band_from;
        o.to = w->band_to;
        size_t messages = lmb_message_count(w->context);
        w->diagnosed =
            lmb_diagnose(w->context, r->n, r->x, r->rate, &w->lines, &o, &w->diagnosis) == LMB_OK;
        if (!w->diagnosed) {
            lmb_messages_forget(w->context, messages);
            lmb_warn(w->context, "the record is too short or too slow to look for bearing faults");
        }
    }
    if (!status)
        status = w->impact      ? make_response(w)
                 : w->envelope  ? make_envelope(w)
                 : w->waterfall ? make_waterfall(w)
                 : w->orders    ? make_orders(w)
                                : make_amplitudes(w, r->n, r->x, r->rate);
    return status ? status : find_peaks(w);
}
