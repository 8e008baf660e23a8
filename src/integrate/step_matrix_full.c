/* The whole matrix of a step, factorised by a sparse solver. */
#include "integrate/step_matrix.h"
#include "math/linear.h"

typedef struct full {
    lmb_step_matrix base;
    lmb_pattern pattern;
    double *values;
    int *couple_place;     /* where the numbers of the couples go */
    int *lower, *upper;    /* and those of the rows */
    int *corner;           /* and those of E */
    double *lower_numbers; /* largest_nv: of one row and body */
    double *upper_numbers;
    lmb_linear *solver;
} full;

/* Visits every entry of the matrix column by column in two passes: counting, then placing. */
static void index_matrix(full *a, int *next, bool place)
{
    const lmb_model *m = a->base.model;
    int *start = a->pattern.start;
    for (int c = 0; c < m->couple_count; c++) {
        const lmb_couple *couple = &m->couples[c];
        const lmb_body *row = &m->bodies[couple->row], *column = &m->bodies[couple->column];
        for (int j = 0; j < column->nv; j++)
            for (int i = 0; i < row->nv; i++) {
                if (!place) {
                    start[column->v + j + 1]++;
                    continue;
                }
                a->couple_place[couple->value + j * row->nv + i] = next[column->v + j];
                a->pattern.row[next[column->v + j]++] = row->v + i;
            }
    }
    for (int r = 0; r < m->nrows; r++) {
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *block = &m->blocks[m->sparse_rows[r].block + k];
            const lmb_body *b = &m->bodies[block->body];
            for (int j = 0; j < b->nv; j++) {
                if (!place) {
                    start[b->v + j + 1]++;
                    start[m->nv + r + 1]++;
                    continue;
                }
                a->lower[block->value + j] = next[b->v + j];
                a->pattern.row[next[b->v + j]++] = m->nv + r;
                a->upper[block->value + j] = next[m->nv + r];
                a->pattern.row[next[m->nv + r]++] = b->v + j;
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
    a->lower_numbers = lmb_arena_numbers(arena, m->largest_nv);
    a->upper_numbers = lmb_arena_numbers(arena, m->largest_nv);
    if (!next || !a->pattern.start || !a->pattern.row || !a->values || !a->couple_place ||
        !a->lower || !a->upper || !a->corner || !a->lower_numbers || !a->upper_numbers)
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

/* L and U of one row and one body: nv numbers each. */
static void row_of(const lmb_step_numbers *n, int r, const lmb_block *block, double *lower,
                   double *upper)
{
    const lmb_model *m = n->state->model;
    int nv = m->bodies[block->body].nv;
    const double *J = n->state->jacobian + block->value;
    const double *B = n->state->tangent_lambda + block->value;
    const double *T = n->T + n->block[block->body];
    double scale = m->sparse_rows[r].scale;
    for (int j = 0; j < nv; j++) {
        double JT = J[j];
        if (n->turned[block->body]) {
            JT = 0;
            for (int i = 0; i < nv; i++)
                JT += J[i] * T[j * nv + i];
        }
        lower[j] = scale * JT;
        upper[j] = scale * (J[j] + B[j]);
    }
}

static bool factor(lmb_step_matrix *matrix, const lmb_step_numbers *n)
{
    full *a = (full *)matrix;
    const lmb_model *m = matrix->model;
    for (int k = 0; k < m->couple_values; k++)
        a->values[a->couple_place[k]] = n->tangent[k];
    for (int i = 0; i < m->body_count; i++) {
        int nv = m->bodies[i].nv;
        for (int k = 0; k < nv * nv; k++)
            a->values[a->couple_place[m->couples[m->body_couple[i]].value + k]] +=
                n->kept * n->mass[n->block[i] + k];
    }
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        a->values[a->corner[r]] = n->state->row_off[r] ? -1 : -n->epsilon;
        for (int k = row->block; k < row->block + row->block_count; k++) {
            const lmb_block *block = &m->blocks[k];
            row_of(n, r, block, a->lower_numbers, a->upper_numbers);
            for (int j = 0; j < m->bodies[block->body].nv; j++) {
                a->values[a->lower[block->value + j]] = a->lower_numbers[j];
                a->values[a->upper[block->value + j]] = a->upper_numbers[j];
            }
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
