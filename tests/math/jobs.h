/* Jobs that must not disturb each other. */
#ifndef LMB_TESTS_MATH_JOBS_H
#define LMB_TESTS_MATH_JOBS_H

#include <pthread.h>

#include "support.h"

enum { JOBS = 5 };

/* Does two jobs of an array one after the other, and the rest at once. */
static void do_jobs(void *jobs, size_t size, void *(*do_job)(void *job))
{
    pthread_t threads[JOBS];
    for (size_t i = 0; i < JOBS; i++) {
        void *job = (char *)jobs + i * size;
        if (i < 2)
            do_job(job);
        else
            assert_int_equal(pthread_create(&threads[i], NULL, do_job, job), 0);
    }
    for (int i = 2; i < JOBS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

#endif
