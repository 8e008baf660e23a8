/* How plots are laid out: title, legend, and panels one above the other with a common x axis; or
 * one panel sideways. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "report/plot.h"
#include "report/plot_axis.h"

/* --- curves ----------------------------------------------------------------------------------- */

enum { MOST_POINTS = 4000 };

static const unsigned ink = 0x1d2630, muted = 0x5b6875, rule = 0xdde3e8, frame = 0x8a96a1;
static const unsigned colors[] = {0x2f6db5, 0xd9722b, 0x3c9155, 0xb7485f,
                                  0x7a5ea8, 0x2d8f93, 0xb08a1e, 0x8a6650};
enum { COLORS = sizeof colors / sizeof *colors };
static const double dashes[][2] = {{0, 0}, {7, 3}, {2, 3}}, marked[2] = {3, 3};
static const double font = 13, small = 12;

typedef struct box {
    double x, y, w, h;
} box;

/* Where the two axes of a panel are. */
typedef struct panel_axes {
    const lmb_axis *x, *y;
    box box;
    bool sideways;
} panel_axes;

static double place_x(const panel_axes *a, double x)
{
    const box *b = &a->box;
    return a->sideways ? lmb_axis_place(a->x, x, b->y, b->h) : lmb_axis_place(a->x, x, b->x, b->w);
}

static double place_y(const panel_axes *a, double y)
{
    const box *b = &a->box;
    return a->sideways ? lmb_axis_place(a->y, y, b->x, b->w)
                       : lmb_axis_place(a->y, y, b->y + b->h, -b->h);
}

/* Where a point is on the canvas. */
static void place(const panel_axes *a, double x, double y, double xy[2])
{
    xy[a->sideways] = place_x(a, x);
    xy[!a->sideways] = place_y(a, y);
}

/* Whether x only grows, so that a curve with many points may be thinned by columns. */
static bool grows(const lmb_curve *c)
{
    for (int i = 1; i < c->count; i++)
        if (!(c->x[i] >= c->x[i - 1]))
            return false;
    return true;
}

static void line(const lmb_canvas *canvas, double x1, double y1, double x2, double y2,
                 unsigned color)
{
    const double xy[4] = {x1, y1, x2, y2};
    canvas->path(canvas->user, 2, xy, color, 1, NULL);
}

/* A cross. */
static void draw_point(const lmb_canvas *canvas, double x, double y, unsigned color)
{
    line(canvas, x - 4, y - 4, x + 4, y + 4, color);
    line(canvas, x - 4, y + 4, x + 4, y - 4, color);
}

/* How a curve is drawn: curves of one name in several panels alike, listed in the legend once. */
typedef struct pen {
    unsigned color;
    const double *dash; /* NULL: none */
    bool listed;
} pen;

static pen pen_of(const lmb_plot *plot, int panel, int index)
{
    const lmb_curve *c = &plot->panels[panel].curves[index];
    int number = 0;
    bool again = false;
    for (int k = 0; k < panel; k++)
        for (int i = 0; i < plot->panels[k].count && !again; i++) {
            again = c->label[0] && strcmp(c->label, plot->panels[k].curves[i].label) == 0;
            number += !again;
        }
    number += again ? 0 : index;
    int more = number - plot->alike, tone = plot->alike == 0 ? number : more < 0 ? 0 : more + 1;
    const double *dash = c->style == LMB_CURVE_MARKS ? marked : dashes[tone / COLORS % 3];
    return (pen){colors[tone % COLORS], dash[0] > 0 ? dash : NULL, !again && more >= 0};
}

static void draw_line(const lmb_canvas *canvas, const lmb_curve *c, const panel_axes *a, pen with)
{
    int *list = lmb_malloc(((size_t)c->count + 1) * sizeof *list);
    double *xy = lmb_malloc(2 * ((size_t)c->count + 1) * sizeof *xy);
    int columns = c->count > MOST_POINTS && grows(c) ? MOST_POINTS / 2 : c->count;
    int count = list && xy ? lmb_plot_thin(c->count, c->y, columns, list) : 0, used = 0;
    for (int i = 0; i <= count; i++) {
        /* a missing number ends a piece */
        bool fine = i < count && isfinite(c->x[list[i]]) && isfinite(c->y[list[i]]);
        if (fine) {
            place(a, c->x[list[i]], c->y[list[i]], xy + 2 * used++);
        } else if (used > 0) {
            canvas->path(canvas->user, used, xy, with.color, 1.6, with.dash);
            used = 0;
        }
    }
    free(xy);
    free(list);
}

/* Many dots are smaller, and show through where they are dense; a few are seen among these. */
static void draw_dots(const lmb_canvas *canvas, const lmb_curve *c, const panel_axes *a, pen with)
{
    double radius = c->count > 1000 ? 2 : c->count > 200 ? 2.5 : c->count > 20 ? 3.2 : 4.5;
    double opacity = c->count > 1000 ? 0.45 : c->count > 20 ? 0.7 : 0.95;
    for (int i = 0; i < c->count; i++) {
        double xy[2];
        place(a, c->x[i], c->y[i], xy);
        if (isfinite(c->x[i]) && isfinite(c->y[i]))
            canvas->dot(canvas->user, xy[0], xy[1], radius, with.color, opacity);
    }
}

static double beginning(const lmb_curve *c, int i)
{
    return c->low ? c->low[i] : 0;
}

/* The width of the bars of a curve, along x. */
static double bar_width(const lmb_plot_panel *p, const lmb_curve *c)
{
    double least = INFINITY;
    if (c->width > 0)
        return c->width;
    for (int k = 0; k < p->count; k++)
        for (int i = 1; i < p->curves[k].count && p->curves[k].style == LMB_CURVE_BARS; i++) {
            double step = fabs(p->curves[k].x[i] - p->curves[k].x[i - 1]);
            least = step > 0 ? fmin(least, step) : least;
        }
    return 0.8 * (isfinite(least) ? least : 1);
}

static void draw_bars(const lmb_canvas *canvas, const lmb_curve *c, const panel_axes *a, pen with,
                      double width)
{
    const box *b = &a->box;
    for (int i = 0; i < c->count; i++) {
        double one[2], other[2];
        place(a, c->x[i] - width / 2, beginning(c, i), one);
        place(a, c->x[i] + width / 2, c->y[i], other);
        /* within the panel, with a gap to the next */
        double left = fmax(fmin(one[0], other[0]), b->x), top = fmax(fmin(one[1], other[1]), b->y);
        double w = fmin(fmax(one[0], other[0]), b->x + b->w) - left;
        double h = fmin(fmax(one[1], other[1]), b->y + b->h) - top;
        double *thick = a->sideways ? &h : &w;
        *thick -= *thick > 4 ? 1 : 0;
        if (isfinite(c->y[i]) && w > 0 && h > 0)
            canvas->fill(canvas->user, left, top, w, h, with.color, 0.82);
    }
}

/* --- panels ----------------------------------------------------------------------------------- */

static void draw_curve(const lmb_canvas *canvas, const lmb_plot_panel *p, const lmb_curve *c,
                       const panel_axes *a, pen with)
{
    const box *b = &a->box;
    if (c->style == LMB_CURVE_LINE)
        draw_line(canvas, c, a, with);
    else if (c->style == LMB_CURVE_DOTS)
        draw_dots(canvas, c, a, with);
    else if (c->style == LMB_CURVE_BARS)
        draw_bars(canvas, c, a, with, bar_width(p, c));
    for (int i = 0; i < c->count && c->style == LMB_CURVE_MARKS; i++) {
        double at = place_x(a, c->x[i]);
        const double upright[4] = {at, b->y, at, b->y + b->h};
        const double level[4] = {b->x, at, b->x + b->w, at};
        canvas->path(canvas->user, 2, a->sideways ? level : upright, with.color, 1, with.dash);
    }
    for (int i = 0; i < c->count && c->style == LMB_CURVE_POINTS; i++) {
        double xy[2];
        place(a, c->x[i], c->y[i], xy);
        draw_point(canvas, xy[0], xy[1], with.color);
    }
}

static void draw_power(const lmb_canvas *canvas, double x, double y, double anchor, int power)
{
    char text[32];
    lmb_snprintf(text, sizeof text, "\xc3\x97 1e%d", power);
    if (power)
        canvas->text(canvas->user, x, y, small, anchor, false, muted, text);
}

/* Lines across a panel, and numbers or names below it or on its left; where these do not fit below,
 * they are upright. */
static void draw_ticks(const lmb_canvas *canvas, const panel_axes *a, bool of_x, bool labelled,
                       bool upright)
{
    const lmb_axis *axis = of_x ? a->x : a->y;
    const box *b = &a->box;
    char number[80];
    for (int i = 0; i < axis->count; i++) {
        const char *text = lmb_axis_text(axis, i, number, sizeof number);
        double at = of_x ? place_x(a, axis->ticks[i]) : place_y(a, axis->ticks[i]);
        if (of_x == a->sideways) {
            if (!axis->names)
                line(canvas, b->x, at, b->x + b->w, at, rule);
            canvas->text(canvas->user, b->x - 7, at + 4, small, 1, false, muted, text);
            continue;
        }
        if (!axis->names)
            line(canvas, at, b->y, at, b->y + b->h, rule);
        if (labelled && upright)
            canvas->text(canvas->user, at + 4, b->y + b->h + 7, small, 1, true, muted, text);
        else if (labelled)
            canvas->text(canvas->user, at, b->y + b->h + 17, small, 0.5, false, muted, text);
    }
}

static bool has_bars(const lmb_plot_panel *p)
{
    for (int i = 0; i < p->count; i++)
        if (p->curves[i].style == LMB_CURVE_BARS)
            return true;
    return false;
}

static void draw_panel(const lmb_canvas *canvas, const lmb_plot *plot, int panel,
                       const panel_axes *a, bool upright)
{
    const lmb_plot_panel *p = &plot->panels[panel];
    bool last = panel + 1 == plot->panel_count;
    const lmb_axis *below = a->sideways ? a->y : a->x, *left = a->sideways ? a->x : a->y;
    const box *b = &a->box;
    draw_ticks(canvas, a, true, last, upright);
    draw_ticks(canvas, a, false, last, false);
    if (last)
        draw_power(canvas, b->x + b->w, b->y + b->h + 34, 1, below->power);
    draw_power(canvas, b->x, b->y - 5, 0, left->power);
    canvas->clip(canvas->user, b->x, b->y, b->w, b->h);
    for (int i = 0; i < p->count; i++)
        draw_curve(canvas, p, &p->curves[i], a, pen_of(plot, panel, i));
    if (has_bars(p) && !a->y->logarithmic) { /* what they stand on */
        double at = place_y(a, 0);
        if (a->sideways)
            line(canvas, at, b->y, at, b->y + b->h, frame);
        else
            line(canvas, b->x, at, b->x + b->w, at, frame);
    }
    canvas->clip(canvas->user, 0, 0, 0, 0);
    const double border[] = {b->x,        b->y, b->x + b->w, b->y, b->x + b->w,
                             b->y + b->h, b->x, b->y + b->h, b->x, b->y};
    canvas->path(canvas->user, 5, border, frame, 1, NULL);
}

/* The legend, in lines of as many names as fit; returns its height. */
static double legend(const lmb_plot *plot, const lmb_canvas *canvas, double left, double top,
                     double width)
{
    double x = left, y = top + 12;
    for (int k = 0; k < plot->panel_count; k++)
        for (int i = 0; i < plot->panels[k].count; i++) {
            const lmb_curve *c = &plot->panels[k].curves[i];
            pen with = pen_of(plot, k, i);
            if (!with.listed)
                continue;
            double need = 34 + canvas->width(canvas->user, small, c->label);
            if (x > left && x + need > left + width) {
                x = left;
                y += 19;
            }
            const double key[4] = {x, y - 4, x + 22, y - 4};
            if (c->style == LMB_CURVE_POINTS)
                draw_point(canvas, x + 11, y - 4, with.color);
            else if (c->style == LMB_CURVE_DOTS)
                canvas->dot(canvas->user, x + 11, y - 4, 4, with.color, 0.8);
            else if (c->style == LMB_CURVE_BARS)
                canvas->fill(canvas->user, x + 4, y - 9, 16, 10, with.color, 0.82);
            else
                canvas->path(canvas->user, 2, key, with.color, 2.2, with.dash);
            canvas->text(canvas->user, x + 28, y, small, 0, false, ink, c->label);
            x += need + 14;
        }
    return y - top + 10;
}

/* The room that the numbers or names of an axis need. */
static double widest_tick(const lmb_canvas *canvas, const lmb_axis *axis)
{
    char number[80];
    double widest = 0;
    for (int i = 0; i < axis->count; i++)
        widest = fmax(widest, canvas->width(canvas->user, small,
                                            lmb_axis_text(axis, i, number, sizeof number)));
    return widest;
}

/* What the curves of a panel extend over. */
static void find_extent(const lmb_plot *plot, const lmb_plot_panel *p, lmb_range *across,
                        lmb_range *up)
{
    for (int i = 0; i < p->count; i++) {
        const lmb_curve *c = &p->curves[i];
        bool bars = c->style == LMB_CURVE_BARS;
        double half = bars ? bar_width(p, c) / 2 : 0;
        if (c->style == LMB_CURVE_MARKS)
            continue; /* where nothing else is, they are not seen */
        for (int n = 0; n < c->count; n++) {
            lmb_range_include(across, c->x[n] - half);
            lmb_range_include(across, c->x[n] + half);
            if (!plot->logarithmic || c->y[n] > 0)
                lmb_range_include(up, c->y[n]);
            if (bars && (!plot->logarithmic || beginning(c, n) > 0))
                lmb_range_include(up, beginning(c, n));
        }
    }
}

/* The axis of values of a panel. Bars that begin at zero stand on its end. */
static lmb_axis value_axis(const lmb_plot *plot, const lmb_plot_panel *p, lmb_range up,
                           double pixels, double each)
{
    if (plot->logarithmic)
        return lmb_axis_logarithmic(up, pixels, each);
    lmb_range r = lmb_range_widened(up, 0.05);
    if (has_bars(p) && up.low == 0 && up.high > 0)
        r.low = 0;
    if (has_bars(p) && up.high == 0 && up.low < 0)
        r.high = 0;
    return lmb_axis_make(r, pixels, each, false);
}

/* The axis of x along so many pixels, each tick with room for so many of them. */
static lmb_axis place_axis(const lmb_plot *plot, lmb_range along, double pixels, double each)
{
    if (plot->category_count > 0)
        return lmb_axis_names(plot->category_count, plot->categories, pixels, small + 3);
    return lmb_axis_make(along, pixels, each, plot->whole);
}

/* One panel with x downwards and y to the right, in what is below the legend. */
static void draw_sideways(const lmb_plot *plot, const lmb_canvas *canvas, double left, double right,
                          double top)
{
    lmb_range across = {INFINITY, -INFINITY}, up = across;
    box b = {0, top, 0, fmax(plot->height - top - 48, 20)};
    find_extent(plot, &plot->panels[0], &across, &up);
    lmb_axis x = place_axis(plot, lmb_range_widened(across, plot->room ? 0.04 : 0), b.h, 42);
    b.x = left + 22 + fmin(widest_tick(canvas, &x), 0.5 * plot->width) + 8;
    b.w = plot->width - right - b.x;
    lmb_axis y = value_axis(plot, &plot->panels[0], up, b.w, 90);
    draw_panel(canvas, plot, 0, &(panel_axes){&x, &y, b, true}, false);
    canvas->text(canvas->user, left + 10, b.y + b.h / 2, font, 0.5, true, ink, plot->x_label);
    canvas->text(canvas->user, b.x + b.w / 2, plot->height - 12, font, 0.5, false, ink,
                 plot->panels[0].label);
}

/* Panels one above the other. */
static void draw_stack(const lmb_plot *plot, const lmb_canvas *canvas, double left, double right,
                       double top)
{
    lmb_axis *y = lmb_calloc((size_t)plot->panel_count + 1, sizeof *y);
    if (!y)
        return;
    lmb_range across = {INFINITY, -INFINITY};
    double gap = 26, wide = 0, below = 48, most = plot->width - left - right;
    /* names that do not fit beside one another are upright */
    lmb_axis names = place_axis(plot, (lmb_range){0, 1}, most, 90);
    double longest = plot->category_count > 0 ? widest_tick(canvas, &names) : 0;
    bool upright = (longest + 8) * plot->category_count > 0.9 * most;
    if (upright)
        below += fmin(longest, 0.5 * plot->height) - small;
    double all = plot->height - top - below - gap * (plot->panel_count - 1);
    double h = fmax(all / plot->panel_count, 20);
    for (int k = 0; k < plot->panel_count; k++) {
        lmb_range up = {INFINITY, -INFINITY};
        find_extent(plot, &plot->panels[k], &across, &up);
        y[k] = value_axis(plot, &plot->panels[k], up, h, 42);
        wide = fmax(wide, widest_tick(canvas, &y[k]));
    }
    box b = {left + 22 + wide + 8, top, 0, h};
    b.w = plot->width - right - b.x;
    lmb_range along = lmb_range_widened(across, plot->room ? 0.04 : 0);
    if (plot->equal) {
        double scale = fmax((along.high - along.low) / b.w,
                            (y[0].range.high - y[0].range.low) / h); /* of a pixel */
        along = lmb_range_centred(along, scale * b.w);
        y[0] = lmb_axis_make(lmb_range_centred(y[0].range, scale * h), h, 42, false);
    }
    lmb_axis x = place_axis(plot, along, b.w, 90);
    for (int k = 0; k < plot->panel_count; k++, b.y += h + gap) {
        draw_panel(canvas, plot, k, &(panel_axes){&x, &y[k], b, false}, upright);
        canvas->text(canvas->user, left + 10, b.y + h / 2, font, 0.5, true, ink,
                     plot->panels[k].label);
    }
    canvas->text(canvas->user, b.x + b.w / 2, plot->height - 12, font, 0.5, false, ink,
                 plot->x_label);
    free(y);
}

void lmb_plot_draw(const lmb_plot *plot, const lmb_canvas *canvas)
{
    double left = 20, right = 20, top = 16;
    canvas->fill(canvas->user, 0, 0, plot->width, plot->height, 0xffffff, 1);
    if (plot->title[0]) {
        canvas->text(canvas->user, plot->width / 2.0, top + 12, 15, 0.5, false, ink, plot->title);
        top += 28;
    }
    if (plot->legend)
        top += legend(plot, canvas, left, top, plot->width - left - right) + 10;
    if (plot->sideways && plot->panel_count == 1)
        draw_sideways(plot, canvas, left, right, top);
    else
        draw_stack(plot, canvas, left, right, top);
}
