/* Positions, velocities, accelerations and reactions at one instant. */
#include "system/solver.h"

#include <string.h>

const double lmb_closed = 1e-11;

const double lmb_proximal = 1e-8;

/* Weight of coordinates that are held, and epsilon meanwhile. A combination of rows that acts on
 * held coordinates alone, as a loop or an axis does, has the squared singular value 1 / heavy:
 * Newton's method converges linearly there, with the ratio heavy * epsilon = 1e-4. Epsilon must
 * also exceed rounding. */
static const double heavy = 1e10, held_proximal = 1e-14;

/* A solver that was chosen and cannot be had is worth a line. */
static void log_choice(const lmb_solver *s)
{
    const lmb_saddle_kind *const *kinds = s->state->choice.kinds;
    bool had = !kinds;
    for (int i = 0; kinds && kinds[i] && !had; i++)
        had = kinds[i] == s->saddle->kind;
    if (had)
        lmb_log(s->context, "accelerations and reactions by '%s'", s->saddle->kind->name);
    else
        lmb_log(s->context,
                "accelerations and reactions by '%s': '%s' was chosen, but does not suit (a body "
                "without mass or without inertia about an axis, or no constraints)",
                s->saddle->kind->name, kinds[0]->name);
}

static lmb_status new_solver(lmb_solver **out, lmb_context *context, const lmb_model *m,
                             lmb_saddle_choice choice)
{
    lmb_arena *arena;
    lmb_solver *s = lmb_arena_object(&arena, sizeof *s);
    *out = NULL;
    if (!s)
        return lmb_fail_memory(context);
    size_t rows = (size_t)m->nrows, columns = (size_t)m->nv;
    s->arena = arena;
    s->context = context;
    s->doubtful = 1e-5;
    s->state = lmb_state_new(m);
    s->saddle = lmb_saddle_new(m, LMB_SADDLE_MASS, choice);
    s->friction = lmb_friction_new(m);
    s->metric = lmb_arena_numbers(arena, m->mass_count);
    s->weights = lmb_arena_numbers(arena, m->mass_count);
    s->mass = lmb_arena_numbers(arena, m->mass_count);
    s->phi = lmb_arena_numbers(arena, rows);
    s->side = lmb_arena_numbers(arena, rows);
    s->rows = lmb_arena_numbers(arena, rows);
    s->step = lmb_arena_numbers(arena, columns);
    s->force = lmb_arena_numbers(arena, columns);
    s->start = lmb_arena_numbers(arena, m->nq);
    s->moving = lmb_arena_numbers(arena, m->value_count);
    s->modal = lmb_arena_alloc(arena, (size_t)columns, sizeof *s->modal);
    if (!lmb_arena_fine(arena) || !s->state || !s->saddle || !s->friction) {
        lmb_solver_free(s);
        return lmb_fail_memory(context);
    }
    for (int j = 0; j < m->nv; j++)
        s->modal[j] = m->columns[j].class == LMB_CLASS_MODE;
    lmb_metric_blocks(m, s->metric);
    lmb_solver_hold(s, NULL);
    s->state->choice = choice;
    log_choice(s);
    *out = s;
    return LMB_OK;
}

lmb_status lmb_solver_new(lmb_solver **out, lmb_context *context, const lmb_model *m)
{
    return new_solver(out, context, m, (lmb_saddle_choice){0});
}

lmb_status lmb_solver_for(lmb_solver **out, lmb_context *context, const lmb_state *state)
{
    return new_solver(out, context, state->model, state->choice);
}

void lmb_solver_free(lmb_solver *s)
{
    if (!s)
        return;
    lmb_state_free(s->state);
    lmb_saddle_free(s->saddle);
    lmb_friction_free(s->friction);
    lmb_arena_free(s->arena);
}

double lmb_largest_residual(lmb_solver *s, int *row)
{
    const lmb_model *m = s->state->model;
    double largest = 0;
    *row = 0;
    for (int r = 0; r < m->nrows; r++) {
        double size = fabs(s->phi[r]) * m->sparse_rows[r].scale;
        if (size > largest || isnan(size)) {
            largest = size;
            *row = r;
        }
    }
    return largest;
}

void lmb_log_iteration(lmb_solver *s, int iteration, int row, double residual, double step)
{
    if (!lmb_logging(s->context))
        return;
    char name[96] = "";
    if (s->state->model->nrows)
        lmb_row_name(s->state->model, row, name, sizeof name);
    lmb_log(s->context, "t = %-10.6g iteration %-2d residual %.3e (%s)  step %.3e", s->state->t,
            iteration, residual, name, step);
}

double lmb_step_size(const lmb_solver *s, const double *step)
{
    const lmb_model *m = s->state->model;
    double largest = 0, sum = 0;
    for (int j = 0; j < m->nv; j++) {
        largest = fmax(largest, fabs(step[j]) * m->columns[j].size);
        sum += step[j]; /* fmax passes over what is not a number */
    }
    return isnan(sum) ? NAN : largest;
}

lmb_status lmb_not_finite(lmb_solver *s, double t)
{
    const lmb_model *model = s->state->model;
    lmb_set_time(s->state, t);
    for (int i = 0; i < model->force_count; i++) {
        if (s->state->force_off[i])
            continue;
        const lmb_force *f = &model->forces[i];
        lmb_force_at at = lmb_force_input(s->state, f);
        double sum = 0;
        for (int k = 0; k < f->pair_count; k++) {
            lmb_force_go_to(s->state, f, k, &at);
            lmb_frame on_B = lmb_force_on_B(f, &at);
            sum += frame_dot(&on_B, &on_B);
        }
        if (!isfinite(sum))
            return lmb_fail(s->context, LMB_SOLVER,
                            "force '%s' is not a finite number at t = %.10g", f->name, t);
    }
    for (int i = 0; i < model->driver_count; i++)
        if (!s->state->row_off[model->drivers[i].row] &&
            !isfinite(s->state->laws[model->drivers[i].law].f))
            return lmb_fail(s->context, LMB_SOLVER,
                            "the law of driver '%s' is not a finite number at t = %.10g",
                            model->drivers[i].name, t);
    return LMB_OK;
}

/* Whether all rows are on their right branch. */
static bool guarded(const lmb_state *s)
{
    for (int r = 0; r < s->model->nrows; r++)
        if (!(lmb_guard(s, r) > 0))
            return false;
    return true;
}

void lmb_solver_allow_redundant(lmb_solver *s)
{
    s->epsilon = lmb_proximal;
}

void lmb_solver_hold(lmb_solver *s, const bool *held)
{
    const lmb_model *m = s->state->model;
    s->held = held != NULL;
    memcpy(s->weights, s->metric, (size_t)m->mass_count * sizeof *s->weights);
    for (int i = 0; held && i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        for (int j = 0; j < c->nv; j++)
            s->weights[c->mass + j * (c->nv + 1)] *= held[c->v + j] ? heavy : 1;
    }
}

void lmb_solver_fix(lmb_solver *s, const bool *fixed)
{
    s->fixed = fixed;
}

/* Exchanges the Jacobian of the state and the one in which fixed coordinates have no columns. */
static void exchange_jacobian(lmb_solver *s)
{
    double *whole = s->state->jacobian;
    s->state->jacobian = s->moving;
    s->moving = whole;
}

/* Takes the columns of fixed coordinates out. */
static void leave_out_fixed(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    memcpy(s->moving, s->state->jacobian, (size_t)m->value_count * sizeof *s->moving);
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = 0; j < b->nv; j++)
                if (s->fixed[b->v + j])
                    s->moving[b->value + j] = 0;
        }
}

bool lmb_solver_factor_with(lmb_solver *s, const double *mass, double epsilon)
{
    return lmb_saddle_factor(
        s->saddle, &(lmb_saddle_matrix){.state = s->state, .mass = mass, .epsilon = epsilon});
}

/* Factorises the present Jacobian for corrections, which do not move fixed coordinates. */
static bool factor_corrections(lmb_solver *s, double epsilon, bool positions_only)
{
    if (s->fixed) {
        leave_out_fixed(s);
        exchange_jacobian(s);
    }
    bool regular =
        lmb_saddle_factor(s->saddle, &(lmb_saddle_matrix){.state = s->state,
                                                          .mass = s->weights,
                                                          .epsilon = epsilon,
                                                          .positions_only = positions_only});
    if (s->fixed)
        exchange_jacobian(s);
    return regular;
}

bool lmb_solver_factor(lmb_solver *s)
{
    lmb_jacobian(s->state);
    if (factor_corrections(s, s->epsilon, false) &&
        (s->epsilon > 0 || s->saddle->kind->condition(s->saddle) > s->doubtful))
        return true;
    factor_corrections(s, s->held ? held_proximal : lmb_proximal, false);
    return false;
}

/* The matrix of corrections of positions. Velocity-level rows let them slip only if they repeat
 * others: two wheels on an axle would keep their hubs from coming back to it. */
static void factor_for_positions(lmb_solver *s)
{
    if (s->epsilon == 0) {
        lmb_solver_factor(s);
        return;
    }
    lmb_jacobian(s->state);
    factor_corrections(s, s->held ? held_proximal : s->epsilon, true);
}

bool lmb_solve_position(lmb_solver *s)
{
    enum { MOST_ITERATIONS = 12 };
    const lmb_model *m = s->state->model;
    double L = m->length, size = INFINITY;
    double age = 0; /* how far the position has moved since the matrix was factorised */
    int row;
    lmb_update_position(s->state);
    for (s->iterations = 0; s->iterations < MOST_ITERATIONS; s->iterations++) {
        lmb_constraints(s->state, s->phi);
        double residual = lmb_largest_residual(s, &row);
        if (!isfinite(residual))
            return false;
        if (residual <= 1e-2 * lmb_closed * L || m->nrows == 0)
            break;
        if (size > 1e-4 * L) { /* else the last matrix is as good as a new one */
            factor_for_positions(s);
            age = 0;
        }
        for (int r = 0; r < m->nrows; r++)
            s->side[r] = -s->phi[r];
        lmb_saddle_step(s->saddle, NULL, s->side, s->step, s->rows);
        size = lmb_step_size(s, s->step);
        age += size;
        lmb_log_iteration(s, s->iterations + 1, row, residual, size);
        lmb_retract(s->state, s->state->q, s->step);
        lmb_update_position(s->state);
        if (size * age < 1e-15 * L * L) /* the error left is about the product of the two */
            break;
    }
    lmb_constraints(s->state, s->phi);
    return lmb_largest_residual(s, &row) <= lmb_closed * L && guarded(s->state);
}

void lmb_solve_velocity(lmb_solver *s)
{
    lmb_velocity_side(s->state, s->side);
    lmb_saddle_solve(s->saddle, NULL, s->side, s->state->v, s->rows);
    lmb_update_velocity(s->state);
}

void lmb_solve_acceleration(lmb_solver *s)
{
    lmb_acceleration_side(s->state, s->side);
    lmb_saddle_solve(s->saddle, NULL, s->side, s->state->a, s->rows);
}

/* What forces and inertia leave to the reactions: s->force = Q - M a. */
static void find_unbalanced(lmb_solver *s)
{
    lmb_mass_times(s->state, s->state->a, s->step);
    lmb_total_force(s->state, s->force);
    for (int i = 0; i < s->state->model->nv; i++)
        s->force[i] -= s->step[i];
}

void lmb_solve_reactions(lmb_solver *s)
{
    find_unbalanced(s);
    lmb_saddle_solve(s->saddle, s->force, NULL, s->step, s->state->lambda);
    lmb_friction_solve(s->friction, s->state, s->saddle, s->step);
}

/* Adds the smallest change to x with which Phi_q x is s->side; the change is left in s->step. */
static void correct(lmb_solver *s, double *x)
{
    const lmb_model *m = s->state->model;
    lmb_jacobian_times(s->state, x, s->phi);
    for (int r = 0; r < m->nrows; r++)
        s->side[r] -= s->phi[r];
    lmb_saddle_solve(s->saddle, NULL, s->side, s->step, s->rows);
    for (int i = 0; i < m->nv; i++)
        x[i] += s->step[i];
}

void lmb_correct_velocity(lmb_solver *s)
{
    lmb_velocity_side(s->state, s->side);
    correct(s, s->state->v);
    lmb_update_velocity(s->state);
}

void lmb_correct_acceleration(lmb_solver *s)
{
    lmb_acceleration_side(s->state, s->side);
    correct(s, s->state->a);
}

void lmb_correct_reactions(lmb_solver *s)
{
    find_unbalanced(s);
    lmb_jacobian_transposed_subtract(s->state, s->state->lambda, s->force);
    lmb_saddle_solve(s->saddle, s->force, NULL, s->step, s->rows);
    for (int r = 0; r < s->state->model->nrows; r++)
        s->state->lambda[r] += s->rows[r];
    lmb_friction_solve(s->friction, s->state, s->saddle, s->step);
}

/* The row in which Phi_q x differs most from s->side, unless that is a small part of their size. */
static int find_unsatisfied(lmb_solver *s, const double *x, double part)
{
    const lmb_model *m = s->state->model;
    double worst = 0, size = lmb_step_size(s, x);
    int at = -1;
    lmb_jacobian_times(s->state, x, s->phi);
    for (int r = 0; r < m->nrows; r++) {
        double scale = m->sparse_rows[r].scale, off = fabs(s->phi[r] - s->side[r]) * scale;
        size = fmax(size, fabs(s->side[r]) * scale);
        if (off > worst) {
            worst = off;
            at = r;
        }
    }
    return worst <= part * size ? -1 : at;
}

int lmb_unsatisfied_beyond(lmb_solver *s, double part)
{
    lmb_velocity_side(s->state, s->side);
    return find_unsatisfied(s, s->state->v, part);
}

int lmb_unsatisfied_velocity(lmb_solver *s)
{
    int row = lmb_unsatisfied_beyond(s, 1e-6);
    for (int r = 0; r < s->state->model->nrows; r++)
        if (s->side[r] != 0)
            return row;
    return -1; /* no row asks for motion: rest satisfies all, and residuals are rounding */
}

int lmb_unsatisfied_acceleration(lmb_solver *s)
{
    lmb_acceleration_side(s->state, s->side);
    return find_unsatisfied(s, s->state->a, 1e-6);
}

lmb_status lmb_contradiction(lmb_solver *s, int row)
{
    char name[96];
    lmb_row_name(s->state->model, row, name, sizeof name);
    lmb_fail(s->context, LMB_SOLVER,
             "the constraints are inconsistent at t = %g: equation %s cannot be satisfied together "
             "with those on which it depends",
             s->state->t, name);
    return lmb_hint(s->context,
                    "remove a driver or a joint; `limber check` names the redundant ones");
}

/* A small part of a typical Phi M^-1 Phi^T, the inverse mass that a row feels. */
static double inverse_mass(const lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    double sum = 0;
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            const lmb_body *b = &m->bodies[m->clusters[block->cluster].body];
            const double *J = s->state->jacobian + block->value;
            for (int j = 0; j < block->nv && b->mass > 0; j++) {
                double x = m->sparse_rows[r].scale * J[j];
                sum += m->columns[block->v + j].class == LMB_CLASS_LENGTH ? x * x / b->mass : 0;
            }
        }
    return sum / fmax(1, m->nrows);
}

/* Baumgarte's stabilisation: Phidd = -2 w Phid - w^2 Phi instead of 0. */
static void pull_shut(lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    double w = s->baumgarte;
    if (w == 0)
        return;
    lmb_constraints(s->state, s->phi);
    for (int r = 0; r < m->nrows; r++)
        s->side[r] -=
            2 * w * lmb_row_rate(s->state, r) / m->sparse_rows[r].scale + w * w * s->phi[r];
}

bool lmb_solve_augmented(lmb_solver *s)
{
    lmb_mass_blocks(s->state, s->mass);
    lmb_jacobian(s->state);
    double epsilon = s->through_singular ? 1e-10 * inverse_mass(s) : s->epsilon;
    if (!lmb_solver_factor_with(s, s->mass, epsilon))
        return false;
    lmb_total_force(s->state, s->force);
    lmb_acceleration_side(s->state, s->side);
    pull_shut(s);
    lmb_saddle_solve(s->saddle, s->force, s->side, s->state->a, s->state->lambda);
    return lmb_friction_solve(s->friction, s->state, s->saddle, s->state->a);
}
