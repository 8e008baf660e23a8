/* What a report lays over the channels of a result: another result, or a table of measurements.
 *
 *   "compare": {"source", "shift",
 *               "channels": [{"name", "size", "time": block, "data": block,
 *                             "gap", "largest", "rms", "at"}]}
 *
 * Steps longer than "gap" (null: none) are not interpolated.
 *
 * Names are those of channels, or of components for columns of a table. */
#include "base/text.h"
#include "compare/counterpart.h"
#include "report/report.h"

typedef struct comparing {
    lmb_page *page;
    lmb_context *context;
    lmb_result *result;
    int count; /* of channels so far */
} comparing;

/* Writes a record and how far it is from that of the result. */
static void put_record(comparing *c, const char *name, const lmb_series *other, double gap,
                       const lmb_deviation *d)
{
    lmb_json *json = &c->page->json;
    lmb_json_open(json, NULL, '{');
    lmb_json_put(json, "name %s, size %d", name, other->size);
    lmb_page_block(c->page, "time", "f64", other->time, (size_t)other->count);
    lmb_report_numbers(c->page, other);
    lmb_json_put(json, "gap %g, largest %g, rms %g, at %g", gap, d->largest, d->rms, d->at);
    lmb_json_close(json);
    c->count++;
}

/* Compares a channel that both have. */
static lmb_status put_channel(comparing *c, lmb_counterpart *counterpart, const char *name)
{
    lmb_series own = {0}, other = {0};
    lmb_deviation d;
    double gap;
    lmb_status status = lmb_result_read(c->result, c->context, name, &own);
    if (!status)
        status = lmb_counterpart_read(counterpart, name, &other, &gap);
    if (!status && own.size == other.size && other.count > 0) {
        status = lmb_counterpart_compare(counterpart, name, &own, &other, gap, &d);
        if (!status)
            put_record(c, name, &other, gap, &d);
    }
    lmb_series_free(&own);
    lmb_series_free(&other);
    return status;
}

/* All that both have. */
static lmb_status put_channels(comparing *c, lmb_counterpart *other, const char *path)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < lmb_counterpart_count(other) && !status; i++) {
        const char *name = lmb_counterpart_name(other, i);
        if (lmb_result_has(c->result, name))
            status = put_channel(c, other, name);
    }
    if (!status)
        lmb_counterpart_report_unmatched(other);
    if (!status && c->count == 0)
        status = lmb_fail(c->context, LMB_BAD_INPUT, "'%s' has no channel of the result", path);
    return status;
}

lmb_status lmb_report_compare(lmb_page *page, lmb_context *context, lmb_result *result,
                              const lmb_compare_with *with)
{
    comparing c = {page, context, result, 0};
    lmb_counterpart *other;
    lmb_status status = lmb_counterpart_open(&other, context, result, with);
    if (status)
        return status;
    lmb_json_open(&page->json, "compare", '{');
    lmb_json_put(&page->json, "source %s, shift %g", lmb_file_name(with->path), with->shift);
    lmb_json_open(&page->json, "channels", '[');
    status = put_channels(&c, other, with->path);
    lmb_json_close(&page->json);
    lmb_json_close(&page->json);
    lmb_counterpart_close(other);
    return status;
}
