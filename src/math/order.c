/* Nested dissection of the graph of groups by METIS.
 *
 * Groups g and h are neighbours if the matrix has a number that joins an unknown of g with one of
 * h. A group weighs as much as it has unknowns. */
#include "math/order.h"

#include <metis.h>

typedef struct graph {
    lmb_arena *arena;
    int count;         /* groups */
    const int *group;  /* of each unknown; NULL: itself */
    int *first, *list; /* group g has the unknowns list[first[g]] ... list[first[g+1]-1] */
    idx_t *start, *neighbour, *weight;
    int *mark; /* the last group that met a group */
} graph;

static int group_of(const graph *g, int unknown)
{
    return g->group ? g->group[unknown] : unknown;
}

/* Turns counts, kept one place to the right, into starts; returns their sum. */
static size_t add_up(int *start, int count)
{
    size_t sum = 0;
    for (int i = 0; i <= count; i++) {
        sum += (size_t)start[i];
        start[i] = (int)sum;
    }
    return sum;
}

/* Lists the unknowns of each group. */
static bool list_groups(graph *g, int n)
{
    g->count = g->group ? 0 : n;
    for (int i = 0; g->group && i < n; i++)
        g->count = g->group[i] >= g->count ? g->group[i] + 1 : g->count;
    size_t size = (size_t)g->count + 2;
    g->first = lmb_arena_integers(g->arena, size);
    g->list = lmb_arena_integers(g->arena, (size_t)n + 1);
    g->mark = lmb_arena_integers(g->arena, size);
    g->start = lmb_arena_alloc(g->arena, size, sizeof *g->start);
    g->weight = lmb_arena_alloc(g->arena, size, sizeof *g->weight);
    if (!lmb_arena_fine(g->arena))
        return false;
    /* counted two places to the right, so that filling the list leaves the starts */
    int *next = g->first + 1;
    for (int i = 0; i < n; i++)
        next[group_of(g, i) + 1]++;
    add_up(next, g->count);
    for (int i = 0; i < n; i++)
        g->list[next[group_of(g, i)]++] = i;
    for (int i = 0; i < g->count; i++)
        g->weight[i] = g->first[i + 1] - g->first[i];
    return true;
}

static void forget_marks(graph *g)
{
    for (int i = 0; i < g->count; i++)
        g->mark[i] = -1;
}

/* Counts the neighbours of each group one place to the right of it, and then lists them, which
 * moves each start to its end. Pairs of groups that the lower triangle joins are met once from
 * either side. */
static void visit_edges(graph *g, const lmb_symmetric *a)
{
    forget_marks(g);
    for (int from = 0; from < g->count; from++) {
        g->mark[from] = from;
        for (int k = g->first[from]; k < g->first[from + 1]; k++)
            for (int p = a->start[g->list[k]]; p < a->start[g->list[k] + 1]; p++) {
                int to = group_of(g, a->row[p]);
                if (g->mark[to] == from)
                    continue;
                g->mark[to] = from;
                if (g->neighbour) {
                    g->neighbour[g->start[from]++] = to;
                    g->neighbour[g->start[to]++] = from;
                } else {
                    g->start[from + 1]++;
                    g->start[to + 1]++;
                }
            }
    }
}

/* Removes neighbours that stand twice because both groups have columns that reach the other. */
static void remove_doubles(graph *g)
{
    int kept = 0, from = 0;
    forget_marks(g);
    for (int i = 0; i < g->count; i++) {
        int end = g->start[i + 1];
        for (int p = from; p < end; p++)
            if (g->mark[g->neighbour[p]] != i) {
                g->mark[g->neighbour[p]] = i;
                g->neighbour[kept++] = g->neighbour[p];
            }
        from = end;
        g->start[i + 1] = kept;
    }
}

static bool make_graph(graph *g, const lmb_symmetric *a)
{
    if (!list_groups(g, a->n))
        return false;
    visit_edges(g, a);
    size_t edges = add_up(g->start, g->count);
    g->neighbour = lmb_arena_alloc(g->arena, edges + 1, sizeof *g->neighbour);
    if (!g->neighbour)
        return false;
    visit_edges(g, a);
    for (int i = g->count; i > 0; i--)
        g->start[i] = g->start[i - 1];
    g->start[0] = 0;
    remove_doubles(g);
    return true;
}

/* The groups in the order of their elimination. A graph without edges is left as it is. */
static bool dissect(graph *g, idx_t *order, idx_t *place)
{
    idx_t options[METIS_NOPTIONS];
    for (int i = 0; i < g->count; i++)
        order[i] = i;
    if (g->start[g->count] == 0)
        return true;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    return METIS_NodeND(&g->count, g->start, g->neighbour, g->weight, options, order, place) ==
           METIS_OK;
}

bool lmb_order(const lmb_symmetric *matrix, const int *group, int *place)
{
    graph g = {.arena = lmb_arena_new(), .group = group};
    bool fine = make_graph(&g, matrix);
    idx_t *order = lmb_arena_alloc(g.arena, (size_t)g.count + 1, sizeof *order);
    idx_t *inverse = lmb_arena_alloc(g.arena, (size_t)g.count + 1, sizeof *inverse);
    fine = fine && order && inverse && dissect(&g, order, inverse);
    for (int i = 0, next = 0; fine && i < g.count; i++)
        for (int k = g.first[order[i]]; k < g.first[order[i] + 1]; k++)
            place[g.list[k]] = next++;
    lmb_arena_free(g.arena);
    return fine;
}
