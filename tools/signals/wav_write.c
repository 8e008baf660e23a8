/* Writing WAV files, which the program itself only reads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "signals.h"

static void put(FILE *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(value >> (8 * i) & 255), out);
}

static void put_value(FILE *out, double value, int bits)
{
    if (bits == -32) {
        float narrow = (float)value;
        uint32_t word;
        memcpy(&word, &narrow, 4);
        put(out, word, 4);
    } else if (bits == -64) {
        uint64_t word;
        memcpy(&word, &value, 8);
        put(out, word, 8);
    } else {
        double one = ldexp(1, bits - 1);
        double whole = fmin(fmax(nearbyint(value * one), -one), one - 1);
        put(out, (uint64_t)((int64_t)whole + (bits == 8 ? 128 : 0)), bits / 8);
    }
}

lmb_status wav_write(lmb_context *context, const char *path, const lmb_wav *wav, int bits)
{
    size_t values = (size_t)wav->count * (size_t)wav->channels;
    uint32_t each = (uint32_t)abs(bits) / 8, row = each * (uint32_t)wav->channels;
    uint64_t size = values * each;
    if (size > UINT32_MAX - 64)
        return lmb_fail(context, LMB_IO, "'%s' would be too large for a WAV file", path);
    lmb_output output;
    FILE *out = lmb_file_create(&output, context, path);
    if (!out)
        return LMB_IO;
    fputs("RIFF", out);
    put(out, 36 + size + (size & 1), 4);
    fputs("WAVEfmt ", out);
    put(out, 16, 4);
    put(out, bits < 0 ? 3 : 1 /* floating point, or whole numbers */, 2);
    put(out, (uint64_t)wav->channels, 2);
    put(out, (uint64_t)llround(wav->rate), 4);
    put(out, (uint64_t)llround(wav->rate) * row, 4);
    put(out, row, 2);
    put(out, (uint64_t)abs(bits), 2);
    fputs("data", out);
    put(out, size, 4);
    for (size_t i = 0; i < values; i++)
        put_value(out, wav->values[i], bits);
    if (size & 1)
        putc(0, out);
    return lmb_file_close(&output, context, LMB_OK);
}
