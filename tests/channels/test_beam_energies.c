/* Energies of an exact beam against closed forms.
 *
 * One element of order 1 along x, held at its start and pulled by a constant force F at its end, is
 * an oscillator, exactly: half of its mass m at the end, k = EA / L, and c = beta k,
 *
 *   u = F / k (1 - exp(-d t) (cos w t + d / w sin w t)),   d = c / 2m,   w^2 = k / m - d^2
 *
 * with the kinetic energy m u'^2 / 2, the elastic one k u^2 / 2, the loss c u'^2, and F u supplied.
 *
 * What turns as a whole has m v^2 / 2 + J omega^2 / 2 of the rigid bar; from order 2 on the lumped
 * mass has this inertia. */
#include <math.h>
#include <stdio.h>

#include "models.h"
#include "program.h"
#include "support.h"

static lmb_result *run(const char *text)
{
    const char *model = scratch_path("beam.yaml"), *path = scratch_path("beam.h5");
    lmb_result *result;
    FILE *out = fopen(model, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    check_run(run_limber("run %s -o %s --quiet", model, path), 0, "");
    assert_ok(lmb_result_open(&result, context, path));
    return result;
}

/* A channel of one number; the test owns the series. */
static lmb_series series(lmb_result *r, const char *name)
{
    lmb_series s;
    assert_ok(lmb_result_read(r, context, name, &s));
    assert_int_equal(s.size, 1);
    return s;
}

/* --- an oscillator ---------------------------------------------------------------------------- */

static const char rod[] =
    "limber: 1\ndimension: 2\nbodies:\n  rod:\n    beam: {from: [0, 0], to: [1, 0], elements: 1, "
    "order: 1, deformation: large, section: {rectangle: {width: 0.1, height: 0.1}}, material: {E: "
    "1e4, nu: 0.3, density: 100}}\n    interfaces: {root: start, tip: end}\n    damping: "
    "{stiffness: "
    "0.01}\njoints: {clamp: {type: fixed, between: [ground, rod.root]}}\nforces: {pull: {type: "
    "force, "
    "at: rod.tip, force: [0.1, 0]}}\nanalyses:\n  pull: {type: dynamics, duration: 1, output_step: "
    "0.05, integrator: rk45, tolerance: 1e-11}\n";

enum { KINETIC, ELASTIC, LOSS, ALL_KINETIC, ALL_ELASTIC, DISSIPATED, SUPPLIED, CHANNELS };

static const char *const names[CHANNELS] = {
    "rod.kinetic_energy", "rod.energy",        "rod.loss",       "energy.kinetic",
    "energy.elastic",     "energy.dissipated", "energy.supplied"};

/* Results are exact to 1e-8 of the largest energy, F^2 / k, which the tolerance of the integrator
 * promises. */
static void test_oscillator(void **state)
{
    (void)state;
    const double F = 0.1, k = 100, m = 0.5, c = 0.01 * k, d = c / (2 * m), w = sqrt(k / m - d * d);
    const double size = F * F / k;
    lmb_series s[CHANNELS];
    lmb_result *r = run(rod);
    for (int i = 0; i < CHANNELS; i++)
        s[i] = series(r, names[i]);
    assert_int_equal(s[0].count, 21);
    for (int i = 0; i < s[0].count; i++) {
        double t = s[0].time[i], decay = exp(-d * t), u, v;
        u = F / k * (1 - decay * (cos(w * t) + d / w * sin(w * t)));
        v = F / k * decay * (d * d + w * w) / w * sin(w * t);
        double kinetic = m * v * v / 2, elastic = k * u * u / 2;
        const double expected[CHANNELS] = {
            kinetic, elastic, c * v * v, kinetic, elastic, F * u - kinetic - elastic, F * u};
        for (int n = 0; n < CHANNELS; n++) {
            double error = fabs(s[n].values[i] - expected[n]);
            if (!(error < 1e-8 * size * (n == LOSS ? w : 1)))
                fail_msg("%s at %g: %.12g, not %.12g", names[n], t, s[n].values[i], expected[n]);
        }
    }
    for (int i = 0; i < CHANNELS; i++)
        lmb_series_free(&s[i]);
    lmb_result_close(r);
}

/* --- a turning bar ---------------------------------------------------------------------------- */

static const char thrown[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n  rod:\n    beam: {from: [0, 0, 0], "
    "to: [2, 0, 0], elements: 3, deformation: large, section: {rectangle: {width: 0.1, height: "
    "0.2}}, material: steel}\n    velocity: [1, 2, 3]\n    angular_velocity: [0.3, 0.4, 0.5]\n"
    "analyses:\n  start: {type: dynamics, duration: 1e-3, output_step: 1e-3}\n";

static void test_thrown(void **state)
{
    (void)state;
    lmb_result *r = run(thrown);
    lmb_series kinetic = series(r, "rod.kinetic_energy"), elastic = series(r, "rod.energy");
    /* y_axis level: y is height, along y; z is width */
    double m = 7850 * 0.1 * 0.2 * 2, y = 0.2 * 0.2 / 12, z = 0.1 * 0.1 / 12;
    double across = 2.0 * 2 / 12, w[3] = {0.3, 0.4, 0.5};
    double J[3] = {y + z, across + z, across + y}, expected = m * (1 + 4 + 9) / 2;
    for (int i = 0; i < 3; i++)
        expected += m * J[i] * w[i] * w[i] / 2;
    assert_close(kinetic.values[0], expected, 1e-13);
    assert_close(elastic.values[0], 0, 1e-13 * expected);
    lmb_series_free(&kinetic);
    lmb_series_free(&elastic);
    lmb_result_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_oscillator),
                                       cmocka_unit_test(test_thrown)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
