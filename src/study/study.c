/* What all studies share. */
#include "study/study.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "limber/analysis.h"
#include "model/fields.h"
#include "read/reader.h"
#include "study/sample.h"

const lmb_study *lmb_study_find(lmb_context *context, const lmb_model *m, lmb_study_kind kind,
                                const char *name)
{
    const char *word = lmb_study_types[kind].name;
    const lmb_study *only = NULL;
    int count = 0;
    char names[200] = "";
    lmb_nearest nearest = lmb_nearest_start(name ? name : "");
    for (int i = 0; i < m->study_count; i++) {
        const lmb_study *s = &m->studies[i];
        bool named = name && strcmp(s->name, name) == 0;
        if (named && s->kind != kind) {
            lmb_fail(context, LMB_USAGE, "study '%s' is of type %s", name,
                     lmb_study_types[s->kind].name);
            lmb_hint(context, "limber %s ... --study %s", lmb_study_types[s->kind].name, name);
            return NULL;
        }
        if (named)
            return s;
        if (s->kind != kind)
            continue;
        only = s;
        lmb_text_append(names, sizeof names, "%s%s", count++ ? ", " : "", s->name);
        lmb_nearest_try(&nearest, s->name);
    }
    if (count == 1 && !name)
        return only;
    if (count == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "%s has no study of type %s", m->file, word);
        lmb_hint(context,
                 "add a section 'studies: {NAME: {type: %s, ...}}'; `limber help "
                 "--reference` lists its keys",
                 word);
    } else if (name) {
        lmb_fail(context, LMB_USAGE, "there is no study '%s'", name);
        lmb_nearest_hint(context, &nearest);
    } else {
        lmb_fail(context, LMB_USAGE, "%s has %d studies of type %s", m->file, count, word);
        lmb_hint(context, "choose one with --study: %s", names);
    }
    return NULL;
}

/* The value of each variable in the model, which must be one that may be varied. */
static lmb_status find_start(lmb_study_work *w)
{
    const lmb_study *s = w->study;
    lmb_status status = LMB_OK;
    w->start = lmb_arena_numbers(w->arena, (size_t)s->variable_count);
    if (!w->start)
        return lmb_fail_memory(w->context);
    for (int i = 0; i < s->variable_count; i++) {
        const lmb_variable *v = &s->variables[i];
        size_t messages = lmb_message_count(w->context);
        if (!lmb_parameter_find(w->context, w->spec, w->model, v->name, &w->start[i]))
            continue;
        const lmb_message *m = lmb_message_at(w->context, messages);
        const char *text = lmb_text_copy(w->arena, m->text, strlen(m->text));
        const char *hint = lmb_text_copy(w->arena, m->hint, strlen(m->hint));
        lmb_messages_forget(w->context, messages);
        status = lmb_fail_at(w->context, v->place, "%s", text);
        if (hint && hint[0])
            lmb_hint(w->context, "%s", hint);
    }
    return status;
}

static lmb_status check_options(lmb_context *context, const lmb_study_options *options)
{
    if (options->jobs < 0)
        return lmb_fail(context, LMB_USAGE, "jobs are threads, from 1 on, not %d", options->jobs);
    if (!options->resume || options->path)
        return LMB_OK;
    lmb_fail(context, LMB_USAGE, "a study that is not kept in a file cannot be resumed");
    return lmb_hint(context, "name the file that it was kept in");
}

lmb_status lmb_study_begin(lmb_study_work *w, lmb_context *context, lmb_arena *arena,
                           const lmb_spec *spec, lmb_study_kind kind,
                           const lmb_study_options *options)
{
    *w = (lmb_study_work){.context = context, .arena = arena, .spec = spec, .options = options};
    lmb_status status = check_options(context, options);
    if (!status && !options->model)
        status = lmb_model_compile(&w->own, context, spec);
    if (status)
        return status;
    w->model = options->model ? options->model : w->own;
    w->study = lmb_study_find(context, w->model, kind, options->name);
    if (!w->study)
        return lmb_last_status(context);
    if (w->study->variable_count > LMB_MOST_VARIABLES || w->study->limit_count > LMB_MOST_LIMITS)
        return lmb_fail_at(context, w->study->place,
                           "a study has at most %d variables and %d limits", LMB_MOST_VARIABLES,
                           LMB_MOST_LIMITS);
    return find_start(w);
}

const char *const *lmb_study_names(lmb_study_work *w, int count, const int *objectives)
{
    const char **names = lmb_arena_alloc(w->arena, (size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++)
        names[i] = w->model->objectives[objectives[i]].name;
    return names;
}

/* How large a variable is, where its value does not tell. */
static double size_of(const lmb_variable *v)
{
    const double part = 0.1;
    if (v->kind == LMB_VARIABLE_RANGE)
        return part * (v->numbers[1] - v->numbers[0]);
    return v->kind > LMB_VARIABLE_CHOICES ? lmb_variable_deviation(v) : 0;
}

lmb_status lmb_study_open(lmb_study_work *w, int objective_count, const char *const *objectives,
                          int slope_count, const int *slopes, double total)
{
    const lmb_study *s = w->study;
    size_t n = (size_t)s->variable_count;
    const char **variables = lmb_arena_alloc(w->arena, n + 1, sizeof *variables);
    const char **by = lmb_arena_alloc(w->arena, (size_t)slope_count + 1, sizeof *by);
    double *sizes = lmb_arena_numbers(w->arena, (size_t)slope_count + 1);
    if (!variables || !by || !objectives || !sizes)
        return lmb_fail_memory(w->context);
    for (int i = 0; i < s->variable_count; i++)
        variables[i] = s->variables[i].name;
    for (int i = 0; i < slope_count; i++) {
        int at = slopes ? slopes[i] : i;
        by[i] = variables[at];
        sizes[i] = size_of(&s->variables[at]);
    }
    w->request = (lmb_trials_request){.what = s->name,
                                      .variable_count = s->variable_count,
                                      .variables = variables,
                                      .slope_count = slope_count,
                                      .slopes = by,
                                      .sizes = sizes,
                                      .method = (lmb_gradient_method)s->gradients,
                                      .objective_count = objective_count,
                                      .objectives = objectives,
                                      .jobs = w->options->jobs,
                                      .total = total};
    w->kept = (lmb_history_request){.model = w->model,
                                    .study = s,
                                    .trials = &w->request,
                                    .path = w->options->path,
                                    .resume = w->options->resume,
                                    .expected = w->expected,
                                    .user = w->user};
    lmb_status status = lmb_trials_new(&w->trials, w->context, w->spec, w->model, &w->request);
    if (!status && w->options->path)
        status = lmb_history_open(&w->history, w->context, w->trials, &w->kept);
    return status;
}

/* The model with other values of the variables. */
static lmb_status compile_at(lmb_study_work *w, const double *x, lmb_model **out)
{
    lmb_spec *spec;
    lmb_status status = lmb_spec_copy(&spec, w->context, w->spec);
    if (status)
        return status;
    for (int i = 0; i < w->study->variable_count && !status; i++)
        status = lmb_spec_set_number(spec, w->context, w->study->variables[i].name, x[i]);
    spec->like = w->model;
    if (!status)
        status = lmb_model_compile(out, w->context, spec);
    lmb_spec_free(spec);
    return status;
}

lmb_status lmb_study_keep_run(lmb_study_work *w, const char *name, const double *x)
{
    lmb_result *run = NULL;
    if (!w->history || w->options->unshown || w->model->analysis_count == 0)
        return LMB_OK;
    lmb_model *model = NULL;
    lmb_status status = x ? compile_at(w, x, &model) : LMB_OK;
    size_t messages = lmb_message_count(w->context);
    if (!status && !(status = lmb_run_to_memory(&run, w->context, x ? model : w->model, NULL))) {
        lmb_messages_forget(w->context, messages); /* warnings of runs are known */
        status = lmb_history_embed(w->history, name, run);
    }
    lmb_result_close(run);
    lmb_model_free(model);
    return status;
}

lmb_status lmb_study_end(lmb_study_work *w, lmb_status status, lmb_study_finish *finish,
                         const void *results)
{
    if (!status && finish)
        status = finish(w->context, results, w->history);
    lmb_status closed = lmb_history_close(w->history, !status);
    lmb_trials_free(w->trials);
    lmb_model_free(w->own);
    w->own = NULL;
    w->history = NULL;
    w->trials = NULL;
    w->model = NULL;
    return status ? status : closed;
}
