/* Fixed joint (weld): the points coincide and the axes stay parallel. */
#include "joints/joint.h"

static const lmb_field fields[] = {{0}};

static lmb_status build(lmb_joint_build *b)
{
    int pair = lmb_joint_plain_pair(b, true);
    lmb_rows_coincident(b->rows, pair, b->dimension);
    lmb_rows_aligned(b->rows, pair, b->dimension);
    return LMB_OK;
}

const lmb_joint_type lmb_joint_fixed = {
    .name = "fixed",
    .doc = "A weld: the points coincide and the bodies keep the angles between them that the model "
           "places them at (or, where the second point has axes of its own, those axes agree).",
    .fields = fields,
    .sign = "block",
    .build = build,
};
