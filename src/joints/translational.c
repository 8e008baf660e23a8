/* Translational joint (slider): the second body slides along an axis of the first and does not
 * turn against it.
 *
 *   plane:  d . e2 = 0, e2 . f1 = 0            space:  d . e1 = d . e2 = 0, all axes parallel
 *   coordinate: offset along the axis */
#include "joints/joint.h"

static const lmb_field fields[] = {
    LMB_AXIS_FIELDS("The direction of sliding", .dimension = 0),
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    int pair = lmb_joint_axis_pair(b, b->keys);
    if (pair < 0)
        return LMB_BAD_INPUT;
    lmb_rows_across(b->rows, pair, b->dimension);
    lmb_rows_aligned(b->rows, pair, b->dimension);
    lmb_joint_coordinate(b, "offset", LMB_COORDINATE_OFFSET,
                         lmb_offset_axis(b->dimension == 2 ? 0 : 2), pair);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_translational = {
    .name = "translational",
    .doc = "A slider: the second body slides along an axis of the first and does not turn.",
    .fields = fields,
    .size = sizeof(lmb_joint_axes),
    .sign = "rail",
    .build = build,
};

const lmb_joint_type lmb_joint_prismatic = {
    .name = "prismatic",
    .doc = "Another name of the translational joint, used in space.",
    .fields = fields,
    .size = sizeof(lmb_joint_axes),
    .sign = "rail",
    .build = build,
};
