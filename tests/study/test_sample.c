/* Samples: quantiles and moments of the distributions, the numbers that are drawn, permutations,
 * grids, lists, Latin hypercubes. */
#include "study/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* --- distributions ---------------------------------------------------------------------------- */

static const double normal[] = {3, 0.5}, uniform[] = {-1, 4}, triangular[] = {2, 3, 7},
                    steep[] = {2, 2, 5}, lognormal[] = {1.5, 0.4};

static const lmb_variable drawn[] = {
    {.name = "normal", .kind = LMB_VARIABLE_NORMAL, .numbers = normal},
    {.name = "uniform", .kind = LMB_VARIABLE_UNIFORM, .numbers = uniform},
    {.name = "triangular", .kind = LMB_VARIABLE_TRIANGULAR, .numbers = triangular},
    {.name = "steep", .kind = LMB_VARIABLE_TRIANGULAR, .numbers = steep},
    {.name = "lognormal", .kind = LMB_VARIABLE_LOGNORMAL, .numbers = lognormal},
};
enum { DRAWN = sizeof drawn / sizeof *drawn };

/* The part of all that is below x. */
static double below(const lmb_variable *v, double x)
{
    const double *a = v->numbers;
    switch (v->kind) {
    case LMB_VARIABLE_NORMAL:
        return erfc(-(x - a[0]) / a[1] * sqrt(0.5)) / 2;
    case LMB_VARIABLE_LOGNORMAL:
        return erfc(-log(x / a[0]) / a[1] * sqrt(0.5)) / 2;
    case LMB_VARIABLE_TRIANGULAR:
        return x < a[1] ? (x - a[0]) * (x - a[0]) / ((a[2] - a[0]) * (a[1] - a[0]))
                        : 1 - (a[2] - x) * (a[2] - x) / ((a[2] - a[0]) * (a[2] - a[1]));
    default:
        return (x - a[0]) / (a[1] - a[0]);
    }
}

static void normal_quantiles(void **unused)
{
    (void)unused;
    /* tables of the normal distribution; a relative rounding of p moves x by 1 / (x ln 10 ...) of
     * it, so that a few units in the last place are left */
    static const struct {
        double p, x;
    } known[] = {
        {0.5, 0},
        {0.975, 1.959963984540054},
        {0.025, -1.959963984540054},
        {1e-10, -6.361340902404056},
        {0.8413447460685429, 1},
        {0.0013498980316300933, -3},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_close(lmb_normal_quantile(known[i].p), known[i].x, 2e-15);
    /* symmetric: 1 - p is exact for these */
    for (int k = 1; k < 1000; k++) {
        double p = k / 2048.;
        assert_true(lmb_normal_quantile(p) == -lmb_normal_quantile(1 - p));
    }
    /* monotonous also where the start of Newton's method changes, and far out */
    double last = -INFINITY;
    for (int k = 1; k < 4000; k++) {
        double x = lmb_normal_quantile(k / 4000.);
        assert_true(x > last);
        last = x;
    }
    assert_close(erfc(-lmb_normal_quantile(1e-300) * sqrt(0.5)) / 2e-300, 1, 1e-12);
}

/* The part below a quantile is that which was asked for. Quantiles have an error of some units in
 * the last place, times the density p changes by less than ten of them. */
static void quantiles_are_inverses(void **unused)
{
    (void)unused;
    for (int i = 0; i < DRAWN; i++)
        for (int k = 1; k < 200; k++) {
            double p = k / 200., x = lmb_variable_quantile(&drawn[i], p);
            assert_close(below(&drawn[i], x), p, 1e-14);
        }
}

/* Mean and variance are integrals of the quantile function over p. With p = Phi(z) they are those
 * of smooth functions of z times the normal density, for which the trapezoidal rule converges
 * faster than any power; tails beyond 9 deviations weigh 1e-19 (times e^3.6 of the lognormal one).
 * Kinks of the triangular ones leave errors of second order, h^2/12 times the jump of the slope
 * (below 1) and density: 3e-7 with h = 2e-3. */
static void moments_are_integrals_of_quantiles(void **unused)
{
    (void)unused;
    enum { HALF = 4500 };
    const double h = 9. / HALF;
    for (int i = 0; i < DRAWN; i++) {
        bool kinks = drawn[i].kind == LMB_VARIABLE_TRIANGULAR;
        double mean = 0, square = 0, m = lmb_variable_mean(&drawn[i]);
        for (int k = -HALF; k <= HALF; k++) {
            double z = k * h, w = h * exp(-z * z / 2) / sqrt(2 * acos(-1));
            double p = erfc(-z * sqrt(0.5)) / 2;
            if (p >= 1) /* rounded */
                continue;
            double x = lmb_variable_quantile(&drawn[i], p);
            mean += w * x;
            square += w * (x - m) * (x - m);
        }
        /* p of the upper tail has few digits: what rounding of 1e-16 does to x there, times its
         * weight, is below 1e-13 */
        double error = kinks ? 3e-7 : 1e-12;
        assert_close(mean, m, error);
        assert_close(sqrt(square), lmb_variable_deviation(&drawn[i]), error);
    }
    /* in closed form */
    assert_close(lmb_variable_mean(&drawn[2]), 4, 1e-15);
    assert_close(lmb_variable_deviation(&drawn[2]), sqrt(21. / 18), 1e-15);
    assert_close(lmb_variable_deviation(&drawn[1]), 5 / sqrt(12), 1e-15);
    assert_close(lmb_variable_mean(&drawn[4]), 1.5 * exp(0.08), 1e-15);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* Chi square of so many equal cells that `count` numbers fall into; it is above the limit by
 * chance once in 1e6 (Wilson and Hilferty: n (1 - 2/(9 n) + 4.75 sqrt(2/(9 n)))^3). */
static void check_even(const int *cells, int count, int total)
{
    double expected = (double)total / count, sum = 0, n = count - 1, v = 2 / (9 * n);
    for (int i = 0; i < count; i++)
        sum += pow(cells[i] - expected, 2) / expected;
    double most = n * pow(1 - v + 4.753 * sqrt(v), 3), least = n * pow(1 - v - 4.753 * sqrt(v), 3);
    if (!(sum <= most && sum >= least)) /* too even is not random, either */
        fail_msg("chi square is %g, not between %g and %g", sum, least, most);
}

static void numbers_are_even(void **unused)
{
    (void)unused;
    enum { CELLS = 100, TOTAL = 100000, SIDE = 10 };
    for (uint64_t seed = 0; seed < 3; seed++) {
        int of_samples[CELLS] = {0}, of_variables[CELLS] = {0}, of_seeds[CELLS] = {0},
            pairs[SIDE * SIDE] = {0}, following[SIDE * SIDE] = {0};
        for (uint64_t k = 0; k < TOTAL; k++) {
            double u = lmb_sample_uniform(seed, k, 0), other = lmb_sample_uniform(seed, k, 1);
            double next = lmb_sample_uniform(seed, k + 1, 0);
            assert_true(u > 0 && u < 1);
            of_samples[(int)(u * CELLS)]++;
            of_variables[(int)(lmb_sample_uniform(seed, 3, k) * CELLS)]++;
            of_seeds[(int)(lmb_sample_uniform(k, seed, 2) * CELLS)]++;
            /* two variables of a sample, and two samples of a variable, know nothing of each
             * other */
            pairs[(int)(u * SIDE) * SIDE + (int)(other * SIDE)]++;
            following[(int)(u * SIDE) * SIDE + (int)(next * SIDE)]++;
        }
        check_even(of_samples, CELLS, TOTAL);
        check_even(of_variables, CELLS, TOTAL);
        check_even(of_seeds, CELLS, TOTAL);
        check_even(pairs, SIDE * SIDE, TOTAL);
        check_even(following, SIDE * SIDE, TOTAL);
    }
}

/* The largest number of 64 bits, which these three are mixed to, and the least. */
static void numbers_are_between_0_and_1(void **unused)
{
    (void)unused;
    const uint64_t nothing = UINT64_C(0x61c8864680b583eb); /* is mixed to 0 */
    double u = lmb_sample_uniform(nothing, UINT64_C(0x31628af67b2131ab), nothing);
    assert_true(u < 1 && u > 1 - 0x1p-52);
    u = lmb_sample_uniform(nothing, nothing, nothing);
    assert_true(u > 0 && u < 0x1p-52);
    assert_true(isfinite(lmb_normal_quantile(u)));
}

static void permutations_are_bijections(void **unused)
{
    (void)unused;
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 100, 1000, 1023, 1024, 1025};
    bool seen[1100];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t seed = 0; seed < 5; seed++)
            for (uint64_t variable = 0; variable < 4; variable++) {
                memset(seen, 0, sizeof seen);
                for (uint64_t k = 0; k < counts[i]; k++) {
                    uint64_t at = lmb_sample_permuted(seed, k, variable, counts[i]);
                    assert_true(at < counts[i]);
                    assert_false(seen[at]);
                    seen[at] = true;
                }
            }
}

/* Another permutation for each variable: of 1000 places about one is the same by chance (Poisson:
 * more than 12 once in 1e10), and their correlation is 1 / sqrt(999) by chance: 5 of these. */
static void permutations_of_variables_differ(void **unused)
{
    (void)unused;
    enum { COUNT = 1000 };
    for (uint64_t a = 0; a < 6; a++)
        for (uint64_t b = 0; b < a; b++) {
            int same = 0;
            double sum = 0, middle = (COUNT - 1) / 2., variance = (COUNT * COUNT - 1) / 12.;
            for (uint64_t k = 0; k < COUNT; k++) {
                double x = (double)lmb_sample_permuted(1, k, a, COUNT);
                double y = (double)lmb_sample_permuted(1, k, b, COUNT);
                same += x == y;
                sum += (x - middle) * (y - middle) / (COUNT * variance);
            }
            assert_true(same <= 12);
            if (fabs(sum) > 5 / sqrt(COUNT - 1))
                fail_msg("variables %d and %d: correlation %g", (int)a, (int)b, sum);
        }
}

/* --- studies ---------------------------------------------------------------------------------- */

static lmb_study study_of(lmb_sampling sampling, int samples, lmb_variable *variables, int count)
{
    return (lmb_study){.sampling = sampling,
                       .samples = samples,
                       .seed = 5,
                       .variables = variables,
                       .variable_count = count};
}

static void a_grid_has_all_combinations_in_order(void **unused)
{
    (void)unused;
    static const double a[] = {1, 2}, range[] = {0, 0.3}, c[] = {9, 7, 8};
    lmb_variable v[] = {{.kind = LMB_VARIABLE_CHOICES, .count = 2, .numbers = a},
                        {.kind = LMB_VARIABLE_RANGE, .count = 4, .numbers = range},
                        {.kind = LMB_VARIABLE_CHOICES, .count = 3, .numbers = c}};
    lmb_study s = study_of(LMB_SAMPLE_GRID, 100, v, 3);
    assert_true(lmb_sample_count(&s) == 24);
    int k = 0;
    for (int i = 0; i < 2; i++) /* the last variable runs fastest */
        for (int j = 0; j < 4; j++)
            for (int l = 0; l < 3; l++) {
                double x[3];
                lmb_sample(&s, k++, x);
                assert_true(x[0] == a[i] && x[2] == c[l]);
                assert_close(x[1], 0.1 * j, 1e-16);
                assert_true(j < 3 || x[1] == 0.3); /* the end itself */
            }
}

static void a_list_takes_one_of_each(void **unused)
{
    (void)unused;
    static const double a[] = {4, 2, 6}, range[] = {-1, 1};
    lmb_variable v[] = {{.kind = LMB_VARIABLE_CHOICES, .count = 3, .numbers = a},
                        {.kind = LMB_VARIABLE_RANGE, .count = 3, .numbers = range}};
    lmb_study s = study_of(LMB_SAMPLE_LIST, 100, v, 2);
    assert_true(lmb_sample_count(&s) == 3);
    for (int k = 0; k < 3; k++) {
        double x[2];
        lmb_sample(&s, k, x);
        assert_true(x[0] == a[k] && x[1] == k - 1);
    }
}

static void a_latin_hypercube_has_one_sample_in_each_layer(void **unused)
{
    (void)unused;
    enum { MOST = 1000 };
    static const double choices[] = {1, 2, 3, 4, 5}, range[] = {10, 20};
    static const int counts[] = {1, 2, 10, 37, MOST};
    lmb_variable v[DRAWN + 2];
    memcpy(v, drawn, sizeof drawn);
    v[DRAWN] = (lmb_variable){.kind = LMB_VARIABLE_CHOICES, .count = 5, .numbers = choices};
    v[DRAWN + 1] = (lmb_variable){.kind = LMB_VARIABLE_RANGE, .numbers = range};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        int n = counts[c], of_choices[5] = {0};
        bool seen[DRAWN + 2][MOST] = {{0}};
        lmb_study s = study_of(LMB_SAMPLE_LATIN, n, v, DRAWN + 2);
        assert_true(lmb_sample_count(&s) == n);
        for (int k = 0; k < n; k++) {
            double x[DRAWN + 2];
            lmb_sample(&s, k, x);
            for (int i = 0; i < DRAWN + 2; i++) {
                if (i == DRAWN) {
                    of_choices[(int)x[i] - 1]++;
                    continue;
                }
                int layer = (int)(below(&v[i], x[i]) * n);
                assert_in_range(layer, 0, n - 1);
                assert_false(seen[i][layer]);
                seen[i][layer] = true;
            }
        }
        for (int i = 0; i < 5 && n % 5 == 0; i++) /* choices are as even as layers */
            assert_int_equal(of_choices[i], n / 5);
    }
}

/* A sample is a matter of its number alone, so that a study may be made longer. */
static void a_drawn_sample_does_not_depend_on_how_many_there_are(void **unused)
{
    (void)unused;
    lmb_variable v[DRAWN];
    memcpy(v, drawn, sizeof drawn);
    lmb_study few = study_of(LMB_SAMPLE_RANDOM, 10, v, DRAWN);
    lmb_study many = study_of(LMB_SAMPLE_RANDOM, 1000, v, DRAWN);
    lmb_study fewer = study_of(LMB_SAMPLE_RANDOM, 10, v, 2); /* nor on further variables */
    for (int k = 0; k < 10; k++) {
        double x[DRAWN], y[DRAWN], z[DRAWN];
        lmb_sample(&few, k, x);
        lmb_sample(&many, k, y);
        lmb_sample(&fewer, k, z);
        assert_memory_equal(x, y, sizeof x);
        assert_memory_equal(x, z, 2 * sizeof *z);
    }
    many.seed = 6;
    double x[DRAWN], y[DRAWN];
    lmb_sample(&few, 3, x);
    lmb_sample(&many, 3, y);
    for (int i = 0; i < DRAWN; i++)
        assert_true(x[i] != y[i]);
}

/* 1e5 drawn numbers: mean and deviation within 5 of their errors by chance, s / sqrt(N) and
 * s sqrt((kurtosis - 1) / N) / 2, whose kurtosis is below 6.3 (of the lognormal). */
static void drawn_samples_have_the_moments(void **unused)
{
    (void)unused;
    enum { COUNT = 100000 };
    lmb_variable v[DRAWN];
    memcpy(v, drawn, sizeof drawn);
    lmb_study s = study_of(LMB_SAMPLE_RANDOM, COUNT, v, DRAWN);
    double sum[DRAWN] = {0}, square[DRAWN] = {0};
    for (int k = 0; k < COUNT; k++) {
        double x[DRAWN];
        lmb_sample(&s, k, x);
        for (int i = 0; i < DRAWN; i++) {
            double d = x[i] - lmb_variable_mean(&v[i]);
            sum[i] += d / COUNT;
            square[i] += d * d / COUNT;
        }
    }
    for (int i = 0; i < DRAWN; i++) {
        double deviation = lmb_variable_deviation(&v[i]);
        assert_true(fabs(sum[i]) <= 5 * deviation / sqrt(COUNT));
        assert_true(fabs(sqrt(square[i]) / deviation - 1) <= 5 * sqrt(5.3 / COUNT) / 2);
    }
}

static void points_of_a_box_fill_it(void **unused)
{
    (void)unused;
    enum { COUNT = 12, N = 5 };
    bool seen[N][COUNT] = {{0}};
    for (int k = 0; k < COUNT; k++) {
        double x[N];
        lmb_sample_box(3, k, COUNT, N, x);
        for (int i = 0; i < N; i++) {
            assert_true(x[i] > 0 && x[i] < 1);
            assert_false(seen[i][(int)(x[i] * COUNT)]);
            seen[i][(int)(x[i] * COUNT)] = true;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_quantiles),
        cmocka_unit_test(quantiles_are_inverses),
        cmocka_unit_test(moments_are_integrals_of_quantiles),
        cmocka_unit_test(numbers_are_even),
        cmocka_unit_test(numbers_are_between_0_and_1),
        cmocka_unit_test(permutations_are_bijections),
        cmocka_unit_test(permutations_of_variables_differ),
        cmocka_unit_test(a_grid_has_all_combinations_in_order),
        cmocka_unit_test(a_list_takes_one_of_each),
        cmocka_unit_test(a_latin_hypercube_has_one_sample_in_each_layer),
        cmocka_unit_test(a_drawn_sample_does_not_depend_on_how_many_there_are),
        cmocka_unit_test(drawn_samples_have_the_moments),
        cmocka_unit_test(points_of_a_box_fill_it),
    };
    return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
