/* Rotors against published values and closed forms. */
#include "support.h"

#include <math.h>

#include "rotor/results.h"
#include "models.h"
#include "rotors.h"

#define PI 3.14159265358979323846

/* --- published ----------------------------------------------------------------------------------
 */

/* Two discs on a shaft, Friswell and others, Dynamics of Rotating Machines (2010), section 5.9;
 * values of an independent program for six elements. Printed to three digits after the point: off
 * by at most one of the last, since G and not Poisson's ratio is given. */
static void open_friswell(const char *bearing)
{
    open_rotor("  shaft: [{length: 1.5, diameter: 0.05, elements: 6,\n"
               "    material: {E: 211e9, nu: 211/(2*81.2) - 1, density: 7810}}]\n"
               "  discs:\n"
               "    one: {at: 0.5, diameter: 0.28, thickness: 0.07}\n"
               "    two: {at: 1.0, diameter: 0.35, thickness: 0.07}\n"
               "  bearings:\n    left: {at: 0, %s}\n    right: {at: 1.5, %s}\n",
               bearing, bearing);
}

static void test_friswell(void **unused)
{
    (void)unused;
    static const struct {
        const char *bearing;
        double rpm, unit; /* of the numbers: 1 for rad/s, 2 pi for Hz */
        double values[6];
    } cases[] = {
        {"stiffness: 1e6", 0, 1, {86.658, 86.658, 274.313, 274.313, 716.786, 716.786}},
        {"stiffness: 1e6", 4000, 1, {85.389, 87.796, 251.785, 294.713, 600.179, 827.075}},
        {"stiffness: [1e6, 0.8e6]", 0, 1, {82.653, 86.658, 254.520, 274.313, 679.489, 716.786}},
        {"stiffness: [1e6, 0.8e6]", 4000, 1, {82.325, 86.864, 239.642, 287.250, 583.488, 806.887}},
        {"stiffness: [1e6, 0.2e6]", 0, 2 * PI, {8.547, 13.792, 22.902, 43.658, 85.837, 114.080}},
        {"stiffness: [1e6, 0.2e6]", 4000, 2 * PI, {8.545, 13.771, 22.355, 44.064, 78.755, 120.380}},
        {"stiffness: [1e6, 0.5e6, 0.5e6, 1e6]",
         0,
         2 * PI,
         {11.663, 14.801, 33.970, 49.194, 97.967, 126.614}},
        {"stiffness: [1e6, 0.5e6, 0.5e6, 1e6]",
         4000,
         2 * PI,
         {11.652, 14.788, 33.155, 49.688, 89.415, 133.785}},
        {"stiffness: 1e6, damping: 3e3",
         0,
         2 * PI,
         {13.888, 13.888, 46.541, 46.541, 103.225, 103.225}},
        {"stiffness: 1e6, damping: 3e3",
         4000,
         2 * PI,
         {13.682, 14.072, 41.983, 50.649, 104.248, 105.663}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        open_friswell(cases[k].bearing);
        lmb_whirl_list list = whirls(cases[k].rpm * PI / 30, 6);
        assert_int_equal(list.count, 6);
        for (int i = 0; i < 6; i++)
            check_value(list.modes[i].frequency / cases[k].unit, cases[k].values[i], 1.0e-3);
        close_rotor();
    }
}

/* Natural frequencies (size of s) of the damped one, and its senses. */
static void test_friswell_damped(void **unused)
{
    (void)unused;
    static const double natural[] = {13.697, 14.092, 43.608, 52.179, 149.806, 122.365};
    open_friswell("stiffness: 1e6, damping: 3e3");
    lmb_whirl_list list = whirls(4000 * PI / 30, 6);
    for (int i = 0; i < 4; i++) {
        check_value(list.modes[i].natural / (2 * PI), natural[i], 1.0e-3);
        assert_string_equal(lmb_whirl_word(list.modes[i].sense, list.modes[i].mixed),
                            i % 2 ? "forward" : "backward");
        assert_true(list.modes[i].decrement > 0);
    }
    double a = list.modes[4].natural / (2 * PI), b = list.modes[5].natural / (2 * PI);
    check_value(fmax(a, b), natural[4], 1.0e-3);
    check_value(fmin(a, b), natural[5], 1.0e-3);
    close_rotor();
}

/* Unequal cross stiffness drives the rotor: growth 49 and 101 1/s at 4000 rpm. */
static void test_cross_stiffness(void **unused)
{
    (void)unused;
    open_friswell("stiffness: [1e6, 0.5e6, 0, 1e6]");
    lmb_whirl_list list = whirls(4000 * PI / 30, 12);
    check_value(list.growth, 49, 1);
    close_rotor();
    open_friswell("stiffness: [1e6, 0.5e6, -0.5e6, 1e6]");
    assert_true(s->isotropic);
    list = whirls(4000 * PI / 30, 12);
    check_value(list.growth, 101, 1);
    close_rotor();
}

/* The example rotor of an independent program: frequencies at 100 rad/s, bearing load and sag. */
static void test_example_rotor(void **unused)
{
    (void)unused;
    static const double values[] = {91.78677, 96.29604, 274.059892, 296.994125, 717.35166};
    open_rotor("  shaft: [{length: 1.5, diameter: 0.05, elements: 6,\n"
               "    material: {E: 211e9, nu: 211/(2*81.2) - 1, density: 7810}}]\n"
               "  discs:\n"
               "    one: {at: 0.5, diameter: 0.28, thickness: 0.07}\n"
               "    two: {at: 1.0, diameter: 0.28, thickness: 0.07}\n"
               "  bearings:\n"
               "    left: {at: 0, stiffness: [0.8e6, 1e6]}\n"
               "    right: {at: 1.5, stiffness: [0.8e6, 1e6]}\n");
    lmb_whirl_list list = whirls(100, 5);
    for (int i = 0; i < 5; i++)
        assert_close(list.modes[i].frequency / values[i], 1, 1e-6);
    double loads[2][2];
    lmb_complex u[100];
    assert_int_equal(lmb_rotor_sag(s, 0, u, loads), LMB_OK);
    /* 9.8065 m/s^2 there; ten digits are printed */
    assert_close(loads[0][0] / -432.3774305443, 1, 1e-9);
    assert_close(loads[1][0] / -432.3774305443, 1, 1e-9);
    /* the deflection there is that from the bearings on, which give way by 5.4e-4 m here */
    assert_close(creal(u[s->unknown[3]] - u[s->unknown[0]]) / -7.45972747e-4, 1, 1e-8);
    close_rotor();
}

/* --- closed forms --------------------------------------------------------------------------------
 */

/* A disc in the middle of a shaft whose mass is 1e-10 of its own: 48 EI / L^3 and 12 EI / L. */
static const char light[] = "  theory: euler\n"
                            "  shaft: [{length: 1, diameter: 0.02, elements: 2,\n"
                            "    material: {E: 2.1e11, nu: 0.3, density: 1e-5}}]\n";
static const double EI = 2.1e11 * PI * 0.02 * 0.02 * 0.02 * 0.02 / 64;

static void test_jeffcott(void **unused)
{
    (void)unused;
    double m = 10, e = 2e-5, zeta = 0.05, k = 48 * EI, w = sqrt(k / m);
    open_rotor("%s  discs:\n    disc: {at: 0.5, mass: %.17g, eccentricity: %.17g, damping: %.17g}\n"
               "  bearings: {l: {at: 0, type: pinned}, r: {at: 1, type: pinned}}\n",
               light, m, e, 2 * zeta * sqrt(k * m));
    lmb_complex *y = lmb_arena_alloc(arena, 100, sizeof *y),
                *z = lmb_arena_alloc(arena, 100, sizeof *z);
    int u = s->unknown[lmb_rotor_node_at(s, 0.5)];
    for (double r = 0.1; r < 3; r += 0.1) {
        assert_int_equal(lmb_rotor_unbalance(s, r * w, y, z), LMB_OK);
        lmb_complex expected = e * r * r / CMPLX(1 - r * r, 2 * zeta * r);
        assert_close(cabs(y[u]) / cabs(expected), 1, 1e-6);
        assert_close(carg(y[u]), carg(expected), 1e-6);
        /* a circle, forward */
        lmb_orbit orbit = lmb_orbit_of(y[u], z[u]);
        assert_close(orbit.minor / orbit.major, 1, 1e-12);
    }
    close_rotor();
}

/* The disc tilts in the middle: I_d w^2 - W I_p w - 12 EI / L = 0. */
static void test_gyroscopic_splitting(void **unused)
{
    (void)unused;
    double Id = 0.03, Ip = 0.055, k = 12 * EI;
    open_rotor("%s  discs:\n    disc: {at: 0.5, mass: 1000, polar: %.17g, diametral: %.17g}\n"
               "  bearings: {l: {at: 0, type: pinned}, r: {at: 1, type: pinned}}\n",
               light, Ip, Id);
    for (double W = 0; W < 2000; W += 250) {
        double half = W * Ip / (2 * Id), root = sqrt(half * half + k / Id);
        lmb_whirl_list list = whirls(W, 4);
        /* 1 and 2 are those of the deflection */
        assert_int_equal(list.count, 4);
        check_value(list.modes[2].frequency / (root - half), 1, 1e-6);
        check_value(list.modes[3].frequency / (root + half), 1, 1e-6);
        assert_true(list.modes[2].sense < -0.99 && list.modes[3].sense > 0.99);
    }
    /* (I_d - I_p) W^2 = k has no solution forward, (I_d + I_p) W^2 = k has one backward */
    lmb_critical_list list;
    assert_int_equal(lmb_find_criticals(s, arena, 4, 1, &list), LMB_OK);
    assert_int_equal(list.count, 3);
    check_value(list.of[2].undamped / sqrt(k / (Id + Ip)), 1, 1e-6);
    assert_true(list.of[2].sense < -0.99);
    close_rotor();
}

/* A stiff and light shaft with a disc in the middle of two springs: 2 k(W) = m W^2. */
static const char stiff[] = "  theory: euler\n"
                            "  shaft: [{length: 1, diameter: 0.5, elements: 2,\n"
                            "    material: {E: 1e14, nu: 0.3, density: 1e-5}}]\n"
                            "  discs: {disc: {at: 0.5, mass: 20, diametral: 1, polar: 0.1,\n"
                            "    unbalance: 1e-4}}\n";

static void test_speed_dependent(void **unused)
{
    (void)unused;
    double k = 1e5, a = 2.5;
    for (int planes = 0; planes < 2; planes++) {
        open_rotor(planes ? "%s  bearings:\n"
                            "    l: {at: 0, stiffness: [%g + %g*speed^2, 3e5]}\n"
                            "    r: {at: 1, stiffness: [%g + %g*speed^2, 3e5]}\n"
                          : "%s  bearings:\n"
                            "    l: {at: 0, stiffness: %g + %g*speed^2}\n"
                            "    r: {at: 1, stiffness: %g + %g*speed^2}\n",
                   stiff, k, a, k, a);
        lmb_critical_list list;
        assert_int_equal(lmb_find_criticals(s, arena, 2, 1, &list), LMB_OK);
        check_value(list.of[0].undamped / sqrt(2 * k / (20 - 2 * a)), 1, 1e-6);
        check_value(list.of[0].damped / sqrt(2 * k / (20 - 2 * a)), 1, 1e-6);
        close_rotor();
    }
}

/* A bearing that gets softer and stiffer may meet a critical speed three times: with the stiffness
 * m/2 (W^2 - (W^2 - 60^2) (W^2 - 100^2) (W^2 - 180^2) / 1e9) of each of two at W = 60, 100 and 180,
 * wherever the service speed is. */
static void test_three_times(void **unused)
{
    (void)unused;
    static const char law[] =
        "\"10*(speed^2 - (speed^2 - 3600)*(speed^2 - 10000)*(speed^2 - 32400)/1e9)\"";
    for (int planes = 1; planes <= 2; planes++)
        for (int speed = 50; speed < 210; speed += 50) {
            open_rotor("%s  speed: %d\n  speeds: [0, 210]\n  bearings:\n"
                       "    l: {at: 0, stiffness: [%s, %s]}\n    r: {at: 1, stiffness: [%s, %s]}\n",
                       stiff, speed, law, planes == 1 ? law : "1e9", law,
                       planes == 1 ? law : "1e9");
            lmb_critical_list list;
            assert_ok(lmb_find_criticals(s, arena, 3 * (3 - planes), 1, &list));
            assert_int_equal(list.count, 3 * (3 - planes));
            for (int i = 0; i < list.count; i++) {
                const double expected[] = {60, 100, 180};
                check_value(list.of[i].undamped / expected[planes == 1 ? i / 2 : i], 1, 1e-5);
            }
            close_rotor();
        }
}

/* With dampers: Im s = W for m s^2 + 2 c s + 2 k = 0, W^2 = 2 k / m - (c / m)^2. */
static void test_damped_critical(void **unused)
{
    (void)unused;
    double k = 1e5, c = 300;
    open_rotor("%s  bearings:\n    l: {at: 0, stiffness: %g, damping: %g}\n"
               "    r: {at: 1, stiffness: %g, damping: %g}\n",
               stiff, k, c, k, c);
    lmb_critical_list list;
    assert_int_equal(lmb_find_criticals(s, arena, 2, 1, &list), LMB_OK);
    for (int i = 0; i < 2; i++) {
        check_value(list.of[i].undamped / sqrt(2 * k / 20), 1, 1e-6);
        check_value(list.of[i].damped / sqrt(2 * k / 20 - c * c / 400), 1, 1e-6);
        check_value(list.of[i].ratio, c / 20 / sqrt(2 * k / 20), 1e-6);
    }
    close_rotor();
}

/* On supports: two masses in a row, m x'' = -2 k (x - y), 2 M y'' = 2 k (x - y) - 2 K y. */
static void test_supports(void **unused)
{
    (void)unused;
    double m = 20, k = 1e5, M = 5, K = 3e5;
    open_rotor("%s  bearings:\n"
               "    l: {at: 0, stiffness: %g, support: {mass: %g, stiffness: %g}}\n"
               "    r: {at: 1, stiffness: %g, support: {mass: %g, stiffness: %g}}\n",
               stiff, k, M, K, k, M, K);
    /* m M w^4 - (m (k + K) + 2 M k) w^2 + 2 k K = 0 */
    double b = m * (k + K) + 2 * M * k, root = sqrt(b * b - 8 * m * M * k * K);
    lmb_whirl_list list = whirls(0, 8);
    double low = sqrt((b - root) / (2 * m * M)), high = sqrt((b + root) / (2 * m * M));
    bool found[2] = {false, false};
    for (int i = 0; i < list.count; i++) {
        found[0] = found[0] || fabs(list.modes[i].frequency / low - 1) < 1e-6;
        found[1] = found[1] || fabs(list.modes[i].frequency / high - 1) < 1e-6;
    }
    assert_true(found[0] && found[1]);
    double loads[2][2];
    lmb_complex u[20];
    assert_int_equal(lmb_rotor_sag(s, 0, u, loads), LMB_OK);
    assert_close(loads[0][0], -m * 9.8065 / 2, 1e-6);
    close_rotor();
}

/* A rigid rotor in springs that differ: y = U W^2 / (2 k_y - m W^2), z = -i U W^2 / (2 k_z - m
 * W^2). Between the two critical speeds the orbit is run backward. */
static void test_orbits(void **unused)
{
    (void)unused;
    double m = 20, U = 1e-4, ky = 1e5, kz = 2e5;
    open_rotor("%s  bearings: {l: {at: 0, stiffness: [%g, %g]}, r: {at: 1, stiffness: [%g, %g]}}\n",
               stiff, ky, kz, ky, kz);
    lmb_complex y[20], z[20];
    int u = s->unknown[lmb_rotor_node_at(s, 0.5)];
    static const double speeds[] = {50, 120, 200};
    for (int i = 0; i < 3; i++) {
        double W = speeds[i], a = U * W * W / (2 * ky - m * W * W),
               b = U * W * W / (2 * kz - m * W * W);
        assert_int_equal(lmb_rotor_unbalance(s, W, y, z), LMB_OK);
        assert_close(creal(y[u]) / a, 1, 1e-6);
        assert_close(-cimag(z[u]) / b, 1, 1e-6);
        lmb_orbit orbit = lmb_orbit_of(y[u], z[u]);
        assert_close(orbit.major / fmax(fabs(a), fabs(b)), 1, 1e-6);
        assert_close(orbit.minor / fmin(fabs(a), fabs(b)), i == 1 ? -1 : 1, 1e-6);
    }
    close_rotor();
}

/* Damping c_i within the shaft and c_e outside: stable below W = w (1 + c_e / c_i). */
static void test_internal_damping(void **unused)
{
    (void)unused;
    double m = 10, k = 48 * EI, w = sqrt(k / m), eta = 1e-4, outside = 0.5 * eta * k;
    open_rotor("%s  internal_damping: %.17g\n  speeds: [0, %.17g, 5]\n"
               "  discs: {disc: {at: 0.5, mass: %.17g, damping: %.17g}}\n"
               "  bearings: {l: {at: 0, type: pinned}, r: {at: 1, type: pinned}}\n",
               light, eta, 2.2 * w, m, outside);
    assert_true(whirls(1.499 * w, 2).growth == 0);
    lmb_whirl_list list = whirls(1.501 * w, 2);
    assert_true(list.growth > 0);
    assert_true(list.modes[1].real > 0 && list.modes[1].sense > 0.99 && list.modes[0].real < 0);
    /* the speed itself, however far apart those of diagrams are */
    lmb_rotor_results *r;
    assert_ok(lmb_rotor_solve(&r, context, model->rotor, 1));
    assert_true(r->instability.found && isinf(r->instability.to) && r->instability.sense > 0.99);
    check_value(r->instability.from / (1.5 * w), 1, 1e-7);
    check_value(r->instability.frequency * 2 * LMB_PI / w, 1, 1e-6);
    lmb_rotor_results_free(r);
    close_rotor();
}

/* A seal whose cross-coupled stiffness k exceeds c w between two speeds alone: a mass m on springs
 * with the damping c is unstable where k(W) > c w. */
static void test_unstable_between(void **unused)
{
    (void)unused;
    double m = 10, K = 48 * EI, w = sqrt(K / m), c = 20, most = 2 * c * w;
    open_rotor("%s  speeds: [0, 400, 9]\n  discs: {disc: {at: 0.5, mass: %.17g}}\n"
               "  bearings: {l: {at: 0, type: pinned}, r: {at: 1, type: pinned}}\n"
               "  seals: {s: {at: 0.5, damping: %.17g, stiffness: [0, \"%.17g*exp(-((speed - "
               "200)/90)^2)\", \"-%.17g*exp(-((speed - 200)/90)^2)\", 0]}}\n",
               light, m, c, most, most);
    lmb_rotor_results *r;
    assert_ok(lmb_rotor_solve(&r, context, model->rotor, 1));
    assert_true(r->instability.found);
    check_value(r->instability.from, 200 - 90 * sqrt(log(2)), 1e-5);
    check_value(r->instability.to, 200 + 90 * sqrt(log(2)), 1e-5);
    lmb_rotor_results_free(r);
    close_rotor();
}

static const char uniform[] = "  theory: euler\n"
                              "  shaft: [{length: 1, diameter: 0.02, elements: 24,\n"
                              "    material: {E: 2.1e11, nu: 0.3, density: 7800}}]\n"
                              "  bearings: {l: {at: 0, type: pinned}, r: {at: 1, type: pinned}}\n";

/* Tension N: w^2 = w0^2 (1 + N L^2 / (pi^2 EI)); 24 elements have 1e-6 of their own. */
static void test_axial_force(void **unused)
{
    (void)unused;
    double A = PI * 0.02 * 0.02 / 4, w0 = PI * PI * sqrt(EI / (7800 * A));
    for (double N = -0.5; N <= 2; N += 0.5) {
        open_rotor("%s  axial_force: %.17g\n", uniform, N * PI * PI * EI);
        check_value(whirls(0, 2).modes[0].frequency / (w0 * sqrt(1 + N)), 1, 1e-6);
        close_rotor();
    }
}

/* A torque of 2 pi EI / L bends the shaft by itself (Greenhill 1883). */
static void test_torque(void **unused)
{
    (void)unused;
    double values[2], at[2] = {0.999, 1.001};
    for (int i = 0; i < 2; i++) {
        open_rotor("%s  torque: %.17g\n", uniform, at[i] * 2 * PI * EI);
        lmb_whirl_list list = whirls(0, 2);
        values[i] = list.growth;
        if (i == 0)
            assert_true(list.modes[0].frequency < 0.1 * PI * PI * sqrt(EI / (7800 * 3.1416e-4)));
        close_rotor();
    }
    assert_true(values[0] == 0);
    assert_true(values[1] > 0);
}

/* Two shafts with a stiff coupling are nearly one. */
static void test_coupling(void **unused)
{
    (void)unused;
    open_rotor("%s", uniform);
    double whole = whirls(0, 2).modes[0].frequency;
    close_rotor();
    open_rotor(
        "  theory: euler\n  shaft:\n"
        "    - {length: 0.4995, diameter: 0.02, material: {E: 2.1e11, nu: 0.3, density: 7800}}\n"
        "    - {start: 0.5005, length: 0.4995, diameter: 0.02}\n"
        "  couplings: {c: {between: [0.4995, 0.5005], stiffness: 1e12,\n"
        "    turning_stiffness: 1e10, mass: 7800*pi/4*0.02^2*1e-3}}\n"
        "  bearings: {l: {at: 0, type: pinned}, r: {at: 1, type: pinned}}\n");
    /* a thousandth of the length, where it bends most, does not: that has 2e-3 of the energy, and
     * 1e-3 of the frequency */
    check_value(whirls(0, 2).modes[0].frequency / whole, 1.001, 1.0e-4);
    close_rotor();
}

/* Real unknowns of two planes give what complex ones give. */
static void test_two_ways(void **unused)
{
    (void)unused;
    open_friswell("stiffness: 1e6, damping: 3e2");
    assert_true(s->isotropic);
    lmb_whirl_list one = whirls(400, 8);
    double expected[8][2];
    for (int i = 0; i < 8; i++) {
        expected[i][0] = one.modes[i].frequency;
        expected[i][1] = one.modes[i].ratio;
    }
    close_rotor();
    open_friswell("stiffness: [1e6, 1.000000001e6], damping: 3e2");
    assert_false(s->isotropic);
    lmb_whirl_list two = whirls(400, 8);
    for (int i = 0; i < 8; i++) {
        check_value(two.modes[i].frequency / expected[i][0], 1, 1e-8);
        check_value(two.modes[i].ratio, expected[i][1], 1e-8);
    }
    close_rotor();
}

/* --- run-up --------------------------------------------------------------------------------------
 */

typedef struct trace {
    double most, at;
} trace;

/* One mass, by Runge and Kutta's method with a fine step: r'' = -2 zeta w r' - w^2 r + f. */
static trace one_mass(double w, double zeta, double e, double top, double duration)
{
    enum { STEPS = 200000 };
    double h = duration / STEPS, rate = top / duration;
    lmb_complex r = 0, v = 0;
    trace out = {0};
    for (int i = 0; i < STEPS; i++) {
        lmb_complex kr[4], kv[4];
        for (int k = 0; k < 4; k++) {
            double part = k == 0 ? 0 : k == 3 ? 1 : 0.5, t = (i + part) * h, W = rate * t;
            lmb_complex x = r + (k ? part * h * kr[k - 1] : 0),
                        u = v + (k ? part * h * kv[k - 1] : 0);
            lmb_complex f = e * CMPLX(W * W, -rate) * CMPLX(cos(W * t / 2), sin(W * t / 2));
            kr[k] = u;
            kv[k] = f - 2 * zeta * w * u - w * w * x;
        }
        r += h / 6 * (kr[0] + 2 * kr[1] + 2 * kr[2] + kr[3]);
        v += h / 6 * (kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3]);
        if (cabs(r) > out.most)
            out = (trace){cabs(r), rate * (i + 1) * h};
    }
    return out;
}

static void test_run_up(void **unused)
{
    (void)unused;
    double m = 10, e = 2e-5, zeta = 0.02, k = 48 * EI, w = sqrt(k / m);
    for (int planes = 0; planes < 2; planes++) {
        open_rotor(
            "%s  discs:\n    disc: {at: 0.5, mass: %.17g, eccentricity: %.17g, damping: %.17g}\n"
            "  bearings: {l: {at: 0, type: pinned}, r: {at: 1, type: pinned}%s}\n"
            "  run_up: {duration: 8, to: %.17g}\n",
            light, m, e, 2 * zeta * sqrt(k * m),
            planes ? ", none: {at: 0.5, stiffness: [1e-3, 0]}" : "", 2 * w);
        assert_int_equal(s->isotropic, !planes);
        lmb_rotor_results *solved;
        assert_ok(lmb_rotor_solve(&solved, context, model->rotor, 1));
        trace got = {solved->run_up.most[0], solved->run_up.at[0]};
        trace expected = one_mass(w, zeta, e, 2 * w, 8);
        lmb_rotor_results_free(solved);
        /* 200 steps a turn at twice the critical speed: (w h)^2 / 12 = 2e-5 of the frequency, which
         * over the 30 turns of phase up to the peak is 4e-3 rad */
        check_value(got.most / expected.most, 1, 1e-3);
        check_value(got.at / expected.at, 1, 1e-3);
        assert_true(got.at > 1.01 * w && got.most < e / (2 * zeta));
        close_rotor();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_friswell),         cmocka_unit_test(test_friswell_damped),
        cmocka_unit_test(test_cross_stiffness),  cmocka_unit_test(test_example_rotor),
        cmocka_unit_test(test_jeffcott),         cmocka_unit_test(test_gyroscopic_splitting),
        cmocka_unit_test(test_speed_dependent),  cmocka_unit_test(test_damped_critical),
        cmocka_unit_test(test_supports),         cmocka_unit_test(test_internal_damping),
        cmocka_unit_test(test_axial_force),      cmocka_unit_test(test_torque),
        cmocka_unit_test(test_coupling),         cmocka_unit_test(test_two_ways),
        cmocka_unit_test(test_run_up),           cmocka_unit_test(test_orbits),
        cmocka_unit_test(test_unstable_between), cmocka_unit_test(test_three_times),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
