/* Small motions about moving states against closed forms and published frequencies.
 *
 * A is exact but for rounding, so closed forms of well-conditioned mechanisms are met to 1e-11. */
#include <math.h>
#include <stdlib.h>

#include "analysis/modes.h"
#include "analysis/state_space.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static lmb_dynamics *moving(const lmb_model *m)
{
    lmb_integration options = {.integrator = &lmb_integrator_rk45, .tolerance = 1e-10};
    return start_motion(m, options);
}

/* The eigenvalues of a model as it starts, seen from the ground. */
static lmb_mode_list modes_of_text(const char *text)
{
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = moving(m);
    lmb_mode_list list;
    assert_ok(lmb_find_modes(d->solver, &list));
    finish(d, m);
    return list;
}

static const char bead[] =
    "limber: 1\ndimension: 2\nbodies:\n"
    "  wire: {mass: 1, inertia: 1}\n"
    "  bead: {type: particle, mass: 2, position: [%s, 0], velocity: [0, %g*%s]}\n"
    "joints:\n"
    "  turn: {type: revolute, between: [ground, wire]}\n"
    "  slide: {type: slot, between: [wire, bead], axis: [1, 0]}\n"
    "drivers: {motor: {joint: turn, angle: 0.3 + %g*t}}\n"
    "forces:\n"
    "  spring: {type: motor, joint: slide, effort: -200*offset}\n"
    "  load: {type: force, at: bead, force: [0, 0], axes: body}\n";

/* On a wire that turns with w: x'' = (w^2 - k/m) x + F/m, whatever way the wire points. */
static void a_bead_feels_the_turning_wire(void **unused)
{
    (void)unused;
    for (double w = 0; w <= 12; w += 3) {
        char text[1000];
        snprintf(text, sizeof text, bead, "0", w, "0", w);
        lmb_model *m = model_of_text(text);
        lmb_dynamics *d = moving(m);
        lmb_small_motion *o;
        assert_ok(lmb_small_motion_new(&o, d->solver, 0));
        assert_int_equal(o->states, 2);
        assert_string_equal(o->names[0], "slide.offset");
        assert_string_equal(o->names[1], "slide.offset_velocity");
        const double A[] = {0, w * w - 100, 1, 0};
        for (int i = 0; i < 4; i++)
            assert_close(o->A[i], A[i], 1e-12);
        lmb_mode_list list;
        assert_ok(lmb_modes_of(o, context, &list));
        assert_int_equal(list.count, w < 10 ? 1 : 2);
        if (w < 10) {
            assert_close(list.modes[0].frequency, sqrt(100 - w * w) / (2 * LMB_PI), 1e-12);
            assert_close(list.modes[0].damping, 0, 1e-12);
        } else { /* thrown out, or in by the same motion backwards */
            assert_true(list.modes[0].frequency == 0 && isnan(list.modes[0].damping));
            assert_close(fabs(list.modes[0].time_constant), 1 / sqrt(w * w - 100), 1e-12);
            assert_close(list.modes[0].time_constant, -list.modes[1].time_constant, 1e-12);
        }
        lmb_mode_list_free(&list);
        lmb_small_motion_free(o);
        finish(d, m);
    }
}

/* 1/(k/m - w^2)/m at 0 Hz, and the effort on the motor that turns the wire: 2 m w x' r = 0. */
static void a_bead_responds_as_it_vibrates(void **unused)
{
    (void)unused;
    char text[1000];
    const char *inputs[] = {"spring", NULL}, *outputs[] = {"slide.offset", NULL};
    snprintf(text, sizeof text, bead, "0", 9.0, "0", 9.0);
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = moving(m);
    lmb_state_space o;
    assert_ok(lmb_find_state_space(d->solver, inputs, outputs, &o));
    for (double w = 0; w < 10; w += 1.7) {
        double re, im;
        assert_ok(lmb_state_space_response(&o, context, 0, 0, w, &re, &im));
        assert_close(re, 1 / (2 * (19 - w * w)), 1e-9);
        assert_close(im, 0, 1e-12);
    }
    lmb_state_space_free(&o);
    finish(d, m);
}

/* A sleeping top: A th'' - i C s th' - m g l th = 0 with th = th_x + i th_y, so the eigenvalues are
 * i (C s +- sqrt(C^2 s^2 - 4 A m g l)) / (2 A), stable for C s > 2 sqrt(A m g l). */
static void a_sleeping_top_is_as_in_the_textbook(void **unused)
{
    (void)unused;
    const double spins[] = {5, 15, 40, 300}, mass = 1.5, l = 0.2, J = 0.02, C = 0.03;
    const double A = J + mass * l * l, weight = mass * 9.81 * l;
    for (int i = 0; i < 4; i++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
            "bodies: {top: {mass: %g, inertia: [%g, %g, %g], position: [0, 0, %g],"
            " rotation: [0, 0, 0.7], angular_velocity: [0, 0, %g], points: {tip: [0, 0, %g]}}}\n"
            "joints: {floor: {type: spherical, between: [ground, top.tip]}}\n",
            mass, J, J, C, l, spins[i], -l);
        lmb_mode_list list = modes_of_text(text);
        double p = C * spins[i] / (2 * A), inside = p * p - weight / A;
        assert_true(list.modes[0].rigid); /* it may spin faster, and stand turned */
        assert_int_equal(list.count, 3);
        for (int k = 1; k < 3; k++) {
            const lmb_mode *mode = &list.modes[k];
            int side = k == 1 ? -1 : 1;
            double root = sqrt(fabs(inside));
            assert_close(mode->imaginary, inside > 0 ? p + side * root : p, 1e-11);
            assert_close(inside > 0 ? mode->real : fabs(mode->real), inside > 0 ? 0 : root, 1e-11);
        }
        assert_true(inside > 0 || list.modes[1].real * list.modes[2].real < 0);
        assert_int_equal(inside > 0, spins[i] > 38); /* 2 sqrt(A m g l) / C = 37.8 */
        lmb_mode_list_free(&list);
    }
}

/* A slender cantilever on a hub that turns with mu sqrt(EI / (rho A L^4)): along the axis of
 * rotation it vibrates with the f that A. Hamza-cherif and A. Houmat give, across it with
 * sqrt(f^2 - mu^2). Ten modes that bend represent the beam to 1e-3. */
static void a_rotating_cantilever_vibrates_as_published(void **unused)
{
    (void)unused;
    static const double f[] = {4.1373, 5.5850, 7.3603, 9.2568, 11.2023};
    const double first = sqrt(2.1e11 * 1e-4 / 12 / 7800) / (2 * LMB_PI);
    for (int i = 0; i < 5; i++) {
        char text[1000];
        double mu = 2 * (i + 1), W = 2 * LMB_PI * first * mu;
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 3\nbodies:\n  beam:\n"
                 "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 40, section: {rectangle: "
                 "{width: 0.01, height: 0.01}}, material: {E: 2.1e11, nu: 0.3, density: 7800}}\n"
                 "    interfaces: {root: start}\n"
                 "    reduction: {modes: 20, keep: 10, stiffening: true, frame: {point: root}}\n"
                 "joints: {hinge: {type: revolute, between: [ground, beam.root],"
                 " axis: [0, 0, 1]}}\n"
                 "drivers: {motor: {joint: hinge, angle: %.17g*t}}\n",
                 W);
        lmb_mode_list list = modes_of_text(text);
        assert_close(list.modes[0].frequency / first / sqrt(f[i] * f[i] - mu * mu), 1, 1e-3);
        assert_close(list.modes[1].frequency / first / f[i], 1, 1e-3);
        assert_close(list.modes[0].damping, 0, 1e-9);
        lmb_mode_list_free(&list);
    }
}

/* Slow modes beside fast ones, 38 Hz and 17.5 kHz in a closed loop: Rayleigh's quotient of a shape
 * is right to second order, and its sums have no large terms. So both must agree to rounding, 1e-16
 * of the largest over the smallest square, 2e5; ill-chosen coordinates lose five digits more. */
static void slow_modes_are_as_good_as_fast_ones(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("four-bar-flexible", "damping", "0");
    lmb_solver *s;
    lmb_rank rank;
    lmb_mode_list list;
    size_t n = (size_t)m->nv;
    double *K = calloc(2 * n * n, sizeof *K), *x = calloc(n, sizeof *x);
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    assert_ok(lmb_find_equilibrium(s));
    assert_ok(lmb_find_modes(s, &list));
    lmb_tangent(s->state, K, K + n * n);
    for (int k = 0; k < 6; k++) {
        const double *shape = list.modes[k].shape;
        double stiffness = 0, mass = 0;
        lmb_mass_times(s->state, shape, x);
        for (size_t i = 0; i < n; i++) {
            mass += shape[i] * x[i];
            for (size_t j = 0; j < n; j++)
                stiffness += shape[i] * K[j * n + i] * shape[j];
        }
        double rayleigh = sqrt(stiffness / mass) / (2 * LMB_PI);
        assert_close(list.modes[k].frequency / rayleigh, 1, 2e-11);
    }
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
    free(K);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bead_feels_the_turning_wire),
        cmocka_unit_test(a_bead_responds_as_it_vibrates),
        cmocka_unit_test(a_sleeping_top_is_as_in_the_textbook),
        cmocka_unit_test(a_rotating_cantilever_vibrates_as_published),
        cmocka_unit_test(slow_modes_are_as_good_as_fast_ones),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
