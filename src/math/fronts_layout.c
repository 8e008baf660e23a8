/* Fronts from the elimination of groups: their unknowns, blocks, parts and memory. */
#include <stdlib.h>
#include <string.h>

#include "math/fronts_internal.h"

/* What is known while the layout is made. */
typedef struct making {
    lmb_fronts *f;
    lmb_arena *arena;   /* of what is not kept */
    int *leader;        /* per place of a group: the last group of its front */
    int *front;         /* per place of a group: its front */
    int *groups, *from; /* groups of front i: groups[from[i]] ... from[i + 1] */
    int *owner;         /* per place of an unknown: the front that closes it */
} making;

static int size_of_group(const lmb_elimination *e, int place)
{
    int group = e->order[place];
    return e->first[group + 1] - e->first[group];
}

/* --- the tree ----------------------------------------------------------------------------------
 */

/* Leaders in an order in which children come before parents and subtrees stand together. */
static int order_leaders(making *w, int *ordered)
{
    const lmb_elimination *e = &w->f->elimination;
    int *child = lmb_arena_integers(w->arena, (size_t)e->count + 1), count = 0;
    int *sibling = lmb_arena_integers(w->arena, (size_t)e->count + 1);
    int root = -1;
    if (!lmb_arena_fine(w->arena))
        return 0;
    memset(child, -1, (size_t)e->count * sizeof *child);
    for (int i = e->count - 1; i >= 0; i--) { /* so that lists ascend */
        if (w->leader[i] != i)
            continue;
        int parent = e->parent[i];
        int *head = parent < 0 ? &root : &child[w->leader[parent]];
        sibling[i] = *head;
        *head = i;
    }
    for (int i = root; i >= 0;) {
        while (child[i] >= 0)
            i = child[i];
        ordered[count++] = i;
        while (sibling[i] < 0 && e->parent[i] >= 0) { /* its parent has no other children left */
            i = w->leader[e->parent[i]];
            ordered[count++] = i;
        }
        i = sibling[i];
    }
    return count;
}

/* The fronts with their closed and open unknowns counted, and who is whose child. */
static bool make_fronts(making *w)
{
    lmb_fronts *f = w->f;
    const lmb_elimination *e = &f->elimination;
    int *ordered = lmb_arena_integers(w->arena, (size_t)e->count + 1);
    if (!lmb_arena_fine(w->arena))
        return false;
    for (int i = e->count - 1; i >= 0; i--)
        w->leader[i] = e->joined[i] && e->parent[i] >= 0 ? w->leader[e->parent[i]] : i;
    f->front_count = order_leaders(w, ordered);
    f->fronts = lmb_arena_alloc(f->layout, (size_t)f->front_count + 1, sizeof *f->fronts);
    if (!lmb_arena_fine(w->arena) || !lmb_arena_fine(f->layout))
        return false;
    for (int i = 0; i < f->front_count; i++)
        w->front[ordered[i]] = i;
    for (int i = 0; i < e->count; i++)
        w->front[i] = w->front[w->leader[i]];
    for (int i = f->front_count - 1; i >= 0; i--) { /* so that children ascend */
        lmb_front *front = &f->fronts[i];
        int parent = e->parent[ordered[i]];
        *front = (lmb_front){.leader = ordered[i],
                             .parent = parent < 0 ? -1 : w->front[parent],
                             .child = -1,
                             .sibling = -1};
        if (parent >= 0) {
            front->sibling = f->fronts[front->parent].child;
            f->fronts[front->parent].child = i;
        }
    }
    return true;
}

/* Places of the unknowns in the elimination, front by front. */
static bool number_unknowns(making *w)
{
    lmb_fronts *f = w->f;
    const lmb_elimination *e = &f->elimination;
    int next = 0, *fill = w->from + 1;
    for (int i = 0; i < e->count; i++)
        fill[w->front[i] + 1]++;
    for (int i = 0; i < f->front_count; i++)
        fill[i + 1] += fill[i];
    for (int i = 0; i < e->count; i++)
        w->groups[fill[w->front[i]]++] = i;
    for (int i = 0; i < f->front_count; i++) {
        f->fronts[i].first = next;
        for (int k = w->from[i]; k < w->from[i + 1]; k++) {
            int group = e->order[w->groups[k]];
            for (int u = e->first[group]; u < e->first[group + 1]; u++) {
                w->owner[next] = i;
                f->position[e->list[u]] = next++;
            }
        }
        f->fronts[i].closed = next - f->fronts[i].first;
    }
    return true;
}

/* What each front leaves open: what its last group does. */
static bool list_open(making *w)
{
    lmb_fronts *f = w->f;
    const lmb_elimination *e = &f->elimination;
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < f->front_count; i++) {
            int leader = w->groups[w->from[i + 1] - 1], begin = (int)count;
            for (int k = e->start[leader]; k < e->start[leader + 1]; k++) {
                int group = e->order[e->open[k]];
                if (pass == 0)
                    count += (size_t)size_of_group(e, e->open[k]);
                for (int u = e->first[group]; u < e->first[group + 1] && pass == 1; u++)
                    f->open[count++] = f->position[e->list[u]];
            }
            f->fronts[i].open = begin;
            f->fronts[i].size = f->fronts[i].closed + (int)count - begin;
        }
        if (pass == 1)
            break;
        f->open = lmb_arena_integers(f->layout, count + 1);
        f->above = lmb_arena_integers(f->layout, count + 1);
        f->contribution = lmb_arena_numbers(f->layout, count + 1);
        if (!lmb_arena_fine(f->layout))
            return false;
        count = 0;
    }
    return true;
}

/* --- blocks ------------------------------------------------------------------------------------
 */

/* Sorts a few unknowns by their places. */
static void sort_unknowns(const int *position, int *unknowns, int count)
{
    for (int i = 1; i < count; i++) {
        int u = unknowns[i], k = i;
        for (; k > 0 && position[unknowns[k - 1]] > position[u]; k--)
            unknowns[k] = unknowns[k - 1];
        unknowns[k] = u;
    }
}

/* The front that closes the first unknown of a block. */
static int front_of_block(const making *w, const lmb_front_block *b)
{
    int first = w->f->matrix.n;
    for (int i = 0; i < b->row_count; i++)
        first = w->f->position[b->rows[i]] < first ? w->f->position[b->rows[i]] : first;
    for (int i = 0; i < b->column_count; i++)
        first = w->f->position[b->columns[i]] < first ? w->f->position[b->columns[i]] : first;
    return w->owner[first];
}

/* Blocks by fronts. */
static bool sort_blocks(making *w)
{
    lmb_fronts *f = w->f;
    const lmb_front_matrix *m = &f->matrix;
    int *home = lmb_arena_integers(w->arena, (size_t)m->block_count + 1);
    int *fill = lmb_arena_integers(w->arena, (size_t)f->front_count + 1);
    size_t count = 0, value = 0;
    if (!lmb_arena_fine(w->arena))
        return false;
    for (int b = 0; b < m->block_count; b++) {
        lmb_front_block *block = &m->blocks[b];
        if (m->definite)
            sort_unknowns(f->position, block->rows, block->row_count);
        home[b] = front_of_block(w, block);
        f->fronts[home[b]].block_count++;
        f->start[b] = (int)count;
        f->value[b] = value;
        count += (size_t)(block->row_count + block->column_count);
        value += (size_t)block->row_count * (size_t)block->column_count;
    }
    f->local = lmb_arena_integers(f->layout, count + 1);
    f->scale = lmb_arena_numbers(f->layout, m->definite ? 1 : count + 1);
    for (int i = 0, next = 0; i < f->front_count; i++) {
        f->fronts[i].block = fill[i] = next;
        next += f->fronts[i].block_count;
    }
    for (int b = 0; b < m->block_count && f->local; b++)
        f->sorted[fill[home[b]]++] = b;
    return lmb_arena_fine(f->layout);
}

/* Places of the rows and columns of a block in its front. */
static void find_places(lmb_fronts *f, int b, const int *at)
{
    const lmb_front_block *block = &f->matrix.blocks[b];
    int *rows = f->local + f->start[b], *columns = rows + block->row_count;
    bool straight = true;
    for (int i = 0; i < block->row_count; i++) {
        rows[i] = at[f->position[block->rows[i]]];
        straight = straight && rows[i] == rows[0] + i;
    }
    for (int i = 0; i < block->column_count; i++) {
        columns[i] = at[f->position[block->columns[i]]];
        straight = straight && columns[i] == columns[0] + i;
    }
    f->straight[b] = straight;
}

/* Places within fronts: of the rows and columns of blocks, and of what children leave open. */
static bool find_locals(making *w)
{
    lmb_fronts *f = w->f;
    const lmb_front_matrix *m = &f->matrix;
    int *at = lmb_arena_integers(w->arena, (size_t)m->n + 1);
    for (int i = 0; i < f->front_count && at; i++) {
        const lmb_front *front = &f->fronts[i];
        for (int k = 0; k < front->closed; k++)
            at[front->first + k] = k;
        for (int k = front->closed; k < front->size; k++)
            at[f->open[front->open + k - front->closed]] = k;
        for (int k = front->block; k < front->block + front->block_count; k++)
            find_places(f, f->sorted[k], at);
        for (int c = front->child; c >= 0; c = f->fronts[c].sibling)
            for (int k = 0; k < f->fronts[c].size - f->fronts[c].closed; k++)
                f->above[f->fronts[c].open + k] = at[f->open[f->fronts[c].open + k]];
    }
    return at != NULL;
}

/* --- parts and memory --------------------------------------------------------------------------
 */

/* Multiplications of a front, and some for what it costs besides. */
static double work_of(const lmb_front *front)
{
    double k = front->closed, n = front->size;
    return k * n * n + 50 * n;
}

double lmb_fronts_work(const lmb_fronts *f)
{
    double work = 0;
    for (int i = 0; i < f->front_count; i++)
        work += work_of(&f->fronts[i]);
    return work;
}

/* Subtrees: what they cost, and the first front of each. */
typedef struct subtrees {
    double *work, total;
    int *low;
} subtrees;

static bool measure_subtrees(making *w, subtrees *t)
{
    const lmb_fronts *f = w->f;
    t->work = lmb_arena_numbers(w->arena, (size_t)f->front_count + 1);
    t->low = lmb_arena_integers(w->arena, (size_t)f->front_count + 1);
    if (!lmb_arena_fine(w->arena))
        return false;
    for (int i = 0; i < f->front_count; i++)
        t->low[i] = i;
    for (int i = 0; i < f->front_count; i++) {
        const lmb_front *front = &f->fronts[i];
        t->work[i] += work_of(front);
        t->total += work_of(front);
        if (front->parent >= 0) {
            t->work[front->parent] += t->work[i];
            if (t->low[i] < t->low[front->parent])
                t->low[front->parent] = t->low[i];
        }
    }
    return true;
}

/* Takes the heaviest of some subtrees apart; false: that is not worth it. */
static bool take_apart(const lmb_fronts *f, const subtrees *t, int *roots, int *count, int most)
{
    int heaviest = 0, children = 0;
    for (int i = 1; i < *count; i++)
        heaviest = t->work[roots[i]] > t->work[roots[heaviest]] ? i : heaviest;
    int child = f->fronts[roots[heaviest]].child;
    for (int c = child; c >= 0; c = f->fronts[c].sibling)
        children++;
    if (children == 0 || *count - 1 + children > most || t->work[roots[heaviest]] < t->total / most)
        return false;
    roots[heaviest] = roots[--*count];
    for (int c = child; c >= 0; c = f->fronts[c].sibling)
        roots[(*count)++] = c;
    return true;
}

/* Divides the tree into subtrees of like cost; small ones stay whole. */
static bool divide(making *w, int *part_of)
{
    enum { MOST_PARTS = 64 };
    const double worth_it = 1e6;
    lmb_fronts *f = w->f;
    subtrees t = {0};
    int roots[MOST_PARTS], count = 0;
    if (!measure_subtrees(w, &t))
        return false;
    for (int i = 0; i < f->front_count && t.total > worth_it && count < MOST_PARTS; i++)
        if (f->fronts[i].parent < 0)
            roots[count++] = i;
    while (count > 0 && take_apart(f, &t, roots, &count, MOST_PARTS))
        continue;
    f->part = lmb_arena_integers(f->layout, 2 * (size_t)count + 1);
    f->top = lmb_arena_integers(f->layout, (size_t)f->front_count + 1);
    if (!lmb_arena_fine(f->layout))
        return false;
    memset(part_of, -1, (size_t)f->front_count * sizeof *part_of);
    f->part_count = count;
    for (int p = 0; p < count; p++) {
        f->part[2 * p] = t.low[roots[p]];
        f->part[2 * p + 1] = roots[p] + 1;
        for (int i = t.low[roots[p]]; i <= roots[p]; i++)
            part_of[i] = p;
    }
    f->top_count = 0;
    for (int i = 0; i < f->front_count; i++)
        if (part_of[i] < 0)
            f->top[f->top_count++] = i;
    return true;
}

static size_t square(int n)
{
    return (size_t)n * (size_t)n;
}

/* Where factors, and the contributions that wait for parents, are kept. Contributions go on one of
 * two stacks by turns, those of children on the other one than their parent's: so it can be written
 * while they are read, and takes a place that they do not need. Each part has stacks of its own;
 * those of the top are the last. */
typedef struct stacks {
    size_t next[2]; /* what is free while a front and all below it are worked on, */
    size_t need[2]; /* and what the part needs in all */
} stacks;

static bool place_contributions(making *w, const int *part_of)
{
    lmb_fronts *f = w->f;
    stacks *free = lmb_arena_alloc(w->arena, (size_t)f->front_count + 1, sizeof *free);
    stacks *part = lmb_arena_alloc(w->arena, (size_t)f->part_count + 2, sizeof *part);
    int *level = lmb_arena_integers(w->arena, (size_t)f->front_count + 1);
    if (!lmb_arena_fine(w->arena))
        return false;
    part++; /* part -1 is the top */
    for (int i = f->front_count - 1; i >= 0; i--) {
        lmb_front *front = &f->fronts[i];
        int own = level[i] & 1;
        size_t *need = part[part_of[i]].need, used[2] = {free[i].next[0], free[i].next[1]};
        front->contribution = used[own];
        size_t end = used[own] + square(front->size - front->closed);
        need[own] = end > need[own] ? end : need[own];
        for (int c = front->child; c >= 0; c = f->fronts[c].sibling) {
            level[c] = level[i] + 1;
            if (part_of[c] != part_of[i])
                continue; /* it begins stacks of its own */
            memcpy(free[c].next, used, sizeof used);
            used[1 - own] += square(f->fronts[c].size - f->fronts[c].closed);
        }
    }
    size_t begin = 0;
    for (int p = -1; p < f->part_count; p++)
        for (int own = 0; own < 2; own++) {
            size_t size = part[p].need[own];
            part[p].need[own] = begin;
            begin += size;
        }
    f->stack_numbers = begin;
    for (int i = 0; i < f->front_count; i++)
        f->fronts[i].contribution += part[part_of[i]].need[level[i] & 1];
    return true;
}

static void place_factors(lmb_fronts *f)
{
    f->factor_numbers = 0;
    for (int i = 0; i < f->front_count; i++) {
        lmb_front *front = &f->fronts[i];
        size_t n = (size_t)front->size, k = (size_t)front->closed;
        front->factor = f->factor_numbers;
        f->factor_numbers += n * k + (f->matrix.definite ? 0 : k * (n - k));
    }
}

bool lmb_fronts_lay_out(lmb_fronts *f)
{
    size_t groups = (size_t)f->elimination.count + 2, blocks = (size_t)f->matrix.block_count + 1;
    making w = {.f = f, .arena = lmb_arena_new()};
    w.leader = lmb_arena_integers(w.arena, groups);
    w.front = lmb_arena_integers(w.arena, groups);
    w.groups = lmb_arena_integers(w.arena, groups);
    w.from = lmb_arena_integers(w.arena, groups);
    w.owner = lmb_arena_integers(w.arena, (size_t)f->matrix.n + 1);
    int *part_of = lmb_arena_integers(w.arena, groups);
    lmb_arena_clear(f->layout);
    f->start = lmb_arena_integers(f->layout, blocks);
    f->sorted = lmb_arena_integers(f->layout, blocks);
    f->value = lmb_arena_alloc(f->layout, blocks, sizeof *f->value);
    f->straight = lmb_arena_alloc(f->layout, blocks, sizeof *f->straight);
    bool fine = lmb_arena_fine(w.arena) && lmb_arena_fine(f->layout) && make_fronts(&w) &&
                number_unknowns(&w) && list_open(&w) && sort_blocks(&w) && find_locals(&w) &&
                divide(&w, part_of) && place_contributions(&w, part_of);
    if (fine) {
        place_factors(f);
        f->factors = lmb_arena_numbers(f->layout, f->factor_numbers + 1);
        f->stack = lmb_arena_numbers(f->layout, f->stack_numbers + 1);
        f->extremes = lmb_arena_numbers(f->layout, 2 * (size_t)f->front_count + 2);
        f->signs = lmb_arena_integers(f->layout, (size_t)f->front_count + 1);
        fine = lmb_arena_fine(f->layout);
    }
    lmb_arena_free(w.arena);
    return fine;
}
