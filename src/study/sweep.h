/* Sweeps and tolerances: a model run at many values of its parameters.
 *
 * A sweep tabulates objectives over a grid, a list, a Latin hypercube or drawn samples. Each
 * sample is the same for any number of threads, and so are the results. What a variable does to an
 * objective is told by its least and largest mean over the values of that variable (its main
 * effect), or where values are drawn by a linear regression over all variables.
 *
 * Tolerances: to first order, with the gradient at the means of the variables,
 *
 *   sigma_G^2 = sum (dG/dp_i sigma_i)^2
 *
 * against the mean and the deviation of drawn samples, with the error that these have by chance,
 *
 *   of the mean s / sqrt(N),   of the deviation sqrt(m4 - s^4 (N - 3) / (N - 1)) / (2 s sqrt(N)) */
#ifndef LMB_STUDY_SWEEP_H
#define LMB_STUDY_SWEEP_H

#include "study/study.h"

/* What a variable does to an objective. */
typedef struct lmb_main_effect {
    double low, high;       /* the objective with the variable small and large (see above), */
    double at_low, at_high; /* and these values of it */
    double slope;           /* of the regression; NaN: there is none */
} lmb_main_effect;

/* Numbers of an objective over all samples that did not fail. */
typedef struct lmb_scatter {
    int count;
    double mean, deviation, least, largest, median, low, high; /* low, high: 2.5 and 97.5 % */
    double mean_error, deviation_error;
} lmb_scatter;

typedef struct lmb_swept {
    lmb_arena *arena;
    const char *name;
    const char *sampling; /* in words */
    int variable_count, objective_count, count;
    const char **variables, **objectives;
    bool listed;           /* a grid or list */
    double *x;             /* count x variable_count */
    double *values;        /* count x objective_count; NaN where it failed */
    const char **failures; /* count: NULL, or why */
    int failure_count, run_count;
    lmb_scatter *scatters;    /* objective_count */
    lmb_main_effect *effects; /* objective_count x variable_count */

    /* of tolerances */
    double *means, *deviations; /* variable_count */
    double *nominal;            /* objective_count: at the means */
    double *slopes;             /* objective_count x variable_count */
    double *budget;             /* objective_count: sigma_G to first order */
} lmb_swept;

/* Makes a sweep, or finds tolerances; free with lmb_swept_free. */
lmb_status lmb_sweep(lmb_swept **out, lmb_context *context, lmb_spec *spec,
                     const lmb_study_options *options);
lmb_status lmb_tolerance(lmb_swept **out, lmb_context *context, lmb_spec *spec,
                         const lmb_study_options *options);
void lmb_swept_free(lmb_swept *swept);

/* What the samples say of the objectives (sweep_statistics.c); LMB_SOLVER: out of memory. */
lmb_status lmb_swept_statistics(lmb_swept *swept, lmb_context *context);

#endif
