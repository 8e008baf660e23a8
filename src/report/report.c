/* Writing reports. The page has one JSON text:
 *
 *   {"format": 1, "kind": "result", "body" or "sheet", "source", "title", "version", "model",
 *    "parameters", "geometry", "summary", "sheet": texts as they are in the file,
 *    "analyses": [{"name", "type", "over": {"name", "unit"}, "stored", "time": block,
 *                  "unaccounted": J,
 *                  "channels": [{"name", "unit", "doc", "size", "components", "data": block}]}],
 *    "span": {"from", "to"} of the largest loads, null where it has no limit,
 *    "skins": [...], "compare": {...}: see below,
 *    "frames": {...} of a page that draws the frames of a video: its analysis has their instants,
 *    "body": {...} of a body file}
 *
 * Numbers of a channel are sent with single precision, a component after the other. */
#include "report/report.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "result/read.h"
#include "result/series.h"
#include "scene/geometry.h"

/* Above so many numbers of all channels of an analysis, instants are left out. */
enum { MOST_NUMBERS = 4 * 1000 * 1000 };

/* Nodes of all skins together, and the least that one of many is left with. */
enum { MOST_NODES = 50000, LEAST_NODES = 4000 };

static void put_head(lmb_page *page, const char *kind, const char *path)
{
    lmb_json_put(&page->json, "format %d, kind %s, source %s, written_by %s", 1, kind,
                 lmb_file_name(path), lmb_version());
}

/* The numbers of a series as a block with single precision, a component after the other. */
static void put_numbers(lmb_page *page, const lmb_series *s)
{
    size_t count = (size_t)s->count, size = (size_t)s->size;
    float *numbers = malloc((count * size + 1) * sizeof *numbers);
    for (size_t i = 0; numbers && i < count * size; i++)
        numbers[i % size * count + i / size] = (float)s->values[i];
    lmb_page_block(page, "data", "f32", numbers, count * size);
    free(numbers);
}

/* --- what is laid over the channels -----------------------------------------------------------
 *
 * Another result, or a table of measurements:
 *
 *   "compare": {"source", "shift",
 *               "channels": [{"name", "size", "time": block, "data": block,
 *                             "gap", "largest", "rms", "at"}]}
 *
 * Steps longer than "gap" (null: none) are not interpolated. Names are those of channels, or of
 * components for columns of a table. */

/* Compares a channel that both have, and writes the other one and how far it is off. */
static lmb_status put_compared(lmb_page *page, lmb_context *context, lmb_result *result,
                               lmb_counterpart *counterpart, const char *name, int *count)
{
    lmb_series own = {0}, other = {0};
    lmb_deviation d;
    double gap;
    lmb_status status = lmb_result_read(result, context, name, &own);
    if (!status)
        status = lmb_counterpart_read(counterpart, name, &other, &gap);
    bool alike = !status && own.size == other.size && other.count > 0;
    if (alike && !(status = lmb_counterpart_compare(counterpart, name, &own, &other, gap, &d))) {
        lmb_json_open(&page->json, NULL, '{');
        lmb_json_put(&page->json, "name %s, size %d", name, other.size);
        lmb_page_block(page, "time", "f64", other.time, (size_t)other.count);
        put_numbers(page, &other);
        lmb_json_put(&page->json, "gap %g, largest %g, rms %g, at %g", gap, d.largest, d.rms, d.at);
        lmb_json_close(&page->json);
        ++*count;
    }
    lmb_series_free(&own);
    lmb_series_free(&other);
    return status;
}

/* All channels that both have; the result's are those of its last analysis. */
static lmb_status put_comparison(lmb_page *page, lmb_context *context, lmb_result *result,
                                 const lmb_compare_with *with)
{
    int count = 0;
    lmb_counterpart *other;
    lmb_status status = lmb_counterpart_open(&other, context, result, with);
    if (status)
        return status;
    lmb_json_open(&page->json, "compare", '{');
    lmb_json_put(&page->json, "source %s, shift %g", lmb_file_name(with->path), with->shift);
    lmb_json_open(&page->json, "channels", '[');
    for (int i = 0; i < lmb_counterpart_count(other) && !status; i++) {
        const char *name = lmb_counterpart_name(other, i);
        if (lmb_result_has(result, name))
            status = put_compared(page, context, result, other, name, &count);
    }
    if (!status)
        lmb_counterpart_report_unmatched(other);
    if (!status && count == 0)
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' has no channel of the result", with->path);
    lmb_json_close(&page->json);
    lmb_json_close(&page->json);
    lmb_counterpart_close(other);
    return status;
}

/* --- skins ------------------------------------------------------------------------------------
 *
 * A long motion stays small because modes are sent once and combined where they are shown. The
 * shape of a mode is sent with 16 bits a number, relative to its largest one; stresses with 8,
 * which is finer than colours can show. Of the stress a mode has the five numbers
 *
 *   xx - yy, yy - zz, xy, yz, zx
 *
 * that the von Mises stress depends on. In both, numbers of one component stand together. */

enum { PARTS = 5 };

static double largest_of(const float *numbers, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            largest = fmax(largest, fabs((double)numbers[i]));
    return largest;
}

/* Numbers of modes x nodes x parts as a list of scales, then a block of modes x parts x nodes of 16
 * or 8 bits each. */
static void put_packed(lmb_page *page, const char *scales, const char *key, bool wide, size_t modes,
                       size_t n, size_t parts, const float *numbers)
{
    size_t each = n * parts;
    int16_t *words = malloc((each * modes + 1) * sizeof *words);
    int8_t *bytes = (int8_t *)words;
    lmb_json_open(&page->json, scales, '[');
    for (size_t mode = 0; words && mode < modes; mode++) {
        const float *of = numbers + mode * each;
        double scale = largest_of(of, each) / (wide ? INT16_MAX : INT8_MAX);
        for (size_t i = 0; i < each; i++) {
            double value = scale > 0 ? of[i] / scale : 0;
            long rounded = isfinite(value) ? lrint(value) : 0;
            size_t to = mode * each + i % parts * n + i / parts;
            if (wide)
                words[to] = (int16_t)rounded;
            else
                bytes[to] = (int8_t)rounded;
        }
        lmb_json_rounded(&page->json, NULL, scale, 9);
    }
    lmb_json_close(&page->json);
    lmb_page_block(page, key, wide ? "i16" : "i8", words, each * modes);
    free(words);
}

/* The stresses of modes, then of accelerations. */
static void put_stresses(lmb_page *page, const lmb_skin *s)
{
    size_t n = (size_t)s->node_count, modes = (size_t)(s->mode_count + s->acceleration_count);
    float *parts = malloc((PARTS * n * modes + 1) * sizeof *parts);
    for (size_t i = 0; parts && i < n * modes; i++) {
        const float *t = s->stresses + i * LMB_SKIN_STRESSES;
        const float of[PARTS] = {t[0] - t[1], t[1] - t[2], t[3], t[4], t[5]};
        memcpy(parts + PARTS * i, of, sizeof of);
    }
    page->failed = page->failed || !parts;
    put_packed(page, "stress_scale", "stresses", false, parts ? modes : 0, n, PARTS, parts);
    free(parts);
}

static void put_skin(lmb_page *page, const lmb_skin *s)
{
    lmb_json_open(&page->json, NULL, '{');
    lmb_json_text(&page->json, "name", s->name);
    lmb_page_block(page, "nodes", "f32", s->nodes, 3 * (size_t)s->node_count);
    lmb_page_block(page, "triangles", "u32", s->triangles, 3 * (size_t)s->triangle_count);
    lmb_page_block(page, "lines", "u32", s->lines, 2 * (size_t)s->line_count);
    if (s->carrier_count > 0) {
        lmb_page_block(page, "carriers", "f32", s->carriers,
                       LMB_CARRIER_NUMBERS * (size_t)s->carrier_count);
        lmb_page_block(page, "carrier", "u32", s->carrier, (size_t)s->node_count);
        lmb_json_integer(&page->json, "beam_nodes", lmb_skin_beam_nodes(s));
        lmb_page_block(page, "ends", "u32", s->ends, 2 * (size_t)s->span_count);
        lmb_page_block(page, "spans", "f32", s->spans, LMB_SPAN_NUMBERS * (size_t)s->span_count);
        lmb_page_block(page, "span", "u32", s->span, (size_t)s->carrier_count);
        lmb_page_block(page, "along", "f32", s->along, (size_t)s->carrier_count);
        if (s->fibres)
            lmb_page_block(page, "fibres", "f32", s->fibres,
                           LMB_FIBRE_NUMBERS * (size_t)s->node_count);
    }
    lmb_json_numbers(&page->json, "frequency", (size_t)s->mode_count, s->frequency);
    put_packed(page, "shape_scale", "shapes", true, (size_t)s->mode_count, (size_t)s->node_count, 3,
               s->shapes);
    if (s->stresses)
        put_stresses(page, s);
    lmb_json_close(&page->json);
}

static void put_skins(lmb_page *page, const lmb_skin *skins, int count)
{
    lmb_json_open(&page->json, "skins", '[');
    for (int i = 0; i < count; i++)
        put_skin(page, &skins[i]);
    lmb_json_close(&page->json);
}

/* --- a result --------------------------------------------------------------------------------- */

static void put_channel(lmb_page *page, const lmb_series *s)
{
    const lmb_channel *c = &s->channel;
    lmb_json_open(&page->json, NULL, '{');
    lmb_json_put(&page->json, "name %s, unit %s, doc %s, components %s, size %d", c->name, c->unit,
                 c->doc, c->components, s->size);
    put_numbers(page, s);
    lmb_json_close(&page->json);
}

/* Leaves every `stride`-th instant and the last one. */
static void thin(lmb_series *s, int stride)
{
    int kept = s->count > 1 ? (s->count - 2) / stride + 2 : s->count;
    size_t size = (size_t)s->size;
    for (int i = 0; i < kept && stride > 1; i++) {
        int row = i + 1 == kept ? s->count - 1 : i * stride;
        s->time[i] = s->time[row];
        memmove(s->values + (size_t)i * size, s->values + (size_t)row * size,
                size * sizeof *s->values);
    }
    s->count = kept;
}

/* The largest change of the energy balance over all instants. It is the difference of large
 * numbers: single precision would not have it. */
static double unaccounted(const lmb_series *s)
{
    double worst = 0;
    for (int i = 0; i < s->count; i++)
        worst = fmax(worst, fabs(s->values[i] - s->values[0]));
    return s->count > 1 ? worst : NAN;
}

/* Whether frames need a channel: those of the motion, and the times of events. */
static bool is_drawn(const char *name)
{
    static const char *const endings[] = {".position",
                                          ".quaternion",
                                          ".angle",
                                          ".modes",
                                          ".time",
                                          ".stress_coordinates",
                                          ".nodes",
                                          ".nodes_quaternion",
                                          ".nodes_angle",
                                          ".section.force",
                                          ".section.moment",
                                          ".nodes_velocity",
                                          ".nodes_angular_velocity"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (lmb_ends_with(name, endings[i]))
            return true;
    return false;
}

/* Whether a report has a channel: of those over nodes, which are large, the ones that are drawn. */
static bool is_sent(const lmb_channel *c, bool frames)
{
    return is_drawn(c->name) || (!frames && lmb_channel_nodes(c) == 1);
}

static size_t sent_width(const lmb_result *r, int analysis)
{
    size_t width = 1;
    for (int i = 0; i < lmb_result_channel_count(r, analysis); i++) {
        const lmb_channel *c = lmb_result_channel(r, analysis, i);
        width += is_sent(c, false) ? (size_t)c->size : 0;
    }
    return width;
}

/* An analysis; for frames what they need of it, at their instants. */
static lmb_status put_analysis(lmb_page *page, lmb_context *context, lmb_result *r, int index,
                               const lmb_frame_style *frames)
{
    const char *analysis = lmb_result_analysis_name(r, index);
    int count = lmb_result_channel_count(r, index), stride = 1;
    double worst = NAN;
    const char *type = lmb_result_analysis_type(r, page->arena, index);
    bool balanced = !frames && type && strcmp(type, "dynamics") == 0;
    lmb_status status = lmb_check_memory(context, page->arena);
    lmb_json_open(&page->json, NULL, '{');
    lmb_json_put(&page->json, "name %s, type %s", analysis, type ? type : "");
    lmb_json_object(&page->json, "over", "name %s, unit %s", lmb_result_over(r, index)->name,
                    lmb_result_over(r, index)->unit);
    bool first = true;
    for (int i = 0; i < count && !status; i++) {
        lmb_series s;
        const char *channel = lmb_result_channel(r, index, i)->name;
        if (!is_sent(lmb_result_channel(r, index, i), frames))
            continue;
        char *name = lmb_text_format(page->arena, "%s/%s", analysis, channel);
        status = name ? lmb_result_read(r, context, name, &s) : lmb_fail_memory(context);
        if (status)
            break;
        if (frames && !lmb_series_resample(&s, frames->time, frames->count))
            status = lmb_fail_memory(context);
        if (first) {
            size_t numbers = (size_t)s.count * sent_width(r, index);
            stride = frames ? 1 : (int)(numbers / MOST_NUMBERS) + 1;
            lmb_json_integer(&page->json, "stored", s.count);
        }
        if (balanced && strcmp(channel, "energy.balance") == 0)
            worst = unaccounted(&s);
        thin(&s, stride);
        if (first) {
            lmb_page_block(page, "time", "f64", s.time, (size_t)s.count);
            lmb_json_open(&page->json, "channels", '[');
        }
        put_channel(page, &s);
        lmb_series_free(&s);
        first = false;
    }
    if (!first && !status)
        lmb_json_close(&page->json);
    if (!isnan(worst))
        lmb_json_number(&page->json, "unaccounted", worst);
    lmb_json_close(&page->json);
    if (stride > 1 && !status)
        lmb_warn(context, "the report of '%s' has every %dth instant only", analysis, stride);
    return status;
}

static lmb_status put_all_skins(lmb_page *page, lmb_context *context, const lmb_result *r)
{
    lmb_skin *skins = NULL;
    int count = 0;
    lmb_status status = lmb_skins_read(&skins, &count, page->arena, context, lmb_result_file(r),
                                       lmb_result_path(r));
    int most = count > 0 && MOST_NODES / count > LEAST_NODES ? MOST_NODES / count : LEAST_NODES;
    for (int i = 0; i < count && !status; i++)
        status = lmb_skin_thin(&skins[i], page->arena, context, most);
    if (!status)
        put_skins(page, skins, count);
    return status;
}

static void put_frames(lmb_page *page, const lmb_frame_style *f)
{
    const double from[3] = {f->from.x, f->from.y, f->from.z};
    lmb_json *json = &page->json;
    lmb_json_open_flat(json, "frames", '{');
    lmb_json_put(json, "width %d, height %d, exaggerate %g, stress %hhd, dark %hhd", f->width,
                 f->height, f->exaggerate, f->stress, f->dark);
    if (f->view || v3_norm(f->from) == 0)
        lmb_json_text(json, "view", f->view);
    else
        lmb_json_numbers(json, "view", 3, from);
    lmb_json_close(json);
}

/* What is drawn, as this version writes it; a text that says nothing of the kind is none. */
static lmb_status put_geometry(lmb_page *page, lmb_context *context, lmb_result *r)
{
    const char *stored = lmb_result_text(r, "geometry");
    size_t before = lmb_message_count(context);
    lmb_geometry geometry;
    bool known =
        stored && !lmb_geometry_read(&geometry, context, page->arena, lmb_result_path(r), stored);
    char *text = known ? lmb_geometry_text(&geometry) : NULL;
    lmb_messages_forget(context, before);
    lmb_json_text(&page->json, "geometry", text);
    free(text);
    return known && !text ? lmb_fail_memory(context) : lmb_check_memory(context, page->arena);
}

/* Sends the span of the largest loads; an error if no analysis over time has instants in it. */
static lmb_status put_span(lmb_page *page, lmb_context *context, lmb_result *r, lmb_span span)
{
    lmb_status status = LMB_OK;
    size_t before = lmb_message_count(context);
    bool some = false;
    for (int i = 0; i < lmb_result_analysis_count(r) && !some; i++) {
        lmb_series s = {0};
        const lmb_channel *first = lmb_result_channel(r, i, 0);
        if (!first || strcmp(lmb_result_over(r, i)->name, "time") != 0)
            continue;
        const char *of = lmb_result_analysis_name(r, i);
        const char *name = lmb_text_format(page->arena, "%s/%s", of, first->name);
        status = name ? lmb_result_read(r, context, name, &s) : lmb_fail_memory(context);
        if (!status)
            some = !(status = lmb_series_cut(&s, context, span));
        lmb_series_free(&s);
    }
    if (!some)
        return status ? status : lmb_fail(context, LMB_BAD_INPUT, "no analysis is over time");
    lmb_messages_forget(context, before);
    lmb_json_object(&page->json, "span", "from %g, to %g", span.from, span.to);
    return LMB_OK;
}

static lmb_status put_result(lmb_page *page, lmb_context *context, const char *path,
                             const lmb_report *report)
{
    static const char *const texts[] = {"title",      "version", "model",
                                        "parameters", "summary", "sheet"};
    lmb_result *r;
    lmb_status status = lmb_result_open(&r, context, path);
    if (status)
        return status;
    put_head(page, "result", path);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!report->frames)
            lmb_json_text(&page->json, texts[i], lmb_result_text(r, texts[i]));
    status = put_geometry(page, context, r);
    if (!status && report->span)
        status = put_span(page, context, r, *report->span);
    if (report->frames)
        put_frames(page, report->frames);
    lmb_json_open(&page->json, "analyses", '[');
    for (int i = 0; i < lmb_result_analysis_count(r) && !status; i++)
        if (!report->frames || i == report->frames->analysis)
            status = put_analysis(page, context, r, i, report->frames);
    lmb_json_close(&page->json);
    if (!status)
        status = put_all_skins(page, context, r);
    if (!status && report->compare.path)
        status = put_comparison(page, context, r, &report->compare);
    lmb_result_close(r);
    return status;
}

/* --- a reduced body --------------------------------------------------------------------------- */

static void put_body_tables(lmb_json *json, const lmb_body_data *d)
{
    static const char *const motion[LMB_DIRECTIONS] = {"x",          "y",          "z",
                                                       "rotation x", "rotation y", "rotation z"};
    const lmb_reduced *b = d->reduced;
    lmb_json_open(json, "body", '{');
    lmb_json_put(json, "dimension %d, nodes %d, mass %g", b->dimension, b->node_count, b->mass);
    lmb_json_numbers(json, "centre", 3, &b->centre.x);
    lmb_json_numbers(json, "frequency", (size_t)b->mode_count, b->frequency);
    lmb_json_numbers(json, "all_frequency", (size_t)b->all_count, b->all_frequency);
    lmb_json_numbers(json, "fixed_frequency", (size_t)b->fixed_count, b->fixed_frequency);

    /* which motion of which point each static shape belongs to, in their order */
    int motions = lmb_interface_motions(b->dimension);
    lmb_json_open(json, "static", '[');
    for (int i = 0; i < b->basis_count - b->fixed_count; i++) {
        int direction = lmb_interface_direction(b->dimension, i % motions);
        lmb_json_texts(json, NULL, 2,
                       (const char *[]){b->point_name[i / motions], motion[direction]});
    }
    lmb_json_close(json);
    lmb_json_open(json, "effective", '[');
    for (int i = 0; i < b->fixed_count; i++)
        lmb_json_numbers(json, NULL, LMB_DIRECTIONS, b->effective[i].of);
    lmb_json_close(json);
    lmb_json_open(json, "points", '{');
    for (int i = 0; i < b->point_count; i++)
        lmb_json_numbers(json, b->point_name[i], 3, &b->point[i].x);
    lmb_json_close(json);
    lmb_json_put(json, "settings %s, warnings %s", d->settings, d->warnings);
    lmb_json_close(json);
}

static lmb_status put_body(lmb_page *page, lmb_context *context, const char *path)
{
    lmb_body_data *d;
    lmb_skin skin;
    lmb_status status = lmb_body_read(&d, context, path);
    if (status)
        return status;
    put_head(page, "body", path);
    lmb_json_put(&page->json, "title %s, version %s", d->name, d->version);
    put_body_tables(&page->json, d);
    lmb_json_raw(&page->json, "analyses", "[]");
    status = lmb_skin_of(&skin, d->arena, context, d, true);
    if (!status)
        status = lmb_skin_thin(&skin, d->arena, context, MOST_NODES);
    if (!status)
        put_skins(page, &skin, 1);
    lmb_body_free(d);
    return status;
}

/* --- a sheet alone ---------------------------------------------------------------------------- */

lmb_status lmb_report_sheet(lmb_context *context, const lmb_sheet *sheet, const char *title,
                            const lmb_report *report)
{
    lmb_page page;
    char *text = lmb_sheet_json(sheet);
    lmb_status status = lmb_page_open(&page) && text ? LMB_OK : lmb_fail_memory(context);
    if (!status) {
        put_head(&page, "sheet", report->path);
        lmb_json_put(&page.json, "title %s, sheet %s", title, text);
        lmb_json_raw(&page.json, "analyses", "[]");
        status = lmb_page_write(&page, context, report->viewer, report->path);
    }
    lmb_page_close(&page);
    free(text);
    return status;
}

lmb_status lmb_report_write(lmb_context *context, const char *file, const lmb_report *report)
{
    lmb_page page;
    bool body = lmb_file_kind_of(file) == LMB_FILE_BODY;
    if (body && report->compare.path)
        return lmb_fail(context, LMB_USAGE, "a reduced body has no channels to compare");
    if (body && report->span)
        return lmb_fail(context, LMB_USAGE, "a reduced body has no instants to choose from");
    lmb_status status = lmb_page_open(&page) ? LMB_OK : lmb_fail_memory(context);
    if (!status)
        status = body ? put_body(&page, context, file) : put_result(&page, context, file, report);
    if (!status)
        status = lmb_page_write(&page, context, report->viewer, report->path);
    lmb_page_close(&page);
    return status;
}
