/* The reader of a whole model: names of its items, the model under construction, and its sections,
 * read one after the other. */
#ifndef LMB_MODEL_BUILDER_H
#define LMB_MODEL_BUILDER_H

#include "fe/mesh.h"
#include "import/selection_keys.h"
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
    lmb_model *model;       /* its bodies, points and joints can be referred to */
    lmb_names items;        /* bodies, joints and so on by name; the kind is an lmb_item_kind */
    lmb_names points;       /* "body.point" */
    lmb_names analyses;     /* by name */
    const lmb_tree *forces; /* their section, while it is read */
    int first_input;        /* the inputs of the force that is read start here */
    lmb_names parts;        /* flexible bodies that were reduced so far, by what they are made of */
    const struct lmb_body_data **reduced; /* part_count: their data */
    int part_count;
    bool bodiless; /* a rotor, which may do without bodies */
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

/* Return the number of an analysis read so far. If there is none, return -1 and set *nearest. */
int lmb_find_analysis(const lmb_builder *builder, const char *name, lmb_nearest *nearest);

/* Says that there is no joint, or no body, of a name. */
lmb_status lmb_fail_body(lmb_builder *builder, lmb_place place, const char *name);
lmb_status lmb_fail_joint(lmb_builder *builder, lmb_place place, const char *name);

/* Reads a call of record or fourier, as it is written, into the records of the model; what it names
 * is looked up later by lmb_find_records. */
lmb_status lmb_read_record(lmb_builder *builder, const char *text, lmb_place place,
                           lmb_symbol *symbol);

/* Finds the analyses and channels of all records, once the model is read. */
lmb_status lmb_find_records(lmb_builder *builder);

/* --- sections --------------------------------------------------------------------------------- */

/* What must be known before any section: parameters, repeated entries, tables, the dimension.
 * *root becomes the tree with repeated entries written out. */
lmb_status lmb_read_head(lmb_reader *reader, const lmb_tree **root);

/* Reads the section `tables`. */
lmb_status lmb_read_tables(lmb_reader *reader, const lmb_tree *section);

/* A material: its name, or a map of its numbers, which is then called so in messages. */
lmb_status lmb_read_material(lmb_reader *reader, const lmb_tree *node, const char *name,
                             lmb_material *out);

/* Each reads a section (NULL if the file has none) into the model. */
lmb_status lmb_read_bodies(lmb_builder *builder, const lmb_tree *section, const lmb_tree *ground);
lmb_status lmb_read_joints(lmb_builder *builder, const lmb_tree *section);
lmb_status lmb_read_drivers(lmb_builder *builder, const lmb_tree *section);
lmb_status lmb_read_forces(lmb_builder *builder, const lmb_tree *section);
lmb_status lmb_read_sensors(lmb_builder *builder, const lmb_tree *section);
lmb_status lmb_read_events(lmb_builder *builder, const lmb_tree *section);
lmb_status lmb_read_initial(lmb_builder *builder, const lmb_tree *section);

/* The objectives, once the analyses are known; and whether their expressions fit the channels, once
 * the model is indexed: `known`, if it is known that they do. */
lmb_status lmb_read_objectives(lmb_builder *builder, const lmb_tree *section);
lmb_status lmb_check_objectives(lmb_builder *builder, bool known);

/* In a variant: the body of a number in the base if it, or what it is made of, is the same; NULL:
 * it is not, or its modes are to be those of another model than it was read with. And its points
 * and probes, added to the model. */
const lmb_body *lmb_kept_body(const lmb_builder *builder, const lmb_memo_item *items, int index);
lmb_status lmb_take_points(lmb_builder *builder, int index);

/* The studies, once the objectives are known. */
lmb_status lmb_read_studies(lmb_builder *builder, const lmb_tree *section);

/* The patches of a flexible body become further points of its constants. */
lmb_status lmb_read_patches(lmb_builder *builder, int body, const lmb_tree *section);

/* Whether an end has axes that a joint, bushing or torque can take hold of; patches have none. */
lmb_status lmb_check_held(lmb_builder *builder, const lmb_end *end, lmb_place place,
                          const char *what);
/* The section `rotor`, into the model. */
lmb_status lmb_read_rotor(lmb_reader *reader, const lmb_tree *section, lmb_model *model);

/* The probes of a flexible body, once its points are there. */
lmb_status lmb_read_probes(lmb_builder *builder, int body, const lmb_tree *section);

/* Whether a flexible body keeps no modes: it has neither stresses nor strains. */
bool lmb_is_made_rigid(const lmb_body *body);

/* Where something is on a flexible body: at a node, at the node of a place, or at several nodes;
 * on an exact beam or the member of a framework at a part of its length. */
typedef struct lmb_place_keys {
    lmb_value node, at, nodes, member, side, fraction, arc_length;
    lmb_selection_keys selection;
} lmb_place_keys;

/* The words of 'side'. */
enum { LMB_SIDE_MEAN, LMB_SIDE_BEFORE, LMB_SIDE_AFTER };
#define LMB_SIDES "mean before after"

/* The node of a reduced body that the key `node` gives, by number or name. */
lmb_status lmb_body_node(lmb_reader *reader, const char *body, const struct lmb_body_data *data,
                         const lmb_value *node, int *out);

/* Return how many of the keys that select nodes are given. */
int lmb_place_ways(const lmb_place_keys *keys);

/* Mark the nodes of a place in `wanted`. Sets *out if the place is a single node. */
lmb_status lmb_mark_place(lmb_reader *reader, const char *body, const struct lmb_body_data *data,
                          const lmb_place_keys *keys, bool *wanted, int *out);

/* How many members of a framework go through a node. */
int lmb_members_at(const struct lmb_body_data *data, int node);

/* The ends of the elements of a member at a place: those of all where none is given, if `several`.
 */
lmb_status lmb_find_member_probe(lmb_builder *builder, int body, const lmb_place_keys *keys,
                                 bool several, lmb_place place, lmb_probe *out);

/* The places of a probe; `several`: it may be that of several nodes. */
lmb_status lmb_find_probe(lmb_builder *builder, int body, const lmb_place_keys *keys, bool several,
                          lmb_place place, lmb_probe *out);

/* Adds a probe to the model; NULL: out of memory. */
lmb_probe *lmb_add_probe(lmb_builder *builder, const lmb_probe *probe);

/* `complete`: all other parts were read without a mistake, so that their names are known. */
lmb_status lmb_read_analyses(lmb_builder *builder, const lmb_tree *section, bool complete);

/* Finds the columns of the coordinates that analyses name as independent, once the model is
 * indexed.
 */
lmb_status lmb_find_independent(lmb_builder *builder, const lmb_tree *analyses);

/* A list of joints, drivers and forces under a key; that of `without` may have events too. */
lmb_status lmb_read_selection(lmb_builder *builder, const lmb_tree *node, const char *key,
                              lmb_selection *out);

/* What events latch must be off before, in all analyses that have them. */
lmb_status lmb_check_latches(lmb_builder *builder);

/* The two ends of a joint or spring. */
lmb_status lmb_read_ends(lmb_builder *builder, const lmb_tree *node, const char *what,
                         lmb_end ends[2]);

/* The coordinate of a named joint that a driver or force is for: of a kind (-1 for any) and, where
 * `which` is given, of that name. */
lmb_status lmb_find_coordinate(lmb_builder *builder, const lmb_value *name, const lmb_value *which,
                               int kind, int *joint, int *coordinate);

#endif
