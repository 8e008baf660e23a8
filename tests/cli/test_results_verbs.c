/* The verbs that read results, driven through the built program: list, get, compare, export; and
 * what the program says about itself and about wrong command lines. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/write.h"
#include "program.h"

static const lmb_channel channels[] = {
    {"crank.position", "m", "Position of the centre of mass.", 2, "xy"},
    {"crank.angle", "rad", "Angle.", 1, ""},
    {"bell.modes", "m·√kg", "Modal coordinates.", 2, ""},
};
enum { CHANNELS = 3, WIDTH = 5 };

/* Writes an analysis of `rows` instants, `step` apart. Position is a cubic of time, which cubic
 * interpolation must hit; the offset is added to the angle. */
static void write_analysis(lmb_writer *writer, lmb_context *context, const char *name, int count,
                           int rows, double step, double offset)
{
    assert_int_equal(lmb_writer_begin(writer, context, name, "dynamics", count, channels), 0);
    for (int i = 0; i < rows; i++) {
        double t = i * step;
        double row[WIDTH] = {t * t * t - t, 1 - t, 0.1 * i + offset, i, -1.0 * i};
        assert_int_equal(lmb_writer_row(writer, context, t, row), 0);
    }
    assert_int_equal(lmb_writer_end(writer, context), 0);
}

/* Writes a result of one analysis, or two if there is a second name. */
static const char *make_result(const char *file, const char *second, int count, int rows,
                               double step, double offset)
{
    const char *path = scratch_path(file);
    lmb_context *context = lmb_context_new();
    lmb_writer *writer;
    assert_non_null(context);
    assert_int_equal(lmb_writer_new(&writer, context, path), 0);
    write_analysis(writer, context, "turn", count, rows, step, offset);
    if (second)
        write_analysis(writer, context, second, count, 3, step, offset);
    assert_int_equal(lmb_writer_close(writer, context), 0);
    lmb_context_free(context);
    return path;
}

/* Fails unless a run ended well and printed exactly this. */
static void check_output(lmb_run_result run, const char *output)
{
    if (run.code != 0 || strcmp(run.out, output) != 0 || run.err[0])
        fail_msg("code %d\nout: %s\nexpected: %s\nerr: %s", run.code, run.out, output, run.err);
    free_run(&run);
}

static void test_list(void **state)
{
    (void)state;
    const char *path = make_result("list.h5", NULL, CHANNELS, 3, 0.5, 0);
    check_output(run_limber("list %s", path),
                 "channel         unit   shape  meaning\n"
                 "crank.position  m      2 xy   Position of the centre of mass.\n"
                 "crank.angle     rad    1      Angle.\n"
                 "bell.modes      m·√kg  2      Modal coordinates.\n");
    check_output(run_limber("list %s --json", make_result("one.h5", NULL, 1, 3, 0.5, 0)),
                 "{\n"
                 "  \"analyses\": [\n"
                 "    {\n"
                 "      \"name\": \"turn\",\n"
                 "      \"over\": {\"name\": \"time\", \"unit\": \"s\"},\n"
                 "      \"channels\": [\n"
                 "        {\"name\": \"crank.position\", \"unit\": \"m\", \"size\": 2, "
                 "\"components\": \"xy\", \"meaning\": \"Position of the centre of mass.\"}\n"
                 "      ]\n"
                 "    }\n"
                 "  ]\n"
                 "}\n");
    path = make_result("two.h5", "swing", CHANNELS, 3, 0.5, 0);
    check_run(run_limber("list %s", path), 0, "\nturn/crank.angle ");
    check_run(run_limber("list %s", path), 0, "\nswing/crank.angle ");
    check_run(run_limber("list %s", scratch_path("none.h5")), 5, "none.h5': No such file");
    check_run(run_limber("list CMakeLists.txt"), 3, "is not a Limber result file");
}

static void test_get(void **state)
{
    (void)state;
    const char *path = make_result("get.h5", NULL, CHANNELS, 4, 0.1, 0);
    /* all 17 digits: 3 * 0.1 is not 0.3 */
    check_output(run_limber("get %s crank.angle", path), "0 0\n"
                                                         "0.10000000000000001 0.10000000000000001\n"
                                                         "0.20000000000000001 0.20000000000000001\n"
                                                         "0.30000000000000004 "
                                                         "0.30000000000000004\n");
    check_output(run_limber("get %s bell.modes --first", path), "0 -0\n");
    check_output(run_limber("get %s bell.modes --final", path), "3 -3\n");
    check_output(run_limber("get %s bell.modes.2 --at 0.3", path), "-3\n");
    check_output(run_limber("get --at=0.2 %s turn/bell.modes", path), "2 -2\n");
    check_output(run_limber("get %s bell.modes --max", path), "3 0.30000000000000004\n-0 0\n");
    check_output(run_limber("get %s bell.modes --min", path), "0 0\n-3 0.30000000000000004\n");
    check_output(run_limber("get %s bell.modes --at 0.2 --json", path),
                 "{\n"
                 "  \"channel\": \"bell.modes\",\n"
                 "  \"unit\": \"m·√kg\",\n"
                 "  \"components\": \"\",\n"
                 "  \"time\": 0.20000000000000001,\n"
                 "  \"values\": [2, -2]\n"
                 "}\n");
    check_run(run_limber("get %s bell.modes --json", path), 0, "\"values\": [\n    [0, -0],\n");
    check_run(run_limber("get %s bell.modes --max --json", path), 0,
              "\"maximum\": [\n    {\"value\": 3, \"time\": 0.30000000000000004},\n");
    check_run(run_limber("get %s crank.positoin", path), 3, "did you mean 'crank.position'?");
}

/* A part of the record: its limits belong to it, up to 1e-9 of a step. */
static void test_span(void **state)
{
    (void)state;
    const char *path = make_result("span.h5", NULL, CHANNELS, 11, 0.1, 0);
    check_output(run_limber("get %s bell.modes.1 --from 0.8", path),
                 "0.80000000000000004 8\n0.90000000000000002 9\n1 10\n");
    check_output(run_limber("get %s bell.modes.1 --from 0.3 --to 0.5 --max", path), "5 0.5\n");
    check_output(run_limber("get %s bell.modes.1 --from 0.3 --min", path),
                 "3 0.30000000000000004\n");
    check_output(run_limber("get %s bell.modes.1 --to 0.51 --final", path), "5\n");
    check_output(run_limber("get %s bell.modes.1 --from 0.49 --first", path), "5\n");
    check_output(run_limber("export %s --csv - crank.angle --from 0.95", path),
                 "time,crank.angle\n1,1\n");
    check_run(run_limber("get %s bell.modes --from 0.6 --to 0.5", path), 2,
              "--from 0.6 is after --to 0.5");
    check_run(run_limber("get %s bell.modes --from now", path), 2, "needs a number, not 'now'");
    check_run(run_limber("get %s bell.modes --at 0.5 --to 1", path), 2, "do not go together");
    check_run(run_limber("get %s bell.modes --from 1.5", path), 3,
              "'bell.modes' has no instants from t = 1.5 on");
    check_run(run_limber("get %s bell.modes --to -1", path), 3, "the result goes from 0 to 1");
    check_run(run_limber("get %s bell.modes --from 0.51 --to 0.52 --max", path), 3,
              "no instants from t = 0.51 to 0.52");
    check_run(run_limber("plot %s crank.angle -o %s --from 2", path, scratch_path("span.svg")), 3,
              "has no instants from t = 2 on");
    check_run(run_limber("export %s --vtk %s --to 0.5", path, scratch_path("vtk")), 2,
              "--from and --to are for --csv, --mat and --loads");
    check_run(run_limber("report %s -o %s --from 2", path, scratch_path("span.html")), 3,
              "has no instants from t = 2 on");
    const char *page = scratch_path("span.html");
    check_run(run_limber("report %s -o %s --from 0.5", path, page), 0, "The report is in");
    check_run(
        run_limber("list %s > /dev/null; grep -c '\"span\": *{\"from\": *0.5, *\"to\": *null}' "
                   "%s",
                   path, page),
        0, "1");
}

/* Only stored instants, to 1e-9 of the step; between them on request, by a cubic. */
static void test_get_at(void **state)
{
    (void)state;
    const char *path = make_result("at.h5", NULL, CHANNELS, 11, 0.1, 0);
    check_output(run_limber("get %s bell.modes.1 --at 0.30000000005", path), "3\n");
    check_run(run_limber("get %s bell.modes.1 --at 0.3000000002", path), 3,
              "the nearest are 0.30000000000000004 and 0.40000000000000002");
    check_run(run_limber("get %s bell.modes.1 --at 0.34", path), 3, "--interpolate");
    check_run(run_limber("get %s bell.modes.1 --at 1.01 --interpolate", path), 3,
              "outside the result");
    check_run(run_limber("get %s bell.modes.1 --at -0.01 --interpolate", path), 3, "outside");
    /* a cubic is met to rounding everywhere, at the ends as well */
    static const double times[] = {0.03, 0.34, 0.55, 0.97};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        double t = times[i];
        lmb_run_result run = run_limber("get %s crank.position.x --at %g --interpolate", path, t);
        assert_int_equal(run.code, 0);
        assert_close(strtod(run.out, NULL), t * t * t - t, 1e-15);
        free_run(&run);
    }
}

static void test_get_usage(void **state)
{
    (void)state;
    const char *path = make_result("usage.h5", NULL, CHANNELS, 3, 0.1, 0);
    check_run(run_limber("get %s crank.angle --at 0 --final", path), 2,
              "--at and --final do not go");
    check_run(run_limber("get %s crank.angle --interpolate", path), 2, "--interpolate needs --at");
    check_run(run_limber("get %s crank.angle --at soon", path), 2, "needs a number, not 'soon'");
    check_run(run_limber("get %s crank.angle --at", path), 2, "--at needs a value: --at T");
    check_run(run_limber("get %s crank.angle --at --json", path), 2, "--at needs a value");
    check_run(run_limber("get %s crank.angle --at 0 --at 0", path), 2, "--at is given twice");
    check_run(run_limber("get %s crank.angle --json=1", path), 2, "--json takes no value");
    check_run(run_limber("get %s crank.angle --finla", path), 2, "did you mean '--final'?");
    check_run(run_limber("get %s crank.angle --bogus", path), 2, "see `limber get --help`");
    check_run(run_limber("get %s", path), 2, "hint: limber get RESULT CHANNEL");
    check_run(run_limber("get %s crank.angle -5", path), 2, "'-5' is one word too many");
    check_run(run_limber("get -- %s --final", path), 3, "no channel '--final'");
}

static void test_compare(void **state)
{
    (void)state;
    const char *a = make_result("a.h5", NULL, CHANNELS, 11, 0.1, 0);
    const char *b = make_result("b.h5", NULL, CHANNELS, 11, 0.1, 0.25);
    check_output(run_limber("compare %s %s --tolerance 0", a, a),
                 "channel         unit   largest  rms  time of largest\n"
                 "crank.position  m            0    0                0\n"
                 "crank.angle     rad          0    0                0\n"
                 "bell.modes      m·√kg        0    0                0\n");
    check_run(run_limber("compare %s %s", a, b), 0, "crank.angle     rad       0.25  0.25  ");
    check_run(run_limber("compare %s %s crank.angle --tolerance 0.2", a, b), 1, "0.25");
    check_run(run_limber("compare %s %s crank.angle --tolerance 0.3", a, b), 0, "0.25");
    check_run(run_limber("compare %s %s crank.position.x --tolerance 0 --json", a, b), 0,
              "{\"name\": \"crank.position.x\", \"unit\": \"m\", \"largest\": 0, \"rms\": 0, "
              "\"time\": 0}");
    check_run(run_limber("compare %s %s --tolerance -1", a, b), 2, "must not be negative");
    check_run(run_limber("compare %s %s crank.angel", a, b), 3, "did you mean 'crank.angle'?");
    check_run(run_limber("compare %s %s", a, scratch_path("none.h5")), 5, "No such file");

    /* a channel that only one has */
    const char *less = make_result("less.h5", NULL, 2, 11, 0.1, 0);
    check_run(run_limber("compare %s %s", a, less), 0, "channel is only in");
    check_run(run_limber("compare %s %s --tolerance 1", less, a), 1, "channel is only in");

    /* other instants: a cubic interpolates the cubic motion exactly, in the time both have */
    const char *coarse = make_result("coarse.h5", NULL, CHANNELS, 5, 0.15, 0);
    check_run(run_limber("compare %s %s crank.position --tolerance 1e-15", a, coarse), 0,
              "from t = 0 to 0.6");
}

/* A table that the program has written has every bit; one made by hand may have a few columns only.
 */
static void test_compare_table(void **state)
{
    (void)state;
    const char *a = make_result("measured.h5", NULL, CHANNELS, 11, 0.1, 0);
    const char *table = scratch_path("measured.csv");
    check_output(run_limber("export %s --csv %s", a, table), "");
    check_output(run_limber("compare %s %s --tolerance 0", a, table),
                 "channel           unit   largest  rms  time of largest\n"
                 "crank.position.x  m            0    0                0\n"
                 "crank.position.y  m            0    0                0\n"
                 "crank.angle       rad          0    0                0\n"
                 "bell.modes.1      m·√kg        0    0                0\n"
                 "bell.modes.2      m·√kg        0    0                0\n");
    check_output(run_limber("compare %s %s bell.modes --tolerance 0", a, table),
                 "channel       unit   largest  rms  time of largest\n"
                 "bell.modes.1  m·√kg        0    0                0\n"
                 "bell.modes.2  m·√kg        0    0                0\n");

    /* y = 1 - t, measured half a second late and 0.125 too high, at other instants */
    FILE *file = fopen(table, "w");
    assert_non_null(file);
    fputs("t;crank.position.y;temperature\n", file);
    for (int i = 0; i < 9; i++)
        fprintf(file, "%.17g;%.17g;20\n", 0.5 + 0.07 * i, 1.125 - 0.07 * i);
    fclose(file);
    check_run(run_limber("compare %s %s --shift -0.5", a, table), 0,
              "crank.position.y  m       0.125  0.125  ");
    check_run(run_limber("compare %s %s --shift -0.5", a, table), 0, "from t = 0 to 0.5");
    check_run(run_limber("compare %s %s --shift -0.5 --tolerance 1", a, table), 1,
              "the column 'temperature' of");
    check_run(run_limber("compare %s %s crank.position --shift -0.5 --tolerance 0.2", a, table), 0,
              "0.125");
    check_run(run_limber("compare %s %s crank.angle", a, table), 3, "has no column 'crank.angle'");
    check_run(run_limber("compare %s %s crank.angel", a, table), 3, "did you mean 'crank.angle'?");
    check_run(run_limber("compare %s %s --shift soon", a, table), 2, "--shift");
    check_run(run_limber("compare %s %s --shift 100", a, table), 3,
              "no time of 'crank.position.y'");

    file = fopen(table, "w");
    assert_non_null(file);
    fputs("t,crank.angle\n0,1\n0.2,2\n0.1,3\n", file);
    fclose(file);
    check_run(run_limber("compare %s %s", a, table), 3, "do not grow: 0.1 comes after 0.2");
    check_run(run_limber("compare %s README.md", a), 3, "README.md");
}

/* NaN in one result only is a difference; in both it is none. */
static void test_compare_nan(void **state)
{
    (void)state;
    lmb_context *context = lmb_context_new();
    const char *paths[2] = {scratch_path("nan.h5"), scratch_path("number.h5")};
    for (int k = 0; k < 2; k++) {
        lmb_writer *writer;
        assert_int_equal(lmb_writer_new(&writer, context, paths[k]), 0);
        assert_int_equal(lmb_writer_begin(writer, context, "turn", "dynamics", 1, channels), 0);
        double row[2] = {k == 0 ? NAN : 1, INFINITY};
        assert_int_equal(lmb_writer_row(writer, context, 0, row), 0);
        assert_int_equal(lmb_writer_close(writer, context), 0);
    }
    lmb_context_free(context);
    check_run(run_limber("compare %s %s --tolerance 1e300", paths[0], paths[1]), 1, "inf");
    check_run(run_limber("compare %s %s --tolerance 0", paths[0], paths[0]), 0, "crank.position");
    check_run(run_limber("get %s crank.position --json", paths[0]), 0, "[null, null]");
    check_run(run_limber("get %s crank.position --first", paths[1]), 0, "1 inf\n");
    check_run(
        run_limber("get %s crank.position --first", paths[1]), 0,
        "warning: channel 'crank.position' of analysis 'turn' is not a finite number at t = 0");
}

static void test_export(void **state)
{
    (void)state;
    const char *path = make_result("export.h5", "swing", CHANNELS, 4, 0.1, 0);
    check_output(run_limber("export %s --csv - --analysis turn", path),
                 "time,crank.position.x,crank.position.y,crank.angle,bell.modes.1,bell.modes.2\n"
                 "0,0,1,0,0,-0\n"
                 "0.10000000000000001,-0.099000000000000005,0.90000000000000002,"
                 "0.10000000000000001,1,-1\n"
                 "0.20000000000000001,-0.192,0.80000000000000004,0.20000000000000001,2,-2\n"
                 "0.30000000000000004,-0.27300000000000002,0.69999999999999996,"
                 "0.30000000000000004,3,-3\n");
    check_output(run_limber("export %s --csv - bell.modes crank.angle", path),
                 "time,bell.modes.1,bell.modes.2,crank.angle\n"
                 "0,0,-0,0\n"
                 "0.10000000000000001,1,-1,0.10000000000000001\n"
                 "0.20000000000000001,2,-2,0.20000000000000001\n");
    const char *csv = scratch_path("export.csv");
    unlink(csv);
    check_output(run_limber("export %s --csv %s bell.modes.2", path, csv), "");
    check_output(run_limber("help > /dev/null; cat %s", csv),
                 "time,bell.modes.2\n0,-0\n0.10000000000000001,-1\n0.20000000000000001,-2\n");
    check_run(run_limber("export %s --csv - turn/crank.angle swing/crank.angle", path), 3,
              "other instants");
    check_run(run_limber("export %s", path), 2, "--csv FILE");
    check_run(run_limber("export %s --csv - --analysis sving", path), 3, "did you mean 'swing'?");
    check_run(run_limber("export %s --csv /no/such/folder.csv", path), 5, "No such file");
    check_run(run_limber("export %s --csv /dev/full", path), 5, "No space left on device");
}

/* The standard output: full, closed, and read only for a moment. */
static void test_output(void **state)
{
    (void)state;
    const char *path = make_result("long.h5", NULL, CHANNELS, 20000, 0.001, 0);
    check_run(run_limber("get %s crank.position > /dev/full", path), 5, "No space left on device");
    check_run(run_limber("get %s crank.angle --final > /dev/full", path), 5, "standard output");
    check_run(run_limber("get %s crank.angle --final >&-", path), 5, "standard output");
    lmb_run_result run = run_limber("get %s crank.position | head -n 1", path);
    assert_string_equal(run.err, "");
    assert_string_equal(run.out, "0 0 1\n");
    free_run(&run);
}

static void test_help(void **state)
{
    (void)state;
    check_output(run_limber("--version"), "limber 0.1.0\n");
    check_run(run_limber(" "), 2, "usage: limber COMMAND");
    check_run(run_limber("--help"), 0, "  get           Prints the numbers of a channel.\n");
    check_run(run_limber("help"), 0,
              "  compare       Prints differences of two results, or of a result and a table.\n");
    check_run(run_limber("help get"), 0, "usage: limber get RESULT CHANNEL");
    check_run(run_limber("get --help"), 0, "  --at T         The values at time T");
    check_run(run_limber("get x y z -h"), 0, "examples:\n  limber get ");
    check_run(run_limber("gte"), 2, "did you mean 'get'?");
    check_run(run_limber("help gte"), 2, "did you mean 'get'?");
    check_run(run_limber("frobnicate"), 2, "`limber help` lists the commands");
    check_run(run_limber("help --man"), 0, ".TH LIMBER 1");
    check_run(run_limber("help --man"), 0, "\\fB\\-\\-interpolate\\fR");
    lmb_run_result run = run_limber("help");
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),        cmocka_unit_test(test_get),
        cmocka_unit_test(test_get_at),      cmocka_unit_test(test_get_usage),
        cmocka_unit_test(test_compare),     cmocka_unit_test(test_compare_table),
        cmocka_unit_test(test_compare_nan), cmocka_unit_test(test_export),
        cmocka_unit_test(test_span),        cmocka_unit_test(test_output),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests_name("results on the command line", tests, NULL, NULL);
}
