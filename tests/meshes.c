/* Boxes of solids on a grid of half cells, where all middle nodes are grid points, too. */
#include "meshes.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"
#include "support.h"

typedef struct grid {
    lmb_mesh *mesh;
    int points[3];
    int *node; /* of a grid point, -1: none yet */
    vec3 step;
    mapping *map;
} grid;

static int *place(grid *g, const int p[3])
{
    return &g->node[(p[2] * g->points[1] + p[1]) * g->points[0] + p[0]];
}

static int add_node(grid *g, const int p[3], vec3 x)
{
    int *at = place(g, p);
    if (*at < 0) {
        *at = g->mesh->node_count++;
        g->mesh->x[*at] = x;
        g->mesh->number[*at] = *at + 1;
    }
    return *at;
}

static int corner_node(grid *g, const int p[3])
{
    vec3 x = v3(p[0] * g->step.x, p[1] * g->step.y, p[2] * g->step.z);
    return add_node(g, p, g->map ? g->map(x) : x);
}

static int middle_node(grid *g, const int a[3], const int b[3])
{
    int p[3] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
    vec3 xa = g->mesh->x[corner_node(g, a)], xb = g->mesh->x[corner_node(g, b)];
    return add_node(g, p, v3_scale(0.5, v3_add(xa, xb)));
}

static const int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const int hex_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                     {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

static void add_element(grid *g, lmb_element_kind kind, int (*corners)[3])
{
    lmb_mesh *mesh = g->mesh;
    bool tet = kind == LMB_TET4 || kind == LMB_TET10;
    bool middles = kind == LMB_TET10 || kind == LMB_HEX20;
    mesh->elements[mesh->element_count] = (lmb_element){.kind = kind,
                                                        .number = mesh->element_count + 1,
                                                        .first = mesh->connection_count,
                                                        .section = -1,
                                                        .point_mass = -1};
    mesh->element_count++;
    for (int a = 0; a < (tet ? 4 : 8); a++)
        mesh->connections[mesh->connection_count++] = corner_node(g, corners[a]);
    for (int k = 0; middles && k < (tet ? 6 : 12); k++) {
        const int *edge = tet ? tet_edges[k] : hex_edges[k];
        mesh->connections[mesh->connection_count++] =
            middle_node(g, corners[edge[0]], corners[edge[1]]);
    }
}

/* Six tetrahedra around the diagonal of a cell: one for each way from corner to corner. */
static void add_tets(grid *g, lmb_element_kind kind, const int at[3])
{
    static const int ways[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    for (int w = 0; w < 6; w++) {
        int corners[4][3];
        for (int i = 0; i < 3; i++)
            corners[0][i] = at[i];
        for (int a = 1; a < 4; a++) {
            memcpy(corners[a], corners[a - 1], sizeof corners[a]);
            corners[a][ways[w][a - 1]] += 2;
        }
        if (w >= 3) { /* odd ways give the mirrored tetrahedron */
            int swap[3];
            memcpy(swap, corners[1], sizeof swap);
            memcpy(corners[1], corners[2], sizeof swap);
            memcpy(corners[2], swap, sizeof swap);
        }
        add_element(g, kind, corners);
    }
}

static void add_cell(grid *g, lmb_element_kind kind, const int at[3])
{
    static const int hex[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                  {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
    if (kind == LMB_TET4 || kind == LMB_TET10) {
        add_tets(g, kind, at);
        return;
    }
    int corners[8][3];
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 3; i++)
            corners[a][i] = at[i] + hex[a][i];
    add_element(g, kind, corners);
}

lmb_mesh *box_mesh(lmb_element_kind kind, const int cells[3], vec3 size, lmb_material material,
                   mapping *map)
{
    lmb_arena *arena = lmb_arena_new();
    lmb_mesh *mesh = lmb_arena_alloc(arena, 1, sizeof *mesh);
    size_t points = 1, count = 6;
    grid g = {.mesh = mesh, .map = map};
    for (int i = 0; i < 3; i++) {
        g.points[i] = 2 * cells[i] + 1;
        points *= (size_t)g.points[i];
        count *= (size_t)cells[i];
    }
    g.step = v3(size.x / (2 * cells[0]), size.y / (2 * cells[1]), size.z / (2 * cells[2]));
    g.node = lmb_arena_alloc(arena, points, sizeof *g.node);
    memset(g.node, 0xff, points * sizeof *g.node);
    *mesh = (lmb_mesh){.arena = arena, .file = "box", .dimension = 3, .material_count = 1};
    mesh->x = lmb_arena_alloc(arena, points, sizeof *mesh->x);
    mesh->number = lmb_arena_alloc(arena, points, sizeof *mesh->number);
    mesh->elements = lmb_arena_alloc(arena, count, sizeof *mesh->elements);
    mesh->connections = lmb_arena_alloc(arena, count * 10, sizeof *mesh->connections);
    mesh->materials = lmb_arena_alloc(arena, 1, sizeof *mesh->materials);
    mesh->materials[0] = material;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++)
                add_cell(&g, kind, (int[3]){2 * i, 2 * j, 2 * k});
    return mesh;
}

lmb_fe_model *model_of(const lmb_mesh *mesh)
{
    lmb_context *context = lmb_context_new();
    lmb_fe_model *model = NULL;
    if (lmb_fe_assemble(&model, context, mesh))
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
