/* Sparse symmetric matrices: the lower triangle with the diagonal, by columns. */
#ifndef LMB_MATH_SYMMETRIC_H
#define LMB_MATH_SYMMETRIC_H

#include <stdbool.h>

#include "base/arena.h"

/* Column j has rows row[start[j]] ... row[start[j+1]-1], ascending, the first of them j itself
 * (the diagonal is always there, be it zero). */
typedef struct lmb_symmetric {
    int n;
    int *start; /* n + 1 */
    int *row;   /* start[n] */
    double *value;
} lmb_symmetric;

/* Room for a matrix of so many numbers, all zero; false: out of memory. */
bool lmb_symmetric_new(lmb_symmetric *out, lmb_arena *arena, int n, size_t entries);

/* y = A x */
void lmb_symmetric_multiply(const lmb_symmetric *matrix, const double *x, double *y);

/* The same for `count` vectors one after the other, reading the matrix once for eight of them. */
void lmb_symmetric_multiply_many(const lmb_symmetric *matrix, int count, const double *x,
                                 double *y);

/* y = |A| |x|: what rounding errors of A x are measured against. */
void lmb_symmetric_multiply_absolute(const lmb_symmetric *matrix, const double *x, double *y);

/* Vectors that are worked on together have the numbers of one place side by side: as many as fill a
 * line of the cache. Puts up to so many of n numbers so, zeros for those that are missing, and
 * takes them apart again. */
enum { LMB_TOGETHER = 8 };
void lmb_put_together(size_t n, int count, const double *x, double (*out)[LMB_TOGETHER]);
void lmb_take_apart(size_t n, int count, const double (*x)[LMB_TOGETHER], double *out);

/* One number of a matrix that comes in pieces. */
typedef struct lmb_triplet {
    int row, column;
    double value;
} lmb_triplet;

/* Makes a matrix of triplets in any order; those of one place are added up, those above the
 * diagonal are taken to the place below it. False: out of memory. */
bool lmb_symmetric_of_triplets(lmb_symmetric *out, lmb_arena *arena, int n,
                               const lmb_triplet *triplets, long count);

/* Makes a + factor b, with the places of both, new or, if `out` is such a sum already, in its
 * place. False: out of memory. */
bool lmb_symmetric_sum(lmb_symmetric *out, lmb_arena *arena, const lmb_symmetric *a, double factor,
                       const lmb_symmetric *b);

/* Copy the rows and columns i with place[i] >= 0 to the rows and columns place[i], ascending, of a
 * matrix of size n; its further columns are empty. Returns false if memory runs out. */
bool lmb_symmetric_restrict(lmb_symmetric *out, lmb_arena *arena, const lmb_symmetric *a,
                            const int *place, int n);

/* Makes a copy without the places off the diagonal that are zero. False: out of memory. */
bool lmb_symmetric_without_zeros(lmb_symmetric *out, lmb_arena *arena, const lmb_symmetric *a);

#endif
