/* Reading tables of numbers: comma, semicolon or white space between them.
 *
 * The file is read as a whole, and a line at a time is split into fields. The first line that is
 * not empty decides the separator; it is a header when none of its fields is a number. Numbers are
 * read with a decimal point in every locale. */
#include "io/csv.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/read_file.h"
#include "math/expr_internal.h"

typedef struct reader {
    lmb_context *context;
    lmb_arena *arena;
    lmb_place place;   /* file, text and line */
    const char *start; /* of the line */
    const char *now;   /* the rest of the line */
    const char *end;   /* of the line, or where its comment starts */
    char separator;    /* ',' or ';', or ' ' for white space; 0 before the first row */
} reader;

/* A piece of a line without the blanks and quotes around it. */
typedef struct field {
    const char *start;
    int length;
    bool quoted;
} field;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static lmb_place place_at(const reader *r, const char *start, int length)
{
    lmb_place place = r->place;
    place.column = (int)(start - r->start) + 1;
    place.length = length > 0 ? length : 1;
    return place;
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

/* Where the text of a line ends: at its comment or its last character that is not blank. */
static const char *find_end(const char *p)
{
    bool quoted = false;
    const char *end = p;
    for (; *p && *p != '\n' && (quoted || *p != '#'); p++) {
        if (*p == '"')
            quoted = !quoted;
        if (!is_blank(*p))
            end = p + 1;
    }
    return end;
}

/* Goes to the next line with something on it; false at the end of the text. */
static bool next_line(reader *r)
{
    for (;;) {
        if (r->start) {
            r->start += strcspn(r->start, "\n");
            if (!*r->start)
                return false;
            r->start++;
        } else {
            r->start = r->place.text;
        }
        r->place.line++;
        r->end = find_end(r->start);
        r->now = skip_blanks(r->start, r->end);
        if (r->now < r->end)
            return true;
    }
}

/* The separator that a line outside quotes has. */
static char find_separator(const reader *r)
{
    bool quoted = false;
    char found = ' ';
    for (const char *p = r->now; p < r->end; p++) {
        if (*p == '"')
            quoted = !quoted;
        else if (!quoted && (*p == ';' || (*p == ',' && found != ';')))
            found = *p;
    }
    return found;
}

static bool separates(const reader *r, char c)
{
    return r->separator == ' ' ? is_blank(c) : c == r->separator;
}

/* Takes the next field; false when the line has no more. */
static bool next_field(reader *r, field *out)
{
    if (!r->now)
        return false;
    const char *p = skip_blanks(r->now, r->end);
    bool quoted = p < r->end && *p == '"';
    const char *start = p + quoted, *stop;
    if (quoted) {
        for (p = start; p < r->end && *p != '"';)
            p++;
        stop = p;
        p = skip_blanks(p < r->end ? p + 1 : p, r->end);
    } else {
        while (p < r->end && !separates(r, *p))
            p++;
        stop = p;
        p = r->separator == ' ' ? skip_blanks(p, r->end) : p;
    }
    *out = (field){start, (int)(stop - start), quoted};
    while (!quoted && out->length > 0 && is_blank(start[out->length - 1]))
        out->length--;

    /* nothing follows the last field; a separator at the end is followed by an empty one */
    if (p >= r->end)
        r->now = NULL;
    else
        r->now = r->separator != ' ' && separates(r, *p) ? p + 1 : p;
    return true;
}

static bool is_number(const field *f, double *value)
{
    bool sign = f->length > 0 && (*f->start == '-' || *f->start == '+');
    const char *digits = f->start + sign, *end = lmb_number_scan(digits, value);
    if (sign && *f->start == '-')
        *value = -*value;
    return !f->quoted && end > digits && end == f->start + f->length;
}

static lmb_status read_number(const reader *r, const field *f, double *value)
{
    lmb_place place = place_at(r, f->start, f->length);
    *value = 0;
    if (f->length == 0)
        return lmb_fail_at(r->context, place, "a number is missing");
    if (!is_number(f, value)) {
        lmb_fail_at(r->context, place, "'%.*s' is not a number", f->length, f->start);
        if (memchr(f->start, ',', (size_t)f->length))
            lmb_hint(r->context, "numbers are written with a decimal point");
        return LMB_BAD_INPUT;
    }
    if (!isfinite(*value))
        return lmb_fail_at(r->context, place, "number is too large");
    return LMB_OK;
}

/* Counts the fields of the current line, and those of them that are numbers. */
static void count_fields(reader r, int *fields, int *numbers)
{
    field f;
    double ignored = 0;
    for (*fields = *numbers = 0; next_field(&r, &f); ++*fields)
        *numbers += is_number(&f, &ignored);
}

static lmb_status read_names(reader *r, int columns, char ***names)
{
    field f;
    *names = lmb_arena_alloc(r->arena, (size_t)columns, sizeof **names);
    for (int i = 0; *names && next_field(r, &f); i++) {
        (*names)[i] = lmb_text_copy(r->arena, f.start, (size_t)f.length);
        if (!(*names)[i])
            return lmb_fail_memory(r->context);
    }
    return *names ? LMB_OK : lmb_fail_memory(r->context);
}

static lmb_status read_row(reader *r, int columns, double *row)
{
    field f;
    int count = 0;
    for (; next_field(r, &f); count++) {
        double value;
        lmb_status status = read_number(r, &f, &value);
        if (status != LMB_OK)
            return status;
        if (count == columns)
            return lmb_fail_at(r->context, place_at(r, f.start, f.length),
                               "row has more than %d columns", columns);
        row[count] = value;
    }
    if (count < columns)
        return lmb_fail_at(r->context, place_at(r, r->end, 1), "row ends after %d of %d columns",
                           count, columns);
    return LMB_OK;
}

/* The number of lines that are left, the current one included. */
static size_t count_lines(const reader *r)
{
    size_t lines = 1;
    for (const char *p = r->start; (p = strchr(p, '\n')); p++)
        lines++;
    return lines;
}

static lmb_status read_rows(reader *r, int *rows, int *columns, double **values, char ***names)
{
    int numbers;
    bool line = next_line(r);
    *rows = *columns = 0;
    *names = NULL;
    if (line) {
        r->separator = find_separator(r);
        count_fields(*r, columns, &numbers);
        if (numbers == 0) {
            lmb_status status = read_names(r, *columns, names);
            if (status != LMB_OK)
                return status;
            line = next_line(r);
        }
    }
    if (!line)
        return lmb_fail_at(r->context, r->place, "file has no numbers");

    size_t width = (size_t)*columns, most = count_lines(r);
    *values = most <= INT_MAX ? lmb_arena_alloc(r->arena, most, width * sizeof **values) : NULL;
    if (!*values)
        return lmb_fail_memory(r->context);
    for (; line; line = next_line(r), ++*rows) {
        lmb_status status = read_row(r, *columns, *values + (size_t)*rows * width);
        if (status != LMB_OK)
            return status;
    }
    return LMB_OK;
}

static lmb_status read_whole(reader *r, const char *path, int *rows, int *columns, double **values,
                             char ***names)
{
    char *text;
    size_t length;
    lmb_status status = lmb_read_file(&text, &length, r->context, path, SIZE_MAX);
    if (status)
        return status;

    /* a byte order mark is no part of the first field */
    const char *start = strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
    r->place = (lmb_place){path, start, 0, 0, 1};
    if (strlen(text) != length)
        status = lmb_fail(r->context, LMB_BAD_INPUT, "'%s' is not a text file", path);
    else
        status = read_rows(r, rows, columns, values, names);
    free(text);
    return status;
}

lmb_status lmb_csv_read(lmb_context *context, lmb_arena *arena, const char *path, int *rows,
                        int *columns, double **values, char ***names)
{
    reader r = {.context = context, .arena = arena};
    return read_whole(&r, path, rows, columns, values, names);
}
