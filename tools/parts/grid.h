/* Solid parts made of cells of a grid around the z axis.
 *
 * The grid has lines along a radius, around the axis and along the axis. Breaks divide it into
 * blocks, each filled with cells or empty; the part maps points of the grid to space.
 * Neighbouring blocks share their nodes, so the mesh is always conforming. */
#ifndef LMB_PARTS_GRID_H
#define LMB_PARTS_GRID_H

#include <stdbool.h>

#include "base/message.h"
#include "fe/mesh.h"

enum { PART_RADIUS, PART_SECTOR, PART_HEIGHT, PART_BREAKS_MAX = 48, PART_LINES_MAX = 4096 };

/* A direction of the grid: values at the breaks, and how long the pieces between them are. */
typedef struct part_breaks {
    double value[PART_BREAKS_MAX];
    double length[PART_BREAKS_MAX]; /* m: of the piece after the break */
    int count;
} part_breaks;

/* Adds a break; the length is that of the piece before it. */
void part_break(part_breaks *breaks, double value, double length);

typedef struct part_grid {
    const char *name;
    part_breaks breaks[3]; /* radius, sector (the last break is the first one again), height */
    const void *data;
    /* whether a block, given by its pieces, is filled */
    bool (*filled)(const void *data, const int piece[3]);
    vec3 (*place)(const void *data, const double at[3]);
    /* surfaces by name: whether a point of the grid is in a set */
    const char *const *set_names;
    int set_count;
    bool (*inside)(const void *data, int set, const double at[3]);
} part_grid;

/* Meshes a grid with cells not longer than `size`, each one hexahedron or six tetrahedra. Middle
 * nodes are in the middle of straight edges. To be freed with lmb_arena_free(mesh->arena). */
lmb_status part_mesh(lmb_mesh **out, lmb_context *context, const part_grid *grid,
                     lmb_element_kind kind, double size);

#endif
