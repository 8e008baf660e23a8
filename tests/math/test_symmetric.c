/* Sparse symmetric matrices: made of triplets in any order, and multiplied. */
#include "math/symmetric.h"

#include <math.h>

#include "support.h"

/* The matrix [4 1 0; 1 0 2; 0 2 5] given in pieces on both sides of the diagonal. */
static void triplets_are_added_up_below_the_diagonal(void **unused)
{
    (void)unused;
    static const lmb_triplet pieces[] = {{2, 2, 5}, {0, 1, 0.25}, {1, 0, 0.75},
                                         {0, 0, 1}, {2, 1, 2},    {0, 0, 3}};
    lmb_arena *arena = lmb_arena_new();
    lmb_symmetric a;
    assert_true(lmb_symmetric_of_triplets(&a, arena, 3, pieces, 6));
    static const int start[] = {0, 2, 4, 5}, row[] = {0, 1, 1, 2, 2};
    static const double value[] = {4, 1, 0, 2, 5}, x[] = {1, 2, 3}, expected[] = {6, 7, 19};
    double y[3];
    for (int j = 0; j <= 3; j++)
        assert_int_equal(a.start[j], start[j]);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(a.row[k], row[k]);
        assert_close(a.value[k], value[k], 0);
    }
    lmb_symmetric_multiply(&a, x, y);
    for (int i = 0; i < 3; i++)
        assert_close(y[i], expected[i], 0);
    lmb_arena_free(arena);
}

/* Many vectors at once give what each gives alone, for all numbers of them; the bound is rounding
 * of sums in another order. Zeros may be left out, but not those of the diagonal. */
static void many_vectors_are_multiplied_as_one(void **unused)
{
    (void)unused;
    enum { N = 50, MOST = 19, COUNT = 300 };
    lmb_triplet pieces[COUNT];
    for (int i = 0; i < COUNT; i++)
        pieces[i] = (lmb_triplet){i * 7 % N, i * 11 % 47, i / 50 == i * 7 % N % 6 ? 0 : sin(i)};
    lmb_arena *arena = lmb_arena_new();
    lmb_symmetric a, less;
    assert_true(lmb_symmetric_of_triplets(&a, arena, N, pieces, COUNT));
    assert_true(lmb_symmetric_without_zeros(&less, arena, &a));
    assert_true(less.start[N] < a.start[N]);
    for (int j = 0; j < N; j++)
        assert_int_equal(less.row[less.start[j]], j);
    double x[N * MOST], y[N * MOST], alone[N];
    for (int i = 0; i < N * MOST; i++)
        x[i] = cos(i);
    for (int count = 1; count <= MOST; count++) {
        lmb_symmetric_multiply_many(&less, count, x, y);
        for (int c = 0; c < count; c++) {
            lmb_symmetric_multiply(&a, x + c * N, alone);
            for (int i = 0; i < N; i++)
                assert_close(y[c * N + i], alone[i], 1e-13);
        }
    }
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triplets_are_added_up_below_the_diagonal),
        cmocka_unit_test(many_vectors_are_multiplied_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
