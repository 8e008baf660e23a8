/* Trials of a study. */
#include "study/trials.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "read/reader.h"

/* What a thread works with: messages and parameters of its own. */
typedef struct bench {
    lmb_context *context;
    lmb_spec *spec;
    lmb_override *overrides; /* variable_count, in front of those of the user */
    char (*texts)[32];
    bool busy;
} bench;

struct lmb_trials {
    lmb_arena *arena;
    lmb_context *context;
    const lmb_model *base;
    lmb_trials_request request;
    lmb_workers *workers;
    bench *benches; /* one per thread */
    int bench_count;

    pthread_mutex_t lock; /* of all below, of the context and of the arena */
    lmb_trial **list;
    int count, runs, gradients;
    int *slots; /* slot_count, open addressing by x: numbers of trials, 0 for none */
    size_t slot_count;
    lmb_trial_taker *taker;
    void *user;
    lmb_status status;
    bool stopping;
    bool spoken; /* the warnings of a trial were passed on */
    bool shared; /* several threads make trials */
};

/* --- the list --------------------------------------------------------------------------------- */

static size_t hash_of(const lmb_trials *t, const double *x)
{
    size_t hash = 1469598103934665603u;
    const unsigned char *bytes = (const unsigned char *)x;
    for (size_t i = 0; i < (size_t)t->request.variable_count * sizeof *x; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static int *slot_of(const lmb_trials *t, const double *x)
{
    size_t bytes = (size_t)t->request.variable_count * sizeof *x;
    size_t at = hash_of(t, x) % t->slot_count;
    while (t->slots[at] && memcmp(t->list[t->slots[at] - 1]->x, x, bytes) != 0)
        at = (at + 1) % t->slot_count;
    return &t->slots[at];
}

/* Room for one more, with half of the slots free. */
static bool reserve(lmb_trials *t)
{
    lmb_trial **list = lmb_arena_append(t->arena, t->list, t->count, sizeof *list);
    if (!list)
        return false;
    t->list = list;
    if (2 * (size_t)(t->count + 1) < t->slot_count)
        return true;
    size_t count = t->slot_count ? 2 * t->slot_count : 1024;
    int *slots = lmb_arena_integers(t->arena, count);
    if (!slots)
        return false;
    t->slots = slots;
    t->slot_count = count;
    for (int i = 0; i < t->count; i++)
        *slot_of(t, t->list[i]->x) = i + 1;
    return true;
}

const lmb_trial *lmb_trials_find(const lmb_trials *t, const double *x, bool gradient)
{
    int number = t->slot_count ? *slot_of(t, x) : 0;
    const lmb_trial *found = number ? t->list[number - 1] : NULL;
    return found && (found->failure || found->derivatives || !gradient) ? found : NULL;
}

static double *copy(lmb_arena *arena, const double *x, int count)
{
    double *out = lmb_arena_numbers(arena, (size_t)count);
    if (out && x)
        memcpy(out, x, (size_t)count * sizeof *x);
    for (int i = 0; out && !x && i < count; i++)
        out[i] = NAN;
    return out;
}

lmb_trial *lmb_trials_add(lmb_trials *t, const double *x, const double *values,
                          const double *derivatives, const char *failure, int search)
{
    const lmb_trials_request *q = &t->request;
    lmb_trial *trial = reserve(t) ? lmb_arena_alloc(t->arena, 1, sizeof *trial) : NULL;
    if (!trial)
        return NULL;
    *trial = (lmb_trial){.search = search,
                         .x = copy(t->arena, x, q->variable_count),
                         .values = copy(t->arena, failure ? NULL : values, q->objective_count)};
    if (derivatives)
        trial->derivatives = copy(t->arena, derivatives, q->objective_count * q->slope_count);
    if (failure)
        trial->failure = lmb_text_copy(t->arena, failure, strlen(failure));
    if (!lmb_arena_fine(t->arena))
        return NULL;
    /* one that was known without its gradient makes room for that with it */
    t->list[t->count++] = trial;
    *slot_of(t, x) = trial->number = t->count;
    return trial;
}

/* --- threads ---------------------------------------------------------------------------------- */

/* The progress of a run, as asked for by the thread that runs it. */
static bool forward(void *user, const char *what, double fraction)
{
    lmb_trials *t = user;
    (void)what;
    (void)fraction;
    pthread_mutex_lock(&t->lock);
    char text[128];
    double done = t->request.total > 0 ? fmin(t->count / t->request.total, 1) : NAN;
    lmb_snprintf(text, sizeof text, isnan(done) ? "%s: %d runs" : "%s", t->request.what, t->count);
    if (!t->stopping && lmb_progress(t->context, text, done)) {
        t->stopping = true;
        t->status = lmb_fail(t->context, LMB_SOLVER, "interrupted");
    }
    bool stop = t->stopping;
    pthread_mutex_unlock(&t->lock);
    return stop;
}

static lmb_status make_bench(lmb_trials *t, const lmb_spec *spec, bench *b)
{
    const lmb_trials_request *q = &t->request;
    size_t n = (size_t)q->variable_count;
    b->context = lmb_context_new();
    b->overrides = lmb_arena_alloc(t->arena, n, sizeof *b->overrides);
    b->texts = lmb_arena_alloc(t->arena, n, sizeof *b->texts);
    if (!b->context || !b->overrides || !b->texts)
        return lmb_fail_memory(t->context);
    lmb_status status = lmb_spec_copy(&b->spec, t->context, spec);
    for (size_t i = 0; i < n && !status; i++) {
        b->overrides[i] = (lmb_override){q->variables[i], b->texts[i], b->spec->overrides};
        b->spec->overrides = &b->overrides[i];
    }
    lmb_context_on_progress(b->context, forward, t);
    return status;
}

lmb_status lmb_trials_new(lmb_trials **out, lmb_context *context, const lmb_spec *spec,
                          const lmb_model *base, const lmb_trials_request *request)
{
    lmb_arena *arena;
    lmb_trials *t = lmb_arena_object(&arena, sizeof *t);
    *out = NULL;
    if (!t)
        return lmb_fail_memory(context);
    t->arena = arena;
    t->context = context;
    t->base = base;
    t->request = *request;
    pthread_mutex_init(&t->lock, NULL);
    t->workers = lmb_workers_new(request->jobs);
    t->bench_count = lmb_workers_count(t->workers);
    t->benches = lmb_arena_alloc(arena, (size_t)t->bench_count, sizeof *t->benches);
    lmb_status status = t->benches ? LMB_OK : lmb_fail_memory(context);
    for (int i = 0; i < t->bench_count && !status; i++)
        status = make_bench(t, spec, &t->benches[i]);
    if (status)
        lmb_trials_free(t);
    else
        *out = t;
    return status;
}

void lmb_trials_free(lmb_trials *t)
{
    if (!t)
        return;
    lmb_workers_free(t->workers);
    for (int i = 0; t->benches && i < t->bench_count; i++) {
        lmb_spec_free(t->benches[i].spec);
        lmb_context_free(t->benches[i].context);
    }
    pthread_mutex_destroy(&t->lock);
    lmb_arena_free(t->arena);
}

void lmb_trials_on_end(lmb_trials *t, lmb_trial_taker *taker, void *user)
{
    t->taker = taker;
    t->user = user;
}

static bench *take_bench(lmb_trials *t)
{
    for (int i = 0; i < t->bench_count; i++)
        if (!t->benches[i].busy) {
            t->benches[i].busy = true;
            return &t->benches[i];
        }
    return NULL;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* The first error of a context, or the text that stands for one. */
static const char *first_error(const lmb_context *c)
{
    for (size_t i = 0; i < lmb_message_count(c); i++)
        if (lmb_message_at(c, i)->severity == LMB_ERROR)
            return lmb_message_at(c, i)->text;
    return "the run failed";
}

/* The study is to stop; the lock is held. */
static void stop(lmb_trials *t, lmb_status status)
{
    t->stopping = true;
    t->status = t->status ? t->status : status;
}

lmb_gradient *lmb_trials_gradient(lmb_trials *t, const double *x,
                                  const lmb_gradient_request *request, const char **failure)
{
    const lmb_trials_request *q = &t->request;
    lmb_gradient_request whole = *request;
    lmb_gradient *g = NULL;
    *failure = NULL;
    pthread_mutex_lock(&t->lock);
    bench *b = t->stopping ? NULL : take_bench(t);
    pthread_mutex_unlock(&t->lock);
    if (!b)
        return NULL;
    for (int i = 0; i < q->variable_count; i++)
        lmb_snprintf(b->texts[i], sizeof b->texts[i], "%.17g", x[i]);
    whole.like = t->base;
    whole.jobs = t->shared ? 1 : lmb_workers_count(t->workers);
    lmb_messages_clear(b->context);
    lmb_status status = lmb_gradient_find(&g, b->context, b->spec, &whole);
    pthread_mutex_lock(&t->lock);
    const char *error = status ? first_error(b->context) : NULL;
    if (lmb_out_of_memory(b->context))
        stop(t, lmb_fail_memory(t->context));
    else if (error && !t->stopping)
        *failure = lmb_text_copy(t->arena, error, strlen(error));
    else if (!error && !t->spoken) {
        lmb_messages_pass(t->context, b->context, false);
        t->spoken = true;
    }
    b->busy = false;
    pthread_mutex_unlock(&t->lock);
    return g;
}

const lmb_trial *lmb_trials_record(lmb_trials *t, int search, const double *x, const double *values,
                                   const double *derivatives, const char *failure)
{
    const lmb_trial *trial = NULL;
    pthread_mutex_lock(&t->lock);
    for (int i = 0; values && !failure && i < t->request.objective_count; i++)
        if (!isfinite(values[i]))
            failure = "an objective is not a finite number";
    if (!t->stopping) {
        trial = lmb_trials_add(t, x, values, failure ? NULL : derivatives, failure, search);
        t->runs++;
        t->gradients += derivatives != NULL;
        lmb_status status = trial ? LMB_OK : lmb_fail_memory(t->context);
        if (!status && t->taker)
            status = t->taker(t->user, trial);
        if (status)
            stop(t, status);
        trial = status ? NULL : trial;
    }
    pthread_mutex_unlock(&t->lock);
    return trial;
}

/* Puts the values of a gradient, which has the objectives in the order of the model, into the order
 * of the request; false: out of memory. */
static bool sort_objectives(const lmb_trials *t, lmb_gradient *g)
{
    size_t count = (size_t)t->request.objective_count, n = (size_t)g->parameter_count;
    double *values = lmb_arena_numbers(g->arena, count);
    double *derivatives = lmb_arena_numbers(g->arena, count * n);
    for (size_t i = 0; values && derivatives && i < count; i++)
        for (int k = 0; k < g->objective_count; k++)
            if (strcmp(g->objectives[k], t->request.objectives[i]) == 0) {
                values[i] = g->values[k];
                memcpy(derivatives + i * n, g->derivatives + (size_t)k * n, n * sizeof(double));
            }
    g->values = values;
    g->derivatives = derivatives;
    return lmb_arena_fine(g->arena);
}

const lmb_trial *lmb_trials_run(lmb_trials *t, int search, const double *x, bool gradient)
{
    static const char *const none[] = {NULL};
    const lmb_trials_request *q = &t->request;
    gradient = gradient && q->slope_count > 0;
    pthread_mutex_lock(&t->lock);
    const lmb_trial *found = t->stopping ? NULL : lmb_trials_find(t, x, gradient);
    pthread_mutex_unlock(&t->lock);
    if (found)
        return found;
    lmb_gradient_request request = {.objectives = q->objectives,
                                    .parameters = gradient ? q->slopes : none,
                                    .sizes = q->sizes,
                                    .method = gradient ? q->method : LMB_GRADIENT_DIFFERENCES};
    const char *failure;
    lmb_gradient *g = lmb_trials_gradient(t, x, &request, &failure);
    if (!g && !failure)
        return NULL;
    if (g && !sort_objectives(t, g)) {
        pthread_mutex_lock(&t->lock);
        stop(t, lmb_fail_memory(t->context));
        pthread_mutex_unlock(&t->lock);
    }
    found = lmb_trials_record(t, search, x, g ? g->values : NULL,
                              g && gradient ? g->derivatives : NULL, failure);
    lmb_gradient_free(g);
    return found;
}

/* A job that ends early where the study is to stop. */
typedef struct sharing {
    lmb_trials *trials;
    lmb_work *function;
    void *data;
} sharing;

static void do_part(void *data, int part)
{
    sharing *s = data;
    if (lmb_trials_status(s->trials) == LMB_OK)
        s->function(s->data, part);
}

void lmb_trials_share(lmb_trials *t, lmb_work *function, void *data, int parts)
{
    sharing s = {t, function, data};
    t->shared = parts > 1;
    lmb_workers_run(parts > 1 ? t->workers : NULL, do_part, &s, parts);
    t->shared = false;
}

lmb_status lmb_trials_status(lmb_trials *t)
{
    pthread_mutex_lock(&t->lock);
    lmb_status status = t->status;
    pthread_mutex_unlock(&t->lock);
    return status;
}

void lmb_trials_stop(lmb_trials *t, lmb_status status)
{
    pthread_mutex_lock(&t->lock);
    stop(t, status);
    pthread_mutex_unlock(&t->lock);
}

int lmb_trials_count(const lmb_trials *t)
{
    return t->count;
}

const lmb_trial *lmb_trials_at(const lmb_trials *t, int i)
{
    return t->list[i];
}

int lmb_trials_runs(const lmb_trials *t)
{
    return t->runs;
}

int lmb_trials_gradients(const lmb_trials *t)
{
    return t->gradients;
}
