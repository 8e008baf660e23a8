/* Reading tables of numbers from text files. */
#ifndef LMB_IMPORT_CSV_H
#define LMB_IMPORT_CSV_H

#include "base/arena.h"
#include "base/message.h"

/* Reads a file of numbers, a row a line. The separator is ';' or ',' when the first row has one,
 * and white space otherwise; '#' starts a comment; the first row may give the names of the columns,
 * in double quotes or not. The values are rows x columns, a row after the other; the names are
 * NULL when there are none. All live in the arena. */
lmb_status lmb_csv_read(lmb_context *context, lmb_arena *arena, const char *path, int *rows,
                        int *columns, double **values, char ***names);

#endif
