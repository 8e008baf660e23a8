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

static const lmb_field bar_fields[] = {
    {.name = "length",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .required = true,
     .range = LMB_POSITIVE,
     .doc = "Length, along the body's x axis."},
    {.name = "width",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .range = LMB_NOT_NEGATIVE,
     .doc = "Width of the section, along y.",
     .otherwise_doc = "0: a slender bar"},
    {.name = "height",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .range = LMB_NOT_NEGATIVE,
     .doc = "Height of the section, along z.",
     .otherwise_doc = "0: a slender bar"},
    {0},
};

static lmb_status bar(lmb_context *context, const lmb_value *v, lmb_solid *out)
{
    (void)context;
    double a = v[0].number, b = v[1].number, c = v[2].number;
    *out = (lmb_solid){a * b * c, box_inertia(a, b, c)};
    return LMB_OK;
}

static const lmb_field box_fields[] = {
    {.name = "size",
     .type = LMB_FIELD_NUMBERS,
     .unit = "m",
     .required = true,
     .range = LMB_POSITIVE,
     .doc = "Lengths of the edges along x, y and z (z may be left out in the plane)."},
    {0},
};

static lmb_status box(lmb_context *context, const lmb_value *v, lmb_solid *out)
{
    const double *s = v[0].numbers;
    if (v[0].size != 2 && v[0].size != 3)
        return lmb_fail_at(context, v[0].place, "'size' must have two or three numbers, not %d",
                           v[0].size);
    double c = v[0].size == 3 ? s[2] : 0;
    *out = (lmb_solid){s[0] * s[1] * c, box_inertia(s[0], s[1], c)};
    return LMB_OK;
}

static const lmb_field plate_fields[] = {
    {.name = "size",
     .type = LMB_FIELD_NUMBERS,
     .unit = "m",
     .required = true,
     .range = LMB_POSITIVE,
     .doc = "Lengths of the edges along x and y."},
    {.name = "thickness",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .range = LMB_NOT_NEGATIVE,
     .doc = "Thickness, along z.",
     .otherwise_doc = "0: a thin plate"},
    {0},
};

static lmb_status plate(lmb_context *context, const lmb_value *v, lmb_solid *out)
{
    const double *s = v[0].numbers;
    if (v[0].size != 2)
        return lmb_fail_at(context, v[0].place, "'size' must have two numbers, not %d", v[0].size);
    double c = v[1].number;
    *out = (lmb_solid){s[0] * s[1] * c, box_inertia(s[0], s[1], c)};
    return LMB_OK;
}

#define AXIS_FIELD                                                                                 \
    {                                                                                              \
        .name = "axis", .type = LMB_FIELD_CHOICE, .choices = "x y z",                              \
        .doc = "The body axis that it lies along.", .otherwise_doc = "z"                           \
    }

/* Inertia of unit mass of a cylinder along an axis, r2 = outer^2 + inner^2. */
static mat3 round_inertia(double r2, double length, const lmb_value *axis)
{
    double along = r2 / 2, across = r2 / 4 + length * length / 12;
    int k = axis->given ? axis->choice : 2;
    return diagonal(k == 0 ? along : across, k == 1 ? along : across, k == 2 ? along : across);
}

static const lmb_field cylinder_fields[] = {
    {.name = "radius",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .required = true,
     .range = LMB_POSITIVE,
     .doc = "Radius."},
    {.name = "length",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .range = LMB_NOT_NEGATIVE,
     .doc = "Length along its axis.",
     .otherwise_doc = "0: a thin disc"},
    AXIS_FIELD,
    {0},
};

static lmb_status cylinder(lmb_context *context, const lmb_value *v, lmb_solid *out)
{
    (void)context;
    double r = v[0].number, l = v[1].number;
    *out = (lmb_solid){LMB_PI * r * r * l, round_inertia(r * r, l, &v[2])};
    return LMB_OK;
}

static const lmb_field tube_fields[] = {
    {.name = "outer",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .required = true,
     .range = LMB_POSITIVE,
     .doc = "Outer radius."},
    {.name = "inner",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .required = true,
     .range = LMB_NOT_NEGATIVE,
     .doc = "Inner radius."},
    {.name = "length",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .range = LMB_NOT_NEGATIVE,
     .doc = "Length along its axis.",
     .otherwise_doc = "0: a thin ring"},
    AXIS_FIELD,
    {0},
};

static lmb_status tube(lmb_context *context, const lmb_value *v, lmb_solid *out)
{
    double a = v[0].number, b = v[1].number, l = v[2].number;
    if (b >= a)
        return lmb_fail_at(context, v[1].place,
                           "the inner radius (%g) must be smaller than the "
                           "outer one (%g)",
                           b, a);
    *out = (lmb_solid){LMB_PI * (a * a - b * b) * l, round_inertia(a * a + b * b, l, &v[3])};
    return LMB_OK;
}

static const lmb_field sphere_fields[] = {
    {.name = "radius",
     .type = LMB_FIELD_NUMBER,
     .unit = "m",
     .required = true,
     .range = LMB_POSITIVE,
     .doc = "Radius."},
    {0},
};

static lmb_status sphere(lmb_context *context, const lmb_value *v, lmb_solid *out)
{
    (void)context;
    double r = v[0].number, i = 0.4 * r * r;
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
