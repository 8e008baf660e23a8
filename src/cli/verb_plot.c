/* limber plot: channels of results as a picture. */
#include <string.h>

#include "cli/typed.h"
#include "report/plot.h"
#include "result/series.h"
#include "signal/signal.h"
#include "store/h5.h"

/* What was read of the results, and the curves made of it; all in the arena of the arguments. */
typedef struct work {
    const lmb_arguments *arguments;
    lmb_context *context;
    lmb_arena *arena;
    lmb_plot plot;
    bool spectrum;
    const char *versus; /* channel of the x axis, or NULL */
    lmb_span span;
    bool along; /* along a beam at a time, */
    double at;  /* this one */
    int result_count, channel_count;
    const char **results, **channels;
} work;

/* Words that are files of results come first in meaning, wherever they stand. */
static lmb_status sort_words(work *w)
{
    const lmb_arguments *a = w->arguments;
    w->results = lmb_arena_alloc(w->arena, (size_t)a->count + 1, sizeof *w->results);
    w->channels = lmb_arena_alloc(w->arena, (size_t)a->count + 1, sizeof *w->channels);
    if (!lmb_arena_fine(w->arena))
        return lmb_fail_memory(w->context);
    for (int i = 0; i < a->count; i++)
        if (i == 0 || lmb_h5_signature(a->words[i]))
            w->results[w->result_count++] = a->words[i];
        else
            w->channels[w->channel_count++] = a->words[i];
    if (lmb_refuse(a, w->channel_count == 0, "which channels is missing"))
        lmb_hint(w->context, "see `limber list %s`", w->results[0]);
    return *a->status;
}

/* --- curves ----------------------------------------------------------------------------------- */

/* Adds a curve to the panel of its unit. */
static lmb_status add_curve(work *w, const char *unit, lmb_curve curve)
{
    lmb_plot *p = &w->plot;
    int i = 0;
    while (i < p->panel_count && strcmp(p->panels[i].label, unit) != 0)
        i++;
    if (i == p->panel_count)
        lmb_plot_add_panel(p, lmb_text_copy(w->arena, unit, strlen(unit)));
    if (!lmb_arena_fine(w->arena))
        return lmb_fail_memory(w->context);
    lmb_plot_panel *panel = &p->panels[i];
    panel->curves = lmb_arena_append(w->arena, panel->curves, panel->count, sizeof curve);
    if (panel->curves)
        panel->curves[panel->count++] = curve;
    return lmb_check_memory(w->context, w->arena);
}

/* Amplitudes over frequency; the record is taken as one period. */
static lmb_status to_spectrum(work *w, lmb_curve *c)
{
    size_t n = (size_t)c->count, lines = lmb_period_lines(n);
    if (n < 3 || !(c->x[n - 1] > c->x[0]))
        return lmb_fail(w->context, LMB_BAD_INPUT, "'%s' has too few instants for a spectrum",
                        c->label);
    double *x = lmb_arena_numbers(w->arena, lines), *y = lmb_arena_numbers(w->arena, lines);
    if (!lmb_arena_fine(w->arena) || !lmb_period_spectrum(n, c->x, c->y, x, y))
        return lmb_fail_memory(w->context);
    *c = (lmb_curve){.label = c->label, .count = (int)lines, .x = x, .y = y};
    return LMB_OK;
}

/* Every so many numbers of an array. */
static double *column_of(work *w, int count, const double *values, int stride)
{
    double *column = lmb_arena_numbers(w->arena, (size_t)count + 1);
    for (int i = 0; column && i < count; i++)
        column[i] = values[(size_t)i * (size_t)stride];
    return column;
}

/* "motor.effort.x", with the name of the result where there are several. */
static const char *label_of(work *w, const char *channel, const lmb_series *s, int component,
                            int result)
{
    char part[16];
    const char *name = lmb_file_name(w->results[result]);
    const char *end = s->size > 1 ? lmb_component_name(&s->channel, component, part) : "";
    if (w->result_count == 1)
        return lmb_text_format(w->arena, "%s%s", channel, end);
    return lmb_text_format(w->arena, "%s%s (%.*s)", channel, end, lmb_file_stem(name), name);
}

static lmb_status add_components(work *w, const char *channel, const lmb_series *s,
                                 const lmb_series *versus, int result)
{
    if (versus && (versus->count != s->count ||
                   memcmp(versus->time, s->time, (size_t)s->count * sizeof *s->time) != 0))
        return lmb_fail(w->context, LMB_BAD_INPUT,
                        "'%s' and '%s' were stored at different instants", channel, w->versus);
    double *x = column_of(w, s->count, versus ? versus->values : s->time, 1);
    lmb_status status = LMB_OK;
    /* nothing is between two modes, and a line needs two instants */
    bool apart = s->count == 1 || strcmp(s->over.name, "mode") == 0;
    w->plot.room |= apart || versus;
    for (int k = 0; k < s->size && !status; k++) {
        lmb_curve c = {.label = label_of(w, channel, s, k, result),
                       .count = s->count,
                       .x = x,
                       .y = column_of(w, s->count, s->values + k, s->size),
                       .style = apart ? LMB_CURVE_POINTS : LMB_CURVE_LINE};
        status = lmb_check_memory(w->context, w->arena);
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
    if (!status)
        status = lmb_series_cut(s, w->context, w->span);
    if (status)
        return status;
    const char *unit = s->channel.unit;
    w->plot.x_label = lmb_text_format(w->arena, unit[0] ? "%s in %s" : "%s", w->versus, unit);
    return s->size == 1 ? lmb_check_memory(w->context, w->arena)
                        : lmb_fail(w->context, LMB_USAGE, "'%s' has %d numbers: name one of them",
                                   w->versus, s->size);
}

/* All channels are over the same, which gives the x axis its label; spectra are of time. */
static lmb_status check_over(work *w, const char *channel, const lmb_series *s)
{
    if (w->spectrum)
        return strcmp(s->over.name, "time") == 0
                   ? LMB_OK
                   : lmb_fail(w->context, LMB_BAD_INPUT,
                              "'%s' is over %s, not over time: it has no spectrum", channel,
                              s->over.name);
    const char *label = lmb_text_format(w->arena, s->over.unit[0] ? "%s in %s" : "%s",
                                        lmb_over_symbol(&s->over), s->over.unit);
    if (!label)
        return lmb_fail_memory(w->context);
    if (w->plot.x_label[0] && strcmp(w->plot.x_label, label) != 0)
        return lmb_fail(w->context, LMB_BAD_INPUT,
                        "'%s' is over %s and cannot stand in one plot over '%s'", channel,
                        s->over.name, w->plot.x_label);
    w->plot.x_label = label;
    return LMB_OK;
}

/* --- along a beam ----------------------------------------------------------------------------- */

/* The arc lengths of the nodes that a channel is over: of the body that its name begins with. */
static lmb_status read_arc(work *w, lmb_result *r, const char *channel, lmb_series *out)
{
    char *name = lmb_text_copy(w->arena, channel, strlen(channel));
    for (char *dot = name ? strrchr(name, '.') : NULL; dot; dot = strrchr(name, '.')) {
        *dot = 0;
        size_t before = lmb_message_count(w->context);
        const char *arc = lmb_text_format(w->arena, "%s.arc_length", name);
        if (arc && !lmb_result_read(r, w->context, arc, out))
            return LMB_OK;
        lmb_messages_forget(w->context, before);
    }
    lmb_status status = lmb_check_memory(w->context, w->arena);
    return status
               ? status
               : lmb_fail(w->context, LMB_BAD_INPUT,
                          "'%s' is not over the nodes of a beam, so --at cannot draw it along one",
                          channel);
}

/* One curve per component over the arc length. */
static lmb_status add_along(work *w, const char *channel, const lmb_series *s,
                            const lmb_series *arc, int result)
{
    int nodes = arc->size, columns = s->size / nodes;
    if (columns == 0 || s->size % nodes != 0)
        return lmb_fail(w->context, LMB_BAD_INPUT,
                        "'%s' has %d numbers, not some for each of the "
                        "%d nodes",
                        channel, s->size, nodes);
    if (!lmb_series_covers(s, w->at))
        return lmb_fail(w->context, LMB_BAD_INPUT,
                        "%s = %.10g is outside the result, which goes from %.10g to %.10g",
                        lmb_over_symbol(&s->over), w->at, s->time[0], s->time[s->count - 1]);
    double *values = lmb_arena_numbers(w->arena, (size_t)s->size);
    double *x = column_of(w, nodes, arc->values, 1);
    lmb_status status = lmb_check_memory(w->context, w->arena);
    if (status)
        return status;
    lmb_series_interpolate(s, w->at, values);
    for (int k = 0; k < columns && !status; k++) {
        const lmb_channel one = {.components = columns > 1 ? s->channel.components : "",
                                 .size = columns};
        lmb_curve c = {.label = label_of(w, channel, &(lmb_series){.size = columns, .channel = one},
                                         k, result),
                       .count = nodes,
                       .x = x,
                       .y = column_of(w, nodes, values + k, columns),
                       .style = LMB_CURVE_LINE};
        status = lmb_check_memory(w->context, w->arena);
        if (!status)
            status = add_curve(w, s->channel.unit, c);
    }
    return status;
}

static lmb_status read_along(work *w, lmb_result *r, const char *channel, const lmb_series *s,
                             int result)
{
    lmb_series arc = {0};
    lmb_status status = read_arc(w, r, channel, &arc);
    if (!status)
        status = add_along(w, channel, s, &arc, result);
    w->plot.x_label = "arc length in m";
    lmb_series_free(&arc);
    return status;
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
        lmb_series s = {0};
        status = lmb_result_read(r, w->context, w->channels[i], &s);
        if (!status)
            status = lmb_series_cut(&s, w->context, w->span);
        if (!status && w->along)
            status = read_along(w, r, w->channels[i], &s, index);
        if (!status && !w->versus && !w->along)
            status = check_over(w, w->channels[i], &s);
        if (!status && !w->along)
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
    }
    return lmb_check_memory(w->context, w->arena);
}

static lmb_status run(const lmb_arguments *a)
{
    const char *path = lmb_option_value(a, "-o"), *title = lmb_option_value(a, "--title");
    work w = {.arguments = a,
              .context = a->context,
              .arena = a->arena,
              .spectrum = lmb_option_value(a, "--fft") != NULL,
              .versus = lmb_option_value(a, "--versus"),
              .along = lmb_option_value(a, "--at") != NULL,
              .span = lmb_typed_span(a)};
    lmb_plot *plot = &w.plot;
    *plot = lmb_plot_start(a->arena, title ? title : "", w.spectrum ? "frequency in Hz" : "", 0);
    if (lmb_refuse(a, !path, "where to is missing"))
        lmb_hint(a->context, "-o FILE.svg, FILE.pdf or FILE.png");
    lmb_typed_number(a, "--at", LMB_ANY_NUMBER, &w.at);
    lmb_refuse(a, w.spectrum && w.versus, "--fft and --versus do not go together");
    lmb_refuse(a, w.along && (w.spectrum || w.versus), "--at does not go with --fft or --versus");
    lmb_refuse(a, w.along && !lmb_span_is_all(w.span),
               "--at and --from or --to do not go together");
    lmb_typed_size(a, 10000, &plot->width, &plot->height);
    lmb_status status = *a->status ? *a->status : sort_words(&w);
    for (int i = 0; i < w.result_count && !status; i++)
        status = read_result(&w, i);
    if (!status)
        status = label_panels(&w);
    plot->legend = w.spectrum || plot->panel_count > 1 ||
                   (plot->panel_count == 1 && plot->panels[0].count > 1);
    if (plot->height == 0)
        plot->height = plot->panel_count > 1 ? 160 + 240 * plot->panel_count : 480;
    return status ? status : lmb_plot_write(a->context, plot, path);
}

static const lmb_option options[] = {
    {"-o, --output FILE", "Where the picture goes: FILE.svg, FILE.pdf or FILE.png."},
    {"--fft", "Plots amplitudes (0 to peak) over frequency, without the mean; the record is taken "
              "as one period."},
    {"--versus CHANNEL", "Plots over a channel instead of over time."},
    {"--at T", "Plots channels over the nodes of a beam along its arc length, at time T."},
    LMB_SPAN_OPTIONS("Plots the instants"),
    {"--title TEXT", "A title above the plot."},
    {"--size WxH", "Width and height in pixels (default: 800 and what is needed)."},
    {0},
};

const lmb_verb lmb_verb_plot = {
    .name = "plot",
    .usage = "RESULT... CHANNEL... -o FILE.svg|pdf|png [--fft | --versus CHANNEL | --at T] "
             "[--from T] [--to T] [--title TEXT] [--size WxH]",
    .summary = "Draws channels of results as a picture.",
    .doc = "Draws channels over time (or what their analysis is over), over frequency, over one "
           "another or along a beam, as SVG or PDF for papers or as PNG. Channels of one unit "
           "share a panel; "
           "panels stand one above the other. With several results their channels are overlaid.",
    .examples = "limber plot slider-crank.h5 motor.effort -o effort.svg\n"
                "limber plot coarse.h5 fine.h5 crank.angle -o angles.png\n"
                "limber plot pendulum.h5 arm.angular_velocity --versus arm.angle -o phase.svg\n"
                "limber plot governor.h5 slide.offset --fft -o spectrum.svg\n"
                "limber plot arm.h5 arm.section.moment.z --at 0.25 -o moment.svg\n",
    .words = {1, -1},
    .options = options,
    .shows_results = true,
    .run = run,
};
