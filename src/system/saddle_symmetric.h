/* The symmetric part of the saddle-point matrix, factorised by MUMPS:
 *
 *   [ (H + H^T) / 2   (U + L^T) / 2 ]
 *   [ (L + U^T) / 2        -E       ]  = P^T L D L^T P
 *
 * The signs of D are those of the eigenvalues (Sylvester). Of a mechanism there is one negative
 * eigenvalue per row, and one more per free direction in which H is negative. */
#ifndef LMB_SYSTEM_SADDLE_SYMMETRIC_H
#define LMB_SYSTEM_SADDLE_SYMMETRIC_H

#include "math/factor.h"
#include "system/saddle_assembly.h"

typedef struct lmb_saddle_symmetric {
    lmb_saddle_assembly assembly;
    lmb_symmetric matrix; /* of the last factorisation */
    int *place;           /* where the numbers of the assembly are added in it */
    double *scale;        /* nrows: of the rows; 0 for those that do not act */
    lmb_factor *factor;
    int negative; /* eigenvalues, in the last factorisation */
    int null;     /* null pivots there */
    lmb_arena *arena;
} lmb_saddle_symmetric;

/* Finds the pattern and the order of elimination; free with lmb_saddle_symmetric_free. */
lmb_status lmb_saddle_symmetric_new(lmb_saddle_symmetric **out, lmb_context *context,
                                    const lmb_model *model, lmb_saddle_use use);
void lmb_saddle_symmetric_free(lmb_saddle_symmetric *symmetric);

/* Puts the numbers of a matrix together, and factorises them too. */
void lmb_saddle_symmetric_assemble(lmb_saddle_symmetric *symmetric,
                                   const lmb_saddle_matrix *matrix);
lmb_status lmb_saddle_symmetric_factor(lmb_saddle_symmetric *symmetric, lmb_context *context,
                                       const lmb_saddle_matrix *matrix);

/* (f, g), of scaled rows, become (x, y). */
lmb_status lmb_saddle_symmetric_solve(lmb_saddle_symmetric *symmetric, lmb_context *context,
                                      double *side);

#endif
