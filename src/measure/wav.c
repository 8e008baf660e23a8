/* Sound files; see wav.h. "RIFF", size, "WAVE", then chunks: name, size, bytes (an even number of
 * them). "fmt " says how the numbers of "data" are written; all are little endian. */
#include "measure/wav.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { PCM = 1, FLOATING = 3, EXTENSIBLE = 0xfffe };

static uint32_t number(const unsigned char *p, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | p[i];
    return value;
}

bool lmb_wav_signature(const char *path)
{
    char head[12] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    bool is = fread(head, 1, 12, file) == 12 && memcmp(head, "RIFF", 4) == 0 &&
              memcmp(head + 8, "WAVE", 4) == 0;
    fclose(file);
    return is;
}

/* One number of so many bytes; those of one byte have no sign. */
static double value_of(const unsigned char *p, int bytes, bool floating)
{
    if (floating && bytes == 4) {
        uint32_t bits = number(p, 4);
        float value;
        memcpy(&value, &bits, 4);
        return value;
    }
    if (floating) {
        uint64_t bits = number(p, 4) | (uint64_t)number(p + 4, 4) << 32;
        double value;
        memcpy(&value, &bits, 8);
        return value;
    }
    if (bytes == 1)
        return (p[0] - 128) / 128.0;
    /* moved to the top of 32 bits, so that the sign is where it should be */
    uint32_t bits = number(p, bytes) << (32 - 8 * bytes);
    return (bits & 0x80000000u ? (double)bits - 4294967296.0 : (double)bits) / 2147483648.0;
}

/* What "fmt " says. */
typedef struct format {
    int kind, channels, bits;
    double rate;
} format;

static lmb_status read_format(lmb_context *context, const char *path, const unsigned char *p,
                              size_t size, format *out)
{
    if (size < 16)
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged: its format is too short", path);
    *out = (format){(int)number(p, 2), (int)number(p + 2, 2), (int)number(p + 14, 2),
                    number(p + 4, 4)};
    if (out->kind == EXTENSIBLE && size >= 26)
        out->kind = (int)number(p + 24, 2);
    bool whole = out->kind == PCM &&
                 (out->bits == 8 || out->bits == 16 || out->bits == 24 || out->bits == 32);
    bool floating = out->kind == FLOATING && (out->bits == 32 || out->bits == 64);
    if (!whole && !floating)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "'%s' has numbers of kind %d with %d bits, which is not read", path,
                        out->kind, out->bits);
    if (out->channels < 1 || !(out->rate > 0))
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged: %d channels at %g Hz", path,
                        out->channels, out->rate);
    return LMB_OK;
}

static lmb_status read_data(lmb_context *context, lmb_arena *arena, const char *path,
                            const unsigned char *p, size_t size, const format *f, lmb_wav *out)
{
    int bytes = f->bits / 8;
    size_t row = (size_t)bytes * (size_t)f->channels, count = size / row;
    if (count == 0 || count > INT_MAX)
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' has no values", path);
    *out = (lmb_wav){f->rate, f->channels, (int)count, NULL};
    out->values = lmb_arena_alloc(arena, count, (size_t)f->channels * sizeof *out->values);
    if (!out->values)
        return lmb_fail_memory(context);
    for (size_t i = 0; i < count * (size_t)f->channels; i++) {
        out->values[i] = value_of(p + i * (size_t)bytes, bytes, f->kind == FLOATING);
        if (!isfinite(out->values[i]))
            return lmb_fail(context, LMB_BAD_INPUT, "'%s' has a value that is no number, at %g s",
                            path, (double)(i / (size_t)f->channels) / f->rate);
    }
    return LMB_OK;
}

static lmb_status read_chunks(lmb_context *context, lmb_arena *arena, const char *path,
                              const unsigned char *p, size_t length, lmb_wav *out)
{
    format f = {0};
    if (length < 12 || memcmp(p, "RIFF", 4) != 0 || memcmp(p + 8, "WAVE", 4) != 0)
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a WAV file", path);
    for (size_t at = 12; length - at >= 8;) {
        size_t size = number(p + at + 4, 4), left = length - at - 8;
        const unsigned char *bytes = p + at + 8;
        /* a logger that was switched off leaves a wrong size: what there is counts */
        bool data = memcmp(p + at, "data", 4) == 0;
        size_t there = size < left && !(data && size == 0) ? size : left;
        if (memcmp(p + at, "fmt ", 4) == 0) {
            lmb_status status = read_format(context, path, bytes, there, &f);
            if (status)
                return status;
        } else if (data) {
            return f.channels ? read_data(context, arena, path, bytes, there, &f, out)
                              : lmb_fail(context, LMB_BAD_INPUT,
                                         "'%s' is damaged: data before their format", path);
        }
        if (there + (size & 1) >= left)
            break;
        at += 8 + size + (size & 1);
    }
    return lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged: it has no data", path);
}

lmb_status lmb_wav_read(lmb_context *context, lmb_arena *arena, const char *path, lmb_wav *out)
{
    char *bytes;
    size_t length;
    lmb_status status = lmb_read_file(&bytes, &length, context, path, SIZE_MAX);
    *out = (lmb_wav){0};
    if (status)
        return status;
    status = read_chunks(context, arena, path, (const unsigned char *)bytes, length, out);
    free(bytes);
    return status;
}

/* --- writing ---------------------------------------------------------------------------------- */

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

lmb_status lmb_wav_write(lmb_context *context, const char *path, const lmb_wav *wav, int bits)
{
    size_t values = (size_t)wav->count * (size_t)wav->channels;
    uint32_t each = (uint32_t)abs(bits) / 8, row = each * (uint32_t)wav->channels;
    uint64_t size = values * each;
    if (size > UINT32_MAX - 64)
        return lmb_fail(context, LMB_IO, "'%s' would be too large for a WAV file", path);
    FILE *out = lmb_file_create(context, path);
    if (!out)
        return LMB_IO;
    fputs("RIFF", out);
    put(out, 36 + size + (size & 1), 4);
    fputs("WAVEfmt ", out);
    put(out, 16, 4);
    put(out, bits < 0 ? FLOATING : PCM, 2);
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
    return lmb_file_close(context, out, path);
}
