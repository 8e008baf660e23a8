/* Meshes of beams along a line. */
#ifndef LMB_FE_BEAM_MESH_H
#define LMB_FE_BEAM_MESH_H

#include "base/message.h"
#include "fe/mesh.h"

/* A beam along the straight legs between points. */
typedef struct lmb_beam_line {
    const char *name;         /* for messages */
    int dimension;            /* 2: in the x-y plane, 3: in space */
    const vec3 *points;       /* at least two */
    const char *const *names; /* of the points: sets of one node; NULL, or one of them: none */
    int point_count;
    int elements; /* of all legs together, at least one each; more go where elements are longest */
    lmb_section section;
    lmb_material material;
} lmb_beam_line;

/* Makes the mesh; nodes are numbered from 1 along the beam. A last point at the place of the first
 * closes a ring. To be freed with lmb_arena_free(mesh->arena). */
lmb_status lmb_beam_mesh(lmb_mesh **out, lmb_context *context, const lmb_beam_line *line);

#endif
