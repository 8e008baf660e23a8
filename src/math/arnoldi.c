/* Arnoldi's method without restarts:
 *
 *   A V = V H + h v e^T,  V orthonormal, H upper Hessenberg
 *
 * An eigenvalue of H with the vector y is one of A to |h y_last|. The basis grows until the wanted
 * ones are as good as rounding lets them be; where it cannot grow (h = 0: V is invariant), it goes
 * on with another direction, so that multiple eigenvalues are found too. */
#include "math/arnoldi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <lapacke.h>

typedef struct work {
    int n, room; /* size of vectors, most of them */
    lmb_operator *multiply;
    void *user;
    lmb_complex *V; /* n x (room + 1) */
    lmb_complex *H; /* (room + 1) x room, by columns */
    lmb_complex *copy, *values, *Y;
    int *order;
    double largest; /* of H so far */
    unsigned long long seed;
} work;

static double length_of(int n, const lmb_complex *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
    return sqrt(sum);
}

/* v^H x. Eight sums at a time, which the compiler makes into vectors; those of v and of x with real
 * and imaginary parts exchanged give the imaginary part. */
static lmb_complex product(int n, const lmb_complex *v, const lmb_complex *x)
{
    const double *a = (const double *)v, *b = (const double *)x;
    double same[8] = {0}, crossed[8] = {0}, re = 0, im = 0;
    int i = 0;
    for (; i + 8 <= 2 * n; i += 8) {
        const double swapped[8] = {b[i + 1], b[i],     b[i + 3], b[i + 2],
                                   b[i + 5], b[i + 4], b[i + 7], b[i + 6]};
        for (int k = 0; k < 8; k++) {
            same[k] += a[i + k] * b[i + k];
            crossed[k] += a[i + k] * swapped[k];
        }
    }
    for (; i < 2 * n; i += 2) {
        re += a[i] * b[i] + a[i + 1] * b[i + 1];
        im += a[i] * b[i + 1] - a[i + 1] * b[i];
    }
    for (int k = 0; k < 8; k += 2) {
        re += same[k] + same[k + 1];
        im += crossed[k] - crossed[k + 1];
    }
    return CMPLX(re, im);
}

/* x = x - (v^H x) v; returns v^H x. */
static lmb_complex take_out(int n, const lmb_complex *v, lmb_complex *x)
{
    const double *restrict a = (const double *)v;
    double *restrict b = (double *)x;
    lmb_complex c = product(n, v, x);
    double re = creal(c), im = cimag(c);
    int i = 0;
    for (; i + 8 <= 2 * n; i += 8) {
        const double turned[8] = {-a[i + 1], a[i],     -a[i + 3], a[i + 2],
                                  -a[i + 5], a[i + 4], -a[i + 7], a[i + 6]};
        for (int k = 0; k < 8; k++)
            b[i + k] -= a[i + k] * re + turned[k] * im;
    }
    for (; i < 2 * n; i += 2) {
        b[i] -= a[i] * re - a[i + 1] * im;
        b[i + 1] -= a[i] * im + a[i + 1] * re;
    }
    return c;
}

static void fill(work *w, lmb_complex *x)
{
    for (int i = 0; i < w->n; i++) {
        double part[2];
        for (int k = 0; k < 2; k++) {
            w->seed = w->seed * 6364136223846793005ULL + 1442695040888963407ULL;
            part[k] = (double)(w->seed >> 40) / 8388608.0 - 1;
        }
        x[i] = CMPLX(part[0], part[1]);
    }
}

/* Makes x a unit vector across the first ones; false if nothing is left of it. Where little is
 * left, it is done again; twice is enough. */
static bool orthonormal(work *w, int count, lmb_complex *x, lmb_complex *h, double *left)
{
    double before = length_of(w->n, x);
    *left = before;
    for (int pass = 0; pass < 2 && (pass == 0 || *left < 0.05 * before); pass++) {
        for (int j = 0; j < count; j++) {
            lmb_complex c = take_out(w->n, w->V + (size_t)j * (size_t)w->n, x);
            if (h)
                h[j] += c;
        }
        *left = length_of(w->n, x);
    }
    w->largest = fmax(w->largest, before);
    if (!(*left > 1e-14 * w->largest) || !(*left > 0))
        return false;
    for (int i = 0; i < w->n; i++)
        x[i] /= *left;
    return true;
}

/* One more vector, from number j to number j + 1. */
static void grow(work *w, int j)
{
    lmb_complex *h = w->H + (size_t)j * (size_t)(w->room + 1);
    lmb_complex *x = w->V + (size_t)(j + 1) * (size_t)w->n;
    double left;
    memset(h, 0, (size_t)(w->room + 1) * sizeof *h);
    w->multiply(w->user, w->V + (size_t)j * (size_t)w->n, x);
    bool fine = orthonormal(w, j + 1, x, h, &left);
    h[j + 1] = fine ? left : 0;
    if (!fine && j + 1 < w->n) {
        double largest = w->largest;
        fill(w, x);
        orthonormal(w, j + 1, x, NULL, &left);
        w->largest = largest;
    } else if (!fine) {
        memset(x, 0, (size_t)w->n * sizeof *x);
    }
}

/* The numbers of the eigenvalues of H, those of largest size first. */
static void sort(work *w, int m)
{
    for (int i = 0; i < m; i++)
        w->order[i] = i;
    for (int i = 1; i < m; i++)
        for (int k = i; k > 0 && cabs(w->values[w->order[k]]) > cabs(w->values[w->order[k - 1]]);
             k--) {
            int other = w->order[k];
            w->order[k] = w->order[k - 1];
            w->order[k - 1] = other;
        }
}

/* Eigenvalues of H; 1: the first `count` are good, 0: not yet, -2: not found. */
static int judge(work *w, int m, int count)
{
    for (int j = 0; j < m; j++)
        memcpy(w->copy + (size_t)j * (size_t)m, w->H + (size_t)j * (size_t)(w->room + 1),
               (size_t)m * sizeof *w->copy);
    if (LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', 'V', m, w->copy, m, w->values, NULL, 1, w->Y, m) != 0)
        return -2;
    sort(w, m);
    double h = cabs(w->H[(size_t)(m - 1) * (size_t)(w->room + 1) + (size_t)m]);
    double largest = cabs(w->values[w->order[0]]);
    for (int k = 0; k < count && m < w->n; k++) {
        int i = w->order[k];
        double off = h * cabs(w->Y[(size_t)i * (size_t)m + (size_t)(m - 1)]);
        if (off > 1e-12 * cabs(w->values[i]) && off > 1e-15 * largest)
            return 0;
    }
    return 1;
}

static void collect(const work *w, int m, int count, lmb_complex *values, lmb_complex *vectors)
{
    for (int k = 0; k < count; k++) {
        const lmb_complex *y = w->Y + (size_t)w->order[k] * (size_t)m;
        lmb_complex *x = vectors + (size_t)k * (size_t)w->n;
        values[k] = w->values[w->order[k]];
        memset(x, 0, (size_t)w->n * sizeof *x);
        for (int j = 0; j < m; j++) {
            const double *v = (const double *)(w->V + (size_t)j * (size_t)w->n);
            double *to = (double *)x, re = creal(y[j]), im = cimag(y[j]);
            for (int i = 0; i < w->n; i++) {
                to[2 * i] += v[2 * i] * re - v[2 * i + 1] * im;
                to[2 * i + 1] += v[2 * i] * im + v[2 * i + 1] * re;
            }
        }
    }
}

int lmb_arnoldi(lmb_arena *arena, int n, lmb_operator *multiply, void *user, int count, int *steps,
                lmb_complex *values, lmb_complex *vectors)
{
    if (count > n)
        count = n;
    if (count == 0)
        return 0;
    work w = {.n = n, .multiply = multiply, .user = user, .seed = 20250105};
    int m = 0, next = count + 10, found = 0;
    w.room = n < 6 * count + 60 ? n : 6 * count + 60;
    next = steps && *steps > next ? *steps : next;
    next = next < w.room ? next : w.room;
    size_t room = (size_t)w.room + 1;
    w.V = lmb_arena_alloc(arena, (size_t)n * room, sizeof *w.V);
    w.H = lmb_arena_alloc(arena, room * room, sizeof *w.H);
    w.copy = lmb_arena_alloc(arena, room * room, sizeof *w.copy);
    w.Y = lmb_arena_alloc(arena, room * room, sizeof *w.Y);
    w.values = lmb_arena_alloc(arena, room, sizeof *w.values);
    w.order = lmb_arena_integers(arena, room);
    if (!w.V || !w.H || !w.copy || !w.Y || !w.values || !w.order)
        return -1;
    fill(&w, w.V);
    double length = length_of(n, w.V);
    for (int i = 0; i < n; i++)
        w.V[i] /= length;
    while (!found) {
        for (; m < next; m++)
            grow(&w, m);
        found = judge(&w, m, count);
        if (!found && m == w.room)
            return -2;
        next = m + 8 + m / 6 < w.room ? m + 8 + m / 6 : w.room;
    }
    if (found < 0)
        return found;
    if (steps)
        *steps = m;
    collect(&w, m, count, values, vectors);
    return count;
}
