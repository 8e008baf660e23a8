/* Names in a hash table; the hash is FNV-1a. */
#include "base/names.h"

#include <stdint.h>
#include <string.h>

static unsigned char letter(const lmb_names *names, char c)
{
    return (unsigned char)(names->fold && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static size_t hash(const lmb_names *names, const char *name, size_t length)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ letter(names, name[i])) * 1099511628211u;
    return (size_t)(h ^ (h >> 32));
}

/* Return true if the first `length` characters of a name are `known`. */
static bool is_same(const lmb_names *names, const char *known, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!known[i] || letter(names, known[i]) != letter(names, name[i]))
            return false;
    return !known[length];
}

/* The slot of a name, or the free one where it belongs. */
static lmb_named *slot_of(const lmb_names *names, const char *name, size_t length)
{
    size_t i = hash(names, name, length) & (names->room - 1);
    while (names->slots[i].name && !is_same(names, names->slots[i].name, name, length))
        i = (i + 1) & (names->room - 1);
    return &names->slots[i];
}

static bool grow(lmb_names *names, lmb_arena *arena, size_t room)
{
    lmb_names larger = {lmb_arena_alloc(arena, room, sizeof(lmb_named)), names->count, room,
                        names->fold};
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < names->room; i++) {
        const lmb_named *old = &names->slots[i];
        if (old->name)
            *slot_of(&larger, old->name, strlen(old->name)) = *old;
    }
    if (names->room)
        lmb_arena_release(arena, names->slots, names->room, sizeof(lmb_named));
    *names = larger;
    return true;
}

bool lmb_names_reserve(lmb_names *names, lmb_arena *arena, size_t count)
{
    size_t room = names->room ? names->room : 32;
    while (room < 2 * (names->count + count))
        room *= 2;
    return room == names->room || grow(names, arena, room);
}

bool lmb_names_add(lmb_names *names, lmb_arena *arena, const char *name, int kind, int index)
{
    if (2 * names->count >= names->room && !lmb_names_reserve(names, arena, 1))
        return false;
    lmb_named *slot = slot_of(names, name, strlen(name));
    names->count += slot->name == NULL;
    *slot = (lmb_named){name, kind, index};
    return true;
}

const lmb_named *lmb_names_find(const lmb_names *names, const char *name, size_t length)
{
    if (names->room == 0)
        return NULL;
    const lmb_named *slot = slot_of(names, name, length);
    return slot->name ? slot : NULL;
}
