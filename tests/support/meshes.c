#include "meshes.h"

#include <lapacke.h>
#include <stdlib.h>

#include "cells.h"
#include "math/dense.h"
#include "support.h"

typedef struct box {
    vec3 step; /* of half a cell */
    mapping *map;
} box;

static vec3 place(const void *data, const int p[3])
{
    const box *b = data;
    vec3 x = v3(p[0] * b->step.x, p[1] * b->step.y, p[2] * b->step.z);
    return b->map ? b->map(x) : x;
}

lmb_mesh *box_mesh(lmb_element_kind kind, const int cells[3], vec3 size, lmb_material material,
                   mapping *map)
{
    lmb_arena *arena = lmb_arena_new();
    lmb_mesh *mesh = lmb_arena_alloc(arena, 1, sizeof *mesh);
    *mesh = (lmb_mesh){.arena = arena, .file = "box", .dimension = 3, .material_count = 1};
    box b = {v3(size.x / (2 * cells[0]), size.y / (2 * cells[1]), size.z / (2 * cells[2])), map};
    part_cells c = {.mesh = mesh, .kind = kind, .place = place, .data = &b};
    for (int i = 0; i < 3; i++)
        c.points[i] = 2 * cells[i] + 1;
    assert_true(part_cells_room(&c, (size_t)cells[0] * (size_t)cells[1] * (size_t)cells[2]));
    mesh->materials[0] = material;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++)
                part_cells_add(&c, (int[3]){i, j, k});
    return mesh;
}

lmb_fe_model *model_of(const lmb_mesh *mesh)
{
    lmb_context *context = lmb_context_new();
    lmb_fe_model *model = NULL;
    if (lmb_fe_assemble(&model, context, mesh, 0))
        fail_msg("%s", lmb_message_at(context, lmb_message_count(context) - 1)->text);
    lmb_context_free(context);
    return model;
}

void fix(const lmb_fe_model *model, node_question *where, unsigned directions, bool *fixed)
{
    for (int i = 0; i < model->n; i++)
        if (directions & LMB_BIT(model->direction[i]) && where(model->x[model->node[i]]))
            fixed[i] = true;
}

/* The free degrees of freedom, and a full matrix of them. */
static int free_list(const lmb_fe_model *model, const bool *fixed, int *list, int *back)
{
    int count = 0;
    for (int i = 0; i < model->n; i++) {
        back[i] = fixed && fixed[i] ? -1 : count;
        if (back[i] >= 0)
            list[count++] = i;
    }
    return count;
}

static double *dense_of(const lmb_symmetric *a, const int *back, int n)
{
    double *full = calloc((size_t)n * (size_t)n + 1, sizeof *full);
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            int r = back[a->row[k]], c = back[j];
            if (r >= 0 && c >= 0)
                full[(size_t)c * (size_t)n + (size_t)r] = full[(size_t)r * (size_t)n + (size_t)c] =
                    a->value[k];
        }
    return full;
}

void solve(const lmb_fe_model *model, const bool *fixed, const double *f, double *u)
{
    int *list = calloc((size_t)model->n + 1, sizeof *list),
        *back = calloc((size_t)model->n, sizeof *back);
    double *given = calloc((size_t)model->n, sizeof *given);
    int n = free_list(model, fixed, list, back);
    double *K = dense_of(&model->K, back, n), *x = calloc((size_t)n + 1, sizeof *x);
    for (int i = 0; i < n; i++)
        u[list[i]] = 0;
    lmb_symmetric_multiply(&model->K, u, given);
    for (int i = 0; i < n; i++)
        x[i] = f[list[i]] - given[list[i]];
    assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, 1, K, n, x, n), 0);
    for (int i = 0; i < n; i++)
        u[list[i]] = x[i];
    free(list);
    free(back);
    free(given);
    free(K);
    free(x);
}

void frequencies(const lmb_fe_model *model, const bool *fixed, int count, double *hz, double *modes)
{
    int *list = calloc((size_t)model->n + 1, sizeof *list),
        *back = calloc((size_t)model->n, sizeof *back);
    int n = free_list(model, fixed, list, back), found;
    double *K = dense_of(&model->K, back, n), *M = dense_of(&model->M, back, n);
    double *values = calloc((size_t)n, sizeof *values);
    double *vectors = calloc((size_t)n * (size_t)count, sizeof *vectors);
    lapack_int *failed = calloc((size_t)n, sizeof *failed);
    assert_int_equal(LAPACKE_dsygvx(LAPACK_COL_MAJOR, 1, modes ? 'V' : 'N', 'I', 'L', n, K, n, M, n,
                                    0, 0, 1, count, 0, &found, values, vectors, n, failed),
                     0);
    for (int k = 0; k < count; k++) {
        hz[k] = sqrt(fmax(values[k], 0)) / (2 * LMB_PI);
        for (int i = 0; modes && i < n; i++)
            modes[(size_t)k * (size_t)model->n + (size_t)list[i]] =
                vectors[(size_t)k * (size_t)n + (size_t)i];
    }
    free(list);
    free(back);
    free(K);
    free(M);
    free(values);
    free(vectors);
    free(failed);
}
