/* Writing reports. The page has one JSON text:
 *
 *   {"format": 1, "kind": "result", "body" or "sheet", "source", "title", "version", "model",
 *    "parameters", "geometry", "summary", "sheet": texts as they are in the file,
 *    "analyses": [{"name", "type", "over": {"name", "unit"}, "stored", "time": block,
 *                  "unaccounted": J,
 *                  "peaks": [{"body", and the members of lmb_peak_stress}],
 *                  "channels": [{"name", "unit", "doc", "size", "components", "data": block}]}],
 *    "span": {"from", "to"} of the largest loads, null where it has no limit,
 *    "skins": [...], "compare": {...}: see below,
 *    "frames": {...} of a page that draws the frames of a video: its analysis has their instants,
 *    "body": {...} of a body file}
 *
 * Numbers of a channel are sent with single precision, a component after the other. */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "limber/report.h"
#include "report/drawn.h"
#include "study/history.h"
#include "result/read.h"

static bool compares(const lmb_report_request *report)
{
    return report->compare.path || report->compare.result;
}

static void put_head(lmb_page *page, const char *kind, const char *path)
{
    lmb_json_put(&page->json, "format %d, kind %s, source %s, written_by %s", 1, kind,
                 lmb_file_name(path), lmb_version());
}

/* --- what is laid over the channels -----------------------------------------------------------
 *
 * Another result, or a table of measurements:
 *
 *   "compare": {"own", "source", "shift",
 *               "channels": [{"name", "size", "time": block, "data": block,
 *                             "gap", "largest", "rms", "at"}],
 *               "ghost": {"geometry", "analyses": [one], "skins"}}
 *
 * "own" and "source" say what the two are called. Steps longer than "gap" (null: none) are not
 * interpolated. Names are those of channels, or of components for columns of a table. Channels over
 * nodes have no blocks. A ghost is that of another result. */

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
        if (lmb_channel_nodes(&own.channel) == 1) {
            lmb_page_block(page, "time", "f64", other.time, (size_t)other.count);
            lmb_page_numbers(page, &other);
        }
        lmb_json_put(&page->json, "gap %g, largest %g, rms %g, at %g", gap, d.largest, d.rms, d.at);
        lmb_json_close(&page->json);
        ++*count;
    }
    lmb_series_free(&own);
    lmb_series_free(&other);
    return status;
}

/* What moves of another result, for the picture to have beside the own one: that of its last
 * analysis, where this is a motion or a way of equilibria. */
static lmb_status put_ghost(lmb_page *page, lmb_context *context, lmb_result *other)
{
    lmb_geometry geometry;
    int last = lmb_result_analysis_count(other) - 1;
    const lmb_channel *over = lmb_result_over(other, last);
    const char *type = over ? lmb_result_analysis_type(other, page->arena, last) : NULL;
    if (!type || (strcmp(over->name, "time") != 0 && strcmp(type, "statics") != 0) ||
        !lmb_page_geometry_of(&geometry, page, context, other))
        return lmb_check_memory(context, page->arena);
    const lmb_page_choice choice = {.drawn = true, .only = &geometry};
    lmb_json_open(&page->json, "ghost", '{');
    lmb_status status = lmb_page_geometry(page, context, &geometry);
    lmb_json_open(&page->json, "analyses", '[');
    if (!status)
        status = lmb_page_analysis(page, context, other, last, &choice);
    lmb_json_close(&page->json);
    if (!status)
        status = lmb_page_result_skins(page, context, other, false);
    lmb_json_close(&page->json);
    return status;
}

/* All channels that both have; the result's are those of its last analysis. */
static lmb_status put_comparison(lmb_page *page, lmb_context *context, lmb_result *result,
                                 const lmb_report_request *report)
{
    int count = 0;
    lmb_counterpart *other;
    const lmb_compare_with *with = &report->compare;
    const char *own =
        report->own_label ? report->own_label : lmb_file_name(lmb_result_path(result));
    const char *path = with->result ? lmb_result_path(with->result) : with->path;
    const char *label = report->other_label ? report->other_label : lmb_file_name(path);
    lmb_status status = lmb_counterpart_open(&other, context, result, with);
    if (status)
        return status;
    lmb_json_open(&page->json, "compare", '{');
    lmb_json_put(&page->json, "own %s, source %s, shift %g", own, label, with->shift);
    lmb_json_open(&page->json, "channels", '[');
    for (int i = 0; i < lmb_counterpart_count(other) && !status; i++) {
        const char *name = lmb_counterpart_name(other, i);
        if (lmb_result_has(result, name))
            status = put_compared(page, context, result, other, name, &count);
    }
    if (!status)
        lmb_counterpart_report_unmatched(other);
    if (!status && count == 0)
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' has no channel of the result", path);
    lmb_json_close(&page->json);
    if (!status && !lmb_counterpart_is_table(other))
        status = put_ghost(page, context, lmb_counterpart_result(other));
    lmb_json_close(&page->json);
    lmb_counterpart_close(other);
    return status;
}

/* --- a result --------------------------------------------------------------------------------- */

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

static lmb_status put_result(lmb_page *page, lmb_context *context, lmb_result *r,
                             const lmb_report_request *report)
{
    static const char *const texts[] = {"title",      "version", "model",
                                        "parameters", "summary", "sheet"};
    const lmb_frame_style *frames = report->frames;
    lmb_page_choice choice = {.drawn = frames};
    lmb_geometry geometry;
    put_head(page, "result", report->source ? report->source : lmb_result_path(r));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!frames) {
            const char *other = strcmp(texts[i], "sheet") == 0   ? report->sheet
                                : strcmp(texts[i], "title") == 0 ? report->title
                                                                 : NULL;
            lmb_json_text(&page->json, texts[i], other ? other : lmb_result_text(r, texts[i]));
        }
    bool drawn = lmb_page_geometry_of(&geometry, page, context, r);
    lmb_status status = lmb_page_geometry(page, context, drawn ? &geometry : NULL);
    if (!status && report->span)
        status = put_span(page, context, r, *report->span);
    if (frames) {
        put_frames(page, frames);
        choice.count = frames->count;
        choice.time = frames->time;
    }
    lmb_json_open(&page->json, "analyses", '[');
    for (int i = 0; i < lmb_result_analysis_count(r) && !status; i++)
        if (!frames || i == frames->analysis)
            status = lmb_page_analysis(page, context, r, i, &choice);
    lmb_json_close(&page->json);
    if (!status)
        status = lmb_page_result_skins(page, context, r, true);
    if (!status && compares(report))
        status = put_comparison(page, context, r, report);
    return status;
}

/* --- a reduced body --------------------------------------------------------------------------- */

/* Write the positions of the tied nodes. */
static void put_tied(lmb_json *json, const lmb_body_data *d)
{
    lmb_json_open(json, "tied", '{');
    for (int i = 0; d->tied_count && i < d->reduced->point_count; i++) {
        lmb_json_open_flat(json, d->reduced->point_name[i], '[');
        for (int k = d->tied_start[i]; k < d->tied_start[i + 1]; k++)
            lmb_json_numbers(json, NULL, 3, &d->reduced->x[d->tied[k]].x);
        lmb_json_close(json);
    }
    lmb_json_close(json);
}

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
    put_tied(json, d);
    lmb_json_put(json, "settings %s, warnings %s", d->settings, d->warnings);
    lmb_json_close(json);
}

static lmb_status put_body(lmb_page *page, lmb_context *context, const char *path,
                           const lmb_report_request *report)
{
    lmb_body_data *d;
    lmb_skin skin;
    lmb_status status = lmb_body_read(&d, context, path);
    if (status)
        return status;
    put_head(page, "body", path);
    lmb_json_put(&page->json, "title %s, version %s", report->title ? report->title : d->name,
                 d->version);
    put_body_tables(&page->json, d);
    lmb_json_raw(&page->json, "analyses", "[]");
    status = lmb_skin_of(&skin, d->arena, context, d, true);
    if (!status)
        status = lmb_skin_thin(&skin, d->arena, context, LMB_PAGE_NODES);
    if (!status)
        lmb_page_skins(page, &skin, 1);
    lmb_body_free(d);
    return status;
}

/* --- a sheet alone ---------------------------------------------------------------------------- */

static lmb_status write_sheet(lmb_context *context, const char *text, const char *title,
                              const lmb_report_request *report)
{
    lmb_page page;
    lmb_status status = lmb_page_open(&page) && text ? LMB_OK : lmb_fail_memory(context);
    if (!status) {
        put_head(&page, "sheet", report->source ? report->source : report->path);
        lmb_json_put(&page.json, "title %s, sheet %s", title, text);
        lmb_json_raw(&page.json, "analyses", "[]");
        status = lmb_page_write(&page, context, report->viewer, report->path);
    }
    lmb_page_close(&page);
    return status;
}

lmb_status lmb_report_sheet(lmb_context *context, const lmb_sheet *sheet, const char *title,
                            const lmb_report_request *report)
{
    char *text = lmb_sheet_json(sheet);
    lmb_status status = write_sheet(context, text, title, report);
    free(text);
    return status;
}

/* --- a study ---------------------------------------------------------------------------------- */

/* Writes the report of the results inside of a study. */
static lmb_status write_runs(lmb_context *context, lmb_result *r, const lmb_report_request *report,
                             bool *found)
{
    lmb_result *after, *before = NULL;
    lmb_report_request whole = *report;
    lmb_status status = lmb_history_extract(&after, context, r, "after");
    *found = after != NULL;
    if (after && !compares(report))
        status = lmb_history_extract(&before, context, r, "before");
    whole.own_label = "found by the study";
    if (before) {
        whole.compare.result = before;
        whole.other_label = "as given";
    }
    if (after && !status)
        status = lmb_report_result(context, after, &whole);
    lmb_result_close(before);
    lmb_result_close(after);
    return status;
}

static lmb_status write_study(lmb_context *context, lmb_result *r, const lmb_report_request *report)
{
    const char *file = lmb_result_path(r);
    lmb_report_request whole = *report;
    bool found;
    whole.sheet = lmb_result_text(r, "sheet");
    whole.source = lmb_file_name(file);
    if (!whole.sheet) {
        lmb_fail(context, LMB_BAD_INPUT, "'%s' is of a study that has not come to its end", file);
        return lmb_hint(context, "go on with --resume");
    }
    lmb_status status = write_runs(context, r, &whole, &found);
    if (status || found)
        return status;
    const char *title = report->title ? report->title : lmb_result_text(r, "title");
    return write_sheet(context, whole.sheet, title && title[0] ? title : whole.source, &whole);
}

/* Writes a page of a result, or of the body of a file (NULL). */
static lmb_status write_page(lmb_context *context, lmb_result *r, const char *file,
                             const lmb_report_request *report)
{
    lmb_page page;
    lmb_status status = lmb_page_open(&page) ? LMB_OK : lmb_fail_memory(context);
    if (!status)
        status = r ? put_result(&page, context, r, report) : put_body(&page, context, file, report);
    if (!status)
        status = lmb_page_write(&page, context, report->viewer, report->path);
    lmb_page_close(&page);
    return status;
}

lmb_status lmb_report_result(lmb_context *context, lmb_result *r, const lmb_report_request *report)
{
    return lmb_result_text(r, "study") ? write_study(context, r, report)
                                       : write_page(context, r, NULL, report);
}

lmb_status lmb_report_write(lmb_context *context, const char *file,
                            const lmb_report_request *report)
{
    bool body = lmb_file_kind_of(context, file) == LMB_FILE_BODY;
    if (body && compares(report))
        return lmb_fail(context, LMB_USAGE, "a reduced body has no channels to compare");
    if (body && report->span)
        return lmb_fail(context, LMB_USAGE, "a reduced body has no instants to choose from");
    if (body)
        return write_page(context, NULL, file, report);
    lmb_result *r;
    lmb_status status = lmb_result_open(&r, context, file);
    if (!status)
        status = lmb_report_result(context, r, report);
    lmb_result_close(r);
    return status;
}

/* --- the interface ---------------------------------------------------------------------------- */

/* Numbers of the options must be such. */
static lmb_status check_options(lmb_context *context, const lmb_report_options *o, lmb_span span)
{
    if (!isfinite(o->shift) || !isfinite(o->rate) || o->rate < 0)
        return lmb_fail(context, LMB_USAGE,
                        "what is compared needs a finite shift, and a finite rate from 0 on");
    if (isnan(span.from) || isnan(span.to) || span.from > span.to)
        return lmb_fail(context, LMB_USAGE, "a report from t = %g to %g has no instants", span.from,
                        span.to);
    if (o->compare && o->compare_result)
        return lmb_fail(context, LMB_USAGE, "a report compares with a file or with a result");
    return LMB_OK;
}

lmb_status lmb_report(lmb_context *context, lmb_result *result, const char *path,
                      const lmb_report_options *options)
{
    LMB_REQUIRE(context, result, path);
    static const lmb_report_options none;
    const lmb_report_options *o = options ? options : &none;
    lmb_span span = {o->from ? *o->from : -HUGE_VAL, o->to ? *o->to : HUGE_VAL};
    lmb_report_request request = {.path = path,
                                  .title = o->title,
                                  .span = o->from || o->to ? &span : NULL,
                                  .compare = {.path = o->compare,
                                              .result = o->compare_result,
                                              .shift = o->shift,
                                              .rate = o->rate,
                                              .comma = o->decimal_comma,
                                              .columns = o->columns}};
    lmb_status status = check_options(context, o, span);
    return status ? status : lmb_report_result(context, result, &request);
}
