/* Lines and cells of tables, and tables of numbers.
 *
 * Of a table of numbers, the first line that is not empty decides the separator; it is a header
 * when none of its cells is a number. */
#include "import/text_table.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "math/expr_internal.h"

lmb_status lmb_cells_open(lmb_context *context, const char *path, char **buffer, lmb_place *file)
{
    char *text;
    size_t length;
    *buffer = NULL;
    lmb_status status = lmb_read_file(&text, &length, context, path, SIZE_MAX);
    if (status)
        return status;
    if (length > 2 && memcmp(text, "\xff\xfe", 2) == 0) {
        char *wide = text;
        text = lmb_utf16_narrow(wide, &length);
        free(wide);
        if (!text)
            return lmb_fail_memory(context);
    }
    if (strlen(text) != length) {
        free(text);
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a text file", path);
    }
    *buffer = text;
    *file = (lmb_place){path, strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text, 0, 0, 1};
    return LMB_OK;
}

bool lmb_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

lmb_line lmb_line_before(const char *text)
{
    return (lmb_line){text, text, 0};
}

bool lmb_line_next(lmb_line *l)
{
    const char *at = l->end;
    if (l->number > 0) {
        at += strcspn(at, "\n");
        if (!*at)
            return false;
        at++;
    }
    for (;; at++) {
        const char *stop = at + strcspn(at, "\n");
        *l = (lmb_line){at, stop, l->number + 1};
        while (l->end > at && lmb_is_blank(l->end[-1]))
            l->end--;
        if (l->end > at)
            return true;
        if (!*stop)
            return false;
        at = stop;
    }
}

const char *lmb_line_find(const lmb_line *l, char c)
{
    bool quoted = false;
    for (const char *p = l->start; p < l->end; p++) {
        if (*p == '"')
            quoted = !quoted;
        else if (!quoted && *p == c)
            return p;
    }
    return NULL;
}

int lmb_line_split(const lmb_line *l, char separator, int most, lmb_cell *cells)
{
    const char *p = l->start;
    int count = 0;
    for (;;) {
        while (p < l->end && lmb_is_blank(*p) && (separator == ' ' || *p != separator))
            p++;
        bool quoted = p < l->end && *p == '"';
        const char *start = p + quoted, *stop = start;
        if (quoted) {
            while (stop < l->end && *stop != '"')
                stop++;
            p = stop < l->end ? stop + 1 : stop;
        }
        while (p < l->end && (separator == ' ' ? !lmb_is_blank(*p) : *p != separator))
            p++;
        stop = quoted ? stop : p;
        while (stop > start && lmb_is_blank(stop[-1]))
            stop--;
        while (start < stop && lmb_is_blank(*start))
            start++;
        if (count < most)
            cells[count] = (lmb_cell){start, (int)(stop - start), quoted};
        count++;
        if (p >= l->end)
            return count;
        p++;
    }
}

bool lmb_cell_number(const lmb_cell *c, bool comma, double *value)
{
    char text[64];
    if (c->length <= 0)
        return false;
    size_t length = (size_t)c->length;
    bool sign = *c->start == '-' || *c->start == '+';
    const char *digits = c->start + sign, *end;
    const char *at = comma ? memchr(c->start, ',', length) : NULL;
    if (at && length < sizeof text) {
        memcpy(text, c->start, length);
        text[length] = 0;
        text[at - c->start] = '.';
        end = c->start + (lmb_number_scan(text + sign, value) - text);
    } else {
        end = lmb_number_scan(digits, value);
    }
    if (end == digits || end != c->start + length)
        return false;
    *value = *c->start == '-' ? -*value : *value;
    return true;
}

/* --- tables of numbers ------------------------------------------------------------------------ */

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
    for (int i = 0; *names && i < r->columns; i++)
        (*names)[i] = lmb_text_copy(r->arena, r->cells[i].start, (size_t)r->cells[i].length);
    return lmb_check_memory(r->context, r->arena);
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
