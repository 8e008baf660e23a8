/* All kinds of forces. */
#include "forces/force.h"

const lmb_force_type *const lmb_force_types[] = {
    &lmb_force_spring,   &lmb_force_torsion,   &lmb_force_motor,
    &lmb_force_push,     &lmb_force_twist,     &lmb_force_bushing,
    &lmb_force_friction, &lmb_force_unbalance, NULL,
};
