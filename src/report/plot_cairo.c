/* Plots as PNG and PDF, drawn by cairo. */
#include <cairo-pdf.h>
#include <fontconfig/fontconfig.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "report/plot_draw.h"

/* --- the canvas ------------------------------------------------------------------------------- */

static void set_color(cairo_t *c, unsigned color)
{
    cairo_set_source_rgb(c, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
                         (color & 255) / 255.0);
}

static void draw_path(void *user, int count, const double *xy, unsigned color, double width,
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

static void draw_fill(void *user, double x, double y, double w, double h, unsigned color)
{
    set_color(user, color);
    cairo_rectangle(user, x, y, w, h);
    cairo_fill(user);
}

static double text_width(void *user, double size, const char *text)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(user, size);
    cairo_text_extents(user, text, &extents);
    return extents.x_advance;
}

static void draw_text(void *user, double x, double y, double size, double anchor, bool upright,
                      unsigned color, const char *text)
{
    cairo_save(user);
    set_color(user, color);
    cairo_translate(user, x, y);
    if (upright)
        cairo_rotate(user, -1.57079632679489662);
    cairo_move_to(user, -anchor * text_width(user, size, text), 0);
    cairo_show_text(user, text);
    cairo_new_path(user);
    cairo_restore(user);
}

static void set_clip(void *user, double x, double y, double w, double h)
{
    cairo_reset_clip(user);
    if (w > 0) {
        cairo_rectangle(user, x, y, w, h);
        cairo_clip(user);
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static cairo_status_t put_bytes(void *out, const unsigned char *bytes, unsigned size)
{
    return fwrite(bytes, 1, size, out) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws a plot with lengths times `scale`; the surface tells whether that succeeded. */
static void draw_plot(cairo_surface_t *surface, const lmb_plot *plot, double scale)
{
    cairo_t *c = cairo_create(surface);
    cairo_scale(c, scale, scale);
    cairo_select_font_face(c, LMB_PLOT_FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    const lmb_canvas canvas = {c, draw_path, draw_fill, draw_text, set_clip, text_width};
    lmb_plot_draw(plot, &canvas);
    cairo_destroy(c);
}

static cairo_status_t put_png(FILE *out, const lmb_plot *plot)
{
    enum { SHARPNESS = 2 }; /* pixels of the file for one of the plot, each way */
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, SHARPNESS * plot->width, SHARPNESS * plot->height);
    draw_plot(surface, plot, SHARPNESS);
    cairo_status_t status = cairo_surface_write_to_png_stream(surface, put_bytes, out);
    cairo_surface_destroy(surface);
    return status;
}

static cairo_status_t put_pdf(FILE *out, const lmb_plot *plot)
{
    static const double points = 0.75; /* of a pixel, which is 1/96 inch */
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        put_bytes, out, points * plot->width, points * plot->height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, plot->title);
    draw_plot(surface, plot, points);
    cairo_surface_finish(surface);
    cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

lmb_status lmb_plot_cairo(lmb_context *context, const lmb_plot *plot, bool pdf,
                          unsigned char **bytes, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return lmb_fail_memory(context);
    bool failed = (pdf ? put_pdf : put_png)(out, plot) != CAIRO_STATUS_SUCCESS;
    cairo_debug_reset_static_data(); /* fonts that are kept for the next plot */
    FcFini();
    if (fclose(out) != 0 || failed) {
        free(text);
        return lmb_fail_memory(context);
    }
    *bytes = (unsigned char *)text;
    return LMB_OK;
}
