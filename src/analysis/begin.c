/* Beginnings of integrated motions: the table, static and quasi-static ones.
 *
 * Static: the shape at rest (quasi_static.h; of bodies of several nodes steady_shape.h). Velocities
 * are those of the drivers alone, 0 where nothing is driven.
 *
 * Quasi-static: the shape eta(t) along the rigid motion at the first instant, with the rate
 *
 *   eta' = lim (eta(t + e) - eta(t)) / e
 *
 * by Neville's extrapolation from steps e, e/2, e/4, ... forward, since laws need not be defined
 * before the analysis. The rigid motion at t + e is that of the drivers; free coordinates move on
 * by e c' + e^2/2 c''. eta' itself bends the shape a little, by damping and Coriolis forces, so
 * both are found in turns. */
#include "analysis/begin.h"

#include <math.h>
#include <string.h>

#include "analysis/initial.h"
#include "analysis/quasi_static.h"
#include "analysis/steady_shape.h"
#include "system/whole.h"

const lmb_beginning *const lmb_beginnings[] = {&lmb_begin_static, &lmb_begin_quasi_static,
                                               &lmb_begin_periodic, NULL};

lmb_status lmb_begin_useless(lmb_context *context, const lmb_beginning *b)
{
    lmb_fail(context, LMB_BAD_INPUT, "'begin: %s' is for flexible bodies, and the model has none",
             b->name);
    if (!b->elastic)
        return lmb_hint(context, "the drivers alone determine this motion");
    return lmb_hint(context, "to begin in equilibrium, find it by an analysis of type statics and "
                             "name that with 'from'");
}

lmb_status lmb_begin(lmb_motion *m)
{
    lmb_solver *s = m->solver;
    const lmb_beginning *b = m->options.begin;
    if (!b)
        return LMB_OK;
    if (b->elastic && s->state->model->mode_count == 0 && !lmb_whole_exists(s->state->model))
        return lmb_begin_useless(s->context, b);
    lmb_status status = b->find(m);
    if (!status)
        status = lmb_motion_accelerate(m);
    if (status)
        return status;
    lmb_accept(s->state);
    return lmb_motion_restart(m);
}

/* --- static ----------------------------------------------------------------------------------- */

static lmb_status fail_shape(lmb_solver *s, const char *kind, const char *hint)
{
    lmb_fail(s->context, LMB_SOLVER, "no %s shape of the flexible bodies is found at t = %g", kind,
             s->state->t);
    return lmb_hint(s->context, "%s", hint);
}

/* Initial velocities contradict a beginning at rest. */
static lmb_status check_rest(lmb_solver *s, const double *given)
{
    const lmb_model *m = s->state->model;
    double size = lmb_step_size(s, given);
    for (int j = 0; j < m->nv; j++) {
        if (fabs(given[j] - s->state->v[j]) * m->columns[j].size <= 1e-9 * size)
            continue;
        char name[128];
        lmb_column_name(m, j, name, sizeof name);
        lmb_fail(s->context, LMB_BAD_INPUT,
                 "'begin: static' is at rest, but '%s' begins with a velocity", name);
        return lmb_hint(s->context, "remove the initial velocity, or take 'begin: quasi-static'");
    }
    return LMB_OK;
}

/* The driven velocities, which must be all that there are. */
static lmb_status begin_at_rest(lmb_solver *s)
{
    size_t n = (size_t)s->state->model->nv;
    lmb_arena *room = lmb_arena_new();
    double *given = lmb_arena_numbers(room, n + 1);
    lmb_status status = lmb_check_memory(s->context, room);
    if (!status) {
        memcpy(given, s->state->v, n * sizeof *given);
        status = lmb_driven_velocities(s);
    }
    if (!status)
        status = check_rest(s, given);
    lmb_arena_free(room);
    return status;
}

/* The shape of bodies of several nodes and, in motion, its rate. */
static lmb_status find_steady(lmb_motion *motion, bool at_rest, bool *found)
{
    lmb_solver *s = motion->solver;
    lmb_steady_shape *shape;
    lmb_status status = lmb_steady_shape_new(&shape, s, at_rest);
    *found = !status && lmb_steady_shape_find(shape);
    if (*found && !at_rest) {
        status = lmb_steady_shape_rate(shape, motion->options.step);
        s->state->placed = false; /* initial values were met before */
        if (!status)
            status = lmb_fit_velocities(s);
    }
    lmb_steady_shape_free(shape);
    return status;
}

static lmb_status find_static(lmb_motion *motion)
{
    lmb_solver *s = motion->solver;
    lmb_quasi_static *f;
    bool found = false;
    lmb_status status = begin_at_rest(s);
    if (status)
        return status;
    if (lmb_whole_exists(s->state->model)) {
        status = find_steady(motion, true, &found);
    } else {
        status = lmb_quasi_static_new(&f, s, true);
        if (!status)
            status = lmb_quasi_static_solve(f, &found);
        lmb_quasi_static_free(f);
    }
    if (!status && !found)
        status = fail_shape(s, "static",
                            "loads may be far too large for small deformations, or a deformation "
                            "is not restrained");
    return status ? status : lmb_driven_velocities(s);
}

const lmb_beginning lmb_begin_static = {
    "static", "flexible bodies are deformed as at rest, with free joint coordinates held",
    .elastic = true, .find = find_static};

/* --- quasi-static ----------------------------------------------------------------------------- */

enum { LEVELS = 7 };

/* The search for the rate of the shape. */
typedef struct along {
    lmb_quasi_static *shape;
    lmb_state *at;            /* the first instant, with the shape there */
    lmb_jet *given;           /* what its held coordinates do there */
    double *q_given, *step;   /* nq, nv */
    double *table[2][LEVELS]; /* nv each: columns of the last two rows of Neville's table */
    double *best, error;      /* nv; what it is good to, in lengths per second */
} along;

/* Gives the held coordinates their motion a time e after the first instant. */
static void give_later(along *w, double e)
{
    lmb_quasi_static *f = w->shape;
    lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    for (int j = 0; j < m->nv; j++)
        w->step[j] = e * (w->at->v[j] + e / 2 * w->at->a[j]);
    lmb_state_copy(s, w->at);
    lmb_retract(s, w->q_given, w->step);
    memcpy(f->q_given, s->q, (size_t)m->nq * sizeof(double));
    lmb_retract(s, w->at->q, w->step);
    for (int k = 0; k < f->held_count; k++) {
        lmb_jet g = w->given[k];
        f->held[k].given = (lmb_jet){g.f + e * (g.d + e / 2 * g.dd), g.d + e * g.dd, g.dd};
    }
    lmb_update(s, w->at->t + e);
}

/* The motion of the held coordinates as it is in the shape that was found. */
static void keep_given(along *w)
{
    lmb_quasi_static *f = w->shape;
    lmb_state_copy(w->at, f->solver->state);
    for (int k = 0; k < f->held_count; k++)
        w->given[k].dd = f->alpha[k];
}

/* Size of a change of the shape, in lengths. */
static double size_of(const along *w, const double *x, const double *y)
{
    const lmb_solver *s = w->shape->solver;
    double largest = 0;
    for (int j = 0; j < s->state->model->nv; j++)
        if (s->modal[j])
            largest = fmax(largest, fabs(x[j] - y[j]) * s->state->model->columns[j].size);
    return largest;
}

/* Adds a row to Neville's table, differences over e in its first column. */
static void extrapolate(along *w, int level, double e)
{
    const lmb_model *m = w->at->model;
    double **row = w->table[level % 2], **last = w->table[1 - level % 2];
    lmb_difference(m, w->at->q, w->shape->solver->state->q, row[0]);
    for (int j = 0; j < m->nv; j++)
        row[0][j] = w->shape->solver->modal[j] ? row[0][j] / e : 0;
    for (int k = 1; k <= level; k++) {
        for (int j = 0; j < m->nv; j++)
            row[k][j] = row[k - 1][j] + (row[k - 1][j] - last[k - 1][j]) / (exp2(k) - 1);
        double error = fmax(size_of(w, row[k], row[k - 1]), size_of(w, row[k], last[k - 1]));
        if (error < w->error) {
            w->error = error;
            memcpy(w->best, row[k], (size_t)m->nv * sizeof(double));
        }
    }
}

/* The rate of the shape, from steps that begin with e; false: shapes are not found there. */
static lmb_status find_rate(along *w, double e, bool *found)
{
    w->error = INFINITY;
    *found = true;
    for (int level = 0; level < LEVELS && *found; level++, e /= 2) {
        give_later(w, e);
        lmb_status status = lmb_quasi_static_solve(w->shape, found);
        if (status)
            return status;
        if (*found)
            extrapolate(w, level, e);
    }
    return LMB_OK;
}

/* Shape and rate in turns, from the shape without a rate. */
static lmb_status find_both(along *w, double step, bool *found)
{
    enum { MOST_TURNS = 20, MOST_TRIES = 8 };
    lmb_quasi_static *f = w->shape;
    lmb_state *s = f->solver->state;
    size_t n = (size_t)s->model->nv * sizeof(double);
    lmb_status status = lmb_quasi_static_solve(f, found);
    double speed = lmb_step_size(f->solver, s->v);
    double e = speed > 0 ? fmin(step, 0.05 * s->model->length / speed) : step;
    for (int turn = 0, tries = 0; turn < MOST_TURNS && !status && *found; turn++) {
        keep_given(w);
        status = find_rate(w, e, found);
        if (!status && !*found && tries++ < MOST_TRIES) { /* laws may end or jump soon */
            e /= 4;
            turn--;
            *found = true;
        } else if (!status && *found) {
            double change = size_of(w, w->best, f->shape_rate);
            memcpy(f->shape_rate, w->best, n);
            give_later(w, 0);
            status = lmb_quasi_static_solve(f, found);
            if (change <= 2 * w->error)
                return status;
            continue;
        }
        give_later(w, 0);
    }
    return status;
}

/* Of bodies with modes, along the motion. */
static lmb_status find_along(lmb_motion *motion, bool *found)
{
    lmb_solver *s = motion->solver;
    const lmb_model *m = s->state->model;
    along w = {.at = lmb_state_new(m)};
    lmb_status status =
        w.at ? lmb_quasi_static_new(&w.shape, s, false) : lmb_fail_memory(s->context);
    if (!status) {
        lmb_arena *arena = w.shape->arena;
        w.given = lmb_arena_alloc(arena, (size_t)w.shape->held_count + 1, sizeof *w.given);
        w.q_given = lmb_arena_numbers(arena, (size_t)m->nq);
        w.step = lmb_arena_numbers(arena, (size_t)m->nv);
        w.best = lmb_arena_numbers(arena, (size_t)m->nv);
        for (int i = 0; i < 2 * LEVELS; i++)
            w.table[i % 2][i / 2] = lmb_arena_numbers(arena, (size_t)m->nv);
        status = lmb_check_memory(s->context, arena);
    }
    if (!status) {
        memcpy(w.q_given, w.shape->q_given, (size_t)m->nq * sizeof(double));
        for (int k = 0; k < w.shape->held_count; k++)
            w.given[k] = w.shape->held[k].given;
        status = find_both(&w, motion->options.step, found);
    }
    lmb_quasi_static_free(w.shape);
    lmb_state_free(w.at);
    return status;
}

static lmb_status find_quasi_static(lmb_motion *motion)
{
    lmb_solver *s = motion->solver;
    bool found = false;
    lmb_status status = lmb_whole_exists(s->state->model) ? find_steady(motion, false, &found)
                                                          : find_along(motion, &found);
    if (!status && !found)
        status = fail_shape(s, "quasi-static",
                            "the motion may be too fast for the bodies (near a natural frequency), "
                            "or begin with a jump");
    return status;
}

const lmb_beginning lmb_begin_quasi_static = {
    "quasi-static",
    "they are deformed as the rigid motion at that instant requires, without vibrations",
    .elastic = true, .find = find_quasi_static};
