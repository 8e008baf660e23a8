/* Lines of the grid, the cells between them and the sets of their nodes. */
#include "grid.h"

#include <math.h>

#include "cells.h"
#include "fe/properties.h"

typedef struct line_list {
    double *value; /* of each line */
    int *piece;    /* of the cell after each line */
    int cells;
} line_list;

typedef struct builder {
    const part_grid *grid;
    line_list lines[3];
    part_cells cells;
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

/* Where a corner of a cell is. Around the axis the last line is the first. */
static vec3 place(const void *data, const int p[3])
{
    const builder *b = data;
    double at[3];
    for (int d = 0; d < 3; d++)
        at[d] = b->lines[d].value[p[d] / 2];
    if (p[PART_SECTOR] == b->cells.points[PART_SECTOR])
        at[PART_SECTOR] = b->lines[PART_SECTOR].value[0];
    return b->grid->place(b->grid->data, at);
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
    for (p[2] = 0; p[2] < b->cells.points[2]; p[2]++)
        for (p[1] = 0; p[1] < b->cells.points[1]; p[1]++)
            for (p[0] = 0; p[0] < b->cells.points[0]; p[0]++) {
                int node = *part_cells_node(&b->cells, p);
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
    lmb_mesh *mesh = b->cells.mesh;
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

static bool make_room(builder *b)
{
    int cell[3] = {-1, 0, 0};
    size_t count = 0;
    while (next_cell(b, cell))
        count++;
    for (int d = 0; d < 3; d++)
        b->cells.points[d] = 2 * b->lines[d].cells + (d == PART_SECTOR ? 0 : 1);
    return part_cells_room(&b->cells, count);
}

static bool build(builder *b, double size)
{
    lmb_mesh *mesh = b->cells.mesh;
    int cell[3] = {-1, 0, 0};
    for (int d = 0; d < 3; d++)
        if (!make_lines(&b->lines[d], mesh->arena, &b->grid->breaks[d], size))
            return false;
    if (!make_room(b))
        return false;
    mesh->materials[mesh->material_count++] = *lmb_material_find("steel");
    while (next_cell(b, cell))
        part_cells_add(&b->cells, cell);
    return add_sets(b);
}

lmb_status part_mesh(lmb_mesh **out, lmb_context *context, const part_grid *grid,
                     lmb_element_kind kind, double size)
{
    if (!(size > 0) || kind < LMB_TET4 || kind > LMB_HEX20)
        return lmb_fail(context, LMB_BAD_INPUT, "a part needs a size above 0 and solid elements");
    lmb_arena *arena;
    lmb_mesh *mesh = lmb_arena_object(&arena, sizeof *mesh);
    if (mesh)
        *mesh = (lmb_mesh){.arena = arena, .file = grid->name, .dimension = 3};
    builder b = {.grid = grid, .cells = {.mesh = mesh, .kind = kind, .place = place, .data = &b}};
    if (!mesh || !build(&b, size)) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    *out = mesh;
    return LMB_OK;
}
