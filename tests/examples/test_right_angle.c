/* The right-angled strip through the program: it buckles at 1.087518 N along x and at 0.680427 N
 * against x, converged values of an independent implementation, and then moves out of its plane. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "support.h"

enum { MOST = 500 };

/* The load where it buckles, before which it stays in its plane (to the rounding of a soft
 * direction) and after which it leaves it. */
static double critical_load(const char *direction)
{
    static double load[MOST], critical[MOST], across[MOST];
    const char *result = scratch_path("right-angle.h5");
    lmb_run_result run = run_limber("run examples/right-angle/right-angle.yaml --set n=40 --set "
                                    "direction=%s --quiet -o %s",
                                    direction, result);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.err, "warning: bifurcation at load factor"));
    free_run(&run);
    int rows = printed_column(result, "path.load", MOST, load), at = 0;
    assert_int_equal(printed_column(result, "path.critical", MOST, critical), rows);
    assert_int_equal(printed_column(result, "across", MOST, across), rows);
    while (at < rows && critical[at] == 0)
        assert_true(fabs(across[at++]) < 1e-9);
    assert_true(at > 0 && at < rows - 1 && critical[at] == 2);
    assert_true(fabs(across[at + 1]) > 1e-3 && fabs(across[rows - 1]) > 0.05);
    assert_close(load[rows - 1], 1.5, 1e-9);
    return load[at];
}

/* With 10, 20 and 40 elements of order 2: 1.0875273, 1.0875185, 1.0875177, of order 4; near the
 * critical point the stiffness is lost in rounding at 1e-6 of the load. */
static void the_strip_buckles_at_the_converged_loads(void **unused)
{
    (void)unused;
    assert_close(critical_load("1"), 1.087518, 2e-6);
    assert_close(critical_load("-1"), 0.680427, 2e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_strip_buckles_at_the_converged_loads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
