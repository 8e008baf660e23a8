/* What `limber rotor` says in words, and what it warns of. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

static const char fan[] =
    "limber: 1\n"
    "dimension: 3\n"
    "parameters: {k: 8e7, kz: k, c: 2e3, U: 3e-3, d: 0.07, n: 1480*rpm, Id: 2.6}\n"
    "rotor:\n"
    "  speed: n\n"
    "  speeds: [0, 3000*rpm, 11]\n"
    "  shaft: [{length: 1.1, diameter: d}]\n"
    "  discs:\n"
    "    fan: {at: 1.1, mass: 60, polar: 5, diametral: Id, unbalance: U}\n"
    "    pulley: {at: 0, mass: 8, polar: 0.05}\n"
    "  bearings:\n"
    "    drive: {at: 0.15, stiffness: [k, kz], damping: c}\n"
    "    fan-side: {at: 0.8, stiffness: [k, kz], damping: c}\n";

static lmb_run_result solve(const char *more, const char *options)
{
    const char *path = scratch_path("fan.yaml");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s%s", fan, more);
    fclose(file);
    return run_limber("rotor %s %s", path, options);
}

/* Runs it and looks for words in what is printed, or (present false) for their absence. */
static void check_words(const char *more, const char *options, const char *words, bool present)
{
    lmb_run_result run = solve(more, options);
    assert_int_equal(run.code, 0);
    if ((strstr(run.out, words) != NULL || strstr(run.err, words) != NULL) != present)
        fail_msg("%s '%s' in\n%s%s", present ? "no" : "a", words, run.out, run.err);
    free_run(&run);
}

/* In bearings alike in both planes the lowest critical speed, backward, is not excited. */
static void test_backward(void **unused)
{
    (void)unused;
    check_words("", "", "under-critically: the first critical speed is 3847.56 rpm", true);
    check_words("", "", "Unbalance does not excite backward whirl, such as that at 1949.5", true);
    check_words("", "--set kz=6e7", "does not excite", false);
    check_words("", "--set kz=6e7", "under-critically: the first critical speed is 19", true);
}

/* All that are passed count, also where fewer vibrations are shown. */
static void test_passed(void **unused)
{
    (void)unused;
    check_words("  modes: 2\n", "--set n=15000*rpm",
                "it must pass 2 critical speeds on the way up, the last at 14198.3 rpm", true);
}

/* Critical speeds of whirl at another frequency are none that unbalance meets. */
static void test_ratio(void **unused)
{
    (void)unused;
    check_words("", "--ratio 2", "Critical speeds (whirl = 2 x speed)", true);
    check_words("", "--ratio 2", "critically", false);
}

static void test_end_of_diagrams(void **unused)
{
    (void)unused;
    check_words("", "", "Amplitudes still grow at 3000 rpm", true);
    check_words("", "--set U=0", "still grow", false);
}

/* Near a critical speed is dangerous, unless it is damped so much that there is no peak. */
static void test_near(void **unused)
{
    (void)unused;
    check_words("", "--set n=3800*rpm", "The service speed is only 1.3 % from", true);
    check_words("  damping_ratio: 0.5\n", "--set n=3800*rpm", "The service speed is only", false);
}

static void test_warnings(void **unused)
{
    (void)unused;
    check_words("", "--set d=70", "warning: a shaft with a diameter of 70 m: lengths are in metres",
                true);
    check_words("  run_up: {duration: 1}\n", "--set U=0",
                "warning: nothing moves in a run-up without unbalance", true);
    check_words("  run_up: {duration: 1}\n", "", "warning", false);
    check_words("", "--set Id=2.4", "warning: disc 'fan' has a diametral moment of inertia (2.4",
                true);
    check_run(solve("  modes: 2.5\n", ""), 3, "'modes' must be a whole number");
}

/* The speed from which on it is unstable, whether the service speed is, and what grows. */
static void test_unstable(void **unused)
{
    (void)unused;
    /* of an independent program: 2640.21 rpm, 57.97 Hz */
    static const char seal[] =
        "  seals: {ring: {at: 1.1, stiffness: [0, 60*speed, -60*speed, 0]}}\n";
    check_words(seal, "", "The rotor is unstable from 2640.2", true);
    check_words(seal, "", "rpm on: a forward whirl of 57.97 Hz grows", true);
    check_words(seal, "--set n=2900*rpm", "It is unstable at its service speed of 2900 rpm", true);
    check_words(seal, "--set n=100*rpm", "at its service speed", false);
    check_words("", "", "unstable", false);
    check_words("  seals: {ring: {at: 1.1, stiffness: -1e8}}\n", "", "moves away without", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_backward), cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_passed),   cmocka_unit_test(test_end_of_diagrams),
        cmocka_unit_test(test_near),     cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_unstable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
