/* Solvers of linear equations with a fixed sparsity pattern and changing numbers.
 *
 * Life cycle: create (symbolic) -> factor, as often as the numbers change -> solve. The kinds are
 * tables behind one interface; lmb_linear_new picks one by size and fill. Neither factor (after the
 * first time, unless pivots must be chosen anew) nor solve allocates. */
#ifndef LMB_MATH_LINEAR_H
#define LMB_MATH_LINEAR_H

#include <stdbool.h>

#include "base/message.h"
#include "base/pack.h"

/* Compressed columns: column j has rows row[start[j]] ... row[start[j+1]-1], ascending. */
typedef struct lmb_pattern {
    int n;
    int *start, *row;
} lmb_pattern;

typedef struct lmb_linear lmb_linear;

typedef struct lmb_linear_ops {
    size_t size;                         /* of the struct that begins with lmb_linear */
    bool (*create)(lmb_linear *solver);  /* in its arena; false: out of memory */
    void (*destroy)(lmb_linear *solver); /* what is not in the arena; may be NULL */
    bool (*factor)(lmb_linear *solver, const double *values); /* false: singular; see `fresh` */
    void (*solve)(lmb_linear *solver, double *b, int count);  /* b, n x count, becomes x */
    void (*solve_transposed)(lmb_linear *solver, double *b, int count);
    double (*condition)(const lmb_linear *solver); /* smallest over largest pivot, cheap */
    int (*sign)(const lmb_linear *solver);         /* sign of the determinant */
    void (*forget)(lmb_linear *solver); /* the next `factor` chooses pivots anew; may be NULL */
    double (*work)(lmb_linear *solver); /* multiplications of the last factorisation; may be NULL */
} lmb_linear_ops;

struct lmb_linear {
    const lmb_linear_ops *ops;
    lmb_arena *arena;
    lmb_pattern pattern; /* borrowed */
    bool fresh;          /* the last `factor` chose its pivots anew */
    bool factored;       /* the last `factor` succeeded */
    double *first;       /* the numbers with which the present pivots were chosen, */
    double *last;        /* and those of the last factorisation */
};

extern const lmb_linear_ops lmb_linear_dense, lmb_linear_klu;

/* Whether a full matrix is likely to be the fastest: small or nearly full ones. */
bool lmb_linear_prefers_dense(int n, size_t entries);

/* Makes the solver that suits the size, or one of a kind; the pattern must outlive it. NULL: out of
 * memory. */
lmb_linear *lmb_linear_new(const lmb_pattern *pattern);
lmb_linear *lmb_linear_new_of(const lmb_linear_ops *ops, const lmb_pattern *pattern);
void lmb_linear_free(lmb_linear *solver);

/* Factorises; false: singular. Remembers the numbers for lmb_linear_pack. */
bool lmb_linear_factor(lmb_linear *solver, const double *values);

/* Saves what the factorisation was made of, or makes it again to the last bit: rounding depends on
 * pivots, and those on numbers of the past. */
void lmb_linear_pack(lmb_linear *solver, lmb_pack *pack);

#endif
