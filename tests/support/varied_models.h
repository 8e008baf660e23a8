/* Texts of models whose numbers become parameters, for gradients of generated models. */
#ifndef TESTS_VARIED_MODELS_H
#define TESTS_VARIED_MODELS_H

#include <stdint.h>

enum { MOST_VARIED = 64 };

/* A number of a model: its kind is "section.key", for the rate of a law "section.rate". Its
 * parameter is named q0, q1, ... */
typedef struct varied_number {
    char kind[48], name[8];
    double value;
} varied_number;

/* Replaces one number of each kind by a parameter, `most` numbers at most, drawn from a seed.
 * Numbers that the structure of a model depends on (elements, modes, instants) stay. The text has
 * one entry per line, and no section `parameters`. Returns the new text; free it. */
char *vary_numbers(const char *text, uint64_t seed, int most, varied_number *out, int *count);

#endif
