/* Threads of BLAS. */
#include "math/blas.h"

#include <stdlib.h>

/* Of OpenBLAS; another BLAS has none of them. */
void openblas_set_num_threads(int count) __attribute__((weak));
int blas_thread_shutdown_(void) __attribute__((weak));

/* OpenBLAS begins its threads when it is loaded, and they look for work for some 20 ms before they
 * sleep: they are ended. */
void lmb_blas_one_thread(void)
{
    if (!openblas_set_num_threads || getenv("OPENBLAS_NUM_THREADS"))
        return;
    openblas_set_num_threads(1);
    if (blas_thread_shutdown_)
        blas_thread_shutdown_();
}
