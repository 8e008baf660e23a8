/* Mechanisms that are hard in one way or another, against closed forms: redundant constraints,
 * gears, screws, rolling, rough guesses, singular positions.
 *
 * Tolerance 1e-10 unless said otherwise: joints close to 1e-13 of a size of about one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mobility.h"
#include "analysis/kinematics.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static lmb_kinematics *start(const lmb_model *m)
{
    lmb_kinematics *k;
    assert_ok(lmb_kinematics_new(&k, context, m, 0, true));
    return k;
}

static void drive(lmb_kinematics *k, double t)
{
    assert_ok(lmb_kinematics_advance(k, t));
}

static lmb_jet joint_coordinate(const lmb_kinematics *k, const char *joint, int which)
{
    const lmb_model *m = k->solver->state->model;
    for (int i = 0; i < m->joint_count; i++)
        if (strcmp(m->joints[i].name, joint) == 0)
            return lmb_coordinate_value(k->solver->state,
                                        &m->parts.coordinates[m->joints[i].coordinate + which]);
    fail_msg("no joint %s", joint);
    return (lmb_jet){0, 0, 0};
}

static double effort(const lmb_kinematics *k, int driver)
{
    const lmb_state *s = k->solver->state;
    const lmb_driver *d = &s->model->drivers[driver];
    const lmb_coordinate *c = &s->model->parts.coordinates[d->coordinate];
    /* the row of a length is half its square */
    return -s->lambda[d->row] * (c->kind == LMB_COORDINATE_LENGTH ? s->laws[d->law].f : 1);
}

/* The power of all drivers against the rate of the energy, by central differences in time. */
static double power_error(lmb_kinematics *k, double t)
{
    const lmb_state *s = k->solver->state;
    const double h = 1e-4;
    double energy[2], power = 0;
    for (int side = 0; side < 3; side++) {
        drive(k, t + (side - 1) * h);
        lmb_balance b = lmb_total_balance(s);
        if (side != 1)
            energy[side / 2] = b.kinetic + b.potential;
        for (int i = 0; side == 1 && i < s->model->driver_count; i++)
            power += effort(k, i) * s->laws[s->model->drivers[i].law].d;
    }
    double rate = (energy[1] - energy[0]) / (2 * h);
    return fabs(power - rate) / fmax(1, fabs(power));
}

/* --- redundant but consistent ----------------------------------------------------------------- */

static const char planar_four_bar[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 0.02, position: [0, 0.1], angle: pi/2, points: {p: [-0.1, 0], q: "
    "[0.1, 0]}}\n"
    "  b: {mass: 2, inertia: 0.05, position: [0.3, 0.3], points: {p: [-0.3, 0], q: [0.3, 0]}}\n"
    "  c: {mass: 3, inertia: 0.04, position: [0.6, 0.2], angle: pi/2, points: {p: [-0.25, 0], q: "
    "[0.25, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, a.p]}\n"
    "  B: {type: revolute, between: [a.q, b.p]}\n"
    "  C: {type: revolute, between: [b.q, c.q]}\n"
    "  D: {type: revolute, between: [[0.6, 0], c.p]}\n"
    "drivers: {motor: {joint: A, angle: pi/2 + 3*t + 0.2*sin(5*t)}}\n";

static const char spatial_four_bar[] =
    "limber: 1\ndimension: 3\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0, 0.1, 0], rotation: [0, 0, pi/2],"
    " points: {p: [-0.1, 0, 0], q: [0.1, 0, 0]}}\n"
    "  b: {mass: 2, inertia: [0.01, 0.05, 0.05], position: [0.3, 0.3, 0],"
    " points: {p: [-0.3, 0, 0], q: [0.3, 0, 0]}}\n"
    "  c: {mass: 3, inertia: [0.01, 0.04, 0.04], position: [0.6, 0.2, 0], rotation: [0, 0, pi/2],"
    " points: {p: [-0.25, 0, 0], q: [0.25, 0, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, a.p], axis: [0, 0, 1]}\n"
    "  B: {type: revolute, between: [a.q, b.p], axis: [0, 0, 1]}\n"
    "  C: {type: revolute, between: [b.q, c.q], axis: [0, 0, 1]}\n"
    "  D: {type: revolute, between: [[0.6, 0, 0], c.p], axis: [0, 0, 1]}\n"
    "drivers: {motor: {joint: A, angle: pi/2 + 3*t + 0.2*sin(5*t)}}\n";

static void four_bar_of_spatial_hinges_moves_like_the_planar_one(void **unused)
{
    (void)unused;
    lmb_model *plane = model_of_text(planar_four_bar), *space = model_of_text(spatial_four_bar);
    lmb_kinematics *p = start(plane), *s = start(space);
    assert_int_equal(p->rank.counts.redundant, 0);
    assert_int_equal(s->rank.counts.redundant, 3);
    assert_int_equal(s->rank.counts.free_undriven, 1);
    assert_int_equal(s->rank.counts.free, 0);
    assert_message(context, "3 redundant constraints");
    for (int i = 1; i <= 100; i++) {
        drive(p, 0.02 * i);
        drive(s, 0.02 * i);
        for (int k = 1; k < plane->body_count; k++) {
            vec3 x = p->solver->state->bodies[k].pose.p, y = s->solver->state->bodies[k].pose.p;
            assert_true(v3_norm(v3_sub(x, y)) < 1e-11);
        }
        for (int k = 0; k < 4; k++) { /* in-plane reactions are unique and the same */
            lmb_frame f = lmb_row_force(p->solver->state, plane->joints[k].row,
                                        plane->joints[k].row_count, plane->joints[k].pair, true);
            lmb_frame F = lmb_row_force(s->solver->state, space->joints[k].row,
                                        space->joints[k].row_count, space->joints[k].pair, true);
            assert_close(F.p.x, f.p.x, 1e-9);
            assert_close(F.p.y, f.p.y, 1e-9);
            assert_close(F.p.z, 0, 1e-7); /* not unique: the smallest is zero */
        }
        assert_close(effort(s, 0), effort(p, 0), 1e-9);
    }
    lmb_kinematics_free(p);
    lmb_kinematics_free(s);
    lmb_model_free(plane);
    lmb_model_free(space);
}

/* Bricard's mechanism: six hinges in a loop, movable against the count of its constraints. */
static const char bricard[] =
    "limber: 1\ndimension: 3\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  r1: {mass: 1, inertia: [1.0/600, 1.01/12, 1.01/12], position: [0.5, 0, 0],"
    " points: {p: [-0.5, 0, 0], q: [0.5, 0, 0]}}\n"
    "  r2: {mass: 1, inertia: [1.01/12, 1.0/600, 1.01/12], position: [1, -0.5, 0],"
    " points: {p: [0, 0.5, 0], q: [0, -0.5, 0]}}\n"
    "  r3: {mass: 1, inertia: [1.01/12, 1.01/12, 1.0/600], position: [1, -1, 0.5],"
    " points: {p: [0, 0, -0.5], q: [0, 0, 0.5]}}\n"
    "  r4: {mass: 1, inertia: [1.0/600, 1.01/12, 1.01/12], position: [0.5, -1, 1],"
    " points: {p: [0.5, 0, 0], q: [-0.5, 0, 0]}}\n"
    "  r5: {mass: 1, inertia: [1.01/12, 1.0/600, 1.01/12], position: [0, -0.5, 1],"
    " points: {p: [0, -0.5, 0], q: [0, 0.5, 0]}}\n"
    "joints:\n"
    "  j1: {type: revolute, between: [ground, r1.p], axis: [0, 1, 0]}\n"
    "  j2: {type: revolute, between: [r1.q, r2.p], axis: [0, 0, 1]}\n"
    "  j3: {type: revolute, between: [r2.q, r3.p], axis: [1, 0, 0]}\n"
    "  j4: {type: revolute, between: [r3.q, r4.p], axis: [0, 1, 0]}\n"
    "  j5: {type: revolute, between: [r4.q, r5.p], axis: [0, 0, 1]}\n"
    "  j6: {type: revolute, between: [[0, 0, 1], r5.q], axis: [1, 0, 0]}\n"
    "drivers: {motor: {joint: j1, angle: 0.4*sin(2*t)}}\n";

static void bricard_moves_with_a_redundant_constraint(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(bricard);
    lmb_kinematics *k = start(m);
    assert_int_equal(k->rank.counts.coordinates, 30);
    assert_int_equal(k->rank.counts.joint_rows, 30);
    assert_int_equal(k->rank.counts.free_undriven, 1);
    assert_int_equal(k->rank.counts.redundant, 1);
    for (int i = 1; i <= 40; i++) {
        drive(k, 0.1 * i - 0.05);
        double residual = 0;
        for (int r = 0; r < m->nrows; r++)
            residual = fmax(residual, fabs(lmb_row_value(k->solver->state, r)));
        assert_true(residual < 1e-10);
        /* differences of h = 1e-4: h^2/6 of the third derivative of the energy, about 1e3 J/s^3 */
        assert_true(power_error(k, 0.1 * i) < 1e-5);
    }
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* The same driven further: its range ends at -30 degrees. */
static void bricard_locks_up_at_the_end_of_its_range(void **unused)
{
    (void)unused;
    char *text = strdup(bricard);
    memcpy(strstr(text, "0.4*sin"), "0.8*sin", 7);
    lmb_model *m = model_of_text(text);
    free(text);
    lmb_kinematics *k = start(m);
    lmb_messages_clear(context);
    assert_int_equal(lmb_kinematics_advance(k, 3), LMB_SOLVER);
    assert_message(context, "locks up at t = 1.927");
    assert_close(joint_coordinate(k, "j1", 0).f, -LMB_PI / 6, 1e-4);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* --- couplings -------------------------------------------------------------------------------- */

static void gears_turn_in_the_ratio_of_their_radii(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: 2\n"
        "bodies:\n"
        "  small: {mass: 1, inertia: 0.01, position: [0, 0], angle: 0.3}\n"
        "  large: {mass: 4, inertia: 0.20, position: [0.4, 0], angle: 9}\n"
        "  rack: {mass: 2, inertia: 0.01, position: [0, -0.1]}\n"
        "joints:\n"
        "  s: {type: revolute, between: [ground, small]}\n"
        "  l: {type: revolute, between: [[0.4, 0], large]}\n"
        "  r: {type: translational, between: [[0, -0.1], rack], axis: [1, 0]}\n"
        "  mesh: {type: gear, joints: [s, l], radii: [0.1, 0.3]}\n"
        "  teeth: {type: rack, joints: [s, r], radius: 0.1}\n"
        "drivers: {motor: {joint: s, angle: 0.3 + 20*t + 30*t^2}}\n";
    lmb_model *m = model_of_text(text);
    lmb_kinematics *k = start(m);
    for (int i = 1; i <= 20; i++) {
        double t = 0.1 * i, turned = 20 * t + 30 * t * t;
        drive(k, t);
        assert_close(joint_coordinate(k, "s", 0).f, 0.3 + turned, 1e-11);
        assert_close(joint_coordinate(k, "l", 0).f, 9 - turned / 3, 1e-11);
        assert_close(body(k->solver, "large")->q[2], 9 - turned / 3, 1e-11);
        assert_close(joint_coordinate(k, "r", 0).f, 0.1 * turned, 1e-11);
        assert_close(joint_coordinate(k, "l", 0).dd, -20, 1e-9);
        /* torque of the motor: inertias and mass reduced to its shaft, times 60 rad/s^2 */
        assert_close(effort(k, 0), 60 * (0.01 + 0.20 / 9 + 2 * 0.01), 1e-10);
    }
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* Many turns with numbers of teeth for radii, beginning far from where the wheels are placed. */
static void gears_keep_turning(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, position: [60, 0]}}\n"
        "joints:\n"
        "  one: {type: revolute, between: [ground, a]}\n"
        "  two: {type: revolute, between: [[60, 0], b]}\n"
        "  mesh: {type: gear, joints: [one, two], radii: [20, 40]}\n"
        "drivers: {motor: {joint: one, angle: 23 + 300*t + 0.1*sin(50*t)}}\n");
    lmb_kinematics *k = start(m);
    assert_close(joint_coordinate(k, "two", 0).f, -11.5, 1e-11);
    for (int i = 1; i <= 1000; i++)
        drive(k, i);
    double angle = 23 + 300e3 + 0.1 * sin(50e3);
    assert_close(joint_coordinate(k, "one", 0).f, angle, 1e-14);
    assert_close(joint_coordinate(k, "two", 0).f, -angle / 2, 1e-14);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

static void screw_moves_by_its_lead_in_a_turn(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies: {nut: {mass: 3, inertia: [1, 1, 0.5], position: [0, 0, 0.2]}}\n"
        "joints: {thread: {type: screw, between: [ground, nut], axis: [0, 0, 1], lead: 0.01}}\n"
        "drivers: {motor: {joint: thread, angle: 2*pi*50*t^2}}\n");
    lmb_kinematics *k = start(m);
    for (int i = 1; i <= 10; i++) {
        double turns = 50 * 0.01 * i * i;
        drive(k, 0.1 * i);
        assert_close(joint_coordinate(k, "thread", 0).f, 2 * LMB_PI * turns, 1e-11);
        assert_close(joint_coordinate(k, "thread", 1).f, 0.2 + 0.01 * turns, 1e-11);
        /* I alpha + m (a + g) lead / 2 pi */
        double alpha = 2 * LMB_PI * 100, a = 0.01 * 100;
        assert_close(effort(k, 0), 0.5 * alpha + 3 * (a + 9.81) * 0.01 / (2 * LMB_PI), 1e-10);
    }
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* Two shafts at an angle: Hooke's joint turns the second unevenly, tan(out) = tan(in) / cos(bend).
 */
static void universal_joint_turns_unevenly(void **unused)
{
    (void)unused;
    const double bend = 0.6;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\nparameters: {bend: 0.6}\n"
        "bodies:\n"
        "  in: {mass: 1, inertia: [1, 1, 1]}\n"
        "  out: {mass: 1, inertia: [1, 1, 2], rotation: [bend, 0, 0]}\n"
        "joints:\n"
        "  drive: {type: revolute, between: [ground, in], axis: [0, 0, 1]}\n"
        "  cross: {type: universal, between: [in, out], axis: [1, 0, 0], axis_b: [0, 1, 0]}\n"
        "  driven: {type: cylindrical, between: [ground, out], axis: [0, -sin(bend), cos(bend)]}\n"
        "drivers:\n"
        "  motor: {joint: drive, angle: 2*t}\n"
        "  hold: {joint: driven, coordinate: offset, offset: 0}\n");
    lmb_kinematics *k = start(m);
    for (int i = 1; i <= 40; i++) {
        double in = 0.2 * i;
        drive(k, 0.1 * i);
        double out = joint_coordinate(k, "driven", 0).f;
        assert_close(tan(out), tan(in) * cos(bend), 1e-9 * (1 + tan(in) * tan(in)));
        double ratio = cos(bend) / (1 - sin(bend) * sin(bend) * sin(in) * sin(in));
        assert_close(joint_coordinate(k, "driven", 0).d, 2 * ratio, 1e-10);
        assert_true(fabs(out - in) < 0.3); /* over several turns */
        /* what the motor supplies is the change of energy of the second shaft */
        double rate = joint_coordinate(k, "driven", 0).d * joint_coordinate(k, "driven", 0).dd * 2;
        assert_close(2 * effort(k, 0), rate, 1e-9);
    }
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* A unicycle: steered by the yaw of its fork, rolled by its spin; the path is a circle. */
static void disc_rolls_in_a_circle(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  fork: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.25]}\n"
        "  disc: {mass: 2, inertia: [0.05, 0.1, 0.05], position: [0, 0, 0.25]}\n"
        "joints:\n"
        "  plane: {type: planar, between: [[0, 0, 0.25], fork], axis: [0, 0, 1]}\n"
        "  hub: {type: revolute, between: [fork, disc], axis: [0, 1, 0]}\n"
        "  road: {type: rolling, between: [ground, disc], axis: [0, 0, 1], axis_b: [0, 1, "
        "0], radius: 0.25}\n"
        "drivers:\n"
        "  steer: {joint: plane, angle: 0.5*t}\n"
        "  roll: {joint: hub, angle: 4*t}\n");
    lmb_kinematics *k = start(m);
    /* the height is given twice; the steering makes up for the two slips */
    assert_int_equal(k->rank.counts.free_undriven, 2);
    double speed = 0.25 * 4, radius = speed / 0.5;
    for (int i = 1; i <= 50; i++) {
        double t = 0.2 * i;
        drive(k, t);
        vec3 x = body(k->solver, "disc")->pose.p;
        /* integrated with an error of 1e-11 a unit of time */
        assert_close(x.x, radius * sin(0.5 * t), 1e-9);
        assert_close(x.y, radius * (1 - cos(0.5 * t)), 1e-9);
        assert_close(x.z, 0.25, 1e-11);
    }
    /* side force of the road on the disc and fork: centripetal */
    lmb_frame f = lmb_row_force(k->solver->state, m->joints[2].row, m->joints[2].row_count,
                                m->joints[2].pair, true);
    assert_close(hypot(f.p.x, f.p.y), 3 * speed * speed / radius, 1e-7);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* --- drivers -----------------------------------------------------------------------------------
 */

static void a_prescribed_speed_is_integrated_exactly(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies: {wheel: {mass: 1, inertia: 1, angle: 0.5}}\n"
                      "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                      "drivers: {motor: {joint: axle, speed: 10*sin(3*t)^2 + exp(-t)}}\n");
    lmb_kinematics *k = start(m);
    for (int i = 1; i <= 30; i++) {
        double t = 0.37 * i;
        drive(k, t);
        double exact = 0.5 + 5 * t - 5 * sin(6 * t) / 6 + 1 - exp(-t);
        assert_close(joint_coordinate(k, "axle", 0).f, exact, 1e-12);
        assert_close(joint_coordinate(k, "axle", 0).dd, 30 * sin(6 * t) - exp(-t), 1e-11);
    }
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* A particle moved along two directions that are not perpendicular. */
static void points_can_be_driven(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\ngravity: [0, -10]\n"
                                 "bodies: {bob: {type: particle, mass: 2, position: [3, 0.1]}}\n"
                                 "drivers:\n"
                                 "  reach: {point: bob, direction: [3, 4], offset: 5*t^2}\n"
                                 "  rail: {point: bob, direction: y, speed: 2, start: 0.1}\n");
    lmb_kinematics *k = start(m);
    drive(k, 0.7);
    vec3 x = body(k->solver, "bob")->pose.p;
    assert_close(x.y, 0.1 + 1.4, 1e-12);
    assert_close(0.6 * x.x + 0.8 * x.y, 5 * 0.49, 1e-12);
    /* m a = forces along (0.6, 0.8) and y, with gravity */
    double ax = 10 / 0.6, first = 2 * ax / 0.6;
    assert_close(effort(k, 0), first, 1e-11);
    assert_close(effort(k, 1), 2 * 10 - 0.8 * first, 1e-11);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* A hydraulic cylinder (a driven length) lifts a boom. */
static void lengths_can_be_driven(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                      "bodies: {boom: {mass: 100, inertia: 50, position: [1, 0.5], angle: 0.5,"
                      " points: {foot: [-1, 0], lug: [0, 0]}}}\n"
                      "joints:\n"
                      "  pivot: {type: revolute, between: [ground, boom.foot]}\n"
                      "  ram: {type: distance, between: [[0, -1], boom.lug]}\n"
                      "drivers: {pump: {joint: ram, length: 1.6 + 0.2*t}}\n");
    lmb_kinematics *k = start(m);
    assert_int_equal(k->rank.counts.free_undriven, 1);
    for (int i = 1; i <= 10; i++) {
        double length = 1.6 + 0.02 * i;
        drive(k, 0.1 * i);
        /* the lug is 1 m from the pivot, the ram's foot 1 m below it: L^2 = 2 + 2 sin(angle) */
        assert_close(body(k->solver, "boom")->q[2], asin(length * length / 2 - 1), 1e-11);
        assert_true(power_error(k, 0.1 * i + 0.05) < 1e-6); /* h^2/6 of the third derivative */
    }
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* --- assembly ------------------------------------------------------------------------------------
 */

static void assembly_finds_the_right_branch_from_a_bad_guess(void **unused)
{
    (void)unused;
    /* all bodies at the origin, the driven hinge turned by 170 degrees, a weld upside down */
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 3\n"
                      "bodies:\n"
                      "  a: {mass: 1, inertia: [1, 1, 1], rotation: [0, 0, -2.9],"
                      " points: {p: [-0.5, 0, 0], q: {at: [0.5, 0, 0], rotation: [0, 0, 0]}}}\n"
                      "  b: {mass: 1, inertia: [1, 1, 1], rotation: [3.1, 0, 0],"
                      " points: {p: {at: [-0.5, 0, 0], rotation: [0, 0, 0]}}}\n"
                      "joints:\n"
                      "  hinge: {type: revolute, between: [ground, a.p], axis: [0, 0, 1]}\n"
                      "  weld: {type: fixed, between: [a.q, b.p]}\n"
                      "drivers: {motor: {joint: hinge, angle: 0.1}}\n");
    lmb_kinematics *k = start(m);
    vec3 x = body(k->solver, "b")->pose.p;
    assert_close(x.x, 1.5 * cos(0.1), 1e-11);
    assert_close(x.y, 1.5 * sin(0.1), 1e-11);
    assert_close(body(k->solver, "b")->pose.e[2].z, 1, 1e-12); /* not upside down */
    assert_close(joint_coordinate(k, "hinge", 0).f, 0.1, 1e-12);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

static void assembly_names_the_joint_that_stays_open(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies:\n"
                      "  a: {mass: 1, position: [0.5, 0], points: {p: [-0.5, 0], q: [0.5, 0]}}\n"
                      "  b: {mass: 1, position: [1.5, 0], points: {p: [-0.5, 0], q: [0.5, 0]}}\n"
                      "joints:\n"
                      "  left: {type: revolute, between: [ground, a.p]}\n"
                      "  mid: {type: revolute, between: [a.q, b.p]}\n"
                      "  right: {type: revolute, between: [[2.6, 0], b.q]}\n");
    lmb_solver *s;
    assert_int_equal(lmb_solver_new(&s, context, m), LMB_OK);
    lmb_messages_clear(context);
    assert_int_equal(lmb_assemble(s), LMB_SOLVER);
    assert_message(context, "cannot be assembled");
    assert_message(context, "'mid'");
    assert_message(context, "by 0.2 m"); /* 0.6 m shared by three joints */
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* --- singular positions --------------------------------------------------------------------------
 */

static void lock_up_is_reported_where_it_happens(void **unused)
{
    (void)unused;
    /* the rod is shorter than the crank: it ends where r sin(phi) = l */
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies:\n"
        "  crank: {mass: 1, position: [0.1, 0], points: {o: [-0.1, 0], b: [0.1, 0]}}\n"
        "  rod: {mass: 1, position: [0.275, 0], points: {b: [-0.075, 0], c: [0.075, 0]}}\n"
        "  slider: {mass: 1, position: [0.35, 0]}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground, crank.o]}\n"
        "  pin: {type: revolute, between: [crank.b, rod.b]}\n"
        "  wrist: {type: revolute, between: [rod.c, slider]}\n"
        "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
        "drivers: {motor: {joint: main, angle: 2*t}}\n");
    lmb_kinematics *k = start(m);
    lmb_messages_clear(context);
    assert_int_equal(lmb_kinematics_advance(k, 1), LMB_SOLVER);
    assert_message(context, "locks up at t = 0.424031");
    assert_close(k->solver->state->t, asin(0.75) / 2, 1e-6);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* A parallelogram is flat when its crank reaches pi, and could fold there. */
static const char parallelogram[] =
    "limber: 1\ndimension: 2\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, position: [0, 0.5], angle: pi/2, points: {p: [-0.5, "
    "0], q: [0.5, 0]}}\n"
    "  b: {mass: 1, inertia: 1, position: [1, 1], points: {p: [-1, 0], q: [1, 0]}}\n"
    "  c: {mass: 1, inertia: 1, position: [2, 0.5], angle: pi/2, points: {p: [-0.5, "
    "0], q: [0.5, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, a.p]}\n"
    "  B: {type: revolute, between: [a.q, b.p]}\n"
    "  C: {type: revolute, between: [b.q, c.q]}\n"
    "  D: {type: revolute, between: [[2, 0], c.p]}\n"
    "drivers: {motor: {joint: A, angle: pi/2 + t}}\n";

static void passing_a_branch_point_is_reported(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(parallelogram);
    lmb_kinematics *k = start(m);
    lmb_messages_clear(context);
    for (int i = 1; i <= 30; i++)
        drive(k, 0.1 * i);
    /* at pi/2, found by interpolation over a step of 0.1 */
    const char *near = strstr(lmb_message_at(context, 0)->text, "branch point near t = ");
    assert_non_null(near);
    assert_true(fabs(atof(near + strlen("branch point near t = ")) - LMB_PI / 2) < 0.002);
    /* the smooth continuation: still a parallelogram */
    assert_close(body(k->solver, "b")->q[2], 0, 1e-9);
    assert_close(body(k->solver, "c")->q[2], LMB_PI / 2 + 3, 1e-9);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

static void results_in_singular_positions_are_warned_of(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(parallelogram);
    lmb_kinematics *k = start(m);
    lmb_messages_clear(context);
    drive(k, LMB_PI / 2);
    assert_message(context, "singular position at t = 1.5708");
    drive(k, 3);
    assert_close(body(k->solver, "c")->q[2], LMB_PI / 2 + 3, 1e-9);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

static void contradicting_drivers_are_reported(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies: {wheel: {mass: 1, inertia: 1}}\n"
                      "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                      "drivers: {one: {joint: axle, angle: t}, two: {joint: axle, angle: 2*t}}\n");
    lmb_kinematics *k;
    assert_int_equal(lmb_kinematics_new(&k, context, m, 0, false), LMB_SOLVER);
    assert_message(context, "inconsistent");
    lmb_model_free(m);
}

static void a_large_output_step_stays_on_the_branch(void **unused)
{
    (void)unused;
    /* 30 turns between two results */
    lmb_model *m = model_of_text(planar_four_bar);
    lmb_kinematics *fine = start(m), *coarse = start(m);
    for (int i = 1; i <= 6300; i++)
        drive(fine, 0.01 * i);
    drive(coarse, 63);
    for (int i = 0; i < m->nq; i++)
        assert_close(coarse->solver->state->q[i], fine->solver->state->q[i], 1e-10);
    assert_close(joint_coordinate(coarse, "A", 0).f, LMB_PI / 2 + 189 + 0.2 * sin(315), 1e-9);
    lmb_kinematics_free(fine);
    lmb_kinematics_free(coarse);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bar_of_spatial_hinges_moves_like_the_planar_one),
        cmocka_unit_test(bricard_moves_with_a_redundant_constraint),
        cmocka_unit_test(bricard_locks_up_at_the_end_of_its_range),
        cmocka_unit_test(gears_turn_in_the_ratio_of_their_radii),
        cmocka_unit_test(gears_keep_turning),
        cmocka_unit_test(screw_moves_by_its_lead_in_a_turn),
        cmocka_unit_test(universal_joint_turns_unevenly),
        cmocka_unit_test(disc_rolls_in_a_circle),
        cmocka_unit_test(a_prescribed_speed_is_integrated_exactly),
        cmocka_unit_test(points_can_be_driven),
        cmocka_unit_test(lengths_can_be_driven),
        cmocka_unit_test(assembly_finds_the_right_branch_from_a_bad_guess),
        cmocka_unit_test(assembly_names_the_joint_that_stays_open),
        cmocka_unit_test(lock_up_is_reported_where_it_happens),
        cmocka_unit_test(passing_a_branch_point_is_reported),
        cmocka_unit_test(results_in_singular_positions_are_warned_of),
        cmocka_unit_test(contradicting_drivers_are_reported),
        cmocka_unit_test(a_large_output_step_stays_on_the_branch),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
