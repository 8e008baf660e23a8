/* The result of a rotor: analyses over speed and place, and what the verbs for results make of
 * them.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rotor/results.h"
#include "export/scene.h"
#include "result/series.h"
#include "limber/limber.h"
#include "program.h"

/* --- what an analysis is over --------------------------------------------------------------------
 */

static void test_library(void **unused)
{
    (void)unused;
    static const char *const expected[][3] = {{"shapes", "place", "m"},
                                              {"run-up", "time", "s"},
                                              {"unbalance", "speed", "rad/s"},
                                              {"campbell", "speed", "rad/s"}};
    lmb_context *context = lmb_context_new();
    lmb_result *result;
    int found = 0;
    assert_int_equal(lmb_result_open(&result, context, example_result("rotor", "jeffcott")),
                     LMB_OK);
    for (int i = 0; i < lmb_result_analysis_count(result); i++)
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
            if (strcmp(lmb_result_analysis_name(result, i), expected[k][0]) == 0) {
                assert_string_equal(lmb_result_over(result, i)->name, expected[k][1]);
                assert_string_equal(lmb_result_over(result, i)->unit, expected[k][2]);
                found++;
            }
    assert_int_equal(found, 4);
    assert_null(lmb_result_over(result, -1));
    assert_null(lmb_result_over(result, lmb_result_analysis_count(result)));
    lmb_series s;
    assert_int_equal(lmb_result_read(result, context, "shapes/mode1.y", &s), LMB_OK);
    assert_string_equal(s.over.name, "place");
    lmb_series_free(&s);
    lmb_result_close(result);
    lmb_context_free(context);
}

static void test_verbs(void **unused)
{
    (void)unused;
    const char *path = example_result("rotor", "jeffcott"), *table = scratch_path("jeffcott.csv"),
               *svg = scratch_path("jeffcott.svg"), *mat = scratch_path("jeffcott.mat");
    check_run(run_limber("list %s", path), 0, "'campbell' is over speed in rad/s, not over time");
    check_run(run_limber("list %s --json", path), 0, "{\"name\": \"place\", \"unit\": \"m\"}");
    check_run(run_limber("get %s mode1.frequency --max --json", path), 0, "\"speed\": ");
    check_run(run_limber("get %s run-up/rotor.speed --final --json", path), 0, "\"time\": ");
    check_run(run_limber("get %s mode1.frequency --at 1e9", path), 3,
              "speed = 1000000000 is outside");
    check_run(run_limber("export %s --csv %s && head -1 %s", path, table, table), 0,
              "speed,mode1.frequency,");
    check_run(run_limber("export %s --analysis run-up --csv - | head -1", path), 0,
              "time,rotor.speed");
    check_run(run_limber("export %s --mat %s && grep -c speed %s", path, mat, mat), 0, "1");
    check_run(run_limber("plot %s mode1.frequency -o %s && cat %s", path, svg, svg), 0,
              "speed in rad/s");
    check_run(run_limber("plot %s run-up/rotor.speed -o %s && cat %s", path, svg, svg), 0,
              "t in s");
    check_run(run_limber("plot %s mode1.frequency shapes/mode1.y -o %s", path, svg), 3,
              "'shapes/mode1.y' is over place and cannot stand in one plot over 'speed in rad/s'");
    check_run(run_limber("plot %s mode1.frequency --fft -o %s", path, svg), 3,
              "is over speed, not over time");
    check_run(run_limber("compare %s %s", path, path), 0, "speed of largest");
}

/* Modes are numbered; a result of time stays as it was. */
static void test_others(void **unused)
{
    (void)unused;
    const char *path = scratch_path("modes.h5");
    FILE *out = fopen(scratch_path("modes.yaml"), "w");
    assert_non_null(out);
    fputs("limber: 1\ndimension: 2\nbodies: {a: {mass: 2, position: [1, 0]}}\n"
          "joints: {slide: {type: translational, between: [ground, a], axis: [1, 0]}}\n"
          "forces: {spring: {type: spring, between: [ground, a], stiffness: 8}}\n"
          "analyses: {shake: {type: modes}}\n",
          out);
    fclose(out);
    check_run(run_limber("run %s -o %s", scratch_path("modes.yaml"), path), 0, "");
    check_run(run_limber("list %s", path), 0, "'shake' is over mode, not over time");
    check_run(run_limber("get %s modes.frequency --first --json", path), 0, "\"mode\": 1");
}

/* --- as other models -----------------------------------------------------------------------------
 */

static void test_as_other_models(void **unused)
{
    (void)unused;
    const char *path = scratch_path("run.h5");
    check_run(run_limber("run examples/jeffcott/jeffcott.yaml -o %s", path), 0, "Results are in");
    check_run(run_limber("compare %s %s --tolerance 0", path, example_result("rotor", "jeffcott")),
              0, "mode1");
    check_run(run_limber("run examples/jeffcott/jeffcott.yaml --analysis turn -o %s", path), 3,
              "has no analyses");
    check_run(run_limber("check examples/overhung/overhung.yaml"), 0,
              "rotor                   22 elements, 94 degrees of freedom, 19.489 kg\n"
              "    shaft                 4 pieces, 0.54 m, 5.98905 kg\n"
              "    discs                 2\n"
              "    bearings              2\n"
              "    seals                 1\n");
    check_run(run_limber("check examples/overhung/overhung.yaml --json"), 0, "\"seals\": 1");
}

/* --- motion --------------------------------------------------------------------------------------
 */

static int analysis_of(const lmb_result *result, const char *name)
{
    int i = lmb_result_analysis_count(result) - 1;
    while (i >= 0 && strcmp(lmb_result_analysis_name(result, i), name) != 0)
        i--;
    return i;
}

/* The mean displacement of a body's nodes near a place along x. */
static void drawn_at(const lmb_scene_body *b, int instant, double x, double *u, double out[3])
{
    int count = 0;
    int size = 3 * b->skin->node_count, modes = b->skin->mode_count;
    for (int i = 0; i < size; i++) {
        u[i] = 0;
        for (int m = 0; m < modes; m++)
            u[i] += b->eta[instant * modes + m] * (double)b->skin->shapes[m * size + i];
    }
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < b->mesh.node_count; i++)
        if (fabs((double)b->mesh.nodes[3 * i] - x) < 0.1) {
            count++;
            for (int k = 0; k < 3; k++)
                out[k] += u[3 * i + k];
        }
    for (int k = 0; k < 3; k++)
        out[k] /= count;
}

/* Exported pictures move as the channels of the run-up say. */
static void test_motion(void **unused)
{
    (void)unused;
    const char *gltf = scratch_path("overhung.glb");
    lmb_context *context = lmb_context_new();
    lmb_result *result;
    lmb_scene *scene;
    lmb_series s;
    assert_int_equal(lmb_result_open(&result, context, example_result("rotor", "overhung")),
                     LMB_OK);
    int analysis = analysis_of(result, "run-up");
    assert_int_equal(lmb_scene_read(&scene, context, result, analysis, 0.1), LMB_OK);
    assert_int_equal(lmb_result_read(result, context, "run-up/impeller.position", &s), LMB_OK);
    assert_int_equal(scene->body_count, 3);
    assert_int_equal(scene->instant_count, 41);
    const lmb_scene_body *discs = &scene->bodies[1];
    assert_string_equal(discs->name, "discs");
    double *u = calloc(3 * (size_t)discs->mesh.node_count, sizeof *u), largest = 0, worst = 0;
    for (int i = 0; i < scene->instant_count; i++) {
        double drawn[3], told[2];
        drawn_at(discs, i, 0.54, u, drawn);
        lmb_series_interpolate(&s, scene->time[i], told);
        largest = fmax(largest, hypot(told[0], told[1]));
        worst = fmax(worst, hypot(hypot(drawn[1] - told[0], drawn[2] - told[1]), drawn[0]));
    }
    /* the tolerance of the shapes and that of the rounding of their factors, in three directions */
    assert_true(largest > 0 && worst < 4 * LMB_ROTOR_BASIS_TOLERANCE * largest);
    free(u);
    lmb_series_free(&s);
    lmb_arena_free(scene->arena);
    lmb_result_close(result);
    lmb_context_free(context);
    check_run(run_limber("export %s --analysis run-up --gltf %s && grep -ac 'shape 1' %s",
                         example_result("rotor", "overhung"), gltf, gltf),
              0, "1");
}

/* --- the report ----------------------------------------------------------------------------------
 */

static void test_report(void **unused)
{
    (void)unused;
    const char *html = scratch_path("jeffcott.html"), *folder = scratch_path("tmp");
    char command[1500];
    /* from the model, with nothing left behind */
    snprintf(command, sizeof command,
             "rm -rf %s; mkdir -p %s && TMPDIR=%s %%LIMBER%% rotor examples/jeffcott/jeffcott.yaml "
             "--report %s && ls -A %s | wc -l",
             folder, folder, folder, html, folder);
    lmb_run_result run = run_shell(command);
    size_t length = strlen(run.out);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.err, "The report is in"));
    assert_true(length > 2 && strcmp(run.out + length - 3, "\n0\n") == 0);
    free_run(&run);
    snprintf(command, sizeof command, "grep -c 'Campbell diagram' %s", html);
    check_run(run_shell(command), 0, "1");
    /* from the result, the same */
    check_run(run_limber("report %s -o %s", example_result("rotor", "jeffcott"), html), 0,
              "The report is in");
    check_run(run_shell(command), 0, "1");
    /* in the browser */
    snprintf(
        command, sizeof command,
        "TMPDIR=%s LIMBER_BROWSER=echo %%LIMBER%% rotor examples/jeffcott/jeffcott.yaml --open",
        folder);
    check_run(run_shell(command), 0, "/jeffcott.html");
    check_run(run_limber("rotor examples/jeffcott/jeffcott.yaml --report /nowhere/a.html"), 5,
              "/nowhere/a.html");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library), cmocka_unit_test(test_verbs),
        cmocka_unit_test(test_others),  cmocka_unit_test(test_as_other_models),
        cmocka_unit_test(test_motion),  cmocka_unit_test(test_report)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
