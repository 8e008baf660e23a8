/* The lowest modes of models of thousands of coordinates that turn, are damped, or carry a load
 * that follows them, against closed forms. */
#include <complex.h>
#undef I
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/modes.h"
#include "analysis/state_space.h"
#include "analysis/statics.h"
#include "analysis/steadiness.h"
#include "models.h"
#include "motions.h"
#include "support.h"

enum { MODES = 8 };

static lmb_dynamics *moving(const lmb_model *m)
{
    lmb_integration options = {.integrator = &lmb_integrator_rk45, .tolerance = 1e-10};
    return start_motion(m, options);
}

/* --- turning ---------------------------------------------------------------------------------- */

enum { BEADS = 1000 };

/* Beads in the middle of a wire that turns with w, each drawn to its neighbours by a motor. */
static lmb_model *beads(double k, double w)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f,
            "limber: 1\ndimension: 2\nparameters: {k: %.17g}\nbodies:\n"
            "  wire: {mass: 1, inertia: 1}\n"
            "  p{i}: {repeat: {i: [1, %d]}, type: particle, mass: 2}\n"
            "joints:\n  turn: {type: revolute, between: [ground, wire]}\n"
            "  slide{i}: {repeat: {i: [1, %d]}, type: slot, between: [wire, \"p{i}\"], axis: [1, "
            "0]}\n"
            "drivers: {motor: {joint: turn, angle: 0.3 + %.17g*t}}\nforces:\n",
            2 * k, BEADS, BEADS, w);
    fprintf(f,
            "  m{i}: {repeat: {i: [2, %d]}, type: motor, joint: \"slide{i}\", effort: "
            "\"k*(slide{i-1}.offset - 2*offset + slide{i+1}.offset)\"}\n"
            "  m1: {type: motor, joint: slide1, effort: k*(slide2.offset - 2*offset)}\n"
            "  m%d: {type: motor, joint: slide%d, effort: k*(slide%d.offset - 2*offset)}\n",
            BEADS - 1, BEADS, BEADS, BEADS - 1);
    fclose(f);
    lmb_model *m = model_of_text(text);
    free(text);
    return m;
}

/* x'' = w^2 x + k (neighbours - 2 x): s^2 = w^2 - 4 k sin^2(i pi / (2 N + 2)), two real ones or a
 * pair. k is such that the lowest ones without turning are 1, 2, 3, ..., nearly. Eigenvalues 1 / s
 * are found to 1e-13 of the largest, s^2 to as much of the difference of two numbers: 1e-10 is
 * asked for. */
static void beads_on_a_turning_wire(void **unused)
{
    (void)unused;
    const double w = 2.5, k = pow((BEADS + 1) / LMB_PI, 2);
    lmb_model *m = beads(k, w);
    lmb_dynamics *d = moving(m);
    lmb_mode_list list;
    lmb_sparse_motion *o;
    lmb_steadiness steadiness;
    assert_true(m->nv > LMB_MODES_DENSE);
    assert_ok(lmb_sparse_motion_new(&o, d->solver, 0, NULL));
    assert_int_equal(o->positions, BEADS);
    assert_int_equal(o->speeds, BEADS);
    for (int i = 0; i < BEADS; i++)
        assert_int_equal(o->all.list[o->coordinate[i]].kind, LMB_MOTION_JOINT);
    assert_ok(lmb_find_sparse_steadiness(d->solver, o, &steadiness));
    assert_int_equal(steadiness, LMB_STEADY);
    assert_ok(lmb_sparse_modes(o, MODES, &list));
    assert_int_equal(list.count, MODES);
    for (int i = 0, found = 0; found < MODES; i++) {
        double square = w * w - 4 * k * pow(sin((i + 1) * LMB_PI / (2 * BEADS + 2)), 2);
        for (int sign = square > 0 ? -1 : 1; sign <= 1; sign += 2, found++) {
            double nearest = INFINITY, size = sqrt(fabs(square));
            for (int j = 0; j < MODES; j++)
                nearest = fmin(nearest, hypot(list.modes[j].real - (square > 0 ? sign * size : 0),
                                              list.modes[j].imaginary - (square > 0 ? 0 : size)));
            assert_true(nearest <= 1e-10 * size);
        }
    }
    lmb_mode_list_free(&list);
    lmb_sparse_motion_free(o);
    finish(d, m);
}

/* Responses with the full matrices and without: of a position, of reactions and of an acceleration,
 * which depend on the input itself too. Both are differences of channels: good to 1e-10 of them, 10
 * to 100 in their units, or of the response. */
static void check_responses(lmb_solver *s, const lmb_small_motion *full, const lmb_sparse_motion *o)
{
    enum { OUTPUTS = 4 };
    const char *inputs[] = {"shake.y", NULL};
    const char *outputs[] = {"beam.tip.position.z", "clamp.force.x", "motor.effort",
                             "beam.tip.acceleration.y", NULL};
    lmb_state_space space;
    lmb_ports *ports;
    assert_ok(lmb_state_space_of(full, s, inputs, outputs, &space));
    assert_ok(lmb_ports_new(&ports, s, inputs, outputs));
    assert_int_equal(ports->outputs, OUTPUTS);
    for (double w = 0; w < 200; w = 3 * w + 5) {
        double re[OUTPUTS], im[OUTPUTS], x, y;
        assert_ok(lmb_sparse_response(o, ports, 0, w, re, im));
        for (int i = 0; i < OUTPUTS; i++) {
            assert_ok(lmb_state_space_response(&space, context, 0, i, w, &x, &y));
            assert_true(hypot(re[i] - x, im[i] - y) <= 1e-8 * (1 + hypot(x, y)));
        }
    }
    lmb_state_space_free(&space);
    lmb_ports_free(ports);
}

/* A beam that leaves a hub, turns with it and is bent by its weight: the matrix changes as it
 * falls. The full matrix is that of the same nodes, seen from the first one. Its eigenvalues are
 * good to rounding times (s_max / s)^2 as those of displacements and speeds together. */
static void a_turning_beam_has_the_modes_of_the_full_matrix(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  hub: {mass: 3, inertia: [0.1, 0.1, 0.2], points: {rim: [0.2, 0, 0]}}\n"
        "  beam: {beam: {from: [0.2, 0, 0], to: [1.2, 0.1, 0], deformation: large, elements: 6,"
        " y_axis: [0, 1, 0], section: {rectangle: {width: 0.05, height: 0.03}},"
        " material: {E: 2e8, nu: 0.3, density: 1000}}, damping: {stiffness: 1e-3},"
        " interfaces: {root: start, tip: end}, angular_velocity: [0, 0, 5], velocity: [-0.25, 3.5, "
        "0]}\n"
        "joints:\n  turn: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
        "  clamp: {type: fixed, between: [hub.rim, beam.root]}\n"
        "drivers: {motor: {joint: turn, angle: 5*t}}\n"
        "forces: {shake: {type: force, at: beam.tip, force: [1, 2, -1], axes: body}}\n");
    lmb_dynamics *d = moving(m);
    lmb_small_motion *full;
    lmb_sparse_motion *o;
    lmb_mode_list all, list;
    lmb_steadiness steadiness;
    assert_ok(lmb_small_motion_new(&full, d->solver, 0));
    assert_ok(lmb_modes_of(full, context, &all));
    assert_ok(lmb_sparse_motion_new(&o, d->solver, 0, NULL));
    assert_int_equal(o->positions, full->positions);
    assert_ok(lmb_find_sparse_steadiness(d->solver, o, &steadiness));
    assert_int_equal(steadiness, LMB_CHANGING);
    assert_ok(lmb_sparse_modes(o, MODES, &list));
    const lmb_mode *last = &all.modes[all.count - 1];
    double highest = hypot(last->real, last->imaginary);
    for (int i = 0; i < MODES; i++) {
        const lmb_mode *x = &list.modes[i], *y = &all.modes[i];
        double size = hypot(y->real, y->imaginary);
        double off = hypot(x->real - y->real, x->imaginary - y->imaginary);
        assert_true(off <= 2.2e-16 * highest * highest / size);
        assert_true(off <= 1e-8 * size);
    }
    check_responses(d->solver, full, o);
    lmb_mode_list_free(&all);
    lmb_mode_list_free(&list);
    lmb_sparse_motion_free(o);
    lmb_small_motion_free(full);
    finish(d, m);
}

/* A cantilever of unit length, mass and EI that turns about an axis across its clamped end with w:
 * its frequencies out of the plane are 5.5850 and 9.2568 for w = 4 and 8 (Wright, Smith, Thresher,
 * Wang 1982), in the plane the roots of their squares less w^2. It strains by up to w^2 / 2e5,
 * 3e-4, which counts as much for frequencies in the plane and less for others; its rotary inertia
 * of 1e-6 counts less still. */
static void a_turning_cantilever_has_published_frequencies(void **unused)
{
    (void)unused;
    static const double speed[] = {4, 8}, across[] = {5.5850, 9.2568};
    for (int k = 0; k < 2; k++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 3\nbodies:\n"
                 "  hub: {mass: 1, inertia: [1, 1, 1]}\n"
                 "  beam: {beam: {from: [0, 0, 0], to: [1, 0, 0], deformation: large, elements: 40,"
                 " y_axis: [0, 1, 0], stiffness: [[1e5, 0, 0, 0, 0, 0], [0, 1e5, 0, 0, 0, 0],"
                 " [0, 0, 1e5, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0],"
                 " [0, 0, 0, 0, 0, 1]], mass: [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0],"
                 " [0, 0, 1, 0, 0, 0], [0, 0, 0, 2e-6, 0, 0], [0, 0, 0, 0, 1e-6, 0],"
                 " [0, 0, 0, 0, 0, 1e-6]]}, interfaces: {root: start}}\n"
                 "joints:\n  turn: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
                 "  clamp: {type: fixed, between: [hub, beam.root]}\n"
                 "drivers: {motor: {joint: turn, angle: %g*t}}\n",
                 speed[k]);
        lmb_model *m = model_of_text(text);
        lmb_dynamics *d = moving(m);
        lmb_sparse_motion *o;
        lmb_mode_list list;
        lmb_steadiness steadiness;
        assert_true(m->nv > LMB_MODES_DENSE);
        assert_ok(lmb_find_steady_motion(d->solver, 0));
        assert_ok(lmb_sparse_motion_new(&o, d->solver, 0, NULL));
        assert_ok(lmb_find_sparse_steadiness(d->solver, o, &steadiness));
        assert_int_equal(steadiness, LMB_STEADY);
        assert_ok(lmb_sparse_modes(o, 2, &list));
        double in = sqrt(across[k] * across[k] - speed[k] * speed[k]);
        assert_close(list.modes[0].imaginary / in, 1, 1e-3);
        assert_close(list.modes[1].imaginary / across[k], 1, 1e-3);
        lmb_mode_list_free(&list);
        lmb_sparse_motion_free(o);
        finish(d, m);
    }
}

/* A small model with a full matrix whose largest eigenvalue, of shear against a rotary inertia of
 * 1e-6, is about 1e7 times the lowest: that one is not taken for zero. w = 1.8751^2, less what
 * rotary inertia (1e-6) and 8 elements of order 2 make of it, below 1e-5. */
static void a_stiff_beam_of_few_nodes_is_not_called_rigid(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\nbodies:\n"
                      "  beam: {beam: {from: [0, 0], to: [1, 0], deformation: large, elements: 8,"
                      " stiffness: [[1e9, 0, 0], [0, 1e9, 0], [0, 0, 1]],"
                      " mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1e-6]]}, interfaces: {foot: start}}\n"
                      "joints: {clamp: {type: fixed, between: [ground, beam.foot]}}\n");
    lmb_solver *s = at_rest(m);
    lmb_mode_list list;
    assert_true(m->nv < LMB_MODES_DENSE);
    assert_ok(lmb_find_modes(s, &list));
    const lmb_mode *last = &list.modes[list.count - 1];
    assert_true(hypot(last->real, last->imaginary) > 1e7);
    assert_int_equal(list.count, m->nv - 3);
    assert_false(list.modes[0].rigid);
    assert_close(list.modes[0].imaginary / pow(1.87510406871196, 2), 1, 1e-5);
    assert_close(list.modes[1].imaginary / pow(4.69409113297417, 2), 1, 2e-4);
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* --- damped ----------------------------------------------------------------------------------- */

/* N masses from a wall, with springs between them and a damper at the last one: x_j = sinh(j a),
 * m s^2 = 2 k (cosh a - 1), and at the end (m s^2 + c s + k) x_N = k x_(N-1). */
static double complex damped_end(double complex s, int N, double mass, double k, double c)
{
    double complex a = cacosh(1 + mass * s * s / (2 * k));
    return (mass * s * s + c * s + k) * csinh(N * a) - k * csinh((N - 1) * a);
}

/* A force on the last mass moves it by sinh(N a) over the same. Channels are differences, of a
 * position of 1000 m: good to 1e-16 of it over a step of 1e-5, and to 1e-10 themselves. */
static void check_chain_response(lmb_solver *s, int N, double mass, double k, double c)
{
    char name[30];
    const char *inputs[] = {"f.x", NULL}, *outputs[] = {name, NULL};
    lmb_ports *ports;
    lmb_sparse_motion *o;
    snprintf(name, sizeof name, "p%d.position.x", N);
    assert_ok(lmb_sparse_motion_new(&o, s, 0, NULL));
    assert_ok(lmb_ports_new(&ports, s, inputs, outputs));
    for (double w = 0.01; w < 1; w *= 1.7) {
        double re, im;
        double complex x = w * _Complex_I, a = cacosh(1 + mass * x * x / (2 * k));
        double complex exact = csinh(N * a) / damped_end(x, N, mass, k, c);
        assert_ok(lmb_sparse_response(o, ports, 0, w, &re, &im));
        assert_true(cabs(re + im * _Complex_I - exact) <= 1e-7 * cabs(exact));
    }
    lmb_ports_free(ports);
    lmb_sparse_motion_free(o);
}

static void a_damper_at_the_end_of_a_chain(void **unused)
{
    (void)unused;
    enum { N = 1000 };
    const double mass = 2, k = 1000, c = sqrt(mass * k) / 3;
    char text[1200];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\nbodies:\n"
             "  p{i}: {repeat: {i: [1, %d]}, type: particle, mass: %g, position: [i, 0]}\n"
             "joints:\n  r{i}: {repeat: {i: [1, %d]}, type: slot, between: [ground, \"p{i}\"], "
             "axis: [1, 0]}\nforces:\n  s{i}: {repeat: {i: [2, %d]}, type: spring, between: "
             "[\"p{i-1}\", \"p{i}\"], stiffness: %g}\n"
             "  a: {type: spring, between: [ground, p1], stiffness: %g}\n"
             "  b: {type: spring, between: [ground, p%d], stiffness: 0, damping: %.17g}\n"
             "  f: {type: force, at: p%d, force: [0, 0]}\n",
             N, mass, N, N, k, k, N, c, N);
    lmb_model *m = model_of_text(text);
    lmb_solver *s = at_rest(m);
    lmb_mode_list list;
    assert_false(lmb_modes_are_symmetric(s));
    assert_ok(lmb_find_some_modes(s, 0, MODES, &list));
    assert_int_equal(list.count, MODES);
    for (int i = 0; i < MODES; i++) {
        double complex x = list.modes[i].real + list.modes[i].imaginary * _Complex_I;
        double complex slope = (damped_end(x * (1 + 1e-6), N, mass, k, c) -
                                damped_end(x * (1 - 1e-6), N, mass, k, c)) /
                               (2e-6 * x);
        /* the distance to the root by Newton's method; rounding in cosh a - 1 is 1e-16 of 1, of
         * which s^2 m / k is 1e-6 */
        assert_true(cabs(damped_end(x, N, mass, k, c) / slope) <= 1e-9 * cabs(x));
        assert_true(list.modes[i].real < -1e-3 * cabs(x));
        /* and no root is left out: they are about a half-wave apart */
        double w = (i + 0.5) * LMB_PI / N * sqrt(k / mass);
        assert_true(fabs(list.modes[i].imaginary - w) < 0.5 * LMB_PI / N * sqrt(k / mass));
    }
    check_chain_response(s, N, mass, k, c);
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* --- a load that follows ---------------------------------------------------------------------- */

/* Beck's column, a cantilever of unit EI, mass and length with a force P along its tip: with
 * a^2, b^2 = -+ P / 2 + sqrt(P^2 / 4 + w^2),
 *
 *   P^2 + 2 w^2 + 2 w^2 cosh a cos b + P w sinh a sin b = 0 */
static double complex beck(double complex w, double P)
{
    double complex root = csqrt(P * P / 4 + w * w);
    double complex a = csqrt(root - P / 2), b = csqrt(root + P / 2);
    return P * P + 2 * w * w + 2 * w * w * ccosh(a) * ccos(b) + P * w * csinh(a) * csin(b);
}

/* It flutters above P = 20.05. Stiffnesses of 1e6 let it strain by P / 1e6, 2e-5, which counts some
 * times as a change of P; shear and a rotary inertia of 1e-6 lower w by about b^2 / 1e6, 1.3e-4 of
 * the fourth. */
static void becks_column_flutters(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double P = k ? 22 : 18;
        char text[1000];
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 2\nbodies:\n"
                 "  column: {beam: {from: [0, 0], to: [1, 0], deformation: large, elements: 840,"
                 " stiffness: [[1e6, 0, 0], [0, 1e6, 0], [0, 0, 1]],"
                 " mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1e-6]]},"
                 " interfaces: {foot: start, tip: end}}\n"
                 "joints: {clamp: {type: fixed, between: [ground, column.foot]}}\n"
                 "forces: {push: {type: force, at: column.tip, force: [-%g, 0], axes: body}}\n",
                 P);
        lmb_model *m = model_of_text(text);
        lmb_solver *s = at_rest(m);
        lmb_mode_list list;
        assert_true(m->nv > 5000);
        assert_ok(lmb_find_some_modes(s, 0, 4, &list));
        for (int i = 0; i < 4; i++) {
            double complex w = list.modes[i].imaginary - list.modes[i].real * _Complex_I;
            double complex slope = (beck(w * (1 + 1e-5), P) - beck(w * (1 - 1e-5), P)) / (2e-5 * w);
            assert_true(cabs(beck(w, P) / slope) <= 3e-4 * cabs(w));
        }
        bool flutters = list.modes[0].damping < -1e-3 || list.modes[1].damping < -1e-3;
        assert_true(flutters == (k == 1));
        lmb_mode_list_free(&list);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beads_on_a_turning_wire),
        cmocka_unit_test(a_turning_beam_has_the_modes_of_the_full_matrix),
        cmocka_unit_test(a_turning_cantilever_has_published_frequencies),
        cmocka_unit_test(a_stiff_beam_of_few_nodes_is_not_called_rigid),
        cmocka_unit_test(a_damper_at_the_end_of_a_chain),
        cmocka_unit_test(becks_column_flutters),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
