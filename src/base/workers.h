/* Threads that are kept alive and share the parts of a job.
 *
 *   lmb_workers_run(workers, function, data, parts)   calls function(data, part) once for each
 *                                                     part 0 ... parts - 1 and waits for all
 *
 * Who does a part is open, so a function may only write what belongs to its part; then results do
 * not depend on the number of threads. The threads begin with the first job of several parts. They
 * wait for the next job by spinning for some microseconds, then asleep. Where there is one thread,
 * or none can be had, the caller does all parts itself, in their order; NULL are such workers. */
#ifndef LMB_BASE_WORKERS_H
#define LMB_BASE_WORKERS_H

typedef struct lmb_workers lmb_workers;
typedef void lmb_work(void *data, int part);

/* How many processors there are: at least 1. */
int lmb_processors(void);

/* Workers of so many threads, the caller among them; 0: as many as there are processors. NULL when
 * out of memory. */
lmb_workers *lmb_workers_new(int threads);
void lmb_workers_free(lmb_workers *workers);

/* How many threads there are, the caller among them: 1 of NULL. */
int lmb_workers_count(const lmb_workers *workers);

/* Jobs are begun by one thread at a time, and none by a part of another. */
void lmb_workers_run(lmb_workers *workers, lmb_work *function, void *data, int parts);

/* The same in two halves, for a caller that has other work meanwhile: what `data` points to belongs
 * to the job until it is waited for. Waiting without a job is nothing. */
void lmb_workers_begin(lmb_workers *workers, lmb_work *function, void *data, int parts);
void lmb_workers_wait(lmb_workers *workers);

#endif
