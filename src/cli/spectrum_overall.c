/* Overall values of bands, as those who look after machines read them: rms, peak, crest factor and
 * kurtosis of the record between two frequencies; of an acceleration its velocity too, in mm/s. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "cli/spectrum.h"

/* One row: the record between two frequencies, integrated so many times, in another unit. */
static lmb_status put_row(lmb_spectrum_work *w, const double band[2], int times, double factor,
                          lmb_overall *row)
{
    const lmb_record *r = &w->record;
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
    const lmb_record *r = &w->record;
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
    const lmb_record *r = &w->record;
    double metric = lmb_spectrum_acceleration(r->unit); /* m/s^2 in the unit, or 0 */
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

/* --- what is said of them --------------------------------------------------------------------- */

static double crest(const lmb_statistics *s)
{
    return s->rms > 0 ? s->peak / s->rms : NAN;
}

/* The rms in the baseline, if that is in the same unit. */
static double before(const lmb_spectrum_work *w, int i)
{
    const lmb_spectrum_work *old = w->before;
    bool same = old && i < old->overall_count &&
                strcmp(old->overall[i].unit, w->overall[i].unit) == 0 &&
                strcmp(old->overall[i].quantity, w->overall[i].quantity) == 0;
    return same ? old->overall[i].statistics.rms : NAN;
}

void lmb_overall_table(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    static const char *const head[] = {"band (Hz)", "quantity",   "unit",
                                       "rms",       "peak",       "crest factor",
                                       "kurtosis",  "rms before", "change (dB)"};
    if (w->overall_count == 0)
        return;
    lmb_sheet_say(sheet, "At the ends of the bands of overall values half the power is left, "
                         "beyond them 96 dB an octave less.");
    if (!w->record.unit[0])
        lmb_sheet_say(sheet,
                      "The record has no unit; with that of an acceleration, --unit m/s^2 or "
                      "g, its velocity is listed too.");
    lmb_sheet_table *t =
        lmb_sheet_table_add(sheet, "Overall values", w->overall_count, w->before ? 9 : 7, head);
    for (int i = 0; i < w->overall_count; i++) {
        const lmb_overall *o = &w->overall[i];
        const lmb_statistics *s = &o->statistics;
        lmb_sheet_cell(sheet, t, i, 0, "%g to %g", o->from, o->to);
        lmb_sheet_cell(sheet, t, i, 1, "%s", o->quantity);
        lmb_sheet_cell(sheet, t, i, 2, "%s", o->unit);
        lmb_sheet_number(sheet, t, i, 3, "%.6g", s->rms);
        lmb_sheet_number(sheet, t, i, 4, "%.6g", s->peak);
        lmb_sheet_number(sheet, t, i, 5, "%.4g", crest(s));
        lmb_sheet_number(sheet, t, i, 6, "%.4g", s->rms > 0 ? s->kurtosis : NAN);
        if (w->before) {
            lmb_sheet_number(sheet, t, i, 7, "%.6g", before(w, i));
            lmb_sheet_number(sheet, t, i, 8, "%.2f", 20 * log10(s->rms / before(w, i)));
        }
    }
}

void lmb_overall_json(lmb_json *json, const lmb_spectrum_work *w, int count, const lmb_overall *all)
{
    lmb_json_open(json, "overall", '[');
    for (int i = 0; i < count; i++) {
        const lmb_statistics *s = &all[i].statistics;
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_number(json, "from", all[i].from);
        lmb_json_number(json, "to", all[i].to);
        lmb_json_text(json, "quantity", all[i].quantity);
        lmb_json_text(json, "unit", all[i].unit);
        lmb_json_number(json, "rms", s->rms);
        lmb_json_number(json, "peak", s->peak);
        lmb_json_number(json, "crest_factor", crest(s));
        lmb_json_number(json, "kurtosis", s->kurtosis);
        if (w->before) {
            lmb_json_number(json, "rms_before", before(w, i));
            lmb_json_number(json, "change", 20 * log10(s->rms / before(w, i)));
        }
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

const char *lmb_overall_name(lmb_arena *arena, const lmb_overall *o)
{
    return lmb_text_format(arena, o->unit[0] ? "%s %g-%g Hz (%s)" : "%s %g-%g Hz", o->quantity,
                           o->from, o->to, o->unit);
}

const char *lmb_overall_title(const lmb_spectrum_work *w, lmb_arena *arena)
{
    const char *title = lmb_file_name(w->record.path);
    for (int i = 0; i < w->overall_count && title; i++) {
        const lmb_overall *o = &w->overall[i];
        if (o->from != w->overall[0].from || o->to != w->overall[0].to)
            break;
        title = lmb_text_format(arena, i == 0 ? "%s: rms %.3g%s%s" : "%s, %.3g%s%s", title,
                                o->statistics.rms, o->unit[0] ? " " : "", o->unit);
    }
    if (w->overall_count > 0 && title)
        title = lmb_text_format(arena, "%s from %g to %g Hz", title, w->overall[0].from,
                                w->overall[0].to);
    return title;
}
