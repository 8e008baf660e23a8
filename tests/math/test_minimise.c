/* Methods of minimisation on problems whose optimum is known.
 *
 * A search ends when no variable changes by more than the tolerance T of a box of width 1. That
 * bounds the last step, not the error. Methods with quadratic models converge faster than linearly,
 * and 1e2 T is asked of them. Those that converge linearly (mma, ccsaq, cobyla) leave more: 1e3 T,
 * and those that look at all of the box 1e-3. These are demands, with room for other versions of
 * NLopt, not bounds that follow from the methods. */
#include "math/minimise.h"

#include <math.h>
#include <string.h>

#include "support.h"

enum { MOST_VARIABLES = 4 };

static const double tolerance = 1e-8;

/* What a problem is asked, and what it was told. */
typedef struct watch {
    int calls, last; /* stops after `last` calls; 0: never */
    bool known, slopes;
    double x[MOST_VARIABLES];
    int repeated; /* calls for what the call before had told already */
} watch;

/* Whether the problem goes on. */
static bool look(watch *w, int n, const double *x, bool slopes)
{
    bool same = w->known && memcmp(x, w->x, (size_t)n * sizeof *x) == 0;
    w->repeated += same && (w->slopes || !slopes);
    w->known = true;
    w->slopes = slopes;
    memcpy(w->x, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        assert_true(x[i] >= 0 && x[i] <= 1);
    return ++w->calls != w->last;
}

static bool has_linear_rate(const lmb_minimise_method *m)
{
    return strcmp(m->name, "mma") == 0 || strcmp(m->name, "ccsaq") == 0 ||
           strcmp(m->name, "cobyla") == 0;
}

/* --- a convex problem ------------------------------------------------------------------------- */

/* (x - 0.8)^2 + 2 (y - 0.7)^2 with x + y <= 1, or = 1. With the multiplier l of the constraint
 * x = 0.8 - l/2, y = 0.7 - l/4, so that l = 2/3 and the value is l^2/4 + l^2/8 = 1/6. */
static bool convex(void *user, const double *x, double *f, double *d)
{
    f[0] = pow(x[0] - 0.8, 2) + 2 * pow(x[1] - 0.7, 2);
    f[1] = x[0] + x[1] - 1;
    if (d) {
        d[0] = 2 * (x[0] - 0.8);
        d[1] = 4 * (x[1] - 0.7);
        d[2] = d[3] = 1;
    }
    return look(user, 2, x, d != NULL);
}

static void check_convex(const lmb_minimise_method *m, bool equal)
{
    watch w = {0};
    double x[] = {0.1, 0.1};
    lmb_minimise_task task = {2, !equal, equal, convex, &w, tolerance, 20000, 1};
    lmb_minimise_end end = lmb_minimise(m, &task, x);
    if (strcmp(m->name, "isres") != 0) /* which never knows that it is there */
        assert_true(end == LMB_MINIMISE_CONVERGED || end == LMB_MINIMISE_STUCK);
    double near = has_linear_rate(m) ? 1e3 * tolerance : m->global ? 1e-3 : 1e2 * tolerance;
    if (!(fabs(x[0] - (0.8 - 1. / 3)) <= near && fabs(x[1] - (0.7 - 1. / 6)) <= near))
        fail_msg("%s: %.10g, %.10g after %d calls", m->name, x[0], x[1], w.calls);
}

static void all_methods_find_the_optimum_at_a_constraint(void **unused)
{
    (void)unused;
    for (const lmb_minimise_method *m = lmb_minimise_methods; m->name; m++)
        check_convex(m, false);
}

/* A random search has nothing to walk along where a line is all that is allowed. */
static void an_equality_is_kept(void **unused)
{
    (void)unused;
    for (const lmb_minimise_method *m = lmb_minimise_methods; m->name; m++)
        if (!m->global || strcmp(m->name, "direct") == 0)
            check_convex(m, true);
}

/* --- a bent valley ---------------------------------------------------------------------------- */

/* Rosenbrock's function over [-2, 2] x [-1, 3], from (-1.2, 1) to (1, 1). The eigenvalues of its
 * Hessian there are 0.4 and 1002: linear rates leave 2500 T of the box, 1e-4 of x, along the
 * valley, which is a value of 0.4/2 (1e-4)^2 (1^2 + 2^2) = 1e-8. */
static bool rosenbrock(void *user, const double *s, double *f, double *d)
{
    double x = 4 * s[0] - 2, y = 4 * s[1] - 1;
    f[0] = 100 * pow(y - x * x, 2) + pow(1 - x, 2);
    if (d) {
        d[0] = 4 * (-400 * x * (y - x * x) - 2 * (1 - x));
        d[1] = 4 * 200 * (y - x * x);
    }
    return look(user, 2, s, d != NULL);
}

static void all_methods_follow_the_valley(void **unused)
{
    (void)unused;
    for (const lmb_minimise_method *m = lmb_minimise_methods; m->name; m++) {
        watch w = {0};
        double x[] = {0.2, 0.5}, f[1];
        lmb_minimise_task task = {2, 0, 0, rosenbrock, &w, tolerance, 20000, 1};
        lmb_minimise_end end = lmb_minimise(m, &task, x);
        assert_true(end != LMB_MINIMISE_FAILED && end != LMB_MINIMISE_STOPPED);
        rosenbrock(&w, x, f, NULL);
        if (!(f[0] <= 1e-8))
            fail_msg("%s: %g at %.10g, %.10g", m->name, f[0], 4 * x[0] - 2, 4 * x[1] - 1);
    }
}

/* --- several constraints ---------------------------------------------------------------------- */

/* Problem 71 of Hock and Schittkowski (Test Examples for Nonlinear Programming Codes, 1981):
 * 1 <= x <= 5, x1 x4 (x1 + x2 + x3) + x3 with x1 x2 x3 x4 >= 25 and x1^2 + ... + x4^2 = 40. The
 * book has 17.0140173 at (1, 4.7429994, 3.8211503, 1.3794082); the conditions of an optimum with x1
 * at its bound give three more digits. */
static bool problem_71(void *user, const double *s, double *f, double *d)
{
    double x[4];
    for (int i = 0; i < 4; i++)
        x[i] = 1 + 4 * s[i];
    f[0] = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
    f[1] = 25 - x[0] * x[1] * x[2] * x[3];
    f[2] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] - 40;
    if (d) {
        d[0] = 4 * x[3] * (2 * x[0] + x[1] + x[2]);
        d[1] = 4 * x[0] * x[3];
        d[2] = 4 * (x[0] * x[3] + 1);
        d[3] = 4 * x[0] * (x[0] + x[1] + x[2]);
        for (int i = 0; i < 4; i++) {
            d[4 + i] = -4 * x[0] * x[1] * x[2] * x[3] / x[i];
            d[8 + i] = 8 * x[i];
        }
    }
    return look(user, 4, s, d != NULL);
}

static void the_problem_of_hock_and_schittkowski(void **unused)
{
    (void)unused;
    static const double best[] = {1, 4.742999637264417, 3.821149984184874, 1.379408293172672};
    static const char *const able[] = {"slsqp", "mma", "ccsaq", "lbfgs", "cobyla", "nelder-mead"};
    for (size_t k = 0; k < sizeof able / sizeof *able; k++) {
        const lmb_minimise_method *m = lmb_minimise_methods;
        while (strcmp(m->name, able[k]) != 0)
            m++;
        watch w = {0};
        double x[] = {0, 1, 1, 0}, f[3];
        lmb_minimise_task task = {4, 1, 1, problem_71, &w, tolerance, 50000, 1};
        lmb_minimise_end end = lmb_minimise(m, &task, x);
        assert_true(end == LMB_MINIMISE_CONVERGED || end == LMB_MINIMISE_STUCK);
        for (int i = 0; i < 4; i++)
            assert_close(1 + 4 * x[i], best[i], 4 * (has_linear_rate(m) ? 1e2 : 1e1) * tolerance);
        problem_71(&w, x, f, NULL);
        assert_close(f[0], 17.01401728915630, 1e-7); /* first order in what constraints leave, T */
    }
}

/* --- ends ------------------------------------------------------------------------------------- */

static void a_function_that_stops_is_not_asked_again(void **unused)
{
    (void)unused;
    for (const lmb_minimise_method *m = lmb_minimise_methods; m->name; m++)
        for (int last = 1; last < 12; last += 5) {
            watch w = {.last = last};
            double x[] = {0.1, 0.1};
            lmb_minimise_task task = {2, 1, 0, convex, &w, 0, 20000, 1};
            assert_int_equal(lmb_minimise(m, &task, x), LMB_MINIMISE_STOPPED);
            assert_int_equal(w.calls, last);
        }
}

/* Counted are calls for values; a call for derivatives at the same x may follow each. Methods of
 * populations and boxes end with those of a generation or division: 60 and a few. */
static void a_limit_of_evaluations_is_kept(void **unused)
{
    (void)unused;
    for (const lmb_minimise_method *m = lmb_minimise_methods; m->name; m++) {
        watch w = {0};
        double x[] = {0.2, 0.5};
        lmb_minimise_task task = {2, 0, 0, rosenbrock, &w, 1e-15, 7, 1};
        assert_int_equal(lmb_minimise(m, &task, x), LMB_MINIMISE_LIMIT);
        if (w.calls > (m->global ? 100 : 14))
            fail_msg("%s: %d calls", m->name, w.calls);
    }
}

/* Objective, inequality and equality ask one after the other at the same x. */
static void functions_are_evaluated_once(void **unused)
{
    (void)unused;
    for (const lmb_minimise_method *m = lmb_minimise_methods; m->name; m++) {
        watch w = {0};
        double x[] = {0, 1, 1, 0};
        lmb_minimise_task task = {4, 1, 1, problem_71, &w, 1e-4, 500, 1};
        lmb_minimise(m, &task, x);
        assert_true(w.calls > 10);
        assert_int_equal(w.repeated, 0);
    }
}

/* Those that draw numbers draw the same ones for a seed. */
static void a_seed_makes_a_search_the_same(void **unused)
{
    (void)unused;
    for (const lmb_minimise_method *m = lmb_minimise_methods; m->name; m++) {
        double x[3][2];
        for (int i = 0; i < 3; i++) {
            watch w = {0};
            x[i][0] = 0.2;
            x[i][1] = 0.5;
            lmb_minimise_task task = {2, 0, 0, rosenbrock, &w, tolerance, 300, i < 2 ? 7 : 8};
            lmb_minimise(m, &task, x[i]);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        bool other = memcmp(x[0], x[2], sizeof x[0]) != 0;
        assert_true(other == (strcmp(m->name, "crs") == 0 || strcmp(m->name, "isres") == 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_methods_find_the_optimum_at_a_constraint),
        cmocka_unit_test(an_equality_is_kept),
        cmocka_unit_test(all_methods_follow_the_valley),
        cmocka_unit_test(the_problem_of_hock_and_schittkowski),
        cmocka_unit_test(a_function_that_stops_is_not_asked_again),
        cmocka_unit_test(a_limit_of_evaluations_is_kept),
        cmocka_unit_test(functions_are_evaluated_once),
        cmocka_unit_test(a_seed_makes_a_search_the_same),
    };
    return cmocka_run_group_tests_name("minimise", tests, NULL, NULL);
}
