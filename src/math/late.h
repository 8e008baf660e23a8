/* Functions of libraries that many runs do not need. Such a library, with those that it needs
 * itself, is loaded with the first call of one of its functions, not with every start of the
 * program: to load them all takes as long as a short run.
 *
 * Included in place of cblas.h and lapacke.h, whose functions are called by their names as ever. A
 * function that is not in the list does not link. */
#ifndef LMB_MATH_LATE_H
#define LMB_MATH_LATE_H

#include <cblas.h>
#include <lapacke.h>
#include <stdatomic.h>

/* library, function */
#define LMB_LATE_FUNCTIONS(WITH)                                                                   \
    WITH(BLAS, cblas_dasum)                                                                        \
    WITH(BLAS, cblas_daxpby)                                                                       \
    WITH(BLAS, cblas_daxpy)                                                                        \
    WITH(BLAS, cblas_dcopy)                                                                        \
    WITH(BLAS, cblas_ddot)                                                                         \
    WITH(BLAS, cblas_dgemm)                                                                        \
    WITH(BLAS, cblas_dgemv)                                                                        \
    WITH(BLAS, cblas_dnrm2)                                                                        \
    WITH(BLAS, cblas_dscal)                                                                        \
    WITH(BLAS, cblas_dsyrk)                                                                        \
    WITH(BLAS, cblas_dtrmm)                                                                        \
    WITH(BLAS, cblas_dtrsm)                                                                        \
    WITH(BLAS, cblas_zaxpy)                                                                        \
    WITH(BLAS, cblas_zgbmv)                                                                        \
    WITH(BLAS, cblas_idamax)                                                                       \
    WITH(LAPACKE, LAPACKE_dgeev)                                                                   \
    WITH(LAPACKE, LAPACKE_dgeqp3)                                                                  \
    WITH(LAPACKE, LAPACKE_dgesv)                                                                   \
    WITH(LAPACKE, LAPACKE_dgesv_work)                                                              \
    WITH(LAPACKE, LAPACKE_dgesvd)                                                                  \
    WITH(LAPACKE, LAPACKE_dgetrf_work)                                                             \
    WITH(LAPACKE, LAPACKE_dgetrs_work)                                                             \
    WITH(LAPACKE, LAPACKE_dgtsv)                                                                   \
    WITH(LAPACKE, LAPACKE_dpotrf)                                                                  \
    WITH(LAPACKE, LAPACKE_dpotrf_work)                                                             \
    WITH(LAPACKE, LAPACKE_dpstrf)                                                                  \
    WITH(LAPACKE, LAPACKE_dsyev)                                                                   \
    WITH(LAPACKE, LAPACKE_dsyevd)                                                                  \
    WITH(LAPACKE, LAPACKE_dsygvd)                                                                  \
    WITH(LAPACKE, LAPACKE_zgbtrf_work)                                                             \
    WITH(LAPACKE, LAPACKE_zgbtrs_work)                                                             \
    WITH(LAPACKE, LAPACKE_zgeev)                                                                   \
    WITH(LAPACKE, LAPACKE_zgesv)                                                                   \
    WITH(ARPACK, dnaupd_c)                                                                         \
    WITH(ARPACK, dneupd_c)                                                                         \
    WITH(ARPACK, dsaupd_c)                                                                         \
    WITH(ARPACK, dseupd_c)                                                                         \
    WITH(ARPACK, znaupd_c)                                                                         \
    WITH(ARPACK, zneupd_c)                                                                         \
    WITH(METIS, METIS_ComputeVertexSeparator)                                                      \
    WITH(METIS, METIS_NodeND)                                                                      \
    WITH(METIS, METIS_SetDefaultOptions)                                                           \
    WITH(MUMPS, dmumps_c)

typedef enum lmb_late_name {
#define LMB_LATE_NAME(library, name) LMB_LATE_##name,
    LMB_LATE_FUNCTIONS(LMB_LATE_NAME) LMB_LATE_COUNT
} lmb_late_name;

typedef void lmb_late_function(void);

/* Those that were called before; the others are NULL. */
extern _Atomic(lmb_late_function *) lmb_late_found[LMB_LATE_COUNT];

/* Find a function. If its library cannot be loaded, return a stand-in that computes nothing and
 * reports a failure where the function can, and leave the mark of base/memory.h, whose reason names
 * the library and its package. */
lmb_late_function *lmb_late_find(lmb_late_name name);

static inline lmb_late_function *lmb_late(lmb_late_name name)
{
    lmb_late_function *found = atomic_load_explicit(&lmb_late_found[name], memory_order_acquire);
    return found ? found : lmb_late_find(name);
}

/* What stands for the name of a function. */
#define LMB_LATE(name) ((__typeof__(&name))lmb_late(LMB_LATE_##name))

#define cblas_dasum LMB_LATE(cblas_dasum)
#define cblas_daxpby LMB_LATE(cblas_daxpby)
#define cblas_daxpy LMB_LATE(cblas_daxpy)
#define cblas_dcopy LMB_LATE(cblas_dcopy)
#define cblas_ddot LMB_LATE(cblas_ddot)
#define cblas_dgemm LMB_LATE(cblas_dgemm)
#define cblas_dgemv LMB_LATE(cblas_dgemv)
#define cblas_dnrm2 LMB_LATE(cblas_dnrm2)
#define cblas_dscal LMB_LATE(cblas_dscal)
#define cblas_dsyrk LMB_LATE(cblas_dsyrk)
#define cblas_dtrmm LMB_LATE(cblas_dtrmm)
#define cblas_dtrsm LMB_LATE(cblas_dtrsm)
#define cblas_zaxpy LMB_LATE(cblas_zaxpy)
#define cblas_zgbmv LMB_LATE(cblas_zgbmv)
#define cblas_idamax LMB_LATE(cblas_idamax)
#define LAPACKE_dgeev LMB_LATE(LAPACKE_dgeev)
#define LAPACKE_dgeqp3 LMB_LATE(LAPACKE_dgeqp3)
#define LAPACKE_dgesv LMB_LATE(LAPACKE_dgesv)
#define LAPACKE_dgesv_work LMB_LATE(LAPACKE_dgesv_work)
#define LAPACKE_dgesvd LMB_LATE(LAPACKE_dgesvd)
#define LAPACKE_dgetrf_work LMB_LATE(LAPACKE_dgetrf_work)
#define LAPACKE_dgetrs_work LMB_LATE(LAPACKE_dgetrs_work)
#define LAPACKE_dgtsv LMB_LATE(LAPACKE_dgtsv)
#define LAPACKE_dpotrf LMB_LATE(LAPACKE_dpotrf)
#define LAPACKE_dpotrf_work LMB_LATE(LAPACKE_dpotrf_work)
#define LAPACKE_dpstrf LMB_LATE(LAPACKE_dpstrf)
#define LAPACKE_dsyev LMB_LATE(LAPACKE_dsyev)
#define LAPACKE_dsyevd LMB_LATE(LAPACKE_dsyevd)
#define LAPACKE_dsygvd LMB_LATE(LAPACKE_dsygvd)
#define LAPACKE_zgbtrf_work LMB_LATE(LAPACKE_zgbtrf_work)
#define LAPACKE_zgbtrs_work LMB_LATE(LAPACKE_zgbtrs_work)
#define LAPACKE_zgeev LMB_LATE(LAPACKE_zgeev)
#define LAPACKE_zgesv LMB_LATE(LAPACKE_zgesv)

#endif
