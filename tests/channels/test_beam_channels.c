/* Channels of an exact beam through the program: a cantilever that a torque M at its end bends.
 *
 * With elements of order 1 the discrete solution is exact where it is told: each element has the
 * moment M and the curvature M / EI, no strain otherwise, and turns by its length times that. What
 * is left is the tolerance of the equilibrium, 1e-10 of the moment, and the rounding of node angles
 * in differences of them, 1e-16 of EI / h = 0.35 times M. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limber/result.h"
#include "program.h"
#include "result/read.h"
#include "support.h"

enum { ELEMENTS = 8, NODES = ELEMENTS + 1 };

static const double L = 1.2, EI = 210e9 * 0.02 * 1e-6 / 12, M = 300, tolerance = 1e-9;

static lmb_context *context;
static lmb_result *result;

static const char *run_model(const char *name, int dimension)
{
    const char *path = scratch_path(name), *model = scratch_path("beam.yaml");
    bool plane = dimension == 2;
    FILE *out = fopen(model, "w");
    assert_non_null(out);
    fprintf(out,
            "limber: 1\ndimension: %d\ngravity: %s\nbodies:\n  arm:\n    beam: {from: %s, to: %s, "
            "elements: %d, order: 1, deformation: large, section: {rectangle: {width: 0.02, "
            "height: 0.01}}, material: {E: 210e9, nu: 0.3, density: 7850}}\n    interfaces: {root: "
            "start, middle: {node: 5}, tip: end}\njoints: {clamp: {type: fixed, between: [ground, "
            "arm.root]}}\nforces: {turn: {type: torque, at: arm.tip, torque: %s}}\nsensors: "
            "{height: arm.nodes.9.y, place: arm.nodes.9}\nanalyses: {rest: {type: statics}}\n",
            dimension, plane ? "[0, 0]" : "[0, 0, 0]", plane ? "[0, 0]" : "[0, 0, 0]",
            plane ? "[1.2, 0]" : "[1.2, 0, 0]", ELEMENTS, plane ? "300" : "[0, 0, 300]");
    assert_int_equal(fclose(out), 0);
    check_run(run_limber("run %s -o %s", model, path), 0, "");
    return path;
}

/* The last values of a channel; `size` of them must be there. */
static void final_values(const char *name, int size, double *values)
{
    lmb_series s;
    assert_int_equal(lmb_result_read(result, context, name, &s), 0);
    assert_int_equal(s.size, size);
    memcpy(values, s.values + (size_t)(s.count - 1) * (size_t)size, (size_t)size * sizeof *values);
    lmb_series_free(&s);
}

/* A component of a channel at all nodes is the same number, or grows with the nodes. */
static void check_nodes(const char *name, double expected, double more, double size)
{
    double values[NODES];
    final_values(name, NODES, values);
    for (int i = 0; i < NODES; i++)
        assert_close(values[i], expected + i * more, tolerance * size);
}

static void check_number(const char *name, double expected, double size)
{
    double value;
    final_values(name, 1, &value);
    assert_close(value, expected, tolerance * size);
}

static void open_result(const char *path)
{
    context = lmb_context_new();
    assert_int_equal(lmb_result_open(&result, context, path), 0);
}

static void close_result(void)
{
    lmb_result_close(result);
    lmb_context_free(context);
}

/* Chords have the length h, because there is no strain in the middle of an element, and are turned
 * by (i + 1/2) d, d = M h / EI. */
static void check_places(void)
{
    double h = L / ELEMENTS, d = M * h / EI, x = 0, y = 0;
    for (int i = 0; i < NODES; i++) {
        char name[40];
        snprintf(name, sizeof name, "arm.nodes.%d.x", i + 1);
        check_number(name, x, L);
        snprintf(name, sizeof name, "arm.nodes.%d.y", i + 1);
        check_number(name, y, L);
        if (i + 1 == NODES)
            break;
        x += h * cos((i + 0.5) * d);
        y += h * sin((i + 0.5) * d);
    }
    check_number("height", y, L);
    check_number("place.x", x, L);
    check_number("arm.tip.position.y", y, L);
}

static void check_bending(void)
{
    double h = L / ELEMENTS, stress = M * 0.005 / (0.02 * 1e-6 / 12);
    check_nodes("arm.section.moment.z", M, 0, M);
    check_nodes("arm.curvature.z", M / EI, 0, M / EI);
    check_nodes("arm.section.force.x", 0, 0, M / L);
    check_nodes("arm.section.force.y", 0, 0, M / L);
    check_nodes("arm.arc_length", 0, h, 1);
    check_nodes("arm.stress.nodes", stress, 0, stress);
    check_number("arm.stress.max", stress, stress);
    check_number("arm.middle.stress", stress, stress);
    check_places();
    check_number("arm.energy", M * M * L / (2 * EI), M * M * L / EI);
}

static void test_space(void **state)
{
    (void)state;
    double turn[4], moment[3], half = M * L / EI / 2;
    open_result(run_model("space.h5", 3));
    check_bending();
    final_values("arm.nodes_quaternion.9", 4, turn);
    assert_close(turn[0], cos(half), tolerance);
    assert_close(turn[3], sin(half), tolerance);
    final_values("arm.middle.section.moment", 3, moment);
    assert_close(moment[2], M, tolerance * M);
    assert_close(moment[0], 0, tolerance * M);
    close_result();
}

static void test_plane(void **state)
{
    (void)state;
    open_result(run_model("plane.h5", 2));
    check_bending();
    check_nodes("arm.nodes_angle.z", 0, M * L / EI / ELEMENTS, 1);
    check_number("arm.middle.section.moment", M, M);
    check_number("arm.root.curvature", M / EI, M / EI);
    close_result();
}

static bool file_contains(const char *path, const char *piece)
{
    char text[1000];
    bool found = false;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(text, sizeof text, file))
        found = found || strstr(text, piece);
    assert_int_equal(fclose(file), 0);
    return found;
}

/* What the program prints of them. */
static void test_printed(void **state)
{
    (void)state;
    const char *path = run_model("printed.h5", 2);
    check_run(run_limber("list %s", path), 0, "9 x xy ");
    check_run(run_limber("get %s arm.nodes --final | wc -l", path), 0, "9\n");
    lmb_run_result first = run_limber("get %s arm.nodes.1 --final", path);
    double x, y; /* of the clamp, to rounding */
    assert_int_equal(sscanf(first.out, "%lf %lf\n", &x, &y), 2);
    assert_true(fabs(x) + fabs(y) < 1e-15);
    free_run(&first);
    check_run(run_limber("get %s arm.nodes.10", path), 3, "no channel 'arm.nodes.10'");
    check_run(run_limber("export %s arm.nodes --csv %s", path, scratch_path("nodes.csv")), 0, "");
    assert_true(
        file_contains(scratch_path("nodes.csv"), "time,arm.nodes.1.x,arm.nodes.1.y,arm.nodes.2.x"));
}

/* Along the beam at a time: a curve per component, with the arc length as the label. */
static void test_plot(void **state)
{
    (void)state;
    const char *path = run_model("plot.h5", 3), *picture = scratch_path("along.svg");
    check_run(run_limber("plot %s arm.section.moment.z --at 0 -o %s", path, picture), 0, "");
    assert_true(file_contains(picture, "arc length in m"));
    assert_true(file_contains(picture, "arm.section.moment.z in N m"));
    check_run(run_limber("plot %s arm.tip.position --at 0 -o %s", path, picture), 3,
              "numbers, not some for each of the 9 nodes");
    check_run(run_limber("plot %s turn.torque --at 0 -o %s", path, picture), 3,
              "is not over the nodes of a beam");
    check_run(run_limber("plot %s arm.nodes --at 7 -o %s", path, picture), 3, "outside the result");
    check_run(run_limber("plot %s arm.nodes --at 0 --fft -o %s", path, picture), 2,
              "--at does not go with");
}

/* A soft strip that torques bend: with L = 1.2, y = 0.005 and a curvature k of its first half the
 * strain is k y there; an element of order 1 turns by k L / elements. The other half is bent by 0.9
 * of that: rounding does not decide where the strip is bent most. */
static void check_warning(int elements, double curvature, int code, const char *warning)
{
    const char *model = scratch_path("strip.yaml"), *path = scratch_path("strip.h5");
    FILE *out = fopen(model, "w");
    assert_non_null(out);
    fprintf(
        out,
        "limber: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n  arm:\n    beam: {from: [0, 0], "
        "to: [1.2, 0], elements: %d, order: 1, deformation: large, section: {rectangle: {width: "
        "0.02, height: 0.01}}, material: {E: 1e6, nu: 0.3, density: 1000}}\n    interfaces: "
        "{root: start, half: {at: [0.6, 0]}, tip: end}\n"
        "joints: {clamp: {type: fixed, between: [ground, arm.root]}}\n"
        "parameters: {T: %.17g}\n"
        "forces: {turn: {type: torque, at: arm.tip, torque: 0.9*T}, more: {type: torque, at: "
        "arm.half, torque: 0.1*T}}\n"
        "analyses: {rest: {type: statics}}\n",
        elements, 1e6 * 0.02 * 1e-6 / 12 * curvature);
    assert_int_equal(fclose(out), 0);
    lmb_run_result run = run_limber("run %s -o %s", model, path);
    assert_int_equal(run.code, code);
    if (warning ? !strstr(run.err, warning) : strstr(run.err, "warning") != NULL)
        fail_msg("expected %s, got %s", warning ? warning : "no warning", run.err);
    free_run(&run);
}

static void test_warnings(void **state)
{
    (void)state;
    check_warning(4, 5, 0, NULL); /* 0.025, 1.5 rad */
    check_warning(2, 5, 4, "element 1 of body 'arm' turns by 3 rad between its nodes at t = 0");
    check_warning(30, 21, 0, "body 'arm' has a strain of 0.1"); /* 0.105, 0.84 rad */
    check_warning(30, 19, 0, NULL);                             /* 0.095, 0.76 rad */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space),    cmocka_unit_test(test_plane),
        cmocka_unit_test(test_printed),  cmocka_unit_test(test_plot),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
