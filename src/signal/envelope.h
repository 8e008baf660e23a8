/* Envelopes of bands of frequencies of records. */
#ifndef LMB_SIGNAL_ENVELOPE_H
#define LMB_SIGNAL_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>

/* A record prepared for looking at bands of it: its transform, with the mean taken off and both
 * ends faded in and out over `faded` values, so that there is no step between end and beginning. */
typedef struct lmb_bands {
    size_t n, faded;
    double rate;
    double *re, *im; /* n each */
} lmb_bands;

bool lmb_bands_start(lmb_bands *out, size_t n, const double *x, double rate);
void lmb_bands_free(lmb_bands *bands);

/* The square of the envelope of the band from .. to (Hz), at *count instants with *rate of them a
 * second; without the faded ends. Free it. NULL: out of memory, or the band has no frequencies. */
double *lmb_bands_power(const lmb_bands *bands, double from, double to, size_t *count,
                        double *rate);

/* The bands that are tried: [0, rate / 2] cut into 2, 3, 4, 6, 8, 12 and 16 parts as far as they
 * are at least `narrowest` wide, without the lowest of each. False when there is no band of this
 * number. */
bool lmb_bands_candidate(const lmb_bands *bands, double narrowest, int number, double *from,
                         double *to);

/* The spectral kurtosis of a band from the square of its envelope: 0 for noise, positive where
 * there are impacts, -1 for a sine. */
double lmb_spectral_kurtosis(size_t count, const double *power);

/* The candidate with the most impacts: the spectral kurtosis in units of its scatter for noise is
 * largest. */
bool lmb_bands_choose(const lmb_bands *bands, double narrowest, double *from, double *to);

#endif
