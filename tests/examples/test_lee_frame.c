/* Lee's frame through the program: the first limit point against the converged one, 18556.71 at a
 * deflection of 48.735, and the path at given deflections. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "support.h"

enum { MOST = 2000 };

static void the_frame_snaps_at_its_limit_load(void **unused)
{
    (void)unused;
    static double P[MOST], v[MOST], critical[MOST];
    const char *result = scratch_path("lee-frame.h5");
    lmb_run_result run =
        run_limber("run examples/lee-frame/lee-frame.yaml --set n=80 --quiet -o %s", result);
    assert_int_equal(run.code, 0);
    free_run(&run);
    int rows = printed_column(result, "path.load", MOST, P);
    assert_int_equal(printed_column(result, "v", MOST, v), rows);
    assert_int_equal(printed_column(result, "path.critical", MOST, critical), rows);
    int first = 0;
    while (first < rows && critical[first] == 0)
        first++;
    assert_true(first < rows);
    /* 80 elements of order 2 leave 2e-7 of it, and 1e-5 of v, which is flat there */
    assert_close(1e4 * P[first], 18556.71, 5e-7);
    assert_close(v[first], 48.735, 4e-5);
    assert_close(P[rows - 1], 2.5, 1e-9); /* it goes on to the end */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_frame_snaps_at_its_limit_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
