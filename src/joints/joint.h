/* Joints: each kind is a list of rows between two frames, whatever bodies carry them.
 *
 * A new joint is one file with a table of its fields and a function that writes its rows, and a
 * line in registry.c. */
#ifndef LMB_JOINTS_JOINT_H
#define LMB_JOINTS_JOINT_H

#include "read/field.h"
#include "frames/row.h"

/* A joint as built: what belongs to it. */
typedef struct lmb_joint {
    const char *name;
    const struct lmb_joint_type *type;
    int row, row_count;
    int coordinate, coordinate_count;
    int driver; /* the newest driver of one of its coordinates, or -1 */
    int pair;   /* where its forces are reported: on B's frame, local ones in the axes of `ends` */
    int ends;   /* pair of the two ends as the user named them */
} lmb_joint;

/* What a joint is built from. */
typedef struct lmb_joint_build {
    lmb_rows *rows;
    int dimension;
    const lmb_frame *starts;     /* the bodies as the model places them */
    const double *angles;        /* their angles in the plane, which may be several turns */
    lmb_end ends[2];             /* LMB_FIELD_ENDS */
    const lmb_joint *coupled[2]; /* LMB_FIELD_JOINTS: the joints that it couples */
    const void *keys;            /* what the fields of the type are read into */
    lmb_joint *joint;            /* what is being built */
    lmb_context *context;
    lmb_place place;
} lmb_joint_build;

typedef struct lmb_joint_type {
    const char *name;
    const char *doc;
    int dimension; /* 2, 3, or 0 for both */
    bool coupling; /* couples two joints (its first field) instead of two bodies (`between:`) */
    const lmb_field *fields; /* besides type and between; ends with {0} */
    size_t size;             /* of what they fill */
    const char *sign;        /* how it is drawn; NULL: not at all. See below */
    lmb_status (*build)(lmb_joint_build *build);
} lmb_joint_type;

/* The signs of joints, which viewers know how to draw, in the plane and in space:
 *
 *   pin     a bolt that a body turns about
 *   sleeve  one that it also slides along
 *   ball    a ball in a socket
 *   cross   that of a Cardan joint
 *   block   a weld
 *   rail    what a body slides along
 *   slot    the same for a point
 *   sheet   a plane that a body slides on
 *   point   where two bodies touch
 *   rod     a line from one end to the other
 *
 * Those of the ground have a foot: pin to block. */

/* All kinds of joints, ended by NULL. */
extern const lmb_joint_type *const lmb_joint_types[];

/* The axes that many joints have, and their fields. */
typedef struct lmb_joint_axes {
    lmb_value axis, axis_b;
} lmb_joint_axes;

#define LMB_AXIS_FIELDS(doc_text, ...)                                                             \
    {"axis",                                                                                       \
     LMB_AT(lmb_joint_axes, axis),                                                                 \
     LMB_FIELD_VECTOR,                                                                             \
     NULL,                                                                                         \
     doc_text ", in the axes of the first end.",                                                   \
     .range = LMB_NOT_ZERO,                                                                        \
     .otherwise_doc = "z (in the plane x) of the first end's point, if that has axes",             \
     __VA_ARGS__},                                                                                 \
    {                                                                                              \
        "axis_b", LMB_AT(lmb_joint_axes, axis_b), LMB_FIELD_VECTOR, NULL,                          \
            "The same axis in the axes of the second end.",                                        \
            .range = LMB_NOT_ZERO,                                                                 \
            .otherwise_doc = "what it is with the bodies where the model places them", __VA_ARGS__ \
    }

/* Adds markers at the two ends with their third axis along `axis` (in the plane: first axis) and
 * pairs them, for the joint's forces too; -1 with a message when the axis is missing. B's axes are
 * those made from `axis_b`; if that is not given, the ones with the same components as A's where
 * B's point has axes of its own or the axis has the same components in both bodies (so that a joint
 * angle is zero where the axes agree); else those that coincide with A's where the model places the
 * bodies. */
int lmb_joint_axis_pair(lmb_joint_build *build, const lmb_joint_axes *axes);

/* Adds markers at the two ends with their own axes and pairs them likewise. With `as_placed` the
 * axes of B are, unless its point has its own, those that coincide with A's where the model places
 * them. */
int lmb_joint_plain_pair(lmb_joint_build *build, bool as_placed);

/* A marker at an end whose third axis (in the plane: first) is along a given direction of it. */
int lmb_joint_marker(lmb_joint_build *build, int end, vec3 direction);

/* Adds a coordinate to the joint. */
void lmb_joint_coordinate(lmb_joint_build *build, const char *name, lmb_coordinate_kind kind,
                          lmb_product product, int pair);

/* The coordinate of a kind that a coupled joint has; NULL with a message when it has none. */
const lmb_coordinate *lmb_joint_coupled(lmb_joint_build *build, int which,
                                        lmb_coordinate_kind kind);

/* The value of a product where the model places the bodies. */
double lmb_joint_start(const lmb_joint_build *build, const lmb_product *product, int pair);

/* A row that keeps c1 x1 + c2 x2 of two coordinates as the model places the bodies. */
void lmb_joint_couple(lmb_joint_build *build, const char *label, double c1,
                      const lmb_coordinate *x1, double c2, const lmb_coordinate *x2);

#endif
