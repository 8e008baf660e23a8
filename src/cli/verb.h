/* The command line: a table of verbs, each in a file of its own. */
#ifndef LMB_CLI_VERB_H
#define LMB_CLI_VERB_H

#include <stdbool.h>

#include "base/arena.h"
#include "limber/context.h"

/* An option of a verb. */
typedef struct lmb_option {
    const char *form; /* "-o, --output FILE": letter and argument are where it has them; at its end
                         " ...", where it may be given more than once */
    const char *doc;  /* one sentence; "" for an option that is not listed */
} lmb_option;

/* The parts of the form of an option. */
typedef struct lmb_option_parts {
    char letter[4], name[32], argument[32]; /* "" for none */
    bool many;
} lmb_option_parts;

lmb_option_parts lmb_option_split(const lmb_option *option);

/* What was typed after a verb. */
typedef struct lmb_arguments {
    const struct lmb_verb *verb;
    int count; /* words that are not options */
    const char **words;
    const char ***values; /* for each option of the verb: its values, ended by NULL */
    lmb_context *context;
    lmb_arena *arena;   /* of the words; what a verb allocates in it lives until the end */
    lmb_status *status; /* of what was read of them so far, see typed.h */
    bool json;          /* --json was given (for a verb that has it) */
} lmb_arguments;

typedef struct lmb_verb {
    const char *name;          /* "get" */
    const char *also;          /* other words for it, with blanks between them; or NULL */
    const char *usage;         /* "RESULT CHANNEL [--at T | ...]" */
    const char *summary;       /* one line for the list of verbs */
    const char *doc;           /* a paragraph or two for the help of the verb */
    const char *examples;      /* lines of commands, each ending in a newline */
    int words[2];              /* the least and the most number of them; -1 for any number */
    const lmb_option *options; /* ends with {0}; or NULL */
    bool shows_results;        /* warn of their numbers that are not finite */
    lmb_status (*run)(const lmb_arguments *arguments);
} lmb_verb;

/* All verbs, ended by NULL. */
extern const lmb_verb *const lmb_verbs[];

/* The verb of a name; NULL, with a message, where there is none. */
const lmb_verb *lmb_verb_find(lmb_context *context, const char *name);

/* Sorts the words after a verb, whose context and arena are set, into words and options; wrong ones
 * are LMB_USAGE. *help: --help was among them, and then nothing else is checked. */
lmb_status lmb_options_parse(lmb_arguments *arguments, int count, char **words, bool *help);

/* The last value of an option, or NULL when it was not given; a switch's value is "". */
const char *lmb_option_value(const lmb_arguments *arguments, const char *name);

/* All values of an option that may be given many times, ended by NULL. */
const char **lmb_option_values(const lmb_arguments *arguments, const char *name);

#endif
