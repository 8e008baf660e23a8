/* Reading the key `framework` of a flexible body. */
#ifndef LMB_MODEL_FRAMEWORK_READ_H
#define LMB_MODEL_FRAMEWORK_READ_H

#include "fe/framework.h"
#include "model/flexible_part.h"

/* Reads nodes and members, and checks what they make. */
lmb_status lmb_part_read_framework(lmb_reader *reader, lmb_flexible_part *part,
                                   const lmb_tree *node);

/* The nodes that a member runs along, as the file has them. */
const lmb_tree *lmb_member_nodes(const lmb_tree *member);

/* Refuses spans without length, spans that are there twice, sections whose y axis is along them,
 * nodes without members and parts that do not hang together; warns of nodes that lie on a member
 * which does not go through them. `nodes` and `members` are those of the file, for the places of
 * messages. */
lmb_status lmb_framework_check(lmb_context *context, const lmb_framework *framework,
                               const lmb_tree *nodes, const lmb_tree *members);

#endif
