/* Stable steps of explicit methods with exact beams: those that are stated are those with which a
 * vibration stays, and the warnings say them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "motions.h"
#include "support.h"

/* A free rod of soft material, for which explicit methods do not take too many steps. */
static lmb_model *rod(int dimension, const char *more)
{
    char text[700];
    snprintf(
        text, sizeof text,
        "limber: 1\ndimension: %d\nbodies:\n  rod:\n    beam: {from: %s, to: %s, elements: 4,"
        " deformation: large, section: {rectangle: {width: 0.1, height: 0.1}},"
        " material: {E: 1e6, nu: 0.3, density: 1000}}\n"
        "    interfaces: {A: start, B: end}\n"
        "forces: {push: {type: force, at: rod.B, force: %s}}\n%s",
        dimension, dimension == 2 ? "[0, 0]" : "[0, 0, 0]", dimension == 2 ? "[1, 0]" : "[1, 0, 0]",
        dimension == 2 ? "[-0.3, \"if(t < 0.001, 1, 0)\"]" : "[-0.3, \"if(t < 0.001, 1, 0)\", 0.2]",
        more);
    return model_of_text(text);
}

/* The energy after many steps of a method, or infinity if it does not get there. */
static double energy_after(const lmb_model *m, const lmb_integrator *method, double step)
{
    lmb_integration options = {.integrator = method, .step = step};
    lmb_dynamics *d = start_motion(m, options);
    lmb_status status = lmb_dynamics_advance(d, 600 * step);
    double left = status ? INFINITY : energy(d);
    lmb_dynamics_free(d);
    return isfinite(left) ? left : INFINITY;
}

/* Semi-implicit Euler keeps vibrations below 2 / w and lets them explode above. The stated step is
 * that of a bound of w, at most 10 % too short; so is that of Adams' method, whose vibrations
 * explode from 0.92 / w on. */
static void stated_steps_are_stable(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        const lmb_body *whose = NULL;
        lmb_model *m = rod(dimension, "");
        double w = lmb_highest_frequency(m, &whose);
        assert_ptr_equal(whose, &m->bodies[1]);
        double euler = lmb_integrator_euler.stable_step(w, 1),
               adams = lmb_integrator_adams.stable_step(w, 0.5);
        assert_close(euler * w, 2, 1e-12);
        double kept[] = {energy_after(m, &lmb_integrator_euler, 0.98 * euler),
                         energy_after(m, &lmb_integrator_adams, adams)};
        double lost[] = {energy_after(m, &lmb_integrator_euler, 1.15 * euler),
                         energy_after(m, &lmb_integrator_adams, 1.1 / w)};
        if (getenv("LIMBER_SHOW"))
            printf("%d-D: %.3g 1/s, energies %.2g %.2g, %.2g %.2g J\n", dimension, w, kept[0],
                   kept[1], lost[0], lost[1]);
        for (int i = 0; i < 2; i++) {
            assert_true(kept[i] < 1);
            assert_true(lost[i] > 1e3);
        }
        lmb_model_free(m);
    }
}

/* The warning of an analysis, empty without one. */
static const char *warning_of(const char *integration)
{
    static char text[512];
    char more[256];
    snprintf(more, sizeof more, "analyses: {run: {type: dynamics, output_step: 0.01, %s}}\n",
             integration);
    lmb_model *m = rod(3, more);
    lmb_messages_clear(context);
    text[0] = 0;
    lmb_warn_stability(context, m, &m->analyses[0]);
    if (lmb_message_count(context)) {
        const lmb_message *message = lmb_message_at(context, 0);
        snprintf(text, sizeof text, "%s; %s", message->text, message->hint);
    }
    lmb_model_free(m);
    return text;
}

static void explicit_methods_state_their_step(void **unused)
{
    (void)unused;
    assert_string_equal(warning_of("duration: 1"), ""); /* generalized-alpha by default */
    assert_string_equal(warning_of("duration: 1, integrator: euler, step: 1e-4"), "");
    assert_string_equal(warning_of("duration: 1, integrator: rk45"), "");
    const char *text = warning_of("duration: 1, integrator: euler, step: 0.01");
    assert_non_null(strstr(text, "not stable with steps of 0.01 s, only below 0.00"));
    assert_non_null(strstr(text, "body 'rod' vibrates at up to"));
    assert_non_null(strstr(text, "fewer elements"));
    text = warning_of("duration: 1, integrator: adams, step: 0.002");
    assert_non_null(strstr(text, "only below 0.000"));
    text = warning_of("duration: 1e4, integrator: rk45");
    assert_non_null(strstr(text, "needs steps of about 0.00"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_steps_are_stable),
        cmocka_unit_test(explicit_methods_state_their_step),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
