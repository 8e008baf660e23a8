/* Selections of nodes by geometry: a cylinder, a plane, a box, outer faces of a direction. */
#ifndef LMB_FE_SELECTION_H
#define LMB_FE_SELECTION_H

#include "fe/mesh.h"

/* Default tolerance over the size of the part (the diagonal of the box around it). */
#define LMB_SELECTION_TOLERANCE 1e-3

/* Surfaces and regions; a selected node is in all that are used, within the tolerance. */
typedef struct lmb_node_selection {
    lmb_place place; /* for messages */
    const char *name;
    double tolerance; /* 0: the default */
    struct {
        bool used;
        vec3 axis, point;      /* the point is in the middle of the length */
        double radius, length; /* of no end if the length is 0 */
    } cylinder;
    struct {
        bool used;
        vec3 point, normal;
    } plane;
    struct {
        bool used;
        vec3 from, to;
    } box;
    struct {
        bool used;
        vec3 normal;
        double angle;
    } faces;
} lmb_node_selection;

/* Nodes to select from, and the triangles of the surface. */
typedef struct lmb_selectable {
    const vec3 *x;
    vec3 origin; /* added to x */
    int count;
    const bool *there; /* count: nodes with an element; NULL: all */
    const int (*triangles)[3];
    int triangle_count;
} lmb_selectable;

/* Adds the surface of a mesh and its nodes with elements, in the arena. */
lmb_status lmb_selectable_of(lmb_selectable *out, lmb_context *context, lmb_arena *arena,
                             const lmb_mesh *mesh);

/* Lists the selected nodes in `nodes`, which has room for all. Fails if there are none. */
lmb_status lmb_select_nodes(const lmb_node_selection *selection, lmb_context *context,
                            const lmb_selectable *from, int *nodes, int *count);

#endif
