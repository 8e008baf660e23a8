/* Meshes of solids as files of Gmsh, version 2.2, text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

/* Corners, edges between them, and faces, seen from outside. */
typedef struct solid {
    int corners, faces, sides;
    int edges[12][2];
    int face[6][4];
} solid;

static const solid tet = {.corners = 4,
                          .faces = 4,
                          .sides = 3,
                          .edges = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
                          .face = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};

static const solid hex = {
    .corners = 8,
    .faces = 6,
    .sides = 4,
    .edges = {{0, 1},
              {1, 2},
              {2, 3},
              {3, 0},
              {4, 5},
              {5, 6},
              {6, 7},
              {7, 4},
              {0, 4},
              {1, 5},
              {2, 6},
              {3, 7}},
    .face = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

/* What Gmsh makes of a kind of element: numbers of its types, and the order of nodes. */
typedef struct kind {
    lmb_element_kind kind;
    const solid *solid;
    int nodes, type, face_type;
    int order[20];
} kind;

static const kind kinds[] = {
    {LMB_TET4, &tet, 4, 4, 2, {0, 1, 2, 3}},
    {LMB_TET10, &tet, 10, 11, 9, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}},
    {LMB_HEX8, &hex, 8, 5, 3, {0, 1, 2, 3, 4, 5, 6, 7}},
    {LMB_HEX20, &hex, 20, 17, 16, {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                   16, 9, 17, 10, 18, 19, 12, 15, 13, 14}},
};

static const kind *find_kind(lmb_element_kind wanted)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == wanted)
            return &kinds[i];
    return NULL;
}

/* The nodes of a face: corners, then the middles of its sides; returns how many. */
static int face_nodes(const kind *k, int face, const int *nodes, int *out)
{
    const solid *s = k->solid;
    int count = s->sides;
    for (int i = 0; i < s->sides; i++)
        out[i] = nodes[s->face[face][i]];
    for (int i = 0; i < s->sides && k->nodes > s->corners; i++) {
        int a = s->face[face][i], b = s->face[face][(i + 1) % s->sides], edge = 0;
        while (!(s->edges[edge][0] == a && s->edges[edge][1] == b) &&
               !(s->edges[edge][0] == b && s->edges[edge][1] == a))
            edge++;
        out[count++] = nodes[s->corners + edge];
    }
    return count;
}

/* Writes the faces whose nodes are all marked, or only counts them. */
static int write_faces(FILE *file, const lmb_mesh *mesh, const bool *marked, int group, int number)
{
    int count = 0, nodes[8];
    for (int e = 0; e < mesh->element_count; e++) {
        const kind *k = find_kind(mesh->elements[e].kind);
        for (int f = 0; f < k->solid->faces; f++) {
            int size = face_nodes(k, f, mesh->connections + mesh->elements[e].first, nodes), in = 0;
            for (int i = 0; i < size; i++)
                in += marked[nodes[i]];
            if (in < size)
                continue;
            if (file) {
                fprintf(file, "%d %d 2 %d %d", number + count, k->face_type, group, group);
                for (int i = 0; i < size; i++)
                    fprintf(file, " %d", mesh->number[nodes[i]]);
                fputc('\n', file);
            }
            count++;
        }
    }
    return count;
}

/* The faces of all sets. */
static int write_sets(FILE *file, const lmb_mesh *mesh, bool *marked, int number)
{
    int first = number;
    for (int s = 0; s < mesh->set_count; s++) {
        memset(marked, 0, (size_t)mesh->node_count * sizeof *marked);
        for (int i = 0; i < mesh->sets[s].count; i++)
            marked[mesh->sets[s].nodes[i]] = true;
        number += write_faces(file, mesh, marked, s + 2, number);
    }
    return number - first;
}

static void write_mesh(FILE *file, const lmb_mesh *mesh, const char *name, bool *marked)
{
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n3 1 \"%s\"\n",
            mesh->set_count + 1, name);
    for (int s = 0; s < mesh->set_count; s++)
        fprintf(file, "2 %d \"%s\"\n", s + 2, mesh->sets[s].name);
    fprintf(file, "$EndPhysicalNames\n$Nodes\n%d\n", mesh->node_count);
    for (int i = 0; i < mesh->node_count; i++)
        fprintf(file, "%d %.12g %.12g %.12g\n", mesh->number[i], mesh->x[i].x, mesh->x[i].y,
                mesh->x[i].z);
    int faces = write_sets(NULL, mesh, marked, 0);
    fprintf(file, "$EndNodes\n$Elements\n%d\n", faces + mesh->element_count);
    write_sets(file, mesh, marked, 1);
    for (int e = 0; e < mesh->element_count; e++) {
        const kind *k = find_kind(mesh->elements[e].kind);
        fprintf(file, "%d %d 2 1 1", faces + e + 1, k->type);
        for (int i = 0; i < k->nodes; i++)
            fprintf(file, " %d",
                    mesh->number[mesh->connections[mesh->elements[e].first + k->order[i]]]);
        fputc('\n', file);
    }
    fprintf(file, "$EndElements\n");
}

lmb_status part_write(const lmb_mesh *mesh, const char *name, const char *path,
                      lmb_context *context)
{
    for (int e = 0; e < mesh->element_count; e++)
        if (!find_kind(mesh->elements[e].kind))
            return lmb_fail(context, LMB_BAD_INPUT, "only meshes of solids can be written");
    bool *marked = calloc((size_t)mesh->node_count + 1, sizeof *marked);
    if (!marked)
        return lmb_fail_memory(context);
    FILE *file = fopen(path, "w");
    if (file)
        write_mesh(file, mesh, name, marked);
    free(marked);
    if (!file || (ferror(file) | fclose(file)))
        return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(errno));
    return LMB_OK;
}
