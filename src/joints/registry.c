/* All kinds of joints. */
#include "joints/joint.h"

extern const lmb_joint_type lmb_joint_revolute, lmb_joint_translational, lmb_joint_prismatic,
    lmb_joint_fixed, lmb_joint_slot, lmb_joint_inline, lmb_joint_distance, lmb_joint_gear,
    lmb_joint_rack, lmb_joint_spherical, lmb_joint_cylindrical, lmb_joint_screw,
    lmb_joint_universal, lmb_joint_planar, lmb_joint_point_on_plane, lmb_joint_rolling;

const lmb_joint_type *const lmb_joint_types[] = {
    &lmb_joint_revolute,
    &lmb_joint_translational,
    &lmb_joint_prismatic,
    &lmb_joint_fixed,
    &lmb_joint_slot,
    &lmb_joint_inline,
    &lmb_joint_distance,
    &lmb_joint_gear,
    &lmb_joint_rack,
    &lmb_joint_spherical,
    &lmb_joint_universal,
    &lmb_joint_cylindrical,
    &lmb_joint_screw,
    &lmb_joint_planar,
    &lmb_joint_point_on_plane,
    &lmb_joint_rolling,
    NULL,
};
