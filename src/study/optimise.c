/* Optimisation: what is minimised over what, from where, and what came of it. */
#include "study/optimise.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "study/optimise_internal.h"
#include "study/sample.h"

enum { MOST_SEARCHES = 100000 };

static lmb_status memory_of(const lmb_optimising *o)
{
    return lmb_check_memory(o->work.context, o->out->arena);
}

/* --- what is asked for ------------------------------------------------------------------------ */

/* The place of an objective among those of the study, to which it is added. */
static int function_of(lmb_optimising *o, int objective)
{
    for (int i = 0; i < o->out->objective_count; i++)
        if (o->functions[i] == objective)
            return i;
    o->functions[o->out->objective_count] = objective;
    return o->out->objective_count++;
}

static void add_constraint(lmb_optimising *o, int function, double sign, double limit, bool equal)
{
    double scale = limit != 0 ? fabs(limit) : 1;
    o->constraints[o->inequality_count + o->equality_count] =
        (lmb_bounded){function, sign, limit, scale, equal};
    if (equal)
        o->equality_count++;
    else
        o->inequality_count++;
}

/* Objectives and limits; those that are equalities last. */
static lmb_status list_functions(lmb_optimising *o)
{
    const lmb_study *s = o->work.study;
    lmb_arena *arena = o->out->arena;
    size_t most = (size_t)(s->objective_count + s->limit_count);
    o->functions = lmb_arena_integers(arena, most);
    o->constraints = lmb_arena_alloc(arena, 2 * (size_t)s->limit_count + 1, sizeof *o->constraints);
    if (!lmb_arena_fine(arena))
        return memory_of(o);
    for (int i = 0; i < s->objective_count; i++)
        function_of(o, s->objectives[i]);
    for (int i = 0; i < s->limit_count; i++) {
        const lmb_limit *l = &s->limits[i];
        int function = function_of(o, l->objective);
        if (!isnan(l->at_most))
            add_constraint(o, function, 1, l->at_most, false);
        if (!isnan(l->at_least))
            add_constraint(o, function, -1, l->at_least, false);
    }
    for (int i = 0; i < s->limit_count; i++)
        if (!isnan(s->limits[i].equal))
            add_constraint(o, function_of(o, s->limits[i].objective), 1, s->limits[i].equal, true);
    return LMB_OK;
}

/* Bounds, and the design of the model within them. */
static lmb_status list_variables(lmb_optimising *o)
{
    const lmb_study *s = o->work.study;
    lmb_optimum *out = o->out;
    size_t n = (size_t)s->variable_count;
    out->variables = lmb_arena_alloc(out->arena, n, sizeof *out->variables);
    out->lower = lmb_arena_numbers(out->arena, n);
    out->upper = lmb_arena_numbers(out->arena, n);
    out->choice = lmb_arena_alloc(out->arena, n, sizeof *out->choice);
    out->x = lmb_arena_numbers(out->arena, n);
    o->continuous = lmb_arena_integers(out->arena, n);
    if (!lmb_arena_fine(out->arena))
        return memory_of(o);
    out->variable_count = s->variable_count;
    out->start = o->work.start;
    lmb_status status = LMB_OK;
    for (int i = 0; i < s->variable_count; i++) {
        const lmb_variable *v = &s->variables[i];
        out->variables[i] = lmb_text_copy(out->arena, v->name, strlen(v->name));
        out->choice[i] = v->kind == LMB_VARIABLE_CHOICES;
        out->lower[i] = out->upper[i] = v->numbers[0];
        for (int k = 1; k < (out->choice[i] ? v->count : 2); k++) {
            out->lower[i] = fmin(out->lower[i], v->numbers[k]);
            out->upper[i] = fmax(out->upper[i], v->numbers[k]);
        }
        if (out->choice[i])
            continue;
        o->continuous[o->continuous_count++] = i;
        double value = out->start[i];
        if (value >= out->lower[i] && value <= out->upper[i])
            continue;
        status =
            lmb_fail_at(o->work.context, v->place,
                        "the design begins with %s = %.9g, outside of its bounds %.9g and %.9g",
                        v->name, value, out->lower[i], out->upper[i]);
        lmb_hint(o->work.context, "begin elsewhere, '--set %s=%.9g', or widen the bounds", v->name,
                 fmin(fmax(value, out->lower[i]), out->upper[i]));
    }
    return status;
}

/* The method, and whether it can do what it is to do. */
static lmb_status choose_method(lmb_optimising *o)
{
    const lmb_study *s = o->work.study;
    o->method = s->method ? s->method : &lmb_minimise_methods[0];
    o->out->method = o->continuous_count ? o->method->name : "enumeration";
    if (!o->method->global || s->starts == 1)
        return LMB_OK;
    lmb_warn_at(o->work.context, s->place,
                "method %s looks at all of the box: 'starts' makes no difference", o->method->name);
    return LMB_OK;
}

/* --- the start -------------------------------------------------------------------------------- */

/* Whether an objective changes with a variable by more than rounding. */
static bool depends(const lmb_optimising *o, const lmb_trial *t, int objective, int k)
{
    const double rounding = 1e-10; /* of values, over differences of 1e-4 of a range */
    int i = o->continuous[k];
    double change =
        t->derivatives[objective * o->continuous_count + k] * (o->out->upper[i] - o->out->lower[i]);
    return !(fabs(change) <= rounding * fabs(t->values[objective]));
}

/* What does not depend on anything is a mistake, or in vain. */
static void warn_independent(const lmb_optimising *o, const lmb_trial *t)
{
    const lmb_study *s = o->work.study;
    const lmb_optimum *out = o->out;
    int n = o->continuous_count;
    if (!t->derivatives)
        return;
    for (int f = 0; f < out->objective_count; f++) {
        bool any = false;
        for (int k = 0; k < n; k++)
            any |= depends(o, t, f, k);
        if (!any)
            lmb_warn_at(o->work.context, s->place, "objective '%s' does not depend on the design",
                        out->objectives[f]);
    }
    for (int k = 0; k < n; k++) {
        bool any = false;
        for (int f = 0; f < out->objective_count; f++)
            any |= depends(o, t, f, k);
        if (!any)
            lmb_warn_at(o->work.context, s->variables[o->continuous[k]].place,
                        "where it begins, nothing that the study looks at depends on '%s'",
                        out->variables[o->continuous[k]]);
    }
}

/* Tries the design of the model: scales of objectives, and whether it can be run at all. */
static lmb_status try_start(lmb_optimising *o)
{
    lmb_optimum *out = o->out;
    lmb_context *context = o->work.context;
    size_t count = (size_t)out->objective_count;
    o->scales = lmb_arena_numbers(out->arena, count);
    out->start_values = lmb_arena_numbers(out->arena, count);
    out->values = lmb_arena_numbers(out->arena, count);
    out->objectives = lmb_arena_alloc(out->arena, count, sizeof *out->objectives);
    if (!lmb_arena_fine(out->arena))
        return memory_of(o);
    for (size_t i = 0; i < count; i++) {
        const char *name = o->work.request.objectives[i];
        out->objectives[i] = lmb_text_copy(out->arena, name, strlen(name));
    }
    bool gradient = o->method->derivatives && o->continuous_count > 0;
    const lmb_trial *t = lmb_trials_run(o->work.trials, 0, out->start, gradient);
    if (!t)
        return lmb_trials_status(o->work.trials);
    out->start_fails = t->failure != NULL;
    bool alone = o->work.study->starts == 1 && o->continuous_count == out->variable_count;
    if (t->failure && alone) {
        lmb_fail(context, LMB_SOLVER, "the model cannot be run with the design it begins with: %s",
                 t->failure);
        return lmb_hint(context,
                        "`limber gradient` shows more; begin elsewhere with --set, or with "
                        "several 'starts'");
    }
    if (t->failure)
        lmb_warn(context, "the model cannot be run with its own design: %s", t->failure);
    warn_independent(o, t);
    for (size_t i = 0; i < count; i++) {
        out->start_values[i] = t->values[i];
        o->scales[i] = !t->failure && t->values[i] != 0 ? fabs(t->values[i]) : 1;
    }
    for (int i = 0; i < o->inequality_count + o->equality_count; i++)
        if (o->constraints[i].limit == 0) /* nothing else tells how large it may be */
            o->constraints[i].scale = o->scales[o->constraints[i].function];
    return LMB_OK;
}

/* --- searches --------------------------------------------------------------------------------- */

/* How many combinations of choices there are. */
static double combinations(const lmb_study *s)
{
    double count = 1;
    for (int i = 0; i < s->variable_count; i++)
        count *= s->variables[i].kind == LMB_VARIABLE_CHOICES ? s->variables[i].count : 1;
    return count;
}

/* Where search number i begins: the starts of one combination after those of another. */
static void place_start(const lmb_optimising *o, int i, double *x)
{
    const lmb_study *s = o->work.study;
    const lmb_optimum *out = o->out;
    int start = i % s->starts, rest = i / s->starts;
    for (int k = 0; k < s->variable_count; k++) {
        const lmb_variable *v = &s->variables[k];
        x[k] = out->start[k];
        if (v->kind != LMB_VARIABLE_CHOICES)
            continue;
        x[k] = v->numbers[rest % v->count];
        rest /= v->count;
    }
    if (start == 0)
        return;
    double box[LMB_MOST_VARIABLES];
    int n = o->continuous_count;
    lmb_sample_box(s->seed, start - 1, s->starts - 1, n, box);
    for (int k = 0; k < n; k++) {
        int j = o->continuous[k];
        x[j] = out->lower[j] + box[k] * (out->upper[j] - out->lower[j]);
    }
}

static lmb_status make_searches(lmb_optimising *o)
{
    const lmb_study *s = o->work.study;
    lmb_optimum *out = o->out;
    double count = combinations(s) * s->starts;
    if (count > MOST_SEARCHES) {
        lmb_fail_at(o->work.context, s->place, "there are %.3g combinations of choices and starts",
                    count);
        return lmb_hint(o->work.context, "at most %d are tried; make lists shorter", MOST_SEARCHES);
    }
    out->search_count = (int)count;
    lmb_search *list = lmb_arena_alloc(out->arena, (size_t)count, sizeof *list);
    out->searches = lmb_arena_alloc(out->arena, (size_t)count, sizeof *out->searches);
    for (int i = 0; i < out->search_count && list && out->searches; i++) {
        list[i] = (lmb_search){.all = o, .number = i, .further = NAN, .end = &out->searches[i]};
        list[i].start = lmb_arena_numbers(out->arena, (size_t)s->variable_count);
        if (list[i].start)
            place_start(o, i, list[i].start);
    }
    if (!lmb_arena_fine(out->arena))
        return memory_of(o);
    lmb_searches_run(o, list, out->search_count);
    return lmb_trials_status(o->work.trials);
}

/* The best of the searches. */
static void choose_best(lmb_optimising *o)
{
    const double kept = 1e-8;
    lmb_optimum *out = o->out;
    double sign = out->maximise ? -1 : 1;
    out->best = -1;
    for (int i = 0; i < out->search_count; i++) {
        const lmb_search_end *e = &out->searches[i];
        const lmb_search_end *b = out->best >= 0 ? &out->searches[out->best] : NULL;
        bool first = !b || isnan(b->objective);
        bool feasible = e->violation <= kept, before = b && b->violation <= kept;
        bool better = feasible && before
                          ? sign * e->objective < sign * b->objective
                          : feasible || (!before && b && e->violation < b->violation);
        if (!isnan(e->objective) && (first || better))
            out->best = i;
    }
    if (out->best < 0)
        return;
    const lmb_search_end *e = &out->searches[out->best];
    memcpy(out->x, e->x, (size_t)out->variable_count * sizeof *out->x);
    memcpy(out->values, e->values, (size_t)out->objective_count * sizeof *out->values);
    out->violation = e->violation;
    out->feasible = e->violation <= kept;
}

/* --- results ---------------------------------------------------------------------------------- */

/* The trials as a table, and what failed. */
static lmb_status list_trials(lmb_optimising *o)
{
    lmb_optimum *out = o->out;
    const lmb_trials *trials = o->work.trials;
    size_t width = 1 + (size_t)out->objective_count + (size_t)out->variable_count;
    out->trial_count = lmb_trials_count(trials);
    out->run_count = lmb_trials_runs(trials);
    out->gradient_count = lmb_trials_gradients(trials);
    out->trial_values = lmb_arena_numbers(out->arena, (size_t)out->trial_count * width);
    if (!out->trial_values)
        return memory_of(o);
    for (int i = 0; i < out->trial_count; i++) {
        const lmb_trial *t = lmb_trials_at(trials, i);
        double *row = out->trial_values + (size_t)i * width;
        *row++ = t->search;
        for (int k = 0; k < out->objective_count; k++)
            *row++ = t->values[k];
        for (int k = 0; k < out->variable_count; k++)
            *row++ = t->x[k];
        out->failure_count += t->failure != NULL;
        if (t->failure)
            out->last_failure = lmb_text_copy(out->arena, t->failure, strlen(t->failure));
    }
    return memory_of(o);
}

/* What the user should know of how it ended. */
static void warn_end(const lmb_optimising *o)
{
    const lmb_optimum *out = o->out;
    lmb_context *c = o->work.context;
    lmb_place place = o->work.study->place;
    if (out->best < 0)
        return;
    if (!out->feasible) {
        lmb_warn_at(c, place,
                    "no design was found that keeps to all limits: the nearest violates "
                    "one by %.3g of it",
                    out->violation);
        lmb_hint(c, "widen limits or bounds, or begin elsewhere with several 'starts'");
    } else if (out->searches[out->best].end == LMB_MINIMISE_LIMIT && !o->method->global) {
        lmb_warn_at(c, place, "the search ended after %d trials, before it had converged",
                    out->searches[out->best].trials);
        lmb_hint(c, "allow more 'evaluations'; --resume goes on from here");
    } else if (out->optimality > 1e-2 && !o->method->global) {
        lmb_warn_at(c, place,
                    "the search ended at a point that is not quite an optimum: %.2g of the "
                    "gradient is left",
                    out->optimality);
        lmb_hint(c, "try another 'method', or several 'starts'");
    }
}

static lmb_status find(lmb_optimising *o)
{
    const lmb_study *s = o->work.study;
    lmb_status status = list_variables(o);
    if (status || (status = list_functions(o)) || (status = choose_method(o)))
        return status;
    double total = o->continuous_count ? 0 : s->starts * combinations(s);
    const char *const *names = lmb_study_names(&o->work, o->out->objective_count, o->functions);
    status = lmb_study_open(&o->work, o->out->objective_count, names, o->continuous_count,
                            o->continuous, total);
    if (status || (status = try_start(o)))
        return status;
    status = s->objective_count == 2 ? lmb_tradeoff_find(o) : make_searches(o);
    if (!status && s->objective_count == 1)
        choose_best(o);
    if (!status && o->out->best < 0) {
        lmb_trials *trials = o->work.trials;
        const lmb_trial *last = lmb_trials_at(trials, lmb_trials_count(trials) - 1);
        return lmb_fail(o->work.context, LMB_SOLVER,
                        "the model could not be run with any design: %s",
                        last->failure ? last->failure : "no reason is known");
    }
    if (!status)
        status = lmb_optimum_multipliers(o);
    if (!status)
        status = list_trials(o);
    if (status)
        return status;
    warn_end(o);
    if (!o->out->start_fails)
        status = lmb_study_keep_run(&o->work, "before", NULL);
    return status ? status : lmb_study_keep_run(&o->work, "after", o->out->x);
}

lmb_status lmb_optimise_study(lmb_optimum **out, lmb_context *context, const lmb_spec *spec,
                              const lmb_study_options *options, lmb_study_finish *finish)
{
    lmb_arena *arena;
    lmb_optimum *optimum = lmb_arena_object(&arena, sizeof *optimum);
    *out = NULL;
    if (!optimum)
        return lmb_fail_memory(context);
    optimum->arena = arena;
    optimum->optimality = NAN;
    lmb_optimising o = {.out = optimum};
    lmb_status status = lmb_study_begin(&o.work, context, arena, spec, LMB_STUDY_OPTIMISE, options);
    if (!status) {
        const lmb_study *s = o.work.study;
        optimum->name = lmb_text_copy(arena, s->name, strlen(s->name));
        optimum->title = lmb_text_copy(arena, o.work.model->title, strlen(o.work.model->title));
        optimum->maximise = s->maximise;
        status = find(&o);
    }
    status = lmb_study_end(&o.work, status, finish, optimum);
    if (status)
        lmb_optimum_free(optimum);
    else
        *out = optimum;
    return status;
}

void lmb_optimum_free(lmb_optimum *optimum)
{
    if (optimum)
        lmb_arena_free(optimum->arena);
}
