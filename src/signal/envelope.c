/* Envelopes; see signal.h.
 *
 * The analytic signal of a band has the transform of the record there, doubled, and none elsewhere.
 * Moved down by the band's lowest frequency it needs only as many instants as the band is wide
 * (twice as many here, since its square is twice as wide), and its size stays what it was. */
#include "signal/signal.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "math/vec.h"

bool lmb_bands_start(lmb_bands *out, size_t n, const double *x, double rate)
{
    double mean = 0, *re = lmb_calloc(2 * n + 1, sizeof *re);
    *out = (lmb_bands){n, n / 40, rate, re, re ? re + n : NULL};
    if (!re)
        return false;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        size_t end = i < n - 1 - i ? i : n - 1 - i;
        double part = ((double)end + 0.5) / (double)(out->faded + 1);
        re[i] = (x[i] - mean) * (end < out->faded ? 0.5 - 0.5 * cos(LMB_PI * part) : 1);
    }
    if (lmb_fft(n, out->re, out->im))
        return true;
    lmb_bands_free(out);
    return false;
}

void lmb_bands_free(lmb_bands *bands)
{
    free(bands->re);
    bands->re = bands->im = NULL;
}

double *lmb_bands_power(const lmb_bands *b, double from, double to, size_t *count, double *rate)
{
    double step = b->rate / (double)b->n, top = (double)((b->n - 1) / 2);
    double low = fmax(ceil(from / step), 1), high = fmin(floor(to / step), top);
    if (!(low < high))
        return NULL;
    size_t first = (size_t)low, bins = (size_t)high - first + 1, m = 2;
    while (m < 2 * bins)
        m *= 2;
    double *re = lmb_calloc(2 * m, sizeof *re), *im = re ? re + m : NULL;
    if (!re)
        return NULL;
    for (size_t k = 0; k < bins; k++) {
        re[k] = b->re[first + k];
        im[k] = -b->im[first + k]; /* conjugated: the transform back is one forwards */
    }
    if (!lmb_fft(m, re, im)) {
        free(re);
        return NULL;
    }
    /* without the ends; the factor makes a sine of amplitude A one with the power A^2 */
    size_t cut = (size_t)((double)m * (double)b->faded / (double)b->n) + 1;
    *count = m - 2 * cut;
    *rate = (double)m * step;
    double factor = 4 / ((double)b->n * (double)b->n);
    for (size_t i = 0; i < *count; i++)
        re[i] = factor * (re[i + cut] * re[i + cut] + im[i + cut] * im[i + cut]);
    return re;
}

bool lmb_bands_candidate(const lmb_bands *b, double narrowest, int number, double *from, double *to)
{
    static const int parts[] = {2, 3, 4, 6, 8};
    for (int level = 0; level < (int)(sizeof parts / sizeof *parts); level++) {
        double width = b->rate / 2 / parts[level];
        if (width < narrowest)
            return false;
        if (number < parts[level] - 1) {
            *from = (number + 1) * width;
            *to = *from + width;
            return true;
        }
        number -= parts[level] - 1;
    }
    return false;
}

double lmb_spectral_kurtosis(size_t count, const double *power)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < count; i++) {
        mean += power[i] / (double)count;
        square += power[i] * power[i] / (double)count;
    }
    return mean > 0 ? square / (mean * mean) - 2 : 0;
}

bool lmb_bands_choose(const lmb_bands *b, double narrowest, double *from, double *to)
{
    double best = -INFINITY, low, high;
    *from = b->rate / 4; /* where not even two halves are wide enough */
    *to = b->rate / 2;
    for (int i = 0; lmb_bands_candidate(b, narrowest, i, &low, &high); i++) {
        size_t count;
        double rate, *power = lmb_bands_power(b, low, high, &count, &rate);
        if (!power)
            return false;
        /* as many independent values as the band times the record; the scatter is 2 / root of it */
        double score =
            lmb_spectral_kurtosis(count, power) * sqrt((high - low) * (double)count / rate) / 2;
        free(power);
        if (score > best) {
            best = score;
            *from = low;
            *to = high;
        }
    }
    return true;
}
