/* Gradients: the objectives of a model and their derivatives by its parameters.
 *
 * They are the derivatives of the numbers that the program computes, not approximations of those of
 * the exact motion:
 *
 *   direct        the changes of the motion with each parameter are integrated along with it, by
 *                 the linearised step (integrate/step_tangent.h)
 *   adjoint       the linearised steps backwards in time, once per objective for all parameters
 *   differences   the analysis is repeated with the neighbouring models (study/neighbours.h), with
 *                 the steps of the first run where the integrator is an implicit one
 *
 * Positions, equilibria, modes and prescribed motions are found to rounding in each neighbour, so
 * that differences are as exact there as anything else; the other methods are for dynamics with
 * generalized-alpha, hht, newmark and ali3p; the last of them has an adjoint where its projections
 * do not contain derivatives of forces (integrate/ali3p_tangent.h). */
#ifndef LMB_STUDY_GRADIENT_H
#define LMB_STUDY_GRADIENT_H

#include "study/neighbours.h"

typedef enum lmb_gradient_method {
    LMB_GRADIENT_AUTO, /* direct where it is possible; adjoint with many parameters */
    LMB_GRADIENT_DIRECT,
    LMB_GRADIENT_ADJOINT,
    LMB_GRADIENT_DIFFERENCES
} lmb_gradient_method;

/* The words for them, in that order, ended by NULL. */
extern const char *const lmb_gradient_methods[];

/* The words for how modes depend on parameters, in the order of lmb_neighbour_basis, ended by NULL.
 */
extern const char *const lmb_gradient_bases[];

typedef struct lmb_gradient_request {
    const char *const *objectives; /* names, ended by NULL; NULL: all */
    const char *const *parameters; /* names, ended by NULL; NULL: all that may be varied; none: the
                                      objectives alone */
    const double *sizes; /* of the parameters that are named: how large they are, where one is
                            near 0; NULL: as their values */
    lmb_gradient_method method;
    lmb_integration_choice integration;
    double memory; /* bytes that the adjoint method may keep of a motion; 0: 2 GB */
    lmb_neighbour_basis basis;
    int jobs;              /* threads that compile and run neighbours; below 2: one */
    bool histories;        /* the changes over time are kept, where the method knows them */
    const lmb_model *like; /* a model of the same file, whose bodies are taken over where they are
                              the same; or NULL */
} lmb_gradient_request;

/* The expressions of the objectives of an analysis at its points, and their derivatives by all
 * parameters there. */
typedef struct lmb_gradient_history {
    const char *analysis, *over; /* over: NULL for time */
    const char **names;          /* count: of the objectives */
    int count;
    int points;
    double *t;      /* points */
    double *values; /* points x (1 + parameter_count) x count: values, then derivatives */
} lmb_gradient_history;

typedef struct lmb_gradient {
    lmb_arena *arena;
    int objective_count, parameter_count;
    const char **objectives, **parameters;
    lmb_gradient_method *methods; /* of each objective; combined ones: AUTO */
    double *parameter_values;
    double *values;      /* objective_count */
    double *derivatives; /* objective_count x parameter_count, by objectives */
    lmb_gradient_history *histories;
    int history_count;
} lmb_gradient;

/* Finds them; free with lmb_gradient_free. */
lmb_status lmb_gradient_find(lmb_gradient **out, lmb_context *context, lmb_spec *spec,
                             const lmb_gradient_request *request);
void lmb_gradient_free(lmb_gradient *gradient);

/* Writes the histories to a result file: channels "sway" and "sway.by.k1" of each analysis. */
lmb_status lmb_gradient_write(lmb_context *context, const lmb_gradient *gradient, const char *path);

#endif
