/* The element of an exact beam in the plane: angles are numbers, psi is the angle itself.
 *
 *   gamma = R^T x' - gamma0,   kappa = psi' - kappa0
 *
 * With a = R^T x', P u = (u_y, -u_x): dgamma = R^T dx' + P a dpsi. Tangents of a point of Gauss are
 * 4 x 4 matrices H of (x', y', psi, psi'),
 *
 *   H = B^T C B + (change of B^T) (n, m) + damping B^T C (change of the strain rates),
 *
 * and those of nodes i and j are w S_i^T H S_j with the shape functions in S. */
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

static lmb_beam_section_state in_space(planar strain, planar speed, planar force)
{
    return (lmb_beam_section_state){{{strain.gx, strain.gy, 0}, {0, 0, strain.k}},
                                    {{speed.gx, speed.gy, 0}, {0, 0, speed.k}},
                                    {{force.gx, force.gy, 0}, {0, 0, force.k}}};
}

static void section(const lmb_beam_element *e, const lmb_beam_state *s, int k,
                    lmb_beam_section_state *out)
{
    point p;
    look_at_point(e, s, k, s->v[0] != NULL, &p);
    *out = in_space(p.strain, p.speed, p.force);
}

/* --- tangents --------------------------------------------------------------------------------- */

enum { X, Y, PSI, PSI1, LOCAL };

/* B: the change of the strains (by rows) along x', y', psi, psi'. */
static void set_strain_matrix(const point *p, double B[3][LOCAL])
{
    const double rows[3][LOCAL] = {{p->c, p->s, p->ay, 0}, {-p->s, p->c, -p->ax, 0}, {0, 0, 0, 1}};
    memcpy(B, rows, sizeof rows);
}

/* The change of the strain rates along them, with the rates of x', psi, psi' as they are: as R^T
 * and a turn. */
static void set_speed_matrix(const point *p, double S[3][LOCAL])
{
    const local *v = &p->rate;
    double vx = p->c * v->x + p->s * v->y, vy = -p->s * v->x + p->c * v->y, turn = v->psi;
    const double rows[3][LOCAL] = {{-p->s * turn, p->c * turn, vy - p->ax * turn, 0},
                                   {-p->c * turn, -p->s * turn, -vx - p->ay * turn, 0},
                                   {0, 0, 0, 0}};
    memcpy(S, rows, sizeof rows);
}

/* Adds factor B^T C A. */
static void add_product(const double *C, double B[3][LOCAL], double A[3][LOCAL], double factor,
                        double H[LOCAL][LOCAL])
{
    for (int j = 0; j < LOCAL; j++) {
        planar f = stress(C, (planar){A[0][j], A[1][j], A[2][j]});
        for (int i = 0; i < LOCAL; i++)
            H[i][j] += factor * (B[0][i] * f.gx + B[1][i] * f.gy + B[2][i] * f.k);
    }
}

/* Adds the change of B^T (n, m) with the forces as they are. */
static void add_geometric(const point *p, double H[LOCAL][LOCAL])
{
    planar f = p->force;
    double x = -p->s * f.gx - p->c * f.gy, y = p->c * f.gx - p->s * f.gy;
    H[X][PSI] += x;
    H[PSI][X] += x;
    H[Y][PSI] += y;
    H[PSI][Y] += y;
    H[PSI][PSI] -= f.gx * p->ax + f.gy * p->ay;
}

/* Adds w S_i^T H S_j of all nodes to a matrix by columns. */
static void add_nodes(const lmb_gauss_point *p, int count, double H[LOCAL][LOCAL], double *out)
{
    int n = SIZE * count;
    for (int j = 0; j < count; j++) {
        double N = p->weight * p->N[j], dN = p->weight * p->dN[j];
        double *x = out + SIZE * j * n, *y = x + n, *turn = y + n, along[LOCAL];
        for (int k = 0; k < LOCAL; k++)
            along[k] = N * H[k][PSI] + dN * H[k][PSI1];
        for (int i = 0; i < count; i++, x += SIZE, y += SIZE, turn += SIZE) {
            double M = p->N[i], dM = p->dN[i];
            x[0] += dM * dN * H[X][X];
            x[1] += dM * dN * H[Y][X];
            x[2] += dN * (M * H[PSI][X] + dM * H[PSI1][X]);
            y[0] += dM * dN * H[X][Y];
            y[1] += dM * dN * H[Y][Y];
            y[2] += dN * (M * H[PSI][Y] + dM * H[PSI1][Y]);
            turn[0] += dM * along[X];
            turn[1] += dM * along[Y];
            turn[2] += M * along[PSI] + dM * along[PSI1];
        }
    }
}

static void tangent(const lmb_beam_element *e, const lmb_beam_state *s, double *by_q, double *by_v)
{
    bool rates = e->damping > 0 && s->v[0];
    int count = e->order + 1, n = SIZE * count;
    memset(by_q, 0, (size_t)(n * n) * sizeof *by_q);
    memset(by_v, 0, (size_t)(n * n) * sizeof *by_v);
    for (int k = 0; k < e->order; k++) {
        const double *C = e->stiffness + 36 * k;
        double B[3][LOCAL], H[LOCAL][LOCAL] = {{0}};
        point p;
        look_at_point(e, s, k, rates, &p);
        set_strain_matrix(&p, B);
        add_product(C, B, B, 1, H);
        if (rates) {
            double S[3][LOCAL], D[LOCAL][LOCAL];
            for (int i = 0; i < LOCAL * LOCAL; i++)
                D[i / LOCAL][i % LOCAL] = e->damping * H[i / LOCAL][i % LOCAL];
            add_nodes(&e->points[k], count, D, by_v);
            set_speed_matrix(&p, S);
            add_product(C, B, S, e->damping, H);
        }
        add_geometric(&p, H);
        add_nodes(&e->points[k], count, H, by_q);
    }
}

static void section_columns(const lmb_beam_element *e, const lmb_beam_state *s, int k,
                            lmb_beam_section_state *by_q, lmb_beam_section_state *by_v)
{
    bool rates = s->v[0] != NULL;
    const double *C = e->stiffness + 36 * k;
    double S[3][LOCAL];
    point p;
    look_at_point(e, s, k, rates, &p);
    if (rates)
        set_speed_matrix(&p, S);
    for (int column = 0; column < SIZE * (e->order + 1); column++) {
        double N = e->points[k].N[column / SIZE], dN = e->points[k].dN[column / SIZE];
        int j = column % SIZE;
        local d = {j == 0 ? dN : 0, j == 1 ? dN : 0, j == 2 ? N : 0, j == 2 ? dN : 0};
        planar strain = strain_change(&p, &d), force = stress(C, strain), none = {0, 0, 0};
        by_q[column] = in_space(strain, none, force);
        by_v[column] = in_space(none, none, none);
        if (!rates)
            continue;
        /* the rate is linear in velocities with the derivative of the strain */
        planar by_speed = {e->damping * force.gx, e->damping * force.gy, e->damping * force.k};
        by_v[column] = in_space(none, strain, by_speed);
        planar speed = {S[0][X] * d.x + S[0][Y] * d.y + S[0][PSI] * d.psi,
                        S[1][X] * d.x + S[1][Y] * d.y + S[1][PSI] * d.psi, 0};
        planar lost = stress(C, speed);
        force = (planar){force.gx + e->damping * lost.gx, force.gy + e->damping * lost.gy,
                         force.k + e->damping * lost.k};
        by_q[column] = in_space(strain, speed, force);
    }
}

const lmb_beam_kind lmb_beam_plane = {SIZE, force, tangent, section, section_columns};
