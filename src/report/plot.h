/* Plots: panels of curves over one another. They are drawn as SVG, PDF or PNG, and reports show
 * them. */
#ifndef LMB_REPORT_PLOT_H
#define LMB_REPORT_PLOT_H

#include <stdbool.h>

/* How a curve is drawn: as a line through its points (a number that is missing is a gap), as a
 * small cross at each, or as thin upright lines at its x. */
typedef enum lmb_curve_style {
    LMB_CURVE_LINE,
    LMB_CURVE_POINTS,
    LMB_CURVE_MARKS,
} lmb_curve_style;

typedef struct lmb_curve {
    const char *label;
    int count;
    const double *x, *y;
    lmb_curve_style style;
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
    int alike;         /* the first so many curves have one colour, as those of a cascade */
    bool equal;        /* one panel with one scale for x and y, as paths of points need it */
    bool whole;        /* x counts: no ticks between whole numbers */
    bool logarithmic;  /* the y axes; what is not positive is not drawn */
} lmb_plot;

#endif
