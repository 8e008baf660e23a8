/* The reference of the model file, generated from the tables that read it. */
#ifndef LMB_CLI_REFERENCE_H
#define LMB_CLI_REFERENCE_H

#include <stdio.h>

#include "limber/context.h"

/* Prints it as Markdown. */
lmb_status lmb_print_reference(lmb_context *context, FILE *out);

#endif
