/* The facets of a mesh as they are drawn: smooth where it is round, with edges where it is sharp.
 *
 * A node where facets meet at an angle becomes several vertices, each with a normal of its own. The
 * lines of beams become tubes, whose vertices go with the nodes at their ends. */
#ifndef LMB_EXPORT_FACETS_H
#define LMB_EXPORT_FACETS_H

#include "export/scene.h"

typedef struct lmb_facets {
    int vertex_count, triangle_count, edge_count;
    int *node;      /* vertex: of the mesh */
    vec3 *offset;   /* vertex: from its node, in body axes */
    int *triangles; /* triangle x 3 vertices */
    int *edges;     /* edge x 2 vertices */
    bool closed;    /* it has an inside, which nobody sees */
} lmb_facets;

/* The facets of a body; lines get a radius. They live in the arena. False: out of memory. */
bool lmb_facets_of(lmb_facets *out, lmb_arena *arena, const lmb_scene_body *body, double radius);

#endif
