/* Stresses of the examples with solids, which must not depend on the modes that are kept. Instants
 * of their motions are reached at once: the time of drivers is shifted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "models.h"
#include "program.h"
#include "support.h"

/* The clapper at 8.5 s. */
static const char *clapper(const char *reduction)
{
    static char text[2000];
    snprintf(
        text, sizeof text,
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  clapper:\n"
        "    mesh: {file: '%s/examples/clapper/clapper.msh', material: steel}\n"
        "    interfaces: {pivot: {point: [0, 0, 0], nodes: pivot}, bearing: {point: [0, 0, "
        "-8], nodes: bearing}}\n"
        "    reduction: {%s}\n"
        "joints: {pivot: {type: revolute, between: [ground, clapper.pivot], axis: [0, 1, 0]}}\n"
        "drivers: {swing: {joint: pivot, angle: "
        "'2*pi/3*sin(pi/4*(t + 8.5))*sigmoid((t + 0.5)/0.8)'}}\n"
        "analyses: {ride: {type: inverse-dynamics, begin: quasi-static, duration: 0.01, "
        "output_step: 0.01}}\n",
        getenv("PWD"), reduction);
    return text;
}

static double first_of(lmb_result *r, const char *channel)
{
    lmb_series s = series_of(context, r, channel);
    double value = s.values[0];
    lmb_series_free(&s);
    return value;
}

/* The stress of the complete finite element model is 24.10 MPa in node 6123. */
static void stress_of_the_clapper_does_not_depend_on_modes(void **unused)
{
    (void)unused;
    static const char *const reductions[] = {"modes: 20, keep: {below: 300}", "modes: 20, keep: 6",
                                             "modes: 20", "modes: 60",
                                             "modes: 60, keep: {below: 300}"};
    for (int i = 0; i < 5; i++) {
        lmb_result *r = run_text(context, "clapper", "%s", clapper(reductions[i]));
        assert_close(first_of(r, "clapper.stress.max"), 24.10e6, 1e-3 * 24.10e6);
        assert_close(first_of(r, "clapper.stress.node"), 6123, 0);
        bool many = i == 2 || i == 3, warned = strstr(last_messages(), "static response") != NULL;
        assert_int_equal(many, first_of(r, "clapper.stress.correction") < 0.1);
        assert_int_equal(many, !warned);
        lmb_result_close(r);
    }
    lmb_result *r =
        run_text(context, "clapper", "%s", clapper("modes: 20, keep: 6, stress_correction: false"));
    assert_true(first_of(r, "clapper.stress.max") < 0.6 * 24.10e6);
    lmb_result_close(r);
}

/* Runs an example with another reduction and another end of a line (such as its duration). */
static lmb_result *run_changed(const char *name, const char *result_name, const char *reduction,
                               const char *change)
{
    char command[1200];
    lmb_result *result;
    snprintf(command, sizeof command,
             "sed -e 's|reduction: .*|reduction: {%s}|; s|file: |file: %s/examples/%s/|; %s' "
             "examples/%s/%s.yaml > %s && %%LIMBER%% run %s --quiet -o %s",
             reduction, getenv("PWD"), name, change, name, name, scratch_path("changed.yaml"),
             scratch_path("changed.yaml"), scratch_path(result_name));
    lmb_run_result run = run_shell(command);
    if (run.code != 0)
        fail_msg("%s", run.err);
    free_run(&run);
    assert_ok(lmb_result_open(&result, context, scratch_path(result_name)));
    return result;
}

/* The hub at 5 s. The last two have other frames, which differ in second order. */
static void stress_of_the_hub_does_not_depend_on_modes_or_frame(void **unused)
{
    (void)unused;
    static const char *const reductions[] = {
        "modes: 60", "modes: 24, keep: 9", "modes: 24, keep: 9, frame: {point: bearing}",
        "modes: 24, keep: 9, frame: {chord: [bearing, gondola1]}"};
    double stress[4];
    for (int i = 0; i < 4; i++) {
        lmb_result *r = run_changed("hub", "hub.h5", reductions[i],
                                    "s|(t - 4)|(t + 1)|; s|duration: 10|duration: 0.01|");
        stress[i] = first_of(r, "hub.stress.max");
        lmb_result_close(r);
    }
    assert_close(stress[1], stress[0], 5e-3 * stress[0]);
    assert_close(stress[2], stress[1], 2e-3 * stress[1]);
    assert_close(stress[3], stress[1], 2e-3 * stress[1]);
}

/* The boom at 6 s against CalculiX with the loads of the same instant. */
static void few_modes_of_the_boom_have_the_stresses_of_calculix(void **unused)
{
    (void)unused;
    lmb_result *r =
        run_changed("crane", "crane.h5", "modes: 12, keep: 6", "s|duration: 20|duration: 6|");
    assert_close(final_of(context, r, "work/boom.stress.waist"), 32.22e6, 0.01 * 32.22e6);
    assert_close(final_of(context, r, "work/boom.stress.back"), 29.97e6, 0.01 * 29.97e6);
    lmb_result_close(r);
}

/* Shares of static flexibility, to the three digits that are printed. */
static void reduce_prints_the_flexibility_that_modes_keep(void **unused)
{
    (void)unused;
    const char *path = scratch_text("shares.yaml", clapper("modes: 20, keep: {below: 300}"));
    lmb_run_result run = run_limber("reduce %s --quiet -o %s", path, scratch_path("body.h5"));
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, "pivot"));
    static const char *const shares[] = {"0.992", "0.992", "0.873", "0.726", "0.726", "0.889"};
    for (const char *at = strstr(run.out, "share of static"), *p = "pivot"; p;
         p = strcmp(p, "pivot") == 0 ? "bearing" : NULL) {
        assert_non_null(at);
        at = strstr(at, p);
        for (int k = 0; k < 6 && at; k++) {
            at += strcspn(at, "0123456789");
            assert_memory_equal(at, shares[k], 5);
            at += 5;
        }
    }
    assert_non_null(strstr(run.err, "0.726 of the static flexibility"));
    free_run(&run);
    path = scratch_text("shares.yaml", clapper("modes: 60"));
    run = run_limber("reduce %s --quiet --json -o %s", path, scratch_path("body.h5"));
    assert_int_equal(run.code, 0);
    assert_null(strstr(run.err, "static flexibility"));
    const char *at = strstr(run.out, "\"flexibility\"");
    for (int p = 0; p < 2; p++) {
        double share[6];
        at = strchr(at, '[');
        assert_int_equal(6, sscanf(at, "[%lf, %lf, %lf, %lf, %lf, %lf", &share[0], &share[1],
                                   &share[2], &share[3], &share[4], &share[5]));
        for (int k = 0; k < 6; k++)
            assert_true(share[k] > 0.998 && share[k] < 1 + 1e-9);
        at++;
    }
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stress_of_the_clapper_does_not_depend_on_modes),
        cmocka_unit_test(stress_of_the_hub_does_not_depend_on_modes_or_frame),
        cmocka_unit_test(few_modes_of_the_boom_have_the_stresses_of_calculix),
        cmocka_unit_test(reduce_prints_the_flexibility_that_modes_keep),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
