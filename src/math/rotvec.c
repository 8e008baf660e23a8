/* Rotation vectors: series for angles as they are in elements and deformed bodies, closed forms for
 * larger ones. */
#include "math/rotvec.h"

enum { TERMS = 9 };

/* Below this x the series are exact to rounding with so many terms. */
static const double small = 0.5;

/* As many terms of them as it takes for the second derivatives. */
static int terms_of(double x)
{
    return x < 1e-4 ? 5 : x < 0.04 ? 7 : TERMS;
}

/* The value and first two derivatives of sum_k c_k x^k. */
static void series(const double c[TERMS], int terms, double x, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int k = terms - 1; k >= 0; k--) {
        out[2] = out[2] * x + 2 * out[1];
        out[1] = out[1] * x + out[0];
        out[0] = out[0] * x + c[k];
    }
}

/* (-1)^k / (2k+2)! and (2k+3)! */
static const double A[TERMS] = {1.0 / 2,
                                -1.0 / 24,
                                1.0 / 720,
                                -1.0 / 40320,
                                1.0 / 3628800,
                                -1.0 / 479001600,
                                1.0 / 87178291200.0,
                                -1.0 / 20922789888000.0,
                                1.0 / 6402373705728000.0};
static const double B[TERMS] = {1.0 / 6,
                                -1.0 / 120,
                                1.0 / 5040,
                                -1.0 / 362880,
                                1.0 / 39916800,
                                -1.0 / 6227020800.0,
                                1.0 / 1307674368000.0,
                                -1.0 / 355687428096000.0,
                                1.0 / 121645100408832000.0};
/* |B_2k| / (2k)! of Bernoulli's numbers, from k = 1 */
static const double E[TERMS] = {1.0 / 12,
                                1.0 / 720,
                                1.0 / 30240,
                                1.0 / 1209600,
                                1.0 / 47900160,
                                691.0 / 1307674368000.0,
                                1.0 / 74724249600.0,
                                3617.0 / 10670622842880000.0,
                                43867.0 / 5109094217170944000.0};

lmb_rotvec lmb_rotvec_of(vec3 psi)
{
    lmb_rotvec t = {.psi = psi};
    double x = v3_dot(psi, psi), s[3], a[3], b[3];
    if (x < small) {
        int terms = terms_of(x);
        series(A, terms, x, a);
        series(B, terms, x, b);
        s[0] = 1 - x * b[0];
    } else {
        double r = sqrt(x), c = cos(r);
        s[0] = sin(r) / r;
        s[1] = (c - s[0]) / (2 * x);
        s[2] = (-s[0] / 2 - 3 * s[1]) / (2 * x);
        a[0] = (1 - c) / x;
        a[1] = (s[0] / 2 - a[0]) / x;
        a[2] = (s[1] / 2 - 2 * a[1]) / x;
        b[0] = (1 - s[0]) / x;
        b[1] = (-s[1] - b[0]) / x;
        b[2] = (-s[2] - 2 * b[1]) / x;
    }
    t.s = s[0];
    t.a = a[0];
    t.a1 = a[1];
    t.a2 = a[2];
    t.b = b[0];
    t.b1 = b[1];
    t.b2 = b[2];
    return t;
}

lmb_rotvec_inverse lmb_rotvec_inverse_of(vec3 psi)
{
    double x = v3_dot(psi, psi), e[3];
    if (x < small) {
        series(E, terms_of(x), x, e);
        return (lmb_rotvec_inverse){psi, e[0], e[1]};
    }
    double r = sqrt(x), half = r / 2, cot = cos(half) / sin(half);
    e[0] = (1 - half * cot) / x;
    /* d(half cot)/dx = (cot - half (1 + cot^2)) / (4 r) */
    e[1] = -((cot - half * (1 + cot * cot)) / (4 * r) + e[0]) / x;
    return (lmb_rotvec_inverse){psi, e[0], e[1]};
}

/* The change of p psi x u + q psi x (psi x u) along w, with p' and q' by x. */
static vec3 change(vec3 psi, vec3 u, vec3 w, double p, double p1, double q, double q1)
{
    double x1 = 2 * v3_dot(psi, w);
    vec3 once = v3_cross(psi, u), turned = v3_cross(w, u);
    vec3 out = v3_axpy(v3_scale(p1 * x1, once), p, turned);
    out = v3_axpy(out, q1 * x1, v3_cross(psi, once));
    return v3_axpy(out, q, v3_add(v3_cross(w, once), v3_cross(psi, turned)));
}

vec3 lmb_rotvec_T_change(const lmb_rotvec *t, vec3 u, vec3 w)
{
    return change(t->psi, u, w, -t->a, -t->a1, t->b, t->b1);
}

vec3 lmb_rotvec_T_back_change(const lmb_rotvec *t, vec3 u, vec3 w)
{
    return change(t->psi, u, w, t->a, t->a1, t->b, t->b1);
}

/* w x (psi x u) + psi x (w x u) */
static vec3 twice_change(vec3 psi, vec3 u, vec3 w)
{
    return v3_add(v3_cross(w, v3_cross(psi, u)), v3_cross(psi, v3_cross(w, u)));
}

vec3 lmb_rotvec_T_back_change2(const lmb_rotvec *t, vec3 u, vec3 w, vec3 z)
{
    vec3 psi = t->psi, once = v3_cross(psi, u), twice = v3_cross(psi, once);
    double xw = 2 * v3_dot(psi, w), xz = 2 * v3_dot(psi, z), xwz = 2 * v3_dot(w, z);
    vec3 out = v3_scale(xwz * t->a1 + xw * xz * t->a2, once);
    out = v3_axpy(out, xwz * t->b1 + xw * xz * t->b2, twice);
    out = v3_axpy(v3_axpy(out, xw * t->a1, v3_cross(z, u)), xw * t->b1, twice_change(psi, u, z));
    out = v3_axpy(v3_axpy(out, xz * t->a1, v3_cross(w, u)), xz * t->b1, twice_change(psi, u, w));
    return v3_axpy(out, t->b, v3_add(v3_cross(w, v3_cross(z, u)), v3_cross(z, v3_cross(w, u))));
}

vec3 lmb_rotvec_inverse_change(const lmb_rotvec_inverse *t, vec3 u, vec3 w)
{
    return change(t->psi, u, w, 0.5, 0, t->e, t->e1);
}

vec3 lmb_rotvec_inverse_back_change(const lmb_rotvec_inverse *t, vec3 u, vec3 w)
{
    return change(t->psi, u, w, -0.5, 0, t->e, t->e1);
}

/* m . T u = m . u - a psi . c + b Q,  c = u x m,  Q = (m . psi)(u . psi) - x m . u; its gradient is
 *   -2 a' (psi . c) psi - a c + 2 b' Q psi + b k,  k = (u . psi) m + (m . psi) u - 2 (m . u) psi */
vec3 lmb_rotvec_gradient(const lmb_rotvec *t, vec3 m, vec3 u)
{
    vec3 psi = t->psi, c = v3_cross(u, m);
    double x = v3_dot(psi, psi), mu = v3_dot(m, u), mp = v3_dot(m, psi), up = v3_dot(u, psi);
    double Q = mp * up - x * mu;
    vec3 k = v3_axpy(v3_axpy(v3_scale(up, m), mp, u), -2 * mu, psi);
    vec3 out = v3_scale(2 * (t->b1 * Q - t->a1 * v3_dot(psi, c)), psi);
    return v3_axpy(v3_axpy(out, -t->a, c), t->b, k);
}

vec3 lmb_rotvec_gradient_change(const lmb_rotvec *t, vec3 m, vec3 u, vec3 w)
{
    vec3 psi = t->psi, c = v3_cross(u, m);
    double x = v3_dot(psi, psi), x1 = 2 * v3_dot(psi, w);
    double mu = v3_dot(m, u), mp = v3_dot(m, psi), up = v3_dot(u, psi), pc = v3_dot(psi, c);
    double mw = v3_dot(m, w), uw = v3_dot(u, w);
    double Q = mp * up - x * mu, Q1 = mw * up + mp * uw - x1 * mu;
    vec3 k = v3_axpy(v3_axpy(v3_scale(up, m), mp, u), -2 * mu, psi);
    vec3 k1 = v3_axpy(v3_axpy(v3_scale(uw, m), mw, u), -2 * mu, w);
    double along = t->b2 * x1 * Q + t->b1 * Q1 - t->a2 * x1 * pc - t->a1 * v3_dot(w, c);
    vec3 out = v3_scale(2 * along, psi);
    out = v3_axpy(out, 2 * (t->b1 * Q - t->a1 * pc), w);
    out = v3_axpy(out, -t->a1 * x1, c);
    return v3_axpy(v3_axpy(out, t->b1 * x1, k), t->b, k1);
}
