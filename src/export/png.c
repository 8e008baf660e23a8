/* PNG files (RFC 2083): a signature and chunks, each of length, name, data and check sum. The data
 * of the picture are its rows, each as differences to what is to the left or above, deflated. */
#include "export/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/message.h"

enum {
    LEVEL = 4,  /* of zlib: half the time of its default, for files that are little larger */
    EXTRA = 64, /* bytes around the data: signature, header, and what chunks add */
    FILTERS = 3 /* of PNG's five: as it is, less the pixel to the left, less the one above */
};

static unsigned char *put_word(unsigned char *to, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(word >> (24 - 8 * i));
    return to + 4;
}

/* A chunk whose data (possibly in place already) follow its length and name. */
static unsigned char *put_chunk(unsigned char *to, const char *name, const unsigned char *data,
                                uint32_t size)
{
    unsigned char *start = put_word(to, size);
    memcpy(start, name, 4);
    if (size > 0)
        memmove(start + 4, data, size);
    return put_word(start + 4 + size, (uint32_t)crc32(crc32(0, NULL, 0), start, size + 4));
}

/* How far differences are from zero: small ones deflate well. */
static unsigned cost_of(const unsigned char *row, size_t size)
{
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += row[i] < 128 ? row[i] : 256u - row[i];
    return sum;
}

/* The rows of all filters, the number of the filter in front of each; returns the best one. */
static int filter_row(unsigned char *const rows[FILTERS], const unsigned char *row,
                      const unsigned char *above, size_t size)
{
    for (int filter = 0; filter < FILTERS; filter++)
        rows[filter][0] = (unsigned char)filter;
    unsigned char *plain = rows[0] + 1, *left = rows[1] + 1, *up = rows[2] + 1;
    memcpy(plain, row, size);
    memcpy(left, row, 3);
    for (size_t i = 3; i < size; i++)
        left[i] = (unsigned char)(row[i] - row[i - 3]);
    for (size_t i = 0; i < size; i++)
        up[i] = (unsigned char)(row[i] - above[i]);
    const unsigned cost[FILTERS] = {cost_of(plain, size), cost_of(left, size), cost_of(up, size)};
    int best = cost[1] < cost[0] ? 1 : 0;
    return cost[2] < cost[best] ? 2 : best;
}

/* Deflates all rows; `room` has space for the filtered ones and two plain. */
static bool deflate_rows(z_stream *z, unsigned char *room, const uint32_t *pixels, int width,
                         int height, int stride)
{
    size_t size = 3 * (size_t)width;
    unsigned char *rows[FILTERS], *row = room + FILTERS * (size + 1), *above = row + size;
    for (int i = 0; i < FILTERS; i++)
        rows[i] = room + (size_t)i * (size + 1);
    int status = Z_OK;
    for (int y = 0; y < height && status == Z_OK; y++) {
        const uint32_t *from = pixels + (size_t)y * (size_t)stride;
        for (int x = 0; x < width; x++) {
            row[3 * x] = (unsigned char)(from[x] >> 16);
            row[3 * x + 1] = (unsigned char)(from[x] >> 8);
            row[3 * x + 2] = (unsigned char)from[x];
        }
        z->next_in = rows[filter_row(rows, row, above, size)];
        z->avail_in = (uInt)(size + 1);
        status = deflate(z, y + 1 < height ? Z_NO_FLUSH : Z_FINISH);
        unsigned char *swap = above;
        above = row;
        row = swap;
    }
    return status == Z_STREAM_END;
}

static size_t put_file(unsigned char *file, z_stream *z, int width, int height)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char header[13] = {0}, *data = z->next_out - z->total_out;
    memcpy(file, signature, sizeof signature);
    put_word(put_word(header, (uint32_t)width), (uint32_t)height);
    header[8] = 8; /* bits */
    header[9] = 2; /* red, green, blue */
    unsigned char *at = put_chunk(file + sizeof signature, "IHDR", header, sizeof header);
    at = put_chunk(at, "IDAT", data, (uint32_t)z->total_out);
    return (size_t)(put_chunk(at, "IEND", NULL, 0) - file);
}

lmb_status lmb_png_encode(lmb_context *context, const uint32_t *pixels, int width, int height,
                          int stride, unsigned char **bytes, size_t *size)
{
    size_t row = 3 * (size_t)width;
    z_stream z = {0};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, MAX_WBITS, 9, Z_FILTERED) != Z_OK)
        return lmb_fail_memory(context);
    size_t most = deflateBound(&z, (uLong)((row + 1) * (size_t)height));
    unsigned char *file = malloc(most + EXTRA), *room = calloc(FILTERS + 2, row + 1);
    bool done = false;
    if (file && room) {
        z.next_out = file + EXTRA;
        z.avail_out = (uInt)most;
        done = deflate_rows(&z, room, pixels, width, height, stride);
    }
    if (done)
        *size = put_file(file, &z, width, height);
    else
        free(file);
    *bytes = done ? file : NULL;
    free(room);
    deflateEnd(&z);
    return done ? LMB_OK : lmb_fail_memory(context);
}
