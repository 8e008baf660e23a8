/* Functions of a program that a model calls in its expressions: laws of forces and motions, sensors
 * and conditions of events.
 *
 *   static int pull(void *user, const double *x, double *value, double *gradient, double *hessian)
 *   {
 *       value[0] = -200 * x[0];
 *       return 0;
 *   }
 *
 *   lmb_spec_define(spec, context, &(lmb_function){"pull", 1, 1, 0, pull, NULL});
 *
 * lets the model say 'effort: pull(offset)'. */
#ifndef LIMBER_FUNCTION_H
#define LIMBER_FUNCTION_H

#include "limber/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of arguments of a function. */
#define LMB_FUNCTION_ARGUMENTS 12

/* Computes the values of a function for its arguments x and returns 0; another number where it has
 * no value: a step that needs it is tried again shorter, and fails in the end. Where gradient is
 * not NULL, it also puts the derivative of value r by x[i] at gradient[r * arguments + i], and
 * where hessian is not NULL the second derivative by x[i] and x[j] at
 * hessian[(r * arguments + i) * arguments + j]. The same arguments must give the same values while
 * a step is under way, since steps are repeated and tried; what changes from step to step is
 * changed between calls of the simulation or by its hooks. The simulation that calls it refuses
 * calls of its own. */
typedef int lmb_function_call(void *user, const double *x, double *value, double *gradient,
                              double *hessian);

/* A function as a model knows it. */
typedef struct lmb_function {
    const char *name;        /* by which expressions call it */
    int arguments;           /* numbers that it takes, up to LMB_FUNCTION_ARGUMENTS; a vector counts
                                as its components */
    int results;             /* 1, or 2 or 3 for a vector */
    int derivatives;         /* what it computes: 0 values, 1 gradients too, 2 second derivatives
                                too; the others are found by differences, to about 8 digits */
    lmb_function_call *call; /* threads that run models of one spec may call it at the same time */
    void *user;              /* is handed to it; must live as long as models of the spec */
} lmb_function;

/* Lets models that are compiled from a spec, and from copies of it, use a function; one of the same
 * name is replaced. */
LMB_API lmb_status lmb_spec_define(lmb_spec *spec, lmb_context *context,
                                   const lmb_function *function);

#ifdef __cplusplus
}
#endif
#endif
