/* Events: where their expressions g cross zero in a step, and what happens there.
 *
 * After each step the signs of all g are compared with those before. Where one has changed, the
 * step is taken back and repeated to trial instants t,
 *
 *   t = t0 + (t1 - t0) g0 / (g0 - g1)    (regula falsi, where a value that is kept twice is halved)
 *
 * with bisection where that is slow, until the first crossing is known to rounding. The motion goes
 * on from just behind it, with what the event switches. */
#include "analysis/dynamics.h"

#include <string.h>

#include "channels/channels.h"
#include "system/state.h"

/* How well instants are found, as a part of the time; how far a joint may be open that is latched,
 * as a part of the model's length. */
static const double exactness = 1e-12, widest = 1e-3;

struct lmb_events {
    lmb_channels *channels;
    double *numbers;    /* the motion as it was before the step */
    double *low, *high; /* of each event: g before and behind its crossing */
    double shortest;    /* step of an implicit method; 0 for others */
};

/* --- watching --------------------------------------------------------------------------------- */

static bool is_pending(const lmb_state *s, int i)
{
    return !s->event_off[i] && isnan(s->event_time[i]);
}

static bool any_pending(const lmb_state *s)
{
    for (int i = 0; i < s->model->event_count; i++)
        if (is_pending(s, i))
            return true;
    return false;
}

static void evaluate(lmb_events *e, const lmb_state *s, double *out)
{
    const double *g = lmb_channels_events(e->channels, s);
    memcpy(out, g, (size_t)s->model->event_count * sizeof *out);
}

/* Remembers on which sides of zero the expressions are; zero is on none. */
static void remember_sides(lmb_state *s, const double *g)
{
    for (int i = 0; i < s->model->event_count; i++)
        if (g[i] > 0 || g[i] < 0)
            s->event_side[i] = g[i] > 0 ? 1 : -1;
}

/* Whether an event happens with a value g: it was on the other side before. */
static bool happens(const lmb_state *s, int i, double g)
{
    double from = s->event_side[i];
    lmb_crossing direction = s->model->events[i].direction;
    bool crossed = (from > 0 && g <= 0) || (from < 0 && g >= 0);
    return crossed && is_pending(s, i) &&
           (direction == LMB_CROSS_ANY || (direction == LMB_CROSS_RISING) == (from < 0));
}

static bool any_happens(const lmb_state *s, const double *g)
{
    for (int i = 0; i < s->model->event_count; i++)
        if (happens(s, i, g[i]))
            return true;
    return false;
}

/* An expression that has lost its value would let its event pass unseen. It may have none at first,
 * as one with the instant of another event that has not happened yet. */
static lmb_status check_values(const lmb_solver *solver, const double *g)
{
    const lmb_state *s = solver->state;
    for (int i = 0; i < s->model->event_count; i++)
        if (is_pending(s, i) && s->event_side[i] != 0 && isnan(g[i])) {
            lmb_fail(solver->context, LMB_SOLVER, "'when' of event '%s' has no value at t = %.10g",
                     s->model->events[i].name, s->t);
            return lmb_hint(solver->context,
                            "check it for roots and logarithms of negative numbers");
        }
    return LMB_OK;
}

/* --- where they happen ------------------------------------------------------------------------ */

static void pack(lmb_events *e, lmb_motion *m, lmb_packing mode)
{
    lmb_pack p = {.mode = mode, .numbers = e->numbers};
    lmb_motion_pack(m, &p);
}

static lmb_status make_step(const lmb_events *e, lmb_motion *m, double t)
{
    return t - m->solver->state->t < e->shortest ? lmb_motion_taylor_step(m, t)
                                                 : lmb_motion_advance(m, t, true);
}

/* After a step that an event has cut short: the reactions of an implicit method feel rounding, so
 * they are solved for, and it begins anew. */
static lmb_status refresh(const lmb_events *e, lmb_motion *m)
{
    if (e->shortest == 0)
        return LMB_OK;
    lmb_status status = lmb_motion_accelerate(m);
    return status ? status : lmb_motion_restart(m);
}

/* Repeats the step, but to another instant. */
static lmb_status repeat(lmb_events *e, lmb_motion *m, double t)
{
    lmb_status status = LMB_OK;
    pack(e, m, LMB_PACK_RESTORE);
    while (!status && m->solver->state->t < t)
        status = make_step(e, m, t);
    return status ? status : refresh(e, m);
}

/* The part of [low, high] at which the first crossing is expected. */
static double guess(const lmb_events *e, const lmb_state *s)
{
    double first = 1;
    for (int i = 0; i < s->model->event_count; i++)
        if (happens(s, i, e->high[i])) {
            double part = e->low[i] / (e->low[i] - e->high[i]);
            first = part >= 0 && part < first ? part : first;
        }
    return first;
}

/* Moves to just behind the first crossing of the step that began at `begin`. */
static lmb_status locate(lmb_events *e, lmb_motion *m, double begin)
{
    lmb_state *s = m->solver->state;
    int count = s->model->event_count, last = 0;
    double low = begin, high = s->t, whole = high - low;
    double near = exactness * fmax(fabs(high), whole);
    lmb_status status = LMB_OK;
    for (int i = 0; high - low > near && !status; i++) {
        bool slow = high - low > ldexp(whole, 4 - i);
        double t = low + (high - low) * (slow ? 0.5 : guess(e, s));
        t = fmin(high - near / 2, fmax(low + near / 2, t));
        status = repeat(e, m, t);
        const double *g = lmb_channels_events(e->channels, s);
        bool behind = any_happens(s, g);
        for (int k = 0; k < count && last == (behind ? 1 : -1); k++)
            (behind ? e->low : e->high)[k] /= 2;
        last = behind ? 1 : -1;
        memcpy(behind ? e->high : e->low, g, (size_t)count * sizeof *g);
        *(behind ? &high : &low) = t;
    }
    return status ? status : repeat(e, m, high);
}

/* --- what happens ----------------------------------------------------------------------------- */

/* A driver that is given as a speed takes its coordinate on as it is. */
static void start_law(lmb_state *s, const lmb_driver *d)
{
    const lmb_law *law = &s->model->laws[d->law];
    if (law->rate && !law->start_given)
        s->law_value[d->law] =
            lmb_coordinate_value(s, &s->model->parts.coordinates[d->coordinate]).f;
}

/* What is latched must be closed there, but for a little. */
static lmb_status check_rows(lmb_solver *solver, const lmb_event *event, const char *name, int row,
                             int count)
{
    const lmb_state *s = solver->state;
    for (int r = row; r < row + count; r++) {
        double open = fabs(lmb_row_value(s, r));
        if (open <= widest * s->model->length)
            continue;
        char equation[96];
        lmb_row_name(s->model, r, equation, sizeof equation);
        lmb_fail(solver->context, LMB_SOLVER,
                 "event '%s' cannot latch '%s' at t = %g: it is open there by %g (%s)", event->name,
                 name, s->t, open, equation);
        return lmb_hint(solver->context, "let 'when' cross zero where it is closed");
    }
    return LMB_OK;
}

static lmb_status latch(lmb_solver *solver, const lmb_event *event)
{
    lmb_state *s = solver->state;
    const lmb_model *m = s->model;
    const lmb_selection *x = &event->latch;
    lmb_status status = LMB_OK;
    lmb_switch_selection(s, x, true);
    lmb_accept_laws(s); /* an interpolated instant lies behind the values that they go on from */
    for (int i = 0; i < x->driver_count; i++)
        start_law(s, &m->drivers[x->drivers[i]]);
    lmb_set_time(s, s->t);
    for (int i = 0; i < x->joint_count && !status; i++) {
        const lmb_joint *j = &m->joints[x->joints[i]];
        status = check_rows(solver, event, j->name, j->row, j->row_count);
    }
    for (int i = 0; i < x->driver_count && !status; i++) {
        const lmb_driver *d = &m->drivers[x->drivers[i]];
        status = check_rows(solver, event, d->name, d->row, 1);
    }
    return status;
}

static double energy(const lmb_state *s)
{
    lmb_balance b = lmb_total_balance(s);
    return b.kinetic + b.potential + lmb_elastic_energy_with(s, &b);
}

/* Goes on with what has been switched; energy that this takes or gives counts as work. */
static lmb_status go_on(lmb_dynamics *d, double before)
{
    lmb_state *s = d->solver->state;
    lmb_status status = lmb_dynamics_switched(d);
    double lost = before - energy(s);
    s->work[lost > 0 ? LMB_WORK_DISSIPATED : LMB_WORK_SUPPLIED] += fabs(lost);
    return status;
}

/* All events that cross at the present instant happen in order, then those that follow from them at
 * once. */
static lmb_status let_happen(lmb_dynamics *d)
{
    lmb_events *e = d->events;
    lmb_state *s = d->solver->state;
    lmb_status status = LMB_OK;
    while (!status && any_happens(s, e->high)) {
        double before = energy(s);
        for (int i = 0; i < s->model->event_count && !status; i++) {
            const lmb_event *event = &s->model->events[i];
            if (!happens(s, i, e->high[i]))
                continue;
            s->event_time[i] = s->t;
            lmb_switch_selection(s, &event->release, false);
            status = latch(d->solver, event);
        }
        if (!status)
            status = go_on(d, before);
        evaluate(e, s, e->high);
    }
    return status;
}

/* --- over time -------------------------------------------------------------------------------- */

lmb_status lmb_events_new(lmb_events **out, lmb_motion *m)
{
    lmb_solver *s = m->solver;
    size_t count = (size_t)s->state->model->event_count;
    *out = NULL;
    if (!any_pending(s->state))
        return LMB_OK;
    lmb_events *e = lmb_arena_alloc(s->arena, 1, sizeof *e);
    lmb_pack size = {.mode = LMB_PACK_COUNT};
    lmb_motion_pack(m, &size);
    if (!e)
        return lmb_fail_memory(s->context);
    e->numbers = lmb_arena_numbers(s->arena, size.count);
    e->low = lmb_arena_numbers(s->arena, count);
    e->high = lmb_arena_numbers(s->arena, count);
    lmb_status status = lmb_check_memory(s->context, s->arena);
    if (status || (status = lmb_channels_new(&e->channels, s->context, s->state->model,
                                             LMB_KNOWN_IN_DYNAMICS)))
        return status;
    lmb_events_look(e, s->state);
    *out = e;
    return LMB_OK;
}

void lmb_events_look(lmb_events *e, lmb_state *s)
{
    evaluate(e, s, e->high);
    remember_sides(s, e->high);
}

void lmb_events_free(lmb_events *e)
{
    if (e)
        lmb_channels_free(e->channels);
}

/* Whether an event has happened at an instant. */
static bool was_event(const lmb_state *s, double t)
{
    for (int i = 0; i < s->model->event_count; i++)
        if (s->event_time[i] == t)
            return true;
    return false;
}

/* One step, to the first crossing in it at the latest. */
static lmb_status step(lmb_dynamics *d, double end)
{
    lmb_events *e = d->events;
    lmb_motion *m = d->motion;
    lmb_state *s = d->solver->state;
    double begin = s->t;
    evaluate(e, s, e->low);
    pack(e, m, LMB_PACK_SAVE);
    lmb_status status = make_step(e, m, end);
    if (!status && was_event(s, begin))
        status = refresh(e, m);
    if (status)
        return status;
    evaluate(e, s, e->high);
    if ((status = check_values(d->solver, e->high)))
        return status;
    if (any_happens(s, e->high) && ((status = locate(e, m, begin)) || (status = let_happen(d))))
        return status;
    remember_sides(s, e->high);
    return LMB_OK;
}

/* The shortest step on the way to an instant. */
static double shortest_step(const lmb_dynamics *d, double end)
{
    const lmb_motion *m = d->motion;
    bool implicit = m->options.integrator->implicit;
    return implicit ? 1e-4 * fmin(m->options.step, end - d->solver->state->t) : 0;
}

lmb_status lmb_events_step(lmb_dynamics *d, double end)
{
    const lmb_state *s = d->solver->state;
    lmb_motion *m = d->motion;
    d->events->shortest = shortest_step(d, end);
    return any_pending(s) || was_event(s, s->t) ? step(d, end) : lmb_motion_advance(m, end, true);
}

lmb_status lmb_events_advance(lmb_dynamics *d, double end)
{
    const lmb_state *s = d->solver->state;
    lmb_motion *m = d->motion;
    d->events->shortest = shortest_step(d, end);
    lmb_status status = LMB_OK;
    while (!status && s->t < end && !lmb_dynamics_stopped(d))
        status =
            any_pending(s) || was_event(s, s->t) ? step(d, end) : lmb_motion_advance(m, end, false);
    return status;
}
