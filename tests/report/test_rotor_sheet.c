/* Figures and sheets of rotors. */
#include "support.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/rotor_sheet.h"
#include "math/vec.h"
#include "models.h"
#include "system/model.h"

static lmb_model *model;
static lmb_rotor_results *results;

static void solve(const char *example)
{
    model = model_of_example(example, NULL, NULL);
    assert_ok(lmb_rotor_solve(&results, context, model->rotor, 1));
}

static void done(void)
{
    lmb_rotor_results_free(results);
    lmb_model_free(model);
}

static lmb_status draw(lmb_arena *arena, const char *name, lmb_plot *out)
{
    for (const lmb_rotor_picture *p = lmb_rotor_pictures; p->name; p++)
        if (strcmp(p->name, name) == 0) {
            out->arena = arena;
            return p->make(context, results, out);
        }
    fail_msg("no figure '%s'", name);
    return LMB_BAD_INPUT;
}

static const lmb_curve *curve(const lmb_plot *plot, const char *label)
{
    for (int i = 0; i < plot->panels[0].count; i++)
        if (strcmp(plot->panels[0].curves[i].label, label) == 0)
            return &plot->panels[0].curves[i];
    fail_msg("no curve '%s'", label);
    return NULL;
}

/* Jeffcott's rotor under unbalance runs on circles with the shaft: seen along x, with y upwards and
 * z to the right, clockwise. */
static void test_orbits(void **unused)
{
    (void)unused;
    lmb_plot plot;
    lmb_arena *arena = lmb_arena_new();
    solve("jeffcott");
    const lmb_rotor_system *s = results->system;
    assert_ok(draw(arena, "orbits", &plot));
    assert_true(plot.equal);
    const lmb_curve *disc = curve(&plot, "disc"), *key = curve(&plot, "key phase");
    int station = 0;
    while (strcmp(s->stations[station].name, "disc") != 0)
        station++;
    double meters = strcmp(plot.x_label, "z in mm") == 0 ? 1e-3 : 1e-6;
    double radius = cabs(results->service_y[s->unknown[s->stations[station].node]]);
    assert_true(radius > 0);
    for (int i = 0; i < disc->count; i++)
        assert_float_equal(meters * hypot(disc->x[i], disc->y[i]), radius, 1e-12 * radius);
    for (int i = 0; i + 1 < disc->count; i++)
        assert_true(disc->x[i] * disc->y[i + 1] - disc->y[i] * disc->x[i + 1] < 0);
    /* it is closed and begins at the key phase */
    int last = disc->count - 1;
    assert_float_equal(disc->x[0], disc->x[last], 1e-9 * radius / meters);
    assert_float_equal(disc->y[0], disc->y[last], 1e-9 * radius / meters);
    assert_int_equal(key->style, LMB_CURVE_POINTS);
    assert_float_equal(disc->x[0], key->x[station], 0);
    assert_float_equal(disc->y[0], key->y[station], 0);
    lmb_arena_free(arena);
    done();
}

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
static void check_crosses(lmb_arena *arena)
{
    lmb_plot plot;
    assert_ok(draw(arena, "campbell", &plot));
    const lmb_curve *crosses = curve(&plot, "critical");
    assert_int_equal(crosses->count, 1);
    double nearest = INFINITY;
    for (int k = 0; k < results->campbell.modes; k++)
        nearest =
            fmin(nearest, fabs(line_at(&plot.panels[0].curves[k], crosses->x[0]) - crosses->y[0]));
    assert_true(nearest < 2e-4 * crosses->y[0]);
}

/* The figures have the numbers of the results. */
static void test_curves(void **unused)
{
    (void)unused;
    lmb_plot plot;
    lmb_arena *arena = lmb_arena_new();
    solve("overhung");
    const lmb_campbell *c = &results->campbell;
    assert_ok(draw(arena, "stability", &plot));
    assert_float_equal(plot.panels[0].curves[1].y[3], c->at[3].modes[1].decrement, 0);
    assert_float_equal(plot.panels[0].curves[1].x[3], c->at[3].speed * 30 / LMB_PI, 1e-9);
    assert_ok(draw(arena, "sag", &plot));
    const lmb_curve *y = curve(&plot, "along y");
    double lowest = 0;
    for (int i = 0; i < y->count; i++)
        lowest = fmin(lowest, y->y[i]);
    /* 0.026 mm, in micrometres */
    assert_string_equal(plot.panels[0].label, "deflection in \xc2\xb5m");
    assert_float_equal(
        lowest,
        1e6 * creal(results->sag[results->system->unknown[results->system->node_count - 1]]), 1e-9);
    /* few points of a run-up, among them the largest */
    assert_ok(draw(arena, "run-up", &plot));
    const lmb_curve *up = curve(&plot, "impeller");
    double most = 0, stored = 0;
    int stations = results->system->station_count, k = 0;
    while (strcmp(results->system->stations[k].name, "impeller") != 0)
        k++;
    for (int i = 0; i < results->run_up.count; i++)
        stored = fmax(stored, hypot(results->run_up.y[i * stations + k],
                                    results->run_up.z[i * stations + k]));
    for (int i = 0; i < up->count; i++)
        most = fmax(most, up->y[i]);
    assert_true(results->run_up.count > 2000 && up->count <= 2000);
    assert_float_equal(most, 1000 * stored, 1e-12);
    check_crosses(arena);
    lmb_arena_free(arena);
    done();
}

static void test_nothing_to_draw(void **unused)
{
    (void)unused;
    lmb_plot plot;
    lmb_arena *arena = lmb_arena_new();
    solve("nelson-rotor");
    static const char *const names[][2] = {{"orbits", "no service speed"},
                                           {"run-up", "no run-up with unbalance"}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(draw(arena, names[i][0], &plot), LMB_BAD_INPUT);
        assert_non_null(
            strstr(lmb_message_at(context, lmb_message_count(context) - 1)->text, names[i][1]));
    }
    /* a sheet leaves them out without a word */
    size_t before = lmb_message_count(context);
    lmb_sheet sheet = lmb_sheet_start(arena, "Rotor");
    assert_ok(lmb_rotor_sheet(context, &sheet, results));
    assert_int_equal(lmb_message_count(context), before);
    for (int i = 0; i < sheet.figure_count; i++)
        assert_null(strstr(sheet.figures[i].title, "Orbits"));
    lmb_arena_free(arena);
    done();
}

static void test_sheet(void **unused)
{
    (void)unused;
    static const char *const pieces[] = {"\"title\": \"Rotor\"",
                                         "runs over-critically",
                                         "the largest amplitude is",
                                         "Under weight it sags by",
                                         "Critical speeds",
                                         "Vibrations at 1000 rpm",
                                         "Dunkerley",
                                         "Rayleigh",
                                         "Loads of bearings under weight",
                                         "Unbalance response",
                                         "Campbell diagram",
                                         "Orbits under unbalance at 1000 rpm",
                                         "Shapes of vibration",
                                         "Stability",
                                         "Deflection under weight",
                                         "Run-up"};
    lmb_arena *arena = lmb_arena_new();
    solve("offset-rotor");
    lmb_sheet sheet = lmb_sheet_start(arena, "Rotor");
    assert_ok(lmb_rotor_sheet(context, &sheet, results));
    assert_int_equal(sheet.figure_count, 7);
    assert_int_equal(sheet.table_count, 5);
    char *text = lmb_sheet_json(&sheet);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!strstr(text, pieces[i]))
            fail_msg("no '%s' in the sheet", pieces[i]);
    assert_true(strlen(text) < 1000 * 1000);
    free(text);
    lmb_arena_free(arena);
    done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orbits), cmocka_unit_test(test_curves),
                                       cmocka_unit_test(test_nothing_to_draw),
                                       cmocka_unit_test(test_sheet)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
