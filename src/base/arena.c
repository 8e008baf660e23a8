/* An arena is a list of blocks; an allocation takes the next bytes of the newest. One that is
 * larger than a common block has a block of its own. */
#include "base/arena.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { BLOCK_BYTES = 16 * 1024, ALIGNMENT = 16 };

typedef struct block {
    struct block *next, *previous;
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
    return lmb_calloc(1, sizeof(lmb_arena));
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

/* A new block with room for some bytes. A large one is cleared by the system, which gives memory to
 * it as it is used. */
static block *new_block(lmb_arena *arena, size_t bytes)
{
    bool large = bytes > BLOCK_BYTES;
    size_t room = large ? bytes : BLOCK_BYTES;
    block *b = large ? lmb_calloc(1, sizeof *b + room) : lmb_malloc(sizeof *b + room);
    arena->failed |= !b;
    if (!b)
        return NULL;
    *b = (block){.next = arena->blocks, .room = room};
    if (b->next)
        b->next->previous = b;
    return arena->blocks = b;
}

static size_t rounded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *lmb_arena_alloc(lmb_arena *arena, size_t count, size_t size)
{
    if (!lmb_arena_fine(arena))
        return NULL;
    if (size && count > (SIZE_MAX - BLOCK_BYTES) / size) {
        lmb_memory_fail();
        arena->failed = true;
        return NULL;
    }
    size_t bytes = rounded(count * size);
    block *b = arena->blocks;
    if ((!b || b->room - b->used < bytes) && !(b = new_block(arena, bytes)))
        return NULL;
    void *p = b->bytes + b->used;
    b->used += bytes;
    return bytes > BLOCK_BYTES ? p : memset(p, 0, bytes);
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

void lmb_arena_release(lmb_arena *arena, void *p, size_t count, size_t size)
{
    if (rounded(count * size) <= BLOCK_BYTES)
        return;
    block *b = (block *)((unsigned char *)p - offsetof(block, bytes));
    if (b->next)
        b->next->previous = b->previous;
    if (b->previous)
        b->previous->next = b->next;
    else
        arena->blocks = b->next;
    free(b);
}

void *lmb_arena_append(lmb_arena *arena, void *array, int count, size_t size)
{
    enum { LEAST = 4 };
    size_t n = (size_t)count;
    if (n > 0 && (n < LEAST || (n & (n - 1)) != 0))
        return array;
    void *larger = lmb_arena_grow(arena, array, n, n ? 2 * n : LEAST, size);
    if (larger && n)
        lmb_arena_release(arena, array, n, size);
    return larger;
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
