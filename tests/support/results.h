/* Examples run through the program, and the channels of their results. */
#ifndef TESTS_RESULTS_H
#define TESTS_RESULTS_H

#include "limber/limber.h"

/* Runs an example with more words (such as --set L=2) and opens its result, which the functions
 * below read; no warning may come. */
void run_example(const char *name, const char *settings);

/* The numbers of a channel; free them with lmb_series_free. */
lmb_series series(const char *channel);

/* Of a channel with one number: the last one, and the largest size up to a time. */
double last_of(const char *channel);
double largest(const char *channel, double until);

/* For cmocka: before the first and after the last test. */
int open_results(void **unused);
int close_results(void **unused);

#endif
