/* Matrices as lists of entries: Matrix Market, which Ansys calls MMF, and plain lists.
 *
 * A file of Matrix Market begins with %%MatrixMarket matrix FORMAT NUMBERS SYMMETRY, then comments
 * with %, the size, and the entries: row, column, value, or for an array all values by columns.
 * A plain list has entries only, of one triangle or of both. */
#include "import/matrix_draft.h"

#include <string.h>

/* --- Matrix Market --- */

typedef struct head {
    bool array;
    int rows, columns, entries;
} head;

static bool is_one_of(lmb_word word, const char *a, const char *b)
{
    return lmb_word_is(word, a) || lmb_word_is(word, b);
}

/* The first line. */
static lmb_status read_banner(lmb_matrix_draft *draft, lmb_scan *s, head *h)
{
    lmb_word w[5] = {{0}};
    for (int i = 0; i < 5; i++)
        if (!lmb_scan_word(s, &w[i]))
            return lmb_scan_fail(s, "expected %%%%MatrixMarket matrix coordinate real symmetric");
    h->array = lmb_word_is(w[2], "array");
    if (!lmb_word_is(w[1], "matrix") || !is_one_of(w[2], "coordinate", "array"))
        return lmb_scan_fail(s, "expected 'matrix coordinate' or 'matrix array'");
    if (!is_one_of(w[3], "real", "integer") && !lmb_word_is(w[3], "double"))
        return lmb_scan_fail(s, "a matrix of numbers of the kind '%.*s' is not supported",
                             w[3].length, w[3].start);
    if (!is_one_of(w[4], "symmetric", "general"))
        return lmb_scan_fail(s, "a matrix that is '%.*s' is not supported", w[4].length,
                             w[4].start);
    draft->form = lmb_word_is(w[4], "symmetric") ? LMB_FORM_TRIANGLE : LMB_FORM_FULL;
    return LMB_OK;
}

/* The next line that is neither empty nor a comment. */
static bool next_line(lmb_scan *s)
{
    while (lmb_scan_line(s)) {
        while (s->now < s->end && (*s->now == ' ' || *s->now == '\t'))
            s->now++;
        if (s->now < s->end && !strchr("%#*", *s->now))
            return true;
    }
    return false;
}

static lmb_status read_size(lmb_matrix_draft *draft, lmb_scan *s, head *h)
{
    if (!next_line(s))
        return lmb_scan_fail(s, "the file ends early: the size of the matrix is missing");
    h->rows = lmb_scan_integer(s, "the number of rows");
    h->columns = lmb_scan_integer(s, "the number of columns");
    if (!h->array)
        h->entries = lmb_scan_integer(s, "the number of entries");
    return lmb_matrix_size(draft, s, h->rows, h->columns);
}

/* row column value */
static void read_entry(lmb_matrix_draft *draft, lmb_scan *s)
{
    int row = lmb_scan_integer(s, "the row of an entry");
    int column = lmb_scan_integer(s, "the column of an entry");
    lmb_matrix_add(draft, s, row, column, lmb_scan_number(s, "the value of an entry"));
}

/* All values by columns; of a symmetric matrix those from the diagonal on. */
static void read_array(lmb_matrix_draft *draft, lmb_scan *s, const head *h)
{
    for (int j = 1; j <= h->columns; j++)
        for (int i = draft->form == LMB_FORM_TRIANGLE ? j : 1; i <= h->rows && !s->status; i++) {
            if (!next_line(s))
                lmb_scan_fail(s, "the file ends early: entry (%d, %d) is missing", i, j);
            double value = lmb_scan_number(s, "the value of an entry");
            if (value != 0 || i == j)
                lmb_matrix_add(draft, s, i, j, value);
        }
}

lmb_status lmb_read_matrix_market(lmb_matrix_draft *draft, lmb_scan *s)
{
    head h = {0};
    lmb_scan_line(s);
    if (read_banner(draft, s, &h) || read_size(draft, s, &h))
        return s->status;
    if (h.array)
        read_array(draft, s, &h);
    for (int i = 0; i < h.entries; i++) {
        if (!next_line(s))
            return lmb_scan_fail(s, "the file ends after %d of %d entries", i, h.entries);
        read_entry(draft, s);
    }
    if (next_line(s))
        lmb_scan_fail(s, "there are more entries than the head says");
    return s->status;
}

/* --- Plain lists --- */

bool lmb_is_labelled(lmb_scan scan)
{
    lmb_word words[6];
    return next_line(&scan) && lmb_scan_words(&scan, words, 6) == 5;
}

/* node direction node direction value */
static void read_labelled(lmb_matrix_draft *draft, lmb_scan *s)
{
    int place[2];
    for (int i = 0; i < 2; i++) {
        int node = lmb_scan_integer(s, "the number of a node");
        int direction = lmb_scan_integer(s, "a direction");
        place[i] = lmb_mapping_place(draft->mapping, s, node, direction - 1);
    }
    lmb_matrix_add(draft, s, place[0] + 1, place[1] + 1,
                   lmb_scan_number(s, "the value of an entry"));
}

lmb_status lmb_read_coordinates(lmb_matrix_draft *draft, lmb_scan *s, bool labelled)
{
    while (next_line(s)) {
        if (labelled)
            read_labelled(draft, s);
        else
            read_entry(draft, s);
    }
    return s->status;
}
