/* The breaks of all laws of a model: adaptive steps end there, equal steps may miss pulses. */
#include "analysis/dynamics.h"

/* Warn once of a pulse that is shorter than the equal steps. Does nothing if `a` is NULL. */
static void warn_hidden(lmb_context *context, const lmb_analysis *a, const lmb_breaks *b,
                        const char *kind, const char *name, bool *warned)
{
    if (!a || isnan(b->hidden) || *warned)
        return;
    *warned = true;
    lmb_warn_at(context, a->place,
                "analysis '%s': the law of %s '%s' has a pulse near t = %.6g that is shorter than "
                "the step of %.3g s",
                a->name, kind, name, b->hidden, b->step);
    lmb_hint(context, "take shorter steps, or 'integrator: rk45', whose steps end at pulses");
}

/* Add the breaks of all laws, or without an analysis of the laws of active forces and drivers.
 *
 * Driven bodies jump to another speed at a kink of the law. A force with a kink needs no restart:
 * a step ends just behind it. */
static bool add_laws(lmb_breaks *b, const lmb_state *s, lmb_context *context, const lmb_analysis *a)
{
    const lmb_model *m = s->model;
    bool fine = true, warned = false;
    for (int i = 0; i < m->force_count && fine; i++) {
        int first = b->count;
        if (!m->forces[i].law || (!a && s->force_off[i]))
            continue;
        fine = lmb_breaks_add(b, m->forces[i].law, s->records);
        for (int k = first; k < b->count; k++)
            if (!b->list[k].jump)
                b->list[k].before = b->list[k].after;
        if (!s->force_off[i])
            warn_hidden(context, a, b, "force", m->forces[i].name, &warned);
    }
    for (int i = 0; i < m->driver_count && fine; i++) {
        const lmb_driver *d = &m->drivers[i];
        if (!a && s->row_off[d->row])
            continue;
        fine = lmb_breaks_add(b, m->laws[d->law].expression, s->records);
        if (!s->row_off[d->row])
            warn_hidden(context, a, b, "driver", d->name, &warned);
    }
    return fine;
}

static bool is_adaptive(const lmb_integration *x)
{
    return x->integrator->controlled || (x->integrator->may_control && x->tolerance > 0);
}

/* Give the breaks to an adaptive motion. */
static void take_breaks(lmb_motion *m, lmb_breaks *b)
{
    lmb_breaks_sort(b);
    m->breaks = b->list;
    m->break_count = b->count;
}

lmb_status lmb_find_breaks(lmb_motion *m, const lmb_analysis *a)
{
    const lmb_integration *x = &m->options;
    lmb_solver *s = m->solver;
    bool adaptive = is_adaptive(x);
    lmb_breaks b = {.arena = s->arena,
                    .start = a->start,
                    .end = a->start + a->duration,
                    .step = adaptive ? 0 : fmin(x->step, a->output_step),
                    .hidden = NAN};
    if (!add_laws(&b, s->state, s->context, a))
        return lmb_fail_memory(s->context);
    if (adaptive)
        take_breaks(m, &b);
    return LMB_OK;
}

lmb_status lmb_find_breaks_between(lmb_motion *m, double start, double end)
{
    lmb_solver *s = m->solver;
    lmb_breaks b = {.arena = s->arena, .start = start, .end = end, .hidden = NAN};
    if (!is_adaptive(&m->options))
        return LMB_OK;
    if (!add_laws(&b, s->state, s->context, NULL))
        return lmb_fail_memory(s->context);
    take_breaks(m, &b);
    return LMB_OK;
}

bool lmb_laws_break(const lmb_state *s, double start, double end)
{
    lmb_breaks b = {.arena = lmb_arena_new(), .start = start, .end = end, .hidden = NAN};
    bool found = b.arena && add_laws(&b, s, NULL, NULL) && b.count > 0;
    lmb_arena_free(b.arena);
    return found;
}
