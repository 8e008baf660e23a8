/* What the benches share: time, and models to measure. */
#ifndef LMB_BENCH_MEASURE_H
#define LMB_BENCH_MEASURE_H

#include <stdio.h>

#include "counting.h"
#include "limber/limber.h"

/* Seconds on a clock that only goes forward. */
double seconds(void);

/* A model compiled from a text or a file; ends the program if it is wrong. */
lmb_model *model_of_text(lmb_context *context, const char *text);
lmb_model *model_of_file(lmb_context *context, const char *path);

/* Writes a model: a chain along x of links of unit length on hinges about y and z by turns. */
void put_chain(FILE *file, int links);

/* Ends the program with the newest message. */
void give_up(const lmb_context *context);

#endif
