/* An arena is a list of blocks; an allocation takes the next bytes of the newest. */
#include "base/arena.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16 * 1024, ALIGNMENT = 16 };

typedef struct block {
    struct block *next;
    size_t used, room;
    _Alignas(ALIGNMENT) unsigned char bytes[];
} block;

typedef struct adopted {
    struct adopted *next;
    lmb_arena *arena;
} adopted;

struct lmb_arena {
    block *blocks; /* newest first */
    adopted *children;
    bool failed;
    atomic_int further_owners; /* threads may compile models of one spec */
};

lmb_arena *lmb_arena_new(void)
{
    return calloc(1, sizeof(lmb_arena));
}

bool lmb_arena_fine(const lmb_arena *arena)
{
    return arena && !arena->failed;
}

void lmb_arena_clear(lmb_arena *arena)
{
    for (adopted *a = arena->children; a; a = a->next)
        lmb_arena_free(a->arena);
    arena->children = NULL;
    for (block *b = arena->blocks; b;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    arena->blocks = NULL;
    arena->failed = false;
}

void lmb_arena_free(lmb_arena *arena)
{
    if (!arena || atomic_fetch_sub(&arena->further_owners, 1) > 0)
        return;
    lmb_arena_clear(arena);
    free(arena);
}

void *lmb_arena_alloc(lmb_arena *arena, size_t count, size_t size)
{
    if (!arena)
        return NULL;
    bool fits = !size || count <= (SIZE_MAX - BLOCK_BYTES) / size;
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block *b = arena->blocks;
    if (!fits || !b || b->room - b->used < bytes) {
        size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        b = fits ? malloc(sizeof *b + room) : NULL;
        arena->failed |= !b;
        if (!b)
            return NULL;
        b->next = arena->blocks;
        b->used = 0;
        b->room = room;
        arena->blocks = b;
    }
    void *p = b->bytes + b->used;
    b->used += bytes;
    memset(p, 0, bytes);
    return p;
}

double *lmb_arena_numbers(lmb_arena *arena, size_t count)
{
    return lmb_arena_alloc(arena, count, sizeof(double));
}

int *lmb_arena_integers(lmb_arena *arena, size_t count)
{
    return lmb_arena_alloc(arena, count, sizeof(int));
}

void *lmb_arena_object(lmb_arena **arena, size_t size)
{
    *arena = lmb_arena_new();
    void *object = lmb_arena_alloc(*arena, 1, size);
    if (!object) {
        lmb_arena_free(*arena);
        *arena = NULL;
    }
    return object;
}

void *lmb_arena_grow(lmb_arena *arena, const void *old, size_t old_count, size_t new_count,
                     size_t size)
{
    void *p = lmb_arena_alloc(arena, new_count, size);
    if (p && old_count)
        memcpy(p, old, old_count * size);
    return p;
}

void *lmb_arena_append(lmb_arena *arena, void *array, int count, size_t size)
{
    enum { LEAST = 4 };
    size_t n = (size_t)count;
    if (n > 0 && (n < LEAST || (n & (n - 1)) != 0))
        return array;
    return lmb_arena_grow(arena, array, n, n ? 2 * n : LEAST, size);
}

void lmb_arena_share(lmb_arena *arena)
{
    atomic_fetch_add(&arena->further_owners, 1);
}

bool lmb_arena_adopt(lmb_arena *arena, lmb_arena *child)
{
    adopted *a = lmb_arena_alloc(arena, 1, sizeof *a);
    if (!a)
        return false;
    *a = (adopted){arena->children, child};
    arena->children = a;
    return true;
}
