/* What compiling a model has read, kept with the model, so that variants of it at other values of
 * parameters read only what depends on these.
 *
 * While a model is compiled, the reader notes of each number, law, table and body which parameters
 * it was made of, as bits. In a variant some parameters differ, directly or through others; what
 * was made of none of them is taken from here. It is constant, so threads may share it. */
#ifndef LMB_READ_MEMO_H
#define LMB_READ_MEMO_H

#include <stdint.h>

#include "math/expr.h"
#include "read/tree.h"

struct lmb_reader;

/* Bits of parameters: number i has the bit i mod 64, so that some may share one. */
typedef uint64_t lmb_uses;

static inline lmb_uses lmb_use_of(int parameter)
{
    return (lmb_uses)1 << (parameter % 64);
}

/* What the names in a law can mean besides parameters and tables. */
typedef struct lmb_law_scope {
    bool time, speed, channels;
    const char *coordinate; /* or NULL */
} lmb_law_scope;

/* The numbers or the law that a node of the tree gave. */
typedef struct lmb_memo_value {
    lmb_uses uses;
    int size; /* of numbers; 0: none */
    lmb_law_scope scope;
    union {
        double numbers[3];
        const lmb_expr *law; /* with size 0; NULL: none */
    };
} lmb_memo_value;

typedef struct lmb_memo_parameter {
    const char *override; /* the text given from outside, or NULL */
    lmb_uses uses;        /* what its text names */
    int size;
    double value[3];
} lmb_memo_parameter;

/* A table or a body. */
typedef struct lmb_memo_item {
    lmb_uses uses;
    bool known; /* it was made of parameters only */
    const void *item;
} lmb_memo_item;

typedef struct lmb_memo {
    const struct lmb_model *model; /* that it belongs to */
    const lmb_tree *source;        /* the tree of the file, */
    const char *attached;          /* arrays of the program (lmb_attached_text) */
    const lmb_tree *root;          /* with repeated entries written out, */
    lmb_uses root_uses;            /* which is made of these */
    lmb_memo_parameter *parameters;
    lmb_memo_item *tables, *bodies; /* by their numbers */
    lmb_memo_item *parts;           /* what flexible bodies are made of, wherever they are */
    lmb_uses choices;               /* what words and flags depend on */
    lmb_memo_value *values;         /* by the numbers of nodes of the root */
    int value_count;
    bool spoiled; /* something that is always there was made of more than parameters */
    const struct lmb_field *analysis_fields; /* tables of keys, which kinds make */
    struct lmb_field **body_fields;
} lmb_memo;

/* What a reader has used so far, while it notes what one thing is made of. */
typedef struct lmb_note {
    lmb_uses uses;
    bool beyond;
} lmb_note;

/* Between the two, the reader notes; the first returns what it had noted before. The second tells
 * whether all was made of parameters only, and of which. */
lmb_note lmb_note_start(struct lmb_reader *reader);
bool lmb_note_end(struct lmb_reader *reader, lmb_note before, lmb_uses *uses);

/* Once the parameters are collected, makes room to keep them. In a variant, finds those that may
 * differ from the base, gives the others their values, and keeps nothing anew; if the tree of the
 * base depends on those that differ, nothing is taken from it. */
lmb_status lmb_memo_begin(struct lmb_reader *reader);

/* The tree with repeated entries written out, or that of the base; NULL after a mistake. */
const lmb_tree *lmb_memo_root(struct lmb_reader *reader, const lmb_tree *root);

/* Whether something is as in the base. */
bool lmb_memo_holds(const struct lmb_reader *reader, const lmb_memo_item *item);

/* What was kept of a node, or NULL; of a law in its scope. */
const lmb_memo_value *lmb_memo_numbers(const struct lmb_reader *reader, const lmb_tree *node);
const lmb_expr *lmb_memo_law(const struct lmb_reader *reader, const lmb_tree *node,
                             const lmb_law_scope *scope);

/* Where a node is to be kept, or NULL. */
lmb_memo_value *lmb_memo_at(struct lmb_reader *reader, const lmb_tree *node);

#endif
