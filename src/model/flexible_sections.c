/* The kinds of cross sections. */
#include "model/fields.h"

#include "fe/properties.h"

#define KEY(member) LMB_KEY(lmb_section_keys, member)
#define CONSTANT(member) #member, LMB_AT(lmb_section_keys, constants.member)

static const lmb_field rectangle_fields[] = {
    {KEY(width), LMB_FIELD_NUMBER, "m", "Width, along z (in the plane: out of it).",
     .required = true, .range = LMB_POSITIVE},
    {KEY(height), LMB_FIELD_NUMBER, "m", "Height, along y.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static const lmb_field circle_fields[] = {
    {KEY(diameter), LMB_FIELD_NUMBER, "m", "Diameter.", .required = true, .range = LMB_POSITIVE},
    {0}};

static const lmb_field tube_fields[] = {
    {KEY(diameter), LMB_FIELD_NUMBER, "m", "Outer diameter.", .required = true,
     .range = LMB_POSITIVE},
    {KEY(wall), LMB_FIELD_NUMBER, "m", "Thickness of the wall.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static const lmb_field box_fields[] = {
    {KEY(width), LMB_FIELD_NUMBER, "m", "Outer width, along z.", .required = true,
     .range = LMB_POSITIVE},
    {KEY(height), LMB_FIELD_NUMBER, "m", "Outer height, along y.", .required = true,
     .range = LMB_POSITIVE},
    {KEY(wall), LMB_FIELD_NUMBER, "m", "Thickness of the walls.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static const lmb_field I_fields[] = {
    {KEY(height), LMB_FIELD_NUMBER, "m", "Height over all, along y.", .required = true,
     .range = LMB_POSITIVE},
    {KEY(width), LMB_FIELD_NUMBER, "m", "Width of the flanges, along z.", .required = true,
     .range = LMB_POSITIVE},
    {KEY(web), LMB_FIELD_NUMBER, "m", "Thickness of the web.", .required = true,
     .range = LMB_POSITIVE},
    {KEY(flange), LMB_FIELD_NUMBER, "m", "Thickness of the flanges.", .required = true,
     .range = LMB_POSITIVE},
    {0},
};

static const lmb_field constants_fields[] = {
    {CONSTANT(A), LMB_FIELD_NUMBER, "m^2", "Area.", .required = true, .range = LMB_POSITIVE},
    {CONSTANT(Iz), LMB_FIELD_NUMBER, "m^4",
     "Second moment of area about z: bending in the x-y plane.", .required = true,
     .range = LMB_POSITIVE},
    {CONSTANT(Iy), LMB_FIELD_NUMBER, "m^4", "That about y.", "Iz", LMB_POSITIVE},
    {CONSTANT(J), LMB_FIELD_NUMBER, "m^4", "Torsion constant.", "Iy + Iz", LMB_POSITIVE},
    {CONSTANT(shear_y), LMB_FIELD_NUMBER, NULL, "Shear area along y over A.",
     "0: no shear deformation", LMB_NOT_NEGATIVE},
    {CONSTANT(shear_z), LMB_FIELD_NUMBER, NULL, "Shear area along z over A.",
     "0: no shear deformation", LMB_NOT_NEGATIVE},
    {CONSTANT(y_max), LMB_FIELD_NUMBER, "m", "Distance of the extreme fibre along y, for stresses.",
     "0", LMB_NOT_NEGATIVE},
    {CONSTANT(z_max), LMB_FIELD_NUMBER, "m", "Distance of the extreme fibre along z.", "0",
     LMB_NOT_NEGATIVE},
    {CONSTANT(torsion_radius), LMB_FIELD_NUMBER, "m", "Stress of torsion = torque radius / J.", "0",
     LMB_NOT_NEGATIVE},
    {0},
};

enum { RECTANGLE, CIRCLE, TUBE, BOX, I_SECTION, CONSTANTS };

const lmb_section_type lmb_section_types[] = {
    [RECTANGLE] = {"rectangle", "A full rectangle.", rectangle_fields},
    [CIRCLE] = {"circle", "A full circle.", circle_fields},
    [TUBE] = {"tube", "A round tube.", tube_fields},
    [BOX] = {"box", "A rectangular tube.", box_fields},
    [I_SECTION] = {"I", "An I with its web along y.", I_fields},
    [CONSTANTS] = {"constants", "Numbers instead of a shape.", constants_fields},
    {0},
};

lmb_status lmb_section_make(int type, const lmb_section_keys *k, double nu, lmb_context *context,
                            lmb_section *out)
{
    switch (type) {
    case RECTANGLE:
        return lmb_section_rectangle(out, context, k->height, k->width, nu);
    case CIRCLE:
        return lmb_section_circle(out, context, k->diameter, nu);
    case TUBE:
        return lmb_section_tube(out, context, k->diameter, k->wall, nu);
    case BOX:
        return lmb_section_box(out, context, k->height, k->width, k->wall, nu);
    case I_SECTION:
        return lmb_section_I(out, context, k->height, k->width, k->web, k->flange, nu);
    default:
        *out = k->constants;
        out->name = "constants";
        out->Iy = out->Iy == 0 ? out->Iz : out->Iy;
        out->J = out->J == 0 ? out->Iy + out->Iz : out->J;
        return lmb_section_check(out, context, false);
    }
}
