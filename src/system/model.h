/* The compiled model: constant, indexed, shareable between threads.
 *
 *   M(q) a + Phi_q^T lambda = Q(q, v, t)     Phi(q, t) = 0     B(q) v = 0 (velocity-level rows)
 *
 * Bodies own blocks of q and v; rows (constraint equations) touch the blocks of few bodies. The
 * pattern of the Jacobian is known here, once. */
#ifndef LMB_SYSTEM_MODEL_H
#define LMB_SYSTEM_MODEL_H

#include "read/tree.h"
#include "bodies/body.h"
#include "forces/force.h"
#include "frames/row.h"
#include "joints/joint.h"
#include "base/span.h"
#include "limber/model.h"
#include "math/expr.h"

/* A motion law f(t); with `rate` the expression is f' and f starts at `start`. */
typedef struct lmb_law {
    const lmb_expr *expression;
    bool rate;
    bool start_given;
    double start;
    int coordinate; /* the coordinate that it drives */
} lmb_law;

/* A driver makes a coordinate follow a law: one row. */
typedef struct lmb_driver {
    const char *name;
    int joint;      /* whose coordinate it drives, or -1 for a point's */
    int next;       /* the next driver of the same joint, or -1 */
    int coordinate; /* in the list of coordinates */
    int law;        /* in the list of laws */
    int row;
} lmb_driver;

/* A named point of a body. */
typedef struct lmb_point {
    const char *name; /* "crank.B" */
    int body, marker;
    bool own_axes; /* it was given axes of its own */
} lmb_point;

/* A velocity coordinate. */
typedef struct lmb_column {
    int body;
    lmb_coordinate_class class; /* what it measures */
    double size; /* how far a unit of it moves its body: 1 m for a translation, the length of the
                    island for a rotation, the largest displacement for a mode; times `magnified` of
                    the island */
} lmb_column;

/* Bodies that joints and forces couple, directly or through other bodies; the ground couples none.
 * Tolerances are parts of the length of the model, and sizes in an island are magnified to it, so
 * that every island is judged by its own length. */
typedef struct lmb_island {
    double length;    /* a typical size */
    double magnified; /* the length of the model over that of the island */
} lmb_island;

/* Coordinates that follow each other and belong to one island. */
typedef struct lmb_island_range {
    int island, q, nq, v, nv;
} lmb_island_range;

/* Nodes that share mass: one dense block of the mass matrix. */
typedef struct lmb_cluster {
    int body;
    int node, node_count; /* a range of the nodes of the model */
    int v, nv;            /* their velocity coordinates */
    int mass;             /* where its block starts among the mass blocks */
    int couple;           /* of it with itself */
} lmb_cluster;

/* The non-zero part of a row in the columns of one cluster. */
typedef struct lmb_block {
    int cluster;
    int v, nv; /* its columns */
    int value; /* where its numbers start in the array of the Jacobian */
} lmb_block;

typedef struct lmb_sparse_row {
    int block, block_count;
    int value, value_count; /* its numbers in the array of the Jacobian */
    double scale;           /* makes it a length, magnified to that of the model */
    int island;
} lmb_sparse_row;

/* Where the gradients by the two frames of a term go in the array of the Jacobian; -1 for ground.
 */
typedef struct lmb_term_places {
    int a, b;
} lmb_term_places;

/* Two clusters (or one with itself) that a row, a force or a body couples: a block of a tangent
 * matrix, by columns, with the rows of one cluster and the columns of the other. */
typedef struct lmb_couple {
    int row, column;         /* clusters */
    int row_v, row_nv;       /* the velocity coordinates of its rows, */
    int column_v, column_nv; /* and of its columns */
    int value;               /* where its numbers start */
    int next;                /* the next couple with the same row, or -1 */
} lmb_couple;

/* The couples of the (first) clusters of a pair of markers: AA, AB, BA, BB; -1 for the ground. */
typedef struct lmb_pair_couples {
    int at[4];
} lmb_pair_couples;

/* A channel that the law of a force depends on. */
typedef enum lmb_input_kind {
    LMB_INPUT_POSITION,        /* of a marker, along a global axis */
    LMB_INPUT_VELOCITY,        /* the same */
    LMB_INPUT_ANGLE,           /* of a body in the plane */
    LMB_INPUT_SPIN,            /* angular velocity about a global axis */
    LMB_INPUT_SPIN_LOCAL,      /* about an axis of the body */
    LMB_INPUT_COORDINATE,      /* of a joint */
    LMB_INPUT_COORDINATE_RATE, /* its rate */
    LMB_INPUT_REACTION         /* size of the force in a joint */
} lmb_input_kind;

typedef struct lmb_input {
    lmb_input_kind kind;
    int index;     /* axis, coordinate or joint */
    int marker[2]; /* the frames that it is made of; the second may be -1 */
    int *couple;   /* pair_count x 4: of the force's markers (rows) with its own, -1 for none */
    double floor;  /* LMB_INPUT_REACTION: makes it smooth where the force vanishes */
} lmb_input;

/* Where stresses of a flexible body are reported: the mean of some of its places
 * (reduction/body_data.h).
 */
typedef struct lmb_probe {
    const char *name; /* NULL: it belongs to a sensor */
    int body;
    bool beam;    /* places are ends of lines, two a line, else nodes of solids */
    bool largest; /* of the places, of beams; else their mean */
    int *places;  /* count */
    int count;
} lmb_probe;

typedef enum lmb_sensor_kind {
    LMB_SENSOR_EXPRESSION,
    LMB_SENSOR_ACCELEROMETER,
    LMB_SENSOR_GAUGE,
    LMB_SENSOR_ROSETTE
} lmb_sensor_kind;

/* A named number computed from channels; compiled when the channels are known. Or an instrument. */
typedef struct lmb_sensor {
    const char *name, *text; /* of the expression */
    lmb_place place;
    lmb_sensor_kind kind;
    int marker;   /* accelerometer */
    bool gravity; /* it feels gravity */
    int probe;    /* gauge, rosette: where it is; -1: on a body that is taken as rigid */
    mat3 axes; /* of it in body axes: x its direction, of a rosette z the normal of the surface */
    double fibre[2]; /* gauge on a beam: y and z in the section */
} lmb_sensor;

/* A list of joints, drivers, forces and events by their numbers. */
typedef struct lmb_selection {
    int *joints, *drivers, *forces, *events;
    int joint_count, driver_count, force_count, event_count;
} lmb_selection;

/* What a joint coordinate, or its rate, is to be where a motion begins. */
typedef struct lmb_initial {
    const char *name; /* as written: "main.angle" */
    int joint, coordinate;
    bool rate;
    double value;
} lmb_initial;

/* Which way the expression of an event must cross zero. */
typedef enum lmb_crossing { LMB_CROSS_ANY, LMB_CROSS_RISING, LMB_CROSS_FALLING } lmb_crossing;

/* What happens in a dynamic analysis when an expression of channels crosses zero. */
typedef struct lmb_event {
    const char *name, *text;    /* of the expression, compiled when the channels are known */
    lmb_place place;            /* of the expression */
    const lmb_counter *counter; /* of a repeated entry: names in the expression */
    lmb_crossing direction;
    lmb_selection release, latch; /* what is switched off and on */
    bool stop;                    /* the analysis ends */
} lmb_event;

/* A parameter or table, for the expressions of sensors and events. */
typedef struct lmb_constant {
    const char *name;
    lmb_symbol symbol;
} lmb_constant;

/* How explicit methods keep joints closed, which accelerations alone would let drift apart. */
typedef enum lmb_stabilisation {
    LMB_PROJECTION,   /* after each step, by the smallest move */
    LMB_PARTITIONING, /* always, by moving dependent coordinates only */
    LMB_BAUMGARTE,    /* gaps pull themselves shut like critically damped springs */
    LMB_DRIFT         /* not at all */
} lmb_stabilisation;

/* The matrix P with which ALI3-P projects velocities and accelerations (integrate/ali3p.h). */
typedef enum lmb_rate_projection {
    LMB_PROJECT_FULL, /* M + h/2 C + h^2/4 K */
    LMB_PROJECT_MASS, /* M */
    LMB_PROJECT_NONE  /* they are not projected */
} lmb_rate_projection;

/* How a dynamic analysis is integrated. */
typedef struct lmb_integration {
    const struct lmb_integrator *integrator; /* integrate/motion.h */
    double tolerance;       /* relative error of a step, where the error chooses it */
    double step;            /* its length, or for implicit methods with a tolerance the first one */
    double spectral_radius; /* of methods that damp: at high frequencies, 0 to 1 */
    lmb_rate_projection projection;    /* of ALI3-P, */
    double penalty;                    /* and the factor of its penalty; 0: the default */
    lmb_stabilisation stabilisation;   /* of the explicit methods */
    double baumgarte;                  /* 1/s: LMB_BAUMGARTE, how fast gaps close */
    const int *independent;            /* LMB_PARTITIONING: columns that the user named */
    int independent_count;             /* 0: the program chooses them */
    bool taylor;                       /* rotations by a Taylor series of second order */
    const struct lmb_beginning *begin; /* analysis/begin.h; NULL: as placed */
    double period;                     /* of a periodic beginning; 0: that of the drivers */
    bool undivided;                    /* fixed steps that are too long fail */
    bool to_rounding; /* implicit methods iterate to rounding, as gradients always do */
} lmb_integration;

/* What an analysis knows of a mechanism besides positions. */
enum lmb_known {
    LMB_KNOWN_MOTION = 1,    /* velocities and accelerations */
    LMB_KNOWN_REACTIONS = 2, /* the forces of joints and drivers */
    LMB_KNOWN_WORK = 4,      /* work so far, and events */
    LMB_KNOWN_MODES = 8,     /* frequencies; velocities are shapes */
    LMB_KNOWN_PATH = 16,     /* load factor and stability */
    LMB_KNOWN_IN_DYNAMICS = LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS | LMB_KNOWN_WORK
};

/* How statics follow a path of equilibria while the load grows. */
typedef struct lmb_path {
    bool arc;     /* by arc length, through limit points; else by the load factor */
    double load;  /* the load factor at the end */
    int steps;    /* of the load; with arc length, the first step is as long */
    int points;   /* the most points with arc length */
    bool branch;  /* at the first bifurcation it goes on along the other path */
    bool *scaled; /* force_count + 1: the loads that grow, gravity last; NULL: all */
} lmb_path;

/* A name of channels, which may have the wildcards * and ?. */
typedef struct lmb_channel_pattern {
    const char *text;
    lmb_place place;
} lmb_channel_pattern;

/* One entry of `analyses`. */
typedef struct lmb_analysis {
    const char *name;
    const struct lmb_analysis_kind *kind; /* analysis/analysis.h */
    double start, duration, output_step;
    lmb_integration integration;  /* where the motion is integrated */
    lmb_selection without;        /* what does not act in it */
    lmb_path path;                /* statics that follow a path */
    int modes;                    /* how many are wanted, the lowest; 0: all, or as many as usual */
    lmb_channel_pattern *results; /* result_count: what is stored; 0: all channels */
    int result_count;
    int from; /* the analysis whose state at `start` it begins with, or -1 */
    lmb_place place;
    const struct lmb_saddle_family *solver; /* system/saddle.h; NULL: what is likely the fastest */
    int threads;                            /* 0: as many as there are processors */
} lmb_analysis;

/* How an objective becomes one number of an expression over an analysis. */
typedef enum lmb_objective_kind {
    LMB_OBJECTIVE_INTEGRAL, /* over time, */
    LMB_OBJECTIVE_MEAN,     /* that over the duration, */
    LMB_OBJECTIVE_RMS,      /* and the root of the mean square */
    LMB_OBJECTIVE_FINAL,    /* at the end, */
    LMB_OBJECTIVE_AT,       /* or at an instant, or of a mode */
    LMB_OBJECTIVE_MIN,
    LMB_OBJECTIVE_MAX,
    LMB_OBJECTIVE_COMBINED /* an expression of other objectives */
} lmb_objective_kind;

/* How an extreme is smoothed: not at all; KS: ln(mean exp(k g)) / k; p-norm: (mean g^p)^(1/p). */
typedef enum lmb_smoothing { LMB_SMOOTH_NOT, LMB_SMOOTH_KS, LMB_SMOOTH_NORM } lmb_smoothing;

/* One entry of `objectives`: a number that tells how good a design is. */
typedef struct lmb_objective {
    const char *name, *text; /* of its expression */
    lmb_place place;         /* of the expression */
    const lmb_counter *counter;
    lmb_objective_kind kind;
    int analysis;    /* that its channels are of; -1: a combined one */
    double from, to; /* the instants that count; NaN: all */
    double at;       /* LMB_OBJECTIVE_AT: the instant, or the number of a mode */
    lmb_smoothing smoothing;
    double sharpness;           /* k or p */
    const lmb_expr *expression; /* LMB_OBJECTIVE_COMBINED: of the objectives before it */
    bool hidden;                /* made for a study: not one of those that the model lists */
} lmb_objective;

/* --- studies ---------------------------------------------------------------------------------- */

typedef enum lmb_variable_kind {
    LMB_VARIABLE_FREE,       /* any number, from that of the model on */
    LMB_VARIABLE_RANGE,      /* between numbers[0] and numbers[1] */
    LMB_VARIABLE_CHOICES,    /* one of `count` numbers */
    LMB_VARIABLE_NORMAL,     /* drawn: mean and standard deviation, */
    LMB_VARIABLE_UNIFORM,    /* limits, */
    LMB_VARIABLE_TRIANGULAR, /* least, most likely and largest, */
    LMB_VARIABLE_LOGNORMAL   /* median, and standard deviation of the logarithm */
} lmb_variable_kind;

/* A parameter that a study varies. */
typedef struct lmb_variable {
    const char *name;
    lmb_place place;
    lmb_variable_kind kind;
    int count;             /* LMB_VARIABLE_CHOICES; of a range: points of a grid, or 0 */
    const double *numbers; /* the choices, or those of a range or distribution */
} lmb_variable;

/* A limit of an objective; NaN: there is none. */
typedef struct lmb_limit {
    int objective;
    lmb_place place;
    double at_least, at_most, equal;
} lmb_limit;

/* A column of a measurement that a fit is to match. */
typedef struct lmb_fit_column {
    const char *column;
    lmb_place place;
    int objective;       /* whose expression it is */
    const char *channel; /* the expression, as written */
    double weight;
} lmb_fit_column;

typedef enum lmb_study_kind {
    LMB_STUDY_OPTIMISE,
    LMB_STUDY_FIT,
    LMB_STUDY_SWEEP,
    LMB_STUDY_TOLERANCE
} lmb_study_kind;

typedef enum lmb_sampling {
    LMB_SAMPLE_GRID,  /* all combinations */
    LMB_SAMPLE_LIST,  /* the first of all, the second of all, ... */
    LMB_SAMPLE_LATIN, /* Latin hypercube */
    LMB_SAMPLE_RANDOM /* Monte Carlo */
} lmb_sampling;

/* One entry of `studies`: what is to become of parameters. */
typedef struct lmb_study {
    const char *name;
    lmb_place place;
    lmb_study_kind kind;
    lmb_variable *variables;
    int variable_count;
    int *objectives; /* those that are minimised, or whose values are wanted */
    int objective_count;
    bool maximise;
    lmb_limit *limits;
    int limit_count;
    const struct lmb_minimise_method *method; /* NULL: what suits */
    int starts, points, evaluations;
    int gradients; /* how they are found: an lmb_gradient_method (study/gradient.h) */
    double tolerance;
    lmb_sampling sampling;
    int samples;
    unsigned seed;
    const char *file; /* of a measurement, */
    double shift, rate;
    bool comma;
    lmb_fit_column *columns;
    int column_count;
} lmb_study;

/* What a law plays back of an earlier analysis: a channel as a curve through its instants, or its
 * Fourier series. */
typedef struct lmb_record {
    const char *text;     /* as written: "record(turn/motor.effort)" */
    const char *analysis; /* "turn" */
    const char *channel;  /* "motor.effort" */
    lmb_place place;
    lmb_table_kind curve;
    int bins;        /* of the series; -1 for a curve */
    bool window;     /* the series is that of the record from t0 to t1, */
    double t0, t1;   /* else of all of it */
    int source;      /* the number of the analysis */
    int at;          /* where the channel is among the numbers of an instant */
    int first, last; /* its instants */
} lmb_record;

struct lmb_model {
    lmb_arena *arena;
    const struct lmb_kinds *kinds;   /* what it is compiled with (system/kinds.h) */
    const char *file, *title, *text; /* of the model file */
    const struct lmb_memo *kept;     /* what variants of it need not read again, or NULL */
    int dimension;
    vec3 gravity;
    double length;   /* a typical size, for scaling: of the largest island */
    double heaviest; /* the largest mass, or 1 if there is none */

    lmb_body *bodies; /* the first is the ground */
    lmb_point *points;
    lmb_joint *joints;
    lmb_driver *drivers;
    lmb_force *forces;
    lmb_law *laws;
    lmb_sensor *sensors;
    lmb_probe *probes;
    lmb_event *events;
    lmb_initial *initials;
    lmb_analysis *analyses;
    lmb_objective *objectives;
    lmb_study *studies;
    lmb_constant *constants;
    lmb_input *inputs; /* those of a force stand together */
    lmb_span span;     /* instants that envelopes and the participation of modes are made of */
    lmb_record *records;
    int record_count;
    int body_count, point_count, joint_count, driver_count, force_count, law_count, sensor_count,
        event_count, analysis_count, constant_count, input_count, probe_count, initial_count,
        objective_count, study_count;
    int variable_count; /* numbers that the laws of forces read, inputs among them */
    int vector_count;   /* vectors of forces with many pairs */

    struct lmb_rotor *rotor; /* of the section `rotor`, or NULL */

    lmb_rows parts;   /* markers, pairs, terms, rows, coordinates */
    int *body_marker; /* for each body: the marker at its own origin */

    lmb_island *islands;
    int *island_of; /* body_count: the number of the island; -1 for the ground */
    lmb_island_range *ranges;
    int island_count, range_count;

    /* filled in by lmb_model_index */
    int nq, nv, nz, nrows;
    double *z_size;          /* nz: typical sizes of the first-order states */
    int mode_count;          /* velocity coordinates that are of the class of modes */
    int largest_nv;          /* of a marker or a cluster */
    int largest_mass;        /* numbers of the mass blocks of a body, or of largest_nv squared */
    int largest_window;      /* windows of a body */
    int largest_nz;          /* first-order states of a body, */
    int largest_first_order; /* and numbers of their tangents (system/first_order.h) */
    lmb_node *nodes;         /* node_count: of all bodies, in the order of q and v */
    lmb_column *columns;     /* nv */
    lmb_cluster *clusters;
    int node_count, cluster_count;
    lmb_sparse_row *sparse_rows; /* nrows */
    int *row_owner; /* nrows: number of its joint, or behind the joints of its driver; -1: a body */
    lmb_block *blocks;
    lmb_term_places *term_places; /* one per term */
    int value_count;              /* numbers of the Jacobian */
    int mass_count;               /* numbers of all mass blocks */
    lmb_couple *couples;
    int couple_count, couple_values;
    int *first_couple;              /* cluster_count: heads of the lists of couples by row */
    lmb_pair_couples *pair_couples; /* one per pair */
    int *windows;                   /* couples of the tangents of bodies: see lmb_body */
};

/* Gives every body its nodes and every row and couple its place; called once all parts are there.
 */
lmb_status lmb_model_index(lmb_model *model, lmb_context *context);

/* Finds the nodes and velocity coordinates that a marker depends on. */
void lmb_marker_index(const lmb_model *model, lmb_marker *marker);

/* The instants of an analysis: multiples of the output step, and its end. */
int lmb_instant_count(const lmb_analysis *analysis);
double lmb_instant(const lmb_analysis *analysis, int i);

/* The number of the instant at a time, or -1 if there is none. */
int lmb_instant_at(const lmb_analysis *analysis, double t);

/* The name of an equation, such as "pin.x"; cut to the size of the buffer. */
void lmb_row_name(const lmb_model *model, int row, char *buffer, size_t size);

/* What a row belongs to: a "joint", a "driver" or a "body", and its name; rows of the same owner
 * have the same pointer to it. */
typedef struct lmb_row_owner {
    const char *kind, *name;
} lmb_row_owner;

lmb_row_owner lmb_owner_of_row(const lmb_model *model, int row);

/* The name of a velocity coordinate, such as "crank.x". */
void lmb_column_name(const lmb_model *model, int column, char *buffer, size_t size);

/* The name of a position coordinate: rotations in space are quaternions, "top.quaternion.w", others
 * are named as the velocities. */
void lmb_position_name(const lmb_model *model, int i, char *buffer, size_t size);

/* The names of so many coordinates or equations, by one of these functions, in the arena. */
const char **lmb_model_names(lmb_arena *arena, const lmb_model *model, int count,
                             void (*name)(const lmb_model *, int, char *, size_t));

/* The name of a first-order state, such as "servo.current". */
void lmb_first_order_name(const lmb_model *model, int i, char *buffer, size_t size);

/* The node of a velocity coordinate. */
const lmb_node *lmb_column_node(const lmb_model *model, int column);

/* The couple of two clusters, or -1. */
int lmb_find_couple(const lmb_model *model, int row, int column);

/* Where the numbers of a row for the velocity coordinates from v on start in the array of the
 * Jacobian; -1: the row does not touch them. */
int lmb_row_place(const lmb_model *model, int row, int v);

/* The column of a name. -1: there is none; `nearest` then has the name most like it, or nothing. */
int lmb_find_column(const lmb_model *model, const char *name, char *nearest, size_t size);

#endif
