/* Pattern and numbers of the saddle-point matrix. */
#include "system/saddle_assembly.h"

#include <string.h>

size_t lmb_saddle_entries(const lmb_model *m, lmb_saddle_use use)
{
    return (size_t)(use == LMB_SADDLE_MASS ? m->mass_count : m->couple_values) +
           2 * (size_t)m->value_count + (size_t)m->nrows;
}

/* Visits every entry of the matrix in two passes: the first counts those of each column, the second
 * (with `next`, the next free place of each column) gives them places. */
typedef struct visit {
    lmb_saddle_assembly *a;
    int *next;
} visit;

static int entry(visit *v, int row, int column)
{
    if (!v->next)
        return v->a->pattern.start[column + 1]++;
    v->a->pattern.row[v->next[column]] = row;
    return v->next[column]++;
}

/* A block of rows and columns; `places` are those of its numbers. */
static void visit_block(visit *v, int row, int row_count, int column, int column_count, int *places)
{
    for (int j = 0; j < column_count; j++)
        for (int i = 0; i < row_count; i++)
            places[j * row_count + i] = entry(v, row + i, column + j);
}

static void visit_all(visit *v, lmb_saddle_use use)
{
    lmb_saddle_assembly *a = v->a;
    const lmb_model *m = a->model;
    for (int c = 0; c < m->couple_count && use != LMB_SADDLE_MASS; c++) {
        const lmb_couple *k = &m->couples[c];
        visit_block(v, k->row_v, k->row_nv, k->column_v, k->column_nv, a->couple + k->value);
    }
    for (int i = 0; i < m->cluster_count; i++) {
        const lmb_cluster *c = &m->clusters[i];
        if (use == LMB_SADDLE_MASS)
            visit_block(v, c->v, c->nv, c->v, c->nv, a->mass + c->mass);
        else
            memcpy(a->mass + c->mass, a->couple + m->couples[c->couple].value,
                   (size_t)(c->nv * c->nv) * sizeof *a->mass);
    }
    for (int r = 0; r < m->nrows; r++) {
        for (int k = 0; k < m->sparse_rows[r].block_count; k++) {
            const lmb_block *b = &m->blocks[m->sparse_rows[r].block + k];
            visit_block(v, m->nv + r, 1, b->v, b->nv, a->lower + b->value);
            visit_block(v, b->v, b->nv, m->nv + r, 1, a->upper + b->value);
        }
        a->corner[r] = entry(v, m->nv + r, m->nv + r);
    }
}

bool lmb_saddle_index(lmb_saddle_assembly *a, lmb_arena *arena, const lmb_model *m,
                      lmb_saddle_use use)
{
    int n = m->nv + m->nrows;
    size_t entries = lmb_saddle_entries(m, use);
    bool coupled = use != LMB_SADDLE_MASS;
    *a = (lmb_saddle_assembly){
        .model = m,
        .pattern = {n, lmb_arena_integers(arena, n + 1), lmb_arena_integers(arena, entries)},
        .values = lmb_arena_numbers(arena, entries),
        .mass = lmb_arena_integers(arena, m->mass_count),
        .couple = lmb_arena_integers(arena, coupled ? m->couple_values : 0),
        .lower = lmb_arena_integers(arena, m->value_count),
        .upper = lmb_arena_integers(arena, m->value_count),
        .corner = lmb_arena_integers(arena, m->nrows),
        .turned = lmb_arena_numbers(arena, coupled ? m->value_count : 0)};
    int *next = lmb_arena_integers(arena, n);
    if (!lmb_arena_fine(arena))
        return false;
    visit_all(&(visit){a, NULL}, use);
    for (int j = 0; j < n; j++) {
        a->pattern.start[j + 1] += a->pattern.start[j];
        next[j] = a->pattern.start[j];
    }
    visit_all(&(visit){a, next}, use);
    return true;
}

/* L = Phi_q T, or B + c (B v + b)_q T. */
void lmb_saddle_turn_rows(const lmb_model *m, const lmb_saddle_matrix *x, double *turned)
{
    const double *J = x->state->jacobian;
    memcpy(turned, J, (size_t)m->value_count * sizeof(double));
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        bool of_rates = x->rates && m->parts.rows[r].velocity_level;
        for (int k = row->value; of_rates && k < row->value + row->value_count; k++)
            turned[k] = x->rate_factor * x->rates[k];
        for (int k = 0; k < row->block_count; k++) {
            const lmb_block *b = &m->blocks[row->block + k];
            const lmb_cluster *c = &m->clusters[b->cluster];
            for (int i = c->node; i < c->node + c->node_count; i++) {
                int offset = m->nodes[i].v - b->v;
                if (lmb_node_turns(&m->nodes[i]) && offset >= 0 && offset < b->nv)
                    lmb_node_times_tangent(x->T + LMB_TURN_NUMBERS * i, turned + b->value + offset,
                                           1);
            }
        }
        for (int k = row->value; of_rates && k < row->value + row->value_count; k++)
            turned[k] += J[k];
    }
}

void lmb_saddle_assemble(lmb_saddle_assembly *a, const lmb_saddle_matrix *x, const double *scale)
{
    const lmb_model *m = a->model;
    const double *J = x->state->jacobian, *L = J, *friction = x->state->tangent_lambda;
    double *values = a->values;
    for (int k = 0; k < m->mass_count && !x->tangent; k++)
        values[a->mass[k]] = x->mass[k];
    if (x->tangent) {
        for (int k = 0; k < m->couple_values; k++)
            values[a->couple[k]] = x->tangent[k];
        for (int k = 0; k < m->mass_count; k++)
            values[a->mass[k]] += x->mass_factor * x->mass[k];
        lmb_saddle_turn_rows(m, x, a->turned);
        L = a->turned;
    }
    for (int r = 0; r < m->nrows; r++) {
        const lmb_sparse_row *row = &m->sparse_rows[r];
        values[a->corner[r]] = scale[r] == 0 ? -1 : -lmb_saddle_epsilon(x, r);
        for (int k = row->value; k < row->value + row->value_count; k++) {
            values[a->lower[k]] = scale[r] * L[k];
            values[a->upper[k]] = scale[r] * (x->tangent ? J[k] + friction[k] : J[k]);
        }
    }
}
