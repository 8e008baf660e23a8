/* Whether two models are the same to the last bit. */
#ifndef TESTS_SAME_MODEL_H
#define TESTS_SAME_MODEL_H

#include <stdbool.h>

#include "system/model.h"

/* All numbers of a model, the names of what it has, and its equations, energies, channels and
 * objectives at some instants in a state that shows all terms. */
typedef struct model_numbers {
    double *at;
    size_t count, room;
} model_numbers;

/* Free with free_numbers. The context takes messages of channels. */
model_numbers numbers_of_model(lmb_context *context, const lmb_model *model);
void free_numbers(model_numbers *numbers);

/* The first number that differs, or -1. */
long first_difference(const model_numbers *a, const model_numbers *b);

#endif
