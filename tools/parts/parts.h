/* The parts of the Afterburner, a fairground ride, and the boom of a crane as finite element
 * meshes.
 *
 * clapper  a twelve-sided welded tube of 8 m with ribs inside and a flange with gussets at each
 *          end, 1200 kg. It lies along z from -8 m (surface `bearing`) to 0 (surface `pivot`).
 * hub      a drum with six arms and gondolas, 5000 kg, around z. Its bore (surface `bearing`) is at
 *          the origin, the ends of its arms are the surfaces `gondola1` ... `gondola6`.
 * boom     a box of plates of 12 m with bulkheads, 1.9 t. It lies along x from the foot (surface
 *          `foot`, at the origin) to the `head`; under it is the seat of the `ram`.
 *
 * Solid meshes are of steel and have cells not longer than `size` (m). The parts of the ride exist
 * as simple models of beams and point masses, too. All are freed with lmb_arena_free(mesh->arena).
 */
#ifndef LMB_PARTS_PARTS_H
#define LMB_PARTS_PARTS_H

#include "base/message.h"
#include "fe/mesh.h"

enum { PART_POINTS_MAX = 7 };

/* An interface point of a part, with the node set of the same name. */
typedef struct part_point {
    const char *name;
    vec3 position;
} part_point;

typedef struct part {
    const char *name;
    lmb_status (*solid)(lmb_mesh **out, lmb_context *context, lmb_element_kind kind, double size);
    lmb_status (*beams)(lmb_mesh **out, lmb_context *context, int elements); /* NULL: none */
    int point_count;
    part_point points[PART_POINTS_MAX];
} part;

extern const part part_clapper, part_hub, part_boom;

/* The part of a name, or NULL. */
const part *part_find(const char *name);

/* Writes a mesh for Gmsh (version 2.2, text): the solid as the physical volume of the mesh's name,
 * sets as physical surfaces where they are surfaces of elements. */
lmb_status part_write(const lmb_mesh *mesh, const char *name, const char *path,
                      lmb_context *context);

#endif
