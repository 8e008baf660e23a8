/* Warnings about results that cannot be trusted: energy that no force accounts for, output that is
 * too coarse, instants that drown in rounding, sensors that are not finite. Each is given once, and
 * not where there is nothing to warn of. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "program.h"
#include "support.h"

/* Runs a model of a format with one text in it, in which it may stand more than once. */
static void run_model(const char *format, const char *piece)
{
    char text[2000];
    snprintf(text, sizeof text, format, piece);
    lmb_model *m = model_of_text(text);
    lmb_messages_clear(context);
    assert_ok(lmb_run(context, m, NULL, scratch_path("watched.h5")));
    lmb_model_free(m);
}

/* The only message, which has a piece. */
static const char *only_message(const char *piece)
{
    if (lmb_message_count(context) != 1)
        fail_msg("%d messages instead of one", (int)lmb_message_count(context));
    assert_message(context, piece);
    return lmb_message_at(context, 0)->text;
}

static void assert_silent(const char *what)
{
    if (lmb_message_count(context))
        fail_msg("%s: %s", what, lmb_message_at(context, 0)->text);
}

static double number_after(const char *text, const char *piece)
{
    const char *at = strstr(text, piece);
    if (!at)
        fail_msg("no '%s' in '%s'", piece, text);
    return strtod(at + strlen(piece), NULL);
}

/* --- energy ----------------------------------------------------------------------------------- */

/* An oscillator of w = 100 1/s, released at x = 0.1: its energy is k x^2/2 = 50 J. */
static const char oscillator[] =
    "limber: 1\ndimension: 2\nparameters: {w: 100}\n"
    "bodies: {m: {mass: 1, inertia: 1, position: [1.1, 0]}}\n"
    "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
    "forces: {spring: {type: spring, between: [ground, m], stiffness: w^2, length: 1}}\n"
    "analyses: {go: {type: dynamics, duration: 1, %s}}\n";

/* Semi-implicit Euler keeps E - (h/2) k x v: from x = 0.1, v = 0 on E changes by up to z/2 of
 * itself, z = w h, to first order in z. */
static void euler_at_too_large_a_step(void **unused)
{
    (void)unused;
    run_model(oscillator, "output_step: 0.002, integrator: euler, step: 0.0005"); /* z/2 is 2.5 % */
    assert_silent("a short step");
    run_model(oscillator, "output_step: 0.002, integrator: euler, step: 0.002"); /* 10 % */
    const char *text = only_message("that no force accounts for");
    assert_message(context, "shorter steps than 0.002 s");
    double z = 0.2, joules = number_after(text, "analysis 'go': ");
    assert_close(joules / 50, z / 2, z * z);
    assert_close(number_after(text, "accounts for, ") / 100, z / 2, z * z);
    double t = number_after(text, " by t = ");
    assert_true(t > 0 && t <= 1);
}

/* From z = 2 on the oscillation grows without bounds; Adams' method grows at z = 1 already. */
static void unstable_steps(void **unused)
{
    (void)unused;
    run_model(oscillator, "output_step: 0.0201, integrator: euler, step: 0.0201");
    only_message("have appeared by t = ");
    run_model(oscillator, "output_step: 0.01, integrator: adams, step: 0.01");
    only_message("have appeared by t = ");
}

/* With a spectral radius below 1 the implicit methods damp what is fast against their steps. */
static void algorithmic_damping(void **unused)
{
    (void)unused;
    run_model(oscillator,
              "output_step: 4e-3, integrator: generalized-alpha, step: 4e-3, spectral_radius: 0.2");
    only_message("are lost by t = ");
    assert_message(context, "give a smaller 'step'");
    run_model(
        oscillator,
        "output_step: 0.002, integrator: generalized-alpha, step: 0.0002, spectral_radius: 0.8");
    assert_silent("short steps");
    run_model(oscillator, "output_step: 0.002, integrator: rk45");
    assert_silent("rk45");
    run_model(oscillator, "output_step: 0.002, integrator: ida");
    assert_silent("ida");
}

/* A stiff and damped spring in a pendulum, driven by a motor: energy comes and goes, and all of it
 * is accounted for; that of the fast vibration is a small part. */
static void stiff_motions_are_correct(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  rod: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {o: [-0.5, 0], e: [0.5, 0]}}\n"
        "  bob: {mass: 1, inertia: 0.1, position: [1.1, 0]}\n"
        "joints:\n"
        "  hinge: {type: revolute, between: [ground, rod.o]}\n"
        "  slide: {type: translational, between: [rod, bob], axis: [1, 0]}\n"
        "forces:\n"
        "  stiff: {type: spring, between: [rod.o, bob], stiffness: 1e7, damping: 100, length: "
        "1.1}\n"
        "  motor: {type: motor, joint: hinge, effort: 2*sin(3*t)}\n"
        "analyses: {go: {type: dynamics, duration: 2, output_step: 0.01, %s}}\n";
    run_model(model, "integrator: generalized-alpha, step: 0.002, spectral_radius: 0.5");
    assert_silent("generalized-alpha");
    run_model(model, "integrator: ida");
    assert_silent("ida");
}

/* Nothing moves: what rounding does to the energies is not worth a word. */
static void rest_is_quiet(void **unused)
{
    (void)unused;
    run_model("limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
              "bodies: {m: {mass: 1, inertia: 1, position: [0, 0.9019]}}\n"
              "joints: {guide: {type: translational, between: [ground, m], axis: [0, 1]}}\n"
              "forces: {spring: {type: spring, between: [ground, m], stiffness: 100, length: "
              "1}}\n"
              "analyses: {go: {type: dynamics, duration: 5, %s}}\n",
              "output_step: 0.1");
    assert_silent("at rest");
}

/* A closed chain at rest without gravity: rounding moves it. */
static void rest_without_forces_is_quiet(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\nbodies:\n"
        "  a: {mass: 1, inertia: 1, position: [0.3, 0.4], angle: 0.3,"
        " points: {A: [-0.5, 0], B: [0.5, 0]}}\n"
        "  b: {mass: 1, inertia: 1, position: [1.3, 0.4], points: {A: [-0.7, 0], B: [0.5, 0]}}\n"
        "  c: {mass: 1, inertia: 1, position: [1.9, 0.2], angle: 2,"
        " points: {A: [-0.7, 0], B: [0.5, 0]}}\n"
        "joints:\n"
        "  j: {type: revolute, between: [ground, a.A]}\n"
        "  k: {type: revolute, between: [a.B, b.A]}\n"
        "  l: {type: revolute, between: [b.B, c.A]}\n"
        "  m: {type: revolute, between: [c.B, [2, -0.1]]}\n"
        "analyses: {go: {type: dynamics, duration: 1, output_step: 0.01, integrator: %s}}\n";
    static const char *const integrators[] = {"rk45", "ida", "generalized-alpha", "ali3p"};
    for (int i = 0; i < 4; i++) {
        run_model(model, integrators[i]);
        assert_silent(integrators[i]);
    }
}

/* F = sin(2 pi t): at whole periods nothing moves and no work has been done, but between them the
 * kinetic energy is 1/(2 pi^2) J. With two instants in a period the output shows the motion. */
static void output_at_whole_periods(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\n"
        "bodies: {m: {mass: 1, inertia: 1}}\n"
        "joints: {guide: {type: prismatic, between: [ground, m], axis: [1, 0]}}\n"
        "forces: {f: {type: motor, joint: guide, effort: sin(2*pi*t)}}\n"
        "analyses: {go: {type: dynamics, duration: 20, %s}}\n";
    run_model(model, "output_step: 1");
    only_message("an output every 1 s does not show the motion of 'm.x'");
    run_model(model, "output_step: 20");
    assert_silent("the end alone");
}

/* --- output ----------------------------------------------------------------------------------- */

/* 100 1/s are 15.9 Hz, a period of 0.063 s: two instants in it are not enough. */
static void output_that_is_too_coarse(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\nparameters: {w: 100}\n"
        "bodies: {m: {mass: 1, inertia: 1, position: [1.1, 0]}}\n"
        "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
        "forces: {spring: {type: spring, between: [ground, m], stiffness: w^2, length: 1}}\n"
        "analyses: {go: {type: dynamics, duration: 4, output_step: %s}}\n";
    run_model(model, "0.025");
    assert_silent("two and a half instants in a period");
    run_model(model, "0.04");
    const char *text = only_message("an output every 0.04 s does not show the motion of 'm.x'");
    /* 100 instants of a sine: the two sums are those of sin^2 and cos^2, each n/2 + O(1) */
    assert_close(number_after(text, "about "), 100 / (2 * acos(-1)), 0.05);
    assert_message(context, "an 'output_step' of about 0.006 s");
    run_model(model, "2*pi/w"); /* always the same phase */
    assert_close(number_after(only_message("the motion of 'm.x'"), "about "), 15.9, 0.2);
}

/* Rounding turns back with every step while a body is at rest in equilibrium. It is no vibration of
 * the motion that follows. */
static void rounding_before_a_motion_is_quiet(void **unused)
{
    (void)unused;
    run_model("limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
              "bodies: {b: {mass: 1, inertia: 1/12, position: [0.1, -0.5], points: {top: [0, 0.5], "
              "e: [0.2, -0.5]}}}\n"
              "joints: {pin: {type: revolute, between: [ground, b.top]}}\n"
              "forces:\n  s: {type: spring, between: [[0.31, -2], b.e], stiffness: 1000}\n"
              "  f: {type: motor, joint: pin, effort: \"step(t, 0.8, 0, 1.3, 3)\"}\n"
              "analyses:\n  st: {type: statics}\n"
              "  go: {type: dynamics, from: st, duration: 1, output_step: 0.02, %s}\n",
              "integrator: generalized-alpha, step: 1e-4");
    assert_silent("a body that rests before it moves");
}

/* A wheel that turns by more than half a turn between two instants. */
static void wheels_that_seem_to_stand(void **unused)
{
    (void)unused;
    static const char model[] = "limber: 1\ndimension: 2\n"
                                "bodies: {wheel: {mass: 1, inertia: 1, angular_velocity: 100*pi}}\n"
                                "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                                "analyses: {go: {type: dynamics, duration: 1, output_step: %s}}\n";
    run_model(model, "0.009");
    assert_silent("0.45 of a turn");
    run_model(model, "0.02");
    assert_close(number_after(only_message("the motion of 'wheel.angle'"), "about "), 50, 1e-9);
}

/* A beam that was struck vibrates in its first mode: clamped and free b = 1.8751,
 * f = b^2 / (2 pi l^2) sqrt(E I / (rho A)) = 41.8 Hz for a square bar of 10 mm, l = 0.44 m. */
static void vibrations_of_flexible_bodies(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\n"
        "bodies:\n"
        "  bar:\n"
        "    beam: {from: [0, 0], to: [0.44, 0], elements: 8, section: {rectangle: {width: 0.01, "
        "height: 0.01}}, material: steel}\n"
        "    interfaces: {A: start, B: end}\n"
        "    reduction: {modes: 2, keep: 2}\n"
        "    modes_velocity: [1, 0]\n"
        "joints: {clamp: {type: fixed, between: [ground, bar.A]}}\n"
        "analyses: {go: {type: dynamics, duration: 2, output_step: %s, integrator: "
        "generalized-alpha, step: 0.0002}}\n";
    run_model(model, "0.002");
    assert_silent("twelve instants in a period");
    run_model(model, "0.02");
    double f = 1.8751 * 1.8751 / (2 * acos(-1) * 0.44 * 0.44) * sqrt(210e9 / 7850 / 12) * 0.01;
    /* a basis of two modes is a few per cent too stiff, and the second mode has a part in it */
    assert_close(number_after(only_message("'bar.mode"), "about ") / f, 1, 0.2);
}

/* --- rounding, sensors ------------------------------------------------------------------------ */

static const char free_body[] = "limber: 1\ndimension: 2\n"
                                "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
                                "analyses: {go: {type: dynamics, %s}}\n";

static void steps_that_drown_in_rounding(void **unused)
{
    (void)unused;
    run_model(free_body, "start: 1e9, duration: 1e-7, output_step: 1e-8");
    only_message("near t = 1e+09 numbers are 1.2e-07 s apart"); /* 2^-23 */
    run_model(free_body,
              "start: 1e9, duration: 1, output_step: 0.1, integrator: euler, step: 1e-4");
    only_message("steps of 0.0001 s are lost in rounding"); /* 1.2e-3 of them */
    run_model(free_body, "start: 1e9, duration: 1, output_step: 0.1");
    assert_silent("long steps");
    run_model(free_body, "duration: 1e-7, output_step: 1e-8");
    assert_silent("a short time from 0 on");
}

static void sensors_that_are_not_finite(void **unused)
{
    (void)unused;
    run_model("limber: 1\ndimension: 2\n"
              "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
              "sensors:\n"
              "  fine: sqrt(2 - a.position.x)\n"
              "  root: sqrt(0.45 - a.position.x)\n"
              "analyses: {go: {type: dynamics, duration: 1, %s}}\n",
              "output_step: 0.1");
    only_message("sensor 'root' is not a finite number in analysis 'go' at t = 0.5");
    assert_int_equal(lmb_message_at(context, 0)->line, 6);
}

/* x = 1 + load/2 under 50 N on 100 N/m; the sensor ends at x = 1.22. The guide leaves a mode
 * across.
 */
static void sensors_over_modes_and_loads(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\n"
        "bodies: {a: {mass: 1, inertia: 1, position: [1, 0]}}\n"
        "joints: {guide: {type: translational, between: [ground, a], axis: [1, 0]}}\n"
        "forces:\n"
        "  s: {type: spring, between: [ground, a], stiffness: 100, length: 1}\n"
        "  f: {type: force, at: a, force: [50, 0]}\n"
        "sensors: {root: sqrt(1.22 - a.position.x)}\n"
        "analyses: {go: {%s}}\n";
    run_model(model, "type: statics, follow: load, steps: 10");
    only_message("sensor 'root' is not a finite number in analysis 'go' at load = 0.5");
    run_model(model, "type: statics, follow: load, steps: 10, load: 0.3");
    assert_silent("a small load");
    run_model(model, "type: modes");
    assert_message(context, "sensor 'root' is not a finite number in analysis 'go' at mode = 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_at_too_large_a_step),
        cmocka_unit_test(unstable_steps),
        cmocka_unit_test(algorithmic_damping),
        cmocka_unit_test(stiff_motions_are_correct),
        cmocka_unit_test(rest_is_quiet),
        cmocka_unit_test(rest_without_forces_is_quiet),
        cmocka_unit_test(output_at_whole_periods),
        cmocka_unit_test(output_that_is_too_coarse),
        cmocka_unit_test(rounding_before_a_motion_is_quiet),
        cmocka_unit_test(wheels_that_seem_to_stand),
        cmocka_unit_test(vibrations_of_flexible_bodies),
        cmocka_unit_test(steps_that_drown_in_rounding),
        cmocka_unit_test(sensors_that_are_not_finite),
        cmocka_unit_test(sensors_over_modes_and_loads),
    };
    return cmocka_run_group_tests_name("watching a run", tests, open_models, close_models);
}
