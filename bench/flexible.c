/* Speed of flexible bodies with generalized-alpha: steps per second over the number of modes.
 *
 * A chain of ten beams on hinges alternately about y and z, with 5 to 80 modes each, compared with
 * the same chain of rigid bodies; one beam of 40 and of 160 modes on a hinge; a beam on one hinge,
 * reduced from meshes of different sizes; the exact tangent of the crane with its flexible boom.
 * An argument selects the cases whose name contains it. */
#include <math.h>
#include <stdio.h>

#include "analysis/dynamics.h"
#include "math/blas.h"
#include "measure.h"
#include "system/equations.h"

static const double step = 1e-4; /* resolves the lower modes */

static const char chain[] =
    "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  b{i}:\n"
    "    repeat: {i: [1, 10]}\n"
    "    position: [i - 1, 0, 0]\n"
    "    beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 40, section: {circle: {diameter: 0.05}},"
    " material: steel}\n"
    "    interfaces: {A: start, B: end}\n"
    "    reduction: {modes: %d, keep: %d}\n"
    "    damping: 0.02\n"
    "joints:\n"
    "  j1: {type: revolute, between: [ground, b1.A], axis: [0, 1, 0]}\n"
    "  j{i}: {repeat: {i: [2, 10]}, type: revolute, axis: [0, \"mod(i, 2)\", \"mod(i + 1, 2)\"],"
    " between: [\"b{i - 1}.B\", \"b{i}.A\"]}\n";

static const char hinged[] =
    "limber: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  b: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: %d, section: {circle: {diameter: "
    "0.02}}, material: steel}, interfaces: {A: start, B: end}, reduction: {modes: 16, keep: 16}}\n"
    "joints:\n"
    "  j: {type: revolute, between: [ground, b.A], axis: [0, 1, 0]}\n";

static const char single[] =
    "limber: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  b: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 60, section: {circle: {diameter: "
    "0.05}}, material: steel}, interfaces: {A: start, B: end}, damping: 0.02,"
    " reduction: {modes: %d, keep: %d}}\n"
    "joints:\n"
    "  j: {type: revolute, between: [ground, b.A], axis: [0, 1, 0]}\n";

/* The fairground ride of solid meshes: time integration only. */
static void run_ride(lmb_context *context)
{
    const double duration = 35;
    lmb_model *model = model_of_file(
        context, "examples/afterburner-flexible/afterburner-flexible.yaml", NULL, NULL);
    lmb_dynamics *d;
    lmb_integration options = {
        .integrator = &lmb_integrator_alpha, .step = 0.01, .spectral_radius = 0.9};
    if (lmb_dynamics_new(&d, context, model, 0, &options))
        give_up(context);
    double begin = seconds();
    if (lmb_dynamics_advance(d, duration))
        give_up(context);
    double taken = seconds() - begin;
    printf("afterburner-flexible       %.2f s for %g s in steps of 10 ms: %.0f times faster than "
           "real time\n",
           taken, duration, duration / taken);
    lmb_dynamics_free(d);
    lmb_model_free(model);
}

/* The exact tangent of the crane, as it stands after some steps. */
static void tangent_time(lmb_context *context)
{
    lmb_model *model = model_of_file(context, "examples/crane/crane.yaml", NULL, NULL);
    lmb_dynamics *d;
    lmb_integration options = {
        .integrator = &lmb_integrator_alpha, .step = 1e-3, .spectral_radius = 0.9};
    if (lmb_dynamics_new(&d, context, model, 0, &options) || lmb_dynamics_advance(d, 0.02))
        give_up(context);
    int times = fixed_count() ? fixed_count() : 2000;
    double best = INFINITY;
    for (int round = 0; round < 5; round++) {
        double begin = seconds();
        for (int i = 0; i < times; i++)
            lmb_tangent_blocks(d->solver->state);
        best = fmin(best, (seconds() - begin) / times);
    }
    printf("tangent of the crane       %.1f us\n", 1e6 * best);
    lmb_dynamics_free(d);
    lmb_model_free(model);
}

int main(int count, char **words)
{
    lmb_blas_one_thread(); /* as the program */
    lmb_context *context = lmb_context_new();
    double rigid =
        step_time(context, "10 rigid bodies", model_of_chain(context, 10, ""), step, 90000);
    int most_modes = fixed_count() ? 40 : 80, most_elements = fixed_count() ? 100 : 1000;
    for (int modes = 5; modes <= most_modes; modes *= 2) {
        char name[64], text[1024];
        snprintf(name, sizeof name, "10 bodies of %d modes", modes);
        snprintf(text, sizeof text, chain, modes, modes);
        if (!wanted(count, words, name))
            continue;
        double t = step_time(context, name, model_of_text(context, text), step, 300000 / modes);
        printf("%-26s %.1f times the cost of rigid bodies\n", "", t / rigid);
    }
    for (int modes = 40; modes <= 2 * most_modes; modes *= 4) {
        char name[64], text[1024];
        snprintf(name, sizeof name, "one beam of %d modes", modes);
        snprintf(text, sizeof text, single, modes, modes);
        if (wanted(count, words, name))
            step_time(context, name, model_of_text(context, text), 1e-3, 100000 / modes);
    }
    for (int elements = 10; elements <= most_elements; elements *= 10) {
        char name[64], text[1024];
        snprintf(name, sizeof name, "hinged beam, %d elements", elements);
        snprintf(text, sizeof text, hinged, elements);
        if (wanted(count, words, name))
            step_time(context, name, model_of_text(context, text), 1e-3, 9000);
    }
    if (wanted(count, words, "tangent of the crane"))
        tangent_time(context);
    if (wanted(count, words, "afterburner-flexible") && !fixed_count())
        run_ride(context);
    lmb_context_free(context);
    return 0;
}
