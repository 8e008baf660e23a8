/* The shape at the beginning by Newton's method. A step d solves, with multipliers as unknowns,
 *
 *   [ K + M A + C V   Phi_q^T   c_q^T ] [   d    ]   [ Q - M a  ]
 *   [ Phi_q              0        0   ] [ lambda ] = [ -Phi     ]
 *   [ c_q                0        0   ] [   mu   ]   [ c - c(q) ]
 *
 * K and C are the tangents of M a + Phi_q^T lambda - Q by q and v. While its body moves as before,
 * a node that is displaced by d = (dr, dtheta) has other velocities and accelerations:
 *
 *   V d = (w x dr, omega x dtheta),   A d = (alpha x dr + w x (w x dr), alpha' x dtheta)
 *
 * with omega = R^T w, alpha' = R^T alpha. So the loss of stiffness by inertia is in the matrix, and
 * steps converge at any speed; z and z' then follow the new position.
 *
 * Where that fails, the load is applied in steps: Q - M a - (1 - s) H, H its first value. */
#include "analysis/steady_shape.h"

#include <string.h>

#include "analysis/elastic_metric.h"
#include "analysis/free_rigid.h"
#include "system/first_order.h"
#include "system/whole.h"

static const double epsilon = 1e-14; /* of rows that repeat others: see system/extended.h */

typedef lmb_steady_shape search;

static const lmb_model *model_of(const search *f)
{
    return f->solver->state->model;
}

/* --- velocities and accelerations of wholes --------------------------------------------------- */

/* Modal coordinates do not move. */
static void hold_modes(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    lmb_solver_hold(s, NULL);
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            if (s->modal[c->v + j])
                s->weights[c->mass + j * (c->nv + 1)] = INFINITY;
    }
}

/* Where bodies cannot move as wholes, they deform: adds to x the change of least strain energy with
 * which Phi_q x = g; free coordinates do not change. */
static bool deform(search *f, const double *g, double *x)
{
    const double rigid = 1e-10; /* relative to x: smaller residuals are rounding */
    lmb_solver *s = f->solver;
    const lmb_model *m = model_of(f);
    int row;
    lmb_jacobian_times(s->state, x, s->phi);
    for (int r = 0; r < m->nrows; r++)
        s->phi[r] = s->state->row_off[r] ? 0 : g[r] - s->phi[r];
    if (lmb_largest_residual(s, &row) <= rigid * lmb_step_size(s, x))
        return true;
    memset(f->c, 0, (size_t)f->shape->count * sizeof *f->c);
    memset(f->x, 0, (size_t)m->nv * sizeof *f->x);
    lmb_elastic_metric(f->shape, s, f->x, f->y);
    f->shape->metric = 1;
    lmb_solver_hold(s, s->modal);
    bool fine = lmb_extended_factor(f->shape, s, epsilon, true);
    lmb_solver_hold(s, NULL);
    if (fine)
        lmb_extended_solve(f->shape, NULL, s->phi, f->c, f->y);
    for (int j = 0; j < m->nv && fine; j++)
        x[j] += f->y[j];
    return fine;
}

/* v = T z + u. */
static bool find_velocity(search *f)
{
    lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    lmb_extended *e = f->whole;
    size_t H = 0;
    for (int i = 0; i < m->node_count; i++)
        H += e->block[i] >= 0 ? (size_t)(m->nodes[i].nv * m->nodes[i].nv) : 0;
    memset(e->H, 0, H * sizeof *e->H);
    e->metric = 1;
    lmb_whole_turn(s, f->rate, false, f->u);
    memcpy(s->v, f->u, (size_t)m->nv * sizeof(double));
    lmb_update_velocity(s);
    lmb_velocity_side(s, f->solver->side);
    lmb_jacobian_times(s, s->v, f->g);
    for (int r = 0; r < m->nrows; r++)
        f->g[r] = f->solver->side[r] - f->g[r];
    for (int k = 0; k < e->count; k++) {
        e->given[k].off = false;
        f->c[k] = -lmb_given_error(s, &e->given[k], true);
    }
    hold_modes(f->solver);
    bool fine = lmb_extended_factor(e, f->solver, epsilon, true);
    lmb_solver_hold(f->solver, NULL);
    if (fine)
        lmb_extended_solve(e, NULL, f->g, f->c, f->step);
    for (int j = 0; j < m->nv && fine; j++)
        s->v[j] += f->step[j];
    fine = fine && deform(f, f->solver->side, s->v);
    lmb_update_velocity(s);
    return fine;
}

/* Adds T^T M T of a cluster to the block of the node that leads it. */
static void add_inertia(search *f, const lmb_cluster *c)
{
    const lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    const lmb_node *first = &m->nodes[lmb_whole_leader(m, c->node)];
    double *H = f->whole->H + f->whole->block[first - m->nodes], *x = f->x, *y = f->y;
    for (int j = 0; j < first->nv; j++) {
        double unit[LMB_NATURAL_SPACE] = {0};
        unit[j < LMB_NATURAL_SPACE ? j : 0] = j < LMB_NATURAL_SPACE;
        memset(x, 0, (size_t)c->nv * sizeof *x);
        memset(y, 0, (size_t)c->nv * sizeof *y);
        for (int i = c->node; i < c->node + c->node_count; i++)
            if (&m->nodes[lmb_whole_leader(m, i)] == first)
                lmb_whole_rate(s, i, unit, x + m->nodes[i].v - c->v);
        for (int k = 0; k < c->nv; k++)
            for (int i = 0; i < c->nv; i++)
                y[i] += f->solver->mass[c->mass + k * c->nv + i] * x[k];
        for (int i = c->node; i < c->node + c->node_count; i++)
            if (&m->nodes[lmb_whole_leader(m, i)] == first)
                lmb_whole_load(s, i, 0, m->nodes[i].nv, y + m->nodes[i].v - c->v,
                               H + j * first->nv);
    }
}

/* a = T z' + b from the equations of motion of the wholes. */
static bool find_acceleration(search *f)
{
    lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    lmb_extended *e = f->whole;
    lmb_mass_blocks(s, f->solver->mass);
    for (int i = 0; i < m->cluster_count; i++)
        if (m->nodes[m->clusters[i].node].nv > 0 && !f->solver->modal[m->clusters[i].v])
            add_inertia(f, &m->clusters[i]);
    e->metric = 0;
    for (int k = 0; k < e->count; k++)
        e->given[k].off = true;
    hold_modes(f->solver);
    bool fine = lmb_extended_factor(e, f->solver, epsilon, true);
    lmb_solver_hold(f->solver, NULL);
    lmb_whole_bias(s, f->u, f->step);
    lmb_mass_times(s, f->step, f->x);
    lmb_total_force(s, f->y);
    for (int j = 0; j < m->nv; j++)
        f->x[j] = f->y[j] - f->x[j];
    memset(f->y, 0, (size_t)m->nv * sizeof *f->y);
    lmb_whole_reduce(s, f->x, f->y);
    lmb_acceleration_side(s, f->g);
    lmb_jacobian_times(s, f->step, f->solver->phi);
    for (int r = 0; r < m->nrows; r++)
        f->g[r] -= f->solver->phi[r];
    if (fine)
        lmb_extended_solve(e, f->y, f->g, f->c, s->a);
    for (int j = 0; j < m->nv; j++)
        s->a[j] += f->step[j];
    lmb_acceleration_side(s, f->g);
    return fine && deform(f, f->g, s->a);
}

/* What follows from the position. False: it does not determine the motion. */
static bool follow_position(search *f)
{
    lmb_state *s = f->solver->state;
    size_t n = (size_t)s->model->nv * sizeof(double);
    bool fine = true;
    lmb_update_position(s);
    lmb_jacobian(s);
    memset(s->a, 0, n);
    if (f->at_rest) {
        memset(s->v, 0, n);
        lmb_update_velocity(s);
    } else {
        fine = find_velocity(f) && find_acceleration(f);
    }
    return lmb_first_order_settle(s, 0, NULL) && fine;
}

/* --- Newton's method -------------------------------------------------------------------------- */

/* V d and A d of a node for a unit of its velocity coordinate j. */
static void vary_motion(const lmb_state *s, int i, int j, double *V, double *A)
{
    const lmb_model *m = s->model;
    const lmb_node *node = &m->nodes[i], *first = &m->nodes[lmb_whole_leader(m, i)];
    memset(V, 0, LMB_NATURAL_SPACE * sizeof *V);
    memset(A, 0, LMB_NATURAL_SPACE * sizeof *A);
    if (first->kind == LMB_NODE_VECTOR)
        return;
    vec3 w = lmb_whole_angular(s, first, s->v), alpha = lmb_whole_angular(s, first, s->a);
    if (j < m->dimension || node->kind == LMB_NODE_NATURAL) { /* axes turn as points do */
        int start = j / m->dimension * m->dimension;
        vec3 d = v3_axis(j - start);
        vec3 u = v3_cross(w, d), a = v3_add(v3_cross(alpha, d), v3_cross(w, u));
        for (int k = 0; k < m->dimension; k++) {
            V[start + k] = v3_get(u, k);
            A[start + k] = v3_get(a, k);
        }
    } else if (node->kind == LMB_NODE_SPACE) {
        vec3 turn = v3_axis(j - LMB_TURN_FIRST);
        node_put(V + LMB_TURN_FIRST, v3_cross(v3_of(s->v + node->v + LMB_TURN_FIRST), turn));
        node_put(A + LMB_TURN_FIRST, v3_cross(v3_of(s->a + node->v + LMB_TURN_FIRST), turn));
    }
}

/* Adds M A + C V to the tangents of the state, a column at a time. */
static void add_motion(search *f)
{
    const lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    double V[LMB_NATURAL_SPACE], A[LMB_NATURAL_SPACE];
    lmb_mass_blocks(s, f->solver->mass);
    for (int k = 0; k < m->couple_count; k++) {
        const lmb_couple *o = &m->couples[k];
        const lmb_cluster *c = &m->clusters[o->column];
        const double *M = o->row == o->column ? f->solver->mass + c->mass : NULL;
        for (int i = c->node; i < c->node + c->node_count; i++)
            for (int j = 0; j < m->nodes[i].nv; j++) {
                int at = m->nodes[i].v - c->v;
                if (f->solver->modal[m->nodes[i].v])
                    continue;
                vary_motion(s, i, j, V, A);
                double *to = s->tangent_q + o->value + (at + j) * o->row_nv;
                for (int b = 0; b < m->nodes[i].nv; b++)
                    for (int r = 0; r < o->row_nv; r++)
                        to[r] += s->tangent_v[o->value + (at + b) * o->row_nv + r] * V[b] +
                                 (M ? M[(at + b) * o->row_nv + r] * A[b] : 0);
            }
    }
}

/* What held coordinates have yet to move by. */
static void find_sides(search *f)
{
    const lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    lmb_constraints(s, f->g);
    for (int r = 0; r < m->nrows; r++)
        f->g[r] = -f->g[r];
    lmb_difference(m, f->q_given, s->q, f->x);
    for (int k = 0; k < f->shape->count; k++) {
        const lmb_given *g = &f->shape->given[k];
        f->c[k] = g->column >= 0 ? -f->x[g->column] : -lmb_given_error(s, g, false);
    }
}

/* Q - M a without the part of the load that does not act yet. */
static void find_force(search *f, double *out)
{
    const lmb_state *s = f->solver->state;
    lmb_total_force(s, out);
    lmb_mass_times(s, s->a, f->x);
    for (int j = 0; j < s->model->nv; j++)
        out[j] -= f->x[j] + (f->share < 1 ? (1 - f->share) * f->held[j] : 0);
}

/* The step in f->step; false: the matrix is singular. */
static bool find_step(search *f)
{
    lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    lmb_tangent_blocks(s);
    lmb_first_order_add_tangent(s, 0);
    if (!f->at_rest)
        add_motion(f);
    /* numbers of size 1 beside those of the rows */
    double size = 0;
    for (int i = 0; i < m->couple_values; i++)
        size = fmax(size, fabs(s->tangent_q[i]));
    for (int i = 0; i < m->couple_values; i++)
        f->shape->H[i] = s->tangent_q[i] / (size > 0 ? size : 1);
    f->shape->metric = 0;
    find_force(f, f->y);
    find_sides(f);
    for (int j = 0; j < m->nv; j++)
        f->y[j] /= size > 0 ? size : 1;
    if (!lmb_extended_factor(f->shape, f->solver, epsilon, false))
        return false;
    lmb_extended_solve(f->shape, f->y, f->g, f->c, f->step);
    for (int r = 0; r < m->nrows; r++)
        s->lambda[r] = size * f->shape->y[r];
    return true;
}

/* Makes the step, angles by 0.5 at most and lengths by the size of the model; its whole size. */
static double move(search *f)
{
    lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    double turn = 0, size = lmb_step_size(f->solver, f->step);
    for (int j = 0; j < m->nv; j++)
        if (lmb_class_turns(m->columns[j].class))
            turn = fmax(turn, fabs(f->step[j]));
    double part = fmin(1, fmin(turn > 0.5 ? 0.5 / turn : 1, size > 0 ? m->length / size : 1));
    for (int j = 0; j < m->nv; j++)
        f->step[j] *= part;
    lmb_retract(s, s->q, f->step);
    lmb_update_position(s);
    lmb_follow_turns(s);
    return size;
}

static bool newton(search *f, int most)
{
    double before = INFINITY, L = model_of(f)->length;
    for (int i = 0; i < most; i++) {
        if (!follow_position(f) || !find_step(f))
            return false;
        double size = move(f);
        lmb_log_iteration(f->solver, i + 1, 0, 0, size);
        if (!isfinite(size))
            return false;
        /* to rounding, or as good as rounding allows */
        if (size <= 1e-14 * L || (size <= 1e-8 * L && size > before / 2))
            return follow_position(f);
        before = size;
    }
    return false;
}

static void go_back(search *f, const lmb_state *to)
{
    lmb_state_copy(f->solver->state, to);
    lmb_update(f->solver->state, to->t);
}

/* Newton from where it is, or else with the load in steps. */
static bool find(search *f)
{
    enum { MOST_STEPS = 40, FEW = 8 };
    double share = 0, step = 0.1;
    lmb_state_copy(f->start, f->solver->state);
    f->share = 1;
    if (newton(f, MOST_STEPS))
        return true;
    go_back(f, f->start);
    lmb_state_copy(f->kept, f->start);
    if (!follow_position(f))
        return false;
    find_force(f, f->held);
    while (share < 1 && step > 1e-4) {
        f->share = fmin(1, share + step);
        bool found = newton(f, 2 * FEW);
        lmb_log(f->solver->context, "load %g: %s", f->share, found ? "in equilibrium" : "failed");
        share = found ? f->share : share;
        step = found ? 2 * step : step / 4;
        if (found)
            lmb_state_copy(f->kept, f->solver->state);
        else
            go_back(f, f->kept);
    }
    return share == 1;
}

/* --- life ------------------------------------------------------------------------------------- */

/* The free coordinates, with their rates for velocities and their values for the shape. */
static lmb_status give_present(search *f)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = model_of(f);
    lmb_given *free;
    int count;
    lmb_status status = lmb_free_rigid(s, f->arena, &free, &count);
    if (!status)
        status = lmb_extended_new(&f->whole, s, LMB_EXTENDED_WHOLES, count);
    if (!status)
        status = lmb_extended_new(&f->shape, s, LMB_EXTENDED_ELASTIC, count);
    for (int k = 0; !status && k < count; k++) {
        f->whole->given[k] = f->shape->given[k] = free[k];
        if (free[k].column < 0)
            f->shape->given[k].value =
                lmb_coordinate_value(s->state, &m->parts.coordinates[free[k].coordinate]).f;
    }
    f->c = lmb_arena_numbers(f->arena, (size_t)count + 1);
    if (!status)
        status = lmb_extended_index(f->whole, s);
    return status ? status : lmb_extended_index(f->shape, s);
}

static lmb_status allocate(search *f)
{
    const lmb_model *m = model_of(f);
    double **const vectors[] = {&f->x, &f->y, &f->step, &f->held, &f->rate, &f->u};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = lmb_arena_numbers(f->arena, (size_t)m->nv + 1);
    f->g = lmb_arena_numbers(f->arena, (size_t)m->nrows + 1);
    f->q_given = lmb_arena_numbers(f->arena, (size_t)m->nq + 1);
    f->start = lmb_state_new(m);
    f->kept = lmb_state_new(m);
    return f->start && f->kept ? lmb_check_memory(f->solver->context, f->arena)
                               : lmb_fail_memory(f->solver->context);
}

lmb_status lmb_steady_shape_new(lmb_steady_shape **out, lmb_solver *solver, bool at_rest)
{
    lmb_state *s = solver->state;
    lmb_arena *arena;
    search *f = *out = lmb_arena_object(&arena, sizeof *f);
    if (!f)
        return lmb_fail_memory(solver->context);
    f->arena = arena;
    f->solver = solver;
    f->at_rest = at_rest;
    lmb_status status = allocate(f);
    lmb_update_position(s);
    lmb_update_velocity(s);
    lmb_jacobian(s);
    if (!status)
        status = give_present(f);
    if (!status)
        status = lmb_check_memory(solver->context, arena);
    if (!status)
        memcpy(f->q_given, s->q, (size_t)s->model->nq * sizeof(double));
    return status;
}

void lmb_steady_shape_free(lmb_steady_shape *f)
{
    if (!f)
        return;
    lmb_extended_free(f->whole);
    lmb_extended_free(f->shape);
    lmb_state_free(f->start);
    lmb_state_free(f->kept);
    lmb_arena_free(f->arena);
}

bool lmb_steady_shape_find(lmb_steady_shape *f)
{
    bool found = find(f);
    if (!found)
        go_back(f, f->start);
    return found;
}
