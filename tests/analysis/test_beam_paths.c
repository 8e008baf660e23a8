/* Beams with large deformation: buckling and post-buckling against the theory of Euler, and modes
 * of many coordinates.
 *
 * The beam is all but inextensible and rigid in shear: P / EA is 3e-6, by which critical loads and
 * positions differ from those of the inextensible column. Sixteen elements are good to 1e-6 there.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "elastica.h"
#include "models.h"
#include "support.h"

enum { MOST = 400 };

static struct {
    int count, critical[MOST];
    double load[MOST];
    vec3 tip[MOST];
} path;

static lmb_status take(void *unused, const lmb_state *s, double at, const double *more)
{
    (void)unused, (void)at;
    assert_true(path.count < MOST);
    path.load[path.count] = more[0];
    path.critical[path.count] = (int)more[2];
    path.tip[path.count++] = s->frames[s->model->points[1].marker].p;
    return LMB_OK;
}

/* A cantilever of length 1 along x: bending stiffness 100 in one plane and 200 in the other, mass
 * 1; pushed by the load of Euler, and by a part of it across. */
static lmb_model *column(int elements, double across, const char *analysis)
{
    char text[2048];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 3\nparameters: {EI: 100, P: pi^2*EI/4}\nbodies:\n  beam:\n"
             "    beam:\n      from: [0, 0, 0]\n      to: [1, 0, 0]\n      deformation: large\n"
             "      elements: %d\n      y_axis: [0, 1, 0]\n      stiffness:\n"
             "        - [1e8, 0, 0, 0, 0, 0]\n        - [0, 1e8, 0, 0, 0, 0]\n"
             "        - [0, 0, 1e8, 0, 0, 0]\n        - [0, 0, 0, 100, 0, 0]\n"
             "        - [0, 0, 0, 0, EI, 0]\n        - [0, 0, 0, 0, 0, 2*EI]\n      mass:\n"
             "        - [1, 0, 0, 0, 0, 0]\n        - [0, 1, 0, 0, 0, 0]\n"
             "        - [0, 0, 1, 0, 0, 0]\n        - [0, 0, 0, 2e-6, 0, 0]\n"
             "        - [0, 0, 0, 0, 1e-6, 0]\n        - [0, 0, 0, 0, 0, 1e-6]\n"
             "    interfaces: {root: start, tip: end}\n"
             "joints: {clamp: {type: fixed, between: [ground, beam.root]}}\n"
             "forces: {push: {type: force, at: beam.tip, force: [-P, 0, %g*P]}}\n"
             "analyses: {a: {%s}}\n",
             elements, across, analysis);
    return model_of_text(text);
}

static lmb_solver *assembled(const lmb_model *m)
{
    lmb_solver *s;
    lmb_rank rank;
    assert_ok(lmb_solver_new(&s, context, m));
    assert_ok(lmb_assemble(s));
    assert_ok(lmb_find_rank(s, &rank));
    return s;
}

static void follow(const lmb_model *m)
{
    lmb_solver *s = assembled(m);
    const lmb_analysis *a = &m->analyses[0];
    path.count = 0;
    assert_string_equal(m->points[1].name, "beam.tip");
    assert_ok(a->kind->solve(s, a));
    assert_ok(a->kind->rows(s, a, take, NULL));
    lmb_solver_free(s);
}

/* It buckles first at P = pi^2 EI / (4 L^2), then in the stiffer plane at twice that, and at nine
 * times in its second mode. */
static void a_column_buckles_at_the_load_of_euler(void **unused)
{
    (void)unused;
    static const double expected[] = {1, 2, 9};
    for (int arc = 0; arc < 2; arc++) {
        lmb_model *m = column(16, 0,
                              arc ? "type: statics, follow: arc, load: 10"
                                  : "type: statics, follow: load, load: 10, steps: 5");
        int found = 0;
        follow(m);
        for (int i = 0; i < path.count; i++)
            if (path.critical[i]) {
                assert_true(found < 3 && path.critical[i] == 2);
                /* of the second mode, elements of a ninth of its length */
                assert_close(path.load[i] / expected[found], 1, found == 2 ? 5e-5 : 5e-6);
                found++;
            }
        assert_int_equal(found, 3);
        lmb_model_free(m);
    }
}

/* Pushed a little across too, it bends aside near the load of Euler and goes far beyond: at every
 * point of the path the tip is that of the elastica, whose angle at the tip is found by bisection.
 * The less it is pushed across, the sharper the bend, beside which the upright column is another
 * path. */
static void it_follows_the_elastica(void **unused)
{
    (void)unused;
    static const double pushes[] = {1e-3, 1e-6};
    for (int p = 0; p < 2; p++) {
        double beta = atan(pushes[p]);
        lmb_model *m = column(16, pushes[p], "type: statics, follow: arc, load: 3");
        follow(m);
        for (int i = 0; i < path.count; i++) {
            double P = path.load[i] * LMB_PI * LMB_PI / 4 / cos(beta), low = beta, high = 3.1, x, y;
            for (int n = 0; n < 60; n++) {
                double angle = (low + high) / 2;
                *(elastica(P, angle, beta, &x, &y) < beta ? &low : &high) = angle;
            }
            assert_int_equal(path.critical[i], 0);
            /* near the bend a load that differs by 3e-6 bends it by the root of that */
            double near = fabs(path.load[i] - 1) < 0.01 ? 2e-3 : 2e-5;
            assert_close(path.tip[i].x, x, 2e-5);
            assert_close(path.tip[i].z, y, near);
        }
        assert_true(path.count > 20 && path.load[path.count - 1] == 3);
        assert_true(path.tip[path.count - 1].x < -0.2);
        lmb_model_free(m);
    }
}

/* w = (b / L)^2 sqrt(EI / m), cosh b cos b = -1, in each plane; of 80 elements. Inertia of rotation
 * lowers w^2 by some J / m (b / L)^2, 6e-5 of the third mode. */
static void a_beam_of_many_nodes_has_the_modes_of_the_textbook(void **unused)
{
    (void)unused;
    static const double b[] = {1.87510406871196, 4.69409113297417, 7.85475743823761};
    lmb_model *m = column(80, 0, "type: modes, without: [push]");
    lmb_mode_list list;
    lmb_solver *s = assembled(m);
    lmb_switch_absent(s->state, &m->analyses[0].without);
    assert_ok(lmb_find_equilibrium(s));
    assert_true(m->nv > LMB_MODES_DENSE);
    assert_ok(lmb_find_some_modes(s, 0, 6, &list));
    assert_int_equal(list.count, 6);
    for (int plane = 0; plane < 2; plane++)
        for (int i = 0; i < 3; i++) {
            double w = b[i] * b[i] * sqrt(plane ? 200 : 100), nearest = INFINITY;
            for (int k = 0; k < list.count; k++)
                nearest = fmin(nearest, fabs(2 * LMB_PI * list.modes[k].frequency / w - 1));
            assert_true(nearest < 2e-4);
        }
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_buckles_at_the_load_of_euler),
        cmocka_unit_test(it_follows_the_elastica),
        cmocka_unit_test(a_beam_of_many_nodes_has_the_modes_of_the_textbook),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
