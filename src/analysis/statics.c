/* Static equilibrium by Newton's method in the free directions:
 *
 *   Kr y = N^T Q,   q (+) N y, joints closed again,   Phi_q^T lambda = Q
 *
 * Each direction is divided by the size of its curvature, so that every step goes down the
 * potential (a pendulum near its upper position leaves it) and the equilibrium found is a stable
 * one. */
#include "analysis/statics.h"

#include <stdlib.h>
#include <string.h>

#include "math/dense.h"

/* Room for the work of one search. */
typedef struct search {
    lmb_solver *solver;
    lmb_linear_model *linear;
    double *values;  /* free: curvatures */
    double *vectors; /* free x free: their directions */
    double *start;   /* nq: where a step begins */
    double *step;    /* nv: the whole step */
    double *numbers; /* owns all of these */
} search;

/* Reactions, and the size of what they leave of the forces, in the metric of the model. */
static double imbalance(lmb_solver *s)
{
    lmb_state *state = s->state;
    lmb_update_velocity(state);
    lmb_solver_factor(s);
    lmb_total_force(state, s->force);
    lmb_kkt_solve(s->kkt, s->force, NULL, s->step, state->lambda);
    return lmb_step_size(s, s->step);
}

/* A typical force, to compare with. */
static double typical_force(const lmb_solver *s)
{
    double largest = 0;
    for (int i = 0; i < s->state->model->nv; i++)
        largest = fmax(largest, fabs(s->force[i]));
    for (int r = 0; r < s->state->model->nrows; r++)
        largest = fmax(largest, fabs(s->state->lambda[r]));
    return largest;
}

/* Curvatures of the potential and their directions, lowest first. */
static void find_curvatures(search *f)
{
    const lmb_linear_model *l = f->linear;
    size_t k = (size_t)l->free;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            f->vectors[j * k + i] = (l->K[j * k + i] + l->K[i * k + j]) / 2;
    lmb_dense_symmetric(l->free, f->vectors, f->values);
}

/* The displacement of coordinate j for a unit of direction i. */
static double direction_of(const search *f, size_t i, size_t j)
{
    const lmb_linear_model *l = f->linear;
    size_t n = (size_t)l->n, k = (size_t)l->free;
    double sum = 0;
    for (size_t a = 0; a < k; a++)
        sum += l->N[a * n + j] * f->vectors[i * k + a];
    return sum;
}

/* The step in the free directions, each divided by its curvature (in size, so that it goes down).
 */
static void newton_step(search *f, double typical)
{
    size_t n = (size_t)f->linear->n, k = (size_t)f->linear->free;
    double least = 1e-9 * typical / f->solver->state->model->length;
    memset(f->solver->step, 0, n * sizeof(double));
    for (size_t i = 0; i < k; i++) {
        double force = 0, curvature = fmax(fabs(f->values[i]), least);
        for (size_t j = 0; j < n; j++)
            force += direction_of(f, i, j) * f->solver->force[j];
        for (size_t j = 0; j < n && curvature > 0; j++)
            f->solver->step[j] += direction_of(f, i, j) * force / curvature;
    }
}

/* At rest on a hilltop: a little push down. False if this is no hilltop. */
static bool leave_hilltop(search *f, double typical)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    int last = f->linear->free - 1;
    if (last < 0 || f->values[0] >= -1e-6 * fmax(typical / m->length, f->values[last]))
        return false;
    for (size_t j = 0; j < (size_t)m->nv; j++)
        s->step[j] = 1e-3 * m->length * direction_of(f, 0, j);
    return true;
}

/* The potential of gravity and springs; forces given by laws have none, and then nothing is
 * compared. */
static double potential(const lmb_state *s)
{
    for (int i = 0; i < s->model->force_count; i++)
        if (s->model->forces[i].law && !s->force_off[i])
            return 0;
    return lmb_total_balance(s).potential + lmb_elastic_energy(s);
}

/* Makes the step, no longer than is sensible, and closes the joints; halves it while they do not
 * close or the potential rises. False if that does not help. */
static bool move(search *f)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    double before = potential(s->state), size = lmb_step_size(s, s->step) / m->length;
    double fraction = size > 0.4 ? 0.4 / size : 1;
    memcpy(f->start, s->state->q, (size_t)m->nq * sizeof(double));
    memcpy(f->step, s->step, (size_t)m->nv * sizeof(double));
    for (int i = 0; i < 30; i++, fraction /= 2) {
        for (int j = 0; j < m->nv; j++)
            s->step[j] = fraction * f->step[j];
        lmb_retract(s->state, f->start, s->step);
        bool closed = lmb_solve_position(s);
        lmb_follow_turns(s->state);
        if (closed && potential(s->state) <= before + 1e-12 * fabs(before))
            return true;
    }
    memcpy(s->state->q, f->start, (size_t)m->nq * sizeof(double));
    lmb_update_position(s->state);
    return false;
}

static lmb_status find(search *f)
{
    enum { MOST_STEPS = 200 };
    lmb_solver *s = f->solver;
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    double left = imbalance(s), typical = 0;
    for (int i = 0; i < MOST_STEPS; i++) {
        typical = fmax(typical, typical_force(s));
        lmb_log_iteration(s, i + 1, 0, left, 0);
        lmb_status status = lmb_linearise(f->linear, s);
        if (status)
            return status;
        find_curvatures(f);
        lmb_total_force(state, s->force);
        bool rests = left <= 1e-11 * typical * fmax(1, m->length) || typical == 0;
        if (rests && !leave_hilltop(f, typical))
            return LMB_OK;
        if (!rests)
            newton_step(f, typical);
        bool moved = move(f);
        double before = left;
        left = imbalance(s);
        /* as good as rounding allows */
        if ((!moved || left > before / 2) && left <= 1e-7 * typical)
            return LMB_OK;
        if (!moved)
            break;
    }
    lmb_fail(s->context, LMB_SOLVER, "no equilibrium is found: forces of %g are left over", left);
    lmb_hint(s->context,
             "something may keep moving: `limber check` names the degrees of freedom; give "
             "each a spring, or start from a better position");
    return LMB_SOLVER;
}

lmb_status lmb_rest(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv;
    search f = {.solver = s};
    memset(s->state->v, 0, n * sizeof(double));
    memset(s->state->a, 0, n * sizeof(double));
    f.numbers = calloc(n * n + 2 * n + (size_t)m->nq + 1, sizeof(double));
    lmb_status status =
        f.numbers ? lmb_linear_model_new(&f.linear, s->context, m) : lmb_fail_memory(s->context);
    if (!status) {
        f.vectors = f.numbers;
        f.values = f.vectors + n * n;
        f.step = f.values + n;
        f.start = f.step + n;
        status = find(&f);
    }
    lmb_linear_model_free(f.linear);
    free(f.numbers);
    return status;
}
