/* Static equilibrium by Newton's method in the free directions:
 *
 *   Kr y = N^T Q,   q (+) N y, joints closed again,   Phi_q^T lambda = Q
 *
 * Each direction is divided by the size of its curvature, so that every step goes down the
 * potential (a pendulum near its upper position leaves it) and the equilibrium found is a stable
 * one. Forces that turn with a body have no potential: K is not symmetric, and if all of its
 * eigenvalues are on the stable side the step is that of K itself.
 *
 * First-order states of bodies are where they do not change, zdot = 0.
 *
 * Where that fails the load is applied in steps: with H the forces Q in the first position, which
 * are what drives the mechanism away from there,
 *
 *   Q - (1 - s) H = 0,   s from 0 (where it rests as it is) to 1,
 *
 * and where that fails as well (a mechanism snaps through) the bodies are let move until they come
 * to rest (relaxation.c), with Newton's method for the last digits. */
#include "analysis/statics.h"

#include <cblas.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/mobility.h"
#include "math/dense.h"
#include "system/first_order.h"

/* Room for the work of one search. */
typedef struct search {
    lmb_solver *solver;
    lmb_linear_model *linear;
    double *values;   /* free: curvatures */
    double *vectors;  /* free x free: their directions */
    double *start;    /* nq: where a step begins */
    double *step;     /* nv: the whole step */
    double *held;     /* nv: H, the load that is applied in steps */
    double share;     /* of it that acts: 1 for all */
    double left;      /* size of the forces that are left over */
    bool circulatory; /* some forces have no potential */
    bool exact;       /* for these: K as it is gives the step */
    double *room;     /* 2 free^2 + 2 free */
} search;

/* The forces without the part of the load that does not act yet. */
static void find_force(const search *f)
{
    lmb_solver *s = f->solver;
    lmb_total_force(s->state, s->force);
    for (int j = 0; f->share < 1 && j < s->state->model->nv; j++)
        s->force[j] -= (1 - f->share) * f->held[j];
}

/* Reactions, and the size of what they leave of the forces, in the metric of the model. */
static double imbalance(const search *f)
{
    lmb_solver *s = f->solver;
    lmb_update_velocity(s->state);
    if (!lmb_first_order_settle(s->state, 0, NULL))
        return NAN;
    lmb_solver_factor(s);
    find_force(f);
    lmb_saddle_solve(s->saddle, s->force, NULL, s->step, s->state->lambda);
    return lmb_step_size(s, s->step);
}

double lmb_imbalance(lmb_solver *s)
{
    return imbalance(&(search){.solver = s, .share = 1});
}

double lmb_typical_force(const lmb_solver *s)
{
    double largest = 0;
    for (int i = 0; i < s->state->model->nv; i++)
        largest = fmax(largest, fabs(s->force[i]));
    for (int r = 0; r < s->state->model->nrows; r++)
        largest = fmax(largest, fabs(s->state->lambda[r]));
    return largest;
}

/* Whether some force has no potential: it turns with a body, is a torque in space, or follows the
 * position of others, or a body has first-order states. */
static bool is_circulatory(const lmb_state *s)
{
    for (int i = 0; i < s->model->force_count; i++) {
        const lmb_force *f = &s->model->forces[i];
        bool alone = f->type->is_circulatory && f->type->is_circulatory(f);
        if ((alone || f->input_count) && !s->force_off[i])
            return true;
    }
    return s->model->nz > 0;
}

/* Whether K, which need not be symmetric, brings the mechanism back from all directions. */
static bool holds(const search *f)
{
    size_t k = (size_t)f->linear->free;
    double *K = f->room, *vectors = K + k * k, *real = vectors + k * k, *imaginary = real + k;
    memcpy(K, f->linear->K, k * k * sizeof *K);
    bool found = lmb_dense_eigen(f->linear->free, K, real, imaginary, vectors);
    for (size_t i = 0; found && i < k; i++)
        found = real[i] > 0;
    return found;
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
    f->exact = f->circulatory && holds(f);
}

/* The step in the free directions, each divided by its curvature (in size, so that it goes down).
 */
static void newton_step(search *f, double typical)
{
    lmb_solver *s = f->solver;
    int n = f->linear->n, free = f->linear->free;
    double least = 1e-9 * typical / s->state->model->length, *move = f->step;
    memset(s->step, 0, (size_t)n * sizeof(double));
    for (int i = 0; i < free; i++) {
        double curvature = fmax(fabs(f->values[i]), least);
        lmb_free_motion(f->linear, f->vectors + (size_t)i * (size_t)free, move);
        if (curvature > 0)
            cblas_daxpy(n, cblas_ddot(n, move, 1, s->force, 1) / curvature, move, 1, s->step, 1);
    }
}

/* The step K y = N^T Q; false if K is singular. */
static bool exact_step(search *f)
{
    size_t k = (size_t)f->linear->free;
    double *K = f->room, *y = K + k * k;
    memcpy(K, f->linear->K, k * k * sizeof *K);
    lmb_free_part(f->linear, f->solver->force, y);
    if (!lmb_dense_solve(f->linear->free, K, 1, y))
        return false;
    lmb_free_motion(f->linear, y, f->solver->step);
    return true;
}

/* At rest where the potential is not lowest: a small step down. False if it is lowest. */
static bool leave_unstable(search *f, double typical)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    int last = f->linear->free - 1;
    if (last < 0 || f->exact || f->values[0] >= -1e-6 * fmax(typical / m->length, f->values[last]))
        return false;
    lmb_free_motion(f->linear, f->vectors, s->step);
    cblas_dscal(m->nv, 1e-3 * m->length, s->step, 1);
    return true;
}

/* The potential of gravity, springs and forces of a fixed direction. Other laws have none, nor has
 * a part of the load: then nothing is compared. */
static double potential(const search *f)
{
    const lmb_state *s = f->solver->state;
    double sum = 0;
    if (f->share < 1 || s->model->nz > 0)
        return 0;
    for (int i = 0; i < s->model->force_count; i++) {
        const lmb_force *force = &s->model->forces[i];
        lmb_force_at at = lmb_force_input(s, force);
        if (s->force_off[i] || !force->law)
            continue;
        double part = force->type->potential ? force->type->potential(force, &at) : NAN;
        if (isnan(part))
            return 0;
        sum += part;
    }
    return sum + lmb_total_balance(s).potential + lmb_elastic_energy(s);
}

/* Makes the step, no longer than is sensible, and closes the joints; halves it while they do not
 * close or the potential rises. False if that does not help. */
static bool move(search *f)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    double before = potential(f), size = lmb_step_size(s, s->step) / m->length;
    double fraction = size > 0.4 ? 0.4 / size : 1;
    memcpy(f->start, s->state->q, (size_t)m->nq * sizeof(double));
    memcpy(f->step, s->step, (size_t)m->nv * sizeof(double));
    for (int i = 0; i < 30; i++, fraction /= 2) {
        for (int j = 0; j < m->nv; j++)
            s->step[j] = fraction * f->step[j];
        lmb_retract(s->state, f->start, s->step);
        bool closed = lmb_solve_position(s);
        lmb_follow_turns(s->state);
        if (closed && potential(f) <= before + 1e-12 * fabs(before))
            return true;
    }
    memcpy(s->state->q, f->start, (size_t)m->nq * sizeof(double));
    lmb_update_position(s->state);
    return false;
}

/* Says that zdot = 0 has no solution. */
static lmb_status no_rest_of_states(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    char name[128];
    lmb_first_order_name(m, 0, name, sizeof name);
    lmb_fail(s->context, LMB_SOLVER, "no equilibrium is found: a first-order state keeps changing");
    return lmb_hint(s->context, "states such as '%s' must have a value at which they rest", name);
}

/* Newton's method, at most so many steps. */
static lmb_status newton(search *f, int most, bool *found)
{
    lmb_solver *s = f->solver;
    const lmb_model *m = s->state->model;
    double typical = 0;
    for (int j = 0; f->share < 1 && j < m->nv; j++)
        typical = fmax(typical, fabs(f->held[j]));
    *found = false;
    f->left = imbalance(f);
    for (int i = 0; i < most; i++) {
        typical = fmax(typical, lmb_typical_force(s));
        lmb_log_iteration(s, i + 1, 0, f->left, 0);
        lmb_status status = lmb_linearise(f->linear, s);
        if (!status && m->nz > 0 && (isnan(f->left) || !lmb_condense_states(f->linear)))
            status = no_rest_of_states(s);
        if (status)
            return status;
        find_curvatures(f);
        find_force(f);
        bool rests = f->left <= 1e-11 * typical * fmax(1, m->length) || typical == 0;
        *found = rests && (f->share < 1 || !leave_unstable(f, typical));
        if (*found)
            return LMB_OK;
        if (!rests && !(f->exact && exact_step(f)))
            newton_step(f, typical);
        bool moved = move(f);
        double before = f->left;
        f->left = imbalance(f);
        /* as good as rounding allows */
        *found = (!moved || f->left > before / 2) && f->left <= 1e-7 * typical;
        if (*found || !moved)
            return LMB_OK;
    }
    return LMB_OK;
}

/* Goes back to a state that was kept. */
static void go_back(search *f, const lmb_state *kept)
{
    lmb_state_copy(f->solver->state, kept);
    lmb_update(f->solver->state, kept->t);
}

/* The load in steps, each from the equilibrium of the last; halved while Newton fails. */
static lmb_status apply_in_steps(search *f, lmb_state *kept, bool *found)
{
    enum { MOST_STEPS = 25 };
    double share = 0, step = 0.1;
    lmb_total_force(f->solver->state, f->held);
    while (share < 1 && step > 1e-4) {
        f->share = fmin(1, share + step);
        lmb_status status = newton(f, MOST_STEPS, found);
        if (status)
            return status;
        lmb_log(f->solver->context, "load %g: %s", f->share, *found ? "in equilibrium" : "failed");
        if (*found) {
            share = f->share;
            step *= 2;
            lmb_state_copy(kept, f->solver->state);
        } else {
            step /= 4;
            go_back(f, kept);
        }
    }
    f->share = 1;
    *found = share == 1;
    return LMB_OK;
}

/* Moves until it comes nearly to rest, then Newton; nearer if that was not near enough. */
static lmb_status relax(search *f, bool *found)
{
    lmb_status status = LMB_OK;
    *found = false;
    for (double part = 1e-2; !status && !*found && part > 1e-8; part *= 0.03) {
        if (!lmb_relax(f->solver, part))
            return LMB_OK;
        status = newton(f, 100, found);
    }
    return status;
}

/* One method after the other. */
static lmb_status find(search *f, lmb_state *kept)
{
    enum { MOST_STEPS = 200 };
    lmb_context *context = f->solver->context;
    const char *method = "Newton's method";
    bool found;
    lmb_state_copy(kept, f->solver->state);
    lmb_status status = newton(f, MOST_STEPS, &found);
    if (!status && !found) {
        method = "applying the load in steps";
        go_back(f, kept);
        status = apply_in_steps(f, kept, &found);
    }
    if (!status && !found) { /* from as far as the load could be applied */
        method = "dynamic relaxation";
        status = relax(f, &found);
    }
    if (status)
        return status;
    if (found) {
        lmb_log(context, "equilibrium found by %s", method);
        return LMB_OK;
    }
    lmb_fail(context, LMB_SOLVER, "no equilibrium found: unbalanced forces of %g remain",
             lmb_imbalance(f->solver));
    return lmb_hint(context, "a motion may be unrestrained: `limber check` names the degrees of "
                             "freedom; give each a spring, or a better initial position");
}

lmb_status lmb_find_equilibrium(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    size_t n = (size_t)m->nv;
    lmb_state *kept = lmb_state_new(m);
    lmb_arena *arena = kept ? kept->arena : NULL;
    search f = {.solver = s,
                .share = 1,
                .circulatory = is_circulatory(s->state),
                .vectors = lmb_arena_numbers(arena, n * n),
                .values = lmb_arena_numbers(arena, n),
                .step = lmb_arena_numbers(arena, n),
                .held = lmb_arena_numbers(arena, n),
                .start = lmb_arena_numbers(arena, m->nq),
                .room = lmb_arena_numbers(arena, 2 * n * n + 2 * n)};
    memset(s->state->v, 0, n * sizeof(double));
    memset(s->state->a, 0, n * sizeof(double));
    lmb_status status = lmb_check_memory(s->context, arena);
    if (!status && !(status = lmb_linear_model_new(&f.linear, s->context, m)))
        status = find(&f, kept);
    lmb_linear_model_free(f.linear);
    lmb_state_free(kept);
    return status;
}

const lmb_analysis_kind lmb_analysis_statics = {
    "statics", "the static equilibrium (position at rest)", LMB_KNOWN_MOTION | LMB_KNOWN_REACTIONS,
    .timeless = "statics takes", .solve = lmb_find_equilibrium};
