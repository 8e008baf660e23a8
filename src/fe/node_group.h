/* Shape of a group of nodes: extents, covered area and fitted cylinder. */
#ifndef LMB_FE_NODE_GROUP_H
#define LMB_FE_NODE_GROUP_H

#include "fe/selection.h"

typedef struct lmb_node_group {
    int triangle_count; /* surface triangles with all nodes in the group */
    vec3 low, high;     /* extents of the nodes */
    vec3 centre;   /* centre of area of the triangles; without triangles the mean of the nodes */
    double radius; /* of the cylinder; 0 if the triangles do not go around an axis */
    double error;  /* rms distance of the nodes from the cylinder / radius */
    vec3 axis, middle; /* of the cylinder; `middle` is half-way between its ends */
} lmb_node_group;

/* Return true if the cylinder fits the nodes. */
static inline bool lmb_is_round(const lmb_node_group *group)
{
    return group->radius > 0 && group->error < 0.01;
}

/* Measures a group of nodes. */
lmb_status lmb_node_group_measure(lmb_node_group *out, lmb_context *context,
                                  const lmb_selectable *of, const int *nodes, int count);

#endif
