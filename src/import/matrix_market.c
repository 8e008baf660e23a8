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
    lmb_status status = lmb_scan_integer(s, "the number of rows", &h->rows);
    if (!status)
        status = lmb_scan_integer(s, "the number of columns", &h->columns);
    if (!status && !h->array)
        status = lmb_scan_integer(s, "the number of entries", &h->entries);
    return status ? status : lmb_matrix_size(draft, s, h->rows, h->columns);
}

/* row column value */
static lmb_status read_entry(lmb_matrix_draft *draft, lmb_scan *s)
{
    int row, column;
    double value;
    lmb_status status = lmb_scan_integer(s, "the row of an entry", &row);
    if (!status)
        status = lmb_scan_integer(s, "the column of an entry", &column);
    if (!status)
        status = lmb_scan_number(s, "the value of an entry", &value);
    return status ? status : lmb_matrix_add(draft, s, row, column, value);
}

/* All values by columns; of a symmetric matrix those from the diagonal on. */
static lmb_status read_array(lmb_matrix_draft *draft, lmb_scan *s, const head *h)
{
    for (int j = 1; j <= h->columns; j++)
        for (int i = draft->form == LMB_FORM_TRIANGLE ? j : 1; i <= h->rows; i++) {
            double value;
            if (!next_line(s))
                return lmb_scan_fail(s, "the file ends early: entry (%d, %d) is missing", i, j);
            lmb_status status = lmb_scan_number(s, "the value of an entry", &value);
            if (!status && (value != 0 || i == j))
                status = lmb_matrix_add(draft, s, i, j, value);
            if (status)
                return status;
        }
    return LMB_OK;
}

lmb_status lmb_read_matrix_market(lmb_matrix_draft *draft, lmb_scan *s)
{
    head h = {0};
    lmb_scan_line(s);
    lmb_status status = read_banner(draft, s, &h);
    if (!status)
        status = read_size(draft, s, &h);
    if (!status && h.array)
        status = read_array(draft, s, &h);
    for (int i = 0; i < h.entries && !status; i++) {
        if (!next_line(s))
            return lmb_scan_fail(s, "the file ends after %d of %d entries", i, h.entries);
        status = read_entry(draft, s);
    }
    if (!status && next_line(s))
        status = lmb_scan_fail(s, "there are more entries than the head says");
    return status;
}

/* --- Plain lists --- */

bool lmb_is_labelled(lmb_scan scan)
{
    lmb_word word;
    int count = 0;
    if (next_line(&scan))
        while (count < 6 && lmb_scan_word(&scan, &word))
            count++;
    return count == 5;
}

/* node direction node direction value */
static lmb_status read_labelled(lmb_matrix_draft *draft, lmb_scan *s)
{
    int place[2];
    double value;
    for (int i = 0; i < 2; i++) {
        int node, direction;
        lmb_status status = lmb_scan_integer(s, "the number of a node", &node);
        if (!status)
            status = lmb_scan_integer(s, "a direction", &direction);
        if (!status)
            status = lmb_mapping_place(draft->mapping, s, node, direction - 1, &place[i]);
        if (status)
            return status;
    }
    lmb_status status = lmb_scan_number(s, "the value of an entry", &value);
    return status ? status : lmb_matrix_add(draft, s, place[0] + 1, place[1] + 1, value);
}

lmb_status lmb_read_coordinates(lmb_matrix_draft *draft, lmb_scan *s, bool labelled)
{
    lmb_status status = LMB_OK;
    while (!status && next_line(s))
        status = labelled ? read_labelled(draft, s) : read_entry(draft, s);
    return status;
}
