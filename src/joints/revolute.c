/* Revolute joint (hinge): the points coincide; in space the axes are parallel too.
 *
 *   p_B - p_A = 0;  in space e1 . f3 = e2 . f3 = 0         coordinate: angle of B about e3 */
#include "joints/joint.h"

static const lmb_field fields[] = {
    LMB_AXIS_FIELDS("The axis of rotation", .dimension = 3),
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    int pair = b->dimension == 2 ? lmb_joint_plain_pair(b, false) : lmb_joint_axis_pair(b, b->keys);
    if (pair < 0)
        return LMB_BAD_INPUT;
    lmb_rows_coincident(b->rows, pair, b->dimension);
    if (b->dimension == 3)
        lmb_rows_parallel(b->rows, pair);
    lmb_joint_coordinate(b, "angle", LMB_COORDINATE_ANGLE, lmb_angle(), pair);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_revolute = {
    .name = "revolute",
    .doc = "A hinge: the second body turns about a point (in space: an axis) of the first.",
    .fields = fields,
    .size = sizeof(lmb_joint_axes),
    .sign = "pin",
    .build = build,
};
