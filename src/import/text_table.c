/* Lines and cells of tables, and tables of numbers.
 *
 * Of a table of numbers, the first line that is not empty decides the separator; it is a header
 * when none of its cells is a number. */
#include "import/text_table.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "math/expr_internal.h"

lmb_status lmb_cells_open(lmb_scan *scan, lmb_context *context, const char *path)
{
    lmb_status status = lmb_scan_open(scan, context, path);
    if (status)
        return status;
    if (scan->size > 2 && memcmp(scan->text, "\xff\xfe", 2) == 0) {
        char *narrow = lmb_utf16_narrow(scan->text, &scan->size);
        lmb_scan_close(scan);
        scan->text = narrow;
        if (!narrow)
            return lmb_fail_memory(context);
        lmb_scan_start(scan);
    }
    if (strlen(scan->text) == scan->size)
        return LMB_OK;
    lmb_scan_close(scan);
    return lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a text file", path);
}

bool lmb_line_next(lmb_scan *s)
{
    while (lmb_scan_line(s))
        if (s->end > s->line)
            return true;
    return false;
}

const char *lmb_line_find(const lmb_scan *l, char c)
{
    bool quoted = false;
    for (const char *p = l->line; p < l->end; p++) {
        if (*p == '"')
            quoted = !quoted;
        else if (!quoted && *p == c)
            return p;
    }
    return NULL;
}

int lmb_line_split(const lmb_scan *l, char separator, int most, lmb_cell *cells)
{
    const char *p = l->line;
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
        lmb_word text = lmb_word_trim((lmb_word){start, (int)((quoted ? stop : p) - start)});
        if (count < most)
            cells[count] = (lmb_cell){text.start, text.length, quoted};
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
    lmb_scan scan;  /* its line goes up to its comment */
    char separator; /* ',' or ';', or ' ' for white space */
    int columns;
    lmb_cell *cells; /* of the line; room for one more than the columns */
} reader;

/* Goes to the next line with something in front of its comment; false at the end of the text. */
static bool next_line(lmb_scan *s)
{
    while (lmb_line_next(s)) {
        const char *comment = lmb_line_find(s, '#');
        s->end = comment ? comment : s->end;
        while (s->end > s->line && lmb_is_blank(s->end[-1]))
            s->end--;
        if (s->end > s->line)
            return true;
    }
    return false;
}

/* So many characters of the line. */
static lmb_place place_at(const lmb_scan *s, const char *start, int length)
{
    return (lmb_place){s->file, s->start, s->number, (int)(start - s->line) + 1,
                       length > 0 ? length : 1};
}

static bool is_number(const lmb_cell *c, double *value)
{
    return !c->quoted && lmb_cell_number(c, false, value);
}

/* Finds separator and columns from the first line; *names: it is one of names. */
static lmb_status read_first(reader *r, lmb_arena *arena, bool *names)
{
    double ignored;
    r->separator = lmb_line_find(&r->scan, ';') ? ';' : lmb_line_find(&r->scan, ',') ? ',' : ' ';
    r->columns = lmb_line_split(&r->scan, r->separator, 0, NULL);
    r->cells = lmb_arena_alloc(arena, (size_t)r->columns + 1, sizeof *r->cells);
    if (!r->cells)
        return lmb_fail_memory(r->scan.context);
    lmb_line_split(&r->scan, r->separator, r->columns, r->cells);
    *names = true;
    for (int i = 0; i < r->columns; i++)
        *names = *names && !is_number(&r->cells[i], &ignored);
    return LMB_OK;
}

static lmb_status read_number(const reader *r, const lmb_cell *c, double *value)
{
    lmb_place place = place_at(&r->scan, c->start, c->length);
    *value = 0;
    if (c->length == 0)
        return lmb_fail_at(r->scan.context, place, "a number is missing");
    if (!is_number(c, value)) {
        lmb_fail_at(r->scan.context, place, "'%.*s' is not a number", c->length, c->start);
        if (memchr(c->start, ',', (size_t)c->length))
            lmb_hint(r->scan.context, "numbers are written with a decimal point");
        return LMB_BAD_INPUT;
    }
    if (!isfinite(*value))
        return lmb_fail_at(r->scan.context, place, "number is too large");
    if (c == &r->cells[r->columns])
        return lmb_fail_at(r->scan.context, place, "row has more than %d columns", r->columns);
    return LMB_OK;
}

static lmb_status read_row(reader *r, double *row)
{
    double more;
    int count = lmb_line_split(&r->scan, r->separator, r->columns + 1, r->cells);
    for (int i = 0; i < count && i <= r->columns; i++) {
        lmb_status status = read_number(r, &r->cells[i], i < r->columns ? &row[i] : &more);
        if (status)
            return status;
    }
    if (count < r->columns)
        return lmb_fail_at(r->scan.context, place_at(&r->scan, r->scan.end, 1),
                           "row ends after %d of %d columns", count, r->columns);
    return LMB_OK;
}

static lmb_status read_rows(reader *r, lmb_arena *arena, int *rows, double **values)
{
    bool names = false, line = next_line(&r->scan);
    lmb_status status = line ? read_first(r, arena, &names) : LMB_OK;
    if (status)
        return status;
    if (names)
        line = next_line(&r->scan);
    if (!line) {
        const lmb_scan *t = &r->scan;
        r->scan.number += t->size == 0 || t->text[t->size - 1] == '\n'; /* the end of the file */
        return lmb_scan_fail(&r->scan, "file has no numbers");
    }
    size_t width = (size_t)r->columns, most = 1; /* of the lines that are left, this one included */
    for (const char *at = r->scan.line; (at = strchr(at, '\n')); at++)
        most++;
    *values = most <= INT_MAX ? lmb_arena_alloc(arena, most, width * sizeof **values) : NULL;
    if (!*values)
        return lmb_fail_memory(r->scan.context);
    for (*rows = 0; line && !status; line = next_line(&r->scan))
        status = read_row(r, *values + (size_t)(*rows)++ * width);
    return status;
}

lmb_status lmb_csv_read(lmb_context *context, lmb_arena *arena, const char *path, int *rows,
                        int *columns, double **values)
{
    reader r = {.columns = 0};
    lmb_status status = lmb_cells_open(&r.scan, context, path);
    if (status)
        return status;
    status = read_rows(&r, arena, rows, values);
    *columns = r.columns;
    lmb_scan_close(&r.scan);
    return status;
}
