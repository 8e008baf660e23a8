/* The display of progress, and the signals that stop the work; see print.h. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/print.h"

enum { BAR_WIDTH = 30, LINE_SECONDS = 10 };

/* Signals that come closer together than this are one wish: `timeout` sends each of its own twice,
 * and a key that is held down repeats. */
static const double ONE_WISH = 0.5; /* s */

static volatile sig_atomic_t interrupted;
static struct timespec first;

static void on_signal(int number)
{
    if (!interrupted) {
        clock_gettime(CLOCK_MONOTONIC, &first);
        interrupted = 1;
    } else if (lmb_seconds_since(first) > ONE_WISH) {
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

static struct {
    bool quiet, terminal;
    bool shown; /* a bar stands on the terminal */
    char what[64];
    double from; /* the fraction it began at */
    struct timespec start, last;
} display;

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

static void show_bar(double fraction, const char *left)
{
    char bar[BAR_WIDTH + 1] = "";
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < (int)(fraction * BAR_WIDTH) ? '#' : '.';
    fprintf(stderr, "\r\033[K%s [%s] %3.0f %%%s", display.what, bar, 100 * fraction, left);
    fflush(stderr);
    display.shown = true;
}

static bool show(void *unused, const char *what, double fraction)
{
    (void)unused;
    /* another piece of work has a time of its own */
    if (strncmp(display.what, what, sizeof display.what - 1) != 0) {
        snprintf(display.what, sizeof display.what, "%s", what);
        clock_gettime(CLOCK_MONOTONIC, &display.start);
        display.from = fraction;
    }
    if (display.quiet || lmb_seconds_since(display.last) < (display.terminal ? 0.1 : LINE_SECONDS))
        return lmb_interrupted();
    clock_gettime(CLOCK_MONOTONIC, &display.last);
    if (isnan(fraction)) { /* nobody knows */
        fprintf(stderr, display.terminal ? "\r\033[K%s" : "%s\n", what);
        fflush(stderr);
        display.shown = display.terminal;
        return lmb_interrupted();
    }
    fraction = fmin(fmax(fraction, 0), 1);
    char left[64] = "", duration[32];
    double spent = lmb_seconds_since(display.start);
    if (fraction > display.from + 0.001 && spent > 0.5) {
        format_duration(duration, spent * (1 - fraction) / (fraction - display.from));
        snprintf(left, sizeof left, ", %s left", duration);
    }
    if (display.terminal)
        show_bar(fraction, left);
    else
        fprintf(stderr, "%s: %.0f %%%s\n", display.what, 100 * fraction, left);
    return lmb_interrupted();
}

void lmb_progress_start(lmb_context *context, bool quiet)
{
    memset(&display, 0, sizeof display);
    display.quiet = quiet;
    display.terminal = isatty(STDERR_FILENO) == 1;
    clock_gettime(CLOCK_MONOTONIC, &display.start);
    display.last = display.start;
    lmb_context_on_progress(context, show, NULL);
}

void lmb_progress_done(lmb_context *context)
{
    if (display.shown)
        fputs("\r\033[K", stderr);
    lmb_context_on_progress(context, NULL, NULL);
}
