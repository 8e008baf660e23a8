/* The element of an exact beam in the plane: angles are numbers, psi is the angle itself.
 *
 *   gamma = R^T x' - gamma0,   kappa = psi' - kappa0
 *
 * With a = R^T x', P u = (u_y, -u_x): dgamma = R^T dx' + P a dpsi. */
#include <string.h>

#include "elements/beam_element.h"

enum { SIZE = 3 };

/* x', y', psi, psi' at a point of Gauss; coordinates, rates, forces or changes. */
typedef struct local {
    double x, y, psi, psi1;
} local;

/* gamma_x, gamma_y, kappa_z, or N, V, M. */
typedef struct planar {
    double gx, gy, k;
} planar;

typedef struct point {
    double c, s;   /* cosine and sine of psi */
    double ax, ay; /* a */
    local rate;
    planar strain, speed, force;
} point;

static local at_point(const lmb_gauss_point *p, int count, const double *const x[])
{
    local out = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        out.x += p->dN[i] * x[i][0];
        out.y += p->dN[i] * x[i][1];
        out.psi += p->N[i] * x[i][2];
        out.psi1 += p->dN[i] * x[i][2];
    }
    return out;
}

static planar stress(const double *C, planar e)
{
    return (planar){C[0] * e.gx + C[6] * e.gy + C[30] * e.k,
                    C[1] * e.gx + C[7] * e.gy + C[31] * e.k,
                    C[5] * e.gx + C[11] * e.gy + C[35] * e.k};
}

static planar strain_change(const point *p, const local *d)
{
    return (planar){p->c * d->x + p->s * d->y + p->ay * d->psi,
                    -p->s * d->x + p->c * d->y - p->ax * d->psi, d->psi1};
}

static void look_at_point(const lmb_beam_element *e, const lmb_beam_state *s, int k, bool rates,
                          point *p)
{
    const lmb_strain *zero = &e->undeformed[k];
    const double *C = e->stiffness + 36 * k;
    local X = at_point(&e->points[k], e->order + 1, s->q);
    X.psi += e->points[k].N[e->order] * e->winding;
    X.psi1 += e->points[k].dN[e->order] * e->winding;
    p->c = cos(X.psi);
    p->s = sin(X.psi);
    p->ax = p->c * X.x + p->s * X.y;
    p->ay = -p->s * X.x + p->c * X.y;
    p->strain = (planar){p->ax - zero->gamma.x, p->ay - zero->gamma.y, X.psi1 - zero->kappa.z};
    p->force = stress(C, p->strain);
    p->speed = (planar){0, 0, 0};
    if (!rates)
        return;
    p->rate = at_point(&e->points[k], e->order + 1, s->v);
    p->speed = strain_change(p, &p->rate);
    planar lost = stress(C, p->speed);
    p->force.gx += e->damping * lost.gx;
    p->force.gy += e->damping * lost.gy;
    p->force.k += e->damping * lost.k;
}

/* What section forces do along x', psi, psi'. */
static local pull(const point *p, planar f)
{
    return (local){p->c * f.gx - p->s * f.gy, p->s * f.gx + p->c * f.gy,
                   f.gx * p->ay - f.gy * p->ax, f.k};
}

/* Its change along a change of these, with the forces as they are. */
static local pull_change(const point *p, const local *d)
{
    planar f = p->force, a1 = strain_change(p, d);
    return (local){(-p->s * f.gx - p->c * f.gy) * d->psi, (p->c * f.gx - p->s * f.gy) * d->psi,
                   f.gx * a1.gy - f.gy * a1.gx, 0};
}

/* The change of the strain rates: of R^T, of a, as they turn. */
static planar speed_change(const point *p, const local *d)
{
    const local *v = &p->rate;
    planar a1 = strain_change(p, d);
    double vx = p->c * v->x + p->s * v->y, vy = -p->s * v->x + p->c * v->y;
    return (planar){vy * d->psi + a1.gy * v->psi, -vx * d->psi - a1.gx * v->psi, 0};
}

static void subtract_point(const lmb_gauss_point *p, int count, const local *g, double *const Q[])
{
    for (int i = 0; i < count; i++) {
        Q[i][0] -= p->weight * p->dN[i] * g->x;
        Q[i][1] -= p->weight * p->dN[i] * g->y;
        Q[i][2] -= p->weight * (p->N[i] * g->psi + p->dN[i] * g->psi1);
    }
}

static void force(const lmb_beam_element *e, const lmb_beam_state *s, double *const Q[])
{
    bool rates = e->damping > 0 && s->v[0];
    for (int k = 0; k < e->order; k++) {
        point p;
        look_at_point(e, s, k, rates, &p);
        local along = pull(&p, p.force);
        subtract_point(&e->points[k], e->order + 1, &along, Q);
    }
}

static void section(const lmb_beam_element *e, const lmb_beam_state *s, int k,
                    lmb_beam_section_state *out)
{
    point p;
    look_at_point(e, s, k, s->v[0] != NULL, &p);
    *out = (lmb_beam_section_state){{{p.strain.gx, p.strain.gy, 0}, {0, 0, p.strain.k}},
                                    {{p.speed.gx, p.speed.gy, 0}, {0, 0, p.speed.k}},
                                    {{p.force.gx, p.force.gy, 0}, {0, 0, p.force.k}}};
}

/* One column of a point: the change along a coordinate of a node. */
static void add_column(const lmb_beam_element *e, int k, const point *p, const local *d, bool rates,
                       double *const by_q[], double *const by_v[])
{
    const double *C = e->stiffness + 36 * k;
    int count = e->order + 1;
    local along = pull(p, stress(C, strain_change(p, d)));
    subtract_point(&e->points[k], count, &along, by_q);
    if (rates)
        subtract_point(&e->points[k], count, &along, by_v);
    along = pull_change(p, d);
    subtract_point(&e->points[k], count, &along, by_q);
    if (!rates)
        return;
    planar lost = stress(C, speed_change(p, d));
    along = pull(p, (planar){e->damping * lost.gx, e->damping * lost.gy, e->damping * lost.k});
    subtract_point(&e->points[k], count, &along, by_q);
}

static void tangent(const lmb_beam_element *e, const lmb_beam_state *s, double *by_q, double *by_v)
{
    bool rates = e->damping > 0 && s->v[0];
    int count = e->order + 1, n = SIZE * count;
    memset(by_q, 0, (size_t)(n * n) * sizeof *by_q);
    memset(by_v, 0, (size_t)(n * n) * sizeof *by_v);
    for (int k = 0; k < e->order; k++) {
        const lmb_gauss_point *at = &e->points[k];
        point p;
        look_at_point(e, s, k, rates, &p);
        for (int column = 0; column < n; column++) {
            int node = column / SIZE, j = column % SIZE;
            double *q[LMB_BEAM_NODES], *w[LMB_BEAM_NODES];
            local d = {j == 0 ? at->dN[node] : 0, j == 1 ? at->dN[node] : 0,
                       j == 2 ? at->N[node] : 0, j == 2 ? at->dN[node] : 0};
            for (int i = 0; i < count; i++) {
                q[i] = by_q + column * n + SIZE * i;
                w[i] = by_v + column * n + SIZE * i;
            }
            add_column(e, k, &p, &d, rates, q, w);
        }
    }
    for (int i = 0; i < n * n; i++) { /* so far they are those of Q */
        by_q[i] *= -1;
        by_v[i] *= -e->damping;
    }
}

const lmb_beam_kind lmb_beam_plane = {SIZE, force, tangent, section};
