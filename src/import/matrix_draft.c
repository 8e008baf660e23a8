/* Entries of a matrix, as a file gives them, become a symmetric matrix.
 *
 * Where a file has both triangles, a_ij and a_ji may differ by rounding only: by 1e-8 of the larger
 * of them and sqrt(a_ii a_jj). The matrix gets their mean. */
#include "import/matrix_draft.h"

#include <math.h>
#include <stdlib.h>

const char *lmb_matrix_role_name(lmb_matrix_role role)
{
    static const char *const names[] = {"stiffness", "mass", "damping"};
    return names[role];
}

lmb_status lmb_matrix_size(lmb_matrix_draft *draft, lmb_scan *scan, int rows, int columns)
{
    int n = (int)draft->mapping->equations.count;
    if (rows != columns)
        return lmb_scan_fail(scan, "the matrix has %d rows and %d columns; it must be square", rows,
                             columns);
    if (rows != n)
        return lmb_scan_fail(scan, "the matrix has %d rows, but the mapping '%s' has %d equations",
                             rows, draft->mapping->file, n);
    return LMB_OK;
}

/* An entry of the diagonal is checked where it stands. */
static lmb_status check_diagonal(const lmb_matrix_draft *draft, lmb_scan *scan, int row,
                                 double value)
{
    bool wrong = (draft->role == LMB_STIFFNESS && !(value > 0)) ||
                 (draft->role == LMB_MASS && !(value >= 0));
    if (!wrong)
        return LMB_OK;
    char name[60];
    return lmb_scan_fail(scan, "entry (%d, %d) of the %s is %g (%s); it must %s", row, row,
                         lmb_matrix_role_name(draft->role), value,
                         lmb_mapping_name(draft->mapping, row - 1, name, sizeof name),
                         draft->role == LMB_MASS ? "not be negative" : "be positive");
}

lmb_status lmb_matrix_add(lmb_matrix_draft *draft, lmb_scan *scan, int row, int column,
                          double value)
{
    int n = (int)draft->mapping->equations.count;
    if (row < 1 || row > n || column < 1 || column > n)
        return lmb_scan_fail(scan, "entry (%d, %d) is outside of the matrix of %d rows", row,
                             column, n);
    if (!isfinite(value))
        return lmb_scan_fail(scan, "entry (%d, %d) is not a finite number", row, column);
    if (row == column && check_diagonal(draft, scan, row, value))
        return scan->status;
    draft->lower = draft->lower || row > column;
    draft->upper = draft->upper || row < column;
    if (draft->form == LMB_FORM_TRIANGLE && draft->lower && draft->upper)
        return lmb_scan_fail(scan, "entry (%d, %d): a symmetric matrix must have one triangle only",
                             row, column);
    lmb_scan_append(scan, &draft->entries, &(lmb_triplet){row - 1, column - 1, value},
                    sizeof(lmb_triplet));
    return scan->status;
}

/* --- Symmetry --- */

static lmb_place whole_file(const lmb_scan *scan)
{
    return (lmb_place){scan->file, NULL, 0, 0, 1};
}

/* One triangle of the entries as a matrix of its own. */
static bool take_triangle(const lmb_matrix_draft *draft, lmb_arena *arena, bool upper,
                          lmb_symmetric *out)
{
    const lmb_triplet *entries = draft->entries.data;
    size_t count = draft->entries.count, taken = 0;
    lmb_triplet *part = lmb_arena_alloc(arena, count, sizeof *part);
    for (size_t i = 0; part && i < count; i++)
        if ((entries[i].row < entries[i].column) == upper)
            part[taken++] = entries[i];
    return part && lmb_symmetric_of_triplets(out, arena, (int)draft->mapping->equations.count, part,
                                             (long)taken);
}

/* Compares a column of the lower triangle with the row of the upper one. */
static lmb_status compare_column(const lmb_matrix_draft *draft, lmb_scan *scan,
                                 const lmb_symmetric *low, const lmb_symmetric *up, int j)
{
    int a = low->start[j] + 1, b = up->start[j] + 1;
    while (a < low->start[j + 1] || b < up->start[j + 1]) {
        int ra = a < low->start[j + 1] ? low->row[a] : low->n;
        int rb = b < up->start[j + 1] ? up->row[b] : low->n;
        int i = ra < rb ? ra : rb;
        double x = ra == i ? low->value[a++] : 0, y = rb == i ? up->value[b++] : 0;
        double diagonal = fabs(low->value[low->start[i]] * low->value[low->start[j]]);
        double size = fmax(fmax(fabs(x), fabs(y)), sqrt(diagonal));
        if (!(fabs(x - y) <= 1e-8 * size))
            return lmb_fail_at(
                scan->context, whole_file(scan),
                "the %s is not symmetric: entry (%d, %d) is %.10g and (%d, %d) is %.10g",
                lmb_matrix_role_name(draft->role), i + 1, j + 1, x, j + 1, i + 1, y);
    }
    return LMB_OK;
}

static lmb_status check_symmetry(const lmb_matrix_draft *draft, lmb_scan *scan)
{
    lmb_symmetric low, up;
    lmb_arena *arena = lmb_arena_new();
    lmb_status status = LMB_OK;
    if (!arena || !take_triangle(draft, arena, false, &low) ||
        !take_triangle(draft, arena, true, &up))
        status = lmb_fail_memory(scan->context);
    for (int j = 0; !status && j < low.n; j++)
        status = compare_column(draft, scan, &low, &up, j);
    lmb_arena_free(arena);
    return status;
}

/* --- The matrix --- */

static int compare_entries(const void *a, const void *b)
{
    const lmb_triplet *x = a, *y = b;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Sorts the entries by columns, if they are not so yet, and finds one that is there twice. */
static lmb_status sort_entries(lmb_matrix_draft *draft, lmb_scan *scan)
{
    lmb_triplet *entries = draft->entries.data;
    size_t count = draft->entries.count, i = 1;
    while (i < count && compare_entries(&entries[i - 1], &entries[i]) < 0)
        i++;
    if (i < count)
        qsort(entries, count, sizeof *entries, compare_entries);
    for (i = 1; i < count; i++)
        if (compare_entries(&entries[i - 1], &entries[i]) == 0)
            return lmb_fail_at(scan->context, whole_file(scan),
                               "entry (%d, %d) of the %s is there twice", entries[i].row + 1,
                               entries[i].column + 1, lmb_matrix_role_name(draft->role));
    return LMB_OK;
}

/* Every equation must have stiffness. */
static lmb_status check_stiffness(const lmb_matrix_draft *draft, lmb_scan *scan,
                                  const lmb_symmetric *matrix)
{
    for (int j = 0; j < matrix->n; j++)
        if (matrix->value[matrix->start[j]] == 0) {
            char name[60];
            return lmb_fail_at(scan->context, whole_file(scan),
                               "the stiffness has no entry (%d, %d) on its diagonal (%s)", j + 1,
                               j + 1, lmb_mapping_name(draft->mapping, j, name, sizeof name));
        }
    return LMB_OK;
}

lmb_status lmb_matrix_finish(lmb_matrix_draft *draft, lmb_scan *scan, lmb_arena *arena,
                             lmb_symmetric *out)
{
    bool full = draft->form == LMB_FORM_FULL || (draft->lower && draft->upper);
    lmb_triplet *entries = draft->entries.data;
    size_t count = draft->entries.count;
    if (count == 0 && draft->role != LMB_DAMPING)
        return lmb_fail_at(scan->context, whole_file(scan), "the matrix has no entries");
    lmb_status status = sort_entries(draft, scan);
    if (!status && full)
        status = check_symmetry(draft, scan);
    if (status)
        return status;
    for (size_t i = 0; i < count && full; i++)
        if (entries[i].row != entries[i].column)
            entries[i].value /= 2;
    int n = (int)draft->mapping->equations.count;
    if (!lmb_symmetric_of_triplets(out, arena, n, entries, (long)count))
        return lmb_fail_memory(scan->context);
    return draft->role == LMB_STIFFNESS ? check_stiffness(draft, scan, out) : LMB_OK;
}
