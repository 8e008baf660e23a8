/* Flexible body in a floating frame, in space or in the plane.
 *
 *   q = (r, quaternion or angle, eta)      v = (rdot, omega in body axes, etadot)
 *
 * r is the origin of the body frame, eta are modal coordinates (bodies/modal.h). In space the six
 * rigid velocities are x, y, z, wx, wy, wz; in the plane x, y and wz of them. A point on the
 * interface p is at r + R c, c = p + sum psi eta, and its axes are R exp(theta~) a, theta = sum phi
 * eta: the exponential, so that they stay orthonormal at any deformation.
 *
 * Equations of motion, with B = -s~ (first moments), gamma = R^T (rddot - g):
 *
 *   m (rddot - g) + R [B omegadot + D etaddot + Bdot omega + omega x (B omega + D etadot)] = F
 *   B^T gamma + J omegadot + E etaddot + Jdot omega + Edot etadot
 *                                      + omega x (J omega + E etadot) = moment
 *   D^T gamma + E^T omegadot + M etaddot + Edot^T omega - (1/2 omega^T J_k omega
 *                                      + omega^T E_k etadot)_k + K eta + C etadot = modal force */
#include <string.h>

#include "bodies/flexible.h"

static quat quat_of(const double *q)
{
    return (quat){q[3], q[4], q[5], q[6]};
}

static void put_quat(double *q, quat p)
{
    q[3] = p.w, q[4] = p.x, q[5] = p.y, q[6] = p.z;
}

static void put(double *out, vec3 a)
{
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
}

/* The undeformed body; where the coordinates are those of a state, deformation is kept by them. */
static void place(const lmb_body *b, const lmb_frame *pose, double *q)
{
    mat3 R = frame_rotation(pose);
    if (is_planar(b)) {
        double angle = atan2(pose->e[0].y, pose->e[0].x);
        q[0] = pose->p.x, q[1] = pose->p.y;
        q[2] = angle + 2 * LMB_PI * round((b->angle - angle) / (2 * LMB_PI));
    } else {
        put(q, pose->p);
        put_quat(q, quat_from_matrix(&R));
    }
    memset(q + (is_planar(b) ? 3 : 7), 0, (size_t)b->modal->modes * sizeof *q);
}

static void launch(const lmb_body *b, double *v)
{
    mat3 R = frame_rotation(&b->start);
    put_rigid(b, b->velocity, is_planar(b) ? b->spin : m3_tmul(&R, b->spin), v);
    memset(v + rigid_count(b), 0, (size_t)b->modal->modes * sizeof *v);
}

static struct lmb_deformed *make_room(const lmb_body *b, lmb_arena *arena)
{
    const lmb_modal *m = b->modal;
    struct lmb_deformed *d = lmb_arena_alloc(arena, 1, sizeof *d);
    if (!d)
        return NULL;
    d->points = lmb_arena_alloc(arena, (size_t)m->point_count, sizeof *d->points);
    d->change = lmb_arena_numbers(arena, LMB_CHANGES * m->modes);
    d->room = lmb_arena_numbers(arena, 2 * LMB_CHANGES * m->modes);
    return d->points && d->change && d->room ? d : NULL;
}

static void update(lmb_body_at *at)
{
    const double *q = at->q, *eta = eta_of(at);
    const lmb_modal *m = at->body->modal;
    if (is_planar(at->body)) {
        double c = cos(q[2]), s = sin(q[2]);
        at->pose = (lmb_frame){{q[0], q[1], 0}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    } else {
        mat3 R = quat_matrix(quat_of(q));
        at->pose = (lmb_frame){v3(q[0], q[1], q[2]), {R.c[0], R.c[1], R.c[2]}};
    }
    for (int p = 0; p < m->point_count; p++) {
        lmb_deformed_point *d = &at->deformed->points[p];
        vec3 theta = sum_of(m->points[p].phi, eta, m->modes);
        d->u = sum_of(m->points[p].psi, eta, m->modes);
        d->turn = lmb_turn_of(theta);
        d->A = quat_matrix(quat_exp(theta));
    }
    lmb_flexible_deform(at);
}

static void retract(const lmb_body *b, const double *q, const double *d, double *out)
{
    int modes = b->modal->modes, rigid = rigid_count(b), first = is_planar(b) ? 3 : 7;
    if (is_planar(b)) {
        for (int i = 0; i < 3; i++)
            out[i] = q[i] + d[i];
    } else {
        quat p = quat_normalised(quat_mul(quat_of(q), quat_exp(v3(d[3], d[4], d[5]))));
        for (int i = 0; i < 3; i++)
            out[i] = q[i] + d[i];
        put_quat(out, p);
    }
    for (int k = 0; k < modes; k++)
        out[first + k] = q[first + k] + d[rigid + k];
}

static void difference(const lmb_body *b, const double *q0, const double *q1, double *d)
{
    int modes = b->modal->modes, rigid = rigid_count(b), first = is_planar(b) ? 3 : 7;
    for (int i = 0; i < 3; i++)
        d[i] = q1[i] - q0[i];
    if (!is_planar(b))
        put(d + 3, quat_log(quat_mul(quat_conjugate(quat_of(q0)), quat_of(q1))));
    for (int k = 0; k < modes; k++)
        d[rigid + k] = q1[first + k] - q0[first + k];
}

/* The rotation part is that of a rigid body; all else adds up. */
static bool retract_tangent(const lmb_body *b, const double *d, double *T)
{
    if (is_planar(b))
        return false;
    int n = b->nv;
    double rigid[36];
    lmb_body_rigid.retract_tangent(b, d, rigid);
    memset(T, 0, (size_t)n * (size_t)n * sizeof *T);
    for (int j = 0; j < n; j++)
        T[j * n + j] = 1;
    for (int j = 3; j < 6; j++)
        for (int i = 3; i < 6; i++)
            T[j * n + i] = rigid[6 * j + i];
    return true;
}

static void turn_by_taylor(const lmb_body *b, const double *q, double h, const double *v,
                           const double *a, double *out)
{
    lmb_body_rigid.turn_by_taylor(b, q, h, v, a, out);
}

static void rate(const lmb_body *b, const double *q, const double *v, double *qdot)
{
    int modes = b->modal->modes, rigid = rigid_count(b), first = is_planar(b) ? 3 : 7;
    for (int i = 0; i < 3; i++)
        qdot[i] = v[i];
    if (!is_planar(b))
        put_quat(qdot, quat_mul(quat_of(q), (quat){0, v[3] / 2, v[4] / 2, v[5] / 2}));
    for (int k = 0; k < modes; k++)
        qdot[first + k] = v[rigid + k];
}

static const char *const names[] = {"x", "y", "z", "wx", "wy", "wz"};
static const char *const planar_names[] = {"x", "y", "angle"};

#define OPERATIONS                                                                                 \
    .place = place, .launch = launch, .make_room = make_room, .update = update,                    \
    .retract = retract, .retract_tangent = retract_tangent, .difference = difference,              \
    .rate = rate, .frame = lmb_flexible_frame, .push = lmb_flexible_push,                          \
    .bias = lmb_flexible_bias, .pull = lmb_flexible_pull,                                          \
    .push_tangent = lmb_flexible_push_tangent, .pull_tangent = lmb_flexible_pull_tangent,          \
    .bias_tangent = lmb_flexible_bias_tangent, .mass = lmb_flexible_mass,                          \
    .mass_times = lmb_flexible_mass_times, .force = lmb_flexible_force,                            \
    .tangent = lmb_flexible_tangent, .balance = lmb_flexible_balance, .loss = lmb_flexible_loss

const lmb_body_ops lmb_body_flexible = {.kind = "flexible",
                                        .nq = 7,
                                        .nv = 6,
                                        .names = names,
                                        .turn_by_taylor = turn_by_taylor,
                                        OPERATIONS};

const lmb_body_ops lmb_body_flexible_planar = {
    .kind = "flexible", .nq = 3, .nv = 3, .names = planar_names, OPERATIONS};
