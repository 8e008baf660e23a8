/* Runs that are interrupted or killed go on to the results of a run that was not, to the last bit.
 *
 * The rows of a result are written at least each 1024, so a run with 3000 instants has checkpoints
 * on its way, however fast it is. */
#include <fcntl.h>
#include <signal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hdf5.h>

#include "limber/limber.h"
#include "models.h"
#include "program.h"
#include "same_results.h"
#include "store/h5.h"
#include "system/state.h"
#include "support.h"

/* A pendulum of two rods on a slider-crank with friction, whose crank turns more than once: a
 * difference in the last bit would grow. */
#define MECHANISM                                                                                  \
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                               \
    "parameters: {r: 0.15, l: 0.4, omega: 30, axis: [1, 0], push: 1, T: 3, N: 3000}\n"             \
    "tables: {pull: {file: pull.csv}}\n"                                                           \
    "bodies:\n"                                                                                    \
    "  crank: {shape: {bar: {length: r}}, mass: 1, position: [r/2, 0], angular_velocity: omega,"   \
    " points: {O: [-r/2, 0], B: [r/2, 0]}}\n"                                                      \
    "  rod: {shape: {bar: {length: l}}, mass: 0.5, position: [r + l/2, 0],"                        \
    " points: {B: [-l/2, 0], C: [l/2, 0]}}\n"                                                      \
    "  slider: {mass: 2, inertia: 1, position: [r + l, 0]}\n"                                      \
    "  first: {shape: {bar: {length: l}}, mass: 1, position: [r + 3*l/2, 0],"                      \
    " points: {A: [-l/2, 0], B: [l/2, 0]}}\n"                                                      \
    "  second: {shape: {bar: {length: l}}, mass: 1, position: [r + 5*l/2, 0],"                     \
    " points: {A: [-l/2, 0]}}\n"                                                                   \
    "joints:\n"                                                                                    \
    "  main: {type: revolute, between: [ground, crank.O]}\n"                                       \
    "  pin: {type: revolute, between: [crank.B, rod.B]}\n"                                         \
    "  wrist: {type: revolute, between: [rod.C, slider]}\n"                                        \
    "  guide: {type: translational, between: [ground, slider], axis: axis}\n"                      \
    "  hip: {type: revolute, between: [slider, first.A]}\n"                                        \
    "  knee: {type: revolute, between: [first.B, second.A]}\n"

static const char swinging[] = MECHANISM
    "forces:\n"
    "  motor: {type: motor, joint: main, effort: \"push*cos(angle) + pull(t) +"
    " if(abs(mod(t, T/4) - T/8) < T/1000, push, 0)\"}\n"
    "  rub: {type: friction, joint: guide, coefficient: 0.05}\n"
    "events:\n"
    "  off: {when: t - 0.45*T, release: [motor]}\n"
    "  last: {when: t - 0.9*T, stop: true}\n"
    "analyses:\n"
    "  rk: {type: dynamics, duration: T, output_step: T/N, tolerance: 1e-6,"
    " without: [last, off]}\n"
    "  events: {type: dynamics, duration: T, output_step: T/N, tolerance: 1e-6}\n"
    "  parts: {type: dynamics, duration: T, output_step: T/N, tolerance: 1e-6,"
    " stabilisation: partitioning, without: [last]}\n"
    "  adams: {type: dynamics, duration: T, output_step: T/N, integrator: adams, step: 0.001,"
    " without: [last]}\n"
    "  euler: {type: dynamics, duration: T, output_step: T/N, integrator: euler, step: 0.001,"
    " without: [last, off]}\n"
    "  alpha: {type: dynamics, duration: T, output_step: T/N, integrator: generalized-alpha,"
    " step: 0.001, without: [last]}\n"
    "  ida: {type: dynamics, duration: T, output_step: T/N, integrator: ida, tolerance: 1e-5,"
    " without: [last, off, rub]}\n"
    "  control: {type: dynamics, duration: T, output_step: T/N, integrator: generalized-alpha,"
    " tolerance: 1e-5, without: [last, off]}\n";

static const char playing[] = MECHANISM
    "drivers:\n"
    "  turn: {joint: main, speed: omega*(1 + sin(t)/10)}\n"
    "  hold: {joint: hip, angle: sin(t)}\n"
    "  bend: {joint: knee, angle: sin(2*t)}\n"
    "forces:\n"
    "  play: {type: motor, joint: main, effort: record(first_turn/turn.effort)}\n"
    "analyses:\n"
    "  first_turn: {type: inverse-dynamics, duration: T, output_step: T/N, without: [play]}\n"
    "  stand: {type: assembly, without: [play]}\n"
    "  again: {type: dynamics, duration: T, output_step: T/N, tolerance: 1e-6, without: "
    "[turn]}\n"
    "  swing: {type: dynamics, duration: T, output_step: T/N, tolerance: 1e-6, without: [turn,"
    " hold, bend]}\n"
    "  middle: {type: dynamics, from: again, start: T/4, duration: T/2, output_step: T/N,"
    " integrator: adams, step: 0.001, without: [turn, play]}\n"
    "  end: {type: dynamics, from: swing, duration: T/2, output_step: T/N,"
    " tolerance: 1e-6, without: [turn, hold, bend, play]}\n"
    "  shake: {type: modes, without: [turn, play]}\n";

/* --- runs, and how they end ------------------------------------------------------------------- */

static const char *write_text(const char *name, const char *text)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static const char *write_model(const char *name, const char *text)
{
    write_text("pull.csv", "0 0\n1 1\n3 0\n");
    return write_text(name, text);
}

/* With 300 instants instead of 3000. */
static const char *write_short_model(const char *name, const char *text)
{
    char shorter[8192];
    snprintf(shorter, sizeof shorter, "%s", text);
    memcpy(strstr(shorter, "N: 3000"), "N:  300", strlen("N:  300"));
    return write_model(name, shorter);
}

/* Where a run ends: the analysis, how much of it is done, and whether it is killed. */
typedef struct ending {
    const char *analysis;
    double fraction;
    bool killed;
} ending;

static bool end_there(void *user, const char *what, double fraction)
{
    const ending *e = user;
    if (!e->analysis || strcmp(what, e->analysis) != 0 || fraction < e->fraction)
        return false;
    if (e->killed)
        raise(SIGKILL);
    return true;
}

/* Runs or resumes a model (one analysis of it, unless NULL) in a process of its own. */
static void run_until(const char *model, const char *only, const char *result, bool resume,
                      ending end)
{
    const char *const names[] = {only, NULL};
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        lmb_context *own = lmb_context_new();
        lmb_spec *spec;
        lmb_model *m;
        if (lmb_spec_load(&spec, own, model) || lmb_model_compile(&m, own, spec))
            _exit(99);
        lmb_context_on_progress(own, end_there, &end);
        bool complete;
        _exit(resume ? lmb_resume(own, m, names, result, &complete)
                     : lmb_run(own, m, names, result));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (end.analysis && end.killed)
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    else
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == (end.analysis ? LMB_SOLVER : 0));
}

static void resume(const char *model, const char *only, const char *result)
{
    lmb_run_result run = run_limber("run %s -o %s --resume %s %s", model, result,
                                    only ? "--analysis" : "", only ? only : "");
    if (run.code)
        fail_msg("%s", run.err);
    assert_null(strstr(run.err, "complete"));
    free_run(&run);
}

/* --- comparing -------------------------------------------------------------------------------- */

static lmb_result *open_result(const char *path)
{
    lmb_result *result;
    assert_ok(lmb_result_open(&result, context, path));
    return result;
}

static int rows_of(const char *path)
{
    lmb_result *r = open_result(path);
    lmb_series s = {0};
    if (lmb_result_analysis_count(r) > 0)
        assert_ok(lmb_result_read(r, context, "energy.kinetic", &s));
    int count = s.count;
    lmb_series_free(&s);
    lmb_result_close(r);
    return count;
}

/* --- tests ------------------------------------------------------------------------------------ */

static const char *const methods[] = {"rk",    "events", "parts", "adams",
                                      "euler", "alpha",  "ida",   "control"};

/* Killed before the first rows are written, and twice behind checkpoints. */
static void killed_runs_go_on_to_the_last_bit(void **unused)
{
    (void)unused;
    const char *model = write_model("swinging.yaml", swinging);
    const char *whole = scratch_path("whole.h5"), *part = scratch_path("part.h5");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        run_until(model, methods[i], whole, false, (ending){0});
        bool stops = strcmp(methods[i], "events") == 0;
        assert_int_equal(rows_of(whole), stops ? 2701 : 3001);
        run_until(model, methods[i], part, false, (ending){methods[i], 0.02, true});
        assert_true(has_checkpoint(part));
        run_until(model, methods[i], part, true, (ending){methods[i], 0.4, true});
        assert_true(rows_of(part) >= 0.4 * 3000 - 1024); /* no more than a block is lost */
        run_until(model, methods[i], part, true, (ending){methods[i], 0.71, true});
        assert_true(rows_of(part) >= 0.71 * 3000 - 1024);
        resume(model, methods[i], part);
        assert_same_results(whole, part);
    }
}

/* Ctrl-C keeps all rows so far, at any of them. */
static void interrupted_runs_go_on_to_the_last_bit(void **unused)
{
    (void)unused;
    const char *model = write_short_model("short.yaml", swinging);
    const char *whole = scratch_path("whole.h5"), *part = scratch_path("part.h5");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        run_until(model, methods[i], whole, false, (ending){0});
        run_until(model, methods[i], part, false, (ending){methods[i], 1 / 300.0, false});
        assert_int_equal(rows_of(part), 2);
        run_until(model, methods[i], part, true, (ending){methods[i], 150 / 300.0, false});
        assert_int_equal(rows_of(part), 151);
        run_until(model, methods[i], part, true, (ending){methods[i], 151 / 300.0, false});
        assert_int_equal(rows_of(part), 152);
        resume(model, methods[i], part);
        assert_same_results(whole, part);
    }
}

/* A chain of N links in space. */
#define CHAIN(N)                                                                                   \
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {N: " N "}\n"                    \
    "bodies:\n"                                                                                    \
    "  link{i}: {repeat: {i: [1, N]}, mass: 1, inertia: [0.01, 0.08, 0.08],"                       \
    " position: [i - 0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"                     \
    "joints:\n"                                                                                    \
    "  pin1: {type: revolute, between: [ground, link1.a], axis: [0, 1, 0.1]}\n"                    \
    "  pin{i}: {repeat: {i: [2, N]}, type: revolute, between: [\"link{i-1}.b\", \"link{i}.a\"],"   \
    " axis: [0, \"mod(i, 2)\", \"mod(i + 1, 2)\"]}\n"

/* The checkpoint of a large model: it is saved piece by piece, and what the solver by joined bodies
 * has is made again of less than all of it. One channel is stored. */
static void large_models_go_on_to_the_last_bit(void **unused)
{
    (void)unused;
    const char *model = write_text(
        "large.yaml",
        CHAIN("450") "analyses:\n"
                     "  alpha: {type: dynamics, duration: 0.3, output_step: 0.005, step: 0.005,"
                     " integrator: generalized-alpha, solver: tree, results: [link450.position, "
                     "energy.*]}\n"
                     "  rk: {type: dynamics, duration: 0.03, output_step: 0.005, solver: tree,"
                     " results: [link450.position, energy.*]}\n");
    const char *whole = scratch_path("whole.h5"), *part = scratch_path("part.h5");
    run_until(model, NULL, whole, false, (ending){0});
    run_until(model, NULL, part, false, (ending){"alpha", 0.3, false});
    assert_int_equal(rows_of(part), 19);
    run_until(model, NULL, part, true, (ending){"alpha", 0.7, false});
    run_until(model, NULL, part, true, (ending){"rk", 0.5, false});
    resume(model, NULL, part);
    assert_same_results(whole, part);
}

/* Channels of many bodies are shared among threads: the same to the last bit, whatever the number.
 */
static void threads_do_not_change_channels(void **unused)
{
    (void)unused;
    const char *model = write_text(
        "many.yaml",
        CHAIN("300") "analyses:\n"
                     "  alpha: {type: dynamics, duration: 0.05, output_step: 0.01, step: 0.01,"
                     " integrator: generalized-alpha}\n");
    const char *results[] = {scratch_path("one.h5"), scratch_path("two.h5"),
                             scratch_path("three.h5")};
    for (int i = 0; i < 3; i++) {
        lmb_run_result run = run_limber("run %s -o %s --threads %d", model, results[i], i + 1);
        assert_int_equal(run.code, 0);
        free_run(&run);
    }
    lmb_result *r = open_result(results[0]);
    assert_true(lmb_result_channel_count(r, 0) > 5000); /* enough to be shared */
    lmb_result_close(r);
    assert_same_results(results[0], results[1]);
    assert_same_results(results[0], results[2]);
}

/* What a later analysis plays back of an earlier one, or begins with, is there again, wherever the
 * run ended. */
static void later_analyses_have_what_they_need(void **unused)
{
    (void)unused;
    static const ending ends[] = {
        {"first_turn", 0.5, true}, {"first_turn", 0.5, false}, {"again", 0.001, true},
        {"again", 0.2, false},     {"again", 0.6, true},       {"swing", 0.9, true},
        {"middle", 0.1, true},     {"middle", 0.9, false},     {"end", 0.8, true},
    };
    const char *model = write_model("playing.yaml", playing);
    const char *whole = scratch_path("whole.h5"), *part = scratch_path("part.h5");
    run_until(model, NULL, whole, false, (ending){0});
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        run_until(model, NULL, part, false, ends[i]);
        resume(model, NULL, part);
        assert_same_results(whole, part);
    }
    /* one after the other */
    run_until(model, NULL, part, false, ends[0]);
    for (size_t i = 1; i < sizeof ends / sizeof *ends; i++)
        run_until(model, NULL, part, true, ends[i]);
    resume(model, NULL, part);
    assert_same_results(whole, part);
}

static void copy_file(const char *from, const char *to)
{
    char command[4096];
    snprintf(command, sizeof command, "cp %s %s", from, to);
    lmb_run_result run = run_shell(command);
    assert_int_equal(run.code, 0);
    free_run(&run);
}

/* Writes zeros over a slot of a checkpoint. */
static void damage(const char *path, const char *slot)
{
    double zeros[7] = {0};
    hsize_t count = sizeof zeros / sizeof *zeros, start = 0;
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, slot, H5P_DEFAULT);
    assert_true(set >= 0);
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, zeros) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* A run that is killed while it writes a checkpoint has the one before. Of the first analysis there
 * are slots for no numbers, then a pair for its motion. */
static void half_written_checkpoints_are_passed_over(void **unused)
{
    (void)unused;
    const char *model = write_model("swinging.yaml", swinging);
    const char *whole = scratch_path("whole.h5"), *part = scratch_path("part.h5");
    const char *copy = scratch_path("copy.h5");
    run_until(model, "alpha", whole, false, (ending){0});
    run_until(model, "alpha", part, false, (ending){"alpha", 0.8, true});
    copy_file(part, copy);
    damage(copy, "model/checkpoint/2a");
    resume(model, "alpha", copy);
    assert_same_results(whole, copy);
    damage(part, "model/checkpoint/2b");
    copy_file(part, copy);
    resume(model, "alpha", copy);
    assert_same_results(whole, copy);
    damage(part, "model/checkpoint/2a");
    lmb_run_result run = run_limber("run %s -o %s --resume --analysis alpha", model, part);
    assert_int_equal(run.code, 3);
    assert_non_null(strstr(run.err, "no checkpoint"));
    free_run(&run);
}

/* Change a number of a slot, counted from the head, and correct the checksum. */
static void forge(const char *path, const char *slot, size_t place, double number)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, slot, H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t size;
    H5Sget_simple_extent_dims(space, &size, NULL);
    double *numbers = calloc(size, sizeof *numbers);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
    enum { COUNT = 5, HEAD = 6 };
    numbers[place] = number;
    uint64_t hash = lmb_h5_hash(0, numbers + 1, (HEAD - 1) * sizeof *numbers);
    hash = lmb_h5_hash(hash, numbers + HEAD, (size_t)numbers[COUNT] * sizeof *numbers);
    numbers[0] = (double)(hash >> 12);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
    free(numbers);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* A number of steps or an index that a correct checkpoint cannot have. */
static void forged_integers_are_refused(void **unused)
{
    (void)unused;
    enum { ANALYSIS = 2, ROWS, INSTANT, HEAD = 6 };
    const char *model = write_model("swinging.yaml", swinging);
    const char *part = scratch_path("part.h5"), *copy = scratch_path("copy.h5");
    run_until(model, "alpha", part, false, (ending){"alpha", 0.8, true});
    lmb_spec *spec;
    lmb_model *m;
    assert_ok(lmb_spec_load(&spec, context, model));
    assert_ok(lmb_model_compile(&m, context, spec));
    lmb_state *s = lmb_state_new(m);
    lmb_pack before = {.mode = LMB_PACK_COUNT};
    lmb_state_pack(s, &before);
    size_t steps =
        HEAD + before.count + 2 + 2 * (size_t)m->nv + 1 + 4 * (size_t)m->parts.turn_count;
    lmb_state_free(s);
    lmb_model_free(m);
    lmb_spec_free(spec);
    const struct {
        size_t place;
        double number;
    } forged[] = {{INSTANT, INT32_MAX}, {INSTANT, 3001}, {INSTANT, 100.5}, {INSTANT, 3},
                  {ROWS, 2900},         {ANALYSIS, 7},   {steps, -1},      {steps, 1e300},
                  {steps, NAN},         {steps, 0.5}};
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        copy_file(part, copy);
        forge(copy, "model/checkpoint/2a", forged[i].place, forged[i].number);
        forge(copy, "model/checkpoint/2b", forged[i].place, forged[i].number);
        lmb_run_result run = run_limber("run %s -o %s --resume --analysis alpha", model, copy);
        if (run.code != 3)
            fail_msg("number %zu: exit %d", i, run.code);
        free_run(&run);
    }
}

/* The program itself, ended by signals again and again at moments that the clock chooses. */
static void the_program_can_be_ended_at_any_moment(void **unused)
{
    (void)unused;
    const char *model = write_model("long.yaml", swinging);
    const char *whole = scratch_path("whole.h5"), *part = scratch_path("part.h5");
    char command[4096];
    snprintf(
        command, sizeof command,
        "%%LIMBER%% run %s --quiet --set N=6000 -o %s && rm -f %s && "
        "resume=; for end in KILL:0.57 INT:0.29 KILL:0.66 INT:0.40 KILL:0.46; do "
        "timeout -s ${end%%:*} ${end#*:} %%LIMBER%% run %s --quiet --set N=6000 -o %s $resume; "
        "[ -e %s ] && resume=--resume; done; "
        "%%LIMBER%% run %s --quiet --set N=6000 -o %s $resume",
        model, whole, part, model, part, part, model, part);
    lmb_run_result run = run_shell(command);
    if (run.code)
        fail_msg("%s", run.err);
    free_run(&run);
    assert_same_results(whole, part);
}

static void expect(const char *words, int code, const char *message)
{
    lmb_run_result run = run_limber("run %s", words);
    if (run.code != code || !strstr(run.err, message))
        fail_msg("code %d: %s", run.code, run.err);
    free_run(&run);
}

/* Only the same run goes on; any other leaves the result as it is. */
static void other_runs_do_not_go_on(void **unused)
{
    (void)unused;
    const char *model = write_model("swinging.yaml", swinging);
    const char *other = write_model("other.yaml", playing);
    const char *part = scratch_path("part.h5"), *copy = scratch_path("copy.h5");
    char words[4096];
    run_until(model, "rk", part, false, (ending){"rk", 0.5, false});
    copy_file(part, copy);
    snprintf(words, sizeof words, "%s --resume --analysis rk -o %s --set push=2", model, part);
    expect(words, 3, "of a run with other parameters: push = 1\n  hint: give the same --set");
    snprintf(words, sizeof words, "%s --resume --analysis rk -o %s --set axis='[-1, 0]'", model,
             part);
    expect(words, 3, "axis = [1, 0]");
    snprintf(words, sizeof words, "%s --resume -o %s", model, part);
    expect(words, 3, "of other analyses: rk\n  hint: give the same --analysis");
    snprintf(words, sizeof words, "%s --resume -o %s --analysis again --analysis first_turn", other,
             part);
    expect(words, 3, "is not of this model");
    write_text("pull.csv", "0 0\n1 1\n3 0.1\n");
    snprintf(words, sizeof words, "%s --resume --analysis rk -o %s", model, part);
    expect(words, 3, "table 'pull' was different");
    snprintf(words, sizeof words, "%s --resume -o %s", model, scratch_path("none.h5"));
    expect(words, 5, "hint: without --resume the run begins anew");
    snprintf(words, sizeof words, "%s --resume -o %s", model, model);
    expect(words, 3, "not a Limber result");
    char command[4096];
    snprintf(command, sizeof command, "cmp %s %s && ! ls %s.resume", part, copy, part);
    lmb_run_result run = run_shell(command);
    assert_int_equal(run.code, 0);
    free_run(&run);
}

static void complete_runs_have_nothing_left(void **unused)
{
    (void)unused;
    const char *model = write_model("swinging.yaml", swinging);
    const char *whole = scratch_path("whole.h5"), *copy = scratch_path("copy.h5");
    char command[4096];
    run_until(model, "euler", whole, false, (ending){0});
    copy_file(whole, copy);
    snprintf(command, sizeof command, "%s --resume --analysis euler -o %s", model, whole);
    expect(command, 0, "is complete: there is nothing to resume");
    snprintf(command, sizeof command, "cmp %s %s && ! %%LIMBER%% list %s | grep checkpoint", whole,
             copy, whole);
    lmb_run_result run = run_shell(command);
    assert_int_equal(run.code, 0);
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_runs_go_on_to_the_last_bit),
        cmocka_unit_test(interrupted_runs_go_on_to_the_last_bit),
        cmocka_unit_test(large_models_go_on_to_the_last_bit),
        cmocka_unit_test(threads_do_not_change_channels),
        cmocka_unit_test(later_analyses_have_what_they_need),
        cmocka_unit_test(half_written_checkpoints_are_passed_over),
        cmocka_unit_test(forged_integers_are_refused),
        cmocka_unit_test(the_program_can_be_ended_at_any_moment),
        cmocka_unit_test(other_runs_do_not_go_on),
        cmocka_unit_test(complete_runs_have_nothing_left),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
