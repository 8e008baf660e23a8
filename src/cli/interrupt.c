/* The signals of the program. */
#include "cli/print.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

/* Signals that come closer together than this are one wish: `timeout` sends each of its own twice,
 * and a key that is held down repeats. */
static const double ONE_WISH = 0.5; /* s */

static volatile sig_atomic_t interrupted;
static struct timespec first;

static double since_first(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
}

static void on_signal(int number)
{
    if (!interrupted) {
        clock_gettime(CLOCK_MONOTONIC, &first);
        interrupted = 1;
    } else if (since_first() > ONE_WISH) {
        signal(number, SIG_DFL); /* it is blocked until here is left, then ends the program */
        raise(number);
    }
}

void lmb_catch_signals(void)
{
    struct sigaction stop = {.sa_handler = on_signal};
    sigemptyset(&stop.sa_mask);
    sigaddset(&stop.sa_mask, SIGINT); /* one at a time */
    sigaddset(&stop.sa_mask, SIGTERM);
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    /* a closed pipe or a file grown too large shows as an error of the write */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

bool lmb_interrupted(void)
{
    return interrupted != 0;
}
