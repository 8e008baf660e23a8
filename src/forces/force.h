/* Forces: what acts on bodies besides joints and gravity.
 *
 * A force reads a pair of frames (and their velocities) and returns a force on each, twelve
 * numbers, through the same waist as constraints; no force knows what bodies carry the frames. A
 * new kind is a file with its fields and functions, a line in registry.c, and its reading in
 * model/forces.c. */
#ifndef LMB_FORCES_FORCE_H
#define LMB_FORCES_FORCE_H

#include "read/reader.h"
#include "frames/row.h"
#include "math/expr.h"

/* The two frames of a force at an instant. */
typedef struct lmb_force_at {
    double t;
    const lmb_frame *A, *B;   /* values */
    const lmb_frame *dA, *dB; /* velocities */
    double near;              /* which turn an angle is in */
    vec3 added;               /* input: added to the vector in its axes, x to an effort */
    lmb_jet *variables;       /* of its law: room for coordinate and speed, then its inputs */
    const lmb_table *const *records; /* what laws may play back */
} lmb_force_at;

typedef struct lmb_force lmb_force;

typedef struct lmb_force_type {
    const char *name;
    const char *doc;
    const lmb_field *fields; /* besides type; ends with {0} */

    /* Adds the forces on the two frames. */
    void (*evaluate)(const lmb_force *force, const lmb_force_at *at, lmb_frame *on_A,
                     lmb_frame *on_B);

    /* Adds their change along a direction: xA, xB of the frames, vA, vB of their velocities. */
    void (*tangent)(const lmb_force *force, const lmb_force_at *at, const lmb_frame *xA,
                    const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB, lmb_frame *on_A,
                    lmb_frame *on_B);

    /* Adds their change with input number i of the law; NULL if it has no law. */
    void (*by_input)(const lmb_force *force, const lmb_force_at *at, int i, lmb_frame *on_A,
                     lmb_frame *on_B);

    /* The energy stored in it; NULL for none. */
    double (*energy)(const lmb_force *force, const lmb_force_at *at);

    /* Adds the power that it supplies to the bodies from outside, and that it takes from them for
     * good; what goes into and out of its energy is neither. */
    void (*power)(const lmb_force *force, const lmb_force_at *at, double *supplied,
                  double *dissipated);
} lmb_force_type;

/* The data of a bushing: full matrices over (x, y, z, rotation about x, y, z), and the offset and
 * load at rest. */
typedef struct lmb_bushing {
    double stiffness[6][6], damping[6][6], preload[6];
    vec3 rest;
} lmb_bushing;

/* A force of a model: constant data. */
struct lmb_force {
    const char *name;
    const lmb_force_type *type;
    int pair;
    int input, input_count; /* the channels that its law uses, in the list of the model */
    int variable;           /* where the variables of its law start in the state */
    int joint;              /* whose coordinate it acts along, or -1 */

    /* along a coordinate: its product, and the effort law or stiffness, damping and rest value */
    lmb_product product;
    lmb_coordinate_kind kind;
    int turn; /* memory of the turns of an angle, or -1 */
    double stiffness, damping, rest;
    double friction, stick_speed; /* dry friction over normal force, and where it sets in */

    const lmb_expr *law; /* effort (coordinate), or force or torque (vector of t); NULL for none */
    bool follows;        /* the vector is given in axes of the body, and turns with it */

    const lmb_bushing *bushing;
    double unbalance; /* mass times eccentricity */
};

extern const lmb_force_type lmb_force_spring, lmb_force_torsion, lmb_force_motor, lmb_force_push,
    lmb_force_twist, lmb_force_bushing, lmb_force_friction, lmb_force_unbalance;

/* All kinds of forces, ended by NULL. */
extern const lmb_force_type *const lmb_force_types[];

/* The coordinate that a force acts along, its rate, and the effort: the force or torque that B gets
 * along the coordinate. */
typedef struct lmb_effort {
    double coordinate, speed, effort;
} lmb_effort;

lmb_effort lmb_force_effort(const lmb_force *force, const lmb_force_at *at);

/* The vector of a push or twist in global axes. */
vec3 lmb_force_vector(const lmb_force *force, const lmb_force_at *at);

/* The deformation of a bushing: offset and rotation vector in the axes of A. */
void lmb_force_deformation(const lmb_force *force, const lmb_force_at *at, double u[6]);

/* Positions of the fields, for the reader. */
enum lmb_spring_field {
    LMB_SPRING_BETWEEN,
    LMB_SPRING_STIFFNESS,
    LMB_SPRING_DAMPING,
    LMB_SPRING_LENGTH,
    LMB_SPRING_FORCE,
};
enum lmb_torsion_field {
    LMB_TORSION_JOINT,
    LMB_TORSION_STIFFNESS,
    LMB_TORSION_DAMPING,
    LMB_TORSION_REST,
};
enum lmb_motor_field { LMB_MOTOR_JOINT, LMB_MOTOR_COORDINATE, LMB_MOTOR_EFFORT };
enum lmb_push_field { LMB_PUSH_AT, LMB_PUSH_VECTOR, LMB_PUSH_AXES };
enum lmb_friction_field {
    LMB_FRICTION_JOINT,
    LMB_FRICTION_COORDINATE,
    LMB_FRICTION_COEFFICIENT,
    LMB_FRICTION_RADIUS,
    LMB_FRICTION_VISCOUS,
    LMB_FRICTION_STICK_SPEED,
};
enum lmb_unbalance_field {
    LMB_UNBALANCE_AT,
    LMB_UNBALANCE_SIZE,
    LMB_UNBALANCE_ANGLE,
    LMB_UNBALANCE_AXIS,
};
enum lmb_bushing_field {
    LMB_BUSHING_BETWEEN,
    LMB_BUSHING_STIFFNESS,
    LMB_BUSHING_DAMPING,
    LMB_BUSHING_PRELOAD,
    LMB_BUSHING_REST,
};

#endif
