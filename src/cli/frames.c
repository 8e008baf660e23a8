/* Frames of an animation; see frames.h. */
#include "cli/frames.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "cli/options.h"
#include "cli/picture.h"
#include "store/body_file.h"

enum { WIDTH = 1280, HEIGHT = 800, MOST_PIXELS = 4096 }; /* the default, and the most each way */

/* --- options ---------------------------------------------------------------------------------- */

static lmb_status read_view(lmb_context *context, const char *word, lmb_frame_options *o)
{
    vec3 *from = &o->style.from;
    int used = 0;
    if (lmb_view_named(v3(0, 0, 1), word, from)) {
        o->view = word;
        return LMB_OK;
    }
    if (sscanf(word, "%lf,%lf,%lf%n", &from->x, &from->y, &from->z, &used) == 3 && !word[used] &&
        isfinite(v3_norm(*from)) && v3_norm(*from) > 0)
        return LMB_OK;
    lmb_fail(context, LMB_USAGE, "the view '%s' is not one", word);
    lmb_hint(context, "iso, front, side or top, or the direction of the camera: --view 1,-2,0.5");
    return LMB_USAGE;
}

static lmb_status read_factor(lmb_context *context, const char *word, double *factor)
{
    lmb_status status = lmb_typed_number(context, "--exaggerate", word, factor);
    if (!status && !(*factor >= 0))
        status = lmb_fail(context, LMB_USAGE, "--exaggerate must not be negative");
    return status;
}

lmb_status lmb_frame_options_read(const lmb_arguments *a, lmb_frame_options *o)
{
    static const char *const own[] = {"--size", "--view", "--exaggerate", "--stress", "--dark"};
    *o = (lmb_frame_options){.folder = lmb_option_value(a, "--frames"),
                             .style = {.width = WIDTH,
                                       .height = HEIGHT,
                                       .exaggerate = 1,
                                       .stress = lmb_option_value(a, "--stress") != NULL,
                                       .dark = lmb_option_value(a, "--dark") != NULL}};
    for (size_t i = 0; !o->folder && i < sizeof own / sizeof *own; i++)
        if (lmb_option_value(a, own[i]))
            return lmb_fail(a->context, LMB_USAGE, "%s is for --frames", own[i]);
    const char *size = lmb_option_value(a, "--size"), *view = lmb_option_value(a, "--view");
    const char *factor = lmb_option_value(a, "--exaggerate");
    lmb_status status = LMB_OK;
    if (size)
        status = lmb_typed_size(a->context, size, MOST_PIXELS, &o->style.width, &o->style.height);
    if (!status && view)
        status = read_view(a->context, view, o);
    if (!status && factor)
        status = read_factor(a->context, factor, &o->style.exaggerate);
    return status;
}

/* What the options ask for must be in the result. */
static lmb_status check_scene(lmb_context *context, const lmb_scene *scene,
                              const lmb_drawing_style *style)
{
    bool flexible = false, stresses = false;
    for (int i = 0; i < scene->body_count; i++) {
        flexible = flexible || scene->bodies[i].skin;
        stresses = stresses || (scene->bodies[i].skin && scene->bodies[i].skin->stresses);
    }
    if (style->stress && !stresses)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "--stress: no body of the result has stresses to be drawn");
    if (style->exaggerate != 1 && !flexible)
        return lmb_fail(context, LMB_BAD_INPUT, "--exaggerate: no body of the result is flexible");
    return LMB_OK;
}

/* --- what is written on the picture ----------------------------------------------------------- */

/* As many decimals as tell one instant from the next, the same on all frames. */
static int decimals_of(const lmb_scene *scene)
{
    int n = scene->instant_count;
    double step = n > 1 ? (scene->time[n - 1] - scene->time[0]) / (n - 1) : 1;
    int most = step > 0 ? (int)fmin(fmax(ceil(1 - log10(step)), 0), 9) : 0, decimals = 0;
    for (bool exact = false; !exact && decimals < most; decimals += !exact) {
        double unit = pow(10, decimals);
        exact = true;
        for (int i = 0; i < n && exact; i++)
            exact = fabs(scene->time[i] * unit - round(scene->time[i] * unit)) < 1e-4 * step * unit;
    }
    return decimals;
}

static void write_texts(const lmb_canvas *c, const lmb_drawing_style *style, double time,
                        int decimals)
{
    unsigned ink = style->dark ? 0xe4e9ee : 0x2b3642;
    char text[64];
    snprintf(text, sizeof text, "t = %.*f s", decimals, time);
    c->text(c->user, 16, style->height - 16, 16, 0, false, ink, text);
    if (style->exaggerate == 1)
        return;
    snprintf(text, sizeof text, "deformation \303\227 %g", style->exaggerate);
    c->text(c->user, 16, style->height - 38, 13, 0, false, ink, text);
}

/* The colours of stresses, with numbers beside them. */
static void write_legend(const lmb_canvas *c, const lmb_drawing_style *style, double largest)
{
    enum { STEPS = 4, BAR = 14 };
    unsigned ink = style->dark ? 0xe4e9ee : 0x2b3642;
    double height = fmin(300, 0.5 * style->height), x = style->width - 136;
    double y = (style->height - height) / 2;
    for (int i = 0; i < (int)height; i++)
        c->fill(c->user, x, y + i, BAR, 1, lmb_stress_color(1 - i / (height - 1)));
    c->text(c->user, x, y - 34, 13, 0, false, ink, "von Mises stress");
    c->text(c->user, x, y - 16, 13, 0, false, ink, "in MPa");
    for (int i = 0; i <= STEPS; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.3g", largest / 1e6 * i / STEPS);
        c->text(c->user, x + BAR + 8, y + height * (1 - (double)i / STEPS) + 4.5, 13, 0, false, ink,
                text);
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static void frame_path(char path[4096], const char *folder, int number)
{
    snprintf(path, 4096, "%s/frame-%04d.png", folder, number);
}

static lmb_status write_picture(lmb_context *context, lmb_picture *picture, const char *folder,
                                int number)
{
    char path[4096];
    unsigned char *bytes;
    size_t size;
    lmb_status status = lmb_picture_png(picture, context, &bytes, &size);
    if (status)
        return status;
    frame_path(path, folder, number);
    int error = lmb_file_replace(path, bytes, size);
    free(bytes);
    return error ? lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error))
                 : LMB_OK;
}

static lmb_status write_all(lmb_context *context, const lmb_scene *scene, lmb_drawing *drawing,
                            lmb_picture *picture, const lmb_frame_options *o)
{
    lmb_status status = LMB_OK;
    int decimals = decimals_of(scene);
    for (int i = 0; i < scene->instant_count && !status; i++) {
        lmb_drawing_draw(drawing, i, picture->pixels, picture->stride);
        write_texts(&picture->canvas, &o->style, scene->time[i], decimals);
        if (o->style.stress)
            write_legend(&picture->canvas, &o->style, lmb_drawing_largest_stress(drawing));
        status = write_picture(context, picture, o->folder, i + 1);
        if (!status)
            status = lmb_go_on(context, "export", (double)(i + 1) / scene->instant_count);
    }
    return status;
}

/* Frames of a longer export before this one would be taken into the same video. */
static void warn_of_older(lmb_context *context, const char *folder, int count)
{
    char path[4096];
    frame_path(path, folder, count + 1);
    if (access(path, F_OK) != 0)
        return;
    lmb_warn(context, "'%s' and what follows it are older frames, which stay", path);
    lmb_hint(context, "remove them, or write into a new folder");
}

lmb_status lmb_write_frames(lmb_context *context, const lmb_scene *scene,
                            const lmb_frame_options *o)
{
    lmb_drawing_style style = o->style;
    lmb_status status = check_scene(context, scene, &style);
    if (status)
        return status;
    if (o->view)
        lmb_view_named(scene->up, o->view, &style.from);
    if (mkdir(o->folder, 0777) != 0 && errno != EEXIST)
        return lmb_fail(context, LMB_IO, "cannot make the folder '%s': %s", o->folder,
                        strerror(errno));
    lmb_drawing *drawing;
    lmb_picture picture = {0};
    status = lmb_drawing_new(&drawing, context, scene, &style);
    if (status)
        return status;
    status = lmb_picture_new(&picture, context, style.width, style.height, 1);
    if (!status)
        status = write_all(context, scene, drawing, &picture, o);
    if (!status)
        warn_of_older(context, o->folder, scene->instant_count);
    lmb_picture_free(&picture);
    lmb_drawing_free(drawing);
    return status;
}
