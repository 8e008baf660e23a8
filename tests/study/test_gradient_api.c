/* Gradients through the public interface alone: what is asked for, what comes, what is refused. */
#include <math.h>
#include <string.h>

#include "models.h"
#include "support.h"

/* A mass on a spring, let go at 1 m without its spring's force: x = cos(w t), w = sqrt(k / m). */
static const char text[] =
    "limber: 1\ndimension: 2\nparameters: {k: 100, m: 1, a: 1}\n"
    "bodies: {bob: {type: particle, mass: m, position: [a, 0]}}\n"
    "joints: {guide: {type: slot, between: [ground, bob], axis: [1, 0]}}\n"
    "forces: {spring: {type: force, at: bob, force: [-k*bob.position.x, 0]}}\n"
    "analyses: {swing: {type: dynamics, duration: 0.4, output_step: 0.05, "
    "integrator: generalized-alpha, step: 1e-3}}\n"
    "objectives: {end: {final: bob.position.x}, twice: 2*end, largest: {max: bob.position.x}}\n";

static lmb_spec *spec;

static int open_spec(void **unused)
{
    open_models(unused);
    return lmb_spec_parse(&spec, context, "spring", text);
}

static int close_spec(void **unused)
{
    lmb_spec_free(spec);
    return close_models(unused);
}

/* dx/dk = -a t sin(w t) w / (2 k), to the error of the integrator, (w h)^2 / 12 of it = 1e-5 and
 * the phase of 4 rad that it has gone; x is linear in a. */
static void everything(void **unused)
{
    (void)unused;
    lmb_gradient *g;
    assert_ok(lmb_gradient_find(&g, context, spec, NULL));
    assert_int_equal(g->objective_count, 3);
    assert_int_equal(g->parameter_count, 3);
    assert_string_equal(g->objectives[1], "twice");
    assert_string_equal(g->parameters[0], "k");
    assert_close(g->parameter_values[0], 100, 0);
    assert_close(g->values[0], cos(4), 1e-3);
    assert_close(g->derivatives[0], -0.4 * sin(4) * 10 / 200, 1e-4);
    assert_close(g->derivatives[2], g->values[0], 1e-9);
    assert_close(g->derivatives[3], 2 * g->derivatives[0], 1e-9);
    assert_int_equal(g->methods[0], LMB_GRADIENT_DIRECT);
    assert_int_equal(g->methods[1], LMB_GRADIENT_AUTO);
    assert_int_equal(g->history_count, 0);
    lmb_gradient_free(g);
}

/* The numbers are the same with any number of threads and a model that is known; the spec stays as
 * it is. */
static void threads_and_models(void **unused)
{
    (void)unused;
    lmb_model *model;
    lmb_gradient *one, *two;
    assert_ok(lmb_model_compile(&model, context, spec));
    assert_ok(lmb_gradient_find(&one, context, spec, &(lmb_gradient_request){.jobs = 1}));
    lmb_gradient_request request = {.jobs = 3, .like = model, .histories = true};
    assert_ok(lmb_gradient_find(&two, context, spec, &request));
    assert_memory_equal(one->derivatives, two->derivatives, 9 * sizeof(double));
    assert_int_equal(two->history_count, 1);
    const lmb_gradient_history *h = two->histories;
    assert_string_equal(h->analysis, "swing");
    assert_int_equal(h->count, 2); /* not the one that is made of the first */
    const double *last = h->values + (size_t)(h->points - 1) * 4 * (size_t)h->count;
    assert_close(h->t[h->points - 1], 0.4, 1e-12);
    assert_close(last[0], two->values[0], 0);
    assert_close(last[h->count], two->derivatives[0], 0);
    lmb_gradient_free(one);
    lmb_gradient_free(two);
    lmb_model_free(model);
}

/* What is left over falls with the square of the change. */
static void checked(void **unused)
{
    (void)unused;
    lmb_gradient *g;
    lmb_gradient_check *c;
    assert_ok(lmb_gradient_find(&g, context, spec, NULL));
    assert_ok(lmb_gradient_check_find(&c, context, spec, NULL, g));
    for (int k = 1; k < LMB_CHECK_STEPS; k++) {
        assert_close(c->s[k], ldexp(1, -k), 0);
        assert_close(log2(c->remainders[k - 1] / c->remainders[k]), 2, 0.05);
    }
    assert_true(c->other[0] < 1e-9);
    lmb_gradient_check_free(c);
    lmb_gradient_free(g);
    lmb_gradient_free(NULL);
    lmb_gradient_check_free(NULL);
}

static void refuse(const lmb_gradient_request *request, const char *piece)
{
    lmb_gradient *g = (lmb_gradient *)&spec;
    lmb_messages_clear(context);
    assert_int_equal(lmb_gradient_find(&g, context, spec, request), LMB_USAGE);
    assert_null(g);
    assert_message(context, piece);
}

static void mistakes(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"ende", NULL}, *const k[] = {"k", NULL};
    static const char *const q[] = {"kk", NULL};
    const double nan = NAN, negative = -1;
    refuse(&(lmb_gradient_request){.objectives = wrong}, "there is no objective 'ende'");
    refuse(&(lmb_gradient_request){.parameters = q}, "there is no parameter 'kk'");
    refuse(&(lmb_gradient_request){.integrator = "alpha"}, "there is no integrator 'alpha'");
    refuse(&(lmb_gradient_request){.integrator = ""}, "there is no integrator ''");
    refuse(&(lmb_gradient_request){.step = NAN}, "the step of integration must not be");
    refuse(&(lmb_gradient_request){.step = -1}, "the step of integration must not be -1");
    refuse(&(lmb_gradient_request){.memory = INFINITY}, "the memory of the adjoint method");
    refuse(&(lmb_gradient_request){.jobs = -2}, "not -2");
    refuse(&(lmb_gradient_request){.method = (lmb_gradient_method)7}, "there is no method 7");
    refuse(&(lmb_gradient_request){.basis = (lmb_gradient_basis)2}, "there is no basis 2");
    refuse(&(lmb_gradient_request){.sizes = &nan}, "sizes are those of parameters");
    refuse(&(lmb_gradient_request){.parameters = k, .sizes = &nan}, "the size of parameter 'k'");
    refuse(&(lmb_gradient_request){.parameters = k, .sizes = &negative}, "must not be -1");
}

static void nothing(void **unused)
{
    (void)unused;
    lmb_gradient *g;
    lmb_gradient_check *c;
    assert_int_equal(lmb_gradient_find(&g, NULL, spec, NULL), LMB_USAGE);
    assert_int_equal(lmb_gradient_find(&g, context, NULL, NULL), LMB_USAGE);
    assert_message(context, "`spec` is NULL");
    assert_int_equal(lmb_gradient_find(NULL, context, spec, NULL), LMB_USAGE);
    assert_int_equal(lmb_gradient_check_find(&c, NULL, spec, NULL, NULL), LMB_USAGE);
    assert_int_equal(lmb_gradient_check_find(&c, context, spec, NULL, NULL), LMB_USAGE);
    assert_message(context, "is NULL");
    assert_ok(lmb_gradient_find(&g, context, spec, NULL));
    assert_int_equal(lmb_gradient_write(context, NULL, "x.h5"), LMB_USAGE);
    assert_int_equal(lmb_gradient_write(context, g, NULL), LMB_USAGE);
    assert_int_equal(lmb_gradient_write(context, g, "x.h5"), LMB_BAD_INPUT);
    assert_message(context, "there is no history");
    lmb_gradient_free(g);
}

static bool stop(void *user, const char *what, double fraction)
{
    (void)what;
    (void)fraction;
    return ++*(int *)user > 2;
}

static void interrupted(void **unused)
{
    (void)unused;
    for (int jobs = 1; jobs < 3; jobs++) {
        int count = 0;
        lmb_gradient *g;
        lmb_context_on_progress(context, stop, &count);
        lmb_gradient_request request = {.jobs = jobs, .method = LMB_GRADIENT_DIFFERENCES};
        assert_int_equal(lmb_gradient_find(&g, context, spec, &request), LMB_SOLVER);
        assert_message(context, "interrupted");
        assert_null(g);
    }
    lmb_context_on_progress(context, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything), cmocka_unit_test(threads_and_models),
        cmocka_unit_test(checked),    cmocka_unit_test(mistakes),
        cmocka_unit_test(nothing),    cmocka_unit_test(interrupted),
    };
    return cmocka_run_group_tests(tests, open_spec, close_spec);
}
