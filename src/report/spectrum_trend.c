/* Trends over several records. */
#include "report/spectrum_sheet.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

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

static void put_table(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                      lmb_sheet *sheet)
{
    int columns = lmb_trend_lines(w), overall = rows[0].overall_count;
    lmb_sheet_table *t = lmb_sheet_table_add(sheet, "Trend", "record|rms|peak|kurtosis");
    for (int k = 0; k < overall; k++)
        lmb_sheet_columns(sheet, t, overall_name(sheet->arena, &rows[0].overall[k]));
    for (int k = 0; k < columns; k++)
        lmb_sheet_columns(sheet, t, lmb_trend_names[k]);
    for (int i = 0; i < count; i++) {
        const lmb_statistics *s = &rows[i].statistics;
        lmb_sheet_row(sheet, t, "%s|%.6g|%.6g|%.4g", rows[i].path, s->rms, s->peak, s->kurtosis);
        for (int k = 0; k < overall; k++)
            lmb_sheet_cells(sheet, t, "%.6g", overall_of(rows, i, k));
        for (int k = 0; k < columns; k++)
            lmb_sheet_cells(sheet, t, k < 3 ? "%.6g" : "%.2f", rows[i].lines[k]);
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

static void put_figure(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                       lmb_sheet *sheet)
{
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

void lmb_trend_sheet(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                     lmb_sheet *sheet)
{
    put_table(w, count, rows, sheet);
    put_figure(w, count, rows, sheet);
}
