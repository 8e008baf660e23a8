/* The life of a simulation and its way through time.
 *
 * It is the course of an analysis as lmb_run has it, from the same beginning, so that it goes
 * through the same numbers. The state is kept before each call that changes it: where that fails,
 * q, v, a, lambda and all else of the state are put back, and the integration begins anew. */
#include "run/simulation.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "run/run.h"

/* --- one call at a time ----------------------------------------------------------------------- */

lmb_status lmb_simulation_enter(lmb_simulation *s)
{
    if (!s)
        return LMB_USAGE;
    if (!atomic_exchange_explicit(&s->busy, true, memory_order_acquire))
        return LMB_OK;
    atomic_store(&s->refused, true); /* the context is another thread's now */
    return LMB_USAGE;
}

lmb_status lmb_simulation_look(lmb_simulation *s)
{
    if (!s || !atomic_load_explicit(&s->hooked, memory_order_acquire) ||
        !pthread_equal(s->hook_thread, pthread_self()))
        return lmb_simulation_enter(s);
    if (s->nested) { /* by a function of an expression, in a call that a hook has made */
        atomic_store(&s->refused, true);
        return LMB_USAGE;
    }
    s->nested = true;
    return LMB_OK;
}

lmb_status lmb_simulation_leave(lmb_simulation *s, lmb_status status)
{
    if (s->nested) { /* the call that the hook belongs to is still under way */
        s->nested = false;
        return status;
    }
    if (atomic_load_explicit(&s->refused, memory_order_relaxed)) {
        atomic_store(&s->refused, false);
        lmb_fail(s->context, LMB_USAGE,
                 "a call was refused: the simulation of '%s' was at work for another one",
                 s->analysis->name);
        lmb_hint(s->context, "threads may share a model, but each needs a simulation of its own");
    }
    atomic_store_explicit(&s->busy, false, memory_order_release);
    return status;
}

/* --- the way back ----------------------------------------------------------------------------- */

void lmb_simulation_keep(lmb_simulation *s)
{
    const lmb_state *x = s->solver->state;
    s->t = x->t;
    s->law_time = x->law_time;
    memcpy(s->work, x->work, sizeof s->work);
    memcpy(s->numbers, x->q, x->number_count * sizeof *s->numbers);
    memcpy(s->flags, x->row_off, x->flag_count * sizeof *s->flags);
    memcpy(s->kept_inputs, s->inputs, (size_t)s->model->force_count * sizeof *s->inputs);
    memcpy(s->kept_given, s->given, (size_t)s->model->law_count * sizeof *s->given);
}

/* Puts the state back; whether something had been switched meanwhile. */
static bool put_back(lmb_simulation *s)
{
    lmb_state *x = s->solver->state;
    bool switched = memcmp(x->row_off, s->flags, x->flag_count * sizeof *s->flags) != 0;
    memcpy(s->inputs, s->kept_inputs, (size_t)s->model->force_count * sizeof *s->inputs);
    memcpy(s->given, s->kept_given, (size_t)s->model->law_count * sizeof *s->given);
    x->law_time = s->law_time;
    memcpy(x->work, s->work, sizeof s->work);
    memcpy(x->q, s->numbers, x->number_count * sizeof *s->numbers);
    memcpy(x->row_off, s->flags, x->flag_count * sizeof *s->flags);
    x->rows_off = 0;
    for (int r = 0; r < s->model->nrows; r++)
        x->rows_off += x->row_off[r];
    lmb_update(x, s->t);
    return switched;
}

lmb_status lmb_simulation_back(lmb_simulation *s, lmb_status status)
{
    lmb_status back = LMB_OK;
    bool switched = put_back(s);
    s->row = NULL;
    s->solver->through_singular = false;
    if (s->course.kinematics)
        lmb_kinematics_restart(s->course.kinematics);
    else
        back = switched ? lmb_dynamics_switched(s->course.dynamics)
                        : lmb_motion_restart(s->course.dynamics->motion);
    s->lost = back != LMB_OK;
    if (s->lost)
        lmb_warn(s->context, "the simulation of '%s' cannot go on: restore a snapshot of it",
                 s->analysis->name);
    else
        lmb_warn(s->context, "the simulation of '%s' is at t = %g, its last good state",
                 s->analysis->name, s->t);
    return status;
}

/* --- through time ----------------------------------------------------------------------------- */

void lmb_simulation_find_next(lmb_simulation *s)
{
    const lmb_analysis *a = s->analysis;
    if (!(a->output_step > 0))
        return;
    double t = s->solver->state->t, passed = floor((t - a->start) / a->output_step);
    s->next = passed > 1 && passed < 2e9 ? (int)passed - 1 : 0;
    while (s->next < INT_MAX && lmb_instant(a, s->next) <= t)
        s->next++;
}

/* The event that has stopped the motion. */
static lmb_status fail_stopped(const lmb_simulation *s)
{
    const lmb_state *x = s->solver->state;
    for (int i = 0; i < s->model->event_count; i++)
        if (s->model->events[i].stop && !isnan(x->event_time[i]))
            lmb_fail(s->context, LMB_USAGE, "event '%s' has stopped the simulation at t = %g",
                     s->model->events[i].name, x->event_time[i]);
    return LMB_USAGE;
}

/* Whether there is a way on to an instant. */
static lmb_status check_way(const lmb_simulation *s, double t)
{
    double now = s->solver->state->t;
    if (s->lost)
        return lmb_fail(s->context, LMB_USAGE,
                        "the simulation of '%s' has failed: restore a snapshot of it",
                        s->analysis->name);
    if (!isfinite(t))
        return lmb_fail(s->context, LMB_USAGE, "t = %g is no instant to advance to", t);
    if (t < now) {
        lmb_fail(s->context, LMB_USAGE,
                 "the simulation of '%s' is at t = %.10g: it cannot advance to t = %.10g before",
                 s->analysis->name, now, t);
        lmb_hint(s->context, "save it before it goes on, and restore it to go back");
        return LMB_USAGE;
    }
    return t > now && lmb_course_stopped(&s->course) ? fail_stopped(s) : LMB_OK;
}

/* Reports of progress can stop an advance: what to do about it is not what a run would say. */
static void hint_interrupted(const lmb_simulation *s)
{
    const lmb_message *m = lmb_message_at(s->context, lmb_message_count(s->context) - 1);
    if (strncmp(m->text, "interrupted", strlen("interrupted")) == 0)
        lmb_hint(s->context, "advance again to go on");
}

static lmb_status go_to(lmb_simulation *s, double t)
{
    lmb_simulation_keep(s);
    s->row = NULL;
    lmb_status status = lmb_simulation_go(s, t);
    if (!status)
        return LMB_OK;
    hint_interrupted(s);
    return lmb_simulation_back(s, status);
}

lmb_status lmb_simulation_advance(lmb_simulation *s, double t)
{
    lmb_status status = lmb_simulation_enter(s);
    if (status)
        return status;
    status = check_way(s, t);
    if (!status && t > s->solver->state->t && !(status = go_to(s, t)))
        lmb_simulation_find_next(s);
    return lmb_simulation_leave(s, status);
}

lmb_status lmb_simulation_step(lmb_simulation *s)
{
    lmb_status status = lmb_simulation_enter(s);
    if (status)
        return status;
    double t = lmb_instant(s->analysis, s->next);
    if (!(t > s->solver->state->t))
        status = lmb_fail(s->context, LMB_USAGE, "analysis '%s' has no instants after t = %g",
                          s->analysis->name, s->solver->state->t);
    if (!status && !(status = check_way(s, t)) && !(status = go_to(s, t)) &&
        s->solver->state->t == t) /* else an event has stopped it */
        s->next++;
    return lmb_simulation_leave(s, status);
}

const char *lmb_simulation_analysis(const lmb_simulation *s)
{
    return s ? s->analysis->name : NULL;
}

double lmb_simulation_time(const lmb_simulation *s)
{
    return s ? s->solver->state->t : NAN;
}

double lmb_simulation_end(const lmb_simulation *s)
{
    return s ? s->analysis->start + s->analysis->duration : NAN;
}

bool lmb_simulation_stopped(const lmb_simulation *s)
{
    return s && lmb_course_stopped(&s->course);
}

/* --- life ------------------------------------------------------------------------------------- */

/* The analysis that a name means; -1, with a message, where there is none. */
static int find_analysis(lmb_context *context, const lmb_model *m, const char *name)
{
    int found = name ? lmb_run_find(context, m, name) : m->analysis_count - 1;
    if (name && found >= 0 && m->analyses[found].kind->timeless) {
        lmb_fail(context, LMB_USAGE, "analysis '%s' is not over time: it has no simulation", name);
        return -1;
    }
    while (!name && found >= 0 && m->analyses[found].kind->timeless)
        found--;
    if (!name && found < 0) {
        lmb_fail(context, LMB_USAGE, "%s has no analysis over time", m->file);
        lmb_hint(context, "add for example 'analyses: {turn: {type: dynamics, duration: 1}}'");
    }
    return found;
}

/* Starts the analysis as a run does. */
static lmb_status start(lmb_simulation *s, int analysis)
{
    lmb_state *initial;
    lmb_status status = lmb_run_initial(s->context, s->arena, s->model, analysis, &initial);
    if (status)
        return status;
    initial->choice.workers = s->workers;
    status = s->analysis->kind->start(&s->course, s->context, initial, s->analysis);
    lmb_state_free(initial);
    if (status)
        return status;
    s->solver = s->course.dynamics ? s->course.dynamics->solver : s->course.kinematics->solver;
    s->solver->state->placed = false; /* whatever comes does not begin as the model places it */
    return LMB_OK;
}

static lmb_status make_room(lmb_simulation *s)
{
    lmb_state *x = s->solver->state;
    lmb_status status =
        lmb_channels_new(&s->channels, s->context, s->model, s->analysis->kind->known);
    if (status)
        return status;
    lmb_channels_share(s->channels, s->workers);
    s->numbers = lmb_arena_numbers(s->arena, x->number_count);
    s->flags = lmb_arena_alloc(s->arena, x->flag_count + 1, sizeof *s->flags);
    size_t forces = (size_t)s->model->force_count + 1, laws = (size_t)s->model->law_count + 1;
    x->inputs = s->inputs = lmb_arena_alloc(s->arena, forces, sizeof *s->inputs);
    s->kept_inputs = lmb_arena_alloc(s->arena, forces, sizeof *s->inputs);
    x->given = s->given = lmb_arena_alloc(s->arena, laws, sizeof *s->given);
    s->kept_given = lmb_arena_alloc(s->arena, laws, sizeof *s->given);
    status = lmb_check_memory(s->context, s->arena);
    return status ? status : lmb_simulation_keep_start(s);
}

lmb_status lmb_simulation_new(lmb_simulation **out, lmb_context *context, const lmb_model *model,
                              const char *analysis)
{
    LMB_REQUIRE_OUT(context, out, model);
    int number = find_analysis(context, model, analysis);
    if (number < 0)
        return lmb_last_status(context);
    lmb_arena *arena;
    lmb_simulation *s = lmb_arena_object(&arena, sizeof *s);
    if (!s)
        return lmb_fail_memory(context);
    s->arena = arena;
    s->context = context;
    s->model = model;
    s->analysis = &model->analyses[number];
    s->workers = lmb_workers_new(s->analysis->threads);
    s->next = 1;
    atomic_init(&s->busy, false);
    atomic_init(&s->refused, false);
    atomic_init(&s->hooked, false);
    lmb_status status = start(s, number);
    if (!status)
        status = make_room(s);
    if (status)
        lmb_simulation_free(s);
    else
        *out = s;
    return status;
}

void lmb_simulation_free(lmb_simulation *s)
{
    if (!s)
        return;
    lmb_channels_free(s->channels);
    lmb_course_free(&s->course);
    lmb_workers_free(s->workers);
    lmb_arena_free(s->arena);
}
