/* Parameters with which a model comes nearest to a measurement:
 *
 *   minimise  S(p) = sum w_c (m_c(t_i; p) - y_ci)^2    over columns c and instants i
 *
 * by Levenberg's and Marquardt's method (math/least_squares.h), with the derivatives of the
 * channels over time that gradients know. With s^2 = S / (number of values - number of parameters)
 * the covariance of the parameters is s^2 (J^T W J)^-1: standard errors and correlations follow
 * from it, and mean something where the weights tell how good the columns are and the model is
 * right. */
#ifndef LMB_STUDY_FIT_H
#define LMB_STUDY_FIT_H

#include "math/least_squares.h"
#include "study/study.h"

typedef struct lmb_fit_series {
    const char *column, *channel, *unit;
    double weight;
    int count;              /* values that count */
    double *t, *y;          /* as measured, in SI units */
    double *before, *after; /* of the model there, with its own parameters and the fitted ones */
    double rms_before, rms_after; /* of the differences */
} lmb_fit_series;

typedef struct lmb_fitted {
    lmb_arena *arena;
    const char *name, *file; /* of the study, of the measurement */
    int variable_count;
    const char **variables;
    double *start, *x;     /* values in the model, and fitted */
    double *errors;        /* standard errors; 0 of those that are held, NaN: not known */
    double *correlations;  /* variable_count^2 */
    bool *held;            /* at a bound */
    double *lower, *upper; /* -+INFINITY: none */
    lmb_fit_series *series;
    int series_count, value_count;
    double start_sum, sum; /* S */
    lmb_least_squares_end end;
    int steps, run_count;
    bool told_apart;   /* the measurement tells all parameters apart; else: */
    double *direction; /* which combination it does not, in parts of the parameters */
    double *course;    /* S of each run, */
    int course_count;
} lmb_fitted;

/* Fits; free with lmb_fitted_free. */
lmb_status lmb_fit(lmb_fitted **out, lmb_context *context, lmb_spec *spec,
                   const lmb_study_options *options);
void lmb_fitted_free(lmb_fitted *fitted);

#endif
