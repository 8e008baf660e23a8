/* What the verbs print with: messages, texts, sheets and the progress of long work. */
#ifndef LMB_CLI_PRINT_H
#define LMB_CLI_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "cli/verb.h"
#include "report/sheet.h"
#include "signal/spectrum.h"

/* Prints the messages of a context. */
void lmb_print_messages(FILE *out, const lmb_context *context);

/* The width of a text in characters. */
int lmb_text_width(const char *text);

/* A text with its lines broken at 80 characters; each line starts with `indent` blanks, except
 * the first one if the output already stands there. */
void lmb_print_wrapped(FILE *out, const char *text, int indent, bool there);

/* The list of verbs, and the help of one. */
void lmb_print_help(FILE *out);
void lmb_print_verb_help(FILE *out, const lmb_verb *verb);

/* The reference of the model file as Markdown, made from the tables that read it. */
lmb_status lmb_print_reference(const lmb_arguments *arguments, FILE *out);

/* The tables of a sheet as text, with an empty line in front of one with a title: columns of
 * numbers are flush right, those of words flush left; and its sentences, one per line. */
lmb_status lmb_sheet_print(const lmb_arguments *arguments, const lmb_sheet *sheet);
void lmb_sheet_print_words(const lmb_sheet *sheet);

/* What limber spectrum finds, and its trend over records, as JSON. */
void lmb_spectrum_print_json(const lmb_spectrum_work *work);
void lmb_trend_print_json(const lmb_spectrum_work *work, int count, const lmb_trend_row *rows);

/* Writes the report of a result to a temporary folder and opens it in a browser. */
lmb_status lmb_show(const lmb_arguments *arguments, const char *result);

/* Installs the handlers of the program's signals. The first Ctrl-C (or SIGTERM) asks a run to stop,
 * one after that ends the program. */
void lmb_catch_signals(void);
bool lmb_interrupted(void);

/* Shows the progress of a context until it is done: a bar on a terminal, a line now and then
 * elsewhere, or nothing. It also stops the work once Ctrl-C was typed. */
void lmb_progress_start(lmb_context *context, bool quiet);
void lmb_progress_done(lmb_context *context);

#endif
