/* What the fuzz targets share. A target is a function that reads some bytes as a file of its kind.
 * libFuzzer makes up such bytes (`make fuzz`), and the test `corpora` runs those that are kept in
 * corpus/NAME. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "limber/context.h"

/* Opens the definition of a target: under the name of libFuzzer, or for the program of all corpora
 * under its own. */
#ifdef FUZZ_CORPORA
#define FUZZ_FUNCTION(name) fuzz_##name
#else
#define FUZZ_FUNCTION(name) LLVMFuzzerTestOneInput
#endif
#define FUZZ_TARGET(name)                                                                          \
    int FUZZ_FUNCTION(name)(const uint8_t *data, size_t size);                                     \
    int FUZZ_FUNCTION(name)(const uint8_t *data, size_t size)

/* A context whose computations are stopped at the progress call of a number. */
lmb_context *fuzz_context(int calls);

/* Ends a context: a failure must have been explained by an error, and a success have none. */
void fuzz_end(lmb_context *context, lmb_status status);

/* The path of a file in memory of a name, with some bytes. */
const char *fuzz_file(const char *name, const void *data, size_t size);

/* The same on the disk. */
const char *fuzz_disk_file(const char *name, const void *data, size_t size);

/* The next part of an input of several files, up to a line "====" or the end. */
size_t fuzz_part(const uint8_t **data, size_t *size, const uint8_t **part);

/* A copy of bytes with a zero behind them, to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

#endif
