/* Rigid motions of a finite element model, and the mass that they show. */
#ifndef LMB_REDUCTION_RIGID_H
#define LMB_REDUCTION_RIGID_H

#include "base/message.h"
#include "fe/fe_model.h"

/* Fills u (n) with a translation along the axis `direction` (LMB_UX ...), or a rotation about it
 * through a point. */
void lmb_rigid_motion(const lmb_fe_model *model, int direction, vec3 about, double *u);

/* The mass, its centre, and the inertia about the centre. */
lmb_status lmb_mass_properties_of(const lmb_fe_model *model, lmb_context *context, double *mass,
                                  vec3 *centre, mat3 *inertia);

/* Rigid motions must meet no stiffness; if they do, the model is held somewhere, and the message
 * says where. */
lmb_status lmb_check_unheld(const lmb_fe_model *model, lmb_context *context);

#endif
