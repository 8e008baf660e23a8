/* The right-angled strip through the program: it buckles at 1.087518 N along x and at 0.680427 N
 * against x, converged values of an independent implementation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "support.h"

/* The load factor of the only point of the path where another one branches off. */
static double critical_load(const char *direction)
{
    const char *result = scratch_path("right-angle.h5");
    lmb_run_result run = run_limber("run examples/right-angle/right-angle.yaml --set n=40 --set "
                                    "direction=%s --quiet -o %s",
                                    direction, result);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.err, "warning: bifurcation at load factor"));
    free_run(&run);
    lmb_run_result kinds = run_limber("get %s path.critical", result);
    char *rest = kinds.out;
    double load = 0;
    int found = 0;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
        if (strtod(strchr(line, ' '), NULL) == 2) {
            load = strtod(line, NULL);
            found++;
        }
    free_run(&kinds);
    assert_int_equal(found, 1);
    return load;
}

/* With 10, 20 and 40 elements of order 2: 1.0875273, 1.0875185, 1.0875177, of order 4. A critical
 * load is enclosed to 1e-6 of it. */
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
