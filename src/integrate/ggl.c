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
 * a step, so Newton's iteration does not miss them. First-order states z of bodies stand between v
 * and lambda, with the line h (zdot - f) = 0, and -h dQ/dz in the second line. */
#include "integrate/ggl.h"

#include <string.h>

#include "math/linear.h"
#include "system/first_order.h"

/* What is done with the numbers of the matrix, which always come in the same order. */
typedef enum pass { COUNT, PLACE, FILL } pass;

struct lmb_ggl {
    const lmb_model *model;
    lmb_arena *arena;
    int size;
    double mass;    /* the largest one */
    double e;       /* of the header */
    double *metric; /* nv: the diagonal of W */

    double *N, *inverse, *B; /* of each node, by columns: N_NUMBERS twice, B_NUMBERS */

    double *u, *force;     /* nv */
    double *zero;          /* nv zeros */
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

/* --- N and its kin, node by node -------------------------------------------------------------- */

/* Numbers of N (and N+), and of B, of a node that turns; of the others N is 1 and B is 0. */
enum { TURN_Q = 7, TURN_V = 6, N_NUMBERS = TURN_Q * TURN_V, B_NUMBERS = TURN_Q * TURN_Q };

/* N, N+ and B of a node that turns: rates are linear in velocities and, but for a constant, in q.
 */
static void find_rates(lmb_ggl *g, int i, const double *q, const double *u)
{
    static const double zero[TURN_Q];
    const lmb_node *node = &g->model->nodes[i];
    double *N = g->N + N_NUMBERS * i, *inverse = g->inverse + N_NUMBERS * i;
    double *B = g->B + B_NUMBERS * i, constant[TURN_Q], unit[TURN_Q] = {0};
    if (!lmb_node_turns(node))
        return;
    for (int j = 0; j < TURN_V; j++) {
        double *column = N + j * TURN_Q, square = 0;
        unit[j] = 1;
        lmb_node_rate(node, q, unit, column);
        unit[j] = 0;
        for (int k = 0; k < TURN_Q; k++)
            square += column[k] * column[k];
        for (int k = 0; k < TURN_Q; k++)
            inverse[k * TURN_V + j] = column[k] / square;
    }
    lmb_node_rate(node, zero, u, constant);
    for (int k = 0; k < TURN_Q; k++) {
        unit[k] = 1;
        lmb_node_rate(node, unit, u, B + k * TURN_Q);
        unit[k] = 0;
        for (int l = 0; l < TURN_Q; l++)
            B[k * TURN_Q + l] -= constant[l];
    }
}

/* Whether a number of N or B of a node that turns can be other than zero: positions and quaternions
 * do not mix. */
static bool filled(int q, int other, int boundary)
{
    return q < 3 || other < boundary ? q == other : true;
}

/* --- matrix ----------------------------------------------------------------------------------- */

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
static void put_node(lmb_ggl *g, int i)
{
    const lmb_node *node = &g->model->nodes[i];
    const double *B = g->B + B_NUMBERS * i, *N = g->N + N_NUMBERS * i;
    bool turns = lmb_node_turns(node);
    for (int k = 0; k < node->nq; k++)
        for (int l = turns ? 0 : k; l < (turns ? node->nq : k + 1); l++)
            if (filled(l, k, 3))
                put(g, node->q + l, node->q + k,
                    (k == l) - (turns ? B[k * TURN_Q + l] : 0) / g->cj);
    for (int j = 0; j < node->nv; j++)
        for (int l = turns ? 0 : j; l < (turns ? node->nq : j + 1); l++)
            if (filled(l, j, 3))
                put(g, node->q + l, g->model->nq + node->v + j,
                    -(turns ? N[j * TURN_Q + l] : 1) / g->cj);
}

/* sum_j x_j N+_jk for the numbers x of a node, `stride` apart. */
static double along(const lmb_ggl *g, int node, int k, const double *x, int stride)
{
    if (!lmb_node_turns(&g->model->nodes[node]))
        return x[k * stride];
    const double *inverse = g->inverse + N_NUMBERS * node + k * TURN_V;
    double sum = 0;
    for (int j = 0; j < TURN_V; j++)
        sum += x[j * stride] * inverse[j];
    return sum;
}

/* The second line without the last column: h K N+ and M + h C of a couple of clusters. */
static void put_couple(lmb_ggl *g, const lmb_state *s, const lmb_couple *c, const double *mass)
{
    const lmb_model *m = g->model;
    const lmb_cluster *column = &m->clusters[c->column];
    const double *K = s->tangent_q + c->value, *C = s->tangent_v + c->value;
    double h = 1 / g->cj;
    for (int n = column->node; n < column->node + column->node_count; n++) {
        const double *of_node = K + (m->nodes[n].v - c->column_v) * c->row_nv;
        for (int k = 0; k < m->nodes[n].nq; k++)
            for (int i = 0; i < c->row_nv; i++)
                put(g, m->nq + c->row_v + i, m->nodes[n].q + k,
                    h * along(g, n, k, of_node + i, c->row_nv) / g->mass);
    }
    for (int k = 0; k < c->row_nv * c->column_nv; k++)
        put(g, m->nq + c->row_v + k % c->row_nv, m->nq + c->column_v + k / c->row_nv,
            (h * C[k] + (mass ? mass[k] : 0)) / g->mass);
}

/* What stands in the two lines and the two columns of a row, for one of its nodes; `value` is where
 * its numbers start. */
static void put_row_node(lmb_ggl *g, const lmb_state *s, int r, int n, int value)
{
    const lmb_model *m = g->model;
    const lmb_node *node = &m->nodes[n];
    const double *J = s->jacobian + value, *R = g->rate_by_q + value;
    const double *friction = s->tangent_lambda + value, *N = g->N + N_NUMBERS * n;
    bool has_position = !m->parts.rows[r].velocity_level, turns = lmb_node_turns(node);
    int lambda = m->nq + m->nv + m->nz + r, mu = lambda + m->nrows;
    double scale = m->sparse_rows[r].scale;
    for (int k = 0; k < node->nq; k++) {
        double move = turns ? 0 : J[k] / g->metric[node->v + k];
        for (int j = 0; turns && j < TURN_V; j++)
            move += N[j * TURN_Q + k] * J[j] / g->metric[node->v + j];
        put(g, lambda, node->q + k, scale * along(g, n, k, R, 1));
        put(g, mu, node->q + k, has_position ? scale * along(g, n, k, J, 1) : 0);
        put(g, node->q + k, mu, -scale * move);
    }
    for (int j = 0; j < node->nv; j++) {
        put(g, lambda, m->nq + node->v + j, scale * J[j]);
        put(g, m->nq + node->v + j, lambda, scale * (J[j] + friction[j]));
    }
}

/* The same for all nodes of a block. */
static void put_block(lmb_ggl *g, const lmb_state *s, int r, const lmb_block *block)
{
    const lmb_cluster *c = &g->model->clusters[block->cluster];
    for (int n = c->node; n < c->node + c->node_count; n++) {
        int offset = g->model->nodes[n].v - block->v;
        if (offset >= 0 && offset < block->nv)
            put_row_node(g, s, r, n, block->value + offset);
    }
}

/* Where the multipliers of the velocities start among the unknowns. */
static int first_lambda(const lmb_model *m)
{
    return m->nq + m->nv + m->nz;
}

/* The first-order states of a body: their line, and their column in the second line. */
static void put_states(lmb_ggl *g, const lmb_state *s, int body)
{
    const lmb_model *m = g->model;
    const lmb_body *b = &m->bodies[body];
    lmb_first_order_tangent t = lmb_first_order_tangent_of(s, body);
    int z = m->nq + m->nv + b->z, v = m->nq + b->v, nz = b->nz;
    double h = 1 / g->cj;
    for (int i = 0; i < nz; i++) {
        for (int n = (int)(b->nodes - m->nodes), end = n + b->node_count; n < end; n++)
            for (int k = 0; k < m->nodes[n].nq; k++)
                put(g, z + i, m->nodes[n].q + k,
                    -h * along(g, n, k, t.by_q + (m->nodes[n].v - b->v) * nz + i, nz));
        for (int j = 0; j < b->nv; j++) {
            put(g, z + i, v + j, -h * t.by_v[j * nz + i]);
            put(g, v + j, z + i, -h * t.force_by_z[i * b->nv + j] / g->mass);
        }
        for (int j = 0; j < nz; j++)
            put(g, z + i, z + j, (i == j) - h * t.by_z[j * nz + i]);
    }
}

static void put_all(lmb_ggl *g, const lmb_state *s, pass what)
{
    const lmb_model *m = g->model;
    g->pass = what;
    g->entry = 0;
    for (int i = 0; i < m->node_count; i++)
        put_node(g, i);
    for (int c = 0; c < m->couple_count; c++) {
        bool own = m->couples[c].row == m->couples[c].column;
        put_couple(g, s, &m->couples[c],
                   own ? g->masses + m->clusters[m->couples[c].row].mass : NULL);
    }
    for (int i = 0; i < m->body_count; i++)
        if (m->bodies[i].nz)
            put_states(g, s, i);
    for (int r = 0; r < m->nrows; r++) {
        int lambda = first_lambda(m) + r, mu = lambda + m->nrows;
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
    for (int i = 0; i < m->node_count; i++)
        find_rates(g, i, y + m->nodes[i].q, s->v + m->nodes[i].v);
    put_all(g, s, FILL);
}

bool lmb_ggl_factor(lmb_ggl *g)
{
    return g->solver->ops->factor(g->solver, g->values);
}

void lmb_ggl_solve(lmb_ggl *g, double *b)
{
    int differential = first_lambda(g->model);
    for (int i = 0; i < differential; i++)
        b[i] /= g->cj;
    g->solver->ops->solve(g->solver, b, 1);
    for (int i = differential; i < g->size; i++)
        b[i] *= g->cj;
}

/* --- life ------------------------------------------------------------------------------------- */

static bool allocate_vectors(lmb_ggl *g)
{
    const lmb_model *m = g->model;
    g->N = lmb_arena_numbers(g->arena, N_NUMBERS * (size_t)m->node_count);
    g->inverse = lmb_arena_numbers(g->arena, N_NUMBERS * (size_t)m->node_count);
    g->B = lmb_arena_numbers(g->arena, B_NUMBERS * (size_t)m->node_count);
    g->metric = lmb_arena_numbers(g->arena, m->nv);
    g->u = lmb_arena_numbers(g->arena, m->nv);
    g->force = lmb_arena_numbers(g->arena, m->nv);
    g->zero = lmb_arena_numbers(g->arena, m->nv);
    g->anchor = lmb_arena_numbers(g->arena, m->nrows);
    g->phi = lmb_arena_numbers(g->arena, m->nrows);
    g->nu = lmb_arena_numbers(g->arena, m->nrows);
    g->mu = lmb_arena_numbers(g->arena, m->nrows);
    g->masses = lmb_arena_numbers(g->arena, m->mass_count);
    g->rate_by_q = lmb_arena_numbers(g->arena, m->value_count);
    return lmb_arena_fine(g->arena);
}

static bool allocate_matrix(lmb_ggl *g, const lmb_state *s)
{
    int n = g->size;
    g->cj = 1;
    g->pattern.n = n;
    g->pattern.start = lmb_arena_integers(g->arena, n + 1);
    g->next = lmb_arena_integers(g->arena, n);
    if (!lmb_arena_fine(g->arena))
        return false;
    put_all(g, s, COUNT);
    g->pattern.row = lmb_arena_integers(g->arena, g->entry);
    g->place = lmb_arena_integers(g->arena, g->entry);
    g->values = lmb_arena_numbers(g->arena, g->entry);
    if (!lmb_arena_fine(g->arena))
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
static void find_scales(lmb_ggl *g)
{
    const lmb_model *m = g->model;
    for (int j = 0; j < m->nv; j++)
        g->metric[j] = m->columns[j].size * m->columns[j].size;
    g->mass = m->heaviest;
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
    g->size = first_lambda(m) + 2 * m->nrows;
    if (!allocate_vectors(g) || !allocate_matrix(g, s)) {
        lmb_ggl_free(g);
        return NULL;
    }
    find_scales(g);
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

/* --- unknowns and residual -------------------------------------------------------------------- */

/* The multiplier of a row as written for a unit of lambda in y. */
static double unit_of(const lmb_ggl *g, int r)
{
    return g->model->sparse_rows[r].scale * g->mass;
}

void lmb_ggl_get(const lmb_ggl *g, const lmb_state *s, double *y, double *rates)
{
    const lmb_model *m = g->model;
    int lambda = first_lambda(m);
    memset(y, 0, (size_t)g->size * sizeof *y);
    memset(rates, 0, (size_t)g->size * sizeof *rates);
    memcpy(y, s->q, (size_t)m->nq * sizeof *y);
    memcpy(y + m->nq, s->v, (size_t)m->nv * sizeof *y);
    memcpy(y + m->nq + m->nv, s->z, (size_t)m->nz * sizeof *y);
    lmb_rate(s, rates);
    memcpy(rates + m->nq, s->a, (size_t)m->nv * sizeof *y);
    lmb_state_rate(s, rates + m->nq + m->nv);
    for (int r = 0; r < m->nrows; r++)
        y[lambda + r] = s->lambda[r] / unit_of(g, r);
}

void lmb_ggl_set(lmb_ggl *g, lmb_state *s, double t, const double *y, const double *rates)
{
    const lmb_model *m = g->model;
    lmb_retract(s, y, g->zero); /* makes quaternions unit */
    memcpy(s->v, y + m->nq, (size_t)m->nv * sizeof *y);
    memcpy(s->z, y + m->nq + m->nv, (size_t)m->nz * sizeof *y);
    memcpy(s->a, rates + m->nq, (size_t)m->nv * sizeof *y);
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] = unit_of(g, r) * y[first_lambda(m) + r];
    lmb_update(s, t);
}

void lmb_ggl_start(lmb_ggl *g, bool redundant)
{
    g->e = redundant ? 1e-7 : 1e-14;
}

void lmb_ggl_accept(lmb_ggl *g, const double *y)
{
    memcpy(g->anchor, y + first_lambda(g->model), (size_t)g->model->nrows * sizeof *y);
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
    const double *lambda = y + first_lambda(m), *mu = lambda + m->nrows;
    double *motion = residual + nq, *zdot = motion + nv, *rate = zdot + m->nz;
    double *position = rate + m->nrows;
    lmb_jacobian(s);
    find_velocity(g, s, mu);
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i];
        lmb_node_rate(node, y + node->q, g->u + node->v, residual + node->q);
    }
    for (int i = 0; i < nq; i++)
        residual[i] = rates[i] - residual[i];
    lmb_total_force(s, g->force);
    lmb_jacobian_transposed_subtract(s, s->lambda, g->force);
    lmb_mass_times(s, s->a, motion);
    for (int i = 0; i < nv; i++)
        motion[i] = (motion[i] - g->force[i]) / g->mass;
    lmb_state_rate(s, zdot);
    for (int i = 0; i < m->nz; i++)
        zdot[i] = rates[nq + nv + i] - zdot[i];
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
