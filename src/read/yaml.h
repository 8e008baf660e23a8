/* YAML (and so JSON) into a tree of nodes. */
#ifndef LMB_READ_YAML_H
#define LMB_READ_YAML_H

#include "read/tree.h"

/* Reads the first document of a text. `text` and `name` must outlive the tree. Mistakes in the YAML
 * itself, duplicate keys among them, are reported with their places. */
lmb_status lmb_yaml_parse(lmb_tree **out, lmb_context *context, lmb_arena *arena, const char *name,
                          const char *text);

#endif
