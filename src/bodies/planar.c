/* Rigid body in the plane: q = (x, y, angle) of the centre of mass, v = qdot,
 * M = diag(m, m, I).
 *
 * A frame at p with axes e_i turns about z: pdot = rdot + omega z x (p - r). */
#include <string.h>

#include "bodies/body.h"

/* z x a */
static vec3 quarter_turn(vec3 a)
{
    return v3(-a.y, a.x, 0);
}

/* the change of everything that turns with the body, for a unit angle */
static lmb_frame turned(const lmb_body_at *at, const lmb_frame *x)
{
    return (lmb_frame){quarter_turn(v3_sub(x->p, at->pose.p)),
                       {quarter_turn(x->e[0]), quarter_turn(x->e[1]), {0, 0, 0}}};
}

/* the same turned twice: -(p - r), -e1, -e2 */
static lmb_frame turned_twice(const lmb_body_at *at, const lmb_frame *x)
{
    vec3 arm = v3_sub(x->p, at->pose.p);
    return (lmb_frame){{-arm.x, -arm.y, 0},
                       {{-x->e[0].x, -x->e[0].y, 0}, {-x->e[1].x, -x->e[1].y, 0}, {0, 0, 0}}};
}

static void structure(const lmb_body *body, int dimension, lmb_structure *out)
{
    (void)body, (void)dimension;
    lmb_structure_node(out, LMB_NODE_PLANE, 3, 0);
}

static void launch(const lmb_body *body, double *v)
{
    v[0] = body->velocity.x;
    v[1] = body->velocity.y;
    v[2] = body->spin.z;
}

static void update(lmb_body_at *at)
{
    at->pose = lmb_plane_pose(at->q);
}

static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    const lmb_frame *l = &marker->local;
    double c = at->pose.e[0].x, s = at->pose.e[0].y;
    x->p = v3(at->pose.p.x + c * l->p.x - s * l->p.y, at->pose.p.y + s * l->p.x + c * l->p.y, 0);
    for (int i = 0; i < 2; i++)
        x->e[i] = v3(c * l->e[i].x - s * l->e[i].y, s * l->e[i].x + c * l->e[i].y, 0);
    x->e[2] = v3(0, 0, 1);
}

static void frame_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out)
{
    (void)marker;
    lmb_frame turn = turned(at, x);
    *out = frame_zero();
    frame_add(out, w[2], &turn);
    out->p = v3_add(out->p, v3(w[0], w[1], 0));
}

static void frame_bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       lmb_frame *out)
{
    (void)marker;
    lmb_frame turn = turned_twice(at, x);
    *out = frame_zero();
    frame_add(out, at->v[2] * at->v[2], &turn);
}

static void frame_load(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out)
{
    (void)marker;
    vec3 arm = v3_sub(x->p, at->pose.p);
    out[0] = force->p.x;
    out[1] = force->p.y;
    out[2] = arm.x * force->p.y - arm.y * force->p.x;
    for (int i = 0; i < 2; i++)
        out[2] += x->e[i].x * force->e[i].y - x->e[i].y * force->e[i].x;
}

static void frame_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns)
{
    (void)marker;
    lmb_frame turn = turned_twice(at, x);
    columns[0] = columns[1] = columns[2] = frame_zero();
    frame_add(&columns[2], w[2], &turn);
}

static void frame_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix)
{
    (void)marker;
    lmb_frame turn = turned_twice(at, x);
    memset(matrix, 0, 9 * sizeof *matrix);
    matrix[8] = frame_dot(&turn, force);
}

static void frame_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v)
{
    (void)marker;
    double omega = at->v[2];
    lmb_frame once = turned(at, x), twice = turned_twice(at, x);
    for (int j = 0; j < 3; j++)
        by_q[j] = by_v[j] = frame_zero();
    frame_add(&by_q[2], -omega * omega, &once); /* turned three times is turned back once */
    frame_add(&by_v[2], 2 * omega, &twice);
}

static void mass(const lmb_body_at *at, double *matrix)
{
    memset(matrix, 0, 9 * sizeof *matrix);
    matrix[0] = matrix[4] = at->body->mass;
    matrix[8] = at->body->inertia.c[2].z;
}

static void mass_times(const lmb_body_at *at, const double *a, double *out)
{
    out[0] = at->body->mass * a[0];
    out[1] = at->body->mass * a[1];
    out[2] = at->body->inertia.c[2].z * a[2];
}

static void force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    Q[0] = at->body->mass * gravity.x;
    Q[1] = at->body->mass * gravity.y;
    Q[2] = 0;
}

static void balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    vec3 omega = v3(0, 0, at->v[2]), spin = v3(0, 0, at->body->inertia.c[2].z * at->v[2]);
    *out = lmb_rigid_balance(at, gravity, v3(at->v[0], at->v[1], 0), omega, spin);
}

const lmb_body_ops lmb_body_planar = {
    LMB_BODY_OPERATIONS,      .kind = "planar",         .turns = true,
    .place = lmb_rigid_place, .mass_times = mass_times,
};
