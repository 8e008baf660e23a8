/* Complex linear equations with a fixed sparsity pattern, by KLU. */
#ifndef LMB_MATH_LINEAR_COMPLEX_H
#define LMB_MATH_LINEAR_COMPLEX_H

#include "math/band.h"
#include "math/linear.h"

typedef struct lmb_linear_complex lmb_linear_complex;

/* The pattern must outlive it. NULL: out of memory. */
lmb_linear_complex *lmb_linear_complex_new(const lmb_pattern *pattern);
void lmb_linear_complex_free(lmb_linear_complex *solver);

/* Factorises; false: singular. Then b becomes x. */
bool lmb_linear_complex_factor(lmb_linear_complex *solver, const lmb_complex *values);
void lmb_linear_complex_solve(lmb_linear_complex *solver, lmb_complex *b);

#endif
