/* Loads libraries when they are needed.
 *
 * Their functions are to be found by those that come after (BLAS of MUMPS and ARPACK is that of the
 * list, not the one that they would bring along), so BLAS comes first. */
#include "math/late.h"

#include <dlfcn.h>
#include <dmumps_c.h>
#include <math.h>
#include <metis.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"

_Atomic(lmb_late_function *) lmb_late_found[LMB_LATE_COUNT];

enum { BLAS, LAPACKE, ARPACK, METIS, MUMPS, LIBRARIES };

/* Their names for the loader, where they were when the program was built, and their packages. */
static const char *const files[LIBRARIES][3] = {
    {LMB_BLAS_NAME, LMB_BLAS_PATH, "libopenblas-dev"},
    {LMB_LAPACKE_NAME, LMB_LAPACKE_PATH, "liblapacke-dev"},
    {LMB_ARPACK_NAME, LMB_ARPACK_PATH, "libarpack2-dev"},
    {LMB_METIS_NAME, LMB_METIS_PATH, "libmetis-dev"},
    {LMB_MUMPS_NAME, LMB_MUMPS_PATH, "libmumps-seq-dev"},
};

/* A library: its handle, or why it cannot be loaded. */
typedef struct loaded {
    void *handle;
    bool absent;
    char reason[400];
} loaded;

static const struct {
    int library;
    const char *name;
} functions[LMB_LATE_COUNT] = {
#define ENTRY(library, name) {library, #name},
    LMB_LATE_FUNCTIONS(ENTRY)};

/* --- stand-ins ---------------------------------------------------------------------------------
 *
 * They take as many arguments as they need, which the calling conventions of C allow: callers pass
 * arguments and remove them. A caller that does not look at a failure computes with numbers that do
 * not count, because of the mark. */

static double no_number(void)
{
    return NAN;
}

static size_t no_index(void)
{
    return 0;
}

static int no_memory_for_lapack(void)
{
    return LAPACK_WORK_MEMORY_ERROR;
}

static int no_memory_for_metis(void)
{
    return METIS_ERROR_MEMORY;
}

/* The iteration is over, without a result. */
static void no_iteration(int *request)
{
    *request = 99;
}

static void no_results(void)
{
}

static void no_memory_for_mumps(DMUMPS_STRUC_C *mumps)
{
    mumps->infog[0] = mumps->info[0] = -13;
}

static lmb_late_function *stand_in(int library, const char *name)
{
    switch (library) {
    case BLAS:
        return strcmp(name, "cblas_idamax") == 0 ? (lmb_late_function *)no_index
                                                 : (lmb_late_function *)no_number;
    case LAPACKE:
        return (lmb_late_function *)no_memory_for_lapack;
    case ARPACK:
        return strstr(name, "aupd") ? (lmb_late_function *)no_iteration : no_results;
    case METIS:
        return (lmb_late_function *)no_memory_for_metis;
    default:
        return (lmb_late_function *)no_memory_for_mumps;
    }
}

/* --- loading ---------------------------------------------------------------------------------- */

/* Note why a library cannot be used, and leave the mark. Returns false. */
static bool fail(loaded *l, int library)
{
    const char *why = l->absent ? NULL : dlerror();
    if (!l->absent)
        lmb_snprintf(l->reason, sizeof l->reason,
                     "cannot load the library %s of the package %s: %s", files[library][0],
                     files[library][2], why ? why : "unknown reason");
    l->absent = true;
    l->handle = NULL;
    lmb_memory_fail_for(l->reason);
    return false;
}

/* Load a library unless it is known. Returns false if that fails. */
static bool load(loaded *l, int library)
{
    for (int k = 0; k < 2 && !l->handle && !l->absent; k++)
        l->handle = dlopen(files[library][k], RTLD_LAZY | RTLD_GLOBAL);
    return l->handle ? true : fail(l, library);
}

lmb_late_function *lmb_late_find(lmb_late_name name)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    static loaded known[LIBRARIES];
    int library = functions[name].library;
    loaded *l = &known[library];
    pthread_mutex_lock(&one_at_a_time);
    bool there = load(&known[BLAS], BLAS) && load(l, library);
    /* ISO C has no conversion of the one into the other */
    void *address = there ? dlsym(l->handle, functions[name].name) : NULL;
    if (there && !address)
        there = fail(l, library);
    lmb_late_function *found;
    memcpy(&found, &address, sizeof found);
    pthread_mutex_unlock(&one_at_a_time);
    if (!there)
        return stand_in(library, functions[name].name);
    atomic_store_explicit(&lmb_late_found[name], found, memory_order_release);
    return found;
}
