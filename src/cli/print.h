/* What the verbs print with: messages, texts, sheets and the progress of long work. */
#ifndef LMB_CLI_PRINT_H
#define LMB_CLI_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/embedded.h"
#include "base/json.h"
#include "cli/verb.h"
#include "report/sheet.h"
#include "system/model.h"

/* From now on escape all that goes to stdout and stderr, except line ends and tabs, as
 * lmb_text_show does: names, titles and lines of input files cannot control a terminal. Returns
 * false if memory ran out. The second function ends this. */
bool lmb_escape_output(void);
void lmb_restore_output(void);

/* Print codes of the program itself to the terminal of stderr. */
void lmb_control_terminal(const char *codes);

/* Print a text of an input within a line, or as a line of stdout behind a text of the program: line
 * ends and tabs in it are escaped as well, line ends behind it are left out. */
void lmb_print_inline(FILE *out, const char *text);
void lmb_print_line(const char *before, const char *text);

/* Print the messages of a context to stderr. */
void lmb_print_messages(const lmb_context *context);

/* A text with its lines broken at 80 characters; each line starts with `indent` blanks, except
 * the first one if the output already stands there. */
void lmb_print_wrapped(FILE *out, const char *text, int indent, bool there);

/* Print a number with all 17 digits, which give it back exactly, behind a text. A NaN is "nan". */
void lmb_print_number(const char *before, double value);

/* Return LMB_SOLVER with a message if one of the computed numbers of an item is not finite. */
lmb_status lmb_check_finite(lmb_context *context, const char *item, const char *quantity,
                            size_t count, const double *values);

/* The list of verbs, and the help of one. */
void lmb_print_help(FILE *out);
void lmb_print_verb_help(FILE *out, const lmb_verb *verb);

/* The tables of a sheet as text, with an empty line in front of one with a title: columns of
 * numbers are flush right, those of words flush left; and its sentences, one per line. */
lmb_status lmb_sheet_print(const lmb_arguments *arguments, const lmb_sheet *sheet);

/* Draws the first figure of a sheet into a file, or writes all of it, with the warnings so far, as
 * a page (.html). */
lmb_status lmb_sheet_write(lmb_context *context, lmb_sheet *sheet, const char *title,
                           const char *path);
void lmb_sheet_print_words(const lmb_sheet *sheet);

/* --- matrices with the names of their rows and columns, as text or JSON ----------------------- */

typedef struct lmb_named_matrix {
    const char *name, *doc;
    int rows, columns;    /* columns 0: a vector */
    const double *values; /* NULL: it is left out */
    bool by_columns;      /* it is stored so */
    const char *const *row_names, *const *column_names;
} lmb_named_matrix;

/* Names that JSON has before the matrices. */
typedef struct lmb_name_list {
    const char *key;
    int count;
    const char *const *names;
} lmb_name_list;

/* Prints the matrices as text with so many digits, or after the lists as members of the open object
 * of JSON, with all digits. */
void lmb_matrices_print(lmb_json *json, int digits, size_t list_count, const lmb_name_list *lists,
                        size_t count, const lmb_named_matrix *matrices);

/* Return LMB_SOLVER with a message if a number of the matrices is not finite. */
lmb_status lmb_matrices_check(lmb_context *context, size_t count, const lmb_named_matrix *matrices);

/* --- what else the verbs share ---------------------------------------------------------------- */

/* Writes the report of a result to a temporary folder and opens it in a browser. */
lmb_status lmb_show(const lmb_arguments *arguments, const char *result);

/* Installs the handlers of the program's signals. The first Ctrl-C (or SIGTERM) asks the work to
 * stop; where nothing asks for that (lmb_interrupted) within 0.6 s, the program ends with
 * LMB_SOLVER. A second signal ends it at once. A file that the context is writing is removed (NULL:
 * the context ends). */
void lmb_catch_signals(const lmb_context *context);
bool lmb_interrupted(void);

/* Shows the progress of a context until it is done: a bar on a terminal, a line now and then
 * elsewhere, or nothing. It also stops the work once Ctrl-C was typed. */
void lmb_progress_start(lmb_context *context, bool quiet);
void lmb_progress_done(lmb_context *context);

/* Models from examples/, carried inside the program; ends with {0, 0}. */
extern const lmb_embedded_text lmb_templates[];

#endif
