/* Sums over the modes of a flexible body, shared by its inertia in both kinds of coordinates.
 *
 * They run along arrays of one component of all modes, so that the compiler can do several at a
 * time. */
#ifndef LMB_BODIES_FLEXIBLE_SUMS_H
#define LMB_BODIES_FLEXIBLE_SUMS_H

#include <string.h>

#include "bodies/flexible.h"
#include "math/small.h"

/* x += f y */
static inline void add(double *restrict x, double f, const double *restrict y, int n)
{
    for (int i = 0; i < n; i++)
        x[i] += f * y[i];
}

/* out = sum_j x_j of the rows j of a table whose rows are `stride` apart, `width` numbers each. */
void lmb_flexible_combine(const double *table, int stride, const double *x, int rows, int width,
                          double *restrict out);

/* The vector of mode k in an array of components. */
static inline vec3 vector_at(const double *x, int n, int k)
{
    return v3(x[k], x[n + k], x[2 * n + k]);
}

/* sum_k x_k of the vectors in an array of components. */
static inline vec3 vector_sum(const double *f, const double *x, int n)
{
    return v3(lmb_long_dot(f, x, n), lmb_long_dot(f + n, x, n), lmb_long_dot(f + 2 * n, x, n));
}

/* A symmetric matrix of its components xx yy zz xy xz yz. */
static inline mat3 symmetric(double xx, double yy, double zz, double xy, double xz, double yz)
{
    return (mat3){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

/* That of mode k, and the sum over modes. */
static inline mat3 matrix_at(const double *x, int n, int k)
{
    return symmetric(x[k], x[n + k], x[2 * n + k], x[3 * n + k], x[4 * n + k], x[5 * n + k]);
}

static inline mat3 matrix_sum(const double *f, const double *x, int n)
{
    return symmetric(lmb_long_dot(f, x, n), lmb_long_dot(f + n, x, n),
                     lmb_long_dot(f + 2 * n, x, n), lmb_long_dot(f + 3 * n, x, n),
                     lmb_long_dot(f + 4 * n, x, n), lmb_long_dot(f + 5 * n, x, n));
}

/* out += f omega . matrices omega, for all modes. */
static inline void add_squares(double f, vec3 w, const double *x, int n, double *out)
{
    const double c[LMB_INERTIAS] = {w.x * w.x,     w.y * w.y,     w.z * w.z,
                                    2 * w.x * w.y, 2 * w.x * w.z, 2 * w.y * w.z};
    for (int i = 0; i < LMB_INERTIAS; i++)
        add(out, f * c[i], x + i * n, n);
}

/* out += f a . vectors, for all modes. */
static inline void add_dots(double f, vec3 a, const double *x, int n, double *out)
{
    add(out, f * a.x, x, n);
    add(out, f * a.y, x + n, n);
    add(out, f * a.z, x + 2 * n, n);
}

/* y -= A x with a modal matrix that may be diagonal. */
static inline void subtract_product(const double *A, bool diagonal, const double *x, int n,
                                    double *y)
{
    for (int k = 0; k < n; k++) {
        if (diagonal)
            y[k] -= A[k * n + k] * x[k];
        else
            add(y, -x[k], A + k * n, n);
    }
}

/* E_k of all modes, of the present deformation. */
static inline const double *E_of(const lmb_body_at *at)
{
    return deformed_of(at)->change + LMB_INERTIAS * modal_of(at->body)->modes;
}

/* x . A x of a modal matrix that may be diagonal. */
static inline double square(const double *A, bool diagonal, const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * (diagonal ? A[k * n + k] * x[k] : lmb_long_dot(A + k * n, x, n));
    return sum;
}

/* Sums over modes that tangents are made of: with the odd and even parts of E1 in its two modes,
 * sum_j x_j E1_jk = even x - odd x / 2 and sum_j E1_kj x_j = even x + odd x / 2. */
typedef struct mode_sums {
    double *odd, *even;    /* 3 x modes: of the velocities */
    double *J_rate;        /* LMB_INERTIAS x modes: sum_j etadot_j J2_jk */
    double *by_a, *even_a; /* 3 x modes: of the accelerations */
} mode_sums;

static inline mode_sums sums_of(const lmb_body_at *at, const double *v, const double *a)
{
    const lmb_modal *m = modal_of(at->body);
    int n = m->modes;
    double *room = deformed_of(at)->room;
    mode_sums s = {room, room + 3 * n, room + 6 * n, room + 12 * n, room + 15 * n};
    lmb_flexible_combine(m->odd, 3 * n, v, n, 3 * n, s.odd);
    lmb_flexible_combine(m->odd, 3 * n, a, n, 3 * n, s.by_a);
    lmb_flexible_combine(m->change, LMB_CHANGES * n, v, n, LMB_INERTIAS * n, s.J_rate);
    memset(s.even, 0, 3 * (size_t)n * sizeof *s.even);
    memset(s.even_a, 0, 3 * (size_t)n * sizeof *s.even_a);
    if (m->even) {
        lmb_flexible_combine(m->even, 3 * n, v, n, 3 * n, s.even);
        lmb_flexible_combine(m->even, 3 * n, a, n, 3 * n, s.even_a);
    }
    return s;
}

/* sum_j E1_kj x_j */
static inline vec3 E_by(const double *even, const double *odd, int n, int k)
{
    return v3_axpy(vector_at(even, n, k), 0.5, vector_at(odd, n, k));
}

#endif
