/* Frameworks: beams with sections of their own that share nodes.
 *
 * A member runs along some of the nodes; between two of them, its span, it is straight and has the
 * same number of elements. Where members share a node, it is rigid: they have its displacement and
 * its rotation in common. Members that only cross are not joined. */
#ifndef LMB_FE_FRAMEWORK_H
#define LMB_FE_FRAMEWORK_H

#include "fe/mesh.h"

typedef struct lmb_framework_member {
    const char *name;
    int *nodes; /* node_count: from one to the next; if the last is the first, it is a ring */
    int node_count;
    int elements; /* of each span */
    lmb_section section;
    lmb_material material;
} lmb_framework_member;

typedef struct lmb_framework {
    const char *name; /* for messages */
    int dimension;    /* 2: in the x-y plane, 3: in space */
    vec3 *points;     /* node_count */
    const char **names;
    int node_count;
    lmb_framework_member *members;
    int member_count;
} lmb_framework;

/* The length of a span of a member, counted from 0. */
double lmb_framework_span(const lmb_framework *framework, int member, int span);

/* Makes the mesh. Its first nodes are those of the framework, each a set of one node with its name;
 * those within the spans follow. The nodes of a member, in the order along it, are a set with its
 * name. Every node must belong to a member, and every span have a length. To be freed with
 * lmb_arena_free(mesh->arena). */
lmb_status lmb_framework_mesh(lmb_mesh **out, lmb_context *context, const lmb_framework *framework);

/* The part of a framework that each node belongs to, counted from 0; returns how many parts there
 * are. A node without members is a part of its own. */
int lmb_framework_parts(const lmb_framework *framework, int *part);

#endif
