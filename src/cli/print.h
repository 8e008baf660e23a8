/* What the verbs print with: messages, numbers, tables and the progress of long work. */
#ifndef LMB_CLI_PRINT_H
#define LMB_CLI_PRINT_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "cli/interrupt.h"
#include "base/json.h"
#include "limber/context.h"

/* Prints the messages of a context that were not printed yet; returns how many there are now, to
 * be passed as `from` the next time. */
size_t lmb_print_messages(FILE *out, const lmb_context *context, size_t from);

/* A number with 17 significant digits, from which it can be read back exactly. */
void lmb_print_number(FILE *out, double value);

/* A text filled up with blanks to a width in characters. */
void lmb_print_padded(FILE *out, const char *text, int width);
int lmb_text_width(const char *text);

/* A text with its lines broken at 80 characters; each line starts with `indent` blanks, except
 * the first one if the output already stands there. */
void lmb_print_wrapped(FILE *out, const char *text, int indent, bool there);

/* The display of progress: a bar on a terminal, a line now and then elsewhere, or nothing. Give
 * lmb_progress_show and a display to lmb_context_on_progress; it also stops the work once Ctrl-C
 * was typed. */
typedef struct lmb_progress_display {
    bool quiet, terminal;
    bool shown; /* a bar stands on the terminal */
    char what[64];
    double from; /* the fraction it began at */
    struct timespec start, last;
} lmb_progress_display;

lmb_progress_display lmb_progress_start(bool quiet);
bool lmb_progress_show(void *display, const char *what, double fraction);

/* Takes the bar away. */
void lmb_progress_done(lmb_progress_display *display);

#endif
