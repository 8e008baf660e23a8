/* What studies cost besides the runs of the model.
 *
 *   sweep        1000 samples in memory, in one thread and in two, and with their file
 *   runs         the same models, compiled before, integrated without anything else
 *   optimise     a search with exact gradients, with gradients by differences, and without any
 *
 * Goals: a sweep takes at most 1.3 times its runs in one thread, and two threads are 1.8 times as
 * fast. Times of runs and of sweeps in one thread are those of the processor, of two threads those
 * of the clock: for these the machine must be idle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "measure.h"
#include "model/variant.h"
#include "read/reader.h"
#include "run/run.h"
#include "study/optimise.h"
#include "study/points.h"
#include "study/sample.h"
#include "study/sweep.h"

enum { SAMPLES = 1000 };

typedef struct sweep_case {
    const char *name, *objectives, *vary;
} sweep_case;

static const sweep_case sweeps[] = {
    {"slider-crank", "{effort: {max: motor.effort}}",
     "{omega: {uniform: [8, 12]}, l: {uniform: [0.38, 0.42]}}"},
    {"half-car", NULL, "{cf: {uniform: [1000, 2000]}, kr: {uniform: [20000, 24000]}}"},
    {"straight-line", NULL, "{b: {uniform: [2.45, 2.55]}, d: {uniform: [1.95, 2.05]}}"},
    {"double-pendulum", "{reach: {final: lower.position.x}}", "{m1: {uniform: [0.9, 1.1]}}"},
};

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double processor(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* An example without its studies, and with another one. */
static lmb_spec *spec_of(lmb_context *context, const char *name, const char *objectives,
                         const char *study)
{
    char path[128], *text;
    size_t length;
    lmb_spec *spec;
    snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
    if (lmb_read_file(&text, &length, context, path))
        give_up(context);
    char *old = strstr(text, "\nstudies:");
    if (old)
        old[1] = 0;
    size_t room = strlen(text) + 4096;
    char *whole = malloc(room);
    snprintf(whole, room, "%s%s%s\nstudies: {bench: %s}\n", text,
             objectives ? "\nobjectives: " : "", objectives ? objectives : "", study);
    if (lmb_spec_parse(&spec, context, path, whole))
        give_up(context);
    free(text);
    free(whole);
    return spec;
}

static lmb_status look(void *user, const lmb_state *state, double at, const double *more)
{
    (void)user, (void)state, (void)at, (void)more;
    return LMB_OK;
}

/* The models of a study, integrated and nothing else; seconds. */
static double time_runs(lmb_context *context, const lmb_spec *spec)
{
    lmb_model *base;
    double spent = 0;
    lmb_integration_choice choice = {0};
    if (lmb_model_compile(&base, context, spec))
        give_up(context);
    const lmb_study *study = &base->studies[0];
    int analysis = base->objectives[0].analysis;
    for (int k = 0; k < SAMPLES; k++) {
        double x[LMB_MOST_VARIABLES];
        lmb_spec *copy;
        lmb_model *m;
        lmb_state *initial;
        lmb_arena *arena = lmb_arena_new();
        lmb_point_taker taker = {.take = look};
        lmb_sample(study, k, x);
        if (lmb_spec_copy(&copy, context, spec))
            give_up(context);
        for (int i = 0; i < study->variable_count; i++) {
            char text[40];
            snprintf(text, sizeof text, "%.17g", x[i]);
            lmb_spec_set(copy, context, study->variables[i].name, text);
        }
        if (lmb_model_variant(&m, context, copy, base) || lmb_prepare_analyses(context, m, &choice))
            give_up(context);
        double start = processor();
        if (lmb_run_initial(context, arena, m, analysis, &initial) ||
            lmb_points_run(context, initial, &m->analyses[analysis], &taker))
            give_up(context);
        spent += processor() - start;
        lmb_state_free(initial);
        lmb_arena_free(arena);
        lmb_model_free(m);
        lmb_spec_free(copy);
    }
    lmb_model_free(base);
    return spent;
}

/* A sweep; seconds of the processor, and of the clock. */
static double time_sweep(lmb_context *context, lmb_spec *spec, int jobs, const char *path,
                         double *clock)
{
    lmb_study_options options = {.jobs = jobs, .path = path};
    lmb_swept *swept;
    double start = processor(), began = wall();
    if (lmb_sweep(&swept, context, spec, &options))
        give_up(context);
    *clock = wall() - began;
    double spent = processor() - start;
    if (swept->failure_count)
        printf("%d runs failed\n", swept->failure_count);
    lmb_swept_free(swept);
    return spent;
}

static void bench_sweep(lmb_context *context, const sweep_case *c)
{
    char study[512], path[] = "/tmp/limber-bench-XXXXXX";
    double one, two, clock_file;
    snprintf(study, sizeof study, "{type: sweep, vary: %s, sampling: monte-carlo, samples: %d}",
             c->vary, SAMPLES);
    lmb_spec *spec = spec_of(context, c->name, c->objectives, study);
    double runs = time_runs(context, spec);
    double sweep = time_sweep(context, spec, 1, NULL, &one);
    time_sweep(context, spec, 2, NULL, &two);
    close(mkstemp(path));
    double kept = time_sweep(context, spec, 1, path, &clock_file);
    unlink(path);
    printf("%-16s %8.3f ms a run; sweep %.3f times the runs (with its file %.3f); two threads %.2f "
           "times as fast\n",
           c->name, 1e3 * runs / SAMPLES, sweep / runs, kept / runs, one / two);
    lmb_spec_free(spec);
}

/* A search by one method. */
static void bench_search(lmb_context *context, const char *name, const char *label,
                         const char *study, int jobs)
{
    lmb_spec *spec = spec_of(context, name, NULL, study);
    lmb_study_options options = {.jobs = jobs};
    lmb_optimum *o;
    double start = processor();
    if (lmb_optimise(&o, context, spec, &options))
        give_up(context);
    double spent = processor() - start;
    /* a gradient by differences is a run of four neighbours of each variable besides */
    bool differences = strstr(study, "differences") != NULL;
    int whole = o->trial_count + (differences ? 4 * o->variable_count * o->gradient_count : 0);
    printf(
        "%-16s %-22s %4d trials, %3d of them with a gradient: %4d whole runs, %7.3f s, objective "
        "%.9g\n",
        name, label, o->trial_count, o->gradient_count, whole, spent, o->values[0]);
    lmb_optimum_free(o);
    lmb_spec_free(spec);
}

int main(int count, char **words)
{
    lmb_context *context = lmb_context_new();
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++)
        if (wanted(count, words, sweeps[i].name))
            bench_sweep(context, &sweeps[i]);
    if (wanted(count, words, "optimise")) {
#define HALF_CAR                                                                                   \
    "{type: optimise, minimise: cost, design: {cf: [300, 5000], cr: [300, 5000], kf: [10000, "     \
    "30000], "                                                                                     \
    "kr: [10000, 30000]}, subject_to: {travel: {at_most: 6e-4}}, evaluations: 5000"
        bench_search(context, "half-car", "slsqp, exact", HALF_CAR "}", 1);
        bench_search(context, "half-car", "slsqp, differences",
                     HALF_CAR ", gradients: differences}", 1);
        bench_search(context, "half-car", "mma, exact", HALF_CAR ", method: mma}", 1);
        bench_search(context, "half-car", "cobyla, none", HALF_CAR ", method: cobyla}", 1);
    }
    lmb_context_free(context);
    return 0;
}
