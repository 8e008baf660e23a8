/* Reading what was typed after a verb. */
#ifndef LMB_CLI_OPTIONS_H
#define LMB_CLI_OPTIONS_H

#include "base/arena.h"
#include "cli/verb.h"

/* The verb of a name, or NULL. */
const lmb_verb *lmb_verb_find(const char *name);

/* Says that there is no such verb. */
lmb_status lmb_fail_verb(lmb_context *context, const char *name);

/* Sorts the words after a verb into words and options; wrong ones are LMB_USAGE. *help tells that
 * --help was among them, in which case nothing else is checked. */
lmb_status lmb_options_parse(lmb_arguments *out, lmb_arena *arena, lmb_context *context,
                             const lmb_verb *verb, int count, char **words, bool *help);

/* The number that was typed for something; a wrong one is LMB_USAGE. */
lmb_status lmb_typed_number(lmb_context *context, const char *what, const char *word,
                            double *value);

/* The number of an option, unless it was not given, which is no failure; given may be NULL. */
lmb_status lmb_typed_option(const lmb_arguments *arguments, const char *option, double *value,
                            bool *given);

/* The width and height that were typed for --size, "800x500", up to a limit; a wrong one is
 * LMB_USAGE. */
lmb_status lmb_typed_size(lmb_context *context, const char *word, int most, int *width,
                          int *height);

/* The names in a list separated by commas, ended by NULL; free the array. NULL: out of memory. */
char **lmb_typed_names(const char *list);

/* The name of a file with another ending (".h5"), in the current folder. */
void lmb_name_after(const char *file, const char *ending, char *path, size_t size);

#endif
