/* Dense linear algebra by LAPACK. Matrices are stored by columns. */
#ifndef LMB_MATH_DENSE_H
#define LMB_MATH_DENSE_H

#include <stdbool.h>

/* The null space of a (rows x columns): orthonormal columns in `basis` (columns x columns).
 * Singular values below `negligible` times the largest count as zero. Returns its dimension, -1
 * when out of memory; a is overwritten. */
int lmb_dense_null_space(int rows, int columns, double *a, double negligible, double *basis);

/* The rank of a (rows x columns) by QR with pivoting of the columns: the first `rank` numbers of
 * `order` are independent columns, the strongest first. Pivots below `negligible` times the first
 * count as zero. Returns the rank, -1 when out of memory; a is overwritten. */
int lmb_dense_pivot(int rows, int columns, double *a, double negligible, int *order);

/* Eigenvalues of a symmetric matrix (lower half used), ascending; false if they are not found. The
 * matrix becomes the eigenvectors. */
bool lmb_dense_symmetric(int n, double *a, double *values);

/* The same for a x = value b x with b positive definite; the vectors are orthonormal through b,
 * which is overwritten. */
bool lmb_dense_symmetric_general(int n, double *a, double *b, double *values);

/* Solves a x = b (n x n, b becomes x); false if a is singular. a is overwritten. */
bool lmb_dense_solve(int n, double *a, int columns, double *b);

/* The same for complex matrices, each number as its real and imaginary part. */
bool lmb_dense_solve_complex(int n, double *a, int columns, double *b);

/* Eigenvalues and right eigenvectors of a general matrix, which is overwritten. As in LAPACK, a
 * pair of complex values has the real and the imaginary part of its first vector in two columns. */
bool lmb_dense_eigen(int n, double *a, double *real, double *imaginary, double *vectors);

/* a = (a + a^T) / 2, where rounding differs between the sides of the diagonal. */
void lmb_dense_symmetrise(int n, double *a);

#endif
