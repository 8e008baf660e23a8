/* Instants of records: few digits, gaps, uneven ones. */
#include "support.h"

#include <math.h>

#include "signal/signal.h"
#include "math/vec.h"

enum { N = 4000 };

static double t[N], x[N], even[N];

/* Times of 1 kHz written to a tenth of a millisecond, to a millisecond at 1024 Hz and to a second:
 * even as far as their digits tell; the rate is right to a digit over the whole time. */
static void few_digits(void **state)
{
    (void)state;
    static const double rates[] = {1000, 1024, 100}, digits[] = {1e-4, 1e-3, 1};
    for (int k = 0; k < 3; k++) {
        lmb_instants in;
        for (int i = 0; i < N; i++)
            t[i] = floor(i / rates[k] / digits[k] + 1e-9) * digits[k];
        assert_true(lmb_instants_look(N, t, true, &in));
        assert_true(in.even && in.gaps == 0 && in.back == 0 && in.count == N);
        assert_true(fabs(in.rate / rates[k] - 1) <=
                    digits[k] * rates[k] / (N - 1 - digits[k] * rates[k]));
        assert_close(in.quantum, fmax(digits[k], 1 / rates[k]), 1e-12);
    }
}

static void gaps_cut_a_record(void **state)
{
    (void)state;
    lmb_instants in;
    for (int i = 0; i < N; i++)
        t[i] = i * 1e-3 + (i >= 1000 ? 5 : 0) + (i >= 3500 ? 0.25 : 0);
    assert_true(lmb_instants_look(N, t, true, &in));
    assert_int_equal(in.gaps, 2);
    assert_close(in.gap, 5.001, 1e-9);
    assert_close(in.gap_at, 0.999, 1e-9);
    assert_int_equal(in.first, 1000);
    assert_int_equal(in.count, 2500);
    assert_true(in.even);
    assert_close(in.rate, 1000, 1e-9);
    /* a result's steps may be as long as they like */
    assert_true(lmb_instants_look(N, t, false, &in));
    assert_true(in.gaps == 0 && in.count == N && !in.even);
    t[2000] = t[1990];
    assert_true(lmb_instants_look(N, t, true, &in));
    assert_int_equal(in.back, 2000);
}

/* A sine of 40 values a period at instants that scatter by a third of a step: the cubic is right to
 * 3/128 h^4 (h the phase over the largest of the three steps, at most 1.7 of a step) and never far
 * from it outside the middle interval. */
static void uneven_instants(void **state)
{
    (void)state;
    lmb_instants in;
    unsigned seed = 7;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        t[i] = (i + ((seed >> 8) / 16777216.0 - 0.5) * 0.7 * (i > 0 && i < N - 1)) / 1000 + 1e-7;
        x[i] = sin(2 * LMB_PI * 25 * t[i]);
    }
    assert_true(lmb_instants_look(N, t, true, &in));
    assert_true(!in.even && in.back == 0 && in.scatter > 0.3 && in.scatter < 0.36);
    assert_close(in.rate, 1000, 1e-9);
    lmb_even_out(&in, t, x, even);
    double h = 1.7 * 2 * LMB_PI * 25 / 1000, worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(even[i] - sin(2 * LMB_PI * 25 * (i / 1000.0 + 1e-7))));
    assert_true(worst < h * h * h * h / 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_digits),
        cmocka_unit_test(gaps_cut_a_record),
        cmocka_unit_test(uneven_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
