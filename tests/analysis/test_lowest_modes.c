/* The lowest modes of models with more than a few hundred coordinates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "models.h"
#include "motions.h"
#include "support.h"

enum { COUNT = 1000, MODES = 12 };

/* Masses of 2 kg in a row in slots, with springs of 1000 N/m between them, and at both ends if they
 * are held; every spring has a damper. */
static lmb_model *masses(bool held, double damping)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f,
            "limber: 1\ndimension: 2\nbodies:\n"
            "  p{i}: {repeat: {i: [1, %d]}, type: particle, mass: 2, position: [i, 0]}\n"
            "joints:\n  r{i}: {repeat: {i: [1, %d]}, type: slot, between: [ground, \"p{i}\"], "
            "axis: [1, 0]}\nforces:\n",
            COUNT, COUNT);
    fprintf(f,
            "  s{i}: {repeat: {i: [2, %d]}, type: spring, between: [\"p{i-1}\", \"p{i}\"], "
            "stiffness: 1000, damping: %g}\n",
            COUNT, damping);
    if (held)
        fprintf(f,
                "  a: {type: spring, between: [ground, p1], stiffness: 1000, damping: %g}\n"
                "  b: {type: spring, between: [p%d, [%d, 0]], stiffness: 1000, damping: %g}\n",
                damping, COUNT, COUNT + 1, damping);
    fclose(f);
    lmb_model *m = model_of_text(text);
    free(text);
    return m;
}

/* w = 2 sqrt(k / m) sin(i pi / (2 N + 2)), shapes sin(i j pi / (N + 1)). Eigenvalues 1 / w2 are
 * good to 1e-13 of the largest, the first: w to 1e-13 times (w / w1)^2, below 200. */
static void a_long_chain_has_the_frequencies_of_the_textbook(void **unused)
{
    (void)unused;
    lmb_model *m = masses(true, 0);
    lmb_solver *s = at_rest(m);
    lmb_mode_list list;
    assert_true(lmb_modes_are_symmetric(s));
    assert_ok(lmb_find_some_modes(s, 0, MODES, &list));
    assert_int_equal(list.count, MODES);
    for (int i = 0; i < MODES; i++) {
        const lmb_mode *mode = &list.modes[i];
        double w = 2 * sqrt(500) * sin((i + 1) * LMB_PI / (2 * COUNT + 2));
        assert_close(mode->frequency / (w / (2 * LMB_PI)), 1, 2e-11);
        assert_true(mode->damping == 0 && !mode->rigid);
        double sign = mode->shape[0] > 0 ? 1 : -1, factor = sqrt(2.0 / (COUNT + 1) / 2);
        for (int k = 0; k < COUNT; k += 37) /* vectors are good to the root of that */
            assert_close(sign * mode->shape[2 * k],
                         factor * sin((i + 1) * (k + 1) * LMB_PI / (COUNT + 1)), 1e-7);
    }
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* A chain that nothing holds moves as a whole: one rigid mode, and w = 2 sqrt(k / m) sin(i pi / 2
 * N) after it. K is singular, so that eigenvalues are seen from a shift. */
static void a_free_chain_has_a_rigid_mode(void **unused)
{
    (void)unused;
    lmb_model *m = masses(false, 0);
    lmb_solver *s = at_rest(m);
    lmb_mode_list list;
    assert_ok(lmb_find_some_modes(s, 0, 0, &list));
    assert_int_equal(list.count, LMB_MODES_LARGE);
    assert_true(list.modes[0].rigid && list.modes[0].frequency == 0);
    for (int i = 1; i < MODES; i++) {
        double w = 2 * sqrt(500) * sin(i * LMB_PI / (2 * COUNT));
        assert_false(list.modes[i].rigid);
        assert_close(list.modes[i].frequency / (w / (2 * LMB_PI)), 1, 1e-9);
    }
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* Damping proportional to stiffness, C = K c / k: s = -b +- i sqrt(w^2 - b^2), b = w^2 c / (2 k).
 */
static void proportional_damping_is_exact(void **unused)
{
    (void)unused;
    const double c = 30000; /* the lowest mode is damped by 1.05 of the critical one */
    lmb_model *m = masses(true, c);
    lmb_solver *s = at_rest(m);
    lmb_mode_list list;
    assert_ok(lmb_find_some_modes(s, 0, MODES, &list));
    for (int i = 0; i < MODES; i++) {
        double w = 2 * sqrt(500) * sin((i + 1) * LMB_PI / (2 * COUNT + 2));
        double b = w * w * c / 2000, square = w * w - b * b;
        assert_true((i == 0) == (square > 0) || i < 1);
        if (square > 0) {
            assert_close(list.modes[i].real / -b, 1, 1e-7);
            assert_close(list.modes[i].imaginary / sqrt(square), 1, 1e-7);
        } else {
            assert_close(list.modes[i].real / (-w * w / (b + sqrt(-square))), 1, 1e-7);
            assert_true(list.modes[i].imaginary == 0);
        }
    }
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
}

/* A cantilever of rods bent by its weight: the same modes as of the dense matrix. Its eigenvalues
 * are those of a matrix of the size w_max^2 whose vectors have parts 1 and w: good to rounding
 * times (w_max / w)^2, and w_max is below 2000. */
static void both_ways_agree(void **unused)
{
    (void)unused;
    enum { RODS = 30 };
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f,
            "limber: 1\ndimension: 2\ngravity: [0, -10]\nbodies:\n"
            "  b{i}: {repeat: {i: [1, %d]}, mass: 1, inertia: 0.1, position: [i - 0.5, 0], "
            "points: {a: [-0.5, 0], b: [0.5, 0]}}\n"
            "joints:\n  j1: {type: revolute, between: [ground, b1.a]}\n"
            "  j{i}: {repeat: {i: [2, %d]}, type: revolute, between: [\"b{i-1}.b\", \"b{i}.a\"]}\n"
            "forces:\n  t{i}: {repeat: {i: [1, %d]}, type: torsion-spring, joint: \"j{i}\", "
            "stiffness: 1e4}\n",
            RODS, RODS, RODS);
    fclose(f);
    lmb_model *m = model_of_text(text);
    free(text);
    lmb_solver *s = at_rest(m);
    lmb_mode_list lowest, all;
    assert_ok(lmb_find_lowest_modes(s, MODES, &lowest));
    assert_ok(lmb_find_modes(s, &all));
    for (int i = 0; i < MODES; i++)
        assert_close(lowest.modes[i].frequency / all.modes[i].frequency, 1,
                     2.2e-16 * pow(2000 / (2 * LMB_PI * all.modes[i].frequency), 2));
    lmb_mode_list_free(&lowest);
    lmb_mode_list_free(&all);
    lmb_solver_free(s);
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_chain_has_the_frequencies_of_the_textbook),
        cmocka_unit_test(a_free_chain_has_a_rigid_mode),
        cmocka_unit_test(proportional_damping_is_exact),
        cmocka_unit_test(both_ways_agree),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
