/* What forces along a coordinate share. */
#ifndef LMB_FORCES_ALONG_H
#define LMB_FORCES_ALONG_H

#include "forces/force.h"

void lmb_along_evaluate(const lmb_force *force, const lmb_force_at *at, lmb_frame *on_A,
                        lmb_frame *on_B);
void lmb_along_tangent(const lmb_force *force, const lmb_force_at *at, const lmb_frame *xA,
                       const lmb_frame *xB, const lmb_frame *vA, const lmb_frame *vB,
                       lmb_frame *on_A, lmb_frame *on_B);

/* The effort of dry friction at a speed, with its derivative by the speed. */
double lmb_dry_friction(const lmb_force *force, const lmb_force_at *at, double speed,
                        double *by_speed);

#endif
