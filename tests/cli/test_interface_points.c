/* Interface points of a plate of 120 x 60 x 20 mm with two bores of 15 mm radius (bore.msh of
 * tests/support), through the built program: where they are, what they are tied to, and what the
 * ties do to the frequencies of the plate. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "strip.h"
#include "support.h"

static const char bore[] = "tests/support/bore.msh";

/* A model of the plate with point A as given, and point B tied like it. */
static const char *plate(const char *A, const char *B, int modes)
{
    char text[1000], top[300];
    assert_non_null(getcwd(top, sizeof top));
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n  plate:\n"
             "    mesh: {file: %s/%s, material: steel}\n"
             "    interfaces:\n      A: {%s}\n      B: {%s}\n    reduction: {modes: %d}\n",
             top, bore, A, B, modes);
    return scratch_text("plate.yaml", text);
}

static lmb_run_result reduce(const char *A, const char *B, int modes)
{
    return run_limber("reduce %s -o %s --json --quiet --no-cache", plate(A, B, modes),
                      scratch_path("plate.h5"));
}

/* Checks point A, the first of the ties; returns the height of its nodes. */
static double check_A(const lmb_run_result *run, bool all, const double position[3])
{
    double x[3], value;
    const char *ties = strstr(run->out, "\"ties\"");
    assert_non_null(ties);
    assert_int_equal(numbers_of(ties, "position", 0, x, 3), 3);
    for (int i = 0; i < 3; i++)
        assert_close(x[i], position[i], 2e-5);
    assert_int_equal(numbers_of(ties, "nodes", 0, &value, 1), 1);
    assert_true(all ? value == 312 : value < 312);
    assert_int_equal(numbers_of(ties, "extents", 0, x, 3), 3);
    return x[2];
}

/* The point of a bore is in the middle of its axis, however the nodes are spread, and is the same
 * for a selection of its nodes by geometry. */
static void a_point_is_on_the_axis_of_its_bore(void **state)
{
    (void)state;
    static const double middle[3] = {0.03, 0.03, 0.01}, flat[3] = {0, 0.03, 0.01};
    static const char *const same[] = {
        "nodes: A", "cylinder: {axis: [0, 0, 1], point: [0.03, 0.03, 0], radius: 0.015}",
        "cylinder: {axis: [0, 0, 1], point: [0.03, 0.03, 0.01], radius: 0.015, length: 0.02}"};
    for (int i = 0; i < 3; i++) {
        lmb_run_result run = reduce(same[i], "nodes: B", 0);
        assert_runs(&run);
        double r;
        assert_close(check_A(&run, true, middle), 0.02, 1e-9);
        assert_int_equal(numbers_of(strstr(run.out, "\"ties\""), "radius", 0, &r, 1), 1);
        assert_close(r, 0.015, 1e-9); /* the file has nine digits */
        assert_int_equal(numbers_of(run.out, "fit_error", 0, &r, 1), 1);
        assert_true(r < 1e-7);
        free_run(&run);
    }
    /* a ring of the bore: its height shows it */
    lmb_run_result run = reduce("point: [0.03, 0.03, 0.01], radius: 0.0152", "nodes: B", 0);
    assert_runs(&run);
    assert_true(check_A(&run, false, middle) <= 2 * sqrt(0.0152 * 0.0152 - 0.015 * 0.015));
    free_run(&run);
    run = reduce("plane: {point: [0, 0, 0], normal: [1, 0, 0]}, tie: average", "nodes: B", 0);
    assert_runs(&run);
    double x[3];
    assert_int_equal(numbers_of(strstr(run.out, "\"ties\""), "position", 0, x, 3), 3);
    for (int i = 0; i < 3; i++)
        assert_close(x[i], flat[i], 1e-9);
    assert_non_null(strstr(run.out, "\"radius\": null"));
    free_run(&run);
}

/* Free frequencies without ties are those of CalculiX within 1e-3; those with spiders were computed
 * with the tied model. */
static const double unheld[] = {5686.13, 5996.78, 10342.99, 12056.47, 13984.0, 15164.1};

static void check_free(const char *json, const double *tied, double tolerance)
{
    double f[3];
    assert_int_equal(numbers_of(json, "without_ties", 0, f, 3), 3);
    for (int i = 0; i < 3; i++)
        assert_close(f[i] / unheld[i], 1, 1e-3);
    assert_int_equal(numbers_of(json, "with_ties", 0, f, 3), 3);
    for (int i = 0; i < 3; i++)
        assert_close(f[i] / tied[i], 1, tolerance);
}

static void rigid_ties_stiffen_the_plate(void **state)
{
    (void)state;
    static const double stiff[] = {8305, 10588, 16105}; /* without further digits: 6e-5 */
    lmb_run_result run = reduce("nodes: A", "nodes: B", 10);
    assert_runs(&run);
    check_free(run.out, stiff, 6e-5);
    assert_non_null(strstr(run.err, "hint: 'tie: average' leaves surfaces free to deform"));
    free_run(&run);
}

static void averages_leave_the_plate_as_it_is(void **state)
{
    (void)state;
    lmb_run_result run = reduce("nodes: A, tie: average", "nodes: B, tie: average", 40);
    assert_runs(&run);
    check_free(run.out, unheld, 5e-3);
    assert_null(strstr(run.err, "without\n"));
    free_run(&run);
    run = run_limber("modes %s --json", scratch_path("plate.h5"));
    assert_runs(&run);
    for (int i = 0; i < 6; i++) {
        double f;
        assert_int_equal(numbers_of(run.out, "frequency", 6 + i, &f, 1), 1);
        assert_close(f / unheld[i], 1, 5e-3);
    }
    free_run(&run);
}

/* A verb that needs no comparison may have put the body into the cache. */
static void a_body_of_the_cache_is_compared(void **state)
{
    (void)state;
    forget_cache();
    const char *model = plate("nodes: A", "nodes: B", 6);
    lmb_run_result run = run_limber("modes %s --body plate --json", model);
    assert_runs(&run);
    free_run(&run);
    for (int i = 0; i < 2; i++) {
        run = run_limber("reduce %s -o %s --json --quiet", model, scratch_path("plate.h5"));
        assert_runs(&run);
        double f[3];
        assert_non_null(strstr(run.out, "\"cached\": true"));
        assert_int_equal(numbers_of(run.out, "without_ties", 0, f, 3), 3);
        assert_close(f[0] / unheld[0], 1, 1e-3);
        free_run(&run);
    }
}

/* Patches and probes on the cylinder of a bore are those on its set of nodes. */
static void patches_and_probes_select_nodes_by_geometry(void **state)
{
    (void)state;
    char text[2000], top[300];
    static const char on[] = "{cylinder: {axis: [0, 0, 1], point: [0.09, 0.03, 0], radius: 0.015}}";
    assert_non_null(getcwd(top, sizeof top));
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n  plate:\n"
             "    mesh: {file: %s/%s, material: steel}\n    interfaces: {A: {nodes: A}}\n"
             "    reduction: {modes: 5}\n    patches: {set: {nodes: B}, selected: %s}\n"
             "    probes: {set: {nodes: B}, selected: %s}\n"
             "joints: {clamp: {type: fixed, between: [ground, plate.A]}}\n"
             "forces: {f: {type: force, at: plate.selected, force: [0, 0, 100]}}\n"
             "analyses: {rest: {type: statics}}\n",
             top, bore, on, on);
    lmb_run_result run = run_limber("run %s --quiet -o %s", scratch_text("patch.yaml", text),
                                    scratch_path("patch.h5"));
    assert_runs(&run);
    free_run(&run);
    static const char *const channels[][2] = {{"plate.set.position.z", "plate.selected.position.z"},
                                              {"plate.stress.set", "plate.stress.selected"}};
    for (int i = 0; i < 2; i++) {
        double set[1], selected[1];
        assert_int_equal(printed_column(scratch_path("patch.h5"), channels[i][0], 1, set), 1);
        assert_int_equal(printed_column(scratch_path("patch.h5"), channels[i][1], 1, selected), 1);
        assert_true(set[0] > 0 && set[0] == selected[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_on_the_axis_of_its_bore),
        cmocka_unit_test(rigid_ties_stiffen_the_plate),
        cmocka_unit_test(averages_leave_the_plate_as_it_is),
        cmocka_unit_test(a_body_of_the_cache_is_compared),
        cmocka_unit_test(patches_and_probes_select_nodes_by_geometry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
