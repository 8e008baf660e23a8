/* Sound files (RIFF WAVE), in which loggers keep vibrations too. */
#ifndef LMB_MEASURE_WAV_H
#define LMB_MEASURE_WAV_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/message.h"

typedef struct lmb_wav {
    double rate; /* Hz */
    int channels;
    int count;      /* values of a channel */
    double *values; /* count x channels, an instant a row; whole numbers scaled to -1 .. 1 */
} lmb_wav;

/* Whether a file begins as such a file does. */
bool lmb_wav_signature(const char *path);

/* Reads a file: whole numbers of 8, 16, 24 and 32 bits, floating point of 32 and 64. The values
 * live in the arena. */
lmb_status lmb_wav_read(lmb_context *context, lmb_arena *arena, const char *path, lmb_wav *out);

/* Writes one: bits 8, 16, 24 or 32 of whole numbers (values beyond -1 .. 1 are cut off), or -32 and
 * -64 for floating point. */
lmb_status lmb_wav_write(lmb_context *context, const char *path, const lmb_wav *wav, int bits);

#endif
