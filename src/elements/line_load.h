/* A load per length on a part of an exact beam, as loads on its nodes.
 *
 *   integral of f(s) . dx ds  =  sum over nodes of dx_i . sum_k w_k N_i(s_k) f(s_k)
 *
 * s is the undeformed arc length, f a force or a moment (then dx is a turn), N_i the shape
 * functions and s_k, w_k the points and weights of Gauss, one more than the order of an element
 * (of order 3 as many), in the part of each element that bears the load. So the shares of a load
 * that varies linearly are exact, and force and moment about any point of a load that keeps its
 * direction are those of the integral, whatever the deformation.
 *
 * A load that turns with the sections is turned with the nodes: R_i stands before the sum, not
 * R(s_k) in it. This replaces R^T dx by its interpolation through the nodes. Their error in an
 * element is a polynomial of degree p + 1 that vanishes at the Gauss-Lobatto points, orthogonal to
 * those of degree p - 2, times derivatives of f and x: integrated it is of order 2 p, as that of
 * the element itself. And no node depends on the turn of another one.
 *
 * A load that begins or ends inside of an element is integrated as exactly, but shear forces then
 * have a kink there, which the element cannot follow: the order is 2 p or p + 2, whichever is less.
 */
#ifndef LMB_ELEMENTS_LINE_LOAD_H
#define LMB_ELEMENTS_LINE_LOAD_H

#include "elements/exact_beam.h"

/* A point of Gauss of the load. */
typedef struct lmb_line_point {
    double s;  /* arc length */
    mat3 axes; /* of the section there, in those of the nodes */
} lmb_line_point;

/* What a node has of the load at a point. */
typedef struct lmb_line_share {
    int point;
    double weight; /* w N_i */
} lmb_line_share;

typedef struct lmb_line_load {
    int node_count, point_count;
    int *nodes;  /* node_count: numbers of those that bear a part of it */
    int *shares; /* node_count + 1: where those of a node start */
    lmb_line_share *share;
    lmb_line_point *points; /* point_count */
} lmb_line_load;

/* The load from one arc length to another one, 0 <= from < to <= length; NULL: out of memory. */
const lmb_line_load *lmb_line_load_new(const lmb_exact_beam *beam, double from, double to,
                                       lmb_arena *arena);

#endif
