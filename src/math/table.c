/* Tables as piecewise cubics.
 *
 * Between x[i] and x[i+1], with u = x - x[i] and h = x[i+1] - x[i],
 *
 *     y(u) = y[i] + c1 u + c2 u^2 + c3 u^3,
 *
 * where c1 = s[i], c2 = (3 d - 2 s[i] - s[i+1]) / h, c3 = (s[i] + s[i+1] - 2 d) / h^2 follow from
 * the slopes s at the points and the slope d of the chord. The kinds differ in how s is found:
 *
 * linear  c1 = d, c2 = c3 = 0.
 * cubic   y'' is continuous: h[i] s[i-1] + 2 (h[i-1] + h[i]) s[i] + h[i-1] s[i+1]
 *                            = 3 (h[i] d[i-1] + h[i-1] d[i]);
 *         at the ends y''' is continuous across the second point (not-a-knot). Three points give
 *         their parabola, two their line. A periodic table closes the same system on itself.
 *         (C. de Boor, A Practical Guide to Splines, chapter IV.)
 * Akima   s[i] = (w1 d[i-1] + w2 d[i]) / (w1 + w2), w1 = |d[i+1] - d[i]|,
 *         w2 = |d[i-1] - d[i-2]|, with two more chords at each end.
 *         (H. Akima, J. ACM 17 (1970) 589-602.)
 *
 * A Fourier series with the period T = x[n-1] - x[0], w = 2 pi / T and u = x - x[0] is
 *
 *     y(u) = a0 + sum_k a_k cos k w u + b_k sin k w u,   k = 1 ... bins,
 *
 * where the integrals a_k = (2/T) int y cos k w u du are sums by the trapezoidal rule: for equally
 * spaced points the discrete Fourier transform. */
#include "math/table.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/late.h"

static const double two_pi = 6.28318530717958647693;

struct lmb_table {
    lmb_table_outside outside;
    int n;            /* points */
    double *x;        /* n */
    double *y;        /* n */
    double (*c)[3];   /* n - 1 pieces: c1, c2, c3 */
    double slopes[2]; /* at the first and last point */

    /* of a Fourier series; else NULL */
    double (*series)[2]; /* bins + 1: a_k and b_k */
    int bins;
};

/* The row of a continuous second derivative between pieces a and b. */
static void smooth_row(const double *h, const double *d, int a, int b, double *sub, double *diag,
                       double *sup, double *right)
{
    *sub = h[b];
    *diag = 2 * (h[a] + h[b]);
    *sup = h[a];
    *right = 3 * (h[b] * d[a] + h[a] * d[b]);
}

/* Slopes of the not-a-knot spline through n >= 4 points; work holds 3 n. */
static void not_a_knot(int n, const double *h, const double *d, double *s, double *work)
{
    double *sub = work, *diag = work + n, *sup = work + 2 * n;
    for (int i = 1; i < n - 1; i++)
        smooth_row(h, d, i - 1, i, &sub[i], &diag[i], &sup[i], &s[i]);

    double both = h[0] + h[1];
    diag[0] = h[1];
    sup[0] = both;
    s[0] = ((h[0] + 2 * both) * h[1] * d[0] + h[0] * h[0] * d[1]) / both;

    double p = h[n - 3], q = h[n - 2];
    sub[n - 1] = p + q;
    diag[n - 1] = p;
    s[n - 1] = (q * q * d[n - 3] + (2 * (p + q) + q) * p * d[n - 2]) / (p + q);
    LAPACKE_dgtsv(LAPACK_COL_MAJOR, n, 1, sub + 1, diag, sup, s, n);
}

/* Slopes of the periodic spline of m >= 2 pieces; work holds 5 m. The last slope is a parameter:
 * the others are s + z s[m-1] with two tridiagonal solutions s and z, and the last row gives it. */
static void periodic_spline(int m, const double *h, const double *d, double *s, double *work)
{
    double *sub = work, *diag = work + m, *sup = work + 2 * m, *both = work + 3 * m;
    for (int i = 0; i < m; i++)
        smooth_row(h, d, (i + m - 1) % m, i, &sub[i], &diag[i], &sup[i], &s[i]);

    int last = m - 1;
    double *z = both + last, below = sub[last], beyond = sup[last];
    memcpy(both, s, (size_t)last * sizeof *s);
    memset(z, 0, (size_t)last * sizeof *z);
    z[0] -= sub[0];
    z[last - 1] -= sup[last - 1];
    LAPACKE_dgtsv(LAPACK_COL_MAJOR, last, 2, sub + 1, diag, sup, both, last);
    double right = s[last] - beyond * both[0] - below * both[last - 1];
    s[last] = right / (diag[last] + beyond * z[0] + below * z[last - 1]);
    for (int i = 0; i < last; i++)
        s[i] = both[i] + z[i] * s[last];
    s[m] = s[0];
}

static void cubic_slopes(const lmb_table *t, const double *h, const double *d, double *s,
                         double *work)
{
    int n = t->n;
    if (n == 2) {
        s[0] = s[1] = d[0];
    } else if (t->outside == LMB_TABLE_PERIODIC) {
        periodic_spline(n - 1, h, d, s, work);
    } else if (n == 3) {
        double bend = (d[1] - d[0]) / (h[0] + h[1]);
        s[0] = d[0] - h[0] * bend;
        s[1] = d[0] + h[0] * bend;
        s[2] = d[1] + h[1] * bend;
    } else {
        not_a_knot(n, h, d, s, work);
    }
}

/* Akima's slopes; work holds n + 3 chords, two more at each end than there are pieces. */
static void akima_slopes(const lmb_table *t, const double *d, double *s, double *work)
{
    int m = t->n - 1;
    double *e = work + 2;
    memcpy(e, d, (size_t)m * sizeof *d);
    if (t->outside == LMB_TABLE_PERIODIC) {
        e[-1] = d[m - 1];
        e[-2] = d[(2 * m - 2) % m];
        e[m] = d[0];
        e[m + 1] = d[1 % m];
    } else {
        double first = m > 1 ? d[0] - d[1] : 0, last = m > 1 ? d[m - 1] - d[m - 2] : 0;
        e[-1] = d[0] + first;
        e[-2] = e[-1] + first;
        e[m] = d[m - 1] + last;
        e[m + 1] = e[m] + last;
    }

    double bend = 0;
    for (int i = -1; i <= m + 1; i++)
        bend = fmax(bend, fabs(e[i] - e[i - 1]));
    for (int i = 0; i <= m; i++) {
        double w1 = fabs(e[i + 1] - e[i]), w2 = fabs(e[i - 1] - e[i - 2]);
        /* where two straight lines meet the weights are only rounding: take the mean */
        if (w1 + w2 <= 1e-9 * bend)
            w1 = w2 = 1;
        s[i] = (w1 * e[i - 1] + w2 * e[i]) / (w1 + w2);
    }
}

/* Fills the coefficients; work holds 8 n + 3 numbers. */
static void fit(lmb_table *t, lmb_table_kind kind, double *work)
{
    int n = t->n;
    double *h = work, *d = work + n, *s = work + 2 * n;
    for (int i = 0; i < n - 1; i++) {
        h[i] = t->x[i + 1] - t->x[i];
        d[i] = (t->y[i + 1] - t->y[i]) / h[i];
    }
    if (kind == LMB_TABLE_CUBIC)
        cubic_slopes(t, h, d, s, work + 3 * n);
    else if (kind == LMB_TABLE_AKIMA)
        akima_slopes(t, d, s, work + 3 * n);

    for (int i = 0; i < n - 1; i++) {
        t->c[i][0] = d[i];
        if (kind != LMB_TABLE_LINEAR) {
            t->c[i][0] = s[i];
            t->c[i][1] = (3 * d[i] - 2 * s[i] - s[i + 1]) / h[i];
            t->c[i][2] = (s[i] + s[i + 1] - 2 * d[i]) / (h[i] * h[i]);
        }
    }
    t->slopes[0] = kind == LMB_TABLE_LINEAR ? d[0] : s[0];
    t->slopes[1] = kind == LMB_TABLE_LINEAR ? d[n - 2] : s[n - 1];
}

lmb_table *lmb_table_new(lmb_arena *arena, lmb_table_kind kind, lmb_table_outside outside, int n,
                         const double *x, const double *y)
{
    size_t points = (size_t)n;
    lmb_arena *scratch = lmb_arena_new();
    lmb_table *t = lmb_arena_alloc(arena, 1, sizeof *t);
    lmb_table made = {.outside = outside,
                      .n = n,
                      .x = lmb_arena_grow(arena, x, points, points, sizeof *x),
                      .y = lmb_arena_grow(arena, y, points, points, sizeof *y),
                      .c = lmb_arena_alloc(arena, points - 1, sizeof *made.c)};
    double *work = lmb_arena_numbers(scratch, 8 * points + 3);
    bool fine = work && lmb_arena_fine(arena);
    if (fine) {
        *t = made;
        fit(t, kind, work);
    }
    lmb_arena_free(scratch);
    return fine ? t : NULL;
}

lmb_table *lmb_table_fourier(lmb_arena *arena, int n, const double *x, const double *y, int bins)
{
    lmb_table *t = lmb_arena_alloc(arena, 1, sizeof *t);
    double *ends = lmb_arena_alloc(arena, 2, sizeof *ends);
    double(*series)[2] = lmb_arena_alloc(arena, (size_t)bins + 1, sizeof *series);
    if (!t || !ends || !series)
        return NULL;
    double period = x[n - 1] - x[0];
    ends[0] = x[0];
    ends[1] = x[n - 1];
    *t = (lmb_table){.outside = LMB_TABLE_PERIODIC, .n = 2, .x = ends, .series = series};
    t->bins = bins;
    for (int k = 0; k <= bins; k++)
        for (int i = 0; i < n; i++) {
            double width = (x[i < n - 1 ? i + 1 : i] - x[i > 0 ? i - 1 : i]) / 2;
            double angle = two_pi * fmod(k * ((x[i] - x[0]) / period), 1);
            double weight = (k ? 2 : 1) * width / period * y[i];
            series[k][0] += weight * cos(angle);
            series[k][1] += weight * sin(angle);
        }
    return t;
}

/* The sum of a Fourier series. The cosines and sines of multiples follow from each other. */
static void evaluate_series(const lmb_table *t, double x, double out[3])
{
    double period = t->x[1] - t->x[0], w = two_pi / period;
    double angle = two_pi * fmod((x - t->x[0]) / period, 1);
    double c1 = cos(angle), s1 = sin(angle), c = 1, s = 0;
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k <= t->bins; k++) {
        double a = t->series[k][0], b = t->series[k][1], kw = k * w;
        double even = a * c + b * s;
        out[0] += even;
        out[1] += kw * (b * c - a * s);
        out[2] -= kw * kw * even;
        double next = c * c1 - s * s1;
        s = s * c1 + c * s1;
        c = next;
    }
}

/* The piece that holds x, which is between the ends. */
static int piece_of(const lmb_table *t, double x)
{
    int low = 0, high = t->n - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (x < t->x[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

double lmb_table_piece(const lmb_table *t, double x)
{
    double first = t->x[0], last = t->x[t->n - 1], turns = 0;
    if (t->series)
        return 0;
    if (t->outside == LMB_TABLE_PERIODIC)
        turns = floor((x - first) / (last - first));
    x -= turns * (last - first);
    return turns * t->n + (x < first ? -1 : x >= last ? t->n - 1 : piece_of(t, x));
}

void lmb_table_evaluate(const lmb_table *t, double x, double out[3])
{
    if (t->series) {
        evaluate_series(t, x, out);
        return;
    }
    double first = t->x[0], last = t->x[t->n - 1];
    if (t->outside == LMB_TABLE_PERIODIC && (x < first || x > last)) {
        double period = last - first;
        x -= period * floor((x - first) / period);
        x = x < first ? first : x > last ? last : x;
    }
    if (x < first || x > last) {
        int end = x > last;
        double slope = t->outside == LMB_TABLE_EXTEND ? t->slopes[end] : 0;
        out[0] = t->y[end ? t->n - 1 : 0] + (slope != 0 ? slope * (x - (end ? last : first)) : 0);
        out[1] = slope;
        out[2] = 0;
        return;
    }
    int i = piece_of(t, x);
    double u = x - t->x[i];
    const double *c = t->c[i];
    out[0] = t->y[i] + u * (c[0] + u * (c[1] + u * c[2]));
    out[1] = c[0] + u * (2 * c[1] + u * 3 * c[2]);
    out[2] = 2 * c[1] + u * 6 * c[2];
}

int lmb_table_points(const lmb_table *t, const double **x, const double **y)
{
    *x = t->x;
    *y = t->y;
    return t->n;
}

bool lmb_table_same(const lmb_table *a, const lmb_table *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (a->outside != b->outside || a->n != b->n || a->bins != b->bins || !a->c != !b->c ||
        !a->series != !b->series)
        return false;
    size_t n = (size_t)a->n;
    return memcmp(a->x, b->x, n * sizeof *a->x) == 0 && memcmp(a->y, b->y, n * sizeof *a->y) == 0 &&
           memcmp(a->slopes, b->slopes, sizeof a->slopes) == 0 &&
           (!a->c || memcmp(a->c, b->c, (n - 1) * sizeof *a->c) == 0) &&
           (!a->series ||
            memcmp(a->series, b->series, ((size_t)a->bins + 1) * sizeof *a->series) == 0);
}
