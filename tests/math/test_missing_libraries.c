/* Libraries that cannot be loaded: functions fail with a message that names the library and its
 * package, and the process goes on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limber/limber.h"
#include "models.h"
#include "program.h"
#include "run/mesh_modes.h"
#include "support.h"

/* A piece of the name of the missing library. */
static const char *missing = "";

/* Takes the place of the function of the system. */
void *dlopen(const char *name, int flags);
void *dlopen(const char *name, int flags)
{
    static void *(*real)(const char *, int);
    void *address = dlsym(RTLD_NEXT, "dlopen");
    memcpy(&real, &address, sizeof real);
    return *missing && name && strstr(name, missing) ? NULL : real(name, flags);
}

/* Call a function with each library missing in a process of its own; it must return a status
 * other than LMB_OK, and the message must have the name of the package. */
static void check_missing(const char *library, const char *package, lmb_status (*call)(void))
{
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        missing = library;
        lmb_status status = call();
        size_t count = lmb_message_count(context);
        const char *text = count ? lmb_message_at(context, count - 1)->text : "";
        bool named = strstr(text, library) && strstr(text, package);
        if (status != LMB_SOLVER || !named)
            fprintf(stderr, "%s: status %d, message '%s'\n", library, status, text);
        _exit(status == LMB_SOLVER && named ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Statics, modes and dynamics of a model with a flexible body. */
static lmb_status run_example(void)
{
    lmb_spec *spec = NULL;
    lmb_model *m = NULL;
    lmb_status status = lmb_spec_load(&spec, context, "examples/vehicle/vehicle.yaml");
    if (!status)
        status = lmb_model_compile(&m, context, spec);
    if (!status)
        status = lmb_run(context, m, NULL, scratch_path("missing.h5"));
    lmb_model_free(m);
    lmb_spec_free(spec);
    return status;
}

/* The lowest modes of a mesh, by METIS, MUMPS and ARPACK. */
static lmb_status find_modes(void)
{
    lmb_mode_list modes = {0};
    lmb_mesh_facts facts;
    static const char *const none[] = {NULL};
    lmb_mesh_modes_options options = {
        .path = "tests/support/bore.msh", .material = "steel", .hold = none, .elastic = 4};
    return lmb_mesh_modes(&modes, &facts, context, &options);
}

static void missing_libraries_are_errors(void **unused)
{
    (void)unused;
    check_missing("blas", "libopenblas-dev", run_example);
    check_missing("lapacke", "liblapacke-dev", run_example);
    check_missing("metis", "libmetis-dev", find_modes);
    check_missing("mumps", "libmumps-seq-dev", find_modes);
    check_missing("arpack", "libarpack2-dev", find_modes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(missing_libraries_are_errors)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
