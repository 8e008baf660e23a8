/* Overall values of bands, as those who look after machines read them: rms, peak, crest factor and
 * kurtosis of the record between two frequencies; of an acceleration its velocity too, in mm/s. */
#include "signal/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"

/* One row: the record between two frequencies, integrated so many times, in another unit. */
static lmb_status put_row(lmb_spectrum_work *w, const double band[2], int times, double factor,
                          lmb_overall *row)
{
    const lmb_waveform *r = &w->record;
    size_t cut = band[0] > 0 ? (size_t)(3 / band[0] * r->rate) : 0;
    double *x = malloc(r->n * sizeof *x);
    if (x)
        memcpy(x, r->x, r->n * sizeof *x);
    if (!x || !lmb_band_pass(r->n, x, r->rate, band[0], band[1], times)) {
        free(x);
        return lmb_fail_memory(w->context);
    }
    for (size_t i = 0; i < r->n; i++)
        x[i] *= factor;
    row->from = band[0];
    row->to = band[1];
    if (w->statistics.rms > 0) /* of a constant nothing is left but rounding */
        row->statistics = lmb_signal_statistics(r->n - 2 * cut, x + cut);
    free(x);
    return LMB_OK;
}

/* Whether the record has the band, and is long enough without the ends, where the filter is not to
 * be trusted. */
static lmb_status check_band(lmb_spectrum_work *w, const double band[2])
{
    const lmb_waveform *r = &w->record;
    lmb_status status = lmb_spectrum_check_band(w, band[1]);
    if (!status && band[0] > 0 && (double)r->n < 12 / band[0] * r->rate + 64) {
        lmb_fail(w->context, LMB_BAD_INPUT,
                 "a band from %g Hz on takes a record of %.3g s; this one has %.3g s", band[0],
                 12 / band[0] + 64 / r->rate, (double)r->n / r->rate);
        status = LMB_BAD_INPUT;
    }
    return status;
}

lmb_status lmb_spectrum_overall(lmb_spectrum_work *w)
{
    const lmb_waveform *r = &w->record;
    double metric = r->acceleration;
    bool speed = strcmp(r->unit, "m/s") == 0 || strcmp(r->unit, "mm/s") == 0;
    lmb_status status = LMB_OK;
    w->overall = lmb_arena_alloc(w->arena, 2 * LMB_MOST_BANDS, sizeof *w->overall);
    w->overall_count = 0;
    if (!w->overall)
        return lmb_fail_memory(w->context);
    for (int i = 0; i < w->band_count && !status; i++) {
        lmb_overall *row = &w->overall[w->overall_count++];
        *row = (lmb_overall){.quantity = metric > 0 ? "acceleration"
                                         : speed    ? "velocity"
                                                    : r->name,
                             .unit = speed ? "mm/s" : r->unit};
        status = check_band(w, w->bands[i]);
        if (!status)
            status = put_row(w, w->bands[i], 0, strcmp(r->unit, "m/s") == 0 ? 1000 : 1, row);
        if (status || !(metric > 0) || !(w->bands[i][0] > 0))
            continue;
        row = &w->overall[w->overall_count++];
        *row = (lmb_overall){.quantity = "velocity", .unit = "mm/s"};
        status = put_row(w, w->bands[i], 1, 1000 * metric, row);
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
