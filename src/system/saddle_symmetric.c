/* The symmetric part of the saddle-point matrix: pattern, numbers, factorisation. */
#include "system/saddle_symmetric.h"

#include <string.h>

/* Where the lower triangle has a number of row i and column j. */
static int place_of(const lmb_symmetric *a, int i, int j)
{
    int row = i > j ? i : j, column = i > j ? j : i;
    int low = a->start[column], high = a->start[column + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The pattern of the lower triangle, and where each number of the whole matrix goes. */
static bool index_triangle(lmb_saddle_symmetric *s)
{
    const lmb_pattern *p = &s->assembly.pattern;
    long count = p->start[p->n];
    lmb_arena *room = lmb_arena_new();
    lmb_triplet *triplets = lmb_arena_alloc(room, (size_t)count, sizeof *triplets);
    for (int j = 0; triplets && j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            triplets[k] = (lmb_triplet){p->row[k], j, 0};
    bool fine = triplets && lmb_symmetric_of_triplets(&s->matrix, s->arena, p->n, triplets, count);
    for (int j = 0; fine && j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            s->place[k] = place_of(&s->matrix, p->row[k], j);
    lmb_arena_free(room);
    return fine;
}

/* Orders the elimination by clusters and rows. */
static lmb_status order(lmb_saddle_symmetric *s, lmb_context *context)
{
    const lmb_model *m = s->assembly.model;
    lmb_arena *room = lmb_arena_new();
    int *group = lmb_arena_integers(room, (size_t)(m->nv + m->nrows) + 1);
    lmb_status status = lmb_check_memory(context, room);
    for (int i = 0; !status && i < m->cluster_count; i++)
        for (int j = 0; j < m->clusters[i].nv; j++)
            group[m->clusters[i].v + j] = i;
    for (int r = 0; !status && r < m->nrows; r++)
        group[m->nv + r] = m->cluster_count + r;
    if (!status)
        status = lmb_factor_new(&s->factor, context, &s->matrix, group);
    lmb_arena_free(room);
    return status;
}

lmb_status lmb_saddle_symmetric_new(lmb_saddle_symmetric **out, lmb_context *context,
                                    const lmb_model *m, lmb_saddle_use use)
{
    lmb_arena *arena;
    lmb_saddle_symmetric *s = lmb_arena_object(&arena, sizeof *s);
    *out = NULL;
    if (!s)
        return lmb_fail_memory(context);
    s->arena = arena;
    s->scale = lmb_arena_numbers(arena, m->nrows);
    s->place = lmb_arena_integers(arena, lmb_saddle_entries(m, use));
    bool fine =
        lmb_saddle_index(&s->assembly, arena, m, use) && lmb_arena_fine(arena) && index_triangle(s);
    lmb_status status = fine ? order(s, context) : lmb_fail_memory(context);
    if (status)
        lmb_saddle_symmetric_free(s);
    else
        *out = s;
    return status;
}

void lmb_saddle_symmetric_free(lmb_saddle_symmetric *s)
{
    if (!s)
        return;
    lmb_factor_free(s->factor);
    lmb_arena_free(s->arena);
}

void lmb_saddle_symmetric_assemble(lmb_saddle_symmetric *s, const lmb_saddle_matrix *matrix)
{
    const lmb_pattern *p = &s->assembly.pattern;
    double *value = s->matrix.value;
    lmb_saddle_scales(s->assembly.model, matrix, s->scale);
    lmb_saddle_assemble(&s->assembly, matrix, s->scale);
    memset(value, 0, (size_t)s->matrix.start[p->n] * sizeof *value);
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            value[s->place[k]] += s->assembly.values[k] / (p->row[k] == j ? 1 : 2);
}

lmb_status lmb_saddle_symmetric_factor(lmb_saddle_symmetric *s, lmb_context *context,
                                       const lmb_saddle_matrix *matrix)
{
    lmb_saddle_symmetric_assemble(s, matrix);
    lmb_status status = lmb_factor_compute(s->factor, context, s->matrix.value);
    if (!status) {
        s->negative = lmb_factor_facts_of(s->factor)->negative;
        s->null = lmb_factor_facts_of(s->factor)->null_count;
    }
    return status;
}

lmb_status lmb_saddle_symmetric_solve(lmb_saddle_symmetric *s, lmb_context *context, double *side)
{
    return lmb_factor_solve(s->factor, context, 1, side);
}

lmb_status lmb_saddle_inertia(lmb_context *context, const lmb_model *m, lmb_saddle_use use,
                              const lmb_saddle_matrix *matrix, int *negative)
{
    lmb_saddle_symmetric *s;
    lmb_status status = lmb_saddle_symmetric_new(&s, context, m, use);
    if (!status && !(status = lmb_saddle_symmetric_factor(s, context, matrix)))
        *negative = s->negative;
    lmb_saddle_symmetric_free(s);
    return status;
}
