/* What the program says about wrong models: those of tests/bad (see marked_models.h), and others
 * that are made here. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marked_models.h"
#include "program.h"

static void check_file(const char *path)
{
    check_marked_model(path, scratch_path("bad.h5"), false);
}

static void test_files(void **state)
{
    (void)state;
    for_each_model("tests/bad", 600, check_file);
}

/* Fails unless a run ended with a code and said a piece. */
static void check(lmb_run_result run, int code, const char *piece)
{
    check_healthy(piece, &run);
    if (run.code != code || !strstr(run.err, piece))
        fail_msg("code %d, expected %d and '%s'\n%s", run.code, code, piece, run.err);
    free_run(&run);
}

/* Runs a model made of these bytes. */
static lmb_run_result run_bytes(const char *bytes, size_t size)
{
    const char *path = scratch_path("bytes.yaml");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return run_limber("run %s -o %s", path, scratch_path("bytes.h5"));
}

static void test_no_model(void **state)
{
    (void)state;
    check(run_limber("run no-such-model.yaml"), 5,
          "limber: error: cannot read 'no-such-model.yaml': No such file");
    check(run_limber("run tests"), 5, "cannot read 'tests': Is a directory");
    check(run_bytes("", 0), 3, "bytes.yaml:1:1: error: the file is empty");
    check(run_bytes("# nothing\n", 10), 3, "the file is empty");
    check(run_bytes("limber: 1\n\0\0", 12), 3, "bytes.yaml' is not a text file");
    static const char latin[] = "limber: 1\ntitle: caf\xe9\n";
    check(run_bytes(latin, sizeof latin - 1), 3, "hint: save the file in the encoding UTF-8");
    static const char utf16[] = "\xff\xfel\0i\0m\0";
    check(run_bytes(utf16, sizeof utf16 - 1), 3, "is not a text file");
    unsigned random = 1;
    char bytes[5000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        random = random * 1103515245u + 12345u;
        bytes[i] = (char)(random >> 16 | 1);
    }
    check(run_bytes(bytes, sizeof bytes), 3, "error: ");
}

/* Windows ends of lines and a byte order mark do not shift what a message points to. */
static void test_places(void **state)
{
    (void)state;
    static const char windows[] = "limber: 1\r\ndimension: 2\r\nbodies: {a: {maas: 1}}\r\n";
    check(run_bytes(windows, sizeof windows - 1), 3,
          "bytes.yaml:3:14: error: body 'a' has no key 'maas'\n"
          "    3 | bodies: {a: {maas: 1}}\n"
          "      |              ^~~~\n"
          "  hint: did you mean 'mass'?\n");
    static const char mark[] = "\xef\xbb\xbflimbr: 1\ndimension: 2\nbodies: {a: {}}\n";
    check(run_bytes(mark, sizeof mark - 1), 3, "hint: did you mean 'limber'?");
    static const char accents[] = "limber: 1\ndimension: 2\n"
                                  "bodies: {a: {points: {P: [\"1 + (2·3)\", 'é']}}}\n";
    check(run_bytes(accents, sizeof accents - 1), 3,
          "    3 | bodies: {a: {points: {P: [\"1 + (2·3)\", 'é']}}}\n"
          "      |                                  ^\n");
}

/* Aliases that would unfold to 10^12 lists. */
static void test_many_aliases(void **state)
{
    (void)state;
    const char *path = scratch_path("aliases.yaml");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 3\nparameters:\n  a0: &a0 []\n", file);
    for (int i = 1; i <= 12; i++) {
        fprintf(file, "  a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            fprintf(file, "%s*a%d", k ? ", " : "", i - 1);
        fputs("]\n", file);
    }
    fputs("bodies: {b: {inertia: *a12}}\n", file);
    assert_int_equal(fclose(file), 0);
    check(run_limber("run %s -o %s", path, scratch_path("aliases.h5")), 3,
          "the file has more than 10000000 values");
}

static void test_set(void **state)
{
    (void)state;
    static const struct {
        const char *setting;
        int code;
        const char *piece;
    } cases[] = {
        {"omga=1", 3, "slider-crank.yaml has no parameter 'omga'\n  hint: did you mean 'omega'?"},
        {"omega", 2, "'--set omega' is not of the form NAME=VALUE"},
        {"=1", 2, "'--set =1' is not of the form NAME=VALUE"},
        {"omega=", 3, "--set omega=: error: 'omega' has no value"},
        {"omega=mm1", 3, "--set omega=mm1: error: unknown name 'mm1'\n  hint: did you mean 'm1'?"},
        {"omega=2*(3", 3, "--set omega=2*(3: error: ')' is missing"},
        {"r=1/0", 3, "--set r=1/0: error: the value is infinite"},
        {"r=r", 3, "--set r=r: error: parameter 'r' depends on itself"},
        {"r=t", 3, "--set r=t: error: 't' is time"},
        {"r=1e50", 3, "--set r=1e50: error: 'r' is absurdly large (1e+50)"},
        {"r=[1,2]", 3, "error: a component of 'position' is itself a vector"},
        {"m1=-1", 3, "'mass' must be zero or positive, but is -1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(run_limber("run examples/slider-crank/slider-crank.yaml --quiet -o %s --set '%s'",
                         scratch_path("set.h5"), cases[i].setting),
              cases[i].code, cases[i].piece);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),  cmocka_unit_test(test_no_model),
        cmocka_unit_test(test_places), cmocka_unit_test(test_many_aliases),
        cmocka_unit_test(test_set),
    };
    return cmocka_run_group_tests_name("wrong models", tests, NULL, NULL);
}
