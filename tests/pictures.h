/* Reading PNG files back, as any reader must: all five filters. */
#ifndef TESTS_PICTURES_H
#define TESTS_PICTURES_H

#include <stddef.h>
#include <stdint.h>

typedef struct lmb_read_picture {
    int width, height;
    uint32_t *pixels; /* 0xrrggbb, to be freed */
} lmb_read_picture;

/* Fails the test unless the bytes, or the file, are a whole PNG of eight-bit colours. */
lmb_read_picture decode_picture(const unsigned char *bytes, size_t size);
lmb_read_picture read_picture(const char *path);

#endif
