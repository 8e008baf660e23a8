/* Breaks: the instants at which expressions jump, have a kink or a narrow peak, and those that are
 * smooth and have none. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/breaks.h"
#include "math/vec.h"

static lmb_context *context;
static lmb_arena *arena;
static lmb_table *linear, *cubic;

static lmb_status find(void *user, const char *name, lmb_place place, lmb_symbol *symbol)
{
    (void)user, (void)place;
    if (strcmp(name, "x") == 0)
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_VARIABLE, .size = 1};
    if (strcmp(name, "hat") == 0)
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_TABLE, .size = 1, .table = linear};
    if (strcmp(name, "bell") == 0)
        *symbol = (lmb_symbol){.kind = LMB_SYMBOL_TABLE, .size = 1, .table = cubic};
    return LMB_OK;
}

static int start(void **state)
{
    static const double x[] = {0, 2, 2.5, 3, 10}, y[] = {0, 0, 1, 0, 0};
    static const double near[] = {0, 4, 5, 5.000001, 5.000002, 5.000003, 6, 10};
    static const double up[] = {0, 0, 0, 1, 1, 0, 0, 0};
    (void)state;
    context = lmb_context_new();
    arena = lmb_arena_new();
    linear = lmb_table_new(arena, LMB_TABLE_LINEAR, LMB_TABLE_HOLD, 5, x, y);
    cubic = lmb_table_new(arena, LMB_TABLE_AKIMA, LMB_TABLE_HOLD, 8, near, up);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    lmb_arena_free(arena);
    lmb_context_free(context);
    return 0;
}

/* Those from 0 to 10 s, with a step of 0.1 s. */
static lmb_breaks breaks_of(const char *text)
{
    static const lmb_place here = {"m.yaml", NULL, 1, 1, 1};
    const lmb_scope scope = {find, NULL, NULL, true};
    lmb_breaks b = {.arena = arena, .end = 10, .step = 0.1, .hidden = NAN};
    lmb_expr *e = lmb_expr_compile(context, arena, &scope, text, here);
    assert_non_null(e);
    assert_true(lmb_breaks_add(&b, e, NULL));
    lmb_breaks_sort(&b);
    return b;
}

/* Instants are found to rounding of the longest time; a hump, within a sample. */
static void assert_breaks(const char *text, int count, const double *at, double exactness)
{
    lmb_breaks b = breaks_of(text);
    bool fine = b.count == count;
    for (int i = 0; i < count && fine; i++)
        fine = b.list[i].before <= at[i] + exactness && b.list[i].after >= at[i] - exactness &&
               b.list[i].after - b.list[i].before < 1e-13;
    for (int i = 0; i < b.count && !fine; i++)
        printf("%s: %.17g to %.17g\n", text, b.list[i].before, b.list[i].after);
    if (!fine)
        fail_msg("%s: %d breaks", text, b.count);
}

static void jumps_and_kinks_are_exact(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int count;
        double at[6];
    } cases[] = {
        {"if(t > 0.4999 and t < 0.5001, 1e4, 0)", 2, {0.4999, 0.5001}},
        {"x*if(t > pi, 1, 0) + sin(t)", 1, {LMB_PI}},
        {"if(x > 0 and t > 2, x, 0)", 1, {2}},
        {"abs(t - 5) < 1e-7", 2, {5 - 1e-7, 5 + 1e-7}},
        {"(t - 5)^2 < 1e-6", 2, {5 - 1e-3, 5 + 1e-3}},
        {"max(0, t - 3)", 1, {3}},
        {"ramp(t, 2, 6)*step(x, 0, 0, 1, 1)", 2, {2, 6}},
        {"floor(t/4)", 2, {4, 8}},
        {"mod(t, 4)", 2, {4, 8}},
        {"abs(sin(t))", 4, {0, LMB_PI, 2 * LMB_PI, 3 * LMB_PI}},
        {"ramp(t, 0, 10)", 2, {0, 10}},
        {"if(t > 0, 1, 0)", 1, {0}},
        {"if(t < 10, 1, 0)", 1, {10}},
        {"if(t <= 10, t, 0) + if(t >= 0, 1, 0)", 0, {0}},
        {"if(sin(t) > 2, 1, 0)", 0, {0}},
        {"sign(cos(t))", 3, {LMB_PI / 2, 3 * LMB_PI / 2, 5 * LMB_PI / 2}},
        {"hat(t)", 3, {2, 2.5, 3}},
        {"hat(mod(t, 5))", 6, {2, 2.5, 3, 7, 7.5, 8}},
        {"if(t > 4, t, t)", 0, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_breaks(cases[i].text, cases[i].count, cases[i].at, 1e-14);
}

static void narrow_peaks_are_found(void **unused)
{
    (void)unused;
    assert_breaks("100*exp(-((t - 5.33)/1e-3)^2)", 1, (double[]){5.33}, 1e-3);
    assert_breaks("x + 7 - 1/(1 + ((t - 2)/0.01)^2)", 1, (double[]){2}, 1e-3);
    assert_breaks("sin(t) + 1e-2*exp(-((t - 5)/1e-3)^2)", 1, (double[]){5}, 1e-3);
    /* narrower than the distance of samples */
    assert_breaks("bell(t)", 1, (double[]){5.000001}, 1e-5);
    assert_breaks("step(t, 5, 0, 5.0001, 1) - step(t, 5.0001, 0, 5.0002, 1)", 1, (double[]){5.0001},
                  1e-13);
}

static void smooth_laws_have_none(void **unused)
{
    (void)unused;
    static const char *const laws[] = {
        "7",
        "sin(1000*t)",
        "3*t^2 - t + 2",
        "exp(-t)*sin(20*t)",
        "sin(t)*sin(3*t) + cos(100*t)^3",
        "step(t, 0, 0, 1, 1)",
        "step(t, 2, 0, 4, 1)*sin(10*t)",
        "1/(1 + t^2)",
        "sqrt(1 + t)",
        "tanh(t - 5)",
        "exp(-((t - 5)/2)^2)",
        "if(x > 0, t, 0)",
        "log(1 + t)*sin(5*t)",
        "exp(sin(3*t))",
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        assert_breaks(laws[i], 0, NULL, 0);
}

/* Pulses that are shorter than the step of 0.1 s. */
static void pulses_hide_between_equal_steps(void **unused)
{
    (void)unused;
    assert_true(fabs(breaks_of("if(t > 0.51 and t < 0.57, 1, 0)").hidden - 0.54) < 0.04);
    assert_true(fabs(breaks_of("exp(-((t - 5.33)/0.01)^2)").hidden - 5.33) < 1e-3);
    assert_true(isnan(breaks_of("if(t > 0.5 and t < 0.7, 1, 0)").hidden));
    assert_true(isnan(breaks_of("exp(-((t - 5.33)/0.2)^2)").hidden));
    assert_true(isnan(breaks_of("if(t > 5, 1, 0) + if(t > 5.01, 1, 0)").hidden));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumps_and_kinks_are_exact),
        cmocka_unit_test(narrow_peaks_are_found),
        cmocka_unit_test(smooth_laws_have_none),
        cmocka_unit_test(pulses_hide_between_equal_steps),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
