/* Inertia and elasticity of the flexible body in natural coordinates.
 *
 * With R = [e1 e2 e3], C = Rdot, s the first moments, A = tr(J)/2 - J the second moments of mass,
 * A_k = dA/deta_k and P_k = integral psi_k c^T dm = A_k/2 + skew(E_k)/2, all of the deformed body
 * in its axes (bodies/modal.h), and X : Y the sum of the products of all elements:
 *
 *   T = m |rdot|^2/2 + rdot . (C s + R D etadot) + (C A) : C / 2 + sum_k etadot_k (R^T C) : P_k
 *       + etadot^T M etadot / 2 + W Y : Y / 2,      Y = (R^T C + C^T R)/2
 *
 * Y is zero where the axes stay orthonormal, so the last term changes no motion: its forces
 * W R Ydot are zero as well, and those that it has before the rows are solved are multiples of
 * their gradients. It makes M positive where stretching the axes moves the mass as a mode does,
 * which a beam under tension is an example of; W = tr(J0)/2. On r, R and eta,
 *
 *   m rddot + G s + R D etaddot + 2 C sdot
 *   rddot s^T + G A + R sum etaddot_k P_k + C (Adot + skew(E etadot))
 *       + R (Add/2 + skew(Ed etadot)/2) + W R Ydot
 *   D_k . R^T rddot + (R^T G) : P_k + (M etaddot)_k - a(R^T C) . sum_j etadot_j (E1_kj - E1_jk)
 *
 * are d/dt dT/dqdot - dT/dq, with G = Rddot, Add = sum etadot_j etadot_k A_jk, a(X) the vector of
 * the odd part of X, and Ydot = C^T C + (R^T G + G^T R)/2. There are no centrifugal terms: they are
 * in G. Gravity is an acceleration of -g of the origin. */
#include "bodies/natural_flexible.h"

#include "bodies/flexible_sums.h"

/* --- small matrices --------------------------------------------------------------------------- */

static mat3 even_part(const mat3 *X)
{
    mat3 Y;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            (&Y.c[j].x)[i] = (m3_get(X, i, j) + m3_get(X, j, i)) / 2;
    return Y;
}

/* a with X : skew(v) / 2 = a . v */
static vec3 axial(const mat3 *X)
{
    return v3((X->c[1].z - X->c[2].y) / 2, (X->c[2].x - X->c[0].z) / 2,
              (X->c[0].y - X->c[1].x) / 2);
}

/* f (tr(J)/2 - J + skew(E)) */
static mat3 moments(double f, const mat3 *J, vec3 E)
{
    mat3 A = second_moments(J), S = m3_skew(E);
    A = m3_add(&A, &S);
    return m3_scale(f, &A);
}

static mat3 sum3(mat3 A, mat3 B)
{
    return m3_add(&A, &B);
}

static mat3 product(mat3 A, mat3 B)
{
    return m3_mul3(&A, &B);
}

/* X : Y */
static double together(const mat3 *X, const mat3 *Y)
{
    return v3_dot(X->c[0], Y->c[0]) + v3_dot(X->c[1], Y->c[1]) + v3_dot(X->c[2], Y->c[2]);
}

/* Puts forces on r and on the axes, or adds them to a column. */
static void put_forces(const lmb_body *b, vec3 on_r, mat3 on_axes, double *out)
{
    lmb_frame f = frame_with_axes(on_r, &on_axes);
    natural_load(b, &f, out);
}

static void add_forces(const lmb_body *b, vec3 on_r, mat3 on_axes, double *column)
{
    double f[LMB_NATURAL_SPACE];
    put_forces(b, on_r, on_axes, f);
    for (int j = 0; j < rigid_size(b); j++)
        column[j] += f[j];
}

/* p s^T */
static mat3 outer(vec3 p, vec3 s)
{
    return (mat3){{v3_scale(s.x, p), v3_scale(s.y, p), v3_scale(s.z, p)}};
}

/* out_k += f X : P_k of all modes, from their J and E by components. */
static void add_moments(double f, const mat3 *X, const double *change, int n, double *out)
{
    double half = (X->c[0].x + X->c[1].y + X->c[2].z) / 2;
    const double c[LMB_INERTIAS] = {half - X->c[0].x,         half - X->c[1].y,
                                    half - X->c[2].z,         -(X->c[1].x + X->c[0].y),
                                    -(X->c[2].x + X->c[0].z), -(X->c[2].y + X->c[1].z)};
    for (int i = 0; i < LMB_INERTIAS; i++)
        add(out, f * c[i] / 2, change + i * n, n);
    add_dots(f, axial(X), change + LMB_INERTIAS * n, n, out);
}

/* W */
static double stretch_mass(const lmb_modal *m)
{
    return (m->J0.c[0].x + m->J0.c[1].y + m->J0.c[2].z) / 2;
}

/* --- equations of motion ---------------------------------------------------------------------- */

/* M x for the change a of the frame and h of the modal coordinates. */
static void inertia(const lmb_body_at *at, const lmb_frame *a, const double *h, double *out)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    const lmb_deformed *d = deformed_of(at);
    int n = m->modes;
    mat3 R = rotation_of(at), G = frame_rotation(a), X = m3_tmul3(&R, &G), Y = even_part(&X);
    mat3 Jh = matrix_sum(d->change, h, n), stretched = m3_scale(stretch_mass(m), &Y);
    mat3 in_body = sum3(moments(0.5, &Jh, vector_sum(E_of(at), h, n)), stretched);
    vec3 on_r = v3_axpy(m3_mul(&G, d->s), m->mass, a->p), local = m3_tmul(&R, a->p);
    on_r = v3_add(on_r, m3_mul(&R, sum_of(m->D, h, n)));
    mat3 on_axes = sum3(outer(a->p, d->s), product(G, second_moments(&d->J)));
    put_forces(b, on_r, sum3(on_axes, product(R, in_body)), out);
    out += rigid_size(b);
    for (int k = 0; k < n; k++)
        out[k] = v3_dot(m->D[k], local);
    add_moments(1, &X, d->change, n, out);
    for (int k = 0; k < n; k++) {
        if (m->orthonormal)
            out[k] += h[k];
        else
            add(out, h[k], m->M + k * n, n);
    }
}

void lmb_natural_flexible_mass_times(const lmb_body_at *at, const double *x, double *out)
{
    lmb_frame a = natural_rate(at->body, x);
    inertia(at, &a, x + rigid_size(at->body), out);
}

void lmb_natural_flexible_mass(const lmb_body_at *at, double *matrix)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    int n = b->nv, rigid = rigid_size(b);
    for (int j = 0; j < rigid; j++) {
        lmb_frame unit = natural_unit(b, j);
        inertia(at, &unit, m->zeros, matrix + j * n);
        for (int k = rigid; k < n; k++)
            matrix[k * n + j] = matrix[j * n + k];
    }
    for (int k = 0; k < m->modes; k++)
        memcpy(matrix + (rigid + k) * n + rigid, m->M + k * m->modes,
               (size_t)m->modes * sizeof *matrix);
}

/* sum over j and k of etadot_j etadot_k (A_jk + skew(E1_jk)) / 2 */
static mat3 second_rates(const lmb_modal *m, const double *etad, const double *J_rate,
                         const double *even)
{
    mat3 Jdd = matrix_sum(J_rate, etad, m->modes);
    return moments(0.5, &Jdd, m->even ? vector_sum(even, etad, m->modes) : v3(0, 0, 0));
}

/* Adot + skew(E etadot) */
static mat3 rates(const lmb_body_at *at, const double *etad)
{
    int n = modal_of(at->body)->modes;
    mat3 Jdot = matrix_sum(deformed_of(at)->change, etad, n);
    return moments(1, &Jdot, vector_sum(E_of(at), etad, n));
}

void lmb_natural_flexible_force(const lmb_body_at *at, vec3 gravity, double *Q)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    const lmb_deformed *d = deformed_of(at);
    int n = m->modes, rigid = rigid_size(b);
    const double *etad = at->v + rigid;
    double *odd = d->room, *even = odd + 3 * n, *J_rate = even + 3 * n;
    mat3 R = rotation_of(at), C = axes_rate(b, at->v), X = m3_tmul3(&R, &C), CC = m3_tmul3(&C, &C);
    lmb_flexible_combine(m->odd, 3 * n, etad, n, 3 * n, odd);
    lmb_flexible_combine(m->change, LMB_CHANGES * n, etad, n, LMB_INERTIAS * n, J_rate);
    if (m->even)
        lmb_flexible_combine(m->even, 3 * n, etad, n, 3 * n, even);
    mat3 in_body = sum3(second_rates(m, etad, J_rate, even), m3_scale(stretch_mass(m), &CC));
    mat3 on_axes = sum3(product(C, rates(at, etad)), product(R, in_body));
    vec3 on_r = v3_scale(2, m3_mul(&C, sum_of(m->S, etad, n))), g = m3_tmul(&R, gravity);
    on_axes = sum3(outer(gravity, d->s), m3_scale(-1, &on_axes));
    put_forces(b, v3_sub(v3_scale(m->mass, gravity), on_r), on_axes, Q);
    Q += rigid;
    for (int k = 0; k < n; k++)
        Q[k] = v3_dot(m->D[k], g);
    add_dots(1, axial(&X), odd, n, Q);
    subtract_product(m->K, m->diagonal, eta_of(at), n, Q);
    subtract_product(m->C, m->diagonal, etad, n, Q);
    lmb_modal_add_stretch_force(m, eta_of(at), Q);
}

/* --- tangents --------------------------------------------------------------------------------- */

/* What the tangents are made of: R, C = Rdot, G = Rddot; gamma = rddot - g; sums over modes. */
typedef struct now {
    const lmb_body_at *at;
    const lmb_modal *m;
    int n, rigid;
    mat3 R, C, G;
    vec3 gamma;
    const double *v, *a; /* etadot, etaddot */
    mode_sums sum;
    double *J_a; /* LMB_INERTIAS x modes: sum_j etaddot_j J2_jk */
} now;

static now now_of(const lmb_body_at *at, vec3 gravity, const double *a)
{
    const lmb_body *b = at->body;
    lmb_frame second = natural_rate(b, a);
    now x = {.at = at,
             .m = modal_of(b),
             .n = modal_of(b)->modes,
             .rigid = rigid_size(b),
             .R = rotation_of(at),
             .C = axes_rate(b, at->v),
             .G = frame_rotation(&second),
             .gamma = v3_sub(second.p, gravity),
             .v = at->v + rigid_size(b),
             .a = a + rigid_size(b),
             .J_a = deformed_of(at)->room + 2 * LMB_CHANGES * modal_of(b)->modes};
    x.sum = sums_of(at, x.v, x.a);
    lmb_flexible_combine(x.m->change, LMB_CHANGES * x.n, x.a, x.n, LMB_INERTIAS * x.n, x.J_a);
    return x;
}

/* Along the axes, by positions. */
static void tangent_by_axes(const now *x, double *by_q, int stride)
{
    const lmb_body_at *at = x->at;
    const lmb_modal *m = x->m;
    const double *change = deformed_of(at)->change;
    double W = stretch_mass(m);
    mat3 RG = m3_tmul3(&x->R, &x->G), CC = m3_tmul3(&x->C, &x->C), Y = even_part(&RG);
    Y = sum3(Y, CC);
    mat3 Ja = matrix_sum(change, x->a, x->n);
    mat3 in_body = sum3(moments(0.5, &Ja, vector_sum(E_of(at), x->a, x->n)),
                        second_rates(m, x->v, x->sum.J_rate, x->sum.even));
    in_body = sum3(in_body, m3_scale(W, &Y));
    vec3 D = sum_of(m->D, x->a, x->n);
    for (int j = 0; j < x->rigid; j++) {
        mat3 dR = axes_unit(at->body, j), dG = m3_tmul3(&dR, &x->G), dC = m3_tmul3(&dR, &x->C);
        mat3 dY = even_part(&dG);
        double *column = by_q + j * stride;
        add_forces(at->body, m3_mul(&dR, D),
                   sum3(product(dR, in_body), product(x->R, m3_scale(W, &dY))), column);
        vec3 turned = m3_tmul(&dR, x->gamma);
        for (int k = 0; k < x->n; k++)
            column[x->rigid + k] += v3_dot(m->D[k], turned);
        add_moments(1, &dG, change, x->n, column + x->rigid);
        add_dots(-1, axial(&dC), x->sum.odd, x->n, column + x->rigid);
    }
}

/* Along the axes, by velocities. */
static void tangent_by_axes_rate(const now *x, double *by_v, int stride)
{
    const lmb_body *b = x->at->body;
    vec3 sdot = sum_of(x->m->S, x->v, x->n);
    mat3 rate = rates(x->at, x->v);
    for (int j = 0; j < x->rigid; j++) {
        mat3 dC = axes_unit(b, j), CC = m3_tmul3(&dC, &x->C), X = m3_tmul3(&x->R, &dC);
        mat3 dY = even_part(&CC);
        double *column = by_v + j * stride;
        add_forces(b, v3_scale(2, m3_mul(&dC, sdot)),
                   sum3(product(dC, rate), product(x->R, m3_scale(2 * stretch_mass(x->m), &dY))),
                   column);
        add_dots(-1, axial(&X), x->sum.odd, x->n, column + x->rigid);
    }
}

/* Along modal coordinates, by positions and by velocities. */
static void tangent_by_modes(const now *x, const lmb_window *window)
{
    const lmb_modal *m = x->m;
    const lmb_body *b = x->at->body;
    const double *E = E_of(x->at);
    int n = x->n, first = x->rigid, stride = window->stride;
    mat3 RG = m3_tmul3(&x->R, &x->G), RC = m3_tmul3(&x->R, &x->C);
    for (int k = 0; k < n; k++) {
        double *by_q = window->by_q + (first + k) * stride;
        double *by_v = window->by_v + (first + k) * stride;
        mat3 J = matrix_at(deformed_of(x->at)->change, n, k), Jv = matrix_at(x->sum.J_rate, n, k);
        mat3 Ja = matrix_at(x->J_a, n, k), A = second_moments(&J);
        mat3 on_axes = sum3(outer(x->gamma, m->S[k]), product(x->G, A));
        vec3 Ev = E_by(x->sum.even, x->sum.odd, n, k), Ea = E_by(x->sum.even_a, x->sum.by_a, n, k);
        on_axes = sum3(on_axes, product(x->R, moments(0.5, &Ja, Ea)));
        on_axes = sum3(on_axes, product(x->C, moments(1, &Jv, Ev)));
        add_forces(b, m3_mul(&x->G, m->S[k]), on_axes, by_q);
        add_moments(1, &RG, m->change + (size_t)(k * LMB_CHANGES) * (size_t)n, n, by_q + first);
        add(by_q + first, 1, m->K + k * n, n);
        on_axes = sum3(product(x->C, moments(1, &J, vector_at(E, n, k))),
                       product(x->R, moments(1, &Jv, vector_at(x->sum.even, n, k))));
        add_forces(b, v3_scale(2, m3_mul(&x->C, m->S[k])), on_axes, by_v);
        add_dots(-1, axial(&RC), m->odd + (size_t)(3 * k) * (size_t)n, n, by_v + first);
        add(by_v + first, 1, m->C + k * n, n);
    }
    lmb_modal_add_stretch_tangent(m, eta_of(x->at), window->by_q + first * stride + first, stride);
}

void lmb_natural_flexible_tangent(const lmb_body_at *at, vec3 gravity, const double *a,
                                  const lmb_window *windows)
{
    now x = now_of(at, gravity, a);
    tangent_by_axes(&x, windows->by_q, windows->stride);
    tangent_by_axes_rate(&x, windows->by_v, windows->stride);
    tangent_by_modes(&x, windows);
}

/* --- energy ----------------------------------------------------------------------------------- */

void lmb_natural_flexible_balance(const lmb_body_at *at, vec3 gravity, lmb_balance *out)
{
    const lmb_body *b = at->body;
    const lmb_modal *m = modal_of(b);
    const lmb_deformed *d = deformed_of(at);
    int n = m->modes;
    const double *etad = at->v + rigid_size(b);
    lmb_frame rate = natural_rate(b, at->v);
    mat3 R = rotation_of(at), C = frame_rotation(&rate), RC = m3_tmul3(&R, &C), Y = even_part(&RC);
    mat3 A = second_moments(&d->J), CA = m3_mul3(&C, &A), RA = m3_mul3(&R, &A);
    mat3 Jdot = matrix_sum(d->change, etad, n);
    mat3 P = moments(0.5, &Jdot, vector_sum(E_of(at), etad, n));
    vec3 sdot = sum_of(m->D, etad, n), own = v3_add(m3_mul(&C, d->s), m3_mul(&R, sdot));
    out->kinetic = m->mass * v3_dot(rate.p, rate.p) / 2 + v3_dot(rate.p, own) +
                   together(&CA, &C) / 2 + together(&RC, &P) +
                   square(m->M, m->orthonormal, etad, n) / 2 +
                   stretch_mass(m) * together(&Y, &Y) / 2;
    out->potential = -v3_dot(gravity, v3_axpy(m3_mul(&R, d->s), m->mass, at->pose.p));
    out->elastic =
        square(m->K, m->diagonal, eta_of(at), n) / 2 + lmb_modal_stretch_energy(m, eta_of(at));
    out->momentum = v3_axpy(own, m->mass, rate.p);
    /* about the origin: integral R c x (rdot + C c + R cdot) */
    vec3 spin = v3_cross(m3_mul(&R, d->s), rate.p);
    for (int k = 0; k < 3; k++)
        spin = v3_add(spin, v3_cross(RA.c[k], C.c[k]));
    spin = v3_add(spin, m3_mul(&R, vector_sum(E_of(at), etad, n)));
    out->angular_momentum = v3_add(v3_cross(at->pose.p, out->momentum), spin);
}
