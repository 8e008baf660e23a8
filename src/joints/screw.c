/* Screw joint: a cylindrical joint whose offset grows by `lead` a turn.
 *
 *   d . e1 = d . e2 = 0, e1 . f3 = e2 . f3 = 0,  d . e3 - lead/(2 pi) angle = as placed */
#include "joints/joint.h"

extern const lmb_joint_type lmb_joint_cylindrical;

/* What it is read into. */
typedef struct keys {
    lmb_joint_axes axes; /* first, as a cylindrical joint reads them */
    double lead;
} keys;

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    LMB_AXIS_FIELDS("The axis of the screw", .dimension = 0),
    {"lead", AT(lead), LMB_FIELD_NUMBER, "m",
     "How far the second body moves along the axis in a turn; negative: left-handed.",
     .required = true, .range = LMB_NOT_ZERO},
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    const keys *k = b->keys;
    lmb_status status = lmb_joint_cylindrical.build(b);
    if (status || b->rows->failed)
        return status;
    const lmb_coordinate *c = &b->rows->coordinates[b->joint->coordinate];
    lmb_joint_couple(b, "screw", -k->lead / (2 * LMB_PI), &c[0], 1, &c[1]);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_screw = {
    .name = "screw",
    .doc = "A nut on a thread: the second body moves along the axis as it turns about it.",
    .dimension = 3,
    .fields = fields,
    .size = sizeof(keys),
    .sign = "sleeve",
    .build = build,
};
