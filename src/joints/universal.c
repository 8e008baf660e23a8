/* Universal joint (Cardan, Hooke): the points coincide and two arms, one of each body, stay
 * perpendicular.
 *
 *   p_B - p_A = 0,  a . b = 0        coordinates: angle about a (of A), angle_b about b (of B) */
#include "joints/joint.h"

/* What it is read into. */
typedef struct keys {
    vec3 axis, axis_b;
} keys;

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    {"axis", AT(axis), LMB_FIELD_VECTOR, NULL,
     "The arm of the cross held by the first body, in the axes of the first end.", .required = true,
     .range = LMB_NOT_ZERO},
    {"axis_b", AT(axis_b), LMB_FIELD_VECTOR, NULL,
     "The arm of the cross held by the second body, in the axes of the second end.",
     .required = true, .range = LMB_NOT_ZERO},
    {0},
};

/* A marker at an end whose first axis is along a direction. */
static int first_along(lmb_joint_build *b, int end, vec3 direction)
{
    int number = lmb_joint_marker(b, end, direction);
    if (number < 0)
        return number;
    /* turn the axes round: (e1, e2, e3) -> (e3, e1, e2) */
    lmb_frame l = b->rows->markers[number].local;
    return lmb_rows_marker(b->rows, b->ends[end].body, b->ends[end].point,
                           (lmb_frame){l.p, {l.e[2], l.e[0], l.e[1]}});
}

static lmb_status build(lmb_joint_build *b)
{
    const keys *k = b->keys;
    vec3 arm_a = k->axis, arm_b = k->axis_b;
    int a = lmb_joint_marker(b, 0, arm_a);
    int pair = lmb_rows_pair(b->rows, a, first_along(b, 1, arm_b));
    b->joint->pair = pair;
    lmb_rows_coincident(b->rows, pair, 3);
    lmb_rows_row(b->rows, "cross", LMB_PURE_NUMBER);
    lmb_rows_term(b->rows, lmb_plain(1, lmb_axes(2, 0), pair));
    lmb_joint_coordinate(b, "angle", LMB_COORDINATE_ANGLE, lmb_angle(), pair);

    /* the other angle: A's arm seen from B, about -b, is B against A about b */
    int from_b = lmb_joint_marker(b, 1, v3_scale(-1, arm_b));
    int other = lmb_rows_pair(b->rows, from_b, first_along(b, 0, arm_a));
    lmb_joint_coordinate(b, "angle_b", LMB_COORDINATE_ANGLE, lmb_angle(), other);
    if (!b->rows->failed)
        b->rows->coordinates[b->rows->coordinate_count - 1].flipped = true;
    return LMB_OK;
}

const lmb_joint_type lmb_joint_universal = {
    .name = "universal",
    .doc = "A Cardan joint: the points coincide and two arms, one of each body, stay "
           "perpendicular.",
    .dimension = 3,
    .fields = fields,
    .size = sizeof(keys),
    .sign = "cross",
    .build = build,
};
