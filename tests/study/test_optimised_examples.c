/* The optimisations of the examples against answers that were found in other ways: by programs that
 * are exact in time, and in closed form. */
#include "studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gradients.h"
#include "support.h"

static void check_part(const char *what, double value, double expected, double part)
{
    if (!(fabs(value - expected) <= part * fabs(expected)))
        fail_msg("%s is %.15g, not %.15g: %.3g of it", what, value, expected, value / expected - 1);
}

/* --- half a car ------------------------------------------------------------------------------- */

/* Optima of a reference that is exact in time, from (1500, 1500) with 2.524496552808. The errors of
 * generalized-alpha are c2 h^2 + c3 h^3 + ...; what is asked for (1e-6 of designs, 1e-9 of values)
 * is also met with the powers 2, 4, 6, so that it does not rest on which of them there are. */
enum { LEVELS = 4 };
static const int powers[] = {2, 3, 4};

static lmb_optimum *half_car(double step, const char *limit, const char *settings)
{
    char end[1500];
    snprintf(end, sizeof end,
             "analyses:\n"
             "  ride: {type: dynamics, duration: 2, output_step: 0.01, integrator: "
             "generalized-alpha, step: %g}\n"
             "objectives:\n"
             "  comfort: {integral: chassis.seat.acceleration.y^2, of: ride}\n"
             "  grip: {integral: \"(tyre_f.force.y - Ff - muf*g)^2 + (tyre_r.force.y - Fr - "
             "mur*g)^2\", of: ride}\n"
             "  travel: {integral: \"(strut_f.length - hs)^2 + (strut_r.length - hs)^2\", of: "
             "ride}\n"
             "  cost: comfort + 1e-6*grip\n"
             "studies: {s: {type: optimise, minimise: cost, design: {cf: [300, 5000], cr: [300, "
             "5000]}, tolerance: 1e-11, subject_to: {%s}}}\n",
             step, limit);
    char *text = example_text("half-car", end);
    lmb_optimum *o = optimum_of(text, NULL, settings);
    free(text);
    return o;
}

static void check_half_car(const char *limit, const double *expected)
{
    double found[3][LEVELS], begun[LEVELS];
    char settings[80] = "";
    for (int i = 0; i < LEVELS; i++) { /* each begins where the one before ended */
        lmb_optimum *o = half_car(ldexp(0.002, -i), limit, settings);
        begun[i] = o->start_values[0];
        found[0][i] = design_of(o, "cf");
        found[1][i] = design_of(o, "cr");
        found[2][i] = best_of(o, NULL);
        /* f does not tell designs apart that differ by sqrt(2 eps f / f''): of the box 3e-9, where
         * the slope is 1e-5 of that where a search begins, 1 N s/m away */
        assert_true(o->feasible && o->optimality <= 3e-5);
        assert_int_equal(o->failure_count, 0);
        snprintf(settings, sizeof settings, "cf=%.2f cr=%.2f", found[0][i], found[1][i]);
        lmb_optimum_free(o);
    }
    check_part("cf", extrapolated(LEVELS, found[0], powers), expected[0], 1e-6);
    check_part("cr", extrapolated(LEVELS, found[1], powers), expected[1], 1e-6);
    check_part("the cost", extrapolated(LEVELS, found[2], powers), expected[2], 1e-9);
    assert_close(begun[0], 2.524496552808, 3e-3); /* c2 h^2 of steps of 2 ms */
}

static void the_half_car(void **unused)
{
    (void)unused;
    static const double soft[] = {755.5713121862, 921.4521799807, 1.926817569938};
    static const double tight[] = {1102.0957956672, 1590.8754903005, 2.227100179715};
    check_half_car("", soft);
    check_half_car("travel: {at_most: 6e-4}", tight);
}

/* The multiplier of the limit L is minus the derivative of the least cost by it: differences of
 * L (1 +- 1e-3) have an error of 1e-6 times the third derivative, which is some times the first
 * over L^2. The costs are known to 1e-11, their difference to 1e-8. */
static void the_multiplier_of_the_half_car(void **unused)
{
    (void)unused;
    const double limit = 6e-4, part = 1e-3;
    double cost[3], multiplier = 0;
    for (int i = 0; i < 3; i++) {
        char text[60];
        snprintf(text, sizeof text, "travel: {at_most: %.17g}", limit * (1 + (i - 1) * part));
        lmb_optimum *o = half_car(0.002, text, "cf=1102 cr=1591");
        cost[i] = best_of(o, NULL);
        assert_true(limit_of(o, "travel")->active);
        if (i == 1)
            multiplier = limit_of(o, "travel")->multiplier;
        lmb_optimum_free(o);
    }
    assert_true(multiplier > 0);
    check_part("the multiplier", multiplier, (cost[0] - cost[2]) / (2 * part * limit), 2e-5);
}

/* --- the straight line ------------------------------------------------------------------------ */

static lmb_spec *linkage(double step, const char *settings)
{
    char end[600];
    snprintf(end, sizeof end,
             "analyses:\n"
             "  stroke: {type: kinematics, duration: 1, output_step: %.17g}\n"
             "objectives:\n"
             "  error: {mean: (coupler.P.position.y - y0)^2, of: stroke}\n"
             "  height: {mean: coupler.P.position.y, of: stroke}\n"
             "studies: {s: {type: optimise, minimise: error, tolerance: 1e-11, design: {b: [2, 5], "
             "d: [1.5, 4], y0: [3, 9]}}}\n",
             step);
    char *text = example_text("straight-line", end);
    lmb_spec *spec = study_spec(text, settings);
    free(text);
    return spec;
}

/* Means over time are integrals of a curve through the instants, of order 4. That all powers
 * follow, not the even ones alone, was seen rather than derived: with 4, 6, 8 the value is 3e-8
 * off, with 4, 5, 6 it is 1e-9. The last of them changes what is found by less than the tolerance.
 * Of a value of 8e-9, where all digits of heights of 6 have cancelled but the last 1e-16 / 1e-4, a
 * part of 1e-8 is asked; designs are where that is flat: 1e-6. */
static const int of_means[] = {4, 5, 6};

static void the_straight_line(void **unused)
{
    (void)unused;
    static const double best[] = {3.477667994688, 2.651578900563, 5.919785807658, 8.29079758763e-9};
    static const char *const names[] = {"b", "d", "y0", "the error"};
    double found[4][LEVELS];
    char settings[100] = "";
    for (int i = 0; i < LEVELS; i++) {
        lmb_spec *spec = linkage(ldexp(0.0125, -i), settings);
        lmb_optimum *o;
        assert_ok(lmb_optimise(&o, context, spec, &(lmb_study_options){.jobs = 1}));
        for (int k = 0; k < 3; k++)
            found[k][i] = design_of(o, names[k]);
        found[3][i] = best_of(o, NULL);
        snprintf(settings, sizeof settings, "b=%.6f d=%.6f y0=%.6f", found[0][i], found[1][i],
                 found[2][i]);
        lmb_optimum_free(o);
        lmb_spec_free(spec);
    }
    for (int k = 0; k < 4; k++) {
        double whole = extrapolated(LEVELS, found[k], of_means);
        check_part(names[k], whole, best[k], k < 3 ? 1e-6 : 1e-8);
        check_part(names[k], extrapolated(LEVELS - 1, found[k] + 1, of_means), whole,
                   k < 3 ? 1e-6 : 1e-8);
    }
}

/* As given, with y0 the mean height: the error there, and its derivatives. 1e-9 is asked for; the
 * value and the derivative by d are as near as 1e-11, that by b is 6e-10 off for a reason that is
 * not known. */
static void the_gradient_of_the_straight_line(void **unused)
{
    (void)unused;
    static const double expected[] = {1.2858120505075e-5, -5.568732264741e-4, 7.282687346483e-4};
    static const char *const parameters[] = {NULL, "b", "d"};
    double found[3][LEVELS];
    for (int i = 0; i < LEVELS; i++) {
        lmb_spec *spec = linkage(ldexp(0.0125, -i), NULL);
        lmb_gradient *g = gradient_of_spec(spec, "", LMB_GRADIENT_AUTO, NULL, 0);
        char height[40];
        snprintf(height, sizeof height, "%.17g", value_of(g, "height"));
        lmb_gradient_free(g);
        assert_ok(lmb_spec_set(spec, context, "y0", height));
        g = gradient_of_spec(spec, "b d", LMB_GRADIENT_AUTO, NULL, 0);
        for (int k = 0; k < 3; k++)
            found[k][i] = slope_of(g, "error", parameters[k]);
        lmb_gradient_free(g);
        lmb_spec_free(spec);
    }
    for (int k = 0; k < 3; k++)
        check_part(k ? parameters[k] : "the error", extrapolated(LEVELS, found[k], of_means),
                   expected[k], 1e-9);
}

/* --- the counterweight ------------------------------------------------------------------------ */

/* With W = mw rw, U of what turns and V of what goes to and fro (see the example), the forces of
 * the first order are w^2 (U + V - W) cos(w t) along and w^2 (U - W) sin(w t) across; the piston
 * has further forces along of even orders, which no counterweight changes. Over a whole turn their
 * mean squares are w^4 (U + V - W)^2 / 2 + E and w^4 (U - W)^2 / 2, to rounding of the instants. */
static const double U = 0.8 * 0.02 + 0.5 * (0.1 / 0.14) * 0.04,
                    V = (0.45 + 0.5 * (1 - 0.1 / 0.14)) * 0.04, RW = 0.045;

static double across(double W)
{
    double w = 3000 * acos(-1) / 30;
    return pow(w, 4) * (U - W) * (U - W) / 2;
}

static lmb_optimum *balanced(const char *study, const char *settings)
{
    lmb_spec *spec;
    lmb_optimum *o;
    lmb_messages_clear(context);
    assert_ok(lmb_spec_load(&spec, context, "examples/balance/balance.yaml"));
    if (settings)
        assert_ok(lmb_spec_set(spec, context, "mw", settings));
    assert_ok(lmb_optimise(&o, context, spec, &(lmb_study_options){.name = study, .jobs = 1}));
    lmb_spec_free(spec);
    return o;
}

/* The sum of both is least with W = U + V/2: the rule of half of the reciprocating masses. */
static void the_least_mean_force(void **unused)
{
    (void)unused;
    static const char *const starts[] = {NULL, "0.1", "2.8"};
    for (int i = 0; i < 3; i++) {
        lmb_optimum *o = balanced("mean", starts[i]);
        assert_close(design_of(o, "mw"), (U + V / 2) / RW, 3e-7); /* 1e-7 of the range */
        assert_close(design_of(o, "phase"), 0, 2e-7);
        lmb_optimum_free(o);
    }
}

/* From W = U + V, the least along, to W = U, the least across; between them the limits e of the
 * latter are even, so that W = U + V sqrt(1 - k/8). */
static void the_curve_between_along_and_across(void **unused)
{
    (void)unused;
    lmb_optimum *o = balanced("both", NULL);
    assert_int_equal(o->curve_count, 9);
    double rest = o->curve[0].objective[0]; /* E */
    for (int k = 0; k < 9; k++) {
        const lmb_tradeoff_point *p = &o->curve[k];
        double W = U + V * sqrt(1 - k / 8.);
        assert_true(p->feasible);
        assert_close(p->x[0], W / RW, 3e-7);
        /* relative to the whole; W is known to 3e-7 RW, of V = 0.024: 1.3e-6 */
        assert_close(p->objective[1] / across(U + V), 1 - k / 8., 2e-6);
        double along = across(U + (U + V - W)) + rest;
        check_part("along", p->objective[0], along, 4e-6);
    }
    /* the nearest to the best of both, in parts of the ends: x = (1 - s)^2, y = s^2 of
     * s = sqrt(1 - k/8), so at s = 1/2 */
    assert_close(o->x[0], (U + V / 2) / RW, 3e-7);
    assert_int_equal(warning_count(), 0);
    lmb_optimum_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_half_car),
        cmocka_unit_test(the_multiplier_of_the_half_car),
        cmocka_unit_test(the_straight_line),
        cmocka_unit_test(the_gradient_of_the_straight_line),
        cmocka_unit_test(the_least_mean_force),
        cmocka_unit_test(the_curve_between_along_and_across),
    };
    return cmocka_run_group_tests_name("optimised examples", tests, open_models, close_models);
}
