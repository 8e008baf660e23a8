/* Motions for tests: begun, moved on and looked at; what fails fails the test. */
#ifndef TESTS_MOTIONS_H
#define TESTS_MOTIONS_H

#include "analysis/dynamics.h"

/* Begins a motion at t = 0; without what is left out, unless that is NULL. */
lmb_dynamics *start_motion(const lmb_model *model, lmb_integration options);
lmb_dynamics *start_without(const lmb_model *model, const lmb_selection *without,
                            lmb_integration options);

/* Moves on to a time; the state is there. */
const lmb_state *advance(lmb_dynamics *motion, double t);
void finish(lmb_dynamics *motion, lmb_model *model);

/* A model assembled and in its static equilibrium. */
lmb_solver *at_rest(const lmb_model *model);

/* A body, a point in global axes. */
const lmb_body_at *body(const lmb_solver *solver, const char *name);
vec3 point(const lmb_solver *solver, const char *name);

/* The energy that is there, and that plus what was lost less what came from outside, which stays
 * the same. */
double energy(const lmb_dynamics *motion);
double account(const lmb_dynamics *motion);

/* The largest |x - y|; NaN if one of them is. */
double distance(const double *x, const double *y, int n);

#endif
