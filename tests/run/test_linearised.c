/* The linearised model and its matrices through the public interface, against closed forms: what
 * was computed by other tests is not looked at again, but names, places, options and wrong uses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limber/limber.h"
#include "models.h"
#include "support.h"

static const double pi = 3.14159265358979324;

/* A mass of 2 kg on a rail, k = 800 N/m, c = 4 N s/m. */
static const char oscillator[] =
    "limber: 1\ndimension: 2\ngravity: [0, -10]\n"
    "bodies: {p: {type: particle, mass: 2, position: [1, 0]}}\n"
    "joints: {rail: {type: slot, between: [ground, p], axis: [1, 0]}}\n"
    "forces:\n"
    "  s: {type: spring, between: [[0, 0], p], stiffness: 800, damping: 4}\n"
    "  load: {type: force, at: p, force: [0, 0]}\n";

/* A bead on a wire that turns with 9 rad/s, held by a spring of 100 N/m. */
static const char bead[] =
    "limber: 1\ndimension: 2\nparameters: {g: 0}\nbodies:\n"
    "  wire: {mass: 1, inertia: 1}\n  bead: {type: particle, mass: 1}\n"
    "joints:\n  turn: {type: revolute, between: [ground, wire]}\n"
    "  slide: {type: slot, between: [wire, bead], axis: [1, 0]}\n"
    "drivers: {motor: {joint: turn, angle: 9*t}}\n"
    "forces:\n  spring: {type: motor, joint: slide, effort: -(100 + g*sin(turn.angle))*offset}\n"
    "analyses:\n  turning: {type: dynamics, duration: 1}\n  rest: {type: statics}\n"
    "  loose: {type: dynamics, duration: 1, without: [spring]}\n";

static lmb_linearised *linearised(const lmb_model *m, const lmb_linearised_options *options)
{
    lmb_linearised *o;
    assert_ok(lmb_linearised_new(&o, context, m, options));
    return o;
}

static void an_oscillator_has_its_mode_and_response(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(oscillator);
    lmb_linearised *o = linearised(m, NULL);
    lmb_linearised_about about;
    assert_ok(lmb_linearised_judge(o, &about));
    assert_int_equal(about.steadiness, LMB_AT_REST);
    assert_int_equal(about.states, 2);
    assert_string_equal(about.state_names[0], "rail.offset");

    lmb_mode_list modes;
    assert_ok(lmb_linearised_modes(o, 0, &modes));
    assert_int_equal(modes.count, 1);
    assert_close(modes.modes[0].frequency, 20 / (2 * pi), 1e-11);
    assert_close(modes.modes[0].damping, 4 / (2 * sqrt(800 * 2)), 1e-11);
    assert_int_equal(modes.coordinates, 2);
    assert_string_equal(modes.names[0], "p.x");
    assert_close(fabs(modes.modes[0].shape[0]), 1 / sqrt(2), 1e-11); /* of unit modal mass */
    lmb_mode_list_free(&modes);
    assert_null(modes.modes);

    const char *inputs[] = {"load.x", NULL}, *outputs[] = {"p.position.x", NULL};
    lmb_state_space space;
    assert_ok(lmb_linearised_state_space(o, inputs, outputs, &space));
    assert_close(space.A[1], -400, 1e-11); /* by columns: row 2, column 1 */
    assert_close(space.A[3], -2, 1e-11);
    assert_close(space.B[1], 0.5, 1e-11);
    assert_close(space.C[0], 1, 1e-9);
    lmb_state_space_free(&space);

    /* 1 / (k - m w^2 + i c w) at frequencies of our own: at rest, at resonance, above */
    const double list[] = {0, 20 / (2 * pi), 10};
    lmb_response r;
    assert_ok(lmb_linearised_response(o, "load.x", "p.position.x",
                                      &(lmb_frequencies){.points = 3, .list = list}, &r));
    for (int i = 0; i < 3; i++) {
        double w = 2 * pi * list[i], x = 800 - 2 * w * w, y = 4 * w, size = x * x + y * y;
        assert_true(r.frequency[i] == list[i]);
        assert_true(fabs(r.real[i] - x / size) <= 1e-9 / sqrt(size));
        assert_true(fabs(r.imaginary[i] + y / size) <= 1e-9 / sqrt(size));
        assert_close(r.amplitude[i] * sqrt(size), 1, 1e-9);
        assert_close(r.phase[i], -atan2(y, x) * 180 / pi, 1e-7);
    }
    assert_string_equal(r.input, "load.x");
    lmb_response_free(&r);
    lmb_linearised_free(o);
    lmb_model_free(m);
}

/* sqrt(100 - 81) rad/s as the joint sees it; the same from an analysis and at a later time of it.
 */
static void a_bead_on_a_turning_wire(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(bead);
    const double later = 0.3;
    const lmb_linearised_options options[] = {{.as_placed = true},
                                              {.analysis = "turning"},
                                              {.analysis = "turning", .at = &later},
                                              {.as_placed = true, .steady = true},
                                              {.as_placed = true, .observer = "wire"}};
    for (int i = 0; i < 5; i++) {
        lmb_linearised *o = linearised(m, &options[i]);
        lmb_linearised_about about;
        lmb_mode_list modes;
        assert_ok(lmb_linearised_judge(o, &about));
        assert_int_equal(about.steadiness, LMB_STEADY);
        assert_true(about.time == (options[i].at ? later : 0));
        assert_ok(lmb_linearised_modes(o, 1, &modes));
        assert_close(modes.modes[0].frequency, sqrt(19) / (2 * pi), 1e-8);
        lmb_mode_list_free(&modes);
        lmb_linearised_free(o);
    }
    /* a free bead leaves the wire as exp(9 t) */
    lmb_linearised *o = linearised(m, &(lmb_linearised_options){.analysis = "loose"});
    lmb_mode_list modes;
    assert_ok(lmb_linearised_modes(o, 0, &modes));
    double most = -INFINITY;
    for (int i = 0; i < modes.count; i++)
        most = fmax(most, modes.modes[i].real);
    assert_close(most, 9, 1e-8);
    lmb_mode_list_free(&modes);
    lmb_linearised_free(o);
    lmb_model_free(m);
}

static void frozen_matrices_are_warned_of(void **unused)
{
    (void)unused;
    char text[1000];
    strcpy(text, bead);
    memcpy(strstr(text, "{g: 0}"), "{g: 3}", 6);
    lmb_model *m = model_of_text(text);
    lmb_linearised *o = linearised(m, &(lmb_linearised_options){.as_placed = true});
    lmb_linearised_about about;
    assert_ok(lmb_linearised_judge(o, &about));
    assert_int_equal(about.steadiness, LMB_PERIODIC);
    assert_close(about.period, 2 * pi / 9, 1e-6);
    assert_message(context, "frozen");
    lmb_linearised_free(o);
    lmb_model_free(m);
}

/* --- the equations ---------------------------------------------------------------------------- */

/* A pendulum of 2 kg with J = 0.1 kg m^2, 0.5 m from its pin, level: M a + Phi_q^T lambda = Q. */
static const char pendulum[] =
    "limber: 1\ndimension: 2\ngravity: [0, -10]\n"
    "bodies: {bob: {mass: 2, inertia: 0.1, position: [0.5, 0], points: {O: [-0.5, 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, bob.O]}}\n"
    "analyses: {swing: {type: dynamics, duration: 1}}\n";

/* Judge the state of a text as it is placed. */
static lmb_steadiness judged(const char *text, bool steady)
{
    lmb_model *m = model_of_text(text);
    lmb_linearised *o =
        linearised(m, &(lmb_linearised_options){.as_placed = true, .steady = steady});
    lmb_linearised_about about;
    assert_ok(lmb_linearised_judge(o, &about));
    lmb_linearised_free(o);
    lmb_model_free(m);
    return about.steadiness;
}

/* Nothing acts on a clamped steel beam or on a spring of its free length: only rounding accelerates
 * them, by 1e-3 m/s^2 in the beam. That is a state at rest, but not beside a body that is pushed
 * less than that. A spring that is off by 2e-14 m vibrates for 1e6 periods before it has moved
 * noticeably: the search for a period ends before. */
static void rounding_is_no_motion(void **unused)
{
    (void)unused;
    static const char beam[] =
        "limber: 1\ndimension: 3\nbodies:\n"
        "  beam: {beam: {from: [0.1, 0.2, 0.3], to: [1.1, 0.7, 0.9], deformation: large,"
        " elements: 1, section: {rectangle: {width: 0.02, height: 0.02}}, material: steel},"
        " interfaces: {root: start}}\n"
        "%sjoints: {clamp: {type: fixed, between: [ground, beam.root]}}\n",
                      pushed[] = "  p: {type: particle, mass: 1}\n"
                                 "forces: {push: {type: force, at: p, force: [1e-5, 0, 0]}}\n";
    static const struct {
        const char *length;
        lmb_steadiness steadiness;
    } springs[] = {{"1.3038404810405302", LMB_AT_REST},
                   {"1.3038404810405295", LMB_AT_REST},
                   {"1.30384048104055", LMB_CHANGING},
                   {"1.3", LMB_CHANGING}};
    char text[1000];
    snprintf(text, sizeof text, beam, "");
    assert_int_equal(judged(text, false), LMB_AT_REST);
    assert_int_equal(judged(text, true), LMB_AT_REST);
    snprintf(text, sizeof text, beam, pushed);
    assert_int_not_equal(judged(text, false), LMB_AT_REST);
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 2\n"
                 "bodies: {p: {type: particle, mass: 1, position: [1.1, 0.7]}}\n"
                 "forces: {s: {type: spring, between: [[0, 0], p], stiffness: 1e6, length: %s}}\n",
                 springs[i].length);
        assert_int_equal(judged(text, false), springs[i].steadiness);
    }
}

static void matrices_are_those_of_a_pendulum(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(pendulum);
    lmb_matrices x;
    assert_ok(lmb_matrices_find(&x, context, m, NULL));
    assert_int_equal(x.coordinates, 3);
    assert_int_equal(x.positions, 3);
    assert_int_equal(x.constraints, 2);
    assert_string_equal(x.coordinate_names[2], "bob.angle");
    assert_string_equal(x.position_names[0], "bob.x");
    assert_string_equal(x.constraint_names[1], "pin.y");
    const double M[] = {2, 0, 0, 0, 2, 0, 0, 0, 0.1}, Q[] = {0, -20, 0};
    for (int i = 0; i < 9; i++)
        assert_close(x.M[i], M[i], 1e-15);
    for (int i = 0; i < 3; i++)
        assert_close(x.Q[i], Q[i], 1e-15);
    double alpha = -2 * 10 * 0.5 / (0.1 + 2 * 0.25);
    assert_close(x.a[2], alpha, 1e-13);
    assert_close(x.a[1], alpha * 0.5, 1e-13);
    for (int i = 0; i < 3; i++) { /* the equations hold */
        double sum = -x.Q[i];
        for (int j = 0; j < 3; j++)
            sum += x.M[i * 3 + j] * x.a[j];
        for (int r = 0; r < 2; r++)
            sum += x.Phi_q[r * 3 + i] * x.lambda[r];
        assert_close(sum, 0, 1e-13);
    }
    lmb_matrices_free(&x);

    /* later, it has the speed of its fall: J w^2 / 2 = m g h */
    const double t = 0.2;
    assert_ok(
        lmb_matrices_find(&x, context, m, &(lmb_matrices_options){.analysis = "swing", .at = &t}));
    assert_true(x.time == t);
    assert_close(0.5 * 0.6 * x.v[2] * x.v[2], -2 * 10 * x.q[1], 1e-6);
    lmb_matrices_free(&x);

    /* in the angle alone: Mr = 0.6 kg m^2, Qr = -10 N m */
    const char *names[] = {"bob.angle", NULL};
    lmb_embedded e;
    assert_ok(lmb_embedded_find(&e, context, m, NULL, names));
    assert_int_equal(e.free, 1);
    assert_string_equal(e.names[e.index[0]], "bob.angle");
    assert_close(e.M[0], 0.6, 1e-13);
    assert_close(e.Q[0], -10, 1e-13);
    assert_close(e.B[1], 0.5, 1e-13);
    lmb_embedded_free(&e);
    lmb_model_free(m);
}

/* --- redundant equations ---------------------------------------------------------------------- */

/* A door on two hinges: the second one repeats five equations, in its parallel directions. */
static void redundant_equations_have_names(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 3\n"
        "bodies: {door: {mass: 10, inertia: [1, 1, 1], points: {low: [0, 0, 0], up: [0, 0, 2]}}}\n"
        "joints:\n  a: {type: revolute, between: [ground, door.low], axis: [0, 0, 1]}\n"
        "  b: {type: revolute, between: [[0, 0, 2], door.up], axis: [0, 0, 1]}\n"
        "analyses: {swing: {type: dynamics, duration: 1}, "
        "single: {type: dynamics, duration: 1, without: [b]}}\n");
    lmb_redundancy o;
    lmb_mobility counts;
    assert_ok(lmb_redundancy_find(&o, context, m, NULL));
    assert_ok(lmb_check(context, m, &counts));
    assert_null(o.analysis);
    assert_memory_equal(&o.counts, &counts, sizeof counts);
    assert_int_equal(o.counts.free, 1);
    assert_int_equal(o.redundant_count, 5);
    for (int i = 0; i < 5; i++)
        assert_memory_equal(o.redundant[i], "b.", 2);
    assert_int_equal(o.not_unique_count, 10);
    assert_memory_equal(o.not_unique[0], "a.", 2);
    lmb_redundancy_free(&o);
    assert_ok(lmb_redundancy_find(&o, context, m, "single"));
    assert_string_equal(o.analysis, "single");
    assert_int_equal(o.redundant_count, 0);
    assert_int_equal(o.counts.free, 1);
    lmb_redundancy_free(&o);
    assert_int_equal(lmb_redundancy_find(&o, context, m, "singel"), LMB_BAD_INPUT);
    assert_message(context, "did you mean 'single'");
    lmb_model_free(m);
}

/* --- wrong uses ------------------------------------------------------------------------------- */

static void wrong_places_are_refused(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(bead);
    lmb_linearised *o = (lmb_linearised *)m;
    const double early = -1, nan_time = NAN, later = 0.5;
    const struct {
        lmb_linearised_options options;
        lmb_status status;
        const char *piece;
    } wrong[] = {
        {{.analysis = "turnin"}, LMB_BAD_INPUT, "did you mean 'turning'"},
        {{.at = &later}, LMB_USAGE, "that of an analysis"},
        {{.analysis = "turning", .at = &early}, LMB_USAGE, "begins at t = 0"},
        {{.analysis = "turning", .at = &nan_time}, LMB_USAGE, "nan"},
        {{.analysis = "rest", .at = &later}, LMB_USAGE, "not over time"},
        {{.observer = "wir"}, LMB_USAGE, "did you mean 'wire'"},
        {{.observer = "bead"}, LMB_USAGE, "no axes"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(lmb_linearised_new(&o, context, m, &wrong[i].options), wrong[i].status);
        assert_null(o);
        assert_message(context, wrong[i].piece);
    }
    assert_int_equal(lmb_linearised_new(NULL, context, m, NULL), LMB_USAGE);
    assert_int_equal(lmb_linearised_new(&o, NULL, m, NULL), LMB_USAGE);
    assert_int_equal(lmb_linearised_new(&o, context, NULL, NULL), LMB_USAGE);
    lmb_model_free(m);
}

static void wrong_questions_are_refused(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(oscillator);
    lmb_linearised *o = linearised(m, NULL);
    lmb_mode_list modes;
    lmb_state_space space;
    lmb_response r;
    lmb_linearised_about about;
    const char *wrong[] = {"lod.x", NULL};
    assert_int_equal(lmb_linearised_modes(o, -1, &modes), LMB_USAGE);
    assert_int_equal(lmb_linearised_modes(NULL, 0, &modes), LMB_USAGE);
    assert_int_equal(lmb_linearised_modes(o, 0, NULL), LMB_USAGE);
    assert_int_equal(lmb_linearised_judge(NULL, &about), LMB_USAGE);
    assert_int_equal(lmb_linearised_state_space(o, wrong, NULL, &space), LMB_USAGE);
    assert_message(context, "lod");
    assert_null(space.A);
    assert_int_equal(lmb_linearised_state_space(o, NULL, wrong, &space), LMB_USAGE);
    const double bad[] = {1, NAN}, negative[] = {-1};
    const lmb_frequencies frequencies[] = {
        {.from = 1, .to = 2, .points = 0},   {.from = 1, .to = 2, .points = 2000000},
        {.from = 3, .to = 2, .points = 5},   {.from = 0, .to = 2, .points = 5},
        {.from = NAN, .to = 2, .points = 5}, {.points = 2, .list = bad},
        {.points = 1, .list = negative}};
    for (int i = 0; i < 7; i++) {
        assert_int_equal(lmb_linearised_response(o, "load.x", "p.position.x", &frequencies[i], &r),
                         LMB_USAGE);
        assert_null(r.real);
    }
    assert_int_equal(lmb_linearised_response(o, NULL, "p.position.x", NULL, &r), LMB_USAGE);
    assert_int_equal(lmb_linearised_response(o, "load", "p.position.x", NULL, &r), LMB_USAGE);
    assert_message(context, "for example 'load.x'");
    assert_int_equal(lmb_linearised_response(o, "load.x", "p.psition", NULL, &r), LMB_USAGE);
    lmb_response_free(&r);
    lmb_response_free(NULL);
    lmb_mode_list_free(NULL);
    lmb_state_space_free(NULL);
    lmb_linearised_free(NULL);
    lmb_linearised_free(o);
    lmb_model_free(m);
}

static void wrong_matrices_are_refused(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(pendulum);
    lmb_matrices x;
    lmb_embedded e;
    const double nan_time = NAN, t = 1;
    assert_int_equal(lmb_matrices_find(NULL, context, m, NULL), LMB_USAGE);
    assert_int_equal(lmb_matrices_find(&x, context, NULL, NULL), LMB_USAGE);
    assert_int_equal(lmb_matrices_find(&x, context, m, &(lmb_matrices_options){.analysis = "x"}),
                     LMB_BAD_INPUT);
    assert_int_equal(lmb_matrices_find(&x, context, m, &(lmb_matrices_options){.at = &nan_time}),
                     LMB_USAGE);
    assert_int_equal(
        lmb_matrices_find(&x, context, m, &(lmb_matrices_options){.at = &t, .state = "s.yaml"}),
        LMB_USAGE);
    assert_int_equal(lmb_matrices_find(&x, context, m, &(lmb_matrices_options){.state = "/no"}),
                     LMB_IO);
    assert_null(x.M);
    const char *wrong[] = {"bob.angel", NULL}, *twice[] = {"bob.angle", "bob.angle", NULL};
    assert_int_equal(lmb_embedded_find(&e, context, m, NULL, wrong), LMB_USAGE);
    assert_message(context, "did you mean 'bob.angle'");
    assert_int_equal(lmb_embedded_find(&e, context, m, NULL, twice), LMB_USAGE);
    assert_message(context, "named twice");
    lmb_matrices_free(NULL);
    lmb_embedded_free(NULL);
    lmb_redundancy_free(NULL);
    lmb_model_free(m);

    m = model_of_example("jeffcott", NULL, NULL);
    lmb_linearised *o;
    assert_int_equal(lmb_linearised_new(&o, context, m, NULL), LMB_BAD_INPUT);
    assert_message(context, "limber rotor");
    assert_int_equal(lmb_matrices_find(&x, context, m, NULL), LMB_BAD_INPUT);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator_has_its_mode_and_response),
        cmocka_unit_test(a_bead_on_a_turning_wire),
        cmocka_unit_test(frozen_matrices_are_warned_of),
        cmocka_unit_test(rounding_is_no_motion),
        cmocka_unit_test(matrices_are_those_of_a_pendulum),
        cmocka_unit_test(redundant_equations_have_names),
        cmocka_unit_test(wrong_places_are_refused),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(wrong_matrices_are_refused),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
