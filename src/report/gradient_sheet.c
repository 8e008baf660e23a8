/* Gradients as a sheet. */
#include "report/gradient_sheet.h"

#include <math.h>

#include "base/text.h"

/* What a change of a parameter by 1 % does to an objective, as a part of it in percent; of
 * parameters that are zero: what a change by 0.01 does. */
static double effect(const lmb_gradient *g, int objective, int p)
{
    double value = g->parameter_values[p] != 0 ? g->parameter_values[p] : 1;
    return 0.01 * value *
           g->derivatives[(size_t)objective * (size_t)g->parameter_count + (size_t)p];
}

/* Parameters by the size of their effect, the largest first. */
static int *sort(lmb_arena *arena, const lmb_gradient *g, int objective)
{
    int *order = lmb_arena_integers(arena, (size_t)g->parameter_count + 1);
    for (int p = 0; p < g->parameter_count && order; p++) {
        int at = p;
        for (; at > 0 && fabs(effect(g, objective, order[at - 1])) < fabs(effect(g, objective, p));
             at--)
            order[at] = order[at - 1];
        order[at] = p;
    }
    return order;
}

/* A bar for each of the parameters that matter most. */
static void add_bars(lmb_sheet *sheet, const lmb_gradient *g, int objective, const int *order)
{
    enum { MOST = 20, EACH = 26, ROOM = 100 }; /* pixels of a bar, and beside them */
    int count = g->parameter_count < MOST ? g->parameter_count : MOST;
    lmb_plot plot =
        lmb_plot_start(sheet->arena,
                       lmb_text_format(sheet->arena, "What +1 %% of a parameter does to %s",
                                       g->objectives[objective]),
                       "parameter", ROOM + EACH * count);
    const char **names = lmb_arena_alloc(sheet->arena, (size_t)count + 1, sizeof *names);
    plot.sideways = true;
    lmb_plot_add_panel(&plot, g->objectives[objective]);
    lmb_curve *c = lmb_plot_add_bars(&plot, "", count);
    for (int k = 0; k < c->count && names; k++) {
        names[k] = g->parameters[order[k]];
        c->y[k] = effect(g, objective, order[k]);
    }
    if (names)
        lmb_plot_name_places(&plot, count, names);
    lmb_sheet_figure(sheet, &plot);
}

static void add_table(lmb_sheet *sheet, const lmb_gradient *g, int objective, const int *order)
{
    bool combined = g->methods[objective] == LMB_GRADIENT_AUTO;
    lmb_sheet_table_add(
        sheet,
        lmb_text_format(sheet->arena, "%s = %.10g (%s)", g->objectives[objective],
                        g->values[objective],
                        combined ? "combined" : lmb_gradient_methods[g->methods[objective]]),
        "parameter|value|derivative|change by +1 %|in percent");
    for (int k = 0; k < g->parameter_count; k++) {
        int p = order[k];
        double one = effect(g, objective, p);
        lmb_sheet_row(sheet, "%s|%.10g|%.10g|%.6g|%.4g", g->parameters[p], g->parameter_values[p],
                      g->derivatives[(size_t)objective * (size_t)g->parameter_count + (size_t)p],
                      g->parameter_values[p] != 0 ? one : NAN,
                      g->parameter_values[p] != 0 ? 100 * one / fabs(g->values[objective]) : NAN);
    }
}

/* How the expression of an objective changes with the parameters over time, times 1 % of each. */
static void add_history(lmb_sheet *sheet, const lmb_gradient *g, const lmb_gradient_history *h,
                        int objective)
{
    enum { COLUMNS = 400 };
    lmb_plot plot = lmb_plot_start(
        sheet->arena,
        lmb_text_format(sheet->arena, "%s: what +1 %% of each parameter does over time",
                        h->names[objective]),
        h->over ? h->over : "time (s)", 360);
    plot.legend = true;
    lmb_plot_add_panel(&plot, h->names[objective]);
    double *y = lmb_arena_numbers(sheet->arena, (size_t)h->points);
    for (int p = 0; p < g->parameter_count && y; p++) {
        double value = g->parameter_values[p] != 0 ? g->parameter_values[p] : 1;
        size_t width = (size_t)h->count * (size_t)(1 + g->parameter_count);
        for (int n = 0; n < h->points; n++)
            y[n] = 0.01 * value *
                   h->values[(size_t)n * width + (size_t)(p + 1) * (size_t)h->count +
                             (size_t)objective];
        lmb_plot_add_line(&plot, g->parameters[p], COLUMNS, (size_t)h->points, h->t, y, 0, 0);
    }
    lmb_sheet_figure(sheet, &plot);
}

void lmb_gradient_sheet(lmb_sheet *sheet, const lmb_gradient *g)
{
    for (int i = 0; i < g->objective_count; i++) {
        const int *order = sort(sheet->arena, g, i);
        if (!order)
            return;
        add_bars(sheet, g, i, order);
        add_table(sheet, g, i, order);
    }
    for (int k = 0; k < g->history_count; k++)
        for (int i = 0; i < g->histories[k].count && g->histories[k].points > 1; i++)
            add_history(sheet, g, &g->histories[k], i);
}
