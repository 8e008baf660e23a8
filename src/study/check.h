/* A check of gradients: Taylor's theorem, and one method against another.
 *
 * All parameters are changed at once, by s times a hundredth of each (with changing signs and
 * sizes), and what the gradient does not account for,
 *
 *   R(s) = | G(p + s d) - G(p) - s dG/dp d |
 *
 * must fall with s^2: to a quarter when s is halved. */
#ifndef LMB_STUDY_CHECK_H
#define LMB_STUDY_CHECK_H

#include "study/gradient.h"

enum { LMB_CHECK_STEPS = 5 };

typedef struct lmb_gradient_check {
    lmb_arena *arena;
    double s[LMB_CHECK_STEPS]; /* 1, 1/2, 1/4, ... */
    double *remainders;        /* objective_count x LMB_CHECK_STEPS */
    double *other; /* objective_count: the largest difference between direct and adjoint,
                      as a part of the largest term |dG/dp p|; NaN: not both are possible */
} lmb_gradient_check;

/* Checks a gradient that was found for a request. */
lmb_status lmb_gradient_check_find(lmb_gradient_check **out, lmb_context *context, lmb_spec *spec,
                                   const lmb_gradient_request *request,
                                   const lmb_gradient *gradient);
void lmb_gradient_check_free(lmb_gradient_check *check);

#endif
