/* Where motions begin: initial velocities of bodies, initial values of joint coordinates and their
 * rates. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kinematics.h"
#include "models.h"
#include "motions.h"
#include "program.h"
#include "support.h"

static const lmb_integration rk45 = {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9};

/* A coordinate of a joint and its rate as channels show them. */
static lmb_jet coordinate(const lmb_solver *s, const char *joint, int which)
{
    const lmb_model *m = s->state->model;
    for (int i = 0; i < m->joint_count; i++)
        if (strcmp(m->joints[i].name, joint) == 0)
            return lmb_coordinate_value(s->state,
                                        &m->parts.coordinates[m->joints[i].coordinate + which]);
    fail_msg("no joint %s", joint);
    return (lmb_jet){0};
}

/* As it was written, to rounding: a sum of two terms has half a unit each. */
static void assert_kept(double value, double given)
{
    if (!(fabs(value - given) <= 4 * DBL_EPSILON * fabs(given)))
        fail_msg("%.17g is not %.17g", value, given);
}

/* A motion must not begin; the newest message has two pieces. */
static void assert_refused(const char *text, const char *first, const char *second)
{
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d;
    assert_int_equal(lmb_dynamics_new(&d, context, m, 0, &rk45), LMB_SOLVER);
    assert_message(context, first);
    assert_message(context, second);
    lmb_model_free(m);
}

/* --- velocities of bodies --------------------------------------------------------------------- */

/* A screw of 1 mm lead turns by 2 pi per millimetre. */
static void a_screw_keeps_its_speed(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 3\n"
                      "bodies: {nut: {mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 0.1]}}\n"
                      "joints: {s: {type: screw, between: [ground, nut], axis: [0, 0, 1],"
                      " lead: 0.001}}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    assert_kept(d->solver->state->v[2], 0.1);
    assert_kept(d->solver->state->v[5], 0.1 / (0.001 / (2 * LMB_PI)));
    finish(d, m);
}

/* Three gears of 1 : 20. */
static void a_gear_train_of_8000_keeps_its_speed(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies:\n"
        "  w0: {mass: 1, inertia: 1, angular_velocity: 0.1}\n"
        "  w{i}: {repeat: {i: [1, 3]}, mass: 1, inertia: 1, position: [i, 0]}\n"
        "joints:\n"
        "  a{i}: {repeat: {i: [0, 3]}, type: revolute, between: [[i, 0], 'w{i}']}\n"
        "  g{i}: {repeat: {i: [1, 3]}, type: gear, joints: ['a{i-1}', 'a{i}'], radii: [20, 1]}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    assert_kept(body(d->solver, "w0")->v[2], 0.1);
    /* the velocity equations of three gears: each may lose a few units */
    assert_close(body(d->solver, "w3")->v[2] / -800, 1, 20 * DBL_EPSILON);
    finish(d, m);
}

/* The last of 100 links moves across the chain, which lies straight: so can it alone. */
static void a_chain_of_100_links_keeps_the_speed_of_its_end(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nparameters: {N: 100}\n"
        "bodies:\n"
        "  link{i}: {repeat: {i: [1, N - 1]}, mass: 1, inertia: 1, position: [i - 0.5, 0],"
        " points: {A: [-0.5, 0], B: [0.5, 0]}}\n"
        "  link100: {mass: 1, inertia: 1, position: [N - 0.5, 0], velocity: [0, 0.1],"
        " points: {A: [-0.5, 0], B: [0.5, 0]}}\n"
        "joints:\n"
        "  j1: {type: revolute, between: [ground, link1.A]}\n"
        "  j{i}: {repeat: {i: [2, N]}, type: revolute, between: ['link{i-1}.B', 'link{i}.A']}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    assert_kept(body(d->solver, "link100")->v[1], 0.1);
    assert_true(fabs(body(d->solver, "link100")->v[0]) <= 4 * DBL_EPSILON);
    lmb_velocity_side(d->solver->state, d->solver->side);
    lmb_jacobian_times(d->solver->state, d->solver->state->v, d->solver->phi);
    for (int r = 0; r < m->nrows; r++) /* speeds of up to 0.1, a few terms per row */
        assert_true(fabs(d->solver->phi[r] - d->solver->side[r]) <= 10 * DBL_EPSILON * 0.1);
    finish(d, m);
}

/* 1000 bodies, all of whose 6000 velocities are given and fit together. */
static void thousands_of_given_velocities_are_kept(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\nparameters: {N: 1000, w: [0.3, 0, 2]}\n"
        "bodies:\n"
        "  link{i}: {repeat: {i: [1, N]}, mass: 1, inertia: [1, 1, 1], position: [i - 0.5, 0, 0],"
        " velocity: 'cross(w, [i - 0.5, 0, 0])', angular_velocity: w,"
        " points: {A: [-0.5, 0, 0], B: [0.5, 0, 0]}}\n"
        "joints:\n"
        "  j1: {type: spherical, between: [ground, link1.A]}\n"
        "  j{i}: {repeat: {i: [2, N]}, type: spherical, between: ['link{i-1}.B', 'link{i}.A']}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    for (int i = 1; i <= 1000; i++) {
        const double *v = d->solver->state->v + 6 * (i - 1);
        assert_kept(v[1], 2 * (i - 0.5));
        assert_kept(v[5], 2);
        assert_kept(v[3], 0.3);
    }
    finish(d, m);
}

/* A rod of 1 m about its end at 3 rad/s: its middle moves at 3 m/s, not at 1. */
static const char rod[] = "limber: 1\ndimension: 2\n"
                          "bodies: {rod: {mass: 1, inertia: 1, position: [1, 0],"
                          " velocity: [0, %s], angular_velocity: 3, points: {o: [-1, 0]}}}\n"
                          "joints: {pin: {type: revolute, between: [ground, rod.o]}}\n";

static void contradictions_are_told_by_their_true_amount(void **unused)
{
    (void)unused;
    char text[512];
    snprintf(text, sizeof text, rod, "1");
    assert_refused(text,
                   "of body 'rod' is inconsistent with its joints: it would have to change by",
                   "prescribe fewer velocities");
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d;
    assert_int_equal(lmb_dynamics_new(&d, context, m, 0, &rk45), LMB_SOLVER);
    const char *message = lmb_message_at(context, lmb_message_count(context) - 1)->text;
    /* the velocity by 2, or the angular velocity by -2 */
    assert_true(strstr(message, "the velocity of body 'rod'")
                    ? !!strstr(message, "by 2 in y")
                    : !!strstr(message, "by -2 in angle"));
    lmb_model_free(m);
}

/* Gaps of less than 1e-6 of the velocities are closed, and the joints hold. */
static void small_gaps_are_projected(void **unused)
{
    (void)unused;
    char text[512];
    snprintf(text, sizeof text, rod, "3.000001");
    lmb_dynamics *d = start_motion(model_of_text(text), rk45);
    const double *v = d->solver->state->v;
    assert_true(fabs(v[1] - v[2]) <= 4 * DBL_EPSILON * 3);
    assert_true(fabs(v[1] - 3) <= 1e-6 && fabs(v[2] - 3) <= 1e-6);
    lmb_model *m = (lmb_model *)d->solver->state->model;
    finish(d, m);
    snprintf(text, sizeof text, rod, "3.00001");
    assert_refused(text, "would have to change by", "1e-05");
}

/* An angular velocity in global axes stays so when assembly turns the body. */
static void assembly_does_not_turn_angular_velocities(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 3\n"
                      "bodies: {top: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 2]}}\n"
                      "joints: {c: {type: cylindrical, between: [ground, top], axis: [0, 0, 1],"
                      " axis_b: [0.6, 0, 0.8]}}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    const double *v = d->solver->state->v; /* in body axes, about axis_b */
    assert_close(v[3], 1.2, 1e-14);
    assert_close(v[4], 0, 1e-14);
    assert_close(v[5], 1.6, 1e-14);
    finish(d, m);
}

/* --- joint coordinates ------------------------------------------------------------------------ */

/* A four-bar with a crank of 1 m, a rod of 3 m, a rocker of 2 m and the ground of 3 m, placed
 * roughly; the format takes sections. */
static lmb_model *four_bar(const char *sections)
{
    char text[2048];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "bodies:\n"
             "  crank: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {O: [-0.5, 0], B: [0.5, "
             "0]}}\n"
             "  rod: {mass: 1, inertia: 0.1, position: [2, 1], points: {B: [-1.5, 0], C: [1.5, "
             "0]}}\n"
             "  rocker: {mass: 1, inertia: 0.1, position: [3, 1], angle: 1.2, points: {D: [-1, 0],"
             " C: [1, 0]}}\n"
             "joints:\n"
             "  main: {type: revolute, between: [ground, crank.O]}\n"
             "  b: {type: revolute, between: [crank.B, rod.B]}\n"
             "  c: {type: revolute, between: [rod.C, rocker.C]}\n"
             "  d: {type: revolute, between: [[3, 0], rocker.D]}\n%s",
             sections);
    return model_of_text(text);
}

static void a_four_bar_begins_at_its_angle(void **unused)
{
    (void)unused;
    static const double angles[] = {1, 2, 4, -20, 1 + 4 * LMB_PI};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        char sections[128];
        snprintf(sections, sizeof sections, "initial: {main.angle: %.17g, main.rate: 10}\n",
                 angles[i]);
        lmb_model *m = four_bar(sections);
        lmb_dynamics *d = start_motion(m, rk45);
        lmb_jet main = coordinate(d->solver, "main", 0);
        assert_kept(main.f, angles[i]);
        assert_kept(main.d, 10);
        assert_kept(body(d->solver, "crank")->q[2], angles[i]); /* it counts the same turns */
        /* the rocker: the rod's length is 3 */
        vec3 B = point(d->solver, "rod.B"), C = point(d->solver, "rocker.C");
        assert_close(v3_norm(v3_sub(C, B)), 3, 1e-11);
        finish(d, m);
    }
}

static void the_example_begins_at_its_parameter(void **unused)
{
    (void)unused;
    static const char *const angles[] = {"0", "1", "2.5", "-1", "4", "9"};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        lmb_model *m = model_of_example("slider-crank-dynamics", "theta0", angles[i]);
        lmb_dynamics *d = start_motion(m, rk45);
        double angle = strtod(angles[i], NULL), height = 0.15 * sin(angle);
        assert_close(coordinate(d->solver, "main", 0).f, angle, 1e-14);
        /* with the rod stretched out to the right */
        assert_close(body(d->solver, "slider")->q[0],
                     0.15 * cos(angle) + sqrt(0.4 * 0.4 - height * height), 1e-12);
        finish(d, m);
    }
}

/* Another coordinate of the loop may be given instead: the crank follows. */
static void any_joint_of_a_loop_may_be_given(void **unused)
{
    (void)unused;
    lmb_model *m = four_bar("parameters: {psi: 2}\ninitial: {d: {angle: psi, rate: psi/4}}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    assert_kept(coordinate(d->solver, "d", 0).f, 2);
    assert_kept(coordinate(d->solver, "d", 0).d, 0.5);
    finish(d, m);
}

/* The rocker's range is where crank and rod lie in line: cos psi = 1/4 and -3/4. */
static void what_cannot_be_reached_is_told_with_the_amount(void **unused)
{
    (void)unused;
    static const struct {
        double wanted, range;
    } cases[] = {{0.1, 0.25}, {1.2, 0.25}, {3, -0.75}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sections[128], piece[64];
        snprintf(sections, sizeof sections, "initial: {d.angle: %g}\n", cases[i].wanted);
        lmb_model *m = four_bar(sections);
        lmb_dynamics *d;
        assert_int_equal(lmb_dynamics_new(&d, context, m, 0, &rk45), LMB_SOLVER);
        snprintf(piece, sizeof piece, "which is %.3g rad off",
                 fabs(cases[i].wanted - acos(cases[i].range)));
        assert_message(context, "'d.angle'");
        assert_message(context, piece);
        lmb_model_free(m);
    }
}

/* Two angles of one loop: the second is told to be what it is with the first. */
static void angles_that_contradict_are_told(void **unused)
{
    (void)unused;
    lmb_model *m = four_bar("initial: {main.angle: 1}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    double follows = coordinate(d->solver, "d", 0).f;
    finish(d, m);
    char sections[128], piece[96];
    snprintf(sections, sizeof sections, "initial: {main.angle: 1, d.angle: %.17g}\n", follows);
    m = four_bar(sections);
    d = start_motion(m, rk45);
    assert_close(coordinate(d->solver, "main", 0).f, 1, 1e-12);
    finish(d, m);
    m = four_bar("initial: {main.angle: 1, d.angle: 2}\n");
    assert_int_equal(lmb_dynamics_new(&d, context, m, 0, &rk45), LMB_SOLVER);
    snprintf(piece, sizeof piece, "allow has %.9g", follows);
    assert_message(context, "the initial value 2 of 'd.angle'");
    assert_message(context, piece);
    lmb_model_free(m);
}

/* Two rates of one loop cannot both be given, unless they fit. */
static void rates_that_contradict_are_told(void **unused)
{
    (void)unused;
    lmb_model *m = four_bar("initial: {main.angle: 1, main.rate: 10}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    double follows = coordinate(d->solver, "d", 0).d;
    finish(d, m);
    char sections[128], piece[64];
    snprintf(sections, sizeof sections, "initial: {main.angle: 1, main.rate: 10, d.rate: %.17g}\n",
             follows);
    m = four_bar(sections);
    d = start_motion(m, rk45);
    assert_kept(coordinate(d->solver, "main", 0).d, 10);
    finish(d, m);
    m = four_bar("initial: {main.angle: 1, main.rate: 10, d.rate: 2}\n");
    assert_int_equal(lmb_dynamics_new(&d, context, m, 0, &rk45), LMB_SOLVER);
    /* one of the two must change: d to what it is, or main in proportion */
    snprintf(piece, sizeof piece, "change by %g", follows - 2);
    const char *message = lmb_message_at(context, lmb_message_count(context) - 1)->text;
    char other[64];
    snprintf(other, sizeof other, "change by %g", 10 * 2 / follows - 10);
    assert_true((strstr(message, "'d.rate'") && strstr(message, piece)) ||
                (strstr(message, "'main.rate'") && strstr(message, other)));
    lmb_model_free(m);
}

static void drivers_that_say_something_else_are_told(void **unused)
{
    (void)unused;
    static const char *const laws[] = {"angle: 1.5 + 10*t", "angle: 1 + 5*t", "speed: 5",
                                       "speed: 10, start: 2"};
    static const char *const pieces[] = {"'main.angle' is 1, but driver 'm' prescribes 1.5",
                                         "'main.rate' is 10, but driver 'm' prescribes 5",
                                         "'main.rate' is 10, but driver 'm' prescribes 5",
                                         "'main.angle' is 1, but driver 'm' prescribes 2"};
    for (int i = 0; i < 4; i++) {
        char sections[256];
        snprintf(sections, sizeof sections,
                 "drivers: {m: {joint: main, %s}}\ninitial: {main.angle: 1, main.rate: 10}\n",
                 laws[i]);
        lmb_model *m = four_bar(sections);
        lmb_dynamics *d;
        lmb_kinematics *k;
        assert_int_equal(lmb_dynamics_new(&d, context, m, 0, &rk45), LMB_SOLVER);
        assert_message(context, pieces[i]);
        assert_int_equal(lmb_kinematics_new(&k, context, m, 0, false), LMB_SOLVER);
        assert_message(context, pieces[i]);
        lmb_model_free(m);
    }
    lmb_kinematics *k;
    lmb_model *m = four_bar("drivers: {m: {joint: main, speed: 10}}\n"
                            "initial: {main.angle: 1, d.rate: 0.1}\n");
    assert_int_equal(lmb_kinematics_new(&k, context, m, 0, false), LMB_SOLVER);
    assert_message(context, "'d.rate' is inconsistent with the drivers");
    lmb_model_free(m);
}

/* A driver by a speed starts where the initial values put its coordinate. */
static void a_speed_starts_at_the_initial_value(void **unused)
{
    (void)unused;
    lmb_model *m = four_bar("drivers: {m: {joint: main, speed: 10}}\n"
                            "initial: {main.angle: 4 + 2*pi, main.rate: 10}\n");
    lmb_kinematics *k;
    assert_ok(lmb_kinematics_new(&k, context, m, 0, false));
    assert_kept(coordinate(k->solver, "main", 0).f, 4 + 2 * LMB_PI);
    assert_ok(lmb_kinematics_advance(k, 0.5));
    assert_close(coordinate(k->solver, "main", 0).f, 9 + 2 * LMB_PI, 1e-12);
    lmb_kinematics_free(k);
    lmb_model_free(m);
    m = four_bar("drivers: {m: {joint: main, speed: 10}}\ninitial: {d.angle: 2}\n");
    assert_ok(lmb_kinematics_new(&k, context, m, 0, false));
    assert_kept(coordinate(k->solver, "d", 0).f, 2);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* Screw, cylindrical and universal joints; a rate has the name of its channel. */
static void joints_in_space_begin_where_they_are_told(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\n"
        "bodies:\n"
        "  nut: {mass: 1, inertia: [1, 1, 1]}\n"
        "  rod: {mass: 1, inertia: [1, 1, 1]}\n"
        "  arm: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], points: {o: [-1, 0, 0]}}\n"
        "joints:\n"
        "  s: {type: screw, between: [ground, nut], axis: [0, 0, 1], lead: 0.001}\n"
        "  c: {type: cylindrical, between: [ground, rod], axis: [0, 1, 0]}\n"
        "  u: {type: universal, between: [ground, arm.o], axis: [0, 0, 1], axis_b: [0, 1, 0]}\n"
        "initial:\n"
        "  s.offset: 0.002\n"
        "  s.offset_velocity: 0.1\n"
        "  c: {angle: 7*pi, angle_velocity: 3, offset: -0.3, offset_velocity: 2}\n"
        "  u: {angle: 0.5, angle_b: -0.4, angle_velocity: 1, angle_b_velocity: 2}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    const struct {
        const char *joint;
        int which;
        double value, rate;
    } expected[] = {{"s", 1, 0.002, 0.1},    {"s", 0, 4 * LMB_PI, 200 * LMB_PI},
                    {"c", 0, 7 * LMB_PI, 3}, {"c", 1, -0.3, 2},
                    {"u", 0, 0.5, 1},        {"u", 1, -0.4, 2}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        lmb_jet x = coordinate(d->solver, expected[i].joint, expected[i].which);
        assert_close(x.f, expected[i].value, 1e-13); /* joints close to 1e-13 of the length 1 */
        assert_close(x.d, expected[i].rate, 4 * DBL_EPSILON);
    }
    finish(d, m);
}

/* Gears turn as often as they must. */
static void gears_follow_over_many_turns(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies:\n"
                      "  w{i}: {repeat: {i: [0, 1]}, mass: 1, inertia: 1, position: [i, 0]}\n"
                      "joints:\n"
                      "  a{i}: {repeat: {i: [0, 1]}, type: revolute, between: [[i, 0], 'w{i}']}\n"
                      "  g: {type: gear, joints: [a0, a1], radii: [100, 1]}\n"
                      "initial:\n"
                      "  a{i}: {repeat: {i: [0, 0]}, angle: 1 + i + 2*pi, rate: 2 - i}\n");
    lmb_dynamics *d = start_motion(m, rk45);
    assert_close(coordinate(d->solver, "a1", 0).f, -100 * (1 + 2 * LMB_PI), 1e-13);
    assert_close(coordinate(d->solver, "a1", 0).d, -200, 1e-14);
    finish(d, m);
}

/* Values of a joint that an analysis does without do not hold there. */
static void values_of_absent_joints_do_not_hold(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies: {a: {mass: 1, inertia: 1, position: [1, 0], points: {o: [-1, 0]}}}\n"
                      "joints: {pin: {type: revolute, between: [ground, a.o]}}\n"
                      "initial: {pin.angle: 1, pin.rate: 2}\n"
                      "analyses: {fall: {type: dynamics, duration: 1, without: [pin]}}\n");
    lmb_dynamics *d = start_without(m, &m->analyses[0].without, rk45);
    assert_close(body(d->solver, "a")->q[2], 0, 1e-15);
    assert_close(body(d->solver, "a")->v[2], 0, 1e-15);
    finish(d, m);
}

/* The last number that `limber get` prints. */
static double got(const char *result, const char *channel)
{
    lmb_run_result run = run_limber("get %s %s", result, channel);
    assert_int_equal(run.code, 0);
    char *end = run.out + strcspn(run.out, "\n");
    *end = 0;
    const char *blank = strrchr(run.out, ' ');
    double value = strtod(blank ? blank : run.out, NULL);
    free_run(&run);
    return value;
}

/* Every analysis and verb begins there, also with --set; `from` goes on instead. */
static void all_verbs_begin_there(void **unused)
{
    (void)unused;
    const char *file = scratch_path("swing.yaml"), *result = scratch_path("swing.h5");
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs("limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {theta: 0.3}\n"
          "bodies: {a: {mass: 1, inertia: 1, position: [0, -1], points: {o: [0, 1]}}}\n"
          "joints: {pin: {type: revolute, between: [ground, a.o]}}\n"
          "initial: {pin.angle: theta, pin.rate: 10*theta}\n"
          "analyses:\n"
          "  place: {type: assembly}\n"
          "  swing: {type: dynamics, duration: 0.1, output_step: 0.1}\n"
          "  on: {type: dynamics, from: swing, duration: 0.1, output_step: 0.1}\n"
          "  rest: {type: statics}\n",
          f);
    fclose(f);
    check_run(run_limber("run %s --quiet -o %s --set theta=0.5", file, result), 0, "");
    assert_kept(got(result, "place/pin.angle"), 0.5);
    assert_kept(got(result, "swing/pin.angle --first"), 0.5);
    assert_kept(got(result, "swing/pin.angle_velocity --first"), 5);
    assert_kept(got(result, "on/pin.angle --first"), got(result, "swing/pin.angle --final"));
    assert_close(got(result, "rest/pin.angle"), 0, 1e-9); /* found from there */
    check_run(run_limber("check %s", file), 0, "degrees of freedom      1");
    /* Phi_q of the pin's x by the angle is the lever's: cos theta */
    lmb_run_result matrices = run_limber("matrices %s --json", file);
    assert_int_equal(matrices.code, 0);
    assert_non_null(strstr(matrices.out, "0.95533648912560"));
    free_run(&matrices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_screw_keeps_its_speed),
        cmocka_unit_test(a_gear_train_of_8000_keeps_its_speed),
        cmocka_unit_test(a_chain_of_100_links_keeps_the_speed_of_its_end),
        cmocka_unit_test(thousands_of_given_velocities_are_kept),
        cmocka_unit_test(contradictions_are_told_by_their_true_amount),
        cmocka_unit_test(small_gaps_are_projected),
        cmocka_unit_test(assembly_does_not_turn_angular_velocities),
        cmocka_unit_test(a_four_bar_begins_at_its_angle),
        cmocka_unit_test(the_example_begins_at_its_parameter),
        cmocka_unit_test(any_joint_of_a_loop_may_be_given),
        cmocka_unit_test(what_cannot_be_reached_is_told_with_the_amount),
        cmocka_unit_test(angles_that_contradict_are_told),
        cmocka_unit_test(rates_that_contradict_are_told),
        cmocka_unit_test(drivers_that_say_something_else_are_told),
        cmocka_unit_test(a_speed_starts_at_the_initial_value),
        cmocka_unit_test(joints_in_space_begin_where_they_are_told),
        cmocka_unit_test(gears_follow_over_many_turns),
        cmocka_unit_test(values_of_absent_joints_do_not_hold),
        cmocka_unit_test(all_verbs_begin_there),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
