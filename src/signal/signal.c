/* Records of vibrations; see signal.h.
 *
 * Welch's method: with X_k the transform of a segment times its window w,
 *
 *   density S_k = 2 |X_k|^2 / (rate sum w^2), averaged over the segments,
 *   amplitude of a sine in bin k: 2 |X_k| / sum w,
 *
 * without the 2 at both ends of the spectrum. Overlapping segments are not independent: with c the
 * correlation of the windows of two neighbours, m segments are worth m / (1 + 2 c^2 (m - 1) / m).
 */
#include "signal/signal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/vec.h"

const char *const lmb_window_names[LMB_WINDOWS] = {"rectangular", "hann", "hamming", "blackman",
                                                   "flattop"};

/* w_j = c_0 - c_1 cos(a) + c_2 cos(2 a) - ..., a = 2 pi j / n */
static const double terms[LMB_WINDOWS][5] = {
    {1, 0, 0, 0, 0},
    {0.5, 0.5, 0, 0, 0},
    {0.54, 0.46, 0, 0, 0},
    {0.42, 0.5, 0.08, 0, 0},
    {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368},
};

void lmb_window_fill(lmb_window_kind window, size_t n, double *w)
{
    for (size_t j = 0; j <= n / 2 && n > 0; j++) {
        double angle = 2 * LMB_PI * (double)j / (double)n, value = terms[window][0], sign = -1;
        for (int m = 1; m < 5; m++, sign = -sign)
            if (terms[window][m] != 0)
                value += sign * terms[window][m] * cos(m * angle);
        w[j] = value;
        if (j > 0) /* the second half is the first one backwards */
            w[n - j] = value;
    }
}

/* --- segments --------------------------------------------------------------------------------- */

static size_t hop(const lmb_welch *welch)
{
    size_t step = (size_t)lround((double)welch->segment * (1 - welch->overlap));
    return step > 0 ? step : 1;
}

size_t lmb_welch_count(const lmb_welch *welch, size_t n)
{
    return n < welch->segment ? 0 : (n - welch->segment) / hop(welch) + 1;
}

size_t lmb_welch_start(const lmb_welch *welch, size_t number)
{
    return number * hop(welch);
}

size_t lmb_welch_bins(const lmb_welch *welch)
{
    return welch->segment / 2 + 1;
}

/* The sum of the squares of a window, from its terms. */
static double window_squares(const lmb_welch *welch)
{
    const double *c = terms[welch->window];
    double squares = c[0] * c[0];
    for (int m = 1; m < 5; m++)
        squares += c[m] * c[m] / 2;
    return (double)welch->segment * squares;
}

double lmb_welch_worth(const lmb_welch *welch, size_t n)
{
    size_t count = lmb_welch_count(welch, n), shift = hop(welch), segment = welch->segment;
    double *w = lmb_malloc((segment + 1) * sizeof *w), shared = 0;
    if (w)
        lmb_window_fill(welch->window, segment, w);
    for (size_t j = 0; w && j + shift < segment; j++)
        shared += w[j] * w[j + shift];
    bool done = w != NULL;
    free(w);
    double c = shared / window_squares(welch), m = (double)count;
    return done && count > 0 ? m / (1 + 2 * c * c * (m - 1) / m) : count > 0;
}

/* One segment, without its mean and with its window. The mean is that seen through the window: the
 * plain one of a sine that is cut off would show as a line of its own, beside zero. */
static void cut_out(const lmb_welch *welch, const double *window, const double *x, double *out)
{
    size_t n = welch->segment;
    double mean = 0, weights = 0;
    for (size_t j = 0; j < n; j++) {
        mean += (x[j] - x[0]) * window[j];
        weights += window[j];
    }
    mean = x[0] + mean / weights;
    for (size_t j = 0; j < n; j++)
        out[j] = (x[j] - mean) * window[j];
}

/* The same, transformed. */
static bool transform(const lmb_welch *welch, const double *window, const double *x, double *re,
                      double *im)
{
    cut_out(welch, window, x, re);
    memset(im, 0, welch->segment * sizeof *im);
    return lmb_fft(welch->segment, re, im);
}

static bool alone(const lmb_welch *welch, size_t k)
{
    return k == 0 || 2 * k == welch->segment;
}

bool lmb_welch_density(const lmb_welch *welch, size_t n, const double *x, double *density)
{
    size_t segment = welch->segment, bins = lmb_welch_bins(welch),
           count = lmb_welch_count(welch, n);
    double *w = lmb_malloc((3 * segment + 1) * sizeof *w), *re = w + segment, *im = re + segment;
    bool done = w != NULL;
    memset(density, 0, bins * sizeof *density);
    if (done)
        lmb_window_fill(welch->window, segment, w);
    double scale = welch->rate * window_squares(welch) * (double)count;
    /* two segments at a time, as real and imaginary part: the sum of their powers at k is half that
     * of the transform at k and at -k */
    for (size_t i = 0; i < count && done; i += 2) {
        cut_out(welch, w, x + lmb_welch_start(welch, i), re);
        if (i + 1 < count)
            cut_out(welch, w, x + lmb_welch_start(welch, i + 1), im);
        else
            memset(im, 0, segment * sizeof *im);
        done = lmb_fft(segment, re, im);
        for (size_t k = 0; k < bins && done; k++) {
            size_t m = k == 0 ? 0 : segment - k;
            double power = (re[k] * re[k] + im[k] * im[k] + re[m] * re[m] + im[m] * im[m]) / 2;
            density[k] += (alone(welch, k) ? 1 : 2) * power / scale;
        }
    }
    free(w);
    return done;
}

void lmb_welch_amplitudes(const lmb_welch *welch, const double *density, double *amplitude)
{
    double sum = (double)welch->segment * terms[welch->window][0]; /* of the window */
    double scale = welch->rate * window_squares(welch);
    for (size_t k = 0; k < lmb_welch_bins(welch); k++)
        amplitude[k] = sqrt((alone(welch, k) ? 1 : 2) * density[k] * scale) / sum;
}

/* How a line that lies u bins away from a bin shows in it, one for u = 0:
 * sin(pi u) / pi (c_0 / u + sum (-1)^m c_m u / (u^2 - m^2)) / c_0. */
static double lobe(lmb_window_kind window, double u)
{
    const double *c = terms[window];
    double total = 0, near = round(u);
    if (fabs(u - near) < 1e-9 && fabs(near) < 5) /* the limit */
        return near == 0 ? 1 : fabs(c[(int)fabs(near)] / (2 * c[0]));
    for (int m = 0; m < 5; m++)
        total += m == 0 ? c[0] / u : (m % 2 ? -c[m] : c[m]) * u / (u * u - m * m);
    return fabs(sin(LMB_PI * u) / LMB_PI * total / c[0]);
}

/* How far, 0 .. 1/2, a line lies from its largest bin, from the larger neighbour over that bin, or,
 * for the flat top whose largest bins hardly differ, over the other neighbour. */
static double lobe_offset(lmb_window_kind window, double ratio)
{
    double low = 0, high = 0.5, other = window == LMB_WINDOW_FLATTOP ? 1 : 0;
    for (int i = 0; i < 50; i++) {
        double d = (low + high) / 2;
        if (lobe(window, 1 - d) < ratio * lobe(window, other + d))
            low = d;
        else
            high = d;
    }
    return low;
}

void lmb_welch_peak(const lmb_welch *welch, const double *amplitude, size_t k, double *frequency,
                    double *height)
{
    double step = welch->rate / (double)welch->segment, at = 0;
    *height = amplitude[k];
    if (k > 0 && k + 1 < lmb_welch_bins(welch) && amplitude[k] > 0) {
        double left = amplitude[k - 1], right = amplitude[k + 1];
        double side = fmax(left, right), less = fmin(left, right);
        double over = welch->window == LMB_WINDOW_FLATTOP ? less : amplitude[k];
        at = over > 0 ? lobe_offset(welch->window, side / over) : 0;
        *height /= lobe(welch->window, at);
        at = right >= left ? at : -at;
    }
    *frequency = ((double)k + at) * step;
}

bool lmb_welch_response(const lmb_welch *welch, size_t n, const double *x, const double *y,
                        double *real, double *imaginary, double *coherence)
{
    size_t segment = welch->segment, bins = lmb_welch_bins(welch),
           count = lmb_welch_count(welch, n);
    double *w = lmb_calloc(5 * segment + 2 * bins + 1, sizeof *w);
    if (!w)
        return false;
    double *xr = w + segment, *xi = xr + segment, *yr = xi + segment, *yi = yr + segment,
           *xx = yi + segment, *yy = xx + bins;
    bool done = true;
    lmb_window_fill(welch->window, segment, w);
    memset(real, 0, bins * sizeof *real);
    memset(imaginary, 0, bins * sizeof *imaginary);
    for (size_t i = 0; i < count && done; i++) {
        size_t from = lmb_welch_start(welch, i);
        done = transform(welch, w, x + from, xr, xi) && transform(welch, w, y + from, yr, yi);
        for (size_t k = 0; k < bins && done; k++) {
            xx[k] += xr[k] * xr[k] + xi[k] * xi[k];
            yy[k] += yr[k] * yr[k] + yi[k] * yi[k];
            real[k] += xr[k] * yr[k] + xi[k] * yi[k];
            imaginary[k] += xr[k] * yi[k] - xi[k] * yr[k];
        }
    }
    for (size_t k = 0; k < bins; k++) {
        double cross = real[k] * real[k] + imaginary[k] * imaginary[k];
        coherence[k] = xx[k] > 0 && yy[k] > 0 ? fmin(cross / (xx[k] * yy[k]), 1) : 0;
        real[k] = xx[k] > 0 ? real[k] / xx[k] : 0;
        imaginary[k] = xx[k] > 0 ? imaginary[k] / xx[k] : 0;
    }
    free(w);
    return done;
}

/* --- integration and bands -------------------------------------------------------------------- */

/* What is left of an amplitude at a frequency: of a band, or for to = INFINITY above `from`. */
static double gain(double from, double to, double f)
{
    return isinf(to) ? 1 / (1 + pow(from / f, 8))
                     : 1 / sqrt((1 + pow(from / f, 32)) * (1 + pow(f / to, 32)));
}

/* The mean is taken off; as many zeros follow the record, so that its end and its beginning do not
 * meet. */
bool lmb_band_pass(size_t n, double *x, double rate, double from, double to, int times)
{
    size_t room = 1;
    while (room < 2 * n)
        room *= 2;
    double *re = lmb_calloc(2 * room, sizeof *re), *im = re ? re + room : NULL, mean = 0;
    if (!re)
        return false;
    for (size_t i = 0; i < n; i++)
        mean += (x[i] - x[0]) / (double)n;
    for (size_t i = 0; i < n; i++)
        re[i] = x[i] - x[0] - mean;
    bool done = lmb_fft(room, re, im);
    re[0] = im[0] = 0;
    for (size_t k = 1; k < room && done; k++) {
        /* frequencies of the upper half are negative */
        double f = (k <= room / 2 ? (double)k : (double)k - (double)room) * rate / (double)room;
        double omega = 2 * LMB_PI * f, g = gain(from, to, fabs(f));
        for (int i = 0; i < times; i++) {
            double a = re[k]; /* divided by i omega */
            re[k] = im[k] / omega;
            im[k] = -a / omega;
        }
        re[k] *= g;
        im[k] *= -g; /* conjugated: the transform back is one forwards */
    }
    done = done && lmb_fft(room, re, im);
    for (size_t i = 0; i < n && done; i++)
        x[i] = re[i] / (double)room;
    free(re);
    return done;
}

bool lmb_integrate(size_t n, double *x, double rate, int times, double high_pass)
{
    return lmb_band_pass(n, x, rate, high_pass, INFINITY, times);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double lmb_quantile(size_t n, const double *x, double part)
{
    double *sorted = lmb_malloc((n + 1) * sizeof *sorted), value = NAN;
    size_t at = (size_t)(part * (double)n);
    if (sorted && n > 0) {
        memcpy(sorted, x, n * sizeof *x);
        qsort(sorted, n, sizeof *sorted, ascending);
        value = sorted[at < n ? at : n - 1];
    }
    free(sorted);
    return value;
}

lmb_statistics lmb_signal_statistics(size_t n, const double *x)
{
    lmb_statistics s = {.mean = n > 0 ? x[0] : 0}; /* so that a constant is one to the last digit */
    double second = 0, fourth = 0, off = 0;
    for (size_t i = 0; i < n; i++)
        off += (x[i] - x[0]) / (double)n;
    s.mean += off;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - s.mean;
        second += d * d / (double)n;
        fourth += d * d * d * d / (double)n;
        s.peak = fmax(s.peak, fabs(d));
    }
    s.rms = sqrt(second);
    s.kurtosis = second > 0 ? fourth / (second * second) : 0;
    return s;
}
