/* limber matrices: M, Phi_q, gamma, Q and lambda of a model, or its embedded form, with the names
 * of rows and columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembly.h"
#include "analysis/embedded.h"
#include "analysis/kinematics.h"
#include "base/json.h"
#include "cli/load.h"
#include "cli/load_body.h"
#include "cli/options.h"
#include "model/state_file.h"

typedef void row_name(const lmb_model *model, int index, char *buffer, size_t size);

/* A matrix to print: rows, columns, and how they are called. */
typedef struct table {
    const char *name, *doc;
    int rows, columns;    /* columns 0: a vector */
    const double *values; /* by rows */
    row_name *row, *column;
    const int *row_index, *column_index; /* which of the coordinates they are; NULL: all in order */
} table;

/* Names to print in JSON. */
typedef struct name_list {
    const char *key;
    int count;
    row_name *name;
    const int *index; /* as in a table */
} name_list;

static void row_of(const lmb_model *m, const table *t, int i, char *name, size_t size)
{
    t->row(m, t->row_index ? t->row_index[i] : i, name, size);
}

static void column_of(const lmb_model *m, const table *t, int j, char *name, size_t size)
{
    t->column(m, t->column_index ? t->column_index[j] : j, name, size);
}

static void print_text(const lmb_model *m, const table *t)
{
    char name[128];
    int columns = t->columns ? t->columns : 1;
    printf("%s: %s\n", t->name, t->doc);
    for (int j = 0; j < t->columns; j++) {
        column_of(m, t, j, name, sizeof name);
        printf(j ? " %24s" : "%45s", name);
    }
    if (t->columns)
        printf("\n");
    for (int i = 0; i < t->rows; i++) {
        row_of(m, t, i, name, sizeof name);
        printf("%-20s", name);
        for (int j = 0; j < columns; j++)
            printf(" %24.17g", t->values[(size_t)i * (size_t)columns + (size_t)j]);
        printf("\n");
    }
    printf("\n");
}

static void print_json(lmb_json *json, const table *t)
{
    int columns = t->columns ? t->columns : 1;
    lmb_json_open(json, t->name, '[');
    for (int i = 0; i < t->rows; i++) {
        if (t->columns)
            lmb_json_open_flat(json, NULL, '[');
        for (int j = 0; j < columns; j++)
            lmb_json_number(json, NULL, t->values[(size_t)i * (size_t)columns + (size_t)j]);
        if (t->columns)
            lmb_json_close(json);
    }
    lmb_json_close(json);
}

static void print_names(lmb_json *json, const lmb_model *m, const name_list *list)
{
    lmb_json_open(json, list->key, '[');
    for (int i = 0; i < list->count; i++) {
        char name[128];
        list->name(m, list->index ? list->index[i] : i, name, sizeof name);
        lmb_json_text(json, NULL, name);
    }
    lmb_json_close(json);
}

/* Prints tables; in JSON after the time and two lists of names. */
static void print_tables(const lmb_arguments *a, const lmb_state *s, const name_list lists[2],
                         const table *tables, size_t count)
{
    if (a->json) {
        lmb_json json = lmb_json_start(stdout);
        lmb_json_open(&json, NULL, '{');
        lmb_json_number(&json, "time", s->t);
        for (int i = 0; i < 2; i++)
            print_names(&json, s->model, &lists[i]);
        for (size_t i = 0; i < count; i++)
            print_json(&json, &tables[i]);
        lmb_json_close(&json);
    } else {
        for (size_t i = 0; i < count; i++)
            print_text(s->model, &tables[i]);
    }
}

/* M and Phi_q as full matrices by rows. */
static void full_matrices(const lmb_state *s, double *M, double *J)
{
    const lmb_model *m = s->model;
    size_t n = (size_t)m->nv;
    for (int i = 0; i < m->body_count; i++) {
        const lmb_body *b = &m->bodies[i];
        b->ops->mass(&s->bodies[i], s->body_block);
        for (int r = 0; r < b->nv; r++)
            for (int c = 0; c < b->nv; c++)
                M[(size_t)(b->v + r) * n + (size_t)(b->v + c)] = s->body_block[c * b->nv + r];
    }
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            const lmb_body *b = &m->bodies[block->body];
            memcpy(J + (size_t)r * n + b->v, s->jacobian + block->value, (size_t)b->nv * sizeof *J);
        }
}

static lmb_status print_all(const lmb_arguments *a, lmb_solver *s)
{
    lmb_state *state = s->state;
    const lmb_model *m = state->model;
    size_t n = (size_t)m->nv, rows = (size_t)m->nrows;
    double *all = calloc(n * n + rows * n + rows + n + 1, sizeof *all);
    if (!all)
        return lmb_fail_memory(a->context);
    double *M = all, *J = M + n * n, *gamma = J + rows * n, *Q = gamma + rows;
    full_matrices(state, M, J);
    lmb_acceleration_side(state, gamma);
    lmb_total_force(state, Q);
    const table tables[] = {
        {"M", "mass matrix", m->nv, m->nv, M, lmb_column_name, lmb_column_name, NULL, NULL},
        {"Phi_q", "Jacobian of the constraints", m->nrows, m->nv, J, lmb_row_name, lmb_column_name,
         NULL, NULL},
        {"gamma", "right side of Phi_q a = gamma", m->nrows, 0, gamma, lmb_row_name, NULL, NULL,
         NULL},
        {"Q", "generalised forces", m->nv, 0, Q, lmb_column_name, NULL, NULL, NULL},
        {"lambda", "multipliers, M a + Phi_q^T lambda = Q", m->nrows, 0, state->lambda,
         lmb_row_name, NULL, NULL, NULL},
        {"v", "velocities", m->nv, 0, state->v, lmb_column_name, NULL, NULL, NULL},
        {"a", "accelerations", m->nv, 0, state->a, lmb_column_name, NULL, NULL, NULL},
    };
    const name_list lists[2] = {{"coordinates", m->nv, lmb_column_name, NULL},
                                {"constraints", m->nrows, lmb_row_name, NULL}};
    print_tables(a, state, lists, tables, sizeof tables / sizeof *tables);
    free(all);
    return LMB_OK;
}

/* --- the embedded form -------------------------------------------------------------------------
 */

/* A matrix by columns as one by rows. */
static double *by_rows(const double *columns, int rows, int count)
{
    double *out = calloc((size_t)rows * (size_t)count + 1, sizeof *out);
    for (int i = 0; out && i < rows; i++)
        for (int j = 0; j < count; j++)
            out[i * count + j] = columns[j * rows + i];
    return out;
}

static lmb_status print_embedded(const lmb_arguments *a, const lmb_state *state,
                                 const lmb_embedded *e)
{
    row_name *name = lmb_column_name;
    const int *index = e->index;
    double *B = by_rows(e->B, e->n, e->free), *Mr = by_rows(e->M, e->free, e->free);
    if (!B || !Mr) {
        free(B);
        free(Mr);
        return lmb_fail_memory(a->context);
    }
    const table tables[] = {
        {"Mr", "reduced mass matrix, B^T M B", e->free, e->free, Mr, name, name, index, index},
        {"Qr", "reduced forces, B^T (Q - M c)", e->free, 0, e->Q, name, NULL, index, NULL},
        {"a_i", "independent accelerations, Mr a_i = Qr", e->free, 0, e->a, name, NULL, index,
         NULL},
        {"v_i", "independent velocities", e->free, 0, e->v, name, NULL, index, NULL},
        {"B", "v = B v_i + b and a = B a_i + c", e->n, e->free, B, name, name, NULL, index},
        {"b", "velocities when v_i = 0", e->n, 0, e->b, name, NULL, NULL, NULL},
        {"c", "accelerations when a_i = 0", e->n, 0, e->c, name, NULL, NULL, NULL},
    };
    const name_list lists[2] = {{"coordinates", e->n, name, NULL},
                                {"independent", e->free, name, index}};
    print_tables(a, state, lists, tables, sizeof tables / sizeof *tables);
    free(B);
    free(Mr);
    return LMB_OK;
}

/* Marks the coordinate of a name; one that there is not is reported. */
static lmb_status mark(const lmb_arguments *a, const lmb_model *m, const char *word, bool *marked)
{
    char nearest[128];
    int column = lmb_find_column(m, word, nearest, sizeof nearest);
    if (column >= 0 && marked[column])
        return lmb_fail(a->context, LMB_USAGE, "coordinate '%s' is named twice", word);
    if (column >= 0) {
        marked[column] = true;
        return LMB_OK;
    }
    lmb_fail(a->context, LMB_USAGE, "there is no coordinate '%s'", word);
    if (*nearest)
        lmb_hint(a->context, "did you mean '%s'?", nearest);
    else
        lmb_hint(a->context, "`limber matrices` without --embedded prints all of their names");
    return LMB_USAGE;
}

static lmb_status embed_and_print(const lmb_arguments *a, lmb_solver *s)
{
    const lmb_model *m = s->state->model;
    const char *list = lmb_option_value(a, "--independent");
    bool *marked = calloc((size_t)m->nv + 1, sizeof *marked);
    char **names = list ? lmb_typed_names(list) : NULL;
    lmb_embedded e = {0};
    lmb_status status = marked && (names || !list) ? LMB_OK : lmb_fail_memory(a->context);
    for (int i = 0; !status && names && names[i]; i++)
        status = mark(a, m, names[i], marked);
    if (!status && !(status = lmb_embed(s, list ? marked : NULL, &e)))
        status = e.free ? print_embedded(a, s->state, &e)
                        : lmb_fail(a->context, LMB_BAD_INPUT,
                                   "nothing is free to move: there is no independent coordinate");
    lmb_embedded_free(&e);
    free(names);
    free(marked);
    return status;
}

/* --- where ---------------------------------------------------------------------------------------
 */

/* The embedded form, or accelerations and multipliers of the augmented equations; all is printed.
 */
static lmb_status solve_and_print(const lmb_arguments *a, lmb_solver *s)
{
    bool solved = lmb_solve_augmented(s); /* friction in the embedded form needs the reactions */
    if (lmb_option_value(a, "--embedded"))
        return embed_and_print(a, s);
    if (!solved)
        return lmb_fail(
            a->context, LMB_SOLVER,
            "the augmented equations are singular: a body without mass can move freely, "
            "or constraints repeat each other");
    return print_all(a, s);
}

/* At rest or as the drivers move it at the beginning, or in a given state. */
static lmb_status at_state(const lmb_arguments *a, const lmb_model *m, const char *file)
{
    lmb_solver *s;
    lmb_rank rank;
    lmb_status status = lmb_solver_new(&s, a->context, m);
    if (status)
        return status;
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

static lmb_status run(const lmb_arguments *a)
{
    const char *at = lmb_option_value(a, "--at"), *file = lmb_option_value(a, "--state");
    double t = 0;
    if (lmb_is_body_file(a->words[0]) || lmb_option_value(a, "--body"))
        return lmb_print_body_matrices(a);
    if (at && file)
        return lmb_fail(a->context, LMB_USAGE, "give --at or --state, not both");
    if (lmb_option_value(a, "--independent") && !lmb_option_value(a, "--embedded"))
        return lmb_fail(a->context, LMB_USAGE, "--independent is for --embedded");
    lmb_status status = lmb_typed_option(a, "--at", &t, NULL);
    lmb_model *m = NULL;
    if (!status)
        status = lmb_load_mechanism(a, &m);
    if (!status)
        status = at ? at_time(a, m, t) : at_state(a, m, file);
    lmb_model_free(m);
    return status;
}

static const lmb_option options[] = {
    {"--at", NULL, "T", false, "At this time of the driven motion (default: at the beginning)."},
    {"--state", NULL, "FILE", false, "In the state of a file: positions and velocities of bodies."},
    {"--embedded", NULL, NULL, false,
     "Print the equations in independent coordinates instead: Mr a_i = Qr, v = B v_i + b."},
    {"--independent", NULL, "NAME,...", false,
     "The independent coordinates, such as crank.angle (default: chosen by QR with column pivoting "
     "of the scaled Jacobian)."},
    LMB_BODY_OPTION("The reduced matrices of this flexible body."),
    LMB_CACHE_OPTION,
    LMB_SET_OPTION,
    {"--json", NULL, NULL, false, "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_matrices = {
    .name = "matrices",
    .usage =
        "MODEL|BODY [--at T | --state FILE] [--embedded [--independent NAME,...]] [--body NAME "
        "[--no-cache]] [--set NAME=VALUE]... [--json]",
    .summary = "Prints M, Phi_q, gamma, Q and lambda, or the embedded form.",
    .doc = "Prints the matrices of the equations of motion, M a + Phi_q^T lambda = Q and "
           "Phi_q a = gamma, to compare with a calculation by hand or a program of one's own. "
           "A state file names bodies: `crank: {position: [0.05, 0.05], angle: pi/4, velocity: "
           "[0, 1], angular_velocity: 10}`, and may give a `time`. With --embedded the multipliers "
           "are eliminated: v = B v_i + b, a = B a_i + c, Mr = B^T M B, Qr = B^T (Q - M c), "
           "Mr a_i = Qr.\n\n"
           "Of a flexible body, in a file of `limber reduce` or of a model, it prints the "
           "stiffness, mass and damping of its modes, the invariants, and the basis at the "
           "interface points.",
    .examples = "limber matrices slider-crank.yaml\nlimber matrices slider-crank.yaml --at 0.1\n"
                "limber matrices four-bar.yaml --embedded --independent crank.angle\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
