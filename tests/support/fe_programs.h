/* Meshes for CalculiX, and stresses that it has computed. */
#ifndef TESTS_FE_PROGRAMS_H
#define TESTS_FE_PROGRAMS_H

#include "fe/mesh.h"

/* Whether the program `ccx` is there; prints a message if not. With the environment variable CI it
 * must be. */
bool has_ccx(void);

/* Writes nodes, elements, material and section of a mesh of hexahedra of 20 nodes, in units of
 * which `length` make 1 m and `mass` make 1 kg. */
void write_inp_mesh(const lmb_mesh *mesh, double length, double mass, const char *path);

/* Solves a mesh and the file with its loads; both are included in a deck. Returns the path of the
 * results. */
const char *solve_with_ccx(const char *name, const char *mesh, const char *loads);

/* The numbers of a node in a block of results, such as "STRESS" (xx yy zz xy yz zx), at the first
 * step. */
void read_frd(const char *path, const char *block, int node, double out[6]);

#endif
