/* The tangent of the exponential of rotations, and its derivatives. */
#include "bodies/turn.h"

/* Series about s = 0: sum (-s)^k / (2k + 2 + odd)! and its derivatives. */
static void series(double s, int odd, double f[3])
{
    enum { TERMS = 12 };
    static const double coefficients[2][TERMS + 2] = {
        {1. / 2, -1. / 24, 1. / 720, -1. / 40320, 1. / 3628800, -1. / 479001600, 1. / 87178291200,
         -1. / 20922789888000, 1. / 6402373705728000, -1. / 2432902008176640000,
         1. / 1.12400072777760768e21, -1. / 6.20448401733239439e23, 1. / 4.03291461126605636e26,
         -1. / 3.04888344611713861e29},
        {1. / 6, -1. / 120, 1. / 5040, -1. / 362880, 1. / 39916800, -1. / 6227020800,
         1. / 1307674368000, -1. / 355687428096000, 1. / 121645100408832000,
         -1. / 5.1090942171709440e19, 1. / 2.58520167388849766e22, -1. / 1.55112100433309860e25,
         1. / 1.08888694504183522e28, -1. / 8.84176199373970195e30}};
    const double *c = coefficients[odd];
    int terms = s < 1e-4 ? 4 : s < 0.04 ? 7 : TERMS; /* the rest is below rounding */
    f[0] = f[1] = f[2] = 0;
    for (int k = terms - 1; k >= 0; k--) {
        f[0] = f[0] * s + c[k];
        f[1] = f[1] * s + (k + 1) * c[k + 1];
        f[2] = f[2] * s + (k + 1) * (k + 2) * c[k + 2];
    }
}

/* Away from zero, from cos x = 1 - s b and sin x = x (1 - s c): with respect to s,
 * b' = (1 - s c - 2 b) / (2 s) and c' = (b - 3 c) / (2 s). */
static void closed(double s, double b[3], double c[3])
{
    double x = sqrt(s);
    b[0] = (1 - cos(x)) / s;
    c[0] = (x - sin(x)) / (s * x);
    b[1] = (1 - s * c[0] - 2 * b[0]) / (2 * s);
    c[1] = (b[0] - 3 * c[0]) / (2 * s);
    b[2] = (-c[0] - s * c[1] - 2 * b[1]) / (2 * s) - b[1] / s;
    c[2] = (b[1] - 3 * c[1]) / (2 * s) - c[1] / s;
}

lmb_turn lmb_turn_of(vec3 theta)
{
    lmb_turn t = {.theta = theta};
    double s = v3_dot(theta, theta);
    if (s < 1) {
        series(s, 0, t.b);
        series(s, 1, t.c);
    } else {
        closed(s, t.b, t.c);
    }
    return t;
}

static vec3 combine(vec3 u, double b, vec3 once, double c, vec3 twice)
{
    return v3_axpy(v3_axpy(u, b, once), c, twice);
}

vec3 lmb_turn_rate(const lmb_turn *t, vec3 u)
{
    vec3 once = v3_cross(t->theta, u);
    return combine(u, t->b[0], once, t->c[0], v3_cross(t->theta, once));
}

/* d x (theta x u) + theta x (d x u) */
static vec3 twice_change(vec3 theta, vec3 u, vec3 d)
{
    return v3_add(v3_cross(d, v3_cross(theta, u)), v3_cross(theta, v3_cross(d, u)));
}

vec3 lmb_turn_change(const lmb_turn *t, vec3 u, vec3 d)
{
    vec3 once = v3_cross(t->theta, u), zero = v3(0, 0, 0);
    double ds = 2 * v3_dot(t->theta, d);
    vec3 scaled = combine(zero, ds * t->b[1], once, ds * t->c[1], v3_cross(t->theta, once));
    return combine(scaled, t->b[0], v3_cross(d, u), t->c[0], twice_change(t->theta, u, d));
}

vec3 lmb_turn_change2(const lmb_turn *t, vec3 u, vec3 d, vec3 e)
{
    vec3 theta = t->theta, once = v3_cross(theta, u), twice = v3_cross(theta, once);
    double sd = 2 * v3_dot(theta, d), se = 2 * v3_dot(theta, e), sde = 2 * v3_dot(d, e);
    vec3 out = combine(v3(0, 0, 0), sde * t->b[1] + sd * se * t->b[2], once,
                       sde * t->c[1] + sd * se * t->c[2], twice);
    out = combine(out, sd * t->b[1], v3_cross(e, u), sd * t->c[1], twice_change(theta, u, e));
    out = combine(out, se * t->b[1], v3_cross(d, u), se * t->c[1], twice_change(theta, u, d));
    vec3 mixed = v3_add(v3_cross(d, v3_cross(e, u)), v3_cross(e, v3_cross(d, u)));
    return v3_axpy(out, t->c[0], mixed);
}
