/* Printing of numbers and tables, and the display of progress. */
#include "cli/print.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { LINE_WIDTH = 80, BAR_WIDTH = 30, LINE_SECONDS = 10 };

void lmb_print_number(FILE *out, double value)
{
    fprintf(out, "%.17g", value);
}

int lmb_text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80; /* not inside a UTF-8 character */
    return width;
}

void lmb_print_padded(FILE *out, const char *text, int width)
{
    int blanks = width - lmb_text_width(text);
    fprintf(out, "%s%*s", text, blanks > 0 ? blanks : 0, "");
}

void lmb_print_wrapped(FILE *out, const char *text, int indent, bool there)
{
    int column = there ? indent : 0;
    for (const char *c = text; *c;) {
        size_t length = strcspn(c, " \n");
        if (length > 0) {
            if (column > indent && column + 1 + (int)length > LINE_WIDTH) {
                putc('\n', out);
                column = 0;
            }
            if (column == 0)
                column += fprintf(out, "%*s", indent, "");
            else if (column > indent)
                column += fprintf(out, " ");
            column += fprintf(out, "%.*s", (int)length, c);
            c += length;
        } else if (*c++ == '\n') {
            putc('\n', out);
            column = 0;
        } else if (column == 0) {
            column += fprintf(out, "%*s", indent + 1, ""); /* a line that is set in by the author */
        }
    }
    if (column > 0)
        putc('\n', out);
}

static double seconds_between(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

lmb_progress_display lmb_progress_start(bool quiet)
{
    lmb_progress_display display = {.quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
    clock_gettime(CLOCK_MONOTONIC, &display.start);
    display.last = display.start;
    return display;
}

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

bool lmb_progress_show(void *display, const char *what, double fraction)
{
    lmb_progress_display *d = display;
    if (d->quiet)
        return lmb_interrupted();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    /* another piece of work has a time of its own */
    if (strncmp(d->what, what, sizeof d->what - 1) != 0) {
        snprintf(d->what, sizeof d->what, "%s", what);
        d->start = now;
        d->from = fraction;
    }
    if (seconds_between(d->last, now) < (d->terminal ? 0.1 : LINE_SECONDS))
        return lmb_interrupted();
    d->last = now;
    fraction = fmin(fmax(fraction, 0), 1);
    char left[64] = "", duration[32];
    double spent = seconds_between(d->start, now);
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

void lmb_progress_done(lmb_progress_display *d)
{
    if (d->shown)
        fputs("\r\033[K", stderr);
    d->shown = false;
}
