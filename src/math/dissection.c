/* Orders of elimination by METIS and CAMD. */
#include "math/dissection.h"

#include <camd.h>
#include <metis.h>
#include <pthread.h>

#include "base/arena.h"
#include "math/late.h"

#define METIS_ComputeVertexSeparator LMB_LATE(METIS_ComputeVertexSeparator)
#define METIS_NodeND LMB_LATE(METIS_NodeND)
#define METIS_SetDefaultOptions LMB_LATE(METIS_SetDefaultOptions)

_Static_assert(sizeof(idx_t) == sizeof(int), "METIS counts with the integers of the program");

/* METIS keeps some things in static variables: one thread at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void set_options(idx_t *options)
{
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
}

bool lmb_dissect(lmb_graph *g, int *order, int *place)
{
    idx_t options[METIS_NOPTIONS];
    for (int i = 0; i < g->count; i++)
        order[i] = place[i] = i;
    if (g->start[g->count] == 0)
        return true;
    set_options(options);
    pthread_mutex_lock(&one_at_a_time);
    int status = METIS_NodeND(&g->count, g->start, g->neighbour, g->weight, options, order, place);
    pthread_mutex_unlock(&one_at_a_time);
    return status == METIS_OK;
}

/* --- parts --------------------------------------------------------------------------------------
 */

/* The vertices of one side while a graph is being cut. */
typedef struct cut {
    const lmb_graph *whole;
    int *stage; /* per vertex of the whole: when it is eliminated; */
    int *local; /* and where it is in the side under way, or -1 */
    int next;   /* the stage of the next separator, counted down from the top one */
} cut;

/* The graph of some vertices; those of others are left out. */
static bool take_side(const cut *c, lmb_arena *arena, const int *vertices, int count, lmb_graph *g)
{
    size_t edges = 0;
    for (int i = 0; i < count; i++) {
        c->local[vertices[i]] = i;
        edges += (size_t)(c->whole->start[vertices[i] + 1] - c->whole->start[vertices[i]]);
    }
    *g = (lmb_graph){count, lmb_arena_integers(arena, (size_t)count + 1),
                     lmb_arena_integers(arena, edges + 1), lmb_arena_integers(arena, count)};
    if (!lmb_arena_fine(arena))
        return false;
    for (int i = 0; i < count; i++) {
        int v = vertices[i], at = g->start[i];
        for (int k = c->whole->start[v]; k < c->whole->start[v + 1]; k++)
            if (c->local[c->whole->neighbour[k]] >= 0)
                g->neighbour[at++] = c->local[c->whole->neighbour[k]];
        g->start[i + 1] = at;
        g->weight[i] = c->whole->weight[v];
    }
    for (int i = 0; i < count; i++)
        c->local[vertices[i]] = -1;
    return true;
}

/* side[i] becomes 0 or 1, or 2 for the separator. */
static bool separate(lmb_graph *g, int *side)
{
    idx_t options[METIS_NOPTIONS], size;
    set_options(options);
    pthread_mutex_lock(&one_at_a_time);
    int status = METIS_ComputeVertexSeparator(&g->count, g->start, g->neighbour, g->weight, options,
                                              &size, side);
    pthread_mutex_unlock(&one_at_a_time);
    return status == METIS_OK;
}

/* Cuts a side in two, and those again. Stages of separators are given out from the top down, so
 * that each comes after what it separates. */
static bool cut_side(cut *c, int *vertices, int count, int levels)
{
    enum { SMALLEST = 8 };
    if (levels == 0 || count < SMALLEST)
        return true;
    lmb_arena *arena = lmb_arena_new();
    lmb_graph g;
    int *side = lmb_arena_integers(arena, count), *sorted = lmb_arena_integers(arena, count);
    bool fine = lmb_arena_fine(arena) && take_side(c, arena, vertices, count, &g) &&
                (g.start[count] == 0 || separate(&g, side));
    int size[2] = {0}, at = 0;
    for (int s = 0; s < 2 && fine; s++)
        for (int i = 0; i < count; i++)
            if (side[i] == s) {
                sorted[at++] = vertices[i];
                size[s]++;
            }
    int stage = fine && at < count ? --c->next : 0;
    for (int i = 0; i < count && fine; i++)
        if (side[i] == 2)
            c->stage[vertices[i]] = stage;
    fine = fine && cut_side(c, sorted, size[0], levels - 1) &&
           cut_side(c, sorted + size[0], size[1], levels - 1);
    lmb_arena_free(arena);
    return fine;
}

bool lmb_dissect_parts(lmb_graph *g, int levels, int *order, int *place)
{
    lmb_arena *arena = lmb_arena_new();
    size_t count = (size_t)g->count + 1;
    cut c = {.whole = g,
             .stage = lmb_arena_integers(arena, count),
             .local = lmb_arena_integers(arena, count),
             .next = g->count};
    int *all = lmb_arena_integers(arena, count);
    bool fine = lmb_arena_fine(arena);
    for (int i = 0; i < g->count && fine; i++) {
        all[i] = i;
        c.local[i] = -1;
    }
    fine = fine && cut_side(&c, all, g->count, levels);
    /* the parts are stage 0 together: nothing joins them */
    fine =
        fine && camd_order(g->count, g->start, g->neighbour, order, NULL, NULL, c.stage) >= CAMD_OK;
    for (int i = 0; i < g->count && fine; i++)
        place[order[i]] = i;
    lmb_arena_free(arena);
    return fine;
}
