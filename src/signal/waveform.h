/* An evenly sampled record, with what was recorded beside it. */
#ifndef LMB_SIGNAL_WAVEFORM_H
#define LMB_SIGNAL_WAVEFORM_H

#include <stddef.h>

typedef struct lmb_waveform {
    const char *path, *name, *unit;
    double acceleration; /* what its unit has in m/s^2; 0: it is none of acceleration */
    size_t n;
    double rate;
    double start; /* the time of the first value, s */
    double *x;
    double *other; /* a second column (speed in Hz, pulses or force), or NULL */
    const char *other_name, *other_unit;
    double *turns; /* of the shaft at the instants, from pulses; or NULL */
} lmb_waveform;

#endif
