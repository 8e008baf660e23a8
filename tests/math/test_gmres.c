/* GMRES against the solutions of dense equations. */
#include "math/gmres.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { N = 12 };

typedef struct matrix {
    double a[N][N];
    int products;
} matrix;

static bool times(void *user, const double *w, double *out)
{
    matrix *m = user;
    m->products++;
    for (int i = 0; i < N; i++) {
        out[i] = 0;
        for (int j = 0; j < N; j++)
            out[i] += m->a[i][j] * w[j];
    }
    return true;
}

/* Numbers between -1 and 1, always the same. */
static double any(void)
{
    static unsigned long random = 1;
    random = (random * 1103515245UL + 12345UL) & 0x7fffffffUL;
    return (double)random / 0x40000000 - 1;
}

/* A general matrix needs all n products and is then solved to rounding. */
static void general_matrix(void **unused)
{
    (void)unused;
    matrix m = {.products = 0};
    double x[N], right[N], b[N];
    for (int i = 0; i < N; i++) {
        right[i] = any();
        for (int j = 0; j < N; j++)
            m.a[i][j] = any() + (i == j ? 4 : 0);
    }
    times(&m, right, b);
    m.products = 0;
    lmb_arena *arena = lmb_arena_new();
    assert_true(lmb_gmres(N, times, &m, b, 1e-14, x, arena) < 1e-13);
    assert_true(m.products <= N);
    for (int i = 0; i < N; i++)
        assert_close(x[i], right[i], 1e-12);
    /* one that differs from the unit matrix in two directions needs three products */
    memset(m.a, 0, sizeof m.a);
    for (int i = 0; i < N; i++)
        m.a[i][i] = i == 3 ? 0.5 : i == 7 ? -2 : 1;
    m.products = 0;
    assert_true(lmb_gmres(N, times, &m, right, 1e-13, x, arena) < 1e-13);
    assert_int_equal(m.products, 3);
    for (int i = 0; i < N; i++)
        assert_close(x[i] * m.a[i][i], right[i], 1e-12);
    lmb_arena_free(arena);
}

/* What a singular matrix cannot reach is left, and said. */
static void singular_matrix(void **unused)
{
    (void)unused;
    matrix m = {.products = 0};
    double x[N], b[N];
    for (int i = 0; i < N; i++) {
        m.a[i][i] = i == 0 ? 0 : 1 + i;
        b[i] = 1;
    }
    lmb_arena *arena = lmb_arena_new();
    assert_close(lmb_gmres(N, times, &m, b, 1e-12, x, arena), 1 / sqrt(N), 1e-9);
    for (int i = 1; i < N; i++)
        assert_close(x[i], 1.0 / (1 + i), 1e-9);
    memset(b, 0, sizeof b);
    assert_close(lmb_gmres(N, times, &m, b, 1e-12, x, arena), 0, 0);
    lmb_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(general_matrix),
                                       cmocka_unit_test(singular_matrix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
