/* What the program says about itself, from the table of verbs and those of the model file. */
#ifndef LMB_CLI_HELP_H
#define LMB_CLI_HELP_H

#include <stdio.h>

#include "cli/verb.h"

/* The list of verbs, and the help of one. */
void lmb_print_help(FILE *out);
void lmb_print_verb_help(FILE *out, const lmb_verb *verb);

/* The reference of the model file as Markdown, made from the tables that read it. */
lmb_status lmb_print_reference(lmb_context *context, FILE *out);

#endif
