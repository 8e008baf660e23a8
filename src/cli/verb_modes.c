/* limber modes: frequencies, damping and shapes of the linearised mechanism, and its state space.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "analysis/modes.h"
#include "analysis/state_space.h"
#include "analysis/statics.h"
#include "cli/load.h"
#include "cli/load_body.h"
#include "cli/matrix_print.h"
#include "cli/options.h"
#include "export/mat.h"

static void print_text(const lmb_model *m, const lmb_mode_list *list)
{
    printf("%-6s %24s %24s  %s\n", "mode", "frequency (Hz)", "damping (ratio)", "moves most");
    for (int i = 0; i < list->count; i++) {
        const lmb_mode *mode = &list->modes[i];
        char name[128] = "";
        lmb_column_name(m, lmb_mode_largest(mode, m->nv), name, sizeof name);
        printf("%-6d %24.17g %24.17g  %s%s\n", i + 1, mode->frequency, mode->damping, name,
               mode->rigid ? " (rigid)" : "");
    }
}

/* The matrices of a state space, by columns, and the lists of names. */
enum { MATRICES = 5, LISTS = 3 };
typedef struct parts {
    lmb_named_matrix matrices[MATRICES];
    struct {
        const char *key;
        int count;
        char **names;
    } lists[LISTS];
} parts;

static parts parts_of(const lmb_state_space *o)
{
    return (parts){{{"A", "", o->states, o->states, o->A, true, NULL, NULL},
                    {"B", "", o->states, o->inputs, o->B, true, NULL, NULL},
                    {"C", "", o->outputs, o->states, o->C, true, NULL, NULL},
                    {"D", "", o->outputs, o->inputs, o->D, true, NULL, NULL},
                    {"N", "", o->n, o->free, o->N, true, NULL, NULL}},
                   {{"states", o->states, o->state_names},
                    {"inputs", o->inputs, o->input_names},
                    {"outputs", o->outputs, o->output_names}}};
}

static void print_state_space(lmb_json *json, const lmb_state_space *o)
{
    parts p = parts_of(o);
    lmb_json_open(json, "state_space", '{');
    for (int i = 0; i < LISTS; i++)
        lmb_names_json(json, p.lists[i].key, p.lists[i].count,
                       (const char *const *)p.lists[i].names);
    for (int i = 0; i < MATRICES; i++)
        lmb_matrix_json(json, &p.matrices[i]);
    lmb_json_close(json);
}

static lmb_status print_json(const lmb_arguments *a, const lmb_model *m, const lmb_mode_list *list,
                             const lmb_state_space *space)
{
    lmb_arena *arena = lmb_arena_new();
    const char **names = arena ? lmb_coordinate_names(arena, m) : NULL;
    if (names) {
        lmb_json json = lmb_json_start(stdout);
        lmb_json_open(&json, NULL, '{');
        lmb_names_json(&json, "coordinates", m->nv, names);
        lmb_json_open(&json, "modes", '[');
        for (int i = 0; i < list->count; i++) {
            const lmb_mode *mode = &list->modes[i];
            lmb_mode_json(&json, i + 1, mode->frequency, mode->damping, mode->rigid, (size_t)m->nv,
                          mode->shape);
        }
        lmb_json_close(&json);
        if (space)
            print_state_space(&json, space);
        lmb_json_close(&json);
    }
    lmb_arena_free(arena);
    return names ? LMB_OK : lmb_fail_memory(a->context);
}

static lmb_status write_state_space(lmb_context *context, const char *path,
                                    const lmb_state_space *o)
{
    lmb_mat *mat;
    lmb_status status = lmb_mat_new(&mat, context, path);
    if (status)
        return status;
    parts p = parts_of(o);
    for (int i = 0; i < MATRICES; i++)
        lmb_mat_matrix(mat, p.matrices[i].name, p.matrices[i].rows, p.matrices[i].columns,
                       p.matrices[i].values);
    for (int i = 0; i < LISTS; i++)
        lmb_mat_texts(mat, p.lists[i].key, p.lists[i].count, p.lists[i].names);
    return lmb_mat_close(mat, context);
}

/* The state space with the inputs and outputs that were asked for. */
static lmb_status find_state_space(const lmb_arguments *a, lmb_solver *s, lmb_state_space *out)
{
    const char *inputs = lmb_option_value(a, "--inputs"),
               *outputs = lmb_option_value(a, "--outputs");
    char **input_names = inputs ? lmb_typed_names(inputs) : NULL;
    char **output_names = outputs ? lmb_typed_names(outputs) : NULL;
    lmb_status status = (inputs && !input_names) || (outputs && !output_names)
                            ? lmb_fail_memory(a->context)
                            : lmb_find_state_space(s, input_names, output_names, out);
    free(input_names);
    free(output_names);
    return status;
}

/* The modes and, if it is asked for, the state space at the solver's present position. */
static lmb_status find_and_print(const lmb_arguments *a, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    const char *path = lmb_option_value(a, "--state-space");
    lmb_mode_list list = {0};
    lmb_state_space space = {0};
    lmb_status status = lmb_find_modes(s, &list);
    if (!status && path && !(status = find_state_space(a, s, &space)) && strcmp(path, "-") != 0)
        status = write_state_space(a->context, path, &space);
    if (!status && a->json)
        status = print_json(a, m, &list, path ? &space : NULL);
    else if (!status)
        print_text(m, &list);
    lmb_mode_list_free(&list);
    lmb_state_space_free(&space);
    return status;
}

/* What was typed about the state space makes sense. */
static lmb_status check_options(const lmb_arguments *a)
{
    const char *path = lmb_option_value(a, "--state-space");
    if (!path && (lmb_option_value(a, "--inputs") || lmb_option_value(a, "--outputs")))
        return lmb_fail(a->context, LMB_USAGE, "--inputs and --outputs are for --state-space");
    if (!path || (strcmp(path, "-") == 0 && a->json))
        return LMB_OK;
    if (!lmb_ends_with(path, ".mat")) {
        lmb_fail(a->context, LMB_USAGE, "'%s' is not the name of a MAT-file", path);
        lmb_hint(a->context, "call it FILE.mat; with --json, '-' prints the matrices alone");
        return LMB_USAGE;
    }
    return LMB_OK;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_model *m = NULL;
    lmb_solver *s = NULL;
    if (lmb_is_body_file(a->words[0]) || lmb_option_value(a, "--body"))
        return lmb_print_body_modes(a);
    lmb_status status = check_options(a);
    if (!status && !(status = lmb_load_mechanism(a, &m)) &&
        !(status = lmb_solver_new(&s, a->context, m)) &&
        !(status = lmb_find_position(s, lmb_option_value(a, "--as-placed"))))
        status = find_and_print(a, s);
    lmb_solver_free(s);
    lmb_model_free(m);
    return status;
}

static const lmb_option options[] = {
    LMB_AS_PLACED_OPTION,
    {"--state-space", NULL, "FILE.mat", false,
     "Write A, B, C, D of xdot = A x + B u, z = C x + D u to a MAT-file; with --json they are "
     "printed too, and '-' writes no file."},
    {"--inputs", NULL, "FORCE,...", false,
     "Inputs u: forces of the model that are added to, such as motor or load.x (default: all "
     "motors, forces and torques)."},
    {"--outputs", NULL, "CHANNEL,...", false,
     "Outputs z: channels of a dynamic analysis, such as rod.acceleration or pin.force.x (default: "
     "positions, angles and velocities of all bodies)."},
    LMB_BODY_OPTION("The modes of this flexible body alone, held by nothing."),
    LMB_CACHE_OPTION,
    LMB_SET_OPTION,
    {"--json", NULL, NULL, false, "Print JSON, with the mode shapes."},
    {0},
};

const lmb_verb lmb_verb_modes = {
    .name = "modes",
    .usage = "MODEL|BODY [--as-placed] [--state-space FILE.mat [--inputs FORCE,...] [--outputs "
             "CHANNEL,...]] "
             "[--body NAME [--no-cache]] [--set NAME=VALUE]... [--json]",
    .summary = "Prints frequencies, damping and shapes of small vibrations.",
    .doc =
        "Finds the position in which the mechanism rests, linearises the equations of motion "
        "there in its free directions and solves for the modes: frequency (size of the eigenvalue "
        "over 2 pi), damping ratio, and shapes normalised to unit modal mass. Rigid modes come "
        "first, with frequency 0.\n\n"
        "A state space has the states x = (y, ydot) with y along the free directions: the "
        "coordinates move by N y. The file has the matrices A, B, C, D and N and the names "
        "`states`, `inputs` and `outputs`. Inputs and outputs count from their values at rest.\n\n"
        "Of a flexible body, in a file of `limber reduce` or of a model, it prints the modes that "
        "the body has by itself, held by nothing.",
    .examples = "limber modes particles.yaml\nlimber modes double-pendulum.yaml --json\n"
                "limber modes particles.yaml --state-space chain.mat --inputs s1 --outputs "
                "p4.position.x\n"
                "limber modes beam.h5\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
