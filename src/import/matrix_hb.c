/* Matrices in the format of Harwell and Boeing, which HBMAT of Ansys writes.
 *
 *   line 1   a title
 *   line 2   numbers of lines: all, pointers, rows, values, right-hand sides
 *   line 3   the type, rows, columns, entries, elements (0)
 *   line 4   Fortran formats of pointers, rows, values, right-hand sides
 *   line 5   about the right-hand sides, if there are any
 *
 * Then, by these formats, columns + 1 pointers (from 1) to where the entries of each column begin,
 * the row of each entry, and its value. In a type such as RSA, R is real, S symmetric (one
 * triangle) or U unsymmetric, and A assembled. */
#include "import/matrix_draft.h"

#include <ctype.h>
#include <string.h>

enum { MOST_FIELDS = 80 };

/* A list of numbers in fixed columns. */
typedef struct stream {
    lmb_scan *scan;
    lmb_column columns[MOST_FIELDS];
    int fields; /* on a line */
    int at;     /* the next of them */
} stream;

typedef struct head {
    int lines[5]; /* of line 2 */
    int size[4];  /* rows, columns, entries, elements */
    lmb_word format[3];
} head;

bool lmb_is_harwell_boeing(lmb_scan scan)
{
    for (int i = 0; i < 3; i++)
        if (!lmb_scan_line(&scan))
            return false;
    lmb_word type = lmb_scan_columns(&scan, 0, 4);
    return type.length == 3 && strchr("RCPI", toupper((unsigned char)type.start[0])) &&
           strchr("SUHZR", toupper((unsigned char)type.start[1])) &&
           strchr("AE", toupper((unsigned char)type.start[2]));
}

/* --- The head --- */

static void next_line(lmb_scan *s, const char *what)
{
    if (!lmb_scan_line(s))
        lmb_scan_fail(s, "the file ends early: %s is missing", what);
}

/* Whole numbers, of which the last may be missing. */
static void read_integers(lmb_scan *s, const char *what, int *out, int count)
{
    lmb_word word;
    for (int i = 0; i < count - 1; i++)
        out[i] = lmb_scan_integer(s, what);
    out[count - 1] = lmb_scan_word(s, &word) ? lmb_scan_integer_of(s, word, what) : 0;
}

static lmb_status read_type(lmb_matrix_draft *draft, lmb_scan *s, head *h)
{
    lmb_word type;
    if (!lmb_scan_word(s, &type))
        return s->status;
    char real = (char)toupper((unsigned char)type.start[0]);
    char shape = (char)toupper((unsigned char)type.start[1]);
    char parts = (char)toupper((unsigned char)type.start[2]);
    if (real != 'R' || (shape != 'S' && shape != 'U') || parts != 'A')
        return lmb_scan_fail(s, "a matrix of type %.3s is not supported: RSA and RUA are",
                             type.start);
    draft->form = shape == 'S' ? LMB_FORM_TRIANGLE : LMB_FORM_FULL;
    read_integers(s, "the size of the matrix", h->size, 4);
    lmb_matrix_size(draft, s, h->size[0], h->size[1]);
    if (h->size[2] < 0)
        lmb_scan_fail(s, "the number of entries is negative");
    return s->status;
}

/* The three formats, each in parentheses. */
static lmb_status read_formats(lmb_scan *s, head *h)
{
    const char *p = s->line;
    for (int i = 0; i < 3; i++) {
        while (p < s->end && *p != '(')
            p++;
        const char *start = p;
        while (p < s->end && *p != ')')
            p++;
        if (p >= s->end)
            return lmb_scan_fail(s, "expected three formats, such as (I14) (I14) (d25.15)");
        h->format[i] = (lmb_word){start, (int)(++p - start)};
    }
    return LMB_OK;
}

static lmb_status read_head(lmb_matrix_draft *draft, lmb_scan *s, head *h)
{
    next_line(s, "the title");
    next_line(s, "the numbers of lines");
    read_integers(s, "a number of lines", h->lines, 5);
    next_line(s, "the type");
    read_type(draft, s, h);
    next_line(s, "the line of formats");
    read_formats(s, h);
    if (h->lines[4] > 0)
        next_line(s, "the line about right-hand sides");
    return s->status;
}

/* --- Lists of numbers --- */

/* Begins a list and checks that the numbers of line 2 agree with its format. */
static lmb_status begin_list(stream *st, lmb_scan *s, lmb_word format, int count, int lines,
                             const char *what)
{
    *st = (stream){.scan = s};
    st->fields = lmb_fortran_columns(format, st->columns, MOST_FIELDS);
    if (st->fields == 0)
        return lmb_scan_fail(s, "the format %.*s is not understood",
                             format.length < 40 ? format.length : 40, format.start);
    bool whole = st->columns[0].type == 'I', values = strcmp(what, "values") == 0;
    if (whole == values)
        return lmb_scan_fail(s, "the format %.*s cannot be that of %s",
                             format.length < 40 ? format.length : 40, format.start, what);
    st->at = st->fields;
    long long needed = ((long long)count + st->fields - 1) / st->fields;
    if (s->status || needed == lines)
        return s->status;
    lmb_place place = lmb_scan_place(s);
    place.line = 2;
    return s->status =
               lmb_fail_at(s->context, place, "%d %s take %lld lines, not %d as this line says",
                           count, what, needed, lines);
}

static lmb_word take_field(stream *st, const char *what)
{
    if (st->at == st->fields) {
        next_line(st->scan, what);
        st->at = 0;
    }
    const lmb_column *c = &st->columns[st->at++];
    return lmb_scan_columns(st->scan, c->from, c->width);
}

static void read_list(stream *st, const char *what, int count, lmb_list *out)
{
    for (int i = 0; i < count && !st->scan->status; i++) {
        int number = lmb_scan_integer_of(st->scan, take_field(st, what), what);
        lmb_scan_append(st->scan, out, &number, sizeof number);
    }
}

/* Pointers ascend from 1 to one behind the last entry. */
static void read_pointers(stream *st, const head *h, lmb_list *out)
{
    int last = 1;
    for (int i = 0; i <= h->size[1]; i++) {
        read_list(st, "a pointer", 1, out);
        if (st->scan->status)
            return;
        int now = ((int *)out->data)[i];
        if ((i == 0 && now != 1) || now < last)
            lmb_scan_fail(st->scan, "pointer %d is %d; pointers begin with 1 and ascend", i + 1,
                          now);
        last = now;
    }
    if (last - 1 != h->size[2])
        lmb_scan_fail(st->scan, "the last pointer is %d, but there are %d entries", last,
                      h->size[2]);
}

static void read_values(lmb_matrix_draft *draft, stream *st, const head *h, const int *pointers,
                        const int *rows)
{
    lmb_scan *s = st->scan;
    const char *what = "the value of an entry";
    for (int j = 0; j < h->size[1] && !s->status; j++)
        for (int k = pointers[j] - 1; k < pointers[j + 1] - 1 && !s->status; k++)
            lmb_matrix_add(draft, s, rows[k], j + 1,
                           lmb_scan_number_of(s, take_field(st, what), what));
}

lmb_status lmb_read_harwell_boeing(lmb_matrix_draft *draft, lmb_scan *s)
{
    head h = {0};
    stream st;
    lmb_list pointers = {0}, rows = {0};
    if (read_head(draft, s, &h))
        return s->status;
    if (!begin_list(&st, s, h.format[0], h.size[1] + 1, h.lines[1], "pointers"))
        read_pointers(&st, &h, &pointers);
    if (!begin_list(&st, s, h.format[1], h.size[2], h.lines[2], "rows"))
        read_list(&st, "the row of an entry", h.size[2], &rows);
    if (!begin_list(&st, s, h.format[2], h.size[2], h.lines[3], "values"))
        read_values(draft, &st, &h, pointers.data, rows.data);
    lmb_list_free(&pointers);
    lmb_list_free(&rows);
    return s->status;
}
