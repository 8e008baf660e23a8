/* The discrete Fourier transform of any number of values, and amplitude spectra of records. */
#ifndef LMB_SIGNAL_FFT_H
#define LMB_SIGNAL_FFT_H

#include <stdbool.h>
#include <stddef.h>

/* X_k = sum_j x_j exp(-2 pi i j k / n), in place; real and imaginary parts in two arrays. Powers of
 * two by halving, other n by Bluestein's convolution. False: out of memory. */
bool lmb_fft(size_t n, double *real, double *imaginary);

/* The amplitudes (0 to peak) of a record of n instants that is one period (its last value is the
 * first of the next) over their frequencies, lmb_period_lines(n) of them, without the mean.
 * Instants that are not evenly spaced are interpolated. False: out of memory. */
size_t lmb_period_lines(size_t n);
bool lmb_period_spectrum(size_t n, const double *t, const double *x, double *frequency,
                         double *amplitude);

#endif
