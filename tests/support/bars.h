/* Bars of solids for tests of flexible bodies in models: their meshes as files, and runs. */
#ifndef TESTS_BARS_H
#define TESTS_BARS_H

#include <stdio.h>

#include "fe/mesh.h"
#include "limber/limber.h"

/* Write the nodes and elements of a mesh of 20-node hexahedra as Abaqus keywords. 1 m is `length`
 * units of the file. CalculiX reads 20 characters of a number, so `digits` is at most 12. */
void put_inp_elements(FILE *out, const lmb_mesh *mesh, double length, int digits);

/* Writes a mesh of hexahedra of 20 nodes as an .inp file with the node sets `root` (x = 0) and
 * `end` (x = length). */
void write_bar(const lmb_mesh *mesh, double length, const char *path);

/* Writes a model, runs it with the built program (which must succeed) and opens the result. */
lmb_result *run_text(lmb_context *context, const char *name, const char *format, ...)
    LMB_PRINTF(3, 4);

/* What the last run printed to the standard error. */
const char *last_messages(void);

/* The (first) number of a channel at the last instant. */
double final_of(lmb_context *context, lmb_result *result, const char *channel);

/* A whole channel; the test fails if there is none. */
lmb_series series_of(lmb_context *context, lmb_result *result, const char *channel);

#endif
