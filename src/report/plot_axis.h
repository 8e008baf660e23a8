/* Axes of plots: ranges, ticks and where values are.
 *
 * Ticks are multiples of 1, 2 or 5 times a power of ten; axes may be logarithmic, or have names at
 * 1, 2, ... instead. Very large or small numbers have their power of ten taken out, which stands
 * beside the axis. */
#ifndef LMB_REPORT_PLOT_AXIS_H
#define LMB_REPORT_PLOT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { LMB_MOST_TICKS = 64 };

typedef struct lmb_range {
    double low, high;
} lmb_range;

typedef struct lmb_axis {
    lmb_range range;
    int count;
    double ticks[LMB_MOST_TICKS];
    int power; /* of ten, taken out of the numbers */
    int decimals;
    bool logarithmic;
    const char *const *names; /* of the ticks 1, 2, ...; NULL: numbers */
} lmb_axis;

/* Makes a range hold a value, if that is a number. */
void lmb_range_include(lmb_range *range, double value);

/* A range with a part of its extent as room on both sides; one without an extent is widened. */
lmb_range lmb_range_widened(lmb_range range, double part);

/* A range of another extent around the same middle. */
lmb_range lmb_range_centred(lmb_range range, double extent);

/* An axis of so many pixels with a tick on each so many of them; `whole`: at whole numbers only. */
lmb_axis lmb_axis_make(lmb_range range, double pixels, double each, bool whole);

/* Whole powers of ten, and between them 2 and 5 where there are few; eight decades at most. */
lmb_axis lmb_axis_logarithmic(lmb_range range, double pixels, double each);

/* Names at 1, 2, ...: all, or as many as there is room for. */
lmb_axis lmb_axis_names(int count, const char *const *names, double pixels, double each);

/* A tick as a text, with a real minus sign; a number is written into `text`. */
const char *lmb_axis_text(const lmb_axis *axis, int tick, char *text, size_t size);

/* Where a value is on an axis that begins at a place. */
double lmb_axis_place(const lmb_axis *axis, double value, double from, double length);

#endif
