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

typedef struct lmb_state_space {
    int states, inputs, outputs;
    int n, free; /* coordinates; how many of the states are positions */
    double *A, *B, *C, *D;
    double *N; /* n x free: how the coordinates move with them */
    char **state_names, **input_names, **output_names;
    lmb_arena *arena; /* owns all of these */
} lmb_state_space;

/* The state space of a small motion, with the inputs and outputs of lmb_ports_new. */
lmb_status lmb_state_space_of(const lmb_small_motion *motion, lmb_solver *solver,
                              char *const *inputs, char *const *outputs, lmb_state_space *out);

/* The same about the solver's present state, as seen from the ground. */
lmb_status lmb_find_state_space(lmb_solver *solver, char *const *inputs, char *const *outputs,
                                lmb_state_space *out);
void lmb_state_space_free(lmb_state_space *space);

/* C (i w - A)^-1 B + D from one input to one output at the angular frequency w; infinite at a
 * resonance without damping. */
lmb_status lmb_response(const lmb_state_space *space, lmb_context *context, int input, int output,
                        double w, double *real, double *imaginary);

/* The same of a model of any size, from one input to all outputs, without its matrices. */
lmb_status lmb_sparse_response(const lmb_sparse_motion *motion, lmb_ports *ports, int input,
                               double w, double *real, double *imaginary);

/* The steady response to an input that oscillates, over frequency. */
typedef struct lmb_sweep {
    double from, to; /* Hz; negative: by the modes, see below */
    int points;
    bool linear; /* equal steps, not equal ratios */
} lmb_sweep;

/* Limits that are negative become a tenth of the lowest natural frequency of these modes, and three
 * times the highest one. LMB_USAGE where there is no sweep between the limits. */
lmb_status lmb_sweep_complete(lmb_sweep *sweep, const lmb_mode_list *modes, lmb_context *context);

/* The response at the angular frequency w. */
typedef lmb_status lmb_transfer(void *user, double w, double *real, double *imaginary);

/* Frequencies (Hz), amplitudes (output over input) and phases (degrees, -180 .. 180), as many as
 * there are points. */
lmb_status lmb_sweep_run(const lmb_sweep *sweep, lmb_transfer *transfer, void *user,
                         double *frequency, double *amplitude, double *phase);

#endif
