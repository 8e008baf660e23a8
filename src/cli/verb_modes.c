/* limber modes: frequencies, damping and shapes of the linearised mechanism. */
#include <stdio.h>

#include "analysis/assembly.h"
#include "analysis/mobility.h"
#include "analysis/modes.h"
#include "analysis/statics.h"
#include "cli/json.h"
#include "cli/load.h"

static void print_text(const lmb_model *m, const lmb_mode_list *list)
{
    printf("%-6s %24s %24s  %s\n", "mode", "frequency (Hz)", "damping (ratio)", "moves most");
    for (int i = 0; i < list->count; i++) {
        const lmb_mode *mode = &list->modes[i];
        char name[128] = "";
        int most = 0;
        for (int j = 1; j < m->nv; j++)
            if ((mode->shape[j] < 0 ? -mode->shape[j] : mode->shape[j]) >
                (mode->shape[most] < 0 ? -mode->shape[most] : mode->shape[most]))
                most = j;
        lmb_column_name(m, most, name, sizeof name);
        printf("%-6d %24.17g %24.17g  %s%s\n", i + 1, mode->frequency, mode->damping, name,
               mode->rigid ? " (rigid)" : "");
    }
}

static void print_json(const lmb_model *m, const lmb_mode_list *list)
{
    lmb_json json = lmb_json_start(stdout);
    lmb_json_open(&json, NULL, '{');
    lmb_json_open(&json, "coordinates", '[');
    for (int j = 0; j < m->nv; j++) {
        char name[128];
        lmb_column_name(m, j, name, sizeof name);
        lmb_json_text(&json, NULL, name);
    }
    lmb_json_close(&json);
    lmb_json_open(&json, "modes", '[');
    for (int i = 0; i < list->count; i++) {
        const lmb_mode *mode = &list->modes[i];
        lmb_json_open(&json, NULL, '{');
        lmb_json_integer(&json, "number", i + 1);
        lmb_json_number(&json, "frequency", mode->frequency);
        lmb_json_number(&json, "damping", mode->damping);
        lmb_json_bool(&json, "rigid", mode->rigid);
        lmb_json_open_flat(&json, "shape", '[');
        for (int j = 0; j < m->nv; j++)
            lmb_json_number(&json, NULL, mode->shape[j]);
        lmb_json_close(&json);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    lmb_json_close(&json);
}

/* The position to linearise about: where it rests, or as placed. */
static lmb_status find_position(const lmb_arguments *a, lmb_solver *s)
{
    lmb_rank rank;
    lmb_status status = lmb_assemble(s);
    if (status || (status = lmb_find_rank(s, &rank)))
        return status;
    if (!lmb_option_value(a, "--as-placed"))
        return lmb_rest(s);
    lmb_update_velocity(s->state);
    return lmb_solve_augmented(s)
               ? LMB_OK
               : lmb_fail(a->context, LMB_SOLVER, "the equations of motion are singular there");
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_model *m = NULL;
    lmb_solver *s = NULL;
    lmb_mode_list list = {0};
    lmb_status status = lmb_load_model(a, &m);
    if (!status)
        status = lmb_solver_new(&s, a->context, m);
    if (!status && !(status = find_position(a, s)) && !(status = lmb_find_modes(s, &list))) {
        if (a->json)
            print_json(m, &list);
        else
            print_text(m, &list);
    }
    lmb_mode_list_free(&list);
    lmb_solver_free(s);
    lmb_model_free(m);
    return status;
}

static const lmb_option options[] = {
    {"--as-placed", NULL, NULL, false,
     "Linearise about the assembled position and the velocities of the model instead of about "
     "static equilibrium."},
    LMB_SET_OPTION,
    {"--json", NULL, NULL, false, "Print JSON, with the mode shapes."},
    {0},
};

const lmb_verb lmb_verb_modes = {
    .name = "modes",
    .usage = "MODEL [--as-placed] [--set NAME=VALUE]... [--json]",
    .summary = "Prints frequencies, damping and shapes of small vibrations.",
    .doc =
        "Finds the position in which the mechanism rests, linearises the equations of motion "
        "there in its free directions and solves for the modes: frequency (size of the eigenvalue "
        "over 2 pi), damping ratio, and shapes normalised to unit modal mass. Rigid modes come "
        "first, with frequency 0.",
    .examples = "limber modes particles.yaml\nlimber modes double-pendulum.yaml --json\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
