/* Drawing plots for papers, as SVG, PDF or PNG. */
#ifndef LMB_REPORT_PLOT_DRAW_H
#define LMB_REPORT_PLOT_DRAW_H

#include <stddef.h>

#include "report/plot.h"
#include "limber/context.h"

#define LMB_PLOT_FONT "DejaVu Sans"

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

/* Whether a plot can be written into a file of that name. */
bool lmb_plot_file(const char *path);

/* Draws a plot into a file, SVG, PDF or PNG by the end of its name. */
lmb_status lmb_plot_write(lmb_context *context, const lmb_plot *plot, const char *path);

/* For the above: the bytes of a PDF or PNG file, to be freed. */
lmb_status lmb_plot_cairo(lmb_context *context, const lmb_plot *plot, bool pdf,
                          unsigned char **bytes, size_t *size);

#endif
