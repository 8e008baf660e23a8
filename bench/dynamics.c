/* Speed of forward dynamics with generalized-alpha: steps a second, iterations a step.
 *
 *   slider-crank, spatial slider-crank (driven away by their inertia), Andrews' squeezer, N
 * four-bars chain of N bodies on revolute joints with alternating axes */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/dynamics.h"
#include "measure.h"

static double run(lmb_context *context, const char *name, lmb_model *model, double step, int count)
{
    lmb_dynamics *d;
    lmb_integration options = {.integrator = LMB_ALPHA, .step = step, .spectral_radius = 0.9};
    if (lmb_dynamics_new(&d, context, model, 0, &options) || lmb_dynamics_advance(d, 20 * step))
        give_up(context);
    unsigned long before = allocations();
    long iterations = d->motion->iterations;
    double begin = seconds();
    if (lmb_dynamics_advance(d, (20 + count) * step))
        give_up(context);
    double time = seconds() - begin;
    printf("%-24s %8.0f steps a second, %.2f iterations a step, %.4f allocations a step\n", name,
           count / time, (double)(d->motion->iterations - iterations) / count,
           (double)(allocations() - before) / count);
    lmb_dynamics_free(d);
    lmb_model_free(model);
    return time / count;
}

/* A chain that falls. */
static lmb_model *chain(lmb_context *context, int links)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    put_chain(f, links);
    fclose(f);
    lmb_model *model = model_of_text(context, text);
    free(text);
    return model;
}

int main(void)
{
    lmb_context *context = lmb_context_new();
    run(context, "andrews", model_of_file(context, "examples/andrews/andrews.yaml"), 1e-5, 2900);
    run(context, "double pendulum",
        model_of_file(context, "examples/double-pendulum/double-pendulum.yaml"), 1e-3, 20000);
    run(context, "heavy top", model_of_file(context, "examples/heavy-top/heavy-top.yaml"), 1e-4,
        10000);
    run(context, "n-four-bar, N = 2", model_of_file(context, "examples/n-four-bar/n-four-bar.yaml"),
        1e-3, 500);
    double least = 0, most = 0;
    for (int links = 25; links <= 400; links *= 4) {
        char name[32];
        snprintf(name, sizeof name, "chain of %d bodies", links);
        double time = run(context, name, chain(context, links), 1e-3, 20000 / links) / links;
        most = time;
        if (links == 25)
            least = time;
    }
    printf("cost a step of the chain grows like N^%.2f from 25 to 400\n",
           1 + log(most / least) / log(16));
    lmb_context_free(context);
    return 0;
}
