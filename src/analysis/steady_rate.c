/* The rate of a shape that follows the motion: v = lim (q(t + e) (-) q(t)) / e, by Neville's
 * extrapolation from steps e, e/2, e/4, ... forward, since laws need not be defined before the
 * analysis. At t + e drivers are as they are then; free coordinates are at c + e c' + e^2/2 c''.
 * The rate itself bends the shape a little, by damping and Coriolis forces, so both are found in
 * turns. */
#include <math.h>
#include <string.h>

#include "analysis/steady_shape.h"
#include "system/whole.h"

enum { LEVELS = 7 };

typedef struct rate {
    lmb_steady_shape *shape;
    lmb_state *at;            /* the first instant, with the shape there */
    lmb_jet *given;           /* what its free coordinates do there */
    double *q_given, *step;   /* nq, nv */
    double *table[2][LEVELS]; /* nv each: columns of the last two rows of Neville's table */
    double *best, error;      /* nv; what it is good to, in lengths per second */
} rate;

/* The size of x - y (nv), in lengths. */
static double distance(const rate *w, const double *x, const double *y)
{
    for (int j = 0; j < w->at->model->nv; j++)
        w->step[j] = x[j] - y[j];
    return lmb_step_size(w->shape->solver, w->step);
}

/* The motion of the free coordinates as it is in the shape. */
static void keep_given(rate *w)
{
    lmb_steady_shape *f = w->shape;
    lmb_state *s = f->solver->state;
    lmb_state_copy(w->at, s);
    memcpy(w->q_given, f->q_given, (size_t)s->model->nq * sizeof(double));
    for (int k = 0; k < f->shape->count; k++) {
        const lmb_given *g = &f->shape->given[k];
        w->given[k] = g->column >= 0
                          ? (lmb_jet){0, s->v[g->column], s->a[g->column]}
                          : lmb_coordinate_value(s, &s->model->parts.coordinates[g->coordinate]);
    }
}

/* Gives them their motion a time e later, and moves there with the present rates. */
static void give_later(rate *w, double e)
{
    lmb_steady_shape *f = w->shape;
    lmb_state *s = f->solver->state;
    const lmb_model *m = s->model;
    for (int j = 0; j < m->nv; j++)
        w->step[j] = e * (w->at->v[j] + e / 2 * w->at->a[j]);
    lmb_state_copy(s, w->at);
    lmb_retract(s, w->q_given, w->step);
    memcpy(f->q_given, s->q, (size_t)m->nq * sizeof(double));
    lmb_whole_retract(s, w->at->q, w->step);
    lmb_whole_turn(s, f->rate, false, w->step);
    for (int j = 0; j < m->nv; j++)
        w->step[j] *= f->solver->modal[j] ? 0 : e;
    lmb_retract(s, s->q, w->step);
    for (int k = 0; k < f->shape->count; k++) {
        lmb_jet g = w->given[k];
        f->shape->given[k].value = g.f + e * (g.d + e / 2 * g.dd);
        f->whole->given[k].value = g.d + e * g.dd;
    }
    lmb_update(s, w->at->t + e);
}

/* Adds a row to Neville's table, differences over e in its first column. */
static void extrapolate(rate *w, int level, double e)
{
    const lmb_model *m = w->at->model;
    double **row = w->table[level % 2], **last = w->table[1 - level % 2];
    lmb_difference(m, w->at->q, w->shape->solver->state->q, row[0]);
    for (int j = 0; j < m->nv; j++)
        row[0][j] /= e;
    for (int k = 1; k <= level; k++) {
        for (int j = 0; j < m->nv; j++)
            row[k][j] = row[k - 1][j] + (row[k - 1][j] - last[k - 1][j]) / (exp2(k) - 1);
        double error = fmax(distance(w, row[k], row[k - 1]), distance(w, row[k], last[k - 1]));
        if (error < w->error) {
            w->error = error;
            memcpy(w->best, row[k], (size_t)m->nv * sizeof(double));
        }
    }
}

/* From steps that begin with e, as many as the change of the rate is worth; false: shapes are not
 * found there. */
static bool try_steps(rate *w, double e)
{
    w->error = INFINITY;
    for (int level = 0; level < LEVELS; level++, e /= 2) {
        give_later(w, e);
        if (!lmb_steady_shape_find(w->shape))
            return false;
        extrapolate(w, level, e);
        if (level > 0 && w->error <= 0.02 * distance(w, w->best, w->at->v))
            break;
    }
    return true;
}

/* The rates of nodes against their leaders, and of modal coordinates, in the rate x of all. */
static void take_rate(rate *w, const double *x)
{
    lmb_steady_shape *f = w->shape;
    int n = w->at->model->nv;
    memcpy(w->step, x, (size_t)n * sizeof(double));
    lmb_whole_follow(w->at, w->step);
    for (int j = 0; j < n; j++)
        w->step[j] = f->solver->modal[j] ? x[j] : x[j] - w->step[j];
    lmb_whole_turn(w->at, w->step, true, f->rate);
}

/* Shape and rate in turns, until the rate is that of the velocities. */
static bool find_both(rate *w, double step)
{
    enum { MOST_TURNS = 20, MOST_TRIES = 8 };
    lmb_steady_shape *f = w->shape;
    const lmb_model *m = f->solver->state->model;
    bool found = lmb_steady_shape_find(f);
    double speed = lmb_step_size(f->solver, f->solver->state->v);
    double e = speed > 0 ? fmin(step, 0.05 * m->length / speed) : step;
    for (int turn = 0; found && turn < MOST_TURNS; turn++) {
        keep_given(w);
        found = try_steps(w, e);
        for (int tries = 1; !found && tries < MOST_TRIES; tries++) { /* laws may end soon */
            e /= 4;
            found = try_steps(w, e);
        }
        give_later(w, 0);
        if (found && distance(w, w->best, w->at->v) <= 2 * w->error)
            return true;
        take_rate(w, w->best);
        found = found && lmb_steady_shape_find(f);
    }
    return found;
}

lmb_status lmb_steady_shape_follow(lmb_steady_shape *shape, double step, bool *found)
{
    lmb_solver *s = shape->solver;
    const lmb_model *m = s->state->model;
    rate w = {.shape = shape, .at = lmb_state_new(m)};
    lmb_arena *arena = w.at ? w.at->arena : NULL;
    if (!arena)
        return lmb_fail_memory(s->context);
    w.given = lmb_arena_alloc(arena, (size_t)shape->shape->count + 1, sizeof *w.given);
    w.q_given = lmb_arena_numbers(arena, (size_t)m->nq + 1);
    w.step = lmb_arena_numbers(arena, (size_t)m->nv + 1);
    w.best = lmb_arena_numbers(arena, (size_t)m->nv + 1);
    for (int i = 0; i < 2 * LEVELS; i++)
        w.table[i % 2][i / 2] = lmb_arena_numbers(arena, (size_t)m->nv + 1);
    lmb_status status = lmb_check_memory(s->context, arena);
    *found = !status && find_both(&w, step);
    lmb_state_free(w.at);
    return status;
}
