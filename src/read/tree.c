/* The tree of a model file. */
#include "read/tree.h"

#include <string.h>

lmb_tree *lmb_tree_new(lmb_arena *arena, lmb_tree_kind kind, lmb_place place)
{
    lmb_tree *node = lmb_arena_alloc(arena, 1, sizeof *node);
    if (node) {
        node->kind = kind;
        node->place = place;
        node->text = "";
    }
    return node;
}

bool lmb_tree_add(lmb_arena *arena, lmb_tree *parent, lmb_tree *key, lmb_tree *item)
{
    lmb_tree **items = lmb_arena_append(arena, parent->items, parent->count, sizeof *items);
    lmb_tree **keys = lmb_arena_append(arena, parent->keys, parent->count, sizeof *keys);
    if (!items || !keys)
        return false;
    parent->items = items;
    parent->keys = keys;
    if (key && !lmb_names_add(&parent->index, arena, key->text, 0, parent->count))
        return false;
    parent->keys[parent->count] = key;
    parent->items[parent->count++] = item;
    return true;
}

int lmb_tree_find(const lmb_tree *map, const char *key)
{
    const lmb_named *found = map ? lmb_names_find(&map->index, key, strlen(key)) : NULL;
    return found ? found->index : -1;
}

bool lmb_tree_is_empty(const lmb_tree *node)
{
    return !node || (node->kind == LMB_TREE_TEXT && !node->text[0]);
}

size_t lmb_tree_count(const lmb_tree *node)
{
    return node ? (size_t)node->count : 0;
}

lmb_tree *lmb_tree_get(const lmb_tree *map, const char *key)
{
    int i = lmb_tree_find(map, key);
    return i < 0 ? NULL : map->items[i];
}

const char *lmb_tree_kind_name(const lmb_tree *node)
{
    if (node->kind == LMB_TREE_TEXT)
        return node->text[0] || node->quoted ? "a text" : "nothing";
    return node->kind == LMB_TREE_LIST ? "a list" : "a map of keys";
}

bool lmb_tree_is_flat(const lmb_tree *node)
{
    for (int i = 0; i < node->count; i++)
        if (node->items[i]->kind != LMB_TREE_TEXT)
            return false;
    return node->kind != LMB_TREE_MAP;
}
