/* Large models end to end, each case in a process of its own so that its memory can be told:
 *
 *   check N      compiling a chain of N links in space and counting its degrees of freedom
 *   step N       one step, all channels stored: 2 s and 0.5 GB for 10 000 links
 *   instants N   1000 instants, all channels stored: 20 s and 1.5 GB for 4000 links
 *   get N        opening the result of a step and reading all its channels one by one
 *   loops N      a row of N planar four-bars in space, redundant: 0.3 s until it starts for 160
 *   links N      1000 steps with one channel stored: minutes and 2.5 GB for 100 000 links
 *
 * `bench_large NAME` runs the cases of that name, `bench_large links 100000` in that size.
 * The limits are those of a quiet machine; the load is printed. */
#define _DEFAULT_SOURCE /* wait4, getloadavg */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

static const char chain[] =
    "limber: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {N: %d, T: %g}\n"
    "bodies:\n"
    "  link{i}: {repeat: {i: [1, N]}, mass: 1, inertia: [0.01, 0.08, 0.08],"
    " position: [i - 0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  pin1: {type: revolute, between: [ground, link1.a], axis: [0, 1, 0]}\n"
    "  pin{i}: {repeat: {i: [2, N]}, type: revolute, between: [\"link{i-1}.b\", \"link{i}.a\"],"
    " axis: [0, 1, 0]}\n"
    "analyses:\n"
    "  fall: {type: dynamics, duration: T, output_step: 0.001, step: 0.001,"
    " integrator: generalized-alpha%s}\n";

static const char loops[] =
    "limber: 1\n"
    "dimension: 3\n"
    "parameters: {N: %d, T: %g, b: pi/3}\n"
    "bodies:\n"
    "  crank{i}: {repeat: {i: [0, N]}, mass: 1, inertia: [0.001, 0.08, 0.08],"
    " position: [i + cos(b)/2, 0, sin(b)/2], rotation: [0, -b, 0],"
    " points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
    "  rod{i}: {repeat: {i: [1, N]}, mass: 1, inertia: [0.001, 0.08, 0.08],"
    " position: [i - 0.5 + cos(b), 0, sin(b)], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  foot{i}: {repeat: {i: [0, N]}, type: revolute, between: [[\"i\", 0, 0], \"crank{i}.a\"],"
    " axis: [0, 1, 0]}\n"
    "  left{i}: {repeat: {i: [1, N]}, type: revolute, between: [\"crank{i-1}.b\", \"rod{i}.a\"],"
    " axis: [0, 1, 0]}\n"
    "  right{i}: {repeat: {i: [1, N]}, type: revolute, between: [\"rod{i}.b\", \"crank{i}.b\"],"
    " axis: [0, 1, 0]}\n"
    "drivers: {motor: {joint: foot0, angle: t - b}}\n"
    "analyses:\n"
    "  turn: {type: kinematics, duration: T, output_step: 0.001%s}\n";

typedef struct example {
    const char *name, *text;
    int size;
    double duration;     /* 0: only checked */
    const char *results; /* keys of the analysis */
    bool reads;          /* the channels of the result */
    bool takes_long;     /* too many steps to count instructions of */
} example;

static const char *result_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/bench-large-%d.h5", (int)getppid());
    return path;
}

static void read_all(lmb_context *context)
{
    lmb_result *result;
    double start = seconds();
    if (lmb_result_open(&result, context, result_path()))
        give_up(context);
    double opened = seconds() - start;
    int count = lmb_result_channel_count(result, 0);
    start = seconds();
    for (int i = 0; i < count; i++) {
        lmb_series s;
        if (lmb_result_read(result, context, lmb_result_channel(result, 0, i)->name, &s))
            give_up(context);
        lmb_series_free(&s);
    }
    printf("    %d channels: opened in %.3f s, read in %.3f s\n", count, opened, seconds() - start);
    lmb_result_close(result);
}

/* The work of a case, in a process of its own. */
static void work(const example *e)
{
    char text[4096];
    lmb_context *context = lmb_context_new();
    lmb_mobility mobility;
    snprintf(text, sizeof text, e->text, e->size, e->duration ? e->duration : 1, e->results);
    double start = seconds();
    lmb_model *m = model_of_text(context, text);
    printf("    compiled in %.3f s\n", seconds() - start);
    start = seconds();
    lmb_status status =
        e->duration ? lmb_run(context, m, NULL, result_path()) : lmb_check(context, m, &mobility);
    if (status)
        give_up(context);
    printf("    %s in %.3f s\n", e->duration ? "run" : "checked", seconds() - start);
    if (e->reads)
        read_all(context);
    lmb_model_free(m);
    lmb_context_free(context);
}

/* Seconds on the wall; those of measure.h are of the processor. */
static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(const example *e)
{
    double load[3] = {0};
    int status;
    struct rusage used;
    fflush(NULL);
    double start = wall_seconds();
    pid_t child = fork();
    if (child == 0) {
        work(e);
        fflush(NULL);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &used) < 0 || status != 0)
        exit(1);
    double wall = wall_seconds() - start,
           cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                 (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    char path[64];
    struct stat file = {0};
    snprintf(path, sizeof path, "/tmp/bench-large-%d.h5", (int)getpid());
    stat(path, &file);
    unlink(path);
    if (getloadavg(load, 1) < 0)
        load[0] = -1;
    printf("%-9s %6d: %8.3f s wall, %8.3f s CPU, %6.0f MB of memory, %6.1f MB of file, load %.1f\n",
           e->name, e->size, wall, cpu, (double)used.ru_maxrss / 1024, (double)file.st_size / 1e6,
           load[0]);
}

int main(int count, char **words)
{
    static const example examples[] = {
        {"check", chain, 1000, 0, "", false, false},
        {"check", chain, 10000, 0, "", false, false},
        {"step", chain, 1000, 0.001, "", false, false},
        {"step", chain, 10000, 0.001, "", false, false},
        {"instants", chain, 4000, 1, "", false, false},
        {"get", chain, 1000, 0.001, "", true, false},
        {"loops", loops, 40, 0, "", false, false},
        {"loops", loops, 160, 0, "", false, false},
        {"loops", loops, 1000, 0, "", false, false},
        {"links", chain, 1000, 1, ", results: [link1.position]", false, true},
    };
    bool once = fixed_count() > 0; /* small models only */
    int size = count > 2 ? atoi(words[2]) : 0;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        example e = examples[i];
        if (!wanted(count, words, e.name) || (once && (e.size > 1000 || e.takes_long)))
            continue;
        e.size = size > 0 ? size : e.size;
        measure(&e);
        if (size > 0)
            break;
    }
    return 0;
}
