/* Sweeps and tolerances. */
#include "study/sweep.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/text.h"
#include "study/sample.h"

enum { MOST_SAMPLES = 10000000 };

static const char *const samplings[] = {"grid", "list", "Latin hypercube", "Monte Carlo"};

/* A sweep under way. Rows of the file are written in the order of the samples. */
typedef struct sweeping {
    lmb_study_work work;
    lmb_swept *out;
    bool tolerance;       /* the first row is that of the means */
    pthread_mutex_t lock; /* of the list and of the file */
    const lmb_trial **list;
    int written;
} sweeping;

/* The values of row i of the file. */
static void row_values(void *user, int i, double *x)
{
    const sweeping *s = user;
    if (s->tolerance && i == 0)
        memcpy(x, s->out->means, (size_t)s->out->variable_count * sizeof *x);
    else
        lmb_sample(s->work.study, i - s->tolerance, x);
}

/* Writes all rows whose turn it is. */
static void keep(sweeping *s, int row, const lmb_trial *t)
{
    lmb_status status = LMB_OK;
    pthread_mutex_lock(&s->lock);
    s->list[row] = t;
    for (; s->written < s->out->count + s->tolerance && s->list[s->written] && !status;
         s->written++)
        if (s->written >= lmb_history_rows(s->work.history))
            status = lmb_history_write(s->work.history, s->list[s->written]);
    pthread_mutex_unlock(&s->lock);
    if (status)
        lmb_trials_stop(s->work.trials, status);
}

/* Write the known samples behind the first gap when a sweep stops: --resume finds them by their
 * values. Samples of an earlier file are known although this sweep did not reach them. */
static void keep_rest(sweeping *s)
{
    double x[LMB_MOST_VARIABLES];
    for (int i = lmb_history_rows(s->work.history); i < s->out->count + s->tolerance; i++) {
        row_values(s, i, x);
        const lmb_trial *t = lmb_trials_find(s->work.trials, x, s->tolerance && i == 0);
        if (t && lmb_history_write(s->work.history, t))
            return;
    }
}

static void run_sample(void *data, int part)
{
    sweeping *s = data;
    double x[LMB_MOST_VARIABLES];
    int row = part + s->tolerance;
    row_values(s, row, x);
    const lmb_trial *t = lmb_trials_run(s->work.trials, part, x, false);
    if (t)
        keep(s, row, t);
}

/* --- results ---------------------------------------------------------------------------------- */

static lmb_status make_room(sweeping *s)
{
    const lmb_study *y = s->work.study;
    lmb_swept *out = s->out;
    double count = lmb_sample_count(y);
    if (count > MOST_SAMPLES) {
        lmb_fail_at(s->work.context, y->place, "there are %.3g samples", count);
        return lmb_hint(s->work.context, "at most %d are run", MOST_SAMPLES);
    }
    out->count = (int)count;
    out->variable_count = y->variable_count;
    out->objective_count = y->objective_count;
    size_t n = (size_t)out->variable_count, m = (size_t)out->objective_count, rows = (size_t)count;
    out->variables = lmb_arena_alloc(out->arena, n, sizeof *out->variables);
    out->objectives = lmb_arena_alloc(out->arena, m, sizeof *out->objectives);
    out->x = lmb_arena_numbers(out->arena, rows * n);
    out->values = lmb_arena_numbers(out->arena, rows * m);
    out->failures = lmb_arena_alloc(out->arena, rows, sizeof *out->failures);
    out->means = lmb_arena_numbers(out->arena, n);
    out->deviations = lmb_arena_numbers(out->arena, n);
    out->nominal = lmb_arena_numbers(out->arena, m);
    out->slopes = lmb_arena_numbers(out->arena, m * n);
    out->budget = lmb_arena_numbers(out->arena, m);
    s->list = lmb_arena_alloc(out->arena, rows + 1, sizeof *s->list);
    if (!lmb_arena_fine(out->arena))
        return lmb_fail_memory(s->work.context);
    for (int i = 0; i < out->variable_count; i++) {
        const lmb_variable *v = &y->variables[i];
        out->variables[i] = lmb_text_copy(out->arena, v->name, strlen(v->name));
        if (v->kind > LMB_VARIABLE_CHOICES) {
            out->means[i] = lmb_variable_mean(v);
            out->deviations[i] = lmb_variable_deviation(v);
        }
    }
    for (int i = 0; i < out->objective_count; i++) {
        const char *name = s->work.model->objectives[y->objectives[i]].name;
        out->objectives[i] = lmb_text_copy(out->arena, name, strlen(name));
    }
    out->sampling = samplings[y->sampling];
    out->listed = y->sampling <= LMB_SAMPLE_LIST;
    return lmb_check_memory(s->work.context, out->arena);
}

/* Puts the trials into the table. */
static lmb_status take_trials(sweeping *s)
{
    lmb_swept *out = s->out;
    size_t n = (size_t)out->variable_count, m = (size_t)out->objective_count;
    for (int k = 0; k < out->count; k++) {
        const lmb_trial *t = s->list[k + s->tolerance];
        memcpy(out->x + (size_t)k * n, t->x, n * sizeof *t->x);
        memcpy(out->values + (size_t)k * m, t->values, m * sizeof *t->values);
        out->failure_count += t->failure != NULL;
        if (t->failure)
            out->failures[k] = lmb_text_copy(out->arena, t->failure, strlen(t->failure));
    }
    return lmb_check_memory(s->work.context, out->arena);
}

static lmb_status warn_failures(const sweeping *s)
{
    const lmb_swept *out = s->out;
    int first = 0;
    if (out->failure_count == 0)
        return LMB_OK;
    while (!out->failures[first])
        first++;
    if (out->failure_count == out->count)
        return lmb_fail(s->work.context, LMB_SOLVER, "all %d runs failed, the first: %s",
                        out->count, out->failures[first]);
    lmb_warn(s->work.context, "%d of %d runs failed, the first (number %d): %s", out->failure_count,
             out->count, first + 1, out->failures[first]);
    return LMB_OK;
}

static lmb_status run_samples(sweeping *s)
{
    lmb_trials_share(s->work.trials, run_sample, s, s->out->count);
    lmb_status status = lmb_trials_status(s->work.trials);
    if (!status)
        status = take_trials(s);
    if (!status)
        status = warn_failures(s);
    return status ? status : lmb_swept_statistics(s->out, s->work.context);
}

static lmb_status open_trials(sweeping *s, int slopes)
{
    const lmb_study *y = s->work.study;
    lmb_status status = make_room(s);
    if (status)
        return status;
    s->work.expected = row_values;
    s->work.user = s;
    const char *const *names = lmb_study_names(&s->work, y->objective_count, y->objectives);
    return lmb_study_open(&s->work, y->objective_count, names, slopes, NULL, s->out->count);
}

/* --- tolerances ------------------------------------------------------------------------------- */

/* The gradient at the means, and the budget that follows. */
static lmb_status find_budget(sweeping *s)
{
    lmb_swept *out = s->out;
    int n = out->variable_count;
    const lmb_trial *t = lmb_trials_run(s->work.trials, 0, out->means, true);
    if (!t)
        return lmb_trials_status(s->work.trials);
    if (t->failure)
        return lmb_fail(s->work.context, LMB_SOLVER,
                        "the model has no gradient at the means of its parameters: %s", t->failure);
    keep(s, 0, t);
    for (int i = 0; i < out->objective_count; i++) {
        out->nominal[i] = t->values[i];
        for (int k = 0; k < n; k++) {
            out->slopes[i * n + k] = t->derivatives[i * n + k];
            out->budget[i] = hypot(out->budget[i], t->derivatives[i * n + k] * out->deviations[k]);
        }
        if (out->budget[i] == 0)
            lmb_warn_at(s->work.context, s->work.study->place,
                        "objective '%s' does not depend on what is varied", out->objectives[i]);
    }
    return lmb_trials_status(s->work.trials);
}

/* --- all -------------------------------------------------------------------------------------- */

lmb_status lmb_sweep_study(lmb_swept **out, lmb_context *context, const lmb_spec *spec,
                           const lmb_study_options *options, lmb_study_kind kind,
                           lmb_study_finish *finish)
{
    lmb_arena *arena;
    lmb_swept *swept = lmb_arena_object(&arena, sizeof *swept);
    *out = NULL;
    if (!swept)
        return lmb_fail_memory(context);
    swept->arena = arena;
    sweeping s = {.out = swept, .tolerance = kind == LMB_STUDY_TOLERANCE};
    pthread_mutex_init(&s.lock, NULL);
    lmb_status status = lmb_study_begin(&s.work, context, arena, spec, kind, options);
    if (!status) {
        swept->name = lmb_text_copy(arena, s.work.study->name, strlen(s.work.study->name));
        status = open_trials(&s, s.tolerance ? s.work.study->variable_count : 0);
    }
    if (!status && s.tolerance)
        status = find_budget(&s);
    if (!status && swept->count > 0)
        status = run_samples(&s);
    if (!status)
        swept->run_count = lmb_trials_runs(s.work.trials);
    if (status && s.work.history)
        keep_rest(&s);
    status = lmb_study_end(&s.work, status, finish, swept);
    pthread_mutex_destroy(&s.lock);
    if (status)
        lmb_swept_free(swept);
    else
        *out = swept;
    return status;
}

void lmb_swept_free(lmb_swept *swept)
{
    if (swept)
        lmb_arena_free(swept->arena);
}
