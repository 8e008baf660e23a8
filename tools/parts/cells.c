#include "cells.h"

#include <string.h>

/* --- Nodes --- */

int *part_cells_node(const part_cells *c, const int p[3])
{
    int second = p[1] % c->points[1];
    size_t row = (size_t)p[2] * (size_t)c->points[1] + (size_t)second;
    return &c->node[row * (size_t)c->points[0] + (size_t)p[0]];
}

static int add_node(part_cells *c, const int p[3], vec3 x)
{
    int *at = part_cells_node(c, p);
    if (*at < 0) {
        *at = c->mesh->node_count++;
        c->mesh->x[*at] = x;
        c->mesh->number[*at] = *at + 1;
    }
    return *at;
}

static int corner_node(part_cells *c, const int p[3])
{
    return add_node(c, p, c->place(c->data, p));
}

static int middle_node(part_cells *c, const int p[3], const int q[3])
{
    int middle[3] = {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2};
    vec3 xp = c->mesh->x[corner_node(c, p)], xq = c->mesh->x[corner_node(c, q)];
    return add_node(c, middle, v3_scale(0.5, v3_add(xp, xq)));
}

/* --- Elements --- */

static const int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const int hex_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                     {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

static bool is_tet(lmb_element_kind kind)
{
    return kind == LMB_TET4 || kind == LMB_TET10;
}

static void add_element(part_cells *c, int (*corners)[3])
{
    lmb_mesh *mesh = c->mesh;
    bool tet = is_tet(c->kind), middles = c->kind == LMB_TET10 || c->kind == LMB_HEX20;
    mesh->elements[mesh->element_count] = (lmb_element){.kind = c->kind,
                                                        .number = mesh->element_count + 1,
                                                        .first = mesh->connection_count,
                                                        .section = -1,
                                                        .point_mass = -1};
    mesh->element_count++;
    for (int a = 0; a < (tet ? 4 : 8); a++)
        mesh->connections[mesh->connection_count++] = corner_node(c, corners[a]);
    for (int k = 0; middles && k < (tet ? 6 : 12); k++) {
        const int *edge = tet ? tet_edges[k] : hex_edges[k];
        mesh->connections[mesh->connection_count++] =
            middle_node(c, corners[edge[0]], corners[edge[1]]);
    }
}

/* Six tetrahedra around the diagonal of a cell: one for each way from corner to corner. Cells side
 * by side then divide their common face alike. */
static void add_tets(part_cells *c, const int at[3])
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
        add_element(c, corners);
    }
}

void part_cells_add(part_cells *c, const int cell[3])
{
    static const int hex[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                  {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
    int at[3] = {2 * cell[0], 2 * cell[1], 2 * cell[2]}, corners[8][3];
    if (is_tet(c->kind)) {
        add_tets(c, at);
        return;
    }
    for (int a = 0; a < 8; a++)
        for (int d = 0; d < 3; d++)
            corners[a][d] = at[d] + hex[a][d];
    add_element(c, corners);
}

/* --- Room --- */

bool part_cells_room(part_cells *c, size_t count)
{
    lmb_mesh *mesh = c->mesh;
    size_t points = 1, each = is_tet(c->kind) ? 6 : 1;
    for (int d = 0; d < 3; d++)
        points *= (size_t)c->points[d];
    /* a cell has 27 points of the grid */
    size_t nodes = 27 * count < points ? 27 * count : points;
    c->node = lmb_arena_integers(mesh->arena, points);
    mesh->x = lmb_arena_alloc(mesh->arena, nodes, sizeof *mesh->x);
    mesh->number = lmb_arena_integers(mesh->arena, nodes);
    mesh->elements = lmb_arena_alloc(mesh->arena, each * count, sizeof *mesh->elements);
    mesh->connections =
        lmb_arena_integers(mesh->arena, each * count * (size_t)lmb_element_nodes(c->kind));
    mesh->materials = lmb_arena_alloc(mesh->arena, 1, sizeof *mesh->materials);
    if (!c->node || !mesh->x || !mesh->number || !mesh->elements || !mesh->connections ||
        !mesh->materials)
        return false;
    memset(c->node, 0xff, points * sizeof *c->node);
    return true;
}
