/* Published problems of exact beams at rest: cantilevers under forces and under moments. Values
 * have the digits of independent computations; where no others are known the equations of the beam
 * are integrated here. Structures that snap through are in test_beam_snap.c. */
#include <math.h>
#include <stdio.h>

#include "models.h"
#include "motions.h"
#include "support.h"

/* The state of a cantilever along x with a stiffness (six numbers) under a force or torque. */
static lmb_solver *cantilever(lmb_model **model, double length, const double K[6], const char *load)
{
    char text[1500];
    snprintf(
        text, sizeof text,
        "limber: 1\ndimension: 3\nbodies:\n  b:\n    beam: {from: [0, 0, 0], to: [%.17g, 0, 0],"
        " y_axis: [0, 1, 0], deformation: large, order: 3, elements: 16, stiffness: "
        "[%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], mass: [1, 1, 1, 1, 1, 1]}\n"
        "    interfaces: {root: start, tip: end}\n"
        "joints: {clamp: {type: fixed, between: [ground, b.root]}}\nforces: {load: {%s}}\n",
        length, K[0], K[1], K[2], K[3], K[4], K[5], load);
    *model = model_of_text(text);
    return at_rest(*model);
}

/* The tip of a beam of 2 m, 0.1 x 0.5 m, under 5e8 h^3 N, and of one of 5 m under 600 kN with its
 * rotation. The values are given to all their digits. */
static void cantilevers_under_a_force(void **unused)
{
    (void)unused;
    lmb_model *m;
    double E = 2.07e11, nu = 0.3, b = 0.1, h = 0.5, G = E / (2 * (1 + nu));
    double shear = 10 * (1 + nu) / (12 + 11 * nu) * G * b * h;
    const double K[] = {
        E * b * h, shear, shear, 1e9, E * h * pow(b, 3) / 12, E * b * pow(h, 3) / 12};
    lmb_solver *s = cantilever(&m, 2, K, "type: force, at: b.tip, force: [0, 5e8*0.5^3, 0]");
    vec3 x = point(s, "b.tip");
    assert_true(fabs(2 - x.x - .150971144239) < 1e-11 && fabs(x.y - .710568597854) < 1e-11);
    lmb_solver_free(s);
    lmb_model_free(m);

    const double stiff[] = {4.8e8, 3.231e8, 3.231e8, 1e6, 9.346e6, 9.346e6};
    s = cantilever(&m, 5, stiff, "type: force, at: b.tip, force: [0, 0, -600e3]");
    const lmb_frame *tip = &s->state->frames[m->points[1].marker];
    assert_close(tip->p.z, -2.1596938945, 1e-10);
    assert_close(5 - tip->p.x, .5964712722, 1e-10);
    assert_close(acos(tip->e[0].x), .6720060638, 1e-10);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The tip of a beam under a moment of a fixed direction, which is the same all along it:
 * kappa = C^-1 R^T m, R' = R kappa~, x' = R e_x. Rotations by the mean kappa of steps of second
 * order, extrapolated. */
static vec3 bent(const double K[6], vec3 moment, double length, int steps)
{
    vec3 x = v3(0, 0, 0);
    quat turn = {1, 0, 0, 0};
    double h = length / steps;
    for (int i = 0; i < steps; i++) {
        mat3 R = quat_matrix(turn);
        vec3 local = m3_tmul(&R, moment);
        vec3 half = v3(local.x / K[3] * h / 2, local.y / K[4] * h / 2, local.z / K[5] * h / 2);
        quat middle = quat_mul(turn, quat_exp(half));
        R = quat_matrix(middle);
        local = m3_tmul(&R, moment);
        vec3 whole = v3(local.x / K[3] * h, local.y / K[4] * h, local.z / K[5] * h);
        turn = quat_mul(turn, quat_exp(whole));
        x = v3_axpy(x, h, R.c[0]);
    }
    return x;
}

/* Torsion and bending of a beam of 2 m, 0.2 x 0.4 m, by moments of 0.5 and 2 MN m at its tip. Two
 * published computations have (1.0943e-4, 1.8625e-4, 1.8117e-2) and (1.0939e-4, 1.8646e-4,
 * 1.8117e-2) m: the second number by no more than they differ, the others to their digits. */
static void a_cantilever_under_moments(void **unused)
{
    (void)unused;
    lmb_model *m;
    double E = 2.07e11, G = E / 2.6, h = 0.2, w = 0.4, A = h * w;
    double thin = w * pow(h, 3) / 12, deep = h * pow(w, 3) / 12;
    const double K[] = {E * A,    .8331 * G * A, .7961 * G * A, .5768 * G * (thin + deep),
                        E * deep, E * thin};
    vec3 moment = v3(0.5e6, 2e6, 0), coarse = bent(K, moment, 2, 2000);
    vec3 fine = bent(K, moment, 2, 4000);
    vec3 expected = v3_axpy(v3_scale(4.0 / 3, fine), -1.0 / 3, coarse);
    lmb_solver *s = cantilever(&m, 2, K, "type: torque, at: b.tip, torque: [0.5e6, 2e6, 0]");
    vec3 x = point(s, "b.tip");
    assert_true(v3_norm(v3_sub(x, expected)) < 1e-11);
    assert_true(fabs(2 - x.x - 1.0943e-4) < 5e-8);
    assert_true(fabs(fabs(x.y) - 1.8625e-4) < 2.1e-7);
    assert_true(fabs(fabs(x.z) - 1.8117e-2) < 5e-7);
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilevers_under_a_force),
        cmocka_unit_test(a_cantilever_under_moments),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
