/* What a model file says, before it is compiled: the inner side of lmb_spec. */
#ifndef LMB_READ_SPEC_H
#define LMB_READ_SPEC_H

#include "read/tree.h"
#include "limber/model.h"

/* A parameter set from outside the file, as with --set. */
typedef struct lmb_override {
    const char *name, *value;
    struct lmb_override *next;
} lmb_override;

struct lmb_spec {
    lmb_arena *arena;
    const char *file; /* name for messages, and the folder that data files are looked up in */
    const char *text;
    lmb_tree *root;
    lmb_override *overrides; /* newest first */
    bool no_cache;           /* reduced bodies are not taken from the cache */
};

#endif
