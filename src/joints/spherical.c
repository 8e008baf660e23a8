/* Spherical joint (ball): the points coincide. */
#include "joints/joint.h"

static const lmb_field fields[] = {{0}};

static lmb_status build(lmb_joint_build *b)
{
    lmb_rows_coincident(b->rows, lmb_joint_plain_pair(b, false), 3);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_spherical = {
    .name = "spherical",
    .doc = "A ball joint: the points coincide.",
    .dimension = 3,
    .fields = fields,
    .sign = "ball",
    .build = build,
};
