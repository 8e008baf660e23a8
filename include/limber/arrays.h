/* Flexible bodies of arrays that a program has: nodes, a stiffness and a mass matrix, sets of
 * nodes.
 *
 *   const lmb_array_set ends[] = {{"root", 1, (int[]){0}}, {"tip", 1, (int[]){20}}};
 *   lmb_spec_attach(spec, context, "bar", &(lmb_arrays){.nodes = 21, .x = x, .n = 126, .K = K,
 *                                                       .M = M, .sets = ends, .set_count = 2});
 *
 * lets a body of the model say 'arrays: bar' and its interfaces {node: root} and {node: tip}. */
#ifndef LIMBER_ARRAYS_H
#define LIMBER_ARRAYS_H

#include "limber/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sparse symmetric matrix, compressed by rows or, which is the same, by columns. Both triangles
 * are there and equal to 1e-8 of the size of their row and column. */
typedef struct lmb_sparse {
    const int *start;    /* rows + 1: where each row begins; NULL: there is no matrix */
    const int *index;    /* start[rows]: columns from 0, in any order, none twice in a row */
    const double *value; /* start[rows] */
} lmb_sparse;

/* A named set of nodes. */
typedef struct lmb_array_set {
    const char *name; /* what the model calls it */
    int count;        /* of its nodes */
    const int *nodes; /* count: from 0 */
} lmb_array_set;

/* Solid elements of one kind. */
typedef struct lmb_array_elements {
    const char *kind; /* "tet4", "tet10", "hex8" or "hex20" */
    int count;        /* of elements */
    const int *nodes; /* count x 4, 10, 8 or 20: their nodes from 0, in the order of Abaqus */
} lmb_array_elements;

/* A part. Either it has matrices, which need no elements but have stresses and are drawn with
 * them, or it has elements alone, whose matrices are then assembled. */
typedef struct lmb_arrays {
    int nodes;            /* how many */
    const double *x;      /* nodes x 3: where they are */
    const int *number;    /* nodes: by which the model knows them, from 1; NULL: 1, 2, 3, ... */
    int n;                /* degrees of freedom: rows of the matrices; 0: there are none */
    const int *node;      /* n: the node of each, from 0; NULL: the nodes one after the other, with
                             n / nodes directions each, 3 or 6 */
    const int *direction; /* n: and its direction: 0, 1, 2 along x, y, z and 3, 4, 5
                             about them; NULL with node */
    lmb_sparse K, M;      /* stiffness and mass */
    lmb_sparse C;         /* damping, or none */
    int set_count;        /* of named sets of nodes */
    const lmb_array_set *sets;          /* set_count */
    int element_count;                  /* of kinds of elements */
    const lmb_array_elements *elements; /* element_count */
} lmb_arrays;

/* Lets models that are compiled from a spec, and from copies of it, use arrays, which are checked
 * and copied; those of the same name are replaced. */
LMB_API lmb_status lmb_spec_attach(lmb_spec *spec, lmb_context *context, const char *name,
                                   const lmb_arrays *arrays);

#ifdef __cplusplus
}
#endif
#endif
