/* The keys of the section `rotor`. */
#include "model/rotor_fields.h"

#include <math.h>

#define ROTOR(member) LMB_AT(lmb_rotor_keys, member)
#define PIECE(member) LMB_AT(lmb_piece_keys, member)
#define DISC(member) LMB_AT(lmb_disc_keys, member)
#define BEARING(member) LMB_AT(lmb_bearing_keys, member)
#define SUPPORT(member) LMB_AT(lmb_support_keys, member)
#define COUPLING(member) LMB_AT(lmb_coupling_keys, member)
#define SPOT(member) LMB_AT(lmb_rotor_spot, member)
#define RUN(member) LMB_AT(lmb_rotor, member)

const lmb_field lmb_rotor_fields[] = {
    {"shaft", ROTOR(shaft), LMB_FIELD_TREE, NULL,
     "The segments of the shaft, one after the other along x.", .required = true,
     .choices = "rotor_pieces"},
    {"discs", ROTOR(discs), LMB_FIELD_TREE, NULL, "Rigid discs by name.", .choices = "rotor_disc"},
    {"bearings", ROTOR(bearings), LMB_FIELD_TREE, NULL, "Bearings by name.",
     .choices = "rotor_bearing"},
    {"seals", ROTOR(seals), LMB_FIELD_TREE, NULL, "Seals by name; they have the keys of bearings.",
     .choices = "rotor_bearing"},
    {"couplings", ROTOR(couplings), LMB_FIELD_TREE, NULL,
     "Couplings between the ends of shafts, by name.", .choices = "rotor_coupling"},
    {"unbalances", ROTOR(unbalances), LMB_FIELD_TREE, NULL,
     "Unbalances besides those of discs, by name.", .choices = "rotor_unbalance"},
    {"probes", ROTOR(probes), LMB_FIELD_TREE, NULL,
     "Further places whose motion is reported, by name.", .choices = "rotor_probe"},
    {"speed", ROTOR(rotor.speed), LMB_FIELD_NUMBER, "rad/s", "Service speed.",
     .range = LMB_POSITIVE, .otherwise_doc = "none"},
    {"speeds", ROTOR(speeds), LMB_FIELD_NUMBERS, "rad/s",
     "Speeds of diagrams: the first, the last and how many.",
     .otherwise_doc = "[0, twice the service speed or critical speed, 101]"},
    {"modes", ROTOR(modes), LMB_FIELD_NUMBER, NULL, "Number of modes shown.", .range = LMB_POSITIVE,
     .otherwise = 8, .otherwise_doc = "8"},
    {"theory", ROTOR(rotor.theory), LMB_FIELD_CHOICE, NULL,
     "timoshenko: bending with shear deformation, rotary inertia and gyroscopic moments of the "
     "shaft; rayleigh: without shear; euler: bending alone.",
     .choices = "timoshenko rayleigh euler", .otherwise_doc = "timoshenko"},
    {"damping_ratio", ROTOR(rotor.damping_ratio), LMB_FIELD_NUMBER, NULL,
     "Non-rotating damping, as damping ratio of the lowest mode at rest.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"damping_mass", ROTOR(rotor.damping_mass), LMB_FIELD_NUMBER, "1/s",
     "Damping by the surroundings, so many times the mass matrix.", .range = LMB_NOT_NEGATIVE,
     .otherwise_doc = "0"},
    {"damping_stiffness", ROTOR(rotor.damping_stiffness), LMB_FIELD_NUMBER, "s",
     "Damping that does not turn, so many times the stiffness of the shaft.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"internal_damping", ROTOR(rotor.internal_damping), LMB_FIELD_NUMBER, "s",
     "Internal (rotating) damping of the shaft, which drives forward whirl above the critical "
     "speed: factor of its stiffness.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"torque", ROTOR(rotor.torque), LMB_FIELD_NUMBER, "N m", "Torque along the shaft.",
     .otherwise_doc = "0"},
    {"axial_force", ROTOR(rotor.axial_force), LMB_FIELD_NUMBER, "N",
     "Tension (or, below zero, compression) along the shaft.", .otherwise_doc = "0"},
    {"run_up", ROTOR(run_up), LMB_FIELD_TREE, NULL, "A run-up in time.", .choices = "rotor_run_up"},
    {0},
};

const lmb_field lmb_rotor_piece_fields[] = {
    {"length", PIECE(piece.length), LMB_FIELD_NUMBER, "m", "Length.", .required = true,
     .range = LMB_POSITIVE},
    {"diameter", PIECE(piece.diameter), LMB_FIELD_NUMBER, "m", "Outer diameter.", .required = true,
     .range = LMB_POSITIVE},
    {"bore", PIECE(piece.bore), LMB_FIELD_NUMBER, "m", "Inner diameter.", .range = LMB_NOT_NEGATIVE,
     .otherwise_doc = "0"},
    {"end_diameter", PIECE(piece.end_diameter), LMB_FIELD_NUMBER, "m",
     "Outer diameter at its end, of a cone.", .range = LMB_POSITIVE, .otherwise = NAN,
     .otherwise_doc = "the diameter"},
    {"end_bore", PIECE(piece.end_bore), LMB_FIELD_NUMBER, "m",
     "Inner diameter at its end, of a cone.", .range = LMB_NOT_NEGATIVE, .otherwise = NAN,
     .otherwise_doc = "the bore"},
    {"material", PIECE(material), LMB_FIELD_TREE, NULL,
     "A material by name, such as steel, or a map of its numbers.", .choices = "material",
     .otherwise_doc = "that of the previous segment, or steel"},
    {"elements", PIECE(elements), LMB_FIELD_NUMBER, NULL,
     "Number of elements; places of discs and bearings divide them further.", .range = LMB_POSITIVE,
     .otherwise = NAN, .otherwise_doc = "about twenty for the whole shaft"},
    {"start", PIECE(piece.start), LMB_FIELD_NUMBER, "m",
     "Where it begins; beyond the end of the previous segment it is another shaft.",
     .otherwise = NAN, .otherwise_doc = "the end of the previous segment"},
    {0},
};

const lmb_field lmb_rotor_disc_fields[] = {
    {"at", DISC(disc.at), LMB_FIELD_NUMBER, "m", "Where it sits on the shaft.", .required = true},
    {"mass", DISC(disc.mass), LMB_FIELD_NUMBER, "kg", "Mass.", .range = LMB_NOT_NEGATIVE,
     .otherwise = NAN, .otherwise_doc = "from its size"},
    {"polar", DISC(disc.polar), LMB_FIELD_NUMBER, "kg m^2", "Moment of inertia about the shaft.",
     .range = LMB_NOT_NEGATIVE, .otherwise = NAN, .otherwise_doc = "from its size, or 0"},
    {"diametral", DISC(disc.diametral), LMB_FIELD_NUMBER, "kg m^2",
     "Moment of inertia about a diameter.", .range = LMB_NOT_NEGATIVE, .otherwise = NAN,
     .otherwise_doc = "from its size, or half of polar"},
    {"diameter", DISC(disc.diameter), LMB_FIELD_NUMBER, "m", "Outer diameter.",
     .range = LMB_POSITIVE},
    {"bore", DISC(bore), LMB_FIELD_NUMBER, "m", "Diameter of its hole.", .range = LMB_NOT_NEGATIVE,
     .otherwise = NAN, .otherwise_doc = "that of the shaft"},
    {"thickness", DISC(disc.thickness), LMB_FIELD_NUMBER, "m", "Thickness.", .range = LMB_POSITIVE},
    {"material", DISC(material), LMB_FIELD_TREE, NULL, "Its material.", .choices = "material",
     .otherwise_doc = "that of the shaft"},
    {"unbalance", DISC(disc.unbalance), LMB_FIELD_NUMBER, "kg m", "Unbalance.",
     .range = LMB_NOT_NEGATIVE, .otherwise = NAN, .otherwise_doc = "0"},
    {"eccentricity", DISC(eccentricity), LMB_FIELD_NUMBER, "m",
     "Instead: how far its centre of mass is off the shaft.", .range = LMB_NOT_NEGATIVE,
     .otherwise = NAN},
    {"phase", DISC(disc.phase), LMB_FIELD_NUMBER, "rad", "Angle of the unbalance.",
     .otherwise_doc = "0"},
    {"damping", DISC(disc.damping), LMB_FIELD_NUMBER, "N s/m",
     "Damping of its motion by the surroundings.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {0},
};

const lmb_field lmb_rotor_bearing_fields[] = {
    {"at", BEARING(bearing.at), LMB_FIELD_NUMBER, "m", "Where it holds the shaft.",
     .required = true},
    {"type", BEARING(bearing.hold), LMB_FIELD_CHOICE, NULL,
     "spring: by its stiffness; pinned: no deflection; clamped: no slope either.",
     .choices = "spring pinned clamped", .otherwise_doc = "spring"},
    {"stiffness", BEARING(stiffness), LMB_FIELD_TREE, "N/m",
     "A number, [yy, zz] or [yy, yz, zy, zz]; each may be an expression of `speed` (rad/s), such "
     "as a table.",
     .choices = "speed_matrix", .otherwise_doc = "0"},
    {"damping", BEARING(damping), LMB_FIELD_TREE, "N s/m", "The same for damping.",
     .choices = "speed_matrix", .otherwise_doc = "0"},
    {"mass", BEARING(mass), LMB_FIELD_TREE, "kg",
     "The same for the mass of a fluid that moves along.", .choices = "speed_matrix",
     .otherwise_doc = "0"},
    {"turning_stiffness", BEARING(bearing.turning_stiffness), LMB_FIELD_NUMBER, "N m/rad",
     "Stiffness against slopes of the shaft.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"turning_damping", BEARING(bearing.turning_damping), LMB_FIELD_NUMBER, "N m s/rad",
     "Damping of slopes.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"support", BEARING(support), LMB_FIELD_TREE, NULL,
     "A support that moves, with mass, stiffness and damping of its own.",
     .choices = "rotor_support", .otherwise_doc = "none: the bearing stands on the ground"},
    {0},
};

const lmb_field lmb_rotor_support_fields[] = {
    {"mass", SUPPORT(mass), LMB_FIELD_NUMBER, "kg", "Mass.", .range = LMB_NOT_NEGATIVE,
     .otherwise_doc = "0"},
    {"stiffness", SUPPORT(stiffness), LMB_FIELD_TREE, "N/m",
     "Stiffness against the ground, as that of a bearing.", .required = true,
     .choices = "speed_matrix"},
    {"damping", SUPPORT(damping), LMB_FIELD_TREE, "N s/m", "Damping against the ground.",
     .choices = "speed_matrix", .otherwise_doc = "0"},
    {0},
};

const lmb_field lmb_rotor_coupling_fields[] = {
    {"between", COUPLING(between), LMB_FIELD_NUMBERS, "m", "Places of the two ends that it joins.",
     .required = true},
    {"stiffness", COUPLING(coupling.stiffness), LMB_FIELD_NUMBER, "N/m",
     "Stiffness against offsets, in the middle between the ends.", .required = true,
     .range = LMB_NOT_NEGATIVE},
    {"damping", COUPLING(coupling.damping), LMB_FIELD_NUMBER, "N s/m", "Damping of offsets.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"turning_stiffness", COUPLING(coupling.turning_stiffness), LMB_FIELD_NUMBER, "N m/rad",
     "Stiffness against angles.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"turning_damping", COUPLING(coupling.turning_damping), LMB_FIELD_NUMBER, "N m s/rad",
     "Damping of angles.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"mass", COUPLING(coupling.mass), LMB_FIELD_NUMBER, "kg", "Mass, half of it at either end.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"polar", COUPLING(coupling.polar), LMB_FIELD_NUMBER, "kg m^2",
     "Moment of inertia about the shaft.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"diametral", COUPLING(coupling.diametral), LMB_FIELD_NUMBER, "kg m^2",
     "Moment of inertia about a diameter.", .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {0},
};

const lmb_field lmb_rotor_unbalance_fields[] = {
    {"at", SPOT(at), LMB_FIELD_NUMBER, "m", "Where it is.", .required = true},
    {"amount", SPOT(amount), LMB_FIELD_NUMBER, "kg m", "Mass times distance from the axis.",
     .required = true, .range = LMB_NOT_NEGATIVE},
    {"phase", SPOT(phase), LMB_FIELD_NUMBER, "rad", "Its angle.", .otherwise_doc = "0"},
    {0},
};

const lmb_field lmb_rotor_probe_fields[] = {
    {"at", SPOT(at), LMB_FIELD_NUMBER, "m", "Where it is.", .required = true},
    {0},
};

const lmb_field lmb_rotor_run_up_fields[] = {
    {"duration", RUN(run_duration), LMB_FIELD_NUMBER, "s", "How long it takes.", .required = true,
     .range = LMB_POSITIVE},
    {"from", RUN(run_from), LMB_FIELD_NUMBER, "rad/s", "Speed at the beginning.",
     .range = LMB_NOT_NEGATIVE, .otherwise_doc = "0"},
    {"to", RUN(run_to), LMB_FIELD_NUMBER, "rad/s", "Speed at the end.", .range = LMB_NOT_NEGATIVE,
     .otherwise = NAN, .otherwise_doc = "the service speed"},
    {"step", RUN(run_step), LMB_FIELD_NUMBER, "s", "Length of a step.", .range = LMB_POSITIVE,
     .otherwise_doc = "200 a turn at the fastest"},
    {0},
};
