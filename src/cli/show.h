/* Showing results in a browser. */
#ifndef LMB_CLI_SHOW_H
#define LMB_CLI_SHOW_H

#include "limber/context.h"

/* Writes the report of a result to a temporary folder and opens it. */
lmb_status lmb_show(lmb_context *context, const char *file);

/* Runs a program with a file, and waits until that program has ended. */
lmb_status lmb_open(lmb_context *context, const char *program, const char *file);

#endif
