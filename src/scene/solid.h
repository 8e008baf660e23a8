/* Solids as triangles: boxes, cylinders, tubes, spheres and links, added to one mesh. */
#ifndef LMB_SCENE_SOLID_H
#define LMB_SCENE_SOLID_H

#include <stdbool.h>

#include "base/arena.h"
#include "math/vec.h"

typedef struct lmb_solid_mesh {
    int node_count, triangle_count;
    float *nodes;   /* node x 3 */
    int *triangles; /* triangle x 3, counterclockwise seen from outside */
} lmb_solid_mesh;

/* Each adds to the mesh, which grows in the arena as long as that has memory. Solids are centred,
 * those that are round along the axis 0 (x), 1 or 2. */
void lmb_solid_box(lmb_solid_mesh *mesh, lmb_arena *arena, vec3 size);
void lmb_solid_tube(lmb_solid_mesh *mesh, lmb_arena *arena, double outer, double inner,
                    double length, int axis);
void lmb_solid_sphere(lmb_solid_mesh *mesh, lmb_arena *arena, vec3 centre, double radius);

/* A bar with a square section from one point to another. */
void lmb_solid_link(lmb_solid_mesh *mesh, lmb_arena *arena, vec3 from, vec3 to, double thickness);

#endif
