/* Channels that are recovered from the deformation of flexible bodies, and instruments: stresses,
 * section forces, loads on interface points, accelerometers, strain gauges, rosettes. */
#ifndef LMB_CHANNELS_RECOVERY_H
#define LMB_CHANNELS_RECOVERY_H

#include "channels/stress_state.h"
#include "system/equations.h"
#include "limber/result.h"

/* What all joints, drivers and forces that take hold of a point exert on it together: a force and a
 * moment about the point, in the axes of the body frame. */
typedef struct lmb_interface_load {
    vec3 force, torque;
} lmb_interface_load;

typedef struct lmb_recovery {
    const lmb_model *model;
    lmb_stress_state **stress; /* body_count: NULL for those without stresses */
    lmb_interface_load *loads; /* point_count */
    bool loads_known;          /* at this instant */
    double **strained;         /* body_count: room for the coordinates of strains */
    double **inertia;          /* body_count: accelerations of those with beams, else NULL */
    bool *inertia_known;       /* body_count: at this instant */
} lmb_recovery;

/* What the channels of an analysis need. Lives in the arena; NULL: out of memory. */
lmb_recovery *lmb_recovery_new(lmb_arena *arena, const lmb_model *model, unsigned known);

/* A new instant begins: what was kept of the last one is not asked for again. */
void lmb_recovery_next(lmb_recovery *recovery);

#endif
