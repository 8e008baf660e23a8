/* All kinds of forces. */
#include "forces/force.h"

extern const lmb_force_type lmb_force_spring, lmb_force_torsion, lmb_force_motor, lmb_force_applied,
    lmb_torque_applied, lmb_line_force, lmb_line_torque, lmb_force_bushing, lmb_force_friction,
    lmb_force_unbalance;

const lmb_force_type *const lmb_force_types[] = {
    &lmb_force_spring,
    &lmb_force_torsion,
    &lmb_force_motor,
    &lmb_force_applied,
    &lmb_torque_applied,
    &lmb_line_force,
    &lmb_line_torque,
    &lmb_force_bushing,
    &lmb_force_friction,
    &lmb_force_unbalance,
    NULL,
};
