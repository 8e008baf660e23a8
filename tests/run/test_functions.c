/* Functions of a program in expressions: values, derivatives by all three ways, forces and motions
 * that equal built-in ones, and wrong uses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limber/function.h"
#include "limber/simulation.h"
#include "math/expr_internal.h"
#include "models.h"
#include "support.h"

/* f(x, y) = (sin(x) y^2, exp(x y)) with as many derivatives as are asked for. */
static int wave(void *user, const double *x, double *value, double *gradient, double *hessian)
{
    double s = sin(x[0]), c = cos(x[0]), y = x[1], e = exp(x[0] * y);
    (void)user;
    value[0] = s * y * y;
    value[1] = e;
    if (gradient) {
        gradient[0] = c * y * y;
        gradient[1] = 2 * s * y;
        gradient[2] = y * e;
        gradient[3] = x[0] * e;
    }
    if (hessian) {
        double h[8] = {-s * y * y, 2 * c * y,          2 * c * y,          2 * s,
                       y * y * e,  (1 + x[0] * y) * e, (1 + x[0] * y) * e, x[0] * x[0] * e};
        memcpy(hessian, h, sizeof h);
    }
    return 0;
}

/* The jet of a result along x = 0.3 + 2 s + s^2/2, y = -1.2 + s - 3 s^2/2 by the product rule. */
static void derivatives_are_those_of_the_curve(void **state)
{
    (void)state;
    lmb_jet in[2] = {{0.3, 2, 1}, {-1.2, 1, -3}};
    double s = sin(0.3), c = cos(0.3), y = -1.2;
    lmb_jet right = {s * y * y, 2 * c * y * y + 2 * s * y,
                     -s * 4 * y * y + c * y * y + 2 * 2 * c * 2 * y + 2 * s + 2 * s * y * -3};
    /* h = 3e-3 / 20 along the curve: rounding leaves 1e-16 / h^2 = 5e-9 of second derivatives and,
     * with a gradient, 1e-16 / h; truncation is h^4 times derivatives of about 100 */
    const double exact[3] = {3e-7, 1e-10, 1e-14};
    for (int known = 0; known <= 2; known++) {
        lmb_function f = {"wave", 2, 2, known, wave, NULL};
        lmb_jet found = lmb_function_jet(&f, 0, in, true);
        assert_close(found.f, right.f, 1e-15);
        assert_close(found.d, right.d, known ? 1e-14 : 1e-10);
        assert_close(found.dd, right.dd, exact[known]);
        found = lmb_function_jet(&f, 1, in, false);
        assert_close(found.d, exp(0.3 * y) * (2 * y + 0.3 * 1), known ? 1e-14 : 1e-9);
    }
}

/* --- in models -------------------------------------------------------------------------------- */

/* A body on a slide with a spring: built in, or as the law of a motor. */
static const char slide[] =
    "limber: 1\n"
    "dimension: 2\n"
    "parameters: {k: 200, c: 3}\n"
    "bodies: {box: {mass: 2, inertia: 1, position: [0.3, 0]}}\n"
    "joints: {rail: {type: prismatic, between: [ground, box], axis: [1, 0]}}\n"
    "forces: {pull: {%s}}\n"
    "analyses:\n"
    "  swing: {type: dynamics, duration: 1, output_step: 0.05, integrator: %s}\n";

static int spring(void *user, const double *x, double *value, double *gradient, double *hessian)
{
    (void)hessian;
    ++*(int *)user;
    value[0] = -200 * x[0] - 3 * x[1];
    if (gradient)
        gradient[0] = -200, gradient[1] = -3;
    return 0;
}

/* The position after a second. */
static double end_of(const char *force, const char *integrator, int derivatives, int *calls)
{
    char text[1000];
    snprintf(text, sizeof text, slide, force, integrator);
    lmb_spec *spec;
    lmb_model *model;
    lmb_simulation *s;
    int handle;
    assert_ok(lmb_spec_parse(&spec, context, "slide", text));
    lmb_function f = {"pull_back", 2, 1, derivatives, spring, calls};
    assert_ok(lmb_spec_define(spec, context, &f));
    assert_ok(lmb_model_compile(&model, context, spec));
    lmb_spec_free(spec); /* the model has its own copy of the definition */
    assert_ok(lmb_simulation_new(&s, context, model, NULL));
    assert_ok(lmb_simulation_channel(s, "box.position.x", &handle, NULL));
    assert_ok(lmb_simulation_advance(s, 1));
    double x = *lmb_simulation_read(s, handle);
    lmb_simulation_free(s);
    lmb_model_free(model);
    return x;
}

/* A spring from a function moves as the built-in one, with every integrator. */
static void springs_move_as_built_in_ones(void **state)
{
    static const char *const integrators[] = {"rk45", "generalized-alpha, step: 1e-3",
                                              "ali3p, step: 1e-3", "adams, step: 1e-3", "ida"};
    (void)state;
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        int calls = 0;
        double own = end_of("type: motor, joint: rail, effort: -k*offset - c*speed", integrators[i],
                            1, &calls);
        assert_int_equal(calls, 0);
        double built_in = end_of("type: spring, between: [[-1, 0], box], stiffness: k, damping: c, "
                                 "length: 1",
                                 integrators[i], 1, &calls);
        const char *called = "type: motor, joint: rail, effort: 'pull_back(offset, speed)'";
        double exact = end_of(called, integrators[i], 1, &calls);
        assert_close(exact, built_in, 1e-12);
        assert_true(calls > 100);
        assert_close(exact, own, 1e-12);
        /* tangents by differences have 1e-10: Newton's method and error control forgive that */
        assert_close(end_of(called, integrators[i], 0, &calls), own, 1e-9);
    }
    /* damped oscillation from 0.3 m: the closed form, to the tolerance of rk45 */
    double a = 3.0 / 4, w = sqrt(100 - a * a);
    int calls = 0;
    double x =
        end_of("type: motor, joint: rail, effort: 'pull_back(offset, speed)'", "rk45", 1, &calls);
    assert_close(x, 0.3 * exp(-a) * (cos(w) + a / w * sin(w)), 1e-6);
}

/* angle = 0.5 sin(3 t) */
static int swing(void *user, const double *x, double *value, double *gradient, double *hessian)
{
    (void)user;
    value[0] = 0.5 * sin(3 * x[0]);
    if (gradient)
        gradient[0] = 1.5 * cos(3 * x[0]);
    if (hessian)
        hessian[0] = -4.5 * sin(3 * x[0]);
    return 0;
}

static const char driven[] =
    "limber: 1\n"
    "dimension: 2\n"
    "bodies: {arm: {mass: 2, inertia: 0.1, position: [0.5, 0], points: {O: [-0.5, 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, arm.O]}}\n"
    "drivers: {motor: {joint: pin, angle: swing(t)}}\n"
    "sensors: {twice: '2*swing(t) + 0*arm.angle'}\n"
    "analyses: {turn: {type: inverse-dynamics, duration: 1, output_step: 0.1}}\n";

/* A driver that follows a function has its rate and acceleration, and so the right torque. */
static void drivers_follow_functions(void **state)
{
    (void)state;
    for (int known = 0; known <= 2; known++) {
        lmb_spec *spec;
        lmb_model *model;
        lmb_simulation *s;
        int torque, speed, twice;
        assert_ok(lmb_spec_parse(&spec, context, "arm", driven));
        assert_ok(lmb_spec_define(spec, context, &(lmb_function){"swing", 1, 1, known, swing, 0}));
        assert_ok(lmb_model_compile(&model, context, spec));
        assert_ok(lmb_simulation_new(&s, context, model, NULL));
        assert_ok(lmb_simulation_channel(s, "motor.effort", &torque, NULL));
        assert_ok(lmb_simulation_channel(s, "arm.angular_velocity", &speed, NULL));
        assert_ok(lmb_simulation_channel(s, "twice", &twice, NULL));
        assert_ok(lmb_simulation_advance(s, 0.7));
        /* without derivatives the acceleration has 8 digits, with the first one 11 */
        double exact = known == 2 ? 1e-13 : known == 1 ? 1e-10 : 3e-8;
        assert_close(*lmb_simulation_read(s, speed), 1.5 * cos(2.1), known ? 1e-13 : 1e-10);
        assert_close(*lmb_simulation_read(s, torque), -4.5 * sin(2.1) * (0.1 + 2 * 0.25), exact);
        assert_close(*lmb_simulation_read(s, twice), sin(2.1), 1e-14);
        lmb_simulation_free(s);
        lmb_model_free(model);
        lmb_spec_free(spec);
    }
}

/* A variant and a copy of a spec call the functions of the spec that they are made of. */
static void variants_call_their_own(void **state)
{
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, slide,
             "type: motor, joint: rail, effort: 'pull_back(offset, speed)*k/200'", "rk45");
    lmb_spec *spec, *copy;
    lmb_model *base, *variant;
    int calls = 0, others = 0;
    assert_ok(lmb_spec_parse(&spec, context, "slide", text));
    assert_ok(
        lmb_spec_define(spec, context, &(lmb_function){"pull_back", 2, 1, 1, spring, &calls}));
    assert_ok(lmb_model_compile(&base, context, spec));
    assert_ok(lmb_spec_copy(&copy, context, spec));
    assert_ok(
        lmb_spec_define(copy, context, &(lmb_function){"pull_back", 2, 1, 1, spring, &others}));
    assert_ok(lmb_model_variant(&variant, context, copy, base));
    lmb_spec_free(spec);
    lmb_spec_free(copy);
    lmb_model_free(base);
    lmb_simulation *s;
    calls = others = 0;
    assert_ok(lmb_simulation_new(&s, context, variant, NULL));
    assert_ok(lmb_simulation_advance(s, 0.1));
    assert_int_equal(calls, 0);
    assert_true(others > 0);
    lmb_simulation_free(s);
    lmb_model_free(variant);
}

/* --- wrong uses ------------------------------------------------------------------------------- */

static int nothing(void *user, const double *x, double *value, double *gradient, double *hessian)
{
    (void)user, (void)gradient, (void)hessian;
    value[0] = 0;
    return x[0] > 0.5;
}

/* A function without a value from t = 0.5 on stops the motion there, with the name of the force. */
static void motions_end_where_there_is_no_value(void **state)
{
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, slide, "type: motor, joint: rail, effort: nothing(t)", "rk45");
    lmb_spec *spec;
    lmb_model *model;
    lmb_simulation *s;
    assert_ok(lmb_spec_parse(&spec, context, "slide", text));
    assert_ok(lmb_spec_define(spec, context, &(lmb_function){"nothing", 1, 1, 0, nothing, NULL}));
    assert_ok(lmb_model_compile(&model, context, spec));
    assert_ok(lmb_simulation_new(&s, context, model, NULL));
    assert_ok(lmb_simulation_advance(s, 0.45));
    assert_int_equal(lmb_simulation_advance(s, 1), LMB_SOLVER);
    bool named = false;
    for (size_t i = 0; i < lmb_message_count(context); i++)
        named = named || strstr(lmb_message_at(context, i)->text,
                                "force 'pull' is not a finite number at t = 0.5");
    assert_true(named);
    lmb_simulation_free(s);
    lmb_model_free(model);
    lmb_spec_free(spec);
}

/* A force law that tries to use its own simulation, in a step and in a call that a hook makes. */
typedef struct meddler {
    lmb_simulation *simulation;
    int channel, pull, tried, refused;
} meddler;

static int meddle(void *user, const double *x, double *value, double *gradient, double *hessian)
{
    meddler *m = user;
    (void)gradient, (void)hessian;
    value[0] = -200 * x[0];
    if (!m->simulation)
        return 0;
    lmb_point_motion motion;
    m->tried += 4;
    m->refused += lmb_simulation_read(m->simulation, m->channel) == NULL;
    m->refused += lmb_simulation_set_input(m->simulation, m->pull, value) == LMB_USAGE;
    m->refused += lmb_simulation_point(m->simulation, "box", NULL, &motion, NULL) == LMB_USAGE;
    m->refused += lmb_simulation_step(m->simulation) == LMB_USAGE;
    return 0;
}

static int set_in_hook(void *user, lmb_simulation *s)
{
    meddler *m = user;
    double more = lmb_simulation_time(s) + 1;
    return lmb_simulation_set_input(s, m->pull, &more);
}

/* Everything is refused, and the motion is as without. */
static void functions_cannot_use_their_simulation(void **state)
{
    (void)state;
    double ends[2];
    for (int meddles = 0; meddles < 2; meddles++) {
        char text[1000];
        meddler m = {0};
        lmb_spec *spec;
        lmb_model *model;
        lmb_simulation *s;
        snprintf(text, sizeof text, slide, "type: motor, joint: rail, effort: meddle(offset)",
                 "rk45");
        assert_ok(lmb_spec_parse(&spec, context, "slide", text));
        assert_ok(lmb_spec_define(spec, context, &(lmb_function){"meddle", 1, 1, 0, meddle, &m}));
        assert_ok(lmb_model_compile(&model, context, spec));
        assert_ok(lmb_simulation_new(&s, context, model, NULL));
        assert_ok(lmb_simulation_channel(s, "box.position.x", &m.channel, NULL));
        assert_ok(lmb_simulation_input(s, "pull", &m.pull, NULL));
        m.simulation = meddles ? s : NULL;
        assert_ok(lmb_simulation_advance(s, 0.2));
        assert_ok(lmb_simulation_on_step(s, set_in_hook, NULL, &m));
        assert_ok(lmb_simulation_advance(s, 0.4));
        m.simulation = NULL;
        ends[meddles] = *lmb_simulation_read(s, m.channel);
        assert_true((m.tried > 0) == (meddles == 1));
        assert_int_equal(m.refused, m.tried);
        lmb_simulation_free(s);
        lmb_model_free(model);
        lmb_spec_free(spec);
    }
    assert_true(ends[0] == ends[1]);
}

static void wrong_definitions_are_refused(void **state)
{
    (void)state;
    static const struct {
        lmb_function function;
        const char *message;
    } wrong[] = {
        {{"sin", 1, 1, 0, swing, NULL}, "expressions have a 'sin' already"},
        {{"k", 1, 1, 0, swing, NULL}, "'k' is in the section 'parameters' of slide already"},
        {{"a b", 1, 1, 0, swing, NULL}, "'a b' cannot be the name of a function"},
        {{"2a", 1, 1, 0, swing, NULL}, "'2a' cannot be the name of a function"},
        {{NULL, 1, 1, 0, swing, NULL}, "'' cannot be the name of a function"},
        {{"f", 13, 1, 0, swing, NULL}, "0 to 12 arguments, not 13"},
        {{"f", -1, 1, 0, swing, NULL}, "0 to 12 arguments, not -1"},
        {{"f", 1, 4, 0, swing, NULL}, "1, 2 or 3 results, not 4"},
        {{"f", 1, 1, 3, swing, NULL}, "0, 1 or 2 derivatives, not 3"},
        {{"f", 1, 1, 0, NULL, NULL}, "there is no function to define"},
    };
    char text[1000];
    snprintf(text, sizeof text, slide, "type: motor, joint: rail, effort: 0", "rk45");
    lmb_spec *spec;
    assert_ok(lmb_spec_parse(&spec, context, "slide", text));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lmb_messages_clear(context);
        assert_int_equal(lmb_spec_define(spec, context, &wrong[i].function), LMB_USAGE);
        assert_message(context, wrong[i].message);
    }
    assert_int_equal(lmb_spec_define(NULL, context, &wrong[0].function), LMB_USAGE);
    assert_int_equal(lmb_spec_define(spec, NULL, &wrong[0].function), LMB_USAGE);
    lmb_spec_free(spec);
}

/* Calls that a model gets wrong. */
static void wrong_calls_are_named(void **state)
{
    static const struct {
        const char *force, *message;
    } wrong[] = {
        {"type: motor, joint: rail, effort: pull_bac(offset)", "did you mean 'pull_back'?"},
        {"type: motor, joint: rail, effort: pull_back(offset)", "takes 2 numbers, not 1"},
        {"type: motor, joint: rail, effort: pull_back + 1", "needs its arguments in parentheses"},
        {"type: spring, between: [ground, box], stiffness: 'pull_back(1, 2)'",
         "this number must not depend on one"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1000];
        lmb_spec *spec;
        lmb_model *model;
        int calls;
        snprintf(text, sizeof text, slide, wrong[i].force, "rk45");
        lmb_messages_clear(context);
        assert_ok(lmb_spec_parse(&spec, context, "slide", text));
        assert_ok(
            lmb_spec_define(spec, context, &(lmb_function){"pull_back", 2, 1, 1, spring, &calls}));
        assert_int_equal(lmb_model_compile(&model, context, spec), LMB_BAD_INPUT);
        assert_message(context, wrong[i].message);
        lmb_spec_free(spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_curve),
        cmocka_unit_test(springs_move_as_built_in_ones),
        cmocka_unit_test(drivers_follow_functions),
        cmocka_unit_test(variants_call_their_own),
        cmocka_unit_test(motions_end_where_there_is_no_value),
        cmocka_unit_test(functions_cannot_use_their_simulation),
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(wrong_calls_are_named),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
