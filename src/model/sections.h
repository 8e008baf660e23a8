/* The sections of a model file, read one after the other. */
#ifndef LMB_MODEL_SECTIONS_H
#define LMB_MODEL_SECTIONS_H

#include "fe/mesh.h"
#include "model/builder.h"

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

/* The patches of a flexible body become further points of its constants. */
lmb_status lmb_read_patches(lmb_builder *builder, int body, const lmb_tree *section);

/* Whether an end has axes that a joint, bushing or torque can take hold of; patches have none. */
lmb_status lmb_check_held(lmb_builder *builder, const lmb_end *end, lmb_place place,
                          const char *what);
/* The section `rotor`, into the model. */
lmb_status lmb_read_rotor(lmb_reader *reader, const lmb_tree *section, lmb_model *model);

/* The probes of a flexible body, once its points are there. */
lmb_status lmb_read_probes(lmb_builder *builder, int body, const lmb_tree *section);

/* The places of a probe: at a node, at the node of a place, or (unless NULL) of several nodes. */
lmb_status lmb_find_probe(lmb_builder *builder, int body, const lmb_value *node,
                          const lmb_value *at, const lmb_value *nodes, lmb_place place,
                          lmb_probe *out);

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
