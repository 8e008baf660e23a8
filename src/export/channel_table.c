/* Tables of channels; see channel_table.h. */
#include "export/channel_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "export/mat.h"

lmb_status lmb_channel_table_read(lmb_channel_table *t, lmb_arena *arena, lmb_context *context,
                                  lmb_result *result, int analysis, int name_count,
                                  const char *const *names, lmb_span span)
{
    int own = lmb_result_channel_count(result, analysis), count = name_count ? name_count : own;
    const char *of = lmb_result_analysis_name(result, analysis);
    *t = (lmb_channel_table){.arena = arena};
    t->series = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *t->series);
    t->names = lmb_arena_alloc(arena, (size_t)count + 1, sizeof *t->names);
    lmb_status status = lmb_check_memory(context, arena);
    while (!status && t->count < count) {
        lmb_series *s = &t->series[t->count], *first = t->series;
        const char *word =
            name_count ? names[t->count] : lmb_result_channel(result, analysis, t->count)->name;
        const char *name = strchr(word, '/') ? word : lmb_text_format(arena, "%s/%s", of, word);
        if (!name)
            return lmb_fail_memory(context);
        if ((status = lmb_result_read(result, context, name, s)))
            return status;
        t->names[t->count++] = word;
        if ((status = lmb_series_cut(s, context, span)))
            return status;
        if (s->count != first->count ||
            (s->count > 0 && memcmp(s->time, first->time, (size_t)s->count * sizeof *s->time) != 0))
            status = lmb_fail(context, LMB_BAD_INPUT,
                              "'%s' was stored at other instants than '%s', so they do not fit "
                              "into one table",
                              name, t->names[0]);
    }
    return status;
}

void lmb_channel_table_free(lmb_channel_table *t)
{
    for (int i = 0; i < t->count; i++)
        lmb_series_free(&t->series[i]);
    t->count = 0;
}

void lmb_channel_table_csv(const lmb_channel_table *t, FILE *out)
{
    char text[16];
    fputs(t->count > 0 ? t->series[0].over.name : "time", out);
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->series[i].size; k++)
            lmb_fprintf(out, ",%s%s", t->names[i],
                        lmb_component_name(&t->series[i].channel, k, text));
    putc('\n', out);
    int rows = t->count > 0 ? t->series[0].count : 0;
    for (int row = 0; row < rows && !ferror(out); row++) {
        lmb_fprintf(out, "%.17g", t->series[0].time[row]);
        for (int i = 0; i < t->count; i++)
            for (int k = 0; k < t->series[i].size; k++)
                lmb_fprintf(out, ",%.17g",
                            lmb_unsigned_nan(t->series[i].values[row * t->series[i].size + k]));
        putc('\n', out);
    }
}

lmb_status lmb_channel_table_csv_file(const lmb_channel_table *t, lmb_context *context,
                                      const char *path)
{
    lmb_output out;
    if (!lmb_file_create(&out, context, path))
        return LMB_IO;
    lmb_channel_table_csv(t, out.file);
    return lmb_file_close(&out, context, LMB_OK);
}

/* Adds a channel by columns; dots are no part of names and become underscores. */
static bool put_matrix(lmb_mat *mat, lmb_arena *arena, const lmb_series *s, const char *full)
{
    size_t rows = (size_t)s->count, size = (size_t)s->size;
    double *columns = lmb_malloc((rows * size + 1) * sizeof *columns);
    char *name = lmb_text_copy(arena, full, strlen(full));
    for (char *c = name; c && *c; c++)
        *c = strchr("./-", *c) ? '_' : *c;
    for (size_t row = 0; columns && row < rows; row++)
        for (size_t k = 0; k < size; k++)
            columns[k * rows + row] = s->values[row * size + k];
    if (columns && name)
        lmb_mat_matrix(mat, name, s->count, s->size, columns);
    free(columns);
    return columns && name;
}

lmb_status lmb_channel_table_mat(const lmb_channel_table *t, lmb_context *context, const char *path)
{
    lmb_mat mat;
    lmb_status status = lmb_mat_open(&mat, context, path);
    if (status)
        return status;
    const char **units = lmb_arena_alloc(t->arena, (size_t)t->count + 1, sizeof *units);
    bool done = units;
    if (t->count > 0)
        lmb_mat_matrix(&mat, t->series[0].over.name, t->series[0].count, 1, t->series[0].time);
    for (int i = 0; i < t->count && done; i++) {
        units[i] = t->series[i].channel.unit;
        done = put_matrix(&mat, t->arena, &t->series[i], t->names[i]);
    }
    if (done) {
        lmb_mat_texts(&mat, "channels", t->count, t->names);
        lmb_mat_texts(&mat, "units", t->count, units);
    }
    return lmb_mat_close(&mat, context, done ? LMB_OK : lmb_fail_memory(context));
}
