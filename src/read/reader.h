/* Reading the values of fields from the tree of a file: numbers, vectors and laws, which may use
 * parameters, tables and counters. What else a file names (bodies, channels, ...) is asked for
 * through the hooks of whoever reads it. */
#ifndef LMB_READ_READER_H
#define LMB_READ_READER_H

#include "base/sha256.h"
#include "math/expr.h"
#include "read/field.h"
#include "read/memo.h"
#include "read/tree.h"
#include "limber/model.h"

/* A parameter, evaluated when it is first needed. */
typedef struct lmb_parameter {
    const char *name;
    const lmb_tree *node; /* its value in the file */
    const char *override; /* or the text given from outside, else NULL */
    enum { LMB_PARAMETER_NEW, LMB_PARAMETER_BUSY, LMB_PARAMETER_DONE, LMB_PARAMETER_BAD } state;
    int size;
    double value[3];
} lmb_parameter;

typedef struct lmb_named_table {
    const char *name;
    const lmb_table *table; /* NULL if it could not be read */
    lmb_uses uses;          /* the parameters that it is made of */
} lmb_named_table;

/* A function of the program that the model may call. */
typedef struct lmb_defined {
    lmb_function function;
    struct lmb_defined *next;
} lmb_defined;

typedef struct lmb_reader lmb_reader;

/* What the reader of a whole model adds; NULL: names have no other meaning. */
typedef struct lmb_reader_hooks {
    /* Finds a call such as record(...), or a name with a dot in an effort, for an expression; a
     * kind of LMB_SYMBOL_NONE means that there is none of that name. */
    lmb_status (*find)(lmb_reader *reader, const char *name, lmb_place place, lmb_symbol *symbol);
    /* Offers names that an effort may use to a search for the nearest one. */
    void (*offer)(lmb_reader *reader, lmb_nearest *nearest);
    /* Reads the value of a field that refers to other items: LMB_FIELD_JOINTS. */
    lmb_status (*refer)(lmb_reader *reader, const lmb_tree *node, lmb_value *value);
} lmb_reader_hooks;

struct lmb_reader {
    lmb_context *context;
    lmb_arena *arena; /* of what is read */
    const lmb_spec *spec;
    const lmb_reader_hooks *hooks;
    int dimension; /* of the model: how many numbers a vector has; 0: not yet known */
    lmb_parameter *parameters;
    int parameter_count;
    lmb_names parameter_names;
    lmb_named_table *tables;
    int table_count;
    const lmb_defined *functions; /* of the program, in the arena */
    const char *coordinate;       /* while an effort is read: the name of its coordinate, */
    bool speed;                   /* and whether `speed`, the rate of it, may be used */
    bool channels;                /* while an effort is read: it may use channels */
    bool incomplete;            /* after a mistake in names: do not report that names are unknown */
    const lmb_counter *counter; /* while an expression is read: the counters around it */
    lmb_note note;              /* what is used: parameters, and beyond them channels, records */
    lmb_memo *keep;             /* takes what is read, for variants; or NULL */
    const lmb_memo *kept;       /* in a variant: what its base has read; or NULL */
    lmb_uses changed;           /* in a variant: parameters that may differ */
};

/* The variables of an effort: its coordinate, the rate of that, then what the hooks find. */
enum { LMB_EFFORT_COORDINATE, LMB_EFFORT_SPEED, LMB_EFFORT_VARIABLES };

enum { LMB_MOST_FIELDS = 40 }; /* of a table */

/* How many fields a table has; the field of a name, or NULL (also if there is no table). */
int lmb_field_count(const lmb_field *fields);
const lmb_field *lmb_find_field(const lmb_field *fields, const char *name);

/* Reads a map into the struct that a table of fields is for: unknown keys, wrong types and missing
 * ones are reported. `what` names the item, such as "joint 'pin'". Keys in the list `skip` are left
 * alone. After a mistake the other members are still filled. */
lmb_status lmb_read_fields(lmb_reader *reader, const lmb_tree *map, const lmb_field *fields,
                           const char *what, const char *skip, void *out);

/* The two halves of that: values in the order of the fields, and members of a struct. */
lmb_status lmb_read_values(lmb_reader *reader, const lmb_tree *map, const lmb_field *fields,
                           const char *what, const char *skip, lmb_value *values);
void lmb_fill_fields(const lmb_field *fields, const lmb_value *values, void *out);

/* An entry of a section, and what messages call it: "driver 'motor'". */
typedef struct lmb_entry {
    const lmb_tree *key, *node;
    const char *what;
} lmb_entry;

typedef lmb_status lmb_entry_function(lmb_reader *reader, const lmb_entry *entry, void *user);

/* Reads a section or a key that is a map of names to things of a kind: checks that and all names,
 * and lets a function read the entries, all of them also after a mistake. What was allocated for
 * them before is checked too. NULL, or a key without a value, is an empty one. */
lmb_status lmb_read_section(lmb_reader *reader, const lmb_tree *section, const char *name,
                            const char *kind, const char *things, lmb_entry_function *read,
                            void *user);

/* The place of the value of a key, or that of the map if it has no such key. */
lmb_place lmb_key_place(const lmb_tree *map, const char *key);

/* Single values. */
lmb_status lmb_read_number(lmb_reader *reader, const lmb_tree *node, const char *name, double *out);
lmb_status lmb_read_vector(lmb_reader *reader, const lmb_tree *node, const char *name, int size,
                           double *out);
lmb_status lmb_read_numbers(lmb_reader *reader, const lmb_tree *node, const char *name, int most,
                            double *out, int *size);
lmb_status lmb_read_law(lmb_reader *reader, const lmb_tree *node, const char *name,
                        const lmb_expr **out);

/* An expression of `speed` (the first variable and the second), without t. */
lmb_status lmb_read_speed_law(lmb_reader *reader, const lmb_tree *node, const char *name,
                              const lmb_expr **out);

/* The law of an effort: an expression of t, of a coordinate (by the name given), of `speed` and
 * of channels. */
lmb_status lmb_read_effort(lmb_reader *reader, const lmb_tree *node, const char *name,
                           const char *coordinate, const lmb_expr **out);

/* A vector (of size 1: a number) of expressions of t, channels and, unless it is NULL, a
 * coordinate. */
lmb_status lmb_read_vector_law(lmb_reader *reader, const lmb_tree *node, const char *name, int size,
                               const char *coordinate, const lmb_expr **out);

/* Collects the names of the parameters in a section; they are evaluated when they are needed. */
lmb_status lmb_collect_parameters(lmb_reader *reader, const lmb_tree *section);

/* Evaluates all parameters (so that each mistake in them is reported). */
lmb_status lmb_read_parameters(lmb_reader *reader);

/* A tree in which all repeated entries are written out; the same one if there are none. NULL after
 * a mistake, which is reported. */
const lmb_tree *lmb_repeat(lmb_reader *reader, const lmb_tree *root);

/* A path beside the file that is read, unless it is absolute; NULL: out of memory. */
const char *lmb_beside_file(lmb_reader *reader, const char *path);

/* Checks the name of an item: letters, digits, '_' and '-', not reserved. */
lmb_status lmb_check_name(lmb_reader *reader, const lmb_tree *key, const char *what);

/* Where the characters of a text begin; without a column if they are not in the file as such. */
lmb_place lmb_text_place(const lmb_tree *node);

/* "expected ..., found ..." at a node. */
lmb_status lmb_fail_kind(lmb_reader *reader, const lmb_tree *node, const char *name,
                         const char *expected);

/* What a model file says, before it is compiled: the inner side of lmb_spec. */

/* A part of arrays that the program has attached (import/arrays.h). */
typedef struct lmb_attached {
    const char *name;
    lmb_arena *arena;           /* of the two, shared with copies of the spec */
    struct lmb_fe_model *model; /* with matrices; NULL: they are to be assembled */
    struct lmb_mesh *mesh;      /* nodes, sets and, if there are any, elements */
    char key[LMB_SHA256_TEXT];  /* of its contents */
    struct lmb_attached *next;
} lmb_attached;

/* A parameter set from outside the file, as with --set. */
typedef struct lmb_override {
    const char *name, *value;
    struct lmb_override *next;
} lmb_override;

struct lmb_spec {
    lmb_arena *arena;
    lmb_arena *tree;  /* of file, text and root: its own, or that of the spec it is a copy of */
    const char *file; /* name for messages, and the folder that data files are looked up in */
    const char *text;
    lmb_tree *root;
    lmb_override *overrides;      /* newest first */
    lmb_defined *functions;       /* one of a name */
    lmb_attached *attached;       /* one of a name */
    bool no_cache;                /* reduced bodies are not taken from the cache */
    bool trusted;                 /* geometry scripts may run */
    double meshing_seconds;       /* that gmsh may take for a mesh; 0: the usual time */
    const struct lmb_model *like; /* the base of a variant (model/variant.h), or NULL */
    bool whole; /* a variant reads all again, and takes over reduced bodies alone */
    bool held;  /* flexible bodies of a neighbour have the modes of the base */
};

/* lmb_spec_copy makes a spec of the same tree with overrides of its own, which are at first those
 * of the other one. Nothing but the overrides, functions, what is attached, `like` and `held` of a
 * spec changes after it is made. */

/* The functions of a spec in another arena; NULL for none. */
lmb_defined *lmb_functions_copy(lmb_arena *arena, const lmb_defined *of);

/* What is attached to a spec, as a text: names and contents. NULL: out of memory. */
const char *lmb_attached_text(lmb_arena *arena, const lmb_spec *spec);

/* Sets a parameter to a number, with all its digits. */
lmb_status lmb_spec_set_number(lmb_spec *spec, lmb_context *context, const char *parameter,
                               double value);

#endif
