/* Rotors for tests; see rotors.h. */
#include "rotors.h"

#include "support.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "models.h"

lmb_model *model;
lmb_rotor_system *s;
lmb_arena *arena;
lmb_rotor_results *results;

void open_rotor(const char *format, ...)
{
    char text[6000] = "limber: 1\ndimension: 3\ngravity: [0, -9.8065, 0]\nrotor:\n";
    size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
    arena = lmb_arena_new();
    model = model_of_text(text);
    assert_ok(lmb_rotor_system_new(&s, context, model->rotor));
}

void solve_rotor(const char *text)
{
    arena = lmb_arena_new();
    model = model_of_text(text);
    assert_ok(lmb_rotor_solve(&results, context, model->rotor, 1));
    s = results->system;
}

void close_rotor(void)
{
    if (results)
        lmb_rotor_results_free(results);
    else
        lmb_rotor_system_free(s);
    results = NULL;
    lmb_arena_free(arena);
    lmb_model_free(model);
}

lmb_whirl_list whirls(double speed, int count)
{
    lmb_whirl_list list;
    assert_ok(lmb_find_whirls(s, arena, speed, count, &list));
    return list;
}

void check_value(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g instead of %.10g, more than %g apart", value, expected, tolerance);
}
