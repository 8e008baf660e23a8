/* Exact beams of many shapes under a small force at their end: deflections against closed forms of
 * linear theory, which has an error of the order of (deflection / length)^2, below 1e-6 here.
 * Sections are stout, so that rounding of stretching forces does not matter. */
#include <math.h>
#include <stdio.h>

#include "integrate/motion.h"
#include "math/vec.h"
#include "models.h"
#include "motions.h"
#include "program.h"
#include "support.h"
#include "system/equations.h"

static const double E = 1e8, nu = 0.25, G = 4e7;

#define SOFT "material: {E: 1e8, nu: 0.25, density: 1000}"

/* Where the load acts: an arm leads from the end of the beam to there; the other end is fixed. */
static void place_under(const char *keys, const double end[3], const char *arm,
                        const double force[3], double sign, double out[3])
{
    char text[2000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
             "  rod: {beam: {deformation: large, %s}, interfaces: {A: start, B: end}}\n"
             "  arm: {mass: 1, inertia: [1, 1, 1], position: [%.17g, %.17g, %.17g], points: {P: "
             "%s}}\n"
             "joints:\n"
             "  foot: {type: fixed, between: [ground, rod.A]}\n"
             "  tip: {type: fixed, between: [rod.B, arm]}\n"
             "forces: {load: {type: force, at: arm.P, force: [%.17g, %.17g, %.17g]}}\n"
             "analyses: {rest: {type: statics}}\n",
             keys, end[0], end[1], end[2], arm, sign * force[0], sign * force[1], sign * force[2]);
    lmb_model *model = model_of_text(text);
    const char *path = scratch_path("shapes.h5");
    lmb_result *result;
    lmb_series series;
    assert_ok(lmb_run(context, model, NULL, path));
    assert_ok(lmb_result_open(&result, context, path));
    assert_ok(lmb_result_read(result, context, "arm.P.position", &series));
    for (int i = 0; i < 3; i++)
        out[i] = series.values[i];
    lmb_series_free(&series);
    lmb_result_close(result);
    lmb_model_free(model);
}

/* Half the difference of what two opposite loads do: terms of second order cancel. */
static void deflect(const char *keys, const double end[3], const char *arm, const double force[3],
                    double out[3])
{
    double up[3], down[3];
    place_under(keys, end, arm, force, 1, up);
    place_under(keys, end, arm, force, -1, down);
    for (int i = 0; i < 3; i++)
        out[i] = (up[i] - down[i]) / 2;
}

/* An L of legs a and b, loaded across its plane: both legs bend and the first one is twisted. */
static void an_angle(void **unused)
{
    (void)unused;
    const double a = 1, b = 0.7, end[] = {a, b, 0}, P = 1e-4, force[] = {0, 0, P};
    double out[3];
    deflect("along: [[0, 0, 0], [1, 0, 0], [1, 0.7, 0]], elements: 4, section: {constants: {A: "
            "2e-6, Iz: 1e-9, Iy: 6e-9, J: 4e-9, shear_z: 0.8}}, " SOFT,
            end, "[0, 0, 0]", force, out);
    double bending = (a * a * a + b * b * b) / (3 * E * 6e-9), shear = (a + b) / (0.8 * G * 2e-6);
    double expected = P * (bending + a * b * b / (G * 4e-9) + shear);
    assert_close(out[2] / expected, 1, 1e-6);
    assert_close(out[1] / expected, 0, 1e-6);
}

/* A coil spring with the pitch angle alpha, its load on its axis: torsion P R cos(alpha), bending P
 * R sin(alpha), shear and stretch. Errors of elements of order 3 fall with h^6. */
static void a_coil_spring(void **unused)
{
    (void)unused;
    const double R = 0.1, pitch = 0.05, P = 1e-4, d = 0.01;
    const double end[] = {R, 0, 3 * pitch}, force[] = {0, 0, P};
    double c = 2 * LMB_PI * R, turn = hypot(c, pitch), cosine = c / turn, sine = pitch / turn;
    double A = LMB_PI * d * d / 4, I = LMB_PI * pow(d, 4) / 64, k = 6 * (1 + nu) / (7 + 6 * nu);
    double out[3];
    deflect(
        "helix: {radius: 0.1, pitch: 0.05, turns: 3}, elements: 24, order: 3, section: {circle: "
        "{diameter: 0.01}}, " SOFT,
        end, "[-0.1, 0, 0]", force, out);
    double expected = P * 3 * turn *
                      (R * R * (cosine * cosine / (2 * G * I) + sine * sine / (E * I)) +
                       sine * sine / (E * A) + cosine * cosine / (k * G * A));
    assert_close(out[2] / expected, 1, 1e-5);
}

/* A quarter of a circle, loaded at its end across its plane: M = P R sin, T = P R (1 - cos). */
static void an_arc(void **unused)
{
    (void)unused;
    const double R = 0.5, P = 1e-4, end[] = {0, R, 0}, force[] = {0, 0, P};
    double out[3];
    deflect(
        "arc: {radius: 0.5, angle: pi/2}, elements: 8, order: 3, section: {constants: {A: 2e-6, "
        "Iy: 1e-9, Iz: 6e-9, J: 4e-9}}, y_axis: [0, 0, 1], " SOFT,
        end, "[0, 0, 0]", force, out);
    /* z of the section is then radial, and Iz that of bending out of the plane */
    double bending = LMB_PI / 4 / (E * 6e-9), torsion = (3 * LMB_PI / 4 - 2) / (G * 4e-9);
    double shear = LMB_PI / 2 / (G * 2e-6);
    assert_close(out[2] / (P * (R * R * R * (bending + torsion) + R * shear)), 1, 1e-6);
}

/* A cone frustum, fixed at its thick end: 64 P L^3 / (3 pi E D^3 d), and shear. */
static void a_cone(void **unused)
{
    (void)unused;
    const double L = 1, D = 0.4, d = 0.2, P = 1, end[] = {L, 0, 0}, force[] = {0, P, 0};
    double k = 6 * (1 + nu) / (7 + 6 * nu), out[3], error[2];
    double expected = 64 * P * L * L * L / (3 * LMB_PI * E * D * D * D * d) +
                      4 * P * L / (k * G * LMB_PI * D * d);
    for (int i = 0; i < 2; i++) {
        char keys[400];
        snprintf(keys, sizeof keys,
                 "from: [0, 0, 0], to: [1, 0, 0], elements: %d, " SOFT
                 ", stations: [{at: 0, section: {circle: {diameter: 0.4}}}, {at: 1, section: "
                 "{circle: {diameter: 0.2}}}]",
                 8 << i);
        deflect(keys, end, "[0, 0, 0]", force, out);
        error[i] = fabs(out[1] / expected - 1);
    }
    assert_true(log2(error[0] / error[1]) > 3.5); /* elements of order 2 have errors of h^4 */
    assert_true(error[1] < 1e-5);
}

/* A strip twisted by a right angle. Where its section is turned by a = pi x / 2 L, the moment m = P
 * (L - x) about -y bends it by m (cos^2 / EIy + sin^2 / EIz) about -y and by m cos sin (1/EIz -
 * 1/EIy) about z; deflections are integrals of these times L - x, here by Simpson's rule. */
static void a_twisted_strip(void **unused)
{
    (void)unused;
    const double L = 1, P = 1e-4, end[] = {L, 0, 0}, force[] = {0, 0, P};
    double out[3], y = 0, z = 0, Iy = 6e-9, Iz = 1e-9;
    for (int i = 0; i <= 200; i++) {
        double x = i / 200.0, a = LMB_PI / 2 * x, weight = (i % 200 == 0 ? 1 : 2 + 2 * (i % 2));
        double arm = P * (L - x) * (L - x) * weight / 600;
        z += arm * (cos(a) * cos(a) / (E * Iy) + sin(a) * sin(a) / (E * Iz));
        y += arm * cos(a) * sin(a) * (1 / (E * Iz) - 1 / (E * Iy));
    }
    deflect(
        "from: [0, 0, 0], to: [1, 0, 0], elements: 16, order: 3, section: {constants: {A: 2e-6, "
        "Iy: 6e-9, Iz: 1e-9, J: 4e-9}}, stations: [{at: 0, twist: 0}, {at: 1, twist: "
        "pi/2}], " SOFT,
        end, "[0, 0, 0]", force, out);
    z += P * L / (G * 2e-6);
    assert_close(out[2] / z, 1, 1e-6);
    assert_close(out[1] / z, y / z, 1e-6);
}

/* Thrown with a velocity of its centre of mass and a spin: m v^2 / 2 + w . J w / 2, with J of a rod
 * that lies along y, its x axis turned by 90 degrees about z. The integrator is one for stiff
 * bodies.
 */
static void a_thrown_rod(void **unused)
{
    (void)unused;
    lmb_model *model = model_of_text(
        "limber: 1\ndimension: 3\nbodies:\n"
        "  rod: {beam: {deformation: large, from: [1, 0, 0], to: [3, 0, 0], elements: 4, section: "
        "{constants: {A: 2e-4, Iy: 6e-9, Iz: 1e-9}}, " SOFT "}, rotation: [0, 0, pi/2], velocity: "
        "[3, 0, 4], angular_velocity: [2, 5, 0]}\n"
        "analyses: {flight: {type: dynamics, duration: 0.001, output_step: 0.001}}\n");
    const char *path = scratch_path("shapes.h5");
    lmb_result *result;
    lmb_series series;
    assert_ptr_equal(model->analyses[0].integration.integrator, &lmb_integrator_alpha);
    assert_ok(lmb_run(context, model, NULL, path));
    assert_ok(lmb_result_open(&result, context, path));
    assert_ok(lmb_result_read(result, context, "energy.kinetic", &series));
    double m = 0.4, across = m * 4 / 12 + 2000 * 6e-9, along = 2000 * 7e-9;
    assert_close(series.values[0], m * 25 / 2 + across * 4 / 2 + along * 25 / 2, 1e-12);
    lmb_series_free(&series);
    lmb_result_close(result);
    lmb_model_free(model);
}

/* A ring in the plane, and the same one in space, pulled across a diameter:
 * P R^3 / EI (pi/4 - 2/pi) + pi P R / 4 (1 / EA + 1 / GA). Without a load it is free of stress,
 * also where it closes; it is turned by several turns as a whole. */
static void a_ring(void **unused)
{
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: %d\nbodies:\n  ring:\n    beam: {arc: {centre: [0, 0%s], "
                 "radius: 1, start: [1, 0%s], angle: 2*pi%s}, order: 3, elements: 12, deformation: "
                 "large, %s}\n    interfaces: {A: start, P: {at: [-1, 0%s]}}\n%s"
                 "joints: {clamp: {type: fixed, between: [[0, 0%s], ring.A]}}\n"
                 "forces: {pull: {type: force, at: ring.P, force: [-1e-4, 0%s], axes: body}}\n",
                 dimension, dimension == 3 ? ", 0" : "", dimension == 3 ? ", 0" : "",
                 dimension == 3 ? ", normal: [0, 0, 1]" : "",
                 dimension == 3 ? "stiffness: [5000, 2000, 2000, 8, 10, 10], mass: [1, 1, 1, "
                                  "2e-3, 1e-3, 1e-3]"
                                : "stiffness: [5000, 2000, 10], mass: [1, 1, 1e-3]",
                 dimension == 3 ? ", 0" : "", dimension == 2 ? "    angle: 6*pi\n" : "",
                 dimension == 3 ? ", 0" : "", dimension == 3 ? ", 0" : "");
        lmb_model *model = model_of_text(text);
        lmb_solver *s = at_rest(model);
        double expected = 1e-4 * (0.1 * (LMB_PI / 4 - 2 / LMB_PI) + LMB_PI / 4 * (2e-4 + 5e-4));
        double longer = v3_norm(v3_sub(point(s, "ring.P"), point(s, "ring.A"))) - 2;
        assert_close(longer / expected, 1, 1e-5); /* 1.5e-6 of R, so not linear by 1e-6 */
        /* the energy is the work P longer / 2, so none is in it besides */
        lmb_balance balance = lmb_total_balance(s->state);
        assert_close(balance.elastic / (1e-4 * expected / 2), 1, 2e-5);
        lmb_solver_free(s);
        lmb_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_angle),        cmocka_unit_test(a_coil_spring),
        cmocka_unit_test(an_arc),          cmocka_unit_test(a_cone),
        cmocka_unit_test(a_twisted_strip), cmocka_unit_test(a_thrown_rod),
        cmocka_unit_test(a_ring),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
