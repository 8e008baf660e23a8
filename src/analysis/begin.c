/* Beginnings of integrated motions: the table, static and quasi-static ones.
 *
 * Static: the shape at rest (steady_shape.h). Velocities are those of the drivers alone, 0 where
 * nothing is driven.
 *
 * Quasi-static: the shape along the rigid motion at the first instant, with its rate. */
#include "analysis/begin.h"

#include <math.h>
#include <string.h>

#include "analysis/initial.h"
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

/* The shape at rest or, in motion, with its rate. */
static lmb_status find_shape(lmb_motion *motion, bool at_rest, bool *found)
{
    lmb_steady_shape *shape;
    lmb_status status = lmb_steady_shape_new(&shape, motion->solver, at_rest);
    if (!status && at_rest)
        *found = lmb_steady_shape_find(shape);
    else if (!status)
        status = lmb_steady_shape_follow(shape, motion->options.step, found);
    lmb_steady_shape_free(shape);
    return status;
}

static lmb_status find_static(lmb_motion *motion)
{
    lmb_solver *s = motion->solver;
    bool found = false;
    lmb_status status = begin_at_rest(s);
    if (!status)
        status = find_shape(motion, true, &found);
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

static lmb_status find_quasi_static(lmb_motion *motion)
{
    lmb_solver *s = motion->solver;
    bool found = false;
    lmb_status status = find_shape(motion, false, &found);
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
