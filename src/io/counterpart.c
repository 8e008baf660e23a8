/* Results and tables as one thing to compare with; see counterpart.h. */
#include "io/counterpart.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/csv.h"
#include "io/h5.h"

struct lmb_counterpart {
    lmb_arena *arena;
    const char *path;
    double shift;
    lmb_result *result; /* NULL for a table */
    int rows, columns;
    double *values; /* rows x columns */
    char **names;   /* of the columns */
};

static lmb_status open_table(lmb_counterpart *c, lmb_context *context)
{
    lmb_status status =
        lmb_csv_read(context, c->arena, c->path, &c->rows, &c->columns, &c->values, &c->names);
    if (status)
        return status;
    if (!c->names || c->columns < 2) {
        lmb_fail(context, LMB_BAD_INPUT, "'%s' has no names of columns", c->path);
        lmb_hint(context, "its first line must be like: time,crank.angle,slider.position.x");
        return LMB_BAD_INPUT;
    }
    for (int i = 1; i < c->rows; i++) {
        double before = c->values[(size_t)(i - 1) * (size_t)c->columns];
        double t = c->values[(size_t)i * (size_t)c->columns];
        if (t > before)
            continue;
        lmb_fail(context, LMB_BAD_INPUT, "the times of '%s' do not grow: %g comes after %g",
                 c->path, t, before);
        lmb_hint(context, "its first column, '%s', is taken as the time in s", c->names[0]);
        return LMB_BAD_INPUT;
    }
    return LMB_OK;
}

lmb_status lmb_counterpart_open(lmb_counterpart **out, lmb_context *context, const char *path,
                                double shift)
{
    lmb_arena *arena;
    lmb_counterpart *c = lmb_arena_object(&arena, sizeof *c);
    *out = NULL;
    if (!c)
        return lmb_fail_memory(context);
    *c = (lmb_counterpart){.arena = arena, .path = path, .shift = shift};
    lmb_status status = lmb_h5_signature(path) ? lmb_result_open(&c->result, context, path)
                                               : open_table(c, context);
    if (status)
        lmb_counterpart_close(c);
    else
        *out = c;
    return status;
}

void lmb_counterpart_close(lmb_counterpart *c)
{
    if (!c)
        return;
    lmb_result_close(c->result);
    lmb_arena_free(c->arena);
}

bool lmb_counterpart_is_table(const lmb_counterpart *c)
{
    return !c->result;
}

int lmb_counterpart_count(const lmb_counterpart *c)
{
    if (!c->result)
        return c->columns - 1;
    return lmb_result_channel_count(c->result, lmb_result_analysis_count(c->result) - 1);
}

const char *lmb_counterpart_name(const lmb_counterpart *c, int index)
{
    if (!c->result)
        return c->names[index + 1];
    return lmb_result_channel(c->result, lmb_result_analysis_count(c->result) - 1, index)->name;
}

/* The index of a name, or -1. */
static int find(const lmb_counterpart *c, const char *name)
{
    for (int i = 0; i < lmb_counterpart_count(c); i++)
        if (strcmp(lmb_counterpart_name(c, i), name) == 0)
            return i;
    return -1;
}

bool lmb_counterpart_has(const lmb_counterpart *c, const char *name)
{
    return find(c, name) >= 0;
}

/* The record of a column. */
static lmb_status read_column(const lmb_counterpart *c, lmb_context *context, const char *name,
                              lmb_series *out)
{
    int column = 1 + find(c, name);
    if (column == 0) {
        lmb_nearest near = lmb_nearest_start(name);
        for (int i = 0; i < lmb_counterpart_count(c); i++)
            lmb_nearest_try(&near, lmb_counterpart_name(c, i));
        lmb_fail(context, LMB_BAD_INPUT, "'%s' has no column '%s'", c->path, name);
        lmb_nearest_hint(context, &near);
        return LMB_BAD_INPUT;
    }
    size_t rows = (size_t)c->rows, columns = (size_t)c->columns;
    out->count = c->rows;
    out->size = 1;
    out->time = malloc((rows + 1) * sizeof *out->time);
    out->values = malloc((rows + 1) * sizeof *out->values);
    if (!out->time || !out->values) {
        lmb_series_free(out);
        return lmb_fail_memory(context);
    }
    for (size_t i = 0; i < rows; i++) {
        out->time[i] = c->values[i * columns];
        out->values[i] = c->values[i * columns + (size_t)column];
    }
    return LMB_OK;
}

lmb_status lmb_counterpart_read(lmb_counterpart *c, lmb_context *context, const char *name,
                                lmb_series *out)
{
    *out = (lmb_series){0};
    lmb_status status = c->result ? lmb_result_read(c->result, context, name, out)
                                  : read_column(c, context, name, out);
    for (int i = 0; i < out->count; i++)
        out->time[i] += c->shift;
    return status;
}

bool lmb_result_has(const lmb_result *r, const char *name)
{
    int last = lmb_result_analysis_count(r) - 1;
    for (int i = 0; i < lmb_result_channel_count(r, last); i++) {
        const lmb_channel *channel = lmb_result_channel(r, last, i);
        size_t length = strlen(channel->name);
        if (strncmp(channel->name, name, length) != 0)
            continue;
        if (!name[length])
            return true;
        char text[16];
        for (int k = 0; name[length] == '.' && channel->size > 1 && k < channel->size; k++)
            if (strcmp(lmb_component_name(channel, k, text), name + length) == 0)
                return true;
    }
    return false;
}
