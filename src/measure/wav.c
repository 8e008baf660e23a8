/* Sound files; see measurement.h. "RIFF", size, "WAVE", then chunks: name, size, bytes (an even
 * number of them). "fmt " says how the numbers of "data" are written; all are little endian. */
#include "measure/measurement.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { PCM = 1, FLOATING = 3, EXTENSIBLE = 0xfffe };

static uint64_t number(const unsigned char *p, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | p[i];
    return value;
}

bool lmb_wav_signature(const char *path)
{
    char head[12] = "";
    FILE *file = lmb_input_open(path, LMB_SOURCE_FILE);
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
    uint64_t bits = number(p, bytes);
    uint32_t low = (uint32_t)bits;
    float single;
    double full;
    memcpy(&single, &low, 4);
    memcpy(&full, &bits, 8);
    if (floating)
        return bytes == 4 ? single : full;
    if (bytes == 1)
        return (p[0] - 128) / 128.0;
    /* moved to the top of 32 bits, so that the sign is where it should be */
    low <<= 32 - 8 * bytes;
    return (low & 0x80000000u ? (double)low - 4294967296.0 : (double)low) / 2147483648.0;
}

typedef struct reader {
    lmb_context *context;
    lmb_arena *arena;
    const char *path;
    int kind, bits; /* of the numbers */
    lmb_wav *out;
} reader;

/* What "fmt " says. */
static lmb_status read_format(reader *r, const unsigned char *p, size_t size)
{
    if (size < 16)
        return lmb_fail(r->context, LMB_BAD_INPUT, "'%s' is damaged: its format is too short",
                        r->path);
    r->kind = (int)number(size >= 26 && number(p, 2) == EXTENSIBLE ? p + 24 : p, 2);
    r->bits = (int)number(p + 14, 2);
    *r->out = (lmb_wav){(double)number(p + 4, 4), (int)number(p + 2, 2), 0, NULL};
    bool fine = r->kind == PCM        ? r->bits % 8 == 0 && r->bits >= 8 && r->bits <= 32
                : r->kind == FLOATING ? r->bits == 32 || r->bits == 64
                                      : false;
    if (!fine)
        return lmb_fail(r->context, LMB_BAD_INPUT,
                        "'%s' has numbers of kind %d with %d bits, which is not read", r->path,
                        r->kind, r->bits);
    if (r->out->channels < 1 || !(r->out->rate > 0))
        return lmb_fail(r->context, LMB_BAD_INPUT, "'%s' is damaged: %d channels at %g Hz", r->path,
                        r->out->channels, r->out->rate);
    return LMB_OK;
}

static lmb_status read_data(reader *r, const unsigned char *p, size_t size)
{
    size_t bytes = (size_t)r->bits / 8, channels = (size_t)r->out->channels;
    if (channels == 0)
        return lmb_fail(r->context, LMB_BAD_INPUT, "'%s' is damaged: data before their format",
                        r->path);
    size_t count = size / (bytes * channels);
    if (count == 0 || count > INT_MAX)
        return lmb_fail(r->context, LMB_BAD_INPUT, "'%s' has no values", r->path);
    double *values = lmb_arena_alloc(r->arena, count, channels * sizeof *values);
    if (!values)
        return lmb_fail_memory(r->context);
    r->out->count = (int)count;
    r->out->values = values;
    for (size_t i = 0; i < count * channels; i++) {
        values[i] = value_of(p + i * bytes, (int)bytes, r->kind == FLOATING);
        if (!isfinite(values[i]))
            return lmb_fail(r->context, LMB_BAD_INPUT,
                            "'%s' has a value that is no number, at %g s", r->path,
                            (double)(i / channels) / r->out->rate);
    }
    return LMB_OK;
}

static lmb_status read_chunks(reader *r, const unsigned char *p, size_t length)
{
    lmb_status status = LMB_OK;
    if (length < 12 || memcmp(p, "RIFF", 4) != 0 || memcmp(p + 8, "WAVE", 4) != 0)
        return lmb_fail(r->context, LMB_BAD_INPUT, "'%s' is not a WAV file", r->path);
    for (size_t at = 12; length - at >= 8 && !status;) {
        size_t size = number(p + at + 4, 4), left = length - at - 8;
        /* a logger that was switched off leaves a wrong size: what there is counts */
        bool data = memcmp(p + at, "data", 4) == 0;
        size_t there = size < left && !(data && size == 0) ? size : left;
        if (data && size > left && size < UINT32_MAX - 512)
            lmb_warn(r->context,
                     "'%s' is cut off: it announces %zu bytes of data and has %zu, which are read",
                     r->path, size, left);
        if (data)
            return read_data(r, p + at + 8, there);
        if (memcmp(p + at, "fmt ", 4) == 0)
            status = read_format(r, p + at + 8, there);
        if (there + (size & 1) >= left)
            break;
        at += 8 + size + (size & 1);
    }
    return status ? status
                  : lmb_fail(r->context, LMB_BAD_INPUT, "'%s' is damaged: it has no data", r->path);
}

lmb_status lmb_wav_read(lmb_context *context, lmb_arena *arena, const char *path, lmb_wav *out)
{
    char *bytes;
    size_t length;
    reader r = {context, arena, path, 0, 0, out};
    lmb_status status = lmb_read_file(&bytes, &length, context, path);
    *out = (lmb_wav){0};
    if (status)
        return status;
    status = read_chunks(&r, (const unsigned char *)bytes, length);
    free(bytes);
    return status;
}
