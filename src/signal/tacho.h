/* The turns of a shaft from the pulses of a tacho. */
#ifndef LMB_SIGNAL_TACHO_H
#define LMB_SIGNAL_TACHO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

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
