/* A tree of names, lists and texts with their places: what a model file says. */
#ifndef LMB_READ_TREE_H
#define LMB_READ_TREE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"
#include "base/names.h"

typedef enum lmb_tree_kind { LMB_TREE_TEXT, LMB_TREE_LIST, LMB_TREE_MAP } lmb_tree_kind;

/* A counter of a repeated entry, and those around it. */
typedef struct lmb_counter {
    const char *name;
    int value;
    const struct lmb_counter *outer;
} lmb_counter;

typedef struct lmb_tree lmb_tree;
struct lmb_tree {
    lmb_tree_kind kind;
    lmb_place place;
    const char *text;           /* LMB_TREE_TEXT */
    bool quoted;                /* the text stood in quotes */
    bool exact;                 /* the file has the text as it is: on one line, without escapes */
    int count;                  /* LMB_TREE_LIST, LMB_TREE_MAP */
    lmb_tree **items;           /* elements, or values */
    lmb_tree **keys;            /* LMB_TREE_MAP: texts */
    lmb_names index;            /* LMB_TREE_MAP: where its keys are, if it has many */
    const lmb_counter *counter; /* in a repeated entry: what its expressions can use */
    int number;                 /* of a node of a file, from 1 on; 0: of none. The root has the
                                   largest one */
    int size;   /* of a file: how many nodes it has, itself and what aliases stand for among them */
    int height; /* of a file: how many levels are below it */
};

/* A new node; NULL when out of memory. */
lmb_tree *lmb_tree_new(lmb_arena *arena, lmb_tree_kind kind, lmb_place place);

/* Appends to a list (key NULL) or a map; false when out of memory. */
bool lmb_tree_add(lmb_arena *arena, lmb_tree *parent, lmb_tree *key, lmb_tree *item);

/* Whether there is nothing: no node, or a text of no characters. */
bool lmb_tree_is_empty(const lmb_tree *node);

/* How many entries a map or list has; 0 of NULL and of a text. */
size_t lmb_tree_count(const lmb_tree *node);

/* The value of a key, or NULL. */
lmb_tree *lmb_tree_get(const lmb_tree *map, const char *key);

/* The position of a key in a map, or -1. */
int lmb_tree_find(const lmb_tree *map, const char *key);

/* "a text", "a list", "a map": for messages. */
const char *lmb_tree_kind_name(const lmb_tree *node);

/* Whether two trees say the same, wherever it stands; the value of a key of the first map does not
 * count (NULL: all count). */
bool lmb_tree_equal(const lmb_tree *a, const lmb_tree *b, const char *except);

/* Whether a node is a list of texts, or a text itself. */
bool lmb_tree_is_flat(const lmb_tree *node);

/* Reads the first document of a text in YAML (and so JSON). `text` and `name` must outlive the
 * tree. Mistakes in the YAML itself, duplicate keys among them, are reported with their places. */
lmb_status lmb_yaml_parse(lmb_tree **out, lmb_context *context, lmb_arena *arena, const char *name,
                          const char *text);

#endif
