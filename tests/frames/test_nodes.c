/* Nodes alone: (+) and (-), the tangent operator, transport and rates against differences and
 * rotations about an axis; frames of nodes and the forces on them; the algebra of frames. */
#include <math.h>
#include <string.h>

#include "frames/node.h"
#include "random_models.h"
#include "support.h"

enum { MOST = LMB_NATURAL_SPACE, KINDS = 5 };

static const lmb_node nodes[KINDS] = {
    {.kind = LMB_NODE_VECTOR, .nq = 5, .nv = 5, .class = LMB_CLASS_MODE},
    {.kind = LMB_NODE_PLANE, .nq = 3, .nv = 3},
    {.kind = LMB_NODE_SPACE, .nq = 7, .nv = 6},
    {.kind = LMB_NODE_NATURAL, .nq = LMB_NATURAL_PLANE, .nv = LMB_NATURAL_PLANE},
    {.kind = LMB_NODE_NATURAL, .nq = LMB_NATURAL_SPACE, .nv = LMB_NATURAL_SPACE},
};
static const lmb_node *const space = &nodes[2];

/* Sizes of turns: of zero, on both sides of the limit of the series (0.01), and large. */
static const double sizes[] = {0, 1e-6, 0.00999, 0.01001, 0.3, 1, 3};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void fill(double *x, int n, double size)
{
    for (int i = 0; i < n; i++)
        x[i] = size * random_number();
}

static vec3 random_axis(void)
{
    double x[3];
    fill(x, 3, 1);
    return v3_unit(v3_of(x));
}

static void random_configuration(const lmb_node *node, double *q)
{
    fill(q, node->nq, 1);
    if (node->kind == LMB_NODE_SPACE)
        node_put_quat(q, quat_exp(v3_scale(2, random_axis())));
}

/* A change of a node that turns by a size. */
static void random_change(const lmb_node *node, double size, double *d)
{
    fill(d, node->nv, 1);
    if (lmb_node_turns(node))
        node_put(d + LMB_TURN_FIRST, v3_scale(size, random_axis()));
}

static void assert_same(const double *x, const double *y, int n, double tolerance)
{
    for (int i = 0; i < n; i++)
        assert_close(x[i], y[i], tolerance);
}

/* --- configurations --------------------------------------------------------------------------- */

static void differences_undo_changes(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SIZES; s++) {
            const lmb_node *node = &nodes[k];
            double q[MOST], d[MOST], to[MOST], back[MOST], again[MOST];
            random_configuration(node, q);
            random_change(node, sizes[s], d);
            lmb_node_retract(node, q, d, to);
            lmb_node_difference(node, q, to, back);
            assert_same(back, d, node->nv, 1e-14);
            lmb_node_retract(node, q, back, again);
            assert_same(again, to, node->nq, 1e-14);
            lmb_node_retract(node, q, d, q); /* in place */
            assert_same(q, to, node->nq, 0);
        }
}

/* By Rodrigues' formula: x + sin(t) n x x + (1 - cos(t)) n x (n x x). */
static void a_turn_in_space_is_one_about_an_axis(void **unused)
{
    (void)unused;
    for (int s = 0; s < SIZES; s++) {
        double q[7], to[7], d[6] = {1, 2, 3};
        vec3 n = random_axis();
        random_configuration(space, q);
        node_put(d + 3, v3_scale(sizes[s], n));
        lmb_node_retract(space, q, d, to);
        lmb_frame before = lmb_space_pose(q), after = lmb_space_pose(to);
        mat3 R = frame_rotation(&before);
        for (int i = 0; i < 3; i++) {
            vec3 x = v3_axis(i), once = v3_cross(n, x), twice = v3_cross(n, once);
            x = v3_axpy(v3_axpy(x, sin(sizes[s]), once), 1 - cos(sizes[s]), twice);
            assert_close(v3_norm(v3_sub(m3_mul(&R, x), after.e[i])), 0, 1e-14);
        }
        assert_close(v3_norm(v3_sub(v3_sub(after.p, before.p), v3(1, 2, 3))), 0, 1e-14);
    }
}

/* --- tangent, transport, rates ---------------------------------------------------------------- */

/* Return the effect of a change h w that is added to d, or made before d. */
static void changed(const lmb_node *node, const double *q, const double *d, const double *w,
                    double h, bool before, double *out)
{
    double first[MOST], sum[MOST], base[MOST], to[MOST];
    for (int i = 0; i < node->nv; i++) {
        first[i] = h * w[i];
        sum[i] = d[i] + first[i];
    }
    lmb_node_retract(node, q, d, base);
    if (before) {
        lmb_node_retract(node, q, first, to);
        lmb_node_retract(node, to, d, to);
    } else {
        lmb_node_retract(node, q, sum, to);
    }
    lmb_node_difference(node, base, to, out);
}

/* The same to first order, by differences of fourth order. */
static void by_differences(const lmb_node *node, const double *q, const double *d, const double *w,
                           bool before, double *out)
{
    const double h = 1e-3;
    memset(out, 0, (size_t)node->nv * sizeof *out);
    for (int k = -2; k <= 2; k++) {
        double at[MOST], factor = k == 0 ? 0 : (k > 0 ? 1 : -1) * (k * k == 1 ? 8 : -1);
        changed(node, q, d, w, k * h, before, at);
        for (int i = 0; i < node->nv; i++)
            out[i] += factor * at[i] / (12 * h);
    }
}

static void tangent_and_transport_are_slopes(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SIZES; s++) {
            const lmb_node *node = &nodes[k];
            double q[MOST], d[MOST], w[MOST], expected[MOST], got[MOST], T[LMB_TURN_NUMBERS];
            random_configuration(node, q);
            random_change(node, sizes[s], d);
            fill(w, node->nv, 1);
            by_differences(node, q, d, w, true, expected);
            lmb_node_transport(node, d, w, got);
            assert_same(got, expected, node->nv, 1e-11);
            by_differences(node, q, d, w, false, expected);
            memcpy(got, w, sizeof got);
            if (lmb_node_turns(node)) {
                lmb_node_tangent(node, d, T);
                lmb_node_tangent_times(T, got);
            }
            assert_same(got, expected, node->nv, 1e-11);
            if (lmb_node_turns(node)) { /* q . T w = (q^T T) . w */
                double left = v3_dot(v3_of(q + 3), v3_of(got + 3));
                lmb_node_times_tangent(T, q, 1);
                assert_close(v3_dot(v3_of(q + 3), v3_of(w + 3)), left, 1e-14);
            }
        }
}

/* About z by x: columns (sin x, cos x - 1)/x, (1 - cos x, sin x)/x and the axis itself. */
static void the_tangent_about_an_axis_is_known(void **unused)
{
    (void)unused;
    for (int s = 1; s < SIZES; s++) {
        double x = sizes[s], d[6] = {0, 0, 0, 0, 0, x}, T[LMB_TURN_NUMBERS];
        double a = sin(x) / x, b = 2 * sin(x / 2) * sin(x / 2) / x;
        lmb_node_tangent(space, d, T);
        assert_same(T, (double[]){a, -b, 0, b, a, 0, 0, 0, 1}, LMB_TURN_NUMBERS, 1e-14);
    }
}

static void rates_are_slopes_of_configurations(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++) {
        const lmb_node *node = &nodes[k];
        double q[MOST], v[MOST], qdot[MOST], at[2][MOST], d[MOST];
        const double h = 1e-5;
        random_configuration(node, q);
        fill(v, node->nv, 1);
        lmb_node_rate(node, q, v, qdot);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < node->nv; i++)
                d[i] = (side ? h : -h) * v[i];
            lmb_node_retract(node, q, d, at[side]);
        }
        for (int i = 0; i < node->nq; i++)
            assert_close((at[1][i] - at[0][i]) / (2 * h), qdot[i], 1e-10);
    }
}

/* With a constant velocity the turn is exp(h w): the series of second order is off by h^3. */
static void taylors_series_is_of_second_order(void **unused)
{
    (void)unused;
    double q[7], v[6], a[6] = {0}, off[2];
    random_configuration(space, q);
    fill(v, 6, 1);
    for (int k = 0; k < 2; k++) {
        double h = k == 0 ? 0.02 : 0.01, d[6], to[7], series[7], left[6];
        for (int i = 0; i < 6; i++)
            d[i] = h * v[i];
        lmb_node_retract(space, q, d, to);
        memcpy(series, to, sizeof series);
        lmb_node_turn_by_taylor(space, q, h, v, a, series);
        lmb_node_difference(space, to, series, left);
        off[k] = v3_norm(v3_of(left + 3));
    }
    assert_close(log2(off[0] / off[1]), 3, 0.05);
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Placed at a frame, a node has this frame; the angle in the plane is the nearest. */
static void nodes_are_where_they_are_placed(void **unused)
{
    (void)unused;
    for (int k = 1; k < KINDS; k++) {
        const lmb_node *node = &nodes[k];
        bool plane = node->kind == LMB_NODE_PLANE || lmb_natural_in_plane(node);
        double q[MOST], angle = 8 * LMB_PI - 2;
        vec3 p = plane ? v3(1, 2, 0) : v3(1, 2, 3);
        mat3 R = quat_matrix(quat_exp(plane ? v3(0, 0, angle) : v3(1, -2, 0.5)));
        lmb_node_place(node, p, &R, 23, q);
        lmb_frame pose = node->kind == LMB_NODE_PLANE   ? lmb_plane_pose(q)
                         : node->kind == LMB_NODE_SPACE ? lmb_space_pose(q)
                                                        : lmb_natural_pose(plane, q);
        lmb_frame expected = frame_with_axes(p, &R);
        frame_add(&pose, -1, &expected);
        assert_close(sqrt(frame_dot(&pose, &pose)), 0, 1e-14);
        if (node->kind == LMB_NODE_PLANE)
            assert_close(q[2], angle, 1e-14);
    }
}

/* A rigid frame that turns with w: its rates give w back, and a force on its axes has the power of
 * its moment, also in natural coordinates. A moment that was added is there. */
static void moments_are_dual_to_turns(void **unused)
{
    (void)unused;
    double load[MOST], rates[MOST], q[7] = {1, 2, 3}, power = 0;
    node_put_quat(q, quat_exp(v3(0.4, -1.1, 0.7)));
    lmb_frame x = lmb_space_pose(q), rate = frame_zero(), f, moment = frame_zero();
    vec3 w = v3(0.3, -0.8, 1.7), m = v3(2, 0.5, -1);
    for (int i = 0; i < 3; i++)
        rate.e[i] = v3_cross(w, x.e[i]);
    fill(load, MOST, 1);
    f = lmb_natural_rate(false, load);
    lmb_natural_load(false, &rate, rates);
    for (int i = 0; i < MOST; i++)
        power += rates[i] * load[i];
    assert_close(frame_dot(&f, &rate), power, 1e-14);
    assert_close(v3_dot(frame_moment(&x, &f), w), power, 1e-14);
    assert_close(v3_norm(v3_sub(frame_angular(&x, &rate), w)), 0, 1e-15);
    frame_add_moment(&moment, 2, m, &x);
    assert_close(v3_norm(v3_axpy(frame_moment(&x, &moment), -2, m)), 0, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_undo_changes),
        cmocka_unit_test(a_turn_in_space_is_one_about_an_axis),
        cmocka_unit_test(tangent_and_transport_are_slopes),
        cmocka_unit_test(the_tangent_about_an_axis_is_known),
        cmocka_unit_test(rates_are_slopes_of_configurations),
        cmocka_unit_test(taylors_series_is_of_second_order),
        cmocka_unit_test(nodes_are_where_they_are_placed),
        cmocka_unit_test(moments_are_dual_to_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
