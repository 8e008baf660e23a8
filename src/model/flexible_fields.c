/* The keys of a flexible body. */
#include "model/flexible_fields.h"

#include "fe/section.h"

const lmb_field lmb_beam_fields[] = {
    [LMB_BEAM_FROM] = {.name = "from",
                       .type = LMB_FIELD_VECTOR,
                       .unit = "m",
                       .doc = "Where it starts, in the coordinates of the body."},
    [LMB_BEAM_TO] = {.name = "to", .type = LMB_FIELD_VECTOR, .unit = "m", .doc = "Where it ends."},
    [LMB_BEAM_ALONG] = {.name = "along",
                        .type = LMB_FIELD_TREE,
                        .choices = "pairs",
                        .unit = "m",
                        .doc = "Instead of those: the points of a line of straight legs. If the "
                               "last is the first one again, it is a ring."},
    [LMB_BEAM_ELEMENTS] = {.name = "elements",
                           .type = LMB_FIELD_NUMBER,
                           .range = LMB_POSITIVE,
                           .doc = "Number of finite elements.",
                           .otherwise = 20,
                           .otherwise_doc = "20"},
    [LMB_BEAM_SECTION] = {.name = "section",
                          .type = LMB_FIELD_TREE,
                          .choices = "section",
                          .required = true,
                          .doc = "The cross section: a map with one key, its kind, such as "
                                 "{circle: {diameter: 0.02}}."},
    [LMB_BEAM_MATERIAL] = {.name = "material",
                           .type = LMB_FIELD_TREE,
                           .choices = "material",
                           .required = true,
                           .doc = "A material by name, such as steel, or a map of its numbers."},
    [LMB_BEAM_Y_AXIS] = {.name = "y_axis",
                         .type = LMB_FIELD_VECTOR,
                         .dimension = 3,
                         .range = LMB_NOT_ZERO,
                         .doc = "The direction that the y axis of the section is nearest to.",
                         .otherwise_doc = "any"},
    [LMB_BEAM_COUNT] = {0},
};

#define UNITS_FIELD                                                                                \
    {                                                                                              \
        .name = "units", .type = LMB_FIELD_TEXT,                                                   \
        .doc = "The units of the files: SI, mm-t-s, mm-kg-ms or in-lbf-s.", .otherwise_doc = "SI"  \
    }

const lmb_field lmb_mesh_fields[] = {
    [LMB_MESH_FILE] = {.name = "file",
                       .type = LMB_FIELD_TEXT,
                       .required = true,
                       .doc = "The file, beside the model: .msh (Gmsh), .inp (Abaqus, CalculiX) "
                              "or .cdb (Ansys); or geometry, .step, .iges, .brep or .geo, if gmsh "
                              "is installed."},
    [LMB_MESH_UNITS] = UNITS_FIELD,
    [LMB_MESH_MATERIAL] = {.name = "material",
                           .type = LMB_FIELD_TREE,
                           .choices = "material",
                           .doc = "The material of elements to which the file gives none."},
    [LMB_MESH_SIZE] = {.name = "size",
                       .type = LMB_FIELD_NUMBER,
                       .range = LMB_POSITIVE,
                       .doc = "Of geometry: the length of element edges, in the units of the file.",
                       .otherwise_doc = "gmsh's choice"},
    [LMB_MESH_ORDER] = {.name = "order",
                        .type = LMB_FIELD_NUMBER,
                        .doc = "Of geometry: 1 for linear tetrahedra, which are far too stiff, 2 "
                               "for quadratic ones.",
                        .otherwise = 2,
                        .otherwise_doc = "2"},
    [LMB_MESH_COUNT] = {0},
};

const lmb_field lmb_matrices_fields[] = {
    [LMB_MATRICES_STIFFNESS] = {.name = "stiffness",
                                .type = LMB_FIELD_TEXT,
                                .required = true,
                                .doc = "The file of the stiffness matrix, beside the model."},
    [LMB_MATRICES_MASS] = {.name = "mass",
                           .type = LMB_FIELD_TEXT,
                           .required = true,
                           .doc = "The file of the mass matrix."},
    [LMB_MATRICES_DAMPING] = {.name = "damping",
                              .type = LMB_FIELD_TEXT,
                              .doc = "The file of the damping matrix.",
                              .otherwise_doc = "no damping"},
    [LMB_MATRICES_MAPPING] = {.name = "mapping",
                              .type = LMB_FIELD_TEXT,
                              .doc = "The file that gives each row its node and direction."},
    [LMB_MATRICES_NODES] = {.name = "nodes",
                            .type = LMB_FIELD_TEXT,
                            .required = true,
                            .doc = "Where the nodes are: a mesh file, or a table of number, x, y, "
                                   "z."},
    [LMB_MATRICES_UNITS] = UNITS_FIELD,
    [LMB_MATRICES_MATERIAL] = {.name = "material",
                               .type = LMB_FIELD_TREE,
                               .choices = "material",
                               .doc = "The material of the mesh, for stresses, where its file "
                                      "gives none."},
    [LMB_MATRICES_COUNT] = {0},
};

#define NESTED(key, of, text, ...)                                                                 \
    {                                                                                              \
        .name = key, .type = LMB_FIELD_TREE, .choices = "nested", .unit = of, .doc = text,         \
        __VA_ARGS__                                                                                \
    }

const lmb_field lmb_modal_fields[] = {
    [LMB_MODAL_MASS] = {.name = "mass",
                        .type = LMB_FIELD_NUMBER,
                        .unit = "kg",
                        .required = true,
                        .range = LMB_POSITIVE,
                        .doc = "Mass."},
    [LMB_MODAL_CENTRE] = {.name = "centre",
                          .type = LMB_FIELD_VECTOR,
                          .unit = "m",
                          .doc = "Centre of mass of the undeformed body, in its frame.",
                          .otherwise_doc = "the origin"},
    [LMB_MODAL_INERTIA] = {.name = "inertia",
                           .type = LMB_FIELD_NUMBERS,
                           .unit = "kg m^2",
                           .required = true,
                           .doc = "J, about the origin of the frame: a number in the plane, three, "
                                  "six or nine in space."},
    [LMB_MODAL_STIFFNESS] =
        NESTED("stiffness", "N/m", "K of the modes: rows, or the numbers of its diagonal.",
               .required = true),
    [LMB_MODAL_MODAL_MASS] =
        NESTED("modal_mass", "kg", "M of the modes: rows, or the numbers of its diagonal.",
               .required = true),
    [LMB_MODAL_DAMPING] =
        NESTED("damping", "N s/m", "C of the modes: rows, or the numbers of its diagonal.",
               .otherwise_doc = "none"),
    [LMB_MODAL_MOMENTUM] =
        NESTED("momentum", "kg", "D: the momentum of a unit rate of each mode, a vector a mode.",
               .otherwise_doc = "0"),
    [LMB_MODAL_ANGULAR] = NESTED("angular_momentum", "kg m",
                                 "E: the angular momentum about the origin of a unit rate of each "
                                 "mode, a number a mode in the plane and a vector in space.",
                                 .otherwise_doc = "0"),
    [LMB_MODAL_ANGULAR_BY] = NESTED("angular_momentum_by_mode", "kg",
                                    "How E changes: row j has, for each mode k, the change of E_k "
                                    "with coordinate j.",
                                    .otherwise_doc = "0"),
    [LMB_MODAL_INERTIA_BY] = NESTED("inertia_by_mode", "kg m",
                                    "How J changes with the coordinate of each mode: a number a "
                                    "mode in the plane; xx, yy, zz, xy, xz, yz in space.",
                                    .otherwise_doc = "0"),
    [LMB_MODAL_INERTIA_BY_TWO] =
        NESTED("inertia_by_two_modes", "kg", "The second derivatives of J, a row a mode.",
               .otherwise_doc = "twice 'modal_mass' in the plane, 0 in "
                                "space"),
    [LMB_MODAL_COUNT] = {0},
};

const lmb_field lmb_material_fields[] = {
    [LMB_MATERIAL_E] = {.name = "E",
                        .type = LMB_FIELD_NUMBER,
                        .unit = "Pa",
                        .required = true,
                        .range = LMB_POSITIVE,
                        .doc = "Modulus of elasticity."},
    [LMB_MATERIAL_NU] = {.name = "nu",
                         .type = LMB_FIELD_NUMBER,
                         .required = true,
                         .doc = "Poisson's ratio."},
    [LMB_MATERIAL_DENSITY] = {.name = "density",
                              .type = LMB_FIELD_NUMBER,
                              .unit = "kg/m^3",
                              .required = true,
                              .range = LMB_NOT_NEGATIVE,
                              .doc = "Density."},
    [LMB_MATERIAL_COUNT] = {0},
};

const lmb_field lmb_interface_fields[] = {
    [LMB_INTERFACE_NODE] = {.name = "node",
                            .type = LMB_FIELD_NUMBER,
                            .doc = "The number of a node that has rotations."},
    [LMB_INTERFACE_AT] = {.name = "at",
                          .type = LMB_FIELD_VECTOR,
                          .unit = "m",
                          .doc = "Instead: where such a node is."},
    [LMB_INTERFACE_POINT] = {.name = "point",
                             .type = LMB_FIELD_VECTOR,
                             .unit = "m",
                             .doc = "Instead: a point that is tied to nodes.",
                             .otherwise_doc = "with 'nodes': their middle"},
    [LMB_INTERFACE_NODES] = {.name = "nodes",
                             .type = LMB_FIELD_TREE,
                             .choices = "node_set",
                             .doc = "The nodes that it is tied to: the name of a set of the file, "
                                    "or a list of numbers."},
    [LMB_INTERFACE_RADIUS] = {.name = "radius",
                              .type = LMB_FIELD_NUMBER,
                              .unit = "m",
                              .range = LMB_POSITIVE,
                              .doc = "Instead of 'nodes': all nodes that are so near."},
    [LMB_INTERFACE_TIE] = {.name = "tie",
                           .type = LMB_FIELD_CHOICE,
                           .choices = "rigid average",
                           .doc = "rigid: the nodes move with the point as one piece; average: the "
                                  "point moves as they do on average.",
                           .otherwise_doc = "rigid"},
    [LMB_INTERFACE_DISPLACEMENTS] = {.name = "displacements",
                                     .type = LMB_FIELD_TREE,
                                     .choices = "nested",
                                     .unit = "m",
                                     .doc = "Of a 'modal' body: how the 'point' moves in each "
                                            "mode, a vector a mode.",
                                     .otherwise_doc = "not at all"},
    [LMB_INTERFACE_ROTATIONS] = {.name = "rotations",
                                 .type = LMB_FIELD_TREE,
                                 .choices = "nested",
                                 .unit = "rad",
                                 .doc = "Of a 'modal' body: how it turns in each mode, a number in "
                                        "the plane and a vector in space.",
                                 .otherwise_doc = "not at all"},
    [LMB_INTERFACE_COUNT] = {0},
};

const lmb_field lmb_part_mass_fields[] = {
    [LMB_PART_MASS_NODE] = {.name = "node",
                            .type = LMB_FIELD_NUMBER,
                            .doc = "The number of the node that it sits on."},
    [LMB_PART_MASS_AT] = {.name = "at",
                          .type = LMB_FIELD_TREE,
                          .choices = "place",
                          .unit = "m",
                          .doc = "Instead: where that node is, or 'start' or 'end' of a beam."},
    [LMB_PART_MASS_MASS] = {.name = "mass",
                            .type = LMB_FIELD_NUMBER,
                            .unit = "kg",
                            .required = true,
                            .range = LMB_NOT_NEGATIVE,
                            .doc = "Mass."},
    [LMB_PART_MASS_INERTIA] = {.name = "inertia",
                               .type = LMB_FIELD_NUMBERS,
                               .unit = "kg m^2",
                               .doc = "Moments of inertia about the node, as those of a body.",
                               .otherwise_doc = "0"},
    [LMB_PART_MASS_COUNT] = {0},
};

const lmb_field lmb_reduction_fields[] = {
    [LMB_REDUCTION_MODES] = {.name = "modes",
                             .type = LMB_FIELD_NUMBER,
                             .range = LMB_NOT_NEGATIVE,
                             .doc = "How many modes with held interface points enter the basis; 0: "
                                    "only what the points do (Guyan).",
                             .otherwise = 10,
                             .otherwise_doc = "10"},
    [LMB_REDUCTION_BELOW] = {.name = "below",
                             .type = LMB_FIELD_NUMBER,
                             .unit = "Hz",
                             .range = LMB_POSITIVE,
                             .doc = "Instead of 'modes': all below a frequency."},
    [LMB_REDUCTION_KEEP] = {.name = "keep",
                            .type = LMB_FIELD_TREE,
                            .choices = "keep",
                            .doc = "Which modes of the reduced body are kept: how many, a list of "
                                   "numbers from 1, or {below: f} for all below f Hz.",
                            .otherwise_doc = "all"},
    [LMB_REDUCTION_FRAME] = {.name = "frame",
                             .type = LMB_FIELD_TREE,
                             .choices = "body_frame",
                             .doc = "What its frame moves with: mass-centre, {point: A} with an "
                                    "interface point, or {chord: [A, B]} from one to another.",
                             .otherwise_doc =
                                 "mass-centre in space, the first interface point in the plane"},
    [LMB_REDUCTION_STIFFENING] = {.name = "stiffening",
                                  .type = LMB_FIELD_FLAG,
                                  .doc = "Whether the stress that it carries changes its "
                                         "stiffness: centrifugal forces and tension stiffen it, "
                                         "compression softens it and lets it buckle.",
                                  .otherwise_doc = "false"},
    [LMB_REDUCTION_COUNT] = {0},
};

const lmb_field lmb_damping_fields[] = {
    [LMB_DAMPING_RATIO] = {.name = "ratio",
                           .type = LMB_FIELD_TREE,
                           .choices = "ratios",
                           .doc = "Damping as a part of the critical one: a number for all modes, "
                                  "or a list, whose last one is that of all further modes.",
                           .otherwise_doc = "0"},
    [LMB_DAMPING_MASS] = {.name = "mass",
                          .type = LMB_FIELD_NUMBER,
                          .unit = "1/s",
                          .range = LMB_NOT_NEGATIVE,
                          .doc = "Damping (of deformation) by so many times the mass matrix.",
                          .otherwise_doc = "0"},
    [LMB_DAMPING_STIFFNESS] = {.name = "stiffness",
                               .type = LMB_FIELD_NUMBER,
                               .unit = "s",
                               .range = LMB_NOT_NEGATIVE,
                               .doc = "Damping by so many times the stiffness matrix.",
                               .otherwise_doc = "0"},
    [LMB_DAMPING_COUNT] = {0},
};

const lmb_field lmb_keep_fields[] = {
    [LMB_KEEP_BELOW] = {.name = "below",
                        .type = LMB_FIELD_NUMBER,
                        .unit = "Hz",
                        .required = true,
                        .range = LMB_POSITIVE,
                        .doc = "All modes below this frequency."},
    [LMB_KEEP_COUNT] = {0},
};

const lmb_field lmb_frame_fields[] = {
    [LMB_FRAME_FIELD_POINT] = {.name = "point",
                               .type = LMB_FIELD_TEXT,
                               .doc = "The interface point that it is fixed to."},
    [LMB_FRAME_FIELD_CHORD] = {.name = "chord",
                               .type = LMB_FIELD_TREE,
                               .choices = "names",
                               .doc = "Two interface points: its origin, and where its x axis "
                                      "goes on looking."},
    [LMB_FRAME_FIELD_COUNT] = {0},
};

/* --- sections --------------------------------------------------------------------------------- */

#define SIZE(key, text)                                                                            \
    {                                                                                              \
        .name = key, .type = LMB_FIELD_NUMBER, .unit = "m", .required = true,                      \
        .range = LMB_POSITIVE, .doc = text                                                         \
    }

static const lmb_field rectangle_fields[] = {
    SIZE("width", "Width, along z (in the plane: out of it)."),
    SIZE("height", "Height, along y."),
    {0},
};

static lmb_status rectangle(lmb_section *s, lmb_context *context, const lmb_value *v, double nu)
{
    return lmb_section_rectangle(s, context, v[1].number, v[0].number, nu);
}

static const lmb_field circle_fields[] = {SIZE("diameter", "Diameter."), {0}};

static lmb_status circle(lmb_section *s, lmb_context *context, const lmb_value *v, double nu)
{
    return lmb_section_circle(s, context, v[0].number, nu);
}

static const lmb_field tube_fields[] = {
    SIZE("diameter", "Outer diameter."),
    SIZE("wall", "Thickness of the wall."),
    {0},
};

static lmb_status tube(lmb_section *s, lmb_context *context, const lmb_value *v, double nu)
{
    return lmb_section_tube(s, context, v[0].number, v[1].number, nu);
}

static const lmb_field box_fields[] = {
    SIZE("width", "Outer width, along z."),
    SIZE("height", "Outer height, along y."),
    SIZE("wall", "Thickness of the walls."),
    {0},
};

static lmb_status box(lmb_section *s, lmb_context *context, const lmb_value *v, double nu)
{
    return lmb_section_box(s, context, v[1].number, v[0].number, v[2].number, nu);
}

static const lmb_field I_fields[] = {
    SIZE("height", "Height over all, along y."),
    SIZE("width", "Width of the flanges, along z."),
    SIZE("web", "Thickness of the web."),
    SIZE("flange", "Thickness of the flanges."),
    {0},
};

static lmb_status I_section(lmb_section *s, lmb_context *context, const lmb_value *v, double nu)
{
    return lmb_section_I(s, context, v[0].number, v[1].number, v[2].number, v[3].number, nu);
}

#define CONSTANT(key, of, text, ...)                                                               \
    {                                                                                              \
        .name = key, .type = LMB_FIELD_NUMBER, .unit = of, .doc = text, __VA_ARGS__                \
    }

static const lmb_field constants_fields[] = {
    CONSTANT("A", "m^2", "Area.", .required = true, .range = LMB_POSITIVE),
    CONSTANT("Iz", "m^4", "Second moment of area about z: bending in the x-y plane.",
             .required = true, .range = LMB_POSITIVE),
    CONSTANT("Iy", "m^4", "That about y.", .range = LMB_POSITIVE, .otherwise_doc = "Iz"),
    CONSTANT("J", "m^4", "Torsion constant.", .range = LMB_POSITIVE, .otherwise_doc = "Iy + Iz"),
    CONSTANT("shear_y", NULL, "Shear area along y over A.", .range = LMB_NOT_NEGATIVE,
             .otherwise_doc = "0: no shear deformation"),
    CONSTANT("shear_z", NULL, "Shear area along z over A.", .range = LMB_NOT_NEGATIVE,
             .otherwise_doc = "0: no shear deformation"),
    CONSTANT("y_max", "m", "Distance of the extreme fibre along y, for stresses.",
             .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"),
    CONSTANT("z_max", "m", "Distance of the extreme fibre along z.", .range = LMB_NOT_NEGATIVE,
             .otherwise_doc = "0"),
    CONSTANT("torsion_radius", "m", "Stress of torsion = torque radius / J.",
             .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"),
    {0},
};

static lmb_status constants(lmb_section *s, lmb_context *context, const lmb_value *v, double nu)
{
    (void)nu;
    double Iz = v[1].number, Iy = v[2].given ? v[2].number : Iz;
    *s = (lmb_section){.name = "constants",
                       .A = v[0].number,
                       .Iy = Iy,
                       .Iz = Iz,
                       .J = v[3].given ? v[3].number : Iy + Iz,
                       .shear_y = v[4].number,
                       .shear_z = v[5].number,
                       .y_max = v[6].number,
                       .z_max = v[7].number,
                       .torsion_radius = v[8].number};
    return lmb_section_check(s, context);
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
