/* Frames of the flexible body: markers on its own frame and on its interface points. */
#include "bodies/flexible.h"

#include <string.h>

/* The point of a marker in the deformed body: what velocities and forces need of it. */
typedef struct arm {
    const lmb_modal_point *point; /* an interface point, or the body frame, which has no modes */
    int modes;
    vec3 c; /* from the origin, body axes */
    const lmb_rotvec *turn;
} arm;

/* The same with its axes. */
typedef struct place_now {
    const lmb_modal_point *point;
    int modes;
    vec3 c;
    const lmb_rotvec *turn;
    mat3 R;
    vec3 e[3]; /* axes in body axes */
} place_now;

static const lmb_rotvec no_turn = {.s = 1, .a = 0.5, .b = 1.0 / 6};
static const lmb_modal_point body_frame = {0};

static arm arm_of(const lmb_body_at *at, const lmb_marker *marker)
{
    const lmb_modal *m = modal_of(at->body);
    if (marker->point < 0)
        return (arm){&body_frame, 0, marker->local.p, &no_turn};
    const lmb_deformed_point *d = &deformed_of(at)->points[marker->point];
    return (arm){&m->points[marker->point], m->modes, v3_add(marker->local.p, d->u), &d->turn};
}

static place_now place_of(const lmb_body_at *at, const lmb_marker *marker)
{
    arm a = arm_of(at, marker);
    place_now p = {a.point, a.modes, a.c, a.turn, .R = rotation_of(at)};
    for (int i = 0; i < 3; i++)
        p.e[i] = marker->point < 0
                     ? marker->local.e[i]
                     : m3_mul(&deformed_of(at)->points[marker->point].A, marker->local.e[i]);
    return p;
}

/* The rate of turning, in body axes, for a unit of mode k. */
static vec3 turn_rate(const place_now *p, int k)
{
    return lmb_rotvec_T_back(p->turn, p->point->phi[k]);
}

/* The rates of displacement and of theta for modal velocities. */
static vec3 psi_sum(const place_now *p, const double *etad)
{
    return sum_of(p->point->psi, etad, p->modes);
}

static vec3 phi_sum(const place_now *p, const double *etad)
{
    return sum_of(p->point->phi, etad, p->modes);
}

/* A frame of vectors in body axes: position part, and axes turned by a rate of turning. */
static lmb_frame to_global(const place_now *p, vec3 move, const vec3 axes[3])
{
    return (lmb_frame){m3_mul(&p->R, move),
                       {m3_mul(&p->R, axes[0]), m3_mul(&p->R, axes[1]), m3_mul(&p->R, axes[2])}};
}

void lmb_flexible_frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    place_now p = place_of(at, marker);
    *x = to_global(&p, p.c, p.e);
    x->p = v3_add(x->p, at->pose.p);
}

void lmb_flexible_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out)
{
    arm p = arm_of(at, marker);
    speeds s = speeds_of(at->body, w);
    vec3 turning = s.omega, move = v3_cross(s.omega, p.c);
    if (p.modes) {
        turning = v3_add(turning, lmb_rotvec_T_back(p.turn, sum_of(p.point->phi, s.eta, p.modes)));
        move = v3_add(move, sum_of(p.point->psi, s.eta, p.modes));
    }
    mat3 R = rotation_of(at);
    turning = m3_mul(&R, turning);
    out->p = v3_add(s.r, m3_mul(&R, move));
    for (int i = 0; i < 3; i++)
        out->e[i] = v3_cross(turning, x->e[i]);
}

void lmb_flexible_columns(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                          lmb_frame *columns)
{
    arm p = arm_of(at, marker);
    mat3 R = rotation_of(at), turn;
    int rigid = rigid_count(at->body);
    for (int j = 0; j < rigid; j++) {
        int k = rigid_of(at->body, j);
        vec3 e = v3_axis(k % 3), turning = k < 3 ? v3(0, 0, 0) : R.c[k - 3];
        columns[j].p = k < 3 ? e : m3_mul(&R, v3_cross(e, p.c));
        for (int i = 0; i < 3; i++)
            columns[j].e[i] = v3_cross(turning, x->e[i]);
    }
    for (int j = 0; j < 3; j++)
        turn.c[j] = m3_mul(&R, lmb_rotvec_T_back(p.turn, v3_axis(j)));
    for (int k = 0; k < p.modes; k++) {
        lmb_frame *column = &columns[rigid + k];
        vec3 turning = m3_mul(&turn, p.point->phi[k]);
        column->p = m3_mul(&R, p.point->psi[k]);
        for (int i = 0; i < 3; i++)
            column->e[i] = v3_cross(turning, x->e[i]);
    }
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
    out.own = lmb_rotvec_T_back(p->turn, out.theta_rate);
    out.all = v3_add(s->omega, out.own);
    out.bias = v3_add(v3_cross(s->omega, out.own),
                      lmb_rotvec_T_back_change(p->turn, out.theta_rate, out.theta_rate));
    return out;
}

void lmb_flexible_bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
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

void lmb_flexible_load(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out)
{
    arm p = arm_of(at, marker);
    mat3 R = rotation_of(at);
    vec3 f = m3_tmul(&R, force->p), moment = m3_tmul(&R, frame_moment(x, force));
    put_rigid(at->body, force->p, v3_add(v3_cross(p.c, f), moment), out);
    vec3 turning = p.modes ? lmb_rotvec_T(p.turn, moment) : moment;
    out += rigid_count(at->body);
    for (int k = 0; k < p.modes; k++)
        out[k] = v3_dot(p.point->psi[k], f) + v3_dot(p.point->phi[k], turning);
}

void lmb_flexible_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns)
{
    (void)x;
    place_now p = place_of(at, marker);
    speeds s = speeds_of(at->body, w);
    vec3 move = v3_add(v3_cross(s.omega, p.c), psi_sum(&p, s.eta));
    vec3 theta_rate = phi_sum(&p, s.eta);
    vec3 turning = v3_add(s.omega, lmb_rotvec_T_back(p.turn, theta_rate));
    int rigid = rigid_count(at->body);
    for (int j = 0; j < rigid; j++) {
        int k = rigid_of(at->body, j);
        vec3 e = v3_axis(k - 3), axes[3];
        for (int i = 0; i < 3; i++)
            axes[i] = v3_cross(e, v3_cross(turning, p.e[i]));
        columns[j] = k < 3 ? frame_zero() : to_global(&p, v3_cross(e, move), axes);
    }
    for (int k = 0; k < p.modes; k++) {
        vec3 turned = turn_rate(&p, k), axes[3];
        vec3 change = lmb_rotvec_T_back_change(p.turn, theta_rate, p.point->phi[k]);
        for (int i = 0; i < 3; i++)
            axes[i] = v3_add(v3_cross(change, p.e[i]), v3_cross(turning, v3_cross(turned, p.e[i])));
        columns[rigid + k] = to_global(&p, v3_cross(s.omega, p.point->psi[k]), axes);
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

/* A column of d(J^T f)/dq when the whole body turns by d, forces standing still: the change of the
 * force and of the moment in body axes. */
static void load_column(const lmb_body *b, const place_now *p, const load *l, vec3 d,
                        double *column)
{
    vec3 force = v3_cross(l->force, d), moment = moment_turned(p, l, d);
    put_rigid(b, v3(0, 0, 0), v3_add(v3_cross(p->c, force), moment), column);
    column += rigid_count(b);
    vec3 turning = lmb_rotvec_T(p->turn, moment);
    for (int k = 0; k < p->modes; k++)
        column[k] = v3_dot(p->point->psi[k], force) + v3_dot(p->point->phi[k], turning);
}

/* What a change of theta does to the moment, and to T(theta) times the moment: both are linear. */
static void moment_by_theta(const place_now *p, const load *l, mat3 *moment, mat3 *turning)
{
    for (int j = 0; j < 3; j++) {
        vec3 e = v3_axis(j), of_T;
        moment->c[j] = moment_change(p, l, lmb_rotvec_T_back(p->turn, e));
        of_T = v3(v3_dot(lmb_rotvec_T_back_change(p->turn, v3_axis(0), e), l->moment),
                  v3_dot(lmb_rotvec_T_back_change(p->turn, v3_axis(1), e), l->moment),
                  v3_dot(lmb_rotvec_T_back_change(p->turn, v3_axis(2), e), l->moment));
        turning->c[j] = v3_add(lmb_rotvec_T(p->turn, moment->c[j]), of_T);
    }
}

void lmb_flexible_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix)
{
    (void)x;
    const lmb_body *b = at->body;
    place_now p = place_of(at, marker);
    load l = load_of(&p, force);
    int rigid = rigid_count(b), n = rigid + p.modes;
    for (int j = 0; j < rigid; j++) {
        memset(matrix + j * n, 0, (size_t)n * sizeof *matrix);
        if (rigid_of(b, j) >= 3)
            load_column(b, &p, &l, v3_axis(rigid_of(b, j) - 3), matrix + j * n);
    }
    if (p.modes == 0)
        return;
    mat3 moment, turning;
    moment_by_theta(&p, &l, &moment, &turning);
    for (int k = 0; k < p.modes; k++) {
        vec3 phi = p.point->phi[k], turned = m3_mul(&turning, phi);
        double *column = matrix + (rigid + k) * n;
        put_rigid(b, v3(0, 0, 0), v3_add(v3_cross(p.point->psi[k], l.force), m3_mul(&moment, phi)),
                  column);
        for (int i = 0; i < p.modes; i++)
            column[rigid + i] = v3_dot(p.point->phi[i], turned);
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
        vec3 e = v3_axis(k - 3);
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

void lmb_flexible_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v)
{
    (void)x;
    place_now p = place_of(at, marker);
    speeds s = speeds_of(at->body, at->v);
    spin w = spin_of(&p, &s);
    int rigid = rigid_count(at->body);
    bias_by_rigid(at, &p, &s, &w, by_q, by_v);
    for (int k = 0; k < p.modes; k++) {
        vec3 psi = p.point->psi[k], phi = p.point->phi[k], turned = turn_rate(&p, k), axes[3];
        vec3 own = lmb_rotvec_T_back_change(p.turn, w.theta_rate, phi);
        vec3 second = lmb_rotvec_T_back_change2(p.turn, w.theta_rate, w.theta_rate, phi);
        bias_axes(&p, &w, turned, own, v3_add(v3_cross(s.omega, own), second), axes);
        by_q[rigid + k] = to_global(&p, v3_cross(s.omega, v3_cross(s.omega, psi)), axes);
        vec3 cross = v3_add(lmb_rotvec_T_back_change(p.turn, phi, w.theta_rate), own);
        bias_axes(&p, &w, v3(0, 0, 0), turned, v3_add(v3_cross(s.omega, turned), cross), axes);
        by_v[rigid + k] = to_global(&p, v3_scale(2, v3_cross(s.omega, psi)), axes);
    }
}
