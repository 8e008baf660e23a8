/* Flexible body in a floating frame that has natural coordinates (bodies/natural.h): its frames.
 *
 *   q = (r, axes, eta)      v = qdot
 *
 * A point on the interface is at r + R c, c = p + sum psi eta, and its axes are R exp(theta~) a,
 * theta = sum phi eta, as those of the flexible body in reference-point coordinates. With C = Rdot,
 * e = exp(theta~) a and w the angular velocity of the deformation, T(theta) thetadot:
 *
 *   rdot + C c + R cdot                      C e + R (w x e)
 *   bias  2 C cdot                           2 C (w x e) + R (b x e + w x (w x e)),  b = Tdot
 * thetadot
 */
#include <string.h>

#include "bodies/natural_flexible.h"

/* The place of a marker in the deformed body, in body axes. */
typedef struct place_now {
    const lmb_modal_point *point; /* NULL: on the body frame, which has no modes */
    int modes;
    lmb_frame local; /* c and the axes e */
    const lmb_rotvec *turn;
    mat3 R;
} place_now;

static place_now place_of(const lmb_body_at *at, const lmb_marker *marker)
{
    static const lmb_rotvec no_turn = {.s = 1, .a = 0.5, .b = 1.0 / 6};
    const lmb_modal *m = modal_of(at->body);
    place_now p = {.local = marker->local, .turn = &no_turn, .R = frame_rotation(&at->pose)};
    if (marker->point < 0)
        return p;
    const lmb_deformed_point *d = &deformed_of(at)->points[marker->point];
    p.point = &m->points[marker->point];
    p.modes = m->modes;
    p.turn = &d->turn;
    p.local.p = v3_add(p.local.p, d->u);
    for (int i = 0; i < 3; i++)
        p.local.e[i] = m3_mul(&d->A, marker->local.e[i]);
    return p;
}

/* Rates of the deformation at the place: of c, of theta, and the angular velocity. */
typedef struct deforming {
    vec3 c, theta, w;
} deforming;

static deforming deforming_of(const place_now *p, const double *etad)
{
    deforming d = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (p->modes) {
        d.c = sum_of(p->point->psi, etad, p->modes);
        d.theta = sum_of(p->point->phi, etad, p->modes);
        d.w = lmb_rotvec_T_back(p->turn, d.theta);
    }
    return d;
}

static deforming deforming_by(const place_now *p, int k)
{
    return (deforming){p->point->psi[k], p->point->phi[k],
                       lmb_rotvec_T_back(p->turn, p->point->phi[k])};
}

/* c and the axes changed by a deformation. */
static lmb_frame changed(const place_now *p, const deforming *d)
{
    return (lmb_frame){d->c,
                       {v3_cross(d->w, p->local.e[0]), v3_cross(d->w, p->local.e[1]),
                        v3_cross(d->w, p->local.e[2])}};
}

/* R x of a frame in body axes. */
static lmb_frame times(const mat3 *R, const lmb_frame *x)
{
    return (lmb_frame){m3_mul(R, x->p),
                       {m3_mul(R, x->e[0]), m3_mul(R, x->e[1]), m3_mul(R, x->e[2])}};
}

static void frame(const lmb_body_at *at, const lmb_marker *marker, lmb_frame *x)
{
    place_now p = place_of(at, marker);
    *x = frame_compose(&at->pose, &p.local);
}

static void frame_rate(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const double *w, lmb_frame *out)
{
    (void)x;
    place_now p = place_of(at, marker);
    lmb_frame rate = natural_rate(at->body, w);
    deforming d = deforming_of(&p, w + rigid_size(at->body));
    lmb_frame change = changed(&p, &d), own = times(&p.R, &change);
    *out = frame_compose(&rate, &p.local);
    frame_add(out, 1, &own);
}

/* The acceleration of c and the axes against the body when etaddot = 0. */
static lmb_frame own_bias(const place_now *p, const deforming *d)
{
    lmb_frame out = frame_zero();
    vec3 b = lmb_rotvec_T_back_change(p->turn, d->theta, d->theta);
    for (int i = 0; i < 3; i++) {
        vec3 e = p->local.e[i];
        out.e[i] = v3_add(v3_cross(b, e), v3_cross(d->w, v3_cross(d->w, e)));
    }
    return out;
}

static void frame_bias(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       lmb_frame *out)
{
    (void)x;
    place_now p = place_of(at, marker);
    deforming d = deforming_of(&p, at->v + rigid_size(at->body));
    mat3 C = axes_rate(at->body, at->v);
    lmb_frame change = changed(&p, &d), bias = own_bias(&p, &d), turned = times(&C, &change);
    *out = times(&p.R, &bias);
    frame_add(out, 2, &turned);
}

/* The moment on the axes in body axes: sum e_i x R^T f_i. */
static vec3 moment_of(const lmb_frame *local, const mat3 *R, const lmb_frame *force)
{
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < 3; i++)
        sum = v3_add(sum, v3_cross(local->e[i], m3_tmul(R, force->e[i])));
    return sum;
}

/* The forces on modes of a force and of T^T moment in body axes. */
static void put_modal(const place_now *p, vec3 force, vec3 turning, double *out)
{
    for (int k = 0; k < p->modes; k++)
        out[k] = v3_dot(p->point->psi[k], force) + v3_dot(p->point->phi[k], turning);
}

static void frame_load(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                       const lmb_frame *force, double *out)
{
    (void)x;
    place_now p = place_of(at, marker);
    lmb_frame f = natural_moved(&p.local, force);
    natural_load(at->body, &f, out);
    if (p.modes)
        put_modal(&p, m3_tmul(&p.R, force->p),
                  lmb_rotvec_T(p.turn, moment_of(&p.local, &p.R, force)),
                  out + rigid_size(at->body));
}

/* --- tangents --------------------------------------------------------------------------------- */

static void frame_rate_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const double *w, lmb_frame *columns)
{
    (void)x;
    place_now p = place_of(at, marker);
    int rigid = rigid_size(at->body);
    deforming d = deforming_of(&p, w + rigid);
    mat3 C = axes_rate(at->body, w);
    lmb_frame change = changed(&p, &d);
    for (int j = 0; j < rigid; j++) {
        mat3 dR = axes_unit(at->body, j);
        columns[j] = times(&dR, &change);
    }
    for (int k = 0; k < p.modes; k++) {
        deforming by = deforming_by(&p, k);
        lmb_frame moved = changed(&p, &by), own = frame_zero();
        vec3 dw = lmb_rotvec_T_back_change(p.turn, d.theta, by.theta);
        for (int i = 0; i < 3; i++)
            own.e[i] = v3_add(v3_cross(dw, p.local.e[i]), v3_cross(d.w, moved.e[i]));
        own = times(&p.R, &own);
        columns[rigid + k] = times(&C, &moved);
        frame_add(&columns[rigid + k], 1, &own);
    }
}

static void frame_load_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               const lmb_frame *force, double *matrix)
{
    (void)x;
    place_now p = place_of(at, marker);
    int rigid = rigid_size(at->body), n = rigid + p.modes;
    vec3 moment = moment_of(&p.local, &p.R, force);
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
    for (int j = 0; j < rigid && p.modes; j++) {
        mat3 dR = axes_unit(at->body, j);
        put_modal(&p, m3_tmul(&dR, force->p), lmb_rotvec_T(p.turn, moment_of(&p.local, &dR, force)),
                  matrix + j * n + rigid);
    }
    for (int k = 0; k < p.modes; k++) {
        deforming by = deforming_by(&p, k);
        lmb_frame moved = changed(&p, &by), f = natural_moved(&moved, force);
        double *column = matrix + (rigid + k) * n;
        vec3 turning = lmb_rotvec_T(p.turn, moment_of(&moved, &p.R, force));
        for (int i = 0; i < 3; i++) /* the change of T along theta, times the moment */
            turning = v3_axpy(
                turning, v3_dot(lmb_rotvec_T_back_change(p.turn, v3_axis(i), by.theta), moment),
                v3_axis(i));
        f.p = v3(0, 0, 0); /* the force on r stays */
        natural_load(at->body, &f, column);
        put_modal(&p, v3(0, 0, 0), turning, column + rigid);
    }
}

/* The change of own_bias when the axes change by `moved`, w by dw and b by db. */
static lmb_frame own_bias_change(const place_now *p, const deforming *d, const lmb_frame *moved,
                                 vec3 dw, vec3 db)
{
    lmb_frame out = frame_zero();
    vec3 b = lmb_rotvec_T_back_change(p->turn, d->theta, d->theta);
    for (int i = 0; i < 3; i++) {
        vec3 e = p->local.e[i], de = moved->e[i];
        vec3 spun = v3_add(v3_cross(dw, e), v3_cross(d->w, de));
        out.e[i] = v3_add(v3_cross(db, e), v3_cross(b, de));
        out.e[i] = v3_add(out.e[i], v3_cross(dw, v3_cross(d->w, e)));
        out.e[i] = v3_add(out.e[i], v3_cross(d->w, spun));
    }
    return out;
}

/* The change of `changed` by a change of w and of the axes. */
static lmb_frame changed_by(const place_now *p, const deforming *d, const lmb_frame *moved, vec3 dw)
{
    lmb_frame out = frame_zero();
    for (int i = 0; i < 3; i++)
        out.e[i] = v3_add(v3_cross(dw, p->local.e[i]), v3_cross(d->w, moved->e[i]));
    return out;
}

static void frame_bias_tangent(const lmb_body_at *at, const lmb_marker *marker, const lmb_frame *x,
                               lmb_frame *by_q, lmb_frame *by_v)
{
    (void)x;
    place_now p = place_of(at, marker);
    int rigid = rigid_size(at->body);
    deforming d = deforming_of(&p, at->v + rigid);
    mat3 C = axes_rate(at->body, at->v);
    lmb_frame change = changed(&p, &d), bias = own_bias(&p, &d), none = frame_zero();
    for (int j = 0; j < rigid; j++) {
        mat3 dR = axes_unit(at->body, j);
        lmb_frame turned = times(&dR, &change);
        by_q[j] = times(&dR, &bias);
        by_v[j] = frame_zero();
        frame_add(&by_v[j], 2, &turned);
    }
    for (int k = 0; k < p.modes; k++) {
        deforming by = deforming_by(&p, k);
        lmb_frame moved = changed(&p, &by);
        vec3 dw = lmb_rotvec_T_back_change(p.turn, d.theta, by.theta);
        vec3 db = lmb_rotvec_T_back_change2(p.turn, d.theta, d.theta, by.theta);
        lmb_frame own = own_bias_change(&p, &d, &moved, dw, db);
        lmb_frame rate = changed_by(&p, &d, &moved, dw), turned = times(&C, &rate);
        by_q[rigid + k] = times(&p.R, &own);
        frame_add(&by_q[rigid + k], 2, &turned);
        db = v3_add(lmb_rotvec_T_back_change(p.turn, by.theta, d.theta), dw);
        own = own_bias_change(&p, &d, &none, by.w, db);
        turned = times(&C, &moved);
        by_v[rigid + k] = times(&p.R, &own);
        frame_add(&by_v[rigid + k], 2, &turned);
    }
}

/* --- the kind --------------------------------------------------------------------------------- */

static void structure(const lmb_body *b, int dimension, lmb_structure *out)
{
    lmb_natural_node(out, dimension);
    lmb_flexible_modes(b, out);
}

static void place(const lmb_body *b, const lmb_frame *pose, double *q)
{
    lmb_natural_place(b, pose, q);
    lmb_flexible_put_modes(b, q, NULL);
}

static void launch(const lmb_body *b, double *v)
{
    lmb_natural_launch(b, v);
    lmb_flexible_put_modes(b, NULL, v);
}

static void update(lmb_body_at *at)
{
    at->pose = lmb_natural_pose(natural_plane(at->body), at->q);
    lmb_flexible_deform_points(at);
    lmb_flexible_deform(at);
}

const lmb_body_ops lmb_body_natural_flexible = {
    .kind = "flexible, natural",
    .turns = true,
    .natural = true,
    .structure = structure,
    .marker_nodes = lmb_flexible_marker_nodes,
    .place = place,
    .launch = launch,
    .make_room = lmb_flexible_make_room,
    .update = update,
    .frame = frame,
    .frame_rate = frame_rate,
    .frame_bias = frame_bias,
    .frame_load = frame_load,
    .frame_rate_tangent = frame_rate_tangent,
    .frame_load_tangent = frame_load_tangent,
    .frame_bias_tangent = frame_bias_tangent,
    .mass = lmb_natural_flexible_mass,
    .mass_times = lmb_natural_flexible_mass_times,
    .force = lmb_natural_flexible_force,
    .tangent = lmb_natural_flexible_tangent,
    .balance = lmb_natural_flexible_balance,
    .loss = lmb_flexible_loss,
    .highest_frequency = lmb_flexible_highest_frequency,
    .elasticity = lmb_flexible_elasticity,
    .rows = &lmb_natural_rows,
};
