/* The display of progress, and the signals that stop the work; see print.h. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/print.h"

enum { BAR_WIDTH = 30, LINE_SECONDS = 10 };

/* Signals that come closer together than this are one wish: `timeout` sends each of its own twice,
 * and a key that is held down repeats. */
static const double ONE_WISH = 0.5; /* s */

static volatile sig_atomic_t interrupted;
static struct timespec first;

static double seconds_since(struct timespec from)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - from.tv_sec) + 1e-9 * (double)(now.tv_nsec - from.tv_nsec);
}

static void on_signal(int number)
{
    if (!interrupted) {
        clock_gettime(CLOCK_MONOTONIC, &first);
        interrupted = 1;
    } else if (seconds_since(first) > ONE_WISH) {
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

/* --- progress --------------------------------------------------------------------------------- */

/* A duration as a person would say it. */
static void format_duration(char text[32], double seconds)
{
    if (seconds < 99.5)
        snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 5940)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else
        snprintf(text, 32, "%.1f h", fmin(seconds / 3600, 1e6));
}

static void show_bar(lmb_progress_display *d, double fraction, const char *left)
{
    char bar[BAR_WIDTH + 1];
    int full = (int)(fraction * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r\033[K%s [%s] %3.0f %%%s", d->what, bar, 100 * fraction, left);
    fflush(stderr);
    d->shown = true;
}

static bool show(void *display, const char *what, double fraction)
{
    lmb_progress_display *d = display;
    if (d->quiet)
        return lmb_interrupted();
    /* another piece of work has a time of its own */
    if (strncmp(d->what, what, sizeof d->what - 1) != 0) {
        snprintf(d->what, sizeof d->what, "%s", what);
        clock_gettime(CLOCK_MONOTONIC, &d->start);
        d->from = fraction;
    }
    if (seconds_since(d->last) < (d->terminal ? 0.1 : LINE_SECONDS))
        return lmb_interrupted();
    clock_gettime(CLOCK_MONOTONIC, &d->last);
    fraction = fmin(fmax(fraction, 0), 1);
    char left[64] = "", duration[32];
    double spent = seconds_since(d->start);
    if (fraction > d->from + 0.001 && spent > 0.5) {
        format_duration(duration, spent * (1 - fraction) / (fraction - d->from));
        snprintf(left, sizeof left, ", %s left", duration);
    }
    if (d->terminal)
        show_bar(d, fraction, left);
    else
        fprintf(stderr, "%s: %.0f %%%s\n", d->what, 100 * fraction, left);
    return lmb_interrupted();
}

void lmb_progress_start(lmb_progress_display *d, lmb_context *context, bool quiet)
{
    *d = (lmb_progress_display){
        .context = context, .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
    clock_gettime(CLOCK_MONOTONIC, &d->start);
    d->last = d->start;
    lmb_context_on_progress(context, show, d);
}

void lmb_progress_done(lmb_progress_display *d)
{
    if (d->shown)
        fputs("\r\033[K", stderr);
    lmb_context_on_progress(d->context, NULL, NULL);
}
