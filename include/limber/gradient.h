/* Gradients: the objectives of a model and their derivatives by its parameters.
 *
 *   lmb_gradient *g;
 *   if (!lmb_gradient_find(&g, context, spec, NULL))
 *       printf("%s = %g\n", g->objectives[0], g->values[0]);
 *   lmb_gradient_free(g);
 *
 * They are the derivatives of the numbers that the program computes, not approximations of those of
 * the exact motion. */
#ifndef LIMBER_GRADIENT_H
#define LIMBER_GRADIENT_H

#include "limber/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How derivatives are found. */
typedef enum lmb_gradient_method {
    LMB_GRADIENT_AUTO,       /* direct where it is possible, else differences */
    LMB_GRADIENT_DIRECT,     /* changes of the motion are integrated along with it */
    LMB_GRADIENT_ADJOINT,    /* backwards in time, once for all parameters */
    LMB_GRADIENT_DIFFERENCES /* of runs at neighbouring values */
} lmb_gradient_method;

/* What becomes of the modes of flexible bodies that depend on a parameter. */
typedef enum lmb_gradient_basis {
    LMB_BASIS_MOVING, /* bodies are reduced anew at each value */
    LMB_BASIS_HELD    /* bodies keep the modes that they have in the model */
} lmb_gradient_basis;

/* What is asked for; one that is all zero asks for everything in the usual way. */
typedef struct lmb_gradient_request {
    const char *const *objectives; /* names, ended by NULL; NULL: all that the model lists */
    const char *const *parameters; /* names, ended by NULL; NULL: all that may be varied; an empty
                                      list: the values of the objectives alone */
    const double *sizes;           /* one for each of the parameters named: how large it is, where
                                      one is near 0; NULL: as its value */
    lmb_gradient_method method;    /* how derivatives are found */
    lmb_gradient_basis basis;      /* what becomes of modes */
    const char *integrator;        /* integrates in place of that of the model; NULL: none does */
    double step;                   /* the step of integration in s; 0: that of the model */
    double memory;  /* bytes that the adjoint method may keep of a motion; 0: 2 GB. Beyond that it
                       runs parts of the motion again */
    int jobs;       /* threads; 0: as many as there are processors. Numbers do not depend on it */
    bool histories; /* keep how expressions change over time, where the method knows it */
    const lmb_model *like; /* a model of the same file, which is taken over where it is the same, to
                              save time; or NULL */
} lmb_gradient_request;

/* The expressions of the objectives of an analysis at its instants, and their derivatives. */
typedef struct lmb_gradient_history {
    const char *analysis; /* its name */
    const char *over;     /* what `t` is: "mode", ...; NULL for time */
    const char **names;   /* count: the objectives */
    int count;            /* how many objectives there are */
    int points;           /* how many instants there are */
    double *t;            /* points: the instants */
    double *values;       /* points x (1 + parameter_count) x count: values, then the derivatives by
                             each parameter */
} lmb_gradient_history;

/* Objectives and their derivatives. */
typedef struct lmb_gradient {
    struct lmb_arena *arena;         /* owns all of it */
    int objective_count;             /* how many objectives there are */
    int parameter_count;             /* how many parameters there are */
    const char **objectives;         /* objective_count: names, in the order of the model */
    const char **parameters;         /* parameter_count: names */
    lmb_gradient_method *methods;    /* objective_count: the method used; LMB_GRADIENT_AUTO for one
                                        that is made of others */
    double *parameter_values;        /* parameter_count: where the derivatives are */
    double *values;                  /* objective_count */
    double *derivatives;             /* objective_count x parameter_count, one row per objective */
    lmb_gradient_history *histories; /* history_count: one per analysis that has some */
    int history_count;               /* 0 unless histories were asked for */
} lmb_gradient;

/* Finds the objectives and their derivatives; a request that is NULL asks for everything. */
LMB_API lmb_status lmb_gradient_find(lmb_gradient **out, lmb_context *context, const lmb_spec *spec,
                                     const lmb_gradient_request *request);

/* Frees a gradient, or does nothing with NULL. */
LMB_API void lmb_gradient_free(lmb_gradient *gradient);

/* Writes the histories to a result file: channels "sway" and "sway.by.k1" of each analysis. */
LMB_API lmb_status lmb_gradient_write(lmb_context *context, const lmb_gradient *gradient,
                                      const char *path);

/* How many changes of the parameters a check tries. */
#define LMB_CHECK_STEPS 5

/* A check of a gradient. All parameters are changed at once, by s times about a hundredth of each,
 * and what the gradient does not account for must fall with s^2. */
typedef struct lmb_gradient_check {
    struct lmb_arena *arena;   /* owns all of it */
    double s[LMB_CHECK_STEPS]; /* 1, 1/2, 1/4, ... */
    double *remainders;        /* objective_count x LMB_CHECK_STEPS: what is not accounted for */
    double *other; /* objective_count: the largest difference between direct and adjoint, as a part
                      of the largest term |dG/dp p|; NaN: not both are possible */
} lmb_gradient_check;

/* Checks a gradient that was found for a spec and a request. */
LMB_API lmb_status lmb_gradient_check_find(lmb_gradient_check **out, lmb_context *context,
                                           const lmb_spec *spec,
                                           const lmb_gradient_request *request,
                                           const lmb_gradient *gradient);

/* Frees a check, or does nothing with NULL. */
LMB_API void lmb_gradient_check_free(lmb_gradient_check *check);

#ifdef __cplusplus
}
#endif
#endif
