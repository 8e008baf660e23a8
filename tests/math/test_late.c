/* Libraries that are loaded when they are needed: all functions of the list are in them, also when
 * several threads ask at once, and those of the list are called. */
#include <pthread.h>

#include "math/late.h"
#include "support.h"

static void *find_all(void *found)
{
    bool *all = found;
    *all = true;
    for (int i = 0; i < LMB_LATE_COUNT; i++)
        *all = *all && lmb_late((lmb_late_name)i);
    return NULL;
}

static void functions_are_found_by_several_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    bool all[THREADS] = {false};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, find_all, &all[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(all[i]);
    }
}

/* 2 x + y = 5, x + 3 y = 10, by LAPACK, and the length of the solution, by BLAS. */
static void functions_are_called_by_their_names(void **state)
{
    (void)state;
    double A[] = {2, 1, 1, 3}, x[] = {5, 10};
    lapack_int pivots[2];
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, 2, 1, A, 2, pivots, x, 2), 0);
    assert_close(x[0], 1, 1e-15);
    assert_close(x[1], 3, 1e-15);
    assert_close(cblas_ddot(2, x, 1, x, 1), 10, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_found_by_several_threads),
        cmocka_unit_test(functions_are_called_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
