/* Sweeps and tolerances as sheets: statistics, effects of the variables, scatter, the table. */
#include "report/study_sheet.h"

#include <math.h>

#include "base/text.h"

static double x_of(const lmb_swept *s, int k, int v)
{
    return s->x[(size_t)k * (size_t)s->variable_count + (size_t)v];
}

static double value_of(const lmb_swept *s, int k, int objective)
{
    return s->values[(size_t)k * (size_t)s->objective_count + (size_t)objective];
}

static const lmb_main_effect *effect_of(const lmb_swept *s, int objective, int v)
{
    return &s->effects[(size_t)objective * (size_t)s->variable_count + (size_t)v];
}

/* --- tables ----------------------------------------------------------------------------------- */

static void add_statistics(lmb_sheet *sheet, const lmb_swept *s)
{
    lmb_sheet_table_add(sheet, "Objectives", "objective|runs|least|mean|largest");
    if (!s->listed)
        lmb_sheet_columns(sheet, "deviation|2.5 %|median|97.5 %");
    for (int i = 0; i < s->objective_count; i++) {
        const lmb_scatter *c = &s->scatters[i];
        lmb_sheet_row(sheet, "%s|%d|%.8g|%.8g|%.8g", s->objectives[i], c->count, c->least, c->mean,
                      c->largest);
        if (!s->listed)
            lmb_sheet_cells(sheet, "%.6g|%.8g|%.8g|%.8g", c->deviation, c->low, c->median, c->high);
    }
}

static void add_effects(lmb_sheet *sheet, const lmb_swept *s)
{
    lmb_sheet_table_add(sheet,
                        s->listed ? "Effects: means over all runs with the same value"
                                  : "Effects: one deviation to either side, by regression",
                        "objective|variable|lowest|at|highest|at|range");
    for (int i = 0; i < s->objective_count; i++)
        for (int v = 0; v < s->variable_count; v++) {
            const lmb_main_effect *e = effect_of(s, i, v);
            bool turned = e->low > e->high;
            lmb_sheet_row(sheet, "%s|%s|%.6g|%.6g|%.6g|%.6g|%.6g", s->objectives[i],
                          s->variables[v], turned ? e->high : e->low,
                          turned ? e->at_high : e->at_low, turned ? e->low : e->high,
                          turned ? e->at_low : e->at_high, fabs(e->high - e->low));
        }
}

/* The samples themselves, the first of many. */
static void add_table(lmb_sheet *sheet, const lmb_swept *s)
{
    enum { MOST = 200 };
    lmb_sheet_table_add(
        sheet,
        s->count > MOST ? lmb_text_format(sheet->arena, "Runs (the first %d of %d)", MOST, s->count)
                        : "Runs",
        "run");
    for (int v = 0; v < s->variable_count; v++)
        lmb_sheet_columns(sheet, s->variables[v]);
    for (int i = 0; i < s->objective_count; i++)
        lmb_sheet_columns(sheet, s->objectives[i]);
    lmb_sheet_columns(sheet, s->failure_count ? "failure" : "");
    for (int k = 0; k < s->count && k < MOST; k++) {
        lmb_sheet_row(sheet, "%d", k + 1);
        for (int v = 0; v < s->variable_count; v++)
            lmb_sheet_cells(sheet, "%.8g", x_of(s, k, v));
        for (int i = 0; i < s->objective_count; i++)
            lmb_sheet_cells(sheet, "%.8g", value_of(s, k, i));
        lmb_sheet_cells(sheet, "%s", s->failures[k] ? s->failures[k] : "");
    }
}

/* --- figures ---------------------------------------------------------------------------------- */

/* The variables by the size of a number of each, the largest first. */
static int *sort(lmb_arena *arena, int count, const double *size)
{
    int *order = lmb_arena_integers(arena, (size_t)count + 1);
    for (int v = 0; v < count && order; v++) {
        int at = v;
        for (; at > 0 && size[order[at - 1]] < size[v]; at--)
            order[at] = order[at - 1];
        order[at] = v;
    }
    return order;
}

/* Bars from the least to the largest of each variable, the longest first. */
static void add_tornado(lmb_sheet *sheet, const lmb_swept *s, int objective)
{
    double size[LMB_MOST_VARIABLES];
    for (int v = 0; v < s->variable_count; v++)
        size[v] = fabs(effect_of(s, objective, v)->high - effect_of(s, objective, v)->low);
    int *order = sort(sheet->arena, s->variable_count, size);
    const char **names =
        lmb_arena_alloc(sheet->arena, (size_t)s->variable_count + 1, sizeof *names);
    if (!order || !names)
        return;
    lmb_plot plot = lmb_plot_start(
        sheet->arena, lmb_text_format(sheet->arena, "Effects on %s", s->objectives[objective]),
        "variable", 300);
    for (int k = 0; k < s->variable_count; k++)
        names[k] = s->variables[order[k]];
    lmb_plot_name_places(&plot, s->variable_count, names);
    plot.legend = plot.sideways = true;
    lmb_plot_add_panel(&plot, s->objectives[objective]);
    for (int side = 0; side < 2; side++) {
        lmb_curve *c =
            lmb_plot_add_bars(&plot, side ? "variable large" : "variable small", s->variable_count);
        for (int k = 0; k < c->count; k++) {
            const lmb_main_effect *e = effect_of(s, objective, order[k]);
            bool turned = e->at_low > e->at_high;
            c->y[k] = (side == 1) != turned ? e->high : e->low;
            c->low[k] = s->scatters[objective].mean;
        }
    }
    lmb_sheet_figure(sheet, &plot);
}

/* All runs over a variable, and the means at its values where it has some. */
static void add_response(lmb_sheet *sheet, const lmb_swept *s, int v)
{
    lmb_plot plot =
        lmb_plot_start(sheet->arena, lmb_text_format(sheet->arena, "Over %s", s->variables[v]),
                       s->variables[v], 140 + 150 * s->objective_count);
    plot.room = true;
    for (int i = 0; i < s->objective_count; i++) {
        lmb_plot_add_panel(&plot, s->objectives[i]);
        lmb_curve *c = lmb_plot_add_curve(&plot, s->objectives[i], s->count,
                                          s->variable_count == 1 && s->listed ? LMB_CURVE_LINE
                                                                              : LMB_CURVE_DOTS);
        for (int k = 0; k < c->count; k++) {
            c->x[k] = x_of(s, k, v);
            c->y[k] = value_of(s, k, i);
        }
    }
    lmb_sheet_figure(sheet, &plot);
}

/* One objective over another. */
static void add_pair(lmb_sheet *sheet, const lmb_swept *s, int i, int j)
{
    lmb_plot plot = lmb_plot_start(
        sheet->arena,
        lmb_text_format(sheet->arena, "%s over %s", s->objectives[j], s->objectives[i]),
        s->objectives[i], 340);
    plot.room = true;
    lmb_plot_add_panel(&plot, s->objectives[j]);
    lmb_curve *c = lmb_plot_add_curve(&plot, s->objectives[j], s->count, LMB_CURVE_DOTS);
    for (int k = 0; k < c->count; k++) {
        c->x[k] = value_of(s, k, i);
        c->y[k] = value_of(s, k, j);
    }
    lmb_sheet_figure(sheet, &plot);
}

/* How often values of an objective occur. */
static void add_histogram(lmb_sheet *sheet, const lmb_swept *s, int objective)
{
    size_t count = 0;
    double *values = lmb_arena_numbers(sheet->arena, (size_t)s->count);
    if (!values || !(s->scatters[objective].largest > s->scatters[objective].least))
        return;
    for (int k = 0; k < s->count; k++)
        if (!isnan(value_of(s, k, objective)))
            values[count++] = value_of(s, k, objective);
    lmb_plot plot = lmb_plot_start(
        sheet->arena, lmb_text_format(sheet->arena, "Scatter of %s", s->objectives[objective]),
        s->objectives[objective], 300);
    lmb_plot_add_panel(&plot, "runs");
    lmb_plot_add_histogram(&plot, s->objectives[objective], count, values, 0);
    lmb_sheet_figure(sheet, &plot);
}

/* --- all -------------------------------------------------------------------------------------- */

static void say_runs(lmb_sheet *sheet, const lmb_swept *s)
{
    lmb_sheet_say(sheet, "%d runs (%s)%s.", s->count, s->sampling,
                  s->failure_count
                      ? lmb_text_format(sheet->arena, ", %d of them failed", s->failure_count)
                      : "");
}

void lmb_swept_sheet(lmb_sheet *sheet, const lmb_swept *s)
{
    enum { MOST_RESPONSES = 8, MOST_PAIRS = 3 };
    say_runs(sheet, s);
    sheet->lead = 1;
    add_statistics(sheet, s);
    if (s->variable_count > 1 || !s->listed)
        add_effects(sheet, s);
    add_table(sheet, s);
    for (int i = 0; i < s->objective_count && s->variable_count > 1; i++)
        add_tornado(sheet, s, i);
    for (int v = 0; v < s->variable_count && v < MOST_RESPONSES; v++)
        add_response(sheet, s, v);
    for (int i = 0, pairs = 0; i < s->objective_count; i++)
        for (int j = 0; j < i && pairs < MOST_PAIRS; j++, pairs++)
            add_pair(sheet, s, j, i);
    for (int i = 0; i < s->objective_count && !s->listed; i++)
        add_histogram(sheet, s, i);
}

/* --- tolerances ------------------------------------------------------------------------------- */

/* The part of a variable in the variance of an objective. */
static double share_of(const lmb_swept *s, int objective, int v)
{
    double one = s->slopes[objective * s->variable_count + v] * s->deviations[v];
    double all = s->budget[objective];
    return all > 0 ? one * one / (all * all) : 0;
}

static void add_budget(lmb_sheet *sheet, const lmb_swept *s, int objective)
{
    double size[LMB_MOST_VARIABLES];
    for (int v = 0; v < s->variable_count; v++)
        size[v] = share_of(s, objective, v);
    int *order = sort(sheet->arena, s->variable_count, size);
    lmb_sheet_table_add(sheet,
                        lmb_text_format(sheet->arena, "Budget of %s = %.8g, deviation %.6g",
                                        s->objectives[objective], s->nominal[objective],
                                        s->budget[objective]),
                        "variable|mean|deviation|derivative|contribution|share (%)");
    for (int k = 0; order && k < s->variable_count; k++) {
        int v = order[k];
        double slope = s->slopes[objective * s->variable_count + v];
        lmb_sheet_row(sheet, "%s|%.8g|%.6g|%.8g|%.6g|%.4g", s->variables[v], s->means[v],
                      s->deviations[v], slope, fabs(slope) * s->deviations[v],
                      100 * share_of(s, objective, v));
    }
}

static void add_comparison(lmb_sheet *sheet, const lmb_swept *s)
{
    lmb_sheet_table_add(sheet,
                        lmb_text_format(sheet->arena, "First order against %d samples", s->count),
                        "objective|value at the means|mean of samples|+-|deviation to first "
                        "order|of samples|+-|apart (+-)|2.5 %|97.5 %");
    for (int i = 0; i < s->objective_count; i++) {
        const lmb_scatter *c = &s->scatters[i];
        lmb_sheet_row(
            sheet, "%s|%.8g|%.8g|%.3g|%.6g|%.6g|%.3g|%.2f|%.6g|%.6g", s->objectives[i],
            s->nominal[i], c->mean, c->mean_error, s->budget[i], c->deviation, c->deviation_error,
            c->deviation_error > 0 ? (s->budget[i] - c->deviation) / c->deviation_error : NAN,
            c->low, c->high);
    }
}

static void add_shares(lmb_sheet *sheet, const lmb_swept *s, int objective)
{
    double size[LMB_MOST_VARIABLES];
    for (int v = 0; v < s->variable_count; v++)
        size[v] = share_of(s, objective, v);
    int *order = sort(sheet->arena, s->variable_count, size);
    const char **names =
        lmb_arena_alloc(sheet->arena, (size_t)s->variable_count + 1, sizeof *names);
    if (!order || !names)
        return;
    lmb_plot plot =
        lmb_plot_start(sheet->arena,
                       lmb_text_format(sheet->arena, "What the scatter of %s comes from",
                                       s->objectives[objective]),
                       "variable", 300);
    for (int k = 0; k < s->variable_count; k++)
        names[k] = s->variables[order[k]];
    lmb_plot_name_places(&plot, s->variable_count, names);
    plot.sideways = true;
    lmb_plot_add_panel(&plot, "share of the variance (%)");
    lmb_curve *c = lmb_plot_add_bars(&plot, "share of the variance", s->variable_count);
    for (int k = 0; k < c->count; k++)
        c->y[k] = 100 * size[order[k]];
    lmb_sheet_figure(sheet, &plot);
}

void lmb_tolerance_sheet(lmb_sheet *sheet, const lmb_swept *s)
{
    for (int i = 0; i < s->objective_count; i++) {
        add_budget(sheet, s, i);
        add_shares(sheet, s, i);
    }
    if (s->count == 0)
        return;
    say_runs(sheet, s);
    for (int i = 0; i < s->objective_count; i++)
        if (s->scatters[i].deviation_error > 0 &&
            fabs(s->budget[i] - s->scatters[i].deviation) > 3 * s->scatters[i].deviation_error)
            lmb_sheet_say(sheet,
                          "%s: the first order is %.2g off the samples, more than chance: it bends "
                          "within the tolerances.",
                          s->objectives[i], s->budget[i] / s->scatters[i].deviation - 1);
    add_comparison(sheet, s);
    for (int i = 0; i < s->objective_count; i++)
        add_histogram(sheet, s, i);
}
