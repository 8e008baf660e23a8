/* The library of dense matrices as a whole. */
#ifndef LMB_MATH_BLAS_H
#define LMB_MATH_BLAS_H

/* Lets BLAS work in the thread that calls it alone, unless the user says how many threads there
 * shall be (OPENBLAS_NUM_THREADS). The matrices of this program are too small for more: its other
 * threads would only spin. For programs, at their start; a library must leave that to its user. */
void lmb_blas_one_thread(void);

#endif
