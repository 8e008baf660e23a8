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

/* Most maps are short, and a dictionary of each would be larger than the tree. */
enum { SHORT_MAP = 8 };

/* Adds the last key to the dictionary of a map, with those before when it becomes long. */
static bool add_name(lmb_arena *arena, lmb_tree *map)
{
    int last = map->count - 1;
    for (int i = last == SHORT_MAP ? 0 : last; last >= SHORT_MAP && i <= last; i++)
        if (!lmb_names_add(&map->index, arena, map->keys[i]->text, 0, i))
            return false;
    return true;
}

bool lmb_tree_add(lmb_arena *arena, lmb_tree *parent, lmb_tree *key, lmb_tree *item)
{
    parent->items = lmb_arena_append(arena, parent->items, parent->count, sizeof *parent->items);
    if (key)
        parent->keys = lmb_arena_append(arena, parent->keys, parent->count, sizeof *parent->keys);
    if (!lmb_arena_fine(arena))
        return false;
    parent->items[parent->count++] = item;
    if (!key)
        return true;
    parent->keys[parent->count - 1] = key;
    return add_name(arena, parent);
}

int lmb_tree_find(const lmb_tree *map, const char *key)
{
    int count = map && map->keys ? map->count : 0;
    if (count > SHORT_MAP) {
        const lmb_named *found = lmb_names_find(&map->index, key, strlen(key));
        return found ? found->index : -1;
    }
    for (int i = 0; i < count; i++)
        if (strcmp(map->keys[i]->text, key) == 0)
            return i;
    return -1;
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

/* How many entries count. */
static int counted(const lmb_tree *node, const char *except)
{
    return node->count - (except && lmb_tree_find(node, except) >= 0);
}

bool lmb_tree_equal(const lmb_tree *a, const lmb_tree *b, const char *except)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == LMB_TREE_TEXT)
        return a->quoted == b->quoted && strcmp(a->text, b->text) == 0;
    if (counted(a, except) != counted(b, except))
        return false;
    for (int i = 0; i < a->count; i++) {
        bool map = a->kind == LMB_TREE_MAP;
        if (map && except && strcmp(a->keys[i]->text, except) == 0)
            continue;
        const lmb_tree *other = map ? lmb_tree_get(b, a->keys[i]->text) : b->items[i];
        if (!other || !lmb_tree_equal(a->items[i], other, NULL))
            return false;
    }
    return true;
}
