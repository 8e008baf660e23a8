/* Reading PNG files back. */
#ifndef TESTS_PICTURES_H
#define TESTS_PICTURES_H

#include <stdint.h>

typedef struct lmb_read_picture {
    int width, height;
    uint32_t *pixels; /* 0xrrggbb, to be freed */
} lmb_read_picture;

/* Fails the test unless the file is a whole PNG of eight-bit colours. */
lmb_read_picture read_picture(const char *path);

#endif
