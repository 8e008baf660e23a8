/* What `limber gradient` writes: histories of derivatives as a result, a page, a bar chart; and its
 * check by Taylor's theorem. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "support.h"

static const char model[] = "examples/five-bar/five-bar.yaml";

/* The integral over time of d g / dp is d (integral of g) / dp: what the channels and the table say
 * is the same, to the trapezoidal rule over 2500 points. */
static void test_histories(void **unused)
{
    (void)unused;
    enum { MOST = 3000 };
    static double slopes[MOST];
    const char *path = scratch_path("slopes.h5");
    lmb_run_result run =
        run_limber("gradient %s --of sway --by L01 --by k1 -o %s --json", model, path);
    assert_int_equal(run.code, 0);
    double total = number_behind(run.out, "\"L01\":");
    free_run(&run);
    int count = printed_column(path, "sway.by.L01", MOST, slopes);
    assert_int_equal(count, 2501);
    double sum = 0;
    for (int i = 0; i + 1 < count; i++)
        sum += 0.002 * (slopes[i] + slopes[i + 1]) / 2;
    assert_true(fabs(sum - total) < 1e-4 * fabs(total));
    check_run(run_limber("list %s", path), 0, "sway.by.k1");
    check_run(run_limber("plot %s sway.by.k1 -o %s", path, scratch_path("k1.svg")), 0, "");
}

/* Modes and positions have points that are no instants. */
static void test_timeless(void **unused)
{
    (void)unused;
    const char *path = scratch_path("modes.yaml");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 2\nparameters: {k: 100, m: 4}\n"
          "bodies: {bob: {type: particle, mass: m, position: [1, 0]}}\n"
          "joints: {guide: {type: slot, between: [ground, bob], axis: [1, 0]}}\n"
          "forces: {s: {type: spring, between: [ground, bob], stiffness: k, length: 1}}\n"
          "analyses: {shapes: {type: modes}}\n"
          "objectives: {f: {at: modes.frequency, mode: 1}, w: {final: bob.mass}}\n",
          file);
    fclose(file);
    lmb_run_result run = run_limber("gradient %s --json -o %s", path, scratch_path("modes.h5"));
    assert_int_equal(run.code, 0);
    /* f = sqrt(k/m)/(2 pi) = 5/(2 pi): by k f/(2 k), by m -f/(2 m); 12 digits of a stencil */
    double f = 5 / (2 * acos(-1)), by_k = number_behind(run.out, "\"k\":");
    assert_true(fabs(number_behind(run.out, "\"value\":") / f - 1) < 1e-12);
    assert_true(fabs(by_k / (f / 200) - 1) < 1e-10);
    assert_true(fabs(number_behind(run.out, "\"m\":") / (-f / 8) - 1) < 1e-10);
    free_run(&run);
    check_run(run_limber("list %s", scratch_path("modes.h5")), 0, "f.by.k");
}

/* Modes of flexible bodies that are held: E scales the frequency of a beam in either way, to the
 * rounding of its stiffness, 1e-16 (highest / lowest frequency)^2 = 1e-9 over the distance. */
static void test_basis(void **unused)
{
    (void)unused;
    const char *path = scratch_path("held.yaml"), *bases[] = {"moving", "held"};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 2\nparameters: {E: 7e10}\n"
          "bodies: {rod: {beam: {from: [0, 0], to: [1, 0], section: {circle: {diameter: 0.02}},\n"
          "  material: {E: E, nu: 0.3, density: 2700}}, interfaces: {A: start, B: end}}}\n"
          "joints: {pin: {type: fixed, between: [ground, rod.A]}}\n"
          "analyses: {shapes: {type: modes}}\n"
          "objectives: {f: {at: modes.frequency, mode: 1}}\n",
          file);
    fclose(file);
    for (int i = 0; i < 2; i++) {
        lmb_run_result run = run_limber("gradient %s --basis %s --json", path, bases[i]);
        assert_int_equal(run.code, 0);
        double f = number_behind(run.out, "\"value\":"), by_E = number_behind(run.out, "\"E\":");
        assert_true(fabs(by_E * 2 * 7e10 / f - 1) < 1e-6);
        free_run(&run);
    }
    check_run(run_limber("gradient %s --basis fixed", path), 2,
              "'--basis fixed' is not moving or held");
    check_run(run_limber("gradient %s --method fast", path), 2, "is not direct, adjoint or");
}

static void test_page(void **unused)
{
    (void)unused;
    const char *page = scratch_path("page.html"), *bars = scratch_path("bars.svg");
    check_run(run_limber("gradient %s --of sway --of cost -o %s -o %s", model, page, bars), 0,
              "change by +1 %");
    char command[600];
    snprintf(command, sizeof command,
             "grep -q 'does to sway' %s && grep -q '>L01<' %s && echo both", bars, bars);
    check_run(run_shell(command), 0, "both");
    check_run(run_limber("gradient %s -o x.txt", model), 2, "must end with .html");
    check_run(run_limber("gradient %s --method adjoint -o x.h5", model), 2, "no histories");
}

/* What is left falls with the square of the change; direct and adjoint agree to rounding. */
static void test_check(void **unused)
{
    (void)unused;
    lmb_run_result run = run_limber("gradient %s --of sway --check --json", model);
    assert_int_equal(run.code, 0);
    const char *list = strstr(run.out, "\"remainders\":");
    assert_non_null(list);
    double R[5];
    list = strchr(list, '[') + 1;
    for (int i = 0; i < 5; i++) {
        char *end;
        R[i] = strtod(list, &end);
        list = end + strspn(end, ", \n");
    }
    for (int i = 1; i < 5; i++)
        assert_true(fabs(log2(R[i - 1] / R[i]) - 2) < 0.1);
    assert_true(number_behind(run.out, "\"direct_against_adjoint\":") < 1e-10);
    free_run(&run);
}

/* Points that are made again are those that were kept, to the rounding of the instants. */
static void test_memory(void **unused)
{
    (void)unused;
    double slopes[2];
    for (int i = 0; i < 2; i++) {
        lmb_run_result run = run_limber("gradient %s --of sway --method adjoint --json --memory %s",
                                        model, i ? "0.0003" : "1");
        assert_int_equal(run.code, 0);
        slopes[i] = number_behind(run.out, "\"L01\":");
        free_run(&run);
    }
    assert_true(fabs(slopes[1] / slopes[0] - 1) < 1e-10);
    check_run(run_limber("gradient %s --memory 0", model), 2, "--memory");
}

/* A motion that begins at rest, where velocities and reactions are rounding: what is no size must
 * not be taken for one. */
static void test_rest(void **unused)
{
    (void)unused;
    double slopes[2];
    for (int i = 0; i < 2; i++) {
        lmb_run_result run = run_limber("gradient examples/half-car/half-car.yaml --of grip --by a "
                                        "--integrator ali3p --json --method %s",
                                        i ? "differences" : "direct");
        assert_int_equal(run.code, 0);
        slopes[i] = number_behind(run.out, "\"a\":");
        free_run(&run);
    }
    assert_true(fabs(slopes[1] / slopes[0] - 1) < 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_histories), cmocka_unit_test(test_timeless),
        cmocka_unit_test(test_basis),     cmocka_unit_test(test_page),
        cmocka_unit_test(test_check),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
