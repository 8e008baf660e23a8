/* What a program does to a simulation on its way: drivers moved from outside, hooks at steps; and
 * the motion and Jacobian of points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limber/simulation.h"
#include "models.h"
#include "support.h"
#include "system/model.h"

static const char arm[] = "limber: 1\n"
                          "dimension: 2\n"
                          "bodies: {arm: {mass: 2, inertia: 0.1, position: [0.5, 0], points: {O: "
                          "[-0.5, 0], E: [1, 0]}}}\n"
                          "joints: {pin: {type: revolute, between: [ground, arm.O]}}\n"
                          "drivers: {motor: {joint: pin, %s}}\n"
                          "analyses: {turn: {type: %s, duration: 1, output_step: 0.1}}\n";

static lmb_simulation *start(const char *text, lmb_model **model)
{
    lmb_spec *spec;
    lmb_simulation *s;
    assert_ok(lmb_spec_parse(&spec, context, "model", text));
    assert_ok(lmb_model_compile(model, context, spec));
    lmb_spec_free(spec);
    assert_ok(lmb_simulation_new(&s, context, *model, NULL));
    return s;
}

static void finish(lmb_simulation *s, lmb_model *model)
{
    lmb_simulation_free(s);
    lmb_model_free(model);
}

static double read_of(lmb_simulation *s, const char *name)
{
    int handle;
    assert_ok(lmb_simulation_channel(s, name, &handle, NULL));
    return *lmb_simulation_read(s, handle);
}

/* --- drivers from outside --------------------------------------------------------------------- */

/* From t = 0.2 on the angle is given as 0.3 + 2 (t - 0.2) + 5 (t - 0.2)^2 / 2, whatever its law was
 * and however that was written; the torque is (I + m r^2) times 5. */
static void drivers_go_on_as_given(void **state)
{
    static const char *const laws[] = {"angle: t", "speed: 1 + t", "angle: sin(t)"};
    static const char *const kinds[] = {"kinematics", "inverse-dynamics", "dynamics"};
    const double given[3] = {0.3, 2, 5};
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            char text[800];
            lmb_model *model;
            int motor, size;
            snprintf(text, sizeof text, arm, laws[i], kinds[k]);
            lmb_simulation *s = start(text, &model);
            assert_ok(lmb_simulation_advance(s, 0.2));
            assert_ok(lmb_simulation_input(s, "motor", &motor, &size));
            assert_int_equal(size, 3);
            assert_ok(lmb_simulation_set_input(s, motor, given));
            assert_close(read_of(s, "pin.angle"), 0.3, 1e-12);
            assert_close(read_of(s, "arm.angular_velocity"), 2, 1e-12);
            lmb_snapshot *here;
            assert_ok(lmb_simulation_save(s, &here));
            assert_ok(lmb_simulation_advance(s, 0.6));
            /* the tolerance of rk45 is 1e-6; the row itself is satisfied */
            double exact = k == 2 ? 1e-9 : 1e-12;
            assert_close(read_of(s, "pin.angle"), 0.3 + 0.8 + 0.4, exact);
            assert_close(read_of(s, "arm.angular_velocity"), 4, exact);
            if (k)
                assert_close(read_of(s, "motor.effort"), 5 * (0.1 + 2 * 0.25), 1e-9);
            double there = read_of(s, "pin.angle");
            assert_ok(lmb_simulation_restore(s, here));
            assert_ok(lmb_simulation_advance(s, 0.6));
            assert_true(read_of(s, "pin.angle") == there);
            lmb_snapshot_free(here);
            finish(s, model);
        }
}

/* A polygon of short constant accelerations is the law that it samples, to second order. */
static void drivers_can_be_led(void **state)
{
    char text[800];
    lmb_model *model;
    int motor;
    (void)state;
    snprintf(text, sizeof text, arm, "angle: 0", "inverse-dynamics");
    lmb_simulation *s = start(text, &model);
    assert_ok(lmb_simulation_input(s, "motor", &motor, NULL));
    for (int i = 0; i < 1000; i++) {
        double t = i * 1e-3, now[3] = {sin(t), cos(t), -sin(t)};
        assert_ok(lmb_simulation_set_input(s, motor, now));
        assert_ok(lmb_simulation_advance(s, (i + 1) * 1e-3));
    }
    /* the rest of the Taylor series over a step: h^3 / 6 */
    assert_close(read_of(s, "pin.angle"), sin(1.0), 1e-9 / 5);
    finish(s, model);
}

static void wrong_motions_are_refused(void **state)
{
    (void)state;
    lmb_model *model;
    char other[800];
    snprintf(other, sizeof other, arm, "angle: 0", "dynamics");
    lmb_simulation *s = start(other, &model);
    int motor;
    assert_ok(lmb_simulation_input(s, "motor", &motor, NULL));
    const double nan[3] = {0, NAN, 0};
    assert_int_equal(lmb_simulation_set_input(s, motor, nan), LMB_USAGE);
    assert_message(context, "input 'motor' cannot be nan");
    assert_int_equal(lmb_simulation_input(s, "moter", &motor, NULL), LMB_USAGE);
    assert_message(context, "did you mean 'motor'?");
    finish(s, model);
}

/* Inputs can be read back: a driver goes by its law, then as it was given; names are listed. */
static void inputs_are_read_back(void **state)
{
    static const char *const laws[] = {"angle: 0.1 + 2*t^2", "speed: 4*t"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[800];
        lmb_model *model;
        double now[3];
        int motor;
        snprintf(text, sizeof text, arm, laws[i], "inverse-dynamics");
        lmb_simulation *s = start(text, &model);
        assert_ok(lmb_simulation_input(s, "motor", &motor, NULL));
        assert_ok(lmb_simulation_advance(s, 0.5));
        assert_ok(lmb_simulation_get_input(s, motor, now));
        assert_close(now[0], i ? 0.5 : 0.6, 1e-14);
        assert_close(now[1], 2, 1e-14);
        assert_close(now[2], 4, 1e-14);
        assert_ok(lmb_simulation_set_input(s, motor, (double[]){0.3, 2, 5}));
        assert_ok(lmb_simulation_advance(s, 0.7));
        assert_ok(lmb_simulation_get_input(s, motor, now));
        assert_close(now[0], 0.3 + 0.4 + 0.1, 1e-14);
        assert_close(now[1], 3, 1e-14);
        assert_close(now[2], 5, 0);
        assert_ok(lmb_simulation_rewind(s)); /* to its law */
        assert_ok(lmb_simulation_get_input(s, motor, now));
        assert_close(now[2], 4, 1e-14);
        assert_string_equal(lmb_simulation_input_name(s, 0), "motor");
        assert_null(lmb_simulation_input_name(s, 1));
        assert_null(lmb_simulation_input_name(s, -1));
        assert_int_equal(lmb_simulation_get_input(s, 7, now), LMB_USAGE);
        assert_int_equal(lmb_simulation_get_input(s, motor, NULL), LMB_USAGE);
        assert_int_equal(lmb_simulation_input(s, "something", &motor, NULL), LMB_USAGE);
        assert_message(context, "inputs of 'turn' are motor");
        finish(s, model);
    }
}

/* --- hooks ------------------------------------------------------------------------------------ */

static const char cart[] =
    "limber: 1\n"
    "dimension: 2\n"
    "bodies: {box: {mass: 2, inertia: 1}}\n"
    "joints: {rail: {type: prismatic, between: [ground, box], axis: [1, 0]}}\n"
    "forces: {motor: {type: motor, joint: rail, effort: 0}}\n"
    "%s"
    "analyses: {go: {type: dynamics, duration: 1, output_step: 0.1, integrator: %s}}\n";

/* What a hook knows and counts. */
typedef struct observer {
    int before, accepted, motor, position;
    double last, stop;
    bool backwards, acts;
} observer;

/* Pushes to the right in the first half of each tenth of a second, else to the left. */
static int decide(void *user, lmb_simulation *s)
{
    observer *o = user;
    double t = lmb_simulation_time(s), force = t < 0.5 ? 4 : -4;
    o->before++;
    if (o->acts && lmb_simulation_set_input(s, o->motor, &force))
        return 1;
    return t >= o->stop;
}

static int note(void *user, lmb_simulation *s)
{
    observer *o = user;
    double t = lmb_simulation_time(s);
    o->accepted++;
    o->backwards = o->backwards || t <= o->last;
    o->last = t;
    return lmb_simulation_read(s, o->position) == NULL;
}

/* Steps are told in order, as many before as after; the controller accelerates and brakes: the box
 * goes 2 m/s^2 (0.5 s)^2 = 0.5 m when it is stopped at the end of its second phase. */
static void hooks_are_asked_at_steps(void **state)
{
    static const char *const integrators[] = {"rk45", "'generalized-alpha', step: 0.01",
                                              "adams, step: 0.01", "euler, step: 0.01", "ida"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        char text[800];
        lmb_model *model;
        snprintf(text, sizeof text, cart, "", integrators[i]);
        lmb_simulation *s = start(text, &model);
        observer o = {.stop = 10, .acts = true};
        assert_ok(lmb_simulation_input(s, "motor", &o.motor, NULL));
        assert_ok(lmb_simulation_channel(s, "box.position.x", &o.position, NULL));
        assert_ok(lmb_simulation_on_step(s, decide, note, &o));
        assert_ok(lmb_simulation_advance(s, 0.5));
        int half = o.accepted;
        assert_true(half > 0 && o.before == o.accepted && !o.backwards && o.last == 0.5);
        assert_ok(lmb_simulation_advance(s, 1));
        assert_true(o.accepted > half && o.before == o.accepted && o.last == 1);
        /* constant accelerations are exact but for the method of Euler, whose error is
         * 1/2 a h t = 0.005 in each phase, and of opposite signs */
        assert_close(*lmb_simulation_read(s, o.position), 0.5, i == 3 ? 0.011 : 1e-6);
        finish(s, model);
    }
}

/* A hook that stops leaves the simulation, its inputs included, as before the call. */
static void hooks_can_stop(void **state)
{
    char text[800];
    lmb_model *model;
    (void)state;
    snprintf(text, sizeof text, cart, "", "adams, step: 0.01");
    lmb_simulation *s = start(text, &model);
    observer o = {.stop = 0.35, .acts = true};
    assert_ok(lmb_simulation_input(s, "motor", &o.motor, NULL));
    assert_ok(lmb_simulation_channel(s, "box.position.x", &o.position, NULL));
    assert_ok(lmb_simulation_on_step(s, decide, note, &o));
    assert_int_equal(lmb_simulation_advance(s, 1), LMB_SOLVER);
    assert_true(lmb_simulation_time(s) == 0);
    assert_close(read_of(s, "motor.effort"), 0, 0);
    assert_ok(lmb_simulation_on_step(s, NULL, NULL, NULL));
    assert_ok(lmb_simulation_advance(s, 1));
    assert_close(*lmb_simulation_read(s, o.position), 0, 1e-15);
    finish(s, model);
}

static lmb_status inner;

static int meddle(void *user, lmb_simulation *s)
{
    (void)user;
    inner = lmb_simulation_advance(s, 5);
    return 0;
}

static void hooks_cannot_move_on(void **state)
{
    char text[800];
    lmb_model *model;
    (void)state;
    snprintf(text, sizeof text, cart, "", "rk45");
    lmb_simulation *s = start(text, &model);
    assert_ok(lmb_simulation_on_step(s, meddle, NULL, NULL));
    inner = LMB_OK;
    assert_ok(lmb_simulation_advance(s, 0.1));
    assert_int_equal(inner, LMB_USAGE);
    finish(s, model);
}

/* Steps that are repeated to find an event are not told; the one that ends at it is. */
static void events_end_steps(void **state)
{
    char text[800];
    lmb_model *model;
    (void)state;
    snprintf(text, sizeof text, cart,
             "events: {there: {when: box.position.x - 0.09, stop: true}}\n", "rk45");
    lmb_simulation *s = start(text, &model);
    observer o = {.stop = 10, .acts = true};
    assert_ok(lmb_simulation_input(s, "motor", &o.motor, NULL));
    assert_ok(lmb_simulation_channel(s, "box.position.x", &o.position, NULL));
    assert_ok(lmb_simulation_on_step(s, decide, note, &o));
    assert_ok(lmb_simulation_advance(s, 1));
    assert_close(lmb_simulation_time(s), 0.3, 1e-9); /* x = t^2 */
    assert_true(o.last == lmb_simulation_time(s) && !o.backwards);
    finish(s, model);
}

/* --- points ----------------------------------------------------------------------------------- */

/* A point of an arm that turns: closed forms, and J v is the velocity. */
static void points_move_with_bodies(void **state)
{
    char text[800];
    lmb_model *model;
    (void)state;
    snprintf(text, sizeof text, arm, "angle: 0.4 + 2*t + t^2", "inverse-dynamics");
    lmb_simulation *s = start(text, &model);
    assert_ok(lmb_simulation_advance(s, 0.5));
    double a = 0.4 + 1 + 0.25, w = 3, r = 1.5, d = 0.2; /* E, and 0.2 m across */
    lmb_point_motion m;
    double J[6 * 3], offset[3] = {0, d, 0};
    assert_ok(lmb_simulation_point(s, "arm.E", offset, &m, J));
    double c = cos(a), n = sin(a), x = r * c - d * n, y = r * n + d * c;
    assert_close(m.position[0], x, 1e-14);
    assert_close(m.position[1], y, 1e-14);
    assert_close(m.velocity[0], -w * y, 1e-13);
    assert_close(m.velocity[1], w * x, 1e-13);
    assert_close(m.acceleration[0], -2 * y - w * w * x, 1e-12);
    assert_close(m.acceleration[1], 2 * x - w * w * y, 1e-12);
    assert_close(m.angular_velocity[2], w, 1e-13);
    assert_close(m.rotation[0], c, 1e-14);
    assert_close(m.rotation[3], n, 1e-14);
    const double *v = lmb_simulation_view(s, LMB_QUANTITY_V);
    for (int i = 0; i < 6; i++) {
        double sum = J[3 * i] * v[0] + J[3 * i + 1] * v[1] + J[3 * i + 2] * v[2];
        assert_close(sum, i < 3 ? m.velocity[i] : m.angular_velocity[i - 3], 1e-13);
    }
    assert_ok(lmb_simulation_point(s, "ground", offset, &m, J));
    assert_close(m.position[1], d, 0);
    assert_close(J[0], 0, 0);
    assert_int_equal(lmb_simulation_point(s, "arm.Ex", NULL, &m, NULL), LMB_USAGE);
    assert_message(context, "there is no body or point 'arm.Ex'");
    assert_message(context, "did you mean 'arm.E'?");
    offset[0] = NAN;
    assert_int_equal(lmb_simulation_point(s, "arm", offset, &m, NULL), LMB_USAGE);
    assert_int_equal(lmb_simulation_point(s, NULL, NULL, &m, NULL), LMB_USAGE);
    assert_int_equal(lmb_simulation_point(NULL, "arm", NULL, &m, NULL), LMB_USAGE);
    finish(s, model);
}

/* Every point of examples in space, rigid, flexible and exact: J v is the velocity that the
 * position changes with, by central differences of the motion. */
static void velocities_are_rates(void **state)
{
    static const char *const files[] = {"examples/double-pendulum/double-pendulum.yaml",
                                        "examples/hub-beam/hub-beam.yaml",
                                        "examples/crane/crane.yaml"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        lmb_spec *spec;
        lmb_model *model;
        lmb_simulation *s;
        lmb_messages_clear(context);
        assert_ok(lmb_spec_load(&spec, context, files[i]));
        assert_ok(lmb_model_compile(&model, context, spec));
        assert_ok(lmb_simulation_new(&s, context, model, NULL));
        int nv = lmb_simulation_size(s, LMB_QUANTITY_V), points = 0;
        double *J = test_malloc(6 * (size_t)nv * sizeof *J), h = 1e-5;
        double t = lmb_simulation_time(s) + 0.05;
        for (int b = 1; b < model->body_count; b++)
            for (int k = 0; k < model->bodies[b].point_count; k++, points++) {
                const char *name = model->points[model->bodies[b].point + k].name;
                lmb_point_motion at[3];
                lmb_snapshot *here;
                if (lmb_simulation_time(s) < t - h)
                    assert_ok(lmb_simulation_advance(s, t - h));
                assert_ok(lmb_simulation_save(s, &here));
                assert_ok(lmb_simulation_point(s, name, NULL, &at[0], NULL));
                assert_ok(lmb_simulation_advance(s, t));
                assert_ok(lmb_simulation_point(s, name, NULL, &at[1], J));
                const double *v = lmb_simulation_view(s, LMB_QUANTITY_V);
                for (int r = 0; r < 6; r++) {
                    double sum = 0;
                    for (int j = 0; j < nv; j++)
                        sum += J[r * nv + j] * v[j];
                    assert_close(sum, r < 3 ? at[1].velocity[r] : at[1].angular_velocity[r - 3],
                                 1e-12);
                }
                assert_ok(lmb_simulation_advance(s, t + h));
                assert_ok(lmb_simulation_point(s, name, NULL, &at[2], NULL));
                /* h^2 / 6 of the third derivative, and what the integrator leaves over 2 h */
                for (int r = 0; r < 3; r++)
                    assert_close((at[2].position[r] - at[0].position[r]) / (2 * h),
                                 at[1].velocity[r], 1e-4);
                assert_ok(lmb_simulation_restore(s, here));
                lmb_snapshot_free(here);
            }
        assert_true(points > 0);
        test_free(J);
        lmb_spec_free(spec);
        finish(s, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivers_go_on_as_given),   cmocka_unit_test(drivers_can_be_led),
        cmocka_unit_test(inputs_are_read_back),     cmocka_unit_test(wrong_motions_are_refused),
        cmocka_unit_test(hooks_are_asked_at_steps), cmocka_unit_test(hooks_can_stop),
        cmocka_unit_test(hooks_cannot_move_on),     cmocka_unit_test(events_end_steps),
        cmocka_unit_test(points_move_with_bodies),  cmocka_unit_test(velocities_are_rates),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
