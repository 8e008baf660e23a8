/* Shapes: mass and inertia of simple solids, and what a viewer draws. */
#ifndef LMB_BODIES_SHAPE_H
#define LMB_BODIES_SHAPE_H

#include "read/field.h"
#include "math/vec.h"

/* The mass properties of a solid of unit density, about its centre in its own axes. */
typedef struct lmb_solid {
    double volume;     /* 0 when a dimension is missing (a bar without a section) */
    mat3 unit_inertia; /* inertia of a solid of unit mass */
} lmb_solid;

/* The sizes of a shape; each kind has some of them. */
typedef struct lmb_shape {
    const struct lmb_shape_type *type;
    double length, width, height, thickness, radius, outer;
    lmb_value size, inner;
    int axis; /* 0, 1, 2: x, y, z */
} lmb_shape;

typedef struct lmb_shape_type {
    const char *name, *doc;
    const lmb_field *fields; /* ends with {0} */
    lmb_status (*solid)(lmb_context *context, const lmb_shape *shape, lmb_solid *out);
} lmb_shape_type;

/* All shapes, ended by {0}. */
extern const lmb_shape_type lmb_shape_types[];

#endif
