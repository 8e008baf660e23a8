/* Loads on interface points where bodies of several kinds meet in one model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bars.h"
#include "models.h"
#include "program.h"
#include "support.h"

#define SECTION "section: {circle: {diameter: 0.02}}, material: steel"

/* A rigid body, a reduced beam and an exact beam with `elements` elements; all are unrelated. */
static const char *const kinds[] = {
    "  a: {mass: 1, inertia: [1, 1, 1], position: [0, 1, 0]}\n",
    "  rod: {beam: {from: [0, 0, 0], to: [1, 0, 0], y_axis: [0, 1, 0], elements: 6, " SECTION "}, "
    "interfaces: {A: start, B: end}, reduction: {modes: 3}}\n",
    "  ex: {beam: {from: [0, 0, 0], to: [1, 0, 0], y_axis: [0, 1, 0], deformation: large, "
    "elements: n, " SECTION "}, interfaces: {A: start, B: end}}\n",
};

/* Force and torque on the clamped end of the reduced beam, and the force on its free end. */
static void find_rod_loads(const char *bodies, int elements, double out[3])
{
    bool beside = strstr(bodies, "ex:");
    lmb_result *r = run_text(context, "loads",
                             "limber: 1\ndimension: 3\ngravity: [0, -9.81, 0]\n"
                             "parameters: {n: %d}\n"
                             "bodies:\n%sjoints:\n"
                             "  hold: {type: fixed, between: [ground, rod.A]}\n%s"
                             "analyses: {go: {type: dynamics, duration: 0.01, step: 1e-3}}\n",
                             elements, bodies,
                             beside ? "  clamp: {type: fixed, between: [ground, ex.A]}\n"
                                      "forces: {f: {type: force, at: ex.B, force: [0, 1, 0]}}\n"
                                    : "");
    out[0] = final_of(context, r, "rod.A.force.y");
    out[1] = final_of(context, r, "rod.A.torque.z");
    out[2] = final_of(context, r, "rod.B.force.y");
    lmb_result_close(r);
}

/* The loads on a reduced beam do not depend on an exact beam in the model, in any order of bodies.
 * The bound is rounding of a transient of 10 steps. */
static void exact_beams_do_not_load_reduced_beams(void **unused)
{
    (void)unused;
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double alone[3];
    find_rod_loads(kinds[1], 1, alone);
    assert_true(fabs(alone[0]) > 0.1);
    assert_true(alone[2] == 0);
    for (int i = 0; i < 6; i++)
        for (int elements = 1; elements <= 3; elements += 2) {
            char bodies[1000];
            double loads[3];
            snprintf(bodies, sizeof bodies, "%s%s%s", kinds[orders[i][0]], kinds[orders[i][1]],
                     kinds[orders[i][2]]);
            find_rod_loads(bodies, elements, loads);
            for (int k = 0; k < 3; k++)
                assert_close(loads[k], alone[k], 1e-9 * fabs(alone[0]));
        }
}

/* A modal body on the end of an exact beam: the load on its point is the force of the weld. */
#define WELDED                                                                                     \
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {d: 0.02}\n"                        \
    "bodies:\n"                                                                                    \
    "  ex: {beam: {from: [0, 0], to: [0.5, 0], deformation: large, elements: 3, "                  \
    "section: {circle: {diameter: d}}, material: steel}, interfaces: {A: start, B: end}}\n"        \
    "  modal:\n"                                                                                   \
    "    position: [0.5, 0]\n"                                                                     \
    "    modal: {mass: 2, centre: [0.15, 0], inertia: 0.1, stiffness: [1.2e4], modal_mass: "       \
    "[0.075]}\n"                                                                                   \
    "    interfaces: {a: {point: [0, 0]}, b: {point: [0.3, 0], displacements: [[0, 1]], "          \
    "rotations: [2]}}\n"                                                                           \
    "joints:\n"                                                                                    \
    "  clamp: {type: fixed, between: [ground, ex.A]}\n"                                            \
    "  weld: {type: fixed, between: [ex.B, modal.a]}\n"                                            \
    "forces: {push: {type: force, at: ex.B, force: [0, 0]}}\n"                                     \
    "objectives: {load: {final: modal.a.force.y, of: go}}\n"                                       \
    "analyses: {go: {type: dynamics, duration: 0.01, step: 1e-3, integrator: "                     \
    "generalized-alpha}}\n"

static void weld_between_exact_and_modal_body_loads_the_point(void **unused)
{
    (void)unused;
    lmb_result *r = run_text(context, "welded", WELDED);
    double F = hypot(final_of(context, r, "weld.force.x"), final_of(context, r, "weld.force.y"));
    double f =
        hypot(final_of(context, r, "modal.a.force.x"), final_of(context, r, "modal.a.force.y"));
    assert_true(F > 1);
    assert_close(f, F, 1e-12 * F); /* the same multipliers in other axes */
    double torque = final_of(context, r, "weld.torque");
    assert_close(final_of(context, r, "modal.a.torque"), torque, 1e-10 * fabs(torque));
    lmb_result_close(r);
}

/* The commands that list channels of such a model end well. */
static void other_analyses_have_these_channels(void **unused)
{
    (void)unused;
    const char *path = scratch_text("welded.yaml", WELDED);
    check_run(run_limber("gradient %s --by d", path), 0, "load");
    check_run(run_limber("gradient %s --by d --method adjoint", path), 0, "load");
    check_run(run_limber("modes %s --state-space %s", path, scratch_path("welded.mat")), 0, "Hz");
    check_run(run_limber("response %s --input push.y --output modal.a.force.y", path), 0, "Hz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_beams_do_not_load_reduced_beams),
        cmocka_unit_test(weld_between_exact_and_modal_body_loads_the_point),
        cmocka_unit_test(other_analyses_have_these_channels),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
