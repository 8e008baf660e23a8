/* The display of progress, and the signals that stop the work; see print.h. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/print.h"

enum { BAR_WIDTH = 30, LINE_SECONDS = 10 };

/* Signals that come closer together than this are one wish: `timeout` sends each of its own twice,
 * and a key that is held down repeats. */
static const double ONE_WISH = 0.5; /* s */

/* How long the work may take to notice a signal, and to store what it has once it did. */
enum { NOTICE_MS = 600, STORE_MS = 5000 };

static volatile sig_atomic_t interrupted, noticed;
static struct timespec first;
static timer_t watchdog;
static bool watched;
static const lmb_context *worker;

/* Remove the file that is being written, before the process ends. */
static void remove_unfinished(void)
{
    const char *part = worker ? lmb_context_unfinished(worker) : NULL;
    if (part)
        unlink(part);
}

static void set_watchdog(int ms)
{
    struct itimerspec in = {.it_value = {ms / 1000, ms % 1000 * 1000000L}};
    if (watched)
        timer_settime(watchdog, 0, &in, NULL);
}

static void on_signal(int number)
{
    if (!interrupted) {
        clock_gettime(CLOCK_MONOTONIC, &first);
        interrupted = 1;
        set_watchdog(NOTICE_MS);
    } else if (lmb_seconds_since(first) > ONE_WISH) {
        remove_unfinished();
        signal(number, SIG_DFL); /* it is blocked until here is left, then ends the program */
        raise(number);
    }
}

/* The work is somewhere where it cannot be asked: in a library, or in a verb without progress. What
 * is stored is whole after each write, so that the process may end here as by a kill. */
static void on_watchdog(int unused)
{
    (void)unused;
    static const char text[] = "limber: error: interrupted; what was stored before is kept\n";
    if (noticed == 1) {
        noticed = 2;
        set_watchdog(STORE_MS);
        return;
    }
    remove_unfinished();
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(LMB_SOLVER);
}

void lmb_catch_signals(const lmb_context *context)
{
    worker = context;
    if (!context)
        return;
    struct sigaction stop = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&stop.sa_mask);
    sigaddset(&stop.sa_mask, SIGINT); /* one at a time */
    sigaddset(&stop.sa_mask, SIGTERM);
    sigaddset(&stop.sa_mask, SIGALRM);
    struct sigaction end = {.sa_handler = on_watchdog, .sa_flags = SA_RESTART};
    sigemptyset(&end.sa_mask);
    sigaction(SIGALRM, &end, NULL);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    watched = timer_create(CLOCK_MONOTONIC, &event, &watchdog) == 0;
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
    if (interrupted && !noticed)
        noticed = 1;
    return interrupted != 0;
}

/* --- progress --------------------------------------------------------------------------------- */

static const char CLEAR_LINE[] = "\r\033[K";

static struct {
    bool quiet, terminal;
    bool shown; /* a bar stands on the terminal */
    char what[64];
    double from; /* the fraction it began at */
    struct timespec start, last;
} display;

void lmb_control_terminal(const char *codes)
{
    fflush(stderr);
    dprintf(STDERR_FILENO, "%s", codes);
}

static void show_bar(double fraction, const char *left)
{
    char bar[BAR_WIDTH + 1] = "";
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < (int)(fraction * BAR_WIDTH) ? '#' : '.';
    lmb_control_terminal(CLEAR_LINE);
    fprintf(stderr, "%s [%s] %3.0f %%%s", display.what, bar, 100 * fraction, left);
    fflush(stderr);
    display.shown = true;
}

static bool show(void *unused, const char *what, double fraction)
{
    (void)unused;
    /* another piece of work has a time of its own; one that says how long it takes is shown at
     * once, as it may not be heard of until then */
    bool at_once = false;
    if (strncmp(display.what, what, sizeof display.what - 1) != 0) {
        at_once = strstr(what, ", about ") != NULL;
        snprintf(display.what, sizeof display.what, "%s", what);
        clock_gettime(CLOCK_MONOTONIC, &display.start);
        display.from = fraction;
    }
    double least = at_once ? 0 : display.terminal ? 0.1 : LINE_SECONDS;
    if (display.quiet || lmb_seconds_since(display.last) < least)
        return lmb_interrupted();
    clock_gettime(CLOCK_MONOTONIC, &display.last);
    if (isnan(fraction)) { /* nobody knows */
        display.shown = display.terminal && !at_once;
        lmb_control_terminal(display.terminal ? CLEAR_LINE : "");
        fprintf(stderr, "%s%s", what, display.shown ? "" : "\n");
        fflush(stderr);
        return lmb_interrupted();
    }
    fraction = fmin(fmax(fraction, 0), 1);
    char left[64] = "", duration[32];
    double spent = lmb_seconds_since(display.start);
    if (fraction > display.from + 0.001 && spent > 0.5) {
        lmb_text_duration(duration, spent * (1 - fraction) / (fraction - display.from));
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
        lmb_control_terminal(CLEAR_LINE);
    lmb_context_on_progress(context, NULL, NULL);
}
