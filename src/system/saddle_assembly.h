/* The saddle-point matrix as a sparse one: its pattern, and the one place where it is put together
 * from masses, couples and rows. */
#ifndef LMB_SYSTEM_SADDLE_ASSEMBLY_H
#define LMB_SYSTEM_SADDLE_ASSEMBLY_H

#include "math/linear.h"
#include "system/saddle.h"

typedef struct lmb_saddle_assembly {
    const lmb_model *model;
    lmb_pattern pattern;
    double *values;
    int *mass, *couple; /* where the numbers of M and K go (those of K: if there are any), */
    int *lower, *upper; /* and those of L and U, */
    int *corner;        /* and those of -E */
    double *turned;     /* value_count: L, unscaled */
} lmb_saddle_assembly;

/* How many numbers the matrix of a model has. */
size_t lmb_saddle_entries(const lmb_model *model, lmb_saddle_use use);

/* Finds the pattern; false: out of memory. */
bool lmb_saddle_index(lmb_saddle_assembly *assembly, lmb_arena *arena, const lmb_model *model,
                      lmb_saddle_use use);

/* Fills in the numbers, with rows scaled (nrows; 0: the row does not act). */
void lmb_saddle_assemble(lmb_saddle_assembly *assembly, const lmb_saddle_matrix *matrix,
                         const double *scale);

/* L of all rows of a step, unscaled (value_count of the model). */
void lmb_saddle_turn_rows(const lmb_model *model, const lmb_saddle_matrix *matrix, double *turned);

#endif
