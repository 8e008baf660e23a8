/* Laws that play back what an earlier analysis gave: the effort that inverse dynamics finds for a
 * prescribed motion, acting as a force, gives that motion again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "support.h"

static const double pi = 3.14159265358979323846;

/* One turn of a slider-crank with omega = 10: the steps of the record are a part dt of it. */
static const char slider_crank[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "parameters: {r: 0.15, l: 0.4, omega: 10, dt: 0.0025, steps: 64, n: 8, T: 2*pi/omega}\n"
    "bodies:\n"
    "  crank: {shape: {bar: {length: r}}, mass: 1, position: [r/2, 0], angular_velocity: omega,"
    " points: {O: [-r/2, 0], B: [r/2, 0]}}\n"
    "  rod: {shape: {bar: {length: l}}, mass: 1.5, position: [r + l/2, 0],"
    " points: {B: [-l/2, 0], C: [l/2, 0]}}\n"
    "  slider: {mass: 2, inertia: 1, position: [r + l, 0]}\n"
    "joints:\n"
    "  main: {type: revolute, between: [ground, crank.O]}\n"
    "  pin: {type: revolute, between: [crank.B, rod.B]}\n"
    "  wrist: {type: revolute, between: [rod.C, slider]}\n"
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    "drivers: {motor: {joint: main, angle: omega*t}}\n"
    "forces:\n"
    "  play: {type: motor, joint: main, effort: record(turn/motor.effort)}\n"
    "  rough: {type: motor, joint: main, effort: \"record(turn/motor.effort, linear)\"}\n"
    "  series: {type: motor, joint: main, effort: \"fourier(turn/motor.effort, n, T/2, 3*T/2)\"}\n"
    "analyses:\n"
    "  turn: {type: inverse-dynamics, duration: 2*T, output_step: T*dt,"
    " without: [play, rough, series]}\n"
    "  rk: {type: dynamics, duration: T, output_step: T, tolerance: 1e-12,"
    " without: [motor, rough, series]}\n"
    "  linear: {type: dynamics, duration: T, output_step: T, tolerance: 1e-11,"
    " without: [motor, play, series]}\n"
    "  alpha: {type: dynamics, duration: T, output_step: T, integrator: generalized-alpha,"
    " step: T/steps, without: [motor, rough, series]}\n"
    "  euler: {type: dynamics, duration: T, output_step: T, integrator: euler, step: T/steps,"
    " without: [motor, rough, series]}\n"
    "  fourier: {type: dynamics, duration: T, output_step: T, tolerance: 1e-12,"
    " without: [motor, play, rough]}\n";

static const char sliding_rod[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "parameters: {L: 1.5, a: 60*deg, v: 0.5, dt: 0.01, steps: 64}\n"
    "bodies:\n"
    "  rod: {shape: {bar: {length: L}}, mass: 20, position: [L/2*cos(a), L/2*sin(a)], angle: -a,"
    " angular_velocity: v/(L*sin(a)), points: {A: [-L/2, 0], B: [L/2, 0]}}\n"
    "joints:\n"
    "  wall: {type: slot, between: [ground, rod.A], axis: [0, 1]}\n"
    "  floor: {type: slot, between: [ground, rod.B], axis: [1, 0]}\n"
    "drivers: {pull: {point: rod.B, direction: x, offset: L*cos(a) + v*t}}\n"
    "forces: {push: {type: force, at: rod.B, force: [record(slide/pull.effort), 0]}}\n"
    "analyses:\n"
    "  slide: {type: inverse-dynamics, duration: 0.5, output_step: 0.5*dt, without: [push]}\n"
    "  rk: {type: dynamics, duration: 0.5, output_step: 0.5, tolerance: 1e-12, without: [pull]}\n"
    "  alpha: {type: dynamics, duration: 0.5, output_step: 0.5, integrator: generalized-alpha,"
    " step: 0.5/steps, without: [pull]}\n"
    "  euler: {type: dynamics, duration: 0.5, output_step: 0.5, integrator: euler,"
    " step: 0.5/steps, without: [pull]}\n";

/* The last number of a channel after a run with a parameter changed. */
static double last(const char *model, const char *set, const char *channel)
{
    const char *path = scratch_path("playback.yaml"), *result = scratch_path("playback.h5");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(model, file);
    fclose(file);
    lmb_run_result run = run_limber("run %s --quiet --set %s -o %s", path, set, result);
    if (run.code)
        fail_msg("%s", run.err);
    free_run(&run);
    run = run_limber("get %s %s --final", result, channel);
    assert_int_equal(run.code, 0);
    double value = strtod(run.out, NULL);
    free_run(&run);
    return value;
}

static double error_of(const char *model, const char *name, double value, const char *channel,
                       double expected)
{
    char set[64];
    snprintf(set, sizeof set, "%s=%.17g", name, value);
    return fabs(last(model, set, channel) - expected);
}

/* The order of an error in a parameter that is halved from `from`. */
static double order_of(const char *model, const char *name, double from, const char *channel,
                       double expected, double *fine)
{
    double factor = strcmp(name, "dt") == 0 ? 0.5 : 2;
    double coarse = error_of(model, name, from, channel, expected);
    *fine = error_of(model, name, from * factor, channel, expected);
    return log2(coarse / *fine);
}

/* A cubic spline is of order 4, straight pieces of order 2 (their error does not change its sign
 * over a bend, so it is not averaged away); what the steps of rk45 add is far below. */
static void error_falls_with_the_output_step(void **unused)
{
    (void)unused;
    double fine;
    assert_true(order_of(slider_crank, "dt", 0.025, "rk/crank.angle", 2 * pi, &fine) > 3.5);
    assert_true(fine < 1e-5);
    double order = order_of(slider_crank, "dt", 0.025, "linear/crank.angle", 2 * pi, &fine);
    assert_true(order > 1.5 && order < 2.5);
    double end = 1.5 * cos(pi / 3) + 0.5 * 0.5;
    assert_true(order_of(sliding_rod, "dt", 0.1, "rk/rod.B.position.x", end, &fine) > 3.5);
    assert_true(fine < 1e-6);
}

/* With a fine record the error is that of the integrator: order 2 and 1. */
static void error_falls_with_the_step(void **unused)
{
    (void)unused;
    double end = 1.5 * cos(pi / 3) + 0.5 * 0.5, fine, order;
    order = order_of(slider_crank, "steps", 200, "alpha/crank.angle", 2 * pi, &fine);
    assert_true(order > 1.8 && order < 2.3 && fine < 1e-4);
    order = order_of(slider_crank, "steps", 400, "euler/crank.angle", 2 * pi, &fine);
    assert_true(order > 0.8 && order < 1.2 && fine < 1e-1);
    order = order_of(sliding_rod, "steps", 64, "alpha/rod.B.position.x", end, &fine);
    assert_true(order > 1.8 && order < 2.3 && fine < 1e-4);
    order = order_of(sliding_rod, "steps", 64, "euler/rod.B.position.x", end, &fine);
    assert_true(order > 0.8 && order < 1.2 && fine < 1e-2);
}

/* The torque is a smooth periodic function: its harmonics fall geometrically (about r/l from one
 * even one to the next), and so does what is left out. */
static void error_falls_with_the_harmonics(void **unused)
{
    (void)unused;
    double before = INFINITY, error = 0;
    for (double n = 2; n <= 16; n *= 2) {
        error = error_of(slider_crank, "n", n, "fourier/crank.angle", 2 * pi);
        assert_true(error < before / 50);
        before = error;
    }
    assert_true(error < 1e-9); /* that of rk45 over the turn */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_falls_with_the_output_step),
        cmocka_unit_test(error_falls_with_the_step),
        cmocka_unit_test(error_falls_with_the_harmonics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
