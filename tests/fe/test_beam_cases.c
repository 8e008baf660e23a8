/* Beams under one force against the formulas of tables and against what holds at their ends. */
#include "support.h"

#include <math.h>

#include "fe/beam_cases.h"

static const double L = 0.8, E = 2.1e11, I = 2.485e-9, P = 117.72;

static lmb_beam beam_of(lmb_beam_case kind, double at)
{
    return (lmb_beam){kind, L, at, E * I, P};
}

static double deflection(lmb_beam beam, double x)
{
    double w;
    lmb_beam_at(&beam, x, &w, NULL);
    return w;
}

static double slope(lmb_beam beam, double x)
{
    double s;
    lmb_beam_at(&beam, x, NULL, &s);
    return s;
}

/* Fails unless two numbers agree to rounding, relatively. */
static void same(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* Appendix A of the lecture notes, cases a to f, and the cantilever. */
static void deflections_of_the_tables(void **state)
{
    (void)state;
    for (double part = 0.1; part < 0.95; part += 0.1) {
        double a = part * L, b = L - a, c = 3 * E * I;
        same(deflection(beam_of(LMB_BEAM_FIXED, a), a), P * pow(a * b / L, 3) / c);
        same(deflection(beam_of(LMB_BEAM_SIMPLE, a), a), P * a * a * b * b / (c * L));
        same(deflection(beam_of(LMB_BEAM_PROPPED, a), a),
             P * a * a * b * b * b * (3 * L + a) / (4 * c * L * L * L));
        same(deflection(beam_of(LMB_BEAM_OVERHANG, a), L + a), P * a * a * (L + a) / c);
        same(deflection(beam_of(LMB_BEAM_CANTILEVER, a), a), P * a * a * a / c);
        lmb_beam over = beam_of(LMB_BEAM_OVERHANG, a);
        double x = lmb_beam_extreme(&over, 0, L);
        same(x, L / sqrt(3));
        same(deflection(over, x), -P * a * L * L / (9 * sqrt(3) * E * I));
    }
    same(deflection(beam_of(LMB_BEAM_FIXED, L / 2), L / 2), P * L * L * L / (192 * E * I));
    same(deflection(beam_of(LMB_BEAM_SIMPLE, L / 2), L / 2), P * L * L * L / (48 * E * I));
    same(deflection(beam_of(LMB_BEAM_PROPPED, L / 2), L / 2), 7 * P * L * L * L / (768 * E * I));
}

/* The shaft of the source: 6.19e4 N/m at a third of 0.8 m, 15 mm thick, steel. */
static void stiffness_of_the_source(void **state)
{
    (void)state;
    double inertia = acos(-1) / 64 * pow(0.015, 4);
    lmb_beam beam = {LMB_BEAM_SIMPLE, L, L / 3, E * inertia, 1};
    assert_true(fabs(1 / deflection(beam, L / 3) - 6.19e4) < 50);
    assert_true(fabs(sqrt(1 / deflection(beam, L / 3) / 12) - 71.8) < 0.05);
}

/* Slopes as the types state them, and what supports and fixed ends ask for. */
static void ends_are_held(void **state)
{
    (void)state;
    double a = 0.3, b = L - a, small = 1e-15, EI = E * I;
    lmb_beam simple = beam_of(LMB_BEAM_SIMPLE, a), fixed = beam_of(LMB_BEAM_FIXED, a),
             propped = beam_of(LMB_BEAM_PROPPED, a), free = beam_of(LMB_BEAM_CANTILEVER, a),
             over = beam_of(LMB_BEAM_OVERHANG, a);
    lmb_beam held[] = {simple, fixed, propped, over};
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(deflection(held[i], 0)) < small);
        assert_true(fabs(deflection(held[i], L)) < small);
    }
    same(slope(simple, 0), P * a * b * (L + b) / (6 * EI * L));
    same(slope(simple, L), -P * a * b * (L + a) / (6 * EI * L));
    same(slope(propped, 0), P * a * b * b / (4 * EI * L));
    same(slope(free, L), P * a * a / (2 * EI));
    same(slope(over, 0), -P * a * L / (6 * EI));
    same(slope(over, L), P * a * L / (3 * EI));
    assert_true(fabs(slope(fixed, 0)) < small && fabs(slope(fixed, L)) < small);
    assert_true(fabs(slope(propped, L)) < small && slope(free, 0) == 0);
    /* moments about x = 0 vanish: P s = R_L L - M0 + M_L, with hogging moments at both ends */
    for (int i = 0; i < 4; i++) {
        lmb_beam_support s = lmb_beam_find_support(&held[i]);
        assert_close(P * lmb_beam_force_place(&held[i]), s.force_L * L + s.moment0 - s.moment_L,
                     1e-13);
        assert_close(s.force0 + s.force_L, P, 1e-14);
    }
}

/* The slope is the derivative of the deflection; central differences of a cubic err by w'''h^2/6.
 */
static void slopes_are_derivatives(void **state)
{
    (void)state;
    for (int kind = 0; kind < LMB_BEAM_CASES; kind++) {
        lmb_beam beam = beam_of((lmb_beam_case)kind, 0.3);
        double h = 1e-5, end = lmb_beam_end(&beam);
        for (double x = 0.05; x < end - h; x += 0.07) {
            double d = (deflection(beam, x + h) - deflection(beam, x - h)) / (2 * h);
            assert_close(d, slope(beam, x), P / (E * I) * h * h + 1e-10);
        }
    }
}

static void the_largest_deflection(void **state)
{
    (void)state;
    lmb_beam beam = beam_of(LMB_BEAM_SIMPLE, 0.3);
    double b = 0.3, x = L - sqrt((L * L - b * b) / 3); /* the load is nearer to x = 0 */
    same(lmb_beam_largest(&beam), x);
    beam = beam_of(LMB_BEAM_CANTILEVER, 0.3);
    same(lmb_beam_largest(&beam), L);
    beam = beam_of(LMB_BEAM_FIXED, 0.6);
    same(lmb_beam_largest(&beam), 2 * 0.6 * L / (L + 2 * 0.6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deflections_of_the_tables),
        cmocka_unit_test(stiffness_of_the_source),
        cmocka_unit_test(ends_are_held),
        cmocka_unit_test(slopes_are_derivatives),
        cmocka_unit_test(the_largest_deflection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
