/* Values of an evenly sampled record between its instants, and records over the angle of a shaft.
 */
#ifndef LMB_SIGNAL_RESAMPLE_H
#define LMB_SIGNAL_RESAMPLE_H

#include <stdbool.h>
#include <stddef.h>

/* The value at a place between 0 and n - 1 (in steps of the record), by a windowed sinc over 32
 * values, or as many as there are. Frequencies up to 0.4 of the sampling rate keep to 1e-4. */
double lmb_sinc_value(size_t n, const double *x, double place);

/* The number of turns of a shaft until each of n instants, with its frequency (Hz) at these. */
void lmb_turns(size_t n, const double *frequency, double rate, double *turns);

/* x over equal angles, per_turn values a turn, from turn `first` on; count values. The turns of the
 * instants must grow. */
void lmb_angle_record(size_t n, const double *x, const double *turns, double first, double per_turn,
                      size_t count, double *out);

#endif
