/* Studies of models for tests, with what `models.h` has; what fails fails the test. */
#ifndef TESTS_STUDIES_H
#define TESTS_STUDIES_H

#include "models.h"
#include "study/fit.h"
#include "study/optimise.h"
#include "study/sweep.h"

/* A text as a file of the test's own folder, in which files that it names are; "name=value
 * name=value" are other parameters (NULL: none). */
lmb_spec *study_spec(const char *text, const char *settings);

/* Makes the study of a name (NULL: the only one) by one thread, without a file. */
lmb_optimum *optimum_of(const char *text, const char *study, const char *settings);
lmb_fitted *fit_of(const char *text, const char *study, const char *settings);
lmb_swept *sweep_of(const char *text, const char *study, const char *settings);
lmb_swept *tolerance_of(const char *text, const char *study, const char *settings);

/* What was found: a variable of the design; an objective at it (NULL: the one that is minimised).
 */
double design_of(const lmb_optimum *optimum, const char *variable);
double best_of(const lmb_optimum *optimum, const char *objective);

/* A limit of an objective, or the active bound of a variable; NULL: there is none. */
const lmb_active *limit_of(const lmb_optimum *optimum, const char *name);
const lmb_active *bound_of(const lmb_optimum *optimum, const char *name);

/* A fitted parameter: its number. */
int unknown_of(const lmb_fitted *fitted, const char *variable);

/* How many warnings the context has, and whether one of its messages contains a piece. */
int warning_count(void);
bool was_said(const char *piece);

/* Removes the errors G - G(h) = c1 h^p1 + c2 h^p2 + ... from numbers with the steps h, h/2, h/4,
 * ...: one power after the other. */
double extrapolated(int count, const double *values, const int *powers);

#endif
