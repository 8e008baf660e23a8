/* Expressions: values, derivatives, vectors, folding, messages, and nonsense. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/expr.h"

typedef struct fixture {
    lmb_context *context;
    lmb_arena *arena;
    lmb_table *table;
    lmb_scope scope;
} fixture;

static const struct {
    const char *name;
    lmb_symbol symbol;
} symbols[] = {
    {"omega", {LMB_SYMBOL_VALUE, 1, {3}, 0, NULL, NULL}},
    {"x", {LMB_SYMBOL_VALUE, 1, {5}, 0, NULL, NULL}},
    {"axis", {LMB_SYMBOL_VALUE, 3, {1, 2, 2}, 0, NULL, NULL}},
    {"plane", {LMB_SYMBOL_VALUE, 2, {3, 4}, 0, NULL, NULL}},
    {"odd.x", {LMB_SYMBOL_VALUE, 1, {7}, 0, NULL, NULL}},
    {"speed", {LMB_SYMBOL_VARIABLE, 1, {0}, 0, NULL, NULL}},
    {"crank.position", {LMB_SYMBOL_VARIABLE, 3, {0}, 1, NULL, NULL}},
    {"cam", {LMB_SYMBOL_TABLE, 1, {0}, 0, NULL, NULL}},
};

static lmb_status find(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    fixture *f = user;
    if (strcmp(name, "loop") == 0)
        return lmb_fail_at(f->context, place, "'loop' depends on itself");
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (strcmp(name, symbols[i].name) == 0)
            *symbol = symbols[i].symbol;
    }
    if (symbol->kind == LMB_SYMBOL_TABLE)
        symbol->table = f->table;
    return LMB_OK;
}

static void offer(void *user, lmb_nearest *nearest)
{
    (void)user;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        lmb_nearest_try(nearest, symbols[i].name);
}

static int start(void **state)
{
    const double x[] = {-2, -1, 0, 1, 2, 3}, y[] = {4, 1, 0, 1, 4, 9};
    fixture *f = calloc(1, sizeof *f);
    f->context = lmb_context_new();
    f->arena = lmb_arena_new();
    f->table = lmb_table_new(f->arena, LMB_TABLE_CUBIC, LMB_TABLE_EXTEND, 6, x, y);
    f->scope = (lmb_scope){find, offer, f, true};
    *state = f;
    return 0;
}

static int finish(void **state)
{
    fixture *f = *state;
    lmb_arena_free(f->arena);
    lmb_context_free(f->context);
    free(f);
    return 0;
}

static const lmb_place here = {"m.yaml", NULL, 3, 10, 1};

static lmb_expr *compile(fixture *f, const char *text)
{
    lmb_expr *e = lmb_expr_compile(f->context, f->arena, &f->scope, text, here);
    if (!e) {
        size_t count = lmb_message_count(f->context);
        fail_msg("'%s': %s", text, lmb_message_at(f->context, count - 1)->text);
    }
    return e;
}

static lmb_jet jet_of(fixture *f, const char *text, double t)
{
    const lmb_jet variables[] = {{2, 3, 4}, {1, 0, 0}, {t, 1, 0}, {t * t, 2 * t, 2}};
    lmb_jet out;
    lmb_expr *e = compile(f, text);
    assert_int_equal(lmb_expr_size(e), 1);
    lmb_expr_evaluate(e, t, variables, &out);
    return out;
}

/* A constant, which must have been folded. */
static double value(fixture *f, const char *text)
{
    assert_true(lmb_expr_is_constant(compile(f, text)));
    return jet_of(f, text, NAN).f;
}

static void check_jet(lmb_jet jet, double value_, double d, double dd, double tolerance)
{
    assert_close(jet.f, value_, tolerance);
    assert_close(jet.d, d, tolerance);
    assert_close(jet.dd, dd, tolerance);
}

static void test_values(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1", 1},
        {"1.5e-3", 1.5e-3},
        {".5", 0.5},
        {"2.", 2},
        {"1E+2", 100},
        {" 12 \n+\t1 ", 13},
        {"123456789.123456789", 123456789.123456789},
        {"0.1", 0.1},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^3^2", 512},
        {"2**3", 8},
        {"2^-1", 0.5},
        {"-2^-2", -0.25},
        {"--2", 2},
        {"+2 - -3", 5},
        {"10 - 3 - 2", 5},
        {"24/4/2", 3},
        {"2 + 3*4", 14},
        {"(2 + 3)*4", 20},
        {"1 < 2", 1},
        {"2 <= 1", 0},
        {"2 > 1 and 1 > 2", 0},
        {"2 >= 2 or 1 == 2", 1},
        {"1 != 1", 0},
        {"not 1 == 2", 1},
        {"not 0 and 0", 0},
        {"1 or 0 and 0", 1},
        {"1 + 1 == 2", 1},
        {"not not 3", 1},
        {"if(1 < 2, 10, 20)", 10},
        {"pi", 3.14159265358979323846},
        {"180*deg", 3.14159265358979323846},
        {"30*rpm", 3.14159265358979323846},
        {"omega*x", 15},
        {"odd.x", 7},
        {"axis.y + axis.z", 4},
        {"[1, 2].y", 2},
        {"(axis + [1, 1, 1]).x", 2},
        {"cross(axis, [0, 0, 1]).x", 2},
        {"dot(axis, [1, 1, 1])", 5},
        {"dot(plane, plane)", 25},
        {"norm(plane)", 5},
        {"norm(axis)", 3},
        {"unit(plane).x", 0.6},
        {"norm([0, 0, 0])", 0},
        {"atan2(1, -1)", 2.35619449019234492885},
        {"min(3, 1, 2)", 1},
        {"max(3, 1, 2, 7)", 7},
        {"mod(7, 3)", 1},
        {"mod(-7, 3)", 2},
        {"mod(7, -3)", -2},
        {"mod(6, 3)", 0},
        {"hypot(3, 4)", 5},
        {"pow(2, 10)", 1024},
        {"(-2)^3", -8},
        {"(-2)^-1", -0.5},
        {"0^0", 1},
        {"sqrt(0)", 0},
        {"sign(-3) + sign(0) + sign(2)", 0},
        {"floor(-1.5)", -2},
        {"ceil(-1.5)", -1},
        {"abs(-2)", 2},
        {"log(exp(2)) + ln(exp(1)) + log10(1000)", 6},
        {"step(0.5, 0, 1, 1, 3)", 2},
        {"step(-1, 0, 1, 1, 3)", 1},
        {"step(9, 0, 1, 1, 3)", 3},
        {"ramp(3, 2, 6)", 0.25},
        {"ramp(1, 2, 6)", 0},
        {"ramp(7, 2, 6)", 1},
        {"sigmoid(0)", 0.5},
        {"sigmoid(1000)", 1},
        {"sigmoid(-1000)", 0},
        {"softplus(0)", 0.69314718055994530942},
        {"softplus(1000)", 1000},
        {"softplus(-1000)", 0},
        {"cam(1.5)", 2.25},
        {"if(x > 0, x, sqrt(-x))", 5},
        {"if(x < 0, 1/0, 4)", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double got = value(*state, cases[i].text);
        if (!(fabs(got - cases[i].value) <= 4e-16 * fmax(1, fabs(cases[i].value))))
            fail_msg("%s = %.17g, not %.17g", cases[i].text, got, cases[i].value);
    }
    assert_int_equal(lmb_message_count(((fixture *)*state)->context), 0);
}

/* The points keep clear of kinks and poles of every expression. */
static const double points[] = {0.13, 0.31, 0.47, 0.86};

/* With step h = 1e-5 a central difference is wrong by 2e-16/h = 2e-11 times the value, and by
 * h^2/6 = 2e-11 times the third derivative, which stays below a few hundred here. */
static void check_derivatives(fixture *f, const char *text)
{
    const double h = 1e-5, tolerance = 2e-8;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        double t = points[i];
        lmb_jet at = jet_of(f, text, t), before = jet_of(f, text, t - h);
        lmb_jet after = jet_of(f, text, t + h);
        double d = (after.f - before.f) / (2 * h), dd = (after.d - before.d) / (2 * h);
        if (!(fabs(at.d - d) <= tolerance * fmax(1, fabs(d)) &&
              fabs(at.dd - dd) <= tolerance * fmax(1, fabs(dd))))
            fail_msg("%s at %g: (%.12g, %.12g), by differences (%.12g, %.12g)", text, t, at.d,
                     at.dd, d, dd);
    }
}

static void test_derivatives(void **state)
{
    static const char *const texts[] = {
        "t",
        "3*t^2 - t",
        "-t + +t*t",
        "(1 + t)*(2 - t^2)",
        "(1 + t)/(2 - t^2)",
        "1/(1 + t^2)",
        "t^3 + t^-2 + t^0.5 + (-t)^3",
        "t^1 + t^0",
        "(1 + t^2)^t",
        "2^t",
        "pow(1 + t, sin(t))",
        "sin(2*t^2)",
        "cos(3*t + 1)",
        "tan(t^2)",
        "asin(t^2)",
        "acos(t/2)",
        "atan(3*t)",
        "atan2(sin(t), 1 - t)",
        "atan2(t - 2, t^2 - 5)",
        "sinh(t^2)",
        "cosh(2*t)",
        "tanh(2*t - 1)",
        "exp(-t^2)",
        "log(1 + t^2)",
        "ln(t)",
        "log10(2 + t^3)",
        "sqrt(1 + t^2)",
        "abs(t - 0.4)*t",
        "sign(t - 0.4)*t",
        "floor(t)*t",
        "ceil(3*t)*t^2",
        "min(t, t^2, 0.2)",
        "max(t, 1 - t)",
        "hypot(t, 1 - t^2)",
        "mod(5*t^2, 0.7)",
        "mod(t + 3, 0.4*t + 0.1)",
        "step(t, 0.1, 2, 0.7, -1)",
        "step(t, 0.2*t, t^2, 1 + t, sin(t))",
        "sigmoid(10*(t - 0.4))",
        "sigmoid(t^2)",
        "softplus(5*(t - 0.4))",
        "softplus(t^2)",
        "ramp(t, 0.2, 0.8)*t",
        "ramp(t, 0.1*t^2, 1 + t)",
        "if(t < 0.4, t^2, t^3)",
        "if(t > 5, sqrt(t - 5), sin(t))",
        "cam(3*t^2)",
        "dot([t, 1, t^2], [sin(t), 2, t])",
        "norm([t, t^2, 1])",
        "norm([t, sin(t)])",
        "unit([t, 1 - t^2, 2]).y",
        "cross([t, 1, t^2], [2, t, 1]).z",
        "(2*[t, t^2]/t - [1, 1]*t).y",
        "(t < 0.4) + (t >= 0.4 and not t == 2) + (t != 3 or t <= 1 or t > 2)",
        "norm([1, 0, 0]) + crank.position.y*t + crank.position.z",
        "cross(crank.position, [t, 1, 0]).x",
        "[-t, 1].x + (-[t, t^2]).y",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_derivatives(*state, texts[i]);

    /* no function may be missing above */
    for (const lmb_function_doc *doc = lmb_expr_functions(); doc->name; doc++) {
        char call[32];
        snprintf(call, sizeof call, "%s(", doc->name);
        /* records need a run: tests/run/test_playback.c, and their tables test_table.c */
        bool found = strcmp(doc->name, "record") == 0 || strcmp(doc->name, "fourier") == 0;
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            found = found || strstr(texts[i], call);
        if (!found)
            fail_msg("the derivatives of '%s' are not tested", doc->name);
    }
}

/* Places where a formula taken literally gives infinity times zero. */
static void test_special_points(void **state)
{
    fixture *f = *state;
    check_jet(jet_of(f, "t^2", 0), 0, 0, 2, 0);
    check_jet(jet_of(f, "t^3", 0), 0, 0, 0, 0);
    check_jet(jet_of(f, "t^1", 0), 0, 1, 0, 0);
    check_jet(jet_of(f, "t^0", 0), 1, 0, 0, 0);
    check_jet(jet_of(f, "(t - 1)^4", 0), 1, -4, 12, 1e-15);
    check_jet(jet_of(f, "t^2.5", 0), 0, 0, 0, 0);
    check_jet(jet_of(f, "t^-3", -2), -0.125, -3. / 16, -12. / 32, 1e-15);
    check_jet(jet_of(f, "t^(speed - speed + 4)", 0), 0, 0, 0, 0);
    check_jet(jet_of(f, "0^(1 + t)", 1), 0, 0, 0, 0);
    check_jet(jet_of(f, "sqrt(0*t)", 1), 0, 0, 0, 0);
    check_jet(jet_of(f, "sqrt(t - t) + t", 1), 1, 1, 0, 0);
    check_jet(jet_of(f, "abs(t)", 0), 0, 0, 0, 0);
    check_jet(jet_of(f, "norm([t, t^2])", 0), 0, 0, 0, 0);
    check_jet(jet_of(f, "norm([t, 0, 2])", 0), 2, 0, 0.5, 0);
    check_jet(jet_of(f, "atan2(0*t, 0)", 0), 0, 0, 0, 0);
    check_jet(jet_of(f, "asin(1 + 0*t)", 0), acos(0), 0, 0, 1e-16);
    check_jet(jet_of(f, "tanh(1000*t)", 5), 1, 0, 0, 0);
    check_jet(jet_of(f, "sigmoid(1000*t)", -5), 0, 0, 0, 0);
    check_jet(jet_of(f, "softplus(1000*t)", 5), 5000, 1000, 0, 0);
    check_jet(jet_of(f, "step(t, 1, 0, 2, 5)", 1), 0, 0, 0, 0);
    check_jet(jet_of(f, "step(t, 1, 0, 2, 5)", 2), 5, 0, 0, 0);
    check_jet(jet_of(f, "step(t, speed, 0, speed, 5)", 1.9), 0, 0, 0, 0);
    check_jet(jet_of(f, "step(t, speed, 0, speed, 5)", 2), 5, 0, 0, 0);
    check_jet(jet_of(f, "step(1.5, t, 0, t - 1, 5)", 2), 0, 0, 0, 0);
    check_jet(jet_of(f, "if(t > 0, log(t), 3 + t)", 0), 3, 1, 0, 0);
    check_jet(jet_of(f, "if(0, 1/t, t)", 0), 0, 1, 0, 0);
    check_jet(jet_of(f, "speed^2", 0), 4, 12, 34, 0);
    assert_true(isnan(jet_of(f, "min(t, sqrt(-t))", 1).f));
    assert_true(isnan(jet_of(f, "min(sqrt(-t), t)", 1).f));
    assert_true(isnan(jet_of(f, "(-t)^0.5", 1).f));
    assert_true(isnan(jet_of(f, "step(sqrt(-t), 0, 1, 1, 2)", 1).f));
}

/* A rolling speed that comes on smoothly, and a winding angle. */
static void test_motion_laws(void **state)
{
    fixture *f = *state;
    const double pi = acos(-1);
    for (double t = 0; t <= 20; t += 0.37) {
        double s = 1 / (1 + exp(-(t - 8) / 0.8)), s1 = s * (1 - s) / 0.8;
        double s2 = s1 * (1 - 2 * s) / 0.8;
        double a = 2 * pi / 3 * sin(pi * t / 4), a1 = pi * pi / 6 * cos(pi * t / 4);
        double a2 = -pi * pi / 16 * a;
        check_jet(jet_of(f, "2*pi/3*sin(pi*t/4)*sigmoid((t-8)/0.8)", t), a * s, a1 * s + a * s1,
                  a2 * s + 2 * a1 * s1 + a * s2, 1e-13);
        double angle = pi / 2 * 0.8 * (log1p(exp((t - 8) / 0.8)) - log1p(exp(-10)));
        check_jet(jet_of(f, "pi/2*0.8*(softplus((t-8)/0.8) - ln(1+exp(-10)))", t), angle,
                  pi / 2 * s, pi / 2 * s1, 1e-13);
    }
}

static void check_vector(fixture *f, const char *text, int size, double x, double y, double z)
{
    const double expected[] = {x, y, z};
    lmb_jet out[3];
    lmb_expr *e = compile(f, text);
    assert_int_equal(lmb_expr_size(e), size);
    assert_true(lmb_expr_is_constant(e));
    lmb_expr_evaluate(e, 0, NULL, out);
    for (int i = 0; i < size; i++)
        assert_close(out[i].f, expected[i], 1e-15);
}

static void test_vectors(void **state)
{
    fixture *f = *state;
    check_vector(f, "[1, 2]", 2, 1, 2, 0);
    check_vector(f, "axis + 2*[1, 0, x]", 3, 3, 2, 12);
    check_vector(f, "-axis*2 - [1, 1, 1]/2", 3, -2.5, -4.5, -4.5);
    check_vector(f, "+plane", 2, 3, 4, 0);
    check_vector(f, "cross([1, 0, 0], [0, 1, 0])", 3, 0, 0, 1);
    check_vector(f, "cross(axis, [3, -1, 4])", 3, 10, 2, -7);
    check_vector(f, "unit(axis)", 3, 1. / 3, 2. / 3, 2. / 3);
    check_vector(f, "unit(plane)*norm(plane)", 2, 3, 4, 0);

    lmb_jet out[3];
    lmb_expr *e = compile(f, "[t, 1, t^2]");
    assert_false(lmb_expr_is_constant(e));
    lmb_expr_evaluate(e, 3, NULL, out);
    check_jet(out[0], 3, 1, 0, 0);
    check_jet(out[1], 1, 0, 0, 0);
    check_jet(out[2], 9, 6, 2, 0);
}

static void test_join(void **state)
{
    fixture *f = *state;
    lmb_expr *parts[4] = {compile(f, "t"), compile(f, "omega"), compile(f, "2*t"),
                          compile(f, "axis")};
    lmb_expr *joined = lmb_expr_join(f->context, f->arena, parts, 3);
    lmb_jet out[3];
    assert_non_null(joined);
    assert_int_equal(lmb_expr_size(joined), 3);
    assert_false(lmb_expr_is_constant(joined));
    lmb_expr_evaluate(joined, 5, NULL, out);
    check_jet(out[0], 5, 1, 0, 0);
    check_jet(out[1], 3, 0, 0, 0);
    check_jet(out[2], 10, 2, 0, 0);
    lmb_expr *same[2] = {parts[1], parts[1]};
    assert_true(lmb_expr_is_constant(lmb_expr_join(f->context, f->arena, same, 2)));
    assert_null(lmb_expr_join(f->context, f->arena, parts, 1));
    assert_message(f->context, "a vector has 2 or 3 components, not 1");
    assert_null(lmb_expr_join(f->context, f->arena, parts + 2, 2));
    assert_message(f->context, "a component must be a number, not a vector of 3");
}

static void test_folding(void **state)
{
    fixture *f = *state;
    assert_true(lmb_expr_is_constant(compile(f, "sin(omega)*cam(x) + norm(axis)^2")));
    assert_true(lmb_expr_is_constant(compile(f, "[t, omega].y")));
    assert_true(lmb_expr_is_constant(compile(f, "if(omega > 2, 1, t)")));
    assert_false(lmb_expr_is_constant(compile(f, "if(omega < 2, 1, t)")));
    assert_false(lmb_expr_is_constant(compile(f, "speed")));
    assert_false(lmb_expr_is_constant(compile(f, "omega*t")));
}

static void test_reserved_names(void **state)
{
    (void)state;
    const char *const reserved[] = {"pi", "deg", "rpm", "t", "sin", "unit", "and", "or", "not"};
    for (int i = 0; i < 9; i++)
        assert_true(lmb_expr_is_reserved(reserved[i]));
    assert_false(lmb_expr_is_reserved("omega"));
    assert_false(lmb_expr_is_reserved(""));
}

static void test_messages(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *text, *message, *hint;
        int offset, length;
    } cases[] = {
        {"", "expression is empty", "", 0, 1},
        {"  ", "expression is empty", "", 2, 1},
        {"1 + omga", "unknown name 'omga'", "did you mean 'omega'?", 4, 4},
        {"2*sine(t)", "unknown function 'sine'", "did you mean 'sin'?", 2, 4},
        {"crank.positon.x", "unknown name 'crank.positon.x'", "did you mean 'crank.position'?", 0,
         15},
        {"a_very_unknown_thing", "unknown name 'a_very_unknown_thing'", "", 0, 20},
        {"sin(1, 2)", "'sin' takes 1 argument, not 2", "", 0, 3},
        {"1 + atan2(1)", "'atan2' takes 2 arguments, not 1", "", 4, 5},
        {"sin()", "'sin' takes 1 argument, not 0", "", 0, 3},
        {"step(1,2,3,4,5,6,7)", "'step' takes 5 arguments, not 7", "", 0, 4},
        {"min(1)", "'min' takes 2 or more arguments, not 1", "", 0, 3},
        {"max()", "'max' takes 2 or more arguments, not 0", "", 0, 3},
        {"cam(1, 2)", "'cam' takes 1 argument, not 2", "", 0, 3},
        {"(1 + 2", "')' is missing", "", 6, 1},
        {"sin(1", "')' is missing", "", 5, 1},
        {"[1, 2", "']' is missing", "", 5, 1},
        {"1, 2", "unexpected ','", "", 1, 1},
        {"(1, 2)", "unexpected ','", "", 2, 1},
        {"1)", "unexpected ')'", "", 1, 1},
        {"sin(,1)", "unexpected ','", "", 4, 1},
        {"1 +", "expression is incomplete", "", 3, 1},
        {"1 + * 2", "unexpected '*'", "", 4, 1},
        {"2 x", "unexpected 'x'; is an operator such as '*' missing?", "", 2, 1},
        {"2 (3)", "unexpected '('; is an operator such as '*' missing?", "", 2, 1},
        {"(2 3)", "unexpected '3'; is an operator such as '*' missing?", "", 3, 1},
        {"2e", "unexpected 'e'; is an operator such as '*' missing?", "", 1, 1},
        {"omega(2)", "'omega' is a number, not a function", "", 0, 5},
        {"axis(2)", "'axis' is a vector, not a function", "", 0, 4},
        {"pi(2)", "'pi' is a number, not a function", "", 0, 2},
        {"1 + sin", "'sin' is a function and needs its arguments in parentheses", "", 4, 3},
        {"cam + 1", "'cam' is a table and needs its argument in parentheses", "", 0, 3},
        {"cam.x", "'cam' is a table and needs its argument in parentheses", "", 0, 5},
        {"plane + axis", "cannot add a vector of 2 to a vector of 3", "", 6, 1},
        {"axis - 1", "cannot subtract a number from a vector of 3", "", 5, 1},
        {"axis * axis", "cannot multiply a vector of 3 by a vector of 3",
         "use dot(a, b) or cross(a, b)", 5, 1},
        {"1 / plane", "cannot divide a number by a vector of 2", "", 2, 1},
        {"plane^2", "cannot raise a vector of 2 to the power of a number", "", 5, 1},
        {"plane < 2", "'<' takes numbers, not a vector of 2 and a number", "", 6, 1},
        {"1 and axis", "'and' takes numbers, not a number and a vector of 3", "", 2, 3},
        {"not axis", "'not' takes a number, not a vector of 3", "", 0, 3},
        {"sin(axis)", "'sin' takes numbers, not a vector of 3", "", 0, 3},
        {"min(1, axis)", "'min' takes numbers, not a vector of 3", "", 0, 3},
        {"max(axis)", "'max' takes 2 or more arguments, not 1", "", 0, 3},
        {"cam(axis)", "'cam' takes numbers, not a vector of 3", "", 0, 3},
        {"if(1, axis, axis)", "'if' takes numbers, not a vector of 3", "", 0, 2},
        {"dot(axis, plane)",
         "'dot' takes two vectors of equal size, not a vector of 3 and a vector of 2", "", 0, 3},
        {"dot(1, 2)", "'dot' takes two vectors of equal size, not a number and a number", "", 0, 3},
        {"cross(plane, plane)",
         "'cross' takes two vectors of 3, not a vector of 2 and a vector of 2", "", 0, 5},
        {"norm(2)", "'norm' takes a vector, not a number", "", 0, 4},
        {"unit(2)", "'unit' takes a vector, not a number", "", 0, 4},
        {"[1]", "a vector has 2 or 3 components, not 1", "", 0, 1},
        {"[1, 2, 3, 4]", "a vector has 2 or 3 components, not 4", "", 0, 1},
        {"[1, axis]", "a component must be a number, not a vector of 3", "", 4, 4},
        {"omega.x", "a number has no component 'x'", "", 0, 7},
        {"plane.z", "a vector of 2 has no component 'z'", "", 0, 7},
        {"(axis).w", "a vector of 3 has no component 'w'", "", 7, 1},
        {"(axis).xy", "a vector of 3 has no component 'xy'", "", 7, 2},
        {"(axis).", "expression is incomplete", "", 7, 1},
        {"1 = 2", "unexpected '='", "did you mean '=='?", 2, 1},
        {"1 && 2", "unexpected '&&'", "did you mean 'and'?", 2, 2},
        {"5 % 2", "unexpected '%'", "did you mean mod(x, y)?", 2, 1},
        {"2 * and", "unexpected 'and'", "", 4, 3},
        {"2 * not 1", "unexpected 'not'", "", 4, 3},
        {"1 not 2", "unexpected 'not'", "", 2, 3},
        {"1 < 2 < 3", "comparisons cannot be chained; join them with 'and'", "", 6, 1},
        {"3 \xC3\xA9 4", "unexpected '\xC3\xA9'", "", 2, 1},
        {"3 \a 4", "unexpected character with code 7", "", 2, 1},
        {"1e999", "number is too large", "", 0, 5},
        {"step(t, 1, 0, 1, 5)", "'step' needs x1 above x0, but they are 1 and 1", "", 0, 4},
        {"ramp(t, 2, 1)", "'ramp' needs x1 above x0, but they are 1 and 2", "", 0, 4},
        {"1/0", "the value is infinite", "", 0, 3},
        {"sqrt(-1)", "the value is undefined", "", 0, 8},
        {"unit([0, 0])", "the value is undefined", "", 0, 12},
        {"1 + loop", "'loop' depends on itself", "", 4, 4},
        {"loop(1)", "'loop' depends on itself", "", 0, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lmb_messages_clear(f->context);
        if (lmb_expr_compile(f->context, f->arena, &f->scope, cases[i].text, here))
            fail_msg("'%s' is accepted", cases[i].text);
        assert_int_equal(lmb_message_count(f->context), 1);
        const lmb_message *m = lmb_message_at(f->context, 0);
        if (strcmp(m->text, cases[i].message) != 0 || strcmp(m->hint, cases[i].hint) != 0 ||
            m->column != 10 + cases[i].offset || m->length != cases[i].length)
            fail_msg("'%s' gives '%s' (hint '%s') at %d, length %d", cases[i].text, m->text,
                     m->hint, m->column - 10, m->length);
        assert_int_equal(m->line, 3);
    }
}

static void test_time_may_be_forbidden(void **state)
{
    fixture *f = *state;
    f->scope.time = false;
    assert_null(lmb_expr_compile(f->context, f->arena, &f->scope, "2*t", here));
    assert_message(f->context, "'t' is time, and this number may not depend on it");
    assert_null(lmb_expr_compile(f->context, f->arena, NULL, "t", here));
    assert_non_null(lmb_expr_compile(f->context, f->arena, NULL, "2*pi", here));
}

/* Repeats pieces around a middle. */
static char *repeat(const char *before, const char *middle, const char *after, int count)
{
    size_t room = (strlen(before) + strlen(after)) * (size_t)count + strlen(middle) + 1;
    char *text = calloc(room, 1), *end = text;
    for (int i = 0; i < count; i++)
        end += sprintf(end, "%s", before);
    end += sprintf(end, "%s", middle);
    for (int i = 0; i < count; i++)
        end += sprintf(end, "%s", after);
    return text;
}

static void check_repeated(fixture *f, const char *before, const char *middle, const char *after,
                           int count, const char *message)
{
    char *text = repeat(before, middle, after, count);
    lmb_expr *e = lmb_expr_compile(f->context, f->arena, &f->scope, text, here);
    free(text);
    if (message)
        assert_message(f->context, message);
    assert_true(message ? !e : e != NULL);
}

static void test_limits(void **state)
{
    fixture *f = *state;
    const char *deep = "expression is too deeply nested";
    check_repeated(f, "(", "1", ")", 10000, deep);
    check_repeated(f, "(", "", "", 10000, deep);
    check_repeated(f, "-", "1", "", 10000, deep);
    check_repeated(f, "not ", "1", "", 10000, deep);
    check_repeated(f, "2^", "1", "", 10000, deep);
    check_repeated(f, "[", "1", "", 10000, deep);
    check_repeated(f, "sin(", "t", ")", 10000, deep);
    check_repeated(f, "(", "t", ")", 150, NULL);
    check_repeated(f, "(sin(t) + ", "t", ")", 50, NULL);
    check_repeated(f, "(sin(t) + ", "t", ")", 80, deep);
    check_repeated(f, "", "1", " + sin(t)", 5000, NULL);
    check_repeated(f, "min(", "1", ", t)", 90, NULL);
    check_repeated(f, " ", "1", "", 70000, "expression is too long");
    check_repeated(f, "", "max(0", ", t + 1", 1, "')' is missing");

    /* any number of arguments, in a few registers */
    char *text = repeat("sin(t), ", "t)", "", 300), *call = malloc(strlen(text) + 8);
    sprintf(call, "max(%s", text);
    assert_close(jet_of(f, call, 2).f, 2, 0);
    free(text);
    free(call);
}

/* Damages good expressions at random; whatever comes of it either compiles or gets a message. */
static void test_damaged_expressions(void **state)
{
    static const char *const seeds[] = {
        "2*pi/3*sin(pi*t/4)*sigmoid((t-8)/0.8)",
        "step(t, 0.1, 2, omega, -1) + cam(x^2)",
        "cross(axis, [t, 1.5e-3, .5]).x >= norm(plane) and not 1 == 2",
        "min(t, 1, 2) - max(axis.x, crank.position.y)**2",
        "if(t < 3, unit(plane), [1, 2]/3).y",
    };
    static const char alphabet[] = "0123456789.+-*/^()[],<>=! eExyztan\xC3\x01";
    fixture *f = *state;
    const lmb_jet variables[4] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 1, 1}};
    uint32_t random = 12345;
    for (int round = 0; round < 20000; round++) {
        char text[128];
        strcpy(text, seeds[round % 5]);
        int changes = 1 + round % 4;
        for (int i = 0; i < changes; i++) {
            random = random * 1664525u + 1013904223u;
            size_t length = strlen(text), at = (random >> 8) % length;
            char c = alphabet[(random >> 20) % (sizeof alphabet - 1)];
            if (random >> 30 == 0 && length > 2)
                memmove(text + at, text + at + 1, length - at);
            else if (random >> 30 == 1 && length + 2 < sizeof text)
                memmove(text + at + 1, text + at, length + 1 - at);
            else
                text[at] = c;
        }
        lmb_messages_clear(f->context);
        lmb_arena *arena = lmb_arena_new();
        lmb_expr *e = lmb_expr_compile(f->context, arena, &f->scope, text, here);
        lmb_jet out[3];
        if (e)
            lmb_expr_evaluate(e, 0.7, variables, out);
        assert_int_equal(lmb_message_count(f->context), e ? 0 : 1);
        lmb_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, start, finish),
        cmocka_unit_test_setup_teardown(test_derivatives, start, finish),
        cmocka_unit_test_setup_teardown(test_special_points, start, finish),
        cmocka_unit_test_setup_teardown(test_motion_laws, start, finish),
        cmocka_unit_test_setup_teardown(test_vectors, start, finish),
        cmocka_unit_test_setup_teardown(test_join, start, finish),
        cmocka_unit_test_setup_teardown(test_folding, start, finish),
        cmocka_unit_test_setup_teardown(test_reserved_names, start, finish),
        cmocka_unit_test_setup_teardown(test_messages, start, finish),
        cmocka_unit_test_setup_teardown(test_time_may_be_forbidden, start, finish),
        cmocka_unit_test_setup_teardown(test_limits, start, finish),
        cmocka_unit_test_setup_teardown(test_damaged_expressions, start, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
