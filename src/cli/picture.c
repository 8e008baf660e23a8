/* Pictures drawn by cairo; see picture.h. */
#include "cli/picture.h"

#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include "base/message.h"
#include "export/png.h"

static void set_color(cairo_t *c, unsigned color)
{
    cairo_set_source_rgb(c, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
                         (color & 255) / 255.0);
}

static void png_path(void *user, int count, const double *xy, unsigned color, double width,
                     const double *dash)
{
    cairo_t *c = user;
    set_color(c, color);
    cairo_set_line_width(c, width);
    cairo_set_dash(c, dash, dash ? 2 : 0, 0);
    cairo_new_path(c);
    for (int i = 0; i < count; i++)
        cairo_line_to(c, xy[2 * i], xy[2 * i + 1]);
    cairo_stroke(c);
}

static void png_fill(void *user, double x, double y, double w, double h, unsigned color)
{
    set_color(user, color);
    cairo_rectangle(user, x, y, w, h);
    cairo_fill(user);
}

static double png_width(void *user, double size, const char *text)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(user, size);
    cairo_text_extents(user, text, &extents);
    return extents.x_advance;
}

static void png_text(void *user, double x, double y, double size, double anchor, bool upright,
                     unsigned color, const char *text)
{
    cairo_save(user);
    set_color(user, color);
    cairo_translate(user, x, y);
    if (upright)
        cairo_rotate(user, -1.57079632679489662);
    cairo_move_to(user, -anchor * png_width(user, size, text), 0);
    cairo_show_text(user, text);
    cairo_new_path(user);
    cairo_restore(user);
}

static void png_clip(void *user, double x, double y, double w, double h)
{
    cairo_reset_clip(user);
    if (w > 0) {
        cairo_rectangle(user, x, y, w, h);
        cairo_clip(user);
    }
}

lmb_status lmb_picture_new(lmb_picture *out, lmb_context *context, int width, int height,
                           double scale)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *c = cairo_create(surface);
    *out = (lmb_picture){.canvas = {c, png_path, png_fill, png_text, png_clip, png_width},
                         .width = width,
                         .height = height,
                         .stride = cairo_image_surface_get_stride(surface) / (int)sizeof(uint32_t),
                         .pixels = (uint32_t *)(void *)cairo_image_surface_get_data(surface),
                         .surface = surface};
    if (cairo_status(c) != CAIRO_STATUS_SUCCESS || !out->pixels)
        return lmb_fail_memory(context);
    cairo_scale(c, scale, scale);
    cairo_select_font_face(c, LMB_PLOT_FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    return LMB_OK;
}

lmb_status lmb_picture_png(lmb_picture *picture, lmb_context *context, unsigned char **bytes,
                           size_t *size)
{
    cairo_surface_flush(picture->surface);
    return lmb_png_encode(context, picture->pixels, picture->width, picture->height,
                          picture->stride, bytes, size);
}

void lmb_picture_free(lmb_picture *picture)
{
    if (!picture->surface)
        return;
    cairo_destroy(picture->canvas.user);
    cairo_surface_destroy(picture->surface);
    cairo_debug_reset_static_data(); /* fonts that they keep for the next picture */
    FcFini();
}
