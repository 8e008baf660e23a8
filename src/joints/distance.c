/* Distance joint (massless rod): the two points keep their distance.
 *
 *   (d . d - L^2) / 2 = 0                                             coordinate: length */
#include "joints/joint.h"

enum { LENGTH };

static const lmb_field fields[] = {
    {.name = "length",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .range = LMB_POSITIVE,
     .doc = "The distance.",
     .otherwise_doc = "the distance where the model places the bodies"},
    {0},
};

static lmb_status build(lmb_joint_build *b)
{
    int pair = lmb_joint_plain_pair(b, false);
    if (pair < 0)
        return LMB_OK;
    lmb_product half_square = lmb_half_square();
    double length = b->values[LENGTH].number;
    double half =
        b->values[LENGTH].given ? length * length / 2 : lmb_joint_start(b, &half_square, pair);
    if (half == 0) {
        lmb_fail_at(b->context, b->place, "the points of joint '%s' coincide, so it has no length",
                    b->joint->name);
        lmb_hint(b->context, "give a 'length', or use a revolute or spherical joint");
        return LMB_BAD_INPUT;
    }
    b->joint->pair = pair;
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
    .build = build,
};
