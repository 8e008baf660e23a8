/* Modes of neighbours: the same body reduced at two nearby values of a parameter.
 *
 * The modes Psi' of a neighbour differ from the modes Psi of a base by their signs, by rotations
 * among modes of one frequency, by their order, and by a smooth change. Combined by T, the modes
 *
 *   Psi' T,   T = argmin | W (Psi' T - Psi) |
 *
 * are those of the neighbour that are nearest to Psi, node by node in the body frames (W: rotations
 * count with the size of the body), and depend smoothly on the parameter. The neighbour's own modal
 * coordinates are T eta. */
#ifndef LMB_REDUCTION_ALIGN_H
#define LMB_REDUCTION_ALIGN_H

#include "reduction/body_data.h"

/* Whether the shapes are the same to the bit: then T is 1. Counts of modes and nodes must agree. */
bool lmb_same_shapes(const lmb_reduced *a, const lmb_reduced *b);

/* T (modes x modes, by columns), and the sine of the largest principal angle between the two spaces
 * of shapes. Counts of modes and nodes must agree. */
lmb_status lmb_align_find(double *T, double *sine, lmb_context *context,
                          const lmb_reduced *neighbour, const lmb_reduced *base);

/* A copy of a reduced body with the modes Psi T; what does not depend on the modes is shared with
 * the original. NULL: out of memory. `frequency` stays that of its own modes. */
lmb_body_data *lmb_body_data_in_basis(lmb_arena *arena, const lmb_body_data *data, const double *T);

/* Arrays of modes in the basis Psi T: `width` numbers for each mode, or for each pair of modes.
 * NULL: out of memory, or the array is NULL. */
double *lmb_in_basis(lmb_arena *arena, size_t width, int modes, const double *array,
                     const double *T);
double *lmb_pairs_in_basis(lmb_arena *arena, size_t width, int modes, const double *array,
                           const double *T);

#endif
