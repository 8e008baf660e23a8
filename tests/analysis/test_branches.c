/* Paths that turn off at a bifurcation, against the closed forms of bars with springs and the
 * elastica of a column; and columns under loads that turn with them, which have no potential. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "elastica.h"
#include "models.h"
#include "motions.h"
#include "support.h"

enum { MOST = 600 };

static struct {
    int count, critical[MOST];
    double load[MOST], unstable[MOST];
    vec3 tip[MOST];
} path;

static lmb_status take(void *unused, const lmb_state *s, double at, const double *more)
{
    (void)unused, (void)at;
    assert_true(path.count < MOST);
    path.load[path.count] = more[0];
    path.unstable[path.count] = more[1];
    path.critical[path.count] = (int)more[2];
    path.tip[path.count++] = s->frames[s->model->points[s->model->point_count - 1].marker].p;
    return LMB_OK;
}

/* Follows the path of the first analysis of a model; its last point is the tip. Where it buckles.
 */
static int follow(const char *text, bool buckles)
{
    lmb_model *m = model_of_text(text);
    const lmb_analysis *a = &m->analyses[0];
    lmb_solver *s;
    lmb_rank rank;
    int first = 0;
    path.count = 0;
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    assert_ok(a->kind->solve(s, a));
    assert_ok(a->kind->rows(s, a, take, NULL));
    lmb_solver_free(s);
    lmb_model_free(m);
    while (first < path.count && path.critical[first] == 0)
        first++;
    assert_true(first > 0 && (first < path.count) == buckles);
    assert_true(!buckles || path.critical[first] == 2);
    return first;
}

#define BAR                                                                                        \
    "limber: 1\ndimension: 2\nbodies: {bar: {mass: 1, inertia: 1, position: [0, 0.5], points: "    \
    "{o: [0, -0.5], tip: [0, 0.5]}}}\njoints: {pin: {type: revolute, between: [ground, bar.o]}}\n"

/* A bar on a torsion spring k = 2: P = k angle / sin(angle), which rises; stable all along. Points
 * are equilibria to 1e-11 of the load, at which sin(angle) of the first ones is 0.1. */
static void a_bar_on_a_spring_stays_stable(void **unused)
{
    (void)unused;
    int at = follow(BAR "forces:\n  spring: {type: torsion-spring, joint: pin, stiffness: 2}\n"
                        "  push: {type: force, at: bar.tip, force: [0, -1]}\n"
                        "analyses: {a: {type: statics, follow: arc, load: 6, branch: true}}\n",
                    true);
    assert_close(path.load[at], 2, 1e-9);
    for (int i = at + 1; i < path.count; i++) {
        double angle = acos(path.tip[i].y);
        assert_true(angle > 0.01);
        assert_close(path.load[i], 2 * angle / sin(angle), 1e-9);
        assert_true(path.unstable[i] == 0 && path.critical[i] == 0);
    }
    assert_true(path.count > at + 10 && path.load[path.count - 1] == 6);
}

/* A bar held at its tip by a spring k = 2 that stays level: P = k cos(angle), which falls;
 * unstable, over the top and round to where it hangs, pulled up. */
static void a_bar_held_at_its_tip_falls(void **unused)
{
    (void)unused;
    int at = follow(
        BAR "forces:\n  hold: {type: force, at: bar.tip, force: [-2*bar.tip.position.x, 0]}\n"
            "  push: {type: force, at: bar.tip, force: [0, -1]}\n"
            "analyses: {a: {type: statics, follow: arc, load: 3, points: 60, branch: true, "
            "loads: [push]}}\n",
        true);
    double lowest = 1;
    assert_close(path.load[at], 2, 1e-9);
    for (int i = at + 1; i < path.count; i++) {
        assert_close(path.load[i], 2 * path.tip[i].y, 1e-8);
        lowest = fmin(lowest, path.tip[i].y);
    }
    assert_true(path.unstable[at + 1] == 1 && lowest < -0.9);
    assert_message(context, "more 'points'");
}

/* A perfect column, all but inextensible (P / EA = 2.5e-6), to three times the load of Euler; the
 * load at which it has a deflection differs by 3e-6, which near that of Euler is much of a
 * deflection.
 */
static void a_perfect_column_follows_the_elastica(void **unused)
{
    (void)unused;
    int at =
        follow("limber: 1\ndimension: 2\nbodies:\n  beam:\n    beam: {from: [0, 0], to: [1, 0], "
               "deformation: large, elements: 16, stiffness: [1e8, 1e8, 100], mass: [1, 1, 1e-6]}\n"
               "    interfaces: {root: start, tip: end}\n"
               "joints: {clamp: {type: fixed, between: [ground, beam.root]}}\n"
               "forces: {push: {type: force, at: beam.tip, force: [-pi^2*100/4, 0]}}\n"
               "analyses: {a: {type: statics, follow: arc, load: 3, branch: true}}\n",
               true);
    assert_close(path.load[at], 1, 5e-6);
    for (int i = at + 1; i < path.count; i++) {
        double P = path.load[i] * LMB_PI * LMB_PI / 4, low = 1e-3, high = 3.1, x, y;
        for (int n = 0; n < 60; n++) { /* the angle at the clamp is 0 */
            double angle = (low + high) / 2;
            *(elastica(P, angle, 0, &x, &y) < 0 ? &low : &high) = angle;
        }
        double near = path.load[i] < 1.01 ? 2e-3 : 2e-5;
        assert_close(path.tip[i].x, x, 2e-5);
        assert_close(fabs(path.tip[i].y), y, near);
        assert_true(path.unstable[i] == 0);
    }
    assert_true(path.count > at + 15 && path.tip[path.count - 1].x < -0.2);
}

/* --- loads that turn with the beam ------------------------------------------------------------ */

static int column_under(const char *load, const char *joint, bool buckles)
{
    char text[1000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\nbodies:\n  beam:\n    beam: {from: [0, 0], to: [1, 0], "
             "deformation: large, order: 3, elements: 10, stiffness: [1e7, 1e7, 1], mass: "
             "[1, 1, 1e-6]}\n    interfaces: {root: start, tip: end}\njoints:\n  %s\n"
             "forces: {push: {%s}}\nanalyses: {a: {type: statics, follow: load, load: 30}}\n",
             joint, load);
    return follow(text, buckles);
}

/* Under a force or a load per length that stays along it, a cantilever has no other equilibrium
 * (it flutters from 20.05 EI / L^2 or 40.05 EI / L^3 on, Beck and Leipholz), though the symmetric
 * part of its stiffness is not positive beyond pi^2 EI / L^2. */
static void cantilevers_under_following_loads_do_not_buckle(void **unused)
{
    (void)unused;
    const char *clamp = "clamp: {type: fixed, between: [ground, beam.root]}";
    column_under("type: force, at: beam.tip, force: [-1, 0], axes: body", clamp, false);
    column_under("type: line-force, at: beam, force: [-1, 0], axes: section", clamp, false);
    assert_true(path.load[path.count - 1] == 30);
}

/* M of a hinged column under a load along it, M'' + q z M = 0, M(0) = 0: its power series at 1. */
static double moment(double q)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 40; k++)
        sum += term *= -q / ((3 * k + 1) * (3 * k));
    return sum;
}

/* Pflueger's column: hinged at both ends, under a load per length that stays along it, it buckles
 * at q L^3 / EI = (3 j / 2)^2 = 18.956, j the first zero of J_1/3. It is shorter by q L / (2 EA) =
 * 1e-6 then, and the load, per undeformed length, less by twice that. */
static void the_column_of_pflueger_buckles(void **unused)
{
    (void)unused;
    double low = 15, high = 25;
    for (int i = 0; i < 60; i++)
        *(moment((low + high) / 2) > 0 ? &low : &high) = (low + high) / 2;
    int at = column_under("type: line-force, at: beam, force: [-1, 0], axes: section",
                          "foot: {type: revolute, between: [ground, beam.root]}\n"
                          "  head: {type: slot, between: [ground, beam.tip], axis: [1, 0]}",
                          true);
    assert_close(low, 18.956, 1e-4);
    assert_close(path.load[at] / low, 1, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_on_a_spring_stays_stable),
        cmocka_unit_test(a_bar_held_at_its_tip_falls),
        cmocka_unit_test(a_perfect_column_follows_the_elastica),
        cmocka_unit_test(cantilevers_under_following_loads_do_not_buckle),
        cmocka_unit_test(the_column_of_pflueger_buckles),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
