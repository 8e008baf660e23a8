/* Probes of an exact beam, which need not be at nodes, through the program.
 *
 * A cantilever that a torque M at its end bends has the curvature M / EI and turns by s M / EI,
 * with elements of all orders exactly; places between nodes are those of a circle with errors of
 * the order h^(p + 1). Under a load q per length Mz = -q (L - s)^2 / 2, and what a probe has
 * follows from what the points of Gauss have, which is known as well:
 *
 *   order 1    lines between the moments that the weights at nodes have in the middle of elements
 *   order 2    the line through Mz at two points: Mz + q h^2 (x^2 - 1/3) / 8
 *   order 3    Mz itself
 *
 * The equilibrium is found to 1e-10 of its forces. Deflections w change moments by parts of
 * (w / L)^2, 1e-13 for the light load. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limber/result.h"
#include "program.h"
#include "support.h"

static const double L = 1.2, EI = 210e9 * 0.02 * 1e-6 / 12, M = 300, weight = 1e-3;
static const double tolerance = 1e-9;

static lmb_context *context;
static lmb_result *result;

#define ARM                                                                                        \
    "elements: n, order: p, deformation: large, section: {rectangle: {width: 0.02, height: "       \
    "0.01}}, material: {E: 210e9, nu: 0.3, density: 7850}}\n    interfaces: {root: start, tip: "   \
    "end}\n    probes: {a: {fraction: 1/3}, b: {arc_length: 0.5}, c: {node: 3}, d: {at: "
#define REST                                                                                       \
    "joints: {clamp: {type: fixed, between: [ground, arm.root]}}\nsensors: {twice: "               \
    "2*arm.section.a.Mz}\nanalyses: {rest: {type: statics}}\n"

static const char *const plane =
    "limber: 1\ndimension: 2\nparameters: {n: 4, p: 2, M: 0, q: 0}\ngravity: [0, -q/1.57]\n"
    "bodies:\n  arm:\n    beam: {from: [0, 0], to: [1.2, 0], " ARM "[1.2, 0]}}\n"
    "forces: {turn: {type: torque, at: arm.tip, torque: M}}\n" REST;
static const char *const space =
    "limber: 1\ndimension: 3\nparameters: {n: 4, p: 2, M: 0, q: 0}\ngravity: [0, -q/1.57, 0]\n"
    "bodies:\n  arm:\n    beam: {from: [0, 0, 0], to: [1.2, 0, 0], y_axis: [0, 1, 0], " ARM
    "[1.2, 0, 0]}}\nforces: {turn: {type: torque, at: arm.tip, torque: [0, 0, M]}}\n" REST;

/* Runs a model and opens its result. */
static void run(const char *text, int order, int elements, double torque, double q)
{
    const char *path = scratch_path("probes.h5"), *model = scratch_path("probes.yaml");
    FILE *out = fopen(model, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    check_run(run_limber("run %s -o %s --set p=%d --set n=%d --set M=%.17g --set q=%.17g", model,
                         path, order, elements, torque, q),
              0, "");
    context = lmb_context_new();
    assert_int_equal(lmb_result_open(&result, context, path), 0);
}

static void done(void)
{
    lmb_result_close(result);
    lmb_context_free(context);
}

static double value_of(const char *name)
{
    lmb_series s;
    assert_int_equal(lmb_result_read(result, context, name, &s), 0);
    assert_int_equal(s.size, 1);
    double value = s.values[s.count - 1];
    lmb_series_free(&s);
    return value;
}

static void check(const char *name, double expected, double size)
{
    double value = value_of(name);
    if (!(fabs(value - expected) <= tolerance * size))
        fail_msg("%s is %.12g, not %.12g", name, value, expected);
}

/* --- a circle --------------------------------------------------------------------------------- */

/* The distance of probe a from where it is on the circle. */
static double check_circle(const char *text, int order, int elements)
{
    bool flat = text == plane;
    double k = M / EI, s = L / 3, stress = M * 0.005 / (0.02 * 1e-6 / 12);
    run(text, order, elements, M, 0);
    check(flat ? "arm.a.curvature" : "arm.a.curvature.z", k, k);
    check("arm.a.strain.x", 0, k);
    check("arm.section.a.N", 0, M / L);
    check("arm.section.a.Vy", 0, M / L);
    check("arm.section.a.Mz", M, M);
    check("arm.section.b.Mz", M, M);
    check("twice", 2 * M, M);
    check("arm.stress.b", stress, stress);
    check("arm.stress.b.greatest", stress, stress);
    check("arm.stress.b.least", -stress, stress);
    if (flat) {
        check("arm.a.angle", k * s, 1);
        check("arm.b.angle", k * 0.5, 1);
    } else {
        check("arm.section.a.T", 0, M);
        check("arm.section.a.My", 0, M);
        check("arm.section.a.Vz", 0, M / L);
        check("arm.a.quaternion.w", cos(k * s / 2), 1);
        check("arm.b.quaternion.z", sin(k * 0.5 / 2), 1);
    }
    /* probes at a node and at the end are where these are */
    char node[40];
    snprintf(node, sizeof node, "arm.nodes.%d.y", 2 * order + 1);
    check("arm.c.position.y", value_of(node), 1);
    check("arm.d.position.x", value_of("arm.tip.position.x"), 1);
    double x = value_of("arm.a.position.x") - sin(k * s) / k;
    double y = value_of("arm.a.position.y") - (1 - cos(k * s)) / k;
    done();
    return hypot(x, y);
}

/* The order is p + 1; that of a fit to two meshes is off by what is left of the next, below 0.5. */
static void test_circle(void **state)
{
    (void)state;
    for (int order = 1; order <= 3; order++) {
        double coarse = check_circle(order == 2 ? space : plane, order, 4);
        double fine = check_circle(order == 2 ? space : plane, order, 8);
        double slope = log2(coarse / fine);
        print_message("order %d: distances %.3g and %.3g, slope %.2f\n", order, coarse, fine,
                      slope);
        assert_true(slope > order + 0.5);
    }
    check_circle(space, 3, 4);
    check_circle(space, 1, 4);
}

/* --- a load per length ------------------------------------------------------------------------ */

/* The moment in the middle of an element of order 1: of what the nodes beyond it carry. */
static double middle_moment(int elements, int element)
{
    double h = L / elements, sum = 0;
    for (int j = element + 1; j <= elements; j++)
        sum -= weight * h * (j < elements ? 1 : 0.5) * (j - element - 0.5) * h;
    return sum;
}

static double expected_moment(int order, int elements, double s)
{
    double h = L / elements, exact = -weight * (L - s) * (L - s) / 2, place = s / h - 0.5;
    if (order == 1) {
        int left = (int)floor(place);
        double part = place - left;
        return (1 - part) * middle_moment(elements, left) +
               part * middle_moment(elements, left + 1);
    }
    double x = 2 * (s / h - floor(s / h)) - 1;
    return order == 2 ? exact + weight * h * h * (x * x - 1.0 / 3) / 8 : exact;
}

static void test_weight(void **state)
{
    (void)state;
    for (int order = 1; order <= 3; order++) {
        double size = weight * L * L;
        run(space, order, 5, 0, weight);
        check("arm.section.a.Mz", expected_moment(order, 5, L / 3), size);
        check("arm.section.b.Mz", expected_moment(order, 5, 0.5), size);
        if (order > 1) {
            check("arm.section.a.Vy", -weight * (L - L / 3), size);
            check("arm.section.b.Vy", -weight * (L - 0.5), size);
        }
        check("arm.section.d.Mz", value_of("arm.tip.section.moment.z"), size);
        done();
    }
}

/* --- a corner --------------------------------------------------------------------------------- */

/* Two legs along x and y with a force (F, F) at the end: in the second leg N = F, Vy = -F, and Mz
 * grows from the end; in the first N = F, Vy = F. Displacements are F / EI = 6e-7 of the legs and
 * change moments by as much; strains are rounded to 1e-16, so normal forces to EA 1e-16 = 2e-7 F.
 */
static void test_corner(void **state)
{
    (void)state;
    static const char *const text =
        "limber: 1\ndimension: 2\nparameters: {n: 4, p: 2, M: 0, q: 0}\nbodies:\n  arm:\n    beam: "
        "{along: [[0, 0], [1, 0], [1, 0.5]], elements: n, order: p, deformation: large, section: "
        "{rectangle: {width: 0.1, height: 0.1}}, material: {E: 210e9, nu: 0.3, density: 7850}}\n"
        "    interfaces: {root: start, tip: end}\n    probes: {first: {arc_length: 0.9}, corner: "
        "{at: [1, 0]}, second: {arc_length: 1.1}}\njoints: {clamp: {type: fixed, between: [ground, "
        "arm.root]}}\nforces: {pull: {type: force, at: arm.tip, force: [1, 1]}}\n"
        "analyses: {rest: {type: statics}}\n";
    const double F = 1, size = 1e4; /* times the tolerance: 1e-5 */
    for (int order = 1; order <= 3; order++) {
        run(text, order, 6, 0, 0);
        check("arm.section.first.N", F, size);
        check("arm.section.first.Vy", F, size);
        check("arm.section.first.Mz", F * 0.1 - F * 0.5, size);
        check("arm.section.second.N", F, size);
        check("arm.section.second.Vy", -F, size);
        check("arm.section.second.Mz", -F * 0.4, size);
        check("arm.section.corner.Vy", -F, size);
        check("arm.first.angle", 0, size);
        check("arm.second.angle", acos(0), size);
        done();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_circle), cmocka_unit_test(test_weight),
                                       cmocka_unit_test(test_corner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
