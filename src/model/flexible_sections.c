/* The kinds of cross sections. */
#include "model/fields.h"

#include "fe/properties.h"

#define AT(member) LMB_AT(lmb_section_keys, member)

static const lmb_field rectangle_fields[] = {
    {"width", AT(width), LMB_FIELD_NUMBER, "m", "Width, along z (in the plane: out of it).",
     .required = true, .range = LMB_POSITIVE},
    {"height", AT(height), LMB_FIELD_NUMBER, "m", "Height, along y.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static lmb_status rectangle(lmb_section *s, lmb_context *context, const lmb_section_keys *k,
                            double nu)
{
    return lmb_section_rectangle(s, context, k->height, k->width, nu);
}

static const lmb_field circle_fields[] = {{"diameter", AT(diameter), LMB_FIELD_NUMBER, "m",
                                           "Diameter.", .required = true, .range = LMB_POSITIVE},
                                          {0}};

static lmb_status circle(lmb_section *s, lmb_context *context, const lmb_section_keys *k, double nu)
{
    return lmb_section_circle(s, context, k->diameter, nu);
}

static const lmb_field tube_fields[] = {
    {"diameter", AT(diameter), LMB_FIELD_NUMBER, "m", "Outer diameter.", .required = true,
     .range = LMB_POSITIVE},
    {"wall", AT(wall), LMB_FIELD_NUMBER, "m", "Thickness of the wall.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static lmb_status tube(lmb_section *s, lmb_context *context, const lmb_section_keys *k, double nu)
{
    return lmb_section_tube(s, context, k->diameter, k->wall, nu);
}

static const lmb_field box_fields[] = {
    {"width", AT(width), LMB_FIELD_NUMBER, "m", "Outer width, along z.", .required = true,
     .range = LMB_POSITIVE},
    {"height", AT(height), LMB_FIELD_NUMBER, "m", "Outer height, along y.", .required = true,
     .range = LMB_POSITIVE},
    {"wall", AT(wall), LMB_FIELD_NUMBER, "m", "Thickness of the walls.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static lmb_status box(lmb_section *s, lmb_context *context, const lmb_section_keys *k, double nu)
{
    return lmb_section_box(s, context, k->height, k->width, k->wall, nu);
}

static const lmb_field I_fields[] = {
    {"height", AT(height), LMB_FIELD_NUMBER, "m", "Height over all, along y.", .required = true,
     .range = LMB_POSITIVE},
    {"width", AT(width), LMB_FIELD_NUMBER, "m", "Width of the flanges, along z.", .required = true,
     .range = LMB_POSITIVE},
    {"web", AT(web), LMB_FIELD_NUMBER, "m", "Thickness of the web.", .required = true,
     .range = LMB_POSITIVE},
    {"flange", AT(flange), LMB_FIELD_NUMBER, "m", "Thickness of the flanges.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static lmb_status I_section(lmb_section *s, lmb_context *context, const lmb_section_keys *k,
                            double nu)
{
    return lmb_section_I(s, context, k->height, k->width, k->web, k->flange, nu);
}

static const lmb_field constants_fields[] = {
    {"A", AT(constants.A), LMB_FIELD_NUMBER, "m^2", "Area.", .required = true,
     .range = LMB_POSITIVE},
    {"Iz", AT(constants.Iz), LMB_FIELD_NUMBER, "m^4",
     "Second moment of area about z: bending in the x-y plane.", .required = true,
     .range = LMB_POSITIVE},
    {"Iy", AT(constants.Iy), LMB_FIELD_NUMBER, "m^4", "That about y.", .range = LMB_POSITIVE,
     .otherwise_doc = "Iz"},
    {"J", AT(constants.J), LMB_FIELD_NUMBER, "m^4", "Torsion constant.", .range = LMB_POSITIVE,
     .otherwise_doc = "Iy + Iz"},
    {"shear_y", AT(constants.shear_y), LMB_FIELD_NUMBER, NULL, "Shear area along y over A.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0: no shear deformation"},
    {"shear_z", AT(constants.shear_z), LMB_FIELD_NUMBER, NULL, "Shear area along z over A.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0: no shear deformation"},
    {"y_max", AT(constants.y_max), LMB_FIELD_NUMBER, "m",
     "Distance of the extreme fibre along y, for stresses.", .range = LMB_NOT_NEGATIVE,
     .otherwise_doc = "0"},
    {"z_max", AT(constants.z_max), LMB_FIELD_NUMBER, "m", "Distance of the extreme fibre along z.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"torsion_radius", AT(constants.torsion_radius), LMB_FIELD_NUMBER, "m",
     "Stress of torsion = torque radius / J.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {0},
};

static lmb_status constants(lmb_section *s, lmb_context *context, const lmb_section_keys *k,
                            double nu)
{
    (void)nu;
    *s = k->constants;
    s->name = "constants";
    if (s->Iy == 0)
        s->Iy = s->Iz;
    if (s->J == 0)
        s->J = s->Iy + s->Iz;
    return lmb_section_check(s, context, false);
}

const lmb_section_type lmb_section_types[] = {
    {"rectangle", "A full rectangle.", rectangle_fields, rectangle},
    {"circle", "A full circle.", circle_fields, circle},
    {"tube", "A round tube.", tube_fields, tube},
    {"box", "A rectangular tube.", box_fields, box},
    {"I", "An I with its web along y.", I_fields, I_section},
    {"constants", "Numbers instead of a shape.", constants_fields, constants},
    {0},
};
