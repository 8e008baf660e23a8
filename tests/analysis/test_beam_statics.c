/* Exact beams at rest, against closed forms and converged values: order of convergence in space,
 * published problems, small loads as of linear beams, stiff beams as of rigid bodies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mobility.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "support.h"
#include "system/solver.h"

/* A point of a model in its equilibrium. */
static vec3 place_at_rest(const lmb_model *m, const char *name)
{
    lmb_solver *s = at_rest(m);
    vec3 x = point(s, name);
    lmb_solver_free(s);
    return x;
}

static vec3 rest_of(const char *example, const char *parameters, const char *name)
{
    lmb_model *m = example_with(example, parameters);
    vec3 x = place_at_rest(m, name);
    lmb_model_free(m);
    return x;
}

/* The largest difference of a component. */
static double off(vec3 x, double a, double b, double c)
{
    return fmax(fmax(fabs(x.x - a), fabs(x.y - b)), fabs(x.z - c));
}

/* Sin and cos of 45 degrees times the radius: where the tip is at first. */
static vec3 bend(double P, int order, int elements, const char *more)
{
    char text[200];
    snprintf(text, sizeof text, "P=%g p=%d elements=%d %s", P, order, elements, more);
    vec3 x = rest_of("bend-45", text, "bar.tip");
    return v3_sub(x, v3(100 * sqrt(0.5), 100 * (1 - sqrt(0.5)), 0));
}

/* The error at the tip falls with order 2p, and has the size that an independent implementation of
 * the same element found. */
static void the_bend_converges_with_twice_the_order(void **unused)
{
    (void)unused;
    static const struct {
        int order, elements;
        double error; /* within 5 %: two digits are given */
    } cases[] = {{1, 8, 0.093},  {1, 16, 0.0234}, {1, 32, 0.00585}, {2, 4, 7.5e-3},
                 {2, 8, 4.9e-4}, {2, 16, 3.1e-5}, {2, 32, 1.9e-6},  {3, 4, 4.3e-5},
                 {3, 8, 6.6e-7}, {3, 16, 1.0e-8}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        vec3 u = bend(600, cases[k].order, cases[k].elements, "");
        double error = off(u, -23.5602395450, -13.6045213473, 53.4748587918);
        if (getenv("LIMBER_SHOW"))
            printf("order %d, %2d elements: (%.8f %.8f %.8f), error %.3g\n", cases[k].order,
                   cases[k].elements, u.x, u.y, u.z, error);
        assert_true(fabs(error / cases[k].error - 1) < 0.05);
    }
}

static void published_bends(void **unused)
{
    (void)unused;
    const char *torsion = "GJ=7.03e5 GA=25e6/6";
    assert_true(off(bend(300, 3, 16, ""), -11.9315556, -7.0445409, 40.1918917) < 2e-7);
    assert_true(off(bend(300, 3, 16, torsion), -12.1747193, -7.1766649, 40.4804595) < 2e-7);
    assert_true(off(bend(600, 3, 16, torsion), -23.8188278, -13.7315072, 53.6078495) < 2e-7);
}

/* A moment bends a straight beam to a circle of the radius EI / M. */
static void moments_roll_beams_up(void **unused)
{
    (void)unused;
    const double L = 10, radius = L / (2 * LMB_PI);
    /* positions between nodes are polynomials: 7e-6 of L / pi with 20 elements, of fourth order */
    vec3 tip = rest_of("roll-up", "n=40", "beam.tip");
    vec3 middle = rest_of("roll-up", "n=40", "beam.middle");
    assert_true(v3_norm(tip) < 1e-12);
    assert_close(v3_norm(middle), L / LMB_PI, 5e-7);
    /* a quarter turn: tip at (r, 0, -r) with r four times as large */
    vec3 quarter = rest_of("roll-up", "n=40 turns=0.25", "beam.tip");
    assert_true(off(quarter, 4 * radius, 0, -4 * radius) < 5e-7);
}

/* Converged values of an independent prototype, equal to the published ones where there are some.
 */
static void the_princeton_beam(void **unused)
{
    (void)unused;
    static const double uy[] = {
        -.010712765, -.010643581, -.010207614, -.008979197, -.006742044, -.003621979, 0};
    static const double uz[] = {0,          .042192449, .079547377, .109113115,
                                .129957859, .142218170, .146252357};
    for (int k = 0; k <= 6; k++) {
        char text[60];
        snprintf(text, sizeof text, "angle=%d", 15 * k);
        vec3 x = rest_of("princeton", text, "strip.tip");
        assert_close(x.y, uy[k], 2e-8);
        assert_close(x.z, uz[k], 2e-8);
    }
    vec3 x = rest_of("princeton", "angle=45 n=24", "strip.tip");
    assert_true(off(x, 0.508 - 0.0144118227, -0.0089791966, 0.1091131072) < 1e-10);
}

/* A cantilever of length 10 m along x with a stiffness matrix, as text rows, and a force. */
static vec3 cantilever(const char *stiffness, const char *more, const char *force)
{
    char text[2000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nbodies:\n  b:\n    beam: {from: [0, 0, 0], to: [10, 0, 0],"
             " y_axis: [0, 1, 0], deformation: large, order: 3, elements: 16, stiffness: %s,"
             " mass: [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,.1,0,0],[0,0,0,0,.1,0],"
             "[0,0,0,0,0,.1]]%s}\n    interfaces: {root: start, tip: end}\n"
             "joints: {clamp: {type: fixed, between: [ground, b.root]}}\n"
             "forces: {load: {type: force, at: b.tip, force: %s}}\n",
             stiffness, more, force);
    lmb_model *m = model_of_text(text);
    vec3 x = place_at_rest(m, "b.tip");
    lmb_model_free(m);
    return v3_sub(x, v3(10, 0, 0));
}

/* Coupled bending and torsion of a composite, and a blade twisted by 90 degrees. */
static void composite_and_twisted_cantilevers(void **unused)
{
    (void)unused;
    vec3 u = cantilever("[[1368.17e3,0,0,0,0,0],[0,88.56e3,0,0,0,0],[0,0,38.78e3,0,0,0],"
                        "[0,0,0,16.96e3,17.61e3,-351],[0,0,0,17.61e3,59.12e3,-370],"
                        "[0,0,0,-351,-370,141.47e3]]",
                        "", "[0, 0, 150]");
    assert_true(off(u, -0.0902726627566, -0.0647488486259, 1.2297364829237) < 1e-10);
    u = cantilever("[2.5e10, 8.2604167e9, 8.2604167e9, 1.41872656e8, 5.20833e8, 1.30208333e8]",
                   ", stations: [{at: 0, twist: 0}, {at: 1, twist: 90*deg}]", "[0, 0, -4e6]");
    assert_true(off(u, -1.14152600, -1.71805335, -3.59321324) < 1e-8);
}

/* Small loads: w = P L^3 / (3 EI) + P L / GA of a Timoshenko beam, to the square of the slope. */
static void small_loads_bend_linearly(void **unused)
{
    (void)unused;
    const double P = 1e-3, EI = 2e5, GA = 1e6, L = 10;
    vec3 u = cantilever("[[1e7,0,0,0,0,0],[0,1e6,0,0,0,0],[0,0,1e6,0,0,0],[0,0,0,1e5,0,0],"
                        "[0,0,0,0,2e5,0],[0,0,0,0,0,3e5]]",
                        "", "[0, 0, 1e-3]");
    double w = P * L * L * L / (3 * EI) + P * L / GA;
    assert_true(fabs(u.z - w) < 1e-6 * w);
}

/* 8 F D^3 n / (G d^4) counts the torsion of the wire alone. With the pitch angle a (3.6 degrees
 * here) torsion and bending of a wire along a helix have cos a (1 + tan^2 a GJ / EI) = 1.0011 of
 * it; direct shear adds d^2 / (2 k D^2) = 0.0056 where the ends may move across, and what the guide
 * holds takes some of that away. */
static void a_coil_is_as_stiff_as_the_textbook_says(void **unused)
{
    (void)unused;
    const double d = 0.004, D = 0.04, turns = 8, G = 210e9 / 2.6, rise = 8 * 0.008;
    double sag = rise - rest_of("spring-helix", "F=1", "spring.top").z;
    double ratio = sag * G * pow(d, 4) / (8 * pow(D, 3) * turns);
    if (getenv("LIMBER_SHOW"))
        printf("sag %g m, %.5f of the textbook's\n", sag, ratio);
    assert_true(ratio > 1.0011 && ratio < 1.0011 + 0.0056);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bend_converges_with_twice_the_order),
        cmocka_unit_test(published_bends),
        cmocka_unit_test(moments_roll_beams_up),
        cmocka_unit_test(the_princeton_beam),
        cmocka_unit_test(composite_and_twisted_cantilevers),
        cmocka_unit_test(small_loads_bend_linearly),
        cmocka_unit_test(a_coil_is_as_stiff_as_the_textbook_says),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
