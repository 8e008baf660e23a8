/* Third derivatives of the products that are not bilinear: the change of v . H v along d.
 *
 *   LMB_ANGLE  Im log w with w = c + i s, where c and s are bilinear in the frames
 *   LMB_RIM    -R sqrt(1 - n^2) with n = e3 . f3
 *   LMB_SLIP   e_i . b(x), b = rdot + R (u1 f1dot + u2 f2dot) - pdot - sum alpha_j e_jdot
 *
 * A second index is a derivative along d or v, so w_dv is the second derivative along both. The
 * frames are straight lines in both directions: their own second derivatives are 0. */
#include <complex.h>

#include "frames/product.h"

/* Directions in which frames move. */
typedef struct moves {
    const lmb_frame *A, *B; /* the frames, */
    const lmb_frame *d[2];  /* and their changes along d and v; of A, */
    const lmb_frame *e[2];  /* and of B */
} moves;

enum { D, V };

/* e_i . f_j and its derivatives along d, v, both, and v twice. */
typedef struct cosine {
    double f, d, v, dv, vv;
} cosine;

static cosine cosine_of(const moves *m, int i, int j)
{
    vec3 a = m->A->e[i], ad = m->d[D]->e[i], av = m->d[V]->e[i];
    vec3 b = m->B->e[j], bd = m->e[D]->e[j], bv = m->e[V]->e[j];
    return (cosine){v3_dot(a, b), v3_dot(ad, b) + v3_dot(a, bd), v3_dot(av, b) + v3_dot(a, bv),
                    v3_dot(ad, bv) + v3_dot(av, bd), 2 * v3_dot(av, bv)};
}

/* The third derivative of log w along d, v, v; w itself is quadratic. */
static double angle(const moves *m)
{
    cosine s = cosine_of(m, 1, 0), c = cosine_of(m, 0, 0);
    double complex w = c.f + I * s.f, d = c.d + I * s.d, v = c.v + I * s.v;
    double complex dv = c.dv + I * s.dv, vv = c.vv + I * s.vv;
    return cimag((2 * d * v * v / w - d * vv - 2 * dv * v) / (w * w));
}

static double rim(double R, const moves *m)
{
    cosine n = cosine_of(m, 2, 2);
    double root = sqrt(1 - n.f * n.f), second = R / (root * root * root);
    double third = 3 * n.f * second / (root * root);
    return third * n.d * n.v * n.v + second * (n.d * n.vv + 2 * n.dv * n.v);
}

/* u = -a / rho with rho = |a|, of the contact point of a disc along f1 and f2. */
typedef struct contact {
    double u[2], ud[2], uv[2], udv[2];
} contact;

static contact contact_of(const moves *m)
{
    contact c;
    cosine a[2] = {cosine_of(m, 2, 0), cosine_of(m, 2, 1)};
    double rho = hypot(a[0].f, a[1].f);
    double rho_d = (a[0].f * a[0].d + a[1].f * a[1].d) / rho;
    double rho_v = (a[0].f * a[0].v + a[1].f * a[1].v) / rho;
    double rho_dv =
        (a[0].d * a[0].v + a[1].d * a[1].v + a[0].f * a[0].dv + a[1].f * a[1].dv - rho_d * rho_v) /
        rho;
    for (int k = 0; k < 2; k++) {
        c.u[k] = -a[k].f / rho;
        c.ud[k] = -(a[k].d + c.u[k] * rho_d) / rho;
        c.uv[k] = -(a[k].v + c.u[k] * rho_v) / rho;
        c.udv[k] = -(a[k].dv + c.ud[k] * rho_v + c.uv[k] * rho_d + c.u[k] * rho_dv) / rho;
    }
    return c;
}

/* The second derivative along d and v of e_i . b, in which the velocities are v. */
static double slip(const lmb_product *p, const moves *m)
{
    contact c = contact_of(m);
    double R = p->radius;
    vec3 zero = {0, 0, 0}, b_d = zero, b_v = zero, b_dv = zero, arm_dv = zero;
    vec3 arm = v3_sub(m->B->p, m->A->p);
    vec3 arm_d = v3_sub(m->e[D]->p, m->d[D]->p), arm_v = v3_sub(m->e[V]->p, m->d[V]->p);
    for (int k = 0; k < 2; k++) {
        vec3 f = m->B->e[k], fd = m->e[D]->e[k], fv = m->e[V]->e[k];
        arm = v3_axpy(arm, R * c.u[k], f);
        arm_d = v3_axpy(v3_axpy(arm_d, R * c.ud[k], f), R * c.u[k], fd);
        arm_v = v3_axpy(v3_axpy(arm_v, R * c.uv[k], f), R * c.u[k], fv);
        arm_dv = v3_axpy(v3_axpy(arm_dv, R * c.ud[k], fv), R * c.uv[k], fd);
        arm_dv = v3_axpy(arm_dv, R * c.udv[k], f);
        b_d = v3_axpy(b_d, R * c.ud[k], fv);
        b_v = v3_axpy(b_v, R * c.uv[k], fv);
        b_dv = v3_axpy(b_dv, R * c.udv[k], fv);
    }
    for (int j = 0; j < 3; j++) {
        vec3 e = m->A->e[j], ed = m->d[D]->e[j], ev = m->d[V]->e[j];
        b_d = v3_axpy(b_d, -v3_dot(arm_d, e) - v3_dot(arm, ed), ev);
        b_v = v3_axpy(b_v, -v3_dot(arm_v, e) - v3_dot(arm, ev), ev);
        b_dv = v3_axpy(b_dv, -v3_dot(arm_dv, e) - v3_dot(arm_d, ev) - v3_dot(arm_v, ed), ev);
    }
    return v3_dot(m->d[D]->e[p->i], b_v) + v3_dot(m->d[V]->e[p->i], b_d) +
           v3_dot(m->A->e[p->i], b_dv);
}

double lmb_product_third(const lmb_product *p, const lmb_frame *A, const lmb_frame *B,
                         const lmb_frame *dA, const lmb_frame *dB, const lmb_frame *vA,
                         const lmb_frame *vB)
{
    moves m = {A, B, {dA, vA}, {dB, vB}};
    switch (p->kind) {
    case LMB_ANGLE:
        return angle(&m);
    case LMB_RIM:
        return rim(p->radius, &m);
    case LMB_SLIP:
        return slip(p, &m);
    default: /* at most bilinear */
        return 0;
    }
}
