/* Curves of beams: arc lengths, places, and axes along them. */
#include "base/arena.h"
#include "fe/beam_curve.h"
#include "support.h"

static lmb_context *context;
static lmb_arena *arena;

/* Rounding of a curve of unit size: a few hundred operations, or sums of so many numbers. */
static const double rounding = 1e-13;

static int open_arena(void **unused)
{
    (void)unused;
    context = lmb_context_new();
    arena = lmb_arena_new();
    return !context || !arena;
}

static int close_arena(void **unused)
{
    (void)unused;
    lmb_arena_free(arena);
    lmb_context_free(context);
    return 0;
}

static lmb_beam_curve of_points(const vec3 *points, int count, bool smooth)
{
    lmb_beam_curve curve;
    assert_int_equal(lmb_curve_of_points(&curve, arena, context, "rod", 3, points, count, smooth),
                     LMB_OK);
    return curve;
}

static lmb_beam_curve helix(double radius, double pitch, double angle)
{
    lmb_beam_curve curve;
    assert_int_equal(lmb_curve_helix(&curve, arena, context, "rod", 3, v3(0, 0, 0), v3(0, 0, 2),
                                     v3(0, 0, 0), radius, pitch, angle),
                     LMB_OK);
    return curve;
}

static void assert_vector(vec3 x, double a, double b, double c, double tolerance)
{
    assert_close(x.x, a, tolerance);
    assert_close(x.y, b, tolerance);
    assert_close(x.z, c, tolerance);
}

static void assert_orthonormal(const mat3 *R)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_close(v3_dot(R->c[i], R->c[j]), i == j, 1e-14);
    assert_close(v3_dot(v3_cross(R->c[0], R->c[1]), R->c[2]), 1, 1e-14);
}

/* An L of 1 and 2 m: at the corner the tangent is that of the leg that was asked for. */
static void legs_have_corners(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}},
                      straight[] = {{0, 0, 0}, {1, 0, 1}, {3, 0, 3}};
    lmb_beam_curve curve = of_points(points, 3, false);
    vec3 x, t;
    assert_close(curve.length, 3, 1e-15);
    assert_true(curve.corners && !curve.closed);
    lmb_curve_at(&curve, 1, true, &x, &t);
    assert_vector(t, 1, 0, 0, 1e-15);
    lmb_curve_at(&curve, 1, false, &x, &t);
    assert_vector(t, 0, 1, 0, 1e-15);
    assert_vector(x, 1, 0, 0, 1e-15);
    lmb_curve_at(&curve, 2.5, false, &x, &t);
    assert_vector(x, 1, 1.5, 0, 1e-15);
    assert_false(of_points(straight, 3, false).corners);
}

static void rings_of_legs_are_closed(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    lmb_beam_curve curve = of_points(points, 5, false);
    assert_true(curve.closed && curve.corners);
    assert_close(curve.length, 4, 1e-15);
    assert_true(lmb_curve_corner(&curve, 0));
}

/* The length of a helix is that of the diagonal of its unrolled cylinder. */
static void arcs_and_helices_have_their_lengths(void **unused)
{
    (void)unused;
    vec3 x, t;
    lmb_beam_curve arc = helix(2, 0, LMB_PI / 2), ring = helix(0.5, 0, -2 * LMB_PI);
    assert_close(arc.length, LMB_PI, 1e-15);
    lmb_curve_at(&arc, LMB_PI / 2, false, &x, &t);
    assert_vector(x, sqrt(2), sqrt(2), 0, 1e-15);
    assert_vector(t, -sqrt(0.5), sqrt(0.5), 0, 1e-15);
    assert_false(arc.closed);
    assert_true(ring.closed);
    assert_false(ring.corners);
    assert_close(ring.length, LMB_PI, 1e-15);

    lmb_beam_curve coil = helix(0.3, 0.1, 7 * LMB_PI), left = helix(0.3, 0.1, -7 * LMB_PI);
    double circle = 2 * LMB_PI * 0.3, turn = hypot(circle, 0.1);
    assert_close(coil.length, 3.5 * turn, 1e-15 * 10);
    lmb_curve_at(&coil, coil.length, true, &x, &t);
    assert_vector(x, -0.3, 0, 0.35, rounding);
    assert_vector(t, 0, -circle / turn, 0.1 / turn, rounding);
    lmb_curve_at(&left, turn / 4, true, &x, &t);
    assert_vector(x, 0, -0.3, 0.025, rounding);
}

/* Through (-1, 1), (0, 0), (1, 1) it is the parabola y = x^2, whose length from 0 to x is x sqrt(1
 * + 4 x^2)/2 + asinh(2 x)/4. */
static double parabola(double x)
{
    return x * sqrt(1 + 4 * x * x) / 2 + asinh(2 * x) / 4;
}

static void three_points_make_a_parabola(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{-1, 1, 0}, {0, 0, 0}, {1, 1, 0}};
    lmb_beam_curve curve = of_points(points, 3, true);
    assert_close(curve.length, 2 * parabola(1), 1e-14);
    for (int i = 0; i <= 10; i++) {
        vec3 x, t;
        double s = curve.length * i / 10;
        lmb_curve_at(&curve, s, false, &x, &t);
        assert_close(x.y, x.x * x.x, rounding);
        assert_close(parabola(x.x) + parabola(1), s, rounding);
        assert_close(t.y / t.x, 2 * x.x, rounding);
    }
    assert_false(curve.corners);
}

static void points_on_a_line_stay_on_it(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 2, 2}, {1.5, 3, 3}, {3, 6, 6}, {5, 10, 10}};
    lmb_beam_curve curve = of_points(points, 5, true);
    assert_close(curve.length, 15, 1e-14);
    vec3 x, t;
    lmb_curve_at(&curve, 7.5, false, &x, &t);
    assert_vector(x, 2.5, 5, 5, rounding);
}

/* The largest error of the distance from the origin of a spline through points of a part of the
 * unit circle. */
static double circle_error(int pieces, double angle, bool closed, double *length)
{
    vec3 points[65];
    for (int i = 0; i <= pieces; i++) {
        double a = angle * i / pieces;
        points[i] = v3(cos(a), sin(a), 0);
    }
    lmb_beam_curve curve = of_points(points, pieces + 1, true);
    assert_true(curve.closed == closed);
    double worst = 0;
    for (int i = 0; i <= 1000; i++) {
        vec3 x, t;
        lmb_curve_at(&curve, curve.length * i / 1000, false, &x, &t);
        worst = fmax(worst, fabs(v3_norm(x) - 1));
    }
    *length = curve.length;
    return worst;
}

/* Cubic splines have errors of the fourth order, also at their ends. */
static void splines_approach_circles(void **unused)
{
    (void)unused;
    for (int closed = 0; closed < 2; closed++) {
        double angle = closed ? 2 * LMB_PI : 2, length[2];
        double coarse = circle_error(32, angle, closed, &length[0]);
        double fine = circle_error(64, angle, closed, &length[1]);
        assert_true(log2(coarse / fine) > 3.5);
        if (closed) /* in open ones errors of the ends and of the middle cancel in part */
            assert_true(log2(fabs(length[0] - angle) / fabs(length[1] - angle)) > 3.5);
    }
}

/* Tangents do not jump where pieces meet, nor where a ring is closed. */
static void splines_have_no_corners(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 0.2, 0}, {1.5, 1, 0.7}, {0, 1.3, 0.1}, {0, 0, 0}};
    for (int count = 4; count <= 5; count++) {
        lmb_beam_curve curve = of_points(points, count, true);
        assert_true(curve.closed == (count == 5));
        assert_false(curve.corners);
        for (int i = 0; i < curve.count; i++) {
            vec3 x, t;
            lmb_curve_at(&curve, curve.pieces[i].start, false, &x, &t);
            assert_vector(v3_sub(x, points[i]), 0, 0, 0, 1e-15);
        }
    }
}

static void the_nearest_place_is_found(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 0.2, 0}, {1.5, 1, 0.7}, {0, 1.3, 0.1}};
    lmb_beam_curve curves[] = {of_points(points, 4, true), of_points(points, 4, false),
                               helix(0.3, 0.1, 7 * LMB_PI)};
    for (int c = 0; c < 3; c++)
        for (int i = 0; i <= 12; i++) {
            vec3 x, t;
            double s = curves[c].length * i / 12, distance;
            lmb_curve_at(&curves[c], s, false, &x, &t);
            assert_close(lmb_curve_nearest(&curves[c], x, &distance), s, rounding);
            assert_close(distance, 0, rounding);
        }
    double distance, s = lmb_curve_nearest(&curves[1], v3(-1, 2.3, 0.1), &distance);
    assert_close(s, curves[1].length, 1e-15);
    assert_close(distance, sqrt(2), 1e-15);
}

static void find_axes(const lmb_beam_curve *curve, vec3 y_axis, int count, mat3 *axes)
{
    double s[400] = {0};
    for (int i = 0; i < count; i++)
        s[i] = curve->length * i / (count - 1);
    assert_int_equal(lmb_curve_axes(curve, y_axis, s, count, axes), -1);
    for (int i = 0; i < count; i++) {
        vec3 x, t;
        assert_orthonormal(&axes[i]);
        lmb_curve_at(curve, s[i], i > 0, &x, &t);
        assert_vector(axes[i].c[0], t.x, t.y, t.z, 1e-14);
    }
}

/* On a circle y stays what it was, radial; or it is the y axis that is wanted, its normal. */
static void axes_follow_a_circle(void **unused)
{
    (void)unused;
    lmb_beam_curve ring = helix(2, 0, 2 * LMB_PI);
    mat3 axes[13];
    find_axes(&ring, v3(0, 0, 0), 13, axes);
    for (int i = 0; i < 13; i++) {
        double a = 2 * LMB_PI * i / 12;
        assert_vector(axes[i].c[1], -cos(a), -sin(a), 0, rounding);
    }
    find_axes(&ring, v3(0, 1, 5), 13, axes);
    find_axes(&ring, v3(0, 0, 3), 13, axes);
    for (int i = 0; i < 13; i++)
        assert_vector(axes[i].c[1], 0, 0, 1, rounding);
    const double s[] = {0, ring.length / 8, ring.length / 4};
    assert_int_equal(lmb_curve_axes(&ring, v3(1, 0, 0), s, 3, axes), 2);
}

/* Along a helix the normal turns about the tangent with its torsion, pitch/(2 pi) / (radius^2 +
 * (pitch/(2 pi))^2), and axes that turn as little as possible turn back against it. */
static double helix_error(int count)
{
    double radius = 0.3, pitch = 0.6, c = pitch / (2 * LMB_PI), speed = hypot(radius, c);
    lmb_beam_curve coil = helix(radius, pitch, 2 * LMB_PI);
    mat3 axes[400];
    find_axes(&coil, v3(0, 0, 0), count, axes);
    double turned[2];
    for (int i = 0; i < 2; i++) { /* the normal is -x at both ends */
        const vec3 *e = axes[i ? count - 1 : 0].c;
        vec3 normal = v3(-1, 0, 0);
        turned[i] = atan2(v3_dot(e[1], v3_cross(e[0], normal)), v3_dot(e[1], normal));
    }
    double expected = -c / (speed * speed) * coil.length;
    return fabs(remainder(turned[1] - turned[0] - expected, 2 * LMB_PI));
}

static void axes_turn_as_little_as_possible(void **unused)
{
    (void)unused;
    double coarse = helix_error(3), fine = helix_error(5);
    assert_true(fine < 1e-6);
    assert_true(log2(coarse / fine) > 3.5); /* an error of the fourth order */
}

/* Around a ring that is not in a plane they end as they began. */
static void axes_of_rings_close(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0},       {1, 0, 0.5},  {1.2, 1, -0.3},
                                  {0.5, 1.4, 0.6}, {-0.2, 1, 0}, {0, 0, 0}};
    lmb_beam_curve ring = of_points(points, 6, true);
    assert_true(ring.closed);
    mat3 axes[41];
    find_axes(&ring, v3(0, 0, 0), 41, axes);
    for (int k = 0; k < 3; k++)
        assert_vector(v3_sub(axes[40].c[k], axes[0].c[k]), 0, 0, 0, rounding);
    double most = 0;
    for (int i = 0; i < 40; i++)
        most = fmax(most, v3_norm(v3_sub(axes[i + 1].c[1], axes[i].c[1])));
    assert_true(most < 0.5); /* and nowhere do they jump */
}

static void wrong_curves_are_refused(void **unused)
{
    (void)unused;
    static const vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    lmb_beam_curve curve;
    assert_int_equal(lmb_curve_of_points(&curve, arena, context, "rod", 3, points, 3, false),
                     LMB_BAD_INPUT);
    assert_message(context, "points 2 and 3 of the beam 'rod'");
    assert_int_equal(lmb_curve_of_points(&curve, arena, context, "rod", 3, points, 1, true),
                     LMB_BAD_INPUT);
    assert_int_equal(lmb_curve_helix(&curve, arena, context, "rod", 3, v3(0, 0, 0), v3(0, 0, 1),
                                     v3(0, 0, 2), 1, 0, 1),
                     LMB_BAD_INPUT);
    assert_message(context, "along its axis");

    /* there and back: straight legs can, a smooth curve would have no tangent */
    static const vec3 back[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    assert_true(of_points(back, 3, false).corners);
    assert_int_equal(lmb_curve_of_points(&curve, arena, context, "rod", 3, back, 3, true),
                     LMB_BAD_INPUT);
    assert_message(context, "turns back at point 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_have_corners),
        cmocka_unit_test(rings_of_legs_are_closed),
        cmocka_unit_test(arcs_and_helices_have_their_lengths),
        cmocka_unit_test(three_points_make_a_parabola),
        cmocka_unit_test(points_on_a_line_stay_on_it),
        cmocka_unit_test(splines_approach_circles),
        cmocka_unit_test(splines_have_no_corners),
        cmocka_unit_test(the_nearest_place_is_found),
        cmocka_unit_test(axes_follow_a_circle),
        cmocka_unit_test(axes_turn_as_little_as_possible),
        cmocka_unit_test(axes_of_rings_close),
        cmocka_unit_test(wrong_curves_are_refused),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
