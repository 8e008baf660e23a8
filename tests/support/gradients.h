/* Gradients of models for tests, with what `models.h` has. */
#ifndef TESTS_GRADIENTS_H
#define TESTS_GRADIENTS_H

#include "integrate/motion.h"
#include "models.h"
#include "study/gradient.h"

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
