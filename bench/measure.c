/* Time, and models to measure. */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/dynamics.h"

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void give_up(const lmb_context *context)
{
    fprintf(stderr, "bench: %s\n", lmb_message_at(context, lmb_message_count(context) - 1)->text);
    exit(1);
}

static lmb_model *compile(lmb_context *context, lmb_spec *spec)
{
    lmb_model *model;
    if (lmb_model_compile(&model, context, spec))
        give_up(context);
    lmb_spec_free(spec);
    return model;
}

lmb_model *model_of_text(lmb_context *context, const char *text)
{
    lmb_spec *spec;
    if (lmb_spec_parse(&spec, context, "bench", text))
        give_up(context);
    return compile(context, spec);
}

lmb_model *model_of_file(lmb_context *context, const char *path, const char *parameter,
                         const char *value)
{
    lmb_spec *spec;
    if (lmb_spec_load(&spec, context, path) ||
        (parameter && lmb_spec_set(spec, context, parameter, value)))
        give_up(context);
    return compile(context, spec);
}

/* Repeated entries write the chain. */
static const char chain[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "parameters: {N: %d}\n"
    "bodies:\n"
    "  b{i}: {repeat: {i: [1, N]}, mass: 1, inertia: [0.01, 0.1, 0.1], position: [i - 0.5, 0, 0],"
    " points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  j1: {type: revolute, axis: [0, 1, 0], between: [ground, b1.a]}\n"
    "  j{i}: {repeat: {i: [2, N]}, type: revolute, axis: [0, \"mod(i, 2)\", \"mod(i + 1, 2)\"],"
    " between: [\"b{i - 1}.b\", \"b{i}.a\"]}\n"
    "%s";

lmb_model *model_of_chain(lmb_context *context, int links, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text, chain, links, more);
    return model_of_text(context, text);
}

int fixed_count(void)
{
    const char *count = getenv("BENCH_STEPS");
    return count ? atoi(count) : 0;
}

static lmb_status advance_dynamics(void *motion, double t)
{
    return lmb_dynamics_advance(motion, t);
}

double step_time(lmb_context *context, const char *name, lmb_model *model, double step, int count)
{
    return step_time_of(context, name, model, step, count, 3);
}

double step_time_of(lmb_context *context, const char *name, lmb_model *model, double step,
                    int count, int rounds)
{
    enum { FIRST = 20 };
    lmb_dynamics *d;
    lmb_integration options = {
        .integrator = &lmb_integrator_alpha, .step = step, .spectral_radius = 0.9};
    if (lmb_dynamics_new(&d, context, model, 0, &options) || lmb_dynamics_advance(d, FIRST * step))
        give_up(context);
    count = fixed_count() ? fixed_count() : count;
    unsigned long before = allocations();
    long iterations = d->motion->iterations, factored = d->motion->factorisations;
    double best = INFINITY;
    rounds = fixed_count() ? 1 : rounds;
    for (int i = 0; i < rounds; i++) {
        double from = FIRST + (double)i / rounds * count, to = from + (double)count / rounds;
        double time = measured(context, name, advance_dynamics, d, from * step, to * step, 1);
        best = fmin(best, time * rounds / count);
    }
    printf("%-26s %8.0f steps per second, %.2f iterations and %.2f factorisations per step, "
           "%.3f allocations\n",
           name, 1 / best, (double)(d->motion->iterations - iterations) / count,
           (double)(d->motion->factorisations - factored) / count,
           (double)(allocations() - before) / count);
    fflush(stdout);
    lmb_dynamics_free(d);
    lmb_model_free(model);
    return best;
}

bool wanted(int count, char **words, const char *name)
{
    return count < 2 || strstr(name, words[1]);
}
