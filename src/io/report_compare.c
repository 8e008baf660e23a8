/* What a report lays over the channels of a result: another result, or a table of measurements.
 *
 *   "compare": {"source", "shift",
 *               "channels": [{"name", "size", "time": block, "data": block,
 *                             "largest", "rms", "at"}]}
 *
 * Names are those of channels, or of components for columns of a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/counterpart.h"
#include "io/difference.h"
#include "io/report.h"

typedef struct comparing {
    lmb_page *page;
    lmb_context *context;
    lmb_result *result;
    int count; /* of channels so far */
} comparing;

/* Compares a channel of the result with a record, and writes both. */
static lmb_status put_channel(comparing *c, const char *name, const lmb_series *other)
{
    lmb_series own;
    lmb_status status = lmb_result_read(c->result, c->context, name, &own);
    size_t size = (size_t)own.size, count = (size_t)other->count;
    if (status || own.size != other->size || count == 0) {
        if (!status)
            lmb_series_free(&own);
        return status;
    }
    double *row = calloc(size + 1, sizeof *row);
    float *data = malloc((size * count + 1) * sizeof *data);
    if (!row || !data) {
        status = lmb_fail_memory(c->context);
    } else {
        lmb_difference d = lmb_difference_of(&own, other, row);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < size; k++)
                data[k * count + i] = (float)other->values[i * size + k];
        lmb_page_put(c->page, "%s{\"name\": ", c->count++ ? ", " : "");
        lmb_page_quote(c->page, name);
        lmb_page_put(c->page, ", \"size\": %zu, \"time\": ", size);
        lmb_page_block(c->page, "f64", other->time, count);
        lmb_page_put(c->page, ", \"data\": ");
        lmb_page_block(c->page, "f32", data, count * size);
        lmb_page_put(c->page, ", \"largest\": ");
        lmb_page_number(c->page, d.compared ? d.largest : NAN);
        lmb_page_put(c->page, ", \"rms\": ");
        lmb_page_number(c->page, d.compared ? d.rms : NAN);
        lmb_page_put(c->page, ", \"at\": ");
        lmb_page_number(c->page, d.at);
        lmb_page_put(c->page, "}");
    }
    free(row);
    free(data);
    lmb_series_free(&own);
    return status;
}

/* All that both have. */
static lmb_status put_channels(comparing *c, lmb_counterpart *other, const char *path)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < lmb_counterpart_count(other) && !status; i++) {
        const char *name = lmb_counterpart_name(other, i);
        lmb_series s;
        if (lmb_result_has(c->result, name)) {
            status = lmb_counterpart_read(other, c->context, name, &s);
            if (!status)
                status = put_channel(c, name, &s);
            lmb_series_free(&s);
        } else if (lmb_counterpart_is_table(other)) {
            lmb_warn(c->context, "the column '%s' of '%s' is no channel of the result", name, path);
        }
    }
    if (!status && c->count == 0)
        status = lmb_fail(c->context, LMB_BAD_INPUT, "'%s' has no channel of the result", path);
    return status;
}

lmb_status lmb_report_compare(lmb_page *page, lmb_context *context, lmb_result *result,
                              const char *path, double shift)
{
    comparing c = {page, context, result, 0};
    lmb_counterpart *other;
    lmb_status status = lmb_counterpart_open(&other, context, path, shift);
    if (status)
        return status;
    lmb_page_put(page, ", \"compare\": {\"source\": ");
    lmb_page_quote(page, lmb_file_name(path));
    lmb_page_put(page, ", \"shift\": %.17g, \"channels\": [", shift);
    status = put_channels(&c, other, path);
    lmb_page_put(page, "]}");
    lmb_counterpart_close(other);
    return status;
}
