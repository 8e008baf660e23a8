/* The keys of the section `rotor`. */
#include "model/rotor_fields.h"

#include <math.h>

/* The structs of keys begin with what becomes part of the rotor. */
#define ROTOR(member) LMB_KEY(lmb_rotor, member)
#define ROTOR_KEY(member) LMB_KEY(lmb_rotor_keys, member)
#define PIECE(member) LMB_KEY(lmb_rotor_piece, member)
#define PIECE_KEY(member) LMB_KEY(lmb_piece_keys, member)
#define DISC(member) LMB_KEY(lmb_rotor_disc, member)
#define DISC_KEY(member) LMB_KEY(lmb_disc_keys, member)
#define BEARING(member) LMB_KEY(lmb_rotor_bearing, member)
#define BEARING_KEY(member) LMB_KEY(lmb_bearing_keys, member)
#define COUPLING(member) LMB_KEY(lmb_rotor_coupling, member)
#define SPOT(member) LMB_KEY(lmb_rotor_spot, member)
#define RUN(member) LMB_AT(lmb_rotor, run_##member)

const lmb_field lmb_rotor_fields[] = {
    {ROTOR_KEY(shaft), LMB_FIELD_TREE, NULL,
     "The segments of the shaft, one after the other along x.", .required = true,
     .choices = "rotor_pieces"},
    {ROTOR_KEY(discs), LMB_FIELD_TREE, NULL, "Rigid discs by name.", .choices = "rotor_disc"},
    {ROTOR_KEY(bearings), LMB_FIELD_TREE, NULL, "Bearings by name.", .choices = "rotor_bearing"},
    {ROTOR_KEY(seals), LMB_FIELD_TREE, NULL, "Seals by name; they have the keys of bearings.",
     .choices = "rotor_bearing"},
    {ROTOR_KEY(couplings), LMB_FIELD_TREE, NULL, "Couplings between the ends of shafts, by name.",
     .choices = "rotor_coupling"},
    {ROTOR_KEY(unbalances), LMB_FIELD_TREE, NULL, "Unbalances besides those of discs, by name.",
     .choices = "rotor_unbalance"},
    {ROTOR_KEY(probes), LMB_FIELD_TREE, NULL, "Further places whose motion is reported, by name.",
     .choices = "rotor_probe"},
    {ROTOR(speed), LMB_FIELD_NUMBER, "rad/s", "Service speed.", "none", LMB_POSITIVE},
    {ROTOR_KEY(speeds), LMB_FIELD_NUMBERS, "rad/s",
     "Speeds of diagrams: the first, the last and how many.",
     "[0, twice the service speed or critical speed, 101]"},
    {ROTOR_KEY(modes), LMB_FIELD_NUMBER, NULL, "Number of modes shown.", "8", LMB_POSITIVE,
     .otherwise = 8},
    {ROTOR(theory), LMB_FIELD_CHOICE, NULL,
     "timoshenko: bending with shear deformation, rotary inertia and gyroscopic moments of the "
     "shaft; rayleigh: without shear; euler: bending alone.",
     "timoshenko", .choices = "timoshenko rayleigh euler"},
    {ROTOR(damping_ratio), LMB_FIELD_NUMBER, NULL,
     "Non-rotating damping, as damping ratio of the lowest mode at rest.", "0", LMB_NOT_NEGATIVE},
    {ROTOR(damping_mass), LMB_FIELD_NUMBER, "1/s",
     "Damping by the surroundings, so many times the mass matrix.", "0", LMB_NOT_NEGATIVE},
    {ROTOR(damping_stiffness), LMB_FIELD_NUMBER, "s",
     "Damping that does not turn, so many times the stiffness of the shaft.", "0",
     LMB_NOT_NEGATIVE},
    {ROTOR(internal_damping), LMB_FIELD_NUMBER, "s",
     "Internal (rotating) damping of the shaft, which drives forward whirl above the critical "
     "speed: factor of its stiffness.",
     "0", LMB_NOT_NEGATIVE},
    {ROTOR(torque), LMB_FIELD_NUMBER, "N m", "Torque along the shaft.", "0"},
    {ROTOR(axial_force), LMB_FIELD_NUMBER, "N",
     "Tension (or, below zero, compression) along the shaft.", "0"},
    {ROTOR_KEY(run_up), LMB_FIELD_TREE, NULL, "A run-up in time.", .choices = "rotor_run_up"},
    {0},
};

const lmb_field lmb_rotor_piece_fields[] = {
    {PIECE(length), LMB_FIELD_NUMBER, "m", "Length.", .required = true, .range = LMB_POSITIVE},
    {PIECE(diameter), LMB_FIELD_NUMBER, "m", "Outer diameter.", .required = true,
     .range = LMB_POSITIVE},
    {PIECE(bore), LMB_FIELD_NUMBER, "m", "Inner diameter.", "0", LMB_NOT_NEGATIVE},
    {PIECE(end_diameter), LMB_FIELD_NUMBER, "m", "Outer diameter at its end, of a cone.",
     "the diameter", LMB_POSITIVE, .otherwise = NAN},
    {PIECE(end_bore), LMB_FIELD_NUMBER, "m", "Inner diameter at its end, of a cone.", "the bore",
     LMB_NOT_NEGATIVE, .otherwise = NAN},
    {PIECE_KEY(material), LMB_FIELD_TREE, NULL,
     "A material by name, such as steel, or a map of its numbers.",
     "that of the previous segment, or steel", .choices = "material"},
    {PIECE_KEY(elements), LMB_FIELD_NUMBER, NULL,
     "Number of elements; places of discs and bearings divide them further.",
     "about twenty for the whole shaft", LMB_POSITIVE, .otherwise = NAN},
    {PIECE(start), LMB_FIELD_NUMBER, "m",
     "Where it begins; beyond the end of the previous segment it is another shaft.",
     "the end of the previous segment", .otherwise = NAN},
    {0},
};

const lmb_field lmb_rotor_disc_fields[] = {
    {DISC(at), LMB_FIELD_NUMBER, "m", "Where it sits on the shaft.", .required = true},
    {DISC(mass), LMB_FIELD_NUMBER, "kg", "Mass.", "from its size", LMB_NOT_NEGATIVE,
     .otherwise = NAN},
    {DISC(polar), LMB_FIELD_NUMBER, "kg m^2", "Moment of inertia about the shaft.",
     "from its size, or 0", LMB_NOT_NEGATIVE, .otherwise = NAN},
    {DISC(diametral), LMB_FIELD_NUMBER, "kg m^2", "Moment of inertia about a diameter.",
     "from its size, or half of polar", LMB_NOT_NEGATIVE, .otherwise = NAN},
    {DISC(diameter), LMB_FIELD_NUMBER, "m", "Outer diameter.", .range = LMB_POSITIVE},
    {DISC_KEY(bore), LMB_FIELD_NUMBER, "m", "Diameter of its hole.", "that of the shaft",
     LMB_NOT_NEGATIVE, .otherwise = NAN},
    {DISC(thickness), LMB_FIELD_NUMBER, "m", "Thickness.", .range = LMB_POSITIVE},
    {DISC_KEY(material), LMB_FIELD_TREE, NULL, "Its material.", "that of the shaft",
     .choices = "material"},
    {DISC(unbalance), LMB_FIELD_NUMBER, "kg m", "Unbalance.", "0", LMB_NOT_NEGATIVE,
     .otherwise = NAN},
    {DISC_KEY(eccentricity), LMB_FIELD_NUMBER, "m",
     "Instead: how far its centre of mass is off the shaft.", .range = LMB_NOT_NEGATIVE,
     .otherwise = NAN},
    {DISC(phase), LMB_FIELD_NUMBER, "rad", "Angle of the unbalance.", "0"},
    {DISC(damping), LMB_FIELD_NUMBER, "N s/m", "Damping of its motion by the surroundings.", "0",
     LMB_NOT_NEGATIVE},
    {0},
};

const lmb_field lmb_rotor_bearing_fields[] = {
    {BEARING(at), LMB_FIELD_NUMBER, "m", "Where it holds the shaft.", .required = true},
    {"type", LMB_AT(lmb_rotor_bearing, hold), LMB_FIELD_CHOICE, NULL,
     "spring: by its stiffness; pinned: no deflection; clamped: no slope either.", "spring",
     .choices = "spring pinned clamped"},
    {BEARING_KEY(stiffness), LMB_FIELD_TREE, "N/m",
     "A number, [yy, zz] or [yy, yz, zy, zz]; each may be an expression of `speed` (rad/s), such "
     "as a table.",
     "0", .choices = "speed_matrix"},
    {BEARING_KEY(damping), LMB_FIELD_TREE, "N s/m", "The same for damping.", "0",
     .choices = "speed_matrix"},
    {BEARING_KEY(mass), LMB_FIELD_TREE, "kg", "The same for the mass of a fluid that moves along.",
     "0", .choices = "speed_matrix"},
    {BEARING(turning_stiffness), LMB_FIELD_NUMBER, "N m/rad",
     "Stiffness against slopes of the shaft.", "0", LMB_NOT_NEGATIVE},
    {BEARING(turning_damping), LMB_FIELD_NUMBER, "N m s/rad", "Damping of slopes.", "0",
     LMB_NOT_NEGATIVE},
    {BEARING_KEY(support), LMB_FIELD_TREE, NULL,
     "A support that moves, with mass, stiffness and damping of its own.",
     "none: the bearing stands on the ground", .choices = "rotor_support"},
    {0},
};

const lmb_field lmb_rotor_support_fields[] = {
    {"mass", LMB_AT(lmb_rotor_bearing, support_mass), LMB_FIELD_NUMBER, "kg", "Mass.", "0",
     LMB_NOT_NEGATIVE},
    {BEARING_KEY(stiffness), LMB_FIELD_TREE, "N/m",
     "Stiffness against the ground, as that of a bearing.", .required = true,
     .choices = "speed_matrix"},
    {BEARING_KEY(damping), LMB_FIELD_TREE, "N s/m", "Damping against the ground.", "0",
     .choices = "speed_matrix"},
    {0},
};

const lmb_field lmb_rotor_coupling_fields[] = {
    {LMB_KEY(lmb_coupling_keys, between), LMB_FIELD_NUMBERS, "m",
     "Places of the two ends that it joins.", .required = true},
    {COUPLING(stiffness), LMB_FIELD_NUMBER, "N/m",
     "Stiffness against offsets, in the middle between the ends.", .required = true,
     .range = LMB_NOT_NEGATIVE},
    {COUPLING(damping), LMB_FIELD_NUMBER, "N s/m", "Damping of offsets.", "0", LMB_NOT_NEGATIVE},
    {COUPLING(turning_stiffness), LMB_FIELD_NUMBER, "N m/rad", "Stiffness against angles.", "0",
     LMB_NOT_NEGATIVE},
    {COUPLING(turning_damping), LMB_FIELD_NUMBER, "N m s/rad", "Damping of angles.", "0",
     LMB_NOT_NEGATIVE},
    {COUPLING(mass), LMB_FIELD_NUMBER, "kg", "Mass, half of it at either end.", "0",
     LMB_NOT_NEGATIVE},
    {COUPLING(polar), LMB_FIELD_NUMBER, "kg m^2", "Moment of inertia about the shaft.", "0",
     LMB_NOT_NEGATIVE},
    {COUPLING(diametral), LMB_FIELD_NUMBER, "kg m^2", "Moment of inertia about a diameter.", "0",
     LMB_NOT_NEGATIVE},
    {0},
};

const lmb_field lmb_rotor_unbalance_fields[] = {
    {SPOT(at), LMB_FIELD_NUMBER, "m", "Where it is.", .required = true},
    {SPOT(amount), LMB_FIELD_NUMBER, "kg m", "Mass times distance from the axis.", .required = true,
     .range = LMB_NOT_NEGATIVE},
    {SPOT(phase), LMB_FIELD_NUMBER, "rad", "Its angle.", "0"},
    {0},
};

const lmb_field lmb_rotor_probe_fields[] = {
    {SPOT(at), LMB_FIELD_NUMBER, "m", "Where it is.", .required = true},
    {0},
};

const lmb_field lmb_rotor_run_up_fields[] = {
    {"duration", RUN(duration), LMB_FIELD_NUMBER, "s", "How long it takes.", .required = true,
     .range = LMB_POSITIVE},
    {"from", RUN(from), LMB_FIELD_NUMBER, "rad/s", "Speed at the beginning.", "0",
     LMB_NOT_NEGATIVE},
    {"to", RUN(to), LMB_FIELD_NUMBER, "rad/s", "Speed at the end.", "the service speed",
     LMB_NOT_NEGATIVE, .otherwise = NAN},
    {"step", RUN(step), LMB_FIELD_NUMBER, "s", "Length of a step.", "200 a turn at the fastest",
     LMB_POSITIVE},
    {0},
};
