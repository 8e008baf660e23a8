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
#include "io/csv.h"
#include "io/difference.h"
#include "io/h5.h"
#include "io/report.h"

typedef struct comparing {
    lmb_page *page;
    lmb_context *context;
    lmb_result *result;
    double shift;
    int count; /* of channels so far */
} comparing;

/* Compares a channel of the result with a record, and writes both. */
static lmb_status put_channel(comparing *c, const char *name, lmb_series *other)
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
        for (size_t i = 0; i < count; i++)
            other->time[i] += c->shift;
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

static bool has_channel(const lmb_result *r, const char *name)
{
    int last = lmb_result_analysis_count(r) - 1;
    for (int i = 0; i < lmb_result_channel_count(r, last); i++)
        if (strcmp(lmb_result_channel(r, last, i)->name, name) == 0)
            return true;
    return false;
}

/* All channels that both last analyses have. */
static lmb_status compare_result(comparing *c, const char *path)
{
    lmb_result *other;
    lmb_status status = lmb_result_open(&other, c->context, path);
    if (status)
        return status;
    int last = lmb_result_analysis_count(c->result) - 1;
    for (int i = 0; i < lmb_result_channel_count(c->result, last) && !status; i++) {
        const char *name = lmb_result_channel(c->result, last, i)->name;
        lmb_series s;
        if (!has_channel(other, name) || (status = lmb_result_read(other, c->context, name, &s)))
            continue;
        status = put_channel(c, name, &s);
        lmb_series_free(&s);
    }
    lmb_result_close(other);
    return status;
}

/* The columns of a table whose names are those of channels or of components. */
static lmb_status compare_table(comparing *c, lmb_arena *arena, const char *path)
{
    int rows, columns;
    double *values;
    char **names;
    lmb_status status = lmb_csv_read(c->context, arena, path, &rows, &columns, &values, &names);
    if (status)
        return status;
    if (!names || columns < 2) {
        lmb_fail(c->context, LMB_BAD_INPUT, "'%s' has no names of columns", path);
        lmb_hint(c->context, "its first line must be like: time,crank.angle,slider.position.x");
        return LMB_BAD_INPUT;
    }
    lmb_series s = {.count = rows, .size = 1};
    for (int k = 1; k < columns && !status; k++) {
        s.time = lmb_arena_alloc(arena, (size_t)rows + 1, sizeof(double));
        s.values = lmb_arena_alloc(arena, (size_t)rows + 1, sizeof(double));
        if (!s.time || !s.values)
            return lmb_fail_memory(c->context);
        for (int i = 0; i < rows; i++) {
            s.time[i] = values[(size_t)i * (size_t)columns];
            s.values[i] = values[(size_t)i * (size_t)columns + (size_t)k];
        }
        size_t before = lmb_message_count(c->context);
        if (put_channel(c, names[k], &s)) {
            lmb_messages_forget(c->context, before); /* a column of something else */
            lmb_warn(c->context, "the column '%s' of '%s' is no channel of the result", names[k],
                     path);
        }
    }
    return status;
}

lmb_status lmb_report_compare(lmb_page *page, lmb_context *context, lmb_result *result,
                              const char *other, double shift)
{
    comparing c = {page, context, result, shift, 0};
    lmb_arena *arena = lmb_arena_new();
    if (!arena)
        return lmb_fail_memory(context);
    const char *slash = strrchr(other, '/');
    lmb_page_put(page, ", \"compare\": {\"source\": ");
    lmb_page_quote(page, slash ? slash + 1 : other);
    lmb_page_put(page, ", \"shift\": %.17g, \"channels\": [", shift);
    lmb_status status =
        lmb_h5_signature(other) ? compare_result(&c, other) : compare_table(&c, arena, other);
    lmb_page_put(page, "]}");
    if (!status && c.count == 0)
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' has no channel of the result", other);
    lmb_arena_free(arena);
    return status;
}
