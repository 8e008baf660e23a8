/* Tables in text files: their text, lines and cells, and tables of numbers as a whole. Loggers
 * write tables with more in them: measure/logger.h. */
#ifndef LMB_IMPORT_TEXT_TABLE_H
#define LMB_IMPORT_TEXT_TABLE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"

/* A line without the blanks at its end; its number counts from 1, 0 is in front of the first. */
typedef struct lmb_line {
    const char *start, *end;
    int number;
} lmb_line;

/* A piece of a line without the blanks and quotes around it. */
typedef struct lmb_cell {
    const char *start;
    int length;
    bool quoted;
} lmb_cell;

/* Reads a file as a whole, UTF-16 made UTF-8. *file is its place, whose text has no byte order
 * mark; free *buffer. */
lmb_status lmb_cells_open(lmb_context *context, const char *path, char **buffer, lmb_place *file);

/* The line in front of the first one, and the next one with something on it; false at the end of
 * the text. */
lmb_line lmb_line_before(const char *text);
bool lmb_line_next(lmb_line *line);

/* Where a line has a character outside quotes, or NULL. */
const char *lmb_line_find(const lmb_line *line, char c);

/* Cuts a line into cells, of which up to `most` are written; returns their number. A separator ' '
 * stands for any number of blanks. */
int lmb_line_split(const lmb_line *line, char separator, int most, lmb_cell *cells);

/* Whether a cell is a number, with a decimal point in every locale, or (comma) a decimal comma. */
bool lmb_cell_number(const lmb_cell *cell, bool comma, double *value);

bool lmb_is_blank(char c);

/* Reads a file of numbers, one row per line. The separator is ';' or ',' when the first row has
 * one, and white space otherwise; '#' starts a comment; the first row may give the names of the
 * columns, in double quotes or not. The values are rows x columns, a row after the other, in the
 * arena. */
lmb_status lmb_csv_read(lmb_context *context, lmb_arena *arena, const char *path, int *rows,
                        int *columns, double **values);

#endif
