/* The element of an exact beam in space.
 *
 * Seen from the frame of its node r, an element has the coordinates y_i = R_r^T (x_i - x_r) and
 * psi_i only, and a point of Gauss X = (y', psi, psi') of sums of these. The energy is a function
 * of X:
 *
 *   gamma = E^T y' - gamma0,  E = exp(psi),      kappa = T psi' - kappa0
 *
 * Forces and tangents go from X to (y_i, psi_i) and from there to the nodes:
 *
 *   dy_i   = R_r^T (dx_i - dx_r) + y_i x dtheta_r
 *   dpsi_i = T_i^-1 dtheta_i - T_i^-T dtheta_r
 *
 * A column of the tangent is the change of the forces along a coordinate of a node, with the
 * change of strain rates in it where there is damping. */
#include <string.h>

#include "elements/beam_element.h"
#include "frames/node.h"
#include "math/rotvec.h"

/* Coordinates, forces or changes at a point of Gauss. */
typedef struct local {
    vec3 y1, psi, psi1; /* y', psi, psi' */
} local;

/* Of the nodes, seen from node r. */
typedef struct relative {
    vec3 y[LMB_BEAM_NODES], psi[LMB_BEAM_NODES];
} relative;

static const relative none;

typedef struct configuration {
    int count, r; /* nodes, and the one that the others are seen from */
    mat3 R;       /* of that node */
    relative x, rate;
    lmb_rotvec_inverse back[LMB_BEAM_NODES];
    vec3 spin_r, spin[LMB_BEAM_NODES]; /* angular velocities in axes of the nodes */
    vec3 slide[LMB_BEAM_NODES];        /* R_r^T (xdot_i - xdot_r) */
} configuration;

static void find_rates(const lmb_beam_state *s, configuration *c)
{
    c->spin_r = v3_of(s->v[c->r] + 3);
    for (int i = 0; i < c->count; i++) {
        vec3 across = v3_sub(v3_of(s->v[i]), v3_of(s->v[c->r]));
        c->spin[i] = v3_of(s->v[i] + 3);
        c->slide[i] = m3_tmul(&c->R, across);
        c->rate.y[i] = v3_add(c->slide[i], v3_cross(c->x.y[i], c->spin_r));
        c->rate.psi[i] = v3_sub(lmb_rotvec_inverse_times(&c->back[i], c->spin[i]),
                                lmb_rotvec_inverse_back(&c->back[i], c->spin_r));
    }
}

static void look(const lmb_beam_element *e, const lmb_beam_state *s, bool rates, configuration *c)
{
    c->count = e->order + 1;
    c->r = e->order / 2;
    quat turn = node_quat(s->q[c->r]), inverse = quat_conjugate(turn);
    vec3 origin = v3_of(s->q[c->r]);
    c->R = quat_matrix(turn);
    memset(&c->rate, 0, sizeof c->rate);
    for (int i = 0; i < c->count; i++) {
        bool own = i == c->r;
        c->x.y[i] = own ? v3(0, 0, 0) : m3_tmul(&c->R, v3_sub(v3_of(s->q[i]), origin));
        c->x.psi[i] = own ? v3(0, 0, 0) : quat_log(quat_mul(inverse, node_quat(s->q[i])));
        c->back[i] = lmb_rotvec_inverse_of(c->x.psi[i]);
    }
    if (rates)
        find_rates(s, c);
}

static local at_point(const lmb_gauss_point *p, int count, const relative *x)
{
    local out = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < count; i++) {
        out.y1 = v3_axpy(out.y1, p->dN[i], x->y[i]);
        out.psi = v3_axpy(out.psi, p->N[i], x->psi[i]);
        out.psi1 = v3_axpy(out.psi1, p->dN[i], x->psi[i]);
    }
    return out;
}

/* A point of Gauss with all that its forces depend on. */
typedef struct point {
    local X, rate;
    lmb_rotvec turn;
    vec3 a; /* E^T y' */
    lmb_strain strain, speed, force;
} point;

/* The change of strains along a change of X. */
static lmb_strain strain_change(const point *p, const local *d)
{
    vec3 turned = lmb_rotvec_T(&p->turn, d->psi);
    return (lmb_strain){
        v3_add(lmb_rotvec_exp_back(&p->turn, d->y1), v3_cross(p->a, turned)),
        v3_add(lmb_rotvec_T(&p->turn, d->psi1), lmb_rotvec_T_change(&p->turn, p->X.psi1, d->psi))};
}

static lmb_strain strain_sum(const lmb_strain *x, double factor, const lmb_strain *y)
{
    return (lmb_strain){v3_axpy(x->gamma, factor, y->gamma), v3_axpy(x->kappa, factor, y->kappa)};
}

static void look_at_point(const lmb_beam_element *e, int k, const configuration *c, bool rates,
                          point *p)
{
    const lmb_strain *zero = &e->undeformed[k];
    p->X = at_point(&e->points[k], c->count, &c->x);
    p->turn = lmb_rotvec_of(p->X.psi);
    p->a = lmb_rotvec_exp_back(&p->turn, p->X.y1);
    p->strain = (lmb_strain){v3_sub(p->a, zero->gamma),
                             v3_sub(lmb_rotvec_T(&p->turn, p->X.psi1), zero->kappa)};
    p->force = lmb_beam_stress(e->stiffness + 36 * k, &p->strain);
    p->speed = (lmb_strain){{0, 0, 0}, {0, 0, 0}};
    if (!rates)
        return;
    p->rate = at_point(&e->points[k], c->count, &c->rate);
    p->speed = strain_change(p, &p->rate);
    lmb_strain lost = lmb_beam_stress(e->stiffness + 36 * k, &p->speed);
    p->force = strain_sum(&p->force, e->damping, &lost);
}

/* What section forces (n, m) do along X: their virtual work is n . dgamma + m . dkappa. */
static local pull(const point *p, const lmb_strain *f)
{
    const lmb_rotvec *t = &p->turn;
    return (local){lmb_rotvec_exp(t, f->gamma),
                   v3_add(lmb_rotvec_T_back(t, v3_cross(f->gamma, p->a)),
                          lmb_rotvec_gradient(t, f->kappa, p->X.psi1)),
                   lmb_rotvec_T_back(t, f->kappa)};
}

/* Its change along a change of X with (n, m) as they are. */
static local pull_change(const point *p, const local *d)
{
    const lmb_rotvec *t = &p->turn;
    vec3 n = p->force.gamma, m = p->force.kappa, turned = lmb_rotvec_T(t, d->psi);
    vec3 a1 = v3_add(lmb_rotvec_exp_back(t, d->y1), v3_cross(p->a, turned));
    vec3 psi = v3_add(lmb_rotvec_T_back_change(t, v3_cross(n, p->a), d->psi),
                      lmb_rotvec_T_back(t, v3_cross(n, a1)));
    psi = v3_add(psi, lmb_rotvec_gradient_change(t, m, p->X.psi1, d->psi));
    psi = v3_add(psi, lmb_rotvec_gradient(t, m, d->psi1));
    return (local){lmb_rotvec_exp(t, v3_cross(turned, n)), psi,
                   lmb_rotvec_T_back_change(t, m, d->psi)};
}

/* The change of strain rates along a change of X, with the rates of X as they are. */
static lmb_strain speed_change(const point *p, const local *d)
{
    const lmb_rotvec *t = &p->turn;
    const local *v = &p->rate;
    vec3 turned = lmb_rotvec_T(t, d->psi), spun = lmb_rotvec_T(t, v->psi);
    vec3 a1 = v3_add(lmb_rotvec_exp_back(t, d->y1), v3_cross(p->a, turned));
    vec3 gamma = v3_cross(lmb_rotvec_exp_back(t, v->y1), turned);
    gamma = v3_add(gamma, v3_cross(a1, spun));
    gamma = v3_add(gamma, v3_cross(p->a, lmb_rotvec_T_change(t, v->psi, d->psi)));
    vec3 kappa =
        v3_add(lmb_rotvec_T_change(t, v->psi1, d->psi), lmb_rotvec_T_change(t, d->psi1, v->psi));
    for (int k = 0; k < 3;
         k++) { /* the second derivative of T psi', one component after the other */
        vec3 axis = v3_axis(k);
        double part = v3_dot(v->psi, lmb_rotvec_gradient_change(t, axis, p->X.psi1, d->psi));
        kappa = v3_axpy(kappa, part, axis);
    }
    return (lmb_strain){gamma, kappa};
}

/* --- from points to nodes --------------------------------------------------------------------- */

static void add_point(const lmb_gauss_point *p, int count, const local *g, relative *out)
{
    for (int i = 0; i < count; i++) {
        out->y[i] = v3_axpy(out->y[i], p->weight * p->dN[i], g->y1);
        out->psi[i] = v3_axpy(out->psi[i], p->weight * p->N[i], g->psi);
        out->psi[i] = v3_axpy(out->psi[i], p->weight * p->dN[i], g->psi1);
    }
}

static void subtract(double *Q, vec3 a)
{
    Q[0] -= a.x;
    Q[1] -= a.y;
    Q[2] -= a.z;
}

/* Takes forces g along (y_i, psi_i) off those on the nodes. */
static void to_nodes(const configuration *c, const relative *g, double *const Q[])
{
    vec3 moment = v3(0, 0, 0);
    for (int i = 0; i < c->count; i++) {
        subtract(Q[i], m3_mul(&c->R, g->y[i]));
        if (i == c->r)
            continue;
        subtract(Q[i] + 3, lmb_rotvec_inverse_back(&c->back[i], g->psi[i]));
        moment = v3_add(moment, v3_sub(v3_cross(g->y[i], c->x.y[i]),
                                       lmb_rotvec_inverse_times(&c->back[i], g->psi[i])));
    }
    subtract(Q[c->r] + 3, moment);
}

static void force(const lmb_beam_element *e, const lmb_beam_state *s, double *const Q[])
{
    bool rates = e->damping > 0 && s->v[0];
    configuration c;
    relative g = none;
    look(e, s, rates, &c);
    for (int k = 0; k < e->order; k++) {
        point p;
        look_at_point(e, k, &c, rates, &p);
        local along = pull(&p, &p.force);
        add_point(&e->points[k], c.count, &along, &g);
    }
    to_nodes(&c, &g, Q);
}

static void section(const lmb_beam_element *e, const lmb_beam_state *s, int k,
                    lmb_beam_section_state *out)
{
    bool rates = s->v[0] != NULL;
    configuration c;
    point p;
    look(e, s, rates, &c);
    look_at_point(e, k, &c, rates, &p);
    *out = (lmb_beam_section_state){p.strain, p.speed, p.force};
}

/* --- tangents --------------------------------------------------------------------------------- */

enum { SIZE = 6 };

/* The change of (y_i, psi_i), and of their rates, along coordinate j of a node. */
static void relative_change(const configuration *c, bool rates, int node, int j, relative *d,
                            relative *v)
{
    vec3 axis = v3_axis(j % 3), column = m3_tmul(&c->R, axis);
    memset(d, 0, sizeof *d);
    memset(v, 0, sizeof *v);
    for (int i = 0; i < c->count; i++) {
        if (i == c->r)
            continue;
        bool of_r = node == c->r;
        if (!of_r && i != node)
            continue;
        if (j < 3) {
            d->y[i] = v3_scale(of_r ? -1 : 1, column);
        } else if (of_r) {
            d->y[i] = v3_cross(c->x.y[i], axis);
            d->psi[i] = v3_scale(-1, lmb_rotvec_inverse_back(&c->back[i], axis));
        } else {
            d->psi[i] = lmb_rotvec_inverse_times(&c->back[i], axis);
        }
        if (!rates)
            continue;
        v->y[i] = v3_cross(d->y[i], c->spin_r);
        if (of_r && j >= 3)
            v->y[i] = v3_add(v->y[i], v3_cross(c->slide[i], axis));
        v->psi[i] = v3_sub(lmb_rotvec_inverse_change(&c->back[i], c->spin[i], d->psi[i]),
                           lmb_rotvec_inverse_back_change(&c->back[i], c->spin_r, d->psi[i]));
    }
}

/* The change of the forces on the nodes that comes from the way of (y_i, psi_i) to them, along d
 * and, of node r, a turn about an axis. */
static void geometric_change(const configuration *c, const relative *g, const relative *d,
                             vec3 turn_r, double *const out[])
{
    vec3 moment = v3(0, 0, 0);
    for (int i = 0; i < c->count; i++) {
        subtract(out[i], m3_mul(&c->R, v3_cross(turn_r, g->y[i])));
        if (i == c->r)
            continue;
        subtract(out[i] + 3, lmb_rotvec_inverse_back_change(&c->back[i], g->psi[i], d->psi[i]));
        moment =
            v3_add(moment, v3_sub(v3_cross(g->y[i], d->y[i]),
                                  lmb_rotvec_inverse_change(&c->back[i], g->psi[i], d->psi[i])));
    }
    subtract(out[c->r] + 3, moment);
}

/* Changes of the forces along (y_i, psi_i): by position, and by velocity. */
static void add_changes(const lmb_beam_element *e, const configuration *c, const point *points,
                        const relative *d, const relative *v, relative *by_q, relative *by_v)
{
    for (int k = 0; k < e->order; k++) {
        const point *p = &points[k];
        const double *C = e->stiffness + 36 * k;
        local X = at_point(&e->points[k], c->count, d);
        lmb_strain strain = strain_change(p, &X), stress = lmb_beam_stress(C, &strain);
        local along = pull(p, &stress);
        if (by_v)
            add_point(&e->points[k], c->count, &along, by_v);
        add_point(&e->points[k], c->count, &along, by_q);
        along = pull_change(p, &X);
        add_point(&e->points[k], c->count, &along, by_q);
        if (!by_v)
            continue;
        local X1 = at_point(&e->points[k], c->count, v);
        lmb_strain speed = speed_change(p, &X), more = strain_change(p, &X1);
        speed = strain_sum(&speed, 1, &more);
        stress = lmb_beam_stress(C, &speed);
        stress =
            (lmb_strain){v3_scale(e->damping, stress.gamma), v3_scale(e->damping, stress.kappa)};
        along = pull(p, &stress);
        add_point(&e->points[k], c->count, &along, by_q);
    }
}

static void tangent(const lmb_beam_element *e, const lmb_beam_state *s, double *by_q, double *by_v)
{
    bool rates = e->damping > 0 && s->v[0];
    int count = e->order + 1, n = SIZE * count;
    configuration c;
    point points[LMB_BEAM_HIGHEST_ORDER];
    relative g = none;
    look(e, s, rates, &c);
    for (int k = 0; k < e->order; k++) {
        look_at_point(e, k, &c, rates, &points[k]);
        local along = pull(&points[k], &points[k].force);
        add_point(&e->points[k], count, &along, &g);
    }
    memset(by_q, 0, (size_t)(n * n) * sizeof *by_q);
    memset(by_v, 0, (size_t)(n * n) * sizeof *by_v);
    for (int column = 0; column < n; column++) {
        int node = column / SIZE, j = column % SIZE;
        relative d, v, change = none, faster = none;
        double *q[LMB_BEAM_NODES], *w[LMB_BEAM_NODES];
        for (int i = 0; i < count; i++) {
            q[i] = by_q + column * n + SIZE * i;
            w[i] = by_v + column * n + SIZE * i;
        }
        relative_change(&c, rates, node, j, &d, &v);
        add_changes(e, &c, points, &d, &v, &change, rates ? &faster : NULL);
        vec3 turn_r = node == c.r && j >= 3 ? v3_axis(j - 3) : v3(0, 0, 0);
        to_nodes(&c, &change, q);
        geometric_change(&c, &g, &d, turn_r, q);
        if (rates)
            to_nodes(&c, &faster, w);
        for (int i = 0; i < n; i++) { /* so far they are those of Q */
            by_q[column * n + i] *= -1;
            by_v[column * n + i] *= -e->damping;
        }
    }
}

static void section_columns(const lmb_beam_element *e, const lmb_beam_state *s, int k,
                            lmb_beam_section_state *by_q, lmb_beam_section_state *by_v)
{
    bool rates = s->v[0] != NULL;
    const double *C = e->stiffness + 36 * k;
    const lmb_beam_section_state zero = {0};
    configuration c;
    point p;
    look(e, s, rates, &c);
    look_at_point(e, k, &c, rates, &p);
    for (int column = 0; column < SIZE * c.count; column++) {
        relative d, v;
        relative_change(&c, rates, column / SIZE, column % SIZE, &d, &v);
        local X = at_point(&e->points[k], c.count, &d);
        lmb_strain strain = strain_change(&p, &X), stress = lmb_beam_stress(C, &strain);
        by_q[column] = (lmb_beam_section_state){.strain = strain, .force = stress};
        by_v[column] = zero;
        if (!rates)
            continue;
        /* the rate is linear in velocities with the derivative of the strain */
        by_v[column].rate = strain;
        by_v[column].force = strain_sum(&zero.force, e->damping, &stress);
        local X1 = at_point(&e->points[k], c.count, &v);
        lmb_strain speed = speed_change(&p, &X), more = strain_change(&p, &X1);
        speed = strain_sum(&speed, 1, &more);
        stress = lmb_beam_stress(C, &speed);
        by_q[column].rate = speed;
        by_q[column].force = strain_sum(&by_q[column].force, e->damping, &stress);
    }
}

const lmb_beam_kind lmb_beam_space = {SIZE, force, tangent, section, section_columns};
