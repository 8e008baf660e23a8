/* Plots as files: SVG, and PNG and PDF drawn by cairo. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "report/cairo_library.h"
#include "report/plot.h"

#define FONT "DejaVu Sans"

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
    lmb_fprintf(out, "<polyline fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\"", color, width);
    if (dash)
        lmb_fprintf(out, " stroke-dasharray=\"%g %g\"", dash[0], dash[1]);
    fputs(" points=\"", out);
    for (int i = 0; i < count; i++)
        lmb_fprintf(out, "%s%.2f,%.2f", i ? " " : "", xy[2 * i], xy[2 * i + 1]);
    fputs("\"/>\n", out);
}

/* The end of what is filled. */
static void svg_filled(FILE *out, unsigned color, double opacity)
{
    lmb_fprintf(out, " fill=\"#%06x\"", color);
    if (opacity < 1)
        lmb_fprintf(out, " fill-opacity=\"%g\"", opacity);
    fputs("/>\n", out);
}

static void svg_fill(void *user, double x, double y, double w, double h, unsigned color,
                     double opacity)
{
    lmb_fprintf(user, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"", x, y, w, h);
    svg_filled(user, color, opacity);
}

static void svg_dot(void *user, double x, double y, double radius, unsigned color, double opacity)
{
    lmb_fprintf(user, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\"", x, y, radius);
    svg_filled(user, color, opacity);
}

static void svg_text(void *user, double x, double y, double size, double anchor, bool upright,
                     unsigned color, const char *text)
{
    FILE *out = user;
    const char *words = anchor == 0 ? "start" : anchor == 1 ? "end" : "middle";
    lmb_fprintf(out,
                "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\" text-anchor=\"%s\" fill=\"#%06x\"", x,
                y, size, words, color);
    if (upright)
        lmb_fprintf(out, " transform=\"rotate(-90 %.2f %.2f)\"", x, y);
    putc('>', out);
    svg_escaped(out, text);
    fputs("</text>\n", out);
}

/* A clip is a nested drawing, which hides what is outside. */
static void svg_clip(void *user, double x, double y, double w, double h)
{
    if (w > 0)
        lmb_fprintf(
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

static bool put_svg(FILE *out, const lmb_plot *plot)
{
    lmb_fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
        "%d\" font-family=\"" FONT ", Verdana, sans-serif\" stroke-linejoin=\"round\">\n",
        plot->width, plot->height, plot->width, plot->height);
    const lmb_canvas canvas = {out, svg_path, svg_fill, svg_dot, svg_text, svg_clip, svg_width};
    lmb_plot_draw(plot, &canvas);
    fputs("</svg>\n", out);
    return !ferror(out);
}

/* --- cairo ------------------------------------------------------------------------------------ */

/* The library and what it draws on. */
typedef struct drawing {
    lmb_cairo lib;
    cairo_t *c;
} drawing;

static void set_color(drawing *d, unsigned color, double opacity)
{
    d->lib.cairo_set_source_rgba(d->c, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
                                 (color & 255) / 255.0, opacity);
}

static void draw_path(void *user, int count, const double *xy, unsigned color, double width,
                      const double *dash)
{
    drawing *d = user;
    set_color(d, color, 1);
    d->lib.cairo_set_line_width(d->c, width);
    d->lib.cairo_set_dash(d->c, dash, dash ? 2 : 0, 0);
    d->lib.cairo_new_path(d->c);
    for (int i = 0; i < count; i++)
        d->lib.cairo_line_to(d->c, xy[2 * i], xy[2 * i + 1]);
    d->lib.cairo_stroke(d->c);
}

static void draw_fill(void *user, double x, double y, double w, double h, unsigned color,
                      double opacity)
{
    drawing *d = user;
    set_color(d, color, opacity);
    d->lib.cairo_rectangle(d->c, x, y, w, h);
    d->lib.cairo_fill(d->c);
}

static void draw_dot(void *user, double x, double y, double radius, unsigned color, double opacity)
{
    drawing *d = user;
    set_color(d, color, opacity);
    d->lib.cairo_new_path(d->c);
    d->lib.cairo_arc(d->c, x, y, radius, 0, 6.28318530717958648);
    d->lib.cairo_fill(d->c);
}

static double text_width(void *user, double size, const char *text)
{
    drawing *d = user;
    cairo_text_extents_t extents;
    d->lib.cairo_set_font_size(d->c, size);
    d->lib.cairo_text_extents(d->c, text, &extents);
    return extents.x_advance;
}

static void draw_text(void *user, double x, double y, double size, double anchor, bool upright,
                      unsigned color, const char *text)
{
    drawing *d = user;
    d->lib.cairo_save(d->c);
    set_color(d, color, 1);
    d->lib.cairo_translate(d->c, x, y);
    if (upright)
        d->lib.cairo_rotate(d->c, -1.57079632679489662);
    d->lib.cairo_move_to(d->c, -anchor * text_width(user, size, text), 0);
    d->lib.cairo_show_text(d->c, text);
    d->lib.cairo_new_path(d->c);
    d->lib.cairo_restore(d->c);
}

static void set_clip(void *user, double x, double y, double w, double h)
{
    drawing *d = user;
    d->lib.cairo_reset_clip(d->c);
    if (w > 0) {
        d->lib.cairo_rectangle(d->c, x, y, w, h);
        d->lib.cairo_clip(d->c);
    }
}

static cairo_status_t put_bytes(void *out, const unsigned char *bytes, unsigned size)
{
    return fwrite(bytes, 1, size, out) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws a plot with lengths times `scale`; the status of the surface says whether that succeeded.
 */
static void draw_plot(drawing *d, cairo_surface_t *surface, const lmb_plot *plot, double scale)
{
    d->c = d->lib.cairo_create(surface);
    d->lib.cairo_scale(d->c, scale, scale);
    d->lib.cairo_select_font_face(d->c, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    d->lib.cairo_set_line_join(d->c, CAIRO_LINE_JOIN_ROUND);
    const lmb_canvas canvas = {d, draw_path, draw_fill, draw_dot, draw_text, set_clip, text_width};
    lmb_plot_draw(plot, &canvas);
    d->lib.cairo_destroy(d->c);
}

static bool put_png(FILE *out, const lmb_plot *plot, drawing *d)
{
    enum { SHARPNESS = 2 }; /* pixels of the file for one of the plot, each way */
    cairo_surface_t *surface = d->lib.cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, SHARPNESS * plot->width, SHARPNESS * plot->height);
    draw_plot(d, surface, plot, SHARPNESS);
    cairo_status_t status = d->lib.cairo_surface_write_to_png_stream(surface, put_bytes, out);
    d->lib.cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS;
}

static bool put_pdf(FILE *out, const lmb_plot *plot, drawing *d)
{
    static const double points = 0.75; /* of a pixel, which is 1/96 inch */
    cairo_surface_t *surface = d->lib.cairo_pdf_surface_create_for_stream(
        put_bytes, out, points * plot->width, points * plot->height);
    d->lib.cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, plot->title);
    draw_plot(d, surface, plot, points);
    d->lib.cairo_surface_finish(surface);
    cairo_status_t status = d->lib.cairo_surface_status(surface);
    d->lib.cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS;
}

/* --- by name ---------------------------------------------------------------------------------- */

static const struct {
    const char *end;
    bool (*draw)(FILE *out, const lmb_plot *plot, drawing *d); /* by cairo; NULL: SVG */
} kinds[] = {{".svg", NULL}, {".png", put_png}, {".pdf", put_pdf}};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* The kind of a file by the end of its name; KINDS: none. */
static int kind_of(const char *path)
{
    int kind = 0;
    while (kind < KINDS && !lmb_ends_with(path, kinds[kind].end))
        kind++;
    return kind;
}

bool lmb_plot_file(const char *path)
{
    return kind_of(path) < KINDS;
}

/* False: out of memory. Fonts would be kept for the next plot. */
static bool draw(FILE *out, const lmb_plot *plot, int kind, drawing *d)
{
    bool done = kinds[kind].draw(out, plot, d);
    d->lib.cairo_debug_reset_static_data();
    d->lib.FcFini();
    return done;
}

lmb_status lmb_plot_write(lmb_context *context, const lmb_plot *plot, const char *path)
{
    char *bytes = NULL;
    size_t size = 0;
    int kind = kind_of(path);
    if (kind == KINDS)
        return lmb_fail(context, LMB_USAGE, "'%s' must end in .svg, .pdf or .png", path);
    drawing d;
    if (kinds[kind].draw && !lmb_cairo_load(&d.lib)) {
        lmb_fail(context, LMB_IO, "the library cairo, which draws '%s', cannot be loaded", path);
        return lmb_hint(context, "install it (libcairo2), or write a .svg");
    }
    FILE *out = lmb_text_open(&bytes, &size);
    bool done = out && (kinds[kind].draw ? draw(out, plot, kind, &d) : put_svg(out, plot));
    done = lmb_text_close(out) && done;
    lmb_status status =
        done ? lmb_file_write(context, path, bytes, size) : lmb_fail_memory(context);
    free(bytes);
    return status;
}
