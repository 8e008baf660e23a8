/* Bar, box, plate, cylinder, tube and sphere: volume and inertia, all centred at the body. */
#include "bodies/shape.h"

static mat3 diagonal(double x, double y, double z)
{
    return (mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

static mat3 box_inertia(double a, double b, double c)
{
    return diagonal((b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12);
}

#define AT(member) LMB_AT(lmb_shape, member)

static const lmb_field bar_fields[] = {
    {"length", AT(length), LMB_FIELD_NUMBER, "m", "Length, along the body's x axis.",
     .required = true, .range = LMB_POSITIVE},
    {"width", AT(width), LMB_FIELD_NUMBER, "m", "Width of the section, along y.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0: a slender bar"},
    {"height", AT(height), LMB_FIELD_NUMBER, "m", "Height of the section, along z.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0: a slender bar"},
    {0},
};

static lmb_status bar(lmb_context *context, const lmb_shape *s, lmb_solid *out)
{
    (void)context;
    double a = s->length, b = s->width, c = s->height;
    *out = (lmb_solid){a * b * c, box_inertia(a, b, c)};
    return LMB_OK;
}

static const lmb_field box_fields[] = {
    {"size", AT(size), LMB_FIELD_NUMBERS, "m",
     "Lengths of the edges along x, y and z (z may be left out in the plane).", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static lmb_status box(lmb_context *context, const lmb_shape *s, lmb_solid *out)
{
    const double *e = s->size.numbers;
    if (s->size.size != 2 && s->size.size != 3)
        return lmb_fail_at(context, s->size.place, "'size' must have two or three numbers, not %d",
                           s->size.size);
    double c = s->size.size == 3 ? e[2] : 0;
    *out = (lmb_solid){e[0] * e[1] * c, box_inertia(e[0], e[1], c)};
    return LMB_OK;
}

static const lmb_field plate_fields[] = {
    {"size", AT(size), LMB_FIELD_NUMBERS, "m", "Lengths of the edges along x and y.",
     .required = true, .range = LMB_POSITIVE},
    {"thickness", AT(thickness), LMB_FIELD_NUMBER, "m", "Thickness, along z.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0: a thin plate"},
    {0},
};

static lmb_status plate(lmb_context *context, const lmb_shape *s, lmb_solid *out)
{
    const double *e = s->size.numbers, c = s->thickness;
    if (s->size.size != 2)
        return lmb_fail_at(context, s->size.place, "'size' must have two numbers, not %d",
                           s->size.size);
    *out = (lmb_solid){e[0] * e[1] * c, box_inertia(e[0], e[1], c)};
    return LMB_OK;
}

#define AXIS_FIELD                                                                                 \
    {                                                                                              \
        "axis", AT(axis), LMB_FIELD_CHOICE, NULL, "The body axis that it lies along.",             \
            .choices = "x y z", .otherwise = 2, .otherwise_doc = "z"                               \
    }

/* Inertia of unit mass of a cylinder along an axis, r2 = outer^2 + inner^2. */
static mat3 round_inertia(double r2, double length, int axis)
{
    double along = r2 / 2, across = r2 / 4 + length * length / 12;
    return diagonal(axis == 0 ? along : across, axis == 1 ? along : across,
                    axis == 2 ? along : across);
}

static const lmb_field cylinder_fields[] = {
    {"radius", AT(radius), LMB_FIELD_NUMBER, "m", "Radius.", .required = true,
     .range = LMB_POSITIVE},
    {"length", AT(length), LMB_FIELD_NUMBER, "m", "Length along its axis.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0: a thin disc"},
    AXIS_FIELD,
    {0},
};

static lmb_status cylinder(lmb_context *context, const lmb_shape *s, lmb_solid *out)
{
    (void)context;
    double r = s->radius, l = s->length;
    *out = (lmb_solid){LMB_PI * r * r * l, round_inertia(r * r, l, s->axis)};
    return LMB_OK;
}

static const lmb_field tube_fields[] = {
    {"outer", AT(outer), LMB_FIELD_NUMBER, "m", "Outer radius.", .required = true,
     .range = LMB_POSITIVE},
    {"inner", AT(inner), LMB_FIELD_NUMBER, "m", "Inner radius.", .required = true,
     .range = LMB_NOT_NEGATIVE},
    {"length", AT(length), LMB_FIELD_NUMBER, "m", "Length along its axis.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0: a thin ring"},
    AXIS_FIELD,
    {0},
};

static lmb_status tube(lmb_context *context, const lmb_shape *s, lmb_solid *out)
{
    double a = s->outer, b = s->inner.number, l = s->length;
    if (b >= a)
        return lmb_fail_at(context, s->inner.place,
                           "the inner radius (%g) must be smaller than the "
                           "outer one (%g)",
                           b, a);
    *out = (lmb_solid){LMB_PI * (a * a - b * b) * l, round_inertia(a * a + b * b, l, s->axis)};
    return LMB_OK;
}

static const lmb_field sphere_fields[] = {
    {"radius", AT(radius), LMB_FIELD_NUMBER, "m", "Radius.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static lmb_status sphere(lmb_context *context, const lmb_shape *s, lmb_solid *out)
{
    (void)context;
    double r = s->radius, i = 0.4 * r * r;
    *out = (lmb_solid){4.0 / 3 * LMB_PI * r * r * r, diagonal(i, i, i)};
    return LMB_OK;
}

const lmb_shape_type lmb_shape_types[] = {
    {"bar", "A straight bar along x.", bar_fields, bar},
    {"box", "A block.", box_fields, box},
    {"plate", "A plate in the x-y plane.", plate_fields, plate},
    {"cylinder", "A cylinder or disc.", cylinder_fields, cylinder},
    {"tube", "A hollow cylinder.", tube_fields, tube},
    {"sphere", "A ball.", sphere_fields, sphere},
    {0},
};
