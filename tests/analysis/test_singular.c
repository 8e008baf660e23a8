/* Singular positions, degrees of freedom, bodies without mass: warnings where there is something to
 * warn of, and none where there is not. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kinematics.h"
#include "limber/analysis.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static lmb_kinematics *start(const lmb_model *m)
{
    lmb_kinematics *k;
    lmb_messages_clear(context);
    assert_ok(lmb_kinematics_new(&k, context, m, 0, true));
    return k;
}

static int messages_with(const char *piece)
{
    int count = 0;
    for (size_t i = 0; i < lmb_message_count(context); i++)
        count += strstr(lmb_message_at(context, i)->text, piece) ||
                 strstr(lmb_message_at(context, i)->hint, piece);
    return count;
}

/* --- open chains ------------------------------------------------------------------------------ */

/* The length of link i: all alike, or long and short ones in turns. */
static double link_length(int i, bool mixed)
{
    return mixed && i % 2 ? 0.02 : 1;
}

/* The law of hinge i, and its rate. */
static double law(int i, double t)
{
    return 0.3 * sin(t + i);
}

/* Bodies, joints and drivers of a chain of driven hinges, its sections to be closed by the caller:
 * bodies first, then the other two in texts of their own. */
static void write_chain(FILE *bodies, FILE *joints, FILE *drivers, int n, bool mixed, int dimension)
{
    double x = 0;
    const char *z = dimension == 3 ? ", 0" : "";
    for (int i = 0; i < n; i++) {
        double half = link_length(i, mixed) / 2;
        fprintf(bodies,
                "  l%d: {mass: 1, inertia: %s, position: [%.17g, 0%s], points: {p: [%.17g, 0%s], "
                "q: [%.17g, 0%s]}}\n",
                i, dimension == 3 ? "[0.1, 0.1, 0.1]" : "0.1", x + half, z, -half, z, half, z);
        fprintf(joints, "  j%d: {type: revolute, between: [", i);
        if (i)
            fprintf(joints, "l%d.q, l%d.p]", i - 1, i);
        else
            fprintf(joints, "ground, l0.p]");
        fprintf(joints, "%s}\n",
                dimension == 2 ? ""
                : i % 2        ? ", axis: [0, 1, 0]"
                               : ", axis: [0, 0, 1]");
        fprintf(drivers, "  d%d: {joint: j%d, angle: 0.3*sin(t + %d)}\n", i, i, i);
        x += 2 * half;
    }
}

/* A chain, and beside it what else is written in the three sections. */
static lmb_model *chain(int n, bool mixed, int dimension, const char *const more[3])
{
    char *text[3];
    size_t size[3];
    FILE *out[3];
    for (int i = 0; i < 3; i++)
        assert_non_null(out[i] = open_memstream(&text[i], &size[i]));
    fprintf(out[0], "limber: 1\ndimension: %d\nbodies:\n", dimension);
    fprintf(out[1], "joints:\n");
    fprintf(out[2], "drivers:\n");
    write_chain(out[0], out[1], out[2], n, mixed, dimension);
    for (int i = 0; i < 3; i++) {
        fprintf(out[i], "%s", more ? more[i] : "");
        assert_int_equal(fclose(out[i]), 0);
    }
    char *whole = malloc(size[0] + size[1] + size[2] + 1);
    assert_non_null(whole);
    sprintf(whole, "%s%s%s", text[0], text[1], text[2]);
    lmb_model *m = model_of_text(whole);
    free(whole);
    for (int i = 0; i < 3; i++)
        free(text[i]);
    return m;
}

/* The end of a chain in the plane: angles add up, and so do the links. Each joint closes to 1e-11
 * of the model's length, 1/2, and each angle is off by as much and turns all links behind it: n^2
 * times that for n links of length 1 at most. */
static void check_end(const lmb_kinematics *k, int n, bool mixed)
{
    double angle = 0, x = 0, y = 0;
    char name[32];
    for (int i = 0; i < n; i++) {
        angle += law(i, k->solver->state->t);
        x += link_length(i, mixed) * cos(angle);
        y += link_length(i, mixed) * sin(angle);
    }
    snprintf(name, sizeof name, "l%d.q", n - 1);
    vec3 end = point(k->solver, name);
    assert_true(hypot(end.x - x, end.y - y) <= 0.5e-11 * n * n);
}

static void open_chains_are_not_singular(void **unused)
{
    (void)unused;
    static const int links[] = {2, 10, 100, 200};
    for (int i = 0; i < 16; i++) {
        int n = links[i / 4], dimension = 2 + i % 2;
        bool mixed = i / 2 % 2;
        lmb_model *m = chain(n, mixed, dimension, NULL);
        lmb_kinematics *k = start(m);
        for (int step = 1; step <= 4; step++)
            assert_ok(lmb_kinematics_advance(k, 0.1 * step));
        if (lmb_message_count(context))
            fail_msg("%d links: %s", n, lmb_message_at(context, 0)->text);
        if (dimension == 2)
            check_end(k, n, mixed);
        lmb_kinematics_free(k);
        lmb_model_free(m);
    }
}

/* --- singular positions ----------------------------------------------------------------------- */

/* A parallelogram that is flat at t = pi/2, beside a chain whose pivots are smaller than those of a
 * flat parallelogram by itself. */
static const char *const parallelogram[] = {
    "  a: {mass: 1, inertia: 1, position: [0, 0.5], angle: pi/2, points: {p: [-0.5, 0], q: [0.5, "
    "0]}}\n"
    "  b: {mass: 1, inertia: 1, position: [1, 1], points: {p: [-1, 0], q: [1, 0]}}\n"
    "  c: {mass: 1, inertia: 1, position: [2, 0.5], angle: pi/2, points: {p: [-0.5, 0], q: [0.5, "
    "0]}}\n",
    "  A: {type: revolute, between: [ground, a.p]}\n"
    "  B: {type: revolute, between: [a.q, b.p]}\n"
    "  C: {type: revolute, between: [b.q, c.q]}\n"
    "  D: {type: revolute, between: [[2, 0], c.p]}\n",
    "  motor: {joint: A, angle: pi/2 + t}\n"};

static void a_flat_parallelogram_is_singular(void **unused)
{
    (void)unused;
    static const int links[] = {2, 60, 200};
    for (int i = 0; i < 3; i++) {
        lmb_model *m = chain(links[i], true, 2, parallelogram);
        lmb_kinematics *k = start(m);
        for (int step = 1; step <= 5; step++)
            assert_ok(lmb_kinematics_advance(k, 0.1 * step * LMB_PI));
        assert_int_equal(messages_with("singular position at t = 1.5708"), 1);
        assert_int_equal(messages_with("singular position"), 1);
        /* joints that close to 1e-11 leave angles uncertain by its square root there */
        assert_close(body(k->solver, "c")->q[2], LMB_PI, 1e-5);
        assert_ok(lmb_kinematics_advance(k, 0.6 * LMB_PI));
        assert_close(body(k->solver, "c")->q[2], 1.1 * LMB_PI, 1e-9); /* the smooth motion */
        lmb_kinematics_free(k);
        lmb_model_free(m);
    }
}

/* A slider-crank driven by its slider: at its dead centre the crank could go either way. With
 * x = r + l - (t - 1)^2/10 near it, x = r + l - r (1 + r/l) phi^2/2 to second order: phi passes
 * through zero at the rate sqrt(0.2/(r (1 + r/l))). */
static void a_dead_centre_is_singular(void **unused)
{
    (void)unused;
    lmb_model *m = model_of_text(
        "limber: 1\ndimension: 2\nparameters: {r: 0.2, l: 0.5}\n"
        "bodies:\n"
        "  crank: {mass: 1, position: [0.1, 0.05], angle: -0.4, points: {o: [-r/2, 0], b: [r/2, "
        "0]}}\n"
        "  rod: {mass: 1, position: [0.4, 0], angle: 0.1, points: {b: [-l/2, 0], c: [l/2, 0]}}\n"
        "  slider: {mass: 1, position: [r + l - 0.01, 0]}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground, crank.o]}\n"
        "  pin: {type: revolute, between: [crank.b, rod.b]}\n"
        "  wrist: {type: revolute, between: [rod.c, slider]}\n"
        "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
        "drivers: {push: {joint: guide, offset: r + l - 0.1*(t - 1)^2}}\n");
    lmb_kinematics *k = start(m);
    for (int i = 1; i <= 10; i++)
        assert_ok(lmb_kinematics_advance(k, 0.1 * i));
    assert_int_equal(messages_with("singular position at t = 1 "), 1);
    /* the velocity is that of the last instant continued: off by phi''' h^2/2, h = 0.1 */
    assert_close(fabs(body(k->solver, "crank")->v[2]), sqrt(0.2 / (0.2 * 1.4)), 1e-2);
    lmb_kinematics_free(k);
    lmb_model_free(m);
}

/* --- branch points in a check ----------------------------------------------------------------- */

static const char flat[] =
    "limber: 1\ndimension: 2\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, position: [-0.5, 0], angle: pi, points: {p: [-0.5, 0], q: [0.5, "
    "0]}}\n"
    "  b: {mass: 1, inertia: 1, position: [0, 0], points: {p: [-1, 0], q: [1, 0]}}\n"
    "  c: {mass: 1, inertia: 1, position: [1.5, 0], angle: pi, points: {p: [-0.5, 0], q: [0.5, "
    "0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, a.p]}\n"
    "  B: {type: revolute, between: [a.q, b.p]}\n"
    "  C: {type: revolute, between: [b.q, c.q]}\n"
    "  D: {type: revolute, between: [[2, 0], c.p]}\n";

static void check_promises_nothing_at_a_branch_point(void **unused)
{
    (void)unused;
    char driven[2000];
    lmb_mobility counts;
    snprintf(driven, sizeof driven, "%sdrivers: {motor: {joint: A, angle: pi + t}}\n", flat);
    for (int i = 0; i < 2; i++) {
        lmb_model *m = model_of_text(i ? driven : flat);
        lmb_messages_clear(context);
        assert_ok(lmb_check(context, m, &counts));
        assert_int_equal(counts.redundant, 1);
        assert_int_equal(messages_with("in this position only, a branch point"), 1);
        assert_int_equal(messages_with("the motion is not affected"), 0);
        lmb_model_free(m);
    }
    /* Bricard's mechanism has a redundant constraint wherever it is, and moves all the same */
    lmb_model *m = model_of_example("bricard", NULL, NULL);
    lmb_messages_clear(context);
    assert_ok(lmb_check(context, m, &counts));
    assert_int_equal(counts.redundant, 1);
    assert_int_equal(messages_with("the motion is not affected"), 1);
    assert_int_equal(messages_with("branch point"), 0);
    lmb_model_free(m);
}

/* --- many free bodies ------------------------------------------------------------------------- */

static void many_free_bodies_are_counted(void **unused)
{
    (void)unused;
    lmb_mobility counts;
    lmb_model *m = model_of_text("limber: 1\ndimension: 3\nbodies:\n"
                                 "  b{i}: {repeat: {i: [1, 2500]}, mass: 1, inertia: [1, 1, 1], "
                                 "position: [i, 0, 0]}\n");
    lmb_messages_clear(context);
    assert_ok(lmb_check(context, m, &counts));
    assert_int_equal(lmb_message_count(context), 0);
    assert_int_equal(counts.coordinates, 15000);
    assert_int_equal(counts.free, 15000);
    assert_int_equal(counts.free_undriven, 15000);
    assert_int_equal(counts.redundant, 0);
    lmb_model_free(m);
}

/* --- bodies without mass ---------------------------------------------------------------------- */

/* A load on a link without mass swings as the load alone about the same hinge; steps are accurate
 * to 1e-9, some hundred of them. */
static void massless_bodies_move_with_others(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  link: {mass: 0, position: [0.5, 0], points: {o: [-0.5, 0], b: [0.5, 0]}}\n"
        "  load: {mass: 2, inertia: 0.1, position: [1, 0]}\n"
        "joints:\n"
        "  hinge: {type: revolute, between: [ground, link.o]}\n"
        "  weld: {type: fixed, between: [link.b, load]}\n",
        "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies: {load: {mass: 2, inertia: 0.1, position: [1, 0], points: {o: [-1, 0]}}}\n"
        "joints: {hinge: {type: revolute, between: [ground, load.o]}}\n"};
    double angle[2];
    for (int i = 0; i < 2; i++) {
        lmb_model *m = model_of_text(texts[i]);
        lmb_integration options = {.integrator = &lmb_integrator_rk45, .tolerance = 1e-9};
        lmb_dynamics *d = start_motion(m, options);
        advance(d, 1);
        angle[i] = body(d->solver, "load")->q[2];
        finish(d, m);
    }
    assert_close(angle[0], angle[1], 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_chains_are_not_singular),
        cmocka_unit_test(a_flat_parallelogram_is_singular),
        cmocka_unit_test(a_dead_centre_is_singular),
        cmocka_unit_test(check_promises_nothing_at_a_branch_point),
        cmocka_unit_test(many_free_bodies_are_counted),
        cmocka_unit_test(massless_bodies_move_with_others),
    };
    return cmocka_run_group_tests_name("singular positions", tests, open_models, close_models);
}
