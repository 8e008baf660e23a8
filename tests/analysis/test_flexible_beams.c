/* Beams as flexible bodies in joints: frequencies and sag of the theory of beams, in the plane and
 * in space, and that the choice of the body frame is one of second order.
 *
 * Elements are exact at their nodes under distributed loads, and a reduction is exact at its
 * interface points whatever modes it has, so sag is good to rounding and what statics leaves (1e-9)
 * and to the square of the deflection over the length, which is 1e-7 here. Frequencies of n
 * elements have a relative error of (l/n)^4 / 1440, with l the wave number times the length: 8.4e-5
 * for three half waves and 16 elements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"
#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static vec3 place_of(const lmb_solver *s, const char *point)
{
    const lmb_model *m = s->state->model;
    for (int i = 0; i < m->point_count; i++)
        if (strcmp(m->points[i].name, point) == 0)
            return s->state->frames[m->points[i].marker].p;
    fail_msg("no point '%s'", point);
    return v3(0, 0, 0);
}

/* A load spread over a beam that is clamped at one end, w L = F: F L^3 / (8 E I) at the other. Over
 * its outer half alone: 41 F L^3 / (192 E I) with F there. One on a node: that of a single force,
 * F a^2 (3 L - a) / (6 E I). All forces act on the reduced body as on the elements. */
static void loads_are_spread(void **unused)
{
    (void)unused;
    static const struct {
        const char *patch;
        double tip; /* times F L^3 / (E I) */
    } cases[] = {{"{nodes: all}", 1. / 8},
                 {"{nodes: [5, 6, 7, 8, 9]}", 41. / 192},
                 {"{at: [0.5, 0, 0]}", 5. / 48},
                 {"{node: 5}", 5. / 48}};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char text[2048];
            const char *zero = dimension == 3 ? ", 0" : "";
            const char *patch =
                dimension == 2 && cases[i].patch[1] == 'a' ? "{at: [0.5, 0]}" : cases[i].patch;
            snprintf(
                text, sizeof text,
                "limber: 1\ndimension: %d\nbodies:\n  beam:\n"
                "    beam: {from: [0, 0%s], to: [1, 0%s], elements: 8, material: {E: 1e11, nu: "
                "0.3, density: 1000}, section: {constants: {A: 1e-4, Iz: 1e-8%s}}}\n"
                "    interfaces: {A: start, B: end}\n    patches: {snow: %s}\n"
                "joints: {clamp: {type: fixed, between: [ground, beam.A]}}\n"
                "forces: {snow: {type: force, at: beam.snow, force: [0, -1e-2%s]}}\n",
                dimension, zero, zero,
                dimension == 3 ? ", Iy: 1e-8, J: 2e-8, shear_y: 0, shear_z: 0" : "", patch, zero);
            lmb_model *m = model_of_text(text);
            lmb_solver *s = at_rest(m);
            double expected = -1e-2 / (1e11 * 1e-8) * cases[i].tip;
            assert_close(place_of(s, "beam.B").y / expected, 1, 1e-7);
            lmb_solver_free(s);
            lmb_model_free(m);
        }
}

/* The frequencies that are not zero, in rad/s. */
static int frequencies(lmb_solver *s, double *out, int most)
{
    lmb_mode_list list;
    int count = 0;
    assert_ok(lmb_find_modes(s, &list));
    for (int i = 0; i < list.count && count < most; i++)
        if (!list.modes[i].rigid)
            out[count++] = 2 * LMB_PI * list.modes[i].frequency;
    lmb_mode_list_free(&list);
    return count;
}

/* A beam along x with a middle point M, its section and joints as given. */
static lmb_model *beam_model(int dimension, const char *section, const char *frame, double gravity,
                             const char *joints)
{
    char text[2048];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\ngravity: [0, %.17g%s]\n"
             "bodies:\n"
             "  beam:\n"
             "    beam: {from: [0, 0%s], to: [1, 0%s], elements: 16, section: %s,\n"
             "           material: {E: 70e9, nu: 0.25, density: 2700}}\n"
             "    interfaces: {A: start, M: {node: 9}, B: end}\n"
             "    reduction: {modes: 16, frame: %s}\n"
             "joints:\n%s",
             dimension, -gravity, dimension == 3 ? ", 0" : "", dimension == 3 ? ", 0" : "",
             dimension == 3 ? ", 0" : "", section, frame, joints);
    return model_of_text(text);
}

static const double E = 70e9, G = 28e9, density = 2700; /* L = 1 */

static const char *const clamped = "  clamp: {type: fixed, between: [ground, beam.A]}\n";
static const char *const on_bearings_in_plane =
    "  pin: {type: revolute, between: [ground, beam.A]}\n"
    "  roller: {type: slot, between: [[0, 0], beam.B], axis: [1, 0]}\n";
/* in space one end keeps the beam from turning about its axis */
static const char *const on_bearings_in_space =
    "  pin: {type: universal, between: [ground, beam.A], axis: [0, 1, 0], axis_b: [0, 0, 1]}\n"
    "  roller: {type: inline, between: [[0, 0, 0], beam.B], axis: [1, 0, 0]}\n";

/* --- frequencies ------------------------------------------------------------------------------ */

/* Euler and Bernoulli: w = b^2 sqrt(E I / (rho A)), b L from cos cosh = -1, or n pi. */
static void planar_beams_vibrate_as_euler_and_bernoulli_say(void **unused)
{
    (void)unused;
    static const double clamped_b[] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
    static const char *const frames[] = {"{point: A}", "mass-centre", "{chord: [A, B]}"};
    double r = 0.01 / sqrt(12), wave = r * sqrt(E / density), w[3];
    for (int f = 0; f < 3; f++)
        for (int held = 0; held < 2; held++) {
            lmb_model *m = beam_model(2, "{rectangle: {width: 0.02, height: 0.01}}", frames[f], 0,
                                      held ? on_bearings_in_plane : clamped);
            lmb_solver *s = at_rest(m);
            assert_int_equal(frequencies(s, w, 3), 3);
            for (int k = 0; k < 3; k++) {
                double b = held ? (k + 1) * LMB_PI : clamped_b[k];
                if (getenv("LIMBER_SHOW"))
                    printf("%s %s mode %d: %.3e\n", held ? "bearings" : "clamped", frames[f], k + 1,
                           w[k] / (b * b * wave) - 1);
                assert_close(w[k] / (b * b * wave), 1, 1e-4);
            }
            lmb_solver_free(s);
            lmb_model_free(m);
        }
}

/* Timoshenko, on bearings with l = n pi / L:
 *   rho^2 I / (k G) w^4 - (rho A + rho I l^2 (1 + E / (k G))) w^2 + E I l^4 = 0. */
static double timoshenko(int n, double A, double I, double kG)
{
    double l2 = pow(n * LMB_PI, 2), a = density * density * I / kG;
    double b = density * A + density * I * l2 * (1 + E / kG), c = E * I * l2 * l2;
    return sqrt(2 * c / (b + sqrt(b * b - 4 * a * c)));
}

static void spatial_beams_vibrate_as_timoshenko_says(void **unused)
{
    (void)unused;
    /* stout: shear and rotary inertia take 3 % off the first mode and 10 % off the second */
    double A = 0.012, Iz = 0.12 * 1e-3 * 0.1, Iy = A * 0.0025 / 3, k = 0.85, w[4];
    char section[160];
    snprintf(section, sizeof section,
             "{constants: {A: %.17g, Iz: %.17g, Iy: %.17g, J: 1e-4, shear_y: %g, shear_z: %g}}", A,
             Iz, Iy, k, k);
    lmb_model *m = beam_model(3, section, "mass-centre", 0, on_bearings_in_space);
    lmb_solver *s = at_rest(m);
    int count = frequencies(s, w, 4), found = 0;
    for (int n = 1; n <= 2; n++)
        for (int plane = 0; plane < 2; plane++) {
            double expected = timoshenko(n, A, plane ? Iy : Iz, k * G), nearest = INFINITY;
            for (int i = 0; i < count; i++)
                nearest = fmin(nearest, fabs(w[i] / expected - 1));
            if (getenv("LIMBER_SHOW"))
                printf("mode %d in plane %d: %.6g, off by %.2e\n", n, plane, expected, nearest);
            found += nearest < 1e-3;
        }
    assert_int_equal(found, 4);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* --- sag -------------------------------------------------------------------------------------- */

/* Under its own weight q: clamped, q L^4 / (8 E I) + q L^2 / (2 k G A) at the end; on bearings,
 * 5 q L^4 / (384 E I) + q L^2 / (8 k G A) in the middle. */
static void beams_sag_as_they_should(void **unused)
{
    (void)unused;
    static const char *const frames[] = {"{point: A}", "mass-centre", "{chord: [A, B]}"};
    double A = 0.012, I = 4e-5, k = 0.85, g = 9.81, q = density * A * g;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int f = 0; f < 3; f++)
            for (int held = 0; held < 2; held++) {
                char section[160];
                snprintf(section, sizeof section,
                         "{constants: {A: %g, Iz: %g, Iy: 2e-5, J: 3e-5, shear_y: %g, shear_z: 1}}",
                         A, I, k);
                lmb_model *m = beam_model(dimension, section, frames[f], g,
                                          !held            ? clamped
                                          : dimension == 2 ? on_bearings_in_plane
                                                           : on_bearings_in_space);
                lmb_solver *s = at_rest(m);
                double bending = q / (E * I) * (held ? 5.0 / 384 : 1.0 / 8);
                double shear = dimension == 3 ? q / (k * G * A) * (held ? 1.0 / 8 : 1.0 / 2) : 0;
                double sag = -place_of(s, held ? "beam.M" : "beam.B").y;
                if (getenv("LIMBER_SHOW"))
                    printf("%dD %s held %d: sag %.3e, off by %.2e\n", dimension, frames[f], held,
                           sag, sag / (bending + shear) - 1);
                assert_close(sag / (bending + shear), 1, 1e-6);
                lmb_solver_free(s);
                lmb_model_free(m);
            }
}

/* --- frames of the body ----------------------------------------------------------------------- */

/* A beam that swings on a hinge, from rest at an angle. Its first modes are damped to about half
 * the critical value, at any stiffness. */
static lmb_dynamics *pendulum(int dimension, double modulus, const char *frame, lmb_model **model)
{
    char text[2048];
    const char *z = dimension == 3 ? ", 0" : "";
    snprintf(text, sizeof text,
             "limber: 1\ndimension: %d\ngravity: [2, -9%s]\n"
             "bodies:\n"
             "  beam:\n"
             "    beam: {from: [0, 0%s], to: [1, 0%s], elements: 4, section: {rectangle: {width: "
             "0.02, height: 0.01}},\n"
             "           material: {E: %g, nu: 0.25, density: 2700}}\n"
             "    interfaces: {A: start, B: end}\n"
             "    reduction: {modes: 3, frame: %s}\n"
             "    damping: {stiffness: %g}\n"
             "joints:\n  hinge: {type: revolute, between: [ground, beam.A]%s}\n",
             dimension, dimension == 3 ? ", 1" : "", z, z, modulus, frame, 2300 / sqrt(modulus),
             dimension == 3 ? ", axis: [0.1, 0.2, 1]" : "");
    lmb_dynamics *d;
    *model = model_of_text(text);
    lmb_integration options = {
        .integrator = &lmb_integrator_alpha, .step = 1e-4, .spectral_radius = 0.9};
    assert_ok(lmb_dynamics_new(&d, context, *model, 0, &options));
    return d;
}

/* The largest distance of the ends of two pendulums with different frames, and the largest angle of
 * the end against the chord, once the first vibrations are damped away. */
static double apart(int dimension, double modulus, const char *frame, const char *other,
                    double *deflection)
{
    lmb_model *m, *n;
    lmb_dynamics *x = pendulum(dimension, modulus, frame, &m);
    lmb_dynamics *y = pendulum(dimension, modulus, other, &n);
    double most = 0;
    *deflection = 0;
    for (int i = 1; i <= 300; i++) {
        assert_ok(lmb_dynamics_advance(x, 2e-3 * i));
        assert_ok(lmb_dynamics_advance(y, 2e-3 * i));
        if (i < 200)
            continue;
        vec3 a = place_of(x->solver, "beam.B"), b = place_of(y->solver, "beam.B");
        most = fmax(most, v3_norm(v3_sub(a, b)));
        const lmb_frame *end = &x->solver->state->frames[m->points[1].marker];
        vec3 chord = v3_unit(a);
        *deflection = fmax(*deflection, v3_norm(v3_cross(chord, end->e[0])));
    }
    lmb_dynamics_free(x);
    lmb_dynamics_free(y);
    lmb_model_free(m);
    lmb_model_free(n);
    return most;
}

/* With the same modes in another frame only what is of second order in the deflection differs: a
 * fourth of it leaves a sixteenth. (While they vibrate it would be less: the phases of vibrations
 * drift apart with time.) */
static void frames_differ_in_second_order(void **unused)
{
    (void)unused;
    static const char *const frames[] = {"{point: A}", "mass-centre", "{chord: [A, B]}"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int f = 1; f < 3; f++) {
            double small, large, soft = apart(dimension, 16e9, frames[0], frames[f], &large);
            double stiff = apart(dimension, 64e9, frames[0], frames[f], &small);
            double order = log(soft / stiff) / log(large / small);
            if (getenv("LIMBER_SHOW"))
                printf("%dD %s: deflections %.2e %.2e, differences %.2e %.2e, order %.2f\n",
                       dimension, frames[f], large, small, soft, stiff, order);
            assert_true(soft > 1e-8 && soft < 30 * large * large);
            assert_true(order > 1.9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_beams_vibrate_as_euler_and_bernoulli_say),
        cmocka_unit_test(spatial_beams_vibrate_as_timoshenko_says),
        cmocka_unit_test(beams_sag_as_they_should),
        cmocka_unit_test(loads_are_spread),
        cmocka_unit_test(frames_differ_in_second_order),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
