/* Sparse symmetric matrices: made of triplets in any order, and multiplied. */
#include "math/symmetric.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(triplets_are_added_up_below_the_diagonal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
