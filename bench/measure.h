/* Shared by the benches: time, and models to measure. */
#ifndef LMB_BENCH_MEASURE_H
#define LMB_BENCH_MEASURE_H

#include <stdbool.h>

#include "counting.h"
#include "limber/limber.h"

/* Seconds of a monotonic clock. */
double seconds(void);

/* A model compiled from a text or a file, with a parameter changed unless it is NULL; ends the
 * program on errors. */
lmb_model *model_of_text(lmb_context *context, const char *text);
lmb_model *model_of_file(lmb_context *context, const char *path, const char *parameter,
                         const char *value);

/* A chain along x of links of unit length on hinges j1, j2, ... alternately about y and z, with
 * more sections after them. */
lmb_model *model_of_chain(lmb_context *context, int links, const char *more);

/* The environment variable BENCH_STEPS: how many steps or instants each case is measured over,
 * once and in small models only, to count instructions (scripts/instructions); 0 if it is not set.
 */
int fixed_count(void);

/* Advances a motion over `count` equal intervals from one time to another; returns the seconds it
 * took. Nothing else is measured, so that instructions are counted in here. */
double measured(lmb_context *context, const char *name, lmb_status advance(void *motion, double t),
                void *motion, double from, double to, int count);

/* Measures and prints the time per step of generalized-alpha (s); frees the model. The motion is
 * divided into rounds, of which the fastest counts: other programs disturb. One round: all of the
 * motion; else three. */
double step_time(lmb_context *context, const char *name, lmb_model *model, double step, int count);
double step_time_of(lmb_context *context, const char *name, lmb_model *model, double step,
                    int count, int rounds);

/* Whether a case is selected: all without arguments, else those whose name contains the first
 * one. */
bool wanted(int count, char **words, const char *name);

/* Ends the program with the last message. */
void give_up(const lmb_context *context);

#endif
