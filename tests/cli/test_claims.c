/* Two runs, one file: a result belongs to the run that writes it, appears whole, is missed when
 * somebody takes it away; what is exported replaces no model and leaves no half file. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "limber/limber.h"
#include "program.h"

/* A pendulum that swings for so many seconds; 1e6 of them take minutes. */
static const char *write_swing(const char *name, const char *seconds)
{
    char text[1024];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {T: %s}\n"
             "bodies: {bar: {mass: 1, inertia: 1, position: [1, 0], points: {end: [-1, 0]}}}\n"
             "joints: {pin: {type: revolute, between: [[0, 0], bar.end]}}\n"
             "analyses: {swing: {type: dynamics, duration: T, output_step: 0.1}}\n"
             "objectives: {high: {max: bar.position.y}}\n"
             "studies: {try: {type: sweep, vary: {T: [1, 2]}}}\n",
             seconds);
    return scratch_text(name, text);
}

static bool is_there(const char *name)
{
    return access(scratch_path(name), F_OK) == 0;
}

/* Runs an action in the shell beside a long run of $M into $R, whose number is $pid, once its
 * result is there; then the run gets a signal. The code is that of the action. */
static lmb_run_result beside_a_run(const char *action, int signal)
{
    const char *model = write_swing("long.yaml", "1e6"), *result = scratch_path("long.h5");
    char command[8192];
    snprintf(command, sizeof command,
             "R=%s; M=%s; rm -f $R\n%%LIMBER%% run $M --quiet -o $R 2> $R.err & pid=$!\n"
             "for i in $(seq 500); do [ -e $R ] && break; sleep 0.02; done\n%s\ncode=$?; kill -%d "
             "$pid; wait $pid; "
             "echo first: $?; cat $R.err; exit $code",
             result, model, action, signal);
    return run_shell(command);
}

/* --- results ---------------------------------------------------------------------------------- */

/* The second ends at once and names the first, which goes on; readers are not kept out. */
static void a_second_run_is_refused(void **unused)
{
    (void)unused;
    lmb_run_result run =
        beside_a_run("%LIMBER% list $R > /dev/null || exit 9\n"
                     "%LIMBER% run $M --quiet -o $R; second=$?\n"
                     "%LIMBER% run $M --quiet -o $R --resume; echo codes: $second $?\n"
                     "grep -q \"process $pid on\" $(dirname $R)/.long.h5.lock && kill -0 $pid",
                     SIGINT);
    assert_non_null(strstr(run.err, "long.h5' is being written by process "));
    assert_non_null(strstr(run.err, "hint: --wait waits"));
    assert_non_null(strstr(run.out, "codes: 5 5"));
    assert_non_null(strstr(run.out, "first: 4"));
    check_run(run, 0, "interrupted at t");
    assert_false(is_there(".long.h5.lock"));
    assert_false(is_there(".long.h5.part"));
}

/* A link is another name of the same file; studies and library calls are kept out as well. */
static void all_writers_are_refused(void **unused)
{
    (void)unused;
    unlink(scratch_path("link.h5"));
    assert_int_equal(symlink("long.h5", scratch_path("link.h5")), 0);
    lmb_run_result run =
        beside_a_run("cd $(dirname $R); %LIMBER% run $M -o link.h5; one=$?\n"
                     "%LIMBER% sweep $M -o long.h5; two=$?; %LIMBER% sweep $M -o link.h5 --resume\n"
                     "echo codes: $one $two $?",
                     SIGINT);
    assert_non_null(strstr(run.err, "'link.h5' is being written by process "));
    check_run(run, 0, "codes: 5 5 5");
    struct stat about;
    assert_int_equal(lstat(scratch_path("link.h5"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
}

/* With --wait the second begins when the first has ended, here by a kill. */
static void a_second_run_waits(void **unused)
{
    (void)unused;
    write_swing("short.yaml", "1");
    lmb_run_result run =
        beside_a_run("cd $(dirname $R); %LIMBER% run short.yaml -o $R --quiet --wait & second=$!\n"
                     "sleep 0.3; kill -0 $second || exit 9\nkill -KILL $pid; wait $second",
                     0);
    check_run(run, 0, "first: 137");
    double rows[20]; /* of the second: from 0 to 1 s */
    assert_int_equal(printed_column(scratch_path("long.h5"), "bar.angle", 20, rows), 11);
    assert_false(is_there(".long.h5.lock"));
}

/* A lock that a process has left behind when it was killed holds nobody up. */
static void locks_of_the_dead_do_not_count(void **unused)
{
    (void)unused;
    const char *model = write_swing("short.yaml", "1");
    scratch_text(".short.h5.lock", "process 1 on nowhere since ever\n");
    scratch_text(".short.h5.part", "half a file");
    check_run(run_limber("run %s -o %s", model, scratch_path("short.h5")), 0, "Results are in");
    assert_false(is_there(".short.h5.lock"));
    assert_false(is_there(".short.h5.part"));
    /* nor does it lead elsewhere */
    const char *victim = scratch_text("victim", "mine\n");
    assert_int_equal(symlink(victim, scratch_path(".short.h5.lock")), 0);
    check_run(run_limber("run %s -o %s", model, scratch_path("short.h5")), 5, "cannot write");
    unlink(scratch_path(".short.h5.lock"));
    assert_int_equal(symlink(victim, scratch_path(".short.h5.part")), 0);
    check_run(run_limber("run %s -o %s", model, scratch_path("short.h5")), 0, "Results are in");
    struct stat about;
    assert_int_equal(stat(victim, &about), 0);
    assert_int_equal(about.st_size, 5);
}

/* An older result stays until the first rows of the new one are there, with its permissions. */
static void an_older_result_is_replaced(void **unused)
{
    (void)unused;
    const char *model = write_swing("short.yaml", "1"), *result = scratch_path("short.h5");
    struct stat before, after;
    check_run(run_limber("run %s -o %s", model, result), 0, "");
    assert_int_equal(chmod(result, 0600), 0);
    assert_int_equal(stat(result, &before), 0);
    check_run(run_limber("run %s -o %s --set T=-1", model, result), 3, "");
    assert_int_equal(stat(result, &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
    check_run(run_limber("run %s -o %s --set T=2", model, result), 0, "");
    assert_int_equal(stat(result, &after), 0);
    assert_int_not_equal(after.st_ino, before.st_ino);
    assert_int_equal(after.st_mode & 0777, 0600);
}

/* A result that is deleted or replaced while it is written is an error. */
static void results_are_missed(void **unused)
{
    (void)unused;
    lmb_run_result run = beside_a_run("rm $R", SIGINT);
    assert_non_null(strstr(run.out, "first: 4")); /* it was interrupted before */
    check_run(run, 0, "was deleted while it was written");
    const char *model = write_swing("middle.yaml", "2000"), *result = scratch_path("gone.h5");
    check_run(run_limber("run %s -o %s & pid=$!\nfor i in $(seq 1000); do [ -e %s ] && break; "
                         "sleep 0.01; done; rm %s; "
                         "wait $pid",
                         model, result, result, result),
              5, "gone.h5' was deleted while it was written");
    check_run(
        run_limber(
            "run %s -o %s & pid=$!\nfor i in $(seq 1000); do [ -e %s ] && break; sleep 0.01; done; "
            "cp %s %s.2; mv %s.2 %s; wait $pid",
            model, result, result, model, model, model, result),
        5, "gone.h5' was replaced while it was written");
    unlink(result);
    check_run(run_limber("run %s -o %s & pid=$!\n"
                         "for i in $(seq 1000); do [ -e %s ] && break; sleep 0.01; done; "
                         "mv %s %s.moved; wait $pid",
                         model, result, result, result, result),
              5, "gone.h5' was given another name");
}

/* The library keeps two writers of one process apart. */
static bool run_again(void *user, const char *what, double fraction)
{
    (void)what, (void)fraction;
    lmb_context *other = lmb_context_new();
    assert_int_equal(lmb_run(other, user, NULL, scratch_path("twice.h5")), LMB_IO);
    assert_non_null(strstr(lmb_message_at(other, 0)->text, "is being written by process"));
    lmb_context_free(other);
    return true;
}

static void the_library_does_the_same(void **unused)
{
    (void)unused;
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *model;
    assert_int_equal(lmb_spec_load(&spec, context, write_swing("lib.yaml", "10")), LMB_OK);
    assert_int_equal(lmb_model_compile(&model, context, spec), LMB_OK);
    lmb_context_on_progress(context, run_again, model);
    assert_int_equal(lmb_run(context, model, NULL, scratch_path("twice.h5")), LMB_SOLVER);
    lmb_context_on_progress(context, NULL, NULL);
    bool complete;
    assert_int_equal(lmb_resume(context, model, NULL, scratch_path("twice.h5"), &complete), LMB_OK);
    lmb_model_free(model);
    lmb_spec_free(spec);
    lmb_context_free(context);
}

/* --- exports ---------------------------------------------------------------------------------- */

/* Neither the model nor what a command reads is overwritten, by whatever it writes. */
static void models_are_not_overwritten(void **unused)
{
    (void)unused;
    const char *model = write_swing("short.yaml", "1"), *result = scratch_path("short.h5");
    const char *json = scratch_text("model.json", "{ \"limber\" : 1, \"dimension\": 2}\n");
    check_run(run_limber("run %s -o %s", model, result), 0, "");
    struct stat before, after;
    assert_int_equal(stat(model, &before), 0);
    static const char *const writers[][2] = {
        {"export", "--csv"}, {"export", "--mat"}, {"export", "--gltf"}};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        const char *verb = writers[i][0], *option = writers[i][1];
        check_run(run_limber("%s %s %s %s", verb, result, option, model), 5,
                  "short.yaml' is a model, and is not overwritten");
        check_run(run_limber("%s %s %s %s", verb, result, option, json), 5,
                  "model.json' is a model, and is not overwritten");
        check_run(run_limber("%s %s %s %s", verb, result, option, result), 5,
                  "short.h5' is read here, and is not overwritten");
    }
    check_run(run_limber("report %s -o %s", result, model), 5, "is not a report");
    /* a result, which has the text of its model in it, is none */
    const char *other = scratch_path("other.h5");
    unlink(other);
    check_run(run_limber("run %s -o %s && %s export %s --csv %s", model, other, program_path(),
                         result, other),
              0, "");
    check_run(run_limber("run %s -o %s", model, model), 5, "is not a result file");
    check_run(run_limber("new slider-crank %s", model), 5, "is not overwritten");
    assert_int_equal(stat(model, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
}

/* A disk that is full after 8 kB: what was there stays, and nothing is left beside it. */
static void no_half_files_on_a_full_disk(void **unused)
{
    (void)unused;
    const char *model = write_swing("full.yaml", "1000"), *result = scratch_path("full.h5");
    check_run(run_limber("run %s -o %s", model, result), 0, "");
    static const char *const cases[][3] = {{"export", "--csv", "out/full.csv"},
                                           {"export", "--mat", "out/full.mat"},
                                           {"export", "--gltf", "out/full.glb"},
                                           {"report", "-o", "out/full.html"},
                                           {"plot", "bar.angle -o", "out/full.svg"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int there = 0; there < (strcmp(cases[i][0], "report") == 0 ? 1 : 2); there++) {
            const char *path = scratch_path(cases[i][2]);
            unlink(path);
            if (there)
                scratch_text(cases[i][2], "old\n");
            char command[8192];
            snprintf(command, sizeof command,
                     "ulimit -f 8; %%LIMBER%% %s %s %s %s; code=$?; ls %s; cat %s; exit $code",
                     cases[i][0], result, cases[i][1], path, scratch_path("out/"),
                     there ? path : "/dev/null");
            lmb_run_result run = run_shell(command);
            assert_null(strstr(run.out, ".part"));
            assert_int_equal(strstr(run.out, "old\n") != NULL, there);
            check_run(run, 5, "File too large");
            unlink(path);
        }
    const char *new = scratch_path("new.yaml");
    unlink(new);
    char command[8192];
    snprintf(command, sizeof command, "ulimit -f 1; %%LIMBER%% new slider-crank %s", new);
    check_run(run_shell(command), 5, "File too large");
    assert_false(is_there("new.yaml"));
}

/* A result on a full disk does not take the place of the one that was there. */
static void results_on_a_full_disk(void **unused)
{
    (void)unused;
    const char *model = write_swing("short.yaml", "1"), *result = scratch_path("short.h5");
    check_run(run_limber("run %s -o %s", model, result), 0, "");
    struct stat before, after;
    assert_int_equal(stat(result, &before), 0);
    char command[4096];
    snprintf(command, sizeof command, "ulimit -f 1; %%LIMBER%% run %s -o %s", model, result);
    check_run(run_shell(command), 5, "File too large");
    assert_int_equal(stat(result, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_int_equal(before.st_size, after.st_size);
    assert_false(is_there(".short.h5.part"));
    assert_false(is_there(".short.h5.lock"));
}

/* Links stay links, and devices are written as they are. */
static void links_and_devices(void **unused)
{
    (void)unused;
    const char *model = write_swing("short.yaml", "1"), *result = scratch_path("short.h5");
    check_run(run_limber("run %s -o %s", model, result), 0, "");
    unlink(scratch_path("link.csv"));
    assert_int_equal(symlink("target.csv", scratch_path("link.csv")), 0);
    scratch_text("target.csv", "old\n");
    check_run(run_limber("export %s --csv %s && cat %s", result, scratch_path("link.csv"),
                         scratch_path("target.csv")),
              0, "time,bar.position.x");
    struct stat about;
    assert_int_equal(lstat(scratch_path("link.csv"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    check_run(run_limber("export %s --csv /dev/stdout | head -c 20", result), 0, "time,");
    check_run(
        run_limber("help >/dev/null; echo first > %s; %s export %s --csv /dev/stdout >> %s; cat %s",
                   scratch_path("more.csv"), program_path(), result, scratch_path("more.csv"),
                   scratch_path("more.csv")),
        0, "first\ntime,");
    check_run(run_limber("report %s -o /dev/null && [ -c /dev/null ]", result), 0, "");
    check_run(run_limber("run %s -o /dev/full", model), 5, "No space left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_run_is_refused),
        cmocka_unit_test(all_writers_are_refused),
        cmocka_unit_test(a_second_run_waits),
        cmocka_unit_test(results_are_missed),
        cmocka_unit_test(locks_of_the_dead_do_not_count),
        cmocka_unit_test(an_older_result_is_replaced),
        cmocka_unit_test(the_library_does_the_same),
        cmocka_unit_test(models_are_not_overwritten),
        cmocka_unit_test(no_half_files_on_a_full_disk),
        cmocka_unit_test(results_on_a_full_disk),
        cmocka_unit_test(links_and_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
