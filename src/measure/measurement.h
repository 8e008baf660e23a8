/* Measurements: columns of numbers over time, from tables as loggers write them and from sound
 * files; and waveforms of them at even instants. */
#ifndef LMB_MEASURE_MEASUREMENT_H
#define LMB_MEASURE_MEASUREMENT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"
#include "signal/signal.h"

/* --- tables of loggers ------------------------------------------------------------------------ */

typedef struct lmb_logger_table {
    int rows, columns;
    double *values; /* rows x columns, an instant a row; NAN where there is no number */
    char **names;   /* or NULL */
    char **units;   /* likewise; "" where there is none */
    bool *stamps;   /* columns of date and time: seconds since midnight of the first day */
} lmb_logger_table;

/* Reads a file. Fields are separated by ';', tabs, ',' or blanks, whichever the last lines have in
 * this order (blanks, where commas would leave words); except between commas, a comma in a number
 * is a decimal one (`comma`: commas do not separate in any case). Columns are those of the last
 * lines. The numbers begin with the first line like these; above them the last line of words, as
 * many as there are columns, names them ("acc [m/s^2]", "acc (g)"), and a line of units may follow
 * it. Fields that are empty or say that there is no value ("NaN", "---", "OVL", ...) are NAN, as
 * are columns of texts. All live in the arena. */
lmb_status lmb_logger_read(lmb_context *context, lmb_arena *arena, const char *path, bool comma,
                           lmb_logger_table *out);

/* The column of times: one that is named so and whose unit, if any, is of time; else one of stamps;
 * else the first of several without names, or with the name x or a unit of time, if it grows. -1:
 * there is none. */
int lmb_logger_times(const lmb_logger_table *table);

/* What makes seconds of a column of times, by its unit or the end of its name ("time_ms"). */
double lmb_logger_time_factor(const lmb_logger_table *table, int column);

/* Stamps of date and time. Reads "12:30:01.250", with a comma or a point, hours of 0 to 23 or with
 * AM and PM, and with a date in front ("2024-05-31T", "2024/05/31 ", "31.05.2024 ", "5/31/2024 ")
 * or a zone behind ("Z",
 * "+02:00", which is left out of account). *day counts from any one day, and is 0 without a date;
 * *seconds from midnight on. False where the text is none of these. */
bool lmb_stamp_scan(const char *text, size_t length, long *day, double *seconds);

/* --- sound files (RIFF WAVE), in which loggers keep vibrations too ---------------------------- */

typedef struct lmb_wav {
    double rate; /* Hz */
    int channels;
    int count;      /* values of a channel */
    double *values; /* count x channels, an instant a row; whole numbers scaled to -1 .. 1 */
} lmb_wav;

/* Whether a file begins as such a file does. */
bool lmb_wav_signature(const char *path);

/* Reads a file: whole numbers of 8, 16, 24 and 32 bits, floating point of 32 and 64. The values
 * live in the arena. */
lmb_status lmb_wav_read(lmb_context *context, lmb_arena *arena, const char *path, lmb_wav *out);

/* --- both ------------------------------------------------------------------------------------- */

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

/* What makes the numbers of a column those of a unit; 1, and false, where the column has another
 * sort of unit; 1, and true, where one of the units is not known. */
bool lmb_measurement_factor(const lmb_measurement *m, int column, const char *unit, double *factor);

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
