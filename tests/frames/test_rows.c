/* Rows alone: values and guards of the sums that joints and drivers are made of, against
 * closed forms. Equal markers are shared. */
#include <math.h>

#include "frames/row.h"
#include "random_models.h"
#include "support.h"

/* The two ends of pair 0 and a law f. */
typedef struct scene {
    lmb_frame A, B;
    double f;
} scene;

/* Start rows with one pair of markers, on bodies 1 and 2. */
static lmb_rows start_pair(void)
{
    lmb_rows rows = {.arena = lmb_arena_new()};
    const lmb_end ends[2] = {{.body = 1, .point = -1, .local = frame_identity()},
                             {.body = 2, .point = -1, .local = frame_identity()}};
    assert_int_equal(lmb_rows_ends(&rows, ends), 0);
    assert_int_equal(rows.markers[rows.pairs[0].a].body, 1);
    assert_int_equal(rows.markers[rows.pairs[0].b].body, 2);
    return rows;
}

static void finish(lmb_rows *rows)
{
    assert_false(rows->failed);
    lmb_arena_free(rows->arena);
}

/* The sum of some terms. */
static double sum(const lmb_rows *rows, int first, int count, const scene *x)
{
    const double of[] = {[LMB_PLAIN] = 1,
                         [LMB_LAW] = x->f,
                         [LMB_LAW_COS] = cos(x->f),
                         [LMB_LAW_SIN] = sin(x->f),
                         [LMB_LAW_SQUARE] = x->f * x->f / 2};
    double value = 0;
    for (const lmb_term *t = rows->terms + first; t < rows->terms + first + count; t++)
        value += t->factor * of[t->part] * lmb_product_value(&t->product, &x->A, &x->B, 0);
    return value;
}

/* Row `i`, or its guard. */
static double row_value(const lmb_rows *rows, int i, const scene *x)
{
    return sum(rows, rows->rows[i].term, rows->rows[i].term_count, x);
}

static double guard_value(const lmb_rows *rows, int i, const scene *x)
{
    return sum(rows, rows->rows[i].guard, rows->rows[i].guard_count, x);
}

static lmb_frame turned(vec3 p, vec3 turn)
{
    mat3 R = quat_matrix(quat_exp(turn));
    return frame_with_axes(p, &R);
}

static scene random_scene(void)
{
    double x[12];
    for (int i = 0; i < 12; i++)
        x[i] = random_number();
    return (scene){.A = turned(v3_of(x), v3_of(x + 3)), .B = turned(v3_of(x + 6), v3_of(x + 9))};
}

/* B turned by phi about the axis e3 of A, and moved by 0.4 along it. */
static scene hinge(double phi, double f)
{
    scene x = {.A = turned(v3(1, 2, 3), v3(0.3, -0.6, 0.2)), .f = f};
    lmb_frame own = turned(v3(0, 0, 0.4), v3(0, 0, phi));
    x.B = frame_compose(&x.A, &own);
    return x;
}

/* --- rows of joints --------------------------------------------------------------------------- */

static void rows_of_joints_compare_two_frames(void **unused)
{
    (void)unused;
    lmb_rows rows = start_pair();
    lmb_rows_coincident(&rows, 0, 3); /* rows 0 to 2 */
    lmb_rows_across(&rows, 0, 3);     /* 3, 4 */
    lmb_rows_across(&rows, 0, 2);     /* 5 */
    lmb_rows_parallel(&rows, 0, 3);   /* 6, 7 */
    lmb_rows_parallel(&rows, 0, 2);   /* none */
    lmb_rows_aligned(&rows, 0, 3);    /* 8 to 10 */
    lmb_rows_aligned(&rows, 0, 2);    /* 11 */
    assert_int_equal(rows.row_count, 12);
    for (int k = 0; k < 5; k++) {
        scene x = random_scene();
        vec3 d = v3_sub(x.B.p, x.A.p);
        const lmb_frame *A = &x.A, *B = &x.B;
        double e1f3 = v3_dot(A->e[0], B->e[2]), e2f3 = v3_dot(A->e[1], B->e[2]);
        double e2f1 = v3_dot(A->e[1], B->e[0]), e1f1 = v3_dot(A->e[0], B->e[0]);
        double e3f3 = v3_dot(A->e[2], B->e[2]);
        const double expected[12] = {d.x,
                                     d.y,
                                     d.z,
                                     v3_dot(d, A->e[0]),
                                     v3_dot(d, A->e[1]),
                                     v3_dot(d, A->e[1]),
                                     e1f3,
                                     e2f3,
                                     e1f3,
                                     e2f3,
                                     e2f1,
                                     e2f1};
        const double guards[12] = {[6] = e3f3, e3f3, e3f3, e3f3, e1f1, e1f1};
        for (int i = 0; i < 12; i++) {
            assert_close(row_value(&rows, i, &x), expected[i], 1e-15);
            assert_close(guard_value(&rows, i, &x), guards[i], 1e-15);
            assert_int_equal(rows.rows[i].measure, i < 6 ? LMB_LENGTH : LMB_PURE_NUMBER);
            assert_false(rows.rows[i].velocity_level);
        }
    }
    finish(&rows);
}

/* --- drivers ---------------------------------------------------------------------------------- */

/* A driven angle: sin(phi - f), and the guard cos(phi - f), over several turns. */
static void a_driven_angle_is_the_sine_of_the_difference(void **unused)
{
    (void)unused;
    lmb_rows rows = start_pair();
    const lmb_coordinate angle = {.kind = LMB_COORDINATE_ANGLE, .product = lmb_angle()};
    lmb_rows_driven(&rows, &angle, 0);
    for (double phi = -9; phi < 9; phi += 1.7)
        for (double f = -20; f < 20; f += 3.1) {
            scene x = hinge(phi, f);
            assert_close(row_value(&rows, 0, &x), sin(phi - f), 1e-13);
            assert_close(guard_value(&rows, 0, &x), cos(phi - f), 1e-13);
        }
    finish(&rows);
}

/* A driven offset d - f, and a driven distance (d . d - f^2)/2 in place of (d . d - L^2)/2. */
static void driven_offsets_and_lengths_follow_their_law(void **unused)
{
    (void)unused;
    const double L = 0.3;
    scene x = hinge(0.8, 0.25);
    lmb_rows rows = start_pair();
    const lmb_coordinate offset = {.kind = LMB_COORDINATE_OFFSET, .product = lmb_offset_axis(2)};
    const lmb_coordinate length = {.kind = LMB_COORDINATE_LENGTH, .product = lmb_half_square()};
    lmb_rows_driven(&rows, &offset, 0);
    lmb_rows_driven(&rows, &length, 0);
    assert_int_equal(rows.row_count, 1);
    assert_close(row_value(&rows, 0, &x), 0.4 - 0.25, 1e-14);
    int row = lmb_rows_row(&rows, "length", LMB_AREA);
    lmb_rows_term(&rows, lmb_plain(1, lmb_half_square(), 0));
    lmb_rows_term(&rows, lmb_plain(-L * L / 2, lmb_one(), 0));
    assert_close(row_value(&rows, row, &x), (0.16 - L * L) / 2, 1e-14);
    lmb_rows_drive_length(&rows, row, 0);
    assert_close(row_value(&rows, row, &x), (0.16 - 0.25 * 0.25) / 2, 1e-14);
    assert_close(row_value(&rows, 0, &x), 0.4 - 0.25, 1e-14); /* the other row is the same */
    finish(&rows);
}

/* --- markers ---------------------------------------------------------------------------------- */

static void equal_markers_are_shared(void **unused)
{
    (void)unused;
    lmb_rows rows = {.arena = lmb_arena_new()};
    lmb_frame other = frame_identity();
    other.p.x = 1e-100;
    int first = lmb_rows_marker(&rows, 3, -1, frame_identity());
    int point = lmb_rows_marker(&rows, 3, 2, frame_identity());
    int body = lmb_rows_marker(&rows, 1, -1, frame_identity());
    assert_true(first == 0 && point == 1 && body == 2);
    assert_int_equal(lmb_rows_marker(&rows, 3, -1, other), 3);
    assert_int_equal(lmb_rows_marker(&rows, 3, 2, frame_identity()), point);
    assert_int_equal(lmb_rows_marker(&rows, 1, -1, frame_identity()), body);
    assert_int_equal(lmb_rows_marker(&rows, 3, -1, frame_identity()), first);
    assert_int_equal(rows.marker_count, 4);
    assert_int_equal(rows.markers[3].before, point);
    assert_int_equal(rows.markers[0].before, -1);
    finish(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_joints_compare_two_frames),
        cmocka_unit_test(a_driven_angle_is_the_sine_of_the_difference),
        cmocka_unit_test(driven_offsets_and_lengths_follow_their_law),
        cmocka_unit_test(equal_markers_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
