/* Trials of a study: the objectives of a model at values of some of its parameters, with or without
 * their gradients, in memory, by several threads at once. All trials are kept, so that one that is
 * asked for again, or was made before the study was interrupted, is not run again. */
#ifndef LMB_STUDY_TRIALS_H
#define LMB_STUDY_TRIALS_H

#include "base/workers.h"
#include "study/gradient.h"

typedef struct lmb_trial {
    int number;          /* from 1, in the order in which they ended */
    int search;          /* which one asked for it */
    double *x;           /* variable_count: values of the parameters */
    double *values;      /* objective_count; NaN where it failed */
    double *derivatives; /* objective_count x slope_count; NULL: they are not known */
    const char *failure; /* why the model could not be run there; NULL: it could */
} lmb_trial;

typedef struct lmb_trials lmb_trials;

/* What is tried. Names must outlive the trials. */
typedef struct lmb_trials_request {
    const char *what;             /* the study, for the progress */
    int variable_count;           /* parameters, */
    const char *const *variables; /* by name */
    int slope_count;              /* those that gradients are by: */
    const char *const *slopes;    /* names, ended by NULL, */
    const double *sizes;          /* and how large they are (lmb_gradient_request); or NULL */
    lmb_gradient_method method;   /* of gradients */
    int objective_count;
    const char *const *objectives; /* names, ended by NULL */
    int jobs;                      /* threads; 0: as many as there are processors */
    double total; /* trials that there will be about, for the progress; 0: nobody knows */
} lmb_trials_request;

/* Takes a trial that has ended, one at a time; its status ends the study. */
typedef lmb_status lmb_trial_taker(void *user, const lmb_trial *trial);

/* For a spec, whose model is the base: its reduced bodies are shared where nothing changes. Free
 * with lmb_trials_free. Progress of the context may be asked for by any of the threads. */
lmb_status lmb_trials_new(lmb_trials **out, lmb_context *context, const lmb_spec *spec,
                          const lmb_model *base, const lmb_trials_request *request);
void lmb_trials_free(lmb_trials *trials);

/* Who is told of new trials. */
void lmb_trials_on_end(lmb_trials *trials, lmb_trial_taker *taker, void *user);

/* Adds one that is known already; NULL: out of memory. The taker is not told. */
lmb_trial *lmb_trials_add(lmb_trials *trials, const double *x, const double *values,
                          const double *derivatives, const char *failure, int search);

/* Return the known trial at these values, or NULL if there is none (with `gradient`: none with
 * derivatives). The caller must exclude other threads. */
const lmb_trial *lmb_trials_find(const lmb_trials *trials, const double *x, bool gradient);

/* Runs the model with these values, or finds the trial; NULL: the study is to stop (interrupted,
 * out of memory, a file that cannot be written), whose reason lmb_trials_status has. Any thread of
 * a job of lmb_trials_share may call this, and otherwise one thread. */
const lmb_trial *lmb_trials_run(lmb_trials *trials, int search, const double *x, bool gradient);

/* The two halves of that for studies that make more of a run than values: a gradient of a request
 * (whose `like` is set here), to be freed, at values of the variables; NULL where the model cannot
 * be run, with the reason, or without one where the study is to stop. And a trial that came of it.
 */
lmb_gradient *lmb_trials_gradient(lmb_trials *trials, const double *x,
                                  const lmb_gradient_request *request, const char **failure);
const lmb_trial *lmb_trials_record(lmb_trials *trials, int search, const double *x,
                                   const double *values, const double *derivatives,
                                   const char *failure);

/* Calls function(data, part) for all parts by all threads; parts are not begun once the study is to
 * stop. */
void lmb_trials_share(lmb_trials *trials, lmb_work *function, void *data, int parts);

/* Lets the study stop, and tells why it is to; LMB_OK: it is not. */
void lmb_trials_stop(lmb_trials *trials, lmb_status status);
lmb_status lmb_trials_status(lmb_trials *trials);

/* All trials so far, in the order of their numbers; how many of them were run, not known before,
 * and how many of these with a gradient. */
int lmb_trials_count(const lmb_trials *trials);
const lmb_trial *lmb_trials_at(const lmb_trials *trials, int i);
int lmb_trials_runs(const lmb_trials *trials);
int lmb_trials_gradients(const lmb_trials *trials);

#endif
