/* The joints that are made of the usual rows between two frames, d = p_B - p_A:
 *
 *   revolute       d = 0; in space e1 . f3 = e2 . f3 = 0                  angle
 *   translational  d . e1 = d . e2 = 0, all axes parallel                 offset
 *                  (in the plane d . e2 = 0, e2 . f1 = 0)
 *   cylindrical    d . e1 = d . e2 = 0, e1 . f3 = e2 . f3 = 0             angle, offset
 *   screw          the same, and d . e3 - lead/(2 pi) angle = as placed
 *   planar         d . e3 = 0, e1 . f3 = e2 . f3 = 0                      angle, offset, offset_2
 *   fixed          d = 0, all axes parallel
 *   spherical      d = 0
 *   slot, inline   d . e1 = d . e2 = 0 (in the plane d . e2 = 0)          offset
 *   point-on-plane d . e3 = 0                                             offset, offset_2
 *
 * with their coordinates on the right. */
#include "joints/joint.h"

#define AXIS_OF(name, text, in)                                                                    \
    static const lmb_field name[] = {LMB_AXIS_FIELDS(text, .dimension = in), {0}}

AXIS_OF(rotation_axis, "The axis of rotation", 3);
AXIS_OF(sliding_axis, "The direction of sliding", 0);
AXIS_OF(cylinder_axis, "The axis of sliding and turning", 0);
AXIS_OF(plane_normal, "The normal of the plane", 0);

static const lmb_field nothing[] = {{0}};

/* In the plane a hinge needs no axis. */
static int hinge_pair(lmb_joint_build *b)
{
    return b->dimension == 2 ? lmb_joint_plain_pair(b) : lmb_joint_axis_pair(b);
}

/* The first end alone has an axis. */
static int line_pair(lmb_joint_build *b)
{
    int a = lmb_joint_marker(b, 0, *(const vec3 *)b->keys);
    return lmb_rows_pair(b->rows, a, lmb_rows_end(b->rows, &b->ends[1]));
}

static void in_plane(lmb_rows *rows, int pair, int dimension)
{
    (void)dimension;
    lmb_rows_offset_axis(rows, "height", pair, 2);
}

const lmb_joint_type lmb_joint_revolute = {
    .name = "revolute",
    .doc = "A hinge: the second body turns about a point (in space: an axis) of the first.",
    .fields = rotation_axis,
    .size = sizeof(lmb_joint_axes),
    .sign = "pin",
    .build = lmb_joint_standard,
    .frames = hinge_pair,
    .rows = {lmb_rows_coincident, lmb_rows_parallel},
    .coordinates = {{"angle", LMB_COORDINATE_ANGLE, 0}},
};

#define SLIDER                                                                                     \
    .fields = sliding_axis, .size = sizeof(lmb_joint_axes), .sign = "rail",                        \
    .build = lmb_joint_standard, .frames = lmb_joint_axis_pair,                                    \
    .rows = {lmb_rows_across, lmb_rows_aligned},                                                   \
    .coordinates = {{"offset", LMB_COORDINATE_OFFSET, 2}}

const lmb_joint_type lmb_joint_translational = {
    .name = "translational",
    .doc = "A slider: the second body slides along an axis of the first and does not turn.",
    SLIDER,
};

const lmb_joint_type lmb_joint_prismatic = {
    .name = "prismatic",
    .doc = "Another name of the translational joint, used in space.",
    SLIDER,
};

const lmb_joint_type lmb_joint_cylindrical = {
    .name = "cylindrical",
    .doc = "The second body slides along an axis of the first and turns about it.",
    .dimension = 3,
    .fields = cylinder_axis,
    .size = sizeof(lmb_joint_axes),
    .sign = "sleeve",
    .build = lmb_joint_standard,
    .frames = lmb_joint_axis_pair,
    .rows = {lmb_rows_across, lmb_rows_parallel},
    .coordinates = {{"angle", LMB_COORDINATE_ANGLE, 0}, {"offset", LMB_COORDINATE_OFFSET, 2}},
};

const lmb_joint_type lmb_joint_planar = {
    .name = "planar",
    .doc = "The second body slides on a plane of the first and turns about its normal.",
    .dimension = 3,
    .fields = plane_normal,
    .size = sizeof(lmb_joint_axes),
    .sign = "sheet",
    .build = lmb_joint_standard,
    .frames = lmb_joint_axis_pair,
    .rows = {in_plane, lmb_rows_parallel},
    .coordinates = {{"angle", LMB_COORDINATE_ANGLE, 0},
                    {"offset", LMB_COORDINATE_OFFSET, 0},
                    {"offset_2", LMB_COORDINATE_OFFSET, 1}},
};

const lmb_joint_type lmb_joint_fixed = {
    .name = "fixed",
    .doc = "A weld: the points coincide and the bodies keep their relative orientation as placed "
           "(or, where the second point has its own axes, these coincide with the first).",
    .fields = nothing,
    .sign = "block",
    .build = lmb_joint_standard,
    .frames = lmb_joint_placed_pair,
    .rows = {lmb_rows_coincident, lmb_rows_aligned},
};

const lmb_joint_type lmb_joint_spherical = {
    .name = "spherical",
    .doc = "A ball joint: the points coincide.",
    .dimension = 3,
    .fields = nothing,
    .sign = "ball",
    .build = lmb_joint_standard,
    .frames = lmb_joint_plain_pair,
    .rows = {lmb_rows_coincident},
};

/* --- screw ------------------------------------------------------------------------------------ */

typedef struct screw_keys {
    lmb_joint_axes axes; /* first, as the standard joints read them */
    double lead;
} screw_keys;

static const lmb_field screw_fields[] = {
    LMB_AXIS_FIELDS("The axis of the screw", .dimension = 0),
    {"lead", LMB_AT(screw_keys, lead), LMB_FIELD_NUMBER, "m",
     "How far the second body moves along the axis in a turn; negative: left-handed.",
     .required = true, .range = LMB_NOT_ZERO},
    {0},
};

static lmb_status build_screw(lmb_joint_build *b)
{
    const screw_keys *k = b->keys;
    lmb_status status = lmb_joint_standard(b);
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
    .fields = screw_fields,
    .size = sizeof(screw_keys),
    .sign = "sleeve",
    .build = build_screw,
    .frames = lmb_joint_axis_pair,
    .rows = {lmb_rows_across, lmb_rows_parallel},
    .coordinates = {{"angle", LMB_COORDINATE_ANGLE, 0}, {"offset", LMB_COORDINATE_OFFSET, 2}},
};

/* --- a point on a line ------------------------------------------------------------------------ */

static const lmb_field line_fields[] = {
    {"axis", .offset = 0, sizeof(vec3), LMB_FIELD_VECTOR, NULL,
     "The direction of the line, in the axes of the first end.", .required = true,
     .range = LMB_NOT_ZERO},
    {0},
};

#define ON_LINE                                                                                    \
    .fields = line_fields, .size = sizeof(vec3), .sign = "slot", .build = lmb_joint_standard,      \
    .frames = line_pair, .rows = {lmb_rows_across},                                                \
    .coordinates = {{"offset", LMB_COORDINATE_OFFSET, 2}}

const lmb_joint_type lmb_joint_slot = {
    .name = "slot",
    .doc = "A pin in a slot: a point of the second body stays on a line of the first.",
    .dimension = 2,
    ON_LINE,
};

const lmb_joint_type lmb_joint_inline = {
    .name = "inline",
    .doc = "A point of the second body stays on a line of the first.",
    .dimension = 3,
    ON_LINE,
};

/* --- a point on a plane ----------------------------------------------------------------------- */

static const lmb_field normal_field[] = {
    {"axis", .offset = 0, sizeof(vec3), LMB_FIELD_VECTOR, NULL,
     "The normal of the plane, in the axes of the first end.", .required = true,
     .range = LMB_NOT_ZERO},
    {0},
};

const lmb_joint_type lmb_joint_point_on_plane = {
    .name = "point-on-plane",
    .doc = "A point of the second body stays on a plane of the first; some call it in-plane. In "
           "the plane that is a slot.",
    .dimension = 3,
    .fields = normal_field,
    .size = sizeof(vec3),
    .sign = "sheet",
    .build = lmb_joint_standard,
    .frames = line_pair,
    .rows = {in_plane},
    .coordinates = {{"offset", LMB_COORDINATE_OFFSET, 0}, {"offset_2", LMB_COORDINATE_OFFSET, 1}},
};
