/* Building constraint rows. */
#include "frames/row.h"

/* Makes room for one more element of an array of the collection. */
static void *more(lmb_rows *rows, void *array, int count, size_t size)
{
    void *grown = rows->failed ? NULL : lmb_arena_append(rows->arena, array, count, size);
    rows->failed = !grown;
    return grown ? grown : array;
}

/* Whether two frames are the same to the last bit. */
static bool same_frame(const lmb_frame *a, const lmb_frame *b)
{
    lmb_frame off = *a;
    frame_add(&off, -1, b);
    return frame_dot(&off, &off) == 0;
}

int lmb_rows_marker(lmb_rows *rows, int body, int point, lmb_frame local)
{
    while (rows->newest_count <= body && !rows->failed) {
        rows->newest = more(rows, rows->newest, rows->newest_count, sizeof *rows->newest);
        if (!rows->failed)
            rows->newest[rows->newest_count++] = -1;
    }
    for (int i = rows->failed ? -1 : rows->newest[body]; i >= 0; i = rows->markers[i].before)
        if (rows->markers[i].point == point && same_frame(&rows->markers[i].local, &local))
            return i;
    rows->markers = more(rows, rows->markers, rows->marker_count, sizeof *rows->markers);
    if (rows->failed)
        return -1;
    rows->markers[rows->marker_count] =
        (lmb_marker){.body = body, .point = point, .before = rows->newest[body], .local = local};
    return rows->newest[body] = rows->marker_count++;
}

int lmb_rows_pair(lmb_rows *rows, int marker_a, int marker_b)
{
    rows->pairs = more(rows, rows->pairs, rows->pair_count, sizeof *rows->pairs);
    if (rows->failed)
        return -1;
    rows->pairs[rows->pair_count] = (lmb_pair){marker_a, marker_b};
    return rows->pair_count++;
}

int lmb_rows_end(lmb_rows *rows, const lmb_end *end)
{
    return lmb_rows_marker(rows, end->body, end->point, end->local);
}

int lmb_rows_ends(lmb_rows *rows, const lmb_end ends[2])
{
    int a = lmb_rows_end(rows, &ends[0]);
    return lmb_rows_pair(rows, a, lmb_rows_end(rows, &ends[1]));
}

int lmb_rows_coordinate(lmb_rows *rows, const char *name, lmb_coordinate_kind kind,
                        lmb_product product, int pair)
{
    rows->coordinates =
        more(rows, rows->coordinates, rows->coordinate_count, sizeof *rows->coordinates);
    if (rows->failed)
        return -1;
    int turn = kind == LMB_COORDINATE_ANGLE ? rows->turn_count++ : -1;
    rows->coordinates[rows->coordinate_count] =
        (lmb_coordinate){name, kind, product, pair, turn, 0, false};
    return rows->coordinate_count++;
}

int lmb_rows_row(lmb_rows *rows, const char *label, lmb_measure measure)
{
    rows->rows = more(rows, rows->rows, rows->row_count, sizeof *rows->rows);
    if (rows->failed)
        return -1;
    rows->rows[rows->row_count] = (lmb_row){
        .label = label, .term = rows->term_count, .guard = rows->term_count, .measure = measure};
    return rows->row_count++;
}

static bool add_term(lmb_rows *rows, lmb_term term)
{
    rows->terms = more(rows, rows->terms, rows->term_count, sizeof *rows->terms);
    if (rows->failed || rows->row_count == 0)
        return false;
    rows->terms[rows->term_count++] = term;
    return true;
}

void lmb_rows_term(lmb_rows *rows, lmb_term term)
{
    if (!add_term(rows, term))
        return;
    lmb_row *row = &rows->rows[rows->row_count - 1];
    row->term_count++;
    row->guard = rows->term_count;
    if (term.product.kind == LMB_SLIP)
        row->velocity_level = true;
}

void lmb_rows_guard(lmb_rows *rows, lmb_term term)
{
    if (add_term(rows, term))
        rows->rows[rows->row_count - 1].guard_count++;
}

lmb_term lmb_plain(double factor, lmb_product product, int pair)
{
    return (lmb_term){.product = product, .pair = pair, .factor = factor, .turn = -1};
}

void lmb_rows_offset_axis(lmb_rows *rows, const char *label, int pair, int i)
{
    lmb_rows_row(rows, label, LMB_LENGTH);
    lmb_rows_term(rows, lmb_plain(1, lmb_offset_axis(i), pair));
}

void lmb_rows_across(lmb_rows *rows, int pair, int dimension)
{
    if (dimension == 2) {
        lmb_rows_offset_axis(rows, "across", pair, 1);
    } else {
        lmb_rows_offset_axis(rows, "across 1", pair, 0);
        lmb_rows_offset_axis(rows, "across 2", pair, 1);
    }
}

void lmb_rows_coincident(lmb_rows *rows, int pair, int dimension)
{
    static const char *const labels[] = {"x", "y", "z"};
    mat3 axes = m3_identity();
    for (int i = 0; i < dimension; i++) {
        lmb_rows_row(rows, labels[i], LMB_LENGTH);
        lmb_rows_term(rows, lmb_plain(1, lmb_offset_fixed(axes.c[i]), pair));
    }
}

/* e_i . f_j = 0, on the branch where e_k . f_k > 0 */
static void perpendicular(lmb_rows *rows, const char *label, int pair, int i, int j, int k)
{
    lmb_rows_row(rows, label, LMB_PURE_NUMBER);
    lmb_rows_term(rows, lmb_plain(1, lmb_axes(i, j), pair));
    lmb_rows_guard(rows, lmb_plain(1, lmb_axes(k, k), pair));
}

void lmb_rows_parallel(lmb_rows *rows, int pair, int dimension)
{
    if (dimension == 2)
        return;
    perpendicular(rows, "axis 1", pair, 0, 2, 2);
    perpendicular(rows, "axis 2", pair, 1, 2, 2);
}

void lmb_rows_aligned(lmb_rows *rows, int pair, int dimension)
{
    if (dimension == 2) {
        perpendicular(rows, "angle", pair, 1, 0, 0);
        return;
    }
    lmb_rows_parallel(rows, pair, dimension);
    perpendicular(rows, "axis 3", pair, 1, 0, 0);
}

static lmb_term with_law(lmb_term term, lmb_law_part part, int law)
{
    term.part = part;
    term.law = law;
    return term;
}

void lmb_rows_driven(lmb_rows *rows, const lmb_coordinate *c, int law)
{
    lmb_term s = with_law(lmb_plain(1, lmb_axes(1, 0), c->pair), LMB_LAW_COS, law);
    lmb_term k = with_law(lmb_plain(-1, lmb_axes(0, 0), c->pair), LMB_LAW_SIN, law);
    switch (c->kind) {
    case LMB_COORDINATE_ANGLE: /* sin(phi - f) = 0 with cos(phi - f) > 0 */
        lmb_rows_row(rows, "angle", LMB_PURE_NUMBER);
        lmb_rows_term(rows, s);
        lmb_rows_term(rows, k);
        s.part = LMB_LAW_SIN;
        k.part = LMB_LAW_COS;
        k.factor = 1;
        lmb_rows_guard(rows, s);
        lmb_rows_guard(rows, k);
        break;
    case LMB_COORDINATE_OFFSET: /* offset - f = 0 */
        lmb_rows_row(rows, "offset", LMB_LENGTH);
        lmb_rows_term(rows, lmb_plain(1, c->product, c->pair));
        lmb_rows_term(rows, with_law(lmb_plain(-1, lmb_one(), c->pair), LMB_LAW, law));
        break;
    case LMB_COORDINATE_LENGTH: /* (d . d - f^2) / 2 = 0 takes the place of a constant length */
        break;
    }
}

void lmb_rows_drive_length(lmb_rows *rows, int row, int law)
{
    lmb_row *r = &rows->rows[row];
    for (int t = r->term; t < r->term + r->term_count; t++)
        if (rows->terms[t].product.kind == LMB_ONE)
            rows->terms[t] =
                with_law(lmb_plain(-1, lmb_one(), rows->terms[t].pair), LMB_LAW_SQUARE, law);
}
