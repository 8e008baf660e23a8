/* The embedded form against the augmented equations and a closed form.
 *
 * Both solve the same linear equations in different ways, so that they agree to rounding times the
 * condition of the equations: 1e-10 of the largest acceleration. */
#include <math.h>
#include <stdlib.h>

#include "analysis/embedded.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static lmb_dynamics *moving(const lmb_model *m, double t)
{
    lmb_dynamics *d =
        start_motion(m, (lmb_integration){.integrator = &lmb_integrator_rk45, .tolerance = 1e-8});
    if (t > 0)
        advance(d, t);
    return d;
}

/* v = B v_i + b and a = B a_i + c are those of the augmented equations. */
static void assert_same_motion(const lmb_embedded *e, const lmb_state *s)
{
    double fastest = 0, largest = 0;
    for (int j = 0; j < e->n; j++) {
        fastest = fmax(fastest, fabs(s->v[j]));
        largest = fmax(largest, fabs(s->a[j]));
    }
    for (int j = 0; j < e->n; j++) {
        double v = e->b[j], a = e->c[j];
        for (int k = 0; k < e->free; k++) {
            v += e->B[k * e->n + j] * e->v[k];
            a += e->B[k * e->n + j] * e->a[k];
        }
        assert_true(fabs(v - s->v[j]) <= 1e-10 * fastest);
        assert_true(fabs(a - s->a[j]) <= 1e-10 * largest);
    }
}

static void accelerations_are_those_of_the_augmented_equations(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double t;
        int free;
    } cases[] = {
        {"slider-crank-dynamics", 0.37, 1},
        {"four-bar", 0.2, 0},
        {"andrews", 0.011, 1},
        {"heavy-top", 0.3, 3},
        {"n-four-bar", 0.2, 1},
        {"double-pendulum", 0.7, 2},
        {"flyball-governor", 0.4, 4},
        {"bricard", 0.8, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lmb_model *m = model_of_example(cases[i].name, NULL, NULL);
        lmb_dynamics *d = moving(m, cases[i].t);
        lmb_embedded e;
        assert_ok(lmb_embed(d->solver, NULL, &e));
        assert_int_equal(e.free, cases[i].free);
        assert_same_motion(&e, d->solver->state);
        lmb_embedded_free(&e);
        lmb_dynamics_free(d);
        lmb_model_free(m);
    }
}

/* The number of a coordinate. */
static int column(const lmb_model *m, const char *wanted)
{
    char nearest[64];
    int number = lmb_find_column(m, wanted, nearest, sizeof nearest);
    assert_true(number >= 0);
    return number;
}

/* Mr(theta) = m1 r^2/3 + m2 |C'|^2 + m2 l^2/12 phi'^2 + m3 x'^2, ' = d/dtheta */
static void the_mass_of_a_slider_crank_is_known(void **unused)
{
    (void)unused;
    const double r = 0.15, l = 0.4;
    lmb_model *m = model_of_example("slider-crank-dynamics", "theta0", "0.7");
    lmb_dynamics *d = moving(m, 0);
    double theta = d->solver->state->q[2]; /* assembly turns the crank a little */
    double phi = -asin(r / l * sin(theta)), turn = -r * cos(theta) / (l * cos(phi));
    double x = -r * sin(theta) - l * sin(phi) * turn;
    double cx = -r * sin(theta) - l / 2 * sin(phi) * turn;
    double cy = r * cos(theta) + l / 2 * cos(phi) * turn;
    bool independent[9] = {0};
    independent[column(m, "crank.angle")] = true;
    lmb_embedded e;
    assert_ok(lmb_embed(d->solver, independent, &e));
    double expected =
        r * r / 3 + 1.5 * (cx * cx + cy * cy) + 1.5 * l * l / 12 * turn * turn + 2 * x * x;
    assert_close(e.M[0], expected, 1e-12);
    assert_close(e.B[column(m, "slider.x")], x, 1e-12);
    assert_same_motion(&e, d->solver->state);
    lmb_embedded_free(&e);
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

static void wrong_choices_are_named(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("slider-crank-dynamics", NULL, NULL); /* stretched */
    lmb_dynamics *d = moving(m, 0);
    lmb_embedded e;
    bool none[9] = {0}, slider[9] = {0};
    assert_int_equal(lmb_embed(d->solver, none, &e), LMB_BAD_INPUT);
    assert_message(context, "0 coordinates are named, but the mechanism has 1 degree of freedom");
    slider[column(m, "slider.x")] = true;
    assert_int_equal(lmb_embed(d->solver, slider, &e), LMB_BAD_INPUT); /* at its dead centre */
    assert_message(context, "can move while they are fixed");
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

/* Redundant rows do not disturb the choice, and the pivots leave well-conditioned rows. */
static void independent_coordinates_are_chosen_well(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_example("n-four-bar", NULL, NULL);
    lmb_dynamics *d = moving(m, 0.1);
    bool *chosen = calloc((size_t)m->nv, sizeof *chosen);
    int count;
    lmb_jacobian(d->solver->state);
    assert_ok(lmb_choose_independent(d->solver, chosen, &count));
    assert_int_equal(count, 1);
    assert_ok(lmb_check_independent(d->solver, chosen));
    lmb_embedded e;
    assert_ok(lmb_embed(d->solver, chosen, &e));
    for (int j = 0; j < m->nv; j++) /* nothing moves much more than what was chosen */
        assert_true(fabs(e.B[j]) < 3);
    lmb_embedded_free(&e);
    free(chosen);
    lmb_dynamics_free(d);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_are_those_of_the_augmented_equations),
        cmocka_unit_test(the_mass_of_a_slider_crank_is_known),
        cmocka_unit_test(wrong_choices_are_named),
        cmocka_unit_test(independent_coordinates_are_chosen_well),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
