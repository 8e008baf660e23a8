/* Slot: a point of the second body stays on a line of the first.
 *
 *   plane: d . e2 = 0        space: d . e1 = d . e2 = 0      coordinate: offset along the line */
#include "joints/joint.h"

/* What it is read into. */
typedef struct keys {
    vec3 axis;
} keys;

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    {"axis", AT(axis), LMB_FIELD_VECTOR, NULL,
     "The direction of the line, in the axes of the first end.", .required = true,
     .range = LMB_NOT_ZERO},
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    const keys *k = b->keys;
    int a = lmb_joint_marker(b, 0, k->axis);
    int pair = lmb_rows_pair(b->rows, a, lmb_rows_end(b->rows, &b->ends[1]));
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
    .size = sizeof(keys),
    .sign = "slot",
    .build = build,
};

const lmb_joint_type lmb_joint_inline = {
    .name = "inline",
    .doc = "A point of the second body stays on a line of the first.",
    .dimension = 3,
    .fields = fields,
    .size = sizeof(keys),
    .sign = "slot",
    .build = build,
};
