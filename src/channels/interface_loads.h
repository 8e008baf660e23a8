/* The loads on the interface points of flexible bodies: what all joints, drivers and forces that
 * take hold of a point exert on it together. */
#ifndef LMB_CHANNELS_INTERFACE_LOADS_H
#define LMB_CHANNELS_INTERFACE_LOADS_H

#include "system/equations.h"

/* A force and a moment about the point, in the axes of the body frame. */
typedef struct lmb_interface_load {
    vec3 force, torque;
} lmb_interface_load;

/* Finds the loads on all points of a model (point_count); zero at points of other bodies. The state
 * has been solved. */
void lmb_interface_loads(const lmb_state *state, lmb_interface_load *loads);

#endif
