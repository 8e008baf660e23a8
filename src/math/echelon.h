/* Independent rows and columns of a sparse matrix.
 *
 * Rows are taken one after the other. What is left of a row x after those taken before,
 *
 *   x -= x[c_k] p_k,   k in the order in which they were taken,   p_k[c_k] = 1
 *
 * has a pivot c if it is larger than a part of the row; p = x / x[c] is then taken too. Rows
 * without a pivot are sums of others. The columns of all pivots make a regular square matrix, and
 * the other columns are as many as the matrix has null vectors. A pivot is at least half of the
 * largest number that is left, so that no p has a number above 2. */
#ifndef LMB_MATH_ECHELON_H
#define LMB_MATH_ECHELON_H

#include <stdbool.h>

#include "base/arena.h"

/* Rows of a sparse matrix: row i has the places start[i] ... start[i+1]-1. */
typedef struct lmb_sparse_rows {
    int rows, columns;
    int *start, *column;
    double *value;
} lmb_sparse_rows;

typedef struct lmb_echelon lmb_echelon;

/* No rows yet; it lives in the arena. NULL: out of memory. */
lmb_echelon *lmb_echelon_new(lmb_arena *arena, int columns);

/* Takes one row; its pivot, or -1 if what is left of it is at most `least` of it. False: out of
 * memory. */
bool lmb_echelon_add(lmb_echelon *echelon, const lmb_sparse_rows *of, int row, double least,
                     int *pivot);

/* Takes all rows, in an order that keeps them sparse: first those with a column that no other one
 * of the rest has. pivot (rows) is that of each. Returns how many have one, -1: out of memory. */
int lmb_echelon_add_all(lmb_echelon *echelon, const lmb_sparse_rows *rows, double least,
                        int *pivot);

/* From now on rows without a pivot mark (rows of the matrix) themselves and those that they are a
 * sum of; a part of the row in this sum that is at most `least` does not count. Before the first
 * row. */
void lmb_echelon_mark_sums(lmb_echelon *echelon, bool *mark, double least);

/* The rest of a null vector, of which the numbers of columns without a pivot are given. */
void lmb_echelon_null_vector(const lmb_echelon *echelon, double *v);

/* Whether a column has a pivot. */
bool lmb_echelon_has_pivot(const lmb_echelon *echelon, int column);

/* From now on the size of a row is that of what the rows until here leave of it. */
void lmb_echelon_measure_from_here(lmb_echelon *echelon);

#endif
