/* Speed of exact beams with generalized-alpha: the spin-up of an arm in the plane, by elements and
 * their order, and the cost per step and element from 10 to 2000 elements; compiling 1000 nodes;
 * modes of an arm that turns. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analysis/modes.h"
#include "analysis/steadiness.h"
#include "analysis/dynamics.h"
#include "measure.h"

/* Laws of the angle: that of the benchmark, and one with which steps of all lengths of beams are
 * alike after a short while. */
static const char spin_up[] = "6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1))";
static const char quick[] = "2*t^2";

static lmb_model *arm(lmb_context *context, int order, int elements, const char *angle)
{
    char text[1200];
    snprintf(text, sizeof text,
             "limber: 1\ndimension: 2\nbodies:\n  arm:\n"
             "    beam: {from: [0, 0], to: [10, 0], deformation: large, order: %d, elements: %d,"
             " stiffness: [[2.8e7, 0, 0], [0, 1e7, 0], [0, 0, 1.4e4]],"
             " mass: [[1.2, 0, 0], [0, 1.2, 0], [0, 0, 6e-4]]}\n"
             "    interfaces: {root: start, tip: end}\n"
             "joints: {hub: {type: revolute, between: [ground, arm.root]}}\n"
             "drivers: {motor: {joint: hub, angle: \"%s\"}}\n",
             order, elements, angle);
    return model_of_text(context, text);
}

/* The steady motion of an arm that turns with 6 rad/s, and its ten lowest modes there. */
static void turning_modes(lmb_context *context, int elements)
{
    static const lmb_integration integration = {.integrator = &lmb_integrator_rk45,
                                                .tolerance = 1e-8};
    char name[60];
    lmb_model *m = arm(context, 2, elements, "6*t");
    lmb_state *initial = lmb_state_new(m);
    lmb_dynamics *d = NULL;
    lmb_sparse_motion *o = NULL;
    lmb_mode_list list = {0};
    if (!initial || lmb_dynamics_from(&d, context, initial, &integration))
        give_up(context);
    double begin = seconds();
    if (lmb_find_steady_motion(d->solver, 0))
        give_up(context);
    double steady = seconds();
    if (lmb_sparse_motion_new(&o, d->solver, 0, NULL) || lmb_sparse_modes(o, 10, &list))
        give_up(context);
    snprintf(name, sizeof name, "turning, %d coordinates", m->nv);
    printf("%-28s %.0f ms to the steady motion, %.0f ms for 10 modes\n", name,
           1e3 * (steady - begin), 1e3 * (seconds() - steady));
    lmb_mode_list_free(&list);
    lmb_sparse_motion_free(o);
    lmb_dynamics_free(d);
    lmb_state_free(initial);
    lmb_model_free(m);
}

int main(int count, char **words)
{
    lmb_context *context = lmb_context_new();
    for (int order = 1; order <= 3; order++) {
        char name[60];
        snprintf(name, sizeof name, "spin-up, 10 elements of order %d", order);
        if (wanted(count, words, name))
            step_time(context, name, arm(context, order, 10, spin_up), 15.0 / 3600, 3600);
    }
    for (int elements = 10; elements <= 2000 && !fixed_count();
         elements *= elements == 50 ? 8 : 5) {
        char name[60];
        snprintf(name, sizeof name, "arm of %d elements", elements);
        if (!wanted(count, words, name))
            continue;
        double time = step_time(context, name, arm(context, 2, elements, quick), 15.0 / 3600, 240);
        printf("%28s %.3f us per step and element\n", "", 1e6 * time / elements);
    }
    for (int elements = 840; elements <= 3360 && !fixed_count(); elements *= 4)
        if (wanted(count, words, "turning"))
            turning_modes(context, elements);
    if (wanted(count, words, "compile") && !fixed_count()) {
        clock_t begin = clock();
        lmb_model *m = arm(context, 1, 999, quick);
        printf("%-28s %.1f ms\n", "compile 1000 nodes",
               1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
        lmb_model_free(m);
    }
    lmb_context_free(context);
    return 0;
}
