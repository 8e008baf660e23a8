/* The best design of a model: parameters within bounds, or from lists of choices, for which an
 * objective is least (or largest) while other objectives keep to their limits; or between two
 * objectives the curve of designs that cannot be better in both.
 *
 * Variables are scaled to their bounds, objectives to their values at the start. Where the model
 * cannot be run, the optimiser is told of a large value, so that it steps back.
 *
 * At the end the multipliers of the limits and bounds that are active follow by least squares from
 *
 *   df/dx + sum lambda_i dg_i/dx = 0,     lambda_i = - d(least f) / d(limit_i)
 *
 * What is left of it tells how well the design is known. */
#ifndef LMB_STUDY_OPTIMISE_H
#define LMB_STUDY_OPTIMISE_H

#include "math/minimise.h"
#include "study/study.h"

/* A limit, or the bound of a variable, at a design. */
typedef struct lmb_active {
    const char *name;
    double value, limit;
    char side; /* '<' at most, '>' at least, '=' equal */
    bool active;
    double multiplier; /* how much the objective would gain by a limit that is wider by 1; NaN: not
                          known */
} lmb_active;

/* What a search from one start came to. */
typedef struct lmb_search_end {
    lmb_minimise_end end;
    int trials;       /* that it asked for */
    double objective; /* of its best trial; NaN: all failed */
    double violation; /* of its limits, as a part of them; 0: all are kept */
    double *x;        /* of it, all variables */
    double *start;    /* where it began */
    double *values;   /* of all objectives of the study */
} lmb_search_end;

/* A point of a trade-off. */
typedef struct lmb_tradeoff_point {
    double *x;
    double objective[2];
    bool feasible;
} lmb_tradeoff_point;

typedef struct lmb_optimum {
    lmb_arena *arena;
    const char *name, *title; /* of the study, of the model */
    const char *method;
    bool maximise;
    int variable_count, objective_count; /* the objective(s) first, then those that are limited */
    const char **variables, **objectives;
    double *lower, *upper;         /* variable_count; of choices: the least and the largest */
    bool *choice;                  /* variable_count: it has choices */
    double *start, *x;             /* variable_count: design of the model, and the best */
    double *start_values, *values; /* objective_count */
    bool start_fails, feasible;
    double violation;
    lmb_active *limits, *bounds; /* bounds: those that are active */
    int limit_count, bound_count;
    double optimality; /* what is left of df/dx, as a part of the largest one; NaN: not known */
    lmb_search_end *searches;
    int search_count, best; /* the search that found it */
    lmb_tradeoff_point *curve;
    int curve_count;
    int trial_count, run_count, gradient_count, failure_count;
    /* of all trials, in the order in which they were asked for */
    double *trial_values; /* trial_count x (1 + objective_count + variable_count): search, ... */
    const char *last_failure; /* or NULL */
} lmb_optimum;

/* Finds it; free with lmb_optimum_free. */
lmb_status lmb_optimise(lmb_optimum **out, lmb_context *context, lmb_spec *spec,
                        const lmb_study_options *options);
void lmb_optimum_free(lmb_optimum *optimum);

#endif
