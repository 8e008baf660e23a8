/* Waveforms of files: tables of loggers, sound files, channels of results. */
#include "compare/counterpart.h"

#include <string.h>

#include "base/text.h"
#include "store/h5.h"

/* A channel of a result as a column of a table, which it may have to make. */
static lmb_status add_channel(lmb_measurement *m, lmb_result *r, const char *name, int column)
{
    lmb_series s;
    lmb_logger_table *t = &m->table;
    lmb_context *context = m->context;
    lmb_status status = lmb_result_read(r, context, name, &s);
    if (status)
        return status;
    size_t width = (size_t)t->columns;
    if (strcmp(s.over.name, "time") != 0)
        status =
            lmb_fail(context, LMB_BAD_INPUT, "'%s' is over %s, not over time", name, s.over.name);
    else if (s.size != 1)
        status =
            lmb_fail(context, LMB_USAGE, "'%s' has %d numbers: name one of them", name, s.size);
    else if (s.count < 2)
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' has too few instants", name);
    else if (t->rows > 0 && t->rows != s.count)
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' and '%s' have different instants",
                          t->names[1], name);
    else if (t->rows == 0)
        t->values = lmb_arena_numbers(m->arena, (size_t)s.count * width);
    t->rows = s.count;
    t->names[column] = lmb_text_copy(m->arena, name, strlen(name));
    t->units[column] = lmb_text_copy(m->arena, s.channel.unit, strlen(s.channel.unit));
    status = status ? status : lmb_check_memory(context, m->arena);
    for (size_t i = 0; !status && i < (size_t)s.count; i++) {
        t->values[i * width] = s.time[i];
        t->values[i * width + (size_t)column] = s.values[i];
    }
    lmb_series_free(&s);
    return status;
}

/* The name of a second channel: where it names no analysis, that of the first is meant. */
static const char *beside(lmb_arena *arena, const char *first, const char *name)
{
    const char *slash = strchr(first, '/');
    if (!slash || strchr(name, '/'))
        return name;
    const char *full = lmb_text_format(arena, "%.*s/%s", (int)(slash - first), first, name);
    return full ? full : name;
}

/* Channels of a result, read as a table with one column for each. */
static lmb_status read_result(lmb_context *context, lmb_arena *arena, const char *path,
                              const lmb_waveform_request *asked, lmb_waveform *out)
{
    lmb_result *r;
    char *names[3] = {"t", "", ""}, *units[3] = {"s", "", ""};
    bool stamps[3] = {false};
    lmb_waveform_request by_number = *asked;
    const char *channel = asked->channel ? asked->channel : asked->column;
    lmb_measurement m = {
        context, arena, path,
        .table = {
            .columns = asked->other ? 3 : 2, .names = names, .units = units, .stamps = stamps}};
    if (!channel) {
        lmb_fail(context, LMB_USAGE, "give a channel of the result: --channel");
        return lmb_hint(context, "see `limber list %s`", path);
    }
    lmb_status status = lmb_result_open(&r, context, path);
    if (status)
        return status;
    status = add_channel(&m, r, channel, 1);
    if (!status && asked->other)
        status = add_channel(&m, r, beside(arena, channel, asked->other), 2);
    lmb_result_close(r);
    by_number.column = "2";
    by_number.other = asked->other ? "3" : NULL;
    by_number.gapless = true;
    return status ? status : lmb_waveform_take(&m, &by_number, out);
}

lmb_status lmb_waveform_read(lmb_context *context, lmb_arena *arena, const char *path,
                             const lmb_waveform_request *asked, lmb_waveform *out)
{
    lmb_measurement m;
    if (lmb_h5_signature(path))
        return read_result(context, arena, path, asked, out);
    lmb_status status = lmb_measurement_read(context, arena, path, asked->rate, asked->comma, &m);
    return status ? status : lmb_waveform_take(&m, asked, out);
}
