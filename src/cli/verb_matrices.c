/* limber matrices: M, Phi_q, gamma, Q and lambda of a model, with the names of rows and columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembly.h"
#include "analysis/kinematics.h"
#include "cli/json.h"
#include "cli/load.h"
#include "cli/options.h"
#include "io/state_read.h"

typedef void row_name(const lmb_model *model, int index, char *buffer, size_t size);

/* A matrix to print: rows, columns, and how they are called. */
typedef struct table {
    const char *name, *doc;
    int rows, columns;    /* columns 0: a vector */
    const double *values; /* by rows */
    row_name *row, *column;
} table;

static void print_text(const lmb_model *m, const table *t)
{
    char name[128];
    int columns = t->columns ? t->columns : 1;
    printf("%s: %s\n", t->name, t->doc);
    for (int j = 0; j < t->columns; j++) {
        t->column(m, j, name, sizeof name);
        printf(j ? " %24s" : "%45s", name);
    }
    if (t->columns)
        printf("\n");
    for (int i = 0; i < t->rows; i++) {
        t->row(m, i, name, sizeof name);
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

static void print_names(lmb_json *json, const lmb_model *m, const char *key, int count,
                        row_name *name_of)
{
    lmb_json_open(json, key, '[');
    for (int i = 0; i < count; i++) {
        char name[128];
        name_of(m, i, name, sizeof name);
        lmb_json_text(json, NULL, name);
    }
    lmb_json_close(json);
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
        {"M", "mass matrix", m->nv, m->nv, M, lmb_column_name, lmb_column_name},
        {"Phi_q", "Jacobian of the constraints", m->nrows, m->nv, J, lmb_row_name, lmb_column_name},
        {"gamma", "right side of Phi_q a = gamma", m->nrows, 0, gamma, lmb_row_name, NULL},
        {"Q", "generalised forces", m->nv, 0, Q, lmb_column_name, NULL},
        {"lambda", "multipliers, M a + Phi_q^T lambda = Q", m->nrows, 0, state->lambda,
         lmb_row_name, NULL},
        {"v", "velocities", m->nv, 0, state->v, lmb_column_name, NULL},
        {"a", "accelerations", m->nv, 0, state->a, lmb_column_name, NULL},
    };
    size_t count = sizeof tables / sizeof *tables;
    if (a->json) {
        lmb_json json = lmb_json_start(stdout);
        lmb_json_open(&json, NULL, '{');
        lmb_json_number(&json, "time", state->t);
        print_names(&json, m, "coordinates", m->nv, lmb_column_name);
        print_names(&json, m, "constraints", m->nrows, lmb_row_name);
        for (size_t i = 0; i < count; i++)
            print_json(&json, &tables[i]);
        lmb_json_close(&json);
    } else {
        for (size_t i = 0; i < count; i++)
            print_text(m, &tables[i]);
    }
    free(all);
    return LMB_OK;
}

/* Accelerations and multipliers of the augmented equations, then everything is printed. */
static lmb_status solve_and_print(const lmb_arguments *a, lmb_solver *s)
{
    if (!lmb_solve_augmented(s))
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
    if (at && file)
        return lmb_fail(a->context, LMB_USAGE, "give --at or --state, not both");
    lmb_status status = at ? lmb_typed_number(a->context, "--at", at, &t) : LMB_OK;
    lmb_model *m = NULL;
    if (!status)
        status = lmb_load_model(a, &m);
    if (!status)
        status = at ? at_time(a, m, t) : at_state(a, m, file);
    lmb_model_free(m);
    return status;
}

static const lmb_option options[] = {
    {"--at", NULL, "T", false, "At this time of the driven motion (default: at the beginning)."},
    {"--state", NULL, "FILE", false, "In the state of a file: positions and velocities of bodies."},
    LMB_SET_OPTION,
    {"--json", NULL, NULL, false, "Print JSON."},
    {0},
};

const lmb_verb lmb_verb_matrices = {
    .name = "matrices",
    .usage = "MODEL [--at T | --state FILE] [--set NAME=VALUE]... [--json]",
    .summary = "Prints M, Phi_q, gamma, Q and lambda with their names.",
    .doc = "Prints the matrices of the equations of motion, M a + Phi_q^T lambda = Q and "
           "Phi_q a = gamma, to compare with a calculation by hand or a program of one's own. "
           "A state file names bodies: `crank: {position: [0.05, 0.05], angle: pi/4, velocity: "
           "[0, 1], angular_velocity: 10}`, and may give a `time`.",
    .examples = "limber matrices slider-crank.yaml\nlimber matrices slider-crank.yaml --at 0.1\n",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
