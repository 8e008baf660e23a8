/* State space and frequency response against closed forms.
 *
 * A and B are exact but for rounding: 1e-11. C and D are differences of order four, good to about
 * 1e-10 of the channel; a response near a resonance multiplies that by its height, so that 1e-9 is
 * asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "channels/channels.h"
#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/state_space.h"
#include "analysis/statics.h"
#include "math/dense.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static const char oscillator[] =
    "limber: 1\ndimension: 2\ngravity: [0, -10]\n"
    "bodies: {p: {type: particle, mass: 2, position: [1, 0]}}\n"
    "joints: {rail: {type: slot, between: [ground, p], axis: [1, 0]}}\n"
    "forces:\n"
    "  s: {type: spring, between: [[0, 0], p], stiffness: 800, damping: 4}\n"
    "  load: {type: force, at: p, force: [3*sin(7*t), 0]}\n";

/* x'' = (u - k x - c x') / m: position, velocity, acceleration, the force of the rail and of the
 * spring. */
static void an_oscillator_answers_as_in_the_textbook(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(oscillator);
    lmb_solver *s = at_rest(m);
    const char *inputs[] = {"load.x", NULL};
    const char *outputs[] = {"p.position.x", "p.velocity.x", "p.acceleration.x",
                             "s.effort",     "rail.force.y", NULL};
    lmb_state_space o;
    assert_ok(lmb_find_state_space(s, inputs, outputs, &o));
    assert_int_equal(o.states, 2);
    assert_string_equal(o.input_names[0], "load.x");
    assert_string_equal(o.output_names[2], "p.acceleration.x");
    assert_string_equal(o.state_names[1], "rail.offset_velocity");
    const double k = 800, c = 4, mass = 2;
    for (double f = 0.5; f < 20; f *= 1.3) {
        double w = 2 * LMB_PI * f, a = k - mass * w * w, b = c * w, size = a * a + b * b;
        double re = a / size, im = -b / size, x, y; /* of the position */
        const double expected[5][2] = {{re, im},
                                       {-w * im, w * re},
                                       {-w * w * re, -w * w * im},
                                       {-k * re + c * w * im, -k * im - c * w * re},
                                       {0, 0}};
        for (int i = 0; i < 5; i++) {
            double scale = hypot(expected[i][0], expected[i][1]);
            assert_ok(lmb_state_space_response(&o, context, 0, i, w, &x, &y));
            assert_true(fabs(x - expected[i][0]) <= 1e-9 * scale + 1e-12);
            assert_true(fabs(y - expected[i][1]) <= 1e-9 * scale + 1e-12);
        }
    }
    /* at the natural frequency the position lags by a quarter, 1 / (c w) high */
    double x, y, w = sqrt(k / mass);
    assert_ok(lmb_state_space_response(&o, context, 0, 0, w, &x, &y));
    assert_close(atan2(y, x), -LMB_PI / 2, 1e-9);
    assert_close(hypot(x, y), 1 / (c * w), 1e-9);
    lmb_state_space_free(&o);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* Two masses in a row, pushed on the first: it stands still where the second one on its spring
 * would swing by itself, w^2 = k2 / m2. Without damping the peaks are infinite. */
static void a_chain_has_an_antiresonance(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies:\n  p: {type: particle, mass: 3, position: [1, 0]}\n"
                      "  r: {type: particle, mass: 0.5, position: [2, 0]}\n"
                      "joints: {a: {type: slot, between: [ground, p], axis: [1, 0]},"
                      " b: {type: slot, between: [ground, r], axis: [1, 0]}}\n"
                      "forces:\n  s1: {type: spring, between: [ground, p], stiffness: 300}\n"
                      "  s2: {type: spring, between: [p, r], stiffness: 200}\n"
                      "  load: {type: force, at: p, force: [0, 0]}\n");
    lmb_solver *s = at_rest(m);
    const char *inputs[] = {"load.x", NULL}, *outputs[] = {"p.position.x", "r.position.x", NULL};
    lmb_state_space o;
    assert_ok(lmb_find_state_space(s, inputs, outputs, &o));
    double x, y, w = sqrt(200 / 0.5);
    assert_ok(lmb_state_space_response(&o, context, 0, 0, w, &x, &y));
    assert_true(hypot(x, y) < 1e-9 / 200);
    assert_ok(
        lmb_state_space_response(&o, context, 0, 1, w, &x, &y)); /* its spring holds the load */
    assert_close(x, -1.0 / 200, 1e-9);
    assert_ok(lmb_state_space_response(&o, context, 0, 0, 0, &x, &y)); /* static */
    assert_close(x, 1.0 / 300, 1e-11);
    lmb_state_space_free(&o);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* A uniform rod of length l hangs on a pin; pushed at its centre it turns with F (l/2) / (m l^2/3),
 * and the pin pushes with (3/4 - 1) F. */
static void reactions_and_accelerations_answer_at_once(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -10]\n"
                      "bodies: {rod: {mass: 3, shape: {bar: {length: 2}}, position: [0, -1],"
                      " angle: -pi/2, points: {o: [-1, 0]}}}\n"
                      "joints: {pin: {type: revolute, between: [ground, rod.o]}}\n"
                      "forces: {push: {type: force, at: rod, force: [0, 0]},"
                      " motor: {type: motor, joint: pin, effort: 0}}\n"
                      "sensors: {pull: sqrt(pin.force.x^2 + pin.force.y^2)}\n");
    lmb_solver *s = at_rest(m);
    const char *outputs[] = {"pin.force", "rod.angular_acceleration", "motor.effort", "pull", NULL};
    lmb_state_space o;
    assert_ok(lmb_find_state_space(s, NULL, outputs, &o)); /* push.x, push.y, motor */
    assert_int_equal(o.inputs, 3);
    assert_int_equal(o.outputs, 5);
    const double expected[3][5] = {{-0.25, 0, 0.25, 0, 0},
                                   {0, -1, 0, 0, -1},
                                   {0.75, 0, 0.25, 1, 0}}; /* motor: J alpha = 1, F = m alpha */
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 5; i++)
            assert_close(o.D[k * 5 + i], expected[k][i], 1e-9);
    /* let go with an angle, phi" = -(3 g / 2 l) phi = -7.5 phi, and m phi" has to be pushed */
    assert_close(o.C[0], -30 * o.N[2] * 0.75, 1e-9);
    lmb_state_space_free(&o);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The eigenvalues of A are those that the modes come from. */
static void the_matrix_has_the_modes_as_eigenvalues(void **unused)
{
    (void)unused;
    static const char *const names[] = {"particles", "double-pendulum", "n-four-bar"};
    for (int e = 0; e < 3; e++) {
        lmb_model *m = model_of_example(names[e], NULL, NULL);
        lmb_solver *s = at_rest(m);
        lmb_state_space o;
        lmb_mode_list list;
        assert_ok(lmb_find_modes(s, &list));
        assert_ok(lmb_find_state_space(s, NULL, NULL, &o));
        int n = o.states, found = 0;
        double *real = calloc((size_t)(2 + n) * (size_t)n, sizeof *real);
        assert_true(lmb_dense_eigen(n, o.A, real, real + n, real + 2 * n));
        for (int i = 0; i < n; i++)
            for (int k = 0; k < list.count; k++) {
                double w = hypot(real[i], real[n + i]);
                found += fabs(w / (2 * LMB_PI) - list.modes[k].frequency) < 1e-9 * w;
            }
        assert_int_equal(found, n);
        free(real);
        lmb_mode_list_free(&list);
        lmb_state_space_free(&o);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

/* Bodies in space on springs: D against the augmented equations with the input really there, and
 * the velocities in C against the positions: d(channel)/d(ydot) of a velocity is d/dy of its
 * position. */
static void inputs_act_on_bodies_in_space(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  box: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.4, 0.1, -0.5],"
        " points: {a: [0.1, 0, 0.2], b: [-0.1, 0.1, 0]}}\n"
        "  arm: {mass: 1, inertia: [0.02, 0.05, 0.05], position: [0.8, 0.1, -0.5], points: {e: "
        "[0.1, 0, 0.3]}}\n"
        "joints:\n"
        "  ball: {type: spherical, between: [[0.5, 0.1, -0.3], box.a]}\n"
        "  knee: {type: revolute, between: [box.b, arm], axis: [0, 1, 0]}\n"
        "forces:\n"
        "  s: {type: spring, between: [[0, 0, 1], arm.e], stiffness: 50, length: 0.2}\n"
        "  t: {type: torsion-spring, joint: knee, stiffness: 3, damping: 0.1}\n"
        "  push: {type: force, at: arm.e, force: [1, 2, 0], axes: body}\n"
        "  twist: {type: torque, at: box, torque: [0, 0, 0.3]}\n");
    lmb_solver *s = at_rest(m);
    const char *outputs[] = {"arm.e.position",
                             "arm.e.velocity",
                             "arm.e.acceleration",
                             "knee.force",
                             "ball.force_local",
                             "push.force",
                             NULL};
    lmb_state_space o;
    assert_ok(lmb_find_state_space(s, NULL, outputs, &o));
    assert_int_equal(o.inputs, 6);
    assert_int_equal(o.outputs, 18);
    for (int k = 0; k < o.free; k++)
        for (int i = 0; i < 3; i++)
            assert_close(o.C[(k + o.free) * 18 + 3 + i], o.C[k * 18 + i], 1e-9);

    lmb_channels *c;
    assert_ok(lmb_channels_new(&c, context, m, LMB_KNOWN_IN_DYNAMICS));
    vec3 inputs[4] = {{0}};
    double rows[2][18];
    for (int u = 0; u < 6; u++) {
        for (int side = 0; side < 2; side++) {
            double size = side ? 1 : -1;
            vec3 one = v3(u % 3 == 0 ? size : 0, u % 3 == 1 ? size : 0, u % 3 == 2 ? size : 0);
            inputs[2] = u < 3 ? one : v3(0, 0, 0);
            inputs[3] = u < 3 ? v3(0, 0, 0) : one;
            s->state->inputs = inputs;
            assert_true(lmb_solve_augmented(s));
            const double *row = lmb_channels_row(c, s->state);
            for (int i = 0, at, count, n = 0; outputs[i]; i++, n += count) {
                assert_ok(lmb_channels_find(c, context, outputs[i], (lmb_place){0}, &at, &count));
                memcpy(rows[side] + n, row + at, (size_t)count * sizeof *row);
            }
        }
        for (int i = 0; i < 18; i++)
            assert_close(o.D[u * 18 + i], (rows[1][i] - rows[0][i]) / 2, 1e-9);
    }
    lmb_channels_free(c);
    lmb_state_space_free(&o);
    lmb_solver_free(s);
    lmb_model_free(m);
}

static void wrong_names_are_reported(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(oscillator);
    lmb_solver *s = at_rest(m);
    lmb_state_space o;
    static const struct {
        char *input, *output, *message;
    } wrong[] = {
        {"laod.x", "p.position", "did you mean 'load'?"},
        {"load.z", "p.position", "there is no force 'load.z'"},
        {"s.x", "p.position", "there is no force 's.x'"},
        {"load", "p.positoin", "did you mean 'p.position'?"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *inputs[] = {wrong[i].input, NULL}, *outputs[] = {wrong[i].output, NULL};
        assert_int_equal(lmb_find_state_space(s, inputs, outputs, &o), LMB_USAGE);
        assert_message(context, wrong[i].message);
    }
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator_answers_as_in_the_textbook),
        cmocka_unit_test(a_chain_has_an_antiresonance),
        cmocka_unit_test(reactions_and_accelerations_answer_at_once),
        cmocka_unit_test(the_matrix_has_the_modes_as_eigenvalues),
        cmocka_unit_test(inputs_act_on_bodies_in_space),
        cmocka_unit_test(wrong_names_are_reported),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
