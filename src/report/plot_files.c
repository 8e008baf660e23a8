/* Plots as files: SVG, and what cairo writes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/plot_draw.h"
#include "store/body_file.h"

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

static lmb_status write_svg(lmb_context *context, const lmb_plot *plot, unsigned char **bytes,
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
            plot->width, plot->height, plot->width, plot->height, LMB_PLOT_FONT);
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

/* --- by name ---------------------------------------------------------------------------------- */

bool lmb_plot_file(const char *path)
{
    return lmb_ends_with(path, ".svg") || lmb_ends_with(path, ".png") ||
           lmb_ends_with(path, ".pdf");
}

lmb_status lmb_plot_write(lmb_context *context, const lmb_plot *plot, const char *path)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!lmb_plot_file(path))
        return lmb_fail(context, LMB_USAGE, "'%s' must end in .svg, .pdf or .png", path);
    lmb_status status =
        lmb_ends_with(path, ".svg")
            ? write_svg(context, plot, &bytes, &size)
            : lmb_plot_cairo(context, plot, lmb_ends_with(path, ".pdf"), &bytes, &size);
    if (status)
        return status;
    int error = lmb_file_replace(path, bytes, size);
    free(bytes);
    if (error)
        return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error));
    return LMB_OK;
}
