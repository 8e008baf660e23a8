/* The motion is integrated from the state on; then the small motion is found again there, in the
 * same coordinates, and the matrices are compared. */
#include "analysis/steadiness.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics.h"
#include "analysis/statics.h"
#include "base/memory.h"
#include "system/whole.h"

/* Matrices that differ by less than this part of a row are the same: the integration is much more
 * accurate. */
static const double alike = 1e-7;

/* A motion of more steps than this is not followed over a whole turn. */
enum { MOST_STEPS = 20000 };

/* The size of a state, in m (or that of a first-order state), so that entries can be compared. */
static double size_of(const lmb_small_motion *o, const lmb_model *m, int i)
{
    if (i < o->positions)
        return o->all.list[o->coordinate[i]].size;
    if (i < o->positions + o->speeds)
        return o->all.list[o->coordinate[o->rate[i - o->positions]]].size;
    return m->z_size[i - o->positions - o->speeds];
}

/* Whether two matrices are the same, row by row; `rate` is a typical angular velocity (1/s),
 * against which entries of a row that has nothing larger are compared. */
static bool same_matrix(const lmb_small_motion *a, const lmb_small_motion *b, const lmb_model *m,
                        double rate)
{
    size_t n = (size_t)a->states;
    for (int i = 0; i < a->states; i++) {
        double largest = i < a->positions ? rate : rate * rate, off = 0;
        for (int j = 0; j < a->states; j++) {
            double scale = size_of(a, m, i) / size_of(a, m, j);
            double x = a->A[(size_t)j * n + (size_t)i], y = b->A[(size_t)j * n + (size_t)i];
            largest = fmax(largest, scale * fabs(x));
            off = fmax(off, scale * fabs(x - y));
        }
        if (!(off <= alike * largest))
            return false;
    }
    return true;
}

/* Whether the rates of the coordinates stay as they are, */
static bool constant_rates(const lmb_small_motion *o, const lmb_model *m, double speed, double rate)
{
    for (int i = 0; i < o->positions; i++)
        if (size_of(o, m, i) * fabs(o->motion[i].dd) > alike * speed * rate)
            return false;
    return true;
}

/* and whether they are the same in two motions. */
static bool same_rates(const lmb_small_motion *a, const lmb_small_motion *b, const lmb_model *m,
                       double speed)
{
    for (int i = 0; i < a->positions; i++)
        if (!(size_of(a, m, i) * fabs(a->motion[i].d - b->motion[i].d) <= 10 * alike * speed))
            return false;
    return true;
}

static lmb_status go_ahead(void *user)
{
    (void)user;
    return LMB_OK;
}

/* End a motion of too many steps. */
static lmb_status count_steps(void *user)
{
    const lmb_dynamics *d = user;
    return d->motion->steps <= MOST_STEPS
               ? LMB_OK
               : lmb_fail(d->solver->context, LMB_SOLVER, "too many steps");
}

/* Moves on and compares matrices and, where a speed is given, rates; false in *same, too, where the
 * motion cannot be followed. */
static lmb_status compare_at(lmb_dynamics *d, double t, const lmb_small_motion *o, double speed,
                             double rate, bool *same)
{
    const lmb_model *m = d->solver->state->model;
    lmb_small_motion *there;
    *same = false;
    double begin = d->solver->state->t;
    d->motion->steps = 0;
    for (int i = 1; i <= 20; i++)
        if (lmb_dynamics_advance(d, begin + (t - begin) * i / 20))
            return LMB_OK;
    lmb_status status = lmb_small_motion_like(&there, d->solver, o);
    if (status)
        return status == LMB_SOLVER ? LMB_OK : status;
    *same = same_matrix(o, there, m, rate) && (speed == 0 || same_rates(o, there, m, speed));
    lmb_small_motion_free(there);
    return LMB_OK;
}

/* The longest turn of a joint that turns at a constant speed; 0 if there is none. */
static double longest_turn(const lmb_state *s)
{
    double longest = 0;
    for (int i = 0; i < s->model->parts.coordinate_count; i++) {
        const lmb_coordinate *c = &s->model->parts.coordinates[i];
        if (c->kind != LMB_COORDINATE_ANGLE)
            continue;
        lmb_jet x = lmb_coordinate_value(s, c);
        if (x.d != 0 && fabs(x.dd) <= alike * x.d * x.d)
            longest = fmax(longest, 2 * LMB_PI / fabs(x.d));
    }
    return longest;
}

static lmb_status follow(lmb_solver *s, const lmb_small_motion *o, double speed, double rate,
                         lmb_steadiness *out, double *period)
{
    /* nodes of elastic bodies are far too fast for an explicit method */
    bool stiff = lmb_whole_exists(s->state->model);
    lmb_integration options = {.integrator = stiff ? &lmb_integrator_ida : &lmb_integrator_rk45,
                               .tolerance = stiff ? 1e-10 : 1e-11};
    size_t messages = lmb_message_count(s->context);
    lmb_dynamics *d = NULL;
    bool same = false;
    double t = s->state->t;
    *out = LMB_CHANGING;
    s->state->placed = false; /* initial values were met before */
    lmb_status status = lmb_dynamics_from(&d, s->context, s->state, &options);
    lmb_step_watch watch = {go_ahead, count_steps, d};
    if (!status) {
        d->watch = &watch;
        status = compare_at(d, t + 0.1 / rate, o, 0, rate, &same);
    }
    double turn = longest_turn(s->state);
    if (!status && same) {
        *out = constant_rates(o, s->state->model, speed, rate) ? LMB_STEADY : LMB_CONSTANT;
    } else if (!status && turn > 0.1 / rate) {
        status = compare_at(d, t + turn, o, speed, rate, &same);
        *out = same ? LMB_PERIODIC : LMB_CHANGING;
        *period = turn;
    }
    lmb_dynamics_free(d);
    if (!status || status == LMB_SOLVER)
        lmb_messages_forget(s->context, messages); /* of where the motion could not go on */
    return status == LMB_SOLVER ? LMB_OK : status;
}

/* Move all positions by a few roundings, in other directions with each trial. */
static void disturb(lmb_solver *s, const lmb_state *from, int trial)
{
    enum { ROUNDINGS = 8 };
    const lmb_model *m = from->model;
    for (int i = 0; i < m->node_count; i++) {
        const lmb_node *node = &m->nodes[i];
        for (int j = node->v; j < node->v + node->nv; j++) {
            double place = m->columns[j].class == LMB_CLASS_LENGTH
                               ? fabs(from->q[node->q + j - node->v]) * m->columns[j].size
                               : 0;
            s->step[j] = ROUNDINGS * DBL_EPSILON * fmax(m->length, place) / m->columns[j].size *
                         sin(trial * (j + 1.0));
        }
    }
    lmb_retract(s->state, from->q, s->step);
    lmb_update(s->state, from->t);
}

/* Return whether accelerations are rounding: positions that are off by a few roundings change them
 * as much. Bodies that are stiff and light accelerate in this way without any force. */
static bool is_rounding(lmb_solver *s)
{
    enum { TRIALS = 8 };
    lmb_state *state = s->state, *here = lmb_state_new(state->model);
    const lmb_model *m = state->model;
    double *noise = lmb_calloc((size_t)m->nv + 1, sizeof *noise), largest = 0;
    bool fine = here && noise;
    if (!fine) {
        lmb_state_free(here);
        free(noise);
        return false;
    }
    lmb_state_copy(here, state);
    for (int k = 1; k <= TRIALS && fine; k++) {
        disturb(s, here, k);
        fine = lmb_solve_augmented(s);
        for (int j = 0; j < m->nv; j++) {
            noise[j] = fmax(noise[j], fabs(state->a[j] - here->a[j]));
            largest = fmax(largest, noise[j] * m->columns[j].size);
        }
    }
    lmb_state_copy(state, here);
    lmb_update(state, here->t);
    for (int j = 0; j < m->nv && fine; j++)
        fine = fabs(here->a[j]) <= noise[j] + alike * largest / m->columns[j].size;
    lmb_state_free(here);
    free(noise);
    return fine;
}

/* Whether nothing moves; else how fast it does. */
static bool is_at_rest(lmb_solver *s, double *speed, double *rate)
{
    const lmb_model *m = s->state->model;
    double acceleration = lmb_step_size(s, s->state->a);
    *speed = lmb_step_size(s, s->state->v);
    lmb_total_force(s->state, s->force);
    double typical = lmb_typical_force(s) / m->heaviest;
    *rate = fmax(*speed / m->length, sqrt(acceleration / m->length));
    return *speed == 0 && (acceleration <= 1e-9 * typical || is_rounding(s));
}

lmb_status lmb_find_steadiness(lmb_solver *s, const lmb_small_motion *o, lmb_steadiness *out,
                               double *period)
{
    double speed, rate;
    *period = 0;
    *out = LMB_AT_REST;
    if (o->states == 0 || is_at_rest(s, &speed, &rate))
        return LMB_OK;
    return follow(s, o, speed, rate, out, period);
}

/* --- large models ----------------------------------------------------------------------------- */

/* The state a short time later: its velocities are wrong in the square of h only. False: the joints
 * do not close there, or the equations are singular. */
static bool go_on(lmb_solver *s, double h)
{
    lmb_state *state = s->state;
    for (int j = 0; j < state->model->nv; j++) {
        s->step[j] = h * (state->v[j] + h / 2 * state->a[j]);
        state->v[j] += h * state->a[j];
    }
    lmb_set_time(state, state->t + h);
    lmb_retract(state, state->q, s->step);
    if (!lmb_solve_position(s))
        return false;
    lmb_update_velocity(state);
    lmb_solver_factor(s);
    lmb_correct_velocity(s);
    return lmb_solve_augmented(s);
}

/* The states x of (A - s) x = r, in their sizes; r are numbers that belong to `seed`. */
static void respond(const lmb_sparse_motion *o, double rate, unsigned seed, double *w, double *x)
{
    const lmb_model *m = o->solver->state->model;
    int y = o->n - o->positions, u = 2 * o->n - o->speeds, z = 3 * o->n + o->rows;
    memset(w, 0, (size_t)o->size * sizeof *w);
    for (int i = 0; i < o->positions; i++)
        w[y + i] = rate * sin((i + 1.0) * seed) / o->all.list[o->coordinate[i]].size;
    for (int i = 0; i < o->speeds; i++)
        w[u + i] =
            rate * rate * cos((i + 2.0) * seed) / o->all.list[o->coordinate[o->rate[i]]].size;
    for (int i = 0; i < o->nz; i++)
        w[z + i] = rate * sin((i + 3.0) * seed) * m->z_size[i];
    lmb_shifted_solve(o->matrix, w);
    lmb_shifted_times_E(o->matrix, w, x);
    for (int i = 0; i < o->positions; i++)
        x[y + i] *= o->all.list[o->coordinate[i]].size;
    for (int i = 0; i < o->speeds; i++)
        x[u + i] *= o->all.list[o->coordinate[o->rate[i]]].size / rate;
    for (int i = 0; i < o->nz; i++)
        x[z + i] /= m->z_size[i];
}

/* Whether the matrices of two motions, a part `moved` of a radian apart, are the same. */
static bool same_responses(const lmb_sparse_motion *a, const lmb_sparse_motion *b, double rate,
                           double moved)
{
    enum { TRIALS = 3 };
    size_t n = (size_t)a->size;
    lmb_arena *room = lmb_arena_new();
    double *w = lmb_arena_numbers(room, n), *x = lmb_arena_numbers(room, 2 * n), *y = x + n;
    bool same = lmb_arena_fine(room) && lmb_shifted_factor(a->matrix, rate) &&
                lmb_shifted_factor(b->matrix, rate);
    for (unsigned seed = 1; same && seed <= TRIALS; seed++) {
        double largest = 0, off = 0;
        respond(a, rate, seed, w, x);
        respond(b, rate, seed, w, y);
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(x[i]));
            off = fmax(off, fabs(x[i] - y[i]));
        }
        same = off <= 1e-3 * moved * largest;
    }
    lmb_arena_free(room);
    return same;
}

lmb_status lmb_find_sparse_steadiness(lmb_solver *s, const lmb_sparse_motion *o,
                                      lmb_steadiness *out)
{
    const double moved = 1e-5; /* radians: changes are as large, errors as its square */
    lmb_chosen_coordinates chosen = {o->positions, o->speeds, o->coordinate, o->rate};
    lmb_sparse_motion *later = NULL;
    double speed, rate;
    *out = LMB_AT_REST;
    if (o->positions + o->speeds + o->nz == 0 || is_at_rest(s, &speed, &rate))
        return LMB_OK;
    lmb_state *here = lmb_state_new(s->state->model);
    if (!here)
        return lmb_fail_memory(s->context);
    *out = LMB_CHANGING;
    lmb_state_copy(here, s->state);
    lmb_status status = go_on(s, moved / rate)
                            ? lmb_sparse_motion_new(&later, s, o->all.observer, &chosen)
                            : LMB_OK;
    if (later && same_responses(o, later, rate, moved)) {
        *out = LMB_STEADY;
        for (int i = 0; i < o->positions; i++)
            if (o->all.list[o->coordinate[i]].size * fabs(o->motion[i].dd) > alike * speed * rate)
                *out = LMB_CONSTANT;
    }
    lmb_sparse_motion_free(later);
    lmb_state_copy(s->state, here);
    lmb_update(s->state, here->t);
    lmb_state_free(here);
    return status;
}

void lmb_steadiness_text(lmb_steadiness steadiness, double t, double period, char *buffer,
                         size_t size)
{
    switch (steadiness) {
    case LMB_AT_REST:
        lmb_snprintf(buffer, size, "an equilibrium");
        break;
    case LMB_STEADY:
        lmb_snprintf(buffer, size, "a steady motion, along which the matrix is constant");
        break;
    case LMB_CONSTANT:
        lmb_snprintf(buffer, size, "an accelerated motion, along which the matrix is constant");
        break;
    case LMB_PERIODIC:
        lmb_snprintf(
            buffer, size,
            "a periodic motion (%.6g s): the matrix changes along it and is frozen at t = %g",
            period, t);
        break;
    case LMB_CHANGING:
        lmb_snprintf(buffer, size,
                     "a moving state: the matrix changes along the motion and is frozen at t = %g",
                     t);
        break;
    }
}
