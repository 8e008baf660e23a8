/* A finite element model: stiffness, mass and damping of degrees of freedom at nodes.
 *
 * It is assembled from a mesh or read from files of another program; whatever comes
 * after it, reduction above all, does not care which. */
#ifndef LMB_FE_FE_MODEL_H
#define LMB_FE_FE_MODEL_H

#include "fe/mesh.h"
#include "math/symmetric.h"

/* Directions of a degree of freedom. */
enum { LMB_UX, LMB_UY, LMB_UZ, LMB_RX, LMB_RY, LMB_RZ, LMB_DIRECTIONS };

typedef struct lmb_fe_model {
    lmb_arena *arena;
    int dimension;
    int n;                      /* degrees of freedom */
    int node_count;             /* nodes that have some, and others */
    vec3 *x;                    /* node_count */
    int *number;                /* node_count: numbers in the file */
    int (*dof)[LMB_DIRECTIONS]; /* node_count: degree of freedom of each direction, -1: there is
                                   none (a solid node has no rotations; a constrained one was
                                   eliminated) */
    int *node;                  /* n: node of each degree of freedom */
    signed char *direction;     /* n: and its direction */
    lmb_symmetric K, M, C;      /* each with a pattern of its own; C.start is NULL where there is no
                                   damping matrix */
    const lmb_mesh *mesh;       /* elements for stresses and drawing; NULL if there are none */
    bool assembled;             /* K and M are those of the elements of the mesh */
} lmb_fe_model;

/* Makes the model of a mesh, which must outlive it. A node has the degrees of freedom that its
 * elements give it: solids translations, beams rotations, too; a point mass adds none. A node
 * without elements has none. They are numbered node by node. K and M share their pattern. To be
 * freed with lmb_arena_free(model->arena). The number of threads, 0: as many as seem good, makes no
 * difference to the result. */
lmb_status lmb_fe_assemble(lmb_fe_model **out, lmb_context *context, const lmb_mesh *mesh,
                           int threads);

#endif
