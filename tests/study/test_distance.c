/* How far neighbours are apart: not so near that rounding is all that is left. */
#include <math.h>

#include "models.h"
#include "study/gradient.h"
#include "support.h"

/* The frequencies of a beam go with the root of E: df/dE = f / (2 E). Its modes are found anew in
 * each neighbour, which moves the equations by more than rounding; where only that is seen, as
 * here, where an undeformed body shows nothing of E, smaller distances make it worse. What is left
 * is 1e-16 (highest / lowest frequency)^2 = 1e-9 over the distance of a thousandth. */
static void noise_of_modes(void **unused)
{
    (void)unused;
    const char *text =
        "limber: 1\ndimension: 2\nparameters: {E: 7e10}\n"
        "bodies: {rod: {beam: {from: [0, 0], to: [1, 0], section: {circle: {diameter: 0.02}},\n"
        "  material: {E: E, nu: 0.3, density: 2700}}, interfaces: {A: start, B: end}}}\n"
        "joints: {pin: {type: fixed, between: [ground, rod.A]}}\n"
        "analyses: {shapes: {type: modes}}\n"
        "objectives: {f: {at: modes.frequency, mode: 1}}\n";
    lmb_spec *spec;
    lmb_gradient *g;
    lmb_gradient_request request = {0};
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    assert_ok(lmb_gradient_find(&g, context, spec, &request));
    assert_close(g->derivatives[0] * 2 * 7e10 / g->values[0], 1, 1e-6);
    lmb_gradient_free(g);
    lmb_spec_free(spec);
}

/* A law that turns by 3e4 radians: a thousandth of the speed is 30 of them. The end is sin(w t),
 * its derivative t cos(w t), to the rounding of the angle. */
static void turning_law(void **unused)
{
    (void)unused;
    const char *text = "limber: 1\ndimension: 2\nparameters: {w: 3e3}\n"
                       "bodies: {bob: {mass: 1, inertia: 1, position: [0, 0]}}\n"
                       "joints: {guide: {type: translational, between: [ground, bob], axis: [1, "
                       "0]}}\n"
                       "drivers: {push: {joint: guide, offset: 'sin(w*t)'}}\n"
                       "analyses: {move: {type: kinematics, duration: 10, output_step: 1}}\n"
                       "objectives: {x: {final: bob.position.x}}\n";
    lmb_spec *spec;
    lmb_gradient *g;
    lmb_gradient_request request = {0};
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    assert_ok(lmb_gradient_find(&g, context, spec, &request));
    assert_close(g->derivatives[0], 10 * cos(3e4), 1e-6);
    lmb_gradient_free(g);
    lmb_spec_free(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_of_modes),
        cmocka_unit_test(turning_law),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
