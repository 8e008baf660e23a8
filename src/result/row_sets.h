/* The rows of an analysis on their way into the data sets of its quantities (quantities.h). */
#ifndef LMB_RESULT_ROW_SETS_H
#define LMB_RESULT_ROW_SETS_H

#include "result/quantities.h"

typedef struct lmb_row_sets lmb_row_sets;

/* For an analysis of a name and type, the order-th of the file; the channels must outlive it. NULL:
 * out of memory. */
lmb_row_sets *lmb_row_sets_new(const char *analysis, const char *type, int order, int count,
                               const lmb_channel *channels);
void lmb_row_sets_free(lmb_row_sets *sets);

/* What the rows are over, before they are written; all texts are constant. */
void lmb_row_sets_over(lmb_row_sets *sets, const lmb_channel *over);
const lmb_channel *lmb_row_sets_over_what(const lmb_row_sets *sets);

/* Keeps a row in memory; true: there is room for no more. */
bool lmb_row_sets_take(lmb_row_sets *sets, double t, const double *values);

/* Appends the rows in memory to the file; `last`: no more will come, and the data sets are closed.
 * False: HDF5 refuses. */
bool lmb_row_sets_write(lmb_row_sets *sets, hid_t file, bool last);

/* The rows in memory were written: forgets them. */
void lmb_row_sets_written(lmb_row_sets *sets);

/* All rows, those in memory, and the time of the last of these. */
int lmb_row_sets_count(const lmb_row_sets *sets);
int lmb_row_sets_waiting(const lmb_row_sets *sets);
double lmb_row_sets_last(const lmb_row_sets *sets);

/* The name of the analysis. */
const char *lmb_row_sets_analysis(const lmb_row_sets *sets);

#endif
