/* The least value of a function of some numbers between 0 and 1, under constraints, by the methods
 * of NLopt:
 *
 *   minimise f_0(x)   with   f_i(x) <= 0, i = 1 ... inequalities,   f_i(x) = 0 for those after them
 *
 * All functions are evaluated together, once for each x, with their derivatives where the method
 * uses these; slsqp may ask for these after the values, in a second call. */
#ifndef LMB_MATH_MINIMISE_H
#define LMB_MATH_MINIMISE_H

#include "limber/study.h"

typedef struct lmb_minimise_method {
    const char *name;
    const char *doc;  /* one sentence */
    bool derivatives; /* it uses them */
    bool global;      /* it looks at the whole of the box, from wherever it is started */
    int algorithm;    /* of NLopt, */
    bool inequalities, equalities; /* and what it knows itself of these; else they are added to f
                                      (augmented Lagrangian) */
} lmb_minimise_method;

/* All of them, ended by {0}; the first is the usual one. */
extern const lmb_minimise_method lmb_minimise_methods[];

/* Evaluates f (all functions) and, unless it is NULL, their derivatives (functions x n). Returns
 * false to stop. */
typedef bool lmb_minimise_function(void *user, const double *x, double *f, double *derivatives);

typedef struct lmb_minimise_task {
    int n, inequalities, equalities;
    lmb_minimise_function *evaluate;
    void *user;
    double tolerance; /* a change of all x below it ends the search */
    int most;         /* evaluations */
    unsigned seed;    /* of methods that draw numbers */
} lmb_minimise_task;

/* Goes from x, which becomes the best that was found. */
lmb_minimise_end lmb_minimise(const lmb_minimise_method *method, const lmb_minimise_task *task,
                              double *x);

#endif
