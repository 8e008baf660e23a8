/* Motions that begin periodically: against closed forms of steady vibrations, over whole turns, in
 * a mechanism with a flexible body, at resonances; and the period of laws. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/begin.h"
#include "analysis/period.h"
#include "models.h"
#include "motions.h"
#include "strut.h"
#include "support.h"

#define STEEL_STRIP                                                                                \
    "deformation: large, section: {rectangle: {width: 0.01, height: 0.03}}, material: steel"

static const lmb_integration exact = {.integrator = &lmb_integrator_rk45,
                                      .tolerance = 1e-11,
                                      .step = 1e-3,
                                      .begin = &lmb_begin_periodic};

/* --- an oscillator ---------------------------------------------------------------------------- */

enum { MASS = 2, STIFFNESS = 800 }; /* 20 rad/s */

/* A mass on a spring and a damper along x, pushed by F cos w t. */
static lmb_model *oscillator(double damping, double F, double w)
{
    char text[512];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\n"
             "bodies: {mass: {mass: 2, inertia: 1, position: [1, 0]}}\n"
             "joints: {rail: {type: translational, between: [ground, mass], axis: [1, 0]}}\n"
             "forces:\n"
             "  spring: {type: spring, between: [ground, mass], stiffness: 800, damping: %g, "
             "length: 1}\n"
             "  push: {type: force, at: mass, force: [%g*cos(%g*t), 0]}\n",
             damping, F, w);
    return model_of_text(text);
}

/* The steady vibration X exp(i w t) with X = F / (k - m w^2 + i c w), below and above the
 * resonance, with and without damping; in amplitude and phase for three periods. */
static void oscillator_is_steady(void **unused)
{
    (void)unused;
    const double cases[][2] = {{6, 15}, {6, 20}, {40, 33}, {0, 15}, {0, 27}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double c = cases[i][0], w = cases[i][1], F = 10;
        double complex X = F / (STIFFNESS - MASS * w * w + I * c * w);
        lmb_integration options = exact;
        options.period = 2 * LMB_PI / w;
        lmb_model *m = oscillator(c, F, w);
        lmb_dynamics *d = start_motion(m, options);
        const lmb_state *s = d->solver->state;
        for (int k = 0; k <= 30; k++) {
            double t = options.period * k / 10;
            if (k > 0)
                s = advance(d, t);
            double complex x = X * cexp(I * w * t);
            /* 1e-9 of what moves, the bound of the search, and errors of steps */
            assert_close(s->q[0] - 1, creal(x), 1e-8 * cabs(X));
            assert_close(s->v[0], creal(I * w * x), 1e-8 * w * cabs(X));
        }
        finish(d, m);
    }
}

static void refused(lmb_model *m, lmb_integration options, const char *message)
{
    lmb_dynamics *d;
    assert_int_not_equal(lmb_dynamics_new(&d, context, m, 0, &options), LMB_OK);
    assert_message(context, message);
    lmb_model_free(m);
}

/* At 20 rad/s without damping there is no periodic motion, whatever the method; a method with long
 * steps has a natural frequency that is a little lower, and what it finds is made by its errors.
 * With little damping it is F / (c w). */
static void resonance_is_refused(void **unused)
{
    (void)unused;
    const lmb_integration methods[] = {
        {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9, .step = 1e-3},
        {.integrator = &lmb_integrator_ida, .tolerance = 1e-9, .step = 1e-3},
        {.integrator = &lmb_integrator_alpha, .step = 5e-3, .spectral_radius = 0.9},
        {.integrator = &lmb_integrator_alpha, .step = 5e-3, .spectral_radius = 1},
        {.integrator = &lmb_integrator_alpha, .step = 5e-4, .spectral_radius = 0.9}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        lmb_integration options = methods[i];
        options.begin = &lmb_begin_periodic;
        options.period = 2 * LMB_PI / 20;
        refused(oscillator(0, 1e-4, 20), options, "in resonance with the period of 0.314159 s");
    }
    lmb_integration options = exact;
    options.period = 2 * LMB_PI / 20;
    lmb_model *m = oscillator(0.01, 1e-4, 20);
    lmb_dynamics *d = start_motion(m, options);
    assert_close(d->solver->state->v[0] / (1e-4 / 0.01), 1, 1e-4); /* 1e-9 / (2 pi 1.25e-4) */
    finish(d, m);
}

/* A strut with a Maxwell element, a first-order state z, on a base that shakes: relative to it the
 * tip moves by S exp(i w t), (k - m w^2 + K i w / (i w + 1/T)) S = m w^2 X, and z = K i w S / (i w
 * + 1/T). */
static void states_are_steady(void **unused)
{
    (void)unused;
    const double m_tip = 2, k = 50, K = 80, T = 0.2, X = 0.1, w = 9;
    lmb_spec *spec;
    lmb_model *m;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(
        &spec, context, "test",
        "limber: 1\ndimension: 2\nbodies:\n"
        "  S: {type: strut, mass: 3, inertia: 0.4, tip_mass: 2, length: 0.5, stiffness: 50, "
        "maxwell: 80, time: 0.2}\n"
        "joints: {base: {type: translational, between: [ground, S], axis: [1, 0]}}\n"
        "drivers: {shake: {joint: base, offset: 0.1*cos(9*t)}}\n"));
    assert_ok(lmb_model_compile_with(&m, context, spec, kinds_with_strut()));
    lmb_spec_free(spec);
    lmb_integration options = exact;
    options.period = 2 * LMB_PI / w;
    lmb_dynamics *d = start_motion(m, options);
    double complex element = K * I * w / (I * w + 1 / T);
    double complex z = element * (m_tip * w * w * X) / (k - m_tip * w * w + element);
    assert_close(d->solver->state->z[0], creal(z), 1e-8);
    assert_close(advance(d, 3.25 * options.period)->z[0], creal(I * z), 1e-8);
    finish(d, m);
}

/* --- turns ------------------------------------------------------------------------------------ */

/* A wheel whose mean speed a motor keeps at w: J theta'' = A cos w t + c (w - theta'). It turns
 * once in a period, from any angle: a motion that is neutral, which is no resonance. Whole turns
 * are those next to the first motion, so that must begin at about the right speed. */
static void wheel_turns(void **unused)
{
    (void)unused;
    static const char *const wheels[] = {
        "dimension: 2\nbodies: {wheel: {mass: 1, inertia: 0.5, angle: 0.4, angular_velocity: 6}}\n"
        "joints: {axle: {type: revolute, between: [ground, wheel]}}\n",
        "dimension: 3\nbodies: {wheel: {mass: 1, inertia: [0.5, 0.5, 0.5], angular_velocity: [1.6, "
        "3.2, 4.8]}}\n"
        "joints: {axle: {type: revolute, between: [ground, wheel], axis: [1, 2, 3]}}\n"};
    double w = 7, A = 3, c = 0.2, J = 0.5;
    double complex rate = A / (c + I * w * J);
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "limber: 1\n%sforces: {motor: {type: motor, joint: axle, effort: 3*cos(7*t) + "
                 "0.2*(7 - speed)}}\n",
                 wheels[i]);
        lmb_integration options = exact;
        options.period = 2 * LMB_PI / w;
        lmb_model *m = model_of_text(text);
        lmb_dynamics *d = start_motion(m, options);
        const lmb_coordinate *angle = &m->parts.coordinates[m->joints[0].coordinate];
        double first = lmb_coordinate_value(d->solver->state, angle).f;
        for (int k = 1; k <= 4; k++) {
            const lmb_state *s = advance(d, k * options.period / 2);
            double sign = k % 2 ? -1 : 1;
            lmb_jet x = lmb_coordinate_value(s, angle);
            assert_close(x.d, w + sign * creal(rate), 1e-7);
            if (k % 2 == 0)
                assert_close(x.f - first, LMB_PI * k, 1e-7);
        }
        finish(d, m);
    }
}

/* --- a mechanism ------------------------------------------------------------------------------ */

/* The slider-crank with a flexible rod at constant speed; its period is that of the crank. The
 * largest difference of modal coordinates between instants of the first turn and of the next two,
 * in m, and their largest size. */
static double repeats(const lmb_model *m, const lmb_beginning *begin, double steps,
                      double tolerance, double *largest)
{
    enum { INSTANTS = 20, MOST = 64 };
    double T = 2 * LMB_PI / 60, first[INSTANTS][MOST], off = 0;
    const lmb_selection *without = NULL;
    for (int i = 0; i < m->analysis_count; i++)
        if (strcmp(m->analyses[i].name, "turns") == 0)
            without = &m->analyses[i].without;
    lmb_dynamics *d = start_without(m, without,
                                    (lmb_integration){.integrator = &lmb_integrator_alpha,
                                                      .step = T / steps,
                                                      .spectral_radius = 0.9,
                                                      .tolerance = tolerance,
                                                      .begin = begin});
    assert_true(m->nv <= MOST);
    *largest = 0;
    for (int k = 1; k <= 3 * INSTANTS; k++) {
        const lmb_state *s = advance(d, T * k / INSTANTS);
        for (int j = 0; j < m->nv; j++) {
            double size = d->solver->modal[j] ? m->columns[j].size : 0,
                   *own = &first[(k - 1) % INSTANTS][j];
            *largest = fmax(*largest, size * fabs(s->q[j]));
            if (k <= INSTANTS)
                *own = s->q[j];
            off = fmax(off, size * fabs(s->q[j] - *own));
        }
    }
    lmb_dynamics_free(d);
    return off;
}

/* What is left is that the method begins anew at the start of the first turn and not of the next
 * ones: an error of its order, 2, which steps half as long make four times smaller. As placed the
 * rod rings: 100 times more. */
static void slider_crank_repeats_itself(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("slider-crank-flexible", NULL, NULL);
    double largest, long_steps = repeats(m, &lmb_begin_periodic, 1000, 0, &largest);
    double short_steps = repeats(m, &lmb_begin_periodic, 2000, 0, &largest);
    double placed = repeats(m, NULL, 2000, 0, &largest);
    print_message(
        "off after a turn: %g m, %g m with steps of half the length, %g m as placed; of %g "
        "m\n",
        long_steps, short_steps, placed, largest);
    assert_true(short_steps < long_steps / 3.5);
    assert_true(short_steps < 1e-4 * largest);
    assert_true(placed > 100 * short_steps);
    /* where errors choose the steps: a few of these, as damping forgets earlier ones */
    const double tolerance = 1e-7;
    assert_true(repeats(m, &lmb_begin_periodic, 100, tolerance, &largest) <
                10 * tolerance * m->length);
    lmb_model_free(m);
}

/* --- exact beams ------------------------------------------------------------------------------ */

/* A driven link with an exact beam on a sprung and damped hinge, and more. */
static lmb_model *sprung_beam(const char *bodies, const char *joints)
{
    char text[1400];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
             "  link: {mass: 1, inertia: 0.01, points: {A: [-0.1, 0], B: [0.1, 0]}, position: "
             "[0.1, 0]}\n"
             "  ex:\n    beam: {from: [0.2, 0], to: [0.5, 0], elements: 2, " STEEL_STRIP "}\n"
             "    interfaces: {A: start, B: end}\n    damping: {stiffness: 1e-4}\n%s"
             "joints:\n  crank: {type: revolute, between: [ground, link.A]}\n"
             "  hinge: {type: revolute, between: [link.B, ex.A]}\n%s"
             "drivers: {motor: {joint: crank, angle: sin(10*t)}}\n"
             "forces: {s: {type: torsion-spring, joint: hinge, stiffness: 50, damping: 0.5}}\n",
             bodies, joints);
    return model_of_text(text);
}

static lmb_integration periodic_steps(double T, double steps)
{
    return (lmb_integration){.integrator = &lmb_integrator_alpha,
                             .step = T / steps,
                             .spectral_radius = 0.9,
                             .period = T,
                             .begin = &lmb_begin_periodic};
}

/* Accelerations and reactions of the first instant, which follow from positions and velocities, are
 * those of the method a period later: to 1e-6 of the largest ones on the way. Errors of its order
 * with the sixth harmonic of the drive are (6 w h)^2 / 12 = 5e-7. Another beam without damping
 * hangs at rest. */
static void the_first_instant_repeats(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"", ""},
        {"  free:\n    beam: {from: [0, 0], to: [0.5, 0], elements: 2, " STEEL_STRIP
         "}\n    interfaces: {A: start, B: end}\n",
         "  wall: {type: fixed, between: [ground, free.A]}\n"}};
    double T = 2 * LMB_PI / 10;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lmb_model *m = sprung_beam(cases[i][0], cases[i][1]);
        lmb_dynamics *d = start_motion(m, periodic_steps(T, 5000));
        lmb_solver *s = d->solver;
        double *first = calloc((size_t)(m->nv + m->nrows), sizeof *first), *lambda = first + m->nv;
        double force = 0, acceleration = 0, off = 0;
        memcpy(first, s->state->a, (size_t)m->nv * sizeof *first);
        memcpy(lambda, s->state->lambda, (size_t)m->nrows * sizeof *first);
        for (int k = 1; k <= 20; k++) {
            advance(d, T * k / 20);
            acceleration = fmax(acceleration, lmb_step_size(s, s->state->a));
            for (int r = 0; r < m->nrows; r++)
                force = fmax(force, fabs(s->state->lambda[r]));
        }
        for (int j = 0; j < m->nv; j++)
            first[j] -= s->state->a[j];
        for (int r = 0; r < m->nrows; r++)
            off = fmax(off, fabs(lambda[r] - s->state->lambda[r]));
        print_message("case %zu: accelerations repeat to %g, reactions to %g\n", i,
                      lmb_step_size(s, first) / acceleration, off / force);
        assert_true(lmb_step_size(s, first) < 1e-6 * acceleration);
        assert_true(off < 1e-6 * force);
        free(first);
        finish(d, m);
    }
}

/* Vibrations of a beam without damping on the link that moves never fade. A slender one has so many
 * that the search ends, and names the beam; a thick one repeats, to 1e-9 of the motion that the
 * search asks for, or to what errors of steps leave: 1e-5 of where it began. */
static void a_moving_beam_without_damping_repeats_or_is_named(void **unused)
{
    (void)unused;
    static const char *const heights[] = {"0.01", "0.03"};
    double T = 2 * LMB_PI / 10;
    for (int i = 0; i < 2; i++) {
        char beam[300];
        snprintf(beam, sizeof beam,
                 "  free:\n    beam: {from: [0.2, 0], to: [0.2, 0.5], elements: 2, deformation: "
                 "large, section: {rectangle: {width: 0.01, height: %s}}, material: steel}\n"
                 "    interfaces: {A: start, B: end}\n",
                 heights[i]);
        lmb_model *m = sprung_beam(beam, "  weld: {type: fixed, between: [link.B, free.A]}\n");
        lmb_integration options = periodic_steps(T, 1000);
        lmb_dynamics *d;
        if (lmb_dynamics_new(&d, context, m, 0, &options)) {
            assert_message(context, "body 'free' has no damping");
        } else {
            vec3 first = point(d->solver, "free.B");
            advance(d, T);
            assert_true(v3_norm(v3_sub(point(d->solver, "free.B"), first)) < 1e-5);
            lmb_dynamics_free(d);
        }
        lmb_model_free(m);
    }
}

/* --- periods of laws -------------------------------------------------------------------------- */

static lmb_status period_of(const char *laws, double *period)
{
    char text[1024];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\n"
             "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
             "joints: {p: {type: revolute, between: [ground, a]}, r: {type: revolute, between: "
             "[ground, b]}}\n%s",
             laws);
    lmb_model *m = model_of_text(text);
    lmb_state *s = lmb_state_at(m, 0.1);
    lmb_status status = lmb_find_period(s, context, period);
    assert_close(s->t, 0.1, 0);
    lmb_state_free(s);
    lmb_model_free(m);
    return status;
}

static void periods_of_laws(void **unused)
{
    (void)unused;
    double T = 0;
    assert_ok(period_of("drivers: {m: {joint: p, angle: 1 - 4*t}}\n", &T));
    assert_close(T, LMB_PI / 2, 1e-15);
    /* 2 and 3 rad/s come together after 2 pi; a rate is an angle as well */
    T = 0;
    assert_ok(period_of("drivers: {m: {joint: p, angle: 2*t}, n: {joint: r, speed: 3}}\n", &T));
    assert_close(T, 2 * LMB_PI, 1e-15);
    T = 0;
    assert_ok(period_of("drivers: {m: {joint: p, angle: 5*t}}\n"
                        "forces: {f: {type: motor, joint: r, effort: sin(2.5*t) - angle}}\n",
                        &T));
    assert_close(T, 2 * LMB_PI / 2.5, 1e-15);
    T = LMB_PI;
    assert_ok(period_of("drivers: {m: {joint: p, angle: sin(4*t)}}\n", &T));
    assert_int_equal(period_of("drivers: {m: {joint: p, angle: sin(4.0001*t)}}\n", &T),
                     LMB_BAD_INPUT);
    assert_message(context, "the law of driver 'm' does not repeat itself after 3.141592654 s");
    assert_int_equal(period_of("drivers: {m: {joint: p, angle: 3*t}}\n", &T), LMB_BAD_INPUT);
    assert_int_equal(
        period_of("forces: {f: {type: motor, joint: r, effort: sin(3*t)*speed + t}}\n", &T),
        LMB_BAD_INPUT);
    assert_message(context, "the law of force 'f' does not repeat itself");
    T = 0;
    assert_int_equal(period_of("drivers: {m: {joint: p, angle: sin(4*t)}}\n", &T), LMB_BAD_INPUT);
    assert_message(context, "give it, for example 'period: 2*pi/omega'");
    T = 1;
    assert_int_equal(period_of("drivers: {m: {joint: p, angle: 0.3}}\n"
                               "forces: {f: {type: motor, joint: r, effort: -angle}}\n",
                               &T),
                     LMB_BAD_INPUT);
    assert_message(context, "no law depends on time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_is_steady),
        cmocka_unit_test(resonance_is_refused),
        cmocka_unit_test(states_are_steady),
        cmocka_unit_test(wheel_turns),
        cmocka_unit_test(slider_crank_repeats_itself),
        cmocka_unit_test(periods_of_laws),
        cmocka_unit_test(the_first_instant_repeats),
        cmocka_unit_test(a_moving_beam_without_damping_repeats_or_is_named),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
