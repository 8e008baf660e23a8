/* Fourier transforms; see fft.h.
 *
 * Powers of two: Cooley and Tukey's, in place. Other n: with j k = (j^2 + k^2 - (k - j)^2) / 2 the
 * transform is a convolution with the chirp w_j = exp(-pi i j^2 / n),
 *
 *   X_k = w_k sum_j (x_j w_j) conj(w_(k-j)),
 *
 * which is made with transforms of a power of two of at least 2 n - 1 values. */
#include "math/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

static void swap(double *a, double *b)
{
    double c = *a;
    *a = *b;
    *b = c;
}

/* n is a power of two; sign is -1 forwards and 1 backwards, without the division by n. */
static void halve(size_t n, double *re, double *im, int sign)
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
    for (size_t length = 2; length <= n; length *= 2) {
        size_t half = length / 2;
        for (size_t k = 0; k < half; k++) {
            double angle = sign * 2 * LMB_PI * (double)k / (double)length;
            double c = cos(angle), s = sin(angle);
            for (size_t a = k; a < n; a += length) {
                size_t b = a + half;
                double x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
        }
    }
}

/* a *= b, complex, or a *= conj(b) */
static void multiply(double *ar, double *ai, double br, double bi)
{
    double x = *ar * br - *ai * bi, y = *ar * bi + *ai * br;
    *ar = x;
    *ai = y;
}

/* w_j; j^2 is taken modulo 2 n so that the angle keeps its digits */
static void chirp(size_t n, size_t j, double *re, double *im)
{
    unsigned long long square = (unsigned long long)j * j % (2ULL * n);
    double angle = LMB_PI * (double)square / (double)n;
    *re = cos(angle);
    *im = -sin(angle);
}

static bool bluestein(size_t n, double *re, double *im)
{
    size_t m = 1;
    while (m < 2 * n - 1)
        m *= 2;
    double *room = calloc(4 * m, sizeof *room);
    if (!room)
        return false;
    double *ar = room, *ai = room + m, *br = room + 2 * m, *bi = room + 3 * m, wr, wi;
    for (size_t j = 0; j < n; j++) {
        chirp(n, j, &wr, &wi);
        ar[j] = re[j];
        ai[j] = im[j];
        multiply(&ar[j], &ai[j], wr, wi);
        br[j] = br[(m - j) % m] = wr;
        bi[j] = bi[(m - j) % m] = -wi;
    }
    halve(m, ar, ai, -1);
    halve(m, br, bi, -1);
    for (size_t j = 0; j < m; j++)
        multiply(&ar[j], &ai[j], br[j], bi[j]);
    halve(m, ar, ai, 1);
    for (size_t k = 0; k < n; k++) {
        chirp(n, k, &wr, &wi);
        re[k] = ar[k] / (double)m;
        im[k] = ai[k] / (double)m;
        multiply(&re[k], &im[k], wr, wi);
    }
    free(room);
    return true;
}

bool lmb_fft(size_t n, double *real, double *imaginary)
{
    if (n < 2)
        return true;
    if ((n & (n - 1)) != 0)
        return bluestein(n, real, imaginary);
    halve(n, real, imaginary, -1);
    return true;
}

bool lmb_spectrum(size_t n, const double *values, double *amplitude)
{
    double *re = malloc(2 * (n + 1) * sizeof *re), *im = re ? re + n + 1 : NULL;
    if (!re)
        return false;
    memcpy(re, values, n * sizeof *re);
    memset(im, 0, n * sizeof *im);
    bool done = lmb_fft(n, re, im);
    for (size_t k = 0; done && k <= n / 2; k++) {
        /* both ends of the spectrum stand alone, the others have a twin at n - k */
        bool alone = k == 0 || 2 * k == n;
        amplitude[k] = (alone ? 1 : 2) * hypot(re[k], im[k]) / (double)n;
    }
    if (done && n > 0)
        amplitude[0] = re[0] / (double)n;
    free(re);
    return done;
}
