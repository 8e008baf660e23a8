/* Reading tables of numbers: comma, semicolon or white space between them.
 *
 * The first line that is not empty decides the separator; it is a header when none of its cells is
 * a number. */
#include "import/csv.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "import/cells.h"

typedef struct reader {
    lmb_context *context;
    lmb_arena *arena;
    lmb_place place; /* file, text and line */
    lmb_line line;   /* up to its comment */
    char separator;  /* ',' or ';', or ' ' for white space */
    int columns;
    lmb_cell *cells; /* of the line; room for one more than the columns */
} reader;

static lmb_place place_at(const reader *r, const char *start, int length)
{
    lmb_place place = r->place;
    place.column = (int)(start - r->line.start) + 1;
    place.length = length > 0 ? length : 1;
    return place;
}

/* Goes to the next line with something in front of its comment; false at the end of the text. */
static bool next_line(reader *r)
{
    while (lmb_line_next(&r->line)) {
        const char *comment = lmb_line_find(&r->line, '#'), *end = comment ? comment : r->line.end;
        while (end > r->line.start && lmb_is_blank(end[-1]))
            end--;
        r->line.end = end;
        r->place.line = r->line.number;
        if (end > r->line.start)
            return true;
    }
    r->place.line = r->line.number;
    return false;
}

static bool is_number(const lmb_cell *c, double *value)
{
    return !c->quoted && lmb_cell_number(c, false, value);
}

static lmb_status read_number(const reader *r, const lmb_cell *c, double *value)
{
    lmb_place place = place_at(r, c->start, c->length);
    *value = 0;
    if (c->length == 0)
        return lmb_fail_at(r->context, place, "a number is missing");
    if (!is_number(c, value)) {
        lmb_fail_at(r->context, place, "'%.*s' is not a number", c->length, c->start);
        if (memchr(c->start, ',', (size_t)c->length))
            lmb_hint(r->context, "numbers are written with a decimal point");
        return LMB_BAD_INPUT;
    }
    if (!isfinite(*value))
        return lmb_fail_at(r->context, place, "number is too large");
    return LMB_OK;
}

/* Finds separator and columns from the first line, and the names if it has such. */
static lmb_status read_first(reader *r, char ***names)
{
    double ignored;
    int numbers = 0;
    r->separator = lmb_line_find(&r->line, ';') ? ';' : lmb_line_find(&r->line, ',') ? ',' : ' ';
    r->columns = lmb_line_split(&r->line, r->separator, 0, NULL);
    r->cells = lmb_arena_alloc(r->arena, (size_t)r->columns + 1, sizeof *r->cells);
    if (!r->cells)
        return lmb_fail_memory(r->context);
    lmb_line_split(&r->line, r->separator, r->columns, r->cells);
    for (int i = 0; i < r->columns; i++)
        numbers += is_number(&r->cells[i], &ignored);
    *names = NULL;
    if (numbers > 0)
        return LMB_OK;
    *names = lmb_arena_alloc(r->arena, (size_t)r->columns, sizeof **names);
    for (int i = 0; *names && i < r->columns; i++) {
        (*names)[i] = lmb_text_copy(r->arena, r->cells[i].start, (size_t)r->cells[i].length);
        if (!(*names)[i])
            return lmb_fail_memory(r->context);
    }
    return *names ? LMB_OK : lmb_fail_memory(r->context);
}

static lmb_status read_row(reader *r, double *row)
{
    double more;
    int count = lmb_line_split(&r->line, r->separator, r->columns + 1, r->cells);
    for (int i = 0; i < count && i <= r->columns; i++) {
        const lmb_cell *c = &r->cells[i];
        lmb_status status = read_number(r, c, i < r->columns ? &row[i] : &more);
        if (status != LMB_OK)
            return status;
        if (i == r->columns)
            return lmb_fail_at(r->context, place_at(r, c->start, c->length),
                               "row has more than %d columns", r->columns);
    }
    if (count < r->columns)
        return lmb_fail_at(r->context, place_at(r, r->line.end, 1),
                           "row ends after %d of %d columns", count, r->columns);
    return LMB_OK;
}

/* The number of lines that are left, the current one included. */
static size_t count_lines(const reader *r)
{
    size_t lines = 1;
    for (const char *p = r->line.start; (p = strchr(p, '\n')); p++)
        lines++;
    return lines;
}

static lmb_status read_rows(reader *r, int *rows, double **values, char ***names)
{
    bool line = next_line(r);
    lmb_status status = line ? read_first(r, names) : LMB_OK;
    if (!status && line && *names)
        line = next_line(r);
    if (status)
        return status;
    if (!line)
        return lmb_fail_at(r->context, r->place, "file has no numbers");

    size_t width = (size_t)r->columns, most = count_lines(r);
    *values = most <= INT_MAX ? lmb_arena_alloc(r->arena, most, width * sizeof **values) : NULL;
    if (!*values)
        return lmb_fail_memory(r->context);
    for (*rows = 0; line && !status; line = next_line(r))
        status = read_row(r, *values + (size_t)(*rows)++ * width);
    return status;
}

lmb_status lmb_csv_read(lmb_context *context, lmb_arena *arena, const char *path, int *rows,
                        int *columns, double **values, char ***names)
{
    char *text;
    reader r = {.context = context, .arena = arena};
    lmb_status status = lmb_cells_open(context, path, &text, &r.place);
    if (status)
        return status;
    r.line = lmb_line_before(r.place.text);
    status = read_rows(&r, rows, values, names);
    *columns = r.columns;
    free(text);
    return status;
}
