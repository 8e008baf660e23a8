/* Inertia and elasticity of the flexible body.
 *
 * Sums over modes run along arrays of one component of all modes, so that the compiler can do
 * several at a time; those that depend on the deformation alone are made once a position. */
#include <string.h>

#include "bodies/flexible_sums.h"

LMB_WIDE void lmb_flexible_combine(const double *table, int stride, const double *x, int rows,
                                   int width, double *restrict out)
{
    memset(out, 0, (size_t)width * sizeof *out);
    int j = 0;
    for (; j + 4 <= rows; j += 4) { /* four at a time: fewer passes over the sums */
        const double *t = table + (size_t)j * (size_t)stride, *u = t + stride, *v = u + stride,
                     *w = v + stride;
        for (int i = 0; i < width; i++)
            out[i] += x[j] * t[i] + x[j + 1] * u[i] + x[j + 2] * v[i] + x[j + 3] * w[i];
    }
    for (; j < rows; j++) {
        const double *t = table + (size_t)j * (size_t)stride;
        for (int i = 0; i < width; i++)
            out[i] += x[j] * t[i];
    }
}

/* --- the deformation -------------------------------------------------------------------------- */

void lmb_flexible_deform(const lmb_body_at *at)
{
    const lmb_modal *m = modal_of(at->body);
    lmb_deformed *d = deformed_of(at);
    const double *eta = eta_of(at);
    int n = m->modes;
    d->s = v3_add(m->s0, sum_of(m->S, eta, n));
    lmb_flexible_combine(m->change, LMB_CHANGES * n, eta, n, LMB_CHANGES * n, d->change);
    /* J0 + sum eta_k (J1_k + half the change of that) */
    mat3 first = matrix_sum(m->change0, eta, n), second = matrix_sum(d->change, eta, n);
    second = m3_scale(0.5, &second);
    d->J = m3_add(&m->J0, &first);
    d->J = m3_add(&d->J, &second);
    add(d->change, 1, m->change0, LMB_CHANGES * n);
}

/* --- equations of motion ---------------------------------------------------------------------- */

void lmb_flexible_mass(const lmb_body_at *at, double *matrix)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    const lmb_deformed *d = deformed_of(at);
    mat3 R = rotation_of(at);
    int n = b->nv, rigid = rigid_count(b);
    for (int j = 0; j < rigid; j++) {
        int k = rigid_of(b, j);
        vec3 e = v3_axis(k % 3);
        /* B^T R^T e = s x (R^T e);  R B e = R (e x s) */
        vec3 force = k < 3 ? v3_scale(m->mass, e) : m3_mul(&R, v3_cross(e, d->s));
        vec3 moment = k < 3 ? v3_cross(d->s, m3_tmul(&R, e)) : d->J.c[k - 3];
        put_rigid(b, force, moment, matrix + j * n);
    }
    for (int k = 0; k < m->modes; k++) {
        double *column = matrix + (rigid + k) * n;
        put_rigid(b, m3_mul(&R, m->D[k]), vector_at(E_of(at), m->modes, k), column);
        for (int j = 0; j < rigid; j++)
            matrix[j * n + rigid + k] = column[j];
        memcpy(column + rigid, m->M + k * m->modes, (size_t)m->modes * sizeof *column);
    }
}

void lmb_flexible_mass_times(const lmb_body_at *at, const double *x, double *out)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    const lmb_deformed *d = deformed_of(at);
    mat3 R = rotation_of(at);
    speeds a = speeds_of(b, x);
    vec3 local = m3_tmul(&R, a.r), w = a.omega;
    vec3 force = v3_add(v3_cross(w, d->s), sum_of(m->D, a.eta, m->modes));
    vec3 moment = v3_add(v3_cross(d->s, local), m3_mul(&d->J, w));
    moment = v3_add(moment, vector_sum(E_of(at), a.eta, m->modes));
    put_rigid(b, v3_axpy(m3_mul(&R, force), m->mass, a.r), moment, out);
    out += rigid_count(b);
    for (int k = 0; k < m->modes; k++)
        out[k] = v3_dot(m->D[k], local);
    add_dots(1, w, E_of(at), m->modes, out);
    for (int k = 0; k < m->modes; k++) {
        if (m->orthonormal)
            out[k] += a.eta[k];
        else
            add(out, a.eta[k], m->M + k * m->modes, m->modes);
    }
}

/* The velocities that forces of inertia see: none if those are left out. */
static speeds inertial_speeds(const lmb_body *b, const double *v)
{
    vec3 zero = v3(0, 0, 0);
    return modal_of(b)->no_quadratic ? (speeds){zero, zero, modal_of(b)->zeros} : speeds_of(b, v);
}

void lmb_flexible_force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    const lmb_deformed *d = deformed_of(at);
    int n = m->modes;
    mat3 R = rotation_of(at), Jdot;
    speeds v = inertial_speeds(b, at->v);
    vec3 w = v.omega, g = m3_tmul(&R, gravity), sdot = sum_of(m->S, v.eta, n);
    Jdot = matrix_sum(d->change, v.eta, n);
    /* Bdot omega + omega x (B omega + D etadot) = 2 omega x sdot + omega x (omega x s) */
    vec3 pull_back = v3_axpy(v3_cross(w, v3_cross(w, d->s)), 2, v3_cross(w, sdot));
    vec3 h = v3_add(m3_mul(&d->J, w), vector_sum(E_of(at), v.eta, n));
    vec3 moment = v3_sub(v3_cross(d->s, g), v3_add(m3_mul(&Jdot, w), v3_cross(w, h)));
    double *sums = d->room;
    if (m->even) {
        lmb_flexible_combine(m->even, 3 * n, v.eta, n, 3 * n, sums);
        moment = v3_sub(moment, vector_sum(sums, v.eta, n));
    }
    put_rigid(b, v3_sub(v3_scale(m->mass, gravity), m3_mul(&R, pull_back)), moment, Q);
    Q += rigid_count(b);
    for (int k = 0; k < n; k++)
        Q[k] = v3_dot(m->D[k], g);
    lmb_flexible_combine(m->odd, 3 * n, v.eta, n, 3 * n, sums);
    add_dots(1, w, sums, n, Q);
    add_squares(0.5, w, d->change, n, Q);
    subtract_product(m->K, m->diagonal, eta_of(at), n, Q);
    subtract_product(m->C, m->diagonal, at->v + rigid_count(b), n, Q);
    lmb_modal_add_stretch_force(m, eta_of(at), Q);
}

/* --- tangents --------------------------------------------------------------------------------- */

/* Adds a column of a tangent, given by its parts. */
static void add_column(const lmb_body *b, vec3 on_r, vec3 on_omega, double *column)
{
    for (int j = 0; j < rigid_count(b); j++) {
        int k = rigid_of(b, j);
        column[j] += k < 3 ? v3_get(on_r, k) : v3_get(on_omega, k - 3);
    }
}

/* Along rotations of the body: forces in global axes turn, gravity does not. */
static void tangent_by_rotation(const lmb_body_at *at, vec3 y, vec3 gamma, double *by_q, int stride)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    mat3 R = rotation_of(at);
    for (int j = 0; j < rigid_count(b); j++) {
        int k = rigid_of(b, j);
        if (k < 3)
            continue;
        vec3 e = v3_axis(k - 3), turned = v3_cross(gamma, e);
        double *column = by_q + j * stride;
        add_column(b, m3_mul(&R, v3_cross(e, y)), v3_cross(deformed_of(at)->s, turned), column);
        for (int l = 0; l < m->modes; l++)
            column[rigid_count(b) + l] += v3_dot(m->D[l], turned);
    }
}

/* Along modal coordinates. */
static void tangent_by_eta(const lmb_body_at *at, const mode_sums *sum, const speeds *v,
                           const speeds *a, vec3 gamma, double *by_q, int stride)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    mat3 R = rotation_of(at);
    vec3 w = v->omega;
    int n = m->modes;
    for (int k = 0; k < n; k++) {
        mat3 J = matrix_at(deformed_of(at)->change, n, k), J_rate = matrix_at(sum->J_rate, n, k);
        vec3 y = v3_add(v3_cross(a->omega, m->S[k]), v3_cross(w, v3_cross(w, m->S[k])));
        vec3 h = v3_add(m3_mul(&J, w), E_by(sum->even, sum->odd, n, k));
        vec3 on_omega = v3_add(v3_cross(m->S[k], gamma), m3_mul(&J, a->omega));
        on_omega = v3_add(on_omega, v3_add(E_by(sum->even_a, sum->by_a, n, k), m3_mul(&J_rate, w)));
        on_omega = v3_add(on_omega, v3_cross(w, h));
        double *column = by_q + (rigid_count(b) + k) * stride;
        add_column(b, m3_mul(&R, y), on_omega, column);
        column += rigid_count(b);
        const double *change = m->change + (size_t)(k * LMB_CHANGES) * (size_t)n;
        add_dots(1, a->omega, change + LMB_INERTIAS * n, n, column);
        add_squares(-0.5, w, change, n, column);
        add(column, 1, m->K + k * n, n);
    }
    int first = rigid_count(b);
    lmb_modal_add_stretch_tangent(m, eta_of(at), by_q + first * stride + first, stride);
}

/* Along velocities. */
static void tangent_by_velocity(const lmb_body_at *at, const mode_sums *sum, const speeds *v,
                                double *by_v, int stride)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    const lmb_deformed *d = deformed_of(at);
    int rigid = rigid_count(b), n = m->modes;
    mat3 R = rotation_of(at), Jdot = matrix_sum(d->change, v->eta, n);
    vec3 w = v->omega, sdot = sum_of(m->S, v->eta, n);
    vec3 h = v3_add(m3_mul(&d->J, w), vector_sum(E_of(at), v->eta, n));
    for (int j = 0; j < rigid; j++) {
        int k = rigid_of(b, j);
        if (k < 3)
            continue;
        vec3 e = v3_axis(k - 3);
        vec3 y = v3_add(v3_cross(e, v3_cross(w, d->s)), v3_cross(w, v3_cross(e, d->s)));
        y = v3_axpy(y, 2, v3_cross(e, sdot));
        vec3 on_omega =
            v3_add(m3_mul(&Jdot, e), v3_add(v3_cross(e, h), v3_cross(w, m3_mul(&d->J, e))));
        double *column = by_v + j * stride;
        add_column(b, m3_mul(&R, y), on_omega, column);
        for (int l = 0; l < n; l++) {
            mat3 J = matrix_at(d->change, n, l);
            vec3 on_mode = v3_add(vector_at(sum->odd, n, l), m3_mul(&J, w));
            column[rigid + l] -= v3_dot(e, on_mode);
        }
    }
    for (int k = 0; k < n; k++) {
        mat3 J = matrix_at(d->change, n, k);
        vec3 on_omega = v3_add(m3_mul(&J, w), v3_cross(w, vector_at(E_of(at), n, k)));
        on_omega = v3_axpy(on_omega, 2, vector_at(sum->even, n, k));
        double *column = by_v + (rigid + k) * stride;
        add_column(b, m3_mul(&R, v3_scale(2, v3_cross(w, m->S[k]))), on_omega, column);
        add_dots(-1, w, m->odd + (size_t)(3 * k) * (size_t)n, n, column + rigid);
        add(column + rigid, 1, m->C + k * n, n);
    }
}

void lmb_flexible_tangent(const lmb_body_at *at, vec3 gravity, const double *acceleration,
                          const lmb_window *windows)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    mat3 R = rotation_of(at);
    speeds v = inertial_speeds(b, at->v), a = speeds_of(b, acceleration);
    mode_sums sum = sums_of(at, v.eta, a.eta);
    vec3 gamma = m3_tmul(&R, v3_sub(a.r, gravity)), w = v.omega, s = deformed_of(at)->s;
    vec3 y = v3_add(v3_cross(a.omega, s), sum_of(m->D, a.eta, m->modes));
    y = v3_add(y, v3_cross(w, v3_cross(w, s)));
    y = v3_axpy(y, 2, v3_cross(w, sum_of(m->S, v.eta, m->modes)));
    tangent_by_rotation(at, y, gamma, windows->by_q, windows->stride);
    tangent_by_eta(at, &sum, &v, &a, gamma, windows->by_q, windows->stride);
    tangent_by_velocity(at, &sum, &v, windows->by_v, windows->stride);
}

/* --- energy ----------------------------------------------------------------------------------- */

void lmb_flexible_balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    vec3 s = deformed_of(at)->s;
    mat3 R = rotation_of(at);
    speeds v = speeds_of(b, at->v);
    vec3 vb = m3_tmul(&R, v.r), w = v.omega, r = at->pose.p, sdot = sum_of(m->D, v.eta, m->modes);
    vec3 own = vector_sum(E_of(at), v.eta, m->modes);
    vec3 p = v3_add(v3_axpy(sdot, m->mass, vb), v3_cross(w, s));
    vec3 h = v3_add(v3_add(v3_cross(s, vb), m3_mul(&deformed_of(at)->J, w)), own);
    double modal =
        v3_dot(sdot, vb) + v3_dot(own, w) + square(m->M, m->orthonormal, v.eta, m->modes);
    out->kinetic = (v3_dot(vb, p) + v3_dot(w, h) + modal) / 2;
    out->potential = -v3_dot(gravity, v3_axpy(m3_mul(&R, s), m->mass, r));
    out->elastic = square(m->K, m->diagonal, eta_of(at), m->modes) / 2 +
                   lmb_modal_stretch_energy(m, eta_of(at));
    out->momentum = m3_mul(&R, p);
    out->angular_momentum = v3_add(v3_cross(r, out->momentum), m3_mul(&R, h));
}

double lmb_flexible_loss(const lmb_body_at *at)
{
    const lmb_modal *m = modal_of(at->body);
    return square(m->C, m->diagonal, at->v + at->body->nodes[0].nv, m->modes);
}
