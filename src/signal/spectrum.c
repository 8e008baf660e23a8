/* Averaged amplitudes, integration, envelopes and overall values of a record, and what a trend
 * keeps of it; see spectrum.h. */
#include "signal/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

const char *const lmb_spectrum_kinds[LMB_SPECTRUM_KINDS] = {"spectrum", "envelope", "orders",
                                                            "waterfall", "response"};

/* How many values a segment should have, where no resolution was asked for. */
static double usual_segment(const lmb_spectrum_work *w, size_t n, double rate)
{
    double whole = (double)n;
    if (w->kind == LMB_SPECTRUM_ENVELOPE && w->has_bearing) /* half a per cent of a line */
        return fmin(100 / w->lines.outer * rate, whole / 2);
    if (w->kind == LMB_SPECTRUM_WATERFALL && w->by_order) /* 8 to 16 turns */
        return fmin(fmin(fmax(whole / 32, 8 * rate), 16 * rate), whole / 4);
    if (w->kind == LMB_SPECTRUM_WATERFALL)
        return fmax(whole / 32, 256);
    if (w->kind == LMB_SPECTRUM_ORDERS) /* a sixteenth of an order, if there are enough turns */
        return fmax(whole / 8, fmin(16 * rate, whole / 2));
    return fmax(whole / (w->as_density ? 32 : 8), 1024); /* noise takes more averages */
}

/* The segment for --resolution, or the usual one, as a power of two; never more than the record. */
static lmb_status choose_segment(lmb_spectrum_work *w, size_t n, double rate)
{
    double wanted =
        w->resolution > 0 ? rate / w->resolution * (1 - 1e-3) : usual_segment(w, n, rate);
    size_t two = 16;
    while ((double)two < wanted && two <= n)
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

/* (m/s^2)^2/Hz, V^2/Hz; over orders, of which there is no unit, by order. */
static const char *density_unit(const lmb_spectrum_work *w)
{
    const char *unit = w->record.unit[0] ? w->record.unit : "unit", *c = unit;
    while (lmb_is_letter_or_digit(*c))
        c++;
    return lmb_text_format(w->arena, *c ? "(%s)^2/%s" : "%s^2/%s", unit,
                           w->by_order ? "order" : "Hz");
}

lmb_status lmb_spectrum_amplitudes(lmb_spectrum_work *w, size_t n, const double *x, double rate)
{
    lmb_status status = choose_segment(w, n, rate);
    if (status)
        return status;
    w->density = lmb_arena_numbers(w->arena, w->bins);
    w->density_unit = density_unit(w);
    w->amplitude = lmb_arena_numbers(w->arena, w->bins);
    w->axis = lmb_arena_numbers(w->arena, w->bins);
    if (!lmb_arena_fine(w->arena) || !lmb_welch_density(&w->welch, n, x, w->density))
        return lmb_fail_memory(w->context);
    lmb_welch_amplitudes(&w->welch, w->density, w->amplitude);
    for (size_t k = 0; k < w->bins; k++)
        w->axis[k] = (double)k * w->step;
    w->amplitude[0] = 0; /* the mean is no vibration */
    return LMB_OK;
}

/* --- what is shown of it ---------------------------------------------------------------------- */

const double *lmb_spectrum_heights(const lmb_spectrum_work *w)
{
    return w->as_density ? w->density : w->amplitude;
}

const double *lmb_spectrum_slice(const lmb_spectrum_work *w, int slice)
{
    const double *all = w->as_density ? w->slice_density : w->slice_amplitude;
    return all + (size_t)slice * lmb_welch_bins(&w->welch);
}

const char *lmb_spectrum_word(const lmb_spectrum_work *w)
{
    return w->as_density ? "density" : "amplitude";
}

const char *lmb_spectrum_unit(const lmb_spectrum_work *w)
{
    return w->as_density ? w->density_unit : w->record.unit;
}

bool lmb_spectrum_has_band(const lmb_spectrum_work *w)
{
    return w->as_density || (w->kind == LMB_SPECTRUM_PLAIN && (w->from > 0 || w->to > 0));
}

double lmb_spectrum_band_rms(const lmb_spectrum_work *w, double *to)
{
    double square = 0;
    for (size_t k = 0; k < w->bins; k++)
        if (w->axis[k] >= w->from && (w->to <= 0 || w->axis[k] <= w->to))
            square += w->density[k] * w->step;
    *to = w->axis[w->bins - 1];
    if (w->to > 0)
        *to = fmin(*to, w->to);
    return sqrt(square);
}

/* --- integration ------------------------------------------------------------------------------ */

/* The unit of the integral; an acceleration in g is made one in m/s^2 first. */
static const char *integrated_unit(lmb_spectrum_work *w)
{
    lmb_waveform *r = &w->record;
    double metric = r->acceleration;
    for (size_t i = 0; i < r->n && metric > 0 && metric != 1; i++)
        r->x[i] *= metric;
    if (metric > 0)
        return w->integrate == 1 ? "m/s" : "m";
    return lmb_text_format(w->arena, w->integrate == 1 ? "%s s" : "%s s^2",
                           r->unit[0] ? r->unit : "unit");
}

/* The record integrated, without its ends. */
static lmb_status integrate(lmb_spectrum_work *w)
{
    lmb_waveform *r = &w->record;
    size_t cut = (size_t)(3 / w->high_pass * r->rate);
    if (r->n < 4 * cut + 64)
        return lmb_fail(w->context, LMB_BAD_INPUT,
                        "the record is too short for a high-pass of %g Hz: it takes %g s",
                        w->high_pass, 12 / w->high_pass);
    const char *unit = integrated_unit(w);
    if (!unit || !lmb_integrate(r->n, r->x, r->rate, w->integrate, w->high_pass))
        return lmb_fail_memory(w->context);
    r->x += cut;
    r->other = r->other ? r->other + cut : NULL;
    r->turns = r->turns ? r->turns + cut : NULL;
    r->n -= 2 * cut;
    r->start += (double)cut / r->rate;
    r->unit = unit;
    r->acceleration = 0;
    return LMB_OK;
}

/* --- bands ------------------------------------------------------------------------------------ */

/* Fails where half the sampling rate is below the upper end of a band. */
static lmb_status check_band(lmb_spectrum_work *w, double to)
{
    if (to <= w->record.rate / 2)
        return LMB_OK;
    lmb_fail(w->context, LMB_BAD_INPUT, "a band up to %g Hz needs a sampling rate above %g Hz", to,
             2 * to);
    return lmb_hint(w->context, "this record has %g Hz", w->record.rate);
}

static lmb_status make_envelope(lmb_spectrum_work *w)
{
    lmb_bands bands;
    size_t count = 0;
    double rate, narrowest = w->has_bearing ? 3 * w->lines.highest : w->record.rate / 16;
    lmb_status status = check_band(w, w->band_to);
    if (status)
        return status;
    if (!lmb_bands_start(&bands, w->record.n, w->record.x, w->record.rate))
        return lmb_fail_memory(w->context);
    if (w->band_to <= 0 && w->diagnosed && w->diagnosis.alarm) {
        w->band_from = w->diagnosis.scores[0].from;
        w->band_to = w->diagnosis.scores[0].to;
    }
    bool done = w->band_to > 0 || lmb_bands_choose(&bands, narrowest, &w->band_from, &w->band_to);
    double *power = done ? lmb_bands_power(&bands, w->band_from, w->band_to, &count, &rate) : NULL;
    lmb_bands_free(&bands);
    if (!power)
        return lmb_fail(w->context, LMB_BAD_INPUT, "there is nothing between %g and %g Hz",
                        w->band_from, w->band_to);
    w->kurtosis = lmb_spectral_kurtosis(count, power);
    for (size_t i = 0; i < count; i++)
        power[i] = sqrt(power[i]);
    status = lmb_spectrum_amplitudes(w, count, power, rate);
    free(power);
    if (status)
        return status;
    /* the envelope has nothing above the width of its band */
    size_t most = (size_t)((w->band_to - w->band_from) / w->step);
    w->bins = most < w->bins ? most : w->bins;
    return w->bins >= 4 ? LMB_OK
                        : lmb_fail(w->context, LMB_BAD_INPUT,
                                   "the band from %g to %g Hz is too narrow for this record",
                                   w->band_from, w->band_to);
}

/* --- overall values --------------------------------------------------------------------------- */

/* One row: the record between two frequencies, integrated so many times, in another unit. */
static lmb_status put_row(lmb_spectrum_work *w, const double band[2], int times, double factor,
                          lmb_overall row)
{
    const lmb_waveform *r = &w->record;
    size_t cut = band[0] > 0 ? (size_t)(3 / band[0] * r->rate) : 0;
    double *x = lmb_malloc(r->n * sizeof *x);
    for (size_t i = 0; x && i < r->n; i++)
        x[i] = factor * r->x[i];
    bool done = x && lmb_band_pass(r->n, x, r->rate, band[0], band[1], times);
    row.from = band[0];
    row.to = band[1];
    if (done && w->statistics.rms > 0) /* of a constant nothing is left but rounding */
        row.statistics = lmb_signal_statistics(r->n - 2 * cut, x + cut);
    free(x);
    w->overall[w->overall_count++] = row;
    return done ? LMB_OK : lmb_fail_memory(w->context);
}

/* Rms, peak, crest factor and kurtosis of the record in bands, as those who look after machines
 * read them; of an acceleration its velocity too, in mm/s. */
static lmb_status find_overall(lmb_spectrum_work *w)
{
    const lmb_waveform *r = &w->record;
    bool metres = strcmp(r->unit, "m/s") == 0, speed = metres || strcmp(r->unit, "mm/s") == 0;
    lmb_status status = LMB_OK;
    w->overall = lmb_arena_alloc(w->arena, 2 * LMB_MOST_BANDS, sizeof *w->overall);
    w->overall_count = 0;
    if (!w->overall)
        return lmb_fail_memory(w->context);
    for (int i = 0; i < w->band_count && !status; i++) {
        const double *band = w->bands[i];
        status = check_band(w, band[1]);
        /* long enough without the ends, where the filter is not to be trusted */
        if (!status && band[0] > 0 && (double)r->n < 12 / band[0] * r->rate + 64)
            status = lmb_fail(w->context, LMB_BAD_INPUT,
                              "a band from %g Hz on takes a record of %.3g s; this one has %.3g s",
                              band[0], 12 / band[0] + 64 / r->rate, (double)r->n / r->rate);
        if (!status)
            status = put_row(w, band, 0, metres ? 1000 : 1,
                             (lmb_overall){.quantity = r->acceleration > 0 ? "acceleration"
                                                       : speed             ? "velocity"
                                                                           : r->name,
                                           .unit = speed ? "mm/s" : r->unit});
        if (!status && r->acceleration > 0 && band[0] > 0)
            status = put_row(w, band, 1, 1000 * r->acceleration,
                             (lmb_overall){.quantity = "velocity", .unit = "mm/s"});
    }
    return status;
}

double lmb_overall_crest(const lmb_overall *o)
{
    return o->statistics.rms > 0 ? o->statistics.peak / o->statistics.rms : NAN;
}

double lmb_overall_before(const lmb_spectrum_work *w, int i)
{
    const lmb_spectrum_work *old = w->before;
    bool same = old && i < old->overall_count &&
                strcmp(old->overall[i].unit, w->overall[i].unit) == 0 &&
                strcmp(old->overall[i].quantity, w->overall[i].quantity) == 0;
    return same ? old->overall[i].statistics.rms : NAN;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Looks for faults of the bearing; that it cannot be done is no failure. */
static void diagnose(lmb_spectrum_work *w)
{
    const lmb_waveform *r = &w->record;
    lmb_diagnosis_options o = lmb_diagnosis_defaults;
    size_t messages = lmb_message_count(w->context);
    o.slip = w->slip;
    o.from = w->band_from;
    o.to = w->band_to;
    w->diagnosed =
        lmb_diagnose(w->context, r->n, r->x, r->rate, &w->lines, &o, &w->diagnosis) == LMB_OK;
    if (w->diagnosed)
        return;
    const char *why = lmb_message_at(w->context, messages)->text;
    why = lmb_text_copy(w->arena, why, strlen(why));
    lmb_messages_forget(w->context, messages);
    lmb_warn(w->context, "faults of the bearing were not looked for: %s", why ? why : "");
}

static lmb_status make_plain(lmb_spectrum_work *w)
{
    return lmb_spectrum_amplitudes(w, w->record.n, w->record.x, w->record.rate);
}

/* What was asked for of the record. */
static lmb_status (*const makers[LMB_SPECTRUM_KINDS])(lmb_spectrum_work *) = {
    make_plain, make_envelope, lmb_spectrum_orders, lmb_spectrum_waterfall, lmb_spectrum_response};

lmb_status lmb_spectrum_analyse(lmb_spectrum_work *w)
{
    lmb_waveform *r = &w->record;
    bool speed = r->other && w->kind != LMB_SPECTRUM_RESPONSE;
    lmb_status status = speed ? lmb_spectrum_speed(w) : LMB_OK;
    if (!status && w->integrate)
        status = integrate(w);
    if (status)
        return status;
    w->statistics = lmb_signal_statistics(r->n, r->x);
    if (w->band_count > 0)
        status = find_overall(w);
    if (!status && w->has_bearing && !w->before &&
        (w->kind == LMB_SPECTRUM_PLAIN || w->kind == LMB_SPECTRUM_ENVELOPE))
        diagnose(w);
    if (!status)
        status = makers[w->kind](w);
    if (!status && w->from >= (double)(w->bins - 1) * w->step)
        status = lmb_fail(w->context, LMB_BAD_INPUT, "--from %g: the spectrum ends at %g %s",
                          w->from, (double)(w->bins - 1) * w->step, w->by_order ? "orders" : "Hz");
    return status;
}

lmb_spectrum_work lmb_spectrum_like(const lmb_spectrum_work *w)
{
    lmb_spectrum_work old = *w;
    old.has_bearing = old.diagnosed = false;
    old.resolution = w->step;
    return old;
}

lmb_status lmb_spectrum_set_baseline(lmb_spectrum_work *w, lmb_spectrum_work *old)
{
    lmb_status status = lmb_spectrum_peaks(old);
    if (!status && old->step > 2.1 * w->step) {
        lmb_fail(w->context, LMB_BAD_INPUT,
                 "the baseline is too short: its lines are %g apart, those of the record %g",
                 old->step, w->step);
        lmb_hint(w->context, "compare at a coarser --resolution, of %g", old->step);
        status = LMB_BAD_INPUT;
    }
    if (!status && strcmp(old->record.unit, w->record.unit) != 0)
        lmb_warn(w->context, "the baseline is in '%s', the record in '%s'", old->record.unit,
                 w->record.unit);
    w->before = old;
    return status;
}

/* --- trends ----------------------------------------------------------------------------------- */

const char *const lmb_trend_names[LMB_TREND_LINES] = {
    "shaft 1x", "shaft 2x", "shaft 3x", "outer race", "inner race", "rolling element", "cage"};

int lmb_trend_lines(const lmb_spectrum_work *w)
{
    return w->has_bearing ? LMB_TREND_LINES : w->shaft > 0 ? 3 : 0;
}

lmb_trend_row lmb_trend_of(const lmb_spectrum_work *w)
{
    lmb_trend_row row = {.path = w->record.path,
                         .statistics = w->statistics,
                         .overall_count = w->overall_count,
                         .overall = w->overall};
    for (int k = 0; k < 3 && w->shaft > 0; k++)
        row.lines[k] = lmb_spectrum_near(w, (k + 1) * (w->by_order ? 1 : w->shaft));
    for (int k = 0; k < LMB_FAULTS && w->diagnosed; k++)
        row.lines[3 + w->diagnosis.scores[k].fault] = 0 - w->diagnosis.scores[k].log_chance;
    return row;
}
