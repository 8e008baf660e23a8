/* What the benches share: time, and counting allocations. */
#ifndef LMB_BENCH_MEASURE_H
#define LMB_BENCH_MEASURE_H

#include "limber/limber.h"

/* Seconds on a clock that only goes forward. */
double seconds(void);

/* How often memory was allocated so far in this process. */
unsigned long allocations(void);

/* A model compiled from a text or a file; ends the program if it is wrong. */
lmb_model *model_of_text(lmb_context *context, const char *text);
lmb_model *model_of_file(lmb_context *context, const char *path);

/* Ends the program with the newest message. */
void give_up(const lmb_context *context);

#endif
