/* Loads libraries when they are needed.
 *
 * Their functions are to be found by those that come after (BLAS of MUMPS and ARPACK is that of the
 * list, not the one that they would bring along), so BLAS comes first. */
#include "math/late.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Atomic(lmb_late_function *) lmb_late_found[LMB_LATE_COUNT];

enum { BLAS, LAPACKE, ARPACK, METIS, MUMPS, LIBRARIES };

/* Their names for the loader, and where they were when the program was built. */
static const char *const files[LIBRARIES][2] = {
    {LMB_BLAS_NAME, LMB_BLAS_PATH},     {LMB_LAPACKE_NAME, LMB_LAPACKE_PATH},
    {LMB_ARPACK_NAME, LMB_ARPACK_PATH}, {LMB_METIS_NAME, LMB_METIS_PATH},
    {LMB_MUMPS_NAME, LMB_MUMPS_PATH},
};

static const struct {
    int library;
    const char *name;
} functions[LMB_LATE_COUNT] = {
#define ENTRY(library, name) {library, #name},
    LMB_LATE_FUNCTIONS(ENTRY)};

/* Ends the process as the loader does: exit code 127, and nothing is written or freed any more. */
static _Noreturn void give_up(const char *reason)
{
    fprintf(stderr, "limber: error while loading shared libraries: %s\n", reason);
    _exit(127);
}

static void *load(int library)
{
    for (int k = 0; k < 2; k++) {
        void *loaded = dlopen(files[library][k], RTLD_LAZY | RTLD_GLOBAL);
        if (loaded)
            return loaded;
    }
    give_up(dlerror());
}

lmb_late_function *lmb_late_find(lmb_late_name name)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    static void *loaded[LIBRARIES];
    int library = functions[name].library;
    pthread_mutex_lock(&one_at_a_time);
    if (!loaded[BLAS])
        loaded[BLAS] = load(BLAS);
    if (!loaded[library])
        loaded[library] = load(library);
    /* ISO C has no conversion of the one into the other */
    void *address = dlsym(loaded[library], functions[name].name);
    lmb_late_function *found;
    memcpy(&found, &address, sizeof found);
    pthread_mutex_unlock(&one_at_a_time);
    if (!found)
        give_up(dlerror());
    atomic_store_explicit(&lmb_late_found[name], found, memory_order_release);
    return found;
}
