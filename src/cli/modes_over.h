/* `limber modes --over NAME=FROM:TO:COUNT`: eigenvalues over a parameter of the model, as a table
 * and as a plot. */
#ifndef LMB_CLI_MODES_OVER_H
#define LMB_CLI_MODES_OVER_H

#include "cli/verb.h"

lmb_status lmb_modes_over(const lmb_arguments *arguments, const char *range);

#endif
