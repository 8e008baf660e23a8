/* Plots: their panels and curves in an arena, and how they are laid out: title, legend, and panels
 * one above the other with a common x axis.
 *
 * Ticks are multiples of 1, 2 or 5 times a power of ten; the y axes may be logarithmic. Very large
 * or small numbers have their power of ten taken out, which stands above the axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot.h"

/* --- making ----------------------------------------------------------------------------------- */

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
    lmb_curve curve = {label, count, lmb_arena_numbers(p->arena, (size_t)count + 1),
                       lmb_arena_numbers(p->arena, (size_t)count + 1), style};
    lmb_curve *grown = lmb_arena_append(p->arena, panel->curves, panel->count, sizeof *grown);
    p->lost = (lmb_curve){.label = ""};
    if (!lmb_arena_fine(p->arena))
        return &p->lost;
    p->legend = p->legend || (label[0] && (p->panel_count > 1 || panel->count > 0));
    panel->curves = grown;
    grown[panel->count] = curve;
    return &grown[panel->count++];
}

/* Chooses of each of so many columns of points the least and the largest, in their order; all where
 * there are fewer than two for each. Their numbers go into the list; returns how many. */
static int thin(int count, const double *y, int columns, int *list)
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
    int count = lmb_arena_fine(p->arena) ? thin((int)n, y, columns, list) : 0;
    lmb_curve *c = lmb_plot_add_curve(p, label, count, LMB_CURVE_LINE);
    for (int i = 0; i < c->count; i++) {
        c->x[i] = x ? x[list[i]] : start + list[i] / rate;
        c->y[i] = y[list[i]];
    }
}

/* --- axes ------------------------------------------------------------------------------------- */

enum { MOST_TICKS = 24, MOST_POINTS = 4000 };

static const unsigned ink = 0x1d2630, muted = 0x5b6875, rule = 0xdde3e8, frame = 0x8a96a1;
static const unsigned colors[] = {0x2f6db5, 0xd9722b, 0x3c9155, 0xb7485f,
                                  0x7a5ea8, 0x2d8f93, 0xb08a1e, 0x8a6650};
enum { COLORS = sizeof colors / sizeof *colors };
static const double dashes[][2] = {{0, 0}, {7, 3}, {2, 3}}, marked[2] = {3, 3};
static const double font = 13, small = 12;

typedef struct range {
    double low, high;
} range;

typedef struct axis {
    range range;
    int count;
    double ticks[MOST_TICKS];
    int power; /* of ten, taken out of the numbers */
    int decimals;
    bool logarithmic;
} axis;

typedef struct box {
    double x, y, w, h;
} box;

static void include(range *r, double value)
{
    if (!isfinite(value))
        return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

/* A range with room around the curves; one without an extent is widened. */
static range widened(range r, double part)
{
    if (!(r.low <= r.high))
        return (range){0, 1};
    double span = r.high - r.low, size = fmax(fabs(r.low), fabs(r.high));
    if (span <= 1e-12 * size)
        span = size > 0 ? 0.2 * size : 2, part = 0.5;
    return (range){r.low - part * span, r.high + part * span};
}

/* A range of another extent around the same middle. */
static range centred(range r, double extent)
{
    double middle = (r.low + r.high) / 2;
    return (range){middle - extent / 2, middle + extent / 2};
}

static axis make_axis(range r, double pixels, double each, bool whole)
{
    axis a = {.range = r};
    double target = (r.high - r.low) * each / pixels;
    if (whole)
        target = fmax(target, 1);
    double power = pow(10, floor(log10(target))), step = 10 * power;
    static const double steps[] = {1, 2, 5};
    for (int i = 2; i >= 0; i--)
        if (steps[i] * power >= target)
            step = steps[i] * power;
    double first = ceil(r.low / step - 1e-9);
    for (double k = first; k * step <= r.high + 1e-9 * step && a.count < MOST_TICKS; k++)
        a.ticks[a.count++] = k * step;
    double size = fmax(fabs(r.low), fabs(r.high));
    int exponent = (int)floor(log10(size));
    a.power = exponent >= 5 || exponent <= -4 ? (int)(3 * floor(exponent / 3.0)) : 0;
    double shown = step / pow(10, a.power);
    a.decimals = (int)fmax(0, ceil(-log10(shown) - 1e-9));
    return a;
}

/* Whole powers of ten, and between them 2 and 5 where there are few; eight decades at most. */
static axis make_log_axis(range r, double pixels, double each)
{
    axis a = {.logarithmic = true, .range = {0.1, 1}};
    if (r.high > 0)
        a.range = (range){fmax(r.low, 1e-8 * r.high) / 1.5, 1.5 * r.high};
    int first = (int)floor(log10(a.range.low)), last = (int)ceil(log10(a.range.high));
    double room = pixels / each / log10(a.range.high / a.range.low); /* ticks a decade */
    int stride = room < 1 ? (int)ceil(1 / room) : 1;
    for (int decade = first; decade <= last; decade++)
        for (int m = 1; m <= 5; m += m == 1 ? 1 : 3) {
            double tick = m * pow(10, decade);
            bool shown = m == 1 ? decade % stride == 0 : room > 3;
            if (shown && tick >= a.range.low && tick <= a.range.high && a.count < MOST_TICKS)
                a.ticks[a.count++] = tick;
        }
    return a;
}

/* A tick as a text, with a real minus sign. */
static void tick_text(const axis *a, int i, char *text, size_t size)
{
    if (a->logarithmic) {
        double tick = a->ticks[i];
        int power = (int)floor(log10(tick) + 1e-9);
        if (power >= -3 && power <= 4)
            snprintf(text, size, "%g", tick);
        else
            snprintf(text, size, "%.0fe%s%d", tick / pow(10, power),
                     power < 0 ? "\xe2\x88\x92" : "", abs(power));
        return;
    }
    double value = a->ticks[i] / pow(10, a->power);
    if (fabs(value) < 1e-12 * fabs(a->range.high - a->range.low) / pow(10, a->power))
        value = 0;
    char number[64];
    snprintf(number, sizeof number, "%.*f", a->decimals, fabs(value));
    snprintf(text, size, "%s%s", value < 0 ? "\xe2\x88\x92" : "", number);
}

static double place(const axis *a, double value, double from, double length)
{
    if (a->logarithmic) { /* what is not positive lies below the panel */
        double low = a->range.low, at = log(fmax(value, 0.01 * low) / low);
        return from + at / log(a->range.high / low) * length;
    }
    return from + (value - a->range.low) / (a->range.high - a->range.low) * length;
}

/* --- curves ----------------------------------------------------------------------------------- */

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

static void draw_line(const lmb_canvas *canvas, const lmb_curve *c, const axis *x, const axis *y,
                      box b, pen with)
{
    int *list = malloc(((size_t)c->count + 1) * sizeof *list);
    double *xy = malloc(2 * ((size_t)c->count + 1) * sizeof *xy);
    int columns = c->count > MOST_POINTS && grows(c) ? MOST_POINTS / 2 : c->count;
    int count = list && xy ? thin(c->count, c->y, columns, list) : 0, used = 0;
    for (int i = 0; i <= count; i++) {
        /* a missing number ends a piece */
        bool fine = i < count && isfinite(c->x[list[i]]) && isfinite(c->y[list[i]]);
        if (fine) {
            xy[2 * used] = place(x, c->x[list[i]], b.x, b.w);
            xy[2 * used + 1] = place(y, c->y[list[i]], b.y + b.h, -b.h);
            used++;
        } else if (used > 0) {
            canvas->path(canvas->user, used, xy, with.color, 1.6, with.dash);
            used = 0;
        }
    }
    free(xy);
    free(list);
}

/* --- panels ----------------------------------------------------------------------------------- */

static void draw_curve(const lmb_canvas *canvas, const lmb_curve *c, const axis *x, const axis *y,
                       box b, pen with)
{
    if (c->style == LMB_CURVE_LINE)
        draw_line(canvas, c, x, y, b, with);
    for (int i = 0; i < c->count && c->style != LMB_CURVE_LINE; i++) {
        double at = place(x, c->x[i], b.x, b.w);
        const double upright[4] = {at, b.y, at, b.y + b.h};
        if (c->style == LMB_CURVE_MARKS)
            canvas->path(canvas->user, 2, upright, with.color, 1, with.dash);
        else
            draw_point(canvas, at, place(y, c->y[i], b.y + b.h, -b.h), with.color);
    }
}

static void draw_power(const lmb_canvas *canvas, double x, double y, double anchor, int power)
{
    char text[32];
    snprintf(text, sizeof text, "\xc3\x97 1e%d", power);
    if (power)
        canvas->text(canvas->user, x, y, small, anchor, false, muted, text);
}

static void draw_panel(const lmb_canvas *canvas, const lmb_plot *plot, int panel, const axis *x,
                       const axis *y, box b)
{
    const lmb_plot_panel *p = &plot->panels[panel];
    bool numbers = panel + 1 == plot->panel_count; /* of the x axis */
    char text[80];
    for (int i = 0; i < x->count; i++) {
        double at = place(x, x->ticks[i], b.x, b.w);
        line(canvas, at, b.y, at, b.y + b.h, rule);
        tick_text(x, i, text, sizeof text);
        if (numbers)
            canvas->text(canvas->user, at, b.y + b.h + 17, small, 0.5, false, muted, text);
    }
    for (int i = 0; i < y->count; i++) {
        double at = place(y, y->ticks[i], b.y + b.h, -b.h);
        line(canvas, b.x, at, b.x + b.w, at, rule);
        tick_text(y, i, text, sizeof text);
        canvas->text(canvas->user, b.x - 7, at + 4, small, 1, false, muted, text);
    }
    if (numbers)
        draw_power(canvas, b.x + b.w, b.y + b.h + 34, 1, x->power);
    draw_power(canvas, b.x, b.y - 5, 0, y->power);
    canvas->clip(canvas->user, b.x, b.y, b.w, b.h);
    for (int i = 0; i < p->count; i++)
        draw_curve(canvas, &p->curves[i], x, y, b, pen_of(plot, panel, i));
    canvas->clip(canvas->user, 0, 0, 0, 0);
    const double border[] = {b.x,       b.y, b.x + b.w, b.y, b.x + b.w,
                             b.y + b.h, b.x, b.y + b.h, b.x, b.y};
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
            else
                canvas->path(canvas->user, 2, key, with.color, 2.2, with.dash);
            canvas->text(canvas->user, x + 28, y, small, 0, false, ink, c->label);
            x += need + 14;
        }
    return y - top + 10;
}

/* The room that the numbers of the y axes need. */
static double widest_tick(const lmb_plot *plot, const lmb_canvas *canvas, const axis *y)
{
    char text[80];
    double widest = 0;
    for (int k = 0; k < plot->panel_count; k++)
        for (int i = 0; i < y[k].count; i++) {
            tick_text(&y[k], i, text, sizeof text);
            widest = fmax(widest, canvas->width(canvas->user, small, text));
        }
    return widest;
}

void lmb_plot_draw(const lmb_plot *plot, const lmb_canvas *canvas)
{
    axis *y = calloc((size_t)plot->panel_count + 1, sizeof *y);
    if (!y)
        return;
    range across = {INFINITY, -INFINITY};
    double left = 20, right = 20, top = 16, gap = 26;
    canvas->fill(canvas->user, 0, 0, plot->width, plot->height, 0xffffff);
    if (plot->title[0]) {
        canvas->text(canvas->user, plot->width / 2.0, top + 12, 15, 0.5, false, ink, plot->title);
        top += 28;
    }
    if (plot->legend)
        top += legend(plot, canvas, left, top, plot->width - left - right) + 10;
    double all = plot->height - top - 48 - gap * (plot->panel_count - 1);
    double h = fmax(all / plot->panel_count, 20);
    for (int k = 0; k < plot->panel_count; k++) {
        range up = {INFINITY, -INFINITY};
        for (int i = 0; i < plot->panels[k].count; i++)
            for (int n = 0; n < plot->panels[k].curves[i].count; n++) {
                const lmb_curve *c = &plot->panels[k].curves[i];
                if (c->style == LMB_CURVE_MARKS)
                    continue; /* where nothing else is, they are not seen */
                include(&across, c->x[n]);
                if (!plot->logarithmic || c->y[n] > 0)
                    include(&up, c->y[n]);
            }
        y[k] = plot->logarithmic ? make_log_axis(up, h, 42)
                                 : make_axis(widened(up, 0.05), h, 42, false);
    }
    double wide = widest_tick(plot, canvas, y);
    box b = {left + 22 + wide + 8, top, 0, h};
    b.w = plot->width - right - b.x;
    range along = widened(across, plot->room ? 0.04 : 0);
    if (plot->equal) {
        double scale = fmax((along.high - along.low) / b.w,
                            (y[0].range.high - y[0].range.low) / h); /* of a pixel */
        along = centred(along, scale * b.w);
        y[0] = make_axis(centred(y[0].range, scale * h), h, 42, false);
    }
    axis x = make_axis(along, b.w, 90, plot->whole);
    for (int k = 0; k < plot->panel_count; k++, b.y += h + gap) {
        draw_panel(canvas, plot, k, &x, &y[k], b);
        canvas->text(canvas->user, left + 10, b.y + h / 2, font, 0.5, true, ink,
                     plot->panels[k].label);
    }
    canvas->text(canvas->user, b.x + b.w / 2, plot->height - 12, font, 0.5, false, ink,
                 plot->x_label);
    free(y);
}
