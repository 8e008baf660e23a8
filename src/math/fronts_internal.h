/* What the files of `fronts` share. */
#ifndef LMB_MATH_FRONTS_INTERNAL_H
#define LMB_MATH_FRONTS_INTERNAL_H

#include "math/fronts.h"

/* The elimination by groups: group order[i] is the i-th; what it leaves open are groups too, by
 * their places in the order. */
typedef struct lmb_elimination {
    int count;
    int *order, *place;
    int *parent;       /* of the i-th: the first group that it leaves open, or -1 */
    int *start, *open; /* of the i-th: open[start[i]] ... open[start[i+1]-1], ascending */
    int *first, *list; /* group g has the unknowns list[first[g]] ... list[first[g+1]-1] */
    bool *joined;      /* the i-th is closed in the front of its parent */
} lmb_elimination;

/* One front. Its closed unknowns are neighbours in the order of elimination. Its matrix is kept in
 * three pieces, all by columns: the panel (A11 above A21, n x k), which becomes L with U11, the
 * right (A12, k x open; not of a definite matrix), which becomes U12, and the contribution (A22).
 */
typedef struct lmb_front {
    int first, closed;          /* its closed unknowns: their places in the elimination, */
    int size;                   /* and how many unknowns it has in all */
    int open;                   /* where its open unknowns start in `open` and `above` */
    int leader;                 /* the last of its groups: place in the elimination */
    int parent, child, sibling; /* fronts, or -1; children in ascending order */
    int block, block_count;     /* its blocks: a range of the sorted ones */
    size_t factor;              /* where its panel starts, the right behind it, */
    size_t contribution;        /* and its contribution */
} lmb_front;

struct lmb_fronts {
    lmb_arena *arena;
    lmb_front_matrix matrix;
    lmb_elimination elimination;
    int *position; /* n: places of the unknowns in the elimination */

    lmb_arena *layout; /* made anew when fronts are joined: all that follows */
    lmb_front *fronts; /* children before parents */
    int front_count;
    int *open;     /* of all fronts: places of open unknowns in the elimination, */
    int *above;    /* and in the parent's front */
    int *sorted;   /* block_count: blocks by fronts */
    size_t *value; /* block_count: where the numbers of a block start */
    int *local,
        *start;     /* of block b: places of its rows, then columns, in its front, from start[b]; */
    bool *straight; /* whether its rows and columns are neighbours there, in this order */
    int *part, part_count; /* subtrees of like cost, [part[2 p], part[2 p + 1]); */
    int *top, top_count;   /* the fronts above them */
    double *factors, *stack;
    int *pivots;          /* n: row exchanged with each closed unknown, in its front */
    double *contribution; /* of right sides: one number an open unknown */
    double *work;         /* n: a right side in the order of elimination */
    double *extremes;     /* per front: smallest and largest pivot */
    int *signs;           /* per front: of its determinant; 0: singular */
    bool scaled;          /* D is not 1: */
    double *D;            /* n: by elimination, */
    double *scale;        /* and of the rows and columns of blocks, as `local` has them */
    size_t factor_numbers, stack_numbers;
};

/* Orders the groups and finds what each leaves open; false: out of memory. */
bool lmb_fronts_eliminate(lmb_fronts *fronts);

/* Lays fronts, blocks and memory out; false: out of memory. */
bool lmb_fronts_lay_out(lmb_fronts *fronts);

/* Kernels: elimination of the first k of n unknowns.
 *
 * Cholesky: the panel becomes L with the inverse of its diagonal, and `rest`, the lower triangle of
 * A22, the contribution; false: not positive. LU with exchanges within the first k rows: 0: too
 * nearly singular, else the sign of the determinant of A11; `last` allows any pivot that is not 0.
 */
bool lmb_front_cholesky(double *panel, double *rest, int n, int k);
int lmb_front_lu(double *panel, double *right, double *rest, int n, int k, int *pivot, bool last);

#endif
