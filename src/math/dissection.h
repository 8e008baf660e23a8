/* Orders of elimination that keep a sparse factorisation small: nested dissection by METIS. */
#ifndef LMB_MATH_DISSECTION_H
#define LMB_MATH_DISSECTION_H

#include <stdbool.h>

/* A graph: the neighbours of vertex i are neighbour[start[i]] ... neighbour[start[i+1]-1], each
 * edge from both ends; a vertex weighs as much as it has unknowns. */
typedef struct lmb_graph {
    int count;
    int *start, *neighbour, *weight;
} lmb_graph;

/* order[k] is the vertex that is eliminated as the k-th, place its inverse (`count` each). The same
 * graph gives the same order. A graph without edges is left as it is. false: out of memory. */
bool lmb_dissect(lmb_graph *graph, int *order, int *place);

#endif
