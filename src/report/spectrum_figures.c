/* The figures of a spectrum: spectra with the lines of faults, cascades, responses, records. */
#include "report/spectrum_sheet.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "math/vec.h"

enum { MOST_CURVES = 80, MOST_POINTS = 4000, HARMONICS = 4 };

/* Curves and panels of a figure, in the arena of its sheet. */
typedef struct figure {
    lmb_sheet *sheet;
    lmb_plot plot;
    lmb_curve *curves;
    int used;     /* curves */
    double start; /* s, of instants at a rate */
} figure;

static figure start(lmb_sheet *sheet, const char *title, const char *x_label, int height)
{
    figure f = {.sheet = sheet,
                .plot = {.title = title, .x_label = x_label, .width = 800, .height = height}};
    f.curves = lmb_arena_alloc(sheet->arena, MOST_CURVES, sizeof *f.curves);
    f.plot.panels = lmb_arena_alloc(sheet->arena, 3, sizeof *f.plot.panels);
    sheet->failed = sheet->failed || !f.curves || !f.plot.panels || !title;
    return f;
}

/* Begins a panel, to which the next curves belong. */
static void panel(figure *f, const char *label)
{
    if (f->sheet->failed || !label) {
        f->sheet->failed = true;
        return;
    }
    f->plot.panels[f->plot.panel_count++] = (lmb_plot_panel){label, 0, f->curves + f->used};
}

static void curve(figure *f, lmb_curve c)
{
    if (f->sheet->failed || f->used == MOST_CURVES)
        return;
    f->curves[f->used++] = c;
    f->plot.panels[f->plot.panel_count - 1].count++;
    f->plot.legend = f->plot.legend || (f->used > 1 && c.label[0]);
}

static double *numbers(figure *f, size_t count)
{
    double *x = f->sheet->failed ? NULL : lmb_arena_numbers(f->sheet->arena, count);
    f->sheet->failed = !x;
    return x;
}

static void finish(figure *f)
{
    lmb_sheet_figure(f->sheet, &f->plot);
}

/* A line through at most MOST_POINTS of n points: of each of many columns the least and the
 * largest. x: NULL for instants at a rate. */
static void line(figure *f, const char *label, size_t n, const double *x, double rate,
                 const double *y)
{
    size_t columns = n > MOST_POINTS ? MOST_POINTS / 2 : n, used = 0;
    double *xs = numbers(f, 2 * columns), *ys = numbers(f, 2 * columns);
    for (size_t k = 0; k < columns && ys; k++) {
        size_t from = n * k / columns, to = n * (k + 1) / columns, least = from, most = from;
        for (size_t i = from; i < to; i++) {
            least = y[i] < y[least] ? i : least;
            most = y[i] > y[most] ? i : most;
        }
        size_t two[2] = {least < most ? least : most, least < most ? most : least};
        for (int i = 0; i < 1 + (two[1] > two[0]); i++) {
            xs[used] = x ? x[two[i]] : f->start + (double)two[i] / rate;
            ys[used++] = y[two[i]];
        }
    }
    curve(f, (lmb_curve){label, (int)used, xs, ys, LMB_CURVE_LINE});
}

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
static void mark(figure *f, const char *label, double frequency, int most, double end)
{
    double *x = numbers(f, 2 * HARMONICS);
    int count = 0;
    for (int h = 1; x && h <= most && frequency > 0 && h * frequency <= end; h++)
        x[count++] = h * frequency;
    if (count > 0)
        curve(f, (lmb_curve){label, count, x, x + HARMONICS, LMB_CURVE_MARKS});
}

static void mark_lines(const lmb_spectrum_work *w, figure *f, double end)
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

static void put_spectrum(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    size_t first, count;
    shown(w, &first, &count);
    figure f = start(sheet, overall_title(w, sheet->arena),
                     w->by_order ? "order" : "frequency in Hz", 480);
    f.plot.logarithmic = w->as_density;
    panel(&f, height_label(w, sheet));
    line(&f, w->record.name, count, w->axis + first, 0, lmb_spectrum_heights(w) + first);
    if (w->before) {
        shown(w->before, &first, &count);
        line(&f, "baseline", count, w->before->axis + first, 0,
             lmb_spectrum_heights(w->before) + first);
    }
    mark_lines(w, &f, w->axis[first + count - 1]);
    finish(&f);
}

/* --- responses -------------------------------------------------------------------------------- */

static void put_response(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    size_t first, count;
    shown(w, &first, &count);
    first = first > 0 ? first : 1; /* the mean was taken off */
    count = first + count <= w->bins ? count : w->bins - first;
    figure f = start(sheet, lmb_file_name(w->record.path), "frequency in Hz", 800);
    double *level = numbers(&f, count), *phase = numbers(&f, count), *modes = numbers(&f, 64);
    const char *unit = w->record.unit, *force = w->record.other_unit;
    const char *label = unit[0] && force[0]
                            ? lmb_text_format(sheet->arena, "dB over 1 (%s)/%s", unit, force)
                            : "amplitude in dB";
    for (size_t i = 0; i < count && !sheet->failed; i++) {
        size_t k = first + i;
        level[i] = w->amplitude[k] > 0 ? 20 * log10(w->amplitude[k]) : NAN;
        phase[i] = atan2(w->imaginary[k], w->real[k]) * 180 / LMB_PI;
    }
    int marks = 0;
    for (int i = 0; i < w->found && marks < 32 && modes; i++)
        if (w->peaks[i].fitted)
            modes[marks++] = w->peaks[i].frequency;
    panel(&f, label);
    line(&f, w->record.name, count, w->axis + first, 0, level);
    curve(&f, (lmb_curve){"modes", marks, modes, modes ? modes + 32 : NULL, LMB_CURVE_MARKS});
    panel(&f, "phase in degrees");
    line(&f, "phase", count, w->axis + first, 0, phase);
    panel(&f, "coherence");
    line(&f, "coherence", count, w->axis + first, 0, w->coherence + first);
    finish(&f);
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
enum { COLUMNS = 640 };

typedef struct cascade {
    double *x;        /* COLUMNS */
    double low, high; /* of the places of the slices */
    double tallest;
} cascade;

/* The height of a slice in a column: the largest of its bins, or between two of them. */
static double height_in(const lmb_spectrum_work *w, int slice, size_t column)
{
    size_t first, count;
    const double *a = lmb_spectrum_slice(w, slice);
    shown(w, &first, &count);
    double at = (double)(count - 1) * (double)column / (COLUMNS - 1), most = 0;
    size_t k = (size_t)at < count - 1 ? (size_t)at : count - 2;
    if (count < COLUMNS)
        return a[first + k] + (at - (double)k) * (a[first + k + 1] - a[first + k]);
    for (size_t i = count * column / COLUMNS; i < count * (column + 1) / COLUMNS; i++)
        most = fmax(most, a[first + i]);
    return most;
}

/* One spectrum standing at its place, without what those in front of it (below) hide. */
static void put_slice(const lmb_spectrum_work *w, figure *f, const cascade *c, int slice, double at,
                      double *horizon)
{
    double *y = numbers(f, COLUMNS);
    for (size_t k = 0; k < COLUMNS && y; k++) {
        double place = at + 0.25 * (c->high - c->low) * height_in(w, slice, k) / c->tallest;
        y[k] = place >= horizon[k] ? place : NAN;
        horizon[k] = fmax(horizon[k], place);
    }
    curve(f, (lmb_curve){"", COLUMNS, c->x, y, LMB_CURVE_LINE});
}

/* Lines where multiples of the speed are; over orders they stand upright. */
static void put_orders(const lmb_spectrum_work *w, figure *f, const double *places, double end)
{
    static const char *const names[] = {"1x", "2x", "3x", "4x"};
    for (int order = 1; order <= 4 && w->slice_speed; order++) {
        double *x = numbers(f, (size_t)w->slices);
        bool any = false;
        for (int i = 0; i < w->slices && x; i++) {
            double at = w->by_order ? order : order * w->slice_speed[i];
            x[i] = at <= end ? at : NAN;
            any = any || at <= end;
        }
        if (any)
            curve(f, (lmb_curve){names[order - 1], w->slices, x, places, LMB_CURVE_LINE});
    }
}

static void put_cascade(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    size_t first, count;
    bool speed = by_speed(w);
    cascade c = {.low = INFINITY, .high = -INFINITY};
    shown(w, &first, &count);
    for (int i = 0; i < w->slices; i++)
        for (size_t k = first; k < first + count; k++)
            c.tallest = fmax(c.tallest, lmb_spectrum_slice(w, i)[k]);
    c.tallest = c.tallest > 0 ? c.tallest : 1;
    figure f = start(sheet,
                     lmb_text_format(sheet->arena, "%s: the tallest line is %.3g %s",
                                     w->record.name, c.tallest, lmb_spectrum_unit(w)),
                     w->by_order ? "order" : "frequency in Hz", 720);
    c.x = numbers(&f, COLUMNS);
    double *horizon = numbers(&f, COLUMNS), *places = numbers(&f, (size_t)w->slices);
    if (sheet->failed)
        return;
    for (size_t k = 0; k < COLUMNS; k++) {
        c.x[k] = w->axis[first] + (double)(count - 1) * w->step * (double)k / (COLUMNS - 1);
        horizon[k] = -INFINITY;
    }
    for (int i = 0; i < w->slices; i++) {
        places[i] = speed ? 60 * w->slice_speed[i] : w->slice_time[i];
        c.low = fmin(c.low, places[i]);
        c.high = fmax(c.high, places[i]);
    }
    panel(&f, speed ? "speed in rpm" : "t in s");
    bool falls = places[w->slices - 1] < places[0]; /* the front is below */
    for (int i = 0; i < w->slices; i++) {
        int slice = falls ? w->slices - 1 - i : i;
        put_slice(w, &f, &c, slice, places[slice], horizon);
    }
    f.plot.alike = w->slices;
    put_orders(w, &f, places, c.x[COLUMNS - 1]);
    finish(&f);
}

/* --- all -------------------------------------------------------------------------------------- */

static void put_record(const lmb_spectrum_work *w, lmb_sheet *sheet)
{
    const lmb_waveform *r = &w->record;
    figure f = start(sheet, "The record", "t in s", r->other ? 560 : 360);
    f.start = r->start;
    panel(&f, label_of(w, sheet, r->name));
    line(&f, r->name, r->n, NULL, r->rate, r->x);
    if (r->other) {
        bool force = w->kind == LMB_SPECTRUM_RESPONSE;
        double *y = numbers(&f, r->n);
        for (size_t i = 0; i < r->n && y; i++)
            y[i] = r->other[i] * (force ? 1 : 60);
        panel(&f, force ? r->other_name : "speed in rpm");
        line(&f, force ? r->other_name : "speed", r->n, NULL, r->rate, y);
    }
    finish(&f);
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
