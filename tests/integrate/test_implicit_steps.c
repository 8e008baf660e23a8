/* Steps of the implicit methods where they are hard: reactions while the error changes the step,
 * energy of wheels that roll, friction that reverses in a flexible mechanism. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models.h"
#include "motions.h"
#include "support.h"

static const lmb_integrator *const family[] = {&lmb_integrator_alpha, &lmb_integrator_hht,
                                               &lmb_integrator_newmark, &lmb_integrator_ali3p};

/* A pendulum released from the horizontal: with s = sin(angle below it) the force along the rod is
 * m g s + m r w^2, w^2 = 2 m g r s / (I + m r^2). Sampled at 500 instants, the error of the
 * reaction is what errors of a tolerance per step add up to, twice that in w^2, and nothing jumps
 * where the step changes. A tighter tolerance is better by the power 2/3 of steps of second order.
 */
static double largest_reaction_error(const lmb_model *m, const lmb_integrator *integrator,
                                     double tolerance)
{
    const double mass = 2, g = 9.81, r = 0.5, inertia = 0.2;
    lmb_dynamics *d = start_motion(m, (lmb_integration){.integrator = integrator,
                                                        .tolerance = tolerance,
                                                        .step = 0.01,
                                                        .spectral_radius = 0.9});
    double largest = 0, most = mass * g * (1 + 2 * mass * r * r / (inertia + mass * r * r));
    for (int i = 1; i <= 500; i++) {
        const lmb_state *s = advance(d, 0.01 * i);
        double below = -body(d->solver, "rod")->pose.e[0].y;
        double w2 = 2 * mass * g * r * below / (inertia + mass * r * r);
        double along = mass * g * below + mass * r * w2;
        lmb_frame f =
            lmb_row_force(s, m->joints[0].row, m->joints[0].row_count, m->joints[0].pair, true);
        largest = fmax(largest, fabs(-v3_dot(f.p, body(d->solver, "rod")->pose.e[0]) - along));
    }
    if (getenv("LIMBER_SHOW"))
        printf("tolerance %g: %ld steps, error %g\n", tolerance, d->motion->steps, largest / most);
    assert_true(largest / most < 2 * tolerance * (double)d->motion->steps);
    lmb_dynamics_free(d);
    return largest / most;
}

static void reactions_do_not_jump_where_the_step_changes(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies: {rod: {mass: 2, inertia: 0.2, position: [0.5, 0], points: {o: [-0.5, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground, rod.o]}}\n");
    static const lmb_integrator *const methods[] = {&lmb_integrator_alpha, &lmb_integrator_ali3p};
    for (int i = 0; i < 2; i++) {
        double coarse = largest_reaction_error(m, methods[i], 1e-7);
        double fine = largest_reaction_error(m, methods[i], 1e-9);
        assert_true(fine < coarse / 12); /* 100^(2/3) = 21 */
    }
    lmb_model_free(m);
}

/* A disc that rolls and wobbles for many turns: no work is done on it. */
static void rolling_keeps_its_energy(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  disc: {mass: 2, inertia: [0.005, 0.005, 0.01], position: [0, 0, 0.1*cos(0.2)],"
        " rotation: [pi/2 - 0.2, 0, 0], angular_velocity: [0, 15, 3]}\n"
        "joints: {road: {type: rolling, between: [ground, disc], axis: [0, 0, 1],"
        " axis_b: [0, 0, 1], radius: 0.1}}\n");
    for (int k = 0; k < 4; k++) {
        lmb_dynamics *d = start_motion(m, (lmb_integration){.integrator = family[k],
                                                            .step = k == 2 ? 1e-4 : 1e-3,
                                                            .spectral_radius = 0.9});
        double before = account(d);
        for (int i = 1; i <= 50; i++) {
            advance(d, 0.1 * i);
            const lmb_state *s = d->solver->state;
            for (int r = 0; r < m->nrows; r++) /* no slip, but for the iteration */
                if (m->parts.rows[r].velocity_level)
                    assert_true(fabs(lmb_row_rate(s, r)) < 1e-8);
            if (getenv("LIMBER_SHOW") && i % 10 == 0)
                printf("%s %g s: %g J of %g J\n", family[k]->name, s->t, account(d) - before,
                       before);
            /* error (w h)^2 / 12 of second order with w = 15 1/s, w h / 100 of the damped first */
            assert_true(fabs(account(d) - before) < 2e-3 * before);
        }
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* Two links, the first flexible, with friction in both hinges that sticks and slips: steps of every
 * length go through, and those that had to be divided say so once. */
static void flexible_arms_with_friction_go_on(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
                      "  arm:\n"
                      "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 10, section: "
                      "{rectangle: {width: 0.03,"
                      " height: 0.01}}, material: steel}\n"
                      "    interfaces: {pivot: start, end: end}\n"
                      "    reduction: {modes: 6}\n"
                      "    damping: 0.005\n"
                      "  tip: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [1.1, 0, 0],"
                      " points: {o: [-0.1, 0, 0]}}\n"
                      "joints:\n"
                      "  hinge: {type: revolute, between: [ground, arm.pivot], axis: [0, 1, 0]}\n"
                      "  wrist: {type: revolute, between: [arm.end, tip.o], axis: [0, 1, 0]}\n"
                      "forces:\n"
                      "  rub: {type: friction, joint: hinge, coefficient: 0.3, radius: 0.02}\n"
                      "  rub2: {type: friction, joint: wrist, coefficient: 0.3, radius: 0.02}\n");
    static const double steps[] = {1e-2, 1e-3, 3e-4, 1e-4, 1e-5};
    for (int n = 0; n < 10; n++) {
        int k = n % 5;
        lmb_messages_clear(context);
        lmb_dynamics *d =
            start_motion(m, (lmb_integration){.integrator = n < 5 ? &lmb_integrator_alpha
                                                                  : &lmb_integrator_ali3p,
                                              .step = steps[k],
                                              .spectral_radius = 0.9});
        double before = account(d), fall = 2 * 9.81; /* J, of about 3 kg in the mean */
        advance(d, 0.7); /* the first ones that failed did so at about 0.55 s */
        if (getenv("LIMBER_SHOW"))
            printf("step %g: %ld steps, %ld taken back, %g J\n", steps[k], d->motion->steps,
                   d->motion->rejected, account(d) - before);
        assert_int_equal(lmb_message_count(context), d->motion->rejected > 0);
        if (d->motion->rejected > 0)
            assert_message(context, "is too long at t = ");
        assert_true(account(d) - before < 0.01 * fall); /* vibrations are damped, none are fed */
        assert_true(account(d) - before > -0.1 * fall);
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reactions_do_not_jump_where_the_step_changes),
        cmocka_unit_test(rolling_keeps_its_energy),
        cmocka_unit_test(flexible_arms_with_friction_go_on),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
