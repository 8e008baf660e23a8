/* Reading the values of fields from the tree of a model file. */
#ifndef LMB_MODEL_READER_H
#define LMB_MODEL_READER_H

#include "read/field.h"
#include "fe/mesh.h"
#include "read/spec.h"
#include "system/model.h"

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
} lmb_named_table;

typedef enum lmb_item_kind {
    LMB_ITEM_BODY,
    LMB_ITEM_JOINT,
    LMB_ITEM_DRIVER,
    LMB_ITEM_FORCE,
    LMB_ITEM_SENSOR,
    LMB_ITEM_EVENT
} lmb_item_kind;

/* What reading needs to know: the names so far. */
typedef struct lmb_reader {
    lmb_context *context;
    lmb_arena *arena; /* of the model */
    const lmb_spec *spec;
    lmb_model *model; /* under construction: its bodies, points and joints can be referred to */
    lmb_parameter *parameters;
    int parameter_count;
    lmb_named_table *tables;
    int table_count;
    lmb_names items;            /* bodies, joints and so on by name; the kind is an lmb_item_kind */
    lmb_names points;           /* "body.point" */
    const char *coordinate;     /* while an effort is read: the name of its coordinate */
    bool channels;              /* while the law of a force is read: it may use channels, */
    int first_input;            /* its inputs start here */
    int input_room;             /* of the list of inputs */
    bool bodiless;              /* a rotor, which may do without bodies */
    bool incomplete;            /* after a mistake in names: do not report that names are unknown */
    const lmb_counter *counter; /* while an expression is read: the counters around it */
} lmb_reader;

/* Reads a map into values, in the order of the fields: unknown keys, wrong types and missing ones
 * are reported. `what` names the item, such as "joint 'pin'". Keys in the list `skip` are left
 * alone. */
lmb_status lmb_read_fields(lmb_reader *reader, const lmb_tree *map, const lmb_field *fields,
                           const char *what, const char *skip, lmb_value *values);

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

/* A vector (of size 1: a number) of expressions of t and channels. */
lmb_status lmb_read_vector_law(lmb_reader *reader, const lmb_tree *node, const char *name, int size,
                               const lmb_expr **out);

/* Looks a channel (a name with a dot) up for the law of a force and adds it to the inputs of the
 * model; a kind of LMB_SYMBOL_NONE means that there is none of that name. */
lmb_status lmb_find_law_channel(lmb_reader *reader, const char *name, lmb_place place,
                                lmb_symbol *symbol);

/* Adds an input to the model; its number, or -1: out of memory. */
int lmb_add_input(lmb_reader *reader, const lmb_input *input);
void lmb_offer_law_channels(lmb_reader *reader, lmb_nearest *nearest);

/* One end of a joint: a body, a point of it, the ground, or coordinates on the ground. */
lmb_status lmb_read_end(lmb_reader *reader, const lmb_tree *node, lmb_end *end);

/* Lets an item be found by its name. */
lmb_status lmb_add_item(lmb_reader *reader, lmb_item_kind kind, const char *name, int index);

/* The number of a body or joint by the first characters of its name, or -1. */
int lmb_find_item(const lmb_reader *reader, lmb_item_kind kind, const char *name, size_t length);

/* Says that there is no joint of a name. */
lmb_status lmb_fail_joint(lmb_reader *reader, lmb_place place, const char *name);

/* Evaluates all parameters (so that each mistake in them is reported). */
lmb_status lmb_read_parameters(lmb_reader *reader);

/* Reads a call of record or fourier, as it is written, into the records of the model; what it names
 * is looked up later by lmb_find_records. */
lmb_status lmb_read_record(lmb_reader *reader, const char *text, lmb_place place,
                           lmb_symbol *symbol);

/* A material: its name, or a map of its numbers. */
lmb_status lmb_read_material(lmb_reader *reader, const lmb_tree *node, lmb_material *out);

/* Finds the analyses and channels of all records, once the model is read. */
lmb_status lmb_find_records(lmb_reader *reader);

/* A tree in which all repeated entries are written out; the same one if there are none. NULL after
 * a mistake, which is reported. */
const lmb_tree *lmb_repeat(lmb_reader *reader, const lmb_tree *root);

/* Reads the section `tables`. */
lmb_status lmb_read_tables(lmb_reader *reader, const lmb_tree *section);

/* A path beside the model file, unless it is absolute; NULL: out of memory. */
const char *lmb_beside_model(lmb_reader *reader, const char *path);

/* Checks the name of an item: letters, digits, '_' and '-', not reserved. */
lmb_status lmb_check_name(lmb_reader *reader, const lmb_tree *key, const char *what);

/* Checks that no other item has the name. */
lmb_status lmb_check_unused(lmb_reader *reader, const lmb_tree *key);

/* Where the characters of a text begin; without a column if they are not in the file as such. */
lmb_place lmb_text_place(const lmb_tree *node);

/* "expected ..., found ..." at a node. */
lmb_status lmb_fail_kind(lmb_reader *reader, const lmb_tree *node, const char *name,
                         const char *expected);

#endif
