/* What forces along a coordinate share. */
#ifndef LMB_FORCES_ALONG_H
#define LMB_FORCES_ALONG_H

#include "forces/force.h"

/* The data of a force along a coordinate; it comes first in the data of its kind. */
typedef struct lmb_along {
    lmb_product product;
    lmb_coordinate_kind kind;
    double stiffness, damping, rest;
    /* a further effort at a speed, with its derivative by the speed; NULL for none */
    double (*further)(const lmb_force *force, const lmb_force_at *at, double speed,
                      double *by_speed);
} lmb_along;

/* The coordinate, its rate, and the effort: the force or torque that B gets along it. */
typedef struct lmb_effort {
    double coordinate, speed, effort;
} lmb_effort;

lmb_effort lmb_along_effort(const lmb_force *force, const lmb_force_at *at);

void lmb_along_evaluate(const lmb_force *force, const lmb_force_at *at, lmb_frame *on_A,
                        lmb_frame *on_B);
void lmb_along_tangent(const lmb_force *force, const lmb_force_at *at, const lmb_frame *xA,
                       const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB,
                       lmb_frame *on_A, lmb_frame *on_B);

/* Coordinate, speed, effort and power. */
bool lmb_along_channel(const lmb_force *force, int k, lmb_force_channel *out);

/* Finds the coordinate of a joint to act along (of a kind, or -1 for any). */
lmb_status lmb_along_joint(lmb_force_build *build, const lmb_value *joint, const lmb_value *which,
                           int kind, lmb_along *along, const lmb_coordinate **coordinate);

#endif
