/* The figures of a spectrum: spectra with the lines of faults, cascades, responses, records. */
#include "report/spectrum_sheet.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "math/vec.h"

enum { COLUMNS = 2000, HARMONICS = 4 }; /* columns of points of a line */

/* The part of the spectrum that is shown; of densities, which have a logarithmic axis, without the
 * mean. */
static void shown(const lmb_spectrum_work *w, size_t *first, size_t *count)
{
    size_t last = w->bins;
    *first = (size_t)fmin(fmax(w->from / w->step, w->as_density), (double)w->bins - 2);
    if (w->to > 0 && w->to / w->step + 1 < (double)last)
        last = (size_t)(w->to / w->step) + 1;
    *count = last > *first + 1 ? last - *first : 2;
}

static const char *label_of(const lmb_spectrum_work *w, lmb_sheet *sheet, const char *what)
{
    return lmb_text_format(sheet->arena, w->record.unit[0] ? "%s in %s" : "%s", what,
                           w->record.unit);
}

/* The label of the heights of a spectrum. */
static const char *height_label(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    bool envelope = w->kind == LMB_SPECTRUM_ENVELOPE;
    if (!w->as_density)
        return label_of(w, sheet, envelope ? "envelope" : "amplitude");
    return lmb_text_format(sheet->arena, "density%s in %s", envelope ? " of the envelope" : "",
                           w->density_unit);
}

/* --- spectra ---------------------------------------------------------------------------------- */

/* Upright lines at multiples of a frequency, as far as the spectrum goes. */
static void mark(lmb_plot *plot, const char *label, double frequency, int most, double end)
{
    int count = 0;
    while (count < most && frequency > 0 && (count + 1) * frequency <= end)
        count++;
    lmb_curve *c = count > 0 ? lmb_plot_add_curve(plot, label, count, LMB_CURVE_MARKS) : NULL;
    for (int h = 0; c && h < c->count; h++)
        c->x[h] = (h + 1) * frequency;
}

static void mark_lines(const lmb_spectrum_work *w, lmb_plot *f, double end)
{
    double lines[LMB_SPECTRUM_LINES];
    int count = lmb_spectrum_lines(w, lines);
    bool alarm = w->diagnosed && w->diagnosis.alarm;
    mark(f, "shaft", w->by_order ? 1 : w->shaft, LMB_SHAFT_FAULTS, end);
    for (int i = 0; i < count; i++) {
        const char *name = lmb_spectrum_line_names[i];
        /* a fault that was found is marked where it is; its harmonics tell it from others */
        bool found = alarm && strcmp(name, lmb_fault_names[w->diagnosis.scores[0].fault]) == 0;
        if (strcmp(name, "ball spin") != 0)
            mark(f, name, found ? w->diagnosis.scores[0].found : lines[i], found ? HARMONICS : 2,
                 end);
    }
}

/* The name of the record with the rms of the first band. */
static const char *overall_title(const lmb_spectrum_work *w, lmb_arena *arena)
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

/* The line of a spectrum, from its first shown bin on. */
static void put_line(lmb_plot *plot, const lmb_spectrum_work *w, const char *label,
                     const double *heights)
{
    size_t first, count;
    shown(w, &first, &count);
    lmb_plot_add_line(plot, label, COLUMNS, count, w->axis + first, heights + first, 0, 0);
}

static void put_spectrum(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    size_t first, count;
    const lmb_spectrum_work *last = w->before ? w->before : w;
    lmb_plot f = lmb_plot_start(sheet->arena, overall_title(w, sheet->arena),
                                w->by_order ? "order" : "frequency in Hz", 480);
    f.logarithmic = w->as_density;
    lmb_plot_add_panel(&f, height_label(w, sheet));
    put_line(&f, w, w->record.name, lmb_spectrum_heights(w));
    if (w->before)
        put_line(&f, w->before, "baseline", lmb_spectrum_heights(w->before));
    shown(last, &first, &count);
    mark_lines(w, &f, w->axis[first + count - 1]);
    lmb_sheet_figure(sheet, &f);
}

/* --- responses -------------------------------------------------------------------------------- */

static void put_response(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    size_t first, count;
    shown(w, &first, &count);
    first = first > 0 ? first : 1; /* the mean was taken off */
    count = first + count <= w->bins ? count : w->bins - first;
    const double *x = w->axis + first;
    lmb_plot f =
        lmb_plot_start(sheet->arena, lmb_file_name(w->record.path), "frequency in Hz", 800);
    double *level = lmb_arena_numbers(sheet->arena, count);
    double *phase = lmb_arena_numbers(sheet->arena, count);
    const char *unit = w->record.unit, *force = w->record.other_unit;
    const char *label = unit[0] && force[0]
                            ? lmb_text_format(sheet->arena, "dB over 1 (%s)/%s", unit, force)
                            : "amplitude in dB";
    for (size_t i = 0; i < count && lmb_arena_fine(sheet->arena); i++) {
        size_t k = first + i;
        level[i] = w->amplitude[k] > 0 ? 20 * log10(w->amplitude[k]) : NAN;
        phase[i] = atan2(w->imaginary[k], w->real[k]) * 180 / LMB_PI;
    }
    lmb_plot_add_panel(&f, label);
    lmb_plot_add_line(&f, w->record.name, COLUMNS, count, x, level, 0, 0);
    lmb_curve *modes = lmb_plot_add_curve(&f, "modes", w->found, LMB_CURVE_MARKS);
    int marks = 0;
    for (int i = 0; i < modes->count; i++)
        if (w->peaks[i].fitted)
            modes->x[marks++] = w->peaks[i].frequency;
    modes->count = marks;
    lmb_plot_add_panel(&f, "phase in degrees");
    lmb_plot_add_line(&f, "phase", COLUMNS, count, x, phase, 0, 0);
    lmb_plot_add_panel(&f, "coherence");
    lmb_plot_add_line(&f, "coherence", COLUMNS, count, x, w->coherence + first, 0, 0);
    lmb_sheet_figure(sheet, &f);
}

/* --- cascades --------------------------------------------------------------------------------- */

/* Where the slices stand: at their speeds if these only grow or only fall by more than a twentieth,
 * else at their times. */
static bool by_speed(const lmb_spectrum_work *w)
{
    bool grows = true, falls = true;
    const double *s = w->slice_speed;
    for (int i = 1; s && i < w->slices; i++) {
        grows = grows && s[i] > s[i - 1];
        falls = falls && s[i] < s[i - 1];
    }
    return s && w->slices > 2 && (grows || falls) &&
           fabs(s[w->slices - 1] - s[0]) > 0.05 * fmax(s[w->slices - 1], s[0]);
}

/* The slices in so many columns of frequencies that what hides what is seen. */
enum { PLACES = 640 };

typedef struct cascade {
    const lmb_spectrum_work *w;
    size_t first, count; /* bins that are shown */
    double low, high;    /* of the places of the slices */
    double tallest, horizon[PLACES];
} cascade;

/* The height of a slice in a column: the largest of its bins, or between two of them. */
static double height_in(const cascade *c, int slice, size_t column)
{
    const double *a = lmb_spectrum_slice(c->w, slice) + c->first;
    double at = (double)(c->count - 1) * (double)column / (PLACES - 1), most = 0;
    size_t k = (size_t)at < c->count - 1 ? (size_t)at : c->count - 2;
    if (c->count < PLACES)
        return a[k] + (at - (double)k) * (a[k + 1] - a[k]);
    for (size_t i = c->count * column / PLACES; i < c->count * (column + 1) / PLACES; i++)
        most = fmax(most, a[i]);
    return most;
}

/* One spectrum standing at its place, without what those in front of it (below) hide. */
static void put_slice(lmb_plot *f, cascade *c, int slice, double at)
{
    lmb_curve *curve = lmb_plot_add_curve(f, "", PLACES, LMB_CURVE_LINE);
    for (int k = 0; k < curve->count; k++) {
        double place = at + 0.25 * (c->high - c->low) * height_in(c, slice, (size_t)k) / c->tallest;
        curve->x[k] = c->w->axis[c->first] + (double)(c->count - 1) * c->w->step * k / (PLACES - 1);
        curve->y[k] = place >= c->horizon[k] ? place : NAN;
        c->horizon[k] = fmax(c->horizon[k], place);
    }
}

/* Lines where multiples of the speed are; over orders they stand upright. */
static void put_orders(const cascade *c, lmb_plot *f, const double *places)
{
    static const char *const names[] = {"1x", "2x", "3x", "4x"};
    const lmb_spectrum_work *w = c->w;
    double end = w->axis[c->first] + (double)(c->count - 1) * w->step;
    for (int order = 1; order <= 4 && w->slice_speed; order++) {
        bool any = false;
        for (int i = 0; i < w->slices; i++)
            any = any || (w->by_order ? order : order * w->slice_speed[i]) <= end;
        if (!any)
            continue;
        lmb_curve *curve = lmb_plot_add_curve(f, names[order - 1], w->slices, LMB_CURVE_LINE);
        for (int i = 0; i < curve->count; i++) {
            double at = w->by_order ? order : order * w->slice_speed[i];
            curve->x[i] = at <= end ? at : NAN;
            curve->y[i] = places[i];
        }
    }
}

static void put_cascade(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    bool speed = by_speed(w);
    cascade c = {.w = w, .low = INFINITY, .high = -INFINITY};
    shown(w, &c.first, &c.count);
    for (int i = 0; i < w->slices; i++)
        for (size_t k = c.first; k < c.first + c.count; k++)
            c.tallest = fmax(c.tallest, lmb_spectrum_slice(w, i)[k]);
    c.tallest = c.tallest > 0 ? c.tallest : 1;
    for (size_t k = 0; k < PLACES; k++)
        c.horizon[k] = -INFINITY;
    lmb_plot f = lmb_plot_start(sheet->arena,
                                lmb_text_format(sheet->arena, "%s: the tallest line is %.3g %s",
                                                w->record.name, c.tallest, lmb_spectrum_unit(w)),
                                w->by_order ? "order" : "frequency in Hz", 720);
    double *places = lmb_arena_numbers(sheet->arena, (size_t)w->slices);
    lmb_plot_add_panel(&f, speed ? "speed in rpm" : "t in s");
    for (int i = 0; i < w->slices && places; i++) {
        places[i] = speed ? 60 * w->slice_speed[i] : w->slice_time[i];
        c.low = fmin(c.low, places[i]);
        c.high = fmax(c.high, places[i]);
    }
    bool falls = places && places[w->slices - 1] < places[0]; /* the front is below */
    for (int i = 0; i < w->slices && places; i++) {
        int slice = falls ? w->slices - 1 - i : i;
        put_slice(&f, &c, slice, places[slice]);
    }
    f.alike = w->slices;
    put_orders(&c, &f, places);
    lmb_sheet_figure(sheet, &f);
}

/* --- all -------------------------------------------------------------------------------------- */

static void put_record(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    const lmb_waveform *r = &w->record;
    lmb_plot f = lmb_plot_start(sheet->arena, "The record", "t in s", r->other ? 560 : 360);
    lmb_plot_add_panel(&f, label_of(w, sheet, r->name));
    lmb_plot_add_line(&f, r->name, COLUMNS, r->n, NULL, r->x, r->start, r->rate);
    if (r->other) {
        bool force = w->kind == LMB_SPECTRUM_RESPONSE;
        double *y = lmb_arena_numbers(sheet->arena, r->n);
        for (size_t i = 0; i < r->n && y; i++)
            y[i] = r->other[i] * (force ? 1 : 60);
        lmb_plot_add_panel(&f, force ? r->other_name : "speed in rpm");
        lmb_plot_add_line(&f, force ? r->other_name : "speed", COLUMNS, r->n, NULL, y, r->start,
                          r->rate);
    }
    lmb_sheet_figure(sheet, &f);
}

void lmb_spectrum_figures(const lmb_spectrum_work *w, bool all, lmb_sheet *sheet)
{
    if (w->kind == LMB_SPECTRUM_WATERFALL)
        put_cascade(w, sheet);
    else if (w->kind == LMB_SPECTRUM_RESPONSE)
        put_response(w, sheet);
    else
        put_spectrum(w, sheet);
    if (all)
        put_record(w, sheet);
}
