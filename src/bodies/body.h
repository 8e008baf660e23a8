/* Bodies: what every kind of body must be able to do.
 *
 * A body owns nodes (frames/node.h), which have its coordinates q and v, and gives meaning to them.
 * Nodes that share mass form a cluster; the mass matrix has one dense block per cluster. A body
 * carries frames, fixed in it at markers. A marker depends on a range of the nodes of its body, and
 * so on k of its velocity coordinates. For each frame a body answers
 *
 *   frame                 its value x(q)
 *   frame_rate            J w, its change along velocities w (its velocity for w = v)
 *   frame_columns         J, 12 x k; NULL: frame_rate of unit velocities
 *   frame_bias            Jdot v, its acceleration when vdot = 0
 *   frame_load            J^T f, the generalised force of a force f on the frame
 *   frame_rate_tangent    d(J w)/dq, 12 x k
 *   frame_load_tangent    d(J^T f)/dq, k x k, in general unsymmetric
 *   frame_bias_tangent    d(Jdot v)/dq and d(Jdot v)/dv, 12 x k each
 *
 * where w, J^T f and the columns are those of the k coordinates of the marker. Derivatives "by q"
 * are taken along q (+) eps d, d in velocity coordinates. A 12 x k matrix is an array of k frames,
 * one per column; a k x k matrix is stored by columns.
 *
 * A body also gives its inertia: M(q) vdot = Q, with Q the gyroscopic, elastic and gravity forces.
 * It may bring constraint rows and first-order states of its own. A new kind of body is one file
 * with such a table. */
#ifndef LMB_BODIES_BODY_H
#define LMB_BODIES_BODY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"
#include "frames/frame.h"
#include "frames/node.h"
#include "frames/row.h"

typedef struct lmb_body_ops lmb_body_ops;
struct lmb_modal;
struct lmb_body_data;
struct lmb_exact_beam;

/* A body: constant data. */
typedef struct lmb_body {
    const char *name;
    const lmb_body_ops *ops;
    int nq, nv;         /* numbers of coordinates of all its nodes */
    int q, v;           /* where they start in the vectors of the system */
    int node_count;     /* its nodes, */
    lmb_node *nodes;    /* in order */
    int cluster_count;  /* the groups of them that share mass, */
    int cluster;        /* and the first of these in the list of the model */
    int window;         /* its first tangent window in the list of the model, */
    int window_count;   /* and how many: of its clusters, then of the pairs that it couples */
    int row, row_count; /* its own constraint rows in the list of the model */
    int turn;           /* in the plane: 1 + the number of the coordinate that counts its turns; 0:
                           its angle is the third number of its q */
    int z, nz;          /* its own first-order states in the vector of the system */
    double mass;        /* kg */
    bool massless;      /* it was said to have none */
    lmb_place place;    /* of its name in the model file */
    mat3 inertia;       /* kg m^2, about the centre of mass in body axes */
    const struct lmb_shape *shape; /* what is drawn (bodies/shape.h), or NULL */
    lmb_frame start;               /* position and axes as the model gives them */
    bool velocity_given, spin_given;
    vec3 velocity, spin;    /* at the start: of the centre of mass; angular, global axes */
    int point, point_count; /* its named points in the list of the model */
    double angle;           /* in the plane: the angle as given, which may be several turns */
    const void *own;        /* what its kind needs besides */
} lmb_body;

/* A body in a configuration. */
typedef struct lmb_body_at {
    const lmb_body *body;
    const double *q, *v, *z; /* its coordinates and first-order states */
    lmb_frame pose;          /* its own frame, kept up to date by `update` */
    void *work;              /* what its kind computes besides, in `update` */
} lmb_body_at;

/* Energy (kinetic, of gravity, of deformation) and momentum (about the global origin) of a body. */
typedef struct lmb_balance {
    double kinetic, potential, elastic;
    vec3 momentum, angular_momentum;
} lmb_balance;

/* Where a body adds its tangents d(M a - Q)/dq and d(-Q)/dv: blocks of larger matrices, by columns
 * that are `stride` apart. */
typedef struct lmb_window {
    double *by_q, *by_v;
    int stride;
} lmb_window;

/* What a body is made of, as its kind says it: nodes in order, and pairs of clusters (counted from
 * 0 within the body) that its own forces couple. */
typedef struct lmb_pair_of_clusters {
    int row, column;
} lmb_pair_of_clusters;

typedef struct lmb_structure {
    lmb_arena *arena;
    lmb_node *nodes;
    lmb_pair_of_clusters *pairs;
    int node_count, pair_count;
    lmb_node spare; /* what is written to when there is no memory */
} lmb_structure;

/* Adds a node of a kind (n: numbers of a vector) in a cluster; the same or the next one. */
lmb_node *lmb_structure_node(lmb_structure *structure, lmb_node_kind kind, int n, int cluster);

/* Adds a block of tangents with the rows of one cluster and the columns of another. */
void lmb_structure_couple(lmb_structure *structure, int row, int column);

/* Lets the kind of a body say what it is made of; sets nodes, sizes and clusters. False: out of
 * memory. */
bool lmb_body_structure(lmb_body *body, int dimension, lmb_structure *structure);

/* Constraint rows that a body brings along, phi_i(q) = 0. Row i reads a range of the nodes; g and
 * the others have as many numbers as these have velocities. */
typedef struct lmb_own_row {
    const char *label;   /* with the body's name it names the equation */
    lmb_measure measure; /* what it measures */
    int node, node_count;
} lmb_own_row;

typedef struct lmb_body_rows {
    int (*count)(const lmb_body *body);
    lmb_own_row (*row)(const lmb_body *body, int i);
    double (*value)(const lmb_body_at *at, int i);
    void (*gradient)(const lmb_body_at *at, int i, double *g);
    void (*gradient_tangent)(const lmb_body_at *at, int i, const double *w,
                             double *out);         /* d(g . w)/dq */
    double (*guard)(const lmb_body_at *at, int i); /* must be positive; NULL: there is none */
} lmb_body_rows;

/* First-order states that a body brings along, zdot = f(q, v, z). Matrices are by columns: nz x nv,
 * nz x nz, nv x nz with nv those of the whole body. */
typedef struct lmb_own_state {
    const char *name, *unit, *doc; /* of the channel that it is */
    double size;                   /* a typical one, of which errors are a part */
} lmb_own_state;

typedef struct lmb_body_states {
    int (*count)(const lmb_body *body);
    lmb_own_state (*state)(const lmb_body *body, int i);
    void (*start)(const lmb_body *body, double *z);
    void (*rate)(const lmb_body_at *at, double *zdot);
    void (*rate_tangent)(const lmb_body_at *at, double *by_q, double *by_v, double *by_z);
    void (*force_by_z)(const lmb_body_at *at, double *Q_z); /* dQ/dz of its `force` */
} lmb_body_states;

/* A body that deforms by modes: its constants, the file that it comes from (NULL: none), which of
 * its nodes has the modal coordinates, and of a neighbour (model/align.h) the basis of modes that
 * these belong to: the coordinates of its own modes are T times them. */
typedef struct lmb_elasticity {
    const struct lmb_modal *modal;
    const struct lmb_body_data *data;
    int node;
    const double *T; /* modes x modes, by columns; NULL: they are those of its own modes */
} lmb_elasticity;

struct lmb_body_ops {
    const char *kind;
    bool turns;   /* its axes can turn */
    bool natural; /* in natural coordinates: its q has axes instead of angles */

    /* the nodes of a body of this kind */
    void (*structure)(const lmb_body *body, int dimension, lmb_structure *out);

    /* coordinates of a pose; pose of coordinates; velocity coordinates of a body at `start` that
     * moves and spins as given */
    void (*place)(const lmb_body *body, const lmb_frame *pose, double *q);
    void (*update)(lmb_body_at *at);
    void (*launch)(const lmb_body *body, double *v);

    /* questions about the frame at a marker; x is its present value */
    void (*frame)(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x);
    void (*frame_rate)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out);
    void (*frame_columns)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                          lmb_frame *columns);
    void (*frame_bias)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       lmb_frame *out);
    void (*frame_load)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out);
    void (*frame_rate_tangent)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns);
    void (*frame_load_tangent)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix);
    void (*frame_bias_tangent)(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v);

    /* M (the blocks of its clusters one after the other) and Q; the tangents d(M a - Q)/dq and
     * d(-Q)/dv are added to its windows (NULL: M and Q are constant) */
    void (*mass)(const lmb_body_at *at, double *blocks);
    void (*force)(const lmb_body_at *at, vec3 gravity, double *Q);
    void (*tangent)(const lmb_body_at *at, vec3 gravity, const double *a,
                    const lmb_window *windows);
    void (*balance)(const lmb_body_at *at, vec3 gravity, lmb_balance *out);

    /* --- optional ----------------------------------------------------------------------------- */

    /* the nodes that a marker depends on, a range; NULL: all of them */
    void (*marker_nodes)(const lmb_body *body, const lmb_marker *marker, int *first, int *count);

    void *(*make_room)(const lmb_body *body, lmb_arena *arena); /* for `work`; NULL: no memory */
    void (*mass_times)(const lmb_body_at *at, const double *a, double *out);
    double (*loss)(const lmb_body_at *at); /* the power lost inside the body */

    /* the highest frequency (rad/s) of the free body; negative: out of memory */
    double (*highest_frequency)(const lmb_body *body);

    const lmb_elasticity *(*elasticity)(const lmb_body *body);
    const struct lmb_exact_beam *(*line)(const lmb_body *body); /* its nodes are along a beam */
    const lmb_body_rows *rows;
    const lmb_body_states *states;
};

/* The operations of a kind whose functions are called as the members of the table. */
#define LMB_BODY_OPERATIONS                                                                        \
    .structure = structure, .launch = launch, .update = update, .frame = frame,                    \
    .frame_rate = frame_rate, .frame_bias = frame_bias, .frame_load = frame_load,                  \
    .frame_rate_tangent = frame_rate_tangent, .frame_load_tangent = frame_load_tangent,            \
    .frame_bias_tangent = frame_bias_tangent, .mass = mass, .force = force, .balance = balance

extern const lmb_body_ops lmb_body_ground, lmb_body_particle, lmb_body_planar, lmb_body_rigid,
    lmb_body_flexible, lmb_body_flexible_planar, lmb_body_natural, lmb_body_natural_flexible;

/* `place` of a body with one node, or with a first one that has its frame. */
void lmb_rigid_place(const lmb_body *body, const lmb_frame *pose, double *q);

/* Energy and momentum of a rigid body whose frame is at its centre of mass, from its velocity, its
 * angular velocity and its angular momentum about that centre, in global axes. */
lmb_balance lmb_rigid_balance(const lmb_body_at *at, vec3 gravity, vec3 rdot, vec3 omega,
                              vec3 spin);

/* Whether two bodies surely have equal mass and forces, and carry equal frames, at equal
 * coordinates. Of kinds that have constants besides mass and inertia that is not known. */
typedef struct lmb_body_likeness {
    bool inertia, frames;
} lmb_body_likeness;
lmb_body_likeness lmb_body_compare(const lmb_body *a, const lmb_body *b);

/* The quaternion of the first node of a body in space. */
static inline quat lmb_body_quaternion(const lmb_body_at *at)
{
    if (at->body->nodes[0].kind == LMB_NODE_SPACE)
        return node_quat(at->q);
    mat3 axes = frame_rotation(&at->pose), R = mat3_orthonormal(&axes);
    return quat_from_matrix(&R);
}

/* The modes that a body deforms by; NULL: it does not. */
static inline const lmb_elasticity *lmb_body_elasticity(const lmb_body *body)
{
    return body->ops->elasticity ? body->ops->elasticity(body) : NULL;
}

/* The beam that its nodes are along, one by one; NULL: they are not along one. */
static inline const struct lmb_exact_beam *lmb_body_line(const lmb_body *body)
{
    return body->ops->line ? body->ops->line(body) : NULL;
}

/* The reduced body that a flexible one comes from; NULL: there is none. */
static inline const struct lmb_body_data *lmb_body_data_of(const lmb_body *body)
{
    const lmb_elasticity *e = lmb_body_elasticity(body);
    return e ? e->data : NULL;
}

/* The node of its modal coordinates; NULL: there is none, or it has no modes. */
static inline const lmb_node *lmb_body_modal_node(const lmb_body *body)
{
    const lmb_elasticity *e = lmb_body_elasticity(body);
    return e && body->nodes[e->node].nv > 0 ? &body->nodes[e->node] : NULL;
}

#endif
