/* The numbers of channels: one function a kind. */
#ifndef LMB_CHANNELS_CHANNEL_VALUES_H
#define LMB_CHANNELS_CHANNEL_VALUES_H

#include "system/equations.h"

/* Computes a channel of item number `index` of its kind: body, marker, joint, driver, coordinate or
 * force. */
typedef void lmb_getter(const lmb_state *state, int index, double *out);

/* Stores a vector, or one of turning: all of it in space; x and y, or z, in the plane. */
void lmb_put_vector(const lmb_state *state, vec3 v, double *out);
void lmb_put_turn(const lmb_state *state, vec3 v, double *out);

/* points and bodies */
lmb_getter lmb_get_marker_position, lmb_get_marker_velocity, lmb_get_marker_acceleration,
    lmb_get_body_angle, lmb_get_body_quaternion, lmb_get_body_rotation,
    lmb_get_body_angular_velocity, lmb_get_body_angular_velocity_local,
    lmb_get_body_angular_acceleration, lmb_get_body_angular_acceleration_local;
/* flexible bodies */
lmb_getter lmb_get_modes, lmb_get_modes_velocity, lmb_get_modes_acceleration, lmb_get_body_elastic;
/* joints */
lmb_getter lmb_get_coordinate, lmb_get_coordinate_velocity, lmb_get_coordinate_acceleration,
    lmb_get_joint_force, lmb_get_joint_force_local, lmb_get_joint_force_total, lmb_get_joint_torque,
    lmb_get_joint_torque_local, lmb_get_joint_torque_total;
/* drivers */
lmb_getter lmb_get_driver_value, lmb_get_driver_velocity, lmb_get_driver_acceleration,
    lmb_get_driver_effort, lmb_get_driver_power;
/* forces */

/* Channel number index % LMB_FORCE_CHANNELS of force number index / LMB_FORCE_CHANNELS. */
enum { LMB_FORCE_CHANNELS = 16 };
lmb_getter lmb_get_force;

/* the whole */
lmb_getter lmb_get_energy_kinetic, lmb_get_energy_potential, lmb_get_energy_elastic,
    lmb_get_energy_total, lmb_get_energy_supplied, lmb_get_energy_dissipated,
    lmb_get_energy_balance, lmb_get_constraint_position, lmb_get_constraint_velocity;
/* events */
lmb_getter lmb_get_event_count, lmb_get_event_time;

#endif
