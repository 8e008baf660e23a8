/* Distance joint (massless rod): the two points keep their distance.
 *
 *   (d . d - L^2) / 2 = 0                                             coordinate: length */
#include "joints/joint.h"

/* What it is read into. */
typedef struct keys {
    double length; /* 0: that of the placed bodies */
} keys;

#define AT(member) LMB_AT(keys, member)

static const lmb_field fields[] = {
    {"length", AT(length), LMB_FIELD_NUMBER, "m", "The distance.", .range = LMB_POSITIVE,
     .otherwise_doc = "the distance where the model places the bodies"},
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    const keys *k = b->keys;
    int pair = lmb_joint_plain_pair(b);
    if (pair < 0)
        return LMB_OK;
    b->joint->pair = pair;
    lmb_product half_square = lmb_half_square();
    double length = k->length, half = length * length / 2;
    if (length == 0)
        half = lmb_joint_start(b, &half_square, pair);
    if (half == 0) {
        lmb_fail_at(b->context, b->place, "the points of joint '%s' coincide, so it has no length",
                    b->joint->name);
        return lmb_hint(b->context, "give a 'length', or use a revolute or spherical joint");
    }
    lmb_rows_row(b->rows, "length", LMB_AREA);
    lmb_rows_term(b->rows, lmb_plain(1, half_square, pair));
    lmb_rows_term(b->rows, lmb_plain(-half, lmb_one(), pair));
    lmb_joint_coordinate(b, "length", LMB_COORDINATE_LENGTH, half_square, pair);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_distance = {
    .name = "distance",
    .doc = "A massless rod: two points keep their distance.",
    .fields = fields,
    .size = sizeof(keys),
    .sign = "rod",
    .build = build,
};
