/* Simulations: the bits of `limber run`, the way back, inputs, states, and wrong uses. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "counting.h"
#include "models.h"
#include "program.h"
#include "run/simulation.h"
#include "support.h"

static lmb_simulation *simulation_of(const lmb_model *model, const char *analysis)
{
    lmb_simulation *s;
    assert_ok(lmb_simulation_new(&s, context, model, analysis));
    return s;
}

static int channel_of(lmb_simulation *s, const char *name)
{
    int handle, size;
    assert_ok(lmb_simulation_channel(s, name, &handle, &size));
    return handle;
}

static int input_of(lmb_simulation *s, const char *name)
{
    int handle, size;
    assert_ok(lmb_simulation_input(s, name, &handle, &size));
    return handle;
}

/* --- the bits of `limber run` ----------------------------------------------------------------- */

/* All channels of an analysis of a result, with their handles. */
typedef struct recorded {
    int count, *handles;
    lmb_series *series;
} recorded;

static recorded read_result(lmb_result *result, int analysis, lmb_simulation *s)
{
    recorded r = {lmb_result_channel_count(result, analysis), NULL, NULL};
    r.handles = calloc((size_t)r.count, sizeof *r.handles);
    r.series = calloc((size_t)r.count, sizeof *r.series);
    for (int i = 0; i < r.count; i++) {
        char name[200];
        const lmb_channel *c = lmb_result_channel(result, analysis, i);
        snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(result, analysis), c->name);
        assert_ok(lmb_result_read(result, context, name, &r.series[i]));
        r.handles[i] = channel_of(s, c->name);
    }
    return r;
}

static void free_recorded(recorded *r)
{
    for (int i = 0; i < r->count; i++)
        lmb_series_free(&r->series[i]);
    free(r->handles);
    free(r->series);
}

static bool same(const double *values, const lmb_series *series, int row)
{
    size_t size = (size_t)series->size;
    return memcmp(values, series->values + (size_t)row * size, size * sizeof *values) == 0;
}

static void compare_rows(lmb_simulation *s, const recorded *r, const char *what)
{
    const lmb_series *first = &r->series[0];
    for (int row = 0; row < first->count; row++) {
        if (row > 0)
            assert_ok(lmb_simulation_step(s));
        if (lmb_simulation_time(s) != first->time[row])
            fail_msg("%s: at t = %.17g, not %.17g", what, lmb_simulation_time(s), first->time[row]);
        for (int i = 0; i < r->count; i++)
            if (!same(lmb_simulation_read(s, r->handles[i]), &r->series[i], row))
                fail_msg("%s: %s differs at t = %g", what, r->series[i].channel.name,
                         first->time[row]);
    }
}

/* Examples that take less than a second. */
static const char *const examples[] = {
    "afterburner",
    "afterburner-torque",
    "andrews",
    "balance",
    "bicycle",
    "bricard",
    "cable",
    "cable-break",
    "clapper-beam",
    "crane",
    "double-pendulum",
    "five-bar",
    "flexible-pendulum",
    "flyball-governor",
    "flying-beam",
    "four-bar",
    "four-bar-flexible",
    "half-car",
    "heavy-top",
    "hub-beam",
    "n-four-bar",
    "particles",
    "pendulum-fit",
    "quick-return",
    "right-angle",
    "simeon-slider-crank",
    "slider-crank",
    "slider-crank-beams",
    "slider-crank-dynamics",
    "slider-crank-flexible",
    "sliding-rod",
    "sliding-rod-inverse",
    "spatial-slider-crank",
    "spin-up",
    "spinning-beam",
    "straight-line",
    "suspension",
    "vehicle",
    "wind-turbine-blade",
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static void steps_are_those_of_a_run(void **unused)
{
    (void)unused;
    int compared = 0;
    for (int e = 0; e < EXAMPLES; e++) {
        lmb_result *result;
        const char *path = scratch_path("example.h5");
        check_run(run_limber("run examples/%s/%s.yaml -o %s", examples[e], examples[e], path), 0,
                  "");
        lmb_model *model = model_of_example(examples[e], NULL, NULL);
        assert_ok(lmb_result_open(&result, context, path));
        for (int a = 0; a < model->analysis_count; a++) {
            if (model->analyses[a].kind->timeless)
                continue;
            lmb_simulation *s = simulation_of(model, model->analyses[a].name);
            recorded r = read_result(result, a, s);
            compare_rows(s, &r, examples[e]);
            free_recorded(&r);
            lmb_simulation_free(s);
            compared++;
        }
        lmb_result_close(result);
        lmb_model_free(model);
    }
    assert_true(compared >= 30);
}

/* --- the way back ----------------------------------------------------------------------------- */

/* All that can be seen of a simulation: t, q, v, a, lambda and a channel. */
static size_t look(lmb_simulation *s, int channel, double *out)
{
    size_t count = 0;
    out[count++] = lmb_simulation_time(s);
    for (int k = LMB_QUANTITY_Q; k <= LMB_QUANTITY_LAMBDA; k++) {
        int size = lmb_simulation_size(s, (lmb_quantity)k);
        memcpy(out + count, lmb_simulation_view(s, (lmb_quantity)k), (size_t)size * sizeof *out);
        count += (size_t)size;
    }
    out[count++] = *lmb_simulation_read(s, channel);
    return count;
}

enum { STEPS = 12, ROOM = 4000 };

/* Goes on for some steps and remembers, or compares, what there is. */
static void follow(lmb_simulation *s, int channel, double seen[STEPS + 1][ROOM], bool again)
{
    static double now[ROOM];
    for (int i = 0; i <= STEPS; i++) {
        if (i > 0)
            assert_ok(lmb_simulation_step(s));
        size_t count = look(s, channel, again ? now : seen[i]);
        assert_true(count <= ROOM);
        if (again && memcmp(now, seen[i], count * sizeof *now) != 0)
            fail_msg("another motion after %d steps, at t = %g", i, lmb_simulation_time(s));
    }
}

/* From the start and from the middle, there and back again, also in another simulation. */
static void check_snapshots(const lmb_model *model, const char *analysis, const char *channel)
{
    static double first[STEPS + 1][ROOM], later[STEPS + 1][ROOM];
    lmb_simulation *s = simulation_of(model, analysis), *other = simulation_of(model, analysis);
    lmb_snapshot *start, *middle;
    int k = channel_of(s, channel), of_other = channel_of(other, channel);
    assert_ok(lmb_simulation_save(s, &start));
    follow(s, k, first, false);
    assert_ok(lmb_simulation_save(s, &middle));
    follow(s, k, later, false);
    assert_ok(lmb_simulation_restore(s, middle));
    follow(s, k, later, true);
    assert_ok(lmb_simulation_restore(other, middle));
    follow(other, of_other, later, true);
    assert_ok(lmb_simulation_restore(s, start));
    follow(s, k, first, true);
    follow(s, k, later, true); /* begins where the first ended */
    lmb_snapshot_free(start);
    lmb_snapshot_free(middle);
    lmb_simulation_free(s);
    lmb_simulation_free(other);
}

/* A double pendulum by all integrators, with an output step that rk45 steps over. */
static const char double_pendulum[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  one: {mass: 1, inertia: 0.1, position: [0.5, 0], points: {a: [-0.5, 0], b: [0.5, 0]}}\n"
    "  two: {mass: 2, inertia: 0.2, position: [1.5, 0], points: {a: [-0.5, 0]}}\n"
    "joints:\n"
    "  top: {type: revolute, between: [ground, one.a]}\n"
    "  pin: {type: revolute, between: [one.b, two.a]}\n"
    "forces:\n"
    "  motor: {type: motor, joint: top, effort: 0.1*sin(t)}\n"
    "  brake: {type: torsion-spring, joint: pin, stiffness: 1, damping: 0.05}\n"
    "  push: {type: force, at: two, force: [0, 0]}\n"
    "  turn: {type: torque, at: two, torque: 0}\n"
    "analyses:\n"
    "  rk45: {type: dynamics, duration: 1, output_step: 0.003, tolerance: 1e-9}\n"
    "  parts: {type: dynamics, duration: 1, output_step: 0.01, stabilisation: partitioning}\n"
    "  euler: {type: dynamics, integrator: euler, duration: 1, output_step: 0.01, step: 0.001}\n"
    "  adams: {type: dynamics, integrator: adams, duration: 1, output_step: 0.01, step: 0.001}\n"
    "  alpha: {type: dynamics, integrator: generalized-alpha, duration: 1, output_step: 0.01, "
    "step: 0.002}\n"
    "  hht: {type: dynamics, integrator: hht, duration: 1, output_step: 0.01, step: 0.002}\n"
    "  ali3p: {type: dynamics, integrator: ali3p, duration: 1, output_step: 0.01, step: 0.002}\n"
    "  ida: {type: dynamics, integrator: ida, duration: 1, output_step: 0.01, tolerance: 1e-8}\n";

static void snapshots_go_on_to_the_last_bit(void **unused)
{
    (void)unused;
    static const char *const analyses[] = {"rk45",  "parts", "euler", "adams",
                                           "alpha", "hht",   "ali3p"};
    lmb_model *model = model_of_text(double_pendulum);
    for (int i = 0; i < 7; i++)
        check_snapshots(model, analyses[i], "pin.force.x");
    lmb_simulation *s = simulation_of(model, "ida");
    lmb_snapshot *snapshot;
    assert_int_equal(lmb_simulation_save(s, &snapshot), LMB_USAGE);
    assert_null(snapshot);
    assert_message(context, "cannot be saved");
    lmb_simulation_free(s);
    lmb_model_free(model);

    static const char *const others[][2] = {
        {"slider-crank", "motor.effort"},      {"bricard", "energy.kinetic"},
        {"bicycle", "energy.kinetic"},         {"cable-break", "energy.kinetic"},
        {"flying-beam", "energy.kinetic"},     {"four-bar-flexible", "energy.kinetic"},
        {"flyball-governor", "energy.kinetic"}};
    for (int i = 0; i < 7; i++) {
        model = model_of_example(others[i][0], NULL, NULL);
        check_snapshots(model, NULL, others[i][1]);
        lmb_model_free(model);
    }
}

/* --- inputs ----------------------------------------------------------------------------------- */

/* A double pendulum with laws in place of its zeros. */
static lmb_model *model_with(const char *effort, const char *force, const char *torque)
{
    char text[4000];
    const char *at[] = {strstr(double_pendulum, "0.1*sin(t)"), strstr(double_pendulum, "[0, 0]}"),
                        strstr(double_pendulum, "torque: 0}")};
    snprintf(text, sizeof text, "%.*s%s%.*s%s%.*storque: %s%s", (int)(at[0] - double_pendulum),
             double_pendulum, effort, (int)(at[1] - at[0] - 10), at[0] + 10, force,
             (int)(at[2] - at[1] - 6), at[1] + 6, torque, at[2] + 9);
    return model_of_text(text);
}

static void set_inputs(lmb_simulation *s, double factor)
{
    double effort = factor * 0.7, force[] = {factor * 3, factor * -2}, torque = factor * 0.25;
    assert_ok(lmb_simulation_set_input(s, input_of(s, "motor"), &effort));
    assert_ok(lmb_simulation_set_input(s, input_of(s, "push"), force));
    assert_ok(lmb_simulation_set_input(s, input_of(s, "turn"), &torque));
}

static void compare_motions(lmb_simulation *a, lmb_simulation *b, double tolerance)
{
    for (int k = LMB_QUANTITY_Q; k <= LMB_QUANTITY_LAMBDA; k++)
        for (int i = 0; i < lmb_simulation_size(a, (lmb_quantity)k); i++)
            assert_close(lmb_simulation_view(a, (lmb_quantity)k)[i],
                         lmb_simulation_view(b, (lmb_quantity)k)[i], tolerance);
}

/* What is added is the same as a number in the law: but for rounding, which grows a little in half
 * a second, and more where a method divides it by the square of its step. */
static void inputs_are_added_to_laws(void **unused)
{
    (void)unused;
    static const struct {
        const char *analysis;
        double tolerance;
    } cases[] = {{"rk45", 1e-12}, {"adams", 1e-12}, {"euler", 1e-12},
                 {"alpha", 1e-7}, {"ali3p", 1e-7},  {"ida", 1e-12}};
    lmb_model *plain = model_with("0.1*sin(t)", "[0, 0]", "0");
    lmb_model *laws = model_with("0.1*sin(t) + 0.7", "[3, -2]", "0.25");
    for (int i = 0; i < 6; i++) {
        lmb_simulation *a = simulation_of(plain, cases[i].analysis);
        lmb_simulation *b = simulation_of(laws, cases[i].analysis);
        set_inputs(a, 1);
        compare_motions(a, b, 1e-12); /* accelerations and reactions at once */
        assert_close(*lmb_simulation_read(a, channel_of(a, "motor.effort")), 0.7, 1e-14);
        for (int k = 0; k < 50; k++) {
            assert_ok(lmb_simulation_step(a));
            assert_ok(lmb_simulation_step(b));
            set_inputs(a, 1); /* no change, so that nothing begins anew */
        }
        compare_motions(a, b, cases[i].tolerance);
        lmb_simulation_free(a);
        lmb_simulation_free(b);
    }
    lmb_model_free(plain);
    lmb_model_free(laws);
}

/* Reactions of a motion that drivers determine follow the inputs too: a force along the slider of a
 * slider-crank needs an effort of the motor whose power is the opposite. */
static void inputs_act_in_inverse_dynamics(void **unused)
{
    (void)unused;
    lmb_model *model = model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies:\n  slider: {mass: 1, inertia: 1, position: [0, 0]}\n"
        "joints:\n  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
        "drivers:\n  move: {joint: guide, offset: 0.5*t^2}\n"
        "forces:\n  push: {type: force, at: slider, force: [0, 0]}\n"
        "analyses:\n  all: {type: inverse-dynamics, duration: 1}\n"
        "  motion: {type: kinematics, duration: 1}\n");
    lmb_simulation *s = simulation_of(model, "all");
    int effort = channel_of(s, "move.effort"), push = input_of(s, "push"), handle, size;
    assert_ok(lmb_simulation_advance(s, 0.3));
    assert_close(*lmb_simulation_read(s, effort), 1, 1e-12);
    assert_ok(lmb_simulation_set_input(s, push, (double[]){5, 0}));
    assert_close(*lmb_simulation_read(s, effort), 1 - 5, 1e-12);
    assert_ok(lmb_simulation_advance(s, 0.4));
    assert_close(*lmb_simulation_read(s, effort), 1 - 5, 1e-12);
    lmb_simulation_free(s);
    s = simulation_of(model, "motion");
    assert_int_equal(lmb_simulation_input(s, "push", &handle, &size), LMB_USAGE);
    assert_message(context, "forces do nothing");
    lmb_simulation_free(s);
    lmb_model_free(model);
}

/* An inverted pendulum on a cart is kept upright by a force on the cart every 10 ms: proportional
 * to angle, position and their rates, with the poles of the linear equations at -2, -2.5, -3, -3.5.
 */
static void controller_balances_a_pendulum(void **unused)
{
    (void)unused;
    const double M = 1, m = 0.2, l = 0.5, g = 9.81; /* a point mass on a rod without mass */
    lmb_model *model = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  cart: {mass: 1, inertia: 1, position: [0, 0]}\n"
        "  pole: {mass: 0.2, inertia: 0, position: [0.5*sin(-0.2), 0.5*cos(-0.2)], angle: 0.2,"
        " points: {foot: [0, -0.5]}}\n"
        "joints:\n"
        "  rail: {type: translational, between: [ground, cart], axis: [1, 0]}\n"
        "  pin: {type: revolute, between: [cart, pole.foot]}\n"
        "forces: {drive: {type: motor, joint: rail, effort: 0}}\n"
        "analyses: {balance: {type: dynamics, duration: 8, output_step: 0.01}}\n");
    /* a = pole.angle, counter-clockwise: M xdd = F + m g a, M l add = (M + m) g a + F; so with
     * F = k0 x + k1 xd + k2 a + k3 ad the polynomial of the poles gives the gains */
    const double c0 = 52.5, c1 = 79.75, c2 = 44.75, c3 = 11; /* 2, 2.5, 3 and 3.5 multiplied out */
    lmb_simulation *s = simulation_of(model, NULL);
    int x = channel_of(s, "cart.position.x"), xd = channel_of(s, "cart.velocity.x");
    int a = channel_of(s, "pole.angle"), ad = channel_of(s, "pole.angular_velocity");
    int drive = input_of(s, "drive");
    double k0 = c0 * M * l / g, k1 = c1 * M * l / g;
    double k2 = -c2 * M * l - (M + m) * g - k0 * l, k3 = -c3 * M * l - k1 * l;
    assert_close(*lmb_simulation_read(s, a), 0.2, 1e-12);
    while (lmb_simulation_time(s) < 8) {
        double force = k0 * *lmb_simulation_read(s, x) + k1 * *lmb_simulation_read(s, xd) +
                       k2 * *lmb_simulation_read(s, a) + k3 * *lmb_simulation_read(s, ad);
        assert_ok(lmb_simulation_set_input(s, drive, &force));
        assert_ok(lmb_simulation_step(s));
        assert_true(fabs(*lmb_simulation_read(s, a)) < 0.5);
    }
    assert_close(*lmb_simulation_read(s, a), 0, 1e-4); /* exp(-2 8) and delays */
    assert_close(*lmb_simulation_read(s, x), 0, 1e-4);
    lmb_simulation_free(s);
    lmb_model_free(model);
}

/* --- states ----------------------------------------------------------------------------------- */

static void states_are_corrected(void **unused)
{
    (void)unused;
    lmb_model *model = model_of_text(double_pendulum);
    lmb_simulation *s = simulation_of(model, "rk45");
    double start = *lmb_simulation_read(s, channel_of(s, "energy.balance"));
    assert_ok(lmb_simulation_advance(s, 0.2));
    /* both hang, but the second one is 1 cm too far down, and moves with it the wrong way */
    const double down = -2 * atan(1), q[] = {0, -0.5, down, 0, -1.51, down};
    const double v[] = {0.5, 0, 1, 1, 0.3, 0};
    assert_ok(lmb_simulation_set_state(s, q, v));
    const double *now = lmb_simulation_view(s, LMB_QUANTITY_Q);
    assert_true(lmb_simulation_time(s) == 0.2);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(now[i] - q[i]) < 0.0101);
    double foot = now[1] + 0.5 * sin(now[2]), top = now[4] - 0.5 * sin(now[5]);
    assert_close(foot, top, 1e-12);
    const double *speed = lmb_simulation_view(s, LMB_QUANTITY_V); /* no rates along the rods */
    assert_close(speed[1], 0, 1e-12);
    assert_close(speed[4], 0, 1e-12);
    assert_close(speed[0], 0.5 * speed[2], 1e-12);

    /* a state that fits is taken as it is, and goes on like the one that it is of */
    lmb_simulation *other = simulation_of(model, "rk45");
    assert_ok(lmb_simulation_advance(other, 0.2));
    assert_ok(lmb_simulation_set_state(other, now, speed));
    compare_motions(s, other, 1e-12);
    assert_ok(lmb_simulation_advance(s, 0.5));
    assert_ok(lmb_simulation_advance(other, 0.5));
    compare_motions(s, other, 1e-7);               /* of the tolerance, 1e-9 a step */
    int balance = channel_of(s, "energy.balance"); /* the change of the state counts as work */
    assert_close(*lmb_simulation_read(s, balance), start, 1e-6);
    lmb_simulation_free(other);

    /* what makes no sense leaves it where it is */
    double bad[] = {0, -0.5, down, 0, -1.5, NAN};
    assert_int_equal(lmb_simulation_set_state(s, bad, NULL), LMB_USAGE);
    assert_message(context, "'two.angle' is not a finite number");
    assert_int_equal(lmb_simulation_set_state(s, NULL, bad), LMB_USAGE);
    assert_true(lmb_simulation_time(s) == 0.5);
    assert_ok(lmb_simulation_set_state(s, NULL, NULL));
    lmb_simulation_free(s);
    lmb_model_free(model);
}

static void names_tell_what_numbers_are(void **unused)
{
    (void)unused;
    char name[64];
    lmb_model *model = model_of_example("heavy-top", NULL, NULL);
    lmb_simulation *s = simulation_of(model, NULL);
    assert_int_equal(lmb_simulation_size(s, LMB_QUANTITY_Q), 7);
    assert_int_equal(lmb_simulation_size(s, LMB_QUANTITY_V), 6);
    assert_ok(lmb_simulation_name(s, LMB_QUANTITY_Q, 3, name, sizeof name));
    assert_string_equal(name, "top.quaternion.w");
    assert_ok(lmb_simulation_name(s, LMB_QUANTITY_V, 5, name, sizeof name));
    assert_string_equal(name, "top.wz");
    assert_ok(lmb_simulation_name(s, LMB_QUANTITY_V, 5, name, 4)); /* cut */
    assert_string_equal(name, "top");
    assert_int_equal(lmb_simulation_name(s, LMB_QUANTITY_V, 6, name, sizeof name), LMB_USAGE);
    double q[7];
    memcpy(q, lmb_simulation_view(s, LMB_QUANTITY_Q), sizeof q);
    q[3] = q[4] = q[5] = q[6] = 0;
    assert_int_equal(lmb_simulation_set_state(s, q, NULL), LMB_USAGE);
    assert_message(context, "the quaternion of body 'top' is zero");
    lmb_simulation_free(s);
    lmb_model_free(model);
}

/* --- wrong uses ------------------------------------------------------------------------------- */

static void wrong_uses_are_refused(void **unused)
{
    (void)unused;
    lmb_simulation *s;
    lmb_snapshot *snapshot;
    int handle, size;
    double nan = NAN;
    lmb_model *model = model_of_text(double_pendulum), *other = model_of_text(double_pendulum);
    assert_int_equal(lmb_abi_version(), LMB_ABI_VERSION);
    assert_int_equal(lmb_simulation_new(&s, context, model, "rk54"), LMB_BAD_INPUT);
    assert_message(context, "did you mean 'rk45'?");
    assert_null(s);
    assert_int_equal(lmb_simulation_new(&s, context, NULL, NULL), LMB_USAGE);
    assert_int_equal(lmb_simulation_new(NULL, context, model, NULL), LMB_USAGE);
    assert_int_equal(lmb_simulation_new(&s, NULL, model, NULL), LMB_USAGE);
    assert_int_equal(lmb_simulation_step(NULL), LMB_USAGE);
    assert_int_equal(lmb_simulation_size(NULL, LMB_QUANTITY_Q), 0);
    assert_null(lmb_simulation_view(NULL, LMB_QUANTITY_Q));
    assert_null(lmb_simulation_read(NULL, 0));
    assert_true(isnan(lmb_simulation_time(NULL)) && isnan(lmb_simulation_end(NULL)));
    lmb_simulation_free(NULL);
    lmb_snapshot_free(NULL);

    s = simulation_of(model, "rk45");
    assert_true(lmb_simulation_end(s) == 1);
    assert_ok(lmb_simulation_advance(s, 0.25));
    assert_int_equal(lmb_simulation_advance(s, 0.2), LMB_USAGE);
    assert_message(context, "restore it to go back");
    assert_int_equal(lmb_simulation_advance(s, nan), LMB_USAGE);
    assert_int_equal(lmb_simulation_advance(s, INFINITY), LMB_USAGE);
    assert_ok(lmb_simulation_advance(s, 0.25));
    assert_ok(lmb_simulation_step(s));
    assert_close(lmb_simulation_time(s), 0.252, 1e-15); /* the 84th instant of 3 ms */

    assert_int_equal(lmb_simulation_channel(s, "pin.forse", &handle, &size), LMB_USAGE);
    assert_message(context, "did you mean 'pin.force'?");
    assert_int_equal(lmb_simulation_channel(s, NULL, &handle, &size), LMB_USAGE);
    assert_int_equal(lmb_simulation_channel(s, "pin.force", NULL, &size), LMB_USAGE);
    assert_null(lmb_simulation_read(s, 0));
    assert_ok(lmb_simulation_channel(s, "pin.force", &handle, &size));
    assert_int_equal(size, 2);
    assert_non_null(lmb_simulation_read(s, handle));
    assert_null(lmb_simulation_read(s, handle + 1));
    assert_null(lmb_simulation_read(s, -1));
    assert_null(lmb_simulation_view(s, (lmb_quantity)17));

    assert_int_equal(lmb_simulation_input(s, "moter", &handle, &size), LMB_USAGE);
    assert_message(context, "did you mean 'motor'?");
    assert_ok(lmb_simulation_input(s, "push", &handle, &size));
    assert_int_equal(size, 2);
    assert_ok(lmb_simulation_input(s, "brake", &handle, &size));
    assert_int_equal(size, 1);
    assert_int_equal(lmb_simulation_set_input(s, handle, &nan), LMB_USAGE);
    assert_message(context, "finite");
    assert_int_equal(lmb_simulation_set_input(s, handle, NULL), LMB_USAGE);
    assert_int_equal(lmb_simulation_set_input(s, 99, &nan), LMB_USAGE);
    assert_int_equal(lmb_simulation_set_input(s, -1, &nan), LMB_USAGE);

    assert_int_equal(lmb_simulation_save(s, NULL), LMB_USAGE);
    assert_int_equal(lmb_simulation_restore(s, NULL), LMB_USAGE);
    assert_ok(lmb_simulation_save(s, &snapshot));
    lmb_simulation_free(s);
    s = simulation_of(other, "rk45");
    assert_int_equal(lmb_simulation_restore(s, snapshot), LMB_USAGE);
    assert_message(context, "another model");
    lmb_snapshot_free(snapshot);
    lmb_simulation_free(s);
    lmb_model_free(model);
    lmb_model_free(other);

    model = model_of_example("slider-crank", NULL, NULL);
    s = simulation_of(model, NULL);
    assert_int_equal(lmb_simulation_set_state(s, lmb_simulation_view(s, LMB_QUANTITY_Q), NULL),
                     LMB_USAGE);
    assert_message(context, "dynamics");
    lmb_simulation_free(s);
    lmb_model_free(model);
    model = model_of_example("bend-45", NULL, NULL);
    assert_int_equal(lmb_simulation_new(&s, context, model, NULL), LMB_USAGE);
    assert_message(context, "add for example");
    lmb_model_free(model);
}

/* Where no step succeeds it stays where it was, to the bit, and can go on from there. */
static void failures_leave_the_last_good_state(void **unused)
{
    (void)unused;
    static const char *const analyses[] = {"rk45", "adams", "alpha", "ali3p", "ida"};
    static double before[ROOM], after[ROOM];
    lmb_model *model = model_with("sqrt(0.5 - t)", "[0, 0]", "0");
    for (int i = 0; i < 5; i++) {
        lmb_simulation *s = simulation_of(model, analyses[i]);
        int channel = channel_of(s, "pin.angle");
        assert_ok(lmb_simulation_advance(s, 0.35));
        size_t count = look(s, channel, before);
        assert_int_equal(lmb_simulation_advance(s, 0.7), LMB_SOLVER);
        assert_message(context, "its last good state");
        look(s, channel, after);
        if (memcmp(before, after, count * sizeof *before) != 0)
            fail_msg("%s: not as it was", analyses[i]);
        assert_ok(lmb_simulation_advance(s, 0.45));
        assert_true(lmb_simulation_time(s) == 0.45);
        lmb_simulation_free(s);
    }
    lmb_model_free(model);

    /* a slider-crank that locks up: its rod is too short */
    model = model_of_example("slider-crank", "l", "0.12");
    lmb_simulation *s;
    assert_ok(lmb_simulation_new(&s, context, model, NULL));
    assert_int_equal(lmb_simulation_advance(s, 0.5), LMB_SOLVER);
    assert_true(lmb_simulation_time(s) == 0);
    assert_ok(lmb_simulation_advance(s, 0.05));
    lmb_simulation_free(s);
    lmb_model_free(model);
}

/* An event that stops the motion is the end of the way. */
/* Back at its start a simulation, inputs included, goes the way of a new one to the last bit, with
 * every integrator. */
static void rewinding_begins_anew(void **unused)
{
    (void)unused;
    lmb_model *model = model_of_text(double_pendulum);
    for (int i = 0; i < lmb_model_analysis_count(model); i++) {
        static double first[STEPS + 1][ROOM];
        lmb_simulation *s = simulation_of(model, lmb_model_analysis_name(model, i));
        int k = channel_of(s, "two.position"), push = input_of(s, "push");
        follow(s, k, first, false);
        assert_ok(lmb_simulation_set_input(s, push, (double[]){3, 4}));
        assert_ok(lmb_simulation_step(s));
        assert_ok(lmb_simulation_rewind(s));
        assert_true(lmb_simulation_time(s) == 0);
        double now[2];
        assert_ok(lmb_simulation_get_input(s, push, now));
        assert_true(now[0] == 0 && now[1] == 0);
        follow(s, k, first, true);
        lmb_simulation_free(s);
    }
    lmb_model_free(model);
    assert_int_equal(lmb_simulation_rewind(NULL), LMB_USAGE);
}

static void events_stop_it(void **unused)
{
    (void)unused;
    lmb_model *model =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -10]\n"
                      "bodies: {ball: {mass: 1, inertia: 1, position: [0, 5]}}\n"
                      "events: {floor: {when: ball.position.y, stop: true}}\n"
                      "analyses: {fall: {type: dynamics, duration: 2, output_step: 0.1}}\n");
    lmb_simulation *s = simulation_of(model, NULL);
    assert_ok(lmb_simulation_advance(s, 2));
    assert_close(lmb_simulation_time(s), 1, 1e-9); /* 5 = 10 t^2 / 2 */
    assert_int_equal(lmb_simulation_step(s), LMB_USAGE);
    assert_message(context, "event 'floor' has stopped the simulation");
    assert_true(lmb_simulation_stopped(s));
    assert_ok(lmb_simulation_rewind(s)); /* and it falls again */
    assert_false(lmb_simulation_stopped(s));
    assert_ok(lmb_simulation_advance(s, 2));
    assert_close(lmb_simulation_time(s), 1, 1e-9);
    lmb_simulation_free(s);

    /* a state that is put behind it does not make it happen */
    s = simulation_of(model, NULL);
    assert_ok(lmb_simulation_set_state(s, (double[]){0, -1, 0}, NULL));
    assert_ok(lmb_simulation_advance(s, 2.5)); /* also beyond the end */
    assert_true(lmb_simulation_time(s) == 2.5);
    lmb_simulation_free(s);
    lmb_model_free(model);
}

/* --- threads ---------------------------------------------------------------------------------- */

typedef struct worker {
    const lmb_model *model;
    double end[2];
    lmb_status status;
} worker;

static void *simulate(void *data)
{
    worker *w = data;
    lmb_context *own = lmb_context_new();
    lmb_simulation *s;
    int channel;
    for (int i = 0; i < 2 && !w->status; i++) {
        w->status = lmb_simulation_new(&s, own, w->model, i ? "alpha" : "rk45");
        if (!w->status)
            w->status = lmb_simulation_channel(s, "pin.angle", &channel, NULL);
        while (!w->status && lmb_simulation_time(s) < lmb_simulation_end(s))
            w->status = lmb_simulation_step(s);
        if (!w->status)
            w->end[i] = *lmb_simulation_read(s, channel);
        lmb_simulation_free(s);
    }
    lmb_context_free(own);
    return NULL;
}

static void threads_share_a_model(void **unused)
{
    (void)unused;
    lmb_model *model = model_of_text(double_pendulum);
    worker workers[3] = {{.model = model}, {.model = model}, {.model = model}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, simulate, &workers[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    simulate(&workers[2]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(workers[i].status, LMB_OK);
        assert_memory_equal(workers[i].end, workers[2].end, sizeof workers[i].end);
    }
    lmb_model_free(model);
}

/* Called while an advance is under way. */
typedef struct caller {
    lmb_simulation *simulation;
    int calls;
    bool stop;
} caller;

static bool call_again(void *user, const char *what, double fraction)
{
    (void)what, (void)fraction;
    caller *c = user;
    if (c->simulation) {
        c->calls++;
        assert_int_equal(lmb_simulation_step(c->simulation), LMB_USAGE);
        assert_null(lmb_simulation_read(c->simulation, 0));
    }
    return c->stop;
}

static void calls_do_not_meet(void **unused)
{
    (void)unused;
    lmb_model *model = model_of_text(double_pendulum);
    lmb_simulation *s = simulation_of(model, "adams");
    caller c = {.simulation = s};
    lmb_context_on_progress(context, call_again, &c);
    assert_ok(lmb_simulation_advance(s, 0.5));
    assert_true(c.calls > 0);
    assert_message(context, "each needs a simulation of its own");
    lmb_messages_clear(context);
    c = (caller){.stop = true};
    assert_int_equal(lmb_simulation_advance(s, 0.9), LMB_SOLVER);
    assert_string_equal(lmb_message_at(context, 0)->hint, "advance again to go on");
    assert_true(lmb_simulation_time(s) == 0.5);
    lmb_context_on_progress(context, NULL, NULL);
    assert_ok(lmb_simulation_advance(s, 0.9));
    lmb_simulation_free(s);
    lmb_model_free(model);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void nothing_is_allocated(void **unused)
{
    (void)unused;
    static const char *const analyses[] = {"rk45", "adams", "alpha", "ali3p"};
    lmb_model *model = model_of_text(double_pendulum);
    for (int i = 0; i < 4; i++) {
        lmb_simulation *s = simulation_of(model, analyses[i]);
        int channel = channel_of(s, "pin.force"), input = input_of(s, "motor");
        unsigned long before = 0;
        for (int k = 0; k < 60; k++) {
            double effort = 0.1 * k;
            before = k == 20 ? allocations() : before;
            assert_ok(lmb_simulation_set_input(s, input, &effort));
            assert_ok(lmb_simulation_step(s));
            assert_non_null(lmb_simulation_read(s, channel));
        }
        assert_int_equal(allocations() - before, 0);
        lmb_simulation_free(s);
    }
    lmb_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_a_run),
        cmocka_unit_test(snapshots_go_on_to_the_last_bit),
        cmocka_unit_test(inputs_are_added_to_laws),
        cmocka_unit_test(inputs_act_in_inverse_dynamics),
        cmocka_unit_test(controller_balances_a_pendulum),
        cmocka_unit_test(states_are_corrected),
        cmocka_unit_test(names_tell_what_numbers_are),
        cmocka_unit_test(wrong_uses_are_refused),
        cmocka_unit_test(failures_leave_the_last_good_state),
        cmocka_unit_test(rewinding_begins_anew),
        cmocka_unit_test(events_stop_it),
        cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(calls_do_not_meet),
        cmocka_unit_test(nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
