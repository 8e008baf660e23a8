/* The file of a study: a result whose rows are its trials, written as they end,
 *
 *   time: the number of the trial; search; design.PARAMETER; failed;
 *   OBJECTIVE, OBJECTIVE.by.PARAMETER (NaN where they are not known)
 *
 * with the texts "model", "title", "parameters", "study" (its name) and "failures" (a line
 * "NUMBER MESSAGE" each), in the end "sheet", and whole results inside of it (lmb_history_embed). A
 * study that was interrupted or killed goes on from it: its trials are read, and the search, which
 * is made again from its beginning, finds them. */
#ifndef LMB_STUDY_HISTORY_H
#define LMB_STUDY_HISTORY_H

#include "result/write.h"
#include "study/trials.h"

typedef struct lmb_history lmb_history;

/* The values of the variables that row number i (from 0) of an ordered history has. */
typedef void lmb_trial_row(void *user, int i, double *x);

/* What a study is, and where it is kept. */
typedef struct lmb_history_request {
    const lmb_model *model;
    const lmb_study *study;
    const lmb_trials_request *trials;
    const char *path;
    bool resume;             /* from the file at `path` */
    lmb_trial_row *expected; /* rows have an order, and this one there; NULL: that of the trials */
    void *user;
} lmb_history_request;

/* Opens the file, which replaces an older one, and lets the trials be written to it as they end;
 * with `resume` those of the older one are known already. Rows that have an order are written by
 * lmb_history_write instead. Free with lmb_history_close. */
lmb_status lmb_history_open(lmb_history **out, lmb_context *context, lmb_trials *trials,
                            const lmb_history_request *request);

/* How many rows it has so far; writes the next one of an ordered history. */
int lmb_history_rows(const lmb_history *history);
lmb_status lmb_history_write(lmb_history *history, const lmb_trial *trial);

/* Puts a text, or a result in memory as a whole, into it; NULL is a history that nobody keeps. */
lmb_status lmb_history_text(lmb_history *history, const char *name, const char *text);
lmb_status lmb_history_embed(lmb_history *history, const char *name, const lmb_result *run);

/* Closes it; a study that is complete cannot be resumed. */
lmb_status lmb_history_close(lmb_history *history, bool complete);

/* Whether a result is the file of a study that was completed; and opens a result that is embedded
 * in it, NULL where it has none. */
bool lmb_history_is_complete(lmb_result *result);
lmb_status lmb_history_extract(lmb_result **out, lmb_context *context, lmb_result *result,
                               const char *name);

#endif
