/* Orders of elimination that keep a sparse factorisation small. */
#ifndef LMB_MATH_DISSECTION_H
#define LMB_MATH_DISSECTION_H

#include <stdbool.h>

/* A graph: the neighbours of vertex i are neighbour[start[i]] ... neighbour[start[i+1]-1], each
 * edge from both ends; a vertex weighs as much as it has unknowns. */
typedef struct lmb_graph {
    int count;
    int *start, *neighbour, *weight;
} lmb_graph;

/* Nested dissection by METIS: order[k] is the vertex that is eliminated as the k-th, place its
 * inverse (`count` each). The same graph gives the same order. A graph without edges is left as it
 * is. false: out of memory. */
bool lmb_dissect(lmb_graph *graph, int *order, int *place);

/* The graph is cut `levels` times into halves that only a separator joins, and so on; the parts,
 * which do not depend on each other, come first, each in the order of least degree (CAMD), then
 * the separators. With no level it is the order of least degree alone, which suits chains best. */
bool lmb_dissect_parts(lmb_graph *graph, int levels, int *order, int *place);

#endif
