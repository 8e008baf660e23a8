/* Gradients by differences: the analysis is repeated with each neighbour of each parameter. */
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/memory.h"
#include "run/run.h"
#include "study/gradient_internal.h"

/* --- what all methods share ------------------------------------------------------------------- */

lmb_status lmb_task_channels(const lmb_gradient_task *k, const lmb_model *m, lmb_channels **out)
{
    unsigned known = m->analyses[k->analysis].kind->known;
    lmb_status status = lmb_channels_new(out, k->context, m, known);
    for (int i = 0; i < k->count && !status; i++)
        status = lmb_channels_add_objective(*out, k->context, &m->objectives[k->objectives[i]]);
    return status;
}

lmb_status lmb_task_initial(const lmb_gradient_task *k, const lmb_model *m, lmb_state **state,
                            lmb_arena **arena)
{
    *state = NULL;
    *arena = lmb_arena_new();
    return *arena ? lmb_run_initial(k->context, *arena, m, k->analysis, state)
                  : lmb_fail_memory(k->context);
}

lmb_status lmb_task_fail_neighbour(const lmb_gradient_task *k, lmb_context *context,
                                   lmb_status status, const char *parameter)
{
    size_t count = lmb_message_count(context);
    const char *text = count > 0 ? lmb_message_at(context, count - 1)->text : "";
    const char *named = strstr(text, parameter);
    if (strcmp(text, "interrupted") == 0 ||
        (named && named > text && named[-1] == '\'' && named[strlen(parameter)] == '\''))
        return status;
    lmb_fail(context, status, "analysis '%s' fails at a neighbouring value of parameter '%s'",
             k->model->analyses[k->analysis].name, parameter);
    return lmb_hint(context, "leave '%s' out with --by", parameter);
}

static lmb_series_view view_of(const lmb_gradient_task *k, const lmb_point_series *s, int i)
{
    bool modes = k->model->analyses[k->analysis].kind->known & LMB_KNOWN_MODES;
    return (lmb_series_view){s->count, s->t, s->values + i, s->width, modes};
}

lmb_status lmb_task_not_finite(const lmb_gradient_task *k, int i, const char *by, double at)
{
    const lmb_objective *o = &k->model->objectives[k->objectives[i]];
    const char *over = k->model->analyses[k->analysis].kind->over;
    lmb_fail(k->context, LMB_SOLVER, "%s objective '%s'%s%s%s is not a finite number at %s = %.9g",
             by ? "the derivative of" : "the value of", o->name, by ? " by '" : "", by ? by : "",
             by ? "'" : "", over ? over : "t", at);
    return lmb_hint(k->context, "begin later with 'from', or smooth the expression there: "
                                "sqrt(x^2 + e^2) for a root, which has no slope at 0");
}

/* The first instant whose value makes a functional infinite, or no number. */
static double find_not_finite(const lmb_series_view *s, const double *weights)
{
    int i = 0;
    for (int spoiled = 0; spoiled < 2; spoiled++) /* a value that is no number spoils all weights */
        for (int k = 0; k < s->count; k++)
            if (!isfinite(s->values[(size_t)k * (size_t)s->stride]) && (spoiled || weights[k] != 0))
                return s->t[k];
    while (i + 1 < s->count &&
           (weights[i] == 0 || isfinite(weights[i] * s->values[(size_t)i * (size_t)s->stride])))
        i++;
    return s->t[i];
}

static void report_functional(lmb_context *context, const lmb_objective *o, int points,
                              const lmb_series_view *view, double value,
                              const lmb_functional_report *report)
{
    if (report->impossible && view->discrete && o->kind == LMB_OBJECTIVE_AT)
        lmb_fail_at(context, o->place, "objective '%s': there is no mode number %g, but %d modes",
                    o->name, o->at, points);
    else if (report->impossible && isnan(report->at))
        lmb_fail_at(context, o->place, "objective '%s': the analysis has nothing in that span",
                    o->name);
    else if (report->impossible)
        lmb_fail_at(context, o->place, "objective '%s': a p-norm needs values >= 0 (got %g at %g)",
                    o->name, report->second, report->at);
    if (fabs(report->second - value) <= 1e-4 * fabs(value)) {
        lmb_warn_at(context, o->place,
                    "objective '%s' has two extremes of nearly the same size: its gradient is that "
                    "of one of them",
                    o->name);
        lmb_hint(context, "smooth it: 'smooth: ks' with a 'sharpness'");
    }
}

lmb_status lmb_task_functionals(const lmb_gradient_task *k, const lmb_model *m,
                                const lmb_point_series *s, double *values, double *weights)
{
    double *room = weights ? NULL : lmb_malloc(((size_t)s->count + 1) * sizeof *room);
    if (!weights && !room)
        return lmb_fail_memory(k->context);
    lmb_status status = LMB_OK;
    for (int i = 0; i < k->count; i++) {
        const lmb_objective *o = &m->objectives[k->objectives[i]];
        lmb_functional_report report;
        lmb_series_view view = view_of(k, s, i);
        double *own = weights ? weights + (size_t)i * (size_t)s->count : room;
        values[i] = lmb_functional(o, view, own, &report);
        report_functional(k->context, o, s->count, &view, values[i], &report);
        if (report.impossible)
            status = LMB_BAD_INPUT;
        else if (!isfinite(values[i]))
            status = lmb_task_not_finite(k, i, k->by, find_not_finite(&view, own));
    }
    free(room);
    return status;
}

/* Whether a parameter leaves the instants and the sharpness of an objective as they are. */
static bool keeps_span(const lmb_objective *o, const lmb_neighbours *n, int number)
{
    for (int j = 0; j < LMB_NEIGHBOURS; j++) {
        const lmb_objective *b = &n->models[j]->objectives[number];
        double a[] = {o->from, o->to, o->at, o->sharpness},
               c[] = {b->from, b->to, b->at, b->sharpness};
        for (int i = 0; i < 4; i++)
            if (a[i] != c[i] && !(isnan(a[i]) && isnan(c[i])))
                return false;
    }
    return true;
}

lmb_status lmb_task_add_spans(const lmb_gradient_task *k, const lmb_point_series *s)
{
    double *room = lmb_malloc(((size_t)s->count + 1) * sizeof *room);
    for (int i = 0; i < k->count && room; i++)
        for (int p = 0; p < k->parameter_count; p++) {
            const lmb_neighbours *n = &k->parameters[p];
            double four[LMB_NEIGHBOURS];
            lmb_functional_report report;
            if (keeps_span(&k->model->objectives[k->objectives[i]], n, k->objectives[i]))
                continue;
            for (int j = 0; j < LMB_NEIGHBOURS; j++)
                four[j] = lmb_functional(&n->models[j]->objectives[k->objectives[i]],
                                         view_of(k, s, i), room, &report);
            k->derivatives[i * k->parameter_count + p] += lmb_neighbours_slope(n, four);
        }
    free(room);
    return room ? LMB_OK : lmb_fail_memory(k->context);
}

bool lmb_objective_needs_work(const lmb_model *m, const lmb_objective *o)
{
    bool needs = strstr(o->text, "energy.") != NULL;
    for (int i = 0; i < m->sensor_count; i++) /* which it may name */
        needs |= strstr(m->sensors[i].text, "energy.") != NULL;
    return needs;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Takes the expressions of the objectives at each point. */
typedef struct sampling {
    const lmb_gradient_task *task;
    lmb_channels *channels;
    lmb_point_series series;
} sampling;

static lmb_status take(void *user, const lmb_state *state, double at, const double *more)
{
    sampling *s = user;
    if (more)
        lmb_channels_more(s->channels, more);
    const double *values = lmb_channels_objectives(s->channels, state);
    double *out = lmb_point_series_add(&s->series, at);
    if (!out)
        return lmb_fail_memory(s->task->context);
    for (int i = 0; i < s->task->count; i++)
        out[i] = values[i];
    return LMB_OK;
}

/* The values of the objectives of one model, with steps that are recorded or held; and the series
 * that they are made of (NULL: not wanted). */
static lmb_status run(const lmb_gradient_task *k, const lmb_model *m, lmb_step_list *record,
                      const lmb_step_list *held, double *values, lmb_point_series *series)
{
    sampling s = {.task = k, .series = {.width = k->count}};
    lmb_point_taker taker = {.user = &s,
                             .take = take,
                             .record = record,
                             .held = held,
                             .points = k->points,
                             .workless = true};
    for (int i = 0; i < k->count; i++)
        taker.workless &= !lmb_objective_needs_work(m, &m->objectives[k->objectives[i]]);
    lmb_state *initial;
    lmb_arena *arena;
    lmb_status status = lmb_task_initial(k, m, &initial, &arena);
    if (!status && !(status = lmb_task_channels(k, m, &s.channels)))
        status = lmb_points_run(k->context, initial, &m->analyses[k->analysis], &taker);
    if (!status)
        status = lmb_task_functionals(k, m, &s.series, values, NULL);
    lmb_channels_free(s.channels);
    lmb_state_free(initial);
    lmb_arena_free(arena);
    if (!status && series)
        *series = s.series;
    else
        lmb_point_series_free(&s.series);
    return status;
}

/* Puts a series into column number `at` of the history, which has one for the values and one for
 * each parameter, as values (of the first) or as slopes of four neighbours. Neighbours that have
 * other points, by events, leave no history. */
static lmb_status add_history(const lmb_gradient_task *k, const lmb_point_series *near, int at,
                              const lmb_neighbours *of)
{
    lmb_point_series *h = k->history;
    size_t count = (size_t)k->count;
    for (int n = 0; n < near->count && at == 0; n++) {
        double *out = lmb_point_series_add(h, near->t[n]);
        if (!out)
            return lmb_fail_memory(k->context);
        memset(out, 0, (size_t)h->width * sizeof *out);
        memcpy(out, near->values + (size_t)n * count, count * sizeof *out);
    }
    for (int i = 0; i < LMB_NEIGHBOURS && at > 0; i++)
        if (near[i].count != h->count) {
            lmb_point_series_free(h);
            return LMB_OK;
        }
    for (size_t n = 0; n < (size_t)h->count && at > 0; n++)
        for (size_t o = 0; o < count; o++) {
            double f[LMB_NEIGHBOURS];
            for (int i = 0; i < LMB_NEIGHBOURS; i++)
                f[i] = near[i].values[n * count + o];
            h->values[n * (size_t)h->width + (size_t)at * count + o] = lmb_neighbours_slope(of, f);
        }
    return LMB_OK;
}

static bool keeps_times(const lmb_gradient_task *k, int p)
{
    return lmb_neighbours_keep_times(&k->parameters[p], k->model, k->analysis);
}

/* The runs of all neighbours of all parameters. */
typedef struct repeating {
    const lmb_gradient_task *task;
    const lmb_step_list *steps; /* those of the model itself */
    double *near;               /* parameter_count x LMB_NEIGHBOURS x count: values */
    lmb_point_series *series;   /* parameter_count x LMB_NEIGHBOURS; NULL: not wanted */
} repeating;

/* Runs neighbour `part` % LMB_NEIGHBOURS of a parameter. */
static lmb_status run_neighbour(void *data, int part, lmb_context *context)
{
    const repeating *r = data;
    lmb_gradient_task own = *r->task;
    int p = part / LMB_NEIGHBOURS;
    bool held = r->steps->starts == 1 && keeps_times(r->task, p);
    own.context = context;
    own.by = own.parameters[p].name;
    lmb_status status =
        run(&own, own.parameters[p].models[part % LMB_NEIGHBOURS], NULL, held ? r->steps : NULL,
            r->near + (size_t)part * (size_t)own.count, r->series ? &r->series[part] : NULL);
    return status ? lmb_task_fail_neighbour(&own, context, status, own.by) : LMB_OK;
}

static void find_slopes(const repeating *r, int p)
{
    const lmb_gradient_task *k = r->task;
    size_t count = (size_t)k->count;
    const double *near = r->near + (size_t)p * LMB_NEIGHBOURS * count;
    for (size_t o = 0; o < count; o++) {
        double f[LMB_NEIGHBOURS];
        for (size_t i = 0; i < LMB_NEIGHBOURS; i++)
            f[i] = near[i * count + o];
        k->derivatives[o * (size_t)k->parameter_count + (size_t)p] =
            lmb_neighbours_slope(&k->parameters[p], f);
    }
}

lmb_status lmb_gradient_differences(const lmb_gradient_task *k)
{
    lmb_step_list steps = {0};
    lmb_point_series base = {0};
    size_t parts = (size_t)k->parameter_count * LMB_NEIGHBOURS;
    repeating r = {.task = k, .steps = &steps};
    r.near = lmb_malloc((parts * (size_t)k->count + 1) * sizeof *r.near);
    r.series = k->history ? lmb_calloc(parts + 1, sizeof *r.series) : NULL;
    bool room = r.near && (r.series || !k->history);
    lmb_status status =
        room ? run(k, k->model, &steps, NULL, k->values, &base) : lmb_fail_memory(k->context);
    size_t messages = lmb_message_count(k->context);
    if (!status && k->history) {
        k->history->width = k->count * (k->parameter_count + 1);
        status = add_history(k, &base, 0, NULL);
    }
    if (!status)
        status = lmb_crew_run(k->context, k->jobs, run_neighbour, &r, (int)parts);
    if (!status)
        lmb_messages_forget(k->context, messages); /* the neighbours say the same */
    for (int p = 0; p < k->parameter_count && !status; p++) {
        find_slopes(&r, p);
        if (k->history)
            status = add_history(k, r.series + p * LMB_NEIGHBOURS, p + 1, &k->parameters[p]);
    }
    for (size_t i = 0; r.series && i < parts; i++)
        lmb_point_series_free(&r.series[i]);
    lmb_point_series_free(&base);
    lmb_step_list_free(&steps);
    free(r.series);
    free(r.near);
    return status;
}
