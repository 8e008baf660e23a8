/* The turns of a shaft, from its speed or the pulses of a tacho, and records over its angle. */
#ifndef LMB_SIGNAL_SHAFT_H
#define LMB_SIGNAL_SHAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

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
 * range around the middle, so that noise makes none. Returns their number and writes up to `most`
 * of them. */
size_t lmb_pulses(size_t n, const double *x, size_t most, double *places);

/* The longest pause between two pulses over the mean of the two beside it, and where it ends: about
 * one where the speed is steady, two where a pulse is missing. */
double lmb_pulse_gap(size_t count, const double *places, double *where);

/* Turns and frequency (Hz) at the instants from `first` to `last`, which lie between the first and
 * the last of at least two pulses: a cubic spline through the pulses, per_turn of them a turn.
 * False: out of memory. */
bool lmb_pulse_turns(lmb_arena *arena, size_t count, const double *places, double per_turn,
                     double rate, size_t first, size_t last, double *turns, double *frequency);

#endif
