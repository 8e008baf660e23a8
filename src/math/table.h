/* Tables: a function of one variable through given points, with two derivatives. */
#ifndef LMB_MATH_TABLE_H
#define LMB_MATH_TABLE_H

#include <stdbool.h>

#include "base/arena.h"

typedef enum lmb_table_kind {
    LMB_TABLE_LINEAR, /* straight pieces */
    LMB_TABLE_CUBIC,  /* cubic spline, twice continuously differentiable, not-a-knot ends */
    LMB_TABLE_AKIMA   /* Akima's cubic: once continuously differentiable, no overshoot */
} lmb_table_kind;

typedef enum lmb_table_outside {
    LMB_TABLE_HOLD,    /* keep the value of the nearest end */
    LMB_TABLE_EXTEND,  /* go on in a straight line */
    LMB_TABLE_PERIODIC /* repeat; the last value must equal the first */
} lmb_table_outside;

typedef struct lmb_table lmb_table;

/* Makes a table from n >= 2 points with strictly increasing x; NULL when out of memory.
 * The points are copied. A periodic cubic or Akima table is smooth across its seam. */
lmb_table *lmb_table_new(lmb_arena *arena, lmb_table_kind kind, lmb_table_outside outside, int n,
                         const double *x, const double *y);

/* The Fourier series of a function through n >= 3 points over one period x[0] to x[n-1]: its mean
 * and its first `bins` harmonics, by the trapezoidal rule. The first and last point are one and the
 * same; if their values differ, their mean counts. */
lmb_table *lmb_table_fourier(lmb_arena *arena, int n, const double *x, const double *y, int bins);

/* The value and its first and second derivative. */
void lmb_table_evaluate(const lmb_table *table, double x, double out[3]);

/* The number of the piece that x lies on: it grows with x by 1 at each point. */
double lmb_table_piece(const lmb_table *table, double x);

/* Whether two tables are the same function, number by number. */
bool lmb_table_same(const lmb_table *a, const lmb_table *b);

/* The points that it was made of; returns their number. */
int lmb_table_points(const lmb_table *table, const double **x, const double **y);

#endif
