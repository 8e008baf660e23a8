/* Modes: the small motions of a mechanism about a state, each with an eigenvalue s of A
 * (analysis/small_motion.h): proportional to exp(s t). The structs are those of limber/linear.h;
 * names of coordinates are added there. */
#ifndef LMB_ANALYSIS_MODES_H
#define LMB_ANALYSIS_MODES_H

#include "analysis/small_motion.h"
#include "analysis/sparse_motion.h"
#include "limber/linear.h"

/* The modes of a small motion, and those about the solver's present state (a and lambda are used)
 * as seen from the ground. */
lmb_status lmb_modes_of(const lmb_small_motion *motion, lmb_context *context, lmb_mode_list *out);
lmb_status lmb_find_modes(lmb_solver *solver, lmb_mode_list *out);

/* What an eigenvalue says of a mode; without its shape. */
lmb_mode lmb_mode_of(double real, double imaginary, bool rigid);

/* The lowest modes of models of any size about an equilibrium that is one of a potential; and
 * whether the present state is one: at rest, without rolling, first-order states and forces that
 * have no potential, and with damping in proportion to mass and stiffness, if any. */
lmb_status lmb_find_lowest_modes(lmb_solver *solver, int count, lmb_mode_list *out);
bool lmb_modes_are_symmetric(lmb_solver *solver);

/* The lowest `count` modes of a small motion of a model of any size. */
lmb_status lmb_sparse_modes(const lmb_sparse_motion *motion, int count, lmb_mode_list *out);

/* The lowest `count` modes about the solver's present state as an observer sees them, or for 0 all
 * of them: of models of more than LMB_MODES_DENSE coordinates LMB_MODES_LARGE. */
enum { LMB_MODES_DENSE = 400, LMB_MODES_LARGE = 20 };
lmb_status lmb_find_some_modes(lmb_solver *solver, int observer, int count, lmb_mode_list *out);

/* Which of the nv coordinates moves most in a mode. */
int lmb_mode_largest(const lmb_mode *mode, int nv);

#endif
