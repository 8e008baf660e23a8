/* Static equilibrium of models with thousands of coordinates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/mobility.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "support.h"

static const double g = 10;

/* A cantilever of `count` rods of length 1 and mass 1, hinged with torsion springs. */
static lmb_model *cantilever(int count, double stiffness)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "limber: 1\ndimension: 2\ngravity: [0, %g]\nbodies:\n", -g);
    for (int i = 0; i < count; i++)
        fprintf(f,
                "  b%d: {mass: 1, inertia: 0.1, position: [%g, 0], points: {a: [-0.5, 0], b: "
                "[0.5, 0]}}\n",
                i, i + 0.5);
    fprintf(f, "joints:\n  j0: {type: revolute, between: [ground, b0.a]}\n");
    for (int i = 1; i < count; i++)
        fprintf(f, "  j%d: {type: revolute, between: [b%d.b, b%d.a]}\n", i, i - 1, i);
    if (stiffness > 0)
        fprintf(f, "forces:\n");
    for (int i = 0; i < count && stiffness > 0; i++)
        fprintf(f, "  t%d: {type: torsion-spring, joint: j%d, stiffness: %g}\n", i, i, stiffness);
    fclose(f);
    lmb_model *m = model_of_text(text);
    free(text);
    return m;
}

/* Each spring carries the moment of the weight beyond it: k (theta_i - theta_i-1) = -sum g (x_j -
 * X_i). The forces left over are 1e-11 of the largest, the weight of all, and act at arms of up to
 * the whole length. */
static void a_long_cantilever_carries_its_weight(void **unused)
{
    (void)unused;
    enum { COUNT = 3000 };
    const double stiffness = 1e6;
    lmb_model *m = cantilever(COUNT, stiffness);
    lmb_solver *s = at_rest(m);
    const double *q = s->state->q;
    double moment = 0, weight = 0, worst = 0;
    for (int i = COUNT - 1; i >= 0; i--) { /* moment of the weight beyond joint i about it */
        double half = cos(q[3 * i + 2]) / 2;
        moment += 2 * half * weight + half * g;
        weight += g;
        double bend = q[3 * i + 2] - (i ? q[3 * i - 1] : 0);
        worst = fmax(worst, fabs(stiffness * bend + moment));
    }
    assert_true(worst < 1e-11 * (COUNT * g) * COUNT);
    assert_true(moment > 100 * stiffness / COUNT); /* it is bent by far more than is small */
    assert_true(q[3 * COUNT - 1] < -LMB_PI / 2 + 0.01);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* A chain without stiffness falls from the horizontal until it hangs: tensions are the weights
 * below. */
static void a_long_chain_hangs_down(void **unused)
{
    (void)unused;
    enum { COUNT = 60 };
    lmb_model *m = cantilever(COUNT, 0);
    lmb_solver *s = at_rest(m);
    for (int i = 0; i < COUNT; i++) {
        lmb_frame f = lmb_row_force(s->state, m->joints[i].row, 2, m->joints[i].pair, true);
        assert_close(f.p.y, g * (COUNT - i), 1e-8);
        assert_close(s->state->q[3 * i], 0, 1e-8);
    }
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_cantilever_carries_its_weight),
        cmocka_unit_test(a_long_chain_hangs_down),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
