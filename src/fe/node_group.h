/* Shape of a group of nodes: their extents, the area that they cover, and the cylinder that fits
 * it. */
#ifndef LMB_FE_NODE_GROUP_H
#define LMB_FE_NODE_GROUP_H

#include "fe/selection.h"

typedef struct lmb_node_group {
    int triangle_count; /* of the surface, all of whose nodes are in the group */
    vec3 low, high;     /* extents of the nodes */
    vec3 centre;        /* of the area of the triangles; without any the mean of the nodes */
    double radius;      /* of the cylinder; 0: the triangles do not go around an axis */
    double error;       /* rms of the distances of nodes from it, over the radius */
    vec3 axis, middle;  /* of the cylinder: half-way between its ends */
} lmb_node_group;

/* Whether the cylinder fits. */
static inline bool lmb_is_round(const lmb_node_group *group)
{
    return group->radius > 0 && group->error < 0.01;
}

/* Measures a group of nodes. */
lmb_status lmb_node_group_measure(lmb_node_group *out, lmb_context *context,
                                  const lmb_selectable *of, const int *nodes, int count);

#endif
