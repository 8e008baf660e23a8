#include "pictures.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint32_t word_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The nearest of left, above and both less the corner. */
static int paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Takes the filters back, in place: rows of a filter byte and colours. */
static void unfilter(unsigned char *data, size_t row, int height)
{
    for (int y = 0; y < height; y++) {
        unsigned char *at = data + (size_t)y * (row + 1) + 1;
        const unsigned char *up = y ? at - row - 1 : NULL;
        for (size_t i = 0; i < row; i++) {
            int a = i >= 3 ? at[i - 3] : 0, b = up ? up[i] : 0, c = up && i >= 3 ? up[i - 3] : 0;
            const int add[5] = {0, a, b, (a + b) / 2, paeth(a, b, c)};
            assert_true(at[-1] < 5);
            at[i] = (unsigned char)(at[i] + add[at[-1]]);
        }
    }
}

/* Collects the data of all IDAT chunks in a place of `size` bytes; every check sum must be right.
 */
static size_t collect(const unsigned char *bytes, size_t size, unsigned char *to)
{
    size_t used = 0, at = 8;
    bool ended = false;
    while (!ended) {
        assert_true(at + 12 <= size);
        size_t length = word_at(bytes + at);
        const unsigned char *name = bytes + at + 4;
        assert_true(length <= size && at + 12 + length <= size);
        assert_true(word_at(name + 4 + length) == crc32(0, name, (uInt)length + 4));
        if (memcmp(name, "IDAT", 4) == 0) {
            memcpy(to + used, name + 4, length);
            used += length;
        }
        ended = memcmp(name, "IEND", 4) == 0;
        at += length + 12;
    }
    assert_int_equal(at, size);
    return used;
}

lmb_read_picture decode_picture(const unsigned char *bytes, size_t size)
{
    assert_true(size > 33);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(bytes + 12, "IHDR", 4);
    lmb_read_picture p = {(int)word_at(bytes + 16), (int)word_at(bytes + 20), NULL};
    assert_memory_equal(bytes + 24, "\x08\x02\0\0\0", 5);
    size_t row = 3 * (size_t)p.width, count = (size_t)p.width * (size_t)p.height;
    uLongf length = (uLongf)((row + 1) * (size_t)p.height);
    unsigned char *packed = malloc(size), *data = malloc(length + 1);
    size_t used = collect(bytes, size, packed);
    assert_int_equal(uncompress(data, &length, packed, (uLong)used), Z_OK);
    assert_int_equal(length, (row + 1) * (size_t)p.height);
    unfilter(data, row, p.height);
    p.pixels = malloc((count + 1) * sizeof *p.pixels);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *at =
            data + i / (size_t)p.width * (row + 1) + 1 + 3 * (i % (size_t)p.width);
        p.pixels[i] = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    }
    free(packed);
    free(data);
    return p;
}

lmb_read_picture read_picture(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(size + 1);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    lmb_read_picture p = decode_picture(bytes, size);
    free(bytes);
    return p;
}
