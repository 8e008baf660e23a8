/* Stresses, strain gauges, rosettes and accelerometers against formulas of beams and of motion. */
#include <math.h>

#include "bars.h"
#include "meshes.h"
#include "models.h"
#include "program.h"
#include "support.h"

/* Fails unless |value - expected| <= part |expected|. */
static void assert_part(double value, double expected, double part)
{
    if (!(fabs(value - expected) <= part * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

/* --- beams ------------------------------------------------------------------------------------ */

/* A cantilever that carries a mass at its end. It is nearly without weight itself: 1e-8 of the
 * moments. Elements of cubic shape are exact for this load, so rounding and the turn of the end
 * (4e-6 rad, which puts that part of the load along the beam) are all there is. */
static void test_cantilever(void **unused)
{
    (void)unused;
    const double m = 0.02, g = 9.81, L = 1, b = 0.02, h = 0.03, E = 2e11, x = 0.4;
    lmb_result *r =
        run_text(context, "cantilever",
                 "limber: 1\ndimension: 3\ngravity: [0, -%g, 0]\nbodies:\n"
                 "  rod:\n"
                 "    beam: {from: [0, 0, 0], to: [%g, 0, 0], elements: 10, y_axis: [0, 1, 0],\n"
                 "           section: {rectangle: {width: %g, height: %g}},\n"
                 "           material: {E: %g, nu: 0.3, density: 1e-5}}\n"
                 "    interfaces: {A: start, B: end}\n"
                 "    reduction: {modes: 3}\n"
                 "    probes: {section: {at: [%g, 0, 0]}}\n"
                 "  tip: {mass: %g, inertia: [1e-3, 1e-3, 1e-3], position: [%g, 0, 0]}\n"
                 "joints:\n"
                 "  clamp: {type: fixed, between: [ground, rod.A]}\n"
                 "  hold: {type: fixed, between: [rod.B, tip]}\n"
                 "sensors:\n"
                 "  top: {gauge: {body: rod, node: 5}}\n"
                 "  half: {gauge: {body: rod, at: [%g, 0, 0], fibre: [%g, 0]}}\n"
                 "  side: {gauge: {body: rod, node: 5, fibre: [0, %g]}}\n"
                 "analyses: {rest: {type: statics}}\n",
                 g, L, b, h, E, x, m, L, x, -h / 4, b / 2);
    double M = m * g * (L - x), I = b * h * h * h / 12, strain = M * h / (2 * E * I);
    assert_part(final_of(context, r, "top"), strain, 1e-6);
    assert_part(final_of(context, r, "half"), -strain / 2, 1e-6);
    assert_true(fabs(final_of(context, r, "side")) < 1e-6 * strain);
    assert_part(final_of(context, r, "rod.section.section.Mz"), -M, 1e-6);
    assert_part(final_of(context, r, "rod.section.section.Vy"), -m * g, 1e-6);
    assert_part(final_of(context, r, "rod.stress.section"), E * strain, 1e-6);
    assert_part(final_of(context, r, "rod.stress.section.least"), -E * strain, 1e-4);
    assert_part(final_of(context, r, "rod.stress.max"), E * strain / (1 - x) * L, 1e-6);
    assert_int_equal(final_of(context, r, "rod.stress.node"), 1);
    assert_part(final_of(context, r, "rod.B.rotation.z") - final_of(context, r, "rod.A.rotation.z"),
                -m * g * L * L / (2 * E * I), 1e-6);
    lmb_result_close(r);
}

/* A cantilever under its own weight, with all its modes: the forces of the elements together with
 * those on their mass are exact, so that they meet the reaction and leave the free end. The beam
 * bends by 4e-5 of its length, which is all that is left. */
static void test_own_weight(void **unused)
{
    (void)unused;
    lmb_result *r = run_text(context, "weight",
                             "limber: 1\ndimension: 3\ngravity: [0, -0.981, 0]\nbodies:\n"
                             "  rod:\n"
                             "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, y_axis: [0, "
                             "1, 0], material: steel,\n"
                             "           section: {rectangle: {width: 0.02, height: 0.03}}}\n"
                             "    interfaces: {A: start, B: end}\n"
                             "    reduction: {modes: 18}\n"
                             "    probes: {root: {node: 1}, middle: {node: 3}, end: {node: 5}}\n"
                             "joints: {clamp: {type: fixed, between: [ground, rod.A]}}\n"
                             "analyses: {rest: {type: statics}}\n");
    const double w = 7850 * 0.02 * 0.03 * 0.981;
    assert_part(final_of(context, r, "rod.section.root.Mz"), -w / 2, 1e-6);
    assert_part(final_of(context, r, "rod.section.root.Vy"), -w, 1e-6);
    assert_part(final_of(context, r, "rod.section.middle.Mz"), -w / 8, 1e-6);
    assert_part(final_of(context, r, "rod.section.middle.Vy"), -w / 2, 1e-6);
    assert_true(fabs(final_of(context, r, "rod.section.end.Mz")) < 1e-6 * w);
    assert_true(fabs(final_of(context, r, "rod.section.end.Vy")) < 1e-6 * w);
    lmb_result_close(r);
}

/* The largest difference of two channels, as a part of the largest number; the second counts with a
 * sign. */
static double difference(lmb_result *r, const char *a, const char *b, double sign)
{
    lmb_series x = series_of(context, r, a), y = series_of(context, r, b);
    double most = 0, size = 0;
    for (int i = 0; i < x.count; i++) {
        most = fmax(most, fabs(x.values[i] - sign * y.values[i]));
        size = fmax(size, fabs(y.values[i]));
    }
    lmb_series_free(&x);
    lmb_series_free(&y);
    return most / size;
}

/* A rod is turned at one end, faster and faster about two axes: with all modes the forces in its
 * first section are what its joint exerts, but for the squares of its slenderness and deflection,
 * 2e-4 together. (Its torque is of that order altogether.) */
static void test_turned_rod(void **unused)
{
    (void)unused;
    lmb_result *r = run_text(
        context, "turned",
        "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  post: {mass: 1, inertia: [1, 1, 1]}\n"
        "  rod:\n"
        "    beam: {from: [0, 0, 0], to: [0.5, 0, 0], elements: 12, y_axis: [0, 1, 0], material: "
        "steel,\n"
        "           section: {rectangle: {width: 0.02, height: 0.016}}}\n"
        "    interfaces: {A: start, B: end}\n"
        "    reduction: {modes: 66, frame: {point: A}}\n"
        "    probes: {root: {node: 1}}\n"
        "joints:\n"
        "  spin: {type: revolute, between: [ground, post], axis: [0, 0, 1]}\n"
        "  nod: {type: revolute, between: [post, rod.A], axis: [0, 1, 0]}\n"
        "drivers:\n"
        "  one: {joint: spin, angle: 10*t^3}\n"
        "  two: {joint: nod, angle: \"step(t, 0, 0, 1, 1)\"}\n"
        "analyses:\n"
        "  go: {type: inverse-dynamics, duration: 0.5, step: 5e-4, spectral_radius: 0.5}\n");
    assert_true(difference(r, "rod.section.root.N", "rod.A.force.x", -1) < 1e-3);
    assert_true(difference(r, "rod.section.root.Vy", "rod.A.force.y", -1) < 1e-3);
    assert_true(difference(r, "rod.section.root.Vz", "rod.A.force.z", -1) < 1e-3);
    assert_true(difference(r, "rod.section.root.My", "rod.A.torque.y", -1) < 1e-3);
    assert_true(difference(r, "rod.section.root.Mz", "rod.A.torque.z", -1) < 1e-3);
    lmb_result_close(r);
}

/* A cantilever in the plane, with the load as a force on the point. */
static void test_planar(void **unused)
{
    (void)unused;
    const double P = 3, b = 0.02, h = 0.01, E = 7e10;
    lmb_result *r = run_text(context, "planar",
                             "limber: 1\ndimension: 2\nbodies:\n"
                             "  rod:\n"
                             "    beam: {from: [0, 0], to: [1, 0], elements: 8,\n"
                             "           section: {rectangle: {width: %g, height: %g}},\n"
                             "           material: {E: %g, nu: 0.3, density: 2700}}\n"
                             "    interfaces: {A: start, B: end}\n"
                             "    reduction: {modes: 2}\n"
                             "    probes: {middle: {node: 5}}\n"
                             "joints: {clamp: {type: fixed, between: [ground, rod.A]}}\n"
                             "forces: {load: {type: force, at: rod.B, force: [0, %g]}}\n"
                             "sensors: {below: {gauge: {body: rod, node: 5, fibre: %g}}}\n"
                             "analyses: {rest: {type: statics}}\n",
                             b, h, E, P, -h / 2);
    double M = P / 2, strain = 6 * M / (E * b * h * h);
    /* the end turns by 0.013 rad, whose square the lever loses */
    assert_part(final_of(context, r, "below"), strain, 2e-4);
    assert_part(final_of(context, r, "rod.section.middle.Mz"), M, 2e-4);
    assert_part(final_of(context, r, "rod.B.force.y"), P, 1e-9);
    assert_part(final_of(context, r, "rod.A.torque"), -P, 3e-4);
    lmb_result_close(r);
}

/* --- solids ----------------------------------------------------------------------------------- */

/* A bar of hexahedra that is pulled and bent by its end. Far from its ends, where the ties decay by
 * more than 1e-10, stresses are those of the straight and bent bar, which these elements have
 * exactly. Loads are small enough for the pull not to bend it by the deflection (1e-7 of the
 * moment). */
static void test_solid(void **unused)
{
    (void)unused;
    const double L = 1, h = 0.06, w = 0.05, E = 2e11, nu = 0.3, P = 0.04, M = 2e-4;
    static const int cells[3] = {20, 2, 2};
    lmb_material steel = {"steel", E, nu, 7850, false};
    lmb_mesh *mesh = box_mesh(LMB_HEX20, cells, v3(L, h, w), steel, NULL);
    write_bar(mesh, L, scratch_path("solid.inp"));
    lmb_arena_free(mesh->arena);
    lmb_result *r = run_text(
        context, "solid",
        "limber: 1\ndimension: 3\nbodies:\n"
        "  bar:\n"
        "    mesh: {file: solid.inp, material: {E: %g, nu: %g, density: 7850}}\n"
        "    interfaces: {A: {point: [0, %g, %g], nodes: root}, B: {point: [%g, %g, %g], nodes: "
        "end}}\n"
        "    reduction: {modes: 2}\n"
        "    probes: {top: {at: [0.5, %g, %g]}, face: {nodes: end}, low: {at: [0.5, 0, %g]}}\n"
        "joints: {clamp: {type: fixed, between: [ground, bar.A]}}\n"
        "forces:\n"
        "  pull: {type: force, at: bar.B, force: [%g, 0, 0]}\n"
        "  bend: {type: torque, at: bar.B, torque: [0, 0, %g]}\n"
        "sensors:\n"
        "  along: {gauge: {body: bar, at: [0.5, %g, %g], direction: [1, 0, 0]}}\n"
        "  across: {gauge: {body: bar, at: [0.5, %g, %g], direction: [0, 0, 2]}}\n"
        "  slant: {gauge: {body: bar, at: [0.5, %g, %g], direction: [1, 0, 1]}}\n"
        "  star: {rosette: {body: bar, at: [0.525, %g, %g], direction: [cos(30*deg), 0.2, "
        "sin(30*deg)]}}\n"
        "  edge: {rosette: {body: bar, at: [0.5, %g, 0], direction: [1, 0, 0], normal: [0, 1, "
        "0]}}\n"
        "analyses: {rest: {type: statics}}\n",
        E, nu, h / 2, w / 2, L, h / 2, w / 2, h, w, w, P, M, h, w, h, w, h, w, h, w / 2, h);
    double stress = P / (h * w) - 6 * M / (w * h * h), strain = stress / E;
    assert_part(final_of(context, r, "bar.stress.top.xx"), stress, 1e-6);
    assert_part(final_of(context, r, "bar.stress.top"), fabs(stress), 1e-6);
    assert_part(final_of(context, r, "bar.stress.low.xx"), P / (h * w) + 6 * M / (w * h * h), 1e-6);
    assert_part(final_of(context, r, "along"), strain, 1e-6);
    assert_part(final_of(context, r, "across"), -nu * strain, 1e-6);
    assert_part(final_of(context, r, "slant"), (1 - nu) / 2 * strain, 1e-6);
    /* Mohr's circle: mean strain, and half the difference times cos and sin of twice the angle */
    double mean = (1 - nu) / 2 * strain, half = (1 + nu) / 2 * strain, turn = LMB_PI / 3;
    assert_part(final_of(context, r, "star.strain.a"), mean + half * cos(turn), 1e-6);
    /* the axes of the rosette turn about the normal y: from x to -z */
    assert_true(fabs(final_of(context, r, "star.strain.c") - mean + half * cos(turn)) <
                1e-6 * fabs(strain));
    double b = final_of(context, r, "star.strain.b");
    assert_part(fabs(b - mean), fabs(half * sin(turn)), 1e-6);
    assert_part(final_of(context, r, "star.stress"), fabs(stress), 1e-6);
    assert_part(final_of(context, r, "star.stress.xx"), stress * cos(turn / 2) * cos(turn / 2),
                1e-6);
    assert_part(final_of(context, r, "star.stress.yy"), stress * sin(turn / 2) * sin(turn / 2),
                1e-6);
    assert_part(fabs(final_of(context, r, "star.stress.xy")), fabs(stress * sin(turn) / 2), 1e-6);
    assert_true(fabs(final_of(context, r, "star.stress.zz")) < 1e-6 * fabs(stress));
    assert_part(final_of(context, r, "edge.strain.a"), strain, 1e-6);
    assert_part(final_of(context, r, "edge.strain.c"), -nu * strain, 1e-6);
    /* the mean over the loaded face is the mean stress: the tie is rigid, its pull uneven */
    assert_part(final_of(context, r, "bar.stress.face.xx"), P / (h * w), 0.2);
    lmb_result_close(r);
}

/* --- accelerometers --------------------------------------------------------------------------- */

/* An arm that turns evenly about a level axis: inwards w^2 r, and gravity turned. */
static void test_rotating_arm(void **unused)
{
    (void)unused;
    const double w = 7, r = 0.8, g = 9.81;
    lmb_result *result =
        run_text(context, "arm",
                 "limber: 1\ndimension: 3\ngravity: [0, -%g, 0]\nbodies:\n"
                 "  arm: {mass: 1, inertia: [1, 1, 1], points: {tip: [%g, 0, 0],\n"
                 "        aside: {at: [%g, 0, 0], rotation: [0, 0, 90*deg]}}}\n"
                 "joints: {pin: {type: revolute, between: [ground, arm], axis: [0, 0, 1]}}\n"
                 "drivers: {motor: {joint: pin, angle: %g*t}}\n"
                 "sensors:\n"
                 "  felt: {accelerometer: {point: arm.tip}}\n"
                 "  own: {accelerometer: {point: arm.tip, gravity: false}}\n"
                 "  turned: {accelerometer: {point: arm.aside, gravity: false}}\n"
                 "analyses: {turn: {type: kinematics, duration: 1, output_step: 0.05}}\n",
                 g, r, r, w);
    lmb_series felt = series_of(context, result, "felt"), own = series_of(context, result, "own");
    lmb_series turned = series_of(context, result, "turned");
    for (int i = 0; i < felt.count; i++) {
        double phi = w * felt.time[i], inwards = w * w * r;
        assert_close(felt.values[3 * i], -inwards + g * sin(phi), 1e-9);
        assert_close(felt.values[3 * i + 1], g * cos(phi), 1e-9);
        assert_close(own.values[3 * i], -inwards, 1e-9);
        assert_close(own.values[3 * i + 1], 0, 1e-9);
        assert_close(turned.values[3 * i + 1], inwards, 1e-9);
    }
    lmb_series_free(&felt);
    lmb_series_free(&own);
    lmb_series_free(&turned);
    lmb_result_close(result);
}

/* What falls freely feels nothing, even spinning if it sits on the axis; without gravity it reads
 * the fall. A flexible body vibrates about neither. */
static void test_free_fall(void **unused)
{
    (void)unused;
    lmb_result *r =
        run_text(context, "fall",
                 "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
                 "  stone: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 3], points: {P: "
                 "[0, 0, 1]}}\n"
                 "  rod:\n"
                 "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: {circle: "
                 "{diameter: 0.01}}, material: steel}\n"
                 "    interfaces: {A: start, B: end}\n"
                 "sensors:\n"
                 "  on_stone: {accelerometer: {point: stone.P}}\n"
                 "  on_rod: {accelerometer: {point: rod.B}}\n"
                 "  falls: {accelerometer: {point: rod.B, gravity: false}}\n"
                 "analyses: {fall: {type: dynamics, duration: 0.5, output_step: 0.05}}\n");
    static const char *const names[] = {"on_stone", "on_rod"};
    for (int k = 0; k < 2; k++) {
        lmb_series s = series_of(context, r, names[k]);
        for (int i = 0; i < s.count * s.size; i++)
            assert_true(fabs(s.values[i]) < 1e-8);
        lmb_series_free(&s);
    }
    assert_close(final_of(context, r, "falls.z"), -9.81, 1e-9);
    lmb_result_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever), cmocka_unit_test(test_own_weight),
        cmocka_unit_test(test_turned_rod), cmocka_unit_test(test_planar),
        cmocka_unit_test(test_solid),      cmocka_unit_test(test_rotating_arm),
        cmocka_unit_test(test_free_fall),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
