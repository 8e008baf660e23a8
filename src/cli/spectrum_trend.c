/* Trends over several records. */
#include <stdio.h>

#include "base/json.h"
#include "cli/spectrum.h"

static const char *const names[3 + LMB_FAULTS] = {
    "shaft 1x", "shaft 2x", "shaft 3x", "outer race", "inner race", "rolling element", "cage"};

static int columns_of(const lmb_spectrum_work *w)
{
    return w->has_bearing ? 3 + LMB_FAULTS : w->shaft > 0 ? 3 : 0;
}

void lmb_trend_print_json(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows)
{
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_open(&json, "records", '[');
    for (int i = 0; i < count; i++) {
        lmb_json_open_flat(&json, NULL, '{');
        lmb_json_text(&json, "file", rows[i].path);
        lmb_json_number(&json, "rms", rows[i].statistics.rms);
        lmb_json_number(&json, "peak", rows[i].statistics.peak);
        lmb_json_number(&json, "kurtosis", rows[i].statistics.kurtosis);
        for (int k = 0; k < columns_of(w); k++)
            lmb_json_number(&json, names[k], rows[i].lines[k]);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_close(&json);
}

static void put_table(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                      lmb_sheet *sheet)
{
    static const char *const head[] = {
        "record",   "rms",        "peak",       "kurtosis",        "shaft 1x", "shaft 2x",
        "shaft 3x", "outer race", "inner race", "rolling element", "cage"};
    int columns = columns_of(w);
    lmb_sheet_table *t = lmb_sheet_table_add(sheet, "Trend", count, 4 + columns, head);
    for (int i = 0; i < count; i++) {
        const lmb_statistics *s = &rows[i].statistics;
        lmb_sheet_cell(sheet, t, i, 0, "%s", rows[i].path);
        lmb_sheet_number(sheet, t, i, 1, "%.6g", s->rms);
        lmb_sheet_number(sheet, t, i, 2, "%.6g", s->peak);
        lmb_sheet_number(sheet, t, i, 3, "%.4g", s->kurtosis);
        for (int k = 0; k < columns; k++)
            lmb_sheet_number(sheet, t, i, 4 + k, k < 3 ? "%.6g" : "%.2f", rows[i].lines[k]);
    }
    if (columns > 3)
        lmb_sheet_say(sheet,
                      "Under the faults of the bearing: -log10 of the chance that noise shows as "
                      "much.");
}

static void put_figure(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                       lmb_sheet *sheet)
{
    int columns = columns_of(w);
    lmb_curve *curves = lmb_arena_alloc(sheet->arena, 1 + 3 + LMB_FAULTS, sizeof *curves);
    lmb_plot_panel *panels = lmb_arena_alloc(sheet->arena, 2, sizeof *panels);
    double *x = lmb_arena_numbers(sheet->arena, (size_t)count);
    sheet->failed = sheet->failed || !curves || !panels || !x;
    for (int k = 0; k <= columns && !sheet->failed; k++) {
        double *y = lmb_arena_numbers(sheet->arena, (size_t)count);
        for (int i = 0; i < count && y; i++) {
            x[i] = i + 1;
            y[i] = k == 0 ? rows[i].statistics.rms : rows[i].lines[k - 1];
        }
        sheet->failed = !y;
        curves[k] = (lmb_curve){k == 0 ? "rms" : names[k - 1], count, x, y, LMB_CURVE_LINE};
    }
    if (sheet->failed)
        return;
    panels[0] = (lmb_plot_panel){"amplitude", columns < 3 ? 1 : 4, curves};
    panels[1] = (lmb_plot_panel){"-log10 of chance", LMB_FAULTS, curves + 4};
    lmb_plot plot = {.title = "",
                     .x_label = "record",
                     .panel_count = columns > 3 ? 2 : 1,
                     .panels = panels,
                     .width = 800,
                     .height = columns > 3 ? 640 : 480,
                     .legend = true};
    lmb_sheet_figure(sheet, &plot);
}

void lmb_trend_sheet(const lmb_spectrum_work *w, int count, const lmb_trend_row *rows,
                     lmb_sheet *sheet)
{
    put_table(w, count, rows, sheet);
    put_figure(w, count, rows, sheet);
}
