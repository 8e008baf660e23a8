/* Bodies of a kind that no source knows (support/strut.h), with several nodes, a row of their own
 * and a first-order state, in all analyses: motions against closed forms and independent
 * calculations, statics, modes, state spaces, and what messages call their row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/state_space.h"
#include "analysis/statics.h"
#include "integrate/motion.h"
#include "models.h"
#include "motions.h"
#include "strut.h"
#include "support.h"

static lmb_model *model_with_strut(const char *text)
{
    lmb_model *m;
    lmb_spec *spec;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_parse(&spec, context, "test", text));
    assert_ok(lmb_model_compile_with(&m, context, spec, kinds_with_strut()));
    lmb_spec_free(spec);
    return m;
}

/* A strut with its carriage held fast: the tip slides along x with m s'' = -k (s - L) - z + m g,
 * z' = K s' - z / T. */
#define HELD                                                                                       \
    "limber: 1\ndimension: %d\ngravity: %s\nbodies:\n"                                             \
    "  S: {type: strut, mass: 3, inertia: %s, tip_mass: 2, length: 0.5, stiffness: 50,"            \
    " maxwell: 80, time: 0.2}\njoints:\n"                                                          \
    "  base: {type: fixed, between: [ground, S]}\n%s"
enum { ROOM = 1024 };
static const double m_tip = 2, L = 0.5, k = 50, K = 80, T = 0.2, g = 9.81;

static lmb_model *held(int dimension, const char *more)
{
    char text[ROOM];
    snprintf(text, sizeof text, HELD, dimension, dimension == 2 ? "[9.81, 0]" : "[9.81, 0, 0]",
             dimension == 2 ? "0.4" : "[0.4, 0.5, 0.6]", more);
    return model_with_strut(text);
}

/* The solution of that linear equation by a Taylor series of its matrix exponential in steps of
 * 1e-3 s, to rounding: x = (s - s_rest, s', z). */
static void exact(double t, double x[3])
{
    x[0] = -m_tip * g / k; /* from s = L at rest */
    x[1] = x[2] = 0;
    int steps = (int)ceil(t / 1e-3);
    for (int i = 0; i < steps; i++) {
        double term[3] = {x[0], x[1], x[2]}, h = t / steps;
        for (int n = 1; n < 20; n++) {
            double next[3] = {term[1], (-k * term[0] - term[2]) / m_tip, K * term[1] - term[2] / T};
            for (int j = 0; j < 3; j++) {
                term[j] = h / n * next[j];
                x[j] += term[j];
            }
        }
    }
}

static const struct {
    const char *name;
    lmb_integration options;
    double tolerance; /* of the motion at t = 0.5 s, relative */
} methods[] = {
    {"rk45", {.integrator = &lmb_integrator_rk45, .tolerance = 1e-11}, 1e-9},
    {"rk45 partitioned",
     {.integrator = &lmb_integrator_rk45, .tolerance = 1e-11, .stabilisation = LMB_PARTITIONING},
     1e-9},
    {"adams", {.integrator = &lmb_integrator_adams, .step = 1e-3}, 1e-8},
    {"euler", {.integrator = &lmb_integrator_euler, .step = 1e-5}, 1e-3},
    {"ida", {.integrator = &lmb_integrator_ida, .tolerance = 1e-10}, 1e-7},
    {"generalized-alpha",
     {.integrator = &lmb_integrator_alpha, .step = 1e-4, .spectral_radius = 0.9},
     1e-5},
    {"generalized-alpha, error-controlled",
     {.integrator = &lmb_integrator_alpha, .step = 1e-2, .tolerance = 1e-8, .spectral_radius = 0.9},
     1e-4},
    {"hht", {.integrator = &lmb_integrator_hht, .step = 1e-4, .spectral_radius = 0.9}, 1e-5},
    {"newmark", {.integrator = &lmb_integrator_newmark, .step = 1e-4, .spectral_radius = 1}, 1e-5},
    {"ali3p", {.integrator = &lmb_integrator_ali3p, .step = 1e-4}, 1e-5},
};

/* Tolerances: those of error-controlled methods times what errors grow by; fixed steps have h^p
 * times the fastest rate (about 9 1/s) to the power p + 1 over the duration. */
static void all_integrators_find_the_motion(void **unused)
{
    (void)unused;
    double x[3];
    exact(0.5, x);
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            lmb_model *m = held(dimension, "");
            lmb_dynamics *d = start_motion(m, methods[i].options);
            const lmb_state *s = advance(d, 0.5);
            const double *tip = s->q + m->nodes[1].q, *v = s->v + m->nodes[1].v;
            double found[3] = {tip[0] - L - m_tip * g / k, v[0], s->z[0]};
            for (int j = 0; j < 3; j++) {
                double size = j == 0 ? m_tip * g / k : j == 1 ? 1 : m_tip * g;
                if (!(fabs(found[j] - x[j]) < methods[i].tolerance * size))
                    fail_msg("%s, %d-D: number %d is %.12g, exactly %.12g", methods[i].name,
                             dimension, j, found[j], x[j]);
            }
            /* what is lost in the damper is accounted for */
            assert_close(account(d), -m_tip * g * L, 5 * methods[i].tolerance);
            finish(d, m);
        }
}

static void come_to_rest(lmb_solver *s)
{
    lmb_rank rank;
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    assert_ok(lmb_find_equilibrium(s));
}

/* At rest the Maxwell element carries nothing: s = L + m g / k. */
static void statics_lets_states_rest(void **unused)
{
    (void)unused;
    lmb_model *m = held(2, "");
    lmb_solver *s;
    assert_ok(lmb_solver_new(&s, context, m));
    s->state->z[0] = 7; /* wherever it starts */
    come_to_rest(s);
    assert_close(s->state->q[m->nodes[1].q], L + m_tip * g / k, 1e-12);
    assert_close(s->state->z[0], 0, 1e-9);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The characteristic polynomial of the tip: (m p^2 + k)(p + 1/T) + K p = 0. */
static void modes_and_state_space_have_the_state(void **unused)
{
    (void)unused;
    lmb_model *m = held(2, "forces:\n  push: {type: force, at: S.b, force: [0, 0]}\n");
    lmb_solver *s;
    assert_ok(lmb_solver_new(&s, context, m));
    come_to_rest(s);
    lmb_mode_list list;
    assert_ok(lmb_find_modes(s, &list));
    assert_int_equal(list.count, 2); /* a vibration and a decay */
    for (int i = 0; i < list.count; i++) {
        const lmb_mode *mode = &list.modes[i];
        double re = mode->real, im = mode->imaginary;
        /* p = re + i im; p^2 = re^2 - im^2 + 2 i re im */
        double a = m_tip * (re * re - im * im) + k, b = 2 * m_tip * re * im;
        double real = a * (re + 1 / T) - b * im + K * re,
               imaginary = b * (re + 1 / T) + a * im + K * im;
        assert_close(real / (k / T), 0, 1e-9);
        assert_close(imaginary / (k / T), 0, 1e-9);
    }
    lmb_mode_list_free(&list);

    /* x(0) / F = 1 / k at rest; at w: 1 / (k - m w^2 + i w K / (i w + 1/T)) */
    const char *inputs[] = {"push.x", NULL}, *outputs[] = {"S.b.position.x", "S.damper", NULL};
    lmb_state_space space;
    assert_ok(lmb_find_state_space(s, inputs, outputs, &space));
    assert_int_equal(space.states, 3);
    assert_string_equal(space.state_names[2], "S.damper");
    for (double w = 0; w < 20; w += 6) {
        double re, im, f = 1 / T, denominator = w * w + f * f;
        assert_ok(lmb_state_space_response(&space, context, 0, 0, w, &re, &im));
        double stiff = k - m_tip * w * w + K * w * w / denominator, loss = K * w * f / denominator;
        double size = stiff * stiff + loss * loss;
        assert_close(re, stiff / size, 1e-8);
        assert_close(im, -loss / size, 1e-8);

        /* the channel of the state: z = i w K / (i w + 1/T) x */
        double z_re, z_im, k_re = K * w * w / denominator, k_im = K * w * f / denominator;
        assert_ok(lmb_state_space_response(&space, context, 0, 1, w, &z_re, &z_im));
        assert_close(z_re, k_re * re - k_im * im, 1e-8);
        assert_close(z_im, k_re * im + k_im * re, 1e-8);
    }
    lmb_state_space_free(&space);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* The row belongs to the body and is called after it; it counts as a constraint. */
static void messages_name_the_row(void **unused)
{
    (void)unused;
    lmb_model *m = held(2, "  pin: {type: revolute, between: [ground, S.b]}\n");
    char name[64];
    int row = m->nrows - 1;
    lmb_row_name(m, row, name, sizeof name);
    assert_string_equal(name, "S.side");
    lmb_row_owner owner = lmb_owner_of_row(m, row);
    assert_string_equal(owner.kind, "body");
    assert_string_equal(owner.name, "S");
    lmb_column_name(m, m->nodes[1].v, name, sizeof name);
    assert_string_equal(name, "S.tip.x");
    /* the pin holds the tip at the origin, where the carriage is: the second row repeats the own
     * one, and 5 coordinates less 5 independent rows are none */
    lmb_solver *s;
    lmb_rank rank;
    assert_ok(lmb_solver_new(&s, context, m));
    s->state->q[m->nodes[1].q] = 0.3;
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    assert_int_equal(rank.counts.free, 0);
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_integrators_find_the_motion),
        cmocka_unit_test(statics_lets_states_rest),
        cmocka_unit_test(modes_and_state_space_have_the_state),
        cmocka_unit_test(messages_name_the_row),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
