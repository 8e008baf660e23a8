/* An arena: many small allocations that are freed together.
 *
 * An arena remembers that an allocation failed and then gives no more, as NULL does, which is an
 * arena too: so one check (lmb_arena_fine, lmb_check_memory) after a block of allocations and
 * before the first use of any of them is enough. */
#ifndef LMB_BASE_ARENA_H
#define LMB_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lmb_arena lmb_arena;

/* Makes an empty arena; NULL when out of memory. */
lmb_arena *lmb_arena_new(void);
void lmb_arena_free(lmb_arena *arena);

/* Whether no allocation has failed so far; false of NULL. */
bool lmb_arena_fine(const lmb_arena *arena);

/* Forgets everything allocated so far, and failures, but keeps the arena. */
void lmb_arena_clear(lmb_arena *arena);

/* Memory for count objects of a size, zeroed and aligned for any type; NULL when
 * out of memory (or when count * size overflows). */
void *lmb_arena_alloc(lmb_arena *arena, size_t count, size_t size);

/* The same for numbers and for integers; a negative count is as one that overflows. */
double *lmb_arena_numbers(lmb_arena *arena, size_t count);
int *lmb_arena_integers(lmb_arena *arena, size_t count);

/* A zeroed object in a new arena, which is to be its own. Out of memory: NULL, and no arena. */
void *lmb_arena_object(lmb_arena **arena, size_t size);

/* A larger copy of an array of the arena; the old one stays until the arena goes. */
void *lmb_arena_grow(lmb_arena *arena, const void *old, size_t old_count, size_t new_count,
                     size_t size);

/* The array of an arena is no longer needed: a large one is freed at once, a small one with the
 * arena. */
void lmb_arena_release(lmb_arena *arena, void *array, size_t count, size_t size);

/* The same array, or a larger copy in its place, with room for one more element; it is made larger
 * where `count` is a power of two, so all elements must be added this way, and where the others are
 * must not be kept meanwhile. NULL when out of memory. */
void *lmb_arena_append(lmb_arena *arena, void *array, int count, size_t size);

/* Gives an arena one more owner: it lives until all of them have freed it. */
void lmb_arena_share(lmb_arena *arena);

/* Frees `child` together with this arena; false when out of memory. */
bool lmb_arena_adopt(lmb_arena *arena, lmb_arena *child);

#endif
