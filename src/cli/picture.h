/* A picture in memory that plots and frames are drawn on with cairo, and its PNG file. */
#ifndef LMB_CLI_PICTURE_H
#define LMB_CLI_PICTURE_H

#include <stdint.h>

#include "report/plot_draw.h"

typedef struct lmb_picture {
    lmb_canvas canvas; /* lengths of it are `scale` pixels */
    int width, height; /* pixels */
    int stride;        /* pixels from row to row */
    uint32_t *pixels;  /* 0xrrggbb; may be written, too */
    void *surface;     /* cairo's */
} lmb_picture;

lmb_status lmb_picture_new(lmb_picture *out, lmb_context *context, int width, int height,
                           double scale);

/* The picture as PNG, bytes to be freed. */
lmb_status lmb_picture_png(lmb_picture *picture, lmb_context *context, unsigned char **bytes,
                           size_t *size);

/* Ends with a picture, which may be zero; also with the fonts that all of them used. */
void lmb_picture_free(lmb_picture *picture);

#endif
