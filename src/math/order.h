/* The order of elimination of a sparse symmetric matrix, by nested dissection. */
#ifndef LMB_MATH_ORDER_H
#define LMB_MATH_ORDER_H

#include <stdbool.h>

#include "math/symmetric.h"

/* Finds a place for each unknown (0 ... n-1) such that the factor of the matrix stays sparse.
 * Unknowns of one group (numbers from 0; the three displacements of a node, say) stay together and
 * only the graph of the groups is dissected, which is faster and no worse. NULL: each unknown is
 * its own group. The same matrix always gets the same order. False: out of memory.
 *
 * METIS draws its random numbers from rand(), which all threads share: call this from one thread
 * at a time. */
bool lmb_order(const lmb_symmetric *matrix, const int *group, int *place);

#endif
