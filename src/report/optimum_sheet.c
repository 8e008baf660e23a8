/* The best design as a sheet: the design, its limits, how the search went, the trade-off. */
#include "report/study_sheet.h"

#include <math.h>

#include "base/text.h"

/* --- tables ----------------------------------------------------------------------------------- */

static void add_design(lmb_sheet *sheet, const lmb_optimum *o)
{
    lmb_sheet_table_add(sheet, "Design", "parameter|as given|best|from|to|");
    for (int i = 0; i < o->variable_count; i++) {
        const char *note = o->choice[i] ? "from a list" : "";
        for (int k = 0; k < o->bound_count; k++)
            if (o->bounds[k].name == o->variables[i])
                note = o->bounds[k].side == '>' ? "at its lower bound" : "at its upper bound";
        lmb_sheet_row(sheet, "%s|%.7g|%.7g|%.6g|%.6g|%s", o->variables[i], o->start[i], o->x[i],
                      o->lower[i], o->upper[i], note);
    }
}

static void add_objectives(lmb_sheet *sheet, const lmb_optimum *o)
{
    lmb_sheet_table_add(sheet, "Objectives",
                        "objective|as given|best|change (%)|limit|multiplier|");
    for (int i = 0; i < o->objective_count; i++) {
        double before = o->start_fails ? NAN : o->start_values[i], now = o->values[i];
        lmb_sheet_row(sheet, "%s|%.7g|%.7g|%.3g", o->objectives[i], before, now,
                      before != 0 ? 100 * (now - before) / fabs(before) : NAN);
        bool limited = false;
        for (int k = 0; k < o->limit_count; k++) {
            const lmb_active *a = &o->limits[k];
            if (a->name != o->objectives[i])
                continue;
            if (limited)
                lmb_sheet_row(sheet, "|||");
            lmb_sheet_cells(sheet, "%s %.6g|%.6g|%s",
                            a->side == '<'   ? "at most"
                            : a->side == '>' ? "at least"
                                             : "equal to",
                            a->limit, a->multiplier, a->active ? "active" : "");
            limited = true;
        }
    }
}

static void add_curve(lmb_sheet *sheet, const lmb_optimum *o)
{
    lmb_sheet_table_add(sheet, "Trade-off", "");
    lmb_sheet_columns(sheet,
                      lmb_text_format(sheet->arena, "%s|%s", o->objectives[0], o->objectives[1]));
    for (int i = 0; i < o->variable_count; i++)
        lmb_sheet_columns(sheet, o->variables[i]);
    for (int k = 0; k < o->curve_count; k++) {
        const lmb_tradeoff_point *p = &o->curve[k];
        lmb_sheet_row(sheet, "%.8g|%.8g", p->objective[0], p->objective[1]);
        for (int i = 0; i < o->variable_count; i++)
            lmb_sheet_cells(sheet, "%.6g", p->x[i]);
    }
}

/* The searches, the best ones first, if there are several. */
static void add_searches(lmb_sheet *sheet, const lmb_optimum *o)
{
    enum { MOST = 50 };
    static const char *const ends[] = {"converged", "as near as rounding allows",
                                       "as many trials as allowed", "interrupted", "failed"};
    double sign = o->maximise ? -1 : 1;
    int *order = lmb_arena_integers(sheet->arena, (size_t)o->search_count);
    for (int i = 0; order && i < o->search_count; i++) {
        int at = i;
        const lmb_search_end *e = &o->searches[i];
        for (; at > 0; at--) {
            const lmb_search_end *b = &o->searches[order[at - 1]];
            bool in = e->violation <= 1e-8, there = b->violation <= 1e-8;
            if (in != there ? !in : !(sign * e->objective < sign * b->objective))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    lmb_sheet_table_add(
        sheet,
        o->search_count > MOST
            ? lmb_text_format(sheet->arena, "Searches (the best %d of %d)", MOST, o->search_count)
            : "Searches",
        "search");
    lmb_sheet_columns(sheet, o->objectives[0]);
    lmb_sheet_columns(sheet, "beyond limits|trials");
    for (int i = 0; i < o->variable_count; i++)
        lmb_sheet_columns(sheet, o->variables[i]);
    lmb_sheet_columns(sheet, "end");
    for (int k = 0; order && k < o->search_count && k < MOST; k++) {
        const lmb_search_end *e = &o->searches[order[k]];
        lmb_sheet_row(sheet, "%d|%.10g|%.3g|%d", order[k] + 1, e->objective, e->violation,
                      e->trials);
        for (int i = 0; i < o->variable_count; i++)
            lmb_sheet_cells(sheet, "%.6g", isnan(e->objective) ? NAN : e->x[i]);
        lmb_sheet_cells(sheet, "%s", ends[e->end]);
    }
}

/* --- figures ---------------------------------------------------------------------------------- */

/* The numbers of a trial: its search, objectives, variables. */
static const double *trial(const lmb_optimum *o, int i)
{
    return o->trial_values + (size_t)i * (size_t)(1 + o->objective_count + o->variable_count);
}

/* Whether a trial is shown: of the search that found the best. */
static bool is_shown(const lmb_optimum *o, int i)
{
    return (int)trial(o, i)[0] == o->best;
}

/* A line through column `at` of the trials of the best search, scaled. */
static void add_course(lmb_plot *plot, const lmb_optimum *o, const char *label, int at,
                       double lower, double width)
{
    int count = 0, k = 0;
    for (int i = 0; i < o->trial_count; i++)
        count += is_shown(o, i);
    lmb_curve *c = lmb_plot_add_curve(plot, label, count, LMB_CURVE_LINE);
    for (int i = 0; i < o->trial_count && k < c->count; i++)
        if (is_shown(o, i)) {
            c->x[k] = k + 1;
            c->y[k++] = (trial(o, i)[at] - lower) / width;
        }
}

static void add_convergence(lmb_sheet *sheet, const lmb_optimum *o)
{
    lmb_plot plot = lmb_plot_start(
        sheet->arena,
        o->search_count > 1 ? lmb_text_format(sheet->arena, "Course of search %d", o->best + 1)
                            : "Course of the search",
        "trial", 200 + 120 * o->objective_count);
    plot.whole = true;
    for (int i = 0; i < o->objective_count; i++) {
        lmb_plot_add_panel(&plot, o->objectives[i]);
        add_course(&plot, o, o->objectives[i], 1 + i, 0, 1);
    }
    lmb_sheet_figure(sheet, &plot);
    lmb_plot design = lmb_plot_start(sheet->arena, "Variables between their bounds", "trial", 320);
    design.whole = design.legend = true;
    lmb_plot_add_panel(&design, "0: lower, 1: upper bound");
    for (int i = 0; i < o->variable_count; i++) {
        double width = o->upper[i] - o->lower[i];
        add_course(&design, o, o->variables[i], 1 + o->objective_count + i, o->lower[i],
                   width > 0 ? width : 1);
    }
    lmb_sheet_figure(sheet, &design);
}

static void add_curve_figure(lmb_sheet *sheet, const lmb_optimum *o)
{
    lmb_plot plot = lmb_plot_start(sheet->arena, "Trade-off", o->objectives[1], 400);
    plot.legend = plot.room = true;
    lmb_plot_add_panel(&plot, o->objectives[0]);
    lmb_curve *line = lmb_plot_add_curve(&plot, "best designs", o->curve_count, LMB_CURVE_LINE);
    for (int i = 0; i < line->count; i++) {
        line->x[i] = o->curve[i].objective[1];
        line->y[i] = o->curve[i].objective[0];
    }
    lmb_curve *dots = lmb_plot_add_curve(&plot, "best designs", line->count, LMB_CURVE_DOTS);
    for (int i = 0; i < dots->count; i++) {
        dots->x[i] = o->curve[i].objective[1];
        dots->y[i] = o->curve[i].objective[0];
    }
    lmb_curve *points = lmb_plot_add_curve(&plot, "as given", !o->start_fails, LMB_CURVE_POINTS);
    if (points->count) {
        points->x[0] = o->start_values[1];
        points->y[0] = o->start_values[0];
    }
    lmb_curve *chosen = lmb_plot_add_curve(&plot, "compromise", 1, LMB_CURVE_POINTS);
    if (chosen->count) {
        chosen->x[0] = o->values[1];
        chosen->y[0] = o->values[0];
    }
    lmb_sheet_figure(sheet, &plot);
}

/* All searches: where they ended, in the order of their numbers. */
static void add_ends(lmb_sheet *sheet, const lmb_optimum *o)
{
    lmb_plot plot = lmb_plot_start(sheet->arena, "Where the searches ended", "search", 300);
    plot.whole = plot.room = true;
    lmb_plot_add_panel(&plot, o->objectives[0]);
    lmb_curve *c = lmb_plot_add_curve(&plot, o->objectives[0], o->search_count, LMB_CURVE_POINTS);
    for (int i = 0; i < c->count; i++) {
        c->x[i] = i + 1;
        c->y[i] = o->searches[i].violation <= 1e-6 ? o->searches[i].objective : NAN;
    }
    lmb_sheet_figure(sheet, &plot);
}

/* --- all -------------------------------------------------------------------------------------- */

static void say(lmb_sheet *sheet, const lmb_optimum *o)
{
    double before = o->start_values[0], now = o->values[0];
    const char *word = o->maximise ? "largest" : "least";
    const char *within = o->limit_count ? " within the limits" : "";
    if (o->curve_count > 0)
        lmb_sheet_say(sheet, "The design nearest to the best of both has %s = %.6g and %s = %.6g.",
                      o->objectives[0], o->values[0], o->objectives[1], o->values[1]);
    else if (!o->start_fails && before != 0)
        lmb_sheet_say(sheet, "The %s %s%s is %.10g, %.3g %% %s than as given.", word,
                      o->objectives[0], within, now, 100 * fabs(now - before) / fabs(before),
                      now < before ? "less" : "more");
    else
        lmb_sheet_say(sheet, "The %s %s%s is %.10g.", word, o->objectives[0], within, now);
    if (!o->feasible)
        lmb_sheet_say(sheet, "No design that was found keeps to all limits.");
    lmb_sheet_say(sheet, "%s: %d runs of the model, %d of them with a gradient%s.", o->method,
                  o->trial_count, o->gradient_count,
                  o->failure_count ? lmb_text_format(sheet->arena, "; %d failed (the last: %s)",
                                                     o->failure_count, o->last_failure)
                                   : "");
    if (!isnan(o->optimality))
        lmb_sheet_say(sheet, "What is left of the conditions of an optimum: %.2g.", o->optimality);
}

void lmb_optimum_sheet(lmb_sheet *sheet, const lmb_optimum *o)
{
    say(sheet, o);
    sheet->lead = 2;
    add_design(sheet, o);
    add_objectives(sheet, o);
    if (o->curve_count > 0) {
        add_curve(sheet, o);
        add_curve_figure(sheet, o);
    } else if (o->search_count > 1) {
        add_searches(sheet, o);
        add_ends(sheet, o);
    }
    add_convergence(sheet, o);
}
