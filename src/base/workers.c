/* Parts of a job are given out by one number, the ticket: the number of the job in its upper half
 * and how many parts are left in its lower half. A thread takes a part by counting the ticket down,
 * which fails if the job has changed meanwhile; as long as a part is under way the job cannot
 * change. */
#include "base/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

enum {
    MOST_THREADS = 64,
    SPINS = 400 /* looks for news before a thread sleeps: some microseconds */
};

struct lmb_workers {
    int threads; /* wanted, the caller among them */
    int begun;   /* helpers that run, -1: not yet begun */
    pthread_t helpers[MOST_THREADS];

    /* the job */
    lmb_work *function;
    void *data;
    int parts;
    atomic_uint_fast64_t ticket;
    atomic_int pending;           /* parts that are not done */
    _Atomic(const char *) failed; /* why one of them failed, as in base/memory.h */

    /* sleepers */
    pthread_mutex_t mutex;
    pthread_cond_t news, done;
    bool stop;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static uint32_t job_of(uint64_t ticket)
{
    return (uint32_t)(ticket >> 32);
}

/* Does parts until none is left. The last one to be done wakes who waits for it. */
static void do_parts(lmb_workers *w)
{
    uint_fast64_t ticket = atomic_load(&w->ticket);
    for (;;) {
        uint32_t left = (uint32_t)ticket;
        if (left == 0)
            return;
        if (!atomic_compare_exchange_weak(&w->ticket, &ticket, ticket - 1))
            continue;
        w->function(w->data, w->parts - (int)left);
        const char *failed = lmb_memory_failed();
        if (failed)
            atomic_store(&w->failed, failed);
        if (atomic_fetch_sub(&w->pending, 1) == 1) {
            pthread_mutex_lock(&w->mutex);
            pthread_cond_broadcast(&w->done);
            pthread_mutex_unlock(&w->mutex);
        }
        ticket = atomic_load(&w->ticket);
    }
}

/* Waits for a job other than the last one; false at the end. */
static bool wait_for_news(lmb_workers *w, uint32_t last)
{
    for (int i = 0; i < SPINS; i++) {
        if (job_of(atomic_load(&w->ticket)) != last)
            return true;
        relax();
    }
    pthread_mutex_lock(&w->mutex);
    while (job_of(atomic_load(&w->ticket)) == last && !w->stop)
        pthread_cond_wait(&w->news, &w->mutex);
    bool news = job_of(atomic_load(&w->ticket)) != last;
    pthread_mutex_unlock(&w->mutex);
    return news;
}

static void *help(void *user)
{
    lmb_workers *w = user;
    uint32_t last = 0;
    while (wait_for_news(w, last)) {
        last = job_of(atomic_load(&w->ticket));
        do_parts(w);
    }
    return NULL;
}

/* Begins the helpers; signals stay with the threads of the caller. */
static void begin_helpers(lmb_workers *w)
{
    sigset_t all, before;
    sigfillset(&all);
    w->begun = 0;
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return;
    while (w->begun < w->threads - 1 && pthread_create(&w->helpers[w->begun], NULL, help, w) == 0)
        w->begun++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int lmb_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (int)count : 1;
}

lmb_workers *lmb_workers_new(int threads)
{
    if (threads <= 0)
        threads = lmb_processors();
    lmb_workers *w = lmb_calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->threads = threads > MOST_THREADS ? MOST_THREADS : threads;
    w->begun = -1;
    atomic_init(&w->ticket, 0);
    atomic_init(&w->pending, 0);
    atomic_init(&w->failed, NULL);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->news, NULL);
    pthread_cond_init(&w->done, NULL);
    return w;
}

void lmb_workers_free(lmb_workers *w)
{
    if (!w)
        return;
    lmb_workers_wait(w);
    pthread_mutex_lock(&w->mutex);
    w->stop = true;
    pthread_cond_broadcast(&w->news);
    pthread_mutex_unlock(&w->mutex);
    for (int i = 0; i < w->begun; i++)
        pthread_join(w->helpers[i], NULL);
    pthread_cond_destroy(&w->news);
    pthread_cond_destroy(&w->done);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

int lmb_workers_count(const lmb_workers *w)
{
    return w ? w->threads : 1;
}

void lmb_workers_begin(lmb_workers *w, lmb_work *function, void *data, int parts)
{
    if (!w || parts <= 0) {
        for (int part = 0; part < parts; part++)
            function(data, part);
        return;
    }
    if (w->begun < 0 && w->threads > 1)
        begin_helpers(w);
    w->function = function;
    w->data = data;
    w->parts = parts;
    atomic_store(&w->pending, parts);
    uint64_t job = job_of(atomic_load(&w->ticket)) + 1u;
    pthread_mutex_lock(&w->mutex);
    atomic_store(&w->ticket, (job & UINT32_MAX) << 32 | (uint32_t)parts);
    pthread_cond_broadcast(&w->news);
    pthread_mutex_unlock(&w->mutex);
}

/* Waits until all parts are done, for a while without sleeping. */
static void wait_for_parts(lmb_workers *w)
{
    for (int i = 0; i < SPINS && atomic_load(&w->pending) > 0; i++)
        relax();
    if (atomic_load(&w->pending) == 0)
        return;
    pthread_mutex_lock(&w->mutex);
    while (atomic_load(&w->pending) > 0)
        pthread_cond_wait(&w->done, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}

void lmb_workers_wait(lmb_workers *w)
{
    if (!w)
        return;
    do_parts(w);
    wait_for_parts(w);
    lmb_memory_fail_for(atomic_exchange(&w->failed, NULL));
}

void lmb_workers_run(lmb_workers *w, lmb_work *function, void *data, int parts)
{
    if (parts <= 1 || lmb_workers_count(w) == 1) {
        for (int part = 0; part < parts; part++)
            function(data, part);
        return;
    }
    lmb_workers_begin(w, function, data, parts);
    lmb_workers_wait(w);
}
