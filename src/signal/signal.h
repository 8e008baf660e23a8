/* Records of vibrations: windows, averaged spectra, frequency responses, integration, instants,
 * envelopes. */
#ifndef LMB_SIGNAL_SIGNAL_H
#define LMB_SIGNAL_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef enum lmb_window_kind {
    LMB_WINDOW_RECTANGULAR,
    LMB_WINDOW_HANN,
    LMB_WINDOW_HAMMING,
    LMB_WINDOW_BLACKMAN,
    LMB_WINDOW_FLATTOP, /* wide, but amplitudes between two bins are right to 0.1 % */
    LMB_WINDOWS
} lmb_window_kind;

extern const char *const lmb_window_names[LMB_WINDOWS];

/* w_j, j = 0 .. n - 1, as a period of a window: w_n would be w_0. */
void lmb_window_fill(lmb_window_kind window, size_t n, double *w);

/* How a record is cut into segments that overlap, whose spectra are averaged. */
typedef struct lmb_welch {
    double rate;    /* values a second */
    size_t segment; /* values of a segment */
    double overlap; /* part of a segment that the next one shares, 0 .. 0.95 */
    lmb_window_kind window;
} lmb_welch;

/* The number of segments in n values, where the one of a number begins, the number of frequencies
 * k rate / segment, and how many segments without overlap they are worth for averaging. */
size_t lmb_welch_count(const lmb_welch *welch, size_t n);
size_t lmb_welch_start(const lmb_welch *welch, size_t number);
size_t lmb_welch_bins(const lmb_welch *welch);
double lmb_welch_worth(const lmb_welch *welch, size_t n);

/* The one-sided power density of n real values, in their unit squared per Hz, bins values; the mean
 * of each segment is taken off. False: out of memory. The sum of density times rate / segment is
 * the mean square. */
bool lmb_welch_density(const lmb_welch *welch, size_t n, const double *x, double *density);

/* Amplitudes (0 to peak) of sines that have such densities. */
void lmb_welch_amplitudes(const lmb_welch *welch, const double *density, double *amplitude);

/* Frequency and amplitude of the sine whose largest bin is k, from the bins beside it: exact for
 * one sine far from other lines and from the ends of the spectrum, with every window. */
void lmb_welch_peak(const lmb_welch *welch, const double *amplitude, size_t k, double *frequency,
                    double *height);

/* The frequency response from x to y, sum of conj(X) Y over sum of |X|^2 (H1: noise on y is
 * averaged away), and the coherence, 0 .. 1. */
bool lmb_welch_response(const lmb_welch *welch, size_t n, const double *x, const double *y,
                        double *real, double *imaginary, double *coherence);

/* Integrates a record once or twice in place, without frequencies below high_pass (Hz): the gain of
 * the filter is g = r^8 / (1 + r^8) with r = f / high_pass, without phase, one half at r = 1.
 * Values nearer than about 3 / high_pass to the ends of the record are not to be trusted. */
bool lmb_integrate(size_t n, double *x, double rate, int times, double high_pass);

/* What a record has between two frequencies (Hz), integrated so often (0 .. 2), in place: the power
 * that is left is 1 / ((1 + (from / f)^32) (1 + (f / to)^32)), without phase (to = INFINITY: as
 * above). Values nearer than
 * about 3 / from to the ends of the record are not to be trusted. */
bool lmb_band_pass(size_t n, double *x, double rate, double from, double to, int times);

/* The value that a part of all (0 .. 1) does not exceed, in order of size; NAN: out of memory. */
double lmb_quantile(size_t n, const double *x, double part);

/* Mean, root mean square and largest size without the mean, and the kurtosis (3 for noise). */
typedef struct lmb_statistics {
    double mean, rms, peak, kurtosis;
} lmb_statistics;

lmb_statistics lmb_signal_statistics(size_t n, const double *x);

/* An evenly sampled record, with what was recorded beside it. */
typedef struct lmb_waveform {
    const char *path, *name, *unit;
    double acceleration; /* what its unit has in m/s^2; 0: it is no acceleration */
    size_t n;
    double rate;
    double start; /* the time of the first value, s */
    double *x;
    double *other; /* a second column (speed in Hz, pulses or force), or NULL */
    const char *other_name, *other_unit;
    double *turns; /* of the shaft at the instants, from pulses; or NULL */
} lmb_waveform;

/* One mode fitted to a piece of a frequency response. */
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

/* --- instants: whether they are even, and values at even ones --------------------------------- */

typedef struct lmb_instants {
    size_t first, count; /* the longest piece without gaps */
    double rate;         /* of even instants over it, Hz */
    bool even;           /* as far as the digits of the times show */
    double scatter;      /* how far an instant is from where it should be, over the step */
    double quantum;      /* of the times, where they have few digits: 1, 0.1, .. 1e-9 s */
    size_t missing;      /* instants that seem to have been left out of even ones */
    size_t gaps;         /* pauses of more than four steps */
    double longest_step; /* that is no gap */
    double gap, gap_at;  /* the longest, s, and when it begins */
    size_t back;         /* where the times go back (or stand still, unless for lack of digits) */
} lmb_instants;

/* Looks at n >= 2 times; gaps: whether to look for gaps and missing instants. False: out of memory.
 */
bool lmb_instants_look(size_t n, const double *times, bool gaps, lmb_instants *out);

/* The values x of all times at the even instants of the piece, by the cubic through the four
 * nearest ones. */
void lmb_even_out(const lmb_instants *instants, const double *times, const double *x, double *out);

/* --- envelopes of bands of frequencies -------------------------------------------------------- */

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

/* The bands that are tried: [0, rate / 2] cut into 2, 3, 4, 6 and 8 parts as far as they are
 * at least `narrowest` wide, without the lowest of each. False when there is no band of this
 * number. */
bool lmb_bands_candidate(const lmb_bands *bands, double narrowest, int number, double *from,
                         double *to);

/* The spectral kurtosis of a band from the square of its envelope: 0 for noise, positive where
 * there are impacts, -1 for a sine. */
double lmb_spectral_kurtosis(size_t count, const double *power);

/* The candidate with the most impacts: the spectral kurtosis in units of its scatter for noise is
 * largest. */
bool lmb_bands_choose(const lmb_bands *bands, double narrowest, double *from, double *to);

/* --- turns of a shaft, and records over its angle --------------------------------------------- */

/* The value at a place between 0 and n - 1 (in steps of the record), by a windowed sinc over 32
 * values, or as many as there are. Frequencies up to 0.4 of the sampling rate keep to 1e-4. */
double lmb_sinc_value(size_t n, const double *x, double place);

/* The number of turns of a shaft until each of n instants, with its frequency (Hz) at these. */
void lmb_turns(size_t n, const double *frequency, double rate, double *turns);

/* x over equal angles, per_turn values a turn, from the first instant on; count values. The turns
 * of the instants must grow. */
void lmb_angle_record(size_t n, const double *x, const double *turns, double per_turn, size_t count,
                      double *out);

/* Where pulses rise through the middle between the least and the largest of n values, in steps of
 * the record and between its instants by a straight line. A pulse must go through a fifth of the
 * range around the middle, so that noise makes none. Returns their number; places has room for
 * n / 2 of them. */
size_t lmb_pulses(size_t n, const double *x, double *places);

/* The longest pause between two pulses over the mean of the two beside it, and where it ends: about
 * one where the speed is steady, two where a pulse is missing. */
double lmb_pulse_gap(size_t count, const double *places, double *where);

/* Turns and frequency (Hz) at the instants from `first` to `last`, which lie between the first and
 * the last of at least two pulses: a cubic spline through the pulses, per_turn of them a turn.
 * False: out of memory. */
bool lmb_pulse_turns(lmb_arena *arena, size_t count, const double *places, double per_turn,
                     double rate, size_t first, size_t last, double *turns, double *frequency);

/* The discrete Fourier transform of any number of values, and amplitude spectra of records. */

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
