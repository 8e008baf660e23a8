/* limber plot: channels of results as a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "cli/options.h"
#include "report/plot.h"
#include "result/series.h"
#include "cli/verb.h"
#include "store/h5.h"
#include "limber/result.h"
#include "signal/fft.h"

/* What was read of the results, and the curves made of it. */
typedef struct work {
    const lmb_arguments *arguments;
    lmb_context *context;
    lmb_arena *arena;
    lmb_plot plot;
    bool spectrum;
    const char *versus; /* channel of the x axis, or NULL */
    int result_count, channel_count;
    const char **results, **channels;
} work;

/* Words that are files of results come first in meaning, wherever they stand. */
static lmb_status sort_words(work *w)
{
    size_t count = (size_t)w->arguments->count + 1;
    w->results = lmb_arena_alloc(w->arena, count, sizeof *w->results);
    w->channels = lmb_arena_alloc(w->arena, count, sizeof *w->channels);
    if (!w->results || !w->channels)
        return lmb_fail_memory(w->context);
    for (int i = 0; i < w->arguments->count; i++) {
        const char *word = w->arguments->words[i];
        if (i == 0 || lmb_h5_signature(word))
            w->results[w->result_count++] = word;
        else
            w->channels[w->channel_count++] = word;
    }
    if (w->channel_count == 0) {
        lmb_fail(w->context, LMB_USAGE, "which channels is missing");
        lmb_hint(w->context, "see `limber list %s`", w->results[0]);
        return LMB_USAGE;
    }
    return LMB_OK;
}

/* --- curves ----------------------------------------------------------------------------------- */

/* The panel of a unit. */
static lmb_plot_panel *panel_of(work *w, const char *label)
{
    lmb_plot *p = &w->plot;
    for (int i = 0; i < p->panel_count; i++)
        if (strcmp(p->panels[i].label, label) == 0)
            return &p->panels[i];
    size_t old = (size_t)p->panel_count;
    p->panels = lmb_arena_grow(w->arena, p->panels, old, old + 1, sizeof *p->panels);
    char *copy = lmb_text_copy(w->arena, label, strlen(label));
    if (!p->panels || !copy)
        return NULL;
    p->panels[p->panel_count] = (lmb_plot_panel){.label = copy};
    return &p->panels[p->panel_count++];
}

static lmb_status add_curve(work *w, const char *unit, lmb_curve curve)
{
    lmb_plot_panel *panel = panel_of(w, unit);
    lmb_curve *grown = panel ? lmb_arena_grow(w->arena, panel->curves, (size_t)panel->count,
                                              (size_t)panel->count + 1, sizeof *grown)
                             : NULL;
    if (!grown || !curve.label)
        return lmb_fail_memory(w->context);
    panel->curves = grown;
    panel->curves[panel->count++] = curve;
    return LMB_OK;
}

/* Amplitudes over frequency; the record is taken as one period. */
static lmb_status to_spectrum(work *w, lmb_curve *c)
{
    size_t n = (size_t)c->count, lines = lmb_period_lines(n);
    if (n < 3 || !(c->x[n - 1] > c->x[0]))
        return lmb_fail(w->context, LMB_BAD_INPUT, "'%s' has too few instants for a spectrum",
                        c->label);
    double *x = lmb_arena_numbers(w->arena, lines), *y = lmb_arena_numbers(w->arena, lines);
    if (!x || !y || !lmb_period_spectrum(n, c->x, c->y, x, y))
        return lmb_fail_memory(w->context);
    *c = (lmb_curve){c->label, (int)lines, x, y, LMB_CURVE_LINE};
    return LMB_OK;
}

/* One component of a series as an array. */
static double *column_of(work *w, const lmb_series *s, int component)
{
    double *column = lmb_arena_alloc(w->arena, (size_t)s->count + 1, sizeof *column);
    for (int i = 0; column && i < s->count; i++)
        column[i] = s->values[(size_t)i * (size_t)s->size + (size_t)component];
    return column;
}

/* "motor.effort.x", with the name of the result where there are several. */
static const char *label_of(work *w, const char *channel, const lmb_series *s, int component,
                            int result)
{
    char part[16];
    const char *name = lmb_file_name(w->results[result]);
    int length = lmb_file_stem(name);
    const char *end = s->size > 1 ? lmb_component_name(&s->channel, component, part) : "";
    if (w->result_count == 1)
        return lmb_text_format(w->arena, "%s%s", channel, end);
    return lmb_text_format(w->arena, "%s%s (%.*s)", channel, end, length, name);
}

static lmb_status add_components(work *w, const char *channel, const lmb_series *s,
                                 const lmb_series *versus, int result)
{
    double *x = NULL;
    if (versus) {
        if (versus->count != s->count ||
            memcmp(versus->time, s->time, (size_t)s->count * sizeof *s->time) != 0)
            return lmb_fail(w->context, LMB_BAD_INPUT,
                            "'%s' and '%s' were stored at different instants", channel, w->versus);
        x = column_of(w, versus, 0);
    } else {
        x = lmb_arena_alloc(w->arena, (size_t)s->count + 1, sizeof *x);
        if (x)
            memcpy(x, s->time, (size_t)s->count * sizeof *x);
    }
    lmb_status status = LMB_OK;
    /* nothing is between two modes, and a line needs two instants */
    bool apart = s->count == 1 || strcmp(s->over.name, "mode") == 0;
    w->plot.room |= apart || versus;
    for (int k = 0; k < s->size && !status; k++) {
        lmb_curve c = {.label = label_of(w, channel, s, k, result),
                       .count = s->count,
                       .x = x,
                       .y = column_of(w, s, k),
                       .style = apart ? LMB_CURVE_POINTS : LMB_CURVE_LINE};
        status = c.label && c.x && c.y ? LMB_OK : lmb_fail_memory(w->context);
        if (!status && w->spectrum)
            status = to_spectrum(w, &c);
        if (!status)
            status = add_curve(w, s->channel.unit, c);
    }
    return status;
}

static lmb_status read_versus(work *w, lmb_result *r, lmb_series *s)
{
    lmb_status status = lmb_result_read(r, w->context, w->versus, s);
    if (!status && s->size != 1) {
        status = lmb_fail(w->context, LMB_USAGE, "'%s' has %d numbers: name one of them", w->versus,
                          s->size);
        lmb_series_free(s);
    }
    if (!status) {
        const char *unit = s->channel.unit;
        w->plot.x_label = lmb_text_format(w->arena, unit[0] ? "%s in %s" : "%s", w->versus, unit);
    }
    return status;
}

/* All channels are over the same, which gives the x axis its label; spectra are of time. */
static lmb_status check_over(work *w, const char *channel, const lmb_series *s)
{
    char label[64];
    if (w->spectrum)
        return strcmp(s->over.name, "time") == 0
                   ? LMB_OK
                   : lmb_fail(w->context, LMB_BAD_INPUT,
                              "'%s' is over %s, not over time: it has no spectrum", channel,
                              s->over.name);
    lmb_over_label(&s->over, label);
    if (w->plot.x_label[0] && strcmp(w->plot.x_label, label) != 0)
        return lmb_fail(w->context, LMB_BAD_INPUT,
                        "'%s' is over %s and cannot stand in one plot over '%s'", channel,
                        s->over.name, w->plot.x_label);
    w->plot.x_label = lmb_text_copy(w->arena, label, strlen(label));
    return w->plot.x_label ? LMB_OK : lmb_fail_memory(w->context);
}

static lmb_status read_result(work *w, int index)
{
    lmb_result *r;
    lmb_series versus = {0};
    lmb_status status = lmb_result_open(&r, w->context, w->results[index]);
    if (status)
        return status;
    if (w->versus)
        status = read_versus(w, r, &versus);
    for (int i = 0; i < w->channel_count && !status; i++) {
        lmb_series s;
        status = lmb_result_read(r, w->context, w->channels[i], &s);
        if (status)
            break;
        if (!w->versus && (status = check_over(w, w->channels[i], &s))) {
            lmb_series_free(&s);
            break;
        }
        status = add_components(w, w->channels[i], &s, w->versus ? &versus : NULL, index);
        lmb_series_free(&s);
    }
    lmb_series_free(&versus);
    lmb_result_close(r);
    return status;
}

/* --- the picture ------------------------------------------------------------------------------ */

/* An axis of one curve has its name, one of several their unit. */
static lmb_status label_panels(work *w)
{
    for (int i = 0; i < w->plot.panel_count; i++) {
        lmb_plot_panel *p = &w->plot.panels[i];
        const char *unit = p->label, *what = p->count == 1 ? p->curves[0].label : "";
        const char *kind = w->spectrum ? "amplitude" : what;
        p->label = !unit[0]  ? kind
                   : kind[0] ? lmb_text_format(w->arena, "%s in %s", kind, unit)
                             : unit;
        if (!p->label)
            return lmb_fail_memory(w->context);
    }
    return LMB_OK;
}

static lmb_status make(work *w, const char *path)
{
    const lmb_arguments *a = w->arguments;
    const char *title = lmb_option_value(a, "--title");
    const char *size = lmb_option_value(a, "--size");
    lmb_status status = LMB_OK;
    w->plot.width = 800;
    if (size)
        status = lmb_typed_size(w->context, size, 10000, &w->plot.width, &w->plot.height);
    w->plot.title = title ? title : "";
    w->plot.x_label = w->spectrum ? "frequency in Hz" : "";
    if (!status)
        status = sort_words(w);
    for (int i = 0; i < w->result_count && !status; i++)
        status = read_result(w, i);
    if (!status)
        status = label_panels(w);
    w->plot.legend = w->spectrum || w->plot.panel_count > 1 ||
                     (w->plot.panel_count == 1 && w->plot.panels[0].count > 1);
    if (w->plot.height == 0)
        w->plot.height = w->plot.panel_count > 1 ? 160 + 240 * w->plot.panel_count : 480;
    return status ? status : lmb_plot_write(w->context, &w->plot, path);
}

static lmb_status run(const lmb_arguments *a)
{
    work w = {.arguments = a, .context = a->context};
    const char *path = lmb_option_value(a, "-o");
    w.spectrum = lmb_option_value(a, "--fft") != NULL;
    w.versus = lmb_option_value(a, "--versus");
    if (!path) {
        lmb_fail(a->context, LMB_USAGE, "where to is missing");
        lmb_hint(a->context, "-o FILE.svg, FILE.pdf or FILE.png");
        return LMB_USAGE;
    }
    if (w.spectrum && w.versus)
        return lmb_fail(a->context, LMB_USAGE, "--fft and --versus do not go together");
    w.arena = lmb_arena_new();
    lmb_status status = w.arena ? make(&w, path) : lmb_fail_memory(a->context);
    lmb_arena_free(w.arena);
    return status;
}

static const lmb_option options[] = {
    {"--output", "-o", "FILE", false, "Where the picture goes: FILE.svg, FILE.pdf or FILE.png."},
    {"--fft", NULL, NULL, false,
     "Plots amplitudes (0 to peak) over frequency, without the mean; the record is taken as one "
     "period."},
    {"--versus", NULL, "CHANNEL", false, "Plots over a channel instead of over time."},
    {"--title", NULL, "TEXT", false, "A title above the plot."},
    {"--size", NULL, "WxH", false, "Width and height in pixels (default: 800 and what is needed)."},
    {0},
};

const lmb_verb lmb_verb_plot = {
    .name = "plot",
    .usage = "RESULT... CHANNEL... -o FILE.svg|pdf|png [--fft | --versus CHANNEL] [--title TEXT] "
             "[--size WxH]",
    .summary = "Draws channels of results as a picture.",
    .doc = "Draws channels over time (or what their analysis is over), over frequency or over one "
           "another, as SVG or PDF for papers or as "
           "PNG. Channels of one unit share a panel; panels stand one above the other. With "
           "several results their channels are overlaid.",
    .examples = "limber plot slider-crank.h5 motor.effort -o effort.svg\n"
                "limber plot coarse.h5 fine.h5 crank.angle -o angles.png\n"
                "limber plot pendulum.h5 arm.angular_velocity --versus arm.angle -o phase.svg\n"
                "limber plot governor.h5 slide.offset --fft -o spectrum.svg\n",
    .least = 1,
    .most = -1,
    .options = options,
    .run = run,
};
