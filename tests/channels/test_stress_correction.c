/* The static response to loads in the stresses of solid bodies, in whole runs: few modes with it
 * against all modes of a small mesh without it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "fe/stress.h"
#include "meshes.h"
#include "models.h"
#include "program.h"
#include "result/write.h"
#include "support.h"

/* A bar of 0.3 x 0.04 x 0.03 m, whose ends are tied. Its 4 elements have 120 free displacements
 * inside, so 119 fixed-interface modes are nearly all that the mesh can do: the last one is at 300
 * kHz, and loads on the ends do not excite it. */
enum { CELLS = 4 };

static const char *bar_file(void)
{
    static const int cells[3] = {CELLS, 1, 1};
    const char *path = scratch_path("bar.inp");
    lmb_mesh *mesh = box_mesh(LMB_HEX20, cells, v3(0.3, 0.04, 0.03),
                              (lmb_material){"steel", 2e11, 0.3, 7850, false}, NULL);
    write_bar(mesh, 0.3, path);
    lmb_arena_free(mesh->arena);
    return path;
}

static lmb_result *run_bar(const char *reduction, const char *rest)
{
    return run_text(context, "bar",
                    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
                    "  bar:\n"
                    "    mesh: {file: '%s', material: steel}\n"
                    "    interfaces: {A: {point: [0, 0.02, 0.015], nodes: root}, B: {point: [0.3, "
                    "0.02, 0.015], nodes: end}}\n"
                    "    reduction: {%s}\n"
                    "    patches: {top: {at: [0.15, 0.04, 0.03]}, tip: {nodes: end}}\n"
                    "    probes: {near: {at: [0.075, 0.04, 0.03]}, far: {at: [0.225, 0, 0]},"
                    " all: {nodes: end}}\n"
                    "%s",
                    bar_file(), reduction, rest);
}

static const char *const stresses[] = {"bar.stress.max", "bar.stress.near",   "bar.stress.near.xx",
                                       "bar.stress.far", "bar.stress.far.xy", "bar.stress.all.yy"};
enum { STRESSES = sizeof stresses / sizeof *stresses };

/* Compares the stresses at the last instant of two reductions, as parts of stress.max. Returns the
 * share of the correction in the second run. */
static double compare(const char *all, const char *few, const char *rest, double allowed)
{
    double expected[STRESSES];
    lmb_result *r = run_bar(all, rest);
    for (int i = 0; i < STRESSES; i++)
        expected[i] = final_of(context, r, stresses[i]);
    lmb_result_close(r);
    r = run_bar(few, rest);
    for (int i = 0; i < STRESSES; i++) {
        double found = final_of(context, r, stresses[i]);
        if (!(fabs(found - expected[i]) <= allowed * expected[0]))
            fail_msg("%s with %s: %.9g instead of %.9g", stresses[i], few, found, expected[i]);
    }
    double share = final_of(context, r, "bar.stress.correction");
    lmb_result_close(r);
    return share;
}

#define HOLD "joints: {hold: {type: fixed, between: [ground, bar.A]}}\n"
#define STATICS "analyses: {go: {type: statics}}\n"
#define COMPLETE "modes: 119, stress_correction: false"

/* Forces and torques on points, forces on patches, and the weight. A force of
 * 20 N turns the end by F L^2 / (2 E I) = 5e-5, which changes the directions of loads. */
static void few_modes_have_the_static_stresses_of_all_modes(void **unused)
{
    (void)unused;
    static const char *const loads[] = {
        "{push: {type: force, at: bar.B, force: [20, 5, -8]}}",
        "{twist: {type: torque, at: bar.B, torque: [1, -0.5, 0.2]}}",
        "{press: {type: force, at: bar.tip, force: [3, -4, -20]}}",
        "{none: {type: force, at: bar.B, force: [0, 0, 0]}}",
    };
    static const char *const few[] = {"modes: 0, keep: 1", "modes: 6, keep: 3", "modes: 12",
                                      "modes: 3, keep: [2, 5], frame: {point: A}",
                                      "modes: 3, keep: 2, frame: {chord: [A, B]}"};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        for (size_t k = 0; k < sizeof few / sizeof *few; k++) {
            char rest[400];
            snprintf(rest, sizeof rest, HOLD "forces: %s\n" STATICS, loads[i]);
            double share = compare(COMPLETE, few[k], rest, 1e-4);
            assert_true(k > 1 || share > 0.01);
        }
}

/* --- patches, against a solution of the finite elements --------------------------------------- */

static bool is_at_root(vec3 x)
{
    return fabs(x.x) < 1e-9;
}

static int node_at(const lmb_fe_model *m, vec3 at)
{
    for (int i = 0; i < m->node_count; i++)
        if (v3_norm(v3_sub(m->x[i], at)) < 1e-9)
            return i;
    fail_msg("no node at (%g, %g, %g)", at.x, at.y, at.z);
    return -1;
}

/* A bar that is held at its only interface point, with forces on two nodes and its weight. The
 * slope of the end is below F L^2 / (2 E I) = 1.5e-4. */
static void patches_have_the_stresses_of_finite_elements(void **unused)
{
    (void)unused;
    static const int cells[3] = {CELLS, 1, 1};
    static const double force[3] = {3, -4, -20}, g = 9.81;
    const vec3 tops[2] = {v3(0.15, 0.04, 0.03), v3(0.3, 0, 0.03)};
    lmb_mesh *mesh = box_mesh(LMB_HEX20, cells, v3(0.3, 0.04, 0.03),
                              (lmb_material){"steel", 2.1e11, 0.3, 7850, false}, NULL);
    lmb_fe_model *m = model_of(mesh);
    size_t n = (size_t)m->n;
    bool *fixed = calloc(n, sizeof *fixed);
    double *f = calloc(n, sizeof *f), *u = calloc(n, sizeof *u), *a = calloc(n, sizeof *a);
    lmb_stress *stress;
    assert_ok(lmb_stress_new(&stress, context, m));
    double *all = calloc((size_t)stress->count * LMB_STRESSES, sizeof *all);
    for (size_t i = 0; i < n; i++)
        a[i] = m->direction[i] == LMB_UZ ? -g : 0;
    lmb_symmetric_multiply_many(&m->M, 1, a, f);
    for (int p = 0; p < 2; p++)
        for (int d = 0; d < 3; d++)
            f[m->dof[node_at(m, tops[p])][d]] += force[d];
    fix(m, is_at_root, 7, fixed);
    solve(m, fixed, f, u);
    assert_true(lmb_stress_nodal(stress, 1, u, all));
    lmb_result *r =
        run_text(context, "patches",
                 "limber: 1\ndimension: 3\ngravity: [0, 0, -%.17g]\nbodies:\n"
                 "  bar:\n"
                 "    mesh: {file: '%s', material: {E: 2.1e11, nu: 0.3, density: 7850}}\n"
                 "    interfaces: {A: {point: [0, 0.02, 0.015], nodes: root}}\n"
                 "    reduction: {modes: 5, keep: 4}\n"
                 "    patches: {middle: {at: [0.15, 0.04, 0.03]}, tip: {at: [0.3, 0, 0.03]}}\n"
                 "    probes: {near: {at: [0.075, 0.04, 0.03]}, far: {at: [0.225, 0, 0]},"
                 " there: {at: [0.15, 0.04, 0.03]}}\n"
                 "joints: {hold: {type: fixed, between: [ground, bar.A]}}\n"
                 "forces:\n"
                 "  a: {type: force, at: bar.middle, force: [3, -4, -20]}\n"
                 "  b: {type: force, at: bar.tip, force: [3, -4, -20]}\n"
                 "analyses: {go: {type: statics}}\n",
                 g, bar_file());
    static const char *const parts[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    static const char *const probes[] = {"near", "far", "there"};
    const vec3 places[] = {v3(0.075, 0.04, 0.03), v3(0.225, 0, 0), tops[0]};
    double most = 0;
    for (int i = 0; i < stress->count; i++)
        most = fmax(most, lmb_von_mises(all + (ptrdiff_t)i * LMB_STRESSES));
    assert_close(final_of(context, r, "bar.stress.max"), most, 2e-4 * most);
    for (int p = 0; p < 3; p++)
        for (int k = 0, node = node_at(m, places[p]); k < LMB_STRESSES; k++) {
            char name[64];
            int place = 0;
            while (stress->node[place] != node)
                place++;
            snprintf(name, sizeof name, "bar.stress.%s.%s", probes[p], parts[k]);
            assert_close(final_of(context, r, name), all[place * LMB_STRESSES + k], 2e-4 * most);
        }
    assert_true(final_of(context, r, "bar.stress.correction") > 0.01);
    lmb_result_close(r);
    lmb_arena_free(stress->arena);
    lmb_arena_free(m->arena);
    lmb_arena_free(mesh->arena);
    free(all);
    free(fixed);
    free(f);
    free(u);
    free(a);
}

/* --- motion ----------------------------------------------------------------------------------- */

#define TURN                                                                                       \
    "joints: {hinge: {type: revolute, between: [ground, bar.A], axis: [0, 1, 0]}}\n"               \
    "drivers: {turn: {joint: hinge, angle: %s}}\n"                                                 \
    "forces: {push: {type: force, at: bar.B, force: [20, 5, -8]}}\n"                               \
    "analyses: {go: {type: inverse-dynamics, begin: quasi-static, duration: 0.01, output_step: "   \
    "1e-3}}\n"

/* Fast and steady rotation: the centrifugal load is 19 times the weight. What rotation w changes in
 * the modes beyond their static response is (w / w_1)^2, below 1e-4 (w_1 = 2 pi 290 / s, held at
 * one end). */
static void few_modes_have_the_stresses_of_rotation(void **unused)
{
    (void)unused;
    char rest[600];
    snprintf(rest, sizeof rest, TURN, "'15*t'");
    compare(COMPLETE, "modes: 0, keep: 6", rest, 3e-4);
    snprintf(rest, sizeof rest, TURN, "'15*t + 300*t^2'"); /* angular acceleration 600 / s^2 */
    compare(COMPLETE, "modes: 6, keep: 6", rest, 3e-4);
}

/* The frame of a body is a choice of coordinates: of second order in the deformation, here 1e-4. */
static void stresses_do_not_depend_on_the_frame(void **unused)
{
    (void)unused;
    static const char *const few[] = {"modes: 12, keep: 6", "modes: 12, keep: 6, frame: {point: A}",
                                      "modes: 12, keep: 6, frame: {point: B}",
                                      "modes: 12, keep: 6, frame: {chord: [A, B]}"};
    char rest[600];
    snprintf(rest, sizeof rest, TURN, "'15*t + 300*t^2'");
    for (int i = 0; i < 4; i++)
        compare(COMPLETE, few[i], rest, 2e-3);
}

/* --- everything that shows stresses ----------------------------------------------------------- */

/* Two bodies with different unit loads and a rigid one in all analyses. */
static const char *const several =
    "  bar2:\n"
    "    mesh: {file: '%s', material: steel}\n"
    "    interfaces: {A: {point: [0, 0.02, 0.015], nodes: root, tie: average}}\n"
    "    reduction: {modes: 4, keep: 3}\n"
    "    position: [0.3, 0, 0]\n"
    "    patches: {tip: {nodes: end}}\n"
    "  stiff:\n"
    "    mesh: {file: '%s', material: steel}\n"
    "    interfaces: {A: {point: [0, 0.02, 0.015], nodes: root}}\n"
    "    patches: {tip: {nodes: end}}\n"
    "    rigid: true\n"
    "    position: [0, 0, 0.5]\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, bar.A], axis: [0, 1, 0]}\n"
    "  weld: {type: fixed, between: [bar.B, bar2.A]}\n"
    "  hold: {type: fixed, between: [ground, stiff.A]}\n"
    "drivers: {turn: {joint: hinge, angle: 200*t^2}}\n"
    "forces:\n"
    "  f: {type: force, at: bar2.tip, force: [1, 2, 3]}\n"
    "  g: {type: force, at: stiff.tip, force: [1, 2, 3]}\n"
    "  h: {type: force, at: bar.top, force: [1, 2, -30]}\n"
    "analyses:\n"
    "  rest: {type: statics}\n"
    "  path: {type: kinematics, duration: 0.01, output_step: 0.005}\n"
    "  drive: {type: inverse-dynamics, begin: quasi-static, duration: 0.01, output_step: 0.005}\n"
    "  swing: {type: dynamics, from: rest, duration: 0.01, output_step: 0.005}\n"
    "  small: {type: modes, from: rest}\n";

static double largest_of(lmb_result *r, const char *channel)
{
    lmb_series s = series_of(context, r, channel);
    double most = 0;
    for (int i = 0; i < s.count; i++)
        most = fmax(most, s.values[i]);
    lmb_series_free(&s);
    return most;
}

/* Envelope, peak and channels are of the same stresses: von Mises' stress of a mean is at most the
 * largest of its parts. Analyses without reactions have no response to loads. */
static void all_results_have_the_same_stresses(void **unused)
{
    (void)unused;
    static const char *const bodies[] = {"bar", "bar2"};
    char rest[3000], name[80];
    snprintf(rest, sizeof rest, several, bar_file(), bar_file());
    lmb_result *r = run_bar("modes: 4, keep: 6, stiffening: true", rest);
    for (int a = 0; a < lmb_result_analysis_count(r); a++)
        for (int b = 0; b < 2; b++) {
            const char *analysis = lmb_result_analysis_name(r, a);
            bool loaded = a == 0 || a == 2 || a == 3;
            lmb_peak_stress peak;
            lmb_series s;
            snprintf(name, sizeof name, "%s/%s.stress.correction", analysis, bodies[b]);
            assert_int_equal(loaded, lmb_result_read(r, context, name, &s) == LMB_OK);
            if (!loaded)
                continue;
            lmb_series_free(&s);
            int count;
            double *envelope = lmb_record_array(r, a, bodies[b], "envelope/stress", &count),
                   most = 0;
            for (int i = 0; i < count; i++)
                most = fmax(most, envelope[i]);
            free(envelope);
            snprintf(name, sizeof name, "%s/%s.stress.max", analysis, bodies[b]);
            assert_close(most, largest_of(r, name), 0);
            assert_true(lmb_record_peak(r, a, bodies[b], &peak));
            assert_close(peak.stress, most, 0);
            assert_true(peak.correction > 0.01 && peak.lowest > 0);
            assert_true(peak.stress <= peak.highest * (1 + 1e-5));
        }
    snprintf(name, sizeof name, "rest/stiff.stress.max");
    lmb_series s;
    assert_true(lmb_result_read(r, context, name, &s) != LMB_OK);
    lmb_result_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_modes_have_the_static_stresses_of_all_modes),
        cmocka_unit_test(patches_have_the_stresses_of_finite_elements),
        cmocka_unit_test(few_modes_have_the_stresses_of_rotation),
        cmocka_unit_test(stresses_do_not_depend_on_the_frame),
        cmocka_unit_test(all_results_have_the_same_stresses),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
