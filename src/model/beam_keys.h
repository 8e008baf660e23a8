/* The keys of a beam, which the reduced body and the exact beam share. */
#ifndef LMB_MODEL_BEAM_KEYS_H
#define LMB_MODEL_BEAM_KEYS_H

#include "model/fields.h"
#include "model/flexible_part.h"

typedef struct lmb_beam_keys {
    lmb_value from, to, elements, order;
    const lmb_tree *along, *arc, *helix, *section, *material, *stiffness, *mass, *stations;
    vec3 y_axis;
    bool smooth;
    int deformation; /* 1: large */
} lmb_beam_keys;

/* The kind of a section (a number in lmb_section_types) and its sizes. */
typedef struct lmb_section_given {
    int kind;
    lmb_section_keys sizes; /* those of `constants` with the missing ones filled in */
} lmb_section_given;

/* Whether the key `beam` asks for large deformations; other mistakes in it are reported, too. */
lmb_status lmb_beam_is_exact(lmb_reader *reader, const lmb_tree *beam, bool *exact);

/* Reads the keys of a beam; what belongs to the other deformation is refused. */
lmb_status lmb_read_beam_keys(lmb_reader *reader, lmb_flexible_part *part, const lmb_tree *node,
                              lmb_beam_keys *out);

/* Says that it needs a key. */
lmb_status lmb_beam_lacks(lmb_reader *reader, const lmb_tree *node, const char *key);

/* The points of a beam, of `from` and `to` or `along`, and the number of its elements, into the
 * line of the part. */
lmb_status lmb_part_read_line(lmb_reader *reader, lmb_flexible_part *part,
                              const lmb_beam_keys *keys);
lmb_status lmb_part_read_elements(lmb_reader *reader, lmb_flexible_part *part,
                                  const lmb_beam_keys *keys);

/* Material and section of a part; the section needs Poisson's ratio of the material. */
lmb_status lmb_part_read_material(lmb_reader *reader, lmb_flexible_part *part,
                                  const lmb_tree *node);
lmb_status lmb_part_read_section(lmb_reader *reader, lmb_flexible_part *part, const lmb_tree *node,
                                 lmb_section_given *given, lmb_section *out);

/* Reads a beam that is to be reduced. */
lmb_status lmb_part_read_beam(lmb_reader *reader, lmb_flexible_part *part, const lmb_tree *node);

#endif
