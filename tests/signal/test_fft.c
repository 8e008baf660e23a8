/* Fourier transforms against their definition, and spectra of sums of sines. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "signal/signal.h"
#include "math/vec.h"

/* Powers of two and others, primes among them; the error of a transform grows with log n roundings
 * of numbers up to sqrt(n), and the sum of the definition with n of them. */
static void transforms_are_those_of_the_definition(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 31, 64, 97, 100, 255};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        double *x = malloc(n * sizeof *x), *re = malloc(n * sizeof *re),
               *im = malloc(n * sizeof *im);
        for (size_t i = 0; i < n; i++) {
            x[i] = re[i] = sin(1.3 * (double)(i * i)) + 0.2;
            im[i] = 0;
        }
        assert_true(lmb_fft(n, re, im));
        for (size_t k = 0; k < n; k++) {
            double a = 0, b = 0;
            for (size_t j = 0; j < n; j++) {
                double angle = 2 * LMB_PI * (double)(j * k % n) / (double)n;
                a += x[j] * cos(angle);
                b -= x[j] * sin(angle);
            }
            assert_true(fabs(re[k] - a) <= 1e-15 * (double)n * 10);
            assert_true(fabs(im[k] - b) <= 1e-15 * (double)n * 10);
        }
        free(x);
        free(re);
        free(im);
    }
}

/* Amplitudes are from zero to the peak, whatever the phase; the mean is left out. */
static void spectra_have_the_amplitudes(void **state)
{
    (void)state;
    enum { N = 3500 };
    static double when[N + 1], x[N + 1], frequency[N / 2 + 1], amplitude[N / 2 + 1];
    assert_int_equal(lmb_period_lines(N + 1), N / 2 + 1);
    for (int i = 0; i <= N; i++) {
        double t = 2 * LMB_PI * i / N;
        when[i] = i;
        x[i] = -3 + 2 * sin(7 * t + 0.4) + 0.25 * cos(100 * t - 1) + 0.5 * cos(N / 2 * t);
    }
    assert_true(lmb_period_spectrum(N + 1, when, x, frequency, amplitude));
    for (int k = 0; k <= N / 2; k++) {
        double expected = k == 7 ? 2 : k == 100 ? 0.25 : k == N / 2 ? 0.5 : 0;
        assert_close(frequency[k], (double)k / N, 1e-15);
        assert_close(amplitude[k], expected, 1e-13); /* log2(n) roundings of numbers near 5 */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_are_those_of_the_definition),
        cmocka_unit_test(spectra_have_the_amplitudes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
