/* The tree of a model file. */
#include "read/tree.h"

#include <string.h>

lmb_node *lmb_node_new(lmb_arena *arena, lmb_node_kind kind, lmb_place place)
{
    lmb_node *node = lmb_arena_alloc(arena, 1, sizeof *node);
    if (node) {
        node->kind = kind;
        node->place = place;
        node->text = "";
    }
    return node;
}

bool lmb_node_add(lmb_arena *arena, lmb_node *parent, lmb_node *key, lmb_node *item)
{
    if (parent->count == parent->room) {
        int room = parent->room ? 2 * parent->room : 4;
        size_t old = (size_t)parent->count, larger = (size_t)room;
        lmb_node **items = lmb_arena_grow(arena, parent->items, old, larger, sizeof *items);
        lmb_node **keys = lmb_arena_grow(arena, parent->keys, old, larger, sizeof *keys);
        if (!items || !keys)
            return false;
        parent->items = items;
        parent->keys = keys;
        parent->room = room;
    }
    if (key && !lmb_names_add(&parent->index, arena, key->text, 0, parent->count))
        return false;
    parent->keys[parent->count] = key;
    parent->items[parent->count++] = item;
    return true;
}

int lmb_node_find(const lmb_node *map, const char *key)
{
    const lmb_named *found = map ? lmb_names_find(&map->index, key, strlen(key)) : NULL;
    return found ? found->index : -1;
}

bool lmb_node_is_empty(const lmb_node *node)
{
    return !node || (node->kind == LMB_NODE_TEXT && !node->text[0]);
}

lmb_node *lmb_node_get(const lmb_node *map, const char *key)
{
    int i = lmb_node_find(map, key);
    return i < 0 ? NULL : map->items[i];
}

const char *lmb_node_kind_name(const lmb_node *node)
{
    if (node->kind == LMB_NODE_TEXT)
        return node->text[0] || node->quoted ? "a text" : "nothing";
    return node->kind == LMB_NODE_LIST ? "a list" : "a map of keys";
}

bool lmb_node_is_flat(const lmb_node *node)
{
    for (int i = 0; i < node->count; i++)
        if (node->items[i]->kind != LMB_NODE_TEXT)
            return false;
    return node->kind != LMB_NODE_MAP;
}
