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

/* The curve of a number in the list: rms, lines of shaft and bearing, then overall values. */
static double value_of(const lmb_spectrum_work *w, const lmb_trend_row *rows, int i, int k)
{
    int columns = lmb_trend_lines(w);
    return k == 0         ? rows[i].statistics.rms
           : k <= columns ? rows[i].lines[k - 1]
                          : overall_of(rows, i, k - 1 - columns);
}

static const char *name_of(const lmb_spectrum_work *w, const lmb_trend_row *rows, int k,
                           lmb_sheet *sheet)
{
    int columns = lmb_trend_lines(w);
    return k == 0         ? "rms"
           : k <= columns ? lmb_trend_names[k - 1]
                          : overall_name(sheet->arena, &rows[0].overall[k - 1 - columns]);
}

static void put_figure(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                       lmb_sheet *sheet)
{
    int columns = lmb_trend_lines(w), overall = rows[0].overall_count, all = 1 + columns + overall;
    lmb_curve *curves = lmb_arena_alloc(sheet->arena, (size_t)all, sizeof *curves);
    lmb_plot_panel *panels = lmb_arena_alloc(sheet->arena, 3, sizeof *panels);
    double *x = lmb_arena_numbers(sheet->arena, (size_t)count);
    sheet->failed = sheet->failed || !curves || !panels || !x;
    for (int k = 0; k < all && !sheet->failed; k++) {
        double *y = lmb_arena_numbers(sheet->arena, (size_t)count);
        const char *name = name_of(w, rows, k, sheet);
        for (int i = 0; i < count && y; i++) {
            x[i] = i + 1;
            y[i] = value_of(w, rows, i, k);
        }
        sheet->failed = !y || !name;
        curves[k] = (lmb_curve){name, count, x, y, LMB_CURVE_LINE};
    }
    if (sheet->failed)
        return;
    int used = 0;
    panels[used++] = (lmb_plot_panel){"amplitude", columns < 3 ? 1 : 4, curves};
    if (columns > 3)
        panels[used++] = (lmb_plot_panel){"-log10 of chance", LMB_FAULTS, curves + 4};
    if (overall > 0)
        panels[used++] = (lmb_plot_panel){"overall rms", overall, curves + 1 + columns};
    lmb_plot plot = {.title = "",
                     .x_label = "record",
                     .panel_count = used,
                     .panels = panels,
                     .width = 800,
                     .height = 320 + 160 * used,
                     .legend = true,
                     .whole = true};
    lmb_sheet_figure(sheet, &plot);
}

void lmb_trend_sheet(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                     lmb_sheet *sheet)
{
    put_table(w, count, rows, sheet);
    put_figure(w, count, rows, sheet);
}
