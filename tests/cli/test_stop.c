/* SIGINT and SIGTERM end the program within a second wherever it is: while it parses, reads a mesh,
 * orders and factorises, writes a report, or runs. Only gross limits are checked, as the machine
 * may have other work; the times are printed. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "parts.h"
#include "program.h"

extern char **environ;

static const double longest = 20; /* s, on a busy machine; promised is 1 */

enum { MOST = 1 << 16 };

/* A program under way, and what it has said so far. */
typedef struct child {
    pid_t pid;
    int errors;
    char text[MOST];
    size_t used;
} child;

static void start(child *c, char *const *words)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    assert_int_equal(posix_spawn(&c->pid, words[0], &actions, NULL, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    c->errors = ends[0];
    c->used = 0;
    c->text[0] = 0;
}

/* Takes what it says for a while, up to a word if there is one; whether that was said. */
static bool listen_to(child *c, double seconds, const char *word)
{
    struct timespec begun;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (;;) {
        if (word && strstr(c->text, word))
            return true;
        double left = seconds - lmb_seconds_since(begun);
        struct pollfd from = {c->errors, POLLIN, 0};
        if (left <= 0 || poll(&from, 1, (int)(1000 * left) + 1) <= 0)
            return false;
        ssize_t n = read(c->errors, c->text + c->used, MOST - 1 - c->used);
        if (n <= 0)
            return false;
        c->used += (size_t)n;
        c->text[c->used] = 0;
    }
}

/* Sends a signal after some seconds, or once a word was said; the program ends with 4. */
static void stop(const char *where, int number, double after, const char *word, char *const *words)
{
    child c;
    struct timespec sent;
    start(&c, words);
    bool said = listen_to(&c, word ? 300 : after, word);
    int status;
    if ((word && !said) || waitpid(c.pid, &status, WNOHANG) != 0)
        fail_msg("%s: it ended before it was to be stopped: %s", where, c.text);
    kill(c.pid, number);
    clock_gettime(CLOCK_MONOTONIC, &sent);
    listen_to(&c, longest, NULL);
    double spent = lmb_seconds_since(sent);
    if (spent >= longest) {
        kill(c.pid, SIGKILL);
        waitpid(c.pid, &status, 0);
        fail_msg("%s: it did not stop within %g s", where, longest);
    }
    assert_int_equal(waitpid(c.pid, &status, 0), c.pid);
    close(c.errors);
    print_message("%-14s %s: %.2f s\n", where, number == SIGINT ? "SIGINT " : "SIGTERM", spent);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != LMB_SOLVER || !strstr(c.text, "interrupted"))
        fail_msg("%s: status %d: %s", where, status, c.text);
}

static void stop_both(const char *where, double after, const char *word, char *const *words)
{
    stop(where, SIGINT, after, word, words);
    stop(where, SIGTERM, after, word, words);
}

/* A model of 60 MB. */
static void parsing(void **unused)
{
    (void)unused;
    const char *path = scratch_path("long.yaml");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 3\nbodies:\n", file);
    for (int i = 0; i < 750000; i++)
        fprintf(file, "  body%06d: {mass: 1 + %d/7, position: [%d, sin(%d), 0], points: {}}\n", i,
                i, i, i);
    assert_int_equal(fclose(file), 0);
    stop_both("parsing", 0.3, NULL, (char *[]){program_path(), "check", (char *)path, NULL});
}

/* The hub of the ride in elements of `size`, and a model of it. */
static const char *write_hub(const char *name, double size)
{
    char mesh_name[64], model_name[64];
    snprintf(mesh_name, sizeof mesh_name, "%s.msh", name);
    snprintf(model_name, sizeof model_name, "%s.yaml", name);
    lmb_context *context = lmb_context_new();
    lmb_mesh *mesh;
    assert_int_equal(part_hub.solid(&mesh, context, LMB_TET10, size), LMB_OK);
    assert_int_equal(part_write(mesh, "hub", scratch_path(mesh_name), context), LMB_OK);
    lmb_arena_free(mesh->arena);
    lmb_context_free(context);
    const char *path = scratch_path(model_name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "limber: 1\ndimension: 3\nbodies:\n  hub:\n    mesh: {file: %s, material: steel}\n"
            "    interfaces: {bearing: {point: [0, 0, 0], nodes: bearing}}\n"
            "    reduction: {modes: 6}\n",
            mesh_name);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* 0.46 million nodes: reading takes a second, and the factorisation far longer. */
static void reduction(void **unused)
{
    (void)unused;
    char *model = (char *)write_hub("hub", 0.03), *out = (char *)scratch_path("hub.h5");
    char *words[] = {program_path(), "reduce", model, "--no-cache", "-o", out, NULL};
    stop_both("reading a mesh", 0.2, NULL, words);
    stop("ordering", SIGINT, 5, NULL, words);
    stop("factorisation", SIGTERM, 0, "factorisation, about ", words);
}

static void report(void **unused)
{
    (void)unused;
    const char *model = scratch_path("chain.yaml"), *result = scratch_path("chain.h5");
    FILE *file = fopen(model, "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
          "  'b{i}': {repeat: {i: [1, 1500]}, type: particle, mass: 1, position: [i, 0, 0]}\n"
          "forces:\n  's{i}': {repeat: {i: [1, 1499]}, type: spring, between: ['b{i}', 'b{i+1}'], "
          "stiffness: 10, length: 1}\n"
          "analyses: {fall: {type: dynamics, duration: 1, output_step: 0.0005, "
          "integrator: euler, step: 0.0005}}\n",
          file);
    assert_int_equal(fclose(file), 0);
    check_run(run_limber("run %s --quiet -o %s", model, result), 0, "");
    stop_both("a report", 0.1, NULL,
              (char *[]){program_path(), "report", (char *)result, "-o",
                         (char *)scratch_path("chain.html"), NULL});
}

/* A run has stored what it has, and says how to go on. */
static void running(void **unused)
{
    (void)unused;
    const char *model = scratch_path("swing.yaml");
    FILE *file = fopen(model, "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
          "bodies: {bar: {mass: 1, inertia: 1, position: [1, 0], points: {end: [-1, 0]}}}\n"
          "joints: {pin: {type: revolute, between: [[0, 0], bar.end]}}\n"
          "analyses: {swing: {type: dynamics, duration: 1e5, output_step: 0.1}}\n",
          file);
    assert_int_equal(fclose(file), 0);
    stop_both("a run", 0.5, NULL,
              (char *[]){program_path(), "run", (char *)model, "-o",
                         (char *)scratch_path("swing.h5"), NULL});
}

/* Friction that makes 10^8 steps of a second: the program says how long that takes and why. */
static void sticking(void **unused)
{
    (void)unused;
    const char *model = scratch_path("stick.yaml");
    FILE *file = fopen(model, "w");
    assert_non_null(file);
    fputs("limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
          "bodies: {m: {mass: 1, inertia: 1, position: [0, 0], velocity: [1, 0]}}\n"
          "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
          "forces: {rub: {type: friction, joint: guide, coefficient: 50, stick_speed: 1e-6}}\n"
          "analyses: {go: {type: dynamics, duration: 1, output_step: 0.01}}\n",
          file);
    assert_int_equal(fclose(file), 0);
    stop("many steps", SIGINT, 0, "friction 'rub' sets in within its 'stick_speed'",
         (char *[]){program_path(), "run", (char *)model, "-o", (char *)scratch_path("stick.h5"),
                    NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parsing), cmocka_unit_test(reduction), cmocka_unit_test(report),
        cmocka_unit_test(running), cmocka_unit_test(sticking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
