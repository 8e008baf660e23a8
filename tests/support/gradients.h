/* Gradients of models for tests, with what `models.h` has. */
#ifndef TESTS_GRADIENTS_H
#define TESTS_GRADIENTS_H

#include "integrate/motion.h"
#include "models.h"
#include "study/gradient.h"

/* A five-bar linkage without its first bar r1 (points A and P1): the other bars, the joints, and
 * springs k1, L01 and k2, L02 from the ground to P2. */
#define FIVE_BAR_REST                                                                              \
    "  r2: {shape: {bar: {length: 'norm([0.5, 1])'}}, mass: 1.5, position: [0.75, 1.5],"           \
    " angle: 'atan2(1, 0.5)', points: {P1: ['-norm([0.5, 1])/2', 0], P2: ['norm([0.5, 1])/2', "    \
    "0]}}\n"                                                                                       \
    "  r3: {shape: {bar: {length: 'norm([1.5, 0.5])'}}, mass: 1.5, position: [1.75, 1.75],"        \
    " angle: 'atan2(-0.5, 1.5)',"                                                                  \
    " points: {P2: ['-norm([1.5, 0.5])/2', 0], P3: ['norm([1.5, 0.5])/2', 0]}}\n"                  \
    "  r4: {shape: {bar: {length: 'norm([0.5, 1.5])'}}, mass: 1, position: [2.75, 0.75],"          \
    " angle: 'atan2(-1.5, 0.5)',"                                                                  \
    " points: {P3: ['-norm([0.5, 1.5])/2', 0], B: ['norm([0.5, 1.5])/2', 0]}}\n"                   \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, between: [ground, r1.A]}\n"                                             \
    "  j1: {type: revolute, between: [r1.P1, r2.P1]}\n"                                            \
    "  j2: {type: revolute, between: [r2.P2, r3.P2]}\n"                                            \
    "  j3: {type: revolute, between: [r3.P3, r4.P3]}\n"                                            \
    "  B: {type: revolute, between: [[3, 0], r4.B]}\n"                                             \
    "forces:\n"                                                                                    \
    "  s1: {type: spring, between: [ground, r2.P2], stiffness: k1, length: L01}\n"                 \
    "  s2: {type: spring, between: [[3, 0], r2.P2], stiffness: k2, length: L02}\n"

/* The gradient of all objectives of a model by parameters "k c m" (NULL: all); the test fails if
 * there is none. Step 0: that of the model. */
lmb_gradient *gradient_of_text(const char *text, const char *parameters, lmb_gradient_method method,
                               double step);

/* The same of a specification, which stays the caller's; `integrator` may be NULL. */
lmb_gradient *gradient_of_spec(lmb_spec *spec, const char *parameters, lmb_gradient_method method,
                               const lmb_integrator *integrator, double step);

/* The value of an objective, and its derivative by a parameter (NULL: the value). */
double value_of(const lmb_gradient *g, const char *objective);
double slope_of(const lmb_gradient *g, const char *objective, const char *parameter);

/* The text of an example up to its section `analyses`, with another end; free it. */
char *example_text(const char *name, const char *end);

#endif
