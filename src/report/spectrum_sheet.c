/* What a spectrum says in sentences and tables, and trends over several records. */
#include "report/spectrum_sheet.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* --- sentences -------------------------------------------------------------------------------- */

static void say_band(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    double to, rms = lmb_spectrum_band_rms(w, &to);
    lmb_sheet_say(sheet, "Rms from %g to %g %s: %.6g%s%s%s.", w->from, to,
                  w->by_order ? "orders" : "Hz", rms, w->record.unit[0] ? " " : "", w->record.unit,
                  w->as_density ? ", the root of the integral of the density" : "");
}

/* What of noise and of peaks changes with the distance of the lines. */
static void say_steps(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    double ratio = w->before->step / w->step;
    if (fabs(log(ratio)) > 0.1)
        lmb_sheet_say(sheet, "The baseline's lines are %g apart, which changes its %s by %+.1f dB.",
                      w->before->step,
                      w->as_density ? "peaks (not its noise)" : "noise (not its peaks)",
                      (w->as_density ? -10 : 10) * log10(ratio));
}

static void say_record(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    const lmb_waveform *r = &w->record;
    const lmb_statistics *s = &w->statistics;
    lmb_sheet_say(sheet, "%s: %s, %zu values at %g Hz, %g s.", r->path, r->name, r->n, r->rate,
                  (double)r->n / r->rate);
    if (s->rms > 0)
        lmb_sheet_say(sheet, "Rms %.6g, peak %.6g%s%s; crest factor %.4g, kurtosis %.4g.", s->rms,
                      s->peak, r->unit[0] ? ", in " : "", r->unit, s->peak / s->rms, s->kurtosis);
    else
        lmb_sheet_say(sheet, "The record is constant, %.6g: there is no vibration.", s->mean);
    if (lmb_spectrum_has_band(w))
        say_band(w, sheet);
    if (w->integrate)
        lmb_sheet_say(sheet,
                      "Integrated %s, without frequencies below %g Hz (half the amplitude is left "
                      "there).",
                      w->integrate == 1 ? "once" : "twice", w->high_pass);
    if (w->fastest > 0)
        lmb_sheet_say(sheet, "Speed from %s '%s': %.6g to %.6g rpm.",
                      w->pulses > 0 ? "the pulses of" : "column", r->other_name, 60 * w->slowest,
                      60 * w->fastest);
    if (w->before) {
        double rms = w->before->statistics.rms;
        lmb_sheet_say(sheet, "Rms in the baseline %.6g: %+.2f dB.", rms, 20 * log10(s->rms / rms));
        say_steps(w, sheet);
    }
}

static void say_response(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    const char *unit = w->record.unit, *force = w->record.other_unit;
    bool units = unit[0] && force[0];
    lmb_sheet_say(sheet, "%zu blow%s, %g Hz from line to line%s%s%s%s.", w->averages,
                  w->averages == 1 ? "" : "s", w->step, units ? "; amplitudes are in (" : "",
                  units ? unit : "", units ? ")/" : "", units ? force : "");
    if (w->reach > 0)
        lmb_sheet_say(sheet,
                      "The blows reach to %.4g Hz, where they have a tenth of their force left%s.",
                      w->reach, w->to == w->reach ? "; --to shows more" : "");
    if (w->averages == 1)
        lmb_sheet_say(sheet, "The coherence of one blow is 1 by definition and says nothing.");
    if (w->force_window > 0)
        lmb_sheet_say(sheet, "Force window: the force counts for %g s from the blow on.",
                      w->force_window);
    if (w->exponential > 0)
        lmb_sheet_say(sheet,
                      "Exponential window of %g s: the curve has a decay of %.4g/s more than the "
                      "structure; frequencies, damping and amplitudes of the modes are without it.",
                      w->exponential, 1 / w->exponential);
}

static void say_all(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    say_record(w, sheet);
    if (w->kind == LMB_SPECTRUM_ENVELOPE)
        lmb_sheet_say(sheet, "Envelope of %g to %g Hz, spectral kurtosis %.3g.", w->band_from,
                      w->band_to, w->kurtosis);
    if (w->kind == LMB_SPECTRUM_RESPONSE)
        say_response(w, sheet);
    else
        lmb_sheet_say(sheet, "Window %s, %zu average%s, %g %s from line to line; %s%s.",
                      lmb_window_names[w->welch.window], w->averages, w->averages == 1 ? "" : "s",
                      w->step, w->by_order ? "orders" : "Hz",
                      w->as_density ? "densities are in " : "amplitudes are 0 to peak",
                      w->as_density ? w->density_unit : "");
    if (w->diagnosed && w->diagnosis.alarm)
        lmb_sheet_say(sheet, "The %s of the bearing shows a fault.",
                      lmb_fault_names[w->diagnosis.scores[0].fault]);
    else if (w->diagnosed)
        lmb_sheet_say(sheet, "The bearing shows no fault.");
}

/* --- tables ----------------------------------------------------------------------------------- */

static void put_overall(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    if (w->overall_count == 0)
        return;
    lmb_sheet_say(sheet, "At the ends of the bands of overall values half the power is left, "
                         "beyond them 96 dB an octave less.");
    if (!w->record.unit[0])
        lmb_sheet_say(sheet,
                      "The record has no unit; with that of an acceleration, --unit m/s^2 or "
                      "g, its velocity is listed too.");
    lmb_sheet_table_add(sheet, "Overall values",
                        "band (Hz)|quantity|unit|rms|peak|crest factor|kurtosis");
    if (w->before)
        lmb_sheet_columns(sheet, "rms before|change (dB)");
    for (int i = 0; i < w->overall_count; i++) {
        const lmb_overall *o = &w->overall[i];
        const lmb_statistics *s = &o->statistics;
        double before = lmb_overall_before(w, i);
        lmb_sheet_row(sheet, "%g to %g|%s|%s|%.6g|%.6g|%.4g|%.4g|%.6g|%.2f", o->from, o->to,
                      o->quantity, o->unit, s->rms, s->peak, lmb_overall_crest(o),
                      s->rms > 0 ? s->kurtosis : NAN, before, 20 * log10(s->rms / before));
    }
}

static void put_peaks(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    bool response = w->kind == LMB_SPECTRUM_RESPONSE;
    lmb_sheet_table_add(sheet, response ? "Modes" : "Peaks",
                        w->by_order ? "order" : "frequency (Hz)");
    lmb_sheet_columns(sheet, lmb_spectrum_word(w));
    if (w->before)
        lmb_sheet_columns(sheet, "before|change (dB)");
    lmb_sheet_columns(sheet, response ? "damping (%)|phase (deg)|coherence" : "line");
    for (const lmb_peak *p = w->peaks; p < w->peaks + w->found; p++) {
        lmb_sheet_row(sheet, "%.6g|%.6g", p->frequency, p->height);
        if (w->before)
            lmb_sheet_cells(sheet, "%.6g|%.2f", p->before, lmb_spectrum_change(w, p));
        if (response)
            lmb_sheet_cells(sheet, "%.4g|%.1f|%.4f", p->fitted ? 100 * p->mode.damping : NAN,
                            p->phase, p->coherence);
        else
            lmb_sheet_cells(sheet, "%s", p->name);
    }
}

static void put_faults(const lmb_diagnosis *d, lmb_sheet *sheet)
{
    lmb_sheet_table_add(sheet, "Faults of the bearing",
                        "fault|expected (Hz)|found (Hz)|strength|log10 chance|band (Hz)");
    for (const lmb_fault_score *s = d->scores; s < d->scores + LMB_FAULTS; s++)
        lmb_sheet_row(sheet, "%s|%.6g|%.6g|%.4g|%.2f|%.4g to %.4g", lmb_fault_names[s->fault],
                      s->expected, s->found, s->strength, s->log_chance, s->from, s->to);
}

static void put_slices(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    lmb_sheet_table_add(sheet, "Spectra one after the other", "time (s)");
    lmb_sheet_columns(sheet, w->by_order ? "largest at order" : "largest at (Hz)");
    lmb_sheet_columns(sheet, lmb_spectrum_word(w));
    if (w->slice_speed)
        lmb_sheet_columns(sheet, w->by_order ? "speed (rpm)|frequency (Hz)" : "speed (rpm)|order");
    for (int i = 0; i < w->slices; i++) {
        double place, height, speed = w->slice_speed ? w->slice_speed[i] : 0;
        lmb_spectrum_largest(w, i, &place, &height);
        lmb_sheet_row(sheet, "%.6g|%.6g|%.6g|%.6g", w->slice_time[i], place, height, 60 * speed);
        if (w->by_order)
            lmb_sheet_cells(sheet, "%.6g", place * speed);
        else if (speed > 0)
            lmb_sheet_cells(sheet, "%.4g", place / speed);
    }
}

void lmb_spectrum_tell(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    say_all(w, sheet);
    put_overall(w, sheet);
    put_peaks(w, sheet);
    if (w->kind == LMB_SPECTRUM_WATERFALL)
        put_slices(w, sheet);
    if (w->diagnosed)
        put_faults(&w->diagnosis, sheet);
}

/* --- trends ----------------------------------------------------------------------------------- */

/* The name of an overall value. */
static const char *overall_name(lmb_arena *arena, const lmb_overall *o)
{
    return lmb_text_format(arena, o->unit[0] ? "%s %g-%g Hz (%s)" : "%s %g-%g Hz", o->quantity,
                           o->from, o->to, o->unit);
}

/* The rms of an overall value; of a record whose unit is another than that of the first, none. */
static double overall_of(const lmb_trend_row *rows, int i, int k)
{
    const lmb_overall *first = &rows[0].overall[k], *own = &rows[i].overall[k];
    bool same = k < rows[i].overall_count && strcmp(own->unit, first->unit) == 0;
    return same ? own->statistics.rms : NAN;
}

static void put_trend(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                      lmb_sheet *sheet)
{
    int columns = lmb_trend_lines(w), overall = rows[0].overall_count;
    lmb_sheet_table_add(sheet, "Trend", "record|rms|peak|kurtosis");
    for (int k = 0; k < overall; k++)
        lmb_sheet_columns(sheet, overall_name(sheet->arena, &rows[0].overall[k]));
    for (int k = 0; k < columns; k++)
        lmb_sheet_columns(sheet, lmb_trend_names[k]);
    for (int i = 0; i < count; i++) {
        const lmb_statistics *s = &rows[i].statistics;
        lmb_sheet_row(sheet, "%s|%.6g|%.6g|%.4g", rows[i].path, s->rms, s->peak, s->kurtosis);
        for (int k = 0; k < overall; k++)
            lmb_sheet_cells(sheet, "%.6g", overall_of(rows, i, k));
        for (int k = 0; k < columns; k++)
            lmb_sheet_cells(sheet, k < 3 ? "%.6g" : "%.2f", rows[i].lines[k]);
    }
    if (overall > 0)
        lmb_sheet_say(sheet, "Columns of bands are the rms in them.");
    if (columns > 3)
        lmb_sheet_say(sheet,
                      "Under the faults of the bearing: -log10 of the chance that noise shows as "
                      "much.");
}

/* A curve over the records. */
static lmb_curve *add_curve(lmb_plot *plot, const char *name, int count)
{
    lmb_curve *c = lmb_plot_add_curve(plot, name, count, LMB_CURVE_LINE);
    for (int i = 0; i < c->count; i++)
        c->x[i] = i + 1;
    return c;
}

/* Curves of the lines of shaft and bearing from one to another. */
static void put_lines(lmb_plot *plot, int count, const lmb_trend_row *rows, int from, int to)
{
    for (int k = from; k < to; k++) {
        lmb_curve *c = add_curve(plot, lmb_trend_names[k], count);
        for (int i = 0; i < c->count; i++)
            c->y[i] = rows[i].lines[k];
    }
}

void lmb_trend_sheet(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                     lmb_sheet *sheet)
{
    put_trend(w, count, rows, sheet);
    int columns = lmb_trend_lines(w), overall = rows[0].overall_count;
    lmb_plot plot = lmb_plot_start(sheet->arena, "", "record", 0);
    lmb_plot_add_panel(&plot, "amplitude");
    lmb_curve *rms = add_curve(&plot, "rms", count);
    for (int i = 0; i < rms->count; i++)
        rms->y[i] = rows[i].statistics.rms;
    put_lines(&plot, count, rows, 0, columns < 3 ? 0 : 3);
    if (columns > 3) {
        lmb_plot_add_panel(&plot, "-log10 of chance");
        put_lines(&plot, count, rows, 3, 3 + LMB_FAULTS);
    }
    if (overall > 0)
        lmb_plot_add_panel(&plot, "overall rms");
    for (int k = 0; k < overall; k++) {
        lmb_curve *c = add_curve(&plot, overall_name(sheet->arena, &rows[0].overall[k]), count);
        for (int i = 0; i < c->count; i++)
            c->y[i] = overall_of(rows, i, k);
    }
    plot.height = 320 + 160 * plot.panel_count;
    plot.legend = plot.whole = true;
    lmb_sheet_figure(sheet, &plot);
}
