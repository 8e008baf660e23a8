/* The linearised mechanism as a linear system for control:
 *
 *   xdot = A x + B u,   z = C x + D u
 *
 * with the states x of analysis/small_motion.h: independent coordinates, their rates, first-order
 * states of bodies. u are forces added to those of the model, z are channels of a dynamic analysis
 * (as changes from their values in the motion itself). Matrices are stored by columns. */
#ifndef LMB_ANALYSIS_STATE_SPACE_H
#define LMB_ANALYSIS_STATE_SPACE_H

#include "analysis/modes.h"
#include "analysis/ports.h"

/* The state space of a small motion, with the inputs and outputs of lmb_ports_new. */
lmb_status lmb_state_space_of(const lmb_small_motion *motion, lmb_solver *solver,
                              const char *const *inputs, const char *const *outputs,
                              lmb_state_space *out);

/* The same about the solver's present state, as seen from the ground. */
lmb_status lmb_find_state_space(lmb_solver *solver, const char *const *inputs,
                                const char *const *outputs, lmb_state_space *out);

/* C (i w - A)^-1 B + D from one input to one output at the angular frequency w; infinite at a
 * resonance without damping. */
lmb_status lmb_state_space_response(const lmb_state_space *space, lmb_context *context, int input,
                                    int output, double w, double *real, double *imaginary);

/* The same of a model of any size, from one input to all outputs, without its matrices. */
lmb_status lmb_sparse_response(const lmb_sparse_motion *motion, lmb_ports *ports, int input,
                               double w, double *real, double *imaginary);

/* Limits that are negative become a tenth of the lowest natural frequency of these modes, and three
 * times the highest one. LMB_USAGE where there is no sweep between the limits. */
lmb_status lmb_frequencies_complete(lmb_frequencies *frequencies, const lmb_mode_list *modes,
                                    lmb_context *context);

/* The response at the angular frequency w. */
typedef lmb_status lmb_transfer(void *user, double w, double *real, double *imaginary);

/* The response at all frequencies, into the arrays of `out`. */
lmb_status lmb_frequencies_run(const lmb_frequencies *frequencies, lmb_context *context,
                               lmb_transfer *transfer, void *user, lmb_response *out);

#endif
