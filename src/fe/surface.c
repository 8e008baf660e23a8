/* Faces of solids are put into buckets by their smallest corner; two with the same corners are an
 * inner face. */
#include "fe/mesh.h"

#include <string.h>

enum { CORNERS_MAX = 4, FACE_NODES_MAX = 8 };

/* The faces of a kind: corners, then middles of the edges 12 23 (31 | 34 41), counterclockwise seen
 * from outside, and the triangles of a face. The order of the faces is that of Abaqus. */
typedef struct faces {
    int count, corners, triangles;
    const signed char (*node)[FACE_NODES_MAX];
    const signed char (*triangle)[3];
} faces;

static const faces *faces_of(lmb_element_kind kind)
{
    static const signed char tri3[][3] = {{0, 1, 2}}, quad4[][3] = {{0, 1, 2}, {0, 2, 3}};
    static const signed char tri6[][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    static const signed char quad8[][3] = {{0, 4, 7}, {4, 1, 5}, {5, 2, 6},
                                           {6, 3, 7}, {4, 5, 6}, {4, 6, 7}};
    static const signed char tet[][FACE_NODES_MAX] = {
        {0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}};
    static const signed char hex[][FACE_NODES_MAX] = {
        {0, 3, 2, 1, 11, 10, 9, 8},  {4, 5, 6, 7, 12, 13, 14, 15}, {0, 1, 5, 4, 8, 17, 12, 16},
        {1, 2, 6, 5, 9, 18, 13, 17}, {2, 3, 7, 6, 10, 19, 14, 18}, {3, 0, 4, 7, 11, 16, 15, 19}};
    static const faces all[LMB_ELEMENT_KINDS] = {[LMB_TET4] = {4, 3, 1, tet, tri3},
                                                 [LMB_TET10] = {4, 3, 4, tet, tri6},
                                                 [LMB_HEX8] = {6, 4, 2, hex, quad4},
                                                 [LMB_HEX20] = {6, 4, 6, hex, quad8}};
    return &all[kind];
}

/* A face: its element, its number there, and its corners, ascending. */
typedef struct face {
    int element;
    int corner[CORNERS_MAX];
    signed char index;
    bool inner;
} face;

static face make_face(const lmb_mesh *mesh, int element, int index)
{
    const faces *kind = faces_of(mesh->elements[element].kind);
    const int *nodes = mesh->connections + mesh->elements[element].first;
    face f = {.element = element, .corner = {-1, -1, -1, -1}, .index = (signed char)index};
    for (int i = 0; i < kind->corners; i++) {
        int node = nodes[kind->node[index][i]], k = i;
        for (; k > 0 && f.corner[k - 1] > node; k--)
            f.corner[k] = f.corner[k - 1];
        f.corner[k] = node;
    }
    return f;
}

/* All faces, sorted by their smallest corner; `start` is where those of a node begin. */
static void sort_faces(const lmb_mesh *mesh, face *list, int *start)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < mesh->element_count; e++) {
            const faces *kind = faces_of(mesh->elements[e].kind);
            for (int i = 0; i < kind->count; i++) {
                face f = make_face(mesh, e, i);
                if (pass)
                    list[start[f.corner[0] + 1]++] = f;
                else
                    start[f.corner[0] + 2]++;
            }
        }
        for (int i = 0; pass == 0 && i < mesh->node_count; i++)
            start[i + 2] += start[i + 1];
    }
}

static void mark_inner(face *list, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++)
            if (memcmp(list[i].corner, list[k].corner, sizeof list[i].corner) == 0)
                list[i].inner = list[k].inner = true;
}

/* Writes the triangles of a face. */
static void add_triangles(lmb_surface *out, const lmb_mesh *mesh, const face *f)
{
    const faces *kind = faces_of(mesh->elements[f->element].kind);
    const int *nodes = mesh->connections + mesh->elements[f->element].first;
    for (int t = 0; t < kind->triangles; t++) {
        for (int i = 0; i < 3; i++)
            out->triangles[out->triangle_count][i] =
                nodes[kind->node[f->index][kind->triangle[t][i]]];
        out->side[out->triangle_count] = (signed char)(f->index + 1);
        out->element[out->triangle_count++] = f->element;
    }
}

static void list_nodes(lmb_surface *out, lmb_arena *arena, int nodes, int *mark)
{
    memset(mark, 0, (size_t)nodes * sizeof *mark);
    for (int t = 0; t < 3 * out->triangle_count; t++) {
        int *seen = &mark[out->triangles[t / 3][t % 3]];
        out->node_count += !*seen;
        *seen = 1;
    }
    out->nodes = lmb_arena_integers(arena, (size_t)out->node_count + 1);
    for (int i = 0, k = 0; out->nodes && i < nodes; i++)
        if (mark[i])
            out->nodes[k++] = i;
}

lmb_status lmb_surface_of(lmb_surface *out, lmb_arena *arena, lmb_context *context,
                          const lmb_mesh *mesh)
{
    size_t count = 0, triangles = 1;
    *out = (lmb_surface){0};
    for (int e = 0; e < mesh->element_count; e++)
        count += (size_t)faces_of(mesh->elements[e].kind)->count;
    lmb_arena *room = lmb_arena_new();
    face *list = lmb_arena_alloc(room, count + 1, sizeof *list);
    int *start = lmb_arena_integers(room, (size_t)mesh->node_count + 3);
    if (lmb_arena_fine(room)) {
        sort_faces(mesh, list, start);
        for (int i = 0; i < mesh->node_count; i++)
            mark_inner(list + start[i], start[i + 1] - start[i]);
        for (const face *f = list; f < list + count; f++)
            if (!f->inner)
                triangles += (size_t)faces_of(mesh->elements[f->element].kind)->triangles;
        out->triangles = lmb_arena_alloc(arena, triangles, sizeof *out->triangles);
        out->element = lmb_arena_integers(arena, triangles);
        out->side = lmb_arena_alloc(arena, triangles, sizeof *out->side);
    }
    bool fine = lmb_arena_fine(room) && lmb_arena_fine(arena);
    for (size_t i = 0; fine && i < count; i++)
        if (!list[i].inner)
            add_triangles(out, mesh, &list[i]);
    if (fine)
        list_nodes(out, arena, mesh->node_count, start);
    lmb_arena_free(room);
    return fine && out->nodes ? LMB_OK : lmb_fail_memory(context);
}
