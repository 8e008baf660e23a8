/* What limber spectrum shows: tables, JSON and pictures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/json.h"
#include "cli/draw.h"
#include "cli/spectrum.h"

static double decibels(const lmb_peak *p)
{
    return 20 * log10(p->amplitude / p->before);
}

static const char *kind_of(const lmb_spectrum_work *w)
{
    return w->impact      ? "response"
           : w->envelope  ? "envelope"
           : w->orders    ? "orders"
           : w->waterfall ? "waterfall"
                          : "spectrum";
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_head(const lmb_spectrum_work *w)
{
    const lmb_record *r = &w->record;
    printf("%s: %s, %zu values at %g Hz, %g s\n", r->path, r->name, r->n, r->rate,
           (double)r->n / r->rate);
    printf("rms %.6g, peak %.6g, crest factor %.4g, kurtosis %.4g%s%s\n", w->statistics.rms,
           w->statistics.peak, w->statistics.peak / w->statistics.rms, w->statistics.kurtosis,
           r->unit[0] ? ", in " : "", r->unit);
    if (w->integrate)
        printf("integrated %s, without frequencies below %g Hz\n",
               w->integrate == 1 ? "once" : "twice", w->high_pass);
    if (w->before)
        printf("rms in the baseline %.6g: %+.2f dB\n", w->before_statistics.rms,
               20 * log10(w->statistics.rms / w->before_statistics.rms));
    if (w->envelope)
        printf("envelope of %g to %g Hz, spectral kurtosis %.3g\n", w->band_from, w->band_to,
               w->kurtosis);
    if (w->impact)
        printf("%zu blows, %g Hz from line to line\n", w->averages, w->step);
    else
        printf("%s window, %zu averages, %g %s from line to line\n",
               lmb_window_names[w->welch.window], w->averages, w->step,
               w->orders ? "orders" : "Hz");
}

static void print_diagnosis(const lmb_spectrum_work *w)
{
    printf("\n%-18s %14s %12s %10s %14s   %s\n", "fault", "expected (Hz)", "found (Hz)", "strength",
           "log10 chance", "band (Hz)");
    for (int i = 0; i < LMB_FAULTS; i++) {
        const lmb_fault_score *s = &w->diagnosis.scores[i];
        printf("%-18s %14.6g %12.6g %10.4g %14.2f   %g to %g\n", lmb_fault_names[s->fault],
               s->expected, s->found, s->strength, s->log_chance, s->from, s->to);
    }
    if (w->diagnosis.alarm)
        printf("The %s of the bearing shows a fault.\n",
               lmb_fault_names[w->diagnosis.scores[0].fault]);
    else
        puts("The bearing shows no fault.");
}

static double coherence_at(const lmb_spectrum_work *w, double f)
{
    size_t k = (size_t)lround(f / w->step);
    return k < w->bins ? w->coherence[k] : NAN;
}

void lmb_spectrum_print(const lmb_spectrum_work *w)
{
    print_head(w);
    printf("\n%16s %16s", w->orders ? "order" : "frequency (Hz)", "amplitude");
    if (w->before)
        printf(" %16s %12s", "before", "change (dB)");
    if (w->impact)
        printf(" %12s %12s", "phase (deg)", "coherence");
    printf("   line\n");
    for (int i = 0; i < w->found; i++) {
        const lmb_peak *p = &w->peaks[i];
        printf("%16.6g %16.6g", p->frequency, p->amplitude);
        if (w->before)
            printf(" %16.6g %12.2f", p->before, decibels(p));
        if (w->impact) {
            size_t k = (size_t)lround(p->frequency / w->step);
            printf(" %12.1f %12.4f", atan2(w->imaginary[k], w->real[k]) * 180 / acos(-1),
                   coherence_at(w, p->frequency));
        }
        printf("   %s\n", p->name);
    }
    if (w->waterfall) {
        printf("\n%12s %14s %18s %16s\n", "time (s)", "speed (rpm)", "largest at (Hz)",
               "amplitude");
        size_t row = lmb_welch_bins(&w->welch);
        for (int i = 0; i < w->slices; i++) {
            size_t best = 1;
            const double *a = w->slice_amplitude + (size_t)i * row;
            for (size_t k = 1; k < row; k++)
                best = a[k] > a[best] ? k : best;
            printf("%12.6g %14.6g %18.6g %16.6g\n", w->slice_time[i], 60 * w->slice_speed[i],
                   w->axis[best], a[best]);
        }
    }
    if (w->diagnosed)
        print_diagnosis(w);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_array(lmb_json *json, const char *key, size_t count, const double *values)
{
    lmb_json_open_flat(json, key, '[');
    for (size_t i = 0; i < count; i++)
        lmb_json_number(json, NULL, values[i]);
    lmb_json_close(json);
}

static void json_peaks(lmb_json *json, const lmb_spectrum_work *w)
{
    lmb_json_open(json, "peaks", '[');
    for (int i = 0; i < w->found; i++) {
        const lmb_peak *p = &w->peaks[i];
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_number(json, w->orders ? "order" : "frequency", p->frequency);
        lmb_json_number(json, "amplitude", p->amplitude);
        lmb_json_text(json, "line", p->name);
        if (w->before) {
            lmb_json_number(json, "before", p->before);
            lmb_json_number(json, "change", decibels(p));
        }
        if (w->impact)
            lmb_json_number(json, "coherence", coherence_at(w, p->frequency));
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void json_diagnosis(lmb_json *json, const lmb_spectrum_work *w)
{
    lmb_json_open(json, "diagnosis", '{');
    lmb_json_bool(json, "alarm", w->diagnosis.alarm);
    lmb_json_open(json, "faults", '[');
    for (int i = 0; i < LMB_FAULTS; i++) {
        const lmb_fault_score *s = &w->diagnosis.scores[i];
        lmb_json_open_flat(json, NULL, '{');
        lmb_json_text(json, "fault", lmb_fault_names[s->fault]);
        lmb_json_number(json, "expected", s->expected);
        lmb_json_number(json, "found", s->found);
        lmb_json_number(json, "strength", s->strength);
        lmb_json_number(json, "log_chance", s->log_chance);
        lmb_json_number(json, "from", s->from);
        lmb_json_number(json, "to", s->to);
        lmb_json_close(json);
    }
    lmb_json_close(json);
    lmb_json_close(json);
}

void lmb_spectrum_print_json(const lmb_spectrum_work *w)
{
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_text(&json, "kind", kind_of(w));
    lmb_json_text(&json, "name", w->record.name);
    lmb_json_text(&json, "unit", w->record.unit);
    lmb_json_number(&json, "rate", w->record.rate);
    lmb_json_integer(&json, "values", (long)w->record.n);
    lmb_json_integer(&json, "averages", (long)w->averages);
    lmb_json_number(&json, "rms", w->statistics.rms);
    lmb_json_number(&json, "peak", w->statistics.peak);
    lmb_json_number(&json, "kurtosis", w->statistics.kurtosis);
    if (w->integrate)
        lmb_json_number(&json, "high_pass", w->high_pass);
    if (w->before)
        lmb_json_number(&json, "rms_before", w->before_statistics.rms);
    if (w->envelope)
        json_array(&json, "band", 2, (double[]){w->band_from, w->band_to});
    json_peaks(&json, w);
    if (w->diagnosed)
        json_diagnosis(&json, w);
    json_array(&json, w->orders ? "order" : "frequency", w->bins, w->axis);
    json_array(&json, "amplitude", w->bins, w->amplitude);
    if (w->before)
        json_array(&json, "amplitude_before", w->bins, w->before);
    if (w->impact) {
        json_array(&json, "real", w->bins, w->real);
        json_array(&json, "imaginary", w->bins, w->imaginary);
        json_array(&json, "coherence", w->bins, w->coherence);
    }
    if (w->waterfall) {
        json_array(&json, "time", (size_t)w->slices, w->slice_time);
        json_array(&json, "speed", (size_t)w->slices, w->slice_speed);
    }
    lmb_json_close(&json);
}

/* --- pictures --------------------------------------------------------------------------------- */

enum { MOST_CURVES = 64 };

/* The part of the spectrum that is shown. */
static void shown(const lmb_spectrum_work *w, size_t *first, int *count)
{
    size_t last = w->bins;
    *first = (size_t)fmin(fmax(w->from / w->step, 0), (double)w->bins - 2);
    if (w->to > 0 && w->to / w->step + 1 < (double)last)
        last = (size_t)(w->to / w->step) + 1;
    *count = last > *first + 1 ? (int)(last - *first) : 2;
}

/* Upright lines where faults would show. */
static int mark_lines(const lmb_spectrum_work *w, lmb_curve *curves)
{
    const lmb_bearing_lines *l = &w->lines;
    double scale = w->orders && w->shaft > 0 ? 1 / w->shaft : 1;
    const double at[] = {l->outer * scale, l->inner * scale, l->rolling_element * scale,
                         l->cage * scale};
    static const char *const names[] = {"outer race", "inner race", "rolling element", "cage"};
    int count = 0;
    for (int i = 0; i < 4 && w->has_bearing; i++) {
        double *xy = lmb_arena_numbers(w->arena, 2);
        if (!xy)
            return count;
        xy[0] = at[i];
        curves[count++] = (lmb_curve){names[i], 1, xy, xy + 1, LMB_CURVE_MARKS};
    }
    return count;
}

static lmb_status draw_waterfall(const lmb_spectrum_work *w, const char *path)
{
    lmb_curve curves[MOST_CURVES];
    size_t first, row = lmb_welch_bins(&w->welch);
    int count;
    double top = 0;
    shown(w, &first, &count);
    for (size_t k = 0; k < (size_t)w->slices * row; k++)
        top = fmax(top, w->slice_amplitude[k]);
    bool speed = w->record.other != NULL;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < w->slices; i++) {
        double at = speed ? 60 * w->slice_speed[i] : w->slice_time[i];
        low = fmin(low, at);
        high = fmax(high, at);
    }
    /* each spectrum stands where its time or speed is */
    for (int i = 0; i < w->slices && i < MOST_CURVES; i++) {
        double *y = lmb_arena_numbers(w->arena, (size_t)count);
        double at = speed ? 60 * w->slice_speed[i] : w->slice_time[i];
        if (!y)
            return lmb_fail_memory(w->context);
        for (int k = 0; k < count; k++)
            y[k] = at + 0.2 * (high - low) *
                            w->slice_amplitude[(size_t)i * row + first + (size_t)k] / top;
        curves[i] = (lmb_curve){"", count, w->axis + first, y, LMB_CURVE_LINE};
    }
    lmb_plot_panel panel = {speed ? "speed in rpm" : "t in s", w->slices, curves};
    lmb_plot plot = {.title = w->record.name,
                     .x_label = "frequency in Hz",
                     .panel_count = 1,
                     .panels = &panel,
                     .width = 800,
                     .height = 640};
    return lmb_plot_write(w->context, &plot, path);
}

lmb_status lmb_spectrum_draw(const lmb_spectrum_work *w, const char *path)
{
    lmb_curve curves[8] = {{0}}, coherence = {0};
    size_t first;
    int count, used = 0;
    if (w->waterfall)
        return draw_waterfall(w, path);
    shown(w, &first, &count);
    curves[used++] =
        (lmb_curve){w->record.name, count, w->axis + first, w->amplitude + first, LMB_CURVE_LINE};
    if (w->before)
        curves[used++] =
            (lmb_curve){"baseline", count, w->axis + first, w->before + first, LMB_CURVE_LINE};
    used += mark_lines(w, curves + used);
    const char *unit = w->record.unit;
    const char *label = lmb_text_format(w->arena, unit[0] ? "%s in %s" : "%s",
                                        w->envelope ? "envelope" : "amplitude", unit);
    lmb_plot_panel panels[2] = {{label, used, curves}, {"coherence", 1, &coherence}};
    if (w->impact)
        coherence =
            (lmb_curve){"coherence", count, w->axis + first, w->coherence + first, LMB_CURVE_LINE};
    lmb_plot plot = {.title = w->record.path,
                     .x_label = w->orders ? "order" : "frequency in Hz",
                     .panel_count = w->impact ? 2 : 1,
                     .panels = panels,
                     .width = 800,
                     .height = w->impact ? 640 : 480,
                     .legend = used > 1};
    return label ? lmb_plot_write(w->context, &plot, path) : lmb_fail_memory(w->context);
}

/* --- trends ----------------------------------------------------------------------------------- */

static const char *const trend_names[3 + LMB_FAULTS] = {
    "shaft 1x", "shaft 2x", "shaft 3x", "outer race", "inner race", "rolling element", "cage"};

static int trend_columns(const lmb_spectrum_work *w)
{
    return w->has_bearing && w->shaft > 0 ? 3 + LMB_FAULTS : w->shaft > 0 ? 3 : 0;
}

void lmb_trend_print(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows)
{
    int columns = trend_columns(w);
    if (w->arguments->json) {
        lmb_json json = lmb_json_start(stdout);
        lmb_json_open(&json, NULL, '{');
        lmb_json_open(&json, "records", '[');
        for (int i = 0; i < count; i++) {
            lmb_json_open_flat(&json, NULL, '{');
            lmb_json_text(&json, "file", rows[i].path);
            lmb_json_number(&json, "rms", rows[i].statistics.rms);
            lmb_json_number(&json, "peak", rows[i].statistics.peak);
            lmb_json_number(&json, "kurtosis", rows[i].statistics.kurtosis);
            for (int k = 0; k < columns; k++)
                lmb_json_number(&json, trend_names[k], rows[i].lines[k]);
            lmb_json_close(&json);
        }
        lmb_json_close(&json);
        lmb_json_close(&json);
        return;
    }
    printf("%-28s %12s %12s %10s", "record", "rms", "peak", "kurtosis");
    for (int k = 0; k < columns; k++)
        printf(" %15s", trend_names[k]);
    putchar('\n');
    for (int i = 0; i < count; i++) {
        printf("%-28s %12.6g %12.6g %10.4g", rows[i].path, rows[i].statistics.rms,
               rows[i].statistics.peak, rows[i].statistics.kurtosis);
        for (int k = 0; k < columns; k++)
            printf(" %15.6g", rows[i].lines[k]);
        putchar('\n');
    }
    if (columns > 3)
        puts("Under the faults of the bearing: -log10 of the chance that noise shows as much.");
}

lmb_status lmb_trend_draw(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                          const char *path)
{
    int columns = trend_columns(w);
    lmb_curve curves[1 + 3 + LMB_FAULTS];
    double *x = lmb_arena_numbers(w->arena, (size_t)count);
    for (int k = 0; k <= columns; k++) {
        double *y = lmb_arena_numbers(w->arena, (size_t)count);
        if (!x || !y)
            return lmb_fail_memory(w->context);
        for (int i = 0; i < count; i++) {
            x[i] = i + 1;
            y[i] = k == 0 ? rows[i].statistics.rms : rows[i].lines[k - 1];
        }
        curves[k] = (lmb_curve){k == 0 ? "rms" : trend_names[k - 1], count, x, y, LMB_CURVE_LINE};
    }
    lmb_plot_panel panels[2] = {{"amplitude", columns < 3 ? 1 : 4, curves},
                                {"-log10 of chance", LMB_FAULTS, curves + 4}};
    lmb_plot plot = {.title = "",
                     .x_label = "record",
                     .panel_count = columns > 3 ? 2 : 1,
                     .panels = panels,
                     .width = 800,
                     .height = columns > 3 ? 640 : 480,
                     .legend = true};
    return lmb_plot_write(w->context, &plot, path);
}
