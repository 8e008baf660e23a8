/* Values, gradients and second derivatives of the products of two frames. */
#include "frames/product.h"

/* A product F(x, y) of two bilinear ones: the derivatives of F. */
typedef struct composite {
    lmb_product x, y;
    double x1, y1;     /* first derivatives */
    double xx, xy, yy; /* second derivatives */
} composite;

static const lmb_product sine = {LMB_AXES, 1, 0, {0, 0, 0}, 0};   /* e2 . f1 */
static const lmb_product cosine = {LMB_AXES, 0, 0, {0, 0, 0}, 0}; /* e1 . f1 */
static const lmb_product height = {LMB_OFFSET_AXIS, 2, 0, {0, 0, 0}, 0};
static const lmb_product tilt = {LMB_AXES, 2, 2, {0, 0, 0}, 0};

/* LMB_ANGLE: F = atan2(x, y) with x the sine and y the cosine. */
static composite angle(const lmb_frame *A, const lmb_frame *B)
{
    double s = v3_dot(A->e[1], B->e[0]), c = v3_dot(A->e[0], B->e[0]);
    double n = 1 / (s * s + c * c);
    double mixed = 2 * s * c * n * n;
    return (composite){sine, cosine, c * n, -s * n, -mixed, (s * s - c * c) * n * n, mixed};
}

/* The angle itself, in the turn nearest to a given value. */
static double angle_value(const lmb_frame *A, const lmb_frame *B, double near)
{
    double principal = atan2(v3_dot(A->e[1], B->e[0]), v3_dot(A->e[0], B->e[0]));
    return principal + 2 * LMB_PI * round((near - principal) / (2 * LMB_PI));
}

/* LMB_RIM: F = x - R sqrt(1 - y^2). */
static composite rim(const lmb_product *p, const lmb_frame *A, const lmb_frame *B)
{
    double y = v3_dot(A->e[2], B->e[2]), root = sqrt(1 - y * y);
    return (composite){
        height, tilt, 1, p->radius * y / root, 0, 0, p->radius / (root * root * root)};
}

static double rim_value(const lmb_product *p, const lmb_frame *A, const lmb_frame *B)
{
    double x = v3_dot(v3_sub(B->p, A->p), A->e[2]), y = v3_dot(A->e[2], B->e[2]);
    return x - p->radius * sqrt(1 - y * y);
}

static composite composite_of(const lmb_product *p, const lmb_frame *A, const lmb_frame *B)
{
    return p->kind == LMB_ANGLE ? angle(A, B) : rim(p, A, B);
}

double lmb_product_curved_value(const lmb_product *p, const lmb_frame *A, const lmb_frame *B,
                                double near)
{
    vec3 d = v3_sub(B->p, A->p);
    return p->kind == LMB_HALF_SQUARE ? v3_dot(d, d) / 2
           : p->kind == LMB_ANGLE     ? angle_value(A, B, near)
           : p->kind == LMB_RIM       ? rim_value(p, A, B)
                                      : 0; /* LMB_SLIP */
}

/* The rim point of a rolling disc: where it is and how it lies in the axes of A and B. */
typedef struct contact {
    double a[2], rho; /* components of the plane's normal along f1, f2; their norm */
    double u[2];      /* unit vector from centre to rim point along f1, f2 */
    vec3 arm;         /* from A's origin to the rim point */
    double alpha[3];  /* the same along the axes of A */
} contact;

static contact contact_of(double radius, const lmb_frame *A, const lmb_frame *B)
{
    contact c;
    c.a[0] = v3_dot(A->e[2], B->e[0]);
    c.a[1] = v3_dot(A->e[2], B->e[1]);
    c.rho = hypot(c.a[0], c.a[1]);
    c.arm = v3_sub(B->p, A->p);
    for (int k = 0; k < 2; k++) {
        c.u[k] = -c.a[k] / c.rho;
        c.arm = v3_axpy(c.arm, radius * c.u[k], B->e[k]);
    }
    for (int j = 0; j < 3; j++)
        c.alpha[j] = v3_dot(c.arm, A->e[j]);
    return c;
}

/* LMB_SLIP: e_i . [rdot + R (u1 f1dot + u2 f2dot) - pdot - sum alpha_j e_jdot]. */
static void slip_gradient(const lmb_product *p, const lmb_frame *A, const lmb_frame *B, double c,
                          lmb_frame *gA, lmb_frame *gB)
{
    contact at = contact_of(p->radius, A, B);
    vec3 e = A->e[p->i];
    gB->p = v3_axpy(gB->p, c, e);
    gA->p = v3_axpy(gA->p, -c, e);
    for (int k = 0; k < 2; k++)
        gB->e[k] = v3_axpy(gB->e[k], c * p->radius * at.u[k], e);
    for (int j = 0; j < 3; j++)
        gA->e[j] = v3_axpy(gA->e[j], -c * at.alpha[j], e);
}

static void slip_hessian(const lmb_product *p, const lmb_frame *A, const lmb_frame *B, double c,
                         const lmb_frame *dA, const lmb_frame *dB, lmb_frame *hA, lmb_frame *hB)
{
    contact at = contact_of(p->radius, A, B);
    vec3 e = A->e[p->i], de = dA->e[p->i];
    double R = p->radius, da[2], du[2];
    for (int k = 0; k < 2; k++)
        da[k] = v3_dot(dA->e[2], B->e[k]) + v3_dot(A->e[2], dB->e[k]);
    double drho = (at.a[0] * da[0] + at.a[1] * da[1]) / at.rho;
    vec3 darm = v3_sub(dB->p, dA->p);
    for (int k = 0; k < 2; k++) {
        du[k] = -(da[k] + at.u[k] * drho) / at.rho;
        darm = v3_axpy(darm, R * du[k], B->e[k]);
        darm = v3_axpy(darm, R * at.u[k], dB->e[k]);
    }
    hB->p = v3_axpy(hB->p, c, de);
    hA->p = v3_axpy(hA->p, -c, de);
    for (int k = 0; k < 2; k++) {
        hB->e[k] = v3_axpy(hB->e[k], c * R * du[k], e);
        hB->e[k] = v3_axpy(hB->e[k], c * R * at.u[k], de);
    }
    for (int j = 0; j < 3; j++) {
        double dalpha = v3_dot(darm, A->e[j]) + v3_dot(at.arm, dA->e[j]);
        hA->e[j] = v3_axpy(hA->e[j], -c * dalpha, e);
        hA->e[j] = v3_axpy(hA->e[j], -c * at.alpha[j], de);
    }
}

/* The angle's gradient is (c grad s - s grad c) / (s^2 + c^2). */
static void angle_gradient(const lmb_frame *A, const lmb_frame *B, double factor, lmb_frame *gA,
                           lmb_frame *gB)
{
    double s = v3_dot(A->e[1], B->e[0]), c = v3_dot(A->e[0], B->e[0]), n = factor / (s * s + c * c);
    gA->e[0] = v3_axpy(gA->e[0], -n * s, B->e[0]);
    gA->e[1] = v3_axpy(gA->e[1], n * c, B->e[0]);
    gB->e[0] = v3_axpy(v3_axpy(gB->e[0], n * c, A->e[1]), -n * s, A->e[0]);
}

void lmb_product_curved_gradient(const lmb_product *p, const lmb_frame *A, const lmb_frame *B,
                                 double c, lmb_frame *gA, lmb_frame *gB)
{
    vec3 d = v3_sub(B->p, A->p);
    if (p->kind == LMB_ANGLE) {
        angle_gradient(A, B, c, gA, gB);
    } else if (p->kind == LMB_SLIP) {
        slip_gradient(p, A, B, c, gA, gB);
    } else if (p->kind == LMB_HALF_SQUARE) {
        gB->p = v3_axpy(gB->p, c, d);
        gA->p = v3_axpy(gA->p, -c, d);
    } else { /* LMB_RIM */
        composite f = rim(p, A, B);
        lmb_product_gradient(&f.x, A, B, c * f.x1, gA, gB);
        lmb_product_gradient(&f.y, A, B, c * f.y1, gA, gB);
    }
}

/* (c sdot - s cdot) / (s^2 + c^2) */
static double angle_rate(const lmb_frame *A, const lmb_frame *B, const lmb_frame *dA,
                         const lmb_frame *dB)
{
    double s = v3_dot(A->e[1], B->e[0]), c = v3_dot(A->e[0], B->e[0]);
    double ds = v3_dot(dA->e[1], B->e[0]) + v3_dot(A->e[1], dB->e[0]);
    double dc = v3_dot(dA->e[0], B->e[0]) + v3_dot(A->e[0], dB->e[0]);
    return (c * ds - s * dc) / (s * s + c * c);
}

double lmb_product_rate(const lmb_product *p, const lmb_frame *A, const lmb_frame *B,
                        const lmb_frame *dA, const lmb_frame *dB)
{
    vec3 d = v3_sub(B->p, A->p), dd = v3_sub(dB->p, dA->p);
    switch (p->kind) {
    case LMB_ONE:
        return 0;
    case LMB_OFFSET_FIXED:
        return v3_dot(dd, p->g);
    case LMB_OFFSET_AXIS:
        return v3_dot(dd, A->e[p->i]) + v3_dot(d, dA->e[p->i]);
    case LMB_HALF_SQUARE:
        return v3_dot(d, dd);
    case LMB_AXES:
        return v3_dot(dA->e[p->i], B->e[p->j]) + v3_dot(A->e[p->i], dB->e[p->j]);
    case LMB_ANGLE:
        return angle_rate(A, B, dA, dB);
    case LMB_RIM: {
        composite f = rim(p, A, B);
        return f.x1 * lmb_product_rate(&f.x, A, B, dA, dB) +
               f.y1 * lmb_product_rate(&f.y, A, B, dA, dB);
    }
    case LMB_SLIP:
        break;
    }
    lmb_frame gA = frame_zero(), gB = frame_zero();
    slip_gradient(p, A, B, 1, &gA, &gB);
    return frame_dot(&gA, dA) + frame_dot(&gB, dB);
}

void lmb_product_hessian(const lmb_product *p, const lmb_frame *A, const lmb_frame *B, double c,
                         const lmb_frame *dA, const lmb_frame *dB, lmb_frame *hA, lmb_frame *hB)
{
    switch (p->kind) {
    case LMB_ONE:
    case LMB_OFFSET_FIXED:
        break;
    case LMB_OFFSET_AXIS:
    case LMB_HALF_SQUARE:
    case LMB_AXES: /* the gradient is linear in the frames */
        lmb_product_gradient(p, dA, dB, c, hA, hB);
        break;
    case LMB_ANGLE:
    case LMB_RIM: {
        composite f = composite_of(p, A, B);
        double dx = lmb_product_rate(&f.x, A, B, dA, dB);
        double dy = lmb_product_rate(&f.y, A, B, dA, dB);
        lmb_product_hessian(&f.x, A, B, c * f.x1, dA, dB, hA, hB);
        lmb_product_hessian(&f.y, A, B, c * f.y1, dA, dB, hA, hB);
        lmb_product_gradient(&f.x, A, B, c * (f.xx * dx + f.xy * dy), hA, hB);
        lmb_product_gradient(&f.y, A, B, c * (f.xy * dx + f.yy * dy), hA, hB);
        break;
    }
    case LMB_SLIP:
        slip_hessian(p, A, B, c, dA, dB, hA, hB);
        break;
    }
}
