/* Triangles and lines as pixels: a picture in memory with depth, whose edges are smoothed by four
 * samples a pixel. */
#ifndef LMB_EXPORT_RASTER_H
#define LMB_EXPORT_RASTER_H

#include <stdint.h>

#include "limber/context.h"

typedef struct lmb_raster lmb_raster;

/* A corner on the screen; what it carries is interpolated linearly there. */
typedef struct lmb_raster_corner {
    float x, y;  /* pixels from the top left corner of the picture, y downwards */
    float near;  /* greater for what is nearer, and hides what is less */
    float light; /* factor of the colour */
    float value; /* 0 to 1: which of the colours */
} lmb_raster_corner;

/* The colours of a surface as 0xrrggbb, from value 0 to value 1. */
typedef struct lmb_raster_colors {
    const uint32_t *list;
    int count;
} lmb_raster_colors;

/* Makes a picture of a size in pixels. */
lmb_status lmb_raster_new(lmb_raster **out, lmb_context *context, int width, int height);
void lmb_raster_free(lmb_raster *raster);

/* Begins anew with a colour that is behind everything. */
void lmb_raster_clear(lmb_raster *raster, uint32_t color);

/* Adds a triangle, seen from both sides. Two that share an edge leave no gap and draw no sample
 * twice. Corners that are not finite, or 500 000 pixels away, are not drawn. */
void lmb_raster_triangle(lmb_raster *raster, const lmb_raster_corner *a, const lmb_raster_corner *b,
                         const lmb_raster_corner *c, lmb_raster_colors colors);

/* Adds a line of a width in pixels from a to b, in the light of its ends. */
void lmb_raster_line(lmb_raster *raster, const lmb_raster_corner *a, const lmb_raster_corner *b,
                     double width, uint32_t color);

/* The picture so far; rows begin `stride` pixels apart. */
void lmb_raster_pixels(const lmb_raster *raster, uint32_t *pixels, int stride);

#endif
