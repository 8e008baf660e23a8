/* Inverse dynamics of flexible bodies is integrated: its derivatives do not depend on the steps.
 *
 * A slider-crank whose rod vibrates as it starts. With the tolerances 1e-6, 1e-8 and 1e-11 of
 * generalized-alpha the derivative of the effort at the end was once -2197, -2066 and -2057. */
#include <math.h>
#include <stdio.h>

#include "gradients.h"
#include "support.h"

static const char crank[] =
    "limber: 1\ndimension: 2\nparameters: {d: 0.012}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 0.002, angular_velocity: 60, points: {B: [0.15, 0]}}\n"
    "  rod:\n"
    "    beam: {from: [0, 0], to: [0.4, 0], elements: 4, section: {circle: {diameter: d}}, "
    "material: steel}\n"
    "    interfaces: {B: start, C: end}\n"
    "    reduction: {modes: 2, frame: mass-centre}\n"
    "    position: [0.15, 0]\n"
    "    damping: {stiffness: 4e-5}\n"
    "  slider: {mass: 0.5, inertia: 0.001, position: [0.55, 0]}\n"
    "joints:\n"
    "  main: {type: revolute, between: [ground, crank]}\n"
    "  pin: {type: revolute, between: [crank.B, rod.B]}\n"
    "  wrist: {type: revolute, between: [rod.C, slider]}\n"
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    "drivers:\n  motor: {joint: main, angle: 60*t}\n"
    "analyses:\n  forces: {type: inverse-dynamics, duration: 0.01, output_step: 0.001, %s}\n"
    "objectives:\n  peak: {max: motor.effort}\n  end: {final: motor.effort}\n";

/* The gradient by d with options of the analysis; an integrator is asked for, or NULL. */
static lmb_gradient *gradient_with(const char *options, lmb_gradient_method method,
                                   const lmb_integrator *integrator)
{
    char text[2000];
    lmb_spec *spec;
    snprintf(text, sizeof text, crank, options);
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    lmb_gradient *g = gradient_of_spec(spec, "d", method, integrator, 0);
    lmb_spec_free(spec);
    return g;
}

/* Results settle to 1e-6, whatever the tolerance, and by either method. */
static void tolerances_do_not_matter(void **unused)
{
    (void)unused;
    lmb_gradient *coarse = gradient_with("tolerance: 1e-6", LMB_GRADIENT_AUTO, NULL),
                 *fine = gradient_with("tolerance: 1e-11", LMB_GRADIENT_DIFFERENCES, NULL),
                 *other = gradient_with("integrator: rk45", LMB_GRADIENT_ADJOINT, NULL);
    static const char *const names[] = {"peak", "end"};
    for (int i = 0; i < 2; i++) {
        double expected = slope_of(coarse, names[i], "d");
        assert_close(slope_of(fine, names[i], "d"), expected, 1e-6 * fabs(expected));
        assert_close(slope_of(other, names[i], "d"), expected, 1e-6 * fabs(expected));
        expected = value_of(coarse, names[i]);
        assert_close(value_of(fine, names[i]), expected, 1e-6 * fabs(expected));
    }
    assert_int_equal(coarse->methods[0], LMB_GRADIENT_DIRECT);
    assert_int_equal(fine->methods[0], LMB_GRADIENT_DIFFERENCES);
    lmb_gradient_free(coarse);
    lmb_gradient_free(fine);
    lmb_gradient_free(other);
}

/* The limit is that of the motion: runs of rk45, whose errors are divided by a neighbour's distance
 * of 2.5e-4, leave 1e-12 / 2.5e-4 of efforts and some more of accelerations. */
static void the_limit_is_right(void **unused)
{
    (void)unused;
    lmb_gradient *g = gradient_with("tolerance: 1e-8", LMB_GRADIENT_AUTO, NULL),
                 *runs = gradient_with("integrator: rk45, tolerance: 1e-12",
                                       LMB_GRADIENT_DIFFERENCES, &lmb_integrator_rk45);
    double expected = slope_of(runs, "end", "d");
    assert_close(slope_of(g, "end", "d"), expected, 1e-6 * fabs(expected));
    assert_close(value_of(g, "end"), value_of(runs, "end"), 1e-8 * fabs(value_of(runs, "end")));
    lmb_gradient_free(g);
    lmb_gradient_free(runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerances_do_not_matter),
        cmocka_unit_test(the_limit_is_right),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
