/* Divide and conquer for linear equations whose matrix is a sum of small blocks: A = sum of A_b,
 * each block with few rows and columns, as that of a body with its joints.
 *
 * Blocks are joined along a tree. An unknown is *closed* (eliminated) as soon as all blocks that
 * have it are inside; what is left of the joined blocks is a smaller block of the unknowns that are
 * still open, its *contribution*:
 *
 *   front = sum of its own blocks and of the contributions of its children
 *         = [ A11 A12 ]  k closed unknowns      contribution = A22 - A21 A11^-1 A12
 *           [ A21 A22 ]  n - k open ones
 *
 * A solution goes up the tree (what the right side does to the open unknowns) and down again. The
 * cost is that of the fronts: linear in the number of blocks for chains and trees.
 *
 * The tree comes from nested dissection of the graph of *groups*, unknowns that always occur
 * together, and depends on the pattern alone; so does the order of all sums, whoever works on them.
 * Pivots are chosen within A11; a front whose A11 is too nearly singular is joined to its
 * parent, where other blocks may help. */
#ifndef LMB_MATH_FRONTS_H
#define LMB_MATH_FRONTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/pack.h"
#include "base/workers.h"

/* Where the numbers of a block belong. Those of all blocks stand one after the other, each by
 * columns; of a definite matrix the lower triangle is read, with the unknowns of the block in the
 * order that `lmb_fronts_new` leaves them in. The unknowns of a block are different ones. */
typedef struct lmb_front_block {
    int *rows, *columns; /* unknowns; the same array where they are the same */
    int row_count, column_count;
} lmb_front_block;

typedef struct lmb_front_matrix {
    int n;
    const int *group; /* n: 0 to group_count - 1 */
    int group_count;
    lmb_front_block *blocks;
    int block_count;
    bool definite; /* symmetric and positive; all blocks have rows = columns */
} lmb_front_matrix;

typedef struct lmb_fronts lmb_fronts;

/* Finds the tree. Sorts the unknowns of each block by their elimination; arrays and blocks must
 * outlive the solver. NULL: out of memory. */
lmb_fronts *lmb_fronts_new(const lmb_front_matrix *matrix);
void lmb_fronts_free(lmb_fronts *fronts);

/* Predict the work of a factorisation in multiplications, with some for overhead. */
double lmb_fronts_work(const lmb_fronts *fronts);

/* Factorises the numbers of all blocks. With `scale` (n; not of a definite matrix) it is D A D that
 * is factorised, so that entries are of like size where pivots are chosen; NULL: D = 1. false:
 * singular, out of memory, or a definite matrix is not. Large trees are shared by the workers
 * (NULL: none), whose number does not change a digit. */
bool lmb_fronts_factor(lmb_fronts *fronts, const double *values, const double *scale,
                       lmb_workers *workers);

/* b becomes x: A x = b, or A^T x = b. */
void lmb_fronts_solve(lmb_fronts *fronts, double *b, lmb_workers *workers);
void lmb_fronts_solve_transposed(lmb_fronts *fronts, double *b, lmb_workers *workers);

/* Smallest over largest pivot, and the sign of the determinant. */
double lmb_fronts_condition(const lmb_fronts *fronts);
int lmb_fronts_sign(const lmb_fronts *fronts);

/* Saves which fronts have been joined, or joins them again. */
void lmb_fronts_pack(lmb_fronts *fronts, lmb_pack *pack);

#endif
