/* Reading bytes as a mesh. */
#ifndef TESTS_FUZZ_FUZZ_MESH_H
#define TESTS_FUZZ_FUZZ_MESH_H

#include "fuzz.h"

/* Reads a mesh of the format that a name has, and finds its surface. */
void fuzz_mesh(const char *name, const uint8_t *data, size_t size);

#endif
