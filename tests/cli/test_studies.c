/* limber optimise, fit, sweep and tolerance through the built program: tables, JSON, files, what
 * goes on after an interruption, and what is refused. */
#define _XOPEN_SOURCE 700 /* strdup, symlink */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "strip.h"
#include "support.h"

/* A slider on the x axis and a rod of length l to the height y: x = sqrt(l^2 - y^2). */
#define ROD                                                                                        \
    "limber: 1\n"                                                                                  \
    "title: A rod\n"                                                                               \
    "dimension: 2\n"                                                                               \
    "parameters: {y: 0.3, l: 1, twice: 2*y}\n"                                                     \
    "bodies: {s: {type: particle, mass: 1, position: [0.9, 0]}}\n"                                 \
    "joints:\n"                                                                                    \
    "  guide: {type: slot, between: [ground, s], axis: [1, 0]}\n"                                  \
    "  rod: {type: distance, between: [[0, y], s], length: l}\n"                                   \
    "analyses: {wait: {type: kinematics, duration: 1, output_step: 0.1}}\n"                        \
    "objectives: {reach: {final: s.position.x}, off: (reach - 0.8)^2, length: {final: "            \
    "s.position.x^2 + y^2}}\n"                                                                     \
    "studies:\n"                                                                                   \
    "  best: {type: optimise, minimise: off, design: {y: [0.1, 0.9]}}\n"                           \
    "  held: {type: optimise, minimise: off, design: {y: [0.1, 0.9]}, subject_to: {reach: "        \
    "{at_least: 0.9}}}\n"                                                                          \
    "  grid: {type: sweep, vary: {y: [0, 0.6, 0.8, 2], l: [1, 1.5]}, results: [reach]}\n"          \
    "  play: {type: tolerance, vary: {y: {normal: [0.6, 0.01]}, l: {normal: [1, 0.01]}}, "         \
    "results: [reach], samples: 20}\n"

static const char *rod(void)
{
    const char *path = scratch_path("rod.yaml");
    write_text(path, ROD);
    return path;
}

/* Runs the program in the test's own folder. */
static lmb_run_result run_there(const char *words)
{
    char command[4000];
    snprintf(command, sizeof command, "cd '%s' && %%LIMBER%% %s", scratch_path(""), words);
    return run_shell(command);
}

static void check_there(const char *words, int code, const char *piece)
{
    check_run(run_there(words), code, piece);
}

static bool is_there(const char *name)
{
    return access(scratch_path(name), R_OK) == 0;
}

static void forget(const char *name)
{
    unlink(scratch_path(name));
}

/* How many bytes a file has that begins in a way. */
static size_t size_of(const char *name, const char *beginning)
{
    size_t size;
    char *bytes = read_bytes(scratch_path(name), &size);
    if (size < strlen(beginning) || memcmp(bytes, beginning, strlen(beginning)) != 0)
        fail_msg("%s begins with '%.20s'", name, bytes);
    free(bytes);
    return size;
}

static void assert_in_file(const char *name, const char *piece)
{
    size_t size;
    char *bytes = read_bytes(scratch_path(name), &size);
    bytes[size] = 0;
    if (!strstr(bytes, piece))
        fail_msg("%s has no '%s'", name, piece);
    free(bytes);
}

/* --- optimise --------------------------------------------------------------------------------- */

/* The half car, whose numbers are those of tests/study/test_optimised_examples.c but for the errors
 * of steps of 1 ms, c2 h^2, which are known from there to be below 1e-3. */
static void the_json_of_an_optimum(void **unused)
{
    (void)unused;
    lmb_run_result run =
        run_limber("optimise examples/half-car/half-car.yaml --study tight --quiet "
                   "--json --jobs 2 -o %s",
                   scratch_path("tight.h5"));
    assert_runs(&run);
    assert_string_equal(run.err, "");
    const char *design = strstr(run.out, "\"design\": {"),
               *limits = strstr(run.out, "\"constraints\"");
    assert_non_null(design);
    assert_non_null(limits);
    assert_close(number_behind(design, "\"cf\": ") / 1102.0957956672, 1, 1e-3);
    assert_close(number_behind(design, "\"cr\": ") / 1590.8754903005, 1, 1e-3);
    assert_close(number_behind(run.out, "\"objective\": ") / 2.227100179715, 1, 1e-3);
    const char *travel = strstr(limits, "\"travel\": {");
    assert_non_null(travel);
    assert_close(number_behind(travel, "\"value\": ") / 6e-4, 1, 1e-8);
    assert_true(number_behind(travel, "\"multiplier\": ") > 0);
    assert_non_null(strstr(travel, "\"active\": true"));
    assert_non_null(strstr(run.out, "\"feasible\": true"));
    assert_close(number_behind(strstr(run.out, "\"start\": {"), "\"cf\": "), 1500, 0);
    free_run(&run);
}

/* reach = 0.8 with y = 0.6, where off = 0. */
static void the_tables_of_an_optimum(void **unused)
{
    (void)unused;
    rod();
    lmb_run_result run = run_there("optimise rod.yaml --study best");
    assert_runs(&run);
    static const char *const pieces[] = {
        "parameter", "as given", "best", "Objectives", "The least off within the limits is",
        "slsqp: "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!strstr(run.out, pieces[i]))
            fail_msg("no '%s' in %s", pieces[i], run.out);
    assert_non_null(strstr(run.err, "The study is in rod-best.h5; `limber report rod-best.h5`"));
    assert_non_null(strstr(run.err, "`limber run rod.yaml --set @rod-best.set`"));
    free_run(&run);
    run = run_there("optimise rod.yaml --study held --quiet");
    assert_runs(&run);
    assert_non_null(strstr(run.out, "at least 0.9"));
    assert_non_null(strstr(run.out, "active"));
    assert_string_equal(run.err, "");
    free_run(&run);
    assert_in_file("rod-held.set", "# The best design of study held of rod.yaml");
    assert_in_file("rod-held.set", "y: 0.43588989"); /* sqrt(1 - 0.81) */
}

static void other_names_of_the_verb(void **unused)
{
    (void)unused;
    rod();
    static const char *const names[] = {"optimise", "optimize", "minimise", "minimize"};
    for (int i = 0; i < 4; i++) {
        char words[200];
        snprintf(words, sizeof words, "%s rod.yaml --study best --quiet --json -o name.h5",
                 names[i]);
        lmb_run_result run = run_there(words);
        assert_runs(&run);
        /* off is flat: (reach - 0.8)^2 < 1e-14 is reach to 1e-7, and y to 4/3 of it */
        assert_close(number_behind(run.out, "\"y\": "), 0.6, 1e-6);
        free_run(&run);
    }
    char *text = strdup(ROD);
    memcpy(strstr(text, "type: optimise"), "type: optimize", 14);
    write_text(scratch_path("ize.yaml"), text);
    free(text);
    check_there("optimise ize.yaml --study best --quiet", 0, "The least off");
}

/* --- files ------------------------------------------------------------------------------------ */

static void parameters_come_back_from_a_file(void **unused)
{
    (void)unused;
    rod();
    check_there("optimise rod.yaml --study best --quiet", 0, "Design");
    check_there("run rod.yaml --set @rod-best.set --quiet -o set.h5", 0, "");
    double reach[20];
    int count = printed_column(scratch_path("set.h5"), "s.position.x", 20, reach);
    assert_int_equal(count, 11);
    assert_close(reach[10], 0.8, 1e-6);
    /* those behind count */
    check_there("run rod.yaml --set @rod-best.set --set y=0 --quiet -o set.h5", 0, "");
    printed_column(scratch_path("set.h5"), "s.position.x", 20, reach);
    assert_close(reach[0], 1, 1e-12);
    write_text(scratch_path("two.set"), "y: 0.8\nl: 1 + 2/3 # a comment\n\n");
    check_there("run rod.yaml --set @two.set --quiet -o set.h5", 0, "");
    printed_column(scratch_path("set.h5"), "s.position.x", 20, reach);
    assert_close(reach[0], sqrt(25. / 9 - 0.64), 1e-12);
    static const struct {
        const char *text, *said;
        int code;
    } wrong[] = {{"z: 1\n", "has no parameter 'z'", 3},
                 {"y: \n", "y", 3},
                 {"y: [1\n", "error", 3},
                 {"y: 1/0\n", "infinite", 3},
                 {"just words\n", "parameters are a map", 3},
                 {"- y\n", "parameters are a map", 3},
                 {"", "empty", 3}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_text(scratch_path("wrong.set"), wrong[i].text);
        lmb_run_result run = run_there("run rod.yaml --set @wrong.set --quiet -o set.h5");
        if (run.code != wrong[i].code || !strstr(run.err, wrong[i].said))
            fail_msg("'%s': code %d, %s", wrong[i].text, run.code, run.err);
        free_run(&run);
    }
    check_there("run rod.yaml --set @none.set --quiet", 5, "cannot read 'none.set'");
    check_there("run rod.yaml --set @ --quiet", 2, "NAME=VALUE");
}

static void the_files_of_a_study(void **unused)
{
    (void)unused;
    static const struct {
        const char *verb, *study, *column;
    } kinds[] = {{"optimise", "best", "design.y"},
                 {"sweep", "grid", "design.l"},
                 {"tolerance", "play", "reach"}};
    rod();
    for (int i = 0; i < 3; i++) {
        char words[300];
        snprintf(words, sizeof words,
                 "%s rod.yaml --study %s --quiet -o f.h5 -o f.html -o f.csv -o f.svg -o f.png",
                 kinds[i].verb, kinds[i].study);
        check_there(words, 0, "");
        assert_true(size_of("f.h5", "\x89HDF") > 1000);
        assert_true(size_of("f.html", "<!") > 10000);
        assert_true(size_of("f.csv", "trial,search,design.y") > 100);
        assert_true(size_of("f.svg", "<") > 1000);
        assert_true(size_of("f.png", "\x89PNG") > 1000);
        assert_in_file("f.csv", kinds[i].column);
        assert_in_file("f.html", "reach");
        /* what other verbs say of it */
        check_there("list f.h5", 0, kinds[i].column);
        snprintf(words, sizeof words, "get f.h5 %s", kinds[i].column);
        check_there(words, 0, "1 ");
        check_there("export f.h5 --csv -", 0, "trial,search,design.y");
        snprintf(words, sizeof words, "plot f.h5 %s --versus design.y -o p.svg", kinds[i].column);
        check_there(words, 0, "");
        assert_true(size_of("p.svg", "<") > 1000);
        forget("r.html");
        check_there("report f.h5 -o r.html", 0, "");
        assert_in_file("r.html", "reach");
        check_there("export f.h5 --vtk nothing", 3, "has no shapes of bodies");
    }
    /* as CSV it has all runs, those that failed too: of y = 0, 0.6, 0.8, 2 and l = 1, 1.5 two do */
    check_there("sweep rod.yaml --study grid --quiet -o f.h5 -o f.csv", 0, "8 runs (grid), 2 of");
    double reach[10], failed[10];
    assert_int_equal(printed_column(scratch_path("f.h5"), "reach", 10, reach), 8);
    assert_int_equal(printed_column(scratch_path("f.h5"), "failed", 10, failed), 8);
    for (int k = 0; k < 8; k++) {
        static const double y[] = {0, 0.6, 0.8, 2};
        double l = k % 2 ? 1.5 : 1, rest = l * l - y[k / 2] * y[k / 2];
        assert_true(failed[k] == (rest < 0));
        if (rest > 0)
            assert_close(reach[k], sqrt(rest), 1e-10);
    }
}

/* --- fit, sweep, tolerance -------------------------------------------------------------------- */

static void the_fit_of_the_pendulum(void **unused)
{
    (void)unused;
    lmb_run_result run = run_limber(
        "fit examples/pendulum-fit/pendulum-fit.yaml --quiet --json -o %s", scratch_path("fit.h5"));
    assert_runs(&run);
    /* integrated to 1e-10, which is 1e-8 of residuals of 1e-2 */
    const char *L = strstr(run.out, "\"L\": {");
    assert_non_null(L);
    assert_close(number_behind(L, "\"value\": "), 0.9996217109320, 1e-7);
    assert_close(number_behind(L, "\"error\": ") / 0.00134991, 1, 1e-5);
    assert_close(number_behind(run.out, "\"sum_of_squares\": ") / 0.001979742048028, 1, 1e-7);
    assert_non_null(strstr(run.out, "\"converged\": true"));
    free_run(&run);
    run = run_limber("fit examples/pendulum-fit/pendulum-fit.yaml --quiet -o %s -o %s",
                     scratch_path("fit.h5"), scratch_path("fit.svg"));
    assert_runs(&run);
    static const char *const pieces[] = {"standard error", "Correlations",
                                         "over 41 values of swing.csv", "0.99962"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!strstr(run.out, pieces[i]))
            fail_msg("no '%s' in %s", pieces[i], run.out);
    free_run(&run);
    assert_true(size_of("fit.svg", "<") > 1000);
    assert_in_file("fit.set", "# The fitted parameters of study swing");
    check_run(run_limber("report %s -o %s", scratch_path("fit.h5"), scratch_path("fit.html")), 0,
              "");
    assert_in_file("fit.html", "standard error");
}

static void sweeps_and_tolerances_as_json(void **unused)
{
    (void)unused;
    rod();
    lmb_run_result run = run_there("sweep rod.yaml --study grid --quiet --json");
    assert_runs(&run);
    assert_non_null(strstr(run.out, "\"failure\": "));
    assert_non_null(strstr(run.out, "\"failed\": 2"));
    assert_non_null(strstr(run.err, "2 of 8 runs failed, the first (number 7): "));
    assert_close(number_behind(run.out, "\"largest\": "), 1.5, 1e-10);
    free_run(&run);
    run = run_there("tolerance rod.yaml --quiet --json");
    assert_runs(&run);
    /* dx = (l dl - y dy) / x = 1.25 dl - 0.75 dy */
    assert_close(number_behind(run.out, "\"value\": "), 0.8, 1e-10);
    assert_close(number_behind(run.out, "\"deviation\": "), 0.01 * hypot(1.25, 0.75), 1e-10);
    assert_close(number_behind(run.out, "\"y\": "), 0.0075, 1e-10);
    assert_close(number_behind(run.out, "\"l\": "), 0.0125, 1e-10);
    assert_close(number_behind(run.out, "\"runs\": "), 20, 0);
    free_run(&run);
    check_there("tolerance rod.yaml --quiet", 0, "Budget of reach");
}

/* --- interruptions ---------------------------------------------------------------------------- */

/* A mass on a spring for as long as it takes. */
static const char slow[] =
    "limber: 1\n"
    "dimension: 2\n"
    "parameters: {c: 1, d: 1}\n"
    "bodies: {p: {type: particle, mass: 1, position: [1, 0]}}\n"
    "joints: {guide: {type: slot, between: [ground, p], axis: [1, 0]}}\n"
    "forces: {spring: {type: force, at: p, force: [-4*p.position.x - c*d*p.velocity.x, 0]}}\n"
    "analyses: {fall: {type: dynamics, duration: 20, output_step: 1, integrator: "
    "generalized-alpha, step: 0.002}}\n"
    "objectives: {left: {integral: p.position.x^2}, end: {final: p.position.x}}\n"
    "studies:\n"
    "  many: {type: sweep, vary: {c: {uniform: [0.5, 4]}}, samples: 60}\n"
    "  other: {type: sweep, vary: {c: {uniform: [0.5, 4]}}, samples: 60}\n";

/* Ctrl-C keeps the file; what it has is not run again, and the end is as if it had not been. */
static void an_interrupted_study_goes_on(void **unused)
{
    (void)unused;
    enum { SAMPLES = 60 };
    double part[SAMPLES], all[SAMPLES], whole[SAMPLES];
    write_text(scratch_path("slow.yaml"), slow);
    check_there("sweep slow.yaml --study many --quiet -o whole.h5", 0, "");
    char command[3000];
    snprintf(command, sizeof command,
             "cd '%s' && { %%LIMBER%% sweep slow.yaml --study many --quiet --jobs 1 -o slow.h5 & "
             "pid=$!; sleep 0.4; kill -INT $pid; wait $pid; }",
             scratch_path(""));
    lmb_run_result run = run_shell(command);
    if (run.code != 4 || !strstr(run.err, "interrupted") ||
        !strstr(run.err, "what was tried is in slow.h5; --resume goes on from there"))
        fail_msg("code %d: %s", run.code, run.err);
    free_run(&run);
    int first = printed_column(scratch_path("slow.h5"), "left", SAMPLES, part);
    assert_in_range(first, 1, SAMPLES - 1);
    /* not by another study, another model, or with other parameters; the file stays */
    check_there("sweep slow.yaml --study other --quiet --resume -o slow.h5", 3, "it is of 'many'");
    char *text = strdup(slow);
    memcpy(strstr(text, "mass: 1"), "mass: 2", 7);
    write_text(scratch_path("heavy.yaml"), text);
    free(text);
    check_there("sweep heavy.yaml --study many --quiet --resume -o slow.h5", 3,
                "the model was different then");
    check_there("sweep slow.yaml --study many --quiet --resume --set d=2 -o slow.h5", 3, "d");
    assert_int_equal(printed_column(scratch_path("slow.h5"), "left", SAMPLES, all), first);
    assert_memory_equal(all, part, (size_t)first * sizeof *part);
    check_there("sweep slow.yaml --study many --quiet --resume -o slow.h5", 0, "60 runs");
    assert_int_equal(printed_column(scratch_path("slow.h5"), "left", SAMPLES, all), SAMPLES);
    assert_int_equal(printed_column(scratch_path("whole.h5"), "left", SAMPLES, whole), SAMPLES);
    assert_memory_equal(all, whole, sizeof all);
    assert_false(is_there("slow.h5.resume"));
}

/* --- what is refused -------------------------------------------------------------------------- */

static void what_makes_no_sense_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *words;
        int code;
        const char *said;
    } cases[] = {
        {"optimise rod.yaml", 2, "rod.yaml has 2 studies of type optimise"},
        {"optimise rod.yaml --study bset", 2, "did you mean 'best'?"},
        {"optimise rod.yaml --study grid", 2, "study 'grid' is of type sweep"},
        {"optimise rod.yaml --study grid", 2, "limber sweep ... --study grid"},
        {"fit rod.yaml", 3, "rod.yaml has no study of type fit"},
        {"sweep rod.yaml --jobs 0", 2, "--jobs"},
        {"sweep rod.yaml --jobs -1", 2, "--jobs"},
        {"sweep rod.yaml --jobs 1.5", 2, "--jobs needs a whole number"},
        {"sweep rod.yaml --jobs many", 2, "--jobs"},
        {"sweep rod.yaml --job 1", 2, "has no option '--job'"},
        {"sweep", 2, "MODEL"},
        {"sweep none.yaml", 5, "cannot read 'none.yaml'"},
        {"sweep rod.yaml -o page.pdx", 2, "must end with .h5, .html, .csv"},
        {"sweep rod.yaml --resume -o none.h5", 5, "without --resume the study begins anew"},
        {"sweep rod.yaml -o nowhere/x.h5", 5, "cannot write 'nowhere/x.h5'"},
        {"optimise rod.yaml --study best --set y=0.95", 3,
         "the design begins with y = 0.95, outside of its bounds 0.1 and 0.9"},
        {"optimise rod.yaml --study best --set y=0.95", 3, "'--set y=0.9'"},
        {"optimise rod.yaml --study best --set z=1", 3, "has no parameter 'z'"},
        {"report rod.yaml", 3, "rod.yaml"},
    };
    rod();
    forget("none.h5");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lmb_run_result run = run_there(cases[i].words);
        if (run.code != cases[i].code || !strstr(run.err, cases[i].said))
            fail_msg("%s: code %d, %s", cases[i].words, run.code, run.err);
        free_run(&run);
    }
}

/* Studies that are only wrong where they are made. */
static void what_only_shows_when_it_is_made(void **unused)
{
    (void)unused;
    static const struct {
        const char *study, *verb;
        int code;
        const char *said;
    } cases[] = {
        {"{type: optimise, minimise: off, design: {twice: [0.1, 2]}}", "optimise", 3, "twice"},
        {"{type: optimise, minimise: length, design: {y: [0.1, 0.9]}}", "optimise", 0,
         "warning: objective 'length' does not depend on the design"},
        {"{type: optimise, minimise: off, design: {y: [2, 3]}}", "optimise", 3, "outside"},
        {"{type: optimise, minimise: off, design: {y: {choices: [2, 3]}}}", "optimise", 4,
         "could not be run with any design"},
        {"{type: optimise, minimise: off, design: {y: {choices: [0.1, 3]}}, method: direct, "
         "starts: "
         "3}",
         "optimise", 0, "'starts' makes no difference"},
        {"{type: optimise, minimise: [off, reach], design: {y: {choices: [0.1, 0.3]}}}", "optimise",
         3, "a trade-off is between designs with bounds"},
        {"{type: sweep, vary: {y: {from: 0, to: 0.5, points: 5000}, l: {from: 1, to: 2, points: "
         "5000}}}",
         "sweep", 3, "there are 2.5e+07 samples"},
        {"{type: sweep, vary: {y: [3, 4]}}", "sweep", 4, "all 2 runs failed, the first: "},
        {"{type: fit, measured: none.csv, columns: {x: s.position.x}, vary: [y]}", "fit", 5,
         "none.csv"},
        {"{type: fit, measured: d.csv, columns: {z: s.position.x}, vary: [y]}", "fit", 3,
         "has no column 'z'"},
        {"{type: fit, measured: d.csv, columns: {x: s.position.x}, vary: {y: [0.5, 0.9]}}", "fit",
         3, "the fit begins with y = 0.3, outside of its bounds"},
    };
    write_text(scratch_path("d.csv"), "time (s),x (m)\n0,0.8\n0.5,0.8\n1,0.8\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = malloc(4000), words[100];
        assert_non_null(text);
        strcpy(text, ROD);
        char *studies = strstr(text, "studies:\n");
        snprintf(studies, 2000, "studies:\n  s: %s\n", cases[i].study);
        write_text(scratch_path("late.yaml"), text);
        snprintf(words, sizeof words, "%s late.yaml --quiet", cases[i].verb);
        lmb_run_result run = run_there(words);
        if (run.code != cases[i].code || !strstr(run.err, cases[i].said))
            fail_msg("%s: code %d, expected %d and '%s'\n%s", cases[i].study, run.code,
                     cases[i].code, cases[i].said, run.err);
        free_run(&run);
        free(text);
    }
}

/* A disk that is full. */
static void a_full_disk_is_told(void **unused)
{
    (void)unused;
    static const struct {
        const char *file, *words;
    } cases[] = {{"full.h5", "sweep rod.yaml --quiet -o full.h5"},
                 {"full.csv", "sweep rod.yaml --quiet -o full.csv"},
                 {"full.set", "optimise rod.yaml --study best --quiet -o full.h5"}};
    rod();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forget(cases[i].file);
        assert_int_equal(symlink("/dev/full", scratch_path(cases[i].file)), 0);
        check_there(cases[i].words, 5, "No space left on device");
        forget(cases[i].file);
    }
    check_there("sweep rod.yaml --quiet >/dev/full", 5, "No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_json_of_an_optimum),
        cmocka_unit_test(the_tables_of_an_optimum),
        cmocka_unit_test(other_names_of_the_verb),
        cmocka_unit_test(parameters_come_back_from_a_file),
        cmocka_unit_test(the_files_of_a_study),
        cmocka_unit_test(the_fit_of_the_pendulum),
        cmocka_unit_test(sweeps_and_tolerances_as_json),
        cmocka_unit_test(an_interrupted_study_goes_on),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(what_only_shows_when_it_is_made),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests_name("studies", tests, NULL, NULL);
}
