/* Gear pair: couples the angles of two joints.
 *
 *   external: r1 angle1 + r2 angle2 = as placed          internal: r1 angle1 - r2 angle2 */
#include "joints/joint.h"

/* What it is read into. */
typedef struct keys {
    int joints[2];
    lmb_value radii;
    bool internal;
} keys;

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    {"joints", AT(joints), LMB_FIELD_JOINTS, NULL, "The two joints that the wheels turn in.",
     .required = true},
    {"radii", AT(radii), LMB_FIELD_NUMBERS, "m",
     "The pitch radii (or the numbers of teeth) of the wheels, in the same order.",
     .required = true, .range = LMB_POSITIVE},
    {"internal", AT(internal), LMB_FIELD_FLAG, NULL,
     "Whether one of the wheels has its teeth inside, so that both turn the same way.",
     .otherwise_doc = "false"},
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    const keys *k = b->keys;
    const lmb_value *radii = &k->radii;
    if (radii->size != 2)
        return lmb_fail_at(b->context, radii->place, "'radii' must have two numbers, not %d",
                           radii->size);
    const lmb_coordinate *first = lmb_joint_coupled(b, 0, LMB_COORDINATE_ANGLE);
    const lmb_coordinate *second = first ? lmb_joint_coupled(b, 1, LMB_COORDINATE_ANGLE) : NULL;
    if (!second)
        return LMB_BAD_INPUT;
    double sign = k->internal ? -1 : 1;
    double larger = fmax(radii->numbers[0], radii->numbers[1]);
    b->joint->pair = second->pair;
    lmb_joint_couple(b, "mesh", radii->numbers[0] / larger, first,
                     sign * radii->numbers[1] / larger, second);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_gear = {
    .name = "gear",
    .doc =
        "A gear pair: the angles of two joints turn in the ratio of the wheels. Its torque is "
        "the one on the second wheel, against what its joint is mounted on; the tooth force, this "
        "torque divided by the radius, is not in the forces of the wheels' joints.",
    .coupling = true,
    .fields = fields,
    .size = sizeof(keys),
    .build = build,
};
