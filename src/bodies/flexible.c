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

#include "bodies/body.h"
#include "bodies/modal.h"
#include "bodies/turn.h"

/* --- a body now ---------------------------------------------------------------------------------
 */

/* The rigid velocities of a body among the six in space. */
static const int in_space[] = {0, 1, 2, 3, 4, 5}, in_plane[] = {0, 1, 5};

static bool is_planar(const lmb_body *b)
{
    return b->ops == &lmb_body_flexible_planar;
}

static int rigid_count(const lmb_body *b)
{
    return is_planar(b) ? 3 : 6;
}

/* Which of the six rigid velocities the velocity j is. */
static int rigid_of(const lmb_body *b, int j)
{
    return is_planar(b) ? in_plane[j] : in_space[j];
}

/* The j-th of three unit vectors. */
static vec3 axis(int j)
{
    return v3(j == 0, j == 1, j == 2);
}

/* Velocities w of a body taken apart. */
typedef struct speeds {
    vec3 r, omega;
    const double *eta;
} speeds;

static speeds speeds_of(const lmb_body *b, const double *w)
{
    if (is_planar(b))
        return (speeds){v3(w[0], w[1], 0), v3(0, 0, w[2]), w + 3};
    return (speeds){v3(w[0], w[1], w[2]), v3(w[3], w[4], w[5]), w + 6};
}

static const double *eta_of(const lmb_body_at *at)
{
    return at->q + (is_planar(at->body) ? 3 : 7);
}

static mat3 rotation_of(const lmb_body_at *at)
{
    return frame_rotation(&at->pose);
}

/* sum x_k f_k of vectors */
static vec3 sum_of(const vec3 *f, const double *x, int count)
{
    vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < count; k++)
        sum = v3_axpy(sum, x[k], f[k]);
    return sum;
}

/* Stores what belongs to the six rigid velocities, in the rows that the body has. */
static void put_rigid(const lmb_body *b, vec3 force, vec3 moment, double *out)
{
    for (int j = 0; j < rigid_count(b); j++) {
        int k = rigid_of(b, j);
        out[j] = k < 3 ? v3_get(force, k) : v3_get(moment, k - 3);
    }
}

/* --- coordinates --------------------------------------------------------------------------------
 */

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

static void update(lmb_body_at *at)
{
    const double *q = at->q;
    if (is_planar(at->body)) {
        double c = cos(q[2]), s = sin(q[2]);
        at->pose = (lmb_frame){{q[0], q[1], 0}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
        return;
    }
    mat3 R = quat_matrix(quat_of(q));
    at->pose = (lmb_frame){v3(q[0], q[1], q[2]), {R.c[0], R.c[1], R.c[2]}};
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

/* --- frames -------------------------------------------------------------------------------------
 */

/* A marker in the deformed body: on the frame itself, or on an interface point. */
typedef struct place_now {
    const lmb_modal_point *point; /* NULL: on the body frame */
    int modes;
    mat3 R;
    vec3 c; /* from the origin, body axes */
    lmb_turn turn;
    vec3 e[3]; /* axes in body axes */
} place_now;

static place_now place_of(const lmb_body_at *at, const lmb_marker *marker)
{
    const lmb_modal *m = at->body->modal;
    const double *eta = eta_of(at);
    place_now p = {.R = rotation_of(at), .c = marker->local.p};
    vec3 theta = v3(0, 0, 0);
    if (marker->point >= 0) {
        p.point = &m->points[marker->point];
        p.modes = m->modes;
        p.c = v3_add(p.c, sum_of(p.point->psi, eta, m->modes));
        theta = sum_of(p.point->phi, eta, m->modes);
    }
    p.turn = lmb_turn_of(theta);
    mat3 A = quat_matrix(quat_exp(theta));
    for (int i = 0; i < 3; i++)
        p.e[i] = m3_mul(&A, marker->local.e[i]);
    return p;
}

/* The displacement and the rate of turning, both in body axes, for a unit of mode k. */
static vec3 psi_of(const place_now *p, int k)
{
    return p->point ? p->point->psi[k] : v3(0, 0, 0);
}

static vec3 phi_of(const place_now *p, int k)
{
    return p->point ? p->point->phi[k] : v3(0, 0, 0);
}

static vec3 turn_rate(const place_now *p, int k)
{
    return p->point ? lmb_turn_rate(&p->turn, p->point->phi[k]) : v3(0, 0, 0);
}

/* The rates of displacement and of theta for modal velocities. */
static vec3 psi_sum(const place_now *p, const double *etad)
{
    return p->point ? sum_of(p->point->psi, etad, p->modes) : v3(0, 0, 0);
}

static vec3 phi_sum(const place_now *p, const double *etad)
{
    return p->point ? sum_of(p->point->phi, etad, p->modes) : v3(0, 0, 0);
}

/* A frame of vectors in body axes: position part, and axes turned by a rate of turning. */
static lmb_frame to_global(const place_now *p, vec3 move, const vec3 axes[3])
{
    return (lmb_frame){m3_mul(&p->R, move),
                       {m3_mul(&p->R, axes[0]), m3_mul(&p->R, axes[1]), m3_mul(&p->R, axes[2])}};
}

static lmb_frame moved(const place_now *p, vec3 move, vec3 turning)
{
    vec3 axes[3];
    for (int i = 0; i < 3; i++)
        axes[i] = v3_cross(turning, p->e[i]);
    return to_global(p, move, axes);
}

static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    place_now p = place_of(at, marker);
    *x = to_global(&p, p.c, p.e);
    x->p = v3_add(x->p, at->pose.p);
}

static void push(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 const double *w, lmb_frame *out)
{
    (void)x;
    place_now p = place_of(at, marker);
    speeds s = speeds_of(at->body, w);
    vec3 turning = v3_add(s.omega, lmb_turn_rate(&p.turn, phi_sum(&p, s.eta)));
    *out = moved(&p, v3_add(v3_cross(s.omega, p.c), psi_sum(&p, s.eta)), turning);
    out->p = v3_add(out->p, s.r);
}

/* Angular velocity of a marker's axes against global ones, and the part of its rate of change that
 * is not due to accelerations, in body axes. */
typedef struct spin {
    vec3 theta_rate, own; /* of the deformation: theta dot, and T of it */
    vec3 all, bias;
} spin;

static spin spin_of(const place_now *p, const speeds *s)
{
    spin out = {.theta_rate = phi_sum(p, s->eta)};
    out.own = lmb_turn_rate(&p->turn, out.theta_rate);
    out.all = v3_add(s->omega, out.own);
    out.bias = v3_add(v3_cross(s->omega, out.own),
                      lmb_turn_change(&p->turn, out.theta_rate, out.theta_rate));
    return out;
}

static void bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 lmb_frame *out)
{
    (void)x;
    place_now p = place_of(at, marker);
    speeds s = speeds_of(at->body, at->v);
    spin w = spin_of(&p, &s);
    vec3 once = v3_axpy(v3_cross(s.omega, p.c), 2, psi_sum(&p, s.eta)), axes[3];
    for (int i = 0; i < 3; i++)
        axes[i] = v3_add(v3_cross(w.bias, p.e[i]), v3_cross(w.all, v3_cross(w.all, p.e[i])));
    *out = to_global(&p, v3_cross(s.omega, once), axes);
}

/* A force on a marker in body axes: on its point, its moment, and the forces on its axes. */
typedef struct load {
    vec3 force, moment, on_axis[3];
} load;

static load load_of(const place_now *p, const lmb_frame *f)
{
    load l = {.force = m3_tmul(&p->R, f->p), .moment = v3(0, 0, 0)};
    for (int i = 0; i < 3; i++) {
        l.on_axis[i] = m3_tmul(&p->R, f->e[i]);
        l.moment = v3_add(l.moment, v3_cross(p->e[i], l.on_axis[i]));
    }
    return l;
}

static void pull(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                 const lmb_frame *force, double *out)
{
    (void)x;
    place_now p = place_of(at, marker);
    load l = load_of(&p, force);
    put_rigid(at->body, force->p, v3_add(v3_cross(p.c, l.force), l.moment), out);
    out += rigid_count(at->body);
    for (int k = 0; k < at->body->modal->modes; k++)
        out[k] = v3_dot(psi_of(&p, k), l.force) + v3_dot(turn_rate(&p, k), l.moment);
}

static void push_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                         const double *w, lmb_frame *columns)
{
    (void)x;
    place_now p = place_of(at, marker);
    speeds s = speeds_of(at->body, w);
    vec3 move = v3_add(v3_cross(s.omega, p.c), psi_sum(&p, s.eta));
    vec3 theta_rate = phi_sum(&p, s.eta);
    vec3 turning = v3_add(s.omega, lmb_turn_rate(&p.turn, theta_rate));
    int rigid = rigid_count(at->body);
    for (int j = 0; j < rigid; j++) {
        int k = rigid_of(at->body, j);
        vec3 e = axis(k - 3), axes[3];
        for (int i = 0; i < 3; i++)
            axes[i] = v3_cross(e, v3_cross(turning, p.e[i]));
        columns[j] = k < 3 ? frame_zero() : to_global(&p, v3_cross(e, move), axes);
    }
    for (int k = 0; k < at->body->modal->modes; k++) {
        vec3 turned = turn_rate(&p, k), axes[3];
        vec3 change = lmb_turn_change(&p.turn, theta_rate, phi_of(&p, k));
        for (int i = 0; i < 3; i++)
            axes[i] = v3_add(v3_cross(change, p.e[i]), v3_cross(turning, v3_cross(turned, p.e[i])));
        columns[rigid + k] = to_global(&p, v3_cross(s.omega, psi_of(&p, k)), axes);
    }
}

/* The change of the moment of a load when the axes turn by d against the forces on them. */
static vec3 moment_change(const place_now *p, const load *l, vec3 d)
{
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < 3; i++)
        sum = v3_add(sum, v3_cross(v3_cross(d, p->e[i]), l->on_axis[i]));
    return sum;
}

/* The change of the moment in body axes when the whole body turns by d, forces standing still. */
static vec3 moment_turned(const place_now *p, const load *l, vec3 d)
{
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < 3; i++)
        sum = v3_add(sum, v3_cross(p->e[i], v3_cross(l->on_axis[i], d)));
    return sum;
}

/* A column of d(J^T f)/dq: changes of the force and of the moment in body axes, of the arm, and of
 * theta (NULL: not). */
static void pull_column(const lmb_body *b, const place_now *p, const load *l, vec3 force,
                        vec3 moment, vec3 arm, const vec3 *theta, double *column)
{
    vec3 about = v3_add(v3_add(v3_cross(arm, l->force), v3_cross(p->c, force)), moment);
    put_rigid(b, v3(0, 0, 0), about, column);
    column += rigid_count(b);
    for (int k = 0; k < b->modal->modes; k++) {
        column[k] = v3_dot(psi_of(p, k), force) + v3_dot(turn_rate(p, k), moment);
        if (theta)
            column[k] += v3_dot(lmb_turn_change(&p->turn, phi_of(p, k), *theta), l->moment);
    }
}

static void pull_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                         const lmb_frame *force, double *matrix)
{
    (void)x;
    const lmb_body *b = at->body;
    place_now p = place_of(at, marker);
    load l = load_of(&p, force);
    vec3 zero = v3(0, 0, 0);
    int rigid = rigid_count(b);
    memset(matrix, 0, (size_t)b->nv * (size_t)b->nv * sizeof *matrix);
    for (int j = 0; j < rigid; j++) {
        vec3 e = axis(rigid_of(b, j) - 3);
        if (rigid_of(b, j) >= 3)
            pull_column(b, &p, &l, v3_cross(l.force, e), moment_turned(&p, &l, e), zero, NULL,
                        matrix + j * b->nv);
    }
    for (int k = 0; k < b->modal->modes; k++) {
        vec3 phi = phi_of(&p, k);
        pull_column(b, &p, &l, zero, moment_change(&p, &l, turn_rate(&p, k)), psi_of(&p, k), &phi,
                    matrix + (rigid + k) * b->nv);
    }
}

/* The change of bias accelerations of the axes for changes of the axes (turned by d), of the spin
 * and of its bias. */
static void bias_axes(const place_now *p, const spin *w, vec3 d, vec3 all, vec3 biased,
                      vec3 axes[3])
{
    for (int i = 0; i < 3; i++) {
        vec3 e = p->e[i], de = v3_cross(d, e);
        axes[i] = v3_add(v3_cross(biased, e), v3_cross(w->bias, de));
        axes[i] = v3_add(axes[i], v3_cross(all, v3_cross(w->all, e)));
        axes[i] = v3_add(axes[i], v3_cross(w->all, v3_add(v3_cross(all, e), v3_cross(w->all, de))));
    }
}

static void bias_by_rigid(const lmb_body_at *at, const place_now *p, const speeds *s, const spin *w,
                          lmb_frame *by_q, lmb_frame *by_v)
{
    vec3 zero = v3(0, 0, 0), once = v3_axpy(v3_cross(s->omega, p->c), 2, psi_sum(p, s->eta));
    vec3 move = v3_cross(s->omega, once), axes[3];
    for (int j = 0; j < rigid_count(at->body); j++) {
        int k = rigid_of(at->body, j);
        vec3 e = axis(k - 3);
        by_q[j] = by_v[j] = frame_zero();
        if (k < 3)
            continue;
        for (int i = 0; i < 3; i++) {
            vec3 acc =
                v3_add(v3_cross(w->bias, p->e[i]), v3_cross(w->all, v3_cross(w->all, p->e[i])));
            axes[i] = v3_cross(e, acc);
        }
        by_q[j] = to_global(p, v3_cross(e, move), axes);
        bias_axes(p, w, zero, e, v3_cross(e, w->own), axes);
        by_v[j] =
            to_global(p, v3_add(v3_cross(e, once), v3_cross(s->omega, v3_cross(e, p->c))), axes);
    }
}

static void bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                         lmb_frame *by_q, lmb_frame *by_v)
{
    (void)x;
    place_now p = place_of(at, marker);
    speeds s = speeds_of(at->body, at->v);
    spin w = spin_of(&p, &s);
    int rigid = rigid_count(at->body);
    bias_by_rigid(at, &p, &s, &w, by_q, by_v);
    for (int k = 0; k < at->body->modal->modes; k++) {
        vec3 psi = psi_of(&p, k), phi = phi_of(&p, k), turned = turn_rate(&p, k), axes[3];
        vec3 own = lmb_turn_change(&p.turn, w.theta_rate, phi);
        vec3 second = lmb_turn_change2(&p.turn, w.theta_rate, w.theta_rate, phi);
        bias_axes(&p, &w, turned, own, v3_add(v3_cross(s.omega, own), second), axes);
        by_q[rigid + k] = to_global(&p, v3_cross(s.omega, v3_cross(s.omega, psi)), axes);
        vec3 cross = v3_add(lmb_turn_change(&p.turn, phi, w.theta_rate), own);
        bias_axes(&p, &w, v3(0, 0, 0), turned, v3_add(v3_cross(s.omega, turned), cross), axes);
        by_v[rigid + k] = to_global(&p, v3_scale(2, v3_cross(s.omega, psi)), axes);
    }
}

/* --- inertia ------------------------------------------------------------------------------------
 */

/* What inertia depends on at a deformation. */
typedef struct inertia {
    const lmb_modal *m;
    const double *eta;
    vec3 s; /* first moments */
    mat3 J;
} inertia;

/* x += f A */
static void add_matrix(mat3 *x, double f, const mat3 *A)
{
    for (int j = 0; j < 3; j++)
        x->c[j] = v3_axpy(x->c[j], f, A->c[j]);
}

/* dJ/deta_k */
static mat3 J_by(const inertia *i, int k)
{
    mat3 J = i->m->J1[k];
    for (int j = 0; j < i->m->modes; j++)
        add_matrix(&J, i->eta[j], &i->m->J2[j * i->m->modes + k]);
    return J;
}

static inertia inertia_of(const lmb_body_at *at)
{
    const lmb_modal *m = at->body->modal;
    inertia i = {m, eta_of(at), m->s0, m->J0};
    i.s = v3_add(i.s, sum_of(m->S, i.eta, m->modes));
    for (int j = 0; j < m->modes; j++) {
        add_matrix(&i.J, i.eta[j], &m->J1[j]);
        for (int k = 0; k < m->modes; k++)
            add_matrix(&i.J, i.eta[j] * i.eta[k] / 2, &m->J2[j * m->modes + k]);
    }
    return i;
}

/* E_k, and the sums over k of x_k E_k and of x_j E1_jk. */
static vec3 E_of(const inertia *i, int k)
{
    vec3 E = i->m->E0[k];
    for (int j = 0; j < i->m->modes; j++)
        E = v3_axpy(E, i->eta[j], i->m->E1[j * i->m->modes + k]);
    return E;
}

static vec3 E_sum(const inertia *i, const double *x)
{
    vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < i->m->modes; k++)
        sum = v3_axpy(sum, x[k], E_of(i, k));
    return sum;
}

/* dE_k along changes x of eta. */
static vec3 E_rate(const inertia *i, const double *x, int k)
{
    vec3 sum = v3(0, 0, 0);
    for (int j = 0; j < i->m->modes; j++)
        sum = v3_axpy(sum, x[j], i->m->E1[j * i->m->modes + k]);
    return sum;
}

/* d(E x)/deta_k */
static vec3 E_by(const inertia *i, int k, const double *x)
{
    return sum_of(i->m->E1 + k * i->m->modes, x, i->m->modes);
}

/* dJ along changes x of eta. */
static mat3 J_rate(const inertia *i, const double *x)
{
    mat3 sum = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int k = 0; k < i->m->modes; k++) {
        mat3 J = J_by(i, k);
        add_matrix(&sum, x[k], &J);
    }
    return sum;
}

static void mass(const lmb_body_at *at, double *matrix)
{
    const lmb_body *b = at->body;
    inertia i = inertia_of(at);
    mat3 R = rotation_of(at);
    int n = b->nv, rigid = rigid_count(b);
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
    for (int j = 0; j < rigid; j++) {
        int k = rigid_of(b, j);
        vec3 e = axis(k % 3);
        /* B^T R^T e = s x (R^T e);  R B e = R (e x s) */
        vec3 force = k < 3 ? v3_scale(i.m->mass, e) : m3_mul(&R, v3_cross(e, i.s));
        vec3 moment = k < 3 ? v3_cross(i.s, m3_tmul(&R, e)) : i.J.c[k - 3];
        put_rigid(b, force, moment, matrix + j * n);
    }
    for (int k = 0; k < i.m->modes; k++) {
        double *column = matrix + (rigid + k) * n;
        put_rigid(b, m3_mul(&R, i.m->D[k]), E_of(&i, k), column);
        for (int j = 0; j < rigid; j++)
            matrix[j * n + rigid + k] = column[j];
        for (int l = 0; l < i.m->modes; l++)
            column[rigid + l] = i.m->M[k * i.m->modes + l];
    }
}

/* sum_k x_k A_kl of a modal matrix, row l. */
static double row_times(const double *A, const double *x, int modes, int l)
{
    double sum = 0;
    for (int k = 0; k < modes; k++)
        sum += A[k * modes + l] * x[k];
    return sum;
}

/* The velocities that forces of inertia see: none if those are left out. */
static speeds inertial_speeds(const lmb_body *b, const double *v)
{
    vec3 zero = v3(0, 0, 0);
    return b->modal->no_quadratic ? (speeds){zero, zero, b->modal->zeros} : speeds_of(b, v);
}

static void force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    const lmb_body *b = at->body;
    inertia i = inertia_of(at);
    const lmb_modal *m = i.m;
    mat3 R = rotation_of(at), Jdot;
    speeds v = inertial_speeds(b, at->v);
    const double *rate = at->v + rigid_count(b);
    vec3 w = v.omega, g = m3_tmul(&R, gravity), sdot = sum_of(m->S, v.eta, m->modes);
    Jdot = J_rate(&i, v.eta);
    /* Bdot omega + omega x (B omega + D etadot) = 2 omega x sdot + omega x (omega x s) */
    vec3 pull_back = v3_axpy(v3_cross(w, v3_cross(w, i.s)), 2, v3_cross(w, sdot));
    vec3 h = v3_add(m3_mul(&i.J, w), E_sum(&i, v.eta));
    vec3 moment = v3_sub(v3_cross(i.s, g), v3_add(m3_mul(&Jdot, w), v3_cross(w, h)));
    for (int k = 0; k < m->modes; k++)
        moment = v3_axpy(moment, -v.eta[k], E_rate(&i, v.eta, k));
    put_rigid(b, v3_sub(v3_scale(m->mass, gravity), m3_mul(&R, pull_back)), moment, Q);
    Q += rigid_count(b);
    for (int k = 0; k < m->modes; k++) {
        mat3 J = J_by(&i, k);
        Q[k] = v3_dot(m->D[k], g) - v3_dot(E_rate(&i, v.eta, k), w) + v3_dot(w, m3_mul(&J, w)) / 2 +
               v3_dot(w, E_by(&i, k, v.eta)) - row_times(m->K, i.eta, m->modes, k) -
               row_times(m->C, rate, m->modes, k);
    }
}

/* Adds a column of a tangent, given by its parts. */
static void add_column(const lmb_body *b, vec3 on_r, vec3 on_omega, double *column)
{
    for (int j = 0; j < rigid_count(b); j++) {
        int k = rigid_of(b, j);
        column[j] += k < 3 ? v3_get(on_r, k) : v3_get(on_omega, k - 3);
    }
}

/* Along rotations of the body: forces in global axes turn, gravity does not. */
static void tangent_by_rotation(const lmb_body_at *at, const inertia *i, vec3 y, vec3 gamma,
                                double *by_q, int stride)
{
    const lmb_body *b = at->body;
    mat3 R = rotation_of(at);
    for (int j = 0; j < rigid_count(b); j++) {
        int k = rigid_of(b, j);
        if (k < 3)
            continue;
        vec3 e = axis(k - 3), turned = v3_cross(gamma, e);
        add_column(b, m3_mul(&R, v3_cross(e, y)), v3_cross(i->s, turned), by_q + j * stride);
        for (int l = 0; l < i->m->modes; l++)
            by_q[j * stride + rigid_count(b) + l] += v3_dot(i->m->D[l], turned);
    }
}

/* Along modal coordinates. */
static void tangent_by_eta(const lmb_body_at *at, const inertia *i, const speeds *v,
                           const speeds *a, vec3 gamma, double *by_q, int stride)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = i->m;
    mat3 R = rotation_of(at);
    vec3 w = v->omega;
    for (int k = 0; k < m->modes; k++) {
        mat3 J = J_by(i, k), twist = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
        for (int j = 0; j < m->modes; j++)
            add_matrix(&twist, v->eta[j], &m->J2[j * m->modes + k]);
        vec3 y = v3_add(v3_cross(a->omega, m->S[k]), v3_cross(w, v3_cross(w, m->S[k])));
        vec3 h = v3_add(m3_mul(&J, w), E_by(i, k, v->eta));
        vec3 on_omega = v3_add(v3_cross(m->S[k], gamma), m3_mul(&J, a->omega));
        on_omega = v3_add(on_omega, v3_add(E_by(i, k, a->eta), m3_mul(&twist, w)));
        on_omega = v3_add(on_omega, v3_cross(w, h));
        double *column = by_q + (rigid_count(b) + k) * stride;
        add_column(b, m3_mul(&R, y), on_omega, column);
        column += rigid_count(b);
        for (int l = 0; l < m->modes; l++) {
            const mat3 *J2 = &m->J2[l * m->modes + k];
            column[l] += v3_dot(m->E1[k * m->modes + l], a->omega) - v3_dot(w, m3_mul(J2, w)) / 2 +
                         m->K[k * m->modes + l];
        }
    }
}

/* Along velocities. */
static void tangent_by_velocity(const lmb_body_at *at, const inertia *i, const speeds *v,
                                double *by_v, int stride)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = i->m;
    mat3 R = rotation_of(at), Jdot = J_rate(i, v->eta);
    vec3 w = v->omega, sdot = sum_of(m->S, v->eta, m->modes);
    vec3 h = v3_add(m3_mul(&i->J, w), E_sum(i, v->eta));
    int rigid = rigid_count(b);
    for (int j = 0; j < rigid; j++) {
        int k = rigid_of(b, j);
        if (k < 3)
            continue;
        vec3 e = axis(k - 3);
        vec3 y = v3_add(v3_cross(e, v3_cross(w, i->s)), v3_cross(w, v3_cross(e, i->s)));
        y = v3_axpy(y, 2, v3_cross(e, sdot));
        vec3 on_omega =
            v3_add(m3_mul(&Jdot, e), v3_add(v3_cross(e, h), v3_cross(w, m3_mul(&i->J, e))));
        add_column(b, m3_mul(&R, y), on_omega, by_v + j * stride);
        for (int l = 0; l < m->modes; l++) {
            mat3 J = J_by(i, l);
            by_v[j * stride + rigid + l] += v3_dot(E_rate(i, v->eta, l), e) -
                                            v3_dot(e, m3_mul(&J, w)) -
                                            v3_dot(e, E_by(i, l, v->eta));
        }
    }
    for (int k = 0; k < m->modes; k++) {
        mat3 J = J_by(i, k);
        vec3 on_omega = v3_add(m3_mul(&J, w), v3_cross(w, E_of(i, k)));
        on_omega = v3_add(on_omega, v3_add(E_by(i, k, v->eta), E_rate(i, v->eta, k)));
        double *column = by_v + (rigid + k) * stride;
        add_column(b, m3_mul(&R, v3_scale(2, v3_cross(w, m->S[k]))), on_omega, column);
        for (int l = 0; l < m->modes; l++)
            column[rigid + l] += v3_dot(m->E1[k * m->modes + l], w) -
                                 v3_dot(m->E1[l * m->modes + k], w) + m->C[k * m->modes + l];
    }
}

static void tangent(const lmb_body_at *at, vec3 gravity, const double *acceleration, double *by_q,
                    double *by_v, int stride)
{
    const lmb_body *b = at->body;
    inertia i = inertia_of(at);
    const lmb_modal *m = i.m;
    mat3 R = rotation_of(at);
    speeds v = inertial_speeds(b, at->v), a = speeds_of(b, acceleration);
    vec3 gamma = m3_tmul(&R, v3_sub(a.r, gravity)), w = v.omega;
    vec3 y = v3_add(v3_cross(a.omega, i.s), sum_of(m->D, a.eta, m->modes));
    y = v3_add(y, v3_cross(w, v3_cross(w, i.s)));
    y = v3_axpy(y, 2, v3_cross(w, sum_of(m->S, v.eta, m->modes)));
    tangent_by_rotation(at, &i, y, gamma, by_q, stride);
    tangent_by_eta(at, &i, &v, &a, gamma, by_q, stride);
    tangent_by_velocity(at, &i, &v, by_v, stride);
}

static void balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    const lmb_body *b = at->body;
    inertia i = inertia_of(at);
    const lmb_modal *m = i.m;
    mat3 R = rotation_of(at);
    speeds v = speeds_of(b, at->v);
    vec3 vb = m3_tmul(&R, v.r), w = v.omega, r = at->pose.p;
    vec3 p = v3_add(v3_axpy(sum_of(m->D, v.eta, m->modes), m->mass, vb), v3_cross(w, i.s));
    vec3 h = v3_add(v3_add(v3_cross(i.s, vb), m3_mul(&i.J, w)), E_sum(&i, v.eta));
    double modal = 0, elastic = 0;
    for (int k = 0; k < m->modes; k++) {
        double momentum =
            v3_dot(m->D[k], vb) + v3_dot(E_of(&i, k), w) + row_times(m->M, v.eta, m->modes, k);
        modal += v.eta[k] * momentum;
        elastic += i.eta[k] * row_times(m->K, i.eta, m->modes, k) / 2;
    }
    out->kinetic = (v3_dot(vb, p) + v3_dot(w, h) + modal) / 2;
    out->potential = -v3_dot(gravity, v3_axpy(m3_mul(&R, i.s), m->mass, r));
    out->elastic = elastic;
    out->momentum = m3_mul(&R, p);
    out->angular_momentum = v3_add(v3_cross(r, out->momentum), m3_mul(&R, h));
}

static double loss(const lmb_body_at *at)
{
    const lmb_modal *m = at->body->modal;
    const double *etad = at->v + rigid_count(at->body);
    double sum = 0;
    for (int k = 0; k < m->modes; k++)
        sum += etad[k] * row_times(m->C, etad, m->modes, k);
    return sum;
}

static const char *const names[] = {"x", "y", "z", "wx", "wy", "wz"};
static const char *const planar_names[] = {"x", "y", "angle"};

#define OPERATIONS                                                                                 \
    .place = place, .launch = launch, .update = update, .retract = retract,                        \
    .retract_tangent = retract_tangent, .difference = difference, .rate = rate, .frame = frame,    \
    .push = push, .bias = bias, .pull = pull, .push_tangent = push_tangent,                        \
    .pull_tangent = pull_tangent, .bias_tangent = bias_tangent, .mass = mass, .force = force,      \
    .tangent = tangent, .balance = balance, .loss = loss

const lmb_body_ops lmb_body_flexible = {.kind = "flexible",
                                        .nq = 7,
                                        .nv = 6,
                                        .names = names,
                                        .turn_by_taylor = turn_by_taylor,
                                        OPERATIONS};

const lmb_body_ops lmb_body_flexible_planar = {
    .kind = "flexible", .nq = 3, .nv = 3, .names = planar_names, OPERATIONS};
