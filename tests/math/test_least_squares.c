/* Nonlinear least squares: a problem with certified answers, lines with answers in closed form,
 * bounds, unknowns that cannot be told apart, and functions that fail.
 *
 * The search ends where a step would lower S by less than 1e-15 S. With s^2 = S / (m - n) that is a
 * step of |dx| <= sqrt(1e-15 (m - n)) standard errors: what all tolerances are made of. */
#include "math/least_squares.h"

#include <math.h>

#include "support.h"

static double left(int values, int unknowns)
{
    return sqrt(1e-15 * (values - unknowns));
}

static lmb_arena *arena;

static int open_arena(void **unused)
{
    (void)unused;
    arena = lmb_arena_new();
    return arena ? 0 : -1;
}

static int close_arena(void **unused)
{
    (void)unused;
    lmb_arena_free(arena);
    return 0;
}

/* --- a certified problem ---------------------------------------------------------------------- */

/* Misra1a of the Statistical Reference Datasets of NIST (www.itl.nist.gov/div898/strd):
 * y = b1 (1 - exp(-b2 x)). */
enum { MISRA = 14 };
static const double misra_x[MISRA] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                      378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
static const double misra_y[MISRA] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                      44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};

static int misra(void *calls, const double *b, double *r, double *J)
{
    ++*(int *)calls;
    for (int i = 0; i < MISRA; i++) {
        double rest = exp(-b[1] * misra_x[i]);
        r[i] = b[0] * (1 - rest) - misra_y[i];
        if (J) {
            J[2 * i] = 1 - rest;
            J[2 * i + 1] = b[0] * misra_x[i] * rest;
        }
    }
    return 0;
}

static void the_certified_problem(void **unused)
{
    (void)unused;
    static const double starts[][2] = {{500, 0.0001}, {250, 0.0005}};
    static const double b[] = {2.3894212918e+02, 5.5015643181e-04};
    static const double deviations[] = {2.7070075241e+00, 7.2668688436e-06};
    for (int k = 0; k < 2; k++) {
        int calls = 0;
        double x[] = {starts[k][0], starts[k][1]};
        lmb_least_squares_task task = {.n = 2,
                                       .residuals = MISRA,
                                       .evaluate = misra,
                                       .user = &calls,
                                       .tolerance = 1e-12,
                                       .most = 100};
        lmb_least_squares l = lmb_least_squares_solve(&task, arena, x);
        assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
        assert_int_equal(l.rank, 2);
        for (int i = 0; i < 2; i++) { /* certified to eleven digits */
            double error = left(MISRA, 2) * deviations[i] + 1e-10 * b[i];
            if (!(fabs(x[i] - b[i]) <= error))
                fail_msg("b%d = %.12g, not %.12g", i + 1, x[i], b[i]);
            double found = sqrt(l.covariance[3 * i]);
            /* an error of x changes J by about as much of it */
            assert_true(fabs(found / deviations[i] - 1) <= 1e-8);
            assert_false(l.held[i]);
        }
        assert_true(fabs(l.sum / 1.2455138894e-01 - 1) <= 1e-10);
        for (int i = 0; i < MISRA; i++) { /* the residuals are those of the end */
            double r = x[0] * (1 - exp(-x[1] * misra_x[i])) - misra_y[i];
            assert_close(l.r[i], r, 1e-13);
        }
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

/* a + b t against y at t = 0 ... 4: the mean of t is 2 and the sum of (t - 2)^2 is 10. */
enum { POINTS = 5 };
static const double line_y[POINTS] = {1, 2.5, 2, 4.5, 5};

static int line(void *unused, const double *x, double *r, double *J)
{
    (void)unused;
    for (int i = 0; i < POINTS; i++) {
        r[i] = x[0] + x[1] * i - line_y[i];
        if (J) {
            J[2 * i] = 1;
            J[2 * i + 1] = i;
        }
    }
    return 0;
}

static lmb_least_squares fit_line(double *x, const double *lower, const double *upper)
{
    lmb_least_squares_task task = {.n = 2,
                                   .residuals = POINTS,
                                   .evaluate = line,
                                   .lower = lower,
                                   .upper = upper,
                                   .tolerance = 1e-12,
                                   .most = 100};
    return lmb_least_squares_solve(&task, arena, x);
}

/* Slope 10 / 10 = 1 through (2, 3): S = 0 + 0.25 + 1 + 0.25 + 0 = 1.5, s^2 = 0.5; variances
 * s^2 / 10 of the slope, s^2 (1/5 + 4/10) of the value at t = 0, covariance -2 s^2 / 10. */
static void a_line(void **unused)
{
    (void)unused;
    double x[] = {-7, 30};
    lmb_least_squares l = fit_line(x, NULL, NULL);
    assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
    assert_close(x[0], 1, left(POINTS, 2));
    assert_close(x[1], 1, left(POINTS, 2));
    assert_close(l.sum, 1.5, 1e-14);
    /* linear, so that J is exact and rounding is all */
    assert_close(l.covariance[3], 0.05, 1e-14);
    assert_close(l.covariance[0], 0.3, 1e-14);
    assert_close(l.covariance[1], -0.1, 1e-14);
    assert_close(l.covariance[2], -0.1, 1e-14);
}

/* With a slope of 0.8 at most: held there, a = 3 - 2 * 0.8, S = 1.5 + 10 * 0.2^2, and the variance
 * of a is S / 4 / 5. */
static void an_unknown_is_held_at_its_bound(void **unused)
{
    (void)unused;
    static const double lower[] = {-100, -3}, upper[] = {100, 0.8};
    for (int k = 0; k < 2; k++) {
        double x[] = {-7, k ? 0.8 : -3};
        lmb_least_squares l = fit_line(x, lower, upper);
        assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
        assert_true(x[1] == 0.8);
        assert_true(l.held[1] && !l.held[0]);
        assert_close(x[0], 1.4, left(POINTS, 1));
        assert_close(l.sum, 1.9, 1e-14);
        assert_int_equal(l.rank, 1);
        assert_close(l.covariance[0], 1.9 / 4 / 5, 1e-14);
        assert_true(l.covariance[1] == 0 && l.covariance[2] == 0 && l.covariance[3] == 0);
    }
}

/* Begun at bounds that do not matter, and with all unknowns held. */
static void bounds_are_left_and_can_hold_everything(void **unused)
{
    (void)unused;
    static const double low[] = {-5, -5}, high[] = {5, 5};
    for (int k = 0; k < 4; k++) {
        double x[] = {k & 1 ? -5 : 5, k & 2 ? -5 : 5};
        lmb_least_squares l = fit_line(x, low, high);
        assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
        assert_close(x[0], 1, left(POINTS, 2));
        assert_close(x[1], 1, left(POINTS, 2));
        assert_true(!l.held[0] && !l.held[1]);
    }
    static const double most[] = {0.5, 0.5}; /* S falls with both: slopes -7.5 and -20 */
    double x[] = {0, 0};
    lmb_least_squares l = fit_line(x, NULL, most);
    assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
    assert_true(x[0] == 0.5 && x[1] == 0.5 && l.held[0] && l.held[1]);
    assert_int_equal(l.rank, 0);
    assert_close(l.sum, 0.25 + 2.25 + 0.25 + 6.25 + 6.25, 1e-15); /* 0.5 1 1.5 2 2.5 less y */
}

/* --- unknowns that cannot be told apart ------------------------------------------------------- */

/* a b t against y: only the product counts, (sum of t y) / (sum of t^2) = 40 / 30. */
static int product(void *unused, const double *x, double *r, double *J)
{
    (void)unused;
    for (int i = 0; i < POINTS; i++) {
        r[i] = x[0] * x[1] * i - line_y[i];
        if (J) {
            J[2 * i] = x[1] * i;
            J[2 * i + 1] = x[0] * i;
        }
    }
    return 0;
}

static void a_product_does_not_tell_its_factors(void **unused)
{
    (void)unused;
    double x[] = {2, 3};
    lmb_least_squares_task task = {
        .n = 2, .residuals = POINTS, .evaluate = product, .tolerance = 1e-12, .most = 100};
    lmb_least_squares l = lmb_least_squares_solve(&task, arena, x);
    assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
    assert_close(x[0] * x[1], 40. / 30, left(POINTS, 1));
    assert_int_equal(l.rank, 1);
    /* one of them larger by as many parts as the other is smaller */
    assert_close(fabs(l.direction[0]), sqrt(0.5), 1e-12);
    assert_close(l.direction[0], -l.direction[1], 1e-12);
}

/* b does not matter at all: a is as well known as without it. */
static int without_b(void *unused, const double *x, double *r, double *J)
{
    (void)unused;
    for (int i = 0; i < POINTS; i++) {
        r[i] = x[0] - line_y[i];
        if (J) {
            J[2 * i] = 1;
            J[2 * i + 1] = 0;
        }
    }
    return 0;
}

static void an_unknown_that_does_not_matter_stays(void **unused)
{
    (void)unused;
    double x[] = {0, 17};
    lmb_least_squares_task task = {
        .n = 2, .residuals = POINTS, .evaluate = without_b, .tolerance = 1e-12, .most = 100};
    lmb_least_squares l = lmb_least_squares_solve(&task, arena, x);
    assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
    assert_close(x[0], 3, left(POINTS, 1));
    assert_true(x[1] == 17);
    assert_int_equal(l.rank, 1);
    assert_close(fabs(l.direction[1]), 1, 1e-15);
    assert_true(l.direction[0] == 0);
    /* S = 11.5; the count of unknowns is that of all */
    assert_close(l.covariance[0], 11.5 / 3 / 5, 1e-14);
    assert_true(isinf(l.covariance[3]));
}

/* --- ends ------------------------------------------------------------------------------------- */

/* The values of a decay without errors: S is 0 at its end, but for rounding of 1e-16 a value. */
static int decay(void *unused, const double *x, double *r, double *J)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        double t = 0.1 * i, rest = exp(-x[1] * t);
        r[i] = x[0] * rest - 3 * exp(-1.5 * t);
        if (J) {
            J[2 * i] = rest;
            J[2 * i + 1] = -x[0] * t * rest;
        }
    }
    return 0;
}

static void values_without_errors(void **unused)
{
    (void)unused;
    static const double starts[][2] = {{1, 0.1}, {3, 1.5}, {10, 6}, {0, 0}};
    for (int k = 0; k < 4; k++) {
        double x[] = {starts[k][0], starts[k][1]};
        lmb_least_squares_task task = {
            .n = 2, .residuals = 20, .evaluate = decay, .tolerance = 1e-10, .most = 200};
        lmb_least_squares l = lmb_least_squares_solve(&task, arena, x);
        assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
        /* a last step below 1e-10 of x, of a search that converges quadratically */
        assert_close(x[0], 3, 1e-10);
        assert_close(x[1], 1.5, 1e-10);
        assert_true(l.sum <= 1e-18);
    }
}

/* log(p) t against log(1/2) t: the first step from p = 10 goes to 10 (1 + log(1/20)) < 0, where
 * there is nothing. */
typedef struct watch {
    int calls, failures, last;
} watch;

static int logarithm(void *user, const double *x, double *r, double *J)
{
    watch *w = user;
    if (++w->calls == w->last)
        return -1;
    if (!(x[0] > 0)) {
        w->failures++;
        return 1;
    }
    for (int i = 0; i < POINTS; i++) {
        r[i] = (log(x[0]) - log(0.5)) * (i + 1);
        if (J)
            J[i] = (i + 1) / x[0];
    }
    return 0;
}

static lmb_least_squares fit_logarithm(watch *w, double *x)
{
    lmb_least_squares_task task = {.n = 1,
                                   .residuals = POINTS,
                                   .evaluate = logarithm,
                                   .user = w,
                                   .tolerance = 1e-10,
                                   .most = 100};
    return lmb_least_squares_solve(&task, arena, x);
}

static void where_there_is_nothing_a_step_is_shortened(void **unused)
{
    (void)unused;
    watch w = {0};
    double x[] = {10};
    lmb_least_squares l = fit_logarithm(&w, x);
    assert_true(w.failures > 0);
    assert_int_equal(l.end, LMB_SQUARES_CONVERGED);
    assert_close(x[0], 0.5, 1e-10);
    x[0] = -1;
    assert_int_equal(fit_logarithm(&w, x).end, LMB_SQUARES_FAILED);
    assert_true(x[0] == -1);
}

static void a_function_that_stops_is_not_asked_again(void **unused)
{
    (void)unused;
    for (int last = 1; last < 8; last++) {
        watch w = {.last = last};
        double x[] = {10};
        assert_int_equal(fit_logarithm(&w, x).end, LMB_SQUARES_STOPPED);
        assert_int_equal(w.calls, last);
    }
}

static void a_limit_of_steps_and_too_few_values(void **unused)
{
    (void)unused;
    int calls = 0;
    double x[] = {500, 0.0001};
    lmb_least_squares_task task = {.n = 2,
                                   .residuals = MISRA,
                                   .evaluate = misra,
                                   .user = &calls,
                                   .tolerance = 1e-12,
                                   .most = 2};
    double r[MISRA], before = 0;
    misra(&calls, x, r, NULL);
    for (int i = 0; i < MISRA; i++)
        before += r[i] * r[i];
    lmb_least_squares l = lmb_least_squares_solve(&task, arena, x);
    assert_int_equal(l.end, LMB_SQUARES_LIMIT);
    assert_int_equal(l.steps, 2);
    assert_true(l.sum < before && l.sum > 1.2455e-01);
    task.residuals = 1;
    assert_int_equal(lmb_least_squares_solve(&task, arena, x).end, LMB_SQUARES_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_certified_problem),
        cmocka_unit_test(a_line),
        cmocka_unit_test(an_unknown_is_held_at_its_bound),
        cmocka_unit_test(bounds_are_left_and_can_hold_everything),
        cmocka_unit_test(a_product_does_not_tell_its_factors),
        cmocka_unit_test(an_unknown_that_does_not_matter_stays),
        cmocka_unit_test(values_without_errors),
        cmocka_unit_test(where_there_is_nothing_a_step_is_shortened),
        cmocka_unit_test(a_function_that_stops_is_not_asked_again),
        cmocka_unit_test(a_limit_of_steps_and_too_few_values),
    };
    return cmocka_run_group_tests_name("least squares", tests, open_arena, close_arena);
}
