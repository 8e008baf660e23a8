/* Fewer nodes for drawing: nodes that are near each other become one.
 *
 * Space is cut into cubes, and of all nodes in a cube the first one stays, with its shapes and
 * stresses; triangles that collapse are left out. The edge of the cubes is the smallest of a
 * growing row with which few enough nodes stay. Lines are kept as they are, with their nodes. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/skin.h"

/* A node and the number of its cube. */
typedef struct placed {
    uint64_t cube;
    int node;
} placed;

static int by_cube(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->cube != y->cube)
        return x->cube < y->cube ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Sorts the nodes by cubes of an edge; returns how many cubes have any. */
static int place_nodes(const lmb_skin *s, const float low[3], double edge, placed *list)
{
    enum { BITS = 21 };
    const uint64_t most = ((uint64_t)1 << BITS) - 1;
    int cubes = 0;
    for (int i = 0; i < s->node_count; i++) {
        uint64_t cube = 0;
        for (int k = 0; k < 3; k++) {
            double at = floor((double)(s->nodes[3 * i + k] - low[k]) / edge);
            cube = cube << BITS | (at < (double)most ? (uint64_t)at : most);
        }
        list[i] = (placed){cube, i};
    }
    qsort(list, (size_t)s->node_count, sizeof *list, by_cube);
    for (int i = 0; i < s->node_count; i++)
        cubes += i == 0 || list[i].cube != list[i - 1].cube;
    return cubes;
}

/* For each node the one that stands for it; `list` is sorted by cubes. */
static void choose(const lmb_skin *s, const placed *list, int *stands)
{
    for (int i = 0, first = 0; i < s->node_count; i++) {
        if (list[i].cube != list[first].cube)
            first = i;
        stands[list[i].node] = list[first].node;
    }
    for (int i = 0; i < 2 * s->line_count; i++)
        stands[s->lines[i]] = s->lines[i];
}

/* Copies the rows of the nodes that stay, for each mode. */
static float *copy_rows(lmb_arena *arena, const float *from, int nodes, int kept, const int *place,
                        int modes, int size)
{
    size_t width = (size_t)size;
    float *to = lmb_arena_alloc(arena, (size_t)kept * (size_t)modes * width + 1, sizeof *to);
    for (int m = 0; to && m < modes; m++)
        for (int i = 0; i < nodes; i++)
            if (place[i] >= 0)
                memcpy(to + ((size_t)m * (size_t)kept + (size_t)place[i]) * width,
                       from + ((size_t)m * (size_t)nodes + (size_t)i) * width, width * sizeof *to);
    return to;
}

/* Numbers the nodes that stay and renews all arrays. */
static void renew(lmb_skin *s, lmb_arena *arena, const int *stands, int *place)
{
    int nodes = s->node_count, kept = 0, triangles = 0;
    for (int i = 0; i < nodes; i++)
        place[i] = stands[i] == i ? kept++ : -1;
    for (int i = 0; i < s->triangle_count; i++) {
        int c[3];
        for (int k = 0; k < 3; k++)
            c[k] = place[stands[s->triangles[3 * i + k]]];
        if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            memcpy(s->triangles + 3 * triangles++, c, sizeof c);
    }
    for (int i = 0; i < 2 * s->line_count; i++)
        s->lines[i] = place[s->lines[i]];
    s->nodes = copy_rows(arena, s->nodes, nodes, kept, place, 1, 3);
    s->shapes = copy_rows(arena, s->shapes, nodes, kept, place, s->mode_count, 3);
    if (s->stresses)
        s->stresses = copy_rows(arena, s->stresses, nodes, kept, place,
                                s->mode_count + s->acceleration_count, LMB_SKIN_STRESSES);
    s->node_count = kept;
    s->triangle_count = triangles;
}

lmb_status lmb_skin_thin(lmb_skin *s, lmb_arena *arena, lmb_context *context, int most)
{
    if (s->node_count <= most)
        return LMB_OK;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * s->node_count; i++) {
        low[i % 3] = fminf(low[i % 3], s->nodes[i]);
        high[i % 3] = fmaxf(high[i % 3], s->nodes[i]);
    }
    double size = hypot(hypot((double)(high[0] - low[0]), (double)(high[1] - low[1])),
                        (double)(high[2] - low[2]));
    placed *list = lmb_arena_alloc(arena, (size_t)s->node_count, sizeof *list);
    int *room = lmb_arena_integers(arena, 2 * (size_t)s->node_count);
    if (lmb_arena_fine(arena)) {
        double edge = size / sqrt((double)most) / 4;
        while (size > 0 && place_nodes(s, low, edge, list) > most)
            edge *= 1.15;
        choose(s, list, room);
        renew(s, arena, room, room + s->node_count);
    }
    return lmb_check_memory(context, arena);
}
