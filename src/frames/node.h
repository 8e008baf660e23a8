/* Nodes: the blocks of coordinates that bodies are made of.
 *
 * A node has nq position coordinates q and nv velocity coordinates v. What is said of coordinates
 * is said here, once:
 *
 *   q (+) d             the configuration reached from q along d (nv numbers)
 *   q1 (-) q0           the d with q0 (+) d = q1
 *   tangent T(d)        q (+) (d + eps) = (q (+) d) (+) T eps, to first order
 *   transport P(d)      (q (+) eps) (+) d = (q (+) d) (+) P eps, to first order
 *   N(q)                qdot = N(q) v
 *
 * The kinds are few and closed, so they are a switch that the compiler sees through:
 *
 *   vector   n numbers that add up: particles, modal coordinates
 *   plane    x, y, angle, which add up as well
 *   space    position and unit quaternion; v = (rdot in global axes, omega in body axes), and
 *            (r, p) (+) (d, theta) = (r + d, p exp(theta))
 *   natural  position and axes of a frame, which add up: (r, e1, e2, e3), twelve numbers in space,
 *            (r, u) with u = e1, four in the plane; that the axes are orthonormal are rows of the
 *            body
 *
 * T and P differ from the unit matrix only where rotations in space are, in 3 x 3 numbers. */
#ifndef LMB_FRAMES_NODE_H
#define LMB_FRAMES_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "frames/frame.h"

typedef enum lmb_node_kind {
    LMB_NODE_VECTOR,
    LMB_NODE_PLANE,
    LMB_NODE_SPACE,
    LMB_NODE_NATURAL
} lmb_node_kind;

enum { LMB_NATURAL_PLANE = 4, LMB_NATURAL_SPACE = 12 }; /* numbers of natural coordinates */

/* What a coordinate measures. */
typedef enum lmb_coordinate_class {
    LMB_CLASS_LENGTH,
    LMB_CLASS_ANGLE,
    LMB_CLASS_AXIS, /* a component of a unit vector */
    LMB_CLASS_MODE  /* a share of a deformation */
} lmb_coordinate_class;

/* Whether a change of a coordinate turns something: then 1 is a large change. */
static inline bool lmb_class_turns(lmb_coordinate_class class)
{
    return class == LMB_CLASS_ANGLE || class == LMB_CLASS_AXIS;
}

typedef struct lmb_node {
    lmb_node_kind kind;
    lmb_coordinate_class class; /* of a vector's numbers */
    int nq, nv;                 /* numbers of coordinates */
    int q, v;                   /* where they start in the vectors of the system */
    int body;                   /* that it belongs to, */
    int cluster;                /* and the group of nodes that it shares mass with */
    const char *label;          /* in names, such as "tip" in "beam.tip.x"; NULL for none */
    const double *size; /* nv: how far a unit moves the body, in m; NULL: as the class says */
} lmb_node;

static inline void node_put(double *out, vec3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/* The quaternion of a node in space. */
static inline quat node_quat(const double *q)
{
    return (quat){q[3], q[4], q[5], q[6]};
}

static inline void node_put_quat(double *q, quat p)
{
    q[3] = p.w;
    q[4] = p.x;
    q[5] = p.y;
    q[6] = p.z;
}

/* The frame of a node of the plane or of space: its origin and axes. */
static inline lmb_frame lmb_plane_pose(const double *q)
{
    double c = cos(q[2]), s = sin(q[2]);
    return (lmb_frame){{q[0], q[1], 0}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}

static inline lmb_frame lmb_space_pose(const double *q)
{
    mat3 R = quat_matrix(node_quat(q));
    return frame_with_axes(v3_of(q), &R);
}

/* The frame of natural coordinates, and its change along w, which is linear. */
static inline lmb_frame lmb_natural_rate(bool plane, const double *w)
{
    if (plane)
        return (lmb_frame){{w[0], w[1], 0}, {{w[2], w[3], 0}, {-w[3], w[2], 0}, {0, 0, 0}}};
    return (lmb_frame){v3_of(w), {v3_of(w + 3), v3_of(w + 6), v3_of(w + 9)}};
}

static inline lmb_frame lmb_natural_pose(bool plane, const double *q)
{
    lmb_frame pose = lmb_natural_rate(plane, q);
    if (plane)
        pose.e[2] = v3_axis(2);
    return pose;
}

/* The dual of lmb_natural_rate: the force on the coordinates of one on the frame. */
static inline void lmb_natural_load(bool plane, const lmb_frame *f, double *out)
{
    if (plane) {
        out[0] = f->p.x;
        out[1] = f->p.y;
        out[2] = f->e[0].x + f->e[1].y;
        out[3] = f->e[0].y - f->e[1].x;
        return;
    }
    node_put(out, f->p);
    for (int i = 0; i < 3; i++)
        node_put(out + 3 + 3 * i, f->e[i]);
}

static inline bool lmb_natural_in_plane(const lmb_node *node)
{
    return node->nq == LMB_NATURAL_PLANE;
}

/* out = q (+) d; q and out may be the same. */
static inline void lmb_node_retract(const lmb_node *node, const double *q, const double *d,
                                    double *out)
{
    if (node->kind == LMB_NODE_SPACE) {
        quat p = quat_mul(node_quat(q), quat_exp(v3_of(d + 3)));
        node_put(out, v3_add(v3_of(q), v3_of(d)));
        node_put_quat(out, quat_normalised(p));
        return;
    }
    for (int i = 0; i < node->nv; i++)
        out[i] = q[i] + d[i];
}

/* d with q0 (+) d = q1. */
static inline void lmb_node_difference(const lmb_node *node, const double *q0, const double *q1,
                                       double *d)
{
    if (node->kind == LMB_NODE_SPACE) {
        node_put(d, v3_sub(v3_of(q1), v3_of(q0)));
        node_put(d + 3, quat_log(quat_mul(quat_conjugate(node_quat(q0)), node_quat(q1))));
        return;
    }
    for (int i = 0; i < node->nv; i++)
        d[i] = q1[i] - q0[i];
}

/* qdot = N(q) v */
static inline void lmb_node_rate(const lmb_node *node, const double *q, const double *v,
                                 double *qdot)
{
    if (node->kind == LMB_NODE_SPACE) {
        node_put(qdot, v3_of(v));
        node_put_quat(qdot, quat_mul(node_quat(q), (quat){0, v[3] / 2, v[4] / 2, v[5] / 2}));
        return;
    }
    memcpy(qdot, v, (size_t)node->nv * sizeof *v);
}

/* Whether T and P of a node differ from the unit matrix: for its last three coordinates only. */
static inline bool lmb_node_turns(const lmb_node *node)
{
    return node->kind == LMB_NODE_SPACE;
}

enum { LMB_TURN_FIRST = 3, LMB_TURN_COUNT = 3, LMB_TURN_NUMBERS = 9 };

/* T(d), its 3 x 3 numbers for the rotation by columns; only for nodes that turn. */
void lmb_node_tangent(const lmb_node *node, const double *d, double T[LMB_TURN_NUMBERS]);

/* out = P(d) w (nv numbers; may be the same): what a change w of q becomes at q (+) d. */
void lmb_node_transport(const lmb_node *node, const double *d, const double *w, double *out);

/* x^T T and T x in place for the numbers x of one node that turns, `stride` apart. */
static inline void lmb_node_times_tangent(const double T[LMB_TURN_NUMBERS], double *x, int stride)
{
    double *y = x + LMB_TURN_FIRST * stride, a = y[0], b = y[stride], c = y[2 * stride];
    for (int j = 0; j < LMB_TURN_COUNT; j++)
        y[j * stride] = a * T[3 * j] + b * T[3 * j + 1] + c * T[3 * j + 2];
}

static inline void lmb_node_tangent_times(const double T[LMB_TURN_NUMBERS], double *x)
{
    double *y = x + LMB_TURN_FIRST, a = y[0], b = y[1], c = y[2];
    for (int i = 0; i < LMB_TURN_COUNT; i++)
        y[i] = T[i] * a + T[3 + i] * b + T[6 + i] * c;
}

/* The rotation part of q turned by 1 + h W + h^2/2 (W^2 + Wdot), a Taylor series with the angular
 * velocity and acceleration of v and a, made a rotation again; nothing where angles are numbers. */
void lmb_node_turn_by_taylor(const lmb_node *node, const double *q, double h, const double *v,
                             const double *a, double *out);

/* What velocity coordinate j measures. */
static inline lmb_coordinate_class lmb_node_class(const lmb_node *node, int j)
{
    bool natural = node->kind == LMB_NODE_NATURAL;
    bool plane = node->kind == LMB_NODE_PLANE || (natural && lmb_natural_in_plane(node));
    if (node->kind == LMB_NODE_VECTOR)
        return node->class;
    if (j < (plane ? 2 : 3))
        return LMB_CLASS_LENGTH;
    return natural ? LMB_CLASS_AXIS : LMB_CLASS_ANGLE;
}

/* How far a unit of velocity coordinate j moves a body of the size L. A turn by d changes three
 * axes in space, by 2 d^2 together, and u in the plane by d: with these sizes the metric of a turn
 * does not depend on its coordinates. */
static inline double lmb_node_size(const lmb_node *node, int j, double L)
{
    lmb_coordinate_class class = lmb_node_class(node, j);
    if (node->size)
        return node->size[j];
    if (class == LMB_CLASS_AXIS)
        return lmb_natural_in_plane(node) ? L : sqrt(0.5) * L;
    return class == LMB_CLASS_ANGLE ? L : 1;
}

/* The name of velocity coordinate j within its body, such as "x", "wz", "mode3" or "tip.x"; cut to
 * the size of the buffer. */
void lmb_node_name(const lmb_node *node, int j, char *buffer, size_t size);

/* The numbers of a configuration for a pose; in the plane the angle is that near `angle`. */
void lmb_node_place(const lmb_node *node, vec3 p, const mat3 *R, double angle, double *q);

#endif
