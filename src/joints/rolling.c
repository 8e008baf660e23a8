/* Rolling disc: a thin disc of the second body touches a plane of the first and does not slip.
 *
 *   the lowest point of the rim lies in the plane; its two velocities along the plane vanish
 *   (velocity level: the disc may be steered to any place, only not by slipping) */
#include "joints/joint.h"

/* What it is read into. */
typedef struct keys {
    vec3 axis, axis_b;
    double radius;
} keys;

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    {"axis", AT(axis), LMB_FIELD_VECTOR, NULL,
     "The normal of the plane, towards the disc, in the axes of the first end.", .required = true,
     .range = LMB_NOT_ZERO},
    {"axis_b", AT(axis_b), LMB_FIELD_VECTOR, NULL,
     "The axis of the disc, in the axes of the second end.", .required = true,
     .range = LMB_NOT_ZERO},
    {"radius", AT(radius), LMB_FIELD_NUMBER, "m", "The radius of the disc.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    const keys *k = b->keys;
    int a = lmb_joint_marker(b, 0, k->axis);
    int pair = lmb_rows_pair(b->rows, a, lmb_joint_marker(b, 1, k->axis_b));
    lmb_product tilt = lmb_axes(2, 2);
    if (pair >= 0 && fabs(lmb_joint_start(b, &tilt, pair)) > 0.999)
        return lmb_fail_at(b->context, b->place,
                           "the disc of joint '%s' is placed flat on the plane", b->joint->name);
    lmb_product rim = {.kind = LMB_RIM, .radius = k->radius};
    lmb_product slip = {.kind = LMB_SLIP, .radius = k->radius};
    b->joint->pair = pair;
    lmb_rows_row(b->rows, "contact", LMB_LENGTH);
    lmb_rows_term(b->rows, lmb_plain(1, rim, pair));
    lmb_rows_row(b->rows, "slip 1", LMB_LENGTH);
    lmb_rows_term(b->rows, lmb_plain(1, slip, pair));
    slip.i = 1;
    lmb_rows_row(b->rows, "slip 2", LMB_LENGTH);
    lmb_rows_term(b->rows, lmb_plain(1, slip, pair));
    return LMB_OK;
}

const lmb_joint_type lmb_joint_rolling = {
    .name = "rolling",
    .doc = "A thin disc of the second body rolls on a plane of the first without slipping.",
    .dimension = 3,
    .fields = fields,
    .size = sizeof(keys),
    .sign = "point",
    .build = build,
};
