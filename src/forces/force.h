/* Forces: what acts on bodies besides joints and gravity.
 *
 * A force reads a pair of frames (and their velocities) and returns a force on each, twelve
 * numbers, through the same waist as constraints; no force knows what bodies carry the frames. One
 * that is distributed has many pairs, and is asked about one after the other. A new kind is a file
 * with its data, fields and functions, and a line in registry.c. */
#ifndef LMB_FORCES_FORCE_H
#define LMB_FORCES_FORCE_H

#include "read/reader.h"
#include "frames/row.h"
#include "math/expr.h"

struct lmb_exact_beam;

/* The two frames of a force at an instant, or of one of its pairs. */
typedef struct lmb_force_at {
    double t;
    const lmb_frame *A, *B;   /* values */
    const lmb_frame *dA, *dB; /* velocities */
    double near;              /* which turn an angle is in */
    vec3 added;               /* input: added to the components of the law */
    lmb_jet *variables;       /* of its law: room for coordinate and speed, then its inputs */
    const lmb_table *const *records; /* what laws may play back */
    double load;                     /* what its law is multiplied with */
    int pair;                        /* which of its pairs, counted from 0 */
    vec3 *vectors;                   /* pair_count: of a kind that has `prepare` */
} lmb_force_at;

/* A force of a model: constant. */
typedef struct lmb_force {
    const char *name;
    const struct lmb_force_type *type;
    const void *data;       /* of its kind */
    int pair, pair_count;   /* of frames, in the list of the model */
    int vector;             /* where the vectors of its pairs start in the state */
    int input, input_count; /* the channels that its law uses, in the list of the model */
    int variable;           /* where the variables of its law start in the state */
    int joint;              /* whose coordinate it acts along, or -1 */
    int turn;               /* memory of the turns of an angle, or -1 */
    const lmb_expr *law;    /* of t, channels and its coordinate; NULL for none */
} lmb_force;

/* What a force is built from. */
typedef struct lmb_force_build {
    lmb_reader *reader;
    lmb_context *context;
    const struct lmb_force_names *names;
    lmb_rows *rows;
    int dimension;
    const char *what; /* "force 'pull'" */
    lmb_force *force; /* what is being built */
} lmb_force_build;

/* What a force can ask about the names in its keys; all return a status. */
typedef struct lmb_force_names {
    /* Two ends; `placed`, unless NULL, gets their frames where the model places the bodies. */
    lmb_status (*ends)(lmb_force_build *build, const lmb_tree *between, lmb_end ends[2],
                       lmb_frame placed[2]);
    /* The ground, and the body that a force from outside acts on. */
    lmb_status (*target)(lmb_force_build *build, const lmb_tree *at, lmb_end ends[2]);
    /* The beam that a force per length acts on, and its body. */
    lmb_status (*line)(lmb_force_build *build, const lmb_tree *at, int *body,
                       const struct lmb_exact_beam **beam);
    /* Whether the body of an end can be turned there; `does` is "acts on" or "holds". */
    lmb_status (*can_turn)(lmb_force_build *build, const lmb_end *end, lmb_place place,
                           const char *does);
    /* The coordinate of a joint (of a kind, or -1 for any) that the force is to act along. */
    lmb_status (*coordinate)(lmb_force_build *build, const lmb_value *joint, const lmb_value *which,
                             int kind, const lmb_coordinate **out);
    /* Makes the force in the joint, of whose coordinate it acts along, an input. */
    lmb_status (*reaction)(lmb_force_build *build);
} lmb_force_names;

typedef enum lmb_shape_of { LMB_SCALAR, LMB_VECTOR, LMB_TURN } lmb_shape_of;

/* What a force reports: a number (x), a vector, or a turn (in the plane its z alone); the sum of
 * what it is at its pairs. */
typedef struct lmb_force_channel {
    const char *name, *unit, *doc;
    lmb_shape_of shape;
    bool acts; /* zero while the force is switched off */
    vec3 (*get)(const lmb_force *force, const lmb_force_at *at);
} lmb_force_channel;

/* Whether something can be added to it from outside, as an input of the state space. */
typedef enum lmb_force_input_use {
    LMB_NO_INPUT,
    LMB_NAMED_INPUT,  /* if it is asked for */
    LMB_ALWAYS_INPUT, /* also if no inputs are named */
} lmb_force_input_use;

typedef struct lmb_force_type {
    const char *name;
    const char *doc;
    const lmb_field *fields; /* besides type; ends with {0} */
    size_t size, kept;       /* of what they fill; how much of that, from its start, is its data */

    /* Makes its data from its keys; gives the force its pair and law. */
    lmb_status (*build)(lmb_force_build *build, void *keys);

    /* Finds what all pairs have in common before one after the other is evaluated: a vector each;
     * NULL: nothing. */
    void (*prepare)(const lmb_force *force, const lmb_force_at *at);

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

    /* Channel number k; false if there are no more. */
    bool (*channel)(const lmb_force *force, int k, lmb_force_channel *out);

    /* Adds the power that it supplies to the bodies from outside, and that it takes from them for
     * good; what goes into and out of its energy is neither. NULL: all of it is supplied. */
    void (*power)(const lmb_force *force, const lmb_force_at *at, double *supplied,
                  double *dissipated);

    /* The energy stored in it; NULL for none. */
    double (*energy)(const lmb_force *force, const lmb_force_at *at);

    /* The potential of its law, or NaN if that has none; NULL: it has none. */
    double (*potential)(const lmb_force *force, const lmb_force_at *at);

    /* Whether its stiffness is not symmetric, inputs apart; NULL: it is. */
    bool (*is_circulatory)(const lmb_force *force);

    const char *sign; /* what is drawn between its ends: "spring"; NULL: nothing */
    lmb_force_input_use input;
    bool is_load;      /* its law is multiplied by the load factor in statics */
    bool of_reactions; /* depends on reactions: it has channels only where these are known */
} lmb_force_type;

/* All kinds of forces, ended by NULL. */
extern const lmb_force_type *const lmb_force_types[];

/* How many numbers can be added to a force: the components of its law. */
static inline int lmb_force_numbers(const lmb_force *f)
{
    return f->law ? lmb_expr_size(f->law) : 1;
}

/* The force on the frame B. */
static inline lmb_frame lmb_force_on_B(const lmb_force *f, const lmb_force_at *at)
{
    lmb_frame on_A = frame_zero(), on_B = frame_zero();
    f->type->evaluate(f, at, &on_A, &on_B);
    return on_B;
}

#endif
