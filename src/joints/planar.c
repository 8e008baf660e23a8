/* Planar joint: the second body slides on a plane of the first and turns about its normal.
 *
 *   d . e3 = 0, e1 . f3 = e2 . f3 = 0        coordinates: angle, offset (e1), offset_2 (e2) */
#include "joints/joint.h"

static const lmb_field fields[] = {
    LMB_AXIS_FIELDS("The normal of the plane", .dimension = 0),
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    int pair = lmb_joint_axis_pair(b, b->keys);
    if (pair < 0)
        return LMB_BAD_INPUT;
    lmb_rows_offset_axis(b->rows, "height", pair, 2);
    lmb_rows_parallel(b->rows, pair);
    lmb_joint_coordinate(b, "angle", LMB_COORDINATE_ANGLE, lmb_angle(), pair);
    lmb_joint_coordinate(b, "offset", LMB_COORDINATE_OFFSET, lmb_offset_axis(0), pair);
    lmb_joint_coordinate(b, "offset_2", LMB_COORDINATE_OFFSET, lmb_offset_axis(1), pair);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_planar = {
    .name = "planar",
    .doc = "The second body slides on a plane of the first and turns about its normal.",
    .dimension = 3,
    .fields = fields,
    .size = sizeof(lmb_joint_axes),
    .sign = "sheet",
    .build = build,
};
