/* Structures that snap through: the load at given deflections, which a driver prescribes, and the
 * limit load of a path. Converged values of an independent implementation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "models.h"
#include "motions.h"
#include "support.h"

/* --- models: `load` is a force or a driver that pushes down at the point "top" ---------------- */

/* An arch of 215 degrees, R = 100, EI = 1e6, EA = 1e8, GA = 5e7, clamped on the right and hinged on
 * the left, loaded on top (DaDeppo and Schmidt). */
static lmb_model *arch(const char *load)
{
    char text[1200];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\nparameters: {a: 107.5*deg, R: 100}\nbodies:\n  b:\n"
             "    beam: {arc: {centre: [0, 0], radius: R, start: [sin(a), cos(a)], angle: 2*a},"
             " deformation: large, order: 3, elements: 24, stiffness: [1e8, 5e7, 1e6],"
             " mass: [1, 1, 1]}\n    interfaces: {right: start, top: {at: [0, R]}, left: end}\n"
             "joints:\n  clamp: {type: fixed, between: [[R*sin(a), R*cos(a)], b.right]}\n"
             "  hinge: {type: revolute, between: [[-R*sin(a), R*cos(a)], b.left]}\n%s",
             load);
    return model_of_text(text);
}

/* Lee's frame, loaded beside its corner. */
static lmb_model *frame(const char *load)
{
    char text[1000];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\nbodies:\n  b:\n"
             "    beam: {along: [[0, 0], [0, 120], [120, 120]], deformation: large, order: 3,"
             " elements: 20, stiffness: [4.32e7, 1e10, 1.44e7], mass: [1, 1, 1]}\n"
             "    interfaces: {foot: start, top: {at: [24, 120]}, end: end}\n"
             "joints:\n  foot: {type: revolute, between: [ground, b.foot]}\n"
             "  end: {type: revolute, between: [[120, 120], b.end]}\n%s",
             load);
    return model_of_text(text);
}

/* --- loads ------------------------------------------------------------------------------------ */

/* The load that holds the top of a structure of a height at a deflection, from the equilibrium with
 * a driver: the multiplier of its row. */
static double load_at(lmb_model *(*structure)(const char *), double height, double deflection)
{
    char driver[120];
    snprintf(driver, sizeof driver,
             "drivers: {push: {point: b.top, direction: [0, -1], offset: %g}}\n",
             deflection - height);
    lmb_model *m = structure(driver);
    lmb_solver *s = at_rest(m);
    double load = fabs(s->state->lambda[m->nrows - 1]);
    assert_close(point(s, "b.top").y, height - deflection, 1e-12);
    if (getenv("LIMBER_SHOW"))
        printf("deflection %g: load %.5f\n", deflection, load);
    lmb_solver_free(s);
    lmb_model_free(m);
    return load;
}

static void loads_at_deflections(void **unused)
{
    (void)unused;
    assert_true(fabs(load_at(arch, 100, 20) - 348.490) < 1e-3);
    assert_true(fabs(load_at(arch, 100, 50) - 554.186) < 1e-3);
    assert_true(fabs(load_at(frame, 120, 20) - 13457.90) < 1e-2);
    assert_true(fabs(load_at(frame, 120, 40) - 17807.81) < 1e-2);
}

/* The load factor of the first critical point. */
static lmb_status take(void *user, const lmb_state *s, double at, const double *more)
{
    (void)s, (void)at;
    double *limit = user;
    if (more[2] != 0 && *limit == 0)
        *limit = more[0];
    return LMB_OK;
}

static double limit_of(lmb_model *m)
{
    const lmb_analysis *a = &m->analyses[0];
    lmb_solver *s;
    lmb_rank rank;
    double limit = 0;
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    assert_ok(a->kind->solve(s, a));
    assert_ok(a->kind->rows(s, a, take, &limit));
    lmb_solver_free(s);
    lmb_model_free(m);
    return limit;
}

/* P R^2 / EI = 8.972 of the arch (published: 8.95 to 8.97), 18556.71 of the frame. */
static void limit_loads(void **unused)
{
    (void)unused;
    const char load[] = "forces: {load: {type: force, at: b.top, force: [0, -%d]}}\n"
                        "analyses: {snap: {type: statics, follow: arc, load: 1}}\n";
    char text[200];
    snprintf(text, sizeof text, load, 1000);
    assert_true(fabs(10 * limit_of(arch(text)) - 8.972) < 1e-3);
    snprintf(text, sizeof text, load, 20000);
    assert_true(fabs(20000 * limit_of(frame(text)) - 18556.71) < 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_at_deflections),
        cmocka_unit_test(limit_loads),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
