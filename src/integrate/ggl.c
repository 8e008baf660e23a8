/* Residual and Newton's matrix of the stabilised index-2 equations.
 *
 * With h = 1 / cj, the first two lines times h, and lambda and mu in units of cj, the matrix
 *
 *        q            v           lambda     mu
 *   [ 1 - h B        -h N           0       -N W^-1 Phi_q^T ]
 *   [ h K N+       M + h C        Phi_q^T    0              ]
 *   [ R N+           Phi_q         -e        0              ]
 *   [ Phi_q N+        0             0        e              ]
 *
 * stays well conditioned as h goes to zero; where friction depends on lambda, -dQ/dlambda is added
 * to Phi_q^T in the second line. K and C are the tangents of the equations of motion, R
 * = d(Phi_q v + Phi_t)/dq, B = d(N u)/dq with u the velocity that turns and moves q. Tangents are
 * taken along velocity coordinates, which N+ = (N^T N)^-1 N^T finds in a change of q; the columns
 * of N are orthogonal. Derivatives of W^-1 Phi_q^T mu are left out: mu is as small as the error of
 * a step, so Newton's iteration does not miss them. */
#include "integrate/ggl.h"

#include <string.h>

#include "math/linear.h"

/* What is done with the numbers of the matrix, which always come in the same order. */
typedef enum pass { COUNT, PLACE, FILL } pass;

struct lmb_ggl {
    const lmb_model *model;
    lmb_arena *arena;
    int size;
    double mass;    /* the largest one */
    double e;       /* of the header */
    double *metric; /* nv: the diagonal of W */

    /* of each body, by columns */
    int *N_start, *B_start;
    double *N, *inverse, *B;   /* nq x nv, nv x nq, nq x nq */
    bool *N_filled, *B_filled; /* which numbers can be other than zero */

    double *u, *force;     /* nv */
    double *zero;          /* nq + nv, enough for any body */
    double *unit;          /* nq + nv, likewise, zero but for one number at a time */
    double *constant;      /* nq */
    double *anchor;        /* nrows: lambda of the last step */
    double *phi, *nu, *mu; /* nrows */
    double *masses;        /* mass_count */
    double *rate_by_q;     /* value_count */

    lmb_pattern pattern;
    double *values;
    int *place, *next;
    int entry;
    pass pass;
    double cj; /* of the matrix */
    lmb_linear *solver;
};

/* --- N and its kin, body by body ----------------------------------------------------------------
 */

/* N, N+ and B of a body: rates are linear in velocities and, but for a constant, in q. */
static void find_rates(lmb_ggl *g, int i, const double *q, const double *u)
{
    const lmb_body *b = &g->model->bodies[i];
    double *N = g->N + g->N_start[i], *inverse = g->inverse + g->N_start[i];
    double *B = g->B + g->B_start[i];
    for (int j = 0; j < b->nv; j++) {
        double *column = N + j * b->nq, square = 0;
        g->unit[j] = 1;
        b->ops->rate(b, q, g->unit, column);
        g->unit[j] = 0;
        for (int k = 0; k < b->nq; k++)
            square += column[k] * column[k];
        for (int k = 0; k < b->nq; k++)
            inverse[k * b->nv + j] = column[k] / square;
    }
    b->ops->rate(b, g->zero, u, g->constant);
    for (int k = 0; k < b->nq; k++) {
        g->unit[k] = 1;
        b->ops->rate(b, g->unit, u, B + k * b->nq);
        g->unit[k] = 0;
        for (int l = 0; l < b->nq; l++)
            B[k * b->nq + l] -= g->constant[l];
    }
}

/* Finds out with numbers that mean nothing which ones are always zero. */
static void find_zeros(lmb_ggl *g, double *q, double *u)
{
    const lmb_model *m = g->model;
    for (int i = 0; i < m->nq; i++)
        q[i] = 1 + 0.3 * sin(1.7 * i);
    for (int i = 0; i < m->nv; i++)
        u[i] = 1 + 0.3 * sin(2.3 * i);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        find_rates(g, i, q + b->q, u + b->v);
        for (int k = g->N_start[i]; k < g->N_start[i] + b->nq * b->nv; k++)
            g->N_filled[k] = g->N[k] != 0;
        for (int k = 0; k < b->nq * b->nq; k++)
            g->B_filled[g->B_start[i] + k] = g->B[g->B_start[i] + k] != 0 || k % (b->nq + 1) == 0;
    }
}

/* --- matrix -------------------------------------------------------------------------------------
 */

static void put(lmb_ggl *g, int row, int column, double value)
{
    int entry = g->entry++;
    switch (g->pass) {
    case COUNT:
        g->pattern.start[column + 1]++;
        break;
    case PLACE:
        g->place[entry] = g->next[column]++;
        g->pattern.row[g->place[entry]] = row;
        break;
    case FILL:
        g->values[g->place[entry]] = value;
    }
}

/* The first line: 1 - h B and -h N. */
static void put_body(lmb_ggl *g, int i)
{
    const lmb_body *b = &g->model->bodies[i];
    for (int k = 0, at = g->B_start[i]; k < b->nq; k++)
        for (int l = 0; l < b->nq; l++, at++)
            if (g->B_filled[at])
                put(g, b->q + l, b->q + k, (k == l) - g->B[at] / g->cj);
    for (int j = 0, at = g->N_start[i]; j < b->nv; j++)
        for (int l = 0; l < b->nq; l++, at++)
            if (g->N_filled[at])
                put(g, b->q + l, g->model->nq + b->v + j, -g->N[at] / g->cj);
}

/* The second line without the last column: h K N+ and M + h C of a couple of bodies. */
static void put_couple(lmb_ggl *g, const lmb_state *s, const lmb_couple *c, const double *mass)
{
    const lmb_model *m = g->model;
    const lmb_body *row = &m->bodies[c->row], *column = &m->bodies[c->column];
    const double *K = s->tangent_q + c->value, *C = s->tangent_v + c->value;
    const double *inverse = g->inverse + g->N_start[c->column];
    double h = 1 / g->cj;
    for (int k = 0; k < column->nq; k++)
        for (int i = 0; i < row->nv; i++) {
            double sum = 0;
            for (int j = 0; j < column->nv; j++)
                sum += K[j * row->nv + i] * inverse[k * column->nv + j];
            put(g, m->nq + row->v + i, column->q + k, h * sum / g->mass);
        }
    for (int k = 0; k < row->nv * column->nv; k++)
        put(g, m->nq + row->v + k % row->nv, m->nq + column->v + k / row->nv,
            (h * C[k] + (mass ? mass[k] : 0)) / g->mass);
}

/* What stands in the two lines and the two columns of a row, for one of its bodies. */
static void put_block(lmb_ggl *g, const lmb_state *s, int r, const lmb_block *block)
{
    const lmb_model *m = g->model;
    const lmb_body *b = &m->bodies[block->body];
    const double *N = g->N + g->N_start[block->body],
                 *inverse = g->inverse + g->N_start[block->body];
    const double *J = s->jacobian + block->value, *R = g->rate_by_q + block->value;
    const double *friction = s->tangent_lambda + block->value;
    bool has_position = !m->parts.rows[r].velocity_level;
    int lambda = m->nq + m->nv + r, mu = lambda + m->nrows;
    double scale = m->sparse_rows[r].scale;
    for (int k = 0; k < b->nq; k++) {
        double along = 0, rate = 0, move = 0;
        for (int j = 0; j < b->nv; j++) {
            along += J[j] * inverse[k * b->nv + j];
            rate += R[j] * inverse[k * b->nv + j];
            move += N[j * b->nq + k] * J[j] / g->metric[b->v + j];
        }
        put(g, lambda, b->q + k, scale * rate);
        put(g, mu, b->q + k, has_position ? scale * along : 0);
        put(g, b->q + k, mu, -scale * move);
    }
    for (int j = 0; j < b->nv; j++) {
        put(g, lambda, m->nq + b->v + j, scale * J[j]);
        put(g, m->nq + b->v + j, lambda, scale * (J[j] + friction[j]));
    }
}

static void put_all(lmb_ggl *g, const lmb_state *s, pass what)
{
    const lmb_model *m = g->model;
    const double *mass = g->masses;
    g->pass = what;
    g->entry = 0;
    for (int i = 0; i < m->body_count; i++) {
        put_body(g, i);
        if (m->body_couple[i] >= 0)
            put_couple(g, s, &m->couples[m->body_couple[i]], mass);
        mass += m->bodies[i].nv * m->bodies[i].nv;
    }
    for (int c = 0; c < m->couple_count; c++)
        if (m->couples[c].row != m->couples[c].column)
            put_couple(g, s, &m->couples[c], NULL);
    for (int r = 0; r < m->nrows; r++) {
        int lambda = m->nq + m->nv + r, mu = lambda + m->nrows;
        for (int k = 0; k < m->sparse_rows[r].block_count; k++)
            put_block(g, s, r, &m->blocks[m->sparse_rows[r].block + k]);
        put(g, lambda, lambda, -g->e);
        put(g, mu, mu, m->parts.rows[r].velocity_level ? 1 : g->e);
    }
}

void lmb_ggl_assemble(lmb_ggl *g, lmb_state *s, const double *y, double cj)
{
    const lmb_model *m = g->model;
    g->cj = cj;
    lmb_jacobian(s);
    lmb_tangent_blocks(s);
    lmb_rate_tangent_blocks(s, g->rate_by_q);
    lmb_mass_blocks(s, g->masses);
    for (int i = 0; i < m->body_count; i++)
        find_rates(g, i, y + m->bodies[i].q, s->v + m->bodies[i].v);
    put_all(g, s, FILL);
}

bool lmb_ggl_factor(lmb_ggl *g)
{
    return g->solver->ops->factor(g->solver, g->values);
}

void lmb_ggl_solve(lmb_ggl *g, double *b)
{
    int differential = g->model->nq + g->model->nv;
    for (int i = 0; i < differential; i++)
        b[i] /= g->cj;
    g->solver->ops->solve(g->solver, b);
    for (int i = differential; i < g->size; i++)
        b[i] *= g->cj;
}

/* --- life ---------------------------------------------------------------------------------------
 */

static bool allocate_bodies(lmb_ggl *g)
{
    const lmb_model *m = g->model;
    int N = 0, B = 0;
    g->N_start = lmb_arena_integers(g->arena, m->body_count);
    g->B_start = lmb_arena_integers(g->arena, m->body_count);
    if (!g->N_start || !g->B_start)
        return false;
    for (int i = 0; i < m->body_count; i++) {
        g->N_start[i] = N;
        g->B_start[i] = B;
        N += m->bodies[i].nq * m->bodies[i].nv;
        B += m->bodies[i].nq * m->bodies[i].nq;
    }
    g->N = lmb_arena_numbers(g->arena, N);
    g->inverse = lmb_arena_numbers(g->arena, N);
    g->B = lmb_arena_numbers(g->arena, B);
    g->N_filled = lmb_arena_alloc(g->arena, (size_t)N, sizeof *g->N_filled);
    g->B_filled = lmb_arena_alloc(g->arena, (size_t)B, sizeof *g->B_filled);
    return g->N && g->inverse && g->B && g->N_filled && g->B_filled;
}

static bool allocate_vectors(lmb_ggl *g)
{
    const lmb_model *m = g->model;
    g->metric = lmb_arena_numbers(g->arena, m->nv);
    g->u = lmb_arena_numbers(g->arena, m->nv);
    g->force = lmb_arena_numbers(g->arena, m->nv);
    g->zero = lmb_arena_numbers(g->arena, m->nq + m->nv);
    g->unit = lmb_arena_numbers(g->arena, m->nq + m->nv);
    g->constant = lmb_arena_numbers(g->arena, m->nq);
    g->anchor = lmb_arena_numbers(g->arena, m->nrows);
    g->phi = lmb_arena_numbers(g->arena, m->nrows);
    g->nu = lmb_arena_numbers(g->arena, m->nrows);
    g->mu = lmb_arena_numbers(g->arena, m->nrows);
    g->masses = lmb_arena_numbers(g->arena, m->mass_count);
    g->rate_by_q = lmb_arena_numbers(g->arena, m->value_count);
    return g->metric && g->u && g->force && g->zero && g->unit && g->constant && g->anchor &&
           g->phi && g->nu && g->mu && g->masses && g->rate_by_q;
}

static bool allocate_matrix(lmb_ggl *g, const lmb_state *s)
{
    int n = g->size;
    g->cj = 1;
    g->pattern.n = n;
    g->pattern.start = lmb_arena_integers(g->arena, n + 1);
    g->next = lmb_arena_integers(g->arena, n);
    double *q = lmb_arena_numbers(g->arena, g->model->nq);
    if (!g->pattern.start || !g->next || !q)
        return false;
    find_zeros(g, q, g->u);
    put_all(g, s, COUNT);
    g->pattern.row = lmb_arena_integers(g->arena, g->entry);
    g->place = lmb_arena_integers(g->arena, g->entry);
    g->values = lmb_arena_numbers(g->arena, g->entry);
    if (!g->pattern.row || !g->place || !g->values)
        return false;
    for (int j = 0; j < n; j++) {
        g->pattern.start[j + 1] += g->pattern.start[j];
        g->next[j] = g->pattern.start[j];
    }
    put_all(g, s, PLACE);
    g->solver = lmb_linear_new(&g->pattern);
    return g->solver != NULL;
}

/* The largest mass, and the diagonal of W. */
static void find_scales(lmb_ggl *g, const lmb_state *s)
{
    const lmb_model *m = g->model;
    const double *block = g->masses;
    lmb_metric_blocks(s, g->masses);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        for (int j = 0; j < b->nv; j++)
            g->metric[b->v + j] = block[j * b->nv + j];
        g->mass = fmax(g->mass, b->mass);
        block += b->nv * b->nv;
    }
    if (!(g->mass > 0))
        g->mass = 1;
}

lmb_ggl *lmb_ggl_new(const lmb_state *s)
{
    const lmb_model *m = s->model;
    lmb_arena *arena;
    lmb_ggl *g = lmb_arena_object(&arena, sizeof *g);
    if (!g)
        return NULL;
    g->model = m;
    g->arena = arena;
    g->size = m->nq + m->nv + 2 * m->nrows;
    if (!allocate_bodies(g) || !allocate_vectors(g) || !allocate_matrix(g, s)) {
        lmb_ggl_free(g);
        return NULL;
    }
    find_scales(g, s);
    return g;
}

void lmb_ggl_free(lmb_ggl *g)
{
    if (!g)
        return;
    lmb_linear_free(g->solver);
    lmb_arena_free(g->arena);
}

int lmb_ggl_size(const lmb_ggl *g)
{
    return g->size;
}

/* --- unknowns and residual ----------------------------------------------------------------------
 */

/* The multiplier of a row as written for a unit of lambda in y. */
static double unit_of(const lmb_ggl *g, int r)
{
    return g->model->sparse_rows[r].scale * g->mass;
}

void lmb_ggl_get(const lmb_ggl *g, const lmb_state *s, double *y, double *rates)
{
    const lmb_model *m = g->model;
    int lambda = m->nq + m->nv;
    memset(y, 0, (size_t)g->size * sizeof *y);
    memset(rates, 0, (size_t)g->size * sizeof *rates);
    memcpy(y, s->q, (size_t)m->nq * sizeof *y);
    memcpy(y + m->nq, s->v, (size_t)m->nv * sizeof *y);
    lmb_rate(s, rates);
    memcpy(rates + m->nq, s->a, (size_t)m->nv * sizeof *y);
    for (int r = 0; r < m->nrows; r++)
        y[lambda + r] = s->lambda[r] / unit_of(g, r);
}

void lmb_ggl_set(lmb_ggl *g, lmb_state *s, double t, const double *y, const double *rates)
{
    const lmb_model *m = g->model;
    lmb_retract(s, y, g->zero); /* makes quaternions unit */
    memcpy(s->v, y + m->nq, (size_t)m->nv * sizeof *y);
    memcpy(s->a, rates + m->nq, (size_t)m->nv * sizeof *y);
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] = unit_of(g, r) * y[m->nq + m->nv + r];
    lmb_set_time(s, t);
    lmb_update_position(s);
    lmb_update_velocity(s);
}

void lmb_ggl_start(lmb_ggl *g, bool redundant)
{
    g->e = redundant ? 1e-7 : 1e-14;
}

void lmb_ggl_accept(lmb_ggl *g, const double *y)
{
    memcpy(g->anchor, y + g->model->nq + g->model->nv, (size_t)g->model->nrows * sizeof *y);
}

/* u = v + W^-1 Phi_q^T mu */
static void find_velocity(lmb_ggl *g, const lmb_state *s, const double *mu)
{
    const lmb_model *m = g->model;
    for (int r = 0; r < m->nrows; r++)
        g->mu[r] = -m->sparse_rows[r].scale * mu[r];
    memset(g->u, 0, (size_t)m->nv * sizeof *g->u);
    lmb_jacobian_transposed_subtract(s, g->mu, g->u);
    for (int i = 0; i < m->nv; i++)
        g->u[i] = s->v[i] + g->u[i] / g->metric[i];
}

void lmb_ggl_residual(lmb_ggl *g, lmb_state *s, const double *y, const double *rates, double cj,
                      double *residual)
{
    const lmb_model *m = g->model;
    int nq = m->nq, nv = m->nv;
    const double *lambda = y + nq + nv, *mu = lambda + m->nrows;
    double *motion = residual + nq, *rate = motion + nv, *position = rate + m->nrows;
    lmb_jacobian(s);
    find_velocity(g, s, mu);
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        b->ops->rate(b, y + b->q, g->u + b->v, residual + b->q);
    }
    for (int i = 0; i < nq; i++)
        residual[i] = rates[i] - residual[i];
    lmb_total_force(s, g->force);
    lmb_jacobian_transposed_subtract(s, s->lambda, g->force);
    lmb_mass_times(s, s->a, motion);
    for (int i = 0; i < nv; i++)
        motion[i] = (motion[i] - g->force[i]) / g->mass;
    lmb_jacobian_times(s, s->v, rate);
    lmb_velocity_side(s, g->nu);
    lmb_constraints(s, g->phi);
    for (int r = 0; r < m->nrows; r++) {
        double scale = m->sparse_rows[r].scale;
        rate[r] = scale * (rate[r] - g->nu[r]) - g->e * (lambda[r] - g->anchor[r]) / cj;
        position[r] =
            m->parts.rows[r].velocity_level ? mu[r] / cj : scale * g->phi[r] + g->e * mu[r] / cj;
    }
}
