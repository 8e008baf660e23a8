/* Whether the matrix of a small motion stays the same along the motion that it is about. */
#ifndef LMB_ANALYSIS_STEADINESS_H
#define LMB_ANALYSIS_STEADINESS_H

#include "analysis/small_motion.h"
#include "analysis/sparse_motion.h"
#include "limber/linear.h"

/* Looks at the motion from the solver's present state on, which stays as it is: integrates it for a
 * short time, and over a turn of what turns at constant speed, and compares the matrices. The
 * period is set for LMB_PERIODIC. */
lmb_status lmb_find_steadiness(lmb_solver *solver, const lmb_small_motion *motion,
                               lmb_steadiness *out, double *period);

/* The same for a small motion of a model of any size: the motion goes on for a very short time, and
 * the solutions of (A - s) x = r for some r are compared. Whether it is periodic is not found out.
 */
lmb_status lmb_find_sparse_steadiness(lmb_solver *solver, const lmb_sparse_motion *motion,
                                      lmb_steadiness *out);

/* Goes from the solver's present state to the steady motion near it: position, velocity, a, lambda
 * and z, in which nothing moves as the coordinates of small motions see it. LMB_SOLVER if there is
 * none, or something can drift. */
lmb_status lmb_find_steady_motion(lmb_solver *solver, int observer);

/* What it is about, as in "the modes are about ..."; cut to the size of the buffer. */
void lmb_steadiness_text(lmb_steadiness steadiness, double t, double period, char *buffer,
                         size_t size);

#endif
