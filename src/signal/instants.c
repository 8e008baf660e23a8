/* Instants of records; see signal.h. */

#include <math.h>

#include "signal/signal.h"

/* The middle one of the steps, of a few thousand of them where there are more; NAN: out of memory.
 */
static double median_step(size_t n, const double *times)
{
    enum { MOST = 4001 };
    size_t stride = (n - 1) / MOST + 1, count = 0;
    double steps[MOST];
    for (size_t i = 1; i < n && count < MOST; i += stride)
        steps[count++] = times[i] - times[i - 1];
    return lmb_quantile(count, steps, 0.5);
}

/* The largest of 1, 0.1, .. 1e-9 of which all times are multiples. */
static double find_quantum(size_t n, const double *times)
{
    size_t stride = n / 4001 + 1;
    double power = 1;
    for (int digits = 0; digits < 9; digits++, power *= 10) {
        bool all = true;
        for (size_t i = 0; i < n && all; i += stride) {
            double v = times[i] * power;
            all = fabs(v - round(v)) < 1e-3 + 1e-15 * fabs(v);
        }
        if (all)
            return 1 / power;
    }
    return 1e-9;
}

/* Keeps the longest piece between gaps. */
static void find_piece(size_t n, const double *times, double longest_step, lmb_instants *out)
{
    size_t start = 0;
    for (size_t i = 1; i <= n; i++) {
        double step = i < n ? times[i] - times[i - 1] : 0;
        if (i < n && !(step > longest_step))
            continue;
        if (i - start > out->count) {
            out->first = start;
            out->count = i - start;
        }
        start = i;
        if (i < n) {
            out->gaps++;
            out->gap_at = step > out->gap ? times[i - 1] : out->gap_at;
            out->gap = fmax(out->gap, step);
        }
    }
}

/* Whether the steps are one and the same but for a few that are two to four times as long: then
 * instants are missing, and the rate is that of the others. */
static void find_missing(size_t n, const double *t, double typical, lmb_instants *out)
{
    size_t missing = 0;
    for (size_t i = 1; i < n; i++) {
        double times = (t[i] - t[i - 1]) / typical, whole = round(times);
        if (whole < 1 || fabs(times - whole) > 0.1)
            return;
        missing += (size_t)whole - 1;
    }
    if (missing == 0 || missing > n / 30)
        return;
    out->missing = missing;
    out->rate = 1 / typical;
    out->even = false;
}

bool lmb_instants_look(size_t n, const double *times, bool gaps, lmb_instants *out)
{
    *out = (lmb_instants){.quantum = find_quantum(n, times)};
    double typical = median_step(n, times);
    if (isnan(typical))
        return false;
    out->longest_step = gaps ? 4.5 * fmax(typical, out->quantum) : INFINITY;
    find_piece(n, times, out->longest_step, out);
    const double *t = times + out->first;
    double step = (t[out->count - 1] - t[0]) / (double)(out->count - 1), worst = 0;
    bool stands = false;
    for (size_t i = 1; i < n && !out->back; i++)
        out->back = times[i] < times[i - 1] ? i : 0;
    for (size_t i = 1; i < out->count; i++) {
        worst = fmax(worst, fabs(t[i] - t[0] - (double)i * step));
        stands = stands || t[i] == t[i - 1];
    }
    out->rate = 1 / step;
    out->scatter = worst / step;
    out->even = worst <= fmax(0.1 * step, 1.02 * out->quantum);
    if (gaps && typical >= 0.99 * out->quantum)
        find_missing(out->count, t, typical, out);
    for (size_t i = 1; stands && !out->even && !out->back && i < out->count; i++)
        out->back = t[i] == t[i - 1] ? out->first + i : 0;
    return true;
}

void lmb_even_out(const lmb_instants *in, const double *times, const double *x, double *out)
{
    const double *t = times + in->first, *y = x + in->first;
    size_t at = 0, n = in->count, points = n < 4 ? n : 4;
    for (size_t i = 0; i < n; i++) {
        double when = fmin(t[0] + (double)i / in->rate, t[n - 1]);
        while (at + 2 < n && t[at + 1] <= when)
            at++;
        size_t from = at > 0 ? at - 1 : 0;
        from = from + points > n ? n - points : from;
        out[i] = 0;
        for (size_t a = from; a < from + points; a++) {
            double weight = 1; /* Lagrange's */
            for (size_t b = from; b < from + points; b++)
                weight *= a == b ? 1 : (when - t[b]) / (t[a] - t[b]);
            out[i] += weight * y[a];
        }
    }
}
