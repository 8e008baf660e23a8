/* All analyses on flexible mechanisms: assembly leaves bodies unstrained, drivers leave modes to be
 * integrated, a run from its equilibrium does not ring, modes hold in any position, events happen,
 * and an interrupted run goes on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"
#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "models.h"
#include "program.h"
#include "support.h"

/* A slider-crank with a flexible rod; the bodies are where `guess` moves them. */
static lmb_model *slider_crank(const char *guess, const char *more)
{
    char text[4096];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "parameters: {r: 0.15, l: 0.4, omega: 20}\n"
             "bodies:\n"
             "  crank: {shape: {bar: {length: r}}, mass: 1, position: [r/2, 0], points: {O: "
             "[-r/2, 0], B: [r/2, 0]}}\n"
             "  rod:\n"
             "    beam: {from: [0, 0], to: [l, 0], elements: 8, section: {circle: {diameter: "
             "0.008}}, material: steel}\n"
             "    interfaces: {B: start, C: end}\n"
             "    reduction: {modes: 4, keep: 4, frame: {chord: [B, C]}}\n"
             "    damping: 0.01\n"
             "    %s\n"
             "  slider: {mass: 2, inertia: 0.01, position: [r + l, 0]}\n"
             "joints:\n"
             "  main:  {type: revolute, between: [ground, crank.O]}\n"
             "  pin:   {type: revolute, between: [crank.B, rod.B]}\n"
             "  wrist: {type: revolute, between: [rod.C, slider]}\n"
             "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n%s",
             guess, more);
    return model_of_text(text);
}

static lmb_series read(lmb_result *result, const char *name)
{
    lmb_series series;
    assert_ok(lmb_result_read(result, context, name, &series));
    return series;
}

static lmb_result *run(const lmb_model *m, const char *name)
{
    lmb_result *result;
    assert_ok(lmb_run(context, m, NULL, scratch_path(name)));
    assert_ok(lmb_result_open(&result, context, scratch_path(name)));
    return result;
}

static double largest_of(lmb_series *series)
{
    double most = 0;
    for (int i = 0; i < series->count * series->size; i++)
        most = fmax(most, fabs(series->values[i]));
    lmb_series_free(series);
    return most;
}

/* --- assembly --------------------------------------------------------------------------------- */

/* The joints close by moving bodies alone, however wrong the guess. */
static void assembly_leaves_bodies_unstrained(void **unused)
{
    (void)unused;
    static const char *const guesses[] = {"position: [0.15, 0]",
                                          "position: [0.3, 0.2]\n    angle: 0.7",
                                          "position: [-0.2, 0.4]\n    angle: -1.4"};
    for (int i = 0; i < 3; i++) {
        lmb_model *m = slider_crank(guesses[i], "");
        lmb_solver *s;
        assert_ok(lmb_solver_new(&s, context, m));
        assert_ok(lmb_assemble(s));
        const lmb_body *rod = &m->bodies[2];
        for (int k = 0; k < lmb_body_modal_node(rod)->nv; k++)
            assert_close(s->state->q[lmb_body_modal_node(rod)->q + k] *
                             lmb_body_modal_node(rod)->size[k],
                         0, 1e-8);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

/* --- driven motion ---------------------------------------------------------------------------- */

/* Kinematics, inverse dynamics and dynamics of a driven mechanism integrate the same modes; the
 * work of the driver is the change of energy and what damping takes, as exactly as the method is:
 * (w h)^2 / 12 of the energy that vibrates, with w = 1000 rad/s and h = 2e-5 s, so 1e-4. */
static void driven_bodies_vibrate(void **unused)
{
    (void)unused;
    static const char *const types[] = {"kin", "inv", "dyn"};
    lmb_model *m =
        slider_crank("position: [0.15, 0]",
                     "drivers: {motor: {joint: main, angle: \"omega*(t - 0.05*sin(20*t))\"}}\n"
                     "analyses:\n"
                     "  kin: {type: kinematics, duration: 0.2, output_step: 2e-4}\n"
                     "  inv: {type: inverse-dynamics, duration: 0.2, output_step: 2e-4}\n"
                     "  dyn: {type: dynamics, duration: 0.2, output_step: 2e-4}\n");
    lmb_result *result = run(m, "driven.h5");
    double size[3], effort[2];
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s/rod.modes", types[i]);
        lmb_series modes = read(result, name);
        size[i] = largest_of(&modes);
    }
    for (int i = 0; i < 2; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s/motor.effort", types[i + 1]);
        lmb_series series = read(result, name);
        effort[i] = largest_of(&series);
    }
    assert_true(size[0] > 1e-6);
    assert_close(size[1] / size[0], 1, 1e-12);
    assert_close(size[2] / size[0], 1, 1e-12);
    assert_true(effort[0] > 0.1);
    assert_close(effort[1] / effort[0], 1, 1e-12);
    lmb_series total = read(result, "dyn/energy.total"),
               out = read(result, "dyn/energy.dissipated");
    lmb_series in = read(result, "dyn/energy.supplied");
    double worst = 0, most = 0;
    for (int i = 0; i < total.count; i++) {
        double change = total.values[i] - total.values[0];
        worst = fmax(worst, fabs(in.values[i] - out.values[i] - change));
        most = fmax(most, fabs(change));
    }
    if (getenv("LIMBER_SHOW"))
        printf("modes %.3e, effort %.3g, work off by %.2e of %.3g, lost %.2e\n", size[0], effort[0],
               worst, most, out.values[out.count - 1]);
    assert_true(worst < 1e-4 * most);
    lmb_series_free(&total);
    lmb_series_free(&out);
    lmb_series_free(&in);
    lmb_result_close(result);
    lmb_model_free(m);
}

/* --- equilibrium ------------------------------------------------------------------------------ */

/* A cantilever let go undeformed swings to twice its sag; from its equilibrium it stays there, to
 * what statics leaves of the forces. */
static void runs_from_equilibrium_do_not_ring(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                      "bodies:\n"
                      "  arm:\n"
                      "    beam: {along: [[0, 0, 0], [1, 0, 0], [1, 0.5, 0]], elements: 8,\n"
                      "           section: {circle: {diameter: 0.02}}, material: aluminium}\n"
                      "    interfaces: {A: start, B: end}\n    reduction: {modes: 6}\n"
                      "  load: {mass: 0.5, inertia: [1e-3, 2e-3, 3e-3], position: [1, 0.5, 0]}\n"
                      "joints:\n"
                      "  clamp: {type: fixed, between: [ground, arm.A]}\n"
                      "  grip: {type: spherical, between: [arm.B, load]}\n"
                      "analyses:\n"
                      "  rest: {type: statics}\n"
                      "  still: {type: dynamics, from: rest, duration: 0.5, output_step: 0.01}\n"
                      "  drop: {type: dynamics, duration: 0.5, output_step: 0.01}\n");
    lmb_result *result = run(m, "rest.h5");
    lmb_series rest = read(result, "rest/arm.B.position.z"), still, drop;
    still = read(result, "still/arm.B.position.z");
    drop = read(result, "drop/arm.B.position.z");
    double sag = -rest.values[0], rings = 0, swings = 0;
    for (int i = 0; i < still.count; i++) {
        rings = fmax(rings, fabs(still.values[i] + sag));
        swings = fmax(swings, -drop.values[i]);
    }
    if (getenv("LIMBER_SHOW"))
        printf("sag %.4e, ringing %.2e, swing %.4e\n", sag, rings, swings);
    assert_true(sag > 1e-3);
    assert_true(rings < 1e-8 * sag);
    assert_true(swings > 1.7 * sag);
    lmb_series_free(&rest);
    lmb_series_free(&still);
    lmb_series_free(&drop);
    lmb_result_close(result);
    lmb_model_free(m);
}

/* --- modes in any position -------------------------------------------------------------------- */

/* With the crank held the rod is pinned at both ends, wherever it is: it vibrates at (pi/l)^2
 * sqrt(E I / (rho A)). Stretching is so stiff that the slider follows by 1e-4 of that. */
static void a_rod_vibrates_the_same_in_any_position(void **unused)
{
    (void)unused;
    static const double angles[] = {0.3, 1.2, 2.5, 4.4};
    double d = 0.008, w = pow(LMB_PI / 0.4, 2) * sqrt(2.1e11 / 7850) * d / 4;
    for (int i = 0; i < 4; i++) {
        char more[128];
        snprintf(more, sizeof more, "drivers: {hold: {joint: main, angle: %g}}\n", angles[i]);
        lmb_model *m = slider_crank("position: [0.15, 0]", more);
        lmb_solver *s;
        lmb_rank rank;
        lmb_mode_list list;
        assert_ok(lmb_solver_new(&s, context, m));
        assert_ok(lmb_assemble(s));
        assert_ok(lmb_find_rank(s, &rank));
        assert_ok(lmb_find_equilibrium(s));
        assert_ok(lmb_find_modes(s, &list));
        assert_true(list.count >= 2);
        if (getenv("LIMBER_SHOW"))
            printf("crank at %.1f: %.6g, off by %.2e, damping %g\n", angles[i],
                   list.modes[0].frequency, list.modes[0].frequency * 2 * LMB_PI / w - 1,
                   list.modes[0].damping);
        assert_close(list.modes[0].frequency * 2 * LMB_PI / w, 1, 1e-3);
        assert_close(list.modes[0].damping, 0.01, 1e-5);
        lmb_mode_list_free(&list);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

/* --- events and interruptions ----------------------------------------------------------------- */

/* A bent cantilever is let go: its mass centre falls freely, and its energy stays. */
static const char let_go[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  beam:\n"
    "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 6, section: {circle: {diameter: 0.02}},\n"
    "           material: aluminium}\n"
    "    interfaces: {A: start, B: end}\n    reduction: {modes: 4, keep: 6}\n"
    "joints: {clamp: {type: fixed, between: [ground, beam.A]}}\n"
    "events: {go: {when: t - 0.0503, release: [clamp]}, low: {when: beam.position.z + 0.2, stop: "
    "true}}\n"
    "analyses:\n"
    "  rest: {type: statics}\n"
    "  fall: {type: dynamics, from: rest, duration: 0.5, output_step: 1e-3}\n";

static void events_let_bodies_go(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(let_go);
    lmb_result *result = run(m, "go.h5");
    lmb_series z = read(result, "fall/beam.position.z"), v = read(result, "fall/beam.velocity.z");
    lmb_series e = read(result, "fall/energy.total"), el = read(result, "fall/energy.elastic");
    int last = z.count - 1;
    double t = z.time[last] - 0.0503, fall = z.values[0] - z.values[last];
    assert_close(z.values[last], -0.2, 1e-8);
    assert_close(fall, 9.81 * t * t / 2, 1e-8);
    assert_close(v.values[last], -9.81 * t, 1e-8);
    /* the first step from the release is not smooth: what vibrates is as exact as (w h)^2 / 12 */
    assert_close(e.values[last], e.values[0], 0.05 * el.values[0]);
    lmb_series_free(&z);
    lmb_series_free(&v);
    lmb_series_free(&e);
    lmb_series_free(&el);
    lmb_result_close(result);
    lmb_model_free(m);
}

static bool stop_in_fall(void *user, const char *what, double fraction)
{
    (void)user;
    return strcmp(what, "fall") == 0 && fraction > 0.3;
}

/* To the last bit, with the event before the interruption. */
static void interrupted_runs_go_on(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(let_go);
    lmb_result *whole = run(m, "whole.h5"), *resumed;
    bool complete;
    lmb_context_on_progress(context, stop_in_fall, NULL);
    assert_int_equal(lmb_run(context, m, NULL, scratch_path("part.h5")), LMB_SOLVER);
    lmb_context_on_progress(context, NULL, NULL);
    assert_ok(lmb_resume(context, m, NULL, scratch_path("part.h5"), &complete));
    assert_false(complete);
    assert_ok(lmb_result_open(&resumed, context, scratch_path("part.h5")));
    static const char *const channels[] = {"fall/beam.modes", "fall/beam.B.position",
                                           "fall/clamp.force"};
    for (int i = 0; i < 3; i++) {
        lmb_series x = read(whole, channels[i]), y = read(resumed, channels[i]);
        assert_int_equal(x.count, y.count);
        assert_memory_equal(x.values, y.values, (size_t)(x.count * x.size) * sizeof *x.values);
        lmb_series_free(&x);
        lmb_series_free(&y);
    }
    lmb_result_close(whole);
    lmb_result_close(resumed);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assembly_leaves_bodies_unstrained),
        cmocka_unit_test(driven_bodies_vibrate),
        cmocka_unit_test(runs_from_equilibrium_do_not_ring),
        cmocka_unit_test(a_rod_vibrates_the_same_in_any_position),
        cmocka_unit_test(events_let_bodies_go),
        cmocka_unit_test(interrupted_runs_go_on),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
