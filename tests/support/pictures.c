#include "pictures.h"

#include "support.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>

lmb_read_picture read_picture(const char *path)
{
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    lmb_read_picture p = {cairo_image_surface_get_width(surface),
                          cairo_image_surface_get_height(surface), NULL};
    const unsigned char *data = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface), width = (size_t)p.width;
    p.pixels = malloc((width * (size_t)p.height + 1) * sizeof *p.pixels);
    for (size_t y = 0; y < (size_t)p.height; y++)
        memcpy(p.pixels + y * width, data + y * stride, width * sizeof *p.pixels);
    for (size_t i = 0; i < width * (size_t)p.height; i++)
        p.pixels[i] &= 0xffffff;
    cairo_surface_destroy(surface);
    return p;
}
