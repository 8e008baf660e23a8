/* The example vehicle: a flexible frame of tubes on four wheels, over a bump. */
#include <math.h>

#include "gradients.h"
#include "math/vec.h"
#include "results.h"
#include "support.h"

static const double g = 9.81, arm = 28, engine = 130, cab = 160, person = 75, load = 180;

static double area(double diameter, double wall)
{
    return LMB_PI * (diameter - wall) * wall;
}

/* Two rails and six cross tubes. */
static double tubes(void)
{
    return 7850 * (2 * 3.8 * area(0.09, 0.003) + 6 * 0.8 * area(0.06, 0.0025));
}

static double component(const char *channel, int i)
{
    lmb_series s = series(channel);
    assert_true(i < s.count * s.size);
    double x = s.values[i];
    lmb_series_free(&s);
    return x;
}

/* The gradient of one objective of the example. */
static lmb_gradient *gradient_of(const char *objective, const char *const *parameters,
                                 lmb_gradient_method method)
{
    const char *const objectives[] = {objective, NULL};
    lmb_gradient_request request = {
        .objectives = objectives, .parameters = parameters, .method = method};
    lmb_spec *spec;
    lmb_gradient *found;
    assert_ok(lmb_spec_load(&spec, context, "examples/vehicle/vehicle.yaml"));
    assert_ok(lmb_gradient_find(&found, context, spec, &request));
    lmb_spec_free(spec);
    return found;
}

/* 65.9 kg, to the rounding of some hundred elements. */
static void tubes_have_their_mass(void **unused)
{
    (void)unused;
    static const char *const none[] = {NULL};
    lmb_gradient *found = gradient_of("mass", none, LMB_GRADIENT_AUTO);
    assert_close(tubes(), 65.935, 5e-4);
    assert_close(value_of(found, "mass") / tubes(), 1, 1e-11);
    lmb_gradient_free(found);
}

/* At rest the wheels carry the weight, as far as the equilibrium goes, left and right alike; their
 * moment about y is that of the masses, whose elastic displacements along x are below 0.1 mm. */
static void wheels_carry_the_weight(void **unused)
{
    (void)unused;
    run_example("vehicle", "");
    double front = component("rest/tyre_f1.force", 2), rear = component("rest/tyre_r1.force", 2);
    double all = tubes() + engine + cab + 2 * person + load + 4 * arm;
    assert_close(component("rest/tyre_f2.force", 2) / front, 1, 1e-8);
    assert_close(component("rest/tyre_r2.force", 2) / rear, 1, 1e-8);
    assert_close(2 * (front + rear) / (all * g), 1, 1e-8);
    double ahead = component("rest/front1.position", 0),
           behind = component("rest/rear1.position", 0);
    double moment = 1.2 * engine + 0.4 * cab - 0.1 * 2 * person - 1.2 * load;
    assert_close(2 * (front / g - arm) * ahead + 2 * (rear / g - arm) * behind, moment, 1e-4 * all);
}

/* Frame and wheels are where the model places them but for the bending of the frame, which sags by
 * less than 5 mm between the struts. */
static void it_stands_level(void **unused)
{
    (void)unused;
    run_example("vehicle", "");
    double front = component("rest/frame.top_f1.position", 2),
           rear = component("rest/frame.top_r1.position", 2),
           seat = component("rest/frame.driver.position", 2);
    assert_true(fabs(front - rear) < 1e-3);
    assert_true(seat < front && seat > front - 5e-3);
}

/* Three ways to the gradient of comfort by springs, dampers and tubes: both that follow linearised
 * steps differ by the rounding of modes, differences by that of whole runs. */
static void gradients_agree(void **unused)
{
    (void)unused;
    static const char *const names[] = {"kf",        "kr",   "cf",        "cr", "rail",
                                        "rail_wall", "tube", "tube_wall", NULL};
    lmb_gradient *found[3];
    for (int i = 0; i < 3; i++)
        found[i] = gradient_of("comfort", names, (lmb_gradient_method)(LMB_GRADIENT_DIRECT + i));
    double value = value_of(found[0], "comfort");
    for (int p = 0; names[p]; p++) {
        double direct = slope_of(found[0], "comfort", names[p]);
        double adjoint = slope_of(found[1], "comfort", names[p]);
        double runs = slope_of(found[2], "comfort", names[p]);
        double scale = fmax(fabs(direct), fabs(value / found[0]->parameter_values[p]));
        if (!(fabs(adjoint - direct) <= 1e-9 * scale) || !(fabs(runs - direct) <= 1e-5 * scale))
            fail_msg("by %s: direct %.15g, adjoint %.15g (%.2g), differences %.15g (%.2g)",
                     names[p], direct, adjoint, (adjoint - direct) / scale, runs,
                     (runs - direct) / scale);
    }
    for (int i = 0; i < 3; i++)
        lmb_gradient_free(found[i]);
}

static int open_all(void **state)
{
    return open_models(state) || open_results(state);
}

static int close_all(void **state)
{
    return close_results(state) || close_models(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tubes_have_their_mass), cmocka_unit_test(wheels_carry_the_weight),
        cmocka_unit_test(it_stands_level), cmocka_unit_test(gradients_agree)};
    return cmocka_run_group_tests_name("vehicle", tests, open_all, close_all);
}
