/* Tables of numbers as loggers of measurements write them. */
#ifndef LMB_MEASURE_LOGGER_H
#define LMB_MEASURE_LOGGER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"

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

#endif
