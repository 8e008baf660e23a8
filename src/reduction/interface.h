/* Interface points: where joints and forces take hold of a flexible body.
 *
 * A point moves and turns like a node that has rotations, or is tied to nodes around it: by a rigid
 * spider, which makes them move with it as one piece, or as their weighted average, which leaves
 * them free to deform. */
#ifndef LMB_REDUCTION_INTERFACE_H
#define LMB_REDUCTION_INTERFACE_H

#include "base/message.h"
#include "fe/fe_model.h"
#include "fe/node_group.h"

typedef enum lmb_tie { LMB_TIE_NODE, LMB_TIE_RIGID, LMB_TIE_AVERAGE } lmb_tie;

typedef struct lmb_interface {
    const char *name;
    vec3 position;
    lmb_tie tie;
    int *nodes; /* LMB_TIE_NODE: one */
    int count;
} lmb_interface;

/* Place a tied point at the middle of the cylinder fitted to its nodes, else at the centre of their
 * faces. */
lmb_status lmb_interface_place(lmb_interface *point, lmb_context *context,
                               const lmb_selectable *nodes);

/* Motions that a point has: 6 in space; x, y and the rotation about z in the plane. */
int lmb_interface_motions(int dimension);

/* The direction (LMB_UX ...) of the k-th of them. */
int lmb_interface_direction(int dimension, int k);

/* Whether the points can be what they are said to be: nodes with degrees of freedom, enough of them
 * not on one line, and none in two spiders. */
lmb_status lmb_interfaces_check(const lmb_fe_model *model, const lmb_interface *points, int count,
                                lmb_context *context);

/* --- rigid motions ---------------------------------------------------------------------------- */

/* Fills u (n) with a translation along the axis `direction` (LMB_UX ...), or a rotation about it
 * through a point. */
void lmb_rigid_motion(const lmb_fe_model *model, int direction, vec3 about, double *u);

/* Return the displacement or rotation in the direction `to` that a unit rigid motion causes at an
 * arm from its centre. */
double lmb_rigid_motion_at(int direction, vec3 arm, int to);

/* Compute the motions of interface points under all rigid motions, `stride` numbers apart. */
void lmb_rigid_motions_of(const lmb_interface *points, int count, int dimension, vec3 about,
                          size_t stride, double *out);

/* The mass, its centre, and the inertia about the centre. */
lmb_status lmb_mass_properties_of(const lmb_fe_model *model, lmb_context *context, double *mass,
                                  vec3 *centre, mat3 *inertia);

/* Rigid motions must meet no stiffness; if they do, the model is held somewhere, and the message
 * says where. */
lmb_status lmb_check_unheld(const lmb_fe_model *model, lmb_context *context);

#endif
