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

typedef struct lmb_shape_type {
    const char *name, *doc;
    const lmb_field *fields; /* ends with {0} */
    lmb_status (*solid)(lmb_context *context, const lmb_value *values, lmb_solid *out);
} lmb_shape_type;

/* All shapes, ended by {0}. */
extern const lmb_shape_type lmb_shape_types[];

enum { LMB_SHAPE_FIELDS = 4 }; /* most fields that a shape has */

#endif
