/* Instants at which expressions jump, have a kink or a narrow peak as functions of time.
 *
 * Parts of an expression that depend on time alone are examined; the rest may depend on variables.
 * An operation such as `<`, abs, floor or a table has pieces. Instants between two pieces are found
 * by bisection between LMB_BREAK_SAMPLES samples and earlier breaks. An instant counts if the
 * part has another value or slope behind it. Peaks are looked for in the samples. */
#ifndef LMB_MATH_BREAKS_H
#define LMB_MATH_BREAKS_H

#include "math/expr.h"

enum { LMB_BREAK_SAMPLES = 10000 };

/* A jump or a kink lies between two instants that differ by little more than rounding; they are
 * the same at a peak. */
typedef struct lmb_break {
    double before, after;
    bool jump;
} lmb_break;

typedef struct lmb_breaks {
    lmb_arena *arena;  /* of the list */
    double start, end; /* where breaks are looked for */
    double step;       /* of equal steps; 0: others */
    lmb_break *list;
    int count;
    double hidden; /* the first pulse found that is shorter than a step; NaN: none */
} lmb_breaks;

/* Add the breaks of an expression, in no order. Returns false if memory runs out. */
bool lmb_breaks_add(lmb_breaks *breaks, const lmb_expr *expr, const lmb_table *const *records);

/* Sort the breaks and merge breaks that differ by rounding. */
void lmb_breaks_sort(lmb_breaks *breaks);

#endif
