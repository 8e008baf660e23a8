/* Every integrator on a flexible pendulum: the same motion within its order or tolerance, exact
 * continuation of a saved one, and warnings where explicit methods cannot follow the vibrations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"
#include "analysis/dynamics.h"
#include "bodies/modal.h"
#include "models.h"
#include "support.h"

/* A beam on a hinge with a mass at its end, released from where it lies; its highest frequency is
 * some 100 Hz, so that explicit methods can be used. */
static lmb_model *pendulum(int dimension, const char *more)
{
    char text[2048];
    const char *z = dimension == 3 ? ", 0" : "";
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\ngravity: [0, -9.81%s]\n"
             "bodies:\n"
             "  beam:\n"
             "    beam: {from: [0, 0%s], to: [1, 0%s], elements: 3, material: {E: 4e7, nu: 0.3, "
             "density: 1000},\n"
             "           section: {rectangle: {width: 0.06, height: 0.04}}}\n"
             "    interfaces: {A: start, B: end}\n"
             "    masses: {tip: {at: end, mass: 0.4}}\n"
             "    reduction: {modes: 1, keep: 3}\n"
             "joints:\n"
             "  hinge: {type: revolute, between: [ground, beam.A]%s}\n%s",
             dimension, dimension == 3 ? ", 2" : "", z, z,
             dimension == 3 ? ", axis: [0.1, 0.2, 1]" : "", more);
    return model_of_text(text);
}

static lmb_dynamics *start(const lmb_model *m, lmb_integration options)
{
    lmb_dynamics *d;
    if (options.spectral_radius == 0)
        options.spectral_radius = 0.9;
    assert_ok(lmb_dynamics_new(&d, context, m, 0, &options));
    return d;
}

static const struct {
    const char *name;
    lmb_integration options;
    double order; /* 0: the tolerance rules the error */
} methods[] = {
    {"rk45", {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9}, 0},
    {"rk45 partitioned",
     {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9, .stabilisation = LMB_PARTITIONING},
     0},
    {"rk45 baumgarte",
     {.integrator = &lmb_integrator_rk45,
      .tolerance = 1e-9,
      .stabilisation = LMB_BAUMGARTE,
      .baumgarte = 20},
     0},
    {"euler", {.integrator = &lmb_integrator_euler}, 1},
    {"euler taylor", {.integrator = &lmb_integrator_euler, .taylor = true}, 1},
    {"adams", {.integrator = &lmb_integrator_adams}, 4},
    {"adams partitioned",
     {.integrator = &lmb_integrator_adams, .stabilisation = LMB_PARTITIONING},
     4},
    {"generalized-alpha", {.integrator = &lmb_integrator_alpha}, 2},
    {"generalized-alpha, error-controlled",
     {.integrator = &lmb_integrator_alpha, .tolerance = 1e-9},
     0},
    {"hht", {.integrator = &lmb_integrator_hht}, 2},
    {"newmark", {.integrator = &lmb_integrator_newmark, .spectral_radius = 1}, 2},
    {"ali3p", {.integrator = &lmb_integrator_ali3p}, 2},
    {"ali3p mass", {.integrator = &lmb_integrator_ali3p, .projection = LMB_PROJECT_MASS}, 2},
    {"ali3p, error-controlled", {.integrator = &lmb_integrator_ali3p, .tolerance = 1e-9}, 0},
    {"ida", {.integrator = &lmb_integrator_ida, .tolerance = 1e-9}, 0},
};

enum { METHODS = sizeof methods / sizeof methods[0] };

/* How far a point of the end is from where it should be. */
static double error_of(const lmb_model *m, const lmb_dynamics *exact, int method, double t,
                       double step)
{
    lmb_integration options = methods[method].options;
    options.step = step;
    lmb_dynamics *d = start(m, options);
    assert_ok(lmb_dynamics_advance(d, t));
    int marker = m->points[1].marker;
    double error =
        v3_norm(v3_sub(d->solver->state->frames[marker].p, exact->solver->state->frames[marker].p));
    lmb_dynamics_free(d);
    return error;
}

/* Halving the step divides the error by 2 to the order of the method; methods with error control
 * are as good as their tolerance times a thousand at most. */
static void all_methods_agree(void **unused)
{
    (void)unused;
    const double t = 0.2, step = 5e-4;
    for (int dimension = 2; dimension <= 3; dimension++) {
        lmb_model *m = pendulum(dimension, "");
        lmb_dynamics *exact =
            start(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-12});
        assert_ok(lmb_dynamics_advance(exact, t));
        for (int k = 0; k < METHODS; k++) {
            double coarse = error_of(m, exact, k, t, step);
            double fine = error_of(m, exact, k, t, step / 2);
            double order = log2(coarse / fine);
            if (getenv("LIMBER_SHOW"))
                printf("%dD %-36s %9.2e %9.2e order %.2f\n", dimension, methods[k].name, coarse,
                       fine, order);
            if (!(coarse < (methods[k].order == 0 ? 1e-6 : 1e-2)) ||
                (methods[k].order > 0 && fine > 1e-11 && order < methods[k].order - 0.3))
                fail_msg("%s: errors %g and %g, order %.2f", methods[k].name, coarse, fine, order);
        }
        lmb_dynamics_free(exact);
        lmb_model_free(m);
    }
}

/* A motion restored into a new one goes on to the last bit as the saved one did. */
static void saved_motions_go_on(void **unused)
{
    (void)unused;
    lmb_model *m = pendulum(3, "");
    for (int k = 0; k < METHODS; k++) {
        lmb_integration options = methods[k].options;
        options.step = 5e-4;
        lmb_dynamics *whole = start(m, options), *resumed = start(m, options);
        assert_ok(lmb_dynamics_advance(whole, 0.017));
        if (!whole->motion->options.integrator->starts_again) {
            lmb_pack pack = {.mode = LMB_PACK_COUNT};
            lmb_dynamics_pack(whole, &pack);
            double *numbers = calloc(pack.count + 1, sizeof *numbers);
            pack = (lmb_pack){.mode = LMB_PACK_SAVE, .numbers = numbers};
            lmb_dynamics_pack(whole, &pack);
            pack = (lmb_pack){.mode = LMB_PACK_RESTORE, .numbers = numbers};
            lmb_dynamics_pack(resumed, &pack);
            free(numbers);
            assert_ok(lmb_dynamics_advance(whole, 0.05));
            assert_ok(lmb_dynamics_advance(resumed, 0.05));
            size_t n = (size_t)m->nq * sizeof(double);
            assert_memory_equal(whole->solver->state->q, resumed->solver->state->q, n);
        }
        lmb_dynamics_free(whole);
        lmb_dynamics_free(resumed);
    }
    lmb_model_free(m);
}

/* --- stability -------------------------------------------------------------------------------- */

/* The same beam without a hinge, at rest but for a little of each mode. */
static double amplitude_after(const lmb_model *m, lmb_integration options, double t)
{
    lmb_state *s = lmb_state_at(m, 0);
    const lmb_body *b = &m->bodies[1];
    for (int k = 0; k < lmb_body_elasticity(b)->modal->modes; k++)
        s->q[b->q + b->nq - lmb_body_elasticity(b)->modal->modes + k] =
            1e-6 / lmb_body_elasticity(b)->modal->size[k];
    lmb_dynamics *d;
    assert_ok(lmb_dynamics_from(&d, context, s, &options));
    double most = lmb_dynamics_advance(d, t) ? INFINITY : 0; /* it may end in numbers too large */
    for (int k = 0; k < lmb_body_elasticity(b)->modal->modes; k++)
        most = fmax(
            most,
            fabs(d->solver->state->q[b->q + b->nq - lmb_body_elasticity(b)->modal->modes + k]) *
                lmb_body_elasticity(b)->modal->size[k]);
    lmb_dynamics_free(d);
    lmb_state_free(s);
    return most / 1e-6;
}

static lmb_model *free_beam(void)
{
    return model_of_text(
        "limber: 1\ndimension: 2\n"
        "bodies:\n"
        "  beam:\n"
        "    beam: {from: [0, 0], to: [1, 0], elements: 3, material: {E: 4e7, nu: 0.3, density: "
        "1000},\n"
        "           section: {rectangle: {width: 0.06, height: 0.04}}}\n"
        "    interfaces: {A: start, B: end}\n"
        "    reduction: {modes: 1, frame: {point: A}}\n");
}

/* Semi-implicit Euler has its limit at 2 / w: a little below it vibrations stay, a little above
 * they explode. Adams' method grows by a factor e at most until the end with its stable step, and
 * explodes above where the other root leaves the unit circle. */
static void stable_steps_are_those_where_motion_stays(void **unused)
{
    (void)unused;
    const lmb_body *whose = NULL;
    lmb_model *m = free_beam();
    double w = lmb_highest_frequency(m, &whose), t = 3000 / w;
    assert_ptr_equal(whose, &m->bodies[1]);
    double step = lmb_integrator_euler.stable_step(w, t);
    lmb_integration euler = {.integrator = &lmb_integrator_euler, .step = 0.95 * step};
    assert_true(amplitude_after(m, euler, t) < 50); /* 1 / sqrt(1 - (z/2)^2), beats of modes */
    euler.step = 1.03 * step;
    assert_true(amplitude_after(m, euler, t) > 1e6);
    step = lmb_integrator_adams.stable_step(w, t);
    lmb_integration adams = {.integrator = &lmb_integrator_adams, .step = step};
    assert_true(amplitude_after(m, adams, t) < 20);
    adams.step = 0.96 / w;
    assert_true(amplitude_after(m, adams, t) > 1e6);
    assert_true(!lmb_integrator_alpha.stable_step);
    lmb_model_free(m);
}

/* The highest frequency of a uniform free beam in its frame at a point is that of the same modes in
 * the frame of the mass centre: no frame changes what vibrates. */
static void frequencies_do_not_depend_on_the_frame(void **unused)
{
    (void)unused;
    static const char *const frames[] = {"mass-centre", "{point: A}", "{chord: [A, B]}"};
    double w[3];
    for (int i = 0; i < 3; i++) {
        char text[512];
        const lmb_body *whose = NULL;
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 3\nbodies:\n"
                 "  beam: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: steel,\n"
                 "                section: {circle: {diameter: 0.02}}}, interfaces: {A: start, B: "
                 "end}, reduction: {modes: 3, frame: %s}}\n",
                 frames[i]);
        lmb_model *m = model_of_text(text);
        w[i] = lmb_highest_frequency(m, &whose);
        lmb_model_free(m);
    }
    assert_close(w[1] / w[0], 1, 1e-9);
    assert_close(w[2] / w[0], 1, 1e-9);
}

/* Warnings of a run, which stops at once; empty without one. */
static const char *warning_of(const char *integration)
{
    static char text[512];
    char more[256];
    snprintf(more, sizeof more, "analyses: {run: {type: dynamics, output_step: 0.01, %s}}\n",
             integration);
    lmb_model *m = pendulum(2, more);
    lmb_messages_clear(context);
    text[0] = 0;
    lmb_warn_stability(context, m, &m->analyses[0]);
    if (lmb_message_count(context)) {
        const lmb_message *message = lmb_message_at(context, 0);
        assert_int_equal(message->severity, LMB_WARNING);
        snprintf(text, sizeof text, "%s; %s", message->text, message->hint);
    }
    lmb_model_free(m);
    return text;
}

static void explicit_methods_warn(void **unused)
{
    (void)unused;
    assert_string_equal(warning_of("duration: 1e5"), ""); /* generalized-alpha by default */
    assert_string_equal(warning_of("duration: 1, integrator: euler, step: 1e-5"), "");
    assert_string_equal(warning_of("duration: 1, integrator: adams, step: 1e-5"), "");
    assert_string_equal(warning_of("duration: 1, integrator: rk45"), "");
    const char *text = warning_of("duration: 1, integrator: euler, step: 0.01");
    assert_non_null(strstr(text, "'run' is not stable with steps of 0.01 s, only below"));
    assert_non_null(strstr(text, "body 'beam' vibrates at up to"));
    assert_non_null(strstr(text, "generalized-alpha"));
    text = warning_of("duration: 1, integrator: adams, step: 0.002");
    assert_non_null(strstr(text, "not stable"));
    text = warning_of("duration: 1e4, integrator: rk45");
    assert_non_null(strstr(text, "in all"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_methods_agree),
        cmocka_unit_test(saved_motions_go_on),
        cmocka_unit_test(stable_steps_are_those_where_motion_stays),
        cmocka_unit_test(frequencies_do_not_depend_on_the_frame),
        cmocka_unit_test(explicit_methods_warn),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
