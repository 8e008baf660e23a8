/* The surface of the solids of a mesh, as triangles for drawing. */
#ifndef LMB_FE_SURFACE_H
#define LMB_FE_SURFACE_H

#include "base/message.h"
#include "fe/mesh.h"

typedef struct lmb_surface {
    int triangle_count, node_count;
    int (*triangles)[3]; /* nodes of the mesh, counterclockwise seen from outside */
    int *element;        /* triangle_count: the element behind it */
    int *nodes;          /* node_count: nodes of the mesh on the surface, ascending */
} lmb_surface;

/* Finds the faces that belong to one element only. Linear faces give 1 or 2 triangles, quadratic
 * ones 4 (of a tetrahedron) or 6 (of a hexahedron). */
lmb_status lmb_surface_of(lmb_surface *out, lmb_arena *arena, lmb_context *context,
                          const lmb_mesh *mesh);

#endif
