/* Analyses without some of the joints, drivers and forces of their model: the same as a model that
 * does not have them. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/kinematics.h"
#include "models.h"
#include "motions.h"
#include "program.h"
#include "support.h"
#include "system/state.h"

/* A slider-crank; what stands in `more` comes after its joints. */
static lmb_model *slider_crank(const char *more)
{
    char text[2048];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "bodies:\n"
             "  crank: {mass: 1, inertia: 0.01, position: [0.05, 0.05], angle: 1,"
             " points: {O: [-0.1, 0], B: [0.1, 0]}}\n"
             "  rod: {mass: 2, inertia: 0.03, position: [0.3, 0.1],"
             " points: {B: [-0.25, 0], C: [0.25, 0]}}\n"
             "  slider: {mass: 1, inertia: 1, position: [0.6, 0]}\n"
             "joints:\n"
             "  main: {type: revolute, between: [ground, crank.O]}\n"
             "  pin: {type: revolute, between: [crank.B, rod.B]}\n"
             "  wrist: {type: revolute, between: [rod.C, slider]}\n"
             "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
             "%s",
             more);
    return model_of_text(text);
}

static const char motor[] = "drivers: {motor: {joint: main, angle: 1 + 3*t}}\n"
                            "forces: {rub: {type: motor, joint: guide, effort: -2*speed}}\n"
                            "analyses:\n"
                            "  fall: {type: dynamics, duration: 1, without: [motor]}\n"
                            "  turn: {type: inverse-dynamics, duration: 1, without: [rub]}\n"
                            "  apart: {type: dynamics, duration: 1, without: [motor, pin]}\n";

static lmb_dynamics *start(const lmb_model *m, const lmb_selection *without,
                           const lmb_integrator *integrator)
{
    lmb_integration options = {.integrator = integrator,
                               .tolerance = integrator == &lmb_integrator_rk45 ? 1e-11 : 0,
                               .step = 1e-3,
                               .spectral_radius = 0.9};
    return start_without(m, without, options);
}

/* The two models have the same equations in another matrix: only rounding differs, which grows by
 * few orders in a second of this motion. Implicit steps are solved to 1e-8 of the accelerations (of
 * 60 m/s^2 here), by iterations that differ, and with the radius 0.9 ten of these errors add up:
 * 6e-6 in each model, times the masses of 4 kg in reactions. */
static void falls_as_if_it_had_no_driver(void **unused)
{
    (void)unused;
    lmb_model *driven = slider_crank(motor);
    lmb_model *plain =
        slider_crank("forces: {rub: {type: motor, joint: guide, effort: -2*speed}}\n");
    static const lmb_integrator *const integrators[] = {&lmb_integrator_rk45, &lmb_integrator_alpha,
                                                        &lmb_integrator_euler};
    for (int i = 0; i < 3; i++) {
        lmb_dynamics *a = start(driven, &driven->analyses[0].without, integrators[i]);
        lmb_dynamics *b = start(plain, NULL, integrators[i]);
        assert_int_equal(a->rank.counts.free, 1);
        assert_int_equal(a->rank.counts.driver_rows, 0);
        assert_int_equal(a->rank.counts.joint_rows, b->rank.counts.joint_rows);
        assert_int_equal(a->rank.counts.redundant, 0);
        for (int k = 1; k <= 4; k++) {
            advance(a, 0.25 * k);
            advance(b, 0.25 * k);
            const lmb_state *x = a->solver->state, *y = b->solver->state;
            for (int j = 0; j < driven->nv; j++) {
                assert_close(x->q[j], y->q[j], 1e-8);
                assert_close(x->v[j], y->v[j], 1e-8);
                assert_close(x->a[j], y->a[j], integrators[i]->implicit ? 1.2e-5 : 1e-6);
            }
            for (int r = 0; r < plain->nrows; r++) /* the rows of the joints come first */
                assert_close(x->lambda[r], y->lambda[r], integrators[i]->implicit ? 5e-5 : 1e-6);
            assert_true(x->lambda[driven->drivers[0].row] == 0);
        }
        lmb_dynamics_free(a);
        lmb_dynamics_free(b);
    }
    lmb_model_free(driven);
    lmb_model_free(plain);
}

/* With the driver the drag relieves or burdens it; without the force it does not. */
static void efforts_are_those_without_the_force(void **unused)
{
    (void)unused;
    lmb_model *all = slider_crank(motor);
    lmb_model *plain = slider_crank("drivers: {motor: {joint: main, angle: 1 + 3*t}}\n");
    lmb_kinematics *a, *b;
    lmb_state *initial = lmb_state_at(all, 0);
    lmb_switch_absent(initial, &all->analyses[1].without);
    assert_ok(lmb_kinematics_from(&a, context, initial, true));
    assert_ok(lmb_kinematics_new(&b, context, plain, 0, true));
    for (int k = 1; k <= 5; k++) {
        assert_ok(lmb_kinematics_advance(a, 0.2 * k));
        assert_ok(lmb_kinematics_advance(b, 0.2 * k));
        for (int r = 0; r < all->nrows; r++)
            assert_close(a->solver->state->lambda[r], b->solver->state->lambda[r], 1e-10);
    }
    lmb_state_free(initial);
    lmb_kinematics_free(a);
    lmb_kinematics_free(b);
    lmb_model_free(all);
    lmb_model_free(plain);
}

/* Without its pin the crank is a pendulum of its own, and the rod with the slider another. */
static void joints_can_be_left_out(void **unused)
{
    (void)unused;
    lmb_model *m = slider_crank(motor);
    lmb_dynamics *d = start(m, &m->analyses[2].without, &lmb_integrator_rk45);
    assert_int_equal(d->rank.counts.free, 3); /* crank, rod about the slider, slider */
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

/* Kinematics cannot be without its driver, and says so. */
static void undetermined_motion_is_reported(void **unused)
{
    (void)unused;
    lmb_model *m = slider_crank(motor);
    lmb_kinematics *k;
    lmb_state *initial = lmb_state_at(m, 0);
    lmb_switch_driver(initial, 0, false);
    assert_int_equal(lmb_kinematics_from(&k, context, initial, false), LMB_SOLVER);
    assert_message(context, "1 degree of freedom is left with 0 drivers");
    lmb_state_free(initial);
    lmb_model_free(m);
}

/* Through the program: the effort of a driver that is left out is zero. */
static void efforts_left_out_are_zero(void **unused)
{
    (void)unused;
    const char *path = scratch_path("without.yaml");
    lmb_run_result made =
        run_shell("sed 's/^analyses:/forces: {load: {type: motor, joint: main, effort: 1}}\\n"
                  "analyses:\\n  fall: {type: dynamics, duration: 0.2, without: [motor, load]}/' "
                  "examples/slider-crank/slider-crank.yaml");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(made.out, file);
    fclose(file);
    free_run(&made);
    lmb_run_result run = run_limber("run %s --quiet -o %s", path, scratch_path("without.h5"));
    assert_int_equal(run.code, 0);
    free_run(&run);
    static const char *const zero[] = {"fall/motor.effort", "fall/load.effort"};
    for (int i = 0; i < 2; i++) {
        run = run_limber("get %s %s --max", scratch_path("without.h5"), zero[i]);
        assert_int_equal(run.code, 0);
        assert_true(strtod(run.out, NULL) == 0);
        free_run(&run);
    }
    run = run_limber("get %s turn/motor.effort --max", scratch_path("without.h5"));
    assert_true(strtod(run.out, NULL) > 1);
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_as_if_it_had_no_driver),
        cmocka_unit_test(efforts_are_those_without_the_force),
        cmocka_unit_test(joints_can_be_left_out),
        cmocka_unit_test(undetermined_motion_is_reported),
        cmocka_unit_test(efforts_left_out_are_zero),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
