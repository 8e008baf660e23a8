/* The channels that `results` of an analysis selects: they are those of a run that stores all, to
 * the last bit, and nothing else is stored but what later analyses play back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "program.h"
#include "result/write.h"
#include "support.h"

/* A flexible arm on a pin with a weight, a sensor and an event on channels that are not stored, and
 * an effort that a later analysis plays back. */
static const char model[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  arm:\n"
    "    beam: {from: [0, 0], to: [1, 0], elements: 4, section: {rectangle: {width: 0.02, height: "
    "0.02}}, material: steel}\n"
    "    interfaces: {A: start, B: end}\n"
    "    reduction: {modes: 2}\n"
    "  weight{i}: {repeat: {i: [1, 3]}, mass: 1, inertia: 0.01, position: [1, -(i - 1)/10],"
    " points: {top: [0, 0.1]}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, arm.A]}\n"
    "  hook: {type: revolute, between: [arm.B, weight1]}\n"
    "  link{i}: {repeat: {i: [2, 3]}, type: revolute, between: ['weight{i-1}', 'weight{i}.top']}\n"
    "drivers:\n"
    "  motor: {joint: pin, angle: t^2}\n"
    "  hold1: {joint: hook, angle: 0}\n"
    "  hold{i}: {repeat: {i: [2, 3]}, joint: 'link{i}', angle: 0}\n"
    "forces: {push: {type: motor, joint: pin, effort: record(turn/motor.effort)}}\n"
    "sensors: {height: weight3.position.y + arm.B.velocity.x}\n"
    "events: {low: {when: hook.angle + 10, stop: true}}\n"
    "analyses:\n"
    "  turn: {type: inverse-dynamics, duration: 0.2, output_step: 0.002, without: [push]%s}\n"
    "  fall: {type: dynamics, duration: 0.2, output_step: 0.002, without: [motor, hold1, hold2,"
    " hold3]%s}\n";

static const char *write_model(const char *name, const char *turn, const char *fall)
{
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, model, turn, fall);
    fclose(out);
    return path;
}

static lmb_result *run(const char *name, const char *turn, const char *fall)
{
    char file[32];
    lmb_result *r;
    snprintf(file, sizeof file, "%s.yaml", name);
    const char *from = write_model(file, turn, fall);
    snprintf(file, sizeof file, "%s.h5", name);
    check_run(run_limber("run %s --quiet -o %s", from, scratch_path(file)), 0, "");
    assert_ok(lmb_result_open(&r, context, scratch_path(file)));
    return r;
}

/* Channel `i` of an analysis must be in the other result, with the same bits. */
static void check_same(lmb_result *some, lmb_result *all, int analysis, int i)
{
    char name[128];
    lmb_series x, y;
    snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(some, analysis),
             lmb_result_channel(some, analysis, i)->name);
    assert_ok(lmb_result_read(some, context, name, &x));
    assert_ok(lmb_result_read(all, context, name, &y));
    assert_int_equal(x.count, y.count);
    assert_int_equal(x.size, y.size);
    if (memcmp(x.values, y.values, (size_t)(x.count * x.size) * sizeof *x.values) != 0)
        fail_msg("%s differs", name);
    lmb_series_free(&x);
    lmb_series_free(&y);
}

static void check_names(lmb_result *r, int analysis, const char *const *names, int count)
{
    assert_int_equal(lmb_result_channel_count(r, analysis), count);
    for (int i = 0; i < count; i++)
        assert_string_equal(lmb_result_channel(r, analysis, i)->name, names[i]);
}

static const char some_of_turn[] = ", results: [pin.force]";
static const char some_of_fall[] = ", results: ['weight?.position', height, low.*, 'link*.angle']";

/* The order is that of all channels; what is played back comes with them. */
static void selected_channels_are_those_of_a_whole_run(void **unused)
{
    (void)unused;
    static const char *const turn[] = {"pin.force", "motor.effort"};
    static const char *const fall[] = {"weight1.position", "weight2.position", "weight3.position",
                                       "link2.angle",      "link3.angle",      "low.count",
                                       "low.time",         "height",           "low.value"};
    lmb_result *all = run("all", "", ""), *some = run("some", some_of_turn, some_of_fall);
    check_names(some, 0, turn, 2);
    check_names(some, 1, fall, sizeof fall / sizeof *fall);
    for (int i = 0; i < (int)(sizeof fall / sizeof *fall); i++)
        check_same(some, all, 1, i);
    check_same(some, all, 0, 0);
    check_same(some, all, 0, 1);
    lmb_result_close(all);
    lmb_result_close(some);
}

static bool has_envelope(const lmb_result *r, int analysis)
{
    int count;
    double *x = lmb_record_array(r, analysis, "arm", "envelope/stress", &count);
    free(x);
    return x != NULL;
}

/* With the modes of a body goes what the envelope of its stresses is made of. */
static void records_go_with_the_modes(void **unused)
{
    (void)unused;
    static const char *const names[] = {"arm.modes", "arm.stress_coordinates"};
    lmb_result *without = run("without", "", ", results: [arm.position]");
    lmb_result *with = run("with", "", ", results: [arm.modes]");
    assert_false(has_envelope(without, 1));
    assert_true(has_envelope(without, 0));
    assert_true(has_envelope(with, 1));
    check_names(with, 1, names, sizeof names / sizeof *names);
    lmb_result_close(without);
    lmb_result_close(with);
}

/* Interrupts the run. */
static bool end_there(void *user, const char *what, double fraction)
{
    (void)user;
    return strcmp(what, "fall") == 0 && fraction > 0.4;
}

static void resumed_runs_have_the_same(void **unused)
{
    (void)unused;
    lmb_result *whole = run("some", some_of_turn, some_of_fall), *resumed;
    const char *path = scratch_path("resumed.h5"), *from = scratch_path("some.yaml");
    lmb_spec *spec;
    lmb_model *m;
    assert_ok(lmb_spec_load(&spec, context, from));
    assert_ok(lmb_model_compile(&m, context, spec));
    lmb_context_on_progress(context, end_there, NULL);
    assert_int_equal(lmb_run(context, m, NULL, path), LMB_SOLVER);
    lmb_context_on_progress(context, NULL, NULL);
    lmb_model_free(m);
    lmb_spec_free(spec);
    check_run(run_limber("run %s --quiet --resume -o %s", from, path), 0, "");
    assert_ok(lmb_result_open(&resumed, context, path));
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < lmb_result_channel_count(whole, a); i++)
            check_same(whole, resumed, a, i);
    lmb_result_close(whole);
    lmb_result_close(resumed);
}

/* Bodies whose motion is not stored stand where they were placed. */
static void reports_and_exports_show_what_is_there(void **unused)
{
    (void)unused;
    lmb_result_close(run("some", some_of_turn, some_of_fall));
    const char *path = scratch_path("some.h5");
    check_run(run_limber("report %s -o %s", path, scratch_path("some.html")), 0, "");
    check_run(run_limber("export %s --csv %s", path, scratch_path("some.csv")), 0, "");
    check_run(run_limber("export %s --gltf %s", path, scratch_path("some.glb")), 0, "");
    check_run(run_limber("get %s weight2.velocity", path), 3, "no channel 'weight2.velocity'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selected_channels_are_those_of_a_whole_run),
        cmocka_unit_test(records_go_with_the_modes),
        cmocka_unit_test(resumed_runs_have_the_same),
        cmocka_unit_test(reports_and_exports_show_what_is_there),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
