/* What the files of `optimise` share. */
#ifndef LMB_STUDY_OPTIMISE_INTERNAL_H
#define LMB_STUDY_OPTIMISE_INTERNAL_H

#include "study/optimise.h"

/* One side of a limit: sign * (value - limit) / scale <= 0, or = 0. */
typedef struct lmb_bounded {
    int function; /* which of the objectives of the study */
    double sign, limit, scale;
    bool equal;
} lmb_bounded;

typedef struct lmb_optimising {
    lmb_study_work work;
    lmb_optimum *out;
    const lmb_minimise_method *method;
    int *functions;           /* objective_count: numbers of the objectives in the model */
    lmb_bounded *constraints; /* inequalities first */
    int inequality_count, equality_count;
    int *continuous, continuous_count; /* variables that are not chosen from a list */
    double *scales;                    /* objective_count */
} lmb_optimising;

/* One search: which objective, from where, with which further limit. */
typedef struct lmb_search {
    lmb_optimising *all;
    int number;
    int function;   /* that is minimised */
    double *start;  /* all variables; those with choices stay */
    double further; /* the limit of the other objective; NaN: none */
    lmb_search_end *end;
} lmb_search;

/* Makes searches, by all threads. */
void lmb_searches_run(lmb_optimising *all, lmb_search *searches, int count);

/* By how much a trial violates limits, as a part of them; INFINITY where it failed. */
double lmb_trial_violation(const lmb_optimising *all, const lmb_trial *trial);

/* The curve between two objectives. */
lmb_status lmb_tradeoff_find(lmb_optimising *all);

/* Limits, bounds and multipliers at the design that was found. */
lmb_status lmb_optimum_multipliers(lmb_optimising *all);

#endif
