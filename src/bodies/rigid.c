/* Rigid body in space: position of the centre of mass and a unit quaternion.
 *
 *   q = (r, quaternion)            v = (rdot in global axes, omega in body axes)
 *   m rdotdot = m g                J omegadot = -omega x J omega
 *
 * A frame at x with axes e_i, with w = R omega: xdot = rdot + w x (x - r), e_idot = w x e_i. */
#include <string.h>

#include "bodies/body.h"

static vec3 vec_of(const double *a)
{
    return v3(a[0], a[1], a[2]);
}

static void put(double *out, vec3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

static quat quat_of(const double *q)
{
    return (quat){q[3], q[4], q[5], q[6]};
}

static void put_quat(double *q, quat p)
{
    q[3] = p.w;
    q[4] = p.x;
    q[5] = p.y;
    q[6] = p.z;
}

static void place(const lmb_body *body, const lmb_frame *pose, double *q)
{
    (void)body;
    mat3 R = frame_rotation(pose);
    put(q, pose->p);
    put_quat(q, quat_from_matrix(&R));
}

static void launch(const lmb_body *body, double *v)
{
    mat3 R = frame_rotation(&body->start);
    put(v, body->velocity);
    put(v + 3, m3_tmul(&R, body->spin));
}

static void update(lmb_body_at *at)
{
    mat3 R = quat_matrix(quat_of(at->q));
    at->pose = (lmb_frame){vec_of(at->q), {R.c[0], R.c[1], R.c[2]}};
}

static void retract(const lmb_body *body, const double *q, const double *d, double *out)
{
    (void)body;
    quat p = quat_mul(quat_of(q), quat_exp(vec_of(d + 3)));
    put(out, v3_add(vec_of(q), vec_of(d)));
    put_quat(out, quat_normalised(p));
}

/* Right tangent of the exponential: 1 - (1 - cos x)/x^2 r~ + (x - sin x)/x^3 r~^2, x = |r|. */
static bool retract_tangent(const lmb_body *body, const double *d, double *T)
{
    (void)body;
    vec3 r = vec_of(d + 3);
    double x2 = v3_dot(r, r), x = sqrt(x2), b, c;
    if (x2 < 1e-4) { /* series to 1e-16 */
        b = 0.5 - x2 / 24 * (1 - x2 / 30 * (1 - x2 / 56));
        c = 1.0 / 6 - x2 / 120 * (1 - x2 / 42 * (1 - x2 / 72));
    } else {
        b = (1 - cos(x)) / x2;
        c = (x - sin(x)) / (x2 * x);
    }
    mat3 axes = m3_identity();
    memset(T, 0, 36 * sizeof *T);
    for (int j = 0; j < 3; j++) {
        vec3 once = v3_cross(r, axes.c[j]), twice = v3_cross(r, once);
        T[6 * j + j] = 1;
        put(T + 6 * (3 + j) + 3, v3_axpy(v3_axpy(axes.c[j], -b, once), c, twice));
    }
    return true;
}

static void difference(const lmb_body *body, const double *q0, const double *q1, double *d)
{
    (void)body;
    put(d, v3_sub(vec_of(q1), vec_of(q0)));
    put(d + 3, quat_log(quat_mul(quat_conjugate(quat_of(q0)), quat_of(q1))));
}

static void turn_by_taylor(const lmb_body *body, const double *q, double h, const double *v,
                           const double *a, double *out)
{
    (void)body;
    vec3 w = vec_of(v + 3), wdot = vec_of(a + 3);
    mat3 turn = m3_identity();
    for (int j = 0; j < 3; j++) {
        vec3 e = turn.c[j], once = v3_cross(w, e);
        vec3 second = v3_add(v3_cross(w, once), v3_cross(wdot, e));
        turn.c[j] = v3_axpy(v3_axpy(e, h, once), h * h / 2, second);
    }
    put_quat(out, quat_normalised(quat_mul(quat_of(q), quat_from_matrix(&turn))));
}

static void rate(const lmb_body *body, const double *q, const double *v, double *qdot)
{
    (void)body;
    put(qdot, vec_of(v));
    put_quat(qdot, quat_mul(quat_of(q), (quat){0, v[3] / 2, v[4] / 2, v[5] / 2}));
}

static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    *x = frame_compose(&at->pose, &marker->local);
}

/* The angular velocity w in global axes of the body-fixed one at `omega`. */
static vec3 global(const lmb_body_at *at, const double *omega)
{
    const vec3 *e = at->pose.e;
    return v3_axpy(v3_axpy(v3_scale(omega[0], e[0]), omega[1], e[1]), omega[2], e[2]);
}

/* w x (everything that turns with the body) */
static lmb_frame turned(vec3 w, vec3 arm, const lmb_frame *x)
{
    return (lmb_frame){v3_cross(w, arm),
                       {v3_cross(w, x->e[0]), v3_cross(w, x->e[1]), v3_cross(w, x->e[2])}};
}

/* w x (a frame's rates) */
static lmb_frame turned_rate(vec3 w, const lmb_frame *rates)
{
    return turned(w, rates->p, rates);
}

static void push(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 const double *w, lmb_frame *out)
{
    (void)marker;
    *out = turned(global(at, w + 3), v3_sub(x->p, at->pose.p), x);
    out->p = v3_add(out->p, vec_of(w));
}

static void bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 lmb_frame *out)
{
    (void)marker;
    vec3 w = global(at, at->v + 3);
    lmb_frame rates = turned(w, v3_sub(x->p, at->pose.p), x);
    *out = turned_rate(w, &rates);
}

static void pull(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 const lmb_frame *force, double *out)
{
    (void)marker;
    vec3 moment = v3_add(v3_cross(v3_sub(x->p, at->pose.p), force->p), frame_moment(x, force));
    put(out, force->p);
    for (int i = 0; i < 3; i++)
        out[3 + i] = v3_dot(at->pose.e[i], moment);
}

static void push_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                         const double *w, lmb_frame *columns)
{
    (void)marker;
    lmb_frame rates = turned(global(at, w + 3), v3_sub(x->p, at->pose.p), x);
    for (int j = 0; j < 3; j++) {
        columns[j] = frame_zero();
        columns[3 + j] = turned_rate(at->pose.e[j], &rates);
    }
}

static void pull_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
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

static void bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
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
        put(matrix + 6 * (3 + j) + 3, b->inertia.c[j]);
    }
}

static void force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    const lmb_body *b = at->body;
    vec3 omega = vec_of(at->v + 3);
    put(Q, v3_scale(b->mass, gravity));
    put(Q + 3, v3_cross(m3_mul(&b->inertia, omega), omega));
}

static void tangent(const lmb_body_at *at, vec3 gravity, const double *a, double *by_q,
                    double *by_v, int stride)
{
    (void)gravity, (void)a, (void)by_q;
    const mat3 *J = &at->body->inertia;
    vec3 omega = vec_of(at->v + 3), momentum = m3_mul(J, omega);
    mat3 axes = m3_identity();
    for (int j = 0; j < 3; j++) { /* d(omega x J omega) */
        vec3 d = axes.c[j];
        vec3 change = v3_add(v3_cross(d, momentum), v3_cross(omega, J->c[j]));
        for (int i = 0; i < 3; i++)
            by_v[stride * (3 + j) + 3 + i] += v3_get(change, i);
    }
}

static void balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    const lmb_body *b = at->body;
    vec3 rdot = vec_of(at->v), omega = vec_of(at->v + 3), r = at->pose.p;
    vec3 spin = m3_mul(&b->inertia, omega);
    double spin_components[3] = {spin.x, spin.y, spin.z};
    out->kinetic = b->mass * v3_dot(rdot, rdot) / 2 + v3_dot(omega, spin) / 2;
    out->potential = -b->mass * v3_dot(gravity, r);
    out->momentum = v3_scale(b->mass, rdot);
    out->angular_momentum = v3_add(v3_cross(r, out->momentum), global(at, spin_components));
}

static const char *const names[] = {"x", "y", "z", "wx", "wy", "wz"};

const lmb_body_ops lmb_body_rigid = {
    .kind = "rigid",
    .nq = 7,
    .nv = 6,
    .names = names,
    .place = place,
    .launch = launch,
    .update = update,
    .retract = retract,
    .retract_tangent = retract_tangent,
    .difference = difference,
    .turn_by_taylor = turn_by_taylor,
    .rate = rate,
    .frame = frame,
    .push = push,
    .bias = bias,
    .pull = pull,
    .push_tangent = push_tangent,
    .pull_tangent = pull_tangent,
    .bias_tangent = bias_tangent,
    .mass = mass,
    .force = force,
    .tangent = tangent,
    .balance = balance,
};
