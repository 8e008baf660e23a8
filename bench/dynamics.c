/* Speed of forward dynamics with generalized-alpha: steps per second, iterations per step.
 *
 * Slider-crank, spatial slider-crank (both with initial velocity, not driven), Andrews' squeezer, N
 * four-bars, and a chain of N bodies on revolute joints with alternating axes. An argument selects
 * the cases whose name contains it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"

static void run_chains(lmb_context *context, int count, char **words)
{
    enum { SHORTEST = 25, LONGEST = 1600, LONGEST_COUNTED = 200 };
    double first = 0, last = 0;
    for (int links = SHORTEST; links <= LONGEST; links *= 2) {
        char name[32];
        snprintf(name, sizeof name, "chain of %d bodies", links);
        if (!wanted(count, words, name) || (fixed_count() && links > LONGEST_COUNTED))
            continue;
        last =
            step_time(context, name, model_of_chain(context, links, ""), 1e-3, 60 + 200000 / links);
        first = links == SHORTEST ? last : first;
    }
    if (first > 0 && !fixed_count())
        printf("cost per step of the chain grows like N^%.2f from %d to %d\n",
               log(last / first) / log((double)LONGEST / SHORTEST), SHORTEST, LONGEST);
}

/* Two seconds of a chain that is let go: slow at first, then whirling. */
static void run_fall(lmb_context *context, int count, char **words)
{
    static const char name[] = "fall of 100 bodies, 2 s";
    if (wanted(count, words, name))
        step_time_of(context, name, model_of_chain(context, 100, ""), 1e-3, 2000, 1);
}

int main(int count, char **words)
{
    static const struct {
        const char *name, *file, *parameter, *value;
        double step;
        int count;
    } examples[] = {
        {"planar slider-crank", "slider-crank-dynamics", NULL, NULL, 2e-4, 60000},
        {"spatial slider-crank", "spatial-slider-crank", NULL, NULL, 1e-3, 30000},
        {"andrews", "andrews", NULL, NULL, 1e-5, 2900},
        {"double pendulum", "double-pendulum", NULL, NULL, 1e-3, 20000},
        {"heavy top", "heavy-top", NULL, NULL, 1e-4, 10000},
        {"n-four-bar, N = 40", "n-four-bar", "N", "40", 1e-3, 500},
    };
    lmb_context *context = lmb_context_new();
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "examples/%s/%s.yaml", examples[i].file, examples[i].file);
        if (wanted(count, words, examples[i].name))
            step_time(context, examples[i].name,
                      model_of_file(context, path, examples[i].parameter, examples[i].value),
                      examples[i].step, examples[i].count);
    }
    run_chains(context, count, words);
    run_fall(context, count, words);
    lmb_context_free(context);
    return 0;
}
