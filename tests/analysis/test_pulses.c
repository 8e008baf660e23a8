/* Pulses of laws that are far shorter than the steps around them: adaptive steps end there, so that
 * the momentum is that of the pulse, and equal steps that miss them are warned of. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gradients.h"
#include "models.h"
#include "support.h"

/* A body on a rail, and another that turns about a pin beside its centre: both have a moment of
 * inertia or a mass of 1. A law moves each from rest. */
static const char bodies[] =
    "limber: 1\ndimension: 2\nparameters: {F: 1e4}\n"
    "tables: {hat: {type: linear, points: [[0, 0], [0.3, 0], [0.3001, 1e4], [0.3002, "
    "0]]}}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1}\n"
    "  b: {mass: 0.5, inertia: 0.5, position: [1, 0], points: {o: [-1, 0]}}\n"
    "joints:\n"
    "  rail: {type: prismatic, between: [ground, a], axis: [1, 0]}\n"
    "  pin: {type: revolute, between: [ground, b.o]}\n"
    "forces:\n"
    "  f: {type: motor, joint: rail, effort: \"%s\"}\n"
    "  g: {type: motor, joint: pin, effort: \"%s\"}\n"
    "  none: {type: motor, joint: rail, effort: 0}\n"
    "%s"
    "analyses: {go: {type: dynamics, duration: %g, output_step: %g, %s}}\n"
    "objectives: {v: {final: a.velocity.x}, w: {final: b.angular_velocity}}\n";

typedef struct pulse {
    const char *law;
    double impulse, duration, output_step;
} pulse;

static void write_model(char text[4000], const pulse *p, const char *events, const char *options)
{
    snprintf(text, 4000, bodies, p->law, p->law, events, p->duration, p->output_step, options);
}

static double last_of(lmb_result *r, const char *channel)
{
    lmb_series s;
    assert_ok(lmb_result_read(r, context, channel, &s));
    double last = s.values[s.count - 1];
    lmb_series_free(&s);
    return last;
}

static const pulse pulses[] = {
    {"if(t > 0.4999 and t < 0.5001, F, 0)", 2, 1, 0.1},
    {"if(t < 0.50001 and t > 0.5, F, 0)", 0.1, 1, 0.01},
    {"100*exp(-((t - 53.3)/0.01)^2)", 1.7724538509055159, 100, 1},
    {"hat(t)", 1, 1, 0.5},
    {"F*(step(t, 0.3, 0, 0.3001, 1) - step(t, 0.3002, 0, 0.3003, 1))", 2, 1, 1},
};

static void assert_momentum(const pulse *p, const char *events, const char *options,
                            double tolerance)
{
    char text[4000];
    lmb_result *r;
    write_model(text, p, events, options);
    lmb_model *m = model_of_text(text);
    assert_ok(lmb_run_to_memory(&r, context, m, NULL));
    double v = last_of(r, "go/a.velocity.x"), w = last_of(r, "go/b.angular_velocity");
    if (fabs(v - p->impulse) > tolerance || fabs(w - p->impulse) > tolerance)
        fail_msg("%s, %s: %.10g m/s, %.10g rad/s", options, p->law, v, w);
    lmb_result_close(r);
    lmb_model_free(m);
}

/* Positions err by 1e-8 m per step at most, velocities by 1e-3 m/s where steps take 1e-5 s. */
static void adaptive_steps_end_at_pulses(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof pulses / sizeof *pulses; i++) {
        assert_momentum(&pulses[i], "", "integrator: rk45", 1e-6);
        assert_momentum(&pulses[i], "", "integrator: ida", 1e-6);
        assert_momentum(&pulses[i], "", "integrator: generalized-alpha, tolerance: 1e-8", 3e-3);
        assert_momentum(&pulses[i], "", "integrator: hht, tolerance: 1e-8", 3e-3);
        assert_momentum(&pulses[i], "", "integrator: ali3p, tolerance: 1e-8", 3e-3);
        assert_momentum(&pulses[i], "", "integrator: rk45, stabilisation: partitioning", 1e-6);
    }
}

/* Events are looked for step by step. */
static void pulses_are_met_between_events(void **unused)
{
    (void)unused;
    const char *events = "events: {early: {when: t - 0.2, release: [none]}, late: {when: "
                         "a.velocity.x - 100, release: [none]}}\n";
    for (size_t i = 0; i < sizeof pulses / sizeof *pulses; i++) {
        assert_momentum(&pulses[i], events, "integrator: rk45", 1e-6);
        assert_momentum(&pulses[i], events, "integrator: generalized-alpha, tolerance: 1e-8", 3e-3);
    }
}

/* The velocity is F times 2e-4 s. Steps that have derivatives cross a jump in 1e-6 of a step. */
static void gradients_follow_the_same_steps(void **unused)
{
    (void)unused;
    static const lmb_gradient_method methods[] = {LMB_GRADIENT_DIRECT, LMB_GRADIENT_ADJOINT};
    char text[4000];
    write_model(text, &pulses[0], "", "integrator: generalized-alpha, tolerance: 1e-8");
    for (int i = 0; i < 2; i++) {
        lmb_gradient *g = gradient_of_text(text, "F", methods[i], 0);
        assert_close(value_of(g, "v"), 2, 1e-3);
        assert_close(slope_of(g, "v", "F") * 1e4, 2, 1e-3);
        assert_close(slope_of(g, "w", "F") * 1e4, 2, 1e-3);
        lmb_gradient_free(g);
    }
}

/* A pulse of 1 N s in each period lies between all instants at which laws are compared. A motion
 * that is searched without it does not come back to its beginning. */
static void periodic_motions_have_pulses(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}}\n"
        "joints: {rail: {type: prismatic, between: [ground, a], axis: [1, 0]}}\n"
        "forces:\n  f: {type: motor, joint: rail, effort: \"if(mod(t, 1) > 0.5 and mod(t, 1) < "
        "0.5001, 1e4, 0)\"}\n"
        "  d: {type: spring, between: [ground, a], stiffness: 1, damping: 1}\n"
        "analyses: {go: {type: dynamics, begin: periodic, period: 1, duration: 1, output_step: "
        "0.01, %s}}\n";
    static const char *const options[] = {"integrator: rk45", "integrator: ida",
                                          "integrator: generalized-alpha, tolerance: 1e-8"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char text[4000];
        lmb_result *r;
        lmb_series s;
        snprintf(text, sizeof text, model, options[i]);
        lmb_model *m = model_of_text(text);
        assert_ok(lmb_run_to_memory(&r, context, m, NULL));
        assert_ok(lmb_result_read(r, context, "go/a.velocity.x", &s));
        assert_close(s.values[s.count - 1], s.values[0], 1e-4);
        assert_true(fabs(s.values[51] - s.values[50]) > 0.9);
        lmb_series_free(&s);
        lmb_result_close(r);
        lmb_model_free(m);
    }
}

/* The pin of a hanging rod of 1 kg and 1 m suddenly moves to the side with a speed of 1 m/s. An
 * impact without rebound gives the centre of the rod a quarter of it, and the driver supplies
 * 1/2 m v^2 of the cart and 1/8 m v^2 of the rod. Positions err by 1e-8 m per step at most. */
static void driven_bodies_jump_with_kinks(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n  a: {mass: 1, inertia: 1}\n"
        "  b: {mass: 1, inertia: 1/12, position: [0, -0.5], points: {top: [0, 0.5]}}\n"
        "joints:\n  rail: {type: prismatic, between: [ground, a], axis: [1, 0]}\n"
        "  pin: {type: revolute, between: [a, b.top]}\n"
        "drivers: {d: {joint: rail, offset: \"%s\"}}\n"
        "analyses: {go: {type: dynamics, duration: 1, output_step: 1e-3, %s}}\n";
    static const char *const options[] = {
        "integrator: rk45", "integrator: ida", "integrator: rk45, stabilisation: partitioning",
        "integrator: generalized-alpha, tolerance: 1e-9", "integrator: ali3p, tolerance: 1e-9"};
    static const struct {
        const char *law;
        int row;
    } laws[] = {{"ramp(t, 0, 1)", 1}, {"0.5*ramp(t, 0.5, 1)", 501}};
    for (size_t i = 0; i < 2 * sizeof options / sizeof *options; i++) {
        char text[4000];
        lmb_result *r;
        lmb_series v, E;
        int row = laws[i % 2].row;
        snprintf(text, sizeof text, model, laws[i % 2].law, options[i / 2]);
        lmb_model *m = model_of_text(text);
        lmb_messages_clear(context);
        assert_ok(lmb_run_to_memory(&r, context, m, NULL));
        assert_int_equal(lmb_message_count(context), 0);
        assert_ok(lmb_result_read(r, context, "go/b.velocity.x", &v));
        assert_ok(lmb_result_read(r, context, "go/energy.supplied", &E));
        assert_close(v.values[row], 0.25, 1e-4);
        assert_close(E.values[row], 0.625, 1e-4);
        lmb_series_free(&v);
        lmb_series_free(&E);
        lmb_result_close(r);
        lmb_model_free(m);
    }
}

/* Gaps of joints that drift open are no jumps of drivers. */
static void drift_is_no_jump(void **unused)
{
    (void)unused;
    static const char model[] =
        "limber: 1\ndimension: 2\nbodies:\n"
        "  a: {mass: 1, inertia: 1}\n"
        "  b: {mass: 1, inertia: 1, position: [0, -0.5], points: {top: [0, 0.5]}}\n"
        "joints:\n  rail: {type: prismatic, between: [ground, a], axis: [1, 0]}\n"
        "  pin: {type: revolute, between: [a, b.top]}\n"
        "drivers: {d: {joint: rail, offset: \"ramp(t, 0.5, 1) + 0.05*sin(40*t)\"}}\n"
        "analyses: {go: {type: dynamics, duration: 1, output_step: 0.01, integrator: rk45, "
        "tolerance: 1e-4, stabilisation: none}}\n";
    lmb_result *r;
    lmb_series gap;
    lmb_model *m = model_of_text(model);
    assert_ok(lmb_run_to_memory(&r, context, m, NULL));
    assert_ok(lmb_result_read(r, context, "go/constraints.position", &gap));
    assert_true(gap.values[49] > 1e-5);
    lmb_series_free(&gap);
    lmb_result_close(r);
    lmb_model_free(m);
}

/* Whether the first message warns of a pulse. */
static bool warns(const pulse *p, const char *options)
{
    char text[4000];
    lmb_result *r;
    write_model(text, p, "", options);
    lmb_model *m = model_of_text(text);
    lmb_messages_clear(context);
    assert_ok(lmb_run_to_memory(&r, context, m, NULL));
    bool found = lmb_message_count(context) &&
                 strstr(lmb_message_at(context, 0)->text, "the law of force 'f' has a pulse near");
    lmb_result_close(r);
    lmb_model_free(m);
    return found;
}

static void equal_steps_that_miss_pulses_are_warned_of(void **unused)
{
    (void)unused;
    assert_true(warns(&pulses[0], "integrator: euler, step: 0.003"));
    assert_true(warns(&pulses[2], "integrator: generalized-alpha, step: 0.1"));
    assert_false(warns(&pulses[2], "integrator: generalized-alpha, step: 0.005"));
    assert_false(warns(&pulses[0], "integrator: generalized-alpha, step: 1e-4"));
    assert_false(warns(&pulses[0], "integrator: rk45"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adaptive_steps_end_at_pulses),
        cmocka_unit_test(pulses_are_met_between_events),
        cmocka_unit_test(gradients_follow_the_same_steps),
        cmocka_unit_test(periodic_motions_have_pulses),
        cmocka_unit_test(driven_bodies_jump_with_kinks),
        cmocka_unit_test(drift_is_no_jump),
        cmocka_unit_test(equal_steps_that_miss_pulses_are_warned_of),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
