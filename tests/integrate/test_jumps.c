/* Jumps of forces in time, position and velocity: error-controlled steps of all implicit methods
 * find them, so that errors go with the tolerance until rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models.h"
#include "motions.h"
#include "support.h"

#define PARTICLE "limber: 1\ndimension: 2\nbodies:\n  a: {type: particle, mass: 1, "

static const struct {
    const char *text;
    int v; /* the velocity coordinate that is known at 0.3 s: */
    double exact;
} models[] = {
    /* from 0.1 s on 1000 m/s^2 */
    {"limber: 1\ndimension: 2\nbodies:\n  a: {mass: 1, inertia: 1}\n"
     "joints: {rail: {type: prismatic, between: [ground, a], axis: [1, 0]}}\n"
     "forces: {motor: {type: motor, joint: rail, effort: \"if(t < 0.1, 0, 1000)\"}}\n",
     0, 200},
    /* thrown back with the same speed: two jumps, at 0.1 and 0.102 s */
    {PARTICLE "position: [0, 0.1], velocity: [0, -1]}\n"
              "forces: {f: {type: force, at: a, force: [0, \"if(a.position.y < 0, 1000, 0)\"]}}\n",
     1, 1},
    /* 10 m/s^2 until 1 m/s, then 500 m/s^2 for 0.2 s */
    {PARTICLE "position: [0, 0.1]}\n"
              "forces: {f: {type: force, at: a, force: [0, \"if(a.velocity.y < 1, 10, 500)\"]}}\n",
     1, 101},
};

/* Of the velocity at 0.3 s, with results every `output` s; 0: at the end only. */
static double error_of(const lmb_model *m, int i, lmb_integration options, double output)
{
    options.step = output > 0 ? output : 0.3;
    lmb_dynamics *d = start_motion(m, options);
    d->motion->finish = 0.3;
    for (int n = 1; output > 0 && n * output < 0.3 - output / 2; n++)
        advance(d, n * output);
    double error = fabs(advance(d, 0.3)->v[models[i].v] - models[i].exact);
    lmb_dynamics_free(d);
    return error;
}

/* A jump is passed so near that velocities move nothing further than a hundredth of the tolerance
 * in the 0.2 s that are left: two jumps are wrong by 0.02 L / (0.2 s) times it at most, where L is
 * 1 m. Rounding of accelerations, 1e-16 m over h^2, adds up to less than 1e-7 m/s. */
static void errors_after_jumps_go_with_the_tolerance(void **unused)
{
    (void)unused;
    static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
    static const double radii[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1};
    for (int i = 0; i < 3; i++) {
        lmb_model *m = model_of_text(models[i].text);
        for (const lmb_integrator *const *x = lmb_integrators; *x; x++)
            for (int r = 0; (*x)->implicit && (*x)->may_control && r < 13; r++)
                for (int k = 0; k < 18 && radii[r] >= (*x)->least_radius; k++) {
                    if (!(*x)->damps && radii[r] < 1)
                        continue;
                    double tolerance = tolerances[k % 6], output = (double[]){0, 0.1, 0.01}[k / 6];
                    double error = error_of(m, i,
                                            (lmb_integration){.integrator = *x,
                                                              .tolerance = tolerance,
                                                              .spectral_radius = radii[r]},
                                            output);
                    if (getenv("LIMBER_SHOW"))
                        printf("%d %s radius %g tolerance %g output %g: %g m/s\n", i, (*x)->name,
                               radii[r], tolerance, output, error);
                    assert_true(error <= 0.1 * tolerance + 1e-7);
                }
        lmb_model_free(m);
    }
}

/* With multipliers: a pendulum, pushed by a torque from 0.31 s on, against rk45. The motion itself
 * is of second order in the step, which goes with the cube root of the tolerance. */
static void a_pendulum_goes_on_after_a_jump(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
        "  a: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {o: [-0.5, 0]}}\n"
        "joints: {pin: {type: revolute, between: [ground, a.o]}}\n"
        "forces: {motor: {type: motor, joint: pin, effort: \"if(t < 0.31, 0, 20)\"}}\n");
    lmb_dynamics *exact =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-12});
    double spin = advance(exact, 0.5)->v[2];
    lmb_dynamics_free(exact);
    for (const lmb_integrator *const *x = lmb_integrators; *x; x++)
        for (int k = 0; (*x)->implicit && (*x)->may_control && k < 3; k++) {
            double tolerance = (double[]){1e-4, 1e-6, 1e-8}[k];
            lmb_dynamics *d = start_motion(m, (lmb_integration){.integrator = *x,
                                                                .step = 0.05,
                                                                .tolerance = tolerance,
                                                                .spectral_radius = 1});
            double error = fabs(advance(d, 0.5)->v[2] - spin);
            if (getenv("LIMBER_SHOW"))
                printf("%s %g: %g rad/s\n", (*x)->name, tolerance, error);
            assert_true(error < 4 * pow(tolerance, 2.0 / 3)); /* some 1/s: w^2 t */
            lmb_dynamics_free(d);
        }
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_after_jumps_go_with_the_tolerance),
        cmocka_unit_test(a_pendulum_goes_on_after_a_jump),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
