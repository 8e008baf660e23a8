/* The time that something takes. */
#ifndef LMB_BASE_CLOCK_H
#define LMB_BASE_CLOCK_H

#include <time.h>

/* Seconds since an instant of the monotonic clock. */
static inline double lmb_seconds_since(struct timespec from)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - from.tv_sec) + 1e-9 * (double)(now.tv_nsec - from.tv_nsec);
}

#endif
