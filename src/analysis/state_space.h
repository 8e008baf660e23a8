/* The linearised mechanism as a linear system for control:
 *
 *   xdot = A x + B u,   z = C x + D u,   x = (y, y')
 *
 * with the free directions d = N y of analysis/linearise.h. u are forces added to those of the
 * model, z are channels of a dynamic analysis (as changes from their values at rest). Matrices are
 * stored by columns. */
#ifndef LMB_ANALYSIS_STATE_SPACE_H
#define LMB_ANALYSIS_STATE_SPACE_H

#include "analysis/linearise.h"

typedef struct lmb_state_space {
    int states, inputs, outputs, n, free; /* states = 2 free; n coordinates */
    double *A, *B, *C, *D;
    double *N; /* n x free */
    char **state_names, **input_names, **output_names;
    lmb_arena *arena; /* owns all of these */
} lmb_state_space;

/* Linearises about the solver's present state, at rest there or in equilibrium (a and lambda are
 * used). Inputs are names of forces (with the component of a vector behind a dot; without it all
 * are meant), outputs those of channels; lists are ended by NULL. A list that is NULL itself means
 * all motors, forces and torques, or positions, angles and velocities of all bodies. */
lmb_status lmb_find_state_space(lmb_solver *solver, char *const *inputs, char *const *outputs,
                                lmb_state_space *out);
void lmb_state_space_free(lmb_state_space *space);

/* C (i w - A)^-1 B + D from one input to one output at the angular frequency w; infinite at a
 * resonance without damping. */
lmb_status lmb_response(const lmb_state_space *space, lmb_context *context, int input, int output,
                        double w, double *real, double *imaginary);

/* The steady response to an input that oscillates, over frequency. */
typedef struct lmb_sweep {
    double from, to; /* Hz; negative: by the modes, see below */
    int points;
    bool linear; /* equal steps, not equal ratios */
} lmb_sweep;

/* Limits that are negative become a tenth of the lowest natural frequency at the solver's present
 * state, and three times the highest one. LMB_USAGE where there is no sweep between the limits. */
lmb_status lmb_sweep_complete(lmb_sweep *sweep, lmb_solver *solver, lmb_context *context);

/* Frequencies (Hz), amplitudes (first output over first input) and phases (degrees, -180 .. 180),
 * as many as there are points. */
lmb_status lmb_sweep_run(const lmb_sweep *sweep, const lmb_state_space *space, lmb_context *context,
                         double *frequency, double *amplitude, double *phase);

#endif
