/* A dictionary of names, for models with many of them. */
#ifndef LMB_BASE_NAMES_H
#define LMB_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* What a name stands for: a number of the user's choice and an index. */
typedef struct lmb_named {
    const char *name;
    int kind, index;
} lmb_named;

/* Open addressing with linear probing; grows in an arena. Start with {0}, or with `fold` set. */
typedef struct lmb_names {
    lmb_named *slots;
    size_t count, room;
    bool fold; /* upper and lower case letters of ASCII are equal */
} lmb_names;

/* Makes room for so many more names at once; false when out of memory. */
bool lmb_names_reserve(lmb_names *names, lmb_arena *arena, size_t count);

/* Adds a name, which must outlive the dictionary; false when out of memory. */
bool lmb_names_add(lmb_names *names, lmb_arena *arena, const char *name, int kind, int index);

/* The entry of a name given by its first `length` characters, or NULL. */
const lmb_named *lmb_names_find(const lmb_names *names, const char *name, size_t length);

#endif
