/* Studies of a model: the best design, parameters fitted to a measurement, sweeps and tolerances,
 * as the section `studies` of its file describes them.
 *
 *   lmb_optimum *best;
 *   if (!lmb_optimise(&best, context, spec, NULL))
 *       printf("%s = %g\n", best->variables[0], best->x[0]);
 *   lmb_optimum_free(best);
 *
 * A study runs the model many times, by several threads; its numbers do not depend on how many
 * there are. The progress function of the context stops it. Results own their numbers and names;
 * after a failure there are none. */
#ifndef LIMBER_STUDY_H
#define LIMBER_STUDY_H

#include "limber/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a study is made; one that is all zero makes the only study of its type in the usual way. */
typedef struct lmb_study_options {
    const char *name; /* of the study; NULL: the only one of its type */
    const char *path; /* of a result file that keeps all trials as they end, and in the end what a
                         report shows; NULL: it is not kept */
    bool resume;      /* go on with the study at `path` that was interrupted or killed */
    int jobs;         /* threads; 0: as many as there are processors */
    bool unshown;     /* no whole runs of the model before and after are kept for the report */
    const lmb_model *model; /* compiled from the spec as it is, to save time; or NULL */
} lmb_study_options;

/* --- the best design -------------------------------------------------------------------------- */

/* A limit of an objective, or the bound of a variable, at a design. */
typedef struct lmb_active {
    const char *name;  /* of the objective or variable */
    double value;      /* what it is */
    double limit;      /* what it may be, */
    char side;         /* '<' at most, '>' at least, '=' equal */
    bool active;       /* it is there */
    double multiplier; /* how much the objective would gain by a limit that is wider by 1; NaN: not
                          known */
} lmb_active;

/* How a search for a minimum ends. */
typedef enum lmb_minimise_end {
    LMB_MINIMISE_CONVERGED, /* steps have become small */
    LMB_MINIMISE_STUCK,     /* by rounding: as near as the numbers allow */
    LMB_MINIMISE_LIMIT,     /* as many evaluations as allowed */
    LMB_MINIMISE_STOPPED,   /* by the function */
    LMB_MINIMISE_FAILED     /* out of memory, or refused */
} lmb_minimise_end;

/* What a search from one start came to. */
typedef struct lmb_search_end {
    lmb_minimise_end end; /* how it ended */
    int trials;           /* that it asked for */
    double objective;     /* of its best trial; NaN: all failed */
    double violation;     /* of its limits, as a part of them; 0: all are kept */
    double *x;            /* variable_count: of it */
    double *start;        /* variable_count: where it began */
    double *values;       /* objective_count: of it */
} lmb_search_end;

/* A design of a trade-off between two objectives, which cannot be better in both. */
typedef struct lmb_tradeoff_point {
    double *x;           /* variable_count: the design */
    double objective[2]; /* its objectives */
    bool feasible;       /* it keeps to all limits */
} lmb_tradeoff_point;

/* The best design. */
typedef struct lmb_optimum {
    struct lmb_arena *arena;       /* owns all of it */
    const char *name;              /* of the study */
    const char *title;             /* of the model */
    const char *method;            /* that has searched */
    bool maximise;                 /* the objective is to be large */
    int variable_count;            /* how many variables there are */
    int objective_count;           /* how many: the one or two to minimise first, then others that
                                      are limited */
    const char **variables;        /* variable_count: names of parameters */
    const char **objectives;       /* objective_count: names */
    double *lower, *upper;         /* variable_count: bounds; of choices: the least and largest */
    bool *choice;                  /* variable_count: it has choices */
    double *start, *x;             /* variable_count: design of the model, and the best */
    double *start_values, *values; /* objective_count: there */
    bool start_fails;              /* the model cannot be run with its own design */
    bool feasible;                 /* the best design keeps to all limits, */
    double violation;              /* or violates one by this part of it */
    lmb_active *limits, *bounds;   /* all limits; bounds that are active */
    int limit_count, bound_count;  /* how many there are */
    double optimality;         /* what is left of the gradient, as a part of the largest one; NaN:
                                  not known */
    lmb_search_end *searches;  /* search_count: from all starts */
    int search_count;          /* how many there were */
    int best;                  /* the search that found the design, from 0 */
    lmb_tradeoff_point *curve; /* curve_count: between two objectives */
    int curve_count;           /* 0 for one objective */
    int trial_count;           /* designs that were tried, */
    int run_count;             /* those of them that were run now, not known before, */
    int gradient_count;        /* with a gradient, */
    int failure_count;         /* and that failed */
    double *trial_values;      /* trial_count x (1 + objective_count + variable_count), in the order
                                  in which they ended: number of the search, objectives (NaN where
                                  it failed), design */
    const char *last_failure;  /* why the last one failed; NULL: none did */
} lmb_optimum;

/* Finds the best design of a study of type optimise; options may be NULL. */
LMB_API lmb_status lmb_optimise(lmb_optimum **out, lmb_context *context, const lmb_spec *spec,
                                const lmb_study_options *options);

/* Frees it, or does nothing with NULL. */
LMB_API void lmb_optimum_free(lmb_optimum *optimum);

/* --- parameters from a measurement ------------------------------------------------------------ */

/* A column of the measurement with the channel of the model that it is compared with. */
typedef struct lmb_fit_series {
    const char *column;           /* of the measurement */
    const char *channel;          /* of the model */
    const char *unit;             /* of both, or "" */
    double weight;                /* of its squares */
    int count;                    /* values that count */
    double *t, *y;                /* count: instants (s) and what was measured, in SI units */
    double *before, *after;       /* count: of the model there, with its own parameters and the
                                     fitted ones */
    double rms_before, rms_after; /* of the differences */
} lmb_fit_series;

/* How a search for the least sum of squares ends. */
typedef enum lmb_least_squares_end {
    LMB_SQUARES_CONVERGED, /* steps have become small */
    LMB_SQUARES_LIMIT,     /* as many steps as allowed */
    LMB_SQUARES_STOPPED,   /* by the function */
    LMB_SQUARES_FAILED     /* no residuals at the start, or out of memory */
} lmb_least_squares_end;

/* Fitted parameters. */
typedef struct lmb_fitted {
    struct lmb_arena *arena;   /* owns all of it */
    const char *name;          /* of the study */
    const char *file;          /* of the measurement */
    int variable_count;        /* how many parameters there are */
    const char **variables;    /* variable_count: names */
    double *start, *x;         /* variable_count: values in the model, and fitted */
    double *errors;            /* variable_count: standard errors; 0 of those that are held, NaN:
                                  not known */
    double *correlations;      /* variable_count x variable_count */
    bool *held;                /* variable_count: at a bound */
    double *lower, *upper;     /* variable_count: bounds; -+INFINITY: none */
    lmb_fit_series *series;    /* series_count: the columns */
    int series_count;          /* how many there are */
    int value_count;           /* values that count, of all columns */
    double start_sum, sum;     /* weighted squares of the differences, before and after */
    lmb_least_squares_end end; /* how it ended: converged or at the limit */
    int steps;                 /* how many it took */
    int run_count;             /* how often the model was run */
    bool told_apart;           /* the measurement tells all parameters apart; else: */
    double *direction;         /* variable_count: which combination it does not, in parts of them */
    double *course;            /* course_count: the sum of each run */
    int course_count;          /* how many there are */
} lmb_fitted;

/* Fits parameters by a study of type fit; options may be NULL. */
LMB_API lmb_status lmb_fit(lmb_fitted **out, lmb_context *context, const lmb_spec *spec,
                           const lmb_study_options *options);

/* Frees them, or does nothing with NULL. */
LMB_API void lmb_fitted_free(lmb_fitted *fitted);

/* --- sweeps and tolerances -------------------------------------------------------------------- */

/* What a variable does to an objective: its least and largest mean over the values of the variable,
 * or where values are drawn a linear regression over all variables. */
typedef struct lmb_main_effect {
    double low, high;       /* the objective with the variable small and large, */
    double at_low, at_high; /* and these values of it */
    double slope;           /* of the regression; NaN: there is none */
} lmb_main_effect;

/* Numbers of an objective over all samples that did not fail. */
typedef struct lmb_scatter {
    int count;              /* samples */
    double mean;            /* of them */
    double deviation;       /* standard deviation */
    double least, largest;  /* of all */
    double median;          /* half of them are below */
    double low, high;       /* 2.5 and 97.5 % of them are below */
    double mean_error;      /* standard error of the mean */
    double deviation_error; /* standard error of the deviation */
} lmb_scatter;

/* A model run at many values of its parameters. */
typedef struct lmb_swept {
    struct lmb_arena *arena;  /* owns all of it */
    const char *name;         /* of the study */
    const char *sampling;     /* "grid", "list", "Latin hypercube", "Monte Carlo" */
    int variable_count;       /* how many parameters are varied */
    int objective_count;      /* how many objectives there are */
    int count;                /* samples */
    const char **variables;   /* variable_count: names */
    const char **objectives;  /* objective_count: names */
    bool listed;              /* a grid or list */
    double *x;                /* count x variable_count */
    double *values;           /* count x objective_count; NaN where it failed */
    const char **failures;    /* count: NULL, or why it failed */
    int failure_count;        /* how many did */
    int run_count;            /* how often the model was run now, not known before */
    lmb_scatter *scatters;    /* objective_count; NULL without samples */
    lmb_main_effect *effects; /* objective_count x variable_count; NULL without samples */

    /* of tolerances, zeros else */
    double *means, *deviations; /* variable_count: of the variables */
    double *nominal;            /* objective_count: at the means */
    double *slopes;             /* objective_count x variable_count: derivatives there */
    double *budget;             /* objective_count: standard deviation to first order */
} lmb_swept;

/* Runs a study of type sweep; options may be NULL. */
LMB_API lmb_status lmb_sweep(lmb_swept **out, lmb_context *context, const lmb_spec *spec,
                             const lmb_study_options *options);

/* Finds how results scatter with parameters, by a study of type tolerance; options may be NULL. */
LMB_API lmb_status lmb_tolerance(lmb_swept **out, lmb_context *context, const lmb_spec *spec,
                                 const lmb_study_options *options);

/* Frees either, or does nothing with NULL. */
LMB_API void lmb_swept_free(lmb_swept *swept);

#ifdef __cplusplus
}
#endif
#endif
