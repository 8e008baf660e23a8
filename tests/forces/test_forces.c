/* Forces against motions with closed forms, and the balance of energy and momentum.
 *
 * Tolerances: the integration tolerance of a run times the growth of errors over it, about a
 * hundred, unless said otherwise. */
#include <math.h>
#include <stdio.h>

#include "analysis/kinematics.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static lmb_dynamics *start(const lmb_model *m)
{
    return start_motion(m,
                        (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-10});
}

/* --- bushings -----------------------------------------------------------------------------------
 */

/* Released 0.1, -0.2, 0.5 from rest, each direction swings by itself. */
static void bushing_in_the_plane_swings_in_each_direction(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies: {block: {mass: 2, inertia: 0.5, position: [1.1, 0.8], angle: 0.9}}\n"
        "forces: {b: {type: bushing, between: [ground, block], stiffness: [50, 98, 8],"
        " rest: [1, 1, 0.4]}}\n");
    lmb_dynamics *d = start(m);
    for (int i = 1; i <= 20; i++) {
        double t = 0.1 * i;
        advance(d, t);
        const lmb_body_at *b = body(d->solver, "block");
        assert_close(b->q[0], 1 + 0.1 * cos(5 * t), 1e-8);
        assert_close(b->q[1], 1 - 0.2 * cos(7 * t), 1e-8);
        assert_close(b->q[2], 0.4 + 0.5 * cos(4 * t), 1e-8);
    }
    finish(d, m);
}

/* A body with equal moments of inertia, held with the same stiffness about all axes, keeps turning
 * about the axis of its first deflection, here more than a radian. */
static void bushing_in_space_turns_about_one_axis(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 3\n"
                      "ground: {hub: {at: [0, 0, 1], rotation: [0.3, -0.5, 0.2]}}\n"
                      "bodies: {ball: {mass: 1, inertia: [0.5, 0.5, 0.5], position: [0, 0, 1],"
                      " points: {c: {at: [0, 0, 0], rotation: [0.1, 0.2, 0.3]}}}}\n"
                      "forces: {b: {type: bushing, between: [ground.hub, ball.c],"
                      " stiffness: [40, 50, 60, 8, 8, 8], rest: [0, 0, 0, 1.2, -1.1, 1.0]}}\n");
    lmb_dynamics *d = start(m);
    const lmb_state *s = d->solver->state;
    lmb_force_at at = lmb_force_input(s, &m->forces[0]);
    lmb_force_channel offset, rotation;
    assert_true(m->forces[0].type->channel(&m->forces[0], 0, &offset));
    assert_true(m->forces[0].type->channel(&m->forces[0], 1, &rotation));
    vec3 theta0 = rotation.get(&m->forces[0], &at);
    assert_true(v3_norm(theta0) > 1);
    for (int i = 1; i <= 20; i++) {
        advance(d, 0.1 * i);
        vec3 u = offset.get(&m->forces[0], &at), theta = rotation.get(&m->forces[0], &at);
        for (int k = 0; k < 3; k++) {
            assert_close(v3_get(u, k), 0, 1e-8);
            assert_close(v3_get(theta, k), v3_get(theta0, k) * cos(0.4 * i), 1e-8);
        }
    }
    finish(d, m);
}

/* Two free bodies with a full matrix, damping and a preload: action is reaction, and no energy is
 * lost or gained that is not accounted for. */
static void bushing_keeps_momentum_and_energy(const char *stiffness, double tolerance)
{
    char text[1200];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n"
             "  a: {mass: 1.5, inertia: [0.2, 0.3, 0.4], velocity: [0.1, 0, 0.2],"
             " angular_velocity: [1, -1, 2], points: {p: [0.2, 0.1, 0]}}\n"
             "  b: {mass: 2, inertia: [0.4, 0.3, 0.5], position: [0.6, 0.1, 0],"
             " rotation: [0.4, 0.1, 0.7], points: {q: [-0.2, 0.1, 0.1]}}\n"
             "forces: {m: {type: bushing, between: [a.p, b.q], stiffness: %s,"
             " damping: [1, 2, 3, 0.1, 0.2, 0.3], preload: [3, 0, -2, 0.1, 0.5, 0]}}\n",
             stiffness);
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = start(m);
    double before = account(d);
    lmb_balance first = lmb_total_balance(d->solver->state);
    advance(d, 2);
    lmb_balance last = lmb_total_balance(d->solver->state);
    assert_close(account(d), before, tolerance);
    assert_true(d->solver->state->work[LMB_WORK_DISSIPATED] > 0.01);
    assert_true(v3_norm(v3_sub(last.momentum, first.momentum)) < 1e-10);
    assert_true(v3_norm(v3_sub(last.angular_momentum, first.angular_momentum)) < 1e-8);
    finish(d, m);
}

static void bushing_balances(void **unused)
{
    (void)unused;
    bushing_keeps_momentum_and_energy("[200, 300, 250, 10, 12, 14]", 1e-8);
    bushing_keeps_momentum_and_energy("[[200, 30, 10, 1, 2, 3], [30, 300, 20, 0, 1, 2],"
                                      " [10, 20, 250, 3, 0, 1], [1, 0, 3, 10, 1, 2],"
                                      " [2, 1, 0, 1, 12, 1], [3, 2, 1, 2, 1, 14]]",
                                      1e-8);
    /* the cross stiffness of an oil film is not symmetric: it supplies energy */
    bushing_keeps_momentum_and_energy("[[200, 60, 0, 0, 0, 0], [-60, 300, 0, 0, 0, 0],"
                                      " [0, 0, 250, 0, 0, 0], [0, 0, 0, 10, 0, 0],"
                                      " [0, 0, 0, 0, 12, 0], [0, 0, 0, 0, 0, 14]]",
                                      1e-8);
}

/* --- laws that use channels ---------------------------------------------------------------------
 */

/* One force of each kind: drag on a particle, a particle pulled after another one that moves
 * uniformly, and a wheel held by a controller that reads its angle, on both integrators. */
static const char channel_laws[] =
    "limber: 1\ndimension: 2\nparameters: {c: 3, k: 8}\nbodies:\n"
    "  sledge: {type: particle, mass: 2, velocity: [5, 1]}\n"
    "  lead: {type: particle, mass: 1, velocity: [1, 0]}\n"
    "  trail: {type: particle, mass: 1, velocity: [0, 0]}\n"
    "  wheel: {mass: 1, inertia: 0.5, angle: 0.8}\n"
    "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
    "forces:\n"
    "  drag: {type: force, at: sledge, force: -c*sledge.velocity}\n"
    "  pull: {type: force, at: trail, force: [4*(lead.position.x - trail.position.x), 0]}\n"
    "  hold: {type: motor, joint: axle, effort: -k*(wheel.angle - 0.3)}\n";

static void check_channel_laws(lmb_integration options, double tolerance)
{
    lmb_model *m = model_of_text(channel_laws);
    lmb_dynamics *d = start_motion(m, options);
    double before = account(d);
    for (int i = 1; i <= 10; i++) {
        double t = 0.2 * i;
        advance(d, t);
        assert_close(body(d->solver, "sledge")->v[0], 5 * exp(-1.5 * t), tolerance);
        assert_close(body(d->solver, "sledge")->v[1], exp(-1.5 * t), tolerance);
        assert_close(body(d->solver, "trail")->q[0], t - sin(2 * t) / 2, tolerance);
        assert_close(body(d->solver, "wheel")->q[2], 0.3 + 0.5 * cos(4 * t), tolerance);
    }
    assert_close(account(d), before, tolerance * 10);
    finish(d, m);
}

static void laws_use_channels(void **unused)
{
    (void)unused;
    check_channel_laws((lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-10},
                       1e-8);
    /* second order: error of a harmonic of 4 rad/s after 2 s is about (4 h)^2 / 12 * 8 = 1e-5 */
    check_channel_laws((lmb_integration){.integrator = &lmb_integrator_alpha,
                                         .step = 1e-3,
                                         .spectral_radius = 0.9},
                       2e-5);
}

/* --- friction -----------------------------------------------------------------------------------
 */

static const double g = 9.81;

/* Both integrators on the same model: rk45 to 1e-10, generalized-alpha with a fixed step. */
static const lmb_integration methods[] = {
    {.integrator = &lmb_integrator_rk45, .tolerance = 1e-10},
    {.integrator = &lmb_integrator_alpha, .step = 1e-3, .spectral_radius = 0.8},
};

/* A block on a slide that falls by an angle, mass 2. */
static lmb_model *block_on_slide(int dimension, double angle, double speed, const char *friction)
{
    char text[800];
    const char *zero = dimension == 2 ? "" : ", 0";
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\ngravity: [0, -9.81%s]\n"
             "bodies: {block: {mass: 2, inertia: %s, velocity: [%.17g, %.17g%s]}}\n"
             "joints: {slide: {type: translational, between: [ground, block],"
             " axis: [%.17g, %.17g%s]}}\n"
             "forces: {rub: {type: friction, joint: slide, %s}}\n",
             dimension, zero, dimension == 2 ? "0.1" : "[0.1, 0.1, 0.1]", speed * cos(angle),
             -speed * sin(angle), zero, cos(angle), -sin(angle), zero, friction);
    return model_of_text(text);
}

static double slid(const lmb_dynamics *d)
{
    const lmb_state *s = d->solver->state;
    return lmb_coordinate_value(s, &s->model->parts.coordinates[0]).f;
}

static double sliding_speed(const lmb_dynamics *d)
{
    const lmb_state *s = d->solver->state;
    return lmb_coordinate_value(s, &s->model->parts.coordinates[0]).d;
}

/* a = g (sin - mu cos); tanh is 1 at these speeds, and N is smoothed by 1e-10 of its size. */
static void block_slides_down_with_friction(void **unused)
{
    (void)unused;
    double angle = 0.5, mu = 0.3, a = g * (sin(angle) - mu * cos(angle));
    for (int k = 0; k < 4; k++) {
        lmb_model *m = block_on_slide(2 + k / 2, angle, 1, "coefficient: 0.3");
        lmb_dynamics *d = start_motion(m, methods[k % 2]);
        double before = account(d);
        advance(d, 1);
        assert_close(slid(d), 1 + a / 2, 1e-8);
        assert_close(sliding_speed(d), 1 + a, 1e-8);
        assert_close(d->solver->state->work[LMB_WORK_DISSIPATED], mu * 2 * g * cos(angle) * slid(d),
                     1e-8);
        assert_close(account(d), before, 1e-7);
        finish(d, m);
    }
}

/* On a level slide v = v0 - mu g t; it comes to rest after v0^2 / (2 mu g), and what tanh adds near
 * rest is vs^2 pi^2 / (12 mu g). */
static void block_comes_to_rest(void **unused)
{
    (void)unused;
    double mu = 0.2, vs = 0.01;
    lmb_model *m = block_on_slide(2, 0, 1, "coefficient: 0.2, stick_speed: 0.01");
    lmb_dynamics *d = start(m);
    advance(d, 0.3);
    assert_close(sliding_speed(d), 1 - mu * g * 0.3, 1e-8);
    advance(d, 1);
    double path = 1 / (2 * mu * g) + vs * vs * LMB_PI * LMB_PI / (12 * mu * g);
    assert_close(slid(d), path, 1e-8);
    assert_close(sliding_speed(d), 0, 1e-8);
    assert_close(d->solver->state->work[LMB_WORK_DISSIPATED], 1, 1e-8); /* m v0^2 / 2 */
    finish(d, m);
}

/* On a slide not steep enough the block creeps: mu tanh(v / vs) = tan(angle). */
static void block_sticks(void **unused)
{
    (void)unused;
    double angle = 0.1, mu = 0.3, vs = 1e-3;
    for (int k = 0; k < 2; k++) {
        lmb_model *m = block_on_slide(2, angle, 0, "coefficient: 0.3, stick_speed: 1e-3");
        lmb_dynamics *d = start_motion(m, methods[k]);
        advance(d, 0.5);
        assert_close(sliding_speed(d) / vs, atanh(tan(angle) / mu), 1e-6);
        finish(d, m);
    }
}

/* A driver that pushes the block up at a constant speed. */
static void driver_works_against_friction(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies: {block: {mass: 2, inertia: 0.1}}\n"
        "joints: {slide: {type: translational, between: [ground, block], axis: [4, 3]}}\n"
        "drivers: {push: {joint: slide, offset: 0.5*t}}\n"
        "forces: {rub: {type: friction, joint: slide, coefficient: 0.25, viscous: 6}}\n");
    lmb_kinematics *k;
    assert_ok(lmb_kinematics_new(&k, context, m, 0, true));
    assert_ok(lmb_kinematics_advance(k, 1));
    double effort = -k->solver->state->lambda[m->drivers[0].row];
    assert_close(effort, 2 * g * (0.6 + 0.25 * 0.8) + 6 * 0.5, 1e-8);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* A wheel under its weight loses speed at the rate mu r m g / I, in the plane and in space. */
static void wheel_runs_down_in_its_bearing(void **unused)
{
    (void)unused;
    static const char *const models[] = {
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies: {wheel: {mass: 3, inertia: 0.2, angular_velocity: 10}}\n"
        "joints: {pin: {type: revolute, between: [ground, wheel]}}\n"
        "forces: {rub: {type: friction, joint: pin, coefficient: 0.1, radius: 0.02}}\n",
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies: {wheel: {mass: 3, inertia: [0.2, 0.1, 0.1], angular_velocity: [10, 0, 0]}}\n"
        "joints: {pin: {type: revolute, between: [ground, wheel], axis: [1, 0, 0]}}\n"
        "forces: {rub: {type: friction, joint: pin, coefficient: 0.1, radius: 0.02}}\n"};
    for (int k = 0; k < 4; k++) {
        lmb_model *m = model_of_text(models[k / 2]);
        lmb_dynamics *d = start_motion(m, methods[k % 2]);
        advance(d, 2);
        assert_close(sliding_speed(d), 10 - 0.1 * 0.02 * 3 * g / 0.2 * 2, 1e-8);
        finish(d, m);
    }
}

/* A double pendulum with friction in both bearings, whose normal forces depend on each other: the
 * energy lost is accounted for, and two methods agree. */
static void bearings_of_a_double_pendulum(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {p: [-0.5, 0], q: [0.5, 0]}}\n"
        "  b: {mass: 2, inertia: 0.2, position: [1.5, 0], points: {p: [-0.5, 0]}}\n"
        "joints:\n"
        "  A: {type: revolute, between: [ground, a.p]}\n"
        "  B: {type: revolute, between: [a.q, b.p]}\n"
        "forces:\n"
        "  fa: {type: friction, joint: A, coefficient: 0.3, radius: 0.1, stick_speed: 0.2}\n"
        "  fb: {type: friction, joint: B, coefficient: 0.4, radius: 0.1, stick_speed: 0.2}\n");
    lmb_dynamics *d = start(m), *implicit = start_motion(m, methods[1]);
    double before = account(d);
    advance(d, 1);
    advance(implicit, 1);
    assert_close(account(d), before, 1e-8);
    assert_true(d->solver->state->work[LMB_WORK_DISSIPATED] > 1);
    /* second order: (omega h)^2 t omega / 12 with omega up to 10 */
    for (int i = 0; i < m->nq; i++)
        assert_close(implicit->solver->state->q[i], d->solver->state->q[i], 1e-4);
    for (int r = 0; r < m->nrows; r++)
        assert_close(implicit->solver->state->lambda[r], d->solver->state->lambda[r], 1e-3);
    /* exact tangents: few iterations a step */
    assert_true(implicit->motion->iterations < 5 * implicit->motion->steps);
    lmb_dynamics_free(implicit);
    finish(d, m);
}

/* The rod of Painleve on a rough slide, rising and falling: long trial steps end where no motion
 * exists, and shorter ones go on. */
static void long_steps_that_jam_are_taken_back(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                      "  rod: {mass: 1, inertia: 1/3, position: [cos(0.5), sin(0.5)], angle: 0.5,"
                      " angular_velocity: 3, points: {A: [-1, 0]}}\n"
                      "  foot: {mass: 0.01, inertia: 0.01}\n"
                      "joints:\n"
                      "  slide: {type: translational, between: [ground, foot], axis: [1, 0]}\n"
                      "  hinge: {type: revolute, between: [foot, rod.A]}\n"
                      "forces: {rub: {type: friction, joint: slide, coefficient: 2}}\n");
    lmb_dynamics *d =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-8});
    double before = account(d);
    advance(d, 0.5);
    assert_close(account(d), before, 1e-5);
    finish(d, m);
}

/* --- unbalance ----------------------------------------------------------------------------------
 */

/* A rotor in elastic bearings. No torque acts on it, so it keeps its speed, and x and y are
 * oscillators under the force U w^2 cos and sin (w t + angle): the answer to it is this over
 * k - M w^2. x starts with it, y at rest. */
static void unbalance_shakes_a_rotor(int dimension)
{
    double U = 0.002, w = 20, k = 5000, M = 4, angle = 0.6, size = U * w * w / (k - M * w * w);
    char text[1200];
    snprintf(text, sizeof text,
             dimension == 2
                 ? "limber: 1\ndimension: 2\nbodies:\n"
                   "  rotor: {mass: 4, inertia: 0.02, position: [%.17g, 0], velocity: [%.17g, 0],"
                   " angular_velocity: 20}\n"
                   "forces:\n"
                   "  e: {type: unbalance, at: rotor, unbalance: 0.002, angle: 0.6}\n"
                   "  b: {type: bushing, between: [ground, rotor], stiffness: [5000, 5000, 0],"
                   " rest: [0, 0, 0]}\n"
                 : "limber: 1\ndimension: 3\nbodies:\n"
                   "  rotor: {mass: 4, inertia: [0.01, 0.01, 0.02], position: [%.17g, 0, 0],"
                   " velocity: [%.17g, 0, 0], angular_velocity: [0, 0, 20]}\n"
                   "forces:\n"
                   "  e: {type: unbalance, at: rotor, unbalance: 0.002, angle: 0.6}\n"
                   "  b: {type: force, at: rotor, force: -5000*rotor.position}\n",
             size * cos(angle), -w * size * sin(angle));
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = start(m);
    double before = account(d);
    /* y starts at rest: the forced motion and a free one with the natural frequency */
    double n = sqrt(k / M), y0 = -size * sin(angle), v0 = -w * size * cos(angle);
    for (int i = 1; i <= 10; i++) {
        double t = 0.05 * i;
        advance(d, t);
        vec3 p = body(d->solver, "rotor")->pose.p;
        assert_close(p.x / size, cos(w * t + angle), 1e-6);
        assert_close(p.y / size,
                     sin(w * t + angle) + (y0 * cos(n * t) + v0 / n * sin(n * t)) / size, 1e-6);
    }
    assert_close(account(d), before, 1e-9);
    finish(d, m);
}

static void unbalance_shakes_rotors(void **unused)
{
    (void)unused;
    unbalance_shakes_a_rotor(2);
    unbalance_shakes_a_rotor(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bushing_in_the_plane_swings_in_each_direction),
        cmocka_unit_test(bushing_in_space_turns_about_one_axis),
        cmocka_unit_test(bushing_balances),
        cmocka_unit_test(laws_use_channels),
        cmocka_unit_test(block_slides_down_with_friction),
        cmocka_unit_test(block_comes_to_rest),
        cmocka_unit_test(block_sticks),
        cmocka_unit_test(driver_works_against_friction),
        cmocka_unit_test(wheel_runs_down_in_its_bearing),
        cmocka_unit_test(bearings_of_a_double_pendulum),
        cmocka_unit_test(long_steps_that_jam_are_taken_back),
        cmocka_unit_test(unbalance_shakes_rotors),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
