/* The reader of a whole model: names of its items, and the model under construction. */
#ifndef LMB_MODEL_BUILDER_H
#define LMB_MODEL_BUILDER_H

#include "model/kinds.h"
#include "read/reader.h"
#include "system/model.h"

typedef enum lmb_item_kind {
    LMB_ITEM_BODY,
    LMB_ITEM_JOINT,
    LMB_ITEM_DRIVER,
    LMB_ITEM_FORCE,
    LMB_ITEM_SENSOR,
    LMB_ITEM_EVENT
} lmb_item_kind;

/* Its hooks find it by the reader, which comes first. */
typedef struct lmb_builder {
    lmb_reader reader;
    lmb_context *context; /* those of the reader */
    lmb_arena *arena;
    lmb_model *model; /* its bodies, points and joints can be referred to */
    lmb_names items;  /* bodies, joints and so on by name; the kind is an lmb_item_kind */
    lmb_names points; /* "body.point" */
    int first_input;  /* the inputs of the force that is read start here */
    bool bodiless;    /* a rotor, which may do without bodies */
} lmb_builder;

/* Starts to read a model; the spec must outlive it. */
lmb_builder lmb_builder_start(lmb_context *context, const lmb_spec *spec, lmb_model *model);

/* Looks a channel (a name with a dot) up for the law of a force and adds it to the inputs of the
 * model; a kind of LMB_SYMBOL_NONE means that there is none of that name. */
lmb_status lmb_find_law_channel(lmb_builder *builder, const char *name, lmb_place place,
                                lmb_symbol *symbol);
void lmb_offer_law_channels(lmb_reader *reader, lmb_nearest *nearest);

/* Adds an input to the model. */
lmb_status lmb_add_input(lmb_builder *builder, const lmb_input *input);

/* One end of a joint: a body, a point of it, the ground, or coordinates on the ground. */
lmb_status lmb_read_end(lmb_builder *builder, const lmb_tree *node, lmb_end *end);

/* Checks that no other item has the name. */
lmb_status lmb_check_unused(lmb_builder *builder, const lmb_tree *key);

/* Lets an item be found by its name. */
lmb_status lmb_add_item(lmb_builder *builder, lmb_item_kind kind, const char *name, int index);

/* The number of a body or joint by the first characters of its name, or -1. */
int lmb_find_item(const lmb_builder *builder, lmb_item_kind kind, const char *name, size_t length);

/* Says that there is no joint, or no body, of a name. */
lmb_status lmb_fail_body(lmb_builder *builder, lmb_place place, const char *name);
lmb_status lmb_fail_joint(lmb_builder *builder, lmb_place place, const char *name);

/* Reads a call of record or fourier, as it is written, into the records of the model; what it names
 * is looked up later by lmb_find_records. */
lmb_status lmb_read_record(lmb_builder *builder, const char *text, lmb_place place,
                           lmb_symbol *symbol);

/* Finds the analyses and channels of all records, once the model is read. */
lmb_status lmb_find_records(lmb_builder *builder);

#endif
