/* One mode fitted to a piece of a frequency response. */
#ifndef LMB_SIGNAL_MODE_FIT_H
#define LMB_SIGNAL_MODE_FIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lmb_fitted_mode {
    double frequency;       /* natural, Hz */
    double damping;         /* ratio to the critical one */
    double real, imaginary; /* the response at that frequency */
    double misfit;          /* rms of what is left over, over the rms of the response */
} lmb_fitted_mode;

/* Fits the mode whose peak is among count >= 4 values of a response at growing frequencies (Hz).
 * decay (1/s) is what an exponential window exp(-decay t) on force and response has added to that
 * of the structure, which is taken off. False: there is no mode to be found. */
bool lmb_mode_fit(size_t count, const double *frequency, const double *real,
                  const double *imaginary, double decay, lmb_fitted_mode *out);

#endif
