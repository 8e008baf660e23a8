/* Particle: a point mass, and with no coordinates the ground.
 *
 *   q = position (two numbers in the plane, three in space), v = qdot, m vdot = m g
 *
 * Its frames keep the axes they were given: nothing turns. The ground is the same with nq = nv =
 * 0: every loop over its coordinates is empty. */
#include "bodies/read.h"

static vec3 vec_of(const lmb_body *b, const double *a)
{
    return b->nv == 0 ? v3(0, 0, 0) : v3(a[0], a[1], b->nv > 2 ? a[2] : 0);
}

static void structure(const lmb_body *body, int dimension, lmb_structure *out)
{
    if (body->ops != &lmb_body_ground)
        lmb_structure_node(out, LMB_NODE_VECTOR, dimension, 0);
}

static void place(const lmb_body *body, const lmb_frame *pose, double *q)
{
    for (int i = 0; i < body->nq; i++)
        q[i] = v3_get(pose->p, i);
}

static void launch(const lmb_body *body, double *v)
{
    for (int i = 0; i < body->nv; i++)
        v[i] = v3_get(body->velocity, i);
}

static void update(lmb_body_at *at)
{
    at->pose = frame_identity();
    at->pose.p = vec_of(at->body, at->q);
}

static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    *x = marker->local;
    x->p = v3_add(at->pose.p, marker->local.p);
}

static void frame_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out)
{
    (void)marker, (void)x;
    *out = frame_zero();
    out->p = vec_of(at->body, w);
}

static void frame_bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       lmb_frame *out)
{
    (void)marker, (void)at, (void)x;
    *out = frame_zero();
}

static void frame_load(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out)
{
    (void)marker, (void)x;
    for (int i = 0; i < at->body->nv; i++)
        out[i] = v3_get(force->p, i);
}

static void frame_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns)
{
    (void)marker, (void)x, (void)w;
    for (int j = 0; j < at->body->nv; j++)
        columns[j] = frame_zero();
}

static void frame_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix)
{
    (void)marker, (void)x, (void)force;
    int n = at->body->nv;
    for (int i = 0; i < n * n; i++)
        matrix[i] = 0;
}

static void frame_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v)
{
    (void)marker, (void)x;
    for (int j = 0; j < at->body->nv; j++)
        by_q[j] = by_v[j] = frame_zero();
}

static void mass(const lmb_body_at *at, double *matrix)
{
    int n = at->body->nv;
    for (int i = 0; i < n * n; i++)
        matrix[i] = i % (n + 1) == 0 ? at->body->mass : 0;
}

static void force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    for (int i = 0; i < at->body->nv; i++)
        Q[i] = at->body->mass * v3_get(gravity, i);
}

static void balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    vec3 still = v3(0, 0, 0);
    *out = lmb_rigid_balance(at, gravity, vec_of(at->body, at->v), still, still);
}

const lmb_body_ops lmb_body_particle = {LMB_BODY_OPERATIONS, .kind = "particle", .place = place};
const lmb_body_ops lmb_body_ground = {LMB_BODY_OPERATIONS, .kind = "ground", .turns = true,
                                      .place = place};

const lmb_body_type lmb_body_type_particle = {
    .name = "particle",
    .called = "a particle",
    .doc = "A point with mass, which does not turn.",
    .planar = &lmb_body_particle,
    .spatial = &lmb_body_particle,
};
