/* Products of two frames alone: values against their definitions, and each derivative against
 * fourth-order differences of the one below it, in all 24 numbers. Frames are a little off from
 * rigid ones, since derivatives are those of free numbers. */
#include <math.h>

#include "frames/product.h"
#include "random_models.h"
#include "support.h"

enum { STATES = 20, MOST = 24 };

/* Both frames, their changes, or the forces on them. */
typedef struct both {
    lmb_frame A, B;
} both;

static both along(both x, double s, const both *d)
{
    frame_add(&x.A, s, &d->A);
    frame_add(&x.B, s, &d->B);
    return x;
}

static double dot(const both *a, const both *b)
{
    return frame_dot(&a->A, &b->A) + frame_dot(&a->B, &b->B);
}

static vec3 random_vector(double size)
{
    return v3(size * random_number(), size * random_number(), size * random_number());
}

static both random_change(double size)
{
    both d;
    lmb_frame *const frames[] = {&d.A, &d.B};
    for (int k = 0; k < 2; k++) {
        frames[k]->p = random_vector(size);
        for (int i = 0; i < 3; i++)
            frames[k]->e[i] = random_vector(size);
    }
    return d;
}

static lmb_frame turned(vec3 p, vec3 turn)
{
    mat3 R = quat_matrix(quat_exp(turn));
    return frame_with_axes(p, &R);
}

/* Rigid frames far from those in which the angle or the rim is singular (f1 or f3 along e3) and
 * from the jump of the angle, where e1 . f1 = -1. */
static both random_frames(void)
{
    both x;
    do {
        x.A = turned(random_vector(1), random_vector(2));
        x.B = turned(random_vector(1), random_vector(2));
    } while (fabs(v3_dot(x.A.e[2], x.B.e[0])) > 0.8 || fabs(v3_dot(x.A.e[2], x.B.e[2])) > 0.8 ||
             v3_dot(x.A.e[0], x.B.e[0]) < -0.5);
    return x;
}

/* All kinds, with all axes. */
static int all_products(lmb_product out[MOST])
{
    int n = 0;
    out[n++] = lmb_one();
    out[n++] = lmb_offset_fixed(v3(0.3, -0.7, 0.5));
    out[n++] = lmb_half_square();
    out[n++] = lmb_angle();
    out[n++] = (lmb_product){.kind = LMB_RIM, .radius = 0.6};
    for (int i = 0; i < 3; i++) {
        out[n++] = lmb_offset_axis(i);
        out[n++] = (lmb_product){.kind = LMB_SLIP, .i = i, .radius = 0.6};
        for (int j = 0; j < 3; j++)
            out[n++] = lmb_axes(i, j);
    }
    return n;
}

/* --- functions of the frames ------------------------------------------------------------------ */

static double value(const lmb_product *p, const both *x, double near)
{
    return lmb_product_value(p, &x->A, &x->B, near);
}

/* Derivatives are added with a factor. */
static both gradient(const lmb_product *p, const both *x)
{
    both g = {frame_zero(), frame_zero()};
    lmb_product_gradient(p, &x->A, &x->B, -1.5, &g.A, &g.B);
    lmb_product_gradient(p, &x->A, &x->B, 2.5, &g.A, &g.B);
    return g;
}

static both hessian(const lmb_product *p, const both *x, const both *d)
{
    both h = {frame_zero(), frame_zero()};
    lmb_product_hessian(p, &x->A, &x->B, -1.5, &d->A, &d->B, &h.A, &h.B);
    lmb_product_hessian(p, &x->A, &x->B, 2.5, &d->A, &d->B, &h.A, &h.B);
    return h;
}

/* A function of the frames: the value, w . gradient or w . H w. */
typedef double function(const lmb_product *p, const both *x, const both *w);

static double value_near_zero(const lmb_product *p, const both *x, const both *w)
{
    (void)w;
    return value(p, x, 0);
}

static double along_gradient(const lmb_product *p, const both *x, const both *w)
{
    both g = gradient(p, x);
    return dot(&g, w);
}

static double curvature(const lmb_product *p, const both *x, const both *w)
{
    both h = hessian(p, x, w);
    return dot(&h, w);
}

/* The slope along d, to about 1e-11. */
static double slope(function *f, const lmb_product *p, const both *x, const both *d, const both *w)
{
    const double h = 5e-4;
    double sum = 0;
    for (int k = 1; k <= 2; k++) {
        both ahead = along(*x, k * h, d), behind = along(*x, -k * h, d);
        sum += (k == 1 ? 8 : -1) * (f(p, &ahead, w) - f(p, &behind, w));
    }
    return sum / (12 * h);
}

/* --- derivatives ------------------------------------------------------------------------------ */

static void check_derivatives(const lmb_product *p, const both *x, const both *d, const both *w)
{
    both Hd = hessian(p, x, d), Hw = hessian(p, x, w);
    double first = along_gradient(p, x, d);
    double third = lmb_product_third(p, &x->A, &x->B, &d->A, &d->B, &w->A, &w->B);
    assert_close(lmb_product_rate(p, &x->A, &x->B, &d->A, &d->B), first, 1e-13);
    assert_close(dot(&Hd, w), slope(along_gradient, p, x, d, w), 1e-9);
    assert_close(third, slope(curvature, p, x, d, w), 1e-8);
    if (p->kind == LMB_SLIP) /* its gradient is that of no value */
        return;
    assert_close(first, slope(value_near_zero, p, x, d, NULL), 1e-9);
    assert_close(dot(&Hd, w), dot(&Hw, d), 1e-13);
}

static void derivatives_are_slopes_of_the_ones_below(void **unused)
{
    (void)unused;
    lmb_product all[MOST];
    int count = all_products(all);
    for (int k = 0; k < STATES; k++) {
        both off = random_change(0.05), d = random_change(0.5), w = random_change(0.5);
        both x = random_frames();
        x = along(x, 1, &off);
        for (int i = 0; i < count; i++)
            check_derivatives(&all[i], &x, &d, &w);
    }
}

/* --- closed forms ----------------------------------------------------------------------------- */

static void values_are_as_defined(void **unused)
{
    (void)unused;
    for (int k = 0; k < STATES; k++) {
        both x = random_frames();
        vec3 d = v3_sub(x.B.p, x.A.p), g = random_vector(1), n = x.A.e[2];
        const lmb_product fixed = lmb_offset_fixed(g), half = lmb_half_square(), one = lmb_one();
        const lmb_product rim = {.kind = LMB_RIM, .radius = 0.6};
        assert_close(value(&one, &x, 0), 1, 0);
        assert_close(value(&fixed, &x, 0), d.x * g.x + d.y * g.y + d.z * g.z, 1e-15);
        assert_close(value(&half, &x, 0), v3_norm(d) * v3_norm(d) / 2, 1e-15);
        assert_close(value(&rim, &x, 0),
                     v3_dot(d, n) - 0.6 * hypot(v3_dot(n, x.B.e[0]), v3_dot(n, x.B.e[1])), 1e-14);
        for (int i = 0; i < 3; i++) {
            const lmb_product offset = lmb_offset_axis(i);
            mat3 R = frame_rotation(&x.A);
            assert_close(value(&offset, &x, 0), v3_get(m3_tmul(&R, d), i), 1e-15);
            for (int j = 0; j < 3; j++) {
                const lmb_product axes = lmb_axes(i, j);
                mat3 S = frame_rotation(&x.B), T = m3_tmul3(&R, &S);
                assert_close(value(&axes, &x, 0), m3_get(&T, i, j), 1e-15);
            }
        }
    }
}

/* f1 = (1 + a s, b s) turned by phi: the angle is phi + Im log(1 + (a + i b) s). */
static void angles_have_the_derivatives_of_a_logarithm(void **unused)
{
    (void)unused;
    const lmb_product p = lmb_angle();
    const double a = 0.7, b = -0.4;
    for (double phi = -20; phi < 20; phi += 1.3) {
        both x = {frame_identity(), turned(v3(0, 0, 0), v3(0, 0, phi))};
        both d = {frame_zero(), frame_zero()};
        d.B.e[0] = v3_axpy(v3_scale(a, x.B.e[0]), b, x.B.e[1]);
        assert_close(value(&p, &x, phi + 3), phi, 1e-14);
        assert_close(value(&p, &x, phi - 3), phi, 1e-14);
        assert_close(along_gradient(&p, &x, &d), b, 1e-14);
        assert_close(curvature(&p, &x, &d), -2 * a * b, 1e-14);
        assert_close(lmb_product_third(&p, &x.A, &x.B, &d.A, &d.B, &d.A, &d.B),
                     2 * (3 * a * a * b - b * b * b), 1e-14);
    }
}

/* The rates of frames of rigid bodies. */
static lmb_frame rates(const lmb_frame *x, vec3 velocity, vec3 w)
{
    lmb_frame d = {.p = velocity};
    for (int i = 0; i < 3; i++)
        d.e[i] = v3_cross(w, x->e[i]);
    return d;
}

/* The rim point of a rolling disc against the point of the plane below it. */
static void slip_is_the_difference_of_two_velocities(void **unused)
{
    (void)unused;
    const double R = 0.6;
    for (int k = 0; k < STATES; k++) {
        both x = random_frames(), d;
        vec3 v[2] = {random_vector(1), random_vector(1)},
             w[2] = {random_vector(2), random_vector(2)};
        d.A = rates(&x.A, v[0], w[0]);
        d.B = rates(&x.B, v[1], w[1]);
        /* from the centre to the rim, as far down as a vector across f3 goes */
        vec3 n = x.A.e[2], f3 = x.B.e[2];
        vec3 down = v3_scale(-R, v3_unit(v3_axpy(n, -v3_dot(n, f3), f3)));
        vec3 rim = v3_add(v[1], v3_cross(w[1], down));
        vec3 arm = v3_sub(v3_add(x.B.p, down), x.A.p);
        vec3 slip = v3_sub(rim, v3_add(v[0], v3_cross(w[0], arm)));
        for (int i = 0; i < 3; i++) {
            const lmb_product p = {.kind = LMB_SLIP, .i = i, .radius = R};
            assert_close(along_gradient(&p, &x, &d), v3_dot(slip, x.A.e[i]), 1e-13);
            assert_close(value(&p, &x, 0), 0, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_slopes_of_the_ones_below),
        cmocka_unit_test(values_are_as_defined),
        cmocka_unit_test(angles_have_the_derivatives_of_a_logarithm),
        cmocka_unit_test(slip_is_the_difference_of_two_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
