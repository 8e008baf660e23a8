/* Keys of the model file that select nodes of a mesh by geometry. */
#ifndef LMB_IMPORT_SELECTION_KEYS_H
#define LMB_IMPORT_SELECTION_KEYS_H

#include "fe/selection.h"
#include "read/reader.h"

typedef struct lmb_selection_keys {
    lmb_value cylinder, plane, box, faces, tolerance;
} lmb_selection_keys;

/* Fields that fill the member `selection` of a struct */
#define LMB_SELECTION_KEY(type, key) #key, LMB_AT(type, selection.key)
/* clang-format off */
#define LMB_SELECTION_FIELDS(type)                                                                 \
    {LMB_SELECTION_KEY(type, cylinder), LMB_FIELD_TREE, NULL, "Instead: the nodes on a cylinder.", \
     .dimension = 3, .choices = "select_cylinder"},                                                \
    {LMB_SELECTION_KEY(type, plane), LMB_FIELD_TREE, NULL, "Instead: the nodes in a plane.",       \
     .dimension = 3, .choices = "select_plane"},                                                   \
    {LMB_SELECTION_KEY(type, box), LMB_FIELD_TREE, NULL, "Instead: the nodes in a box.",           \
     .dimension = 3, .choices = "select_box"},                                                     \
    {LMB_SELECTION_KEY(type, faces), LMB_FIELD_TREE, NULL,                                         \
     "Instead: the nodes of outer faces of a direction. With several of cylinder, plane, box and " \
     "faces a node must be in all.",                                                               \
     .dimension = 3, .choices = "select_faces"},                                                   \
    {LMB_SELECTION_KEY(type, tolerance), LMB_FIELD_NUMBER, "m",                                    \
     "How far nodes may be from cylinder, plane and box.", "1e-3 of the size of the part",         \
     LMB_POSITIVE, .dimension = 3}
/* clang-format on */

extern const lmb_field lmb_select_cylinder_fields[], lmb_select_plane_fields[],
    lmb_select_box_fields[], lmb_select_faces_fields[];

/* lmb_has_selection returns true if nodes are selected. lmb_check_selection fails if only the
 * tolerance is given. */
bool lmb_has_selection(const lmb_selection_keys *keys);
lmb_status lmb_check_selection(lmb_context *context, const lmb_selection_keys *keys);

/* Read a selection. Messages refer to it by `name`. */
lmb_status lmb_read_node_selection(lmb_reader *reader, const lmb_selection_keys *keys,
                                   const char *name, lmb_node_selection *out);

/* Return all numbers of a selection as text, in the arena. */
const char *lmb_selection_text(lmb_arena *arena, const lmb_node_selection *selection);

#endif
