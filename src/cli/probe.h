/* Reading a file on trial, for another process. */
#ifndef LMB_CLI_PROBE_H
#define LMB_CLI_PROBE_H

#include "limber/context.h"

/* What `limber --probe FILE` does: reads all of a result or body file with limits on memory and
 * time, and prints "good", or what is wrong. */
lmb_status lmb_probe_file(lmb_context *context, const char *path);

#endif
