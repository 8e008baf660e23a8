/* Products of two frames: the words that constraints are written in.
 *
 * With A = (p, e1, e2, e3), B = (r, f1, f2, f3) and d = r - p:
 *
 *   LMB_ONE           1
 *   LMB_OFFSET_FIXED  d . g             along a fixed direction g
 *   LMB_OFFSET_AXIS   d . e_i           along an axis of A
 *   LMB_HALF_SQUARE   d . d / 2         half the squared distance
 *   LMB_AXES          e_i . f_j         cosine between two axes
 *   LMB_ANGLE         atan2(e2 . f1, e1 . f1)   turn of B about e3, any number of turns
 *   LMB_RIM           d . e3 - R sqrt(1 - (e3 . f3)^2)   height of the lowest point of the rim of
 *                     a disc (axis f3, radius R) above the plane through p with normal e3
 *   LMB_SLIP          velocity, along e_i, of that rim point against the plane's material point
 *
 * The first five are at most bilinear, so their second derivatives are constant. LMB_SLIP exists
 * on the velocity level only: it has no value, and its "gradient" g(x) is what the frame
 * velocities are multiplied with. */
#ifndef LMB_FRAMES_PRODUCT_H
#define LMB_FRAMES_PRODUCT_H

#include "frames/frame.h"

typedef enum lmb_product_kind {
    LMB_ONE,
    LMB_OFFSET_FIXED,
    LMB_OFFSET_AXIS,
    LMB_HALF_SQUARE,
    LMB_AXES,
    LMB_ANGLE,
    LMB_RIM,
    LMB_SLIP
} lmb_product_kind;

typedef struct lmb_product {
    lmb_product_kind kind;
    int i, j;      /* axes of A and of B, 0 to 2 */
    vec3 g;        /* LMB_OFFSET_FIXED: the direction */
    double radius; /* LMB_RIM, LMB_SLIP */
} lmb_product;

/* The products, spelled shortly. Axes count from 0. */
static inline lmb_product lmb_one(void)
{
    return (lmb_product){.kind = LMB_ONE};
}

static inline lmb_product lmb_offset_fixed(vec3 direction)
{
    return (lmb_product){.kind = LMB_OFFSET_FIXED, .g = direction};
}

static inline lmb_product lmb_offset_axis(int i)
{
    return (lmb_product){.kind = LMB_OFFSET_AXIS, .i = i};
}

static inline lmb_product lmb_half_square(void)
{
    return (lmb_product){.kind = LMB_HALF_SQUARE};
}

static inline lmb_product lmb_axes(int i, int j)
{
    return (lmb_product){.kind = LMB_AXES, .i = i, .j = j};
}

static inline lmb_product lmb_angle(void)
{
    return (lmb_product){.kind = LMB_ANGLE};
}

/* The value; `near` picks the turn of an LMB_ANGLE: the value nearest to it is returned. The
 * bilinear ones, which most rows are made of, are computed in place. */
double lmb_product_curved_value(const lmb_product *product, const lmb_frame *A, const lmb_frame *B,
                                double near);

static inline double lmb_product_value(const lmb_product *p, const lmb_frame *A, const lmb_frame *B,
                                       double near)
{
    switch (p->kind) {
    case LMB_ONE:
        return 1;
    case LMB_OFFSET_FIXED:
        return v3_dot(v3_sub(B->p, A->p), p->g);
    case LMB_OFFSET_AXIS:
        return v3_dot(v3_sub(B->p, A->p), A->e[p->i]);
    case LMB_AXES:
        return v3_dot(A->e[p->i], B->e[p->j]);
    default:
        return lmb_product_curved_value(p, A, B, near);
    }
}

/* Adds c times the gradient with respect to the twelve numbers of A and of B. */
void lmb_product_curved_gradient(const lmb_product *product, const lmb_frame *A, const lmb_frame *B,
                                 double c, lmb_frame *gA, lmb_frame *gB);

static inline void lmb_product_gradient(const lmb_product *p, const lmb_frame *A,
                                        const lmb_frame *B, double c, lmb_frame *gA, lmb_frame *gB)
{
    switch (p->kind) {
    case LMB_ONE:
        break;
    case LMB_OFFSET_FIXED:
        gB->p = v3_axpy(gB->p, c, p->g);
        gA->p = v3_axpy(gA->p, -c, p->g);
        break;
    case LMB_OFFSET_AXIS:
        gB->p = v3_axpy(gB->p, c, A->e[p->i]);
        gA->p = v3_axpy(gA->p, -c, A->e[p->i]);
        gA->e[p->i] = v3_axpy(gA->e[p->i], c, v3_sub(B->p, A->p));
        break;
    case LMB_AXES:
        gA->e[p->i] = v3_axpy(gA->e[p->i], c, B->e[p->j]);
        gB->e[p->j] = v3_axpy(gB->e[p->j], c, A->e[p->i]);
        break;
    default:
        lmb_product_curved_gradient(p, A, B, c, gA, gB);
    }
}

/* Adds c times the change of the gradient along the directions dA, dB (second derivative times
 * direction). */
void lmb_product_hessian(const lmb_product *product, const lmb_frame *A, const lmb_frame *B,
                         double c, const lmb_frame *dA, const lmb_frame *dB, lmb_frame *hA,
                         lmb_frame *hB);

/* The change of v . H v along dA, dB with the velocities v = (vA, vB) as they are: the third
 * derivative along d, v and v. */
double lmb_product_third(const lmb_product *product, const lmb_frame *A, const lmb_frame *B,
                         const lmb_frame *dA, const lmb_frame *dB, const lmb_frame *vA,
                         const lmb_frame *vB);

/* The change of the value along the directions dA, dB: its rate, for velocities. */
double lmb_product_rate(const lmb_product *product, const lmb_frame *A, const lmb_frame *B,
                        const lmb_frame *dA, const lmb_frame *dB);

#endif
