/* Backward differentiation (`integrator: ida`) against published values, closed forms and rk45.
 *
 * A run of tolerance e has an error of e times the number of its steps, times the growth of errors
 * over the run, unless said otherwise. Reference values are those of test_dynamics.c. */
#include <math.h>
#include <stdlib.h>

#include "models.h"
#include "motions.h"
#include "support.h"

static lmb_dynamics *start(const lmb_model *m, const lmb_integrator *method, double tolerance)
{
    return start_motion(m, (lmb_integration){.integrator = method, .tolerance = tolerance});
}

/* Joints are closed, in positions and velocities, to rounding. */
static void assert_closed(const lmb_dynamics *d)
{
    const lmb_model *m = d->solver->state->model;
    double speed = fmax(m->length, lmb_step_size(d->solver, d->solver->state->v));
    for (int r = 0; r < m->nrows; r++) {
        assert_true(fabs(lmb_row_value(d->solver->state, r)) < 1e-12 * m->length);
        assert_true(fabs(lmb_row_rate(d->solver->state, r)) < 1e-12 * speed);
    }
}

/* --- benchmark problems -------------------------------------------------------------------------
 */

/* A01: elliptic functions. 15000 steps of 1e-11. */
static void pendulum_swings_as_computed(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                      "bodies: {bob: {type: particle, mass: 1, position: [-1, 0]}}\n"
                      "joints: {rod: {type: distance, between: [ground, bob], length: 1}}\n");
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-11);
    static const double at[][3] = {{1, 0.986291751131875, -0.165010853125541},
                                   {2, -0.793566195343322, -0.608483930443792},
                                   {10, -0.275087462576117, -0.961419205099125}};
    for (int i = 0; i < 3; i++) {
        advance(d, at[i][0]);
        vec3 x = body(d->solver, "bob")->pose.p;
        assert_close(x.x, at[i][1], 1e-7);
        assert_close(x.y, at[i][2], 1e-7);
        assert_closed(d);
    }
    finish(d, m);
}

/* A02, past the positions where all bars lie flat. There are no equations of motion there, and
 * steps must be long enough to pass: those of this tolerance are. 3000 steps make an error of 3e-3
 * at most. With a tighter tolerance the message says what to do. */
static void n_four_bar_passes_its_singular_positions(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("n-four-bar", NULL, NULL);
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-6);
    double before = account(d);
    advance(d, 10);
    assert_close(point(d->solver, "a0.B").x, 0.328458111541, 1e-2);
    assert_close(account(d), before, 1e-2);
    lmb_dynamics_free(d);

    d = start(m, &lmb_integrator_ida, 1e-10);
    lmb_messages_clear(context);
    assert_int_equal(lmb_dynamics_advance(d, 10), LMB_SOLVER);
    assert_message(context, "is singular at about t = 0.71");
    finish(d, m);
}

/* A03: all seven angles to nine digits and more. */
static void andrews_ends_at_the_reference(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("andrews", NULL, NULL);
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-11);
    advance(d, 0.03);
    const double beta = 15.810771195153708, theta = -15.756371058411840, phi = -0.53473011634207958;
    const double delta = 0.52440996587995407, epsilon = 1.0480807410419379;
    const double angles[] = {beta,          beta + theta, 0.040822240119645812, phi + delta, delta,
                             epsilon - phi, epsilon};
    for (int i = 0; i < 7; i++)
        assert_close(d->solver->state->q[3 * i + 2], angles[i], 1e-9);
    assert_close(d->solver->state->v[2], 1139.9203022591063, 1e-9);
    assert_closed(d);
    finish(d, m);
}

/* A04: one redundant constraint all the way. */
static void bricard_swings_with_its_redundant_constraint(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("bricard", NULL, NULL);
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-9);
    assert_int_equal(d->rank.counts.redundant, 1);
    static const double at[][4] = {{0.5, 0.7747178080, -0.9798150477, -0.1999061590},
                                   {1, 0.2744813193, -0.8867079387, -0.4623300027},
                                   {2, -0.7781353730, -0.9803526834, -0.1972526706},
                                   {5, 0.9999327423, -0.9999999977, -0.0000672554},
                                   {10, 0.9997309873, -0.9999999638, -0.0002689765}};
    for (int i = 0; i < 5; i++) {
        advance(d, at[i][0]);
        vec3 x = point(d->solver, "rod2.q");
        assert_close(x.x, at[i][1], 1e-6);
        assert_close(x.y, at[i][2], 1e-6);
        assert_close(x.z, at[i][3], 1e-6);
    }
    assert_close(account(d), -29.43, 1e-6);
    finish(d, m);
}

/* A05: stiff springs (time constants of microseconds). Explicit steps are bounded by those. */
static void flyball_governor_takes_fewer_steps_than_rk45(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("flyball-governor", NULL, NULL);
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-8),
                 *explicit = start(m, &lmb_integrator_rk45, 1e-8);
    advance(d, 1);
    advance(explicit, 1);
    assert_close(body(d->solver, "slider")->pose.p.z, 0.501420922380, 1e-6);
    assert_true(5 * d->motion->steps < explicit->motion->steps);
    lmb_dynamics_free(explicit);
    advance(d, 10);
    assert_close(body(d->solver, "slider")->pose.p.z, 0.619622917061, 1e-6);
    finish(d, m);
}

/* --- against rk45 -------------------------------------------------------------------------------
 */

/* Quaternions, at instants within steps and not. */
static void heavy_top_moves_as_with_rk45(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("heavy-top", NULL, NULL);
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-11),
                 *other = start(m, &lmb_integrator_rk45, 1e-12);
    const lmb_state *x = d->solver->state, *y = other->solver->state;
    double before = account(d);
    for (int i = 1; i <= 10; i++) {
        advance(d, 0.1 * i);
        advance(other, 0.1 * i);
        assert_true(distance(x->q, y->q, m->nq) < 1e-7);
        assert_true(distance(x->v, y->v, m->nv) < 1e-6);
        double size = 0;
        for (int k = 3; k < 7; k++)
            size += body(d->solver, "top")->q[k] * body(d->solver, "top")->q[k];
        assert_close(size, 1, 1e-15);
    }
    assert_close(account(d), before, 1e-8);
    lmb_dynamics_free(other);
    finish(d, m);
}

/* A rolling disc in space: rows without positions. */
static void a_disc_rolls_as_with_rk45(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  disc: {mass: 2, inertia: [0.005, 0.005, 0.01], position: [0, 0, 0.1*cos(0.2)],"
        " rotation: [pi/2 - 0.2, 0, 0], angular_velocity: [0, 15, 3]}\n"
        "joints: {road: {type: rolling, between: [ground, disc], axis: [0, 0, 1],"
        " axis_b: [0, 0, 1], radius: 0.1}}\n");
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-11),
                 *other = start(m, &lmb_integrator_rk45, 1e-12);
    const lmb_state *x = d->solver->state, *y = other->solver->state;
    double before = account(d);
    advance(d, 2);
    advance(other, 2);
    assert_true(distance(x->q, y->q, m->nq) < 1e-7);
    assert_true(distance(x->v, y->v, m->nv) < 1e-6);
    assert_close(account(d), before, 1e-8);
    lmb_dynamics_free(other);
    finish(d, m);
}

/* A driven slider-crank: the motion is known, the driver's work is what balances the energy. */
static void a_driver_moves_a_slider_crank(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  crank: {mass: 1, inertia: 0.1, position: [0.1, 0], points: {o: [-0.1, 0], b: [0.1, "
        "0]}}\n"
        "  rod: {mass: 1, inertia: 0.2, position: [0.5, 0], points: {b: [-0.3, 0], c: [0.3, 0]}}\n"
        "  slider: {mass: 2, inertia: 1, position: [0.8, 0]}\n"
        "joints:\n"
        "  o: {type: revolute, between: [ground, crank.o]}\n"
        "  b: {type: revolute, between: [crank.b, rod.b]}\n"
        "  c: {type: revolute, between: [rod.c, slider]}\n"
        "  g: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
        "drivers: {turn: {joint: o, angle: 2*sin(3*t)}}\n");
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-9);
    double before = account(d);
    for (int i = 1; i <= 20; i++) {
        double t = 0.13 * i, angle = 2 * sin(3 * t), speed = 6 * cos(3 * t);
        double c = 0.2 * cos(angle), s = 0.2 * sin(angle), root = sqrt(0.36 - s * s);
        advance(d, t);
        assert_close(body(d->solver, "slider")->pose.p.x, c + root, 1e-12);
        assert_close(body(d->solver, "slider")->v[0], -speed * (s + s * c / root), 1e-12);
        /* Simpson's rule with steps of h: (3 h)^4 / 2880, h about 2e-3 */
        assert_close(account(d), before, 1e-7);
    }
    finish(d, m);
}

/* Springs, dampers, a motor, a load and a driver. */
static void the_energy_balance_closes(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {p: [-0.5, 0], q: [0.5, 0]}}\n"
        "  b: {mass: 2, inertia: 0.2, position: [1.5, 0], points: {p: [-0.5, 0], q: [0.5, 0]}}\n"
        "  c: {mass: 1, inertia: 0.2, position: [0, 1], points: {q: [0.3, 0]}}\n"
        "joints:\n"
        "  o: {type: revolute, between: [ground, a.p]}\n"
        "  k: {type: revolute, between: [a.q, b.p]}\n"
        "  w: {type: revolute, between: [[0, 1], c]}\n"
        "drivers: {turn: {joint: w, angle: 3*t + sin(2*t)}}\n"
        "forces:\n"
        "  s: {type: spring, between: [c.q, b.q], stiffness: 40, damping: 2, length: 1,"
        " force: 3*length}\n"
        "  t: {type: torsion-spring, joint: k, stiffness: 5, damping: 0.3}\n"
        "  m: {type: motor, joint: o, effort: 4*cos(t) - 0.5*speed}\n"
        "  l: {type: force, at: b.q, force: [2, sin(3*t)], axes: body}\n"
        "  d: {type: torque, at: a, torque: 0.7*t}\n");
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-10),
                 *other = start(m, &lmb_integrator_rk45, 1e-11);
    const lmb_state *x = d->solver->state, *y = other->solver->state;
    double before = account(d);
    for (int i = 1; i <= 20; i++) {
        advance(d, 0.2 * i);
        advance(other, 0.2 * i);
        assert_close(account(d), before, 1e-6);
        assert_true(distance(x->q, y->q, m->nq) < 1e-6);
        assert_true(distance(x->work, y->work, LMB_WORK_COUNT) < 1e-6);
        /* reactions are those of the instant, as good as positions and velocities */
        assert_true(distance(x->lambda, y->lambda, m->nrows) < 1e-4);
    }
    finish(d, m);
    lmb_dynamics_free(other);
}

/* --- how it behaves ----------------------------------------------------------------------------
 */

static void models_ask_for_it(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies: {bob: {type: particle, mass: 1}}\n"
                      "analyses: {run: {type: dynamics, duration: 1, integrator: ida}}\n");
    assert_ptr_equal(m->analyses[0].integration.integrator, &lmb_integrator_ida);
    assert_true(m->analyses[0].integration.tolerance == 1e-9);
    lmb_model_free(m);
}

static void a_tighter_tolerance_is_more_accurate(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("double-pendulum", NULL, NULL);
    lmb_dynamics *exact = start(m, &lmb_integrator_rk45, 1e-13);
    advance(exact, 2);
    double error[3];
    for (int i = 0; i < 3; i++) {
        lmb_dynamics *d = start(m, &lmb_integrator_ida, pow(10, -6 - 2 * i));
        advance(d, 2);
        error[i] = distance(d->solver->state->v, exact->solver->state->v, m->nv);
        lmb_dynamics_free(d);
    }
    for (int i = 0; i < 2; i++)
        assert_true(error[i + 1] < 0.1 * error[i]);
    assert_true(error[0] < 1e-2);
    finish(exact, m);
}

/* Asking for more results neither shortens the steps nor changes the motion. */
static void results_are_interpolated(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("double-pendulum", NULL, NULL);
    lmb_dynamics *few = start(m, &lmb_integrator_ida, 1e-8),
                 *many = start(m, &lmb_integrator_ida, 1e-8);
    for (int i = 1; i <= 20000; i++) {
        advance(many, 1e-4 * i);
        if (i % 1000 == 0)
            assert_closed(many);
    }
    advance(few, 2);
    assert_true(abs((int)(few->motion->steps - many->motion->steps)) <= 1);
    assert_true(distance(few->solver->state->q, many->solver->state->q, m->nq) < 1e-12);
    lmb_dynamics_free(few);
    finish(many, m);
}

/* Angles are counted over many turns, also where a step is many turns long. */
static void free_wheels_count_their_turns(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 3\n"
                                 "bodies: {wheel: {mass: 1, inertia: [1, 1, 2],"
                                 " angular_velocity: [0, 0, 10]}}\n"
                                 "joints: {axle: {type: revolute, between: [ground, wheel],"
                                 " axis: [0, 0, 1]}}\n");
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-10);
    for (int i = 1; i <= 20; i++) {
        advance(d, 0.5 * i);
        assert_close(lmb_coordinate_value(d->solver->state, &m->parts.coordinates[0]).f, 5.0 * i,
                     1e-6);
    }
    finish(d, m);
}

/* Single steps end where asked for at the latest; a motion whose state was changed goes on from
 * there. */
static void single_steps_and_new_starts(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies: {mass: {type: particle, mass: 2, position: [1.5, 0]}}\n"
        "forces: {s: {type: spring, between: [ground, mass], stiffness: 50, length: 1}}\n");
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-10);
    lmb_state *s = d->solver->state;
    while (s->t < 1) {
        double before = s->t;
        assert_ok(d->motion->options.integrator->advance(d->motion, 1, true));
        assert_true(s->t > before && s->t <= 1);
    }
    assert_close(s->q[0], 1 + 0.5 * cos(5.0), 1e-7);
    advance(d, 1.1); /* the steps are ahead of this now */
    s->q[0] = 1.2;
    s->v[0] = 0;
    lmb_update_position(s);
    lmb_update_velocity(s);
    d->motion->options.integrator->restart(d->motion);
    advance(d, 2);
    assert_close(s->q[0], 1 + 0.2 * cos(4.5), 1e-7);
    finish(d, m);
}

static void forces_that_are_not_numbers_are_reported(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\n"
                                 "bodies: {bob: {type: particle, mass: 1}}\n"
                                 "forces: {f: {type: force, at: bob, force: [log(0.5 - t), 0]}}\n");
    lmb_dynamics *d = start(m, &lmb_integrator_ida, 1e-6);
    lmb_messages_clear(context);
    assert_int_equal(lmb_dynamics_advance(d, 1), LMB_SOLVER);
    assert_message(context, "force 'f' is not a finite number at t = 0.5");
    finish(d, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_swings_as_computed),
        cmocka_unit_test(n_four_bar_passes_its_singular_positions),
        cmocka_unit_test(andrews_ends_at_the_reference),
        cmocka_unit_test(bricard_swings_with_its_redundant_constraint),
        cmocka_unit_test(flyball_governor_takes_fewer_steps_than_rk45),
        cmocka_unit_test(heavy_top_moves_as_with_rk45),
        cmocka_unit_test(a_disc_rolls_as_with_rk45),
        cmocka_unit_test(a_driver_moves_a_slider_crank),
        cmocka_unit_test(the_energy_balance_closes),
        cmocka_unit_test(models_ask_for_it),
        cmocka_unit_test(a_tighter_tolerance_is_more_accurate),
        cmocka_unit_test(results_are_interpolated),
        cmocka_unit_test(free_wheels_count_their_turns),
        cmocka_unit_test(single_steps_and_new_starts),
        cmocka_unit_test(forces_that_are_not_numbers_are_reported),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
