/* Fourier transforms; see fft.h.
 *
 * Powers of two: Cooley and Tukey's, in place. Other n: with j k = (j^2 + k^2 - (k - j)^2) / 2 the
 * transform is a convolution with the chirp w_j = exp(-pi i j^2 / n),
 *
 *   X_k = w_k sum_j (x_j w_j) conj(w_(k-j)),
 *
 * which is made with transforms of a power of two of at least 2 n - 1 values. */
#include "signal/signal.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "math/vec.h"

static void swap(double *a, double *b)
{
    double c = *a;
    *a = *b;
    *b = c;
}

/* The twiddle factors of all stages, one after the other: for the length 2 h they are
 * exp(-pi i k / h), k = 0 .. h - 1, from place h - 1 on. twiddles: 2 n numbers, cosines and then
 * sines. */
static void fill_twiddles(size_t n, double *twiddles)
{
    double *c = twiddles, *s = twiddles + n;
    size_t last = n / 2;
    c[last - 1] = 1;
    s[last - 1] = 0;
    if (last > 1) {
        c[last - 1 + last / 2] = 0;
        s[last - 1 + last / 2] = -1;
    }
    /* an eighth of a turn gives the others */
    for (size_t k = 1; k <= last / 4; k++) {
        double angle = LMB_PI * (double)k / (double)last, x = cos(angle), y = sin(angle);
        size_t places[] = {k, last / 2 - k, last / 2 + k, last - k};
        for (int i = 0; i < 4; i++) {
            c[last - 1 + places[i]] = i == 0 ? x : i == 1 ? y : i == 2 ? -y : -x;
            s[last - 1 + places[i]] = i == 0 || i == 3 ? -y : -x;
        }
    }
    for (size_t half = last / 2; half > 0; half /= 2)
        for (size_t k = 0; k < half; k++) {
            c[half - 1 + k] = c[2 * half - 1 + 2 * k];
            s[half - 1 + k] = s[2 * half - 1 + 2 * k];
        }
}

/* Cooley and Tukey's transform; n is a power of two; sign is 1 forwards and -1 backwards, without
 * the division by n. */
static void radix2(size_t n, double *restrict re, double *restrict im,
                   const double *restrict twiddles, double sign)
{
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            swap(&re[i], &re[j]);
            swap(&im[i], &im[j]);
        }
    }
    for (size_t half = 1; half < n; half *= 2) {
        const double *restrict c = twiddles + half - 1, *restrict s = c + n;
        for (size_t from = 0; from < n; from += 2 * half)
            for (size_t k = 0; k < half; k++) {
                size_t a = from + k, b = a + half;
                double w = sign * s[k];
                double x = re[b] * c[k] - im[b] * w, y = re[b] * w + im[b] * c[k];
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
    }
}

/* w_j; j^2 is taken modulo 2 n so that the angle keeps its digits */
static double complex chirp(size_t n, size_t j)
{
    unsigned long long square = (unsigned long long)j * j % (2ULL * n);
    double angle = LMB_PI * (double)square / (double)n;
    return cos(angle) - I * sin(angle);
}

/* Stores a complex number in two arrays. */
static void put(double *re, double *im, size_t j, double complex value)
{
    re[j] = creal(value);
    im[j] = cimag(value);
}

static bool bluestein(size_t n, double *re, double *im)
{
    size_t m = 1;
    while (m < 2 * n - 1)
        m *= 2;
    double *room = lmb_calloc(6 * m, sizeof *room);
    if (!room)
        return false;
    double *ar = room, *ai = room + m, *br = room + 2 * m, *bi = room + 3 * m,
           *twiddles = room + 4 * m;
    fill_twiddles(m, twiddles);
    for (size_t j = 0; j < n; j++) {
        double complex w = chirp(n, j);
        put(ar, ai, j, (re[j] + I * im[j]) * w);
        put(br, bi, j, conj(w));
        put(br, bi, (m - j) % m, conj(w));
    }
    radix2(m, ar, ai, twiddles, 1);
    radix2(m, br, bi, twiddles, 1);
    for (size_t j = 0; j < m; j++)
        put(ar, ai, j, (ar[j] + I * ai[j]) * (br[j] + I * bi[j]));
    radix2(m, ar, ai, twiddles, -1);
    for (size_t k = 0; k < n; k++)
        put(re, im, k, (ar[k] + I * ai[k]) / (double)m * chirp(n, k));
    free(room);
    return true;
}

bool lmb_fft(size_t n, double *real, double *imaginary)
{
    if (n < 2)
        return true;
    if ((n & (n - 1)) != 0)
        return bluestein(n, real, imaginary);
    double *twiddles = lmb_malloc(2 * n * sizeof *twiddles);
    if (!twiddles)
        return false;
    fill_twiddles(n, twiddles);
    radix2(n, real, imaginary, twiddles, 1);
    free(twiddles);
    return true;
}

size_t lmb_period_lines(size_t n)
{
    return (n - 1) / 2 + 1;
}

bool lmb_period_spectrum(size_t n, const double *t, const double *x, double *frequency,
                         double *amplitude)
{
    size_t steps = n - 1, at = 0;
    double span = t[steps] - t[0], *re = lmb_calloc(2 * steps, sizeof *re),
           *im = re ? re + steps : NULL;
    for (size_t i = 0; re && i < steps; i++) {
        double now = t[0] + span * (double)i / (double)steps;
        while (at + 1 < steps && t[at + 1] <= now)
            at++;
        double step = t[at + 1] - t[at], part = step > 0 ? (now - t[at]) / step : 0;
        re[i] = x[at] + fmin(fmax(part, 0), 1) * (x[at + 1] - x[at]);
    }
    bool done = re && lmb_fft(steps, re, im);
    for (size_t k = 0; done && k < lmb_period_lines(n); k++) {
        /* the end of the spectrum stands alone, the others have a twin at n - k; the mean is no
         * vibration */
        double twins = k == 0 ? 0 : 2 * k == steps ? 1 : 2;
        amplitude[k] = twins * hypot(re[k], im[k]) / (double)steps;
        frequency[k] = (double)k / span;
    }
    free(re);
    return done;
}
