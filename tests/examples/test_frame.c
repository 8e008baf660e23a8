/* The example frame, run through the program: an engine on a frame of tubes on mounts. */
#include <math.h>

#include "math/vec.h"
#include "results.h"
#include "support.h"

static const double g = 9.81, engine = 60, k = 60e3;

static double area(double diameter, double wall)
{
    return LMB_PI * (diameter - wall) * wall;
}

/* All tubes and the engine. */
static double mass(void)
{
    return engine + 7850 * (2 * 1.6 * area(0.05, 0.002) + (4 * 0.6 + 0.6) * area(0.04, 0.002));
}

static double component(const char *channel, int i)
{
    lmb_series s = series(channel);
    assert_true(i < s.count * s.size);
    double x = s.values[i];
    lmb_series_free(&s);
    return x;
}

/* The mounts carry the weight in equal parts, to the accuracy of the equilibrium; half of the
 * engine hangs on each side of the bed. Of the weight of the tubes next to it (1.9 kg/m, 0.075 m of
 * an element) modes that are not there may hold back a part. */
static void mounts_carry_the_weight(void **unused)
{
    (void)unused;
    static const char *const mounts[] = {"rest/mount1.force", "rest/mount2.force",
                                         "rest/mount3.force", "rest/mount4.force"};
    run_example("frame", "");
    for (int i = 0; i < 4; i++)
        assert_close(component(mounts[i], 2) / (mass() * g / 4), 1, 1e-8);
    double element = 7850 * area(0.04, 0.002) * 0.075 * g;
    assert_true(fabs(fabs(component("rest/chassis.section.middle.Vz", 0)) - engine * g / 2) <
                element);
}

/* Heave: stiffer than a mass that sags as far as the engine does under all weights, the place that
 * sags most (Collatz), softer than on a rigid frame. */
static void heave_is_between_bounds(void **unused)
{
    (void)unused;
    run_example("frame", "");
    double sag = -component("rest/chassis.engine.position", 2);
    double heave = component("hang/modes.frequency", 2);
    assert_true(sag > mass() * g / (4 * k));
    assert_true(heave > sqrt(g / sag) / (2 * LMB_PI));
    assert_true(heave < sqrt(4 * k / mass()) / (2 * LMB_PI));
}

static double inertia(double diameter, double wall)
{
    return LMB_PI / 64 * (pow(diameter, 4) - pow(diameter - 2 * wall, 4));
}

/* The bed carries W l / 4 at most, as if its ends could turn freely, and M c / I in its fibres. In
 * thicker tubes stresses fall as I grows; how rails and cross tubes share the load hardly changes,
 * as the ratio of their I does by 4 %. */
static void walls_carry_the_bending(void **unused)
{
    (void)unused;
    run_example("frame", "");
    double most = engine * g / 2 * 0.3 * 0.02 / inertia(0.04, 0.002);
    double thin = component("rest/chassis.stress.bed", 0);
    double middle = fabs(component("rest/chassis.section.middle.My", 0));
    assert_true(thin < most && thin > most / 2);
    assert_close(thin / (middle * 0.02 / inertia(0.04, 0.002)), 1, 1e-3);
    run_example("frame", "--set wall=0.004");
    double thick = component("rest/chassis.stress.bed", 0);
    assert_close(thick / thin * inertia(0.04, 0.004) / inertia(0.04, 0.002), 1, 0.04);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mounts_carry_the_weight),
                                       cmocka_unit_test(heave_is_between_bounds),
                                       cmocka_unit_test(walls_carry_the_bending)};
    return cmocka_run_group_tests_name("frame", tests, open_results, close_results);
}
