/* A fit as a sheet: parameters with their errors, and the measurement beside the model. */
#include "report/study_sheet.h"

#include <math.h>

#include "base/text.h"

static void add_parameters(lmb_sheet *sheet, const lmb_fitted *f)
{
    lmb_sheet_table_add(sheet, "Parameters",
                        "parameter|as given|fitted|standard error|in percent|");
    for (int i = 0; i < f->variable_count; i++)
        lmb_sheet_row(sheet, "%s|%.10g|%.10g|%.6g|%.3g|%s", f->variables[i], f->start[i], f->x[i],
                      f->held[i] ? NAN : f->errors[i],
                      f->held[i] || f->x[i] == 0 ? NAN : 100 * f->errors[i] / fabs(f->x[i]),
                      f->held[i] ? "held at its bound" : "");
}

static void add_columns(lmb_sheet *sheet, const lmb_fitted *f)
{
    lmb_sheet_table_add(sheet, "Columns",
                        "column|channel|values|weight|RMS difference before|after|unit");
    for (int i = 0; i < f->series_count; i++) {
        const lmb_fit_series *s = &f->series[i];
        lmb_sheet_row(sheet, "%s|%s|%d|%.6g|%.6g|%.6g|%s", s->column, s->channel, s->count,
                      s->weight, s->rms_before, s->rms_after, s->unit);
    }
}

static void add_correlations(lmb_sheet *sheet, const lmb_fitted *f)
{
    int n = f->variable_count;
    lmb_sheet_table_add(sheet, "Correlations", "parameter");
    for (int i = 0; i < n; i++)
        lmb_sheet_columns(sheet, f->variables[i]);
    for (int i = 0; i < n; i++) {
        lmb_sheet_row(sheet, "%s", f->variables[i]);
        for (int k = 0; k < n; k++)
            lmb_sheet_cells(sheet, "%.4f", f->correlations[i * n + k]);
    }
}

static void add_curve(lmb_plot *plot, const char *label, const lmb_fit_series *s, const double *y,
                      lmb_curve_style style)
{
    lmb_curve *c = lmb_plot_add_curve(plot, label, s->count, style);
    for (int i = 0; i < c->count; i++) {
        c->x[i] = s->t[i];
        c->y[i] = y[i];
    }
}

/* The measurement with the model before and after, and what is left. */
static void add_overlay(lmb_sheet *sheet, const lmb_fit_series *s)
{
    lmb_plot plot = lmb_plot_start(sheet->arena, lmb_text_format(sheet->arena, "%s", s->channel),
                                   "time (s)", 460);
    const char *unit = s->unit[0] ? lmb_text_format(sheet->arena, " (%s)", s->unit) : "";
    double *left = lmb_arena_numbers(sheet->arena, (size_t)s->count);
    plot.legend = true;
    lmb_plot_add_panel(&plot, lmb_text_format(sheet->arena, "%s%s", s->column, unit));
    add_curve(&plot, "measured", s, s->y, LMB_CURVE_POINTS);
    add_curve(&plot, "fitted", s, s->after, LMB_CURVE_LINE);
    add_curve(&plot, "as given", s, s->before, LMB_CURVE_LINE);
    lmb_plot_add_panel(&plot, lmb_text_format(sheet->arena, "fitted - measured%s", unit));
    for (int i = 0; left && i < s->count; i++)
        left[i] = s->after[i] - s->y[i];
    if (left)
        add_curve(&plot, "difference", s, left, LMB_CURVE_POINTS);
    lmb_sheet_figure(sheet, &plot);
}

static void add_course(lmb_sheet *sheet, const lmb_fitted *f)
{
    lmb_plot plot = lmb_plot_start(sheet->arena, "Course of the fit", "run", 280);
    plot.whole = plot.logarithmic = true;
    lmb_plot_add_panel(&plot, "sum of squares");
    lmb_curve *c = lmb_plot_add_curve(&plot, "sum of squares", f->course_count, LMB_CURVE_LINE);
    for (int i = 0; i < c->count; i++) {
        c->x[i] = i + 1;
        c->y[i] = f->course[i];
    }
    lmb_sheet_figure(sheet, &plot);
}

void lmb_fitted_sheet(lmb_sheet *sheet, const lmb_fitted *f)
{
    sheet->lead = 2;
    add_parameters(sheet, f);
    add_columns(sheet, f);
    if (f->variable_count > 1)
        add_correlations(sheet, f);
    lmb_sheet_say(sheet,
                  "Sum of squares %.10g over %d values of %s, %.6g before; %d steps, %d runs.",
                  f->sum, f->value_count, f->file, f->start_sum, f->steps, f->run_count);
    if (!f->told_apart)
        lmb_sheet_say(sheet, "The measurement does not tell all parameters apart.");
    for (int i = 0; i < f->series_count; i++)
        add_overlay(sheet, &f->series[i]);
    add_course(sheet, f);
}
