/* Meshes for tests of finite elements, and their solution with dense matrices. */
#ifndef LMB_TESTS_MESHES_H
#define LMB_TESTS_MESHES_H

#include "fe/element.h"

/* Where a point of the box is to be. */
typedef vec3 mapping(vec3 x);

/* A box 0 <= x <= size, meshed with cells[i] cells along each axis, each of them one hexahedron or
 * six tetrahedra. Corners are moved by the mapping (NULL: not); middle nodes are in the middle of
 * straight edges. Freed with lmb_arena_free(mesh->arena). */
lmb_mesh *box_mesh(lmb_element_kind kind, const int cells[3], vec3 size, lmb_material material,
                   mapping *map);

/* The model of a mesh; the test fails if there is none. */
lmb_fe_model *model_of(const lmb_mesh *mesh);

/* Marks the degrees of freedom in given directions (bits) of the nodes that a question picks. */
typedef bool node_question(vec3 x);
void fix(const lmb_fe_model *model, node_question *where, unsigned directions, bool *fixed);

/* u of K u = f, with u given where it is fixed; f is as given. */
void solve(const lmb_fe_model *model, const bool *fixed, const double *f, double *u);

/* The lowest frequencies in Hz, and their modes (n a mode, NULL: not needed). */
void frequencies(const lmb_fe_model *model, const bool *fixed, int count, double *hz,
                 double *modes);

#endif
