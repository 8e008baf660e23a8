/* Which analyses of a model are to run, and whether they can. */
#ifndef LMB_RUN_CHECK_H
#define LMB_RUN_CHECK_H

#include "system/model.h"

/* Whether an analysis is among the names asked for, ended by NULL; none, or NULL, means all. */
bool lmb_run_wants(const char *const *names, const char *name);

/* The index of the analysis of a name; -1, with a message, where there is none. */
int lmb_run_find(lmb_context *context, const lmb_model *model, const char *name);

/* All names must exist, and what an analysis needs of earlier ones must be among them. */
lmb_status lmb_run_check(lmb_context *context, const lmb_model *model, const char *const *names);

#endif
