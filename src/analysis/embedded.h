/* The embedded form: the equations of motion in independent coordinates, without multipliers.
 *
 *   v = B v_i + b,   a = B a_i + c,   Mr a_i = Qr
 *   Mr = B^T M B,    Qr = B^T (Q - M c)
 *
 * The columns of B are the motions in which one independent coordinate moves by one unit and the
 * other ones stand still; b and c are what drivers and velocities add (0 in the independent
 * coordinates). Dense: for mechanisms of up to a few hundred coordinates. */
#ifndef LMB_ANALYSIS_EMBEDDED_H
#define LMB_ANALYSIS_EMBEDDED_H

#include "limber/linear.h"
#include "system/solver.h"

/* The embedded form at the solver's present state: position and velocity are used; the state's own
 * accelerations stay as they are. Independent are the marked coordinates (nv), or if that is NULL
 * the ones that lmb_choose_independent chooses. */
lmb_status lmb_embed(lmb_solver *solver, const bool *independent, lmb_embedded *out);

#endif
