/* limber modes: frequencies, damping and shapes of the linearised mechanism, and its state space;
 * modes of a reduced body or of a mesh. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/modes.h"
#include "cli/linear.h"
#include "cli/config.h"
#include "cli/load.h"
#include "cli/modes_over.h"
#include "cli/print.h"
#include "export/mat.h"
#include "run/mesh_modes.h"

/* The matrices of a state space, by columns, and the lists of names. */
enum { MATRICES = 5, LISTS = 3 };
typedef struct parts {
    lmb_named_matrix matrices[MATRICES];
    lmb_name_list lists[LISTS];
} parts;

static parts parts_of(const lmb_state_space *o)
{
    const char *const *states = (const char *const *)o->state_names;
    const char *const *outputs = (const char *const *)o->output_names;
    return (parts){{{"A", "", o->states, o->states, o->A, true, states, NULL},
                    {"B", "", o->states, o->inputs, o->B, true, states, NULL},
                    {"C", "", o->outputs, o->states, o->C, true, outputs, NULL},
                    {"D", "", o->outputs, o->inputs, o->D, true, outputs, NULL},
                    {"N", "", o->n, o->free, o->N, true, NULL, NULL}},
                   {{"states", o->states, states},
                    {"inputs", o->inputs, (const char *const *)o->input_names},
                    {"outputs", o->outputs, outputs}}};
}

/* The free-free modes of a body. */
static void print_body_text(int count, const lmb_mode *modes)
{
    printf("%-6s %24s %24s\n", "mode", "frequency (Hz)", "damping (ratio)");
    for (int i = 0; i < count; i++)
        printf("%-6d %24.17g %24.17g%s\n", i + 1, modes[i].frequency, modes[i].damping,
               modes[i].rigid ? "  (rigid)" : "");
}

/* A number, or a dash where there is none. */
static void put_number(double x)
{
    if (isnan(x))
        printf(" %24s", "-");
    else
        printf(" %24.17g", x);
}

/* The modes of the mechanism, with the names of its coordinates. */
static void print_text(int n, const char **names, int count, const lmb_mode *modes)
{
    printf("%-6s %24s %24s %24s %24s %24s  moves most\n", "mode", "frequency (Hz)",
           "damping (ratio)", "real part (1/s)", "imaginary part (1/s)", "time constant (s)");
    for (int i = 0; i < count; i++) {
        const lmb_mode *mode = &modes[i];
        bool decays = !isnan(mode->time_constant);
        printf("%-6d", i + 1);
        put_number(decays ? NAN : mode->frequency);
        put_number(mode->damping);
        put_number(mode->real);
        put_number(mode->imaginary);
        put_number(mode->time_constant);
        printf("  %s%s\n", names[lmb_mode_largest(mode, n)], mode->rigid ? " (rigid)" : "");
    }
}

/* Modes about a state, or of a body. */
static void print_json(const lmb_linearised_about *about, const char *body, int n,
                       const char **names, int count, const lmb_mode *modes,
                       const lmb_state_space *space)
{
    lmb_json json = lmb_json_start_object(stdout);
    if (body)
        lmb_json_text(&json, "body", body);
    else
        lmb_linearised_json(about, &json);
    lmb_json_texts(&json, "coordinates", (size_t)n, names);
    lmb_json_open(&json, "modes", '[');
    for (int i = 0; i < count; i++) {
        lmb_json_open(&json, NULL, '{');
        lmb_json_put(&json, "number %d, frequency %g, damping %g, rigid %hhd", i + 1,
                     modes[i].frequency, modes[i].damping, modes[i].rigid);
        if (!body)
            lmb_json_numbers(&json, "eigenvalue", 2, (double[]){modes[i].real, modes[i].imaginary});
        if (!body && !isnan(modes[i].time_constant))
            lmb_json_number(&json, "time_constant", modes[i].time_constant);
        lmb_json_numbers(&json, "shape", (size_t)n, modes[i].shape);
        lmb_json_close(&json);
    }
    lmb_json_close(&json);
    if (space) {
        parts all = parts_of(space);
        lmb_json_open(&json, "state_space", '{');
        lmb_matrices_print(&json, 17, LISTS, all.lists, MATRICES, all.matrices);
    }
    lmb_json_end(&json);
}

/* The free-free modes of a flexible body. */
static lmb_status print_body(const lmb_arguments *a)
{
    lmb_reduced_body *body;
    lmb_mode_list modes = {0};
    lmb_status status = lmb_load_body(a, false, false, &body);
    if (!status)
        status = lmb_reduced_body_modes(body, a->context, &modes);
    if (!status && a->json)
        print_json(NULL, body->name, modes.coordinates, modes.names, modes.count, modes.modes,
                   NULL);
    else if (!status)
        print_body_text(modes.count, modes.modes);
    lmb_mode_list_free(&modes);
    lmb_reduced_body_free(body);
    return status;
}

static lmb_status write_state_space(lmb_context *context, const char *path,
                                    const lmb_state_space *o)
{
    lmb_mat mat;
    lmb_status status = lmb_mat_open(&mat, context, path);
    if (status)
        return status;
    parts p = parts_of(o);
    for (const lmb_named_matrix *m = p.matrices; m < p.matrices + MATRICES; m++)
        lmb_mat_matrix(&mat, m->name, m->rows, m->columns, m->values);
    for (const lmb_name_list *l = p.lists; l < p.lists + LISTS; l++)
        lmb_mat_texts(&mat, l->key, l->count, l->names);
    return lmb_mat_close(&mat, context, LMB_OK);
}

/* How many modes are wanted; 0: no number was given. */
static int typed_count(const lmb_arguments *a)
{
    double count = 0;
    lmb_typed_number(a, "--modes", 1, &count);
    return (int)fmin(count, 1e6);
}

/* The modes and, if it is asked for, the state space of a linearised model. */
static lmb_status find_and_print(const lmb_arguments *a, lmb_linearised *linear)
{
    const char *path = lmb_option_value(a, "--state-space");
    lmb_mode_list list = {0};
    lmb_state_space space = {0};
    lmb_linearised_about about;
    char **inputs = lmb_typed_names(a, "--inputs"), **outputs = lmb_typed_names(a, "--outputs");
    int count = typed_count(a);
    lmb_status status = *a->status;
    if (!status && path) /* first, so that the modes are those of its full matrices */
        status = lmb_linearised_state_space(linear, (const char *const *)inputs,
                                            (const char *const *)outputs, &space);
    if (!status && !(status = lmb_linearised_tell(linear, &about)))
        status = lmb_linearised_modes(linear, count, &list);
    if (!status && path)
        status = lmb_matrices_check(a->context, MATRICES, parts_of(&space).matrices);
    if (!status && path && strcmp(path, "-") != 0)
        status = write_state_space(a->context, path, &space);
    if (!status && a->json)
        print_json(&about, NULL, list.coordinates, list.names, list.count, list.modes,
                   path ? &space : NULL);
    else if (!status)
        print_text(list.coordinates, list.names, list.count, list.modes);
    lmb_mode_list_free(&list);
    lmb_state_space_free(&space);
    return status;
}

/* --- meshes ----------------------------------------------------------------------------------- */

#define MESH_OPTIONS " --material --units --hold --free "
static const char for_meshes[] = MESH_OPTIONS "--modes --trust --json ";

/* Refuse mesh options for other files, and other options for meshes. */
static lmb_status check_mesh_options(const lmb_arguments *a, bool mesh)
{
    for (const lmb_option *o = a->verb->options; o->form; o++) {
        lmb_option_parts option = lmb_option_split(o);
        char name[40];
        snprintf(name, sizeof name, " %s ", option.name);
        bool fits = (strstr(mesh ? for_meshes : MESH_OPTIONS, name) != NULL) == mesh;
        lmb_refuse(a, !fits && lmb_option_value(a, option.name), "%s is %s", option.name,
                   mesh ? "not for meshes" : "for meshes (.msh, .inp, .cdb or geometry)");
    }
    return *a->status;
}

/* Print the modes of a mesh as a table or as JSON, without shapes, which would be long. */
static void print_mesh(const lmb_arguments *a, const lmb_mode_list *list,
                       const lmb_mesh_facts *facts)
{
    if (!a->json) {
        printf("%d nodes, %.6g kg; ", facts->nodes, facts->mass);
        printf(facts->held ? "%d of them held\n" : "free\n", facts->held);
        printf("%-6s %24s\n", "mode", "frequency (Hz)");
        for (int i = 0; i < list->count; i++)
            printf("%-6d %24.17g%s\n", i + 1, list->modes[i].frequency,
                   list->modes[i].rigid ? "  (rigid)" : "");
        return;
    }
    lmb_json json = lmb_json_start_object(stdout);
    lmb_json_put(&json, "mesh %s, nodes %d, held_nodes %d, mass %g", a->words[0], facts->nodes,
                 facts->held, facts->mass);
    lmb_json_open(&json, "modes", '[');
    for (int i = 0; i < list->count; i++)
        lmb_json_object(&json, NULL, "number %d, frequency %g, damping %g, rigid %hhd", i + 1,
                        list->modes[i].frequency, list->modes[i].damping, list->modes[i].rigid);
    lmb_json_close(&json);
    lmb_json_end(&json);
}

/* Print the modes of a mesh, free or held. */
static lmb_status print_mesh_modes(const lmb_arguments *a)
{
    lmb_mode_list list;
    lmb_mesh_facts facts;
    lmb_config config = {0};
    int count = typed_count(a);
    lmb_status status = check_mesh_options(a, true);
    if (status || (status = lmb_config_read(a, &config)))
        return status;
    const lmb_mesh_modes_options options = {.path = a->words[0],
                                            .material = lmb_option_value(a, "--material"),
                                            .units = lmb_option_value(a, "--units"),
                                            .hold = lmb_option_values(a, "--hold"),
                                            .free = lmb_option_value(a, "--free"),
                                            .elastic = count ? count : 10,
                                            .trusted =
                                                config.trust || lmb_option_value(a, "--trust"),
                                            .meshing_time = config.meshing_time};
    lmb_progress_start(a->context, false);
    status = lmb_mesh_modes(&list, &facts, a->context, &options);
    lmb_progress_done(a->context);
    if (!status)
        print_mesh(a, &list, &facts);
    lmb_mode_list_free(&list);
    return status;
}

/* --- what was typed --------------------------------------------------------------------------- */

/* What was typed about the state space makes sense. */
static lmb_status check_options(const lmb_arguments *a)
{
    const char *path = lmb_option_value(a, "--state-space");
    const char *range = lmb_option_value(a, "--over");
    lmb_refuse(a, range && path, "--over and --state-space do not go together");
    lmb_refuse(a, !range && lmb_option_value(a, "--plot"), "--plot is for --over");
    lmb_refuse(a, !path && (lmb_option_value(a, "--inputs") || lmb_option_value(a, "--outputs")),
               "--inputs and --outputs are for --state-space");
    if (path && !(strcmp(path, "-") == 0 && a->json) &&
        lmb_refuse(a, !lmb_ends_with(path, ".mat"), "'%s' is not the name of a MAT-file", path))
        lmb_hint(a->context, "call it FILE.mat; with --json, '-' prints the matrices alone");
    return *a->status;
}

static lmb_status run(const lmb_arguments *a)
{
    lmb_model *m;
    lmb_linearised *linear = NULL;
    if (lmb_is_mesh_file(a->words[0]))
        return print_mesh_modes(a);
    if (check_mesh_options(a, false))
        return *a->status;
    if (lmb_is_body_file(a->words[0]) || lmb_option_value(a, "--body"))
        return print_body(a);
    lmb_status status = check_options(a);
    const char *range = lmb_option_value(a, "--over");
    if (!status && range)
        return lmb_modes_over(a, range);
    if (!status && !(status = lmb_load_model(a, &m)) && !(status = lmb_typed_linear(a, m, &linear)))
        status = find_and_print(a, linear);
    lmb_linearised_free(linear);
    return status;
}

static const lmb_option options[] = {
    LMB_LINEAR_OPTIONS,
    {"--modes N", "How many modes, the lowest (default: all, or 20 in models of more than 400 "
                  "coordinates); of a mesh: besides the rigid ones (default: 10)."},
    {"--over NAME=FROM:TO:COUNT",
     "Print the eigenvalues over a parameter of the model, at COUNT values (default: 101)."},
    {"--plot FILE", "With --over: draw real and imaginary parts instead, as SVG, PDF or PNG."},
    {"--state-space FILE.mat", "Write A, B, C, D of xdot = A x + B u, z = C x + D u to a MAT-file; "
                               "with --json they are printed too, and '-' writes no file."},
    {"--inputs FORCE,...", "Inputs u: forces of the model that are added to, such as motor or "
                           "load.x (default: all motors, forces and torques)."},
    {"--outputs CHANNEL,...",
     "Outputs z: channels of a dynamic analysis, such as rod.acceleration or pin.force.x (default: "
     "positions, angles and velocities of all bodies)."},
    {"--body NAME", "The free-free modes of this flexible body."},
    {"--material NAME", "Material for elements of a mesh without modulus or density: "
                        "steel, aluminium or another name that model files know."},
    {"--units SYSTEM", "Units of the mesh: SI (default), mm-t-s, mm-kg-ms or in-lbf-s."},
    {"--hold SET ...", "Hold all nodes of this set of the mesh."},
    {"--free", "Ignore the supports that the mesh file has."},
    {LMB_CACHE_OPTION},
    {LMB_SET_OPTION},
    {LMB_TRUST_OPTION},
    {"--json", "Print JSON, with the mode shapes (not of meshes)."},
    {0},
};

const lmb_verb lmb_verb_modes = {
    .name = "modes",
    .usage = "MODEL|BODY|MESH " LMB_LINEAR_USAGE
             " [--modes N] [--over NAME=FROM:TO:COUNT [--plot FILE]] [--state-space "
             "FILE.mat [--inputs FORCE,...] [--outputs "
             "CHANNEL,...]] [--body NAME [--no-cache]] [--set NAME=VALUE]... [--material NAME] "
             "[--units SYSTEM] "
             "[--hold SET]... [--free] [--trust] [--json]",
    .summary = "Prints eigenvalues, natural frequencies, damping ratios and mode shapes.",
    .doc =
        "Finds the static equilibrium, linearises the equations of motion there and solves for "
        "the modes. One that oscillates has a frequency (magnitude of the eigenvalue over 2 pi) "
        "and a damping ratio, one that does not a time constant in which it decays by a factor "
        "e (negative: it grows); shapes are normalised to unit modal mass. Rigid modes come "
        "first, with frequency 0. Of models of more than 400 coordinates the lowest modes are "
        "found, by the size of their eigenvalues.\n\n--as-placed and --analysis linearise about a "
        "motion, --analysis also about an equilibrium of a path: its end, or the load factor of "
        "--at. In a motion the coordinates are those of joints, modal coordinates of flexible "
        "bodies, and "
        "positions and rotation vectors of bodies as an observer sees them. Where the matrix is "
        "constant along the motion, as for a bicycle that rides straight on, the eigenvalues "
        "tell whether the motion is stable. Where it changes, it is frozen at that time, and "
        "the program says so.\n\nA state-space model has the states x = (y, ydot), named after "
        "their coordinates such as hinge.angle and hinge.angle_velocity: the coordinates of all "
        "bodies move by N y. The file has the matrices A, B, C, D and N and the names `states`, "
        "`inputs` and `outputs`. Inputs and outputs are relative to their values in the motion "
        "itself.\n\nOf a flexible body, in a file of `limber reduce` or of a model, it prints "
        "the free-free modes.\n\nOf a mesh (.msh of Gmsh, .inp of Abaqus and CalculiX, .cdb of "
        "Ansys, or geometry if gmsh is installed), without a model, it prints the rigid modes and "
        "the lowest others. Supports of the file hold, *BOUNDARY or D, also with a displacement "
        "that is not zero.",
    .examples = "limber modes particles.yaml\nlimber modes double-pendulum.yaml --json\n"
                "limber modes bicycle.yaml --as-placed --over v=0:10:101 --plot bicycle.svg\n"
                "limber modes particles.yaml --state-space chain.mat --inputs s1 --outputs "
                "p4.position.x\n"
                "limber modes beam.h5\n"
                "limber modes part.msh --material steel --units mm-t-s --hold root\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
