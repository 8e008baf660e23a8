/* Parts of a job with messages of their own. */
#include "base/crew.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/workers.h"

typedef struct crew {
    lmb_context *context;
    lmb_crew_work *function;
    void *data;
    lmb_context **contexts; /* one per part */
    lmb_status *statuses;
    pthread_mutex_t lock; /* of the progress */
    bool stopped;
} crew;

static bool forward(void *user, const char *what, double fraction)
{
    crew *c = user;
    pthread_mutex_lock(&c->lock);
    c->stopped = c->stopped || lmb_progress(c->context, what, fraction);
    bool stopped = c->stopped;
    pthread_mutex_unlock(&c->lock);
    return stopped;
}

static void do_part(void *data, int part)
{
    crew *c = data;
    lmb_context *own = c->contexts[part] = lmb_context_new();
    c->statuses[part] = LMB_SOLVER;
    if (!own)
        return;
    lmb_context_on_progress(own, forward, c);
    c->statuses[part] = lmb_final_status(own, c->function(c->data, part, own));
    lmb_context_on_progress(own, NULL, NULL);
}

/* Hands the messages on, in the order of the parts. */
static lmb_status conclude(crew *c, int parts)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < parts; i++) {
        if (!status && c->contexts[i])
            lmb_messages_pass(c->context, c->contexts[i], true);
        if (!status)
            status = c->contexts[i] ? c->statuses[i] : lmb_fail_memory(c->context);
        lmb_context_free(c->contexts[i]);
    }
    return status;
}

static lmb_status run_alone(lmb_context *context, lmb_crew_work *function, void *data, int parts)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < parts && !status; i++)
        status = function(data, i, context);
    return status;
}

lmb_status lmb_crew_run(lmb_context *context, int threads, lmb_crew_work *function, void *data,
                        int parts)
{
    if (threads < 2 || parts < 2)
        return run_alone(context, function, data, parts);
    crew c = {.context = context, .function = function, .data = data};
    c.contexts = lmb_calloc((size_t)parts, sizeof *c.contexts);
    c.statuses = lmb_calloc((size_t)parts, sizeof *c.statuses);
    lmb_workers *workers = lmb_workers_new(threads < parts ? threads : parts);
    lmb_status status = LMB_OK;
    if (c.contexts && c.statuses && workers) {
        pthread_mutex_init(&c.lock, NULL);
        lmb_workers_run(workers, do_part, &c, parts);
        status = conclude(&c, parts);
        pthread_mutex_destroy(&c.lock);
    } else {
        status = run_alone(context, function, data, parts);
    }
    lmb_workers_free(workers);
    free(c.contexts);
    free(c.statuses);
    return status;
}
