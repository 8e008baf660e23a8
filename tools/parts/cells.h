/* Cells of solids on a grid of half cells, where all middle nodes are grid points, too. */
#ifndef LMB_PARTS_CELLS_H
#define LMB_PARTS_CELLS_H

#include <stdbool.h>

#include "fe/mesh.h"

typedef struct part_cells {
    lmb_mesh *mesh;
    lmb_element_kind kind;
    int points[3]; /* of the grid of half cells; the second direction may close in itself */
    int *node;     /* of such a point, -1: none yet */
    /* where a corner is */
    vec3 (*place)(const void *data, const int point[3]);
    const void *data;
} part_cells;

/* Makes room in the mesh for so many cells and one material; false: out of memory. The mesh, its
 * arena, the kind and the points are given. */
bool part_cells_room(part_cells *cells, size_t count);

/* The node of a point. */
int *part_cells_node(const part_cells *cells, const int point[3]);

/* Adds a cell as one hexahedron or six tetrahedra. Middle nodes are in the middle of straight
 * edges. */
void part_cells_add(part_cells *cells, const int cell[3]);

#endif
