/* Events: found where they must be, by all integrators, and what they do is what mechanics says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models.h"
#include "motions.h"
#include "program.h"
#include "support.h"

static const double g = 9.81;

/* The integrators with what they may be off by in the motions below, which last about a second at
 * speeds of a few metres a second: rk45 and adams far below a step's truncation, the implicit ones
 * of the order h^2, Euler h. */
static const struct {
    const lmb_integrator *integrator;
    double step, error;
} methods[] = {
    {&lmb_integrator_rk45, 0, 1e-9},     {&lmb_integrator_adams, 1e-3, 1e-8},
    {&lmb_integrator_alpha, 1e-3, 1e-4}, {&lmb_integrator_hht, 1e-3, 1e-4},
    {&lmb_integrator_ali3p, 1e-3, 1e-4}, {&lmb_integrator_euler, 1e-4, 1e-3},
    {&lmb_integrator_ida, 0, 1e-9},
};
enum { METHODS = sizeof methods / sizeof *methods };

/* Starts what the first analysis of a model leaves. */
static lmb_dynamics *start(const lmb_model *m, int method)
{
    lmb_integration options = {.integrator = methods[method].integrator,
                               .tolerance = methods[method].step > 0 ? 0 : 1e-12,
                               .step = methods[method].step,
                               .spectral_radius = 0.9};
    return start_without(m, m->analysis_count ? &m->analyses[0].without : NULL, options);
}

/* --- instants ----------------------------------------------------------------------------------
 */

/* t = sqrt(2 h / g); all methods but Euler's integrate a constant acceleration without error. */
static void ball_stops_on_the_floor(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                                 "bodies: {ball: {type: particle, mass: 1, position: [0, 2]}}\n"
                                 "events: {floor: {when: ball.position.y, stop: true}}\n");
    for (int i = 0; i < METHODS; i++) {
        lmb_dynamics *d = start(m, i);
        const lmb_state *s = advance(d, 0.5);
        assert_false(lmb_dynamics_stopped(d));
        assert_true(isnan(s->event_time[0]));
        advance(d, 1);
        assert_true(lmb_dynamics_stopped(d));
        assert_close(s->t, sqrt(2 * 2 / g),
                     methods[i].integrator == &lmb_integrator_euler ? 1e-4 : 1e-11);
        assert_true(s->event_time[0] == s->t);
        assert_true(fabs(s->q[1]) < 1e-10);
        double t = s->t;
        advance(d, 2); /* it stays there */
        assert_true(s->t == t);
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* Thrown up with 10 m/s, 4 m are passed at (10 -+ sqrt(100 - 8 g)) / g. */
static void direction_is_respected(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                      "bodies: {ball: {type: particle, mass: 1, velocity: [0, 10]}}\n"
                      "forces: {none: {type: force, at: ball, force: [0, 0]}}\n"
                      "events:\n"
                      "  up: {when: ball.position.y - 4, direction: rising, release: [none]}\n"
                      "  down: {when: ball.position.y - 4, direction: falling, release: [none]}\n"
                      "  first: {when: ball.position.y - 4, release: [none]}\n"
                      "  under: {when: 4 - ball.position.y, direction: rising, release: [none]}\n"
                      "  never: {when: ball.position.y - 6, release: [none]}\n");
    double t1 = (10 - sqrt(100 - 8 * g)) / g, t2 = (10 + sqrt(100 - 8 * g)) / g;
    lmb_dynamics *d = start(m, 0);
    const lmb_state *s = NULL;
    for (int i = 1; i <= 20; i++)
        s = advance(d, 0.1 * i);
    assert_close(s->event_time[0], t1, 1e-11);
    assert_close(s->event_time[1], t2, 1e-11);
    assert_close(s->event_time[2], t1, 1e-11);
    assert_close(s->event_time[3], t2, 1e-11);
    assert_true(isnan(s->event_time[4]));
    assert_close(s->q[1], 20 - g * 2, 1e-10); /* nothing has disturbed it */
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

/* A particle that moves by 1 m/s passes several points in one long step, in another order than that
 * of the file, some at the same instant, and one that follows from another. */
static void several_events_in_one_step(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\n"
                                 "bodies: {p: {type: particle, mass: 1, velocity: [1, 0]}}\n"
                                 "forces: {none: {type: force, at: p, force: [0, 0]}}\n"
                                 "events:\n"
                                 "  c: {when: p.position.x - 2.5, release: [none]}\n"
                                 "  a: {when: p.position.x - 1, release: [none]}\n"
                                 "  twin: {when: 1 - p.position.x, release: [none]}\n"
                                 "  close: {when: p.position.x - 1.001, release: [none]}\n"
                                 "  chain: {when: a.count - 0.5, release: [none]}\n"
                                 "  later: {when: t - a.time - 0.25, release: [none]}\n"
                                 "  end: {when: p.position.x - 8, stop: true}\n");
    static const double at[] = {2.5, 1, 1, 1.001, 1, 1.25, 8};
    for (int i = 0; i < METHODS; i++) {
        lmb_dynamics *d = start(m, i);
        d->motion->options.step = 10; /* far too long, but nothing accelerates */
        const lmb_state *s = advance(d, 10);
        for (int k = 0; k < 7; k++)
            assert_close(s->event_time[k], at[k], 2e-11); /* 1e-12 of the time */
        assert_close(s->t, 8, 1e-11);
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* A repeated entry: each of three particles is dropped at its own time, 0.11 i. */
static void events_can_be_repeated(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -10]\n"
        "bodies: {'b{i}': {repeat: {i: [1, 3]}, type: particle, mass: 1, position: [i, 0]}}\n"
        "joints: {'j{i}': {repeat: {i: [1, 3]}, type: distance, between: [[i, 1], 'b{i}'],"
        " length: 1}}\n"
        "events: {'e{i}': {repeat: {i: [1, 3]}, when: '{i}*0.1 + 0.01*i - t',"
        " release: ['j{i}']}}\n");
    lmb_dynamics *d = start(m, 0);
    const lmb_state *s = advance(d, 1);
    for (int i = 0; i < 3; i++) {
        double t = 0.11 * (i + 1);
        assert_close(s->event_time[i], t, 2e-12);
        assert_close(s->q[m->bodies[i + 1].q + 1], -5 * (1 - t) * (1 - t), 1e-10);
    }
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

/* x = sin t begins at zero: armed when it has left it, it happens at pi. What is negative from the
 * beginning has nothing to cross. */
static void zero_at_the_beginning_does_not_count(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies: {p: {type: particle, mass: 1, velocity: [1, 0]}}\n"
                      "forces: {spring: {type: force, at: p, force: [-p.position.x, 0]}}\n"
                      "events:\n"
                      "  back: {when: p.position.x, stop: true}\n"
                      "  past: {when: -1 - t, stop: true}\n"
                      "  constant: {when: 0*t, stop: true}\n");
    for (int i = 0; i < METHODS; i++) {
        lmb_dynamics *d = start(m, i);
        const lmb_state *s = NULL;
        for (int k = 1; k <= 40; k++)
            s = advance(d, 0.1 * k);
        assert_close(s->t, LMB_PI, methods[i].error);
        assert_close(s->event_time[0], s->t, 0);
        assert_true(isnan(s->event_time[1]) && isnan(s->event_time[2]));
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* --- release -----------------------------------------------------------------------------------
 */

static const char pendulum[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies: {bob: {type: particle, mass: 2, position: [1, 0]}}\n"
    "joints: {cable: {type: distance, between: [ground, bob], length: 1}}\n";

static lmb_model *pendulum_with(const char *events)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s", pendulum, events);
    return model_of_text(text);
}

/* Let go when horizontal, it is lowest after K(1/2) sqrt(l / g) and has v^2 = 2 g l there; then it
 * flies a parabola. */
static void released_at_its_lowest_it_flies_a_parabola(void **unused)
{
    (void)unused;
    lmb_model *m = pendulum_with("events: {cut: {when: bob.position.x, release: [cable]}}\n");
    double t0 = 1.8540746773013719184 / sqrt(g), v = sqrt(2 * g);
    for (int i = 0; i < METHODS; i++) {
        lmb_dynamics *d = start(m, i);
        const lmb_state *s = NULL;
        for (int k = 1; k <= 10; k++) {
            double t = 0.1 * k, dt = t - t0;
            s = advance(d, t);
            assert_true(s->t == t);
            if (dt < 0)
                continue;
            assert_close(s->q[0], -v * dt, 5 * methods[i].error);
            assert_close(s->q[1], -1 - g * dt * dt / 2, 5 * methods[i].error);
            assert_close(s->a[1], -g, 1e-12);
            assert_true(s->lambda[0] == 0);
        }
        assert_close(s->event_time[0], t0, methods[i].error);
        assert_int_equal(d->rank.counts.free, 2);
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* The force is m g (3 cos(theta) - 2 cos(theta0)), here theta0 = 90 degrees: it is 40 N where
 * -y = cos(theta) = 40 / (3 m g). */
static void cable_breaks_at_its_strength(void **unused)
{
    (void)unused;
    lmb_model *m = pendulum_with("sensors: {load: norm(cable.force)}\n"
                                 "events:\n"
                                 "  snap: {when: 40 - load, direction: falling, release: [cable]}\n"
                                 "  end: {when: snap.count - 0.5, stop: true}\n");
    double y = -40 / (3 * 2 * g);
    for (int i = 0; i < METHODS; i++) {
        lmb_dynamics *d = start(m, i);
        const lmb_state *s = NULL;
        for (int k = 1; k <= 10; k++)
            s = advance(d, 0.1 * k);
        assert_close(s->q[1], y, methods[i].error);
        assert_close(s->q[0], sqrt(1 - y * y), methods[i].error);
        assert_close(hypot(s->v[0], s->v[1]), sqrt(-2 * g * y), 5 * methods[i].error);
        assert_close(s->a[1], -g, 1e-12); /* it flies already */
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* An event very near to an asked-for instant leaves very short steps. Reactions of implicit methods
 * feel rounding over their square; they must be as good as without, which is h^2 of theirs. */
static void short_steps_do_no_harm(void **unused)
{
    (void)unused;
    static const double off[] = {-1e-5, -1e-7, -1e-9, -1e-11, -1e-13, 0, 1e-13, 1e-11, 1e-9, 1e-7};
    for (size_t k = 0; k < sizeof off / sizeof *off; k++)
        for (int i = 0; i < METHODS; i++) {
            char events[160];
            snprintf(events, sizeof events,
                     "forces: {none: {type: force, at: bob, force: [0, 0]}}\n"
                     "events: {e: {when: t - 0.3 - (%g), release: [none]}}\n",
                     off[k]);
            lmb_model *m = pendulum_with(events);
            lmb_dynamics *d = start(m, i);
            for (int j = 1; j <= 5; j++) {
                const lmb_state *s = advance(d, 0.1 * j);
                /* of a distance the multiplier is the force over the length */
                assert_close(fabs(s->lambda[0]), -3 * 2 * g * s->q[1], 20 * methods[i].error);
                assert_close(s->a[0] * s->q[0] + s->a[1] * s->q[1],
                             -s->v[0] * s->v[0] - s->v[1] * s->v[1], 20 * methods[i].error);
            }
            assert_close(d->solver->state->event_time[0], 0.3 + off[k], 2e-12);
            lmb_dynamics_free(d);
            lmb_model_free(m);
        }
}

/* Stopped within rounding of an instant that has been asked for, it still ends behind it. */
static void stop_is_behind_the_crossing(void **unused)
{
    (void)unused;
    static const double off[] = {0, 1e-16, 1e-14, 1e-13, 1e-12, 1e-10};
    for (size_t k = 0; k < sizeof off / sizeof *off; k++)
        for (int i = 0; i < METHODS; i++) {
            char events[96];
            snprintf(events, sizeof events, "events: {e: {when: t - 0.7 - %g, stop: true}}\n",
                     off[k]);
            lmb_model *m = pendulum_with(events);
            lmb_dynamics *d = start(m, i);
            for (int j = 1; j <= 10; j++)
                advance(d, 0.1 * j);
            const lmb_state *s = d->solver->state;
            assert_true(lmb_dynamics_stopped(d));
            assert_true(s->t >= 0.7 + off[k]);
            assert_close(s->t, 0.7 + off[k], 1e-12);
            assert_close(fabs(s->lambda[0]), -3 * 2 * g * s->q[1], 20 * methods[i].error);
            lmb_dynamics_free(d);
            lmb_model_free(m);
        }
}

/* --- latch -------------------------------------------------------------------------------------
 */

static const char trolleys[] =
    "limber: 1\ndimension: 2\n"
    "bodies:\n"
    "  light: {mass: 1, inertia: 1, position: [0, 0], velocity: [3, 0]}\n"
    "  heavy: {mass: 2, inertia: 1, position: [1, 0]}\n"
    "joints:\n"
    "  rail1: {type: translational, between: [ground, light], axis: [1, 0]}\n"
    "  rail2: {type: translational, between: [ground, heavy], axis: [1, 0]}\n"
    "  hook: {type: distance, between: [light, heavy], length: 0.25}\n"
    "events:\n"
    "  meet: {when: heavy.position.x - light.position.x - %s, latch: [hook]}\n"
    "analyses: {run: {type: dynamics, duration: 1, without: [hook]}}\n";

/* 1 kg with 3 m/s runs into 2 kg after 0.25 s: both have 1 m/s then, and 3 of 4.5 J are lost. */
static void trolleys_couple_where_they_meet(void **unused)
{
    (void)unused;
    char text[1024];
    snprintf(text, sizeof text, trolleys, "0.25");
    lmb_model *m = model_of_text(text);
    for (int i = 0; i < METHODS; i++) {
        lmb_dynamics *d = start(m, i);
        const lmb_state *s = advance(d, 0.2);
        assert_close(s->v[0], 3, 1e-12);
        for (int k = 3; k <= 10; k++) {
            s = advance(d, 0.1 * k);
            assert_close(s->v[0], 1, 1e-8);
            assert_close(s->v[3], 1, 1e-8);
            assert_close(s->q[3], 1 + (s->t - 0.25), 1e-8);
            assert_close(lmb_total_balance(s).kinetic, 1.5, 1e-8);
            assert_close(s->work[LMB_WORK_DISSIPATED], 3, 1e-8);
        }
        assert_close(s->event_time[0], 0.25, 1e-11);
        assert_int_equal(d->rank.counts.free, 1);
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

static void open_joint_cannot_be_latched(void **unused)
{
    (void)unused;
    char text[1024];
    snprintf(text, sizeof text, trolleys, "0.5");
    lmb_model *m = model_of_text(text);
    lmb_dynamics *d = start(m, 0);
    assert_int_equal(lmb_dynamics_advance(d, 1), LMB_SOLVER);
    assert_message(context,
                   "event 'meet' cannot latch 'hook' at t = 0.166667: it is open there by");
    assert_message(context, "let 'when' cross zero where it is closed");
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

/* A disc turns freely by 5 rad/s; from t = 1 on a drive turns it by 2 rad/s from where it is. The
 * work of the jump is J (5^2 - 2^2) / 2. */
static void drive_engages_where_the_disc_is(void **unused)
{
    (void)unused;
    lmb_model *m =
        model_of_text("limber: 1\ndimension: 2\n"
                      "bodies: {disc: {mass: 1, inertia: 0.5, angular_velocity: 5}}\n"
                      "joints: {axle: {type: revolute, between: [ground, disc]}}\n"
                      "drivers: {drive: {joint: axle, speed: 2}}\n"
                      "events: {clutch: {when: t - 1, latch: [drive]},"
                      " off: {when: t - 2, release: [drive]}}\n"
                      "analyses: {run: {type: dynamics, duration: 3, without: [drive]}}\n");
    for (int i = 0; i < METHODS; i++) {
        lmb_dynamics *d = start(m, i);
        for (int k = 1; k <= 10; k++) {
            const lmb_state *s = advance(d, 0.3 * k);
            double t = s->t;
            assert_close(s->q[2], t < 1 ? 5 * t : 5 + 2 * (t - 1), 1e-8);
            assert_close(s->v[2], t < 1 ? 5 : 2, 1e-8);
            assert_close(s->work[LMB_WORK_DISSIPATED], t < 1 ? 0 : 0.25 * (25 - 4), 1e-8);
        }
        lmb_dynamics_free(d);
    }
    lmb_model_free(m);
}

/* --- the state ---------------------------------------------------------------------------------
 */

/* A motion saved before or after an event goes on to the last bit in another dynamics. */
static void saved_motions_know_their_events(void **unused)
{
    (void)unused;
    lmb_model *m = pendulum_with("events: {snap: {when: 40 - norm(cable.force), release: [cable]},"
                                 " end: {when: bob.position.y + 3, stop: true}}\n");
    for (int i = 0; i < METHODS && !methods[i].integrator->starts_again; i++)
        for (int at = 3; at <= 6; at += 3) {
            lmb_dynamics *a = start(m, i), *b = start(m, i);
            for (int k = 1; k <= at; k++)
                advance(a, 0.1 * k);
            lmb_pack pack = {.mode = LMB_PACK_COUNT};
            lmb_motion_pack(a->motion, &pack);
            double *numbers = calloc(pack.count, sizeof *numbers);
            pack = (lmb_pack){.mode = LMB_PACK_SAVE, .numbers = numbers};
            lmb_motion_pack(a->motion, &pack);
            pack = (lmb_pack){.mode = LMB_PACK_RESTORE, .numbers = numbers};
            lmb_motion_pack(b->motion, &pack);
            free(numbers);
            for (int k = at + 1; k <= 10; k++) {
                advance(a, 0.1 * k);
                advance(b, 0.1 * k);
            }
            const lmb_state *x = a->solver->state, *y = b->solver->state;
            assert_true(lmb_dynamics_stopped(a) && lmb_dynamics_stopped(b));
            assert_true(x->t == y->t && x->q[0] == y->q[0] && x->v[1] == y->v[1]);
            assert_true(x->event_time[0] == y->event_time[0]);
            assert_true(x->event_time[0] > 0.39 && x->event_time[0] < 0.4);
            lmb_dynamics_free(a);
            lmb_dynamics_free(b);
        }
    lmb_model_free(m);
}

/* Watching does not disturb ida: it makes about as many steps as without events, whatever the
 * tolerance. Only the instants that are asked for end a step early. An event that happens costs a
 * start, with its short steps. From the horizontal the bob falls for K(1/2) sqrt(L / g). */
static void ida_is_not_restarted_by_watching(void **unused)
{
    (void)unused;
    static const char text[] =
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies: {bob: {type: particle, mass: 1, position: [-1, 0]}}\n"
        "joints: {rod: {type: distance, between: [ground, bob], length: 1}}\n"
        "forces: {none: {type: force, at: bob, force: [0, 0]}}\n%s";
    static const char *const events[] = {
        "", "events: {far: {when: bob.position.x - 3, stop: true}}\n",
        "events: {low: {when: bob.position.x, release: [none]}}\n"};
    const double quarter = 1.8540746773013719 / sqrt(g);
    for (double tolerance = 1e-6; tolerance > 1e-11; tolerance *= 1e-2) {
        long steps[3];
        for (int i = 0; i < 3; i++) {
            char model[600];
            snprintf(model, sizeof model, text, events[i]);
            lmb_model *m = model_of_text(model);
            lmb_integration options = {.integrator = &lmb_integrator_ida, .tolerance = tolerance};
            lmb_dynamics *d = start_without(m, NULL, options);
            const lmb_state *s = advance(d, 1);
            steps[i] = d->motion->steps;
            if (i == 2) /* an error of the tolerance in each step, at a speed of 4 m/s */
                assert_close(s->event_time[0], quarter, tolerance * (double)steps[i]);
            lmb_dynamics_free(d);
            lmb_model_free(m);
        }
        assert_in_range(steps[1], 1, steps[0] + 10);
        assert_in_range(steps[2], 1, 2 * steps[0] + 100);
    }
}

/* A disc turns many times in a step of ida: its angle is found again in a step that an event takes
 * back, from the turns at both ends of this step. */
static void ida_counts_turns_in_a_step_with_an_event(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text("limber: 1\ndimension: 2\n"
                                 "bodies: {disc: {mass: 1, inertia: 0.5, angular_velocity: 50}}\n"
                                 "joints: {axle: {type: revolute, between: [ground, disc]}}\n"
                                 "forces: {none: {type: torque, at: disc, torque: 0}}\n"
                                 "events: {first: {when: axle.angle - 333, release: [none]},"
                                 " second: {when: axle.angle - 444, stop: true}}\n");
    lmb_integration options = {.integrator = &lmb_integrator_ida, .tolerance = 1e-9};
    lmb_dynamics *d = start_without(m, NULL, options);
    const lmb_state *s = advance(d, 10);
    assert_true(d->motion->steps < 100); /* about 5 turns each */
    assert_close(s->event_time[0], 333 / 50.0, 1e-9);
    assert_close(s->event_time[1], 444 / 50.0, 1e-9);
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

/* Left out, an event does not happen, and watching in vain disturbs nothing: the steps are cut at
 * the asked-for instants, so both are good to the tolerance. */
static void events_can_be_left_out(void **unused)
{
    (void)unused;
    lmb_model *m =
        pendulum_with("events: {snap: {when: 40 - norm(cable.force), release: [cable]},"
                      " never: {when: bob.position.y - 1, stop: true}}\n"
                      "analyses: {run: {type: dynamics, duration: 1, without: [snap]}}\n");
    lmb_model *plain = model_of_text(pendulum);
    for (int i = 0; i < METHODS; i++) {
        lmb_dynamics *a = start(m, i), *b = start(plain, i);
        assert_null(b->events);
        for (int k = 1; k <= 10; k++) {
            const lmb_state *x = advance(a, 0.1 * k), *y = advance(b, 0.1 * k);
            assert_close(x->q[0], y->q[0], 1e-9);
            assert_close(x->lambda[0], y->lambda[0], 1e-8);
            assert_true(isnan(x->event_time[0]) && isnan(x->event_time[1]));
        }
        lmb_dynamics_free(a);
        lmb_dynamics_free(b);
    }
    lmb_model_free(m);
    lmb_model_free(plain);
}

/* --- through the program -----------------------------------------------------------------------
 */

static double number_of(const char *words)
{
    lmb_run_result run = run_limber("get %s %s", scratch_path("events.h5"), words);
    assert_int_equal(run.code, 0);
    double x = strtod(run.out, NULL);
    free_run(&run);
    return x;
}

/* The instant of the stop is the last row; later analyses run; a record up to there can be played
 * back. */
static void stop_is_the_last_row(void **unused)
{
    (void)unused;
    FILE *file = fopen(scratch_path("events.yaml"), "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 2\ngravity: [0, -10]\n"
          "bodies: {ball: {type: particle, mass: 1, position: [0, 1.8]}}\n"
          "forces: {wind: {type: force, at: ball, force: [record(fall/ball.velocity.y), 0]}}\n"
          "events: {floor: {when: ball.position.y, stop: true}}\n"
          "analyses:\n"
          "  fall: {type: dynamics, duration: 2, output_step: 0.25, without: [wind]}\n"
          "  again: {type: dynamics, duration: 1, output_step: 0.25, without: [floor]}\n",
          file);
    fclose(file);
    lmb_run_result run =
        run_limber("run %s --quiet -o %s", scratch_path("events.yaml"), scratch_path("events.h5"));
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    free_run(&run);
    run = run_limber("get %s fall/floor.count | wc -l", scratch_path("events.h5"));
    assert_int_equal(atoi(run.out), 4); /* 0, 0.25, 0.5, 0.6 */
    free_run(&run);
    assert_close(number_of("fall/floor.time --final"), 0.6, 1e-11);
    assert_close(number_of("fall/ball.velocity.y --final"), -6, 1e-10);
    assert_true(isnan(number_of("fall/floor.time --at 0.5")));
    assert_true(number_of("fall/floor.count --at 0.5") == 0);
    assert_true(number_of("fall/floor.count --final") == 1);
    assert_close(number_of("fall/floor.value --first"), 1.8, 1e-15);
    assert_close(number_of("again/ball.position.y --final"), 1.8 - 5, 1e-9);
    /* 0.6 s of -10 t, then -6 */
    assert_close(number_of("again/ball.velocity.x --final"), -1.8 - 0.4 * 6, 1e-6);
}

/* An analysis that begins from another has events of its own: the ball falls on, and passes -5 m at
 * t = 1 with 10 m/s. */
static void events_begin_anew_with_from(void **unused)
{
    (void)unused;
    FILE *file = fopen(scratch_path("from.yaml"), "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 2\ngravity: [0, -10]\n"
          "bodies: {ball: {type: particle, mass: 1}}\n"
          "joints: {hold: {type: distance, between: [[0, 1], ball], length: 1}}\n"
          "events:\n"
          "  open: {when: t - 0.25, release: [hold]}\n"
          "  deep: {when: ball.position.y + 5, stop: true}\n"
          "analyses:\n"
          "  fall: {type: dynamics, duration: 0.75, output_step: 0.25, without: [hold]}\n"
          "  on: {type: dynamics, from: fall, duration: 1, output_step: 0.5, without: [hold]}\n",
          file);
    fclose(file);
    lmb_run_result run =
        run_limber("run %s --quiet -o %s", scratch_path("from.yaml"), scratch_path("events.h5"));
    assert_int_equal(run.code, 0);
    free_run(&run);
    assert_true(number_of("fall/open.count --final") == 1);
    assert_true(number_of("on/open.count --final") == 0);
    assert_close(number_of("on/deep.time --final"), 1, 1e-11);
    assert_close(number_of("on/ball.velocity.y --final"), -10, 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_stops_on_the_floor),
        cmocka_unit_test(direction_is_respected),
        cmocka_unit_test(several_events_in_one_step),
        cmocka_unit_test(events_can_be_repeated),
        cmocka_unit_test(zero_at_the_beginning_does_not_count),
        cmocka_unit_test(released_at_its_lowest_it_flies_a_parabola),
        cmocka_unit_test(cable_breaks_at_its_strength),
        cmocka_unit_test(short_steps_do_no_harm),
        cmocka_unit_test(stop_is_behind_the_crossing),
        cmocka_unit_test(trolleys_couple_where_they_meet),
        cmocka_unit_test(open_joint_cannot_be_latched),
        cmocka_unit_test(drive_engages_where_the_disc_is),
        cmocka_unit_test(ida_is_not_restarted_by_watching),
        cmocka_unit_test(ida_counts_turns_in_a_step_with_an_event),
        cmocka_unit_test(saved_motions_know_their_events),
        cmocka_unit_test(events_can_be_left_out),
        cmocka_unit_test(stop_is_the_last_row),
        cmocka_unit_test(events_begin_anew_with_from),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
