/* The order of elimination of groups of unknowns, and what each elimination leaves open.
 *
 *   open(i) = (neighbours of i and open(c) of all c with parent c = i) that come after i
 *   parent(i) = the first of open(i)
 *
 * (Liu's elimination tree with its column structures, for groups.) */
#include <stdlib.h>
#include <string.h>

#include "math/dissection.h"
#include "math/fronts_internal.h"

/* Which blocks have each group: block[start[g]] ... */
typedef struct incidence {
    int *start, *block;
} incidence;

/* Turns counts, kept one place to the right, into starts. */
static void add_up(int *start, int count)
{
    for (int i = 0; i < count; i++)
        start[i + 1] += start[i];
}

/* The unknowns of each group. */
static bool list_groups(lmb_fronts *f)
{
    const lmb_front_matrix *m = &f->matrix;
    lmb_elimination *e = &f->elimination;
    e->count = m->group_count;
    e->first = lmb_arena_integers(f->arena, (size_t)e->count + 2);
    e->list = lmb_arena_integers(f->arena, (size_t)m->n + 1);
    if (!lmb_arena_fine(f->arena))
        return false;
    int *next = e->first + 1; /* one further, so that it ends up as the starts */
    for (int i = 0; i < m->n; i++)
        next[m->group[i] + 1]++;
    add_up(next, e->count);
    for (int i = 0; i < m->n; i++)
        e->list[next[m->group[i]]++] = i;
    return true;
}

/* Calls out every group of a block once. */
typedef struct visit {
    const lmb_front_matrix *m;
    int *mark; /* per group: the last stamp */
    int stamp;
} visit;

static bool first_time(visit *v, int group)
{
    bool first = v->mark[group] != v->stamp;
    v->mark[group] = v->stamp;
    return first;
}

static int unknown_of(const lmb_front_block *b, int i)
{
    return i < b->row_count ? b->rows[i] : b->columns[i - b->row_count];
}

static int unknown_count(const lmb_front_block *b)
{
    return b->row_count + (b->columns == b->rows ? 0 : b->column_count);
}

static bool list_incidence(const lmb_fronts *f, lmb_arena *arena, incidence *in, visit *v)
{
    const lmb_front_matrix *m = &f->matrix;
    in->start = lmb_arena_integers(arena, (size_t)m->group_count + 2);
    for (int pass = 0; pass < 2 && lmb_arena_fine(arena); pass++) {
        int *next = in->start + 1;
        for (int b = 0; b < m->block_count; b++, v->stamp++)
            for (int i = 0; i < unknown_count(&m->blocks[b]); i++) {
                int group = m->group[unknown_of(&m->blocks[b], i)];
                if (!first_time(v, group))
                    continue;
                if (pass == 0)
                    next[group + 1]++;
                else
                    in->block[next[group]++] = b;
            }
        if (pass == 0) {
            add_up(next, m->group_count);
            in->block = lmb_arena_integers(arena, (size_t)next[m->group_count] + 1);
        }
    }
    return lmb_arena_fine(arena);
}

/* The groups that share a block with a group, itself left out; `list` NULL: counts only. */
static int neighbours(const incidence *in, visit *v, int group, int *list)
{
    int count = 0;
    v->stamp++;
    first_time(v, group);
    for (int k = in->start[group]; k < in->start[group + 1]; k++) {
        const lmb_front_block *b = &v->m->blocks[in->block[k]];
        for (int i = 0; i < unknown_count(b); i++) {
            int other = v->m->group[unknown_of(b, i)];
            if (!first_time(v, other))
                continue;
            if (list)
                list[count] = other;
            count++;
        }
    }
    return count;
}

static bool make_graph(const lmb_fronts *f, lmb_arena *arena, lmb_graph *g, visit *v)
{
    const lmb_elimination *e = &f->elimination;
    incidence in = {0};
    if (!list_incidence(f, arena, &in, v))
        return false;
    g->count = e->count;
    g->start = lmb_arena_integers(arena, (size_t)e->count + 1);
    g->weight = lmb_arena_integers(arena, (size_t)e->count + 1);
    if (!lmb_arena_fine(arena))
        return false;
    for (int i = 0; i < e->count; i++) {
        g->weight[i] = e->first[i + 1] - e->first[i];
        g->start[i + 1] = g->start[i] + neighbours(&in, v, i, NULL);
    }
    g->neighbour = lmb_arena_integers(arena, (size_t)g->start[e->count] + 1);
    for (int i = 0; i < e->count && g->neighbour; i++)
        neighbours(&in, v, i, g->neighbour + g->start[i]);
    return g->neighbour != NULL;
}

/* --- what eliminations leave open --------------------------------------------------------------
 */

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The growing list of open groups. */
typedef struct pool {
    lmb_arena *arena;
    int *items;
    size_t count, capacity;
} pool;

static bool add(pool *p, int item)
{
    if (p->count == p->capacity) {
        size_t capacity = 2 * p->capacity + 1024;
        p->items = lmb_arena_grow(p->arena, p->items, p->capacity, capacity, sizeof *p->items);
        p->capacity = capacity;
    }
    if (p->items)
        p->items[p->count++] = item;
    return p->items != NULL;
}

/* open(i), given those of all before; children of i are child, sibling[child], ... */
static bool leave_open(const lmb_elimination *e, const lmb_graph *g, pool *p, visit *v, int i,
                       int child, const int *sibling)
{
    bool fine = true;
    v->stamp++;
    first_time(v, i);
    int group = e->order[i];
    for (int k = g->start[group]; k < g->start[group + 1] && fine; k++) {
        int other = e->place[g->neighbour[k]];
        if (other > i && first_time(v, other))
            fine = add(p, other);
    }
    for (; child >= 0 && fine; child = sibling[child])
        for (int k = e->start[child]; k < e->start[child + 1] && fine; k++)
            if (p->items[k] > i && first_time(v, p->items[k]))
                fine = add(p, p->items[k]);
    return fine;
}

static bool find_open(lmb_fronts *f, lmb_arena *arena, const lmb_graph *g, visit *v)
{
    lmb_elimination *e = &f->elimination;
    int *child = lmb_arena_integers(arena, (size_t)e->count + 1);
    int *sibling = lmb_arena_integers(arena, (size_t)e->count + 1);
    pool p = {.arena = arena};
    e->start = lmb_arena_integers(f->arena, (size_t)e->count + 1);
    e->parent = lmb_arena_integers(f->arena, (size_t)e->count + 1);
    if (!lmb_arena_fine(f->arena) || !lmb_arena_fine(arena) || !add(&p, 0))
        return false;
    p.count = 0;
    memset(child, -1, (size_t)e->count * sizeof *child);
    for (int i = 0; i < e->count; i++) {
        if (!leave_open(e, g, &p, v, i, child[i], sibling))
            return false;
        size_t from = (size_t)e->start[i];
        qsort(p.items + from, p.count - from, sizeof *p.items, ascending);
        e->start[i + 1] = (int)p.count;
        e->parent[i] = p.count > from ? p.items[from] : -1;
        if (e->parent[i] >= 0) {
            sibling[i] = child[e->parent[i]];
            child[e->parent[i]] = i;
        }
    }
    e->open = lmb_arena_integers(f->arena, p.count + 1);
    if (e->open)
        memcpy(e->open, p.items, p.count * sizeof *e->open);
    return e->open != NULL;
}

/* A group that leaves open just its parent and what that leaves open too is closed together with
 * it. */
static void join_chains(lmb_elimination *e)
{
    for (int i = 0; i < e->count; i++) {
        int p = e->parent[i];
        e->joined[i] = p >= 0 && e->start[i + 1] - e->start[i] == e->start[p + 1] - e->start[p] + 1;
    }
}

/* How often the graph is halved: not at all where there is little to share, then into parts that
 * are worth a thread, but not more of them than threads can use. */
static int levels_of(int groups)
{
    enum { WORTH_A_PART = 256, MOST_LEVELS = 6 };
    int levels = 0;
    while (levels < MOST_LEVELS && groups >> levels >= 2 * WORTH_A_PART)
        levels++;
    return levels;
}

bool lmb_fronts_eliminate(lmb_fronts *f)
{
    lmb_elimination *e = &f->elimination;
    lmb_arena *arena = lmb_arena_new();
    lmb_graph graph = {0};
    visit v = {.m = &f->matrix,
               .mark = lmb_arena_integers(arena, (size_t)f->matrix.group_count + 1)};
    v.stamp = 1;
    bool fine = lmb_arena_fine(arena) && list_groups(f) && make_graph(f, arena, &graph, &v);
    e->order = lmb_arena_integers(f->arena, (size_t)e->count + 1);
    e->place = lmb_arena_integers(f->arena, (size_t)e->count + 1);
    e->joined = lmb_arena_alloc(f->arena, (size_t)e->count + 1, sizeof *e->joined);
    fine = fine && lmb_arena_fine(f->arena) &&
           lmb_dissect_parts(&graph, levels_of(e->count), e->order, e->place) &&
           find_open(f, arena, &graph, &v);
    if (fine)
        join_chains(e);
    lmb_arena_free(arena);
    return fine;
}
