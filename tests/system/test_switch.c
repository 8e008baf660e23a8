/* Joints, drivers and forces that are switched off and on, also while a motion is under way. */
#include <math.h>

#include "analysis/kinematics.h"
#include "models.h"
#include "motions.h"
#include "support.h"
#include "system/state.h"

static const lmb_integrator *const integrators[] = {&lmb_integrator_rk45,    &lmb_integrator_euler,
                                                    &lmb_integrator_alpha,   &lmb_integrator_hht,
                                                    &lmb_integrator_newmark, &lmb_integrator_ali3p};

static lmb_dynamics *start(const lmb_model *m, const lmb_integrator *integrator)
{
    lmb_integration options = {.integrator = integrator,
                               .tolerance = integrator == &lmb_integrator_rk45 ? 1e-11 : 0,
                               .step = 1e-3,
                               .spectral_radius = 0.9};
    return start_motion(m, options);
}

/* A bar turns about its end with omega = 2; released, its centre goes straight on with omega r and
 * it turns on. The velocity at the release is that of the integrator, so what comes after it is
 * compared with that: nothing but rounding (and its growth over a thousand steps) changes it. */
static void released_bar_flies_straight(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\n"
                                 "bodies: {bar: {mass: 2, inertia: 0.1, position: [0.5, 0],"
                                 " angular_velocity: 2, points: {O: [-0.5, 0]}}}\n"
                                 "joints: {hinge: {type: revolute, between: [ground, bar.O]}}\n");
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        lmb_dynamics *d = start(m, integrators[i]);
        const lmb_state *s = d->solver->state;
        advance(d, 0.7);
        assert_int_equal(d->rank.counts.free, 1);
        assert_close(hypot(s->v[0], s->v[1]), 1, 2e-3); /* Euler: of the order of its step */
        double v[3] = {s->v[0], s->v[1], s->v[2]}, q[3] = {s->q[0], s->q[1], s->q[2]};
        lmb_switch_joint(d->solver->state, 0, false);
        assert_ok(lmb_dynamics_switched(d));
        assert_int_equal(d->rank.counts.free, 3);
        assert_int_equal(d->rank.counts.redundant, 0);
        advance(d, 1.7);
        for (int k = 0; k < 3; k++) {
            assert_close(s->v[k], v[k], 1e-12);
            assert_close(s->q[k], q[k] + v[k], 1e-11);
        }
        assert_true(s->lambda[0] == 0 && s->lambda[1] == 0);
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* A trolley of 1 kg with 3 m/s runs into one of 2 kg: hooked together both have 1 m/s. Joints
 * count as closed at 1e-11 of a length, and a step takes 1e-3 s: rates are good to 1e-8. */
static void trolleys_are_coupled(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies:\n"
                      "  light: {mass: 1, inertia: 1, position: [0, 0], velocity: [3, 0]}\n"
                      "  heavy: {mass: 2, inertia: 1, position: [1, 0]}\n"
                      "joints:\n"
                      "  rail1: {type: translational, between: [ground, light], axis: [1, 0]}\n"
                      "  rail2: {type: translational, between: [ground, heavy], axis: [1, 0]}\n"
                      "  hook: {type: distance, between: [light, heavy], length: 0.25}\n");
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        lmb_dynamics *d;
        lmb_integration options = {.integrator = integrators[i],
                                   .tolerance = integrators[i] == &lmb_integrator_rk45 ? 1e-11 : 0,
                                   .step = 1e-3,
                                   .spectral_radius = 0.9};
        lmb_state *initial = lmb_state_at(m, 0);
        lmb_switch_joint(initial, 2, false);
        assert_int_equal(initial->rows_off, 1);
        assert_ok(lmb_dynamics_from(&d, context, initial, &options));
        lmb_state_free(initial);
        assert_int_equal(d->rank.counts.free, 2);
        advance(d, 0.25); /* now they are 0.25 m apart */
        lmb_switch_joint(d->solver->state, 2, true);
        assert_ok(lmb_dynamics_switched(d));
        assert_int_equal(d->rank.counts.free, 1);
        const lmb_state *s = d->solver->state;
        for (double t = 0.5; t < 1.1; t += 0.25) {
            advance(d, t);
            assert_close(s->v[0], 1, 1e-8);
            assert_close(s->v[3], 1, 1e-8);
            assert_close(s->q[3], 1 + (t - 0.25), 1e-8);
        }
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* A motor and its load: what a motion needs does not depend on the order of switching, and a state
 * that is copied keeps what is off. */
static void masks_are_part_of_the_state(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\n"
                                 "bodies: {disc: {mass: 1, inertia: 0.5, position: [0, 0]}}\n"
                                 "joints: {axle: {type: revolute, between: [ground, disc]}}\n"
                                 "drivers: {turn: {joint: axle, angle: t^2}}\n"
                                 "forces: {brake: {type: motor, joint: axle, effort: -3}}\n");
    lmb_state *a = lmb_state_at(m, 0), *b = lmb_state_at(m, 0);
    lmb_kinematics *k;
    lmb_switch_force(a, 0, false);
    assert_ok(lmb_kinematics_from(&k, context, a, true));
    assert_close(-k->solver->state->lambda[2], 0.5 * 2, 1e-14); /* J phi'' */
    lmb_kinematics_free(k);
    lmb_switch_force(a, 0, true);
    assert_ok(lmb_kinematics_from(&k, context, a, true));
    assert_close(-k->solver->state->lambda[2], 0.5 * 2 + 3, 1e-14);
    lmb_kinematics_free(k);

    lmb_switch_joint(a, 0, false); /* takes driver and motor with it */
    lmb_switch_joint(a, 0, false); /* twice is once */
    assert_int_equal(a->rows_off, 3);
    assert_true(a->force_off[0]);
    lmb_state_copy(b, a);
    assert_int_equal(b->rows_off, 3);
    assert_true(b->row_off[2] && b->force_off[0]);
    lmb_switch_joint(b, 0, true);
    lmb_switch_driver(b, 0, true);
    assert_int_equal(b->rows_off, 0);
    lmb_state_free(a);
    lmb_state_free(b);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(released_bar_flies_straight),
        cmocka_unit_test(trolleys_are_coupled),
        cmocka_unit_test(masks_are_part_of_the_state),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
