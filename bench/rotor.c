/* Speed of rotors: the Campbell diagram of 50 elements at 200 speeds, with isotropic and
 * anisotropic bearings, and the critical speeds. The limit is 2 s on one core. */
#include <stdio.h>

#include "rotor/rotor.h"
#include "measure.h"
#include "system/model.h"

static const char text[] = "limber: 1\n"
                           "dimension: 3\n"
                           "rotor:\n"
                           "  speeds: [0, 10000*rpm, 200]\n"
                           "  shaft: [{length: 1.5, diameter: 0.05, elements: 50}]\n"
                           "  discs:\n"
                           "    one: {at: 0.51, diameter: 0.28, thickness: 0.07}\n"
                           "    two: {at: 0.99, diameter: 0.35, thickness: 0.07}\n"
                           "  bearings:\n"
                           "    left: {at: 0, stiffness: %s, damping: 200}\n"
                           "    right: {at: 1.5, stiffness: %s, damping: 200}\n";

static void measure(const char *name, const char *stiffness)
{
    char model[1000];
    lmb_context *context = lmb_context_new();
    snprintf(model, sizeof model, text, stiffness, stiffness);
    lmb_model *m = model_of_text(context, model);
    lmb_rotor_system *system;
    lmb_arena *arena = lmb_arena_new();
    lmb_campbell campbell;
    lmb_critical_list criticals;
    if (lmb_rotor_system_new(&system, context, m->rotor))
        give_up(context);
    double start = seconds();
    if (lmb_find_campbell(system, arena, &campbell))
        give_up(context);
    double diagram = seconds() - start;
    start = seconds();
    if (lmb_find_criticals(system, arena, 8, 1, &criticals))
        give_up(context);
    printf("%-12s %3d elements %4d unknowns: %d modes at %d speeds %6.3f s, %d critical speeds "
           "%6.3f s\n",
           name, system->element_count, 2 * system->scalars, campbell.modes, campbell.speeds,
           diagram, criticals.count, seconds() - start);
    lmb_rotor_system_free(system);
    lmb_arena_free(arena);
    lmb_model_free(m);
    lmb_context_free(context);
}

int main(int count, char **words)
{
    if (wanted(count, words, "isotropic"))
        measure("isotropic", "1e6");
    if (wanted(count, words, "orthotropic"))
        measure("orthotropic", "[1e6, 0.8e6]");
    if (wanted(count, words, "cross"))
        measure("cross", "[1e6, 1e5, -2e5, 0.8e6]");
    return 0;
}
