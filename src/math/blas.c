/* Threads of BLAS. */
#include "math/blas.h"

#include <stdlib.h>

/* OpenBLAS begins its threads when it is loaded, which is later (math/late.h), and they look for
 * work for some 20 ms before they sleep. */
void lmb_blas_one_thread(void)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
}
