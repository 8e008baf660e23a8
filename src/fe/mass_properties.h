/* Mass, centre and inertia of a finite element model as a rigid body. */
#ifndef LMB_FE_MASS_PROPERTIES_H
#define LMB_FE_MASS_PROPERTIES_H

#include "base/message.h"
#include "fe/fe_model.h"

typedef struct lmb_mass_properties {
    double mass;
    vec3 centre;
    mat3 inertia; /* about the centre; in the plane about z alone */
} lmb_mass_properties;

/* From the mass matrix and the rigid motions of all degrees of freedom. */
lmb_status lmb_fe_mass_properties(const lmb_fe_model *model, lmb_context *context,
                                  lmb_mass_properties *out);

#endif
