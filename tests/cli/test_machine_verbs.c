/* limber bearing and limber beam, through the built program. */
#include "support.h"

#include "program.h"

static void bearings(void **state)
{
    (void)state;
    const char *example = "bearing --inner 18 --outer 24 --balls 8 --rpm 1000";
    static const char *const pieces[] = {"shaft 1x: imbalance                       16.6667",
                                         "shaft 2x: misalignment                    33.3333",
                                         "shaft 3x: bent or cracked shaft                50",
                                         "cage: wear, early                         7.14286",
                                         "ball pass, inner race                     76.1905",
                                         "ball pass, outer race                     57.1429",
                                         "ball spin                                 57.1429",
                                         "rolling element, twice the spin           114.286",
                                         "Sample above 228.571 Hz, better at 292.571 Hz or more"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        check_run(run_limber("%s", example), 0, pieces[i]);
    check_run(run_limber("%s --json", example), 0, "\"rolling_element\": 114.285714285714");
    check_run(run_limber("%s --json", example), 0, "\"sampling_above\": 228.571428571428");
    check_run(run_limber("bearing --pitch 21 --ball 3 --balls 8 --rpm 1000"), 0, "7.14286");
    check_run(run_limber("%s --angle 60 --json", example), 0, "\"cage\": 7.738095238095");
    /* the outer race turns: 1000/60 * 1/2 (1 + 1/7) = 200/21 */
    check_run(run_limber("%s --rotating outer --json", example), 0, "\"cage\": 9.5238095238095");
    check_run(run_limber("%s --rotating both", example), 2, "--rotating needs");
}

static void wrong_bearings(void **state)
{
    (void)state;
    check_run(run_limber("bearing"), 2, "give the bearing");
    check_run(run_limber("bearing --inner 18 --outer 24 --balls 8"), 2, "give the speed");
    check_run(run_limber("bearing --inner 25 --outer 52 --balls 9 --rpm 1480"), 2,
              "not bore and outside");
    check_run(run_limber("bearing --pitch 39,04 --ball 7.94 --balls 9 --rpm 1500"), 2,
              "decimals follow a point");
    check_run(run_limber("bearing --inner 24 --outer 18 --balls 8 --rpm 1"), 2, "do not run on");
    check_run(run_limber("bearing --inner 18 --balls 8 --rpm 1"), 2, "two diameters");
    check_run(run_limber("bearing --inner 18 --outer 24 --ball 3 --balls 8 --rpm 1"), 2,
              "two diam");
    check_run(run_limber("bearing --inner 18 --outer 24 --balls 8.5 --rpm 1"), 2, "a whole number");
    check_run(run_limber("bearing --inner 18 --outer 24 --balls 22 --rpm 1"), 2,
              "22 balls of diameter 3 do not fit on a circle of diameter 21, only 21");
    check_run(run_limber("bearing --inner 18 --outer 24 --balls 21 --rpm 1"), 0, "ball spin");
    check_run(run_limber("bearing --inner 18 --outer 24 --balls 8 --rpm -1"), 2,
              "--rpm must be positive");
    check_run(run_limber("bearing --inner 18 --outer 24 --balls 8 --rpm 1 --angle 95"), 2, "angle");
}

static void beams(void **state)
{
    (void)state;
    const char *shaft = "beam simple --length 0.8 --at 0.26666666666666666 --diameter 0.015";
    check_run(run_limber("%s", shaft), 0, "P a^2 b^2 / (3 E I L)");
    check_run(run_limber("%s", shaft), 0, "stiffness at the force 61");
    check_run(run_limber("%s", shaft), 0, "k = 3 E I L / (a^2 b^2)");
    check_run(run_limber("beam propped --length 1 --inertia 1e-6"), 0, "k = 768 E I / (7 L^3)");
    check_run(run_limber("beam fixed --length 2 --inertia 1e-6 --force 100"), 0,
              "P L^3 / (192 E I)");
    check_run(
        run_limber("beam cantilever --length 1 --width 0.012 --height 0.1 --modulus 1e9 --json"), 0,
        "\"stiffness\": 3000");
    check_run(run_limber("beam overhang --length 1 --at 0.5 --diameter 0.1 --bore 0.08 --x 1.2"), 0,
              "between the supports        0.57735");
    check_run(run_limber("beam propped --length 1 --inertia 1e-6 --json"), 0,
              "\"at_0\": {\"x\": 0");
}

static void wrong_beams(void **state)
{
    (void)state;
    check_run(run_limber("beam simpel --length 1 --inertia 1"), 2, "did you mean 'simple'?");
    check_run(run_limber("beam simple --inertia 1"), 2, "give the --length");
    check_run(run_limber("beam simple --length 1"), 2, "give the section");
    check_run(run_limber("beam simple --length 1 --inertia 1 --diameter 1"), 2, "give the section");
    check_run(run_limber("beam simple --length 1 --inertia 1 --at 1"), 2, "between the ends");
    check_run(run_limber("beam simple --length 1 --diameter 1 --bore 1"), 2, "bore");
    check_run(run_limber("beam simple --length -1 --inertia 1"), 2, "length");
    check_run(run_limber("beam simple --length 1 --inertia 0"), 2, "E I must be positive");
    check_run(run_limber("beam overhang --length 1 --inertia 1"), 2, "overhang");
    check_run(run_limber("beam simple --length 1 --inertia 1 --x 2"), 2, "not to --x 2");
    check_run(run_limber("beam cantilever --length 1 --diameter 50"), 0, "lengths are in m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bearings),
        cmocka_unit_test(wrong_bearings),
        cmocka_unit_test(beams),
        cmocka_unit_test(wrong_beams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
