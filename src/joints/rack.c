/* Rack and pinion: couples the angle of one joint to the offset of another.
 *
 *   offset - radius angle = as placed */
#include "joints/joint.h"

/* What it is read into. */
typedef struct keys {
    int joints[2];
    double radius;
} keys;

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    {"joints", AT(joints), LMB_FIELD_JOINTS, NULL,
     "The joint that the pinion turns in and the joint that the rack slides in.", .required = true},
    {"radius", AT(radius), LMB_FIELD_NUMBER, "m",
     "The pitch radius of the pinion; negative if the rack moves against a positive turn.",
     .required = true, .range = LMB_NOT_ZERO},
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    const keys *k = b->keys;
    const lmb_coordinate *pinion = lmb_joint_coupled(b, 0, LMB_COORDINATE_ANGLE);
    const lmb_coordinate *rack = pinion ? lmb_joint_coupled(b, 1, LMB_COORDINATE_OFFSET) : NULL;
    if (!rack)
        return LMB_BAD_INPUT;
    b->joint->pair = rack->pair;
    lmb_joint_couple(b, "mesh", -k->radius, pinion, 1, rack);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_rack = {
    .name = "rack",
    .doc = "A rack and pinion: a slider moves as a wheel turns. Its force is the one on "
           "the rack; it is not in the force of the wheel's joint.",
    .coupling = true,
    .fields = fields,
    .size = sizeof(keys),
    .build = build,
};
