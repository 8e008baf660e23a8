/* Plots as SVG, written by hand, and as PNG, drawn by cairo. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include "base/message.h"
#include "cli/draw.h"
#include "io/body_file.h"

static const char family[] = "DejaVu Sans";

/* --- SVG -------------------------------------------------------------------------------------- */

static void svg_escaped(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '&')
            fputs("&amp;", out);
        else if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '>')
            fputs("&gt;", out);
        else if (*c >= 0x20)
            putc(*c, out);
    }
}

static void svg_path(void *user, int count, const double *xy, unsigned color, double width,
                     const double *dash)
{
    FILE *out = user;
    fprintf(out, "<polyline fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\"", color, width);
    if (dash)
        fprintf(out, " stroke-dasharray=\"%g %g\"", dash[0], dash[1]);
    fputs(" points=\"", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%.2f,%.2f", i ? " " : "", xy[2 * i], xy[2 * i + 1]);
    fputs("\"/>\n", out);
}

static void svg_fill(void *user, double x, double y, double w, double h, unsigned color)
{
    fprintf(user, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"/>\n", x, y, w,
            h, color);
}

static void svg_text(void *user, double x, double y, double size, double anchor, bool upright,
                     unsigned color, const char *text)
{
    FILE *out = user;
    const char *words = anchor == 0 ? "start" : anchor == 1 ? "end" : "middle";
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\" text-anchor=\"%s\" fill=\"#%06x\"",
            x, y, size, words, color);
    if (upright)
        fprintf(out, " transform=\"rotate(-90 %.2f %.2f)\"", x, y);
    putc('>', out);
    svg_escaped(out, text);
    fputs("</text>\n", out);
}

/* A clip is a nested drawing, which hides what is outside. */
static void svg_clip(void *user, double x, double y, double w, double h)
{
    if (w > 0)
        fprintf(
            user,
            "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" viewBox=\"%.2f %.2f %.2f "
            "%.2f\">\n",
            x, y, w, h, x, y, w, h);
    else
        fputs("</svg>\n", user);
}

/* Fonts differ from reader to reader: a character is taken as wide as most are. */
static double svg_width(void *user, double size, const char *text)
{
    (void)user;
    double width = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        width += (*c & 0xc0) == 0x80 ? 0 : strchr(".,:;il1 |'", *c) ? 0.36 : 0.61;
    return width * size;
}

lmb_status lmb_plot_svg(lmb_context *context, const lmb_plot *plot, unsigned char **bytes,
                        size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return lmb_fail_memory(context);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" "
            "font-family=\"%s, Verdana, sans-serif\" stroke-linejoin=\"round\">\n",
            plot->width, plot->height, plot->width, plot->height, family);
    const lmb_canvas canvas = {out, svg_path, svg_fill, svg_text, svg_clip, svg_width};
    lmb_plot_draw(plot, &canvas);
    fputs("</svg>\n", out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return lmb_fail_memory(context);
    }
    *bytes = (unsigned char *)text;
    return LMB_OK;
}

/* --- PNG -------------------------------------------------------------------------------------- */

enum { SHARPNESS = 2 }; /* pixels of the file for one of the plot, each way */

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

static cairo_status_t png_bytes(void *user, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, user) == length ? CAIRO_STATUS_SUCCESS
                                                    : CAIRO_STATUS_WRITE_ERROR;
}

lmb_status lmb_plot_png(lmb_context *context, const lmb_plot *plot, unsigned char **bytes,
                        size_t *size)
{
    char *file = NULL;
    FILE *out = open_memstream(&file, size);
    if (!out)
        return lmb_fail_memory(context);
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, SHARPNESS * plot->width, SHARPNESS * plot->height);
    cairo_t *c = cairo_create(surface);
    cairo_scale(c, SHARPNESS, SHARPNESS);
    cairo_select_font_face(c, family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    const lmb_canvas canvas = {c, png_path, png_fill, png_text, png_clip, png_width};
    lmb_plot_draw(plot, &canvas);
    bool failed =
        cairo_surface_write_to_png_stream(surface, png_bytes, out) != CAIRO_STATUS_SUCCESS;
    cairo_destroy(c);
    cairo_surface_destroy(surface);
    cairo_debug_reset_static_data(); /* fonts that they keep for the next picture */
    FcFini();
    if (fclose(out) != 0 || failed) {
        free(file);
        return lmb_fail_memory(context);
    }
    *bytes = (unsigned char *)file;
    return LMB_OK;
}

/* --- by name ---------------------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), own = strlen(end);
    return length > own && strcmp(path + length - own, end) == 0;
}

lmb_status lmb_plot_write(lmb_context *context, const lmb_plot *plot, const char *path)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    bool svg = ends_with(path, ".svg");
    if (!svg && !ends_with(path, ".png")) {
        lmb_fail(context, LMB_USAGE, "'%s' must end in .svg or .png", path);
        return LMB_USAGE;
    }
    lmb_status status = svg ? lmb_plot_svg(context, plot, &bytes, &size)
                            : lmb_plot_png(context, plot, &bytes, &size);
    if (status)
        return status;
    int error = lmb_file_replace(path, bytes, size);
    free(bytes);
    if (error)
        return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error));
    return LMB_OK;
}
