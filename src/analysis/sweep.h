/* The steady response of a linear system to an input that oscillates, over frequency. */
#ifndef LMB_ANALYSIS_SWEEP_H
#define LMB_ANALYSIS_SWEEP_H

#include "analysis/state_space.h"

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
