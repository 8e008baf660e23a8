/* Tables: polynomials they must reproduce, smoothness, derivatives, and what is outside. */
#include "support.h"

#include <math.h>

#include "math/table.h"

/* The coefficients of a piece come from a handful of operations on numbers of order 1 to 100, so
 * that a reproduced polynomial is good to a few hundred units of rounding (2e-16). */
static const double EXACT = 1e-13;

/* Central differences with step h = 1e-5: rounding 2e-16/h = 2e-11 and truncation h^2/6 times a
 * third derivative of up to 100 leave 2e-9. */
static const double DIFFERENCE = 1e-8;
static const double STEP = 1e-5;

static const double uneven[] = {-1, -0.4, 0.1, 1, 1.3, 2.5, 3};
enum { UNEVEN = sizeof uneven / sizeof *uneven };

static int start(void **state)
{
    *state = lmb_arena_new();
    return *state ? 0 : -1;
}

static int finish(void **state)
{
    lmb_arena_free(*state);
    return 0;
}

static double cubic(double x)
{
    return 2 - x + 0.5 * x * x - 3 * x * x * x;
}

static lmb_table *sample(lmb_arena *arena, lmb_table_kind kind, lmb_table_outside outside, int n,
                         const double *x, double (*f)(double))
{
    double y[64];
    for (int i = 0; i < n; i++)
        y[i] = f(x[i]);
    lmb_table *table = lmb_table_new(arena, kind, outside, n, x, y);
    assert_non_null(table);
    return table;
}

static void check_derivatives(const lmb_table *table, double x)
{
    double at[3], before[3], after[3];
    lmb_table_evaluate(table, x, at);
    lmb_table_evaluate(table, x - STEP, before);
    lmb_table_evaluate(table, x + STEP, after);
    assert_close(at[1], (after[0] - before[0]) / (2 * STEP), DIFFERENCE);
    assert_close(at[2], (after[1] - before[1]) / (2 * STEP), DIFFERENCE);
}

static void test_not_a_knot_reproduces_a_cubic(void **state)
{
    for (int n = 4; n <= UNEVEN; n++) {
        lmb_table *table = sample(*state, LMB_TABLE_CUBIC, LMB_TABLE_HOLD, n, uneven, cubic);
        for (double x = uneven[0]; x < uneven[n - 1]; x += 0.0625) {
            double y[3];
            lmb_table_evaluate(table, x, y);
            assert_close(y[0], cubic(x), EXACT);
            assert_close(y[1], -1 + x - 9 * x * x, EXACT);
            assert_close(y[2], 1 - 18 * x, 10 * EXACT);
        }
    }
}

static double parabola(double x)
{
    return 1 + 2 * x - 3 * x * x;
}

static double line(double x)
{
    return 3 - 2 * x;
}

static void test_few_points(void **state)
{
    double y[3];
    lmb_table *three = sample(*state, LMB_TABLE_CUBIC, LMB_TABLE_EXTEND, 3, uneven, parabola);
    lmb_table_evaluate(three, -0.2, y);
    assert_close(y[0], parabola(-0.2), EXACT);
    assert_close(y[1], 2 + 6 * 0.2, EXACT);
    assert_close(y[2], -6, EXACT);
    for (int kind = LMB_TABLE_LINEAR; kind <= LMB_TABLE_AKIMA; kind++) {
        lmb_table *two = sample(*state, (lmb_table_kind)kind, LMB_TABLE_EXTEND, 2, uneven, line);
        for (double x = -3; x < 3; x += 0.25) {
            lmb_table_evaluate(two, x, y);
            assert_close(y[0], line(x), EXACT);
            assert_close(y[1], -2, EXACT);
            assert_close(y[2], 0, EXACT);
        }
    }
}

static void test_points_are_met_and_pieces_join(void **state)
{
    for (int kind = LMB_TABLE_LINEAR; kind <= LMB_TABLE_AKIMA; kind++) {
        lmb_table *table =
            sample(*state, (lmb_table_kind)kind, LMB_TABLE_HOLD, UNEVEN, uneven, sin);
        for (int i = 0; i < UNEVEN; i++) {
            double at[3], before[3];
            lmb_table_evaluate(table, uneven[i], at);
            assert_close(at[0], sin(uneven[i]), EXACT);
            if (i == 0 || i == UNEVEN - 1)
                continue;
            /* the left side is one rounding of x away, which is far below the tolerance */
            lmb_table_evaluate(table, nextafter(uneven[i], -INFINITY), before);
            assert_close(before[0], at[0], EXACT);
            if (kind != LMB_TABLE_LINEAR)
                assert_close(before[1], at[1], EXACT);
            if (kind == LMB_TABLE_CUBIC)
                assert_close(before[2], at[2], 10 * EXACT);
        }
    }
}

/* At fourth order the error of the spline of a sine with 33 points is about
 * 5/384 (2 pi/32)^4 = 2e-5; near not-a-knot ends it is a few times that. */
static void test_spline_of_a_sine(void **state)
{
    double x[33], y[3];
    for (int i = 0; i < 33; i++)
        x[i] = 2 * acos(-1) * i / 32;
    lmb_table *open = sample(*state, LMB_TABLE_CUBIC, LMB_TABLE_HOLD, 33, x, sin);
    lmb_table *closed = sample(*state, LMB_TABLE_CUBIC, LMB_TABLE_PERIODIC, 33, x, sin);
    for (double u = 0; u < 6.28; u += 0.01) {
        lmb_table_evaluate(open, u, y);
        assert_close(y[0], sin(u), 1e-4);
        lmb_table_evaluate(closed, u + 4 * acos(-1), y);
        assert_close(y[0], sin(u), 2e-5);
    }
}

static void test_linear(void **state)
{
    const double x[] = {0, 1, 3}, y[] = {1, 3, -1};
    double out[3];
    lmb_table *table = lmb_table_new(*state, LMB_TABLE_LINEAR, LMB_TABLE_EXTEND, 3, x, y);
    lmb_table_evaluate(table, 0.25, out);
    assert_close(out[0], 1.5, EXACT);
    assert_close(out[1], 2, EXACT);
    lmb_table_evaluate(table, 1, out);
    assert_close(out[0], 3, 0);
    lmb_table_evaluate(table, 4, out);
    assert_close(out[0], -3, EXACT);
    assert_close(out[1], -2, EXACT);
    lmb_table_evaluate(table, -1, out);
    assert_close(out[0], -1, EXACT);
    assert_close(out[2], 0, 0);
}

static void test_akima(void **state)
{
    double out[3];
    lmb_table *straight = sample(*state, LMB_TABLE_AKIMA, LMB_TABLE_EXTEND, UNEVEN, uneven, line);
    for (double x = -2; x < 4; x += 0.1) {
        lmb_table_evaluate(straight, x, out);
        assert_close(out[0], line(x), EXACT);
        assert_close(out[1], -2, EXACT);
    }

    /* chords -1, 2, -1, 1 with -7, -4 before and 3, 5 after: by hand the slopes are 0.5 at x = 1
     * (equal weights 3), (2*2 + 3*(-1))/5 = 0.2 at 2 and (2*(-1) + 3*1)/5 = 0.2 at 3 */
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 0, 2, 1, 2}, slopes[] = {0.5, 0.2, 0.2};
    lmb_table *table = lmb_table_new(*state, LMB_TABLE_AKIMA, LMB_TABLE_HOLD, 5, x, y);
    for (int i = 0; i < 3; i++) {
        lmb_table_evaluate(table, i + 1, out);
        assert_close(out[1], slopes[i], EXACT);
    }
    /* halfway a cubic is the mean of its ends plus (s0 - s1) h/8 */
    lmb_table_evaluate(table, 1.5, out);
    assert_close(out[0], 1 + 0.3 / 8, EXACT);

    /* flat, then a jump, then flat: nothing swings over */
    const double flat[] = {0, 0, 0, 1, 1, 1}, at[] = {0, 1, 2, 3, 4, 5};
    lmb_table *jump = lmb_table_new(*state, LMB_TABLE_AKIMA, LMB_TABLE_HOLD, 6, at, flat);
    for (double u = 0; u <= 5; u += 0.05) {
        lmb_table_evaluate(jump, u, out);
        assert_true(out[0] >= -EXACT && out[0] <= 1 + EXACT);
    }
}

static double wave(double x)
{
    return sin(x) + 0.3 * cos(2 * x);
}

static void test_periodic_seam(void **state)
{
    const double share[] = {0, 0.1, 0.25, 0.4, 0.55, 0.8, 1};
    for (int n = 3; n <= 7; n++) {
        double x[7], y[7], left[3], right[3], far[3];
        for (int i = 0; i < n; i++) {
            x[i] = 1 + 2 * acos(-1) * (i == n - 1 ? 1 : share[i]);
            y[i] = wave(x[i]);
        }
        y[n - 1] = y[0];
        for (int kind = LMB_TABLE_CUBIC; kind <= LMB_TABLE_AKIMA; kind++) {
            lmb_table *table =
                lmb_table_new(*state, (lmb_table_kind)kind, LMB_TABLE_PERIODIC, n, x, y);
            lmb_table_evaluate(table, x[n - 1], left);
            lmb_table_evaluate(table, x[0], right);
            assert_close(left[0], right[0], EXACT);
            assert_close(left[1], right[1], EXACT);
            if (kind == LMB_TABLE_CUBIC)
                assert_close(left[2], right[2], 10 * EXACT);
            lmb_table_evaluate(table, x[0] + 0.7, right);
            lmb_table_evaluate(table, x[0] + 0.7 - 6 * acos(-1), far);
            for (int k = 0; k < 3; k++)
                assert_close(far[k], right[k], 10 * EXACT);
        }
    }
    const double x[] = {0, 1}, y[] = {2, 2};
    double out[3];
    lmb_table_evaluate(lmb_table_new(*state, LMB_TABLE_AKIMA, LMB_TABLE_PERIODIC, 2, x, y), 7.3,
                       out);
    assert_close(out[0], 2, 0);
}

static void test_outside(void **state)
{
    double end[3], out[3];
    for (int kind = LMB_TABLE_LINEAR; kind <= LMB_TABLE_AKIMA; kind++) {
        lmb_table *hold = sample(*state, (lmb_table_kind)kind, LMB_TABLE_HOLD, UNEVEN, uneven, sin);
        lmb_table *extend =
            sample(*state, (lmb_table_kind)kind, LMB_TABLE_EXTEND, UNEVEN, uneven, sin);
        lmb_table_evaluate(hold, 5, out);
        assert_close(out[0], sin(3), 0);
        assert_close(out[1], 0, 0);
        lmb_table_evaluate(hold, -INFINITY, out);
        assert_close(out[0], sin(-1), 0);
        for (int side = -1; side <= 1; side += 2) {
            double x = side < 0 ? -1 : 3;
            lmb_table_evaluate(extend, x, end);
            lmb_table_evaluate(extend, x + 2 * side, out);
            assert_close(out[0], end[0] + 2 * side * end[1], EXACT);
            assert_close(out[1], end[1], EXACT);
            assert_close(out[2], 0, 0);
        }
    }
}

static void test_derivatives(void **state)
{
    for (int kind = LMB_TABLE_LINEAR; kind <= LMB_TABLE_AKIMA; kind++) {
        lmb_table *table =
            sample(*state, (lmb_table_kind)kind, LMB_TABLE_EXTEND, UNEVEN, uneven, wave);
        /* none of these is within a step of a point, where only the cubic is smooth */
        for (double x = -1.53; x < 3.5; x += 0.1)
            check_derivatives(table, x);
    }
}

/* A sum of harmonics is its own series, whatever period of it is sampled. */
static double harmonics(double x)
{
    return 0.7 + 2 * cos(x - 0.4) - 0.3 * sin(3 * x) + 0.1 * cos(5 * x);
}

static void test_fourier_reproduces_harmonics(void **state)
{
    enum { POINTS = 25 };
    const double period = 2 * acos(-1);
    double x[POINTS], y[POINTS], out[3];
    for (int i = 0; i < POINTS; i++) {
        x[i] = 1.3 + period * i / (POINTS - 1);
        y[i] = harmonics(x[i]);
    }
    lmb_table *all = lmb_table_fourier(*state, POINTS, x, y, 11);
    lmb_table *low = lmb_table_fourier(*state, POINTS, x, y, 1);
    lmb_table *mean = lmb_table_fourier(*state, POINTS, x, y, 0);
    for (double at = -7; at < 15; at += 0.37) {
        lmb_table_evaluate(all, at, out);
        assert_close(out[0], harmonics(at), EXACT);
        check_derivatives(all, at);
        lmb_table_evaluate(low, at, out);
        assert_close(out[0], 0.7 + 2 * cos(at - 0.4), EXACT);
        lmb_table_evaluate(mean, at, out);
        assert_close(out[0], 0.7, EXACT);
    }
    /* of a record that does not close the mean of its ends counts */
    y[0] += 0.24;
    mean = lmb_table_fourier(*state, POINTS, x, y, 0);
    lmb_table_evaluate(mean, 0, out);
    assert_close(out[0], 0.7 + 0.24 / 2 / (POINTS - 1), EXACT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_knot_reproduces_a_cubic),
        cmocka_unit_test(test_few_points),
        cmocka_unit_test(test_points_are_met_and_pieces_join),
        cmocka_unit_test(test_spline_of_a_sine),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_akima),
        cmocka_unit_test(test_periodic_seam),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_fourier_reproduces_harmonics),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
