/* Cells on a grid of half cells, where all middle nodes are grid points, too. */
#include "grid.h"

#include <math.h>
#include <string.h>

#include "fe/material.h"

typedef struct line_list {
    double *value; /* of each line */
    int *piece;    /* of the cell after each line */
    int cells;
} line_list;

typedef struct builder {
    const part_grid *grid;
    lmb_mesh *mesh;
    line_list lines[3];
    int points[3]; /* of the grid of half cells */
    int *node;     /* of such a point, -1: none yet */
} builder;

void part_break(part_breaks *b, double value, double length)
{
    if (b->count > 0)
        b->length[b->count - 1] = length;
    b->value[b->count++] = value;
}

/* Divides the pieces between the breaks. */
static bool make_lines(line_list *out, lmb_arena *arena, const part_breaks *b, double size)
{
    int cells[PART_BREAKS_MAX], total = 0;
    for (int i = 0; i + 1 < b->count; i++) {
        double wanted = ceil(b->length[i] / size - 1e-9);
        cells[i] = wanted < 1 ? 1 : wanted < PART_LINES_MAX ? (int)wanted : PART_LINES_MAX;
        total += cells[i];
    }
    out->value = lmb_arena_alloc(arena, (size_t)total + 1, sizeof *out->value);
    out->piece = lmb_arena_alloc(arena, (size_t)total + 1, sizeof *out->piece);
    if (!out->value || !out->piece)
        return false;
    for (int i = 0; i + 1 < b->count; i++)
        for (int k = 0; k < cells[i]; k++) {
            double t = (double)k / cells[i];
            out->piece[out->cells] = i;
            out->value[out->cells++] = (1 - t) * b->value[i] + t * b->value[i + 1];
        }
    out->value[out->cells] = b->value[b->count - 1];
    return true;
}

/* --- Nodes --- */

/* Around the axis the last line is the first. */
static int *node_at(builder *b, const int p[3])
{
    int around = p[PART_SECTOR] % b->points[PART_SECTOR];
    size_t row = (size_t)p[PART_HEIGHT] * (size_t)b->points[PART_SECTOR] + (size_t)around;
    return &b->node[row * (size_t)b->points[PART_RADIUS] + (size_t)p[PART_RADIUS]];
}

static int add_node(builder *b, const int p[3], vec3 x)
{
    int *at = node_at(b, p);
    if (*at < 0) {
        *at = b->mesh->node_count++;
        b->mesh->x[*at] = x;
        b->mesh->number[*at] = *at + 1;
    }
    return *at;
}

static int corner_node(builder *b, const int p[3])
{
    double at[3];
    for (int d = 0; d < 3; d++)
        at[d] = b->lines[d].value[p[d] / 2];
    if (p[PART_SECTOR] == b->points[PART_SECTOR])
        at[PART_SECTOR] = b->lines[PART_SECTOR].value[0];
    return add_node(b, p, b->grid->place(b->grid->data, at));
}

static int middle_node(builder *b, const int p[3], const int q[3])
{
    int middle[3] = {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2};
    vec3 xp = b->mesh->x[corner_node(b, p)], xq = b->mesh->x[corner_node(b, q)];
    return add_node(b, middle, v3_scale(0.5, v3_add(xp, xq)));
}

/* --- Elements --- */

static const int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const int hex_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                     {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

static bool is_tet(lmb_element_kind kind)
{
    return kind == LMB_TET4 || kind == LMB_TET10;
}

static void add_element(builder *b, lmb_element_kind kind, int (*corners)[3])
{
    lmb_mesh *mesh = b->mesh;
    bool tet = is_tet(kind), middles = kind == LMB_TET10 || kind == LMB_HEX20;
    mesh->elements[mesh->element_count] = (lmb_element){.kind = kind,
                                                        .number = mesh->element_count + 1,
                                                        .first = mesh->connection_count,
                                                        .section = -1,
                                                        .point_mass = -1};
    mesh->element_count++;
    for (int a = 0; a < (tet ? 4 : 8); a++)
        mesh->connections[mesh->connection_count++] = corner_node(b, corners[a]);
    for (int k = 0; middles && k < (tet ? 6 : 12); k++) {
        const int *edge = tet ? tet_edges[k] : hex_edges[k];
        mesh->connections[mesh->connection_count++] =
            middle_node(b, corners[edge[0]], corners[edge[1]]);
    }
}

/* Six tetrahedra around the diagonal of a cell: one for each way from corner to corner. Cells side
 * by side then divide their common face alike. */
static void add_tets(builder *b, lmb_element_kind kind, const int at[3])
{
    static const int ways[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    for (int w = 0; w < 6; w++) {
        int corners[4][3];
        memcpy(corners[0], at, sizeof corners[0]);
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
        add_element(b, kind, corners);
    }
}

static void add_cell(builder *b, lmb_element_kind kind, const int cell[3])
{
    static const int hex[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                  {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
    int at[3] = {2 * cell[0], 2 * cell[1], 2 * cell[2]}, corners[8][3];
    if (is_tet(kind)) {
        add_tets(b, kind, at);
        return;
    }
    for (int a = 0; a < 8; a++)
        for (int d = 0; d < 3; d++)
            corners[a][d] = at[d] + hex[a][d];
    add_element(b, kind, corners);
}

/* The next cell of a filled block after the given one; it starts with radius -1. */
static bool next_cell(const builder *b, int cell[3])
{
    for (;;) {
        cell[0]++;
        for (int d = 0; d < 2; d++)
            if (cell[d] == b->lines[d].cells) {
                cell[d] = 0;
                cell[d + 1]++;
            }
        if (cell[2] == b->lines[2].cells)
            return false;
        int piece[3];
        for (int d = 0; d < 3; d++)
            piece[d] = b->lines[d].piece[cell[d]];
        if (b->grid->filled(b->grid->data, piece))
            return true;
    }
}

/* --- Sets --- */

/* The value of a direction at a point of the grid of half cells. */
static double value_at(const line_list *lines, int point)
{
    return 0.5 * (lines->value[point / 2] + lines->value[(point + 1) / 2]);
}

/* Lists the nodes of a set, or only counts them. */
static int list_set(builder *b, int set, int *nodes)
{
    int count = 0, p[3];
    for (p[2] = 0; p[2] < b->points[2]; p[2]++)
        for (p[1] = 0; p[1] < b->points[1]; p[1]++)
            for (p[0] = 0; p[0] < b->points[0]; p[0]++) {
                int node = *node_at(b, p);
                double at[3];
                for (int d = 0; d < 3; d++)
                    at[d] = value_at(&b->lines[d], p[d]);
                if (node < 0 || !b->grid->inside(b->grid->data, set, at))
                    continue;
                if (nodes)
                    nodes[count] = node;
                count++;
            }
    return count;
}

static bool add_sets(builder *b)
{
    lmb_mesh *mesh = b->mesh;
    mesh->set_count = b->grid->set_count;
    mesh->sets = lmb_arena_alloc(mesh->arena, (size_t)mesh->set_count + 1, sizeof *mesh->sets);
    for (int s = 0; mesh->sets && s < mesh->set_count; s++) {
        int count = list_set(b, s, NULL);
        int *nodes = lmb_arena_alloc(mesh->arena, (size_t)count + 1, sizeof *nodes);
        if (!nodes)
            return false;
        list_set(b, s, nodes);
        mesh->sets[s] = (lmb_node_set){b->grid->set_names[s], nodes, count};
    }
    return mesh->sets != NULL;
}

/* --- The mesh --- */

static bool make_room(builder *b, lmb_element_kind kind)
{
    lmb_mesh *mesh = b->mesh;
    int cell[3] = {-1, 0, 0};
    size_t cells = 0, points = 1, each = is_tet(kind) ? 6 : 1;
    while (next_cell(b, cell))
        cells++;
    for (int d = 0; d < 3; d++) {
        b->points[d] = 2 * b->lines[d].cells + (d == PART_SECTOR ? 0 : 1);
        points *= (size_t)b->points[d];
    }
    /* a cell has 27 points of the grid */
    size_t nodes = 27 * cells < points ? 27 * cells : points;
    b->node = lmb_arena_alloc(mesh->arena, points, sizeof *b->node);
    mesh->x = lmb_arena_alloc(mesh->arena, nodes, sizeof *mesh->x);
    mesh->number = lmb_arena_alloc(mesh->arena, nodes, sizeof *mesh->number);
    mesh->elements = lmb_arena_alloc(mesh->arena, each * cells, sizeof *mesh->elements);
    mesh->connections =
        lmb_arena_integers(mesh->arena, each * cells * (size_t)lmb_element_nodes(kind));
    mesh->materials = lmb_arena_alloc(mesh->arena, 1, sizeof *mesh->materials);
    if (!b->node || !mesh->x || !mesh->number || !mesh->elements || !mesh->connections ||
        !mesh->materials)
        return false;
    memset(b->node, 0xff, points * sizeof *b->node);
    return true;
}

static bool build(builder *b, lmb_element_kind kind, double size)
{
    lmb_mesh *mesh = b->mesh;
    int cell[3] = {-1, 0, 0};
    for (int d = 0; d < 3; d++)
        if (!make_lines(&b->lines[d], mesh->arena, &b->grid->breaks[d], size))
            return false;
    if (!make_room(b, kind))
        return false;
    mesh->materials[mesh->material_count++] = *lmb_material_find("steel");
    while (next_cell(b, cell))
        add_cell(b, kind, cell);
    return add_sets(b);
}

lmb_status part_mesh(lmb_mesh **out, lmb_context *context, const part_grid *grid,
                     lmb_element_kind kind, double size)
{
    if (!(size > 0) || kind < LMB_TET4 || kind > LMB_HEX20)
        return lmb_fail(context, LMB_BAD_INPUT, "a part needs a size above 0 and solid elements");
    lmb_arena *arena = lmb_arena_new();
    builder b = {.grid = grid};
    b.mesh = arena ? lmb_arena_alloc(arena, 1, sizeof *b.mesh) : NULL;
    if (b.mesh)
        *b.mesh = (lmb_mesh){.arena = arena, .file = grid->name, .dimension = 3};
    if (!b.mesh || !build(&b, kind, size)) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    *out = b.mesh;
    return LMB_OK;
}
