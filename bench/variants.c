/* What it costs to compile a model again at another value of a parameter, against a run of it.
 *
 *   compile      all of it, from the tree of the file
 *   variant      the same as a variant of the base model, by each of some parameters in turn
 *   run          a run in memory with 100 instants, nothing stored
 *
 * Goal: a variant of a small model takes at most a tenth of its run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "model/variant.h"
#include "read/reader.h"
#include "run/run.h"
#include "study/neighbours.h"
#include "study/points.h"

enum { INSTANTS = 100 };

static const char *const examples[] = {
    "slider-crank", "half-car",          "four-bar",          "five-bar", "double-pendulum",
    "suspension",   "four-bar-flexible", "flexible-pendulum", "crane",    "n-four-bar"};

static lmb_status look(void *user, const lmb_state *state, double at, const double *more)
{
    (void)user, (void)state, (void)at, (void)more;
    return LMB_OK;
}

/* A run of the last analysis with 100 instants; seconds. */
static double run_once(lmb_context *context, lmb_model *m)
{
    double start = seconds();
    lmb_analysis *a = &m->analyses[m->analysis_count - 1];
    lmb_point_taker taker = {.take = look};
    lmb_state *initial;
    lmb_arena *arena = lmb_arena_new();
    a->duration = (INSTANTS - 1) * a->output_step;
    if (lmb_run_initial(context, arena, m, m->analysis_count - 1, &initial) ||
        lmb_points_run(context, initial, a, &taker))
        give_up(context);
    lmb_state_free(initial);
    lmb_arena_free(arena);
    return seconds() - start;
}

/* Sets a parameter of a copy of a spec and compiles, `count` times; seconds each. NaN if the
 * parameter cannot be any number. */
static double compile_some(lmb_context *context, const lmb_spec *spec, const lmb_model *base,
                           const char *name, double value, bool variant, int count)
{
    lmb_spec *copy;
    if (lmb_spec_copy(&copy, context, spec))
        give_up(context);
    double start = seconds();
    for (int i = 0; i < count; i++) {
        lmb_model *m;
        char text[40];
        lmb_override *before = copy->overrides;
        snprintf(text, sizeof text, "%.17g", value * (1 + 1e-4 * (i + 1)));
        if (lmb_spec_set(copy, context, name, text) ||
            (variant ? lmb_model_variant(&m, context, copy, base)
                     : lmb_model_compile(&m, context, copy))) {
            lmb_spec_free(copy);
            return NAN;
        }
        lmb_model_free(m);
        copy->overrides = before;
    }
    double time = (seconds() - start) / count;
    lmb_spec_free(copy);
    return time;
}

static void measure(const char *name)
{
    lmb_context *context = lmb_context_new();
    char path[200];
    snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
    lmb_spec *spec;
    lmb_model *m = NULL;
    if (lmb_spec_load(&spec, context, path) || lmb_model_compile(&m, context, spec))
        give_up(context);
    int count = fixed_count() ? fixed_count() : 200, parameters = 0;
    double whole = 0, variant = 0, least = INFINITY, most = 0, run = INFINITY;
    const char *fastest = "", *slowest = "";
    for (int i = 0; i < m->constant_count; i++) {
        const char *parameter = m->constants[i].name;
        if (!lmb_parameter_is_free(spec, m, parameter))
            continue;
        double value = m->constants[i].symbol.value[0];
        double all = compile_some(context, spec, m, parameter, value, false, count / 10 + 1);
        double one = compile_some(context, spec, m, parameter, value, true, count);
        if (isnan(one))
            continue;
        whole += all;
        variant += one;
        slowest = one > most ? parameter : slowest;
        fastest = one < least ? parameter : fastest;
        most = fmax(most, one);
        least = fmin(least, one);
        parameters++;
    }
    for (int i = 0; i < (fixed_count() ? 1 : 5); i++)
        run = fmin(run, run_once(context, m));
    whole /= parameters;
    variant /= parameters;
    printf("%-18s compile %6.1f us, run %7.1f us; variants %6.1f us, %.1f %% of a run: %.1f by %s, "
           "%.1f by %s\n",
           name, 1e6 * whole, 1e6 * run, 1e6 * variant, 100 * variant / run, 1e6 * least, fastest,
           1e6 * most, slowest);
    fflush(stdout);
    lmb_model_free(m);
    lmb_spec_free(spec);
    lmb_context_free(context);
}

int main(int count, char **words)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (wanted(count, words, examples[i]))
            measure(examples[i]);
    return 0;
}
