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
    int size;    /* numbers of a vector: n, or 2 n for complex ones */
    bool real;
    lmb_operator *multiply;
    void *user;
    double *V;      /* size x (room + 1) */
    lmb_complex *H; /* (room + 1) x room, by columns */
    lmb_complex *copy, *values, *Y;
    lmb_complex *x, *y; /* of a product */
    int *order;
    double largest; /* of H so far */
    unsigned long long seed;
} work;

static double length_of(const work *w, const double *x)
{
    double sum = 0;
    for (int i = 0; i < w->size; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* a^T b; eight sums at a time, which the compiler makes into vectors. */
static double product(int n, const double *a, const double *b)
{
    double lanes[8] = {0}, sum = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            lanes[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum += a[i] * b[i];
    for (int k = 0; k < 8; k++)
        sum += lanes[k];
    return sum;
}

/* The imaginary part of a^H b: the products with real and imaginary parts exchanged. */
static double crossed_product(int n, const double *a, const double *b)
{
    double lanes[8] = {0}, sum = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const double swapped[8] = {b[i + 1], b[i],     b[i + 3], b[i + 2],
                                   b[i + 5], b[i + 4], b[i + 7], b[i + 6]};
        for (int k = 0; k < 8; k++)
            lanes[k] += a[i + k] * swapped[k];
    }
    for (; i < n; i += 2)
        sum += a[i] * b[i + 1] - a[i + 1] * b[i];
    for (int k = 0; k < 8; k += 2)
        sum += lanes[k] - lanes[k + 1];
    return sum;
}

/* x = x - c v for complex vectors. */
static void subtract(int n, lmb_complex c, const double *restrict a, double *restrict b)
{
    double re = creal(c), im = cimag(c);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const double turned[8] = {-a[i + 1], a[i],     -a[i + 3], a[i + 2],
                                  -a[i + 5], a[i + 4], -a[i + 7], a[i + 6]};
        for (int k = 0; k < 8; k++)
            b[i + k] -= a[i + k] * re + turned[k] * im;
    }
    for (; i < n; i += 2) {
        b[i] -= a[i] * re - a[i + 1] * im;
        b[i + 1] -= a[i] * im + a[i + 1] * re;
    }
}

/* x = x - (v^H x) v; returns v^H x. */
static lmb_complex take_out(const work *w, const double *restrict v, double *restrict x)
{
    double re = product(w->size, v, x);
    if (w->real) {
        for (int i = 0; i < w->size; i++)
            x[i] -= re * v[i];
        return re;
    }
    lmb_complex c = CMPLX(re, crossed_product(w->size, v, x));
    subtract(w->size, c, v, x);
    return c;
}

static double *vector(const work *w, int j)
{
    return w->V + (size_t)j * (size_t)w->size;
}

static void fill(work *w, double *x)
{
    for (int i = 0; i < w->size; i++) {
        w->seed = w->seed * 6364136223846793005ULL + 1442695040888963407ULL;
        x[i] = (double)(w->seed >> 40) / 8388608.0 - 1;
    }
}

/* Makes x a unit vector across the first ones; false if nothing is left of it. Where little is
 * left, it is done again; twice is enough. */
static bool orthonormal(work *w, int count, double *x, lmb_complex *h, double *left)
{
    double before = length_of(w, x);
    *left = before;
    for (int pass = 0; pass < 2 && (pass == 0 || *left < 0.05 * before); pass++) {
        for (int j = 0; j < count; j++) {
            lmb_complex c = take_out(w, vector(w, j), x);
            if (h)
                h[j] += c;
        }
        *left = length_of(w, x);
    }
    w->largest = fmax(w->largest, before);
    if (!(*left > 1e-14 * w->largest) || !(*left > 0))
        return false;
    for (int i = 0; i < w->size; i++)
        x[i] /= *left;
    return true;
}

/* x = A v */
static void multiply(work *w, const double *v, double *x)
{
    int parts = w->real ? 1 : 2;
    for (int i = 0; i < w->n; i++)
        w->x[i] = w->real ? v[i] : CMPLX(v[2 * i], v[2 * i + 1]);
    w->multiply(w->user, w->x, w->y);
    for (int i = 0; i < w->n; i++) {
        x[parts * i] = creal(w->y[i]);
        if (!w->real)
            x[2 * i + 1] = cimag(w->y[i]);
    }
}

/* One more vector, from number j to number j + 1. */
static void grow(work *w, int j)
{
    lmb_complex *h = w->H + (size_t)j * (size_t)(w->room + 1);
    double *x = vector(w, j + 1), left;
    memset(h, 0, (size_t)(w->room + 1) * sizeof *h);
    multiply(w, vector(w, j), x);
    bool fine = orthonormal(w, j + 1, x, h, &left);
    h[j + 1] = fine ? left : 0;
    if (!fine && j + 1 < w->n) {
        double largest = w->largest;
        fill(w, x);
        orthonormal(w, j + 1, x, NULL, &left);
        w->largest = largest;
    } else if (!fine) {
        memset(x, 0, (size_t)w->size * sizeof *x);
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

/* Eigenvalues and vectors of a real H; the numbers of LAPACK all find room in the copy. */
static bool solve_real(work *w, int m)
{
    size_t n = (size_t)m;
    double *a = (double *)w->copy, *parts = a + n * n, *re = parts + n * n, *im = re + n;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            a[j * n + i] = creal(w->H[j * (size_t)(w->room + 1) + i]);
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', m, a, m, re, im, NULL, 1, parts, m) != 0)
        return false;
    for (size_t j = 0; j < n; j++) {
        /* of a pair the first column has the real and the second the imaginary parts */
        double sign = im[j] > 0 ? 1 : im[j] < 0 ? -1 : 0;
        const double *real = parts + (sign < 0 ? j - 1 : j) * n, *other = sign ? real + n : real;
        w->values[j] = CMPLX(re[j], im[j]);
        for (size_t i = 0; i < n; i++)
            w->Y[j * n + i] = CMPLX(real[i], sign * other[i]);
    }
    return true;
}

static bool solve_complex(work *w, int m)
{
    for (int j = 0; j < m; j++)
        memcpy(w->copy + (size_t)j * (size_t)m, w->H + (size_t)j * (size_t)(w->room + 1),
               (size_t)m * sizeof *w->copy);
    return LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', 'V', m, w->copy, m, w->values, NULL, 1, w->Y, m) ==
           0;
}

/* Eigenvalues of H; 1: the first `count` are good, 0: not yet, -2: not found. */
static int judge(work *w, int m, int count)
{
    if (!(w->real ? solve_real(w, m) : solve_complex(w, m)))
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
            const double *v = vector(w, j);
            double *to = (double *)x, re = creal(y[j]), im = cimag(y[j]);
            for (int i = 0; i < w->n && w->real; i++) {
                to[2 * i] += v[i] * re;
                to[2 * i + 1] += v[i] * im;
            }
            if (!w->real)
                subtract(w->size, -y[j], v, to);
        }
    }
}

int lmb_arnoldi(lmb_arena *arena, int n, lmb_operator *operator, void * user, int count,
                lmb_arnoldi_options options, lmb_complex *values, lmb_complex *vectors)
{
    if (count > n)
        count = n;
    if (count == 0)
        return 0;
    work w = {.n = n,
              .size = options.real ? n : 2 * n,
              .real = options.real,
              .multiply = operator,
              .user = user,
              .seed = 20250105};
    int m = 0, next = count + 10, found = 0;
    w.room = n < 6 * count + 60 ? n : 6 * count + 60;
    next = options.steps && *options.steps > next ? *options.steps : next;
    next = next < w.room ? next : w.room;
    size_t room = (size_t)w.room + 1;
    w.V = lmb_arena_numbers(arena, (size_t)w.size * room);
    w.H = lmb_arena_alloc(arena, room * room, sizeof *w.H);
    w.copy = lmb_arena_alloc(arena, room * room, sizeof *w.copy);
    w.Y = lmb_arena_alloc(arena, room * room, sizeof *w.Y);
    w.values = lmb_arena_alloc(arena, room, sizeof *w.values);
    w.x = lmb_arena_alloc(arena, (size_t)n, sizeof *w.x);
    w.y = lmb_arena_alloc(arena, (size_t)n, sizeof *w.y);
    w.order = lmb_arena_integers(arena, room);
    if (!w.V || !w.H || !w.copy || !w.Y || !w.values || !w.x || !w.y || !w.order)
        return -1;
    fill(&w, w.V);
    double length = length_of(&w, w.V);
    for (int i = 0; i < w.size; i++)
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
    if (options.steps)
        *options.steps = m;
    collect(&w, m, count, values, vectors);
    return count;
}
