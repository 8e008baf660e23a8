/* limber matrices: q, Phi, M, Phi_q, gamma, Q and lambda of a model, or its embedded form, with the
 * names of rows and columns. */
#include <stdio.h>
#include <string.h>

#include "analysis/mobility.h"
#include "analysis/embedded.h"
#include "analysis/handles.h"
#include "analysis/kinematics.h"
#include "cli/linear.h"
#include "cli/load.h"
#include "cli/print.h"
#include "model/state_file.h"

/* Prints matrices of a body, or of the model at a time, with the names of their rows and columns,
 * some of which JSON has as lists, too. */
static void print_tables(const lmb_arguments *a, const char *body, double time, size_t list_count,
                         const lmb_name_list *lists, size_t count, const lmb_named_matrix *matrices)
{
    lmb_json json = a->json ? lmb_json_start_object(stdout) : lmb_json_start(stdout);
    if (a->json && body)
        lmb_json_text(&json, "body", body);
    else if (a->json)
        lmb_json_number(&json, "time", time);
    double digits = 17;
    lmb_typed_number(a, "--digits", 1, &digits); /* checked before */
    lmb_matrices_print(a->json ? &json : NULL, (int)digits, list_count, lists, count, matrices);
    lmb_json_end(&json);
}

/* M and Phi_q as full matrices by rows. */
static void full_matrices(const lmb_state *s, double *M, double *J)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv;
    lmb_mass_matrix(s, M);
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            memcpy(J + (size_t)r * n + block->v, s->jacobian + block->value,
                   (size_t)block->nv * sizeof *J);
        }
}

/* The name of a position coordinate: rotations in space are quaternions, others as the velocities.
 */
static void position_name(const lmb_model *m, int i, char *buffer, size_t size)
{
    const lmb_node *node = m->nodes;
    while (i >= node->q + node->nq)
        node++;
    int k = i - node->q;
    bool turns = node->kind == LMB_NODE_SPACE && k >= LMB_TURN_FIRST;
    lmb_column_name(m, node->v + (turns ? 0 : k), buffer, size);
    size_t length = strlen(buffer);
    if (turns && length > 0) /* "top.x" becomes "top.quaternion.w" */
        snprintf(buffer + length - 1, size - length + 1, "quaternion.%c",
                 "wxyz"[k - LMB_TURN_FIRST]);
}

static lmb_status print_all(const lmb_arguments *a, lmb_state *state)
{
    lmb_arena *arena = a->arena;
    const lmb_model *m = state->model;
    size_t n = (size_t)m->nv, count = (size_t)m->nrows;
    const char **columns = lmb_model_names(arena, m, m->nv, lmb_column_name);
    const char **rows = lmb_model_names(arena, m, m->nrows, lmb_row_name);
    const char **positions = lmb_model_names(arena, m, m->nq, position_name);
    double *phi = lmb_arena_numbers(arena, count + 1);
    double *M = lmb_arena_numbers(arena, n * n + 1), *J = lmb_arena_numbers(arena, count * n + 1);
    double *gamma = lmb_arena_numbers(arena, count + 1), *Q = lmb_arena_numbers(arena, n + 1);
    if (!lmb_arena_fine(arena))
        return lmb_fail_memory(a->context);
    full_matrices(state, M, J);
    lmb_constraints(state, phi);
    lmb_acceleration_side(state, gamma);
    lmb_total_force(state, Q);
    const lmb_named_matrix matrices[] = {
        {"q", "positions", m->nq, 0, state->q, false, positions, NULL},
        {"Phi", "values of the constraints", m->nrows, 0, phi, false, rows, NULL},
        {"M", "mass matrix", m->nv, m->nv, M, false, columns, columns},
        {"Phi_q", "Jacobian of the constraints", m->nrows, m->nv, J, false, rows, columns},
        {"gamma", "right side of Phi_q a = gamma", m->nrows, 0, gamma, false, rows, NULL},
        {"Q", "generalised forces", m->nv, 0, Q, false, columns, NULL},
        {"lambda", "multipliers, M a + Phi_q^T lambda = Q", m->nrows, 0, state->lambda, false, rows,
         NULL},
        {"v", "velocities", m->nv, 0, state->v, false, columns, NULL},
        {"a", "accelerations", m->nv, 0, state->a, false, columns, NULL},
    };
    const lmb_name_list lists[2] = {{"coordinates", m->nv, columns},
                                    {"constraints", m->nrows, rows}};
    print_tables(a, NULL, state->t, 2, lists, sizeof matrices / sizeof *matrices, matrices);
    return LMB_OK;
}

/* --- the embedded form ------------------------------------------------------------------------ */

static lmb_status print_embedded(const lmb_arguments *a, const lmb_state *state,
                                 const lmb_embedded *e)
{
    const char **all = lmb_model_names(a->arena, state->model, e->n, lmb_column_name);
    const char **own = lmb_arena_alloc(a->arena, (size_t)e->free + 1, sizeof *own);
    if (!lmb_arena_fine(a->arena))
        return lmb_fail_memory(a->context);
    for (int i = 0; i < e->free; i++)
        own[i] = all[e->index[i]];
    const lmb_named_matrix matrices[] = {
        {"Mr", "reduced mass matrix, B^T M B", e->free, e->free, e->M, true, own, own},
        {"Qr", "reduced forces, B^T (Q - M c)", e->free, 0, e->Q, true, own, NULL},
        {"a_i", "independent accelerations, Mr a_i = Qr", e->free, 0, e->a, true, own, NULL},
        {"v_i", "independent velocities", e->free, 0, e->v, true, own, NULL},
        {"B", "v = B v_i + b and a = B a_i + c", e->n, e->free, e->B, true, all, own},
        {"b", "velocities when v_i = 0", e->n, 0, e->b, true, all, NULL},
        {"c", "accelerations when a_i = 0", e->n, 0, e->c, true, all, NULL},
    };
    const lmb_name_list lists[2] = {{"coordinates", e->n, all}, {"independent", e->free, own}};
    print_tables(a, NULL, state->t, 2, lists, sizeof matrices / sizeof *matrices, matrices);
    return LMB_OK;
}

/* Marks the coordinates of --independent; an unknown one is reported. */
static lmb_status mark(const lmb_arguments *a, const lmb_model *m, char **names, bool *marked)
{
    for (; names && *names && !*a->status; names++) {
        char nearest[128];
        int column = lmb_find_column(m, *names, nearest, sizeof nearest);
        if (column < 0)
            return lmb_fail_choice(
                a->context, "coordinate",
                &(lmb_nearest){.word = *names, .best = *nearest ? nearest : NULL},
                "`limber matrices` without --embedded prints all of their names");
        lmb_refuse(a, marked[column], "coordinate '%s' is named twice", *names);
        marked[column] = true;
    }
    return *a->status;
}

static lmb_status embed_and_print(const lmb_arguments *a, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    char **names = lmb_typed_names(a, "--independent");
    bool *marked = lmb_arena_alloc(a->arena, (size_t)m->nv + 1, sizeof *marked);
    lmb_embedded e = {0};
    lmb_status status = marked ? mark(a, m, names, marked) : lmb_fail_memory(a->context);
    if (!status && !(status = lmb_embed(s, names ? marked : NULL, &e)))
        status = e.free ? print_embedded(a, s->state, &e)
                        : lmb_fail(a->context, LMB_BAD_INPUT,
                                   "nothing is free to move: there is no independent coordinate");
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
    print_tables(a, NULL, s->t, 0, NULL, at, matrices);
    return LMB_OK;
}

static lmb_status print_handles(const lmb_arguments *a, lmb_solver *s, const char *words)
{
    const lmb_model *m = s->state->model;
    const char *dots = strstr(words, "..");
    size_t length = dots ? (size_t)(dots - words) : strlen(words);
    const char *second = dots ? dots + 2 : words;
    bool *inside = lmb_arena_alloc(a->arena, (size_t)m->body_count, sizeof *inside);
    lmb_handles handles;
    int from = find_body(a, m, words, length);
    int to = from > 0 ? find_body(a, m, second, dots ? strlen(second) : length) : -1;
    if (to <= 0)
        return LMB_USAGE;
    if (!inside)
        return lmb_fail_memory(a->context);
    if (!lmb_bodies_between(m, from, to, inside))
        return lmb_fail(a->context, LMB_USAGE, "no joints lead from '%s' to '%s'",
                        m->bodies[from].name, m->bodies[to].name);
    lmb_status status = lmb_find_handles(s, inside, &handles);
    if (!status && handles.count == 0)
        return lmb_fail(a->context, LMB_BAD_INPUT, "nothing holds '%s': there is no handle", words);
    return status ? status : print_zeta(a, s->state, &handles);
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
    print_tables(a, d->name, 0, sizeof lists / sizeof *lists, lists,
                 sizeof matrices / sizeof *matrices, matrices);
    return LMB_OK;
}

static lmb_status print_body(const lmb_arguments *a)
{
    lmb_body_data *d;
    bool cached;
    lmb_status status = lmb_load_body(a, false, &d, &cached);
    if (!status)
        status = print_reduced(a, d);
    lmb_body_free(d);
    return status;
}

/* --- where ------------------------------------------------------------------------------------ */

/* The embedded form, or accelerations and multipliers of the augmented equations; all is printed.
 */
static lmb_status solve_and_print(const lmb_arguments *a, lmb_solver *s)
{
    bool solved = lmb_solve_augmented(s); /* friction in the embedded form needs the reactions */
    if (lmb_option_value(a, "--handles"))
        return print_handles(a, s, lmb_option_value(a, "--handles"));
    if (lmb_option_value(a, "--embedded"))
        return embed_and_print(a, s);
    if (solved)
        return print_all(a, s->state);
    return lmb_fail(a->context, LMB_SOLVER,
                    "the augmented equations are singular: a body without mass can move freely, "
                    "or constraints repeat each other");
}

/* At rest or as the drivers move it at the beginning, or in a given state, with what acts in an
 * analysis (-1: all). */
static lmb_status at_state(const lmb_arguments *a, const lmb_model *m, int analysis,
                           const char *file)
{
    lmb_solver *s;
    lmb_rank rank;
    lmb_status status = lmb_solver_new(&s, a->context, m);
    if (status)
        return status;
    if (analysis >= 0)
        lmb_switch_absent(s->state, &m->analyses[analysis].without);
    if (file) {
        status = lmb_state_load(s->state, a->context, file);
    } else if (!(status = lmb_assemble(s))) {
        lmb_solver_factor(s);
        lmb_solve_velocity(s);
    }
    if (!status && !(status = lmb_find_rank(s, &rank))) {
        lmb_warn_redundant(s, &rank);
        status = solve_and_print(a, s);
    }
    lmb_solver_free(s);
    return status;
}

/* Where the drivers have moved it by a time. */
static lmb_status at_time(const lmb_arguments *a, const lmb_model *m, double t)
{
    lmb_kinematics *k;
    lmb_status status = lmb_kinematics_new(&k, a->context, m, t < 0 ? t : 0, false);
    if (status)
        return status;
    if (t > 0)
        status = lmb_kinematics_advance(k, t);
    if (!status)
        status = solve_and_print(a, k->solver);
    lmb_kinematics_free(k);
    return status;
}

/* Where an analysis begins, or where it has come to by a time. */
static lmb_status in_analysis(const lmb_arguments *a, const lmb_model *m, int analysis,
                              const double *t)
{
    lmb_operating_point p;
    bool at_rest = m->analyses[analysis].kind->solve;
    lmb_status status = lmb_operating_point_find(&p, a->context, m, analysis, !at_rest, t);
    if (!status)
        status = solve_and_print(a, p.solver);
    lmb_operating_point_free(&p);
    return status;
}

static lmb_status run(const lmb_arguments *a)
{
    const char *at = lmb_option_value(a, "--at"), *file = lmb_option_value(a, "--state");
    double t = 0, digits = 17;
    int analysis;
    lmb_typed_number(a, "--digits", 1, &digits);
    lmb_refuse(a, digits != floor(digits) || digits > 17,
               "--digits needs a whole number from 1 to 17");
    if (*a->status)
        return *a->status;
    if (lmb_is_body_file(a->words[0]) || lmb_option_value(a, "--body"))
        return print_body(a);
    lmb_refuse(a, at && file, "give --at or --state, not both");
    lmb_refuse(a, lmb_option_value(a, "--independent") && !lmb_option_value(a, "--embedded"),
               "--independent is for --embedded");
    lmb_refuse(a, lmb_option_value(a, "--handles") && lmb_option_value(a, "--embedded"),
               "--handles and --embedded print different things: choose one");
    lmb_typed_number(a, "--at", LMB_ANY_NUMBER, &t);
    lmb_model *m;
    lmb_status status = *a->status ? *a->status : lmb_load_mechanism(a, &m);
    if (status || (status = lmb_typed_analysis(a, m, &analysis)))
        return status;
    if (analysis >= 0 && !file)
        return in_analysis(a, m, analysis, at ? &t : NULL);
    return at ? at_time(a, m, t) : at_state(a, m, analysis, file);
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
