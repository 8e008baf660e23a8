/* The pattern of stiffness and mass from the neighbourhood of nodes.
 *
 * Elements of each node by counting; neighbours of each node by going through the nodes of its
 * elements, each taken once; rows of a column from the degrees of freedom of the neighbours. */
#include "fe/pattern.h"

#include <limits.h>

/* The elements of each node, ascending. */
typedef struct incidence {
    int *start, *element;
} incidence;

static bool find_incidence(incidence *out, lmb_arena *scratch, const lmb_mesh *mesh)
{
    out->start = lmb_arena_integers(scratch, (size_t)mesh->node_count + 2);
    out->element = lmb_arena_integers(scratch, (size_t)mesh->connection_count + 1);
    if (!lmb_arena_fine(scratch))
        return false;
    int *next = out->start + 1; /* becomes the start when the places have been given away */
    for (int e = 0; e < mesh->element_count; e++)
        for (int k = 0; k < lmb_element_nodes(mesh->elements[e].kind); k++)
            next[mesh->connections[mesh->elements[e].first + k] + 1]++;
    for (int i = 0; i < mesh->node_count; i++)
        next[i + 1] += next[i];
    for (int e = 0; e < mesh->element_count; e++)
        for (int k = 0; k < lmb_element_nodes(mesh->elements[e].kind); k++)
            out->element[next[mesh->connections[mesh->elements[e].first + k]]++] = e;
    return true;
}

static void sort(int *list, int count)
{
    for (int i = 1; i < count; i++) {
        int value = list[i], k = i;
        for (; k > 0 && list[k - 1] > value; k--)
            list[k] = list[k - 1];
        list[k] = value;
    }
}

/* Neighbours of a node with its own or a greater number; they are only counted if list is NULL. */
static int neighbours_of(const lmb_mesh *mesh, const incidence *in, int node, int *seen, int *list)
{
    int count = 0;
    for (int k = in->start[node]; k < in->start[node + 1]; k++) {
        const lmb_element *e = &mesh->elements[in->element[k]];
        const int *nodes = mesh->connections + e->first;
        for (int i = 0; i < lmb_element_nodes(e->kind); i++) {
            if (nodes[i] < node || seen[nodes[i]] == node)
                continue;
            seen[nodes[i]] = node;
            if (list)
                list[count] = nodes[i];
            count++;
        }
    }
    if (list)
        sort(list, count);
    return count;
}

static bool find_neighbours(lmb_fe_pattern *p, lmb_arena *scratch, const lmb_mesh *mesh)
{
    incidence in;
    int nodes = mesh->node_count;
    int *seen = lmb_arena_integers(scratch, (size_t)nodes + 1);
    p->start = lmb_arena_alloc(scratch, (size_t)nodes + 1, sizeof *p->start);
    if (!find_incidence(&in, scratch, mesh))
        return false;
    for (int i = 0; i < nodes; i++)
        seen[i] = -1;
    for (int i = 0; i < nodes; i++)
        p->start[i + 1] = p->start[i] + neighbours_of(mesh, &in, i, seen, NULL);
    p->neighbour = lmb_arena_integers(scratch, (size_t)p->start[nodes] + 1);
    p->place = lmb_arena_integers(scratch, (size_t)p->start[nodes] + 1);
    if (!lmb_arena_fine(scratch))
        return false;
    for (int i = 0; i < nodes; i++)
        seen[i] = -1;
    for (int i = 0; i < nodes; i++)
        neighbours_of(mesh, &in, i, seen, p->neighbour + p->start[i]);
    return true;
}

/* Where each neighbour's rows begin, counted from the node's own first row; returns how many
 * numbers the columns of all nodes have together. */
static long find_places(lmb_fe_pattern *p, int nodes)
{
    long total = 0;
    for (int i = 0; i < nodes; i++) {
        int rows = 0, own = p->first[i + 1] - p->first[i];
        for (long k = p->start[i]; k < p->start[i + 1]; k++) {
            int node = p->neighbour[k];
            p->place[k] = rows;
            rows += p->first[node + 1] - p->first[node];
        }
        total += (long)own * rows - (long)own * (own - 1) / 2;
    }
    return total;
}

static void write_rows(const lmb_fe_pattern *p, int nodes, int *start, int *row)
{
    int at = 0;
    for (int i = 0; i < nodes; i++)
        for (int column = p->first[i]; column < p->first[i + 1]; column++) {
            start[column] = at;
            for (long k = p->start[i]; k < p->start[i + 1]; k++) {
                int node = p->neighbour[k], from = p->first[node];
                for (int r = node == i ? column : from; r < p->first[node + 1]; r++)
                    row[at++] = r;
            }
        }
    start[p->first[nodes]] = at;
}

bool lmb_fe_pattern_make(lmb_fe_pattern *p, lmb_arena *scratch, lmb_fe_model *model)
{
    int nodes = model->node_count, n = model->n;
    p->first = lmb_arena_integers(scratch, (size_t)nodes + 1);
    if (!find_neighbours(p, scratch, model->mesh))
        return false;
    for (int i = 0; i < nodes; i++) {
        p->first[i + 1] = p->first[i];
        for (int d = 0; d < LMB_DIRECTIONS; d++)
            p->first[i + 1] += model->dof[i][d] >= 0;
    }
    long total = find_places(p, nodes);
    if (total > INT_MAX)
        return false;
    int *start = lmb_arena_integers(model->arena, (size_t)n + 1);
    int *row = lmb_arena_integers(model->arena, (size_t)total + 1);
    model->K = (lmb_symmetric){n, start, row, lmb_arena_numbers(model->arena, (size_t)total + 1)};
    model->M = (lmb_symmetric){n, start, row, lmb_arena_numbers(scratch, (size_t)total + 1)};
    if (!lmb_arena_fine(model->arena) || !lmb_arena_fine(scratch))
        return false;
    write_rows(p, nodes, start, row);
    return true;
}
