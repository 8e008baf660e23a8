/* Tables in text files: their text, lines and cells, and tables of numbers as a whole. Loggers
 * write tables with more in them: measure/measurement.h. */
#ifndef LMB_IMPORT_TEXT_TABLE_H
#define LMB_IMPORT_TEXT_TABLE_H

#include "import/scan.h"

/* A piece of a line without the blanks and quotes around it. */
typedef struct lmb_cell {
    const char *start;
    int length;
    bool quoted;
} lmb_cell;

/* Opens a file as lmb_scan_open does, UTF-16 made UTF-8; it must be a text. */
lmb_status lmb_cells_open(lmb_scan *scan, lmb_context *context, const char *path);

/* The next line with something on it; false at the end of the text. */
bool lmb_line_next(lmb_scan *scan);

/* Where a line has a character outside quotes, or NULL. */
const char *lmb_line_find(const lmb_scan *line, char c);

/* Cuts a line into cells, of which up to `most` are written; returns their number. A separator ' '
 * stands for any number of blanks. */
int lmb_line_split(const lmb_scan *line, char separator, int most, lmb_cell *cells);

/* Whether a cell is a number, with a decimal point in every locale, or (comma) a decimal comma. */
bool lmb_cell_number(const lmb_cell *cell, bool comma, double *value);

/* Reads a file of numbers, one row per line. The separator is ';' or ',' when the first row has
 * one, and white space otherwise; '#' starts a comment; the first row may give the names of the
 * columns, in double quotes or not. The values are rows x columns, a row after the other, in the
 * arena. */
lmb_status lmb_csv_read(lmb_context *context, lmb_arena *arena, const char *path, int *rows,
                        int *columns, double **values);

#endif
