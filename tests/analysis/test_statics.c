/* Static equilibrium and linearised modes against closed forms.
 *
 * Equilibrium is found until what is left of the forces is rounding, so positions are good to about
 * 1e-10; frequencies are eigenvalues of small matrices built with exact tangents: 1e-9. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static lmb_mode_list modes_of(lmb_solver *s)
{
    lmb_mode_list list;
    assert_ok(lmb_find_modes(s, &list));
    return list;
}

/* --- statics ------------------------------------------------------------------------------------
 */

static void a_mass_hangs_on_its_spring(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -10]\n"
        "bodies: {mass: {type: particle, mass: 2, position: [0.3, -0.2, -0.4]}}\n"
        "forces: {s: {type: spring, between: [ground, mass], stiffness: 100, length: 1}}\n");
    lmb_solver *s = at_rest(m);
    assert_close(s->state->q[0], 0, 1e-9);
    assert_close(s->state->q[1], 0, 1e-9);
    assert_close(s->state->q[2], -1.2, 1e-10);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* From upside down, where it also is in equilibrium, to where it stays. */
static void a_pendulum_falls_to_the_stable_side(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -10]\n"
                      "bodies: {rod: {mass: 3, shape: {bar: {length: 2}}, position: [0, 1],"
                      " angle: pi/2, points: {o: [-1, 0]}}}\n"
                      "joints: {pin: {type: revolute, between: [ground, rod.o]}}\n");
    lmb_solver *s = at_rest(m);
    assert_close(s->state->q[1], -1, 1e-10);
    lmb_frame f = lmb_row_force(s->state, 0, 2, m->joints[0].pair, true);
    assert_close(f.p.y, 30, 1e-9);

    /* omega^2 = 3 g / (2 l) */
    lmb_mode_list list = modes_of(s);
    assert_int_equal(list.count, 1);
    assert_close(list.modes[0].frequency, sqrt(7.5) / (2 * LMB_PI), 1e-9);
    assert_close(list.modes[0].damping, 0, 1e-9);
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* Two springs hold a bar: moments and forces balance. */
static void a_bar_on_two_springs_sags(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -10]\n"
        "bodies: {bar: {mass: 4, inertia: 1, position: [0, 0], points: {l: [-1, 0], r: [1, 0], e: "
        "[0.5, 0]}}}\n"
        "joints: {guide: {type: slot, between: [ground, bar], axis: [0, 1]}}\n"
        "forces:\n"
        "  left: {type: spring, between: [[-1, 100], bar.l], stiffness: 500, length: 100}\n"
        "  right: {type: spring, between: [[1, 100], bar.r], stiffness: 1000, length: 100}\n"
        "  load: {type: force, at: bar.e, force: [0, -60]}\n");
    lmb_solver *s = at_rest(m);
    /* both springs together carry 100 N, and 30 N m turn it: right minus left is 30 N (small angle;
     * the springs are long, so that they stay nearly vertical) */
    double left = 35.0 / 500, right = 65.0 / 1000;
    assert_close(s->state->q[1], -(left + right) / 2, 1e-4);
    assert_close(sin(s->state->q[2]), (left - right) / 2, 1e-4);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* Where a mass rests already, all forces together are zero but for rounding. */
static void a_mass_at_rest_stays(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -10]\n"
                      "bodies: {p: {type: particle, mass: 3, position: [0, 0.2]}}\n"
                      "forces: {s: {type: spring, between: [[0, 2], p], stiffness: 700}}\n");
    lmb_solver *s = at_rest(m);
    assert_close(s->state->q[1], 0.2 - 30 / 700.0, 1e-11);
    assert_ok(lmb_find_equilibrium(s));
    assert_close(s->state->q[1], 0.2 - 30 / 700.0, 1e-11);
    lmb_solver_free(s);
    lmb_model_free(m);
}

static void four_bars_hang_down(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("n-four-bar", NULL, NULL); /* begins upright */
    lmb_solver *s = at_rest(m);
    assert_close(s->state->q[1], -0.5, 1e-9);
    /* one degree of freedom: J theta'' = -((N+1)/2 + N) g theta, J = (N+1)/3 + N */
    lmb_mode_list list = modes_of(s);
    assert_int_equal(list.count, 1);
    assert_close(list.modes[0].frequency, sqrt(3.5 * 9.81 / 3) / (2 * LMB_PI), 1e-8);
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* --- where plain Newton fails --------------------------------------------------------------------
 */

/* The last line of the log about how an equilibrium was found. */
static char method[128];

static void listen(void *unused, const char *line)
{
    (void)unused;
    if (strncmp(line, "equilibrium found", 17) == 0)
        snprintf(method, sizeof method, "%s", line);
}

static lmb_solver *at_rest_by(const lmb_model *m, const char *expected)
{
    lmb_context_on_log(context, listen, NULL);
    lmb_solver *s = at_rest(m);
    lmb_context_on_log(context, NULL, NULL);
    assert_non_null(strstr(method, expected));
    return s;
}

/* A restoring force that is all but constant beyond a millimetre: Newton's steps are too long there
 * and go to and fro, the load in steps leads home. 3 = 10 atan(x / 0.001). */
static void a_saturated_spring_is_loaded_in_steps(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1, position: [0.75, 0]}}\n"
        "joints: {rail: {type: translational, between: [ground, b], axis: [1, 0]}}\n"
        "forces: {m: {type: motor, joint: rail, effort: 3 - 10*atan(offset/0.001)}}\n");
    lmb_solver *s = at_rest_by(m, "load in steps");
    assert_close(s->state->q[0], 0.001 * tan(0.3), 1e-12);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* A magnet pulls the harder the nearer, up to a hard stop: on the way there the curvature is
 * negative. 5/(0.1 + x)^2 = 1000 (1 - tanh(x / 0.0005)) */
static void a_magnet_pulls_to_its_stop(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1, position: [0.75, 0]}}\n"
        "joints: {rail: {type: translational, between: [ground, b], axis: [1, 0]}}\n"
        "forces: {m: {type: motor, joint: rail, effort: \"-5/(0.1 + max(0, offset))^2 + 1000*(1 - "
        "tanh(offset/0.0005))\"}}\n");
    lmb_solver *s = at_rest(m);
    double low = 0, high = 0.01;
    for (int i = 0; i < 60; i++) {
        double x = (low + high) / 2, force = 1000 * (1 - tanh(x / 0.0005)) - 5 / pow(0.1 + x, 2);
        *(force > 0 ? &low : &high) = x;
    }
    assert_close(s->state->q[0], low, 1e-10);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* Two bars on torsion springs, bent by a force across the end of the second that turns with it:
 * k phi2 = -P and k phi1 = -P (1 + cos phi2), whatever P. There is no potential. */
static void a_follower_force_bends_two_bars(void **unused)
{
    (void)unused;
    static const double loads[] = {12, 20, 60, 120};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 2\nbodies:\n"
                 "  a: {mass: 1, shape: {bar: {length: 1}}, position: [0.5, 0], points: {a: [-0.5, "
                 "0], b: [0.5, 0]}}\n"
                 "  b: {mass: 1, shape: {bar: {length: 1}}, position: [1.5, 0], points: {a: [-0.5, "
                 "0], b: [0.5, 0]}}\n"
                 "joints: {o: {type: revolute, between: [ground, a.a]}, k: {type: revolute, "
                 "between: [a.b, b.a]}}\n"
                 "forces:\n  t1: {type: torsion-spring, joint: o, stiffness: 10}\n"
                 "  t2: {type: torsion-spring, joint: k, stiffness: 10}\n"
                 "  push: {type: force, at: b.b, force: [0, -%g], axes: body}\n",
                 loads[i]);
        lmb_model *m = model_of_text(text);
        lmb_solver *s = at_rest(m);
        double bend = -loads[i] / 10, first = bend * (1 + cos(bend));
        assert_close(s->state->q[2], first, 1e-9);
        assert_close(s->state->q[5] - s->state->q[2], bend, 1e-9);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

/* A flat arch of two springs under more than it can carry snaps through to the other side. Relaxed
 * until a thousandth of the largest force on the way is left, which is below 100 N.
 * 2 k y (1 - l0 / l) = -P */
static void an_arch_snaps_through(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies: {p: {type: particle, mass: 1, position: [0, 0.2]}}\n"
                      "joints: {rail: {type: slot, between: [ground, p], axis: [0, 1]}}\n"
                      "forces:\n  l: {type: spring, between: [[-1, 0], p], stiffness: 1000}\n"
                      "  r: {type: spring, between: [[1, 0], p], stiffness: 1000}\n"
                      "  load: {type: force, at: p, force: [0, -20]}\n");
    double low = -1, high = -0.2, rest = sqrt(1.04);
    for (int i = 0; i < 60; i++) {
        double y = (low + high) / 2;
        *(2000 * y * (1 - rest / sqrt(1 + y * y)) < -20 ? &low : &high) = y;
    }
    lmb_solver *s;
    assert_int_equal(lmb_solver_new(&s, context, m), LMB_OK);
    assert_ok(lmb_assemble(s));
    assert_true(lmb_relax(s, 1e-3));
    double stiffness = 2000 * (1 - rest / pow(1 + low * low, 1.5));
    assert_true(fabs(s->state->q[1] - low) < 1.1 * 1e-3 * 100 / stiffness);
    assert_ok(lmb_find_equilibrium(s));
    assert_close(s->state->q[1], low, 1e-10);
    lmb_solver_free(s);
    lmb_model_free(m);
}

static void what_cannot_rest_is_reported(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\nbodies: {wheel: {mass: 1, inertia: 1}}\n"
                                 "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                                 "forces: {motor: {type: motor, joint: axle, effort: 2}}\n");
    lmb_solver *s;
    assert_int_equal(lmb_solver_new(&s, context, m), LMB_OK);
    assert_ok(lmb_assemble(s));
    assert_int_equal(lmb_find_equilibrium(s), LMB_SOLVER);
    assert_message(context, "no equilibrium found: unbalanced forces of 2 remain");
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* --- modes -------------------------------------------------------------------------------------
 */

static void a_chain_has_the_frequencies_of_the_textbook(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("particles", NULL, NULL);
    lmb_solver *s = at_rest(m);
    lmb_mode_list list = modes_of(s);
    assert_int_equal(list.count, 4);
    for (int i = 0; i < 4; i++) {
        const lmb_mode *mode = &list.modes[i];
        assert_close(mode->frequency, sqrt(500) / LMB_PI * sin((i + 1) * LMB_PI / 10), 1e-10);
        /* shapes sin(i k pi/5), of unit modal mass */
        double mass = 0, sign = mode->shape[0] > 0 ? 1 : -1;
        for (int k = 0; k < 4; k++) {
            mass += 2 * mode->shape[2 * k] * mode->shape[2 * k];
            assert_close(sign * mode->shape[2 * k],
                         sin((i + 1) * (k + 1) * LMB_PI / 5) * sqrt(2.0 / 5 / 2), 1e-9);
        }
        assert_close(mass, 1, 1e-10);
    }
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* Two rods: M and K of the small angles are known. */
static void a_double_pendulum_has_two_frequencies(void **unused)
{
    (void)unused;
    const double g = 9.81, l1 = 1, l2 = 0.8, m1 = 1, m2 = 0.8;
    double a = (m1 / 3 + m2) * l1 * l1, b = m2 * l1 * l2 / 2, c = m2 * l2 * l2 / 3;
    double k1 = (m1 / 2 + m2) * g * l1, k2 = m2 * g * l2 / 2;
    /* (k1 - w a)(k2 - w c) = w^2 b^2 */
    double A = a * c - b * b, B = -(k1 * c + k2 * a), C = k1 * k2, root = sqrt(B * B - 4 * A * C);
    lmb_model *m = model_of_example("double-pendulum", NULL, NULL); /* begins horizontally */
    lmb_solver *s = at_rest(m);
    lmb_mode_list list = modes_of(s);
    assert_int_equal(list.count, 2);
    assert_close(list.modes[0].frequency, sqrt((-B - root) / (2 * A)) / (2 * LMB_PI), 1e-9);
    assert_close(list.modes[1].frequency, sqrt((-B + root) / (2 * A)) / (2 * LMB_PI), 1e-9);
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* A damped torsional oscillator, a free wheel and an overdamped slider in one model. */
static void damping_and_rigid_modes_are_told_apart(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies:\n"
        "  wheel: {mass: 1, inertia: 0.5}\n"
        "  idler: {mass: 1, inertia: 0.2, position: [3, 0]}\n"
        "joints:\n"
        "  axle: {type: revolute, between: [ground, wheel]}\n"
        "  free: {type: revolute, between: [[3, 0], idler]}\n"
        "forces: {t: {type: torsion-spring, joint: axle, stiffness: 200, damping: 2}}\n");
    lmb_solver *s = at_rest(m);
    lmb_mode_list list = modes_of(s);
    assert_int_equal(list.count, 2);
    assert_true(list.modes[0].rigid);
    assert_true(list.modes[0].frequency == 0);
    assert_false(list.modes[1].rigid);
    assert_close(list.modes[1].frequency, 20 / (2 * LMB_PI), 1e-9);
    assert_close(list.modes[1].damping, 2 / (2 * sqrt(200 * 0.5)), 1e-9);
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_hangs_on_its_spring),
        cmocka_unit_test(a_pendulum_falls_to_the_stable_side),
        cmocka_unit_test(a_bar_on_two_springs_sags),
        cmocka_unit_test(a_mass_at_rest_stays),
        cmocka_unit_test(four_bars_hang_down),
        cmocka_unit_test(a_saturated_spring_is_loaded_in_steps),
        cmocka_unit_test(a_magnet_pulls_to_its_stop),
        cmocka_unit_test(a_follower_force_bends_two_bars),
        cmocka_unit_test(an_arch_snaps_through),
        cmocka_unit_test(what_cannot_rest_is_reported),
        cmocka_unit_test(a_chain_has_the_frequencies_of_the_textbook),
        cmocka_unit_test(a_double_pendulum_has_two_frequencies),
        cmocka_unit_test(damping_and_rigid_modes_are_told_apart),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
