/* Select nodes by geometry: cylinder, plane, box, or outer faces with a given normal. */
#ifndef LMB_FE_SELECTION_H
#define LMB_FE_SELECTION_H

#include "fe/mesh.h"

/* Default tolerance / diagonal of the box around the part */
#define LMB_SELECTION_TOLERANCE 1e-3

/* Surfaces and regions. A node is selected if it is in each used one, within the tolerance. */
typedef struct lmb_node_selection {
    lmb_place place; /* for messages */
    const char *name;
    double tolerance; /* 0: default */
    struct {
        bool used;
        vec3 axis, point;      /* `point` is the middle of `length` */
        double radius, length; /* length 0: infinite cylinder */
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

/* Candidate nodes and the triangles of the surface */
typedef struct lmb_selectable {
    const vec3 *x;
    vec3 origin; /* added to x */
    int count;
    const bool *there; /* count: true for nodes with an element; NULL if all have one */
    const int (*triangles)[3];
    int triangle_count;
} lmb_selectable;

/* Fill `out` with the surface of a mesh and its nodes with elements, in the arena. */
lmb_status lmb_selectable_of(lmb_selectable *out, lmb_context *context, lmb_arena *arena,
                             const lmb_mesh *mesh);

/* Lists the selected nodes in `nodes`, which has room for all. Fails if there are none. */
lmb_status lmb_select_nodes(const lmb_node_selection *selection, lmb_context *context,
                            const lmb_selectable *from, int *nodes, int *count);

#endif
