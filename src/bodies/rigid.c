/* Rigid body in space: position of the centre of mass and a unit quaternion.
 *
 *   q = (r, quaternion)            v = (rdot in global axes, omega in body axes)
 *   m rdotdot = m g                J omegadot = -omega x J omega
 *
 * A frame at x with axes e_i, with w = R omega: xdot = rdot + w x (x - r), e_idot = w x e_i. */
#include <string.h>

#include "bodies/read.h"
#include "math/small.h"

static void structure(const lmb_body *body, int dimension, lmb_structure *out)
{
    (void)body, (void)dimension;
    lmb_structure_node(out, LMB_NODE_SPACE, 0, 0);
}

static void launch(const lmb_body *body, double *v)
{
    mat3 R = frame_rotation(&body->start);
    node_put(v, body->velocity);
    node_put(v + 3, m3_tmul(&R, body->spin));
}

static void update(lmb_body_at *at)
{
    at->pose = lmb_space_pose(at->q);
}

/* A point and three axes, each of which becomes c0 x + c1 y + c2 z; to the point another
 * vector is added. Numbers beyond the third of a vector are overwritten by the next one. */
LMB_PIECE void map_frame(const double *c0, const double *c1, const double *c2, vec3 first,
                         vec3 point, const lmb_frame *from, lmb_frame *to)
{
    const lmb_four a = {c0[0], c0[1], c0[2]}, b = {c1[0], c1[1], c1[2]}, c = {c2[0], c2[1], c2[2]};
    const double *x = &from->p.x;
    double *out = &to->p.x;
    lmb_four p = {first.x, first.y, first.z};
    *(lmb_four *)(void *)out = p + (a * point.x + b * point.y + c * point.z);
    *(lmb_four *)(void *)(out + 3) = a * x[3] + b * x[4] + c * x[5];
    *(lmb_four *)(void *)(out + 6) = a * x[6] + b * x[7] + c * x[8];
    lmb_four last = a * x[9] + b * x[10] + c * x[11];
    to->e[2] = v3(last[0], last[1], last[2]);
}

LMB_WIDE static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    const lmb_frame *pose = &at->pose;
    map_frame(&pose->e[0].x, &pose->e[1].x, &pose->e[2].x, pose->p, marker->local.p, &marker->local,
              x);
}

/* The angular velocity w in global axes of the body-fixed one at `omega`. */
static inline vec3 global(const lmb_body_at *at, const double *omega)
{
    const vec3 *e = at->pose.e;
    return v3_axpy(v3_axpy(v3_scale(omega[0], e[0]), omega[1], e[1]), omega[2], e[2]);
}

/* w x (everything that turns with the body) */
static inline lmb_frame turned(vec3 w, vec3 arm, const lmb_frame *x)
{
    return (lmb_frame){v3_cross(w, arm),
                       {v3_cross(w, x->e[0]), v3_cross(w, x->e[1]), v3_cross(w, x->e[2])}};
}

/* w x (a frame's rates) */
static inline lmb_frame turned_rate(vec3 w, const lmb_frame *rates)
{
    return turned(w, rates->p, rates);
}

/* w x is the matrix with the columns (0, w3, -w2), (-w3, 0, w1), (w2, -w1, 0). */
LMB_WIDE static void frame_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                                const double *w, lmb_frame *out)
{
    (void)marker;
    vec3 spin = global(at, w + 3);
    const double c0[] = {0, spin.z, -spin.y}, c1[] = {-spin.z, 0, spin.x};
    const double c2[] = {spin.y, -spin.x, 0};
    map_frame(c0, c1, c2, v3_of(w), v3_sub(x->p, at->pose.p), x, out);
}

static void frame_bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       lmb_frame *out)
{
    (void)marker;
    vec3 w = global(at, at->v + 3);
    lmb_frame rates = turned(w, v3_sub(x->p, at->pose.p), x);
    *out = turned_rate(w, &rates);
}

static void frame_load(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out)
{
    (void)marker;
    vec3 moment = v3_add(v3_cross(v3_sub(x->p, at->pose.p), force->p), frame_moment(x, force));
    node_put(out, force->p);
    for (int i = 0; i < 3; i++)
        out[3 + i] = v3_dot(at->pose.e[i], moment);
}

static void frame_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns)
{
    (void)marker;
    lmb_frame rates = turned(global(at, w + 3), v3_sub(x->p, at->pose.p), x);
    for (int j = 0; j < 3; j++) {
        columns[j] = frame_zero();
        columns[3 + j] = turned_rate(at->pose.e[j], &rates);
    }
}

static void frame_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix)
{
    (void)marker;
    memset(matrix, 0, 36 * sizeof *matrix);
    vec3 arm = v3_sub(x->p, at->pose.p);
    for (int j = 0; j < 3; j++) {
        vec3 d = at->pose.e[j];
        vec3 change = v3_cross(arm, v3_cross(force->p, d));
        for (int i = 0; i < 3; i++)
            change = v3_add(change, v3_cross(x->e[i], v3_cross(force->e[i], d)));
        for (int i = 0; i < 3; i++)
            matrix[6 * (3 + j) + 3 + i] = v3_dot(at->pose.e[i], change);
    }
}

static void frame_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v)
{
    (void)marker;
    vec3 w = global(at, at->v + 3), arm = v3_sub(x->p, at->pose.p);
    lmb_frame rates = turned(w, arm, x), biased = turned_rate(w, &rates);
    for (int j = 0; j < 3; j++) {
        vec3 d = at->pose.e[j];
        by_q[j] = by_v[j] = frame_zero();
        by_q[3 + j] = turned_rate(d, &biased);
        lmb_frame more = turned(d, arm, x);
        by_v[3 + j] = turned_rate(d, &rates);
        more = turned_rate(w, &more);
        frame_add(&by_v[3 + j], 1, &more);
    }
}

static void mass(const lmb_body_at *at, double *matrix)
{
    const lmb_body *b = at->body;
    memset(matrix, 0, 36 * sizeof *matrix);
    for (int j = 0; j < 3; j++) {
        matrix[6 * j + j] = b->mass;
        node_put(matrix + 6 * (3 + j) + 3, b->inertia.c[j]);
    }
}

static void mass_times(const lmb_body_at *at, const double *a, double *out)
{
    node_put(out, v3_scale(at->body->mass, v3_of(a)));
    node_put(out + 3, m3_mul(&at->body->inertia, v3_of(a + 3)));
}

static void force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    const lmb_body *b = at->body;
    vec3 omega = v3_of(at->v + 3);
    node_put(Q, v3_scale(b->mass, gravity));
    node_put(Q + 3, v3_cross(m3_mul(&b->inertia, omega), omega));
}

static void tangent(const lmb_body_at *at, vec3 gravity, const double *a, const lmb_window *windows)
{
    (void)gravity, (void)a;
    const mat3 *J = &at->body->inertia;
    vec3 omega = v3_of(at->v + 3), momentum = m3_mul(J, omega);
    mat3 axes = m3_identity();
    for (int j = 0; j < 3; j++) { /* d(omega x J omega) */
        vec3 d = axes.c[j];
        vec3 change = v3_add(v3_cross(d, momentum), v3_cross(omega, J->c[j]));
        for (int i = 0; i < 3; i++)
            windows->by_v[windows->stride * (3 + j) + 3 + i] += v3_get(change, i);
    }
}

static void balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    vec3 spin = m3_mul(&at->body->inertia, v3_of(at->v + 3));
    double components[3] = {spin.x, spin.y, spin.z};
    *out =
        lmb_rigid_balance(at, gravity, v3_of(at->v), global(at, at->v + 3), global(at, components));
}

const lmb_body_ops lmb_body_rigid = {
    LMB_BODY_OPERATIONS,      .kind = "rigid",    .turns = true,
    .place = lmb_rigid_place, .tangent = tangent, .mass_times = mass_times,
};

const lmb_body_type lmb_body_type_rigid = {
    .name = "rigid",
    .called = "rigid",
    .doc = "A body that does not deform.",
    .planar = &lmb_body_planar,
    .spatial = &lmb_body_rigid,
    .natural = &lmb_body_natural,
};
