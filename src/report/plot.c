/* Plots: their panels and curves in an arena. */
#include "report/plot.h"

#include <math.h>

#include "report/plot_axis.h"

lmb_plot lmb_plot_start(lmb_arena *arena, const char *title, const char *x_label, int height)
{
    return (lmb_plot){
        .arena = arena, .title = title, .x_label = x_label, .width = 800, .height = height};
}

void lmb_plot_add_panel(lmb_plot *p, const char *label)
{
    lmb_plot_panel *grown = lmb_arena_append(p->arena, p->panels, p->panel_count, sizeof *grown);
    if (!lmb_arena_fine(p->arena))
        return;
    p->panels = grown;
    p->panels[p->panel_count++] = (lmb_plot_panel){.label = label};
}

lmb_curve *lmb_plot_add_curve(lmb_plot *p, const char *label, int count, lmb_curve_style style)
{
    lmb_plot_panel none = {0}, *panel = p->panel_count ? &p->panels[p->panel_count - 1] : &none;
    lmb_curve curve = {.label = label,
                       .count = count,
                       .x = lmb_arena_numbers(p->arena, (size_t)count + 1),
                       .y = lmb_arena_numbers(p->arena, (size_t)count + 1),
                       .style = style};
    lmb_curve *grown = lmb_arena_append(p->arena, panel->curves, panel->count, sizeof *grown);
    p->lost = (lmb_curve){.label = ""};
    if (!lmb_arena_fine(p->arena))
        return &p->lost;
    p->legend = p->legend || (label[0] && (p->panel_count > 1 || panel->count > 0));
    p->room = p->room || style == LMB_CURVE_DOTS;
    panel->curves = grown;
    grown[panel->count] = curve;
    return &grown[panel->count++];
}

lmb_curve *lmb_plot_add_bars(lmb_plot *p, const char *label, int count)
{
    double *low = lmb_arena_numbers(p->arena, (size_t)count + 1);
    lmb_curve *c = lmb_plot_add_curve(p, label, count, LMB_CURVE_BARS);
    c->low = low;
    for (int i = 0; i < c->count; i++) {
        c->x[i] = i + 1;
        c->low[i] = 0;
    }
    return c;
}

void lmb_plot_name_places(lmb_plot *p, int count, const char *const *names)
{
    p->category_count = count;
    p->categories = names;
}

/* Parts by Rice's rule, 2 n^(1/3). */
void lmb_plot_add_histogram(lmb_plot *p, const char *label, size_t n, const double *values,
                            int parts)
{
    lmb_range r = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        lmb_range_include(&r, values[i]);
    if (parts <= 0)
        parts = (int)fmin(fmax(ceil(2 * cbrt((double)n)), 5), 80);
    if (!(r.low < r.high)) {
        parts = r.low <= r.high ? 1 : 0;
        r = lmb_range_widened(r, 0);
    }
    lmb_curve *c = lmb_plot_add_bars(p, label, parts);
    c->width = (r.high - r.low) / fmax(parts, 1);
    for (int k = 0; k < c->count; k++) {
        c->x[k] = r.low + (k + 0.5) * c->width;
        c->y[k] = 0;
    }
    for (size_t i = 0; i < n && c->count; i++)
        if (isfinite(values[i]))
            c->y[(int)fmin((values[i] - r.low) / c->width, parts - 1)]++;
}

int lmb_plot_thin(int count, const double *y, int columns, int *list)
{
    int used = 0;
    columns = count > 2 * columns ? columns : count;
    for (long k = 0; k < columns; k++) {
        int from = (int)(count * k / columns), to = (int)(count * (k + 1) / columns);
        int least = from, most = from;
        for (int i = from; i < to; i++) {
            least = y[i] < y[least] ? i : least;
            most = y[i] > y[most] ? i : most;
        }
        list[used++] = least < most ? least : most;
        if (least != most)
            list[used++] = least < most ? most : least;
    }
    return used;
}

void lmb_plot_add_line(lmb_plot *p, const char *label, int columns, size_t n, const double *x,
                       const double *y, double start, double rate)
{
    int *list = lmb_arena_integers(p->arena, n + 1);
    int count = lmb_arena_fine(p->arena) ? lmb_plot_thin((int)n, y, columns, list) : 0;
    lmb_curve *c = lmb_plot_add_curve(p, label, count, LMB_CURVE_LINE);
    for (int i = 0; i < c->count; i++) {
        c->x[i] = x ? x[list[i]] : start + list[i] / rate;
        c->y[i] = y[list[i]];
    }
}
