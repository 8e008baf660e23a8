/* The program, killed at random instants of runs and of their resumption: what is there goes on, or
 * is made again, to the same bits.
 *
 * The instants are drawn with a fixed seed as parts of the time that the whole run takes; which
 * piece of work they hit depends on the machine. LIMBER_KILLS=N kills N times. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "same_results.h"
#include "support.h"

enum { MOST_WORDS = 16, WORDS_ROOM = 4096 };

/* A run: its words, and whether it can be resumed. */
typedef struct machine {
    const char *name, *words;
    bool resumes;
} machine;

static const machine machines[] = {
    {"rigid", "run tests/faults/models/rigid.yaml --set T=20 --set N=8000 --analysis turns", true},
    {"events", "run tests/faults/models/rigid.yaml --set T=8 --set N=8000 --analysis moves", true},
    {"flexible", "run tests/faults/models/flexible.yaml --no-cache --set T=4 --set N=2000", true},
    {"rotor", "rotor tests/faults/models/rotor.yaml --set T=5 --set speeds=60", false},
};

enum { MACHINES = sizeof machines / sizeof *machines };

/* Numbers from 0 to 1 (a linear congruential generator). */
static double drawn(void)
{
    static uint64_t state = 20;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / (double)(UINT64_C(1) << 53);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Starts the program with words, silently. */
static pid_t start(const char *words)
{
    char copy[WORDS_ROOM], *list[MOST_WORDS] = {program_path()};
    int count = 1;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        list[count++] = w;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int none = open("/dev/null", O_WRONLY);
        dup2(none, STDOUT_FILENO);
        dup2(none, STDERR_FILENO);
        execv(list[0], list);
        _exit(127);
    }
    return pid;
}

/* Runs the program to its end, which must be a good one; returns the seconds that it took. */
static double finish(const char *words)
{
    int status;
    double begin = now();
    pid_t pid = start(words);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("limber %s: status %d", words, status);
    return now() - begin;
}

/* Kills the program some seconds after its start; false: it had ended before. */
static bool kill_after(const char *words, double seconds)
{
    int status;
    struct timespec wait = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    pid_t pid = start(words);
    nanosleep(&wait, NULL);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status);
}

/* Whether there is something to go on with; if so, it can be read. */
static bool is_begun(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || about.st_size == 0)
        return false;
    check_run(run_limber("list %s", path), 0, "");
    return true;
}

/* The words that go on with a run or, where nothing can be gone on with, begin it anew. */
static void go_on(char words[WORDS_ROOM], const machine *m, const char *path)
{
    bool resumes = is_begun(path) && m->resumes && has_checkpoint(path);
    snprintf(words, WORDS_ROOM, "%s -o %s%s", m->words, path, resumes ? " --resume" : "");
}

/* One result, made by a run that is killed and then, every second time, resumed and killed again.
 * Returns the number of kills. */
static int kill_one(const machine *m, const char *whole, double seconds)
{
    char words[WORDS_ROOM];
    const char *part = scratch_path("part.h5");
    int kills = 0;
    remove(part);
    for (int turn = 0; turn == 0 || (turn < 3 && drawn() < 0.5); turn++) {
        go_on(words, m, part);
        kills += kill_after(words, drawn() * seconds);
        if (is_begun(part) && m->resumes && !has_checkpoint(part))
            break; /* it was complete */
    }
    go_on(words, m, part);
    finish(words);
    assert_same_results(whole, part);
    return kills;
}

static void killed_runs_are_the_same(void **unused)
{
    (void)unused;
    const char *given = getenv("LIMBER_KILLS");
    int wanted = given ? atoi(given) : 12, kills = 0;
    double seconds[MACHINES];
    char whole[MACHINES][WORDS_ROOM], words[2 * WORDS_ROOM];
    for (int i = 0; i < MACHINES; i++) {
        snprintf(whole[i], sizeof *whole, "%s/%s.h5", scratch_path(""), machines[i].name);
        remove(whole[i]);
        snprintf(words, sizeof words, "%s -o %s", machines[i].words, whole[i]);
        seconds[i] = finish(words);
    }
    int results = 0;
    for (; kills < wanted && results < 20 * wanted; results++)
        kills += kill_one(&machines[results % MACHINES], whole[results % MACHINES],
                          seconds[results % MACHINES]);
    print_message("%d kills, %d results with the same bits\n", kills, results);
    assert_true(kills >= wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(killed_runs_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
