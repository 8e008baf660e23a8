/* Plots: panels of curves over one another. They are drawn as SVG, PDF or PNG, and reports show
 * them. */
#ifndef LMB_REPORT_PLOT_H
#define LMB_REPORT_PLOT_H

#include <stdbool.h>

#include "base/arena.h"
#include "limber/context.h"

/* How a curve is drawn: as a line through its points (a number that is missing is a gap), as a
 * small cross at each, as thin upright lines at its x, as bars, or as round dots, of which there
 * may be thousands. */
typedef enum lmb_curve_style {
    LMB_CURVE_LINE,
    LMB_CURVE_POINTS,
    LMB_CURVE_MARKS,
    LMB_CURVE_BARS,
    LMB_CURVE_DOTS,
} lmb_curve_style;

typedef struct lmb_curve {
    const char *label;
    int count;
    double *x, *y;
    lmb_curve_style style;
    double *low;  /* of bars: where they begin; NULL: at 0 */
    double width; /* of bars, along x; 0: four fifths of the least step between bars of a panel */
} lmb_curve;

/* Curves of one unit, with axes of their own. */
typedef struct lmb_plot_panel {
    const char *label; /* of the y axis */
    int count;
    lmb_curve *curves;
} lmb_plot_panel;

typedef struct lmb_plot {
    lmb_arena *arena;            /* of panels and curves */
    const char *title, *x_label; /* the title may be "" */
    int panel_count;
    lmb_plot_panel *panels;
    int width, height; /* pixels */
    bool legend;       /* names of the curves above the panels */
    bool room;         /* beside the curves, for those that are no functions of x */
    int alike;         /* the first so many curves have one colour, as those of a cascade */
    bool equal;        /* one panel with one scale for x and y, as paths of points need it */
    bool whole;        /* x counts: no ticks between whole numbers */
    bool logarithmic;  /* the y axes; what is not positive is not drawn */
    int category_count;
    const char *const *categories; /* names at x = 1, 2, ... in the place of numbers */
    bool sideways;  /* one panel with x downwards and y to the right: bars with names beside them */
    lmb_curve lost; /* where a curve is filled in that there is no memory for: without points */
} lmb_plot;

/* A plot without panels, 800 pixels wide. Whether there was memory for all that is added to it says
 * its arena. */
lmb_plot lmb_plot_start(lmb_arena *arena, const char *title, const char *x_label, int height);

/* Adds a panel, to which the next curves belong. */
void lmb_plot_add_panel(lmb_plot *plot, const char *label);

/* Adds a curve of so many points to the last panel, whose x and y are to be filled in. Dots have
 * room beside them. */
lmb_curve *lmb_plot_add_curve(lmb_plot *plot, const char *label, int count, lmb_curve_style style);

/* Adds bars at x = 1, 2, ..., whose y are to be filled in, and their beginnings, which are 0. */
lmb_curve *lmb_plot_add_bars(lmb_plot *plot, const char *label, int count);

/* Gives the places x = 1, 2, ... names, which live as long as the plot. */
void lmb_plot_name_places(lmb_plot *plot, int count, const char *const *names);

/* Adds bars that say how many of n values are in each of so many equal parts of their range; parts
 * 0: as many as suit n. */
void lmb_plot_add_histogram(lmb_plot *plot, const char *label, size_t n, const double *values,
                            int parts);

/* Adds a line through n points: where these are many, through the least and the largest of each of
 * so many columns. x: NULL for instants at a rate, from a start on. */
void lmb_plot_add_line(lmb_plot *plot, const char *label, int columns, size_t n, const double *x,
                       const double *y, double start, double rate);

/* Chooses of each of so many columns of points the least and the largest, in their order; all where
 * there are fewer than two for each. Their numbers go into the list; returns how many. */
int lmb_plot_thin(int count, const double *y, int columns, int *list);

/* --- drawing ---------------------------------------------------------------------------------- */

/* What plots are drawn on. Lengths in pixels, y downwards; colours as 0xrrggbb. */
typedef struct lmb_canvas {
    void *user;
    void (*path)(void *user, int count, const double *xy, unsigned color, double width,
                 const double *dash); /* a polyline; dash: two lengths, or NULL */
    void (*fill)(void *user, double x, double y, double w, double h, unsigned color,
                 double opacity);
    void (*dot)(void *user, double x, double y, double radius, unsigned color, double opacity);
    void (*text)(void *user, double x, double y, double size, double anchor, bool upright,
                 unsigned color, const char *text); /* anchor 0: begins there, 1: ends there */
    void (*clip)(void *user, double x, double y, double w, double h); /* w = 0: no more */
    double (*width)(void *user, double size, const char *text);
} lmb_canvas;

/* Draws a plot. */
void lmb_plot_draw(const lmb_plot *plot, const lmb_canvas *canvas);

/* Whether a plot can be written into a file of that name. */
bool lmb_plot_file(const char *path);

/* Draws a plot into a file, SVG, PDF or PNG by the end of its name. */
lmb_status lmb_plot_write(lmb_context *context, const lmb_plot *plot, const char *path);

#endif
