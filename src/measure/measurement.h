/* Measurements: columns of numbers over time, from tables as loggers write them (logger.h) and from
 * sound files; and waveforms of them at even instants. */
#ifndef LMB_MEASURE_MEASUREMENT_H
#define LMB_MEASURE_MEASUREMENT_H

#include "measure/logger.h"
#include "signal/signal.h"

typedef struct lmb_measurement {
    lmb_context *context;
    lmb_arena *arena; /* of all that is read */
    const char *path;
    lmb_logger_table table; /* columns without a name are called "column 3", or "channel 3" */
    bool named;             /* the file has names for them */
    int times;              /* the column of times, or -1 */
    double rate;            /* Hz: as asked for, or that of a sound file; 0: from the times */
} lmb_measurement;

/* Reads a file. rate: Hz, or 0 for that of the file; comma: numbers have decimal commas, see
 * lmb_logger_read. */
lmb_status lmb_measurement_read(lmb_context *context, lmb_arena *arena, const char *path,
                                double rate, bool comma, lmb_measurement *out);

/* The column of a name, with its unit ("acc [g]") or without, in letters of any size, or of a
 * number (from 1). */
lmb_status lmb_measurement_column(const lmb_measurement *m, const char *word, int *column);

/* A number of a column; whether a column has numbers at all. */
static inline double lmb_measurement_value(const lmb_measurement *m, int row, int column)
{
    return m->table.values[(size_t)row * (size_t)m->table.columns + (size_t)column];
}
bool lmb_measurement_has_numbers(const lmb_measurement *m, int column);

/* A copy of a column times a factor; NULL: out of memory. */
double *lmb_measurement_values(const lmb_measurement *m, int column, double factor);

/* The times of the rows, s: those of their column (stamps count from the first row on), or even
 * ones where there is a rate. */
lmb_status lmb_measurement_times(const lmb_measurement *m, double **times);

/* What is asked for of a file. */
typedef struct lmb_waveform_request {
    const char *column, *other; /* names or numbers; or NULL: the only one; without a second one */
    const char *channel;        /* of a result, or NULL: that of `column` */
    bool speed;                 /* the second one is a speed, which is made one in Hz */
    bool gapless;               /* steps may differ, as those of a result: none is a gap */
    double rate;                /* Hz, or 0: that of the file */
    bool comma;                 /* decimal commas, see lmb_logger_read */
    const char *unit;           /* takes the place of that of the file; or NULL */
    double scale;               /* the values are multiplied by it */
} lmb_waveform_request;

/* The columns at even instants: single values that are missing and instants that are not even are
 * interpolated, of records with gaps the longest piece is taken, with warnings. What `out` has for
 * path, name and units is of the measurement. */
lmb_status lmb_waveform_take(const lmb_measurement *m, const lmb_waveform_request *request,
                             lmb_waveform *out);

#endif
