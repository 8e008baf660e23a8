/* Exact beams in motion: published spin-up, a flight with known motion of the mass centre,
 * momentum, agreement of integrators, a stiff beam as a rigid body. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "motions.h"
#include "support.h"

static lmb_integration alpha(double step, double radius)
{
    return (lmb_integration){
        .integrator = &lmb_integrator_alpha, .step = step, .spectral_radius = radius};
}

/* The tip of the arm as the hub sees it, at a time. */
static vec3 tip(lmb_dynamics *d, double t)
{
    advance(d, t);
    vec3 x = point(d->solver, "arm.tip");
    double angle =
        6.0 / 15 * (t * t / 2 + pow(15 / (2 * LMB_PI), 2) * (cos(2 * LMB_PI * t / 15) - 1));
    return v3(x.x * cos(angle) + x.y * sin(angle) - 10, x.y * cos(angle) - x.x * sin(angle), 0);
}

/* Converged deflections of the spin-up of Simo and Vu-Quoc, extrapolated from two steps of a method
 * of order 2, which leaves 7e-8; 8 elements of order 3 are exact to 1e-8 here. */
static void the_arm_spins_up_as_published(void **unused)
{
    (void)unused;
    static const double at[] = {2.5, 5, 7.5, 10, 15};
    static const double u2[] = {-0.15128356, -0.46847618, -0.55908346, -0.36281451, 0.00130362};
    lmb_model *m = example_with("spin-up", "n=8 p=3");
    lmb_dynamics *coarse = start_motion(m, alpha(2e-3, 0.9)),
                 *fine = start_motion(m, alpha(1e-3, 0.9));
    for (int i = 0; i < 5; i++) {
        double a = tip(coarse, at[i]).y, b = tip(fine, at[i]).y, limit = b + (b - a) / 3;
        if (getenv("LIMBER_SHOW"))
            printf("t = %g: %.8f %.8f -> %.8f, %.8f\n", at[i], a, b, limit, u2[i]);
        assert_close(limit, u2[i], 1e-7);
    }
    lmb_dynamics_free(coarse);
    finish(fine, m);
}

/* A force of 8 N for 2.5 s on 10 kg: 20 N s, less the half step of 1.25 ms in which it ends. After
 * that momentum stays to rounding, angular momentum and energy to the order of the method. */
static void a_free_beam_flies(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("flying-beam", NULL, NULL);
    lmb_dynamics *d = start_motion(m, alpha(2.5e-3, 0.95));
    const lmb_state *s = advance(d, 3.5); /* errors of the jump have faded: 0.95^400 */
    lmb_balance before = lmb_total_balance(s);
    assert_true(fabs(before.momentum.x - (20 - 8 * 1.25e-3)) < 1e-6);
    assert_true(fabs(before.momentum.y) < 1e-9);
    double energy_before = energy(d);
    advance(d, 7.5);
    lmb_balance after = lmb_total_balance(s);
    assert_close(after.momentum.x, before.momentum.x, 1e-11);
    assert_true(fabs(after.momentum.y) < 1e-9);
    /* of order 2: a hundredth of a percent at this step */
    assert_close(after.angular_momentum.z, before.angular_momentum.z, 1e-4);
    assert_true(fabs(energy(d) - energy_before) < 2e-3 * energy_before);
    finish(d, m);
}

/* The largest change of momentum and of angular momentum, relative to what they are, of a bent rod
 * that spins and vibrates freely. */
static void largest_changes(lmb_model *m, lmb_integration options, double *momentum, double *spin)
{
    lmb_dynamics *d = start_motion(m, options);
    lmb_balance first = lmb_total_balance(d->solver->state);
    *momentum = *spin = 0;
    for (int i = 1; i <= 20; i++) {
        lmb_balance now = lmb_total_balance(advance(d, 0.05 * i));
        vec3 p = v3_sub(now.momentum, first.momentum);
        vec3 L = v3_sub(now.angular_momentum, first.angular_momentum);
        *momentum = fmax(*momentum, v3_norm(p) / v3_norm(first.momentum));
        *spin = fmax(*spin, v3_norm(L) / v3_norm(first.angular_momentum));
    }
    if (getenv("LIMBER_SHOW"))
        printf("momentum changes by %.2e, angular momentum by %.2e\n", *momentum, *spin);
    assert_true(energy(d) > 0 && lmb_elastic_energy(d->solver->state) > 1e-3 * energy(d));
    lmb_dynamics_free(d);
}

/* Without forces from outside momentum stays to rounding, with any method. Angular momentum is no
 * linear function of velocities: it stays to the order of the method, 2, or as errors are
 * controlled. */
static void free_beams_keep_their_momentum(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\nbodies:\n  b:\n    beam: {arc: {centre: [0, 1, 0], radius: 1,"
        " start: [0, -1, 0], angle: 2}, deformation: large, elements: 6, order: 2,"
        " section: {rectangle: {width: 0.02, height: 0.04}},"
        " material: {E: 4e6, nu: 0.3, density: 1000}}\n    interfaces: {A: start, B: end}\n"
        "    velocity: [1, 2, 3]\n    angular_velocity: [3, -4, 5]\n");
    double momentum[3], spin[3];
    largest_changes(m, alpha(1e-3, 0.9), &momentum[0], &spin[0]);
    largest_changes(m, alpha(5e-4, 0.9), &momentum[1], &spin[1]);
    largest_changes(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-8},
                    &momentum[2], &spin[2]);
    for (int i = 0; i < 3; i++)
        assert_true(momentum[i] < 1e-12);
    assert_true(spin[0] / spin[1] > 3.6 && spin[0] / spin[1] < 4.4);
    assert_true(spin[2] < 1e-6);
    lmb_model_free(m);
}

/* A spatial pendulum of a beam as stiff as steel against a rigid one of the same mass: thin rod,
 * I = m L^2 / 3 about its end. */
static void a_stiff_beam_swings_as_a_rigid_one(void **unused)
{
    (void)unused;
    static const char joints[] =
        "    interfaces: {o: start, e: end}\n"
        "joints: {pin: {type: revolute, between: [ground, b.o], axis: [0, 1, "
        "0]}}\n";
    char text[900];
    snprintf(
        text, sizeof text,
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n  b:\n    beam: {from: [0, 0,"
        " 0], to: [1, 0, 0], deformation: large, order: 3, elements: 4, section: {circle: "
        "{diameter: 0.02}}, material: {E: 2e15, nu: 0.3, density: 7800}}\n%s",
        joints);
    lmb_model *m = model_of_text(text);
    double radius = 0.01, mass = 7800 * LMB_PI * radius * radius;
    snprintf(
        text, sizeof text,
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n  b: {mass: %.17g, inertia: "
        "[%.17g, %.17g, %.17g], position: [0.5, 0, 0], points: {o: [-0.5, 0, 0], e: [0.5, 0, "
        "0]}}\njoints: {pin: {type: revolute, between: [ground, b.o], axis: [0, 1, 0]}}\n",
        mass, mass * radius * radius / 2, mass * (1.0 / 12 + radius * radius / 4),
        mass * (1.0 / 12 + radius * radius / 4));
    lmb_model *rigid = model_of_text(text);
    /* both are off by (w h)^2 / 12 with w = 4 1/s */
    lmb_dynamics *x = start_motion(m, alpha(2.5e-4, 0.8));
    lmb_dynamics *y = start_motion(rigid, alpha(2.5e-4, 0.8));
    for (int i = 1; i <= 5; i++) {
        advance(x, 0.2 * i);
        advance(y, 0.2 * i);
        vec3 off = v3_sub(point(x->solver, "b.e"), point(y->solver, "b.e"));
        if (getenv("LIMBER_SHOW"))
            printf("%g s: %g m\n", 0.2 * i, v3_norm(off));
        assert_true(v3_norm(off) < 1e-6);
    }
    finish(x, m);
    finish(y, rigid);
}

/* rk45, ida, generalized-alpha and ali3p agree on a soft pendulum of a beam. */
static void integrators_agree(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  b:\n"
                      "    beam: {from: [0, 0], to: [1.2, 0], deformation: large, elements: 4,"
                      " stiffness: [[12600, 0, 0], [0, 5250, 0], [0, 0, 0.08505]],"
                      " mass: [[9.972, 0, 0], [0, 9.972, 0], [0, 0, 6.7311e-5]]}\n"
                      "    interfaces: {o: start, e: end}\n"
                      "joints: {pin: {type: revolute, between: [ground, b.o]}}\n");
    lmb_dynamics *exact =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-10});
    lmb_dynamics *ida =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_ida, .tolerance = 1e-8});
    lmb_dynamics *implicit = start_motion(m, alpha(2e-4, 0.9));
    lmb_dynamics *projected =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_ali3p, .step = 2e-4});
    advance(exact, 0.3);
    advance(projected, 0.3);
    advance(ida, 0.3);
    advance(implicit, 0.3);
    vec3 a = point(exact->solver, "b.e"), b = point(ida->solver, "b.e"),
         c = point(implicit->solver, "b.e"), d = point(projected->solver, "b.e");
    if (getenv("LIMBER_SHOW"))
        printf("rk45 (%.8f %.8f), ida (%.8f %.8f), alpha (%.8f %.8f), ali3p (%.8f %.8f)\n", a.x,
               a.y, b.x, b.y, c.x, c.y, d.x, d.y);
    assert_true(v3_norm(v3_sub(a, b)) < 1e-5);
    assert_true(v3_norm(v3_sub(a, c)) < 1e-4); /* (w h)^2 with w about 50 1/s */
    assert_true(v3_norm(v3_sub(a, d)) < 1e-4);
    lmb_dynamics_free(ida);
    lmb_dynamics_free(implicit);
    lmb_dynamics_free(projected);
    finish(exact, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arm_spins_up_as_published),
        cmocka_unit_test(a_free_beam_flies),
        cmocka_unit_test(free_beams_keep_their_momentum),
        cmocka_unit_test(a_stiff_beam_swings_as_a_rigid_one),
        cmocka_unit_test(integrators_agree),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
