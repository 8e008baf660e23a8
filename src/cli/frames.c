/* What is typed about frames; see frames.h. */
#include "cli/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "cli/options.h"

enum { WIDTH = 1280, HEIGHT = 800, MOST_PIXELS = 4096 }; /* the default, and the most each way */

static lmb_status read_view(lmb_context *context, const char *word, lmb_frame_style *style)
{
    static const char *const names[] = {"iso", "front", "side", "top"};
    vec3 *from = &style->from;
    int used = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(word, names[i]) == 0) {
            style->view = names[i];
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

lmb_status lmb_frame_options_read(const lmb_arguments *a, lmb_frame_style *style)
{
    static const char *const own[] = {"--size", "--view", "--exaggerate", "--stress", "--dark"};
    *style = (lmb_frame_style){.width = WIDTH,
                               .height = HEIGHT,
                               .exaggerate = 1,
                               .stress = lmb_option_value(a, "--stress") != NULL,
                               .dark = lmb_option_value(a, "--dark") != NULL};
    for (size_t i = 0; !lmb_option_value(a, "--frames") && i < sizeof own / sizeof *own; i++)
        if (lmb_option_value(a, own[i]))
            return lmb_fail(a->context, LMB_USAGE, "%s is for --frames", own[i]);
    const char *size = lmb_option_value(a, "--size"), *view = lmb_option_value(a, "--view");
    const char *factor = lmb_option_value(a, "--exaggerate");
    lmb_status status = LMB_OK;
    if (size)
        status = lmb_typed_size(a->context, size, MOST_PIXELS, &style->width, &style->height);
    if (!status && view)
        status = read_view(a->context, view, style);
    if (!status && factor)
        status = read_factor(a->context, factor, &style->exaggerate);
    return status;
}
