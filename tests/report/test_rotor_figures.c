/* Figures of rotors: crosses of the Campbell diagram. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "report/rotor_sheet.h"
#include "models.h"
#include "system/model.h"

/* The frequency of a line at a speed. */
static double line_at(const lmb_curve *c, double x)
{
    for (int i = 1; i < c->count; i++)
        if (c->x[i] >= x) {
            double part = (x - c->x[i - 1]) / (c->x[i] - c->x[i - 1]);
            return (1 - part) * c->y[i - 1] + part * c->y[i];
        }
    return NAN;
}

/* Each cross is on a line: vibrations are damped, and so are the critical speeds marked. The lines
 * are straight between speeds of the diagram; undamped critical speeds are 1e-3 off. */
static void test_crosses(void **unused)
{
    (void)unused;
    lmb_rotor_results *r;
    lmb_arena *arena = lmb_arena_new();
    lmb_plot plot;
    lmb_model *model = model_of_example("overhung", NULL, NULL);
    assert_ok(lmb_rotor_solve(&r, context, model->rotor, 1));
    assert_string_equal(lmb_rotor_pictures[0].name, "campbell");
    assert_ok(lmb_rotor_pictures[0].make(context, arena, r, &plot));
    const lmb_curve *curves = plot.panels[0].curves, *crosses = NULL;
    for (int i = 0; i < plot.panels[0].count; i++)
        if (strcmp(curves[i].label, "critical") == 0)
            crosses = &curves[i];
    assert_non_null(crosses);
    assert_int_equal(crosses->count, 1);
    double nearest = INFINITY;
    for (int k = 0; k < r->campbell.modes; k++)
        nearest = fmin(nearest, fabs(line_at(&curves[k], crosses->x[0]) - crosses->y[0]));
    assert_true(nearest < 2e-4 * crosses->y[0]);
    lmb_rotor_results_free(r);
    lmb_model_free(model);
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_crosses)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
