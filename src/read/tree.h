/* A tree of names, lists and texts with their places: what a model file says. */
#ifndef LMB_READ_TREE_H
#define LMB_READ_TREE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"
#include "base/names.h"

typedef enum lmb_node_kind { LMB_NODE_TEXT, LMB_NODE_LIST, LMB_NODE_MAP } lmb_node_kind;

/* A counter of a repeated entry, and those around it. */
typedef struct lmb_counter {
    const char *name;
    int value;
    const struct lmb_counter *outer;
} lmb_counter;

typedef struct lmb_node lmb_node;
struct lmb_node {
    lmb_node_kind kind;
    lmb_place place;
    const char *text;           /* LMB_NODE_TEXT */
    bool quoted;                /* the text stood in quotes */
    bool exact;                 /* the file has the text as it is: on one line, without escapes */
    int count, room;            /* LMB_NODE_LIST, LMB_NODE_MAP */
    lmb_node **items;           /* elements, or values */
    lmb_node **keys;            /* LMB_NODE_MAP: texts */
    lmb_names index;            /* LMB_NODE_MAP: where its keys are */
    const lmb_counter *counter; /* in a repeated entry: what its expressions can use */
};

/* A new node; NULL when out of memory. */
lmb_node *lmb_node_new(lmb_arena *arena, lmb_node_kind kind, lmb_place place);

/* Appends to a list (key NULL) or a map; false when out of memory. */
bool lmb_node_add(lmb_arena *arena, lmb_node *parent, lmb_node *key, lmb_node *item);

/* Whether there is nothing: no node, or a text of no characters. */
bool lmb_node_is_empty(const lmb_node *node);

/* The value of a key, or NULL. */
lmb_node *lmb_node_get(const lmb_node *map, const char *key);

/* The position of a key in a map, or -1. */
int lmb_node_find(const lmb_node *map, const char *key);

/* "a text", "a list", "a map": for messages. */
const char *lmb_node_kind_name(const lmb_node *node);

/* Whether a node is a list of texts, or a text itself. */
bool lmb_node_is_flat(const lmb_node *node);

#endif
