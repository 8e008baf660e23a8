/* Rotation vectors: T(psi) of the exponential, its inverse, and their derivatives.
 *
 *   exp(psi + d) = exp(psi) exp(T d + ...),   T = 1 - a psi~ + b psi~^2
 *   T^-1 = 1 + psi~/2 + e psi~^2,             exp(psi) = 1 + s psi~ + a psi~^2
 *
 * with functions of x = |psi|^2 (r = |psi|):
 *
 *   s = sin r / r,   a = (1 - cos r) / x,   b = (r - sin r) / r^3,   e = (1 - r/2 cot(r/2)) / x
 *
 * Primes are derivatives by x. T(-psi) = T^T, and T^-1 exp(-psi) = T^-T. T is for axes that turn
 * with the rotation, T^T for those that stay: d exp(psi) = (T^T d)~ exp(psi). */
#ifndef LMB_MATH_ROTVEC_H
#define LMB_MATH_ROTVEC_H

#include "math/vec.h"

typedef struct lmb_rotvec {
    vec3 psi;
    double s, a, b; /* for exp(psi) and T */
    double a1, b1;  /* a', b' */
    double a2, b2;  /* a'', b'' */
} lmb_rotvec;

lmb_rotvec lmb_rotvec_of(vec3 psi);

/* (1 + p psi~ + q psi~^2) u */
static inline vec3 lmb_rotvec_series(vec3 psi, double p, double q, vec3 u)
{
    vec3 once = v3_cross(psi, u);
    return v3_axpy(v3_axpy(u, p, once), q, v3_cross(psi, once));
}

/* exp(psi) u, exp(psi)^T u, T u, T^T u. */
static inline vec3 lmb_rotvec_exp(const lmb_rotvec *t, vec3 u)
{
    return lmb_rotvec_series(t->psi, t->s, t->a, u);
}

static inline vec3 lmb_rotvec_exp_back(const lmb_rotvec *t, vec3 u)
{
    return lmb_rotvec_series(t->psi, -t->s, t->a, u);
}

static inline vec3 lmb_rotvec_T(const lmb_rotvec *t, vec3 u)
{
    return lmb_rotvec_series(t->psi, -t->a, t->b, u);
}

static inline vec3 lmb_rotvec_T_back(const lmb_rotvec *t, vec3 u)
{
    return lmb_rotvec_series(t->psi, t->a, t->b, u);
}

/* d(T u)/dpsi w and d(T^T u)/dpsi w. */
vec3 lmb_rotvec_T_change(const lmb_rotvec *t, vec3 u, vec3 w);
vec3 lmb_rotvec_T_back_change(const lmb_rotvec *t, vec3 u, vec3 w);

/* The change of the latter along z. */
vec3 lmb_rotvec_T_back_change2(const lmb_rotvec *t, vec3 u, vec3 w, vec3 z);

/* The gradient of m . T u by psi, and its change along w. */
vec3 lmb_rotvec_gradient(const lmb_rotvec *t, vec3 m, vec3 u);
vec3 lmb_rotvec_gradient_change(const lmb_rotvec *t, vec3 m, vec3 u, vec3 w);

/* The inverse: e and e', T^-1 u, T^-T u, and their changes along w. */
typedef struct lmb_rotvec_inverse {
    vec3 psi;
    double e, e1;
} lmb_rotvec_inverse;

lmb_rotvec_inverse lmb_rotvec_inverse_of(vec3 psi);

static inline vec3 lmb_rotvec_inverse_times(const lmb_rotvec_inverse *t, vec3 u)
{
    return lmb_rotvec_series(t->psi, 0.5, t->e, u);
}

static inline vec3 lmb_rotvec_inverse_back(const lmb_rotvec_inverse *t, vec3 u)
{
    return lmb_rotvec_series(t->psi, -0.5, t->e, u);
}

vec3 lmb_rotvec_inverse_change(const lmb_rotvec_inverse *t, vec3 u, vec3 w);
vec3 lmb_rotvec_inverse_back_change(const lmb_rotvec_inverse *t, vec3 u, vec3 w);

#endif
