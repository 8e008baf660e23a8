/* Independent rows and columns of sparse matrices against the rank of dense ones. */
#include "math/echelon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "math/dense.h"
#include "support.h"

/* Numbers between -1 and 1, always the same. */
static double any(void)
{
    static unsigned long random = 1;
    random = (random * 1103515245UL + 12345UL) & 0x7fffffffUL;
    return (double)random / 0x40000000 - 1;
}

/* The numbers of a dense matrix (by columns) that are not zero. */
static lmb_sparse_rows rows_of(lmb_arena *arena, int rows, int columns, const double *a)
{
    lmb_sparse_rows out = {rows, columns, lmb_arena_integers(arena, (size_t)rows + 1),
                           lmb_arena_integers(arena, (size_t)(rows * columns) + 1),
                           lmb_arena_numbers(arena, (size_t)(rows * columns) + 1)};
    int count = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            if (a[j * rows + i] != 0) {
                out.column[count] = j;
                out.value[count++] = a[j * rows + i];
            }
        out.start[i + 1] = count;
    }
    return out;
}

/* The rank of the columns, or rows, that are marked. */
static int rank_of_marked(int rows, int columns, const double *a, const bool *row_marked,
                          const bool *column_marked)
{
    double *copy = calloc((size_t)(rows * columns) + 1, sizeof *copy);
    int *order = calloc((size_t)columns + 1, sizeof *order);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            if ((!row_marked || row_marked[i]) && (!column_marked || column_marked[j]))
                copy[j * rows + i] = a[j * rows + i];
    int rank = lmb_dense_pivot(rows, columns, copy, 1e-9, order);
    free(copy);
    free(order);
    return rank;
}

/* A matrix of a known rank: sparse rows, then sums of them, in a mixed order. */
static void fill(int rows, int columns, int rank, double *a)
{
    memset(a, 0, (size_t)(rows * columns) * sizeof *a);
    for (int i = 0; i < rows; i++) {
        int at = (int)((unsigned)i * 7u % (unsigned)rows);
        for (int k = 0; i < rank && k < 3; k++)
            a[(int)((any() + 1) / 2 * (columns - 1)) * rows + at] += any();
        if (i < rank)
            a[i * rows + at] += 1;
        for (int k = 0; i >= rank && k < 3; k++) {
            int other = (int)((any() + 1) / 2 * (rank - 1));
            double factor = any();
            other = (int)((unsigned)other * 7u % (unsigned)rows);
            for (int j = 0; j < columns; j++)
                a[j * rows + at] += factor * a[j * rows + other];
        }
    }
}

/* The pivots are as many as the rank; their rows are independent, and so are their columns. */
static void pivots_are_independent(void **unused)
{
    (void)unused;
    enum { ROWS = 40, COLUMNS = 53 };
    static double a[ROWS * COLUMNS];
    for (int rank = 5; rank <= 40; rank += 5) {
        lmb_arena *arena = lmb_arena_new();
        int pivot[ROWS];
        bool rows[ROWS] = {0}, columns[COLUMNS] = {0};
        fill(ROWS, COLUMNS, rank, a);
        int truly = rank_of_marked(ROWS, COLUMNS, a, NULL, NULL);
        assert_true(truly > 0 && truly <= rank);
        lmb_sparse_rows of = rows_of(arena, ROWS, COLUMNS, a);
        lmb_echelon *e = lmb_echelon_new(arena, COLUMNS);
        assert_int_equal(lmb_echelon_add_all(e, &of, 1e-9, pivot), truly);
        for (int i = 0; i < ROWS; i++)
            if (pivot[i] >= 0) {
                rows[i] = true;
                assert_false(columns[pivot[i]]);
                columns[pivot[i]] = true;
            }
        assert_int_equal(rank_of_marked(ROWS, COLUMNS, a, rows, NULL), truly);
        assert_int_equal(rank_of_marked(ROWS, COLUMNS, a, rows, columns), truly);
        lmb_arena_free(arena);
    }
}

/* A row is measured by what the base leaves of it: (1, 1e-3) after (1, 0) is as good as (0, 1). */
static void sizes_are_measured_after_the_base(void **unused)
{
    (void)unused;
    double a[] = {1, 1, 1, 0, 1e-3, 1.001e-3};
    int pivot;
    for (int base = 0; base < 2; base++) {
        lmb_arena *arena = lmb_arena_new();
        lmb_sparse_rows of = rows_of(arena, 3, 2, a);
        lmb_echelon *e = lmb_echelon_new(arena, 2);
        assert_true(lmb_echelon_add(e, &of, 0, 0.1, &pivot));
        assert_int_equal(pivot, 0);
        if (base)
            lmb_echelon_measure_from_here(e);
        assert_true(lmb_echelon_add(e, &of, 1, 0.1, &pivot));
        assert_int_equal(pivot, base ? 1 : -1);
        assert_true(lmb_echelon_add(e, &of, 2, 0.1, &pivot)); /* nothing is left to be found */
        assert_int_equal(pivot, -1);
        lmb_arena_free(arena);
    }
}

/* The rows of a chain of links in the plane, each hinged to the one before: taken from the ground
 * on, link k would depend on all angles before it. From the tip on nothing is filled in: the time
 * for 200 000 links is that of reading them. With fill it would be that of 2e10 numbers. */
static void a_chain_stays_sparse(void **unused)
{
    (void)unused;
    enum { LINKS = 200000 };
    lmb_arena *arena = lmb_arena_new();
    lmb_sparse_rows a = {2 * LINKS, 3 * LINKS, lmb_arena_integers(arena, 2 * LINKS + 1),
                         lmb_arena_integers(arena, 8 * LINKS), lmb_arena_numbers(arena, 8 * LINKS)};
    int *pivot = lmb_arena_integers(arena, 2 * LINKS), count = 0;
    for (int i = 0; i < LINKS; i++)
        for (int k = 0; k < 2; k++) {
            double angle = any();
            for (int side = i > 0 ? 0 : 1; side < 2; side++) {
                a.column[count] = 3 * (i - 1 + side) + k;
                a.value[count++] = side ? -1 : 1;
                a.column[count] = 3 * (i - 1 + side) + 2;
                a.value[count++] = k ? cos(angle) : sin(angle);
            }
            a.start[2 * i + k + 1] = count;
        }
    lmb_echelon *e = lmb_echelon_new(arena, a.columns);
    assert_int_equal(lmb_echelon_add_all(e, &a, 1e-9, pivot), 2 * LINKS);
    for (int i = 0; i < 2 * LINKS; i++) /* positions follow from angles */
        assert_true(pivot[i] % 3 != 2);
    lmb_arena_free(arena);
}

/* A row is one of a sum that vanishes if the others have the same rank; a column takes part in a
 * null vector if the other columns have the same rank. */
static void sums_and_null_vectors_are_found(void **unused)
{
    (void)unused;
    enum { ROWS = 14, COLUMNS = 12, RANK = 9 };
    double a[ROWS * COLUMNS];
    for (int trial = 0; trial < 20; trial++) {
        lmb_arena *arena = lmb_arena_new();
        bool mark[ROWS] = {false}, some[ROWS], columns[COLUMNS];
        int pivot[ROWS];
        double v[COLUMNS], largest = 0;
        fill(ROWS, COLUMNS, RANK - trial % 3, a);
        lmb_sparse_rows rows = rows_of(arena, ROWS, COLUMNS, a);
        lmb_echelon *e = lmb_echelon_new(arena, COLUMNS);
        lmb_echelon_mark_sums(e, mark, 1e-6);
        int rank = lmb_echelon_add_all(e, &rows, 1e-9, pivot);
        assert_int_equal(rank, rank_of_marked(ROWS, COLUMNS, a, NULL, NULL));
        for (int r = 0; r < ROWS; r++) {
            for (int i = 0; i < ROWS; i++)
                some[i] = i != r;
            assert_int_equal(mark[r], rank_of_marked(ROWS, COLUMNS, a, some, NULL) == rank);
        }
        for (int j = 0; j < COLUMNS; j++)
            v[j] = lmb_echelon_has_pivot(e, j) ? 0 : any();
        lmb_echelon_null_vector(e, v);
        for (int j = 0; j < COLUMNS; j++) {
            for (int i = 0; i < COLUMNS; i++)
                columns[i] = i != j;
            bool moves = rank_of_marked(ROWS, COLUMNS, a, NULL, columns) == rank;
            assert_int_equal(fabs(v[j]) > 1e-9, moves);
            largest = fmax(largest, fabs(v[j]));
        }
        /* a sum of 12 products, with a growth of at most 2 for each of 9 pivots */
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
            for (int j = 0; j < COLUMNS; j++)
                sum += a[j * ROWS + i] * v[j];
            assert_close(sum, 0, 12 * 512 * 2.3e-16 * largest);
        }
        lmb_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pivots_are_independent),
        cmocka_unit_test(sizes_are_measured_after_the_base),
        cmocka_unit_test(sums_and_null_vectors_are_found),
        cmocka_unit_test(a_chain_stays_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
