/* What all studies share: which one is meant, where it is kept, and the runs at its two ends. */
#ifndef LMB_STUDY_STUDY_H
#define LMB_STUDY_STUDY_H

#include "limber/study.h"
#include "study/history.h"

/* What is to be done with the results of a study, such as an lmb_optimum, while its file is open:
 * to put a page into it. The history is NULL for one that is not kept. */
typedef lmb_status lmb_study_finish(lmb_context *context, const void *results,
                                    lmb_history *history);

enum { LMB_MOST_VARIABLES = 64, LMB_MOST_LIMITS = 64 }; /* of a study */

/* A study under way: what the files of study/ pass to each other. */
typedef struct lmb_study_work {
    lmb_context *context;
    lmb_arena *arena;
    const lmb_spec *spec;
    const lmb_model *model; /* with the parameters of the file and of the user */
    lmb_model *own;         /* the same, to be freed; NULL: that of the options */
    const lmb_study *study;
    const lmb_study_options *options;
    double *start; /* values of its variables in the model */
    lmb_trials_request request;
    lmb_history_request kept;
    lmb_trials *trials;
    lmb_history *history;    /* NULL: not kept */
    lmb_trial_row *expected; /* see lmb_history_request */
    void *user;
} lmb_study_work;

/* The study of a kind and a name of a model; NULL, with a message. */
const lmb_study *lmb_study_find(lmb_context *context, const lmb_model *model, lmb_study_kind kind,
                                const char *name);

/* Begins a study: compiles the model, finds the study and checks that its variables may be varied.
 * The arena is that of the results. End with lmb_study_end, also after a failure. */
lmb_status lmb_study_begin(lmb_study_work *work, lmb_context *context, lmb_arena *arena,
                           const lmb_spec *spec, lmb_study_kind kind,
                           const lmb_study_options *options);

/* The names of some objectives of the model, ended by NULL; NULL: out of memory. */
const char *const *lmb_study_names(lmb_study_work *work, int count, const int *objectives);

/* Opens trials and file, once it is known what the objectives are called. `slopes`: the variables
 * that gradients are by; NULL for the first so many. `total`: see lmb_trials_request. */
lmb_status lmb_study_open(lmb_study_work *work, int objective_count, const char *const *objectives,
                          int slope_count, const int *slopes, double total);

/* Runs the analyses of the model with values of the variables, or with its own (NULL), and keeps
 * the result in the file under a name. */
lmb_status lmb_study_keep_run(lmb_study_work *work, const char *name, const double *x);

/* Ends a study with a status so far: `finish` (or NULL) with its results, and the file is closed,
 * complete or to be resumed. */
lmb_status lmb_study_end(lmb_study_work *work, lmb_status status, lmb_study_finish *finish,
                         const void *results);

#endif
