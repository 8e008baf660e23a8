/* The steady motion near a state, in which nothing moves as the coordinates of small motions see
 * it: a blade that has settled on a hub that turns. With the coordinates y of the motion,
 *
 *   Phi = 0,  y' = 0,  G v + b = 0,  y'' = 0,  G a = gamma,  M a + Phi_q^T lambda = Q,  zdot = 0
 *
 * by Newton's method, whose tangent are the equations of small motions with s = 0
 * (analysis/sparse_motion.h): F w = minus what is left of them. */
#include <string.h>

#include "analysis/steadiness.h"

/* Steps are at most this part of the model's length, and end when they are below this part. */
static const double longest = 0.2, shortest = 1e-11;

/* Minus what is left of the rows, their rates and accelerations. */
static void rows_side(const lmb_sparse_motion *o, double *room, double *side)
{
    const lmb_state *s = o->solver->state;
    int n = o->n, rows = o->rows, position = 0, rate = n;
    double *phi = room, *v = room + rows, *nu = v + rows, *a = nu + rows, *gamma = a + rows;
    lmb_constraints(s, phi);
    lmb_jacobian_times(s, s->v, v);
    lmb_velocity_side(s, nu);
    lmb_jacobian_times(s, s->a, a);
    lmb_acceleration_side(s, gamma);
    for (int r = 0; r < rows; r++) {
        if (o->position_row[r])
            side[position++] = -phi[r];
        if (o->row[r])
            side[rate++] = nu[r] - v[r];
        side[2 * n + r] = s->row_off[r] ? 0 : gamma[r] - a[r];
    }
}

/* All of it, in the order of the sparse equations. */
static void find_side(const lmb_sparse_motion *o, double *room, double *side)
{
    const lmb_state *s = o->solver->state;
    double *force = side + lmb_sparse_force(o), *states = side + 3 * o->n + o->rows;
    memset(side, 0, (size_t)o->size * sizeof *side);
    rows_side(o, room, side);
    for (int i = 0; i < o->positions; i++)
        side[o->n - o->positions + i] = -o->motion[i].d;
    for (int k = 0; k < o->speeds; k++)
        side[2 * o->n - o->speeds + k] = -o->motion[o->rate[k]].dd;
    lmb_total_force(s, force);
    lmb_mass_times(s, s->a, o->solver->step);
    for (int j = 0; j < o->n; j++)
        force[j] -= o->solver->step[j];
    lmb_reactions_subtract(s, s->lambda, force);
    lmb_state_rate(s, states);
    for (int i = 0; i < o->nz; i++)
        states[i] = -states[i];
}

/* Moves the state along w, by a part of it where that is too far; returns how far. */
static double move(const lmb_sparse_motion *o, double *w)
{
    lmb_solver *solver = o->solver;
    lmb_state *s = solver->state;
    double size = lmb_step_size(solver, w), most = longest * s->model->length;
    double part = size > most ? most / size : 1;
    for (int i = 0; i < o->size; i++)
        w[i] *= part;
    lmb_retract(s, s->q, w);
    for (int j = 0; j < o->n; j++) {
        s->v[j] += w[lmb_sparse_dv(o) + j];
        s->a[j] += w[lmb_sparse_da(o) + j];
    }
    for (int r = 0; r < o->rows; r++)
        s->lambda[r] += w[lmb_sparse_dl(o) + r];
    for (int i = 0; i < o->nz; i++)
        s->z[i] += w[lmb_sparse_dz(o) + i];
    lmb_update_position(s);
    lmb_update_velocity(s);
    lmb_follow_turns(s);
    return part * size;
}

/* One step of Newton's method; its size, NaN where there is none. */
static lmb_status newton_step(lmb_solver *s, int observer, double *size)
{
    lmb_sparse_motion *o;
    *size = NAN;
    lmb_status status = lmb_sparse_motion_new(&o, s, observer, NULL);
    if (status)
        return status;
    lmb_arena *room = lmb_arena_new();
    double *w = lmb_arena_numbers(room, (size_t)o->size);
    double *rows = lmb_arena_numbers(room, 5 * (size_t)o->rows + 1);
    status = lmb_check_memory(s->context, room);
    if (!status && lmb_shifted_factor(o->matrix, 0)) {
        find_side(o, rows, w);
        lmb_shifted_solve(o->matrix, w);
        *size = move(o, w);
    }
    lmb_arena_free(room);
    lmb_sparse_motion_free(o);
    return status;
}

lmb_status lmb_find_steady_motion(lmb_solver *s, int observer)
{
    enum { MOST_STEPS = 60 };
    const double length = s->state->model->length;
    double size = INFINITY, before = INFINITY, speed = lmb_step_size(s, s->state->v);
    bool found = false;
    for (int i = 0; i < MOST_STEPS && !isnan(size) && !found; i++, before = size) {
        lmb_status status = newton_step(s, observer, &size);
        lmb_log(s->context, "steady motion, step %d: %.3e", i + 1, size);
        if (status)
            return status;
        /* or as far as rounding lets it go */
        found = size <= shortest * length || (size <= 1e-8 * length && size > before / 2);
    }
    /* what turns by itself would be stopped */
    if (found && fabs(lmb_step_size(s, s->state->v) - speed) <= speed / 2)
        return LMB_OK;
    lmb_fail(s->context, LMB_SOLVER, "no steady motion was found near this one");
    return lmb_hint(s->context, "what turns must be driven, and nothing may drift, roll on, or be "
                                "loaded in a direction that turns as its parts see it");
}
