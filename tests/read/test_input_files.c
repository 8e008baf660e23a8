/* Models, tables, meshes, measurements and results that are no files: devices, FIFOs, folders, and
 * files larger than anything that is read. They are refused at once; a model may come through a
 * pipe of the shell. */
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

static const char model[] = "limber: 1\ndimension: 2\n"
                            "bodies: {a: {mass: 1, inertia: 1}}\n"
                            "analyses: {fall: {type: dynamics, duration: 0.1}}\n";

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *fifo(void)
{
    const char *path = scratch_path("fifo.yaml");
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    return path;
}

/* A file that says to have so many MiB, without taking room on the disk. */
static const char *large_file(const char *name, int size)
{
    const char *path = scratch_path(name);
    write_file(path, "");
    assert_int_equal(truncate(path, (off_t)size << 20), 0);
    return path;
}

static const char device[] = "it is a device, a pipe or a socket";

static void models(void **state)
{
    (void)state;
    check_run(run_limber("check /dev/zero"), LMB_IO, device);
    check_run(run_limber("check %s", fifo()), LMB_IO, device);
    check_run(run_limber("check %s", scratch_path("")), LMB_IO, "Is a directory");
    check_run(run_limber("check %s", large_file("large.yaml", 65)), LMB_BAD_INPUT,
              "larger than what is read of such a file, 64 MiB");
    write_file(scratch_path("model.yaml"), model);
    check_run(run_limber("check /dev/stdin < %s", scratch_path("model.yaml")), 0, "");
    char command[1000];
    snprintf(command, sizeof command, "cat %s | %%LIMBER%% check /dev/stdin",
             scratch_path("model.yaml"));
    check_run(run_shell(command), 0, "");
    snprintf(command, sizeof command, "cat /dev/zero | tr '\\0' x | %%LIMBER%% check /dev/stdin");
    check_run(run_shell(command), LMB_BAD_INPUT, "larger than what is read");
}

/* A model that names a file as its table, or as the mesh of a body. */
static void check_named(const char *format, const char *path, int code, const char *piece)
{
    char text[2000];
    snprintf(text, sizeof text, "limber: 1\ndimension: 3\n");
    snprintf(text + strlen(text), sizeof text - strlen(text), format, path);
    write_file(scratch_path("names.yaml"), text);
    check_run(run_limber("check %s", scratch_path("names.yaml")), code, piece);
}

static void tables_and_meshes(void **state)
{
    (void)state;
    static const char table[] =
        "tables: {f: {file: %s}}\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n";
    static const char mesh[] =
        "bodies: {a: {mesh: {file: %s, material: steel}, interfaces: {A: {nodes: B}}}}\n";
    check_named(table, "/dev/zero", 3, device);
    check_named(table, fifo(), 3, device);
    check_named(table, "/dev/stdin", 3, device);
    check_named(table, large_file("large.csv", 2049), 3, "larger than what is read of such a file");
    const char *link = scratch_path("zero.msh");
    remove(link);
    assert_int_equal(symlink("/dev/zero", link), 0);
    check_named(mesh, link, 3, device);
    check_named(mesh, large_file("large.msh", 2049), 3, "larger than what is read of such a file");
}

static void measurements_and_results(void **state)
{
    (void)state;
    check_run(run_limber("spectrum /dev/zero"), LMB_IO, device);
    check_run(run_limber("spectrum %s", fifo()), LMB_IO, device);
    check_run(run_limber("list %s", fifo()), LMB_IO, device);
    check_run(run_limber("list /dev/zero"), LMB_IO, device);
    check_run(run_limber("modes %s", fifo()), LMB_IO, device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),
        cmocka_unit_test(tables_and_meshes),
        cmocka_unit_test(measurements_and_results),
    };
    return cmocka_run_group_tests_name("input files", tests, NULL, NULL);
}
