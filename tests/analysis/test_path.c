/* Paths of equilibria against closed forms: snap-through, buckling, very large deflection.
 *
 * At a point what is left of the forces is 1e-11 of the largest one so far; a load factor at which
 * the stiffness is singular is found by bisection to rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "analysis/path.h"
#include "analysis/statics.h"
#include "models.h"
#include "support.h"

enum { MOST = 2000 };

/* What was recorded: load factor, number of unstable directions and up to three coordinates. */
static struct {
    int count;
    double at[MOST], load[MOST], q[MOST][3];
    int unstable[MOST], critical[MOST];
} path;

static int columns[3];

static lmb_status take(void *unused, const lmb_state *s, double at, const double *more)
{
    (void)unused;
    assert_true(path.count < MOST);
    path.at[path.count] = at;
    path.load[path.count] = more[0];
    path.unstable[path.count] = (int)more[1];
    path.critical[path.count] = (int)more[2];
    for (int i = 0; i < 3; i++)
        path.q[path.count][i] = s->q[columns[i]];
    path.count++;
    return LMB_OK;
}

/* Runs the first analysis of a model; three coordinates of q are recorded. */
static lmb_status follow(const lmb_model *m, int q0, int q1, int q2)
{
    lmb_solver *s;
    lmb_rank rank;
    const lmb_analysis *a = &m->analyses[0];
    memcpy(columns, (int[]){q0, q1, q2}, sizeof columns);
    path.count = 0;
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    lmb_status status = a->kind->solve(s, a);
    if (!status)
        status = a->kind->rows(s, a, take, NULL);
    lmb_solver_free(s);
    return status;
}

/* --- snap-through ------------------------------------------------------------------------------
 */

#define TRUSS                                                                                      \
    "limber: 1\ndimension: 2\n"                                                                    \
    "bodies: {p: {type: particle, mass: 1, position: [0, 0.2]}}\n"                                 \
    "joints: {rail: {type: slot, between: [ground, p], axis: [0, 1]}}\n"                           \
    "forces:\n  l: {type: spring, between: [[-1, 0], p], stiffness: 1000}\n"                       \
    "  r: {type: spring, between: [[1, 0], p], stiffness: 1000}\n"                                 \
    "  load: {type: force, at: p, force: [0, -20]}\n"

static double truss_force(double y) /* of both springs, upwards */
{
    return -2000 * y * (1 - sqrt(1.04) / sqrt(1 + y * y));
}

/* The largest force is where its derivative is zero, (1 + y^2)^(3/2) = length. */
static double truss_limit(void)
{
    return truss_force(sqrt(cbrt(1.04) - 1)) / 20;
}

/* The flat arch of von Mises: up to the limit load, back to its opposite and up again on the other
 * side. */
static void a_truss_snaps_through(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(TRUSS "analyses: {a: {type: statics, follow: arc}}\n");
    assert_ok(follow(m, 0, 1, 1));
    int n = path.count;
    double limit = truss_limit(), most = -INFINITY, least = INFINITY;
    assert_true(n > 10 && path.load[0] == 0 && path.load[n - 1] == 1);
    for (int i = 0; i < n; i++) {
        double y = path.q[i][1], slope = 2000 * (1 - sqrt(1.04) / pow(1 + y * y, 1.5));
        assert_close(path.at[i], i, 0);
        assert_true(fabs(truss_force(y) - 20 * path.load[i]) < 1e-11 * 2000);
        assert_true(i == 0 || y < path.q[i - 1][1]);
        if (!path.critical[i])
            assert_int_equal(path.unstable[i], slope < 0);
        most = fmax(most, path.q[i][1] > 0 ? path.load[i] : -1);
        least = fmin(least, path.load[i]);
    }
    /* limit points have rows of their own; the load is stationary there */
    assert_close(most, limit, 1e-12);
    assert_close(least, -limit, 1e-12);
    assert_true(path.q[n - 1][1] < -0.2);
    assert_int_equal(path.unstable[n - 1], 0);
    lmb_model_free(m);
}

/* With the load alone there is nowhere to go from the limit point. */
static void a_limit_point_stops_the_load(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(TRUSS "analyses: {a: {type: statics, follow: load, steps: 40}}\n");
    assert_int_equal(follow(m, 0, 1, 1), LMB_SOLVER);
    char text[64]; /* steps become 1e-7 of the load before it gives up */
    snprintf(text, sizeof text, "beyond load factor %.6g", truss_limit());
    assert_message(context, text);
    assert_int_equal(path.count, 1 + (int)(truss_limit() * 40));
    for (int i = 0; i < path.count; i++) {
        assert_close(path.at[i], i / 40.0, 1e-15);
        assert_true(path.unstable[i] == 0);
        assert_true(fabs(truss_force(path.q[i][1]) - 20 * path.load[i]) < 1e-11 * 2000);
    }
    lmb_model_free(m);
}

/* Two rigid bars of length 1, the far end in a guide against a spring k: from
 * U = k/2 4 (cos a - cos a0)^2 and the height sin a of the loaded hinge,
 * P = 4 k (cos a - cos a0) tan a. */
static void a_toggle_snaps_through(void **unused)
{
    (void)unused;
    const double a0 = 0.3, k = 1000;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nparameters: {a: 0.3}\n"
        "bodies:\n"
        "  l: {mass: 1, inertia: 1, position: [cos(a)/2, sin(a)/2], angle: a, points: {o: [-0.5, "
        "0], e: [0.5, 0]}}\n"
        "  r: {mass: 1, inertia: 1, position: [1.5*cos(a), sin(a)/2], angle: -a, points: {o: "
        "[-0.5, 0], e: [0.5, 0]}}\n"
        "joints:\n"
        "  pin: {type: revolute, between: [ground, l.o]}\n"
        "  top: {type: revolute, between: [l.e, r.o]}\n"
        "  guide: {type: slot, between: [ground, r.e], axis: [1, 0]}\n"
        "forces:\n"
        "  s: {type: spring, between: [[12, 0], r.e], stiffness: 1000, length: \"12 - 2*cos(a)\"}\n"
        "  load: {type: force, at: l.e, force: [0, -100]}\n"
        "analyses: {a: {type: statics, follow: arc, load: 2}}\n");
    assert_ok(follow(m, 2, 5, 5));
    int n = path.count;
    double most = -INFINITY, least = INFINITY;
    for (int i = 0; i < n; i++) {
        double a = path.q[i][0];
        assert_close(path.q[i][1], -a, 1e-9);
        assert_true(fabs(4 * k * (cos(a) - cos(a0)) * tan(a) - 100 * path.load[i]) < 1e-11 * 4 * k);
        most = a > 0 ? fmax(most, path.load[i]) : most;
        least = fmin(least, path.load[i]);
    }
    /* dP/da = 0: cos^3 a = cos a0 */
    double limit = acos(cbrt(cos(a0)));
    assert_close(most, 40 * (cos(limit) - cos(a0)) * tan(limit), 1e-10);
    assert_close(least, -most, 1e-10);
    assert_close(path.load[n - 1], 2, 0);
    assert_true(path.q[n - 1][0] < -a0);
    lmb_model_free(m);
}

/* --- buckling ----------------------------------------------------------------------------------
 */

/* The load factors of critical points, of which there are `count`, all of one kind. */
static void find_critical(int kind, int count, double *load)
{
    int found = 0;
    for (int i = 0; i < path.count; i++)
        if (path.critical[i]) {
            assert_true(found < count && path.critical[i] == kind);
            load[found++] = path.load[i];
        }
    assert_int_equal(found, count);
}

/* An upright rod of length 2 on a torsion spring, pushed down: P = k / L, or with its own weight
 * too, which stays: P L = k - m g L / 2. */
static void an_upright_rod_buckles(void **unused)
{
    (void)unused;
    static const char *const loads[] = {"", ", loads: [push]", ", loads: [push, gravity]"};
    const double gravity[] = {0, 10, 10}, expected[] = {500 / 80., (500 - 30) / 80., 500 / 110.};
    for (int i = 0; i < 6; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "limber: 1\ndimension: 2\ngravity: [0, %g]\n"
                 "bodies: {rod: {mass: 3, inertia: 1, position: [0, 1], angle: pi/2, points: {o: "
                 "[-1, 0], e: [1, 0]}}}\n"
                 "joints: {pin: {type: revolute, between: [ground, rod.o]}}\n"
                 "forces:\n  t: {type: torsion-spring, joint: pin, stiffness: 500}\n"
                 "  push: {type: force, at: rod.e, force: [0, -40]}\n"
                 "analyses: {a: {type: statics, follow: %s, load: 10%s}}\n",
                 -gravity[i % 3], i < 3 ? "arc" : "load", loads[i % 3]);
        lmb_model *m = model_of_text(text);
        double critical[1];
        assert_ok(follow(m, 2, 2, 2));
        assert_message(context, "bifurcation at load factor");
        find_critical(2, 1, critical);
        /* 40 bisections of a step */
        assert_close(critical[0], expected[i % 3], 1e-10);
        assert_close(path.q[path.count - 1][0], LMB_PI / 2, 1e-9); /* the path itself goes on */
        lmb_model_free(m);
    }
}

/* The first mode of the two rods, which is between the load factors 0.05 and 0.1. */
static void check_mode(const lmb_model *m)
{
    lmb_solver *s;
    lmb_path_walk *w;
    double mode[6];
    bool done, limit, jump;
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    s->state->load = 0;
    assert_ok(lmb_path_start(&w, s, false));
    assert_ok(lmb_path_step(w, 0.05, &done));
    assert_true(done && w->here.unstable == 0);
    assert_ok(lmb_path_step(w, 0.05, &done));
    assert_true(done && w->here.unstable == 1 && w->last.unstable == 0);
    assert_ok(lmb_path_critical(w, 0.05, mode, &limit, &jump));
    assert_false(limit || jump);
    assert_close(w->here.load, (3 - sqrt(5)) / 8, 1e-11);
    /* inverse iteration from a shift of 1e-9 */
    assert_close(mode[5] / mode[2], (1 + sqrt(5)) / 2, 1e-7);
    assert_close(mode[1] / mode[2], 0.5, 1e-7);
    assert_close(mode[0], 0, 1e-9);
    lmb_path_free(w);
    lmb_solver_free(s);
}

/* Two rods of length 1 and torsion springs k: P = k (3 -+ sqrt 5) / 2, with the angles of the rods
 * as 1 to (1 +- sqrt 5) / 2. */
static void two_rods_buckle_twice(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nbodies:\n"
        "  a: {mass: 1, inertia: 1, position: [0.5, 0], points: {a: [-0.5, 0], b: [0.5, 0]}}\n"
        "  b: {mass: 1, inertia: 1, position: [1.5, 0], points: {a: [-0.5, 0], b: [0.5, 0]}}\n"
        "joints: {o: {type: revolute, between: [ground, a.a]}, k: {type: revolute, between: [a.b, "
        "b.a]}}\n"
        "forces:\n  t1: {type: torsion-spring, joint: o, stiffness: 10}\n"
        "  t2: {type: torsion-spring, joint: k, stiffness: 10}\n"
        "  push: {type: force, at: b.b, force: [-40, 0]}\n"
        "analyses: {a: {type: statics, follow: arc}}\n");
    double critical[2];
    assert_ok(follow(m, 2, 5, 5));
    find_critical(2, 2, critical);
    assert_close(critical[0], (3 - sqrt(5)) / 8, 1e-10);
    assert_close(critical[1], (3 + sqrt(5)) / 8, 1e-10);
    assert_true(path.load[path.count - 1] == 1);
    check_mode(m);
    lmb_model_free(m);
}

/* --- very large deflection ----------------------------------------------------------------------
 */

/* A cantilever of 40 rods bends down under its weight to nearly upright: each spring carries the
 * moment of what lies beyond it, at every point of the path. */
static void a_cantilever_bends_all_the_way(void **unused)
{
    (void)unused;
    enum { COUNT = 40 };
    for (int arc = 0; arc < 2; arc++) {
        char *text;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        fprintf(
            f,
            "limber: 1\ndimension: 2\ngravity: [0, -10]\nbodies:\n"
            "  b{i}: {repeat: {i: [1, %d]}, mass: 1, inertia: 0.1, position: [i - 0.5, 0], "
            "points: {a: [-0.5, 0], b: [0.5, 0]}}\n"
            "joints:\n  j1: {type: revolute, between: [ground, b1.a]}\n"
            "  j{i}: {repeat: {i: [2, %d]}, type: revolute, between: [\"b{i-1}.b\", \"b{i}.a\"]}\n"
            "forces:\n  t{i}: {repeat: {i: [1, %d]}, type: torsion-spring, joint: \"j{i}\", "
            "stiffness: 2000}\n"
            "analyses: {a: {type: statics, follow: %s, steps: 10}}\n",
            COUNT, COUNT, COUNT, arc ? "arc" : "load");
        fclose(f);
        lmb_model *m = model_of_text(text);
        free(text);
        assert_ok(follow(m, 2, 3 * COUNT - 1, 3 * (COUNT / 2) - 1));
        int n = path.count;
        for (int i = 1; i < n; i++) {
            assert_true(path.load[i] > path.load[i - 1] && path.unstable[i] == 0);
            assert_true(path.q[i][1] < path.q[i - 1][1]);
        }
        /* what statics find at once */
        lmb_solver *s;
        assert_ok(lmb_solver_new(&s, context, m));
        assert_ok(lmb_assemble(s));
        assert_ok(lmb_find_equilibrium(s));
        for (int k = 0; k < 3; k++)
            assert_close(path.q[n - 1][k], s->state->q[columns[k]], 1e-9);
        assert_true(path.q[n - 1][1] < -1.5);
        lmb_solver_free(s);
        lmb_model_free(m);
    }
}

/* Nothing to follow: without the load it is free. */
static void a_pendulum_has_no_path(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\ngravity: [0, -10]\n"
        "bodies: {rod: {mass: 3, inertia: 1, position: [1, 0], points: {o: [-1, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground, rod.o]}}\n"
        "analyses: {a: {type: statics, follow: arc}}\n");
    assert_int_equal(follow(m, 2, 2, 2), LMB_SOLVER);
    assert_message(context, "without the load nothing holds the mechanism");
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_truss_snaps_through),  cmocka_unit_test(a_limit_point_stops_the_load),
        cmocka_unit_test(a_toggle_snaps_through), cmocka_unit_test(an_upright_rod_buckles),
        cmocka_unit_test(two_rods_buckle_twice),  cmocka_unit_test(a_cantilever_bends_all_the_way),
        cmocka_unit_test(a_pendulum_has_no_path),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
