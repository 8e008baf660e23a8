/* Plots for papers: panels of curves over one another, drawn on an SVG or a PNG. */
#ifndef LMB_CLI_PLOT_H
#define LMB_CLI_PLOT_H

#include <stdbool.h>

#include "limber/context.h"

typedef struct lmb_curve {
    const char *label;
    int count;
    const double *x, *y;
} lmb_curve;

/* Curves of one unit, with axes of their own. */
typedef struct lmb_plot_panel {
    const char *label; /* of the y axis */
    int count;
    lmb_curve *curves;
} lmb_plot_panel;

typedef struct lmb_plot {
    const char *title, *x_label; /* the title may be "" */
    int panel_count;
    lmb_plot_panel *panels;
    int width, height; /* pixels */
    bool legend;       /* names of the curves above the panels */
    bool room;         /* beside the curves, for those that are no functions of x */
} lmb_plot;

/* What plots are drawn on. Lengths in pixels, y downwards; colours as 0xrrggbb. */
typedef struct lmb_canvas {
    void *user;
    void (*path)(void *user, int count, const double *xy, unsigned color, double width,
                 const double *dash); /* a polyline; dash: two lengths, or NULL */
    void (*fill)(void *user, double x, double y, double w, double h, unsigned color);
    void (*text)(void *user, double x, double y, double size, double anchor, bool upright,
                 unsigned color, const char *text); /* anchor 0: begins there, 1: ends there */
    void (*clip)(void *user, double x, double y, double w, double h); /* w = 0: no more */
    double (*width)(void *user, double size, const char *text);
} lmb_canvas;

/* Draws a plot. */
void lmb_plot_draw(const lmb_plot *plot, const lmb_canvas *canvas);

/* Draws a plot into a file, SVG or PNG by the end of its name. */
lmb_status lmb_plot_write(lmb_context *context, const lmb_plot *plot, const char *path);

/* The two kinds of files, as bytes to be freed; LMB_SOLVER when out of memory. */
lmb_status lmb_plot_svg(lmb_context *context, const lmb_plot *plot, unsigned char **bytes,
                        size_t *size);
lmb_status lmb_plot_png(lmb_context *context, const lmb_plot *plot, unsigned char **bytes,
                        size_t *size);

#endif
