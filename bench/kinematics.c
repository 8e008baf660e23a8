/* Speed of kinematics and inverse dynamics: position, velocity, acceleration and forces per
 * instant.
 *
 *   slider-crank    instants per second, allocations per instant
 *   chain           spatial chain of N links, all joints driven: time per link
 *
 * Goals: 100 000 instants per second, no allocation, time per link within 30 % from N = 50 to 400.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/kinematics.h"
#include "measure.h"

static lmb_status advance_kinematics(void *motion, double t)
{
    return lmb_kinematics_advance(motion, t);
}

/* Advances over `count` instants, `step` apart; returns the time taken (s). */
static double advance(lmb_context *context, const char *name, lmb_kinematics *k, double step,
                      int count)
{
    double t = k->solver->state->t;
    return measured(context, name, advance_kinematics, k, t, t + count * step, count);
}

/* Advances a motion to instant `count`, not measured. */
static void warm_up(lmb_context *context, lmb_kinematics *k, double step, int count)
{
    for (int i = 1; i <= count; i++)
        if (lmb_kinematics_advance(k, i * step))
            give_up(context);
}

static void slider_crank(const char *path)
{
    enum { WARM_UP = 1000, INSTANTS = 200000 };
    lmb_context *context = lmb_context_new();
    lmb_model *model = model_of_file(context, path, NULL, NULL);
    lmb_kinematics *k;
    if (lmb_kinematics_new(&k, context, model, 0, true))
        give_up(context);
    warm_up(context, k, 0.01, WARM_UP);
    int count = fixed_count() ? fixed_count() : INSTANTS;
    unsigned long before = allocations();
    double time = advance(context, "slider-crank", k, 0.01, count);
    printf("slider-crank: %.0f instants per second (%.2f us each), %.4f allocations per instant\n",
           count / time, 1e6 * time / count, (double)(allocations() - before) / count);
    lmb_kinematics_free(k);
    lmb_model_free(model);
    lmb_context_free(context);
}

/* A chain with a driver at each hinge. */
static double chain(int links)
{
    lmb_context *context = lmb_context_new();
    lmb_model *model = model_of_chain(context, links,
                                      "drivers:\n"
                                      "  d{i}: {repeat: {i: [1, N]}, joint: \"j{i}\", "
                                      "angle: \"0.3*sin(t + i)*step(t, 0, 0, 1, 1)\"}\n");
    lmb_kinematics *k;
    if (lmb_kinematics_new(&k, context, model, 0, true))
        give_up(context);
    int count = fixed_count() ? fixed_count() : 20000 / links, rounds = fixed_count() ? 1 : 5;
    double best = INFINITY;
    char name[48];
    snprintf(name, sizeof name, "driven chain of %d links", links);
    warm_up(context, k, 0.001, 20);
    for (int i = 0; i < rounds; i++) /* the fastest of five */
        best = fmin(best, advance(context, name, k, 0.001, count) / count / links);
    printf("chain of %3d links: %.2f us per link\n", links, 1e6 * best);
    lmb_kinematics_free(k);
    lmb_model_free(model);
    lmb_context_free(context);
    return best;
}

int main(int count, char **words)
{
    slider_crank(count > 1 ? words[1] : "examples/slider-crank/slider-crank.yaml");
    double least = INFINITY, most = 0;
    for (int links = 50; links <= 400; links *= 2) {
        double time = chain(links);
        least = fmin(least, time);
        most = fmax(most, time);
    }
    if (fixed_count())
        return 0;
    double at200 = chain(200);
    printf("time per link, 50 to 400 links: largest over smallest %.2f (200 links: %.2f us)\n",
           most / least, 1e6 * at200);
    return 0;
}
