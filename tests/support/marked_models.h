/* Models whose first lines say what the program must make of them:
 *
 *     #! exit: 3
 *     #! expect: 12:18: error: there is no joint type 'revolut'
 *     #! expect: did you mean 'revolute'?
 *     #! value: slider.position.x = 0.6*cos(3.3) within 1e-9
 *
 * Each expected piece must occur in the messages, in this order; a value is that of a channel at
 * the last instant. */
#ifndef TESTS_MARKED_MODELS_H
#define TESTS_MARKED_MODELS_H

#include <stdbool.h>

#include "program.h"

/* Fails if the messages are those of a broken program, or a signal has ended it. */
void check_healthy(const char *name, const lmb_run_result *run);

/* Runs a model into a result and compares exit code and messages. Fails if nothing is expected and
 * `quiet` is false. */
void check_marked_model(const char *path, const char *result, bool quiet);

/* Compares values of the result with those that the model states; returns how many. */
int check_marked_values(const char *path, const char *result);

/* Calls a function with the path of each model of a folder, of which there must be so many. */
void for_each_model(const char *folder, int least, void (*check)(const char *path));

#endif
