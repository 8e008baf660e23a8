/* Models at nearby values of a parameter, for tests. */
#ifndef TESTS_NEIGHBOURS_H
#define TESTS_NEIGHBOURS_H

#include "bodies/modal.h"
#include "system/model.h"

/* A model with a parameter set to a value, as a neighbour of a base unless that is NULL. */
lmb_model *model_at(const char *text, const char *parameter, double value, const lmb_model *base);

/* The modal constants of a body. */
const lmb_modal *modal_in(const lmb_model *model, int body);

/* Puts a body of a model into the basis Psi T. */
void change_basis(lmb_model *model, int body, const double *T);

#endif
