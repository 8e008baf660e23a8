/* Cylindrical joint: the second body slides along an axis of the first and turns about it.
 *
 *   d . e1 = d . e2 = 0, e1 . f3 = e2 . f3 = 0           coordinates: angle, offset */
#include "joints/joint.h"

static const lmb_field fields[] = {
    LMB_AXIS_FIELDS("The axis of sliding and turning", .dimension = 0),
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    int pair = lmb_joint_axis_pair(b, b->keys);
    if (pair < 0)
        return LMB_BAD_INPUT;
    lmb_rows_across(b->rows, pair, b->dimension);
    lmb_rows_parallel(b->rows, pair);
    lmb_joint_coordinate(b, "angle", LMB_COORDINATE_ANGLE, lmb_angle(), pair);
    lmb_joint_coordinate(b, "offset", LMB_COORDINATE_OFFSET, lmb_offset_axis(2), pair);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_cylindrical = {
    .name = "cylindrical",
    .doc = "The second body slides along an axis of the first and turns about it.",
    .dimension = 3,
    .fields = fields,
    .size = sizeof(lmb_joint_axes),
    .sign = "sleeve",
    .build = build,
};
