/* Synthetic vibrations of a machine on a rolling bearing, with a known fault or without one. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/measurement.h"
#include "signal/bearing.h"

/* Random numbers from a seed, the same on every machine (splitmix64). */
double random_uniform(uint64_t *seed);
double random_normal(uint64_t *seed);

enum { SIGNAL_COUNT = 65536 }; /* values of a random plan: 5.12 s */

typedef struct signal_plan {
    size_t count;
    double rate;               /* Hz */
    double shaft;              /* Hz */
    lmb_bearing bearing;       /* its four lines are distinct */
    int fault;                 /* an lmb_fault, or -1 for a healthy machine */
    double slip;               /* relative deviation of the fault frequency */
    double jitter;             /* relative scatter of the time between impacts */
    double scatter;            /* relative, of the impact amplitude */
    double resonance, damping; /* Hz and damping ratio of the structure */
    double harmonics;          /* amplitude of shaft harmonics over rms of noise */
    double modulation;         /* of the noise with the shaft rotation */
    double snr;                /* dB: power of the impacts over the rest, in the band */
    double from, to;           /* the band, Hz */
} signal_plan;

/* A machine with random speed, resonance, slip of 1 to 2 % and so on. */
signal_plan signal_random_plan(uint64_t *seed, int fault);

/* Makes the record; false: out of memory. */
bool signal_make(const signal_plan *plan, uint64_t *seed, double *x);

/* Writes a WAV file: bits 8, 16, 24 or 32 of whole numbers (values beyond -1 .. 1 are cut off), or
 * -32 and -64 for floating point. */
lmb_status wav_write(lmb_context *context, const char *path, const lmb_wav *wav, int bits);

#endif
