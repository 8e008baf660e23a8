/* What tests of flexible bodies share: a strip of steel as a model, runs of the program, files. */
#ifndef TESTS_STRIP_H
#define TESTS_STRIP_H

#include <stdbool.h>
#include <stddef.h>

#include "program.h"

/* Writes a model of a strip 1 m long, 20 mm wide, 10 mm high, in 20 elements, with interface points
 * A and B at its ends; `more` are further keys of the body. It has the parameters L and omega.
 * Returns the path. */
const char *strip_model(const char *name, int dimension, const char *more);

/* Reduces a model into a file; whether it came from the cache. */
bool reduce_cached(const char *model, const char *options, const char *out);

/* Removes the cache of the models of this test. */
void forget_cache(void);

/* The numbers after the n-th (from 0) occurrence of a key; returns how many. */
int numbers_of(const char *json, const char *key, int n, double *out, int most);

/* Fails unless a run ended well; or with a code and a piece of a message. */
void assert_runs(const lmb_run_result *run);
void expect(lmb_run_result run, int code, const char *piece);

void write_text(const char *path, const char *text);

/* All of a file, to be freed. */
char *read_bytes(const char *path, size_t *size);
void assert_same_bytes(const char *a, const char *b);

#endif
