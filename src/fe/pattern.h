/* Degrees of freedom of a mesh and the pattern of its matrices: the inner side of assembly. */
#ifndef LMB_FE_PATTERN_H
#define LMB_FE_PATTERN_H

#include "fe/element.h"

/* Which nodes share an element, and where a block of two nodes is in the matrices: row m of node b
 * in column k of node a is at start[column] + place - k + m. */
typedef struct lmb_fe_pattern {
    int *first;     /* node_count + 1: first degree of freedom of each node */
    long *start;    /* node_count + 1: of the neighbours of each node */
    int *neighbour; /* ascending, from the node itself on; smaller ones are left out */
    int *place;
} lmb_fe_pattern;

/* Finds the neighbours and writes start and row of K and M. The pattern and the numbers of M are in
 * the scratch arena, the rest in the model's. False: out of memory, or too large for int. */
bool lmb_fe_pattern_make(lmb_fe_pattern *out, lmb_arena *scratch, lmb_fe_model *model);

/* Adds the matrices of all elements with a number of threads. False: out of memory. */
bool lmb_fe_add_elements(const lmb_fe_pattern *pattern, lmb_fe_model *model,
                         const lmb_element_tables *tables, int threads);

#endif
