/* Shafts of rotors: torque, cones, many elements, and estimates of their lowest frequency. */
#include "support.h"

#include <math.h>

#include "models.h"
#include "rotors.h"

#define PI 3.14159265358979323846

/* A torque changes critical speeds a little, by its square, but they are found; the damped ones are
 * those at which a whirl has the frequency of rotation. */
static void test_torque_criticals(void **unused)
{
    (void)unused;
    static const char section[] =
        "  shaft: [{length: 0.5, diameter: 0.04}, {length: 0.4, diameter: 0.03}]\n"
        "  discs: {wheel: {at: 0.3, diameter: 0.3, thickness: 0.02}}\n"
        "  bearings: {a: {at: 0.1, stiffness: 1e7, damping: 1e3},"
        " b: {at: 0.8, stiffness: 1e7, damping: 1e3}}\n";
    double free_of[4], change[2];
    for (int i = 0; i < 3; i++) {
        lmb_critical_list list;
        open_rotor("%s  torque: %d\n", section, i == 0 ? 0 : i == 1 ? 100 : 200);
        assert_ok(lmb_find_criticals(s, arena, 4, 1, &list));
        assert_int_equal(list.count, 4);
        for (int k = 0; k < 4; k++) {
            if (i == 0)
                free_of[k] = list.of[k].undamped;
            check_value(list.of[k].undamped, free_of[k], 1e-2 * free_of[k]);
            lmb_whirl_list at = whirls(list.of[k].damped, 10);
            double off = INFINITY;
            for (int m = 0; m < at.count; m++)
                off = fmin(off, fabs(at.modes[m].frequency - list.of[k].damped));
            check_value(off, 0, 1e-6 * list.of[k].damped);
        }
        if (i > 0)
            change[i - 1] = list.of[0].undamped - free_of[0];
        close_rotor();
    }
    /* twice the torque, four times the change, up to terms of higher order */
    check_value(change[1] / change[0], 4, 0.05);
}

/* A disc alone on a shaft without mass, with its moment of inertia: in the middle, where that does
 * nothing, sqrt(48 EI / (m L^3)); at the end of a clamped shaft, from the flexibilities of a beam.
 */
static void test_disc_alone(void **unused)
{
    (void)unused;
    double EI = 2.1e11 * PI * pow(0.02, 4) / 64, m = 10, J = 0.4;
    double a = m / (3 * EI), b = 1 / (2 * EI), c = J / EI; /* m L^3/3EI, L^2/2EI, J L/EI, L = 1 */
    const double expected[] = {sqrt(48 * EI / m),
                               1 / sqrt((a + c) / 2 + sqrt((a - c) * (a - c) / 4 + m * J * b * b))};
    for (int i = 0; i < 2; i++) {
        lmb_rotor_estimates e;
        open_rotor("  theory: euler\n"
                   "  shaft: [{length: 1, diameter: 0.02, material: {E: 2.1e11, nu: 0.3, density: "
                   "0}}]\n"
                   "  discs: {disc: {at: %s, mass: %g, polar: %g, diametral: %g}}\n"
                   "  bearings: %s\n",
                   i ? "1" : "0.5", m, 2 * J, J,
                   i ? "{a: {at: 0, type: clamped}}"
                     : "{a: {at: 0, type: pinned}, b: {at: 1, type: pinned}}");
        assert_ok(lmb_rotor_estimate(s, arena, &e));
        check_value(e.disc[0] / expected[i], 1, 1e-7);
        check_value(e.dunkerley / e.exact, 1, 1e-7);
        close_rotor();
    }
}

/* Dunkerley from below and Rayleigh from above, with all that has mass and in the softer plane. */
static void test_estimates_are_bounds(void **unused)
{
    (void)unused;
    static const char *const bearings[] = {
        "{a: {at: 0, stiffness: [4e7, 1e7]}, b: {at: 0.9, stiffness: [4e7, 1e7]}}",
        ("{a: {at: 0, stiffness: [1e7, 4e7]}, b: {at: 0.9, stiffness: 2e7, support: {mass: 40, "
         "stiffness: 3e7}}}"),
        "{a: {at: 0, stiffness: 1e7, mass: 5}, b: {at: 0.9, type: pinned}}"};
    for (int i = 0; i < 3; i++) {
        lmb_rotor_estimates e;
        open_rotor("  shaft: [{length: 0.5, diameter: 0.05}, {length: 0.4, diameter: 0.04}]\n"
                   "  discs: {wheel: {at: 0.3, diameter: 0.3, thickness: 0.03}}\n"
                   "  bearings: %s\n",
                   bearings[i]);
        assert_ok(lmb_rotor_estimate(s, arena, &e));
        assert_true(e.dunkerley < e.exact && e.exact < e.rayleigh);
        assert_true(e.dunkerley > 0.7 * e.exact && e.rayleigh < 1.2 * e.exact);
        assert_true((e.others > 0) == (i > 0));
        close_rotor();
    }
}

/* y(1) y'(1) of two solutions of (x^4 y'')'' = k^2 x^2 y that are free at x = c, by Runge and
 * Kutta's method with steps of (1 - c) / 4000; zero where a cone with its apex at 0 is clamped
 * at 1. */
static double cone_equation(double k, double c)
{
    enum { STEPS = 4000 };
    double end[2][2], h = (1 - c) / STEPS;
    for (int which = 0; which < 2; which++) {
        double u[4] = {which == 0, which == 1, 0, 0}; /* y, y', x^4 y'', (x^4 y'')' */
        for (int i = 0; i < STEPS; i++) {
            double slope[4][4], at[4];
            for (int stage = 0; stage < 4; stage++) {
                double part = stage == 0 ? 0 : stage == 3 ? 1 : 0.5, x = c + h * (i + part);
                for (int n = 0; n < 4; n++)
                    at[n] = u[n] + (stage ? part * h * slope[stage - 1][n] : 0);
                slope[stage][0] = at[1];
                slope[stage][1] = at[2] / (x * x * x * x);
                slope[stage][2] = at[3];
                slope[stage][3] = k * k * x * x * at[0];
            }
            for (int n = 0; n < 4; n++)
                u[n] += h / 6 * (slope[0][n] + 2 * slope[1][n] + 2 * slope[2][n] + slope[3][n]);
        }
        end[which][0] = u[0];
        end[which][1] = u[1];
    }
    return end[0][0] * end[1][1] - end[1][0] * end[0][1];
}

static double cone_root(double low, double high, double c)
{
    double sign = cone_equation(low, c);
    assert_true(sign * cone_equation(high, c) < 0);
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (sign * cone_equation(middle, c) > 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A cone clamped at its base, the end a fifth as thick, against its differential equation; the
 * error falls with the square of the element's length. */
static void test_cone(void **unused)
{
    (void)unused;
    const double d = 0.1, c = 0.2, unit = sqrt(2.1e11 / 7800) * d / 4 * (1 - c) * (1 - c);
    /* it ends near the apex: 8.719 and 21.15, as those of a plate with two nodal diameters */
    check_value(cone_root(8, 9.5, 1e-3), 8.719, 0.03);
    const double known[2] = {cone_root(6 / 0.64, 7 / 0.64, c), cone_root(17 / 0.64, 20 / 0.64, c)};
    double off[2][2];
    for (int i = 0; i < 2; i++) {
        open_rotor("  theory: euler\n"
                   "  shaft: [{length: 1, diameter: %g, end_diameter: %g, elements: %d,\n"
                   "    material: {E: 2.1e11, nu: 0.3, density: 7800}}]\n"
                   "  bearings: {wall: {at: 0, type: clamped}}\n",
                   d, c * d, i ? 40 : 20);
        lmb_whirl_list list = whirls(0, 4);
        for (int k = 0; k < 2; k++)
            off[i][k] = list.modes[2 * k].frequency / unit / known[k] - 1;
        close_rotor();
    }
    for (int k = 0; k < 2; k++) {
        check_value(off[1][k], 0, 3e-3);
        check_value(off[0][k] / off[1][k], 4, 0.2);
    }
}

/* Many short elements lose digits, but no modes. */
static void test_many_elements(void **unused)
{
    (void)unused;
    double w0 = PI * PI * sqrt(2.1e11 / 7800) * 0.02 / 4;
    open_rotor("  theory: euler\n"
               "  shaft: [{length: 1, diameter: 0.02, elements: 640,\n"
               "    material: {E: 2.1e11, nu: 0.3, density: 7800}}]\n"
               "  bearings: {l: {at: 0, type: pinned}, r: {at: 1, type: pinned}}\n");
    lmb_whirl_list list = whirls(0, 4);
    assert_int_equal(list.count, 4);
    /* the stiffness has a condition of 640^4, times the rounding of one number */
    check_value(list.modes[0].frequency / w0, 1, 640.0 * 640 * 640 * 640 * 2.2e-16);
    close_rotor();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torque_criticals), cmocka_unit_test(test_estimates_are_bounds),
        cmocka_unit_test(test_disc_alone), cmocka_unit_test(test_cone),
        cmocka_unit_test(test_many_elements)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
