/* The beginning of a dynamic analysis, and its way from instant to instant. */
#include "analysis/dynamics.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/begin.h"
#include "analysis/initial.h"
#include "analysis/mobility.h"

/* --- life ------------------------------------------------------------------------------------- */

static lmb_status begin(lmb_dynamics *d, const lmb_state *initial, const lmb_integration *options)
{
    lmb_solver *s = d->solver;
    lmb_state_copy(s->state, initial);
    lmb_set_time(s->state, initial->t);
    lmb_status status = lmb_assemble(s);
    if (status || (status = lmb_find_rank(s, &d->rank)) || (status = lmb_fit_velocities(s)) ||
        (status = lmb_motion_new(&d->motion, s, options)) ||
        (status = lmb_motion_accelerate(d->motion)) || (status = lmb_begin(d->motion)))
        return status;
    lmb_warn_redundant(s, &d->rank);
    lmb_accept(s->state);
    return LMB_OK;
}

/* Begins anew with closed joints. */
static lmb_status begin_anew(lmb_dynamics *d)
{
    lmb_solver *s = d->solver;
    lmb_status status = lmb_find_rank(s, &d->rank);
    if (status)
        return status;
    lmb_motion_catch_velocities(s);
    if ((status = lmb_motion_accelerate(d->motion)))
        return status;
    lmb_accept(s->state);
    return lmb_motion_restart(d->motion);
}

lmb_status lmb_dynamics_switched(lmb_dynamics *d)
{
    lmb_solver *s = d->solver;
    s->epsilon = 0;
    lmb_solver_fix(s, NULL); /* independent coordinates are chosen anew */
    if (!lmb_solve_position(s))
        return lmb_fail(s->context, LMB_SOLVER,
                        "the constraints activated at t = %g cannot be satisfied", s->state->t);
    return begin_anew(d);
}

lmb_status lmb_dynamics_moved(lmb_dynamics *d)
{
    lmb_solver *s = d->solver;
    lmb_state *state = s->state;
    size_t bytes = (size_t)state->model->nq * sizeof *state->q;
    s->epsilon = 0;
    lmb_solver_fix(s, NULL);
    lmb_update(state, state->t);
    memcpy(d->motion->y, state->q, bytes);
    if (!lmb_solve_position(s)) {
        memcpy(state->q, d->motion->y, bytes);
        lmb_update(state, state->t);
        lmb_status status = lmb_assemble(s);
        if (status)
            return status;
    }
    lmb_status status = begin_anew(d);
    if (!status && d->events)
        lmb_events_look(d->events, state);
    return status;
}

lmb_status lmb_dynamics_pushed(lmb_dynamics *d)
{
    lmb_motion *m = d->motion;
    lmb_update(d->solver->state, d->solver->state->t); /* steps may leave that undone */
    lmb_status status = lmb_motion_accelerate(m);
    d->solver->through_singular = false;
    if (!status && m->options.integrator->restart)
        m->options.integrator->restart(m); /* positions are as they were: so is all else */
    return status;
}

lmb_status lmb_dynamics_new(lmb_dynamics **out, lmb_context *context, const lmb_model *model,
                            double start, const lmb_integration *options)
{
    *out = NULL;
    lmb_state *initial = lmb_state_at(model, start);
    if (!initial)
        return lmb_fail_memory(context);
    lmb_status status = lmb_dynamics_from(out, context, initial, options);
    lmb_state_free(initial);
    return status;
}

lmb_status lmb_dynamics_from(lmb_dynamics **out, lmb_context *context, const lmb_state *initial,
                             const lmb_integration *options)
{
    lmb_solver *solver;
    *out = NULL;
    lmb_status status = lmb_solver_for(&solver, context, initial);
    if (status)
        return status;
    lmb_dynamics *d = lmb_arena_alloc(solver->arena, 1, sizeof *d);
    if (!d) {
        lmb_solver_free(solver);
        return lmb_fail_memory(context);
    }
    d->solver = solver;
    status = begin(d, initial, options);
    if (!status)
        status = lmb_events_new(&d->events, d->motion);
    if (status)
        lmb_dynamics_free(d);
    else
        *out = d;
    return status;
}

void lmb_dynamics_free(lmb_dynamics *d)
{
    if (!d)
        return;
    lmb_events_free(d->events);
    lmb_motion_free(d->motion);
    lmb_solver_free(d->solver);
}

/* Step by step, asking before and after each. */
static lmb_status advance_watched(lmb_dynamics *d, double end)
{
    const lmb_state *s = d->solver->state;
    const lmb_step_watch *w = d->watch;
    lmb_motion *m = d->motion;
    lmb_status status = LMB_OK;
    while (!status && s->t < end && !lmb_dynamics_stopped(d)) {
        status = w->before(w->user);
        if (!status)
            status = d->events ? lmb_events_step(d, end) : lmb_motion_advance(m, end, true);
        if (!status)
            status = w->after(w->user);
    }
    return status;
}

lmb_status lmb_dynamics_advance(lmb_dynamics *d, double end)
{
    if (end == d->solver->state->t) /* a step of no length is none */
        return LMB_OK;
    if (d->watch)
        return advance_watched(d, end);
    return d->events ? lmb_events_advance(d, end) : lmb_motion_advance(d->motion, end, false);
}

bool lmb_dynamics_stopped(const lmb_dynamics *d)
{
    const lmb_state *s = d->solver->state;
    for (int i = 0; i < s->model->event_count; i++)
        if (s->model->events[i].stop && !isnan(s->event_time[i]))
            return true;
    return false;
}

void lmb_dynamics_pack(lmb_dynamics *d, lmb_pack *pack)
{
    lmb_motion_pack(d->motion, pack);
}

static lmb_status start(lmb_course *c, lmb_context *context, const lmb_state *initial,
                        const lmb_analysis *a)
{
    lmb_status status = lmb_course_integrate(c, context, initial, a);
    if (!status)
        lmb_warn_stability(context, initial->model, a);
    return status;
}

const lmb_analysis_kind lmb_analysis_dynamics = {
    "dynamics", "the motion under forces, with reactions", LMB_KNOWN_IN_DYNAMICS, .start = start};
