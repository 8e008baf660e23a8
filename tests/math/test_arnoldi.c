/* Band matrices and Arnoldi's method against closed forms. */
#include "support.h"

#include <math.h>

#include "math/eigen.h"

#define PI 3.14159265358979323846

enum { N = 60 };

static lmb_arena *arena;

/* The chain with 2 on the diagonal and -1 beside it, turned by a phase that its eigenvalues
 * 4 sin^2(k pi / (2 (N + 1))) do not see. */
static lmb_band chain(double phase)
{
    lmb_band b;
    assert_true(lmb_band_new(&b, arena, N, 2));
    for (int i = 0; i < N; i++) {
        *lmb_band_at(&b, i, i) = 2;
        if (i > 0) {
            *lmb_band_at(&b, i, i - 1) = -CMPLX(cos(phase), sin(phase));
            *lmb_band_at(&b, i - 1, i) = -CMPLX(cos(phase), -sin(phase));
        }
    }
    return b;
}

static void solve(void *user, const lmb_complex *x, lmb_complex *y)
{
    for (int i = 0; i < N; i++)
        y[i] = x[i];
    lmb_band_solve(user, y);
}

/* The lowest eigenvalues by products with the inverse, in real and in complex arithmetic. */
static void test_chain(void **unused)
{
    (void)unused;
    for (int real = 0; real < 2; real++) {
        lmb_band b = chain(real ? 0 : 0.7);
        lmb_band_factor f;
        lmb_complex values[8], *vectors = lmb_arena_alloc(arena, 8 * N, sizeof *vectors), room[N];
        assert_true(lmb_band_factor_new(&f, arena, N, 2));
        assert_true(lmb_band_factorise(&f, &b));
        assert_int_equal(lmb_arnoldi(arena, N, solve, &f, 8, real, values, vectors), 8);
        for (int k = 0; k < 8; k++) {
            double expected = 4 * pow(sin((k + 1) * PI / (2 * (N + 1))), 2);
            assert_close(creal(1 / values[k]) / expected, 1, 1e-11);
            lmb_band_multiply(&b, vectors + k * N, room);
            for (int i = 0; i < N; i++)
                assert_true(cabs(room[i] - expected * vectors[k * N + i]) < 1e-10);
        }
    }
}

static void diagonal(void *user, const lmb_complex *x, lmb_complex *y)
{
    const double *d = user;
    for (int i = 0; i < N; i++)
        y[i] = d[i] * x[i];
}

/* Values that come three times are found three times; the basis becomes invariant on the way. */
static void test_multiple(void **unused)
{
    (void)unused;
    double d[N];
    for (int i = 0; i < N; i++)
        d[i] = 1 + i / 3;
    lmb_complex values[9], *vectors = lmb_arena_alloc(arena, 9 * N, sizeof *vectors);
    assert_int_equal(lmb_arnoldi(arena, N, diagonal, d, 9, false, values, vectors), 9);
    for (int k = 0; k < 9; k++)
        assert_close(creal(values[k]), 20 - k / 3, 1e-10);
}

static int set_up(void **unused)
{
    (void)unused;
    arena = lmb_arena_new();
    return arena == NULL;
}

static int tear_down(void **unused)
{
    (void)unused;
    lmb_arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chain),
                                       cmocka_unit_test(test_multiple)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
