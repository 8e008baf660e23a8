/* What the simulation of the C API costs.
 *
 *   step     of lmb_simulation_step above lmb_course_advance over the same instants; goal: 2 %
 *   read     a channel after a step: of all that are wanted, and again
 *   runs     10 000 runs of the slider-crank (100 instants) in one process, each with another value
 *            of a parameter: copy of the spec, variant, simulation, steps; against the bare steps
 *            of its course. Goal: 1.5 times
 *   results  a whole run of the slider-crank, and reading a channel of it: in memory, and to a file
 */
#include <math.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "measure.h"
#include "run/run.h"

enum { INSTANTS = 100, REPEATS = 30 };

static const char *const examples[] = {"slider-crank", "slider-crank-dynamics", "andrews",
                                       "four-bar-flexible", "heavy-top"};

/* Starts the course of the last analysis. */
static lmb_course start(lmb_context *context, lmb_arena *arena, const lmb_model *m)
{
    lmb_state *initial;
    lmb_course c = {0};
    const lmb_analysis *a = &m->analyses[m->analysis_count - 1];
    if (lmb_run_initial(context, arena, m, m->analysis_count - 1, &initial) ||
        a->kind->start(&c, context, initial, a))
        give_up(context);
    lmb_state_free(initial);
    return c;
}

/* Seconds of the steps of a course, and of those of a simulation. */
static double bare_steps(lmb_context *context, const lmb_model *m, int count)
{
    lmb_arena *arena = lmb_arena_new();
    lmb_course c = start(context, arena, m);
    double begin = seconds();
    for (int i = 1; i <= count; i++)
        if (lmb_course_advance(&c, lmb_instant(&m->analyses[m->analysis_count - 1], i)))
            give_up(context);
    double time = seconds() - begin;
    lmb_course_free(&c);
    lmb_arena_free(arena);
    return time;
}

static double simulated_steps(lmb_context *context, const lmb_model *m, int count)
{
    lmb_simulation *s;
    if (lmb_simulation_new(&s, context, m, NULL))
        give_up(context);
    double begin = seconds();
    for (int i = 1; i <= count; i++)
        if (lmb_simulation_step(s))
            give_up(context);
    double time = seconds() - begin;
    lmb_simulation_free(s);
    return time;
}

/* The fastest of several, which other programs disturb least; both in turn. */
static void measure_steps(const char *name)
{
    char path[200];
    lmb_context *context = lmb_context_new();
    snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
    lmb_model *m = model_of_file(context, path, NULL, NULL);
    double bare = INFINITY, stepped = INFINITY;
    for (int i = 0; i < (fixed_count() ? 1 : REPEATS); i++) {
        bare = fmin(bare, bare_steps(context, m, INSTANTS));
        stepped = fmin(stepped, simulated_steps(context, m, INSTANTS));
    }
    printf("step  %-22s %8.3f us, of a course %8.3f us: %+.2f %%\n", name, 1e6 * stepped / INSTANTS,
           1e6 * bare / INSTANTS, 100 * (stepped / bare - 1));
    lmb_model_free(m);
    lmb_context_free(context);
}

static void measure_reads(void)
{
    static const char *const names[] = {"pin.force", "crank.angle", "rod.position", "motor.effort"};
    enum { READS = 1000000 };
    lmb_context *context = lmb_context_new();
    lmb_model *m = model_of_file(context, "examples/slider-crank/slider-crank.yaml", NULL, NULL);
    lmb_simulation *s;
    int handles[4], reads = fixed_count() ? fixed_count() : READS;
    double sum = 0, first = INFINITY;
    if (lmb_simulation_new(&s, context, m, NULL))
        give_up(context);
    for (int i = 0; i < 4; i++)
        if (lmb_simulation_channel(s, names[i], &handles[i], NULL))
            give_up(context);
    for (int k = 0; k < INSTANTS; k++) {
        if (lmb_simulation_step(s))
            give_up(context);
        double begin = seconds();
        for (int i = 0; i < 4; i++)
            sum += *lmb_simulation_read(s, handles[i]);
        first = fmin(first, seconds() - begin);
    }
    double begin = seconds();
    for (int i = 0; i < reads; i++)
        sum += *lmb_simulation_read(s, handles[i & 3]);
    double again = (seconds() - begin) / reads;
    printf("read  slider-crank: %.3f us a channel after a step (of four), %.3f us again%s\n",
           1e6 * first / 4, 1e6 * again, isfinite(sum) ? "" : "!");
    lmb_simulation_free(s);
    lmb_model_free(m);
    lmb_context_free(context);
}

/* A run with another parameter, all of it; what it read last. */
static double run_variant(lmb_context *context, const lmb_spec *spec, const lmb_model *base,
                          double omega)
{
    lmb_spec *copy;
    lmb_model *m;
    lmb_simulation *s;
    int handle;
    char text[40];
    snprintf(text, sizeof text, "%.17g", omega);
    if (lmb_spec_copy(&copy, context, spec) || lmb_spec_set(copy, context, "omega", text) ||
        lmb_model_variant(&m, context, copy, base) || lmb_simulation_new(&s, context, m, NULL) ||
        lmb_simulation_channel(s, "motor.effort", &handle, NULL))
        give_up(context);
    double largest = 0;
    for (int i = 1; i <= INSTANTS; i++) {
        if (lmb_simulation_step(s))
            give_up(context);
        largest = fmax(largest, *lmb_simulation_read(s, handle));
    }
    lmb_simulation_free(s);
    lmb_model_free(m);
    lmb_spec_free(copy);
    return largest;
}

static void measure_runs(void)
{
    lmb_context *context = lmb_context_new();
    lmb_spec *spec;
    lmb_model *base;
    int runs = fixed_count() ? fixed_count() : 10000;
    double bare = 0, sum = 0;
    if (lmb_spec_load(&spec, context, "examples/slider-crank/slider-crank.yaml") ||
        lmb_model_compile(&base, context, spec))
        give_up(context);
    for (int i = 0; i < runs; i++)
        bare += bare_steps(context, base, INSTANTS);
    double begin = seconds();
    for (int i = 0; i < runs; i++)
        sum += run_variant(context, spec, base, 10 + 1e-3 * i);
    double whole = seconds() - begin;
    printf("runs  slider-crank: %d variants in %.3f s, bare steps %.3f s: %.2f times%s\n", runs,
           whole, bare, whole / bare, isfinite(sum) ? "" : "!");
    lmb_model_free(base);
    lmb_spec_free(spec);
    lmb_context_free(context);
}

/* Reads a channel of a result and closes it; its last number. */
static double last_effort(lmb_context *context, lmb_result *result)
{
    lmb_series effort;
    if (lmb_result_read(result, context, "motor.effort", &effort))
        give_up(context);
    double last = effort.values[effort.count - 1];
    lmb_series_free(&effort);
    lmb_result_close(result);
    return last;
}

static void measure_results(void)
{
    lmb_context *context = lmb_context_new();
    lmb_model *m = model_of_file(context, "examples/slider-crank/slider-crank.yaml", NULL, NULL);
    lmb_result *result;
    int runs = fixed_count() ? fixed_count() : 300;
    double memory = 0, file = 0, sum = 0;
    for (int i = 0; i < runs; i++) {
        double begin = seconds();
        if (lmb_run_to_memory(&result, context, m, NULL))
            give_up(context);
        sum += last_effort(context, result);
        double between = seconds();
        if (lmb_run(context, m, NULL, "bench_api.h5") ||
            lmb_result_open(&result, context, "bench_api.h5"))
            give_up(context);
        sum -= last_effort(context, result);
        memory += between - begin;
        file += seconds() - between;
    }
    remove("bench_api.h5");
    printf("results  slider-crank: %.3f ms in memory, %.3f ms to a file: %.2f times%s\n",
           1e3 * memory / runs, 1e3 * file / runs, file / memory, sum == 0 ? "" : "!");
    lmb_model_free(m);
    lmb_context_free(context);
}

int main(int count, char **words)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (wanted(count, words, examples[i]))
            measure_steps(examples[i]);
    if (wanted(count, words, "read"))
        measure_reads();
    if (wanted(count, words, "runs"))
        measure_runs();
    if (wanted(count, words, "results"))
        measure_results();
    return 0;
}
