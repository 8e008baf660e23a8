/* Measurements: columns of numbers over time, from tables as loggers write them (logger.h) and from
 * sound files. */
#ifndef LMB_MEASURE_MEASUREMENT_H
#define LMB_MEASURE_MEASUREMENT_H

#include "measure/logger.h"

typedef struct lmb_measurement {
    const char *path;
    lmb_logger_table table; /* columns without a name are called "column 3", or "channel 3" */
    bool named;             /* the file has names for them */
    int times;              /* the column of times, or -1 */
    double rate;            /* Hz: as asked for, or that of a sound file; 0: the times tell */
} lmb_measurement;

/* Reads a file. rate: Hz, or 0 for what the file tells; comma: numbers have decimal commas, see
 * lmb_logger_read. All lives in the arena. */
lmb_status lmb_measurement_read(lmb_context *context, lmb_arena *arena, const char *path,
                                double rate, bool comma, lmb_measurement *out);

/* The column of a name, with its unit ("acc [g]") or without, in letters of any size, or of a
 * number (from 1). */
lmb_status lmb_measurement_column(lmb_context *context, lmb_arena *arena, const lmb_measurement *m,
                                  const char *word, int *column);

/* Whether a column has numbers at all. */
bool lmb_measurement_has_numbers(const lmb_measurement *m, int column);

/* A copy of a column times a factor; NULL: out of memory. */
double *lmb_measurement_values(lmb_arena *arena, const lmb_measurement *m, int column,
                               double factor);

/* The times of the rows, s: those of their column (stamps count from the first row on), or even
 * ones where there is a rate. */
lmb_status lmb_measurement_times(lmb_context *context, lmb_arena *arena, const lmb_measurement *m,
                                 double **times);

#endif
