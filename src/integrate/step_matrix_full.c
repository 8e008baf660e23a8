/* The whole matrix of a step, factorised by a sparse solver. */
#include <string.h>

#include "integrate/step_matrix.h"
#include "math/linear.h"

typedef struct full {
    lmb_step_matrix base;
    lmb_pattern pattern;
    double *values;
    int *couple_place;     /* where the numbers of the couples go */
    int *lower, *upper;    /* and those of the rows */
    int *corner;           /* and those of E */
    double *lower_numbers; /* value_count: L, unscaled */
    lmb_linear *solver;
} full;

/* Visits every entry of the matrix column by column in two passes: counting, then placing. */
static void index_matrix(full *a, int *next, bool place)
{
    const lmb_model *m = a->base.model;
    int *start = a->pattern.start;
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *couple = &m->couples[c];
        for (int j = 0; j < couple->column_nv; j++)
            for (int i = 0; i < couple->row_nv; i++) {
                int v = couple->column_v + j;
                if (!place) {
                    start[v + 1]++;
                    continue;
                }
                a->couple_place[couple->value + j * couple->row_nv + i] = next[v];
                a->pattern.row[next[v]++] = couple->row_v + i;
            }
    }
    for (int r = 0; r < m->nrows; r++) {
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            for (int j = 0; j < block->nv; j++) {
                int v = block->v + j;
                if (!place) {
                    start[v + 1]++;
                    start[m->nv + r + 1]++;
                    continue;
                }
                a->lower[block->value + j] = next[v];
                a->pattern.row[next[v]++] = m->nv + r;
                a->upper[block->value + j] = next[m->nv + r];
                a->pattern.row[next[m->nv + r]++] = v;
            }
        }
        if (!place) {
            start[m->nv + r + 1]++;
            continue;
        }
        a->corner[r] = next[m->nv + r];
        a->pattern.row[next[m->nv + r]++] = m->nv + r;
    }
}

static bool allocate(full *a)
{
    const lmb_model *m = a->base.model;
    lmb_arena *arena = a->base.arena;
    int n = m->nv + m->nrows, entries = m->couple_values + 2 * m->value_count + m->nrows;
    int *next = lmb_arena_integers(arena, n);
    a->pattern =
        (lmb_pattern){n, lmb_arena_integers(arena, n + 1), lmb_arena_integers(arena, entries)};
    a->values = lmb_arena_numbers(arena, entries);
    a->couple_place = lmb_arena_integers(arena, m->couple_values);
    a->lower = lmb_arena_integers(arena, m->value_count);
    a->upper = lmb_arena_integers(arena, m->value_count);
    a->corner = lmb_arena_integers(arena, m->nrows);
    a->lower_numbers = lmb_arena_numbers(arena, m->value_count);
    if (!next || !a->pattern.start || !a->pattern.row || !a->values || !a->couple_place ||
        !a->lower || !a->upper || !a->corner || !a->lower_numbers)
        return false;
    index_matrix(a, NULL, false);
    for (int j = 0; j < n; j++) {
        a->pattern.start[j + 1] += a->pattern.start[j];
        next[j] = a->pattern.start[j];
    }
    index_matrix(a, next, true);
    a->solver = lmb_linear_new(&a->pattern);
    return a->solver != NULL;
}

static void destroy(lmb_step_matrix *matrix)
{
    lmb_linear_free(((full *)matrix)->solver);
    lmb_arena_free(matrix->arena);
}

static lmb_step_matrix *create(const lmb_model *m)
{
    lmb_arena *arena;
    full *a = lmb_arena_object(&arena, sizeof *a);
    if (!a)
        return NULL;
    a->base = (lmb_step_matrix){&lmb_step_matrix_full, m, arena};
    if (!allocate(a)) {
        destroy(&a->base);
        return NULL;
    }
    return &a->base;
}

/* L = Phi_q T of all rows, unscaled, in a->lower_numbers. */
static void turn_rows(full *a, const lmb_step_numbers *n)
{
    const lmb_model *m = a->base.model;
    memcpy(a->lower_numbers, n->state->jacobian, (size_t)m->value_count * sizeof(double));
    for (int r = 0; r < m->nrows; r++)
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            lmb_turn_block(m, block, n->T, a->lower_numbers + block->value, 1);
        }
}

static bool factor(lmb_step_matrix *matrix, const lmb_step_numbers *n)
{
    full *a = (full *)matrix;
    const lmb_model *m = matrix->model;
    for (int k = 0; k < m->couple_values; k++)
        a->values[a->couple_place[k]] = n->tangent[k];
    for (int c = 0; c < m->cluster_count; c++) {
        const lmb_cluster *cluster = &m->clusters[c];
        const int *place = a->couple_place + m->couples[cluster->couple].value;
        for (int k = 0; k < cluster->nv * cluster->nv; k++)
            a->values[place[k]] += n->kept * n->mass[cluster->mass + k];
    }
    turn_rows(a, n);
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        a->values[a->corner[r]] = n->state->row_off[r] ? -1 : -n->epsilon;
        for (int k = row->value; k < row->value + row->value_count; k++) {
            a->values[a->lower[k]] = row->scale * a->lower_numbers[k];
            a->values[a->upper[k]] =
                row->scale * (n->state->jacobian[k] + n->state->tangent_lambda[k]);
        }
    }
    return lmb_linear_factor(a->solver, a->values);
}

static void solve(lmb_step_matrix *matrix, double *side)
{
    lmb_linear *solver = ((full *)matrix)->solver;
    solver->ops->solve(solver, side);
}

static void pack(lmb_step_matrix *matrix, lmb_pack *p)
{
    lmb_linear_pack(((full *)matrix)->solver, p);
}

const lmb_step_matrix_kind lmb_step_matrix_full = {create, destroy, factor, solve, pack};
