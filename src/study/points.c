/* Runs of one analysis in memory, point by point. */
#include "study/points.h"

#include <stdlib.h>

#include "base/memory.h"
#include "analysis/mobility.h"
#include "integrate/alpha.h"

/* --- lists ------------------------------------------------------------------------------------ */

static bool add_step(lmb_step_list *list, double h)
{
    if (list->count == list->room) {
        int room = 2 * list->room + 64;
        double *more = lmb_realloc(list->h, (size_t)room * sizeof *more);
        if (!more)
            return false;
        list->h = more;
        list->room = room;
    }
    list->h[list->count++] = h;
    return true;
}

void lmb_step_list_free(lmb_step_list *list)
{
    free(list->h);
    *list = (lmb_step_list){0};
}

double *lmb_point_series_add(lmb_point_series *s, double t)
{
    if (s->count == s->room) {
        int room = 2 * s->room + 64;
        double *times = lmb_realloc(s->t, (size_t)room * sizeof *times);
        s->t = times ? times : s->t;
        double *values =
            times ? lmb_realloc(s->values, (size_t)room * (size_t)s->width * sizeof *values) : NULL;
        if (!values)
            return NULL;
        s->values = values;
        s->room = room;
    }
    s->t[s->count] = t;
    return s->values + (size_t)s->count++ * (size_t)s->width;
}

void lmb_point_series_free(lmb_point_series *s)
{
    free(s->t);
    free(s->values);
    *s = (lmb_point_series){.width = s->width};
}

/* --- runs ------------------------------------------------------------------------------------- */

bool lmb_points_are_steps(const lmb_integration *o)
{
    return o->integrator->followed;
}

/* Follows the steps of a motion. */
typedef struct following {
    const lmb_point_taker *taker;
    const lmb_analysis *analysis;
    lmb_context *context;
    lmb_status status; /* what went wrong on the way */
} following;

static void follow_start(void *user, lmb_motion *m, double h)
{
    following *f = user;
    if (f->taker->record && (++f->taker->record->starts, !add_step(f->taker->record, h)))
        f->status = lmb_fail_memory(f->context);
    if (!f->status && f->taker->start)
        f->status = f->taker->start(f->taker->user, m, h);
}

/* Whether the end of a step is one of the points that are asked for. */
static bool is_point(const following *f, double t)
{
    double x = f->taker->points * (t - f->analysis->start) / f->analysis->output_step;
    return !f->taker->points || fabs(x - round(x)) < 1e-6;
}

static void follow_step(void *user, lmb_motion *m, double h)
{
    following *f = user;
    lmb_state *s = m->solver->state;
    if (f->status)
        return;
    lmb_update_position(s); /* steps leave that undone */
    lmb_update_velocity(s);
    if (f->taker->record && !add_step(f->taker->record, h))
        f->status = lmb_fail_memory(f->context);
    if (!f->status && f->taker->step)
        f->status = f->taker->step(f->taker->user, m, h);
    if (!f->status && is_point(f, s->t))
        f->status = f->taker->take(f->taker->user, s, s->t, NULL);
}

static lmb_status run_course(lmb_context *context, const lmb_state *initial, const lmb_analysis *a,
                             const lmb_point_taker *taker)
{
    lmb_course c = {0};
    following f = {taker, a, context, LMB_OK};
    lmb_step_follower follower = {&f, follow_start, follow_step};
    lmb_status status = a->kind->start(&c, context, initial, a);
    bool steps =
        !status && c.dynamics && !c.dynamics->events && lmb_points_are_steps(&a->integration);
    if (steps) {
        lmb_motion *m = c.dynamics->motion;
        m->follower = &follower;
        m->workless = taker->workless;
        m->given = taker->held ? taker->held->h : NULL;
        m->given_count = taker->held ? taker->held->count : 0;
    }
    if (!status)
        status = taker->take(taker->user, c.state, c.state->t, NULL);
    for (int i = 1; !status && i < lmb_instant_count(a) && !lmb_course_stopped(&c); i++) {
        double t = lmb_instant(a, i), before = c.state->t;
        status = lmb_course_advance(&c, t);
        status = status ? status : f.status;
        if (!status && !steps && c.state->t > before)
            status = taker->take(taker->user, c.state, c.state->t, NULL);
        if (!status)
            status = lmb_continue(context, a->name, (double)i / (lmb_instant_count(a) - 1));
    }
    lmb_course_free(&c);
    return status;
}

/* One position: assembled, or at rest, and the modes about it. */
static lmb_status run_position(lmb_context *context, const lmb_state *initial,
                               const lmb_analysis *a, const lmb_point_taker *taker)
{
    lmb_solver *s;
    lmb_rank rank;
    lmb_status status = lmb_solver_for(&s, context, initial);
    if (status)
        return status;
    lmb_state_copy(s->state, initial);
    lmb_set_time(s->state, initial->t);
    status = lmb_assemble(s);
    if (!status && a->kind->solve && !(status = lmb_find_rank(s, &rank)))
        status = a->kind->solve(s, a);
    if (!status)
        status = a->kind->rows ? a->kind->rows(s, a, taker->take, taker->user)
                               : taker->take(taker->user, s->state, s->state->t, NULL);
    lmb_solver_free(s);
    return status;
}

lmb_status lmb_points_run(lmb_context *context, const lmb_state *initial, const lmb_analysis *a,
                          const lmb_point_taker *taker)
{
    return a->kind->timeless ? run_position(context, initial, a, taker)
                             : run_course(context, initial, a, taker);
}
