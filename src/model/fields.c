/* The keys of a model file. */
#include "model/fields.h"

const lmb_field lmb_root_fields[] = {
    [LMB_ROOT_LIMBER] = {.name = "limber",
                         .type = LMB_FIELD_NUMBER,
                         .required = true,
                         .doc = "The version of the file format: 1."},
    [LMB_ROOT_TITLE] = {.name = "title",
                        .type = LMB_FIELD_TEXT,
                        .doc = "What the mechanism is, in a line."},
    [LMB_ROOT_DIMENSION] = {.name = "dimension",
                            .type = LMB_FIELD_TREE,
                            .choices = "number",
                            .required = true,
                            .doc = "2 for a mechanism in the x-y plane, 3 for one in space."},
    [LMB_ROOT_GRAVITY] = {.name = "gravity",
                          .type = LMB_FIELD_VECTOR,
                          .unit = "m/s^2",
                          .doc = "The acceleration of gravity.",
                          .otherwise_doc = "none"},
    [LMB_ROOT_PARAMETERS] = {.name = "parameters",
                             .type = LMB_FIELD_TREE,
                             .choices = "parameter_values",
                             .doc = "Named numbers and vectors that all expressions may use, each "
                                    "a number or an expression of the others."},
    [LMB_ROOT_TABLES] = {.name = "tables",
                         .type = LMB_FIELD_TREE,
                         .choices = "table",
                         .doc = "Named functions of one variable through given points."},
    [LMB_ROOT_GROUND] = {.name = "ground",
                         .type = LMB_FIELD_TREE,
                         .choices = "points",
                         .doc = "Named points of the ground."},
    [LMB_ROOT_BODIES] = {.name = "bodies",
                         .type = LMB_FIELD_TREE,
                         .choices = "body",
                         .doc = "The bodies by name."},
    [LMB_ROOT_JOINTS] = {.name = "joints",
                         .type = LMB_FIELD_TREE,
                         .choices = "joint",
                         .doc = "The joints by name."},
    [LMB_ROOT_DRIVERS] = {.name = "drivers",
                          .type = LMB_FIELD_TREE,
                          .choices = "driver",
                          .doc = "The drivers by name: each prescribes a motion."},
    [LMB_ROOT_FORCES] = {.name = "forces",
                         .type = LMB_FIELD_TREE,
                         .choices = "force",
                         .doc = "The forces by name: springs, motors, loads."},
    [LMB_ROOT_SENSORS] = {.name = "sensors",
                          .type = LMB_FIELD_TREE,
                          .choices = "sensors",
                          .doc = "Named expressions of channels, each of which becomes a channel "
                                 "itself, and instruments."},
    [LMB_ROOT_EVENTS] = {.name = "events",
                         .type = LMB_FIELD_TREE,
                         .choices = "event",
                         .doc = "What happens in dynamics when an expression of channels crosses "
                                "zero, by name."},
    [LMB_ROOT_ROTOR] = {.name = "rotor",
                        .type = LMB_FIELD_TREE,
                        .choices = "rotor",
                        .dimension = 3,
                        .doc = "A shaft along x with discs and bearings, for `limber rotor`."},
    [LMB_ROOT_ANALYSES] = {.name = "analyses",
                           .type = LMB_FIELD_TREE,
                           .choices = "analysis",
                           .doc = "What to compute, by name, in order."},
    [LMB_ROOT_COUNT] = {0},
};

#define ORIENTATION_FIELDS(prefix, of)                                                             \
    [prefix##_ANGLE] = {.name = "angle",                                                           \
                        .type = LMB_FIELD_NUMBER,                                                  \
                        .unit = "rad",                                                             \
                        .doc = "In the plane: angle of its x axis from " of "."},                  \
    [prefix##_ROTATION] = {.name = "rotation",                                                     \
                           .type = LMB_FIELD_TREE,                                                 \
                           .choices = "vector",                                                    \
                           .unit = "rad",                                                          \
                           .doc = "In space: rotation vector (axis times angle) from " of "."},    \
    [prefix##_QUATERNION] = {.name = "quaternion",                                                 \
                             .type = LMB_FIELD_TREE,                                               \
                             .choices = "four",                                                    \
                             .doc = "In space: unit quaternion, scalar first, from " of "."}

#define AXES_FIELD(prefix)                                                                         \
    [prefix##_AXES] = {.name = "axes",                                                             \
                       .type = LMB_FIELD_TREE,                                                     \
                       .choices = "axes",                                                          \
                       .doc = "In space: two vectors, its x axis and one that its y axis is "      \
                              "nearest to."}

const lmb_field lmb_body_fields[] = {
    [LMB_BODY_TYPE] = {.name = "type",
                       .type = LMB_FIELD_CHOICE,
                       .choices = "rigid particle",
                       .doc = "The kind of body.",
                       .otherwise_doc = "rigid"},
    [LMB_BODY_SHAPE] = {.name = "shape",
                        .type = LMB_FIELD_TREE,
                        .choices = "shape",
                        .doc = "A solid that gives mass and inertia where those are not given, and "
                               "what is drawn."},
    [LMB_BODY_MASS] = {.name = "mass",
                       .type = LMB_FIELD_NUMBER,
                       .unit = "kg",
                       .range = LMB_NOT_NEGATIVE,
                       .doc = "Mass.",
                       .otherwise_doc = "density times the volume of the shape, or 0"},
    [LMB_BODY_DENSITY] = {.name = "density",
                          .type = LMB_FIELD_NUMBER,
                          .unit = "kg/m^3",
                          .range = LMB_POSITIVE,
                          .doc = "Density of the shape."},
    [LMB_BODY_INERTIA] = {.name = "inertia",
                          .type = LMB_FIELD_NUMBERS,
                          .unit = "kg m^2",
                          .doc = "Moments of inertia about the centre of mass in body axes: one "
                                 "number in the plane; in space three (xx, yy, zz), six (and xy, "
                                 "xz, yz) or a matrix.",
                          .otherwise_doc = "that of the shape, or 0"},
    [LMB_BODY_POSITION] = {.name = "position",
                           .type = LMB_FIELD_VECTOR,
                           .unit = "m",
                           .doc = "Where its centre of mass starts; a guess is enough where joints "
                                  "determine it.",
                           .otherwise_doc = "the origin"},
    ORIENTATION_FIELDS(LMB_BODY, "the global one"),
    AXES_FIELD(LMB_BODY),
    [LMB_BODY_VELOCITY] = {.name = "velocity",
                           .type = LMB_FIELD_VECTOR,
                           .unit = "m/s",
                           .doc = "Velocity of the centre of mass at the beginning of a dynamic "
                                  "analysis.",
                           .otherwise_doc = "free to fit the joints, nearest to 0"},
    [LMB_BODY_ANGULAR_VELOCITY] = {.name = "angular_velocity",
                                   .type = LMB_FIELD_NUMBERS,
                                   .unit = "rad/s",
                                   .doc = "Angular velocity there, in global axes: a number in the "
                                          "plane, a vector in space.",
                                   .otherwise_doc = "free to fit the joints, nearest to 0"},
    [LMB_BODY_POINTS] = {.name = "points",
                         .type = LMB_FIELD_TREE,
                         .choices = "points",
                         .doc = "Named points of the body, each a vector in body axes from its "
                                "centre of mass, or a map of keys."},
    [LMB_BODY_BEAM] = {.name = "beam",
                       .type = LMB_FIELD_TREE,
                       .choices = "beam",
                       .doc = "Makes it a flexible body: a beam of finite elements."},
    [LMB_BODY_MESH] = {.name = "mesh",
                       .type = LMB_FIELD_TREE,
                       .choices = "mesh",
                       .doc = "Makes it a flexible body: a mesh of another program."},
    [LMB_BODY_MATRICES] = {.name = "matrices",
                           .type = LMB_FIELD_TREE,
                           .choices = "matrices",
                           .doc = "Makes it a flexible body: stiffness and mass matrices of "
                                  "another program."},
    [LMB_BODY_MODAL] = {.name = "modal",
                        .type = LMB_FIELD_TREE,
                        .choices = "modal",
                        .doc =
                            "Makes it a flexible body: modal matrices and integrals as numbers."},
    [LMB_BODY_INTERFACES] = {.name = "interfaces",
                             .type = LMB_FIELD_TREE,
                             .choices = "interfaces",
                             .doc = "The points of a flexible body that joints and forces take "
                                    "hold of, by name: start or end of a beam, or a map of keys."},
    [LMB_BODY_MASSES] = {.name = "masses",
                         .type = LMB_FIELD_TREE,
                         .choices = "point_masses",
                         .doc = "Point masses on nodes of a beam or mesh, by name."},
    [LMB_BODY_REDUCTION] = {.name = "reduction",
                            .type = LMB_FIELD_TREE,
                            .choices = "reduction",
                            .doc = "How a flexible body is reduced to few modes."},
    [LMB_BODY_DAMPING] = {.name = "damping",
                          .type = LMB_FIELD_TREE,
                          .choices = "damping",
                          .doc = "Damping of a flexible body: a part of the critical one for all "
                                 "its modes, or a map of keys.",
                          .otherwise_doc = "none but that of a damping matrix"},
    [LMB_BODY_COUPLING] = {.name = "coupling",
                           .type = LMB_FIELD_CHOICE,
                           .choices = "full constant",
                           .doc = "How the inertia of a flexible body depends on its deformation: "
                                  "in full, or not at all, which is a first approximation.",
                           .otherwise_doc = "full"},
    [LMB_BODY_QUADRATIC] = {.name = "quadratic_velocity",
                            .type = LMB_FIELD_FLAG,
                            .doc = "Whether the forces of inertia of a flexible body that are "
                                   "quadratic in its velocities act; without them one sees what "
                                   "they do.",
                            .otherwise = 1,
                            .otherwise_doc = "true"},
    [LMB_BODY_PATCHES] = {.name = "patches",
                          .type = LMB_FIELD_TREE,
                          .choices = "patches",
                          .doc = "Places of a flexible body, by name, that forces are spread over: "
                                 "points that move as the mean of some nodes."},
    [LMB_BODY_PROBES] = {.name = "probes",
                         .type = LMB_FIELD_TREE,
                         .choices = "probes",
                         .doc = "Places of a flexible body whose stresses are told, by name."},
    [LMB_BODY_MODES] = {.name = "modes",
                        .type = LMB_FIELD_TREE,
                        .choices = "nested",
                        .doc = "Modal coordinates of a flexible body at the start of a dynamic "
                               "analysis, a number a mode.",
                        .otherwise_doc = "0"},
    [LMB_BODY_MODES_VELOCITY] = {.name = "modes_velocity",
                                 .type = LMB_FIELD_TREE,
                                 .choices = "nested",
                                 .doc = "Their rates.",
                                 .otherwise_doc = "0"},
    [LMB_BODY_COUNT] = {0},
};

const lmb_field lmb_point_fields[] = {
    [LMB_POINT_AT] = {.name = "at",
                      .type = LMB_FIELD_VECTOR,
                      .unit = "m",
                      .required = true,
                      .doc = "Where it is, in body axes from the centre of mass."},
    ORIENTATION_FIELDS(LMB_POINT, "the body's"),
    AXES_FIELD(LMB_POINT),
    [LMB_POINT_COUNT] = {0},
};

const lmb_field lmb_joint_fields[] = {
    [LMB_JOINT_TYPE] = {.name = "type",
                        .type = LMB_FIELD_TEXT,
                        .required = true,
                        .doc = "The kind of joint."},
    [LMB_JOINT_BETWEEN] = {.name = "between",
                           .type = LMB_FIELD_ENDS,
                           .doc = "The two ends, each a body, a point such as crank.B, ground, or "
                                  "coordinates on the ground; forces are those of the first on the "
                                  "second."},
    [LMB_JOINT_COUNT] = {0},
};

const lmb_field lmb_driver_fields[] = {
    [LMB_DRIVER_JOINT] = {.name = "joint",
                          .type = LMB_FIELD_NAME,
                          .choices = "joint",
                          .doc = "The joint whose coordinate it prescribes."},
    [LMB_DRIVER_COORDINATE] = {.name = "coordinate",
                               .type = LMB_FIELD_TEXT,
                               .doc = "Which coordinate of the joint, where it has several.",
                               .otherwise_doc = "the first one of the kind that the law is for"},
    [LMB_DRIVER_POINT] = {.name = "point",
                          .type = LMB_FIELD_END,
                          .doc = "Instead of a joint: a body or a point of one, moved along a "
                                 "fixed direction."},
    [LMB_DRIVER_DIRECTION] = {.name = "direction",
                              .type = LMB_FIELD_TREE,
                              .choices = "direction",
                              .doc = "With 'point': x, y, z or a vector in global axes."},
    [LMB_DRIVER_ANGLE] = {.name = "angle",
                          .type = LMB_FIELD_LAW,
                          .unit = "rad",
                          .doc = "The angle as an expression of t."},
    [LMB_DRIVER_OFFSET] = {.name = "offset",
                           .type = LMB_FIELD_LAW,
                           .unit = "m",
                           .doc = "The offset (of a point: its coordinate along the direction) as "
                                  "an expression of t."},
    [LMB_DRIVER_LENGTH] = {.name = "length",
                           .type = LMB_FIELD_LAW,
                           .unit = "m",
                           .doc = "The length of a distance joint as an expression of t."},
    [LMB_DRIVER_SPEED] = {.name = "speed",
                          .type = LMB_FIELD_LAW,
                          .unit = "rad/s or m/s",
                          .doc = "Instead of those: the rate of the coordinate."},
    [LMB_DRIVER_START] = {.name = "start",
                          .type = LMB_FIELD_NUMBER,
                          .unit = "rad or m",
                          .doc = "With 'speed': the coordinate at the beginning.",
                          .otherwise_doc = "where the model places the bodies"},
    [LMB_DRIVER_COUNT] = {0},
};

const lmb_field lmb_event_fields[] = {
    [LMB_EVENT_WHEN] = {.name = "when",
                        .type = LMB_FIELD_TREE,
                        .choices = "number",
                        .required = true,
                        .doc = "An expression of channels and t: the event happens where it "
                               "crosses zero, once in an analysis."},
    [LMB_EVENT_DIRECTION] = {.name = "direction",
                             .type = LMB_FIELD_CHOICE,
                             .choices = "any rising falling",
                             .doc = "Which way the expression must cross zero.",
                             .otherwise_doc = "any"},
    [LMB_EVENT_RELEASE] = {.name = "release",
                           .type = LMB_FIELD_TREE,
                           .choices = "any_names",
                           .doc = "A list of joints, drivers and forces that do not act from then "
                                  "on."},
    [LMB_EVENT_LATCH] = {.name = "latch",
                         .type = LMB_FIELD_TREE,
                         .choices = "any_names",
                         .doc = "A list of joints, drivers and forces that act from then on; until "
                                "then they are left out by 'without'."},
    [LMB_EVENT_STOP] = {.name = "stop",
                        .type = LMB_FIELD_FLAG,
                        .doc = "true: the analysis ends there.",
                        .otherwise_doc = "false"},
    [LMB_EVENT_COUNT] = {0},
};

const lmb_field lmb_analysis_fields[] = {
    [LMB_ANALYSIS_TYPE] =
        {.name = "type",
         .type = LMB_FIELD_CHOICE,
         .required = true,
         .choices = "assembly kinematics inverse-dynamics dynamics statics modes",
         .doc = "assembly: positions that close the joints; kinematics: positions, "
                "velocities and accelerations over time; inverse-dynamics: "
                "reactions and driver efforts too; dynamics: "
                "the motion under forces, with reactions; "
                "statics: the position in which it rests; modes: its small vibrations "
                "about that."},
    [LMB_ANALYSIS_DURATION] = {.name = "duration",
                               .type = LMB_FIELD_NUMBER,
                               .unit = "s",
                               .range = LMB_POSITIVE,
                               .doc = "How long (not for assembly, statics and modes)."},
    [LMB_ANALYSIS_OUTPUT_STEP] = {.name = "output_step",
                                  .type = LMB_FIELD_NUMBER,
                                  .unit = "s",
                                  .range = LMB_POSITIVE,
                                  .doc = "Time between results.",
                                  .otherwise_doc = "a hundredth of the duration"},
    [LMB_ANALYSIS_START] = {.name = "start",
                            .type = LMB_FIELD_NUMBER,
                            .unit = "s",
                            .doc = "The time to start at.",
                            .otherwise_doc = "0"},
    [LMB_ANALYSIS_INTEGRATOR] =
        {.name = "integrator",
         .type = LMB_FIELD_CHOICE,
         .choices = "rk45 euler adams generalized-alpha hht newmark ida",
         .doc = "For dynamics: a Runge-Kutta pair of order 5 that chooses its "
                "steps; with a fixed step semi-implicit Euler, the predictor-corrector of Adams, "
                "Bashforth and Moulton of order 4, or the implicit generalized-alpha "
                "method for stiff systems and its special cases hht and newmark; or ida, backward "
                "differentiation of orders 1 to 5 for stiff systems, which chooses its steps.",
         .otherwise_doc = "rk45, or generalized-alpha with flexible bodies"},
    [LMB_ANALYSIS_STEP] = {.name = "step",
                           .type = LMB_FIELD_NUMBER,
                           .unit = "s",
                           .range = LMB_POSITIVE,
                           .doc = "For all but rk45 and ida: the length of a step; for "
                                  "generalized-alpha and its kin with a 'tolerance' the longest.",
                           .otherwise_doc = "a tenth of the output step"},
    [LMB_ANALYSIS_SPECTRAL_RADIUS] =
        {.name = "spectral_radius",
         .type = LMB_FIELD_NUMBER,
         .range = LMB_NOT_NEGATIVE,
         .otherwise = 0.9,
         .doc = "For generalized-alpha and its kin: how much is left in a step of "
                "oscillations too fast for it, 0 to 1.",
         .otherwise_doc = "0.9"},
    [LMB_ANALYSIS_TOLERANCE] =
        {.name = "tolerance",
         .type = LMB_FIELD_NUMBER,
         .range = LMB_POSITIVE,
         .doc = "The relative error that a step may have, for rk45, ida and, if "
                "given, for generalized-alpha and its kin.",
         .otherwise_doc = "1e-9 for rk45 and ida, a fixed step for the others"},
    [LMB_ANALYSIS_STABILISATION] =
        {.name = "stabilisation",
         .type = LMB_FIELD_CHOICE,
         .choices = "projection partitioning baumgarte none",
         .doc = "How the explicit integrators keep joints closed: by the smallest move after each "
                "step; by integrating independent coordinates only, from which the joints give the "
                "others; by accelerations that close gaps; or not at all.",
         .otherwise_doc = "projection"},
    [LMB_ANALYSIS_INDEPENDENT] = {.name = "independent",
                                  .type = LMB_FIELD_TREE,
                                  .choices = "any_names",
                                  .doc = "For partitioning: the independent coordinates, such as "
                                         "[crank.angle], as many as there are degrees of freedom.",
                                  .otherwise_doc = "chosen by pivoting, again when needed"},
    [LMB_ANALYSIS_BAUMGARTE] = {.name = "baumgarte",
                                .type = LMB_FIELD_NUMBER,
                                .unit = "1/s",
                                .range = LMB_POSITIVE,
                                .otherwise = 20,
                                .doc = "For Baumgarte's stabilisation: how fast gaps close.",
                                .otherwise_doc = "20"},
    [LMB_ANALYSIS_ROTATION_UPDATE] =
        {.name = "rotation_update",
         .type = LMB_FIELD_CHOICE,
         .choices = "exact taylor",
         .doc = "For the explicit integrators in space: whether rotations follow exactly, or by a "
                "Taylor series of second order of the rotation matrix, to compare.",
         .otherwise_doc = "exact"},
    [LMB_ANALYSIS_WITHOUT] = {.name = "without",
                              .type = LMB_FIELD_TREE,
                              .choices = "any_names",
                              .doc = "A list of joints, drivers, forces and events that do not "
                                     "act in this analysis.",
                              .otherwise_doc = "all act"},
    [LMB_ANALYSIS_FROM] = {.name = "from",
                           .type = LMB_FIELD_NAME,
                           .choices = "analysis",
                           .doc = "An earlier analysis: this one begins with the positions and "
                                  "velocities that it has at 'start', or at its end if no 'start' "
                                  "is given.",
                           .otherwise_doc = "from the placement of the model"},
    [LMB_ANALYSIS_COUNT] = {0},
};

const lmb_field lmb_table_fields[] = {
    [LMB_TABLE_FIELD_POINTS] = {.name = "points",
                                .type = LMB_FIELD_TREE,
                                .choices = "pairs",
                                .doc = "The points as a list of pairs [x, y], x ascending."},
    [LMB_TABLE_FIELD_FILE] = {.name = "file",
                              .type = LMB_FIELD_TEXT,
                              .doc = "Instead of points: a CSV file, looked for beside the model."},
    [LMB_TABLE_FIELD_COLUMNS] = {.name = "columns",
                                 .type = LMB_FIELD_NUMBERS,
                                 .range = LMB_POSITIVE,
                                 .doc = "The columns of the file that hold x and y.",
                                 .otherwise_doc = "[1, 2]"},
    [LMB_TABLE_FIELD_TYPE] = {.name = "type",
                              .type = LMB_FIELD_CHOICE,
                              .choices = "linear cubic akima",
                              .doc = "linear: straight pieces; cubic: a spline with continuous "
                                     "second derivative; akima: one that does not overshoot.",
                              .otherwise_doc = "cubic"},
    [LMB_TABLE_FIELD_OUTSIDE] = {.name = "outside",
                                 .type = LMB_FIELD_CHOICE,
                                 .choices = "hold extend periodic",
                                 .doc =
                                     "Beyond the points: keep the last value, go on straight, or "
                                     "repeat.",
                                 .otherwise_doc = "hold"},
    [LMB_TABLE_FIELD_COUNT] = {0},
};

const lmb_field lmb_state_fields[] = {
    [LMB_STATE_POSITION] = {.name = "position",
                            .type = LMB_FIELD_VECTOR,
                            .unit = "m",
                            .doc = "Position of the centre of mass.",
                            .otherwise_doc = "as in the model"},
    ORIENTATION_FIELDS(LMB_STATE, "the global one"),
    [LMB_STATE_VELOCITY] = {.name = "velocity",
                            .type = LMB_FIELD_VECTOR,
                            .unit = "m/s",
                            .doc = "Velocity of the centre of mass.",
                            .otherwise_doc = "0"},
    [LMB_STATE_ANGULAR_VELOCITY] = {.name = "angular_velocity",
                                    .type = LMB_FIELD_NUMBERS,
                                    .unit = "rad/s",
                                    .doc =
                                        "Angular velocity in global axes (a number in the plane).",
                                    .otherwise_doc = "0"},
    [LMB_STATE_COUNT] = {0},
};

const lmb_field lmb_repeat_fields[] = {
    {.name = "repeat",
     .type = LMB_FIELD_TREE,
     .choices = "ranges",
     .doc = "Makes an entry for each value of a counter: 'repeat: {i: [0, N]}' counts from 0 to N. "
            "{i} or {i + 1} in the name and in other texts becomes that number; expressions use i.",
     .otherwise_doc = "once"},
    {0},
};
