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
#include "base/format.h"
#include "import/matrix_draft.h"

#include <string.h>

enum { MOST_FIELDS = 80 };

/* A list of numbers in fixed columns. */
typedef struct stream {
    lmb_scan *scan;
    lmb_fortran_column columns[MOST_FIELDS];
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
    return type.length == 3 && strchr("RCPI", lmb_to_upper(type.start[0])) &&
           strchr("SUHZR", lmb_to_upper(type.start[1])) &&
           strchr("AE", lmb_to_upper(type.start[2]));
}

/* --- The head --- */

/* Whole numbers, of which the last may be missing. */
static void read_integers(lmb_scan *s, const char *what, int *out, int count)
{
    lmb_word word;
    for (int i = 0; i < count - 1; i++)
        out[i] = lmb_scan_integer(s, what);
    out[count - 1] = lmb_scan_word(s, &word) ? lmb_scan_integer_of(s, word, what) : 0;
}

static void read_type(lmb_matrix_draft *draft, head *h)
{
    lmb_scan *s = draft->scan;
    lmb_word type;
    if (!lmb_scan_word(s, &type))
        return;
    if (!lmb_word_is(type, "RSA") && !lmb_word_is(type, "RUA"))
        lmb_scan_fail(s, "a matrix of type %.3s is not supported: RSA and RUA are", type.start);
    draft->form = lmb_word_is(type, "RSA") ? LMB_FORM_TRIANGLE : LMB_FORM_FULL;
    read_integers(s, "the size of the matrix", h->size, 4);
    lmb_matrix_size(draft, h->size[0], h->size[1]);
    if (h->size[2] < 0)
        lmb_scan_fail(s, "the number of entries is negative");
}

/* The three formats, each in parentheses. */
static void read_formats(lmb_scan *s, head *h)
{
    const char *p = s->line;
    for (int i = 0; i < 3; i++) {
        while (p < s->end && *p != '(')
            p++;
        const char *start = p;
        while (p < s->end && *p != ')')
            p++;
        if (p >= s->end) {
            lmb_scan_fail(s, "expected three formats, such as (I14) (I14) (d25.15)");
            return;
        }
        h->format[i] = (lmb_word){start, (int)(++p - start)};
    }
}

static head read_head(lmb_matrix_draft *draft)
{
    lmb_scan *s = draft->scan;
    head h = {0};
    lmb_scan_need_line(s, "the title");
    lmb_scan_need_line(s, "the numbers of lines");
    read_integers(s, "a number of lines", h.lines, 5);
    lmb_scan_need_line(s, "the type");
    read_type(draft, &h);
    lmb_scan_need_line(s, "the line of formats");
    read_formats(s, &h);
    if (h.lines[4] > 0)
        lmb_scan_need_line(s, "the line about right-hand sides");
    return h;
}

/* --- Lists of numbers --- */

/* Begins a list and checks that the numbers of line 2 agree with its format. */
static stream begin_list(lmb_scan *s, lmb_word format, int count, int lines, const char *what)
{
    stream st = {.scan = s};
    if (s->status)
        return st;
    int shown = format.length < 40 ? format.length : 40;
    st.at = st.fields = lmb_fortran_columns(format, st.columns, MOST_FIELDS);
    if (st.fields == 0) {
        lmb_scan_fail(s, "the format %.*s is not understood", shown, format.start);
        return st;
    }
    if ((st.columns[0].type == 'I') == (strcmp(what, "values") == 0))
        lmb_scan_fail(s, "the format %.*s cannot be that of %s", shown, format.start, what);
    long long needed = ((long long)count + st.fields - 1) / st.fields;
    if (needed != lines && !s->status) {
        s->number = 2;
        lmb_scan_fail(s, "%d %s take %lld lines, not %d as this line says", count, what, needed,
                      lines);
    }
    return st;
}

static lmb_word take_field(stream *st, const char *what)
{
    if (st->at == st->fields) {
        lmb_scan_need_line(st->scan, what);
        st->at = 0;
    }
    const lmb_fortran_column *c = &st->columns[st->at++];
    return lmb_scan_columns(st->scan, c->from, c->width);
}

static int *read_list(stream *st, const char *what, int count, lmb_list *out)
{
    for (int i = 0; i < count && !st->scan->status; i++) {
        int number = lmb_scan_integer_of(st->scan, take_field(st, what), what);
        lmb_scan_append(st->scan, out, &number, sizeof number);
    }
    return out->data;
}

/* Pointers ascend from 1 to one behind the last entry. */
static const int *read_pointers(stream *st, const head *h, lmb_list *out)
{
    int last = 1;
    for (int i = 0; i <= h->size[1] && !st->scan->status; i++) {
        const int *pointers = read_list(st, "a pointer", 1, out);
        int now = st->scan->status ? last : pointers[i];
        if ((i == 0 && now != 1) || now < last)
            lmb_scan_fail(st->scan, "pointer %d is %d; pointers begin with 1 and ascend", i + 1,
                          now);
        last = now;
    }
    if (last - 1 != h->size[2])
        lmb_scan_fail(st->scan, "the last pointer is %d, but there are %d entries", last,
                      h->size[2]);
    return out->data;
}

void lmb_read_harwell_boeing(lmb_matrix_draft *draft)
{
    lmb_scan *s = draft->scan;
    lmb_list pointer_list = {0}, row_list = {0};
    const char *what = "the value of an entry";
    head h = read_head(draft);
    stream st = begin_list(s, h.format[0], h.size[1] + 1, h.lines[1], "pointers");
    const int *pointers = read_pointers(&st, &h, &pointer_list);
    st = begin_list(s, h.format[1], h.size[2], h.lines[2], "rows");
    const int *rows = read_list(&st, "the row of an entry", h.size[2], &row_list);
    st = begin_list(s, h.format[2], h.size[2], h.lines[3], "values");
    for (int j = 0; j < h.size[1] && !s->status; j++)
        for (int k = pointers[j] - 1; k < pointers[j + 1] - 1 && !s->status; k++)
            lmb_matrix_add(draft, rows[k], j + 1,
                           lmb_scan_number_of(s, take_field(&st, what), what));
    lmb_list_free(&pointer_list);
    lmb_list_free(&row_list);
}
