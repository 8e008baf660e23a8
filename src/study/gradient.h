/* Gradients: the objectives of a model and their derivatives by its parameters.
 *
 * They are the derivatives of the numbers that the program computes, not approximations of those of
 * the exact motion:
 *
 *   direct        the changes of the motion with each parameter are integrated along with it, by
 *                 the linearised step (integrate/step_tangent.h)
 *   adjoint       the linearised steps backwards in time, once per objective for all parameters
 *   differences   the analysis is repeated with the neighbouring models (study/neighbours.h), with
 *                 the steps of the first run where the integrator is an implicit one
 *
 * Positions, equilibria, modes and prescribed motions are found to rounding in each neighbour, so
 * that differences are as exact there as anything else. Prescribed motions of flexible bodies are
 * integrated with shorter and shorter steps, to their limit (method.c). The other methods are for
 * dynamics with generalized-alpha, hht, newmark and ali3p; the last of them has an adjoint where
 * its projections do not contain derivatives of forces (integrate/ali3p_tangent.h). */
#ifndef LMB_STUDY_GRADIENT_H
#define LMB_STUDY_GRADIENT_H

#include "limber/gradient.h"
#include "study/neighbours.h"

/* The words for the methods and for what becomes of modes, in the order of their enums, ended by
 * NULL. */
extern const char *const lmb_gradient_methods[], *const lmb_gradient_bases[];

#endif
