/* Write meshes for CalculiX, run it and read its stresses. */
#ifndef TESTS_FE_PROGRAMS_H
#define TESTS_FE_PROGRAMS_H

#include "fe/mesh.h"

/* Return true if the program `ccx` is installed; print a message if not. If the environment
 * variable CI is set, its absence is a failure. */
bool has_ccx(void);

/* Write nodes, elements, material and section of a mesh of 20-node hexahedra. 1 m is `length` and 1
 * kg is `mass` units of the file. */
void write_inp_mesh(const lmb_mesh *mesh, double length, double mass, const char *path);

/* Run CalculiX on a deck that includes the mesh file and the file of loads. Returns the path of the
 * results. */
const char *solve_with_ccx(const char *name, const char *mesh, const char *loads);

/* Read the values of a node in a result block, such as "STRESS" (xx yy zz xy yz zx), at the first
 * step. */
void read_frd(const char *path, const char *block, int node, double out[6]);

#endif
