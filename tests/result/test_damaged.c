/* Damaged and hostile result files: refused with a message, never a crash, and good ones of one's
 * own cost next to nothing. */
#include "support.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "limber/result.h"
#include "program.h"

/* Processes start slowly with AddressSanitizer, and HDF5 has none of it. */
#ifdef __SANITIZE_ADDRESS__
enum { VARIANTS = 30, CHANGES = 12 };
#else
enum { VARIANTS = 300, CHANGES = 12 };
#endif

static unsigned long long seed = 20260118;

static size_t pick(size_t below)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (size_t)(seed >> 33) % below;
}

/* A small result, made once by the program. */
static const char *small_result(void)
{
    static const char *path;
    if (!path) {
        path = scratch_path("small.h5");
        check_run(run_limber("run tests/fuzz/corpus/run/sliding-rod.yaml --quiet -o %s", path), 0,
                  "");
    }
    return path;
}

static char *read_bytes(const char *path, size_t *size)
{
    lmb_context *context = lmb_context_new();
    char *bytes;
    assert_int_equal(lmb_read_file(&bytes, size, context, path), LMB_OK);
    lmb_context_free(context);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A copy, which has no stamp. */
static const char *copy_of(const char *path, const char *name)
{
    size_t size;
    char *bytes = read_bytes(path, &size);
    const char *copy = scratch_path(name);
    write_bytes(copy, bytes, size);
    free(bytes);
    return copy;
}

/* Opens a file with a prober, or without for NULL. */
static lmb_status open_probed(const char *path, const char *prober, const char *message)
{
    lmb_context *context = lmb_context_new();
    lmb_result *result;
    assert_int_equal(lmb_context_probe(context, prober), LMB_OK);
    lmb_status status = lmb_result_open(&result, context, path);
    assert_true((result != NULL) == (status == LMB_OK));
    if (message)
        assert_non_null(strstr(lmb_message_at(context, 0)->text, message));
    lmb_result_close(result);
    lmb_context_free(context);
    return status;
}

/* Changes a byte: to any other, or in one bit. */
static void change(char *bytes, size_t at)
{
    bytes[at] = (char)(pick(2) ? pick(256) : (size_t)(bytes[at] ^ 1 << pick(8)));
}

/* --- damage ----------------------------------------------------------------------------------- */

/* Twelve bytes changed at random, of which those of the numbers of a channel may go unnoticed. */
static void test_changed_bytes(void **state)
{
    (void)state;
    static const char *const verbs[] = {"list %s", "get %s rod.position", "report %s -o %s.html"};
    size_t size;
    int refused = 0;
    char *good = read_bytes(small_result(), &size), *bytes = malloc(size);
    const char *path = scratch_path("changed.h5");
    assert_non_null(bytes);
    for (int i = 0; i < VARIANTS; i++) {
        memcpy(bytes, good, size);
        for (int k = 0; k < CHANGES; k++)
            change(bytes, pick(size));
        write_bytes(path, bytes, size);
        for (int v = 0; v < 3; v++) {
            char words[1200];
            snprintf(words, sizeof words, verbs[v], path, path);
            lmb_run_result run = run_limber("%s", words);
            if ((run.code != 0 && run.code != 3 && run.code != 5) || (run.code && !run.err[0]))
                fail_msg("variant %d: '%s' ended with %d: %s", i, words, run.code, run.err);
            refused += run.code != 0;
            free_run(&run);
        }
    }
    print_message("%d files with %d changed bytes, %d of %d commands refused them\n", VARIANTS,
                  CHANGES, refused, 3 * VARIANTS);
    assert_true(refused > VARIANTS); /* most changes are in what HDF5 keeps of its own */
    free(bytes);
    free(good);
}

/* Files on which HDF5 1.10 itself crashes, found by changing bytes. */
static void test_crashing_files(void **state)
{
    (void)state;
    for (int i = 1; i <= 3; i++) {
        check_run(run_limber("list tests/result/crash-%d.hdf5", i), 3, "is damaged");
        check_run(run_limber("get tests/result/crash-%d.hdf5 rod.position", i), 3, "is damaged");
        check_run(run_limber("report tests/result/crash-%d.hdf5 -o %s", i, scratch_path("x.html")),
                  3, "is damaged");
        check_run(run_limber("modes tests/result/crash-%d.hdf5", i), 3,
                  "error: 'tests/result/crash-");
        check_run(run_limber("compare %s tests/result/crash-%d.hdf5", small_result(), i), 3,
                  "is damaged");
    }
}

/* A data set in the place of another, with a number of rows that nothing is stored for. */
static void claim_rows(const char *path, hsize_t rows)
{
    const hsize_t dims[] = {rows}, most[] = {H5S_UNLIMITED}, chunk[] = {64};
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(H5Ldelete(file, "slide/time", H5P_DEFAULT) >= 0);
    hid_t space = H5Screate_simple(1, dims, most), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, chunk);
    hid_t set =
        H5Dcreate2(file, "slide/time", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Fclose(file);
}

static void test_claimed_rows(void **state)
{
    (void)state;
    const char *path = copy_of(small_result(), "claims.h5");
    struct stat about;
    claim_rows(path, 1000000000);
    assert_int_equal(stat(path, &about), 0);
    assert_true(about.st_size < 60000);
    check_run(run_limber("list %s", path), 3, "more data than fit");
    check_run(run_limber("get %s rod.position", path), 3, "more data than fit");
    /* without a probe nothing is allocated for them either */
    lmb_context *context = lmb_context_new();
    lmb_result *result;
    lmb_series series;
    lmb_status status = lmb_result_open(&result, context, path);
    if (!status)
        status = lmb_result_read(result, context, "rod.position", &series);
    assert_int_equal(status, LMB_BAD_INPUT);
    lmb_result_close(result);
    lmb_context_free(context);
}

/* Links into other files would be opened without a look at those. */
static void test_other_files(void **state)
{
    (void)state;
    const char *path = copy_of(small_result(), "links.h5");
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(
        H5Lcreate_external("other.h5", "/", file, "slide/other", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    check_run(run_limber("list %s", path), 3, "links to other files");
}

/* --- probing ---------------------------------------------------------------------------------- */

/* A prober in shell. */
static const char *make_prober(const char *name, const char *command)
{
    char text[200];
    const char *path = scratch_path(name);
    int length = snprintf(text, sizeof text, "#!/bin/sh\n%s\n", command);
    write_bytes(path, text, (size_t)length);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

static void test_probers(void **state)
{
    (void)state;
    const char *path = copy_of(small_result(), "probed.h5");
    assert_int_equal(open_probed(path, NULL, NULL), LMB_OK);
    assert_int_equal(open_probed(path, "/nonexistent/limber", "cannot probe"), LMB_IO);
    assert_int_equal(open_probed(path, make_prober("crash.sh", "kill -SEGV $$"), "crashes"),
                     LMB_BAD_INPUT);
    assert_int_equal(open_probed(path, make_prober("says.sh", "echo bad tree"), "bad tree"),
                     LMB_BAD_INPUT);
    /* once it was found good, it is not probed until it changes */
    assert_int_equal(open_probed(path, program_path(), NULL), LMB_OK);
    assert_int_equal(open_probed(path, "/nonexistent/limber", NULL), LMB_OK);
    copy_of(small_result(), "probed.h5");
    assert_int_equal(open_probed(path, "/nonexistent/limber", "cannot probe"), LMB_IO);
}

/* The result of a run has a stamp from the beginning, and reading it is not slower. */
static void test_own_result(void **state)
{
    (void)state;
    enum { TIMES = 40 };
    const char *path = small_result();
    double seconds[2] = {1e9, 1e9};
    assert_int_equal(open_probed(path, "/nonexistent/limber", NULL), LMB_OK);
    for (int i = 0; i < TIMES; i++)
        for (int probed = 0; probed < 2; probed++) {
            struct timespec start;
            clock_gettime(CLOCK_MONOTONIC, &start);
            assert_int_equal(open_probed(path, probed ? "/nonexistent/limber" : NULL, NULL),
                             LMB_OK);
            double taken = lmb_seconds_since(start);
            seconds[probed] = taken < seconds[probed] ? taken : seconds[probed];
        }
    print_message("opening a result of one's own: %.3f ms, trusted %.3f ms\n", 1e3 * seconds[1],
                  1e3 * seconds[0]);
    assert_true(seconds[1] - seconds[0] < 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed_bytes),  cmocka_unit_test(test_claimed_rows),
        cmocka_unit_test(test_crashing_files), cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_probers),        cmocka_unit_test(test_own_result),
    };
    return cmocka_run_group_tests_name("damaged results", tests, NULL, NULL);
}
