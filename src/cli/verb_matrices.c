/* limber matrices: q, Phi, M, Phi_q, gamma, Q and lambda of a model, or its embedded form, with the
 * names of rows and columns. */
#include <stdio.h>
#include <string.h>

#include "analysis/handles.h"
#include "cli/load.h"
#include "cli/print.h"
#include "run/matrices.h"

/* Print matrices of a body, or of the model at a time, with the names of their rows and columns,
 * some of which JSON also has as lists. Numbers that are not finite are LMB_SOLVER. */
static lmb_status print_tables(const lmb_arguments *a, const char *body, double time,
                               size_t list_count, const lmb_name_list *lists, size_t count,
                               const lmb_named_matrix *matrices)
{
    lmb_status status = lmb_matrices_check(a->context, count, matrices);
    if (status)
        return status;
    lmb_json json = a->json ? lmb_json_start_object(stdout) : lmb_json_start(stdout);
    if (a->json && body)
        lmb_json_text(&json, "body", body);
    else if (a->json)
        lmb_json_number(&json, "time", time);
    double digits = 17;
    lmb_typed_number(a, "--digits", 1, &digits); /* checked before */
    lmb_matrices_print(a->json ? &json : NULL, (int)digits, list_count, lists, count, matrices);
    lmb_json_end(&json);
    return LMB_OK;
}

/* --- the equations ---------------------------------------------------------------------------- */

static lmb_status print_all(const lmb_arguments *a, const lmb_model *m,
                            const lmb_matrices_options *options)
{
    lmb_matrices x;
    lmb_status status = lmb_matrices_find(&x, a->context, m, options);
    if (status)
        return status;
    const char *const *columns = x.coordinate_names, *const *rows = x.constraint_names;
    int n = x.coordinates, count = x.constraints;
    const lmb_named_matrix matrices[] = {
        {"q", "positions", x.positions, 0, x.q, false, x.position_names, NULL},
        {"Phi", "values of the constraints", count, 0, x.Phi, false, rows, NULL},
        {"M", "mass matrix", n, n, x.M, false, columns, columns},
        {"Phi_q", "Jacobian of the constraints", count, n, x.Phi_q, false, rows, columns},
        {"gamma", "right side of Phi_q a = gamma", count, 0, x.gamma, false, rows, NULL},
        {"Q", "generalised forces", n, 0, x.Q, false, columns, NULL},
        {"lambda", "multipliers, M a + Phi_q^T lambda = Q", count, 0, x.lambda, false, rows, NULL},
        {"v", "velocities", n, 0, x.v, false, columns, NULL},
        {"a", "accelerations", n, 0, x.a, false, columns, NULL},
    };
    const lmb_name_list lists[2] = {{"coordinates", n, columns}, {"constraints", count, rows}};
    status = print_tables(a, NULL, x.time, 2, lists, sizeof matrices / sizeof *matrices, matrices);
    lmb_matrices_free(&x);
    return status;
}

static lmb_status print_embedded(const lmb_arguments *a, const lmb_model *m,
                                 const lmb_matrices_options *options)
{
    lmb_embedded e;
    char **names = lmb_typed_names(a, "--independent");
    lmb_status status = *a->status;
    if (status ||
        (status = lmb_embedded_find(&e, a->context, m, options, (const char *const *)names)))
        return status;
    const char **own = lmb_arena_alloc(a->arena, (size_t)e.free + 1, sizeof *own);
    for (int i = 0; i < e.free && own; i++)
        own[i] = e.names[e.index[i]];
    const lmb_named_matrix matrices[] = {
        {"Mr", "reduced mass matrix, B^T M B", e.free, e.free, e.M, true, own, own},
        {"Qr", "reduced forces, B^T (Q - M c)", e.free, 0, e.Q, true, own, NULL},
        {"a_i", "independent accelerations, Mr a_i = Qr", e.free, 0, e.a, true, own, NULL},
        {"v_i", "independent velocities", e.free, 0, e.v, true, own, NULL},
        {"B", "v = B v_i + b and a = B a_i + c", e.n, e.free, e.B, true, e.names, own},
        {"b", "velocities when v_i = 0", e.n, 0, e.b, true, e.names, NULL},
        {"c", "accelerations when a_i = 0", e.n, 0, e.c, true, e.names, NULL},
    };
    const lmb_name_list lists[2] = {{"coordinates", e.n, e.names}, {"independent", e.free, own}};
    status =
        own ? print_tables(a, NULL, e.time, 2, lists, sizeof matrices / sizeof *matrices, matrices)
            : lmb_fail_memory(a->context);
    lmb_embedded_free(&e);
    return status;
}

/* --- two-handle equations --------------------------------------------------------------------- */

/* The body of a name that is so long. */
static int find_body(const lmb_arguments *a, const lmb_model *m, const char *name, size_t length)
{
    char word[128];
    lmb_nearest nearest;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    int body = lmb_find_name(m->bodies, sizeof *m->bodies, m->body_count, word, &nearest);
    if (body <= 0)
        lmb_fail_choice(a->context, "body", &nearest, "--handles needs a body, or two: crank..rod");
    return body;
}

/* One matrix zeta_kl for each two handles, and what they do unheld: zeta_13, zeta_23 of two. */
static lmb_status print_zeta(const lmb_arguments *a, const lmb_state *s, const lmb_handles *o)
{
    static const char *const space[] = {"x", "y", "z", "about.x", "about.y", "about.z"};
    static const char *const plane[] = {"x", "y", "angle"};
    size_t n = (size_t)o->count, size = (size_t)o->size, total = n * (n + 1), at = 0;
    const char ***names = lmb_arena_alloc(a->arena, n + 1, sizeof *names);
    lmb_named_matrix *matrices = lmb_arena_alloc(a->arena, total + 1, sizeof *matrices);
    double *blocks = lmb_arena_numbers(a->arena, n * n * size * size + 1);
    for (size_t k = 0; k < n && names; k++) {
        const char *joint = s->model->joints[o->joint[k]].name;
        names[k] = lmb_arena_alloc(a->arena, size, sizeof **names);
        for (size_t i = 0; i < size && names[k]; i++)
            names[k][i] = lmb_text_format(a->arena, "%s.%s", joint,
                                          s->model->dimension == 2 ? plane[i] : space[i]);
    }
    if (!lmb_arena_fine(a->arena))
        return lmb_fail_memory(a->context);
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l < n; l++, blocks += size * size) {
            for (size_t i = 0; i < size; i++)
                memcpy(blocks + i * size, o->zeta + ((k * size + i) * n + l) * size,
                       size * sizeof *blocks);
            matrices[at++] =
                (lmb_named_matrix){lmb_text_format(a->arena, "zeta_%zu%zu", k + 1, l + 1),
                                   "accelerations of a handle by forces on one",
                                   o->size,
                                   o->size,
                                   blocks,
                                   false,
                                   names[k],
                                   names[l]};
        }
        matrices[at++] = (lmb_named_matrix){lmb_text_format(a->arena, "zeta_%zu%zu", k + 1, n + 1),
                                            "accelerations of a handle that is not held",
                                            o->size,
                                            0,
                                            o->bias + k * size,
                                            false,
                                            names[k],
                                            NULL};
    }
    if (!lmb_arena_fine(a->arena))
        return lmb_fail_memory(a->context);
    return print_tables(a, NULL, s->t, 0, NULL, at, matrices);
}

/* Marks the bodies of --handles. */
static lmb_status find_bodies(const lmb_arguments *a, const lmb_model *m, const char *words,
                              bool **inside)
{
    const char *dots = strstr(words, "..");
    size_t length = dots ? (size_t)(dots - words) : strlen(words);
    const char *second = dots ? dots + 2 : words;
    int from = find_body(a, m, words, length);
    int to = from > 0 ? find_body(a, m, second, dots ? strlen(second) : length) : -1;
    if (to <= 0)
        return LMB_USAGE;
    *inside = lmb_arena_alloc(a->arena, (size_t)m->body_count, sizeof **inside);
    if (!*inside)
        return lmb_fail_memory(a->context);
    return lmb_bodies_between(m, from, to, *inside)
               ? LMB_OK
               : lmb_fail(a->context, LMB_USAGE, "no joints lead from '%s' to '%s'",
                          m->bodies[from].name, m->bodies[to].name);
}

static lmb_status print_handles(const lmb_arguments *a, const lmb_model *m,
                                const lmb_matrices_options *options)
{
    const char *words = lmb_option_value(a, "--handles");
    bool *inside;
    lmb_handles handles;
    lmb_matrix_point p;
    lmb_status status = lmb_matrix_point_find(&p, a->context, m, options);
    if (!status && !(status = find_bodies(a, m, words, &inside)) &&
        !(status = lmb_find_handles(p.solver, inside, &handles)))
        status = handles.count ? print_zeta(a, p.solver->state, &handles)
                               : lmb_fail(a->context, LMB_BAD_INPUT,
                                          "nothing holds '%s': there is no handle", words);
    lmb_matrix_point_free(&p);
    return status;
}

/* --- flexible bodies -------------------------------------------------------------------------- */

/* Names of rows and columns: modes; translations, rotations, modes, and modes turned about an axis;
 * motions of the interface points; a matrix for each product of angular velocities; a matrix for
 * the stress of each mode. */
enum { MODES, GRAM, POINTS, SPINS, STRESSES, LISTS };

static bool make_names(lmb_arena *arena, const lmb_reduced *b, const int count[LISTS],
                       const char **of[LISTS])
{
    static const char *const spins[LMB_SPINS] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    int n = b->mode_count, plain = 6 + n;
    for (int i = 0; i < LISTS; i++)
        of[i] = lmb_arena_alloc(arena, (size_t)count[i] + 1, sizeof *of[i]);
    if (!lmb_arena_fine(arena))
        return false;
    for (int k = 0; k < n; k++)
        of[MODES][k] = lmb_motion_name(arena, 0, k);
    for (int k = 0; k < count[GRAM]; k++)
        of[GRAM][k] = k < plain ? lmb_motion_name(arena, 6, k)
                                : lmb_text_format(arena, "mode%d.turned.%c", (k - plain) / 3 + 1,
                                                  "xyz"[(k - plain) % 3]);
    for (int k = 0; k < count[POINTS]; k++)
        of[POINTS][k] = lmb_text_format(arena, "%.80s.%s", b->point_name[k / LMB_DIRECTIONS],
                                        lmb_motion_name(arena, 6, k % LMB_DIRECTIONS));
    for (int k = 0; k < LMB_SPINS * n; k++)
        of[SPINS][k] = lmb_text_format(arena, "%s.mode%d", spins[k / n], k % n + 1);
    for (int k = 0; k < n * n; k++)
        of[STRESSES][k] = lmb_text_format(arena, "mode%d.mode%d", k / n + 1, k % n + 1);
    return lmb_arena_fine(arena);
}

static lmb_status print_reduced(const lmb_arguments *a, const lmb_body_data *d)
{
    const lmb_reduced *b = d->reduced;
    int n = b->mode_count, gram = lmb_gram_size(n), points = LMB_DIRECTIONS * b->point_count;
    const char **of[LISTS];
    if (!make_names(a->arena, b, (int[LISTS]){n, gram, points, LMB_SPINS * n, n * n}, of))
        return lmb_fail_memory(a->context);
    const lmb_named_matrix matrices[] = {
        {"K", "stiffness of the modes", n, n, b->K, true, of[MODES], of[MODES]},
        {"M", "mass of the modes", n, n, b->M, true, of[MODES], of[MODES]},
        {"C", "damping of the modes", n, n, b->C, true, of[MODES], of[MODES]},
        {"gram", "inertia invariants: M-products of all columns", gram, gram, b->gram, true,
         of[GRAM], of[GRAM]},
        {"basis", "displacements and rotations of the interface points in the modes", points, n,
         b->point_shape, false, of[POINTS], of[MODES]},
        {"spin_stiffness", "geometric stiffness by products of angular velocities", LMB_SPINS * n,
         n, b->spin_stiffness, false, of[SPINS], of[MODES]},
        {"mode_stiffness", "geometric stiffness by the stress of each mode", n * n, n,
         b->mode_stiffness, false, of[STRESSES], of[MODES]},
    };
    const lmb_name_list lists[] = {{"modes", n, of[MODES]},
                                   {"gram_columns", gram, of[GRAM]},
                                   {"basis_rows", points, of[POINTS]}};
    return print_tables(a, d->name, 0, sizeof lists / sizeof *lists, lists,
                        sizeof matrices / sizeof *matrices, matrices);
}

static lmb_status print_body(const lmb_arguments *a)
{
    lmb_reduced_body *body;
    lmb_status status = lmb_load_body(a, false, false, &body);
    if (!status)
        status = print_reduced(a, body->data);
    lmb_reduced_body_free(body);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    double t = 0, digits = 17;
    lmb_typed_number(a, "--digits", 1, &digits);
    lmb_refuse(a, digits != floor(digits) || digits > 17,
               "--digits needs a whole number from 1 to 17");
    if (*a->status)
        return *a->status;
    if (lmb_is_body_file(a->words[0]) || lmb_option_value(a, "--body"))
        return print_body(a);
    const lmb_matrices_options options = {.analysis = lmb_option_value(a, "--analysis"),
                                          .at = lmb_option_value(a, "--at") ? &t : NULL,
                                          .state = lmb_option_value(a, "--state")};
    lmb_refuse(a, options.at && options.state, "give --at or --state, not both");
    lmb_refuse(a, lmb_option_value(a, "--independent") && !lmb_option_value(a, "--embedded"),
               "--independent is for --embedded");
    lmb_refuse(a, lmb_option_value(a, "--handles") && lmb_option_value(a, "--embedded"),
               "--handles and --embedded print different things: choose one");
    lmb_typed_number(a, "--at", LMB_ANY_NUMBER, &t);
    lmb_model *m;
    lmb_status status = *a->status ? *a->status : lmb_load_model(a, &m);
    if (status)
        return status;
    return (lmb_option_value(a, "--handles")    ? print_handles
            : lmb_option_value(a, "--embedded") ? print_embedded
                                                : print_all)(a, m, &options);
}

static const lmb_option options[] = {
    {"--at T",
     "At this time of the driven motion, or of the analysis (default: at the beginning), or at "
     "this load factor of a path of equilibria (default: at its end)."},
    {"--analysis NAME", "With what acts in this analysis, where it begins or at the time of --at."},
    {"--state FILE", "In the state of a file: positions and velocities of bodies."},
    {"--embedded",
     "Print the equations in independent coordinates instead: Mr a_i = Qr, v = B v_i + b."},
    {"--independent NAME,...", "The independent coordinates, such as crank.angle (default: chosen "
                               "by the pivots of the scaled Jacobian)."},
    {"--handles BODY|A..B",
     "Print the two-handle equations of a body, or of the bodies from A to B with the joints "
     "between them closed: how the places where others hold them answer to forces there."},
    {"--digits N", "How many digits to print (default: 17)."},
    {"--body NAME", "The reduced matrices of this flexible body."},
    {LMB_CACHE_OPTION},
    {LMB_SET_OPTION},
    {LMB_TRUST_OPTION},
    {"--json", "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_matrices = {
    .name = "matrices",
    .usage = "MODEL|BODY [--at T | --state FILE] [--analysis NAME] [--embedded [--independent "
             "NAME,...] | --handles BODY|A..B] [--digits N] [--body NAME [--no-cache]] [--set "
             "NAME=VALUE]... [--json]",
    .summary = "Prints q, Phi, M, Phi_q, gamma, Q and lambda, or the embedded form.",
    .doc = "Prints the matrices of the equations of motion, M a + Phi_q^T lambda = Q and "
           "Phi_q a = gamma, to compare with a calculation by hand or a program of one's own. "
           "A state file names bodies: `crank: {position: [0.05, 0.05], angle: pi/4, velocity: "
           "[0, 1], angular_velocity: 10}`, and may give a `time`. With --embedded the multipliers "
           "are eliminated: v = B v_i + b, a = B a_i + c, Mr = B^T M B, Qr = B^T (Q - M c), "
           "Mr a_i = Qr.\n\n"
           "With --handles it prints a_k = sum of zeta_kl F_l + zeta_k3 (with two handles): the "
           "accelerations of the "
           "handles of a body, or of joined bodies, by forces and torques on them. Handles are "
           "the ends of joints to other bodies or the ground, in the order of the joints.\n\n"
           "Of a flexible body, in a file of `limber reduce` or of a model, it prints the "
           "stiffness, mass and damping of its modes, the invariants, and the basis at the "
           "interface points.",
    .examples = "limber matrices slider-crank.yaml\nlimber matrices slider-crank.yaml --at 0.1\n"
                "limber matrices slider-crank-dynamics.yaml --embedded --independent crank.angle\n"
                "limber matrices slider-crank-dynamics.yaml --handles crank..rod --digits 5\n"
                "limber matrices slider-crank-flexible.yaml --analysis turns --digits 5\n",
    .words = {1, 1},
    .options = options,
    .run = run,
};
