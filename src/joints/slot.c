/* Slot: a point of the second body stays on a line of the first.
 *
 *   plane: d . e2 = 0        space: d . e1 = d . e2 = 0      coordinate: offset along the line */
#include "joints/joint.h"

enum { AXIS };

static const lmb_field fields[] = {
    {.name = "axis",
     .type = LMB_FIELD_VECTOR,
     .range = LMB_NOT_ZERO,
     .required = true,
     .doc = "The direction of the line, in the axes of the first end."},
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    const double *n = b->values[AXIS].numbers;
    int a = lmb_joint_marker(b, 0, v3(n[0], n[1], n[2]));
    int pair = lmb_rows_pair(
        b->rows, a, lmb_rows_marker(b->rows, b->ends[1].body, b->ends[1].point, b->ends[1].local));
    b->joint->pair = pair;
    lmb_rows_across(b->rows, pair, b->dimension);
    lmb_joint_coordinate(b, "offset", LMB_COORDINATE_OFFSET,
                         lmb_offset_axis(b->dimension == 2 ? 0 : 2), pair);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_slot = {
    .name = "slot",
    .doc = "A pin in a slot: a point of the second body stays on a line of the first.",
    .dimension = 2,
    .fields = fields,
    .build = build,
};

const lmb_joint_type lmb_joint_inline = {
    .name = "inline",
    .doc = "A point of the second body stays on a line of the first.",
    .dimension = 3,
    .fields = fields,
    .build = build,
};
