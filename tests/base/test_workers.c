/* Workers do each part of a job once, whatever their number, and are ready for the next job. */
#include "support.h"

#include <stdatomic.h>
#include <time.h>

#include "base/workers.h"

static void pause_for(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

enum { PARTS = 1000, JOBS = 2000 };

typedef struct job {
    atomic_int calls[PARTS]; /* of each part */
    int order[PARTS];        /* the parts as they were begun */
    atomic_int begun;
    double sums[PARTS];
    atomic_int met; /* parts that wait for each other */
} job;

static void count_calls(void *data, int part)
{
    job *j = data;
    j->order[atomic_fetch_add(&j->begun, 1)] = part;
    atomic_fetch_add(&j->calls[part], 1);
    for (int i = 1; i <= part; i++)
        j->sums[part] += 1.0 / i;
}

/* Each part once; sums to the last bit those of one thread. */
static void test_each_part_once(void **unused)
{
    (void)unused;
    static job alone;
    lmb_workers_run(NULL, count_calls, &alone, PARTS);
    for (int i = 0; i < PARTS; i++)
        assert_int_equal(alone.order[i], i); /* in their order */
    for (int threads = 1; threads <= 5; threads++) {
        static job shared;
        shared = (job){0};
        lmb_workers *w = lmb_workers_new(threads);
        assert_int_equal(lmb_workers_count(w), threads);
        lmb_workers_run(w, count_calls, &shared, PARTS);
        for (int i = 0; i < PARTS; i++) {
            assert_int_equal(shared.calls[i], 1);
            assert_true(shared.sums[i] == alone.sums[i]);
        }
        lmb_workers_free(w);
    }
}

/* Many short jobs of few parts after each other, some of them after the helpers fell asleep: what
 * is left of a job must not leak into the next, which has other parts. */
static void test_job_after_job(void **unused)
{
    (void)unused;
    static job j;
    lmb_workers *w = lmb_workers_new(3);
    for (int k = 0; k < JOBS; k++) {
        int parts = k % 7;
        for (int i = 0; i < 8; i++)
            j.calls[i] = 0;
        j.begun = 0;
        lmb_workers_run(w, count_calls, &j, parts);
        for (int i = 0; i < 8; i++)
            assert_int_equal(j.calls[i], i < parts);
        if (k % 500 == 0)
            pause_for(2000000);
    }
    lmb_workers_free(w);
}

/* Two parts that wait for each other end only if two threads do them at the same time. */
static void meet(void *data, int part)
{
    (void)part;
    job *j = data;
    atomic_fetch_add(&j->met, 1);
    while (atomic_load(&j->met) < 2)
        pause_for(10000);
}

static void test_at_the_same_time(void **unused)
{
    (void)unused;
    static job j;
    lmb_workers *w = lmb_workers_new(2);
    lmb_workers_run(w, meet, &j, 2);
    assert_int_equal(j.met, 2);
    lmb_workers_free(w);
}

/* A job of one part begins beside the caller, also without threads at last when it is waited for.
 */
static void test_beside_the_caller(void **unused)
{
    (void)unused;
    for (int threads = 1; threads <= 2; threads++) {
        static job j;
        j = (job){0};
        lmb_workers *w = lmb_workers_new(threads);
        lmb_workers_wait(w); /* no job yet */
        lmb_workers_begin(w, count_calls, &j, 1);
        while (threads == 2 && atomic_load(&j.calls[0]) == 0)
            pause_for(10000); /* it is done without this thread */
        lmb_workers_wait(w);
        assert_int_equal(j.calls[0], 1);
        lmb_workers_begin(w, count_calls, &j, 3); /* is finished before it is freed */
        lmb_workers_free(w);
        assert_int_equal(j.calls[2], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_part_once), cmocka_unit_test(test_job_after_job),
        cmocka_unit_test(test_at_the_same_time), cmocka_unit_test(test_beside_the_caller)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
