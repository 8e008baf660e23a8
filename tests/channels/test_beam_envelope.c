/* The envelope of the stresses of exact beams, over time and over the fibres of sections.
 *
 * A cantilever so light that it rests at every instant, under a force (Fy, Fz) at its end:
 *
 *   Fy = F (1 - cos 2 pi t) / 2,   Fz = F (1 - cos 4 pi t) / 2
 *   sigma = -(L - s) (Fy y / Iz + Fz z / Iy)
 *
 * Fy is largest at 0.5, Fz at 0.25 and 0.75, where Fy is F/2. Its inertia is 1e-8 of the forces
 * ((omega / omega_1)^2), and its deflection changes moments by less.
 *
 * A bar that turns about one end with omega has the normal stress rho omega^2 (L^2 - s^2) / 2,
 * which elements of order 3 have exactly; it is longer by 2e-6 of its length, its stress larger by
 * as much. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models.h"
#include "program.h"
#include "result/write.h"
#include "support.h"

static lmb_result *run(const char *text, const char *words)
{
    const char *model = scratch_path("beam.yaml"), *path = scratch_path("beam.h5");
    lmb_result *result;
    FILE *out = fopen(model, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    check_run(run_limber("run %s -o %s --quiet %s", model, path, words), 0, "");
    assert_ok(lmb_result_open(&result, context, path));
    return result;
}

static double *array(const lmb_result *r, const char *name, int count)
{
    int there;
    double *x = lmb_record_array(r, 0, "arm", name, &there);
    if (!x || there != count)
        fail_msg("%s has %d numbers, not %d", name, x ? there : 0, count);
    return x;
}

/* --- a cantilever ----------------------------------------------------------------------------- */

enum { NODES = 5, FIBRES = 8 };

static const double L = 1, F = 0.01, WIDTH = 0.02, HEIGHT = 0.01;

static const char light[] =
    "limber: 1\ndimension: 3\nbodies:\n  arm:\n    beam: {from: [0, 0, 0], to: [1, 0, 0], "
    "elements: "
    "2, deformation: large, y_axis: [0, 1, 0], section: {rectangle: {width: 0.02, height: 0.01}}, "
    "material: {E: 210e9, nu: 0.3, density: 0.01}}\n    interfaces: {root: start, tip: "
    "end}\njoints: "
    "{clamp: {type: fixed, between: [ground, arm.root]}}\nforces: {load: {type: force, at: "
    "arm.tip, "
    "force: [0, (1 - cos(2*pi*t))/200, (1 - cos(4*pi*t))/200]}}\nanalyses:\n  shake: {type: "
    "dynamics, "
    "duration: 1, output_step: 0.05, integrator: generalized-alpha, step: 0.05, spectral_radius: "
    "0}\n";

/* The normal stress of a fibre of the section at s. */
static double stress_at(double t, double s, double y, double z)
{
    double Fy = F * (1 - cos(2 * LMB_PI * t)) / 2, Fz = F * (1 - cos(4 * LMB_PI * t)) / 2;
    double Iz = WIDTH * pow(HEIGHT, 3) / 12, Iy = HEIGHT * pow(WIDTH, 3) / 12;
    return -(L - s) * (Fy * y / Iz + Fz * z / Iy);
}

/* What it is at all instants of the results: largest size, when, greatest and least. */
static void check_fibre(double s, double y, double z, const double of[4])
{
    double size = 6 * F * L / (WIDTH * HEIGHT * HEIGHT), largest = 0, when = 0, high = 0, low = 0;
    for (int i = 0; i <= 20; i++) {
        double sigma = stress_at(0.05 * i, s, y, z);
        if (fabs(sigma) > largest + 1e-4 * size) { /* the first of equal ones */
            largest = fabs(sigma);
            when = 0.05 * i;
        }
        high = fmax(high, sigma);
        low = fmin(low, sigma);
    }
    if (!(fabs(of[0] - largest) < 1e-6 * size))
        fail_msg("at s = %g, fibre (%g, %g): %.9g at %g, not %.9g at %g", s, y, z, of[0], of[1],
                 largest, when);
    assert_true(fabs(of[2] - high) < 1e-6 * size);
    assert_true(fabs(of[3] - low) < 1e-6 * size);
    /* equal ones, before and after 0.5, are told apart by rounding */
    if (largest > 0 && fabs(of[1] - when) > 1e-9)
        assert_true(fabs(of[1] - (1 - when)) < 1e-9);
}

static void test_fibres(void **state)
{
    (void)state;
    static const char *const names[] = {"y", "z", "stress", "time", "greatest", "least"};
    double *of[6], size = 6 * F * L / (WIDTH * HEIGHT * HEIGHT);
    lmb_result *r = run(light, "");
    double *node = array(r, "envelope/node", NODES), *most = array(r, "envelope/stress", NODES);
    double *when = array(r, "envelope/time", NODES);
    for (int k = 0; k < 6; k++) {
        char name[40];
        snprintf(name, sizeof name, "envelope/fibres/%s", names[k]);
        of[k] = array(r, name, NODES * FIBRES);
    }
    for (int i = 0; i < NODES; i++) {
        double s = L * i / (NODES - 1), across = 0;
        assert_true(node[i] == i + 1);
        for (int k = i * FIBRES; k < (i + 1) * FIBRES; k++) {
            check_fibre(s, of[0][k], of[1][k], (double[]){of[2][k], of[3][k], of[4][k], of[5][k]});
            across = fmax(across, of[2][k]);
        }
        assert_true(fabs(most[i] - across) < 1e-9 * size); /* a corner has the largest */
    }
    /* in the middle of a side bending about one axis alone matters */
    assert_true(fabs(when[0] - 0.35) < 0.06 || fabs(when[0] - 0.65) < 0.06);
    for (int k = 0; k < 6; k++)
        free(of[k]);
    free(node);
    free(most);
    free(when);
    lmb_result_close(r);
}

/* Only what is stored counts, so that a run that goes on has the same: force and moment together.
 */
static void test_selection(void **state)
{
    (void)state;
    int count;
    char text[2000];
    for (int with = 0; with < 2; with++) {
        snprintf(text, sizeof text, "%.*s, results: [%s]}\n", (int)sizeof light - 3, light,
                 with ? "arm.section.force" : "arm.nodes");
        lmb_result *r = run(text, "");
        double *stress = lmb_record_array(r, 0, "arm", "envelope/stress", &count);
        assert_int_equal(stress != NULL, with);
        /* at the clamp, 6 F L / (w h^2) alone at 0.5 */
        assert_true(!with || stress[0] > 0.99 * 6 * F * L / (WIDTH * HEIGHT * HEIGHT));
        free(stress);
        lmb_result_close(r);
    }
}

/* --- a turning bar ---------------------------------------------------------------------------- */

static const char bar[] =
    "limber: 1\ndimension: 2\nbodies:\n  arm:\n    beam: {from: [0, 0], to: [1, 0], elements: 2, "
    "order: 3, deformation: large, section: {rectangle: {width: 0.02, height: 0.01}}, material: "
    "{E: "
    "210e9, nu: 0.3, density: 7850}}\n    interfaces: {root: start, tip: end}\n    damping: "
    "{stiffness: 2.5e-4}\n    velocity: [0, 5]\n    angular_velocity: 10\njoints: {hub: {type: "
    "revolute, between: [ground, arm.root]}}\ndrivers: {motor: {joint: hub, angle: 10*t}}\n"
    "analyses:\n  turn: {type: dynamics, duration: 0.02, output_step: 1e-3, integrator: "
    "generalized-alpha, step: 5e-5}\n";

/* The bar is released unstretched: its first vibration, of 1300 Hz, is damped critically and has
 * died away by exp(-60) before the instants that count. While it becomes longer it is bent, too, so
 * the fibre in the middle is looked at. */
static void test_bar(void **state)
{
    (void)state;
    lmb_result *r = run(bar, "--from 0.008");
    double *stress = array(r, "envelope/fibres/stress", 7 * 3),
           *y = array(r, "envelope/fibres/y", 21);
    double *time = array(r, "envelope/fibres/time", 7 * 3);
    double *span = array(r, "envelope/span", 2);
    double size = 7850 * 10 * 10 / 2.0, x[4] = {-1, -sqrt(0.2), sqrt(0.2), 1};
    for (int i = 0; i < 7; i++) {
        double s = (i / 3 + (1 + x[i % 3]) / 2) / 2, expected = size * (1 - s * s);
        if (!(fabs(stress[3 * i + 1] - expected) < 1e-5 * size))
            fail_msg("node %d: %.9g, not %.9g", i + 1, stress[3 * i + 1], expected);
        assert_true(y[3 * i + 1] == 0 && time[3 * i + 1] > 0.008 - 1e-9);
    }
    assert_true(span[0] == 0.008 && isnan(span[1]));
    free(span);
    free(y);
    free(stress);
    free(time);
    lmb_result_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fibres),
                                       cmocka_unit_test(test_selection),
                                       cmocka_unit_test(test_bar)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
