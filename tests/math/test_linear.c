/* Linear solvers with numbers that change: pivots are kept while they are good, and chosen anew
 * where they are not. */
#include <math.h>
#include <stdio.h>

#include "math/linear.h"
#include "support.h"

enum { N = 8 };

/* A full pattern. */
typedef struct matrix {
    int start[N + 1], row[N * N];
    double values[N * N]; /* by columns */
} matrix;

static void fill_pattern(matrix *a)
{
    for (int j = 0; j <= N; j++)
        a->start[j] = N * j;
    for (int k = 0; k < N * N; k++)
        a->row[k] = k % N;
}

/* `diagonal` on the diagonal, `across` on the other one, next to nothing elsewhere. */
static void fill_values(matrix *a, double diagonal, double across)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a->values[N * j + i] = (i == j           ? diagonal
                                    : i == N - 1 - j ? across
                                                     : 0) +
                                   1e-30 * sin(1 + 3 * i + 7 * j);
}

/* The largest error of the solution of A x = A (1, 2, ..., N). */
static double error_of(lmb_linear *solver, const matrix *a)
{
    double b[N] = {0}, largest = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            b[i] += a->values[N * j + i] * (j + 1);
    assert_true(lmb_linear_factor(solver, a->values));
    solver->ops->solve(solver, b, 1);
    for (int i = 0; i < N; i++)
        largest = fmax(largest, fabs(b[i] - (i + 1)));
    return largest;
}

/* The numbers change by a little, and stay in the range for which the pivots were chosen. */
static void pivots_are_kept(void **unused)
{
    (void)unused;
    matrix a;
    fill_pattern(&a);
    lmb_linear *s = lmb_linear_new_of(&lmb_linear_klu, &(lmb_pattern){N, a.start, a.row});
    for (int k = 0; k < 4; k++) {
        fill_values(&a, 1 + 0.1 * k, 0.1);
        assert_true(error_of(s, &a) < 1e-13);
        assert_int_equal(s->fresh, k == 0);
    }
    lmb_linear_free(s);
}

/* A matrix of an iteration that diverged has its large numbers across, one of them huge. With its
 * pivots a well-conditioned matrix with large numbers on the diagonal loses nine digits, though
 * they look no worse than before. */
static void pivots_of_another_matrix_are_dropped(void **unused)
{
    (void)unused;
    static const double huge[] = {1e3, 1e20, 1e60};
    matrix a;
    fill_pattern(&a);
    for (int k = 0; k < 3; k++) {
        lmb_linear *s = lmb_linear_new_of(&lmb_linear_klu, &(lmb_pattern){N, a.start, a.row});
        fill_values(&a, 0, 1e3);
        a.values[N * (N - 1)] = huge[k];
        assert_true(lmb_linear_factor(s, a.values));
        fill_values(&a, 1, 1e-9);
        assert_true(error_of(s, &a) < 1e-13);
        assert_true(s->fresh);
        lmb_linear_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pivots_are_kept),
        cmocka_unit_test(pivots_of_another_matrix_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
