/* Reading results; the layout is described in write.c. */
#include "result/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "channels/component.h"
#include "result/opened.h"
#include "result/series.h"

/* --- what is there ---------------------------------------------------------------------------- */

int lmb_result_analysis_count(const lmb_result *r)
{
    return r ? r->count : 0;
}

const char *lmb_result_analysis_name(const lmb_result *r, int index)
{
    return index >= 0 && index < lmb_result_analysis_count(r) ? r->analyses[index].name : NULL;
}

int lmb_result_find_analysis(const lmb_result *r, lmb_context *context, const char *name)
{
    int last = lmb_result_analysis_count(r) - 1;
    if (!name && last < 0)
        lmb_fail(context, LMB_BAD_INPUT, "there are no results in the file yet");
    if (!name)
        return last;
    lmb_nearest near;
    int found = lmb_find_name(r->analyses, sizeof *r->analyses, r->count, name, &near);
    if (found >= 0)
        return found;
    lmb_fail(context, LMB_BAD_INPUT, "there is no analysis '%s' in the result", name);
    lmb_nearest_hint(context, &near);
    return -1;
}

const char *lmb_result_analysis_type(const lmb_result *r, lmb_arena *arena, int index)
{
    const char *type = NULL;
    H5E_BEGIN_TRY
    {
        hid_t group = H5Gopen2(r->file, r->analyses[index].name, H5P_DEFAULT);
        type = lmb_h5_get_text(arena, group, "type");
        H5Gclose(group);
    }
    H5E_END_TRY;
    return type;
}

const lmb_channel *lmb_result_over(const lmb_result *r, int index)
{
    return index >= 0 && index < lmb_result_analysis_count(r) ? &r->analyses[index].over : NULL;
}

int lmb_result_channel_count(const lmb_result *r, int index)
{
    return index >= 0 && index < lmb_result_analysis_count(r) ? r->analyses[index].count : 0;
}

const lmb_channel *lmb_result_channel(const lmb_result *r, int index, int channel)
{
    if (channel < 0 || channel >= lmb_result_channel_count(r, index))
        return NULL;
    return &r->analyses[index].entries[channel].channel;
}

const char *lmb_result_text(lmb_result *r, const char *name)
{
    const char *text = NULL;
    if (!r || !name)
        return NULL;
    H5E_BEGIN_TRY
    {
        hid_t group = H5Gopen2(r->file, "model", H5P_DEFAULT);
        text = lmb_h5_read_text(r->arena, group, name);
        if (!text && strcmp(name, "version") == 0)
            text = lmb_h5_get_text(r->arena, r->file, name);
        H5Gclose(group);
    }
    H5E_END_TRY;
    return text;
}

/* --- reading a channel ------------------------------------------------------------------------ */

/* Says that there is no such channel, with the nearest there is, components included. */
static lmb_status fail_unknown(const lmb_result *r, lmb_context *context, const lmb_opened *a,
                               const char *name)
{
    lmb_fail(context, LMB_BAD_INPUT, "no channel '%s' in '%s'", name, r->path);
    lmb_nearest near = lmb_nearest_start(name);
    for (int i = 0; i < a->count; i++) {
        const lmb_channel *c = &a->entries[i].channel;
        lmb_nearest_try(&near, c->name);
        for (int k = 0; c->components[k]; k++) {
            char *full = lmb_text_format(r->arena, "%s.%c", c->name, c->components[k]);
            if (full)
                lmb_nearest_try(&near, full);
        }
    }
    if (!r->memory)
        lmb_hint(context, "see `limber list %s`", r->path);
    lmb_nearest_hint(context, &near);
    return LMB_BAD_INPUT;
}

/* The analysis that a channel name means; *name is moved behind the prefix. */
static lmb_status choose_analysis(const lmb_result *r, lmb_context *context, const char **name,
                                  const lmb_opened **out)
{
    if (r->count == 0)
        return lmb_fail(context, LMB_BAD_INPUT, "'%s' has no results in it yet", r->path);
    *out = &r->analyses[r->count - 1];
    const char *slash = strchr(*name, '/');
    if (!slash)
        return LMB_OK;
    lmb_nearest near;
    char *word = lmb_text_copy(r->arena, *name, (size_t)(slash - *name));
    if (!word)
        return lmb_fail_memory(context);
    int found = lmb_find_name(r->analyses, sizeof *r->analyses, r->count, word, &near);
    if (found >= 0) {
        *out = &r->analyses[found];
        *name = slash + 1;
        return LMB_OK;
    }
    lmb_fail(context, LMB_BAD_INPUT, "no analysis '%s' in '%s'", word, r->path);
    if (!r->memory)
        lmb_hint(context, "see `limber list %s`", r->path);
    lmb_nearest_hint(context, &near);
    return LMB_BAD_INPUT;
}

/* The data set of an analysis that stands for time, to be closed. */
static hid_t open_time(const lmb_result *r, const lmb_opened *a)
{
    hid_t group = H5Gopen2(r->file, a->name, H5P_DEFAULT);
    hid_t set = H5Dopen2(group, "time", H5P_DEFAULT);
    H5Gclose(group);
    return set;
}

/* A data set of channels. It stays open, with room for the chunks of all rows of some channels, as
 * its neighbours are often read next. */
static hid_t open_set(const lmb_result *r, const lmb_opened *a, lmb_opened_set *set)
{
    if (set->id >= 0)
        return set->id;
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 2003, 8 << 20, H5D_CHUNK_CACHE_W0_DEFAULT);
    hid_t group = H5Gopen2(r->file, a->name, H5P_DEFAULT);
    hid_t values = H5Gopen2(group, "values", H5P_DEFAULT);
    set->id = H5Dopen2(values, set->name, access);
    H5Gclose(values);
    H5Gclose(group);
    H5Pclose(access);
    return set->id;
}

/* The rows of a data set; -1 where it cannot be read. */
static int rows_of(hid_t set)
{
    hsize_t dims[3];
    return set >= 0 && lmb_h5_shape(set, dims) ? (int)dims[0] : -1;
}

/* Reads some rows of some slots and columns of a data set. */
static bool read_block(hid_t set, int first, int rows, lmb_channel_part part, double *values)
{
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_ndims(space);
    hsize_t start[3] = {(hsize_t)first, (hsize_t)part.node, (hsize_t)part.column};
    hsize_t count[3] = {(hsize_t)rows, (hsize_t)part.nodes, (hsize_t)part.columns};
    bool done = space >= 0 && rows_of(set) >= first + rows;
    if (done && rows > 0 && part.nodes > 0 && part.columns > 0) {
        hid_t memory = H5Screate_simple(rank, count, NULL);
        done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
               H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
        H5Sclose(memory);
    }
    H5Sclose(space);
    return done;
}

static const lmb_channel_part of_time = {0, 1, 0, 1};

static lmb_status read_entry(const lmb_result *r, lmb_context *context, const lmb_opened *a,
                             const lmb_opened_channel *e, const lmb_channel_part *part,
                             lmb_series *out)
{
    hid_t time = open_time(r, a), set = open_set(r, a, &a->sets[e->set]);
    int times = rows_of(time), rows = rows_of(set);
    if (times < 0 || rows < 0) {
        H5Dclose(time);
        return lmb_result_fail(r, context);
    }
    out->count = times < rows ? times : rows;
    out->size = part->nodes * part->columns;
    size_t count = (size_t)out->count, size = (size_t)out->size;
    out->time = lmb_malloc((count + 1) * sizeof *out->time);
    out->values = lmb_calloc(count * size + 1, sizeof *out->values);
    lmb_channel_part at = *part;
    at.node += e->slot;
    lmb_status status = LMB_OK;
    if (!out->time || !out->values)
        status = lmb_fail_memory(context);
    else if (!read_block(time, 0, out->count, of_time, out->time) ||
             !read_block(set, 0, out->count, at, out->values))
        status = lmb_result_fail(r, context);
    H5Dclose(time);
    return status;
}

/* Warn once of numbers that are not finite, unless the meaning of the channel explains NaN. */
static void warn_not_finite(lmb_context *context, const lmb_opened *a, const lmb_series *s)
{
    size_t size = (size_t)s->size, count = (size_t)s->count * size, i = 0;
    if (!lmb_context_watches(context) || strstr(s->channel.doc, "NaN"))
        return;
    while (i < count && isfinite(s->values[i]))
        i++;
    if (i == count)
        return;
    lmb_context_watch(context, false);
    lmb_warn(context, "channel '%s' of analysis '%s' is not a finite number at %s = %.10g",
             s->channel.name, a->name, lmb_over_symbol(&s->over), s->time[i / size]);
    lmb_hint(context, "other instants and channels may also have such numbers");
}

lmb_status lmb_result_read(lmb_result *result, lmb_context *context, const char *name,
                           lmb_series *out)
{
    LMB_REQUIRE(context, result, name, out);
    *out = (lmb_series){0};
    const lmb_opened *a = NULL;
    lmb_status status = choose_analysis(result, context, &name, &a);
    if (status != LMB_OK)
        return status;
    lmb_channel_part part;
    int found = lmb_channel_find(&a->names, a->entries, sizeof *a->entries, name, &part);
    if (found < 0)
        return fail_unknown(result, context, a, name);
    const lmb_opened_channel *e = &a->entries[found];
    H5E_BEGIN_TRY
    {
        status = read_entry(result, context, a, e, &part, out);
    }
    H5E_END_TRY;
    out->channel = e->channel;
    out->over = a->over;
    if (status == LMB_OK && strcmp(name, e->channel.name) != 0) {
        out->channel.name = lmb_text_copy(result->arena, name, strlen(name));
        out->channel.size = out->size;
        if (part.columns == 1) /* else all components of a node */
            out->channel.components = "";
        if (!out->channel.name)
            status = lmb_fail_memory(context);
    }
    if (status == LMB_OK)
        warn_not_finite(context, a, out);
    else
        lmb_series_free(out);
    return status;
}

/* --- rows, as they were written --------------------------------------------------------------- */

hid_t lmb_result_file(const lmb_result *r)
{
    return r->file;
}

const char *lmb_result_path(const lmb_result *r)
{
    return r->path;
}

/* Takes the numbers of a set to their places in rows. */
static void scatter(const lmb_opened *a, int set, int rows, size_t width, const double *from,
                    double *values)
{
    size_t columns = (size_t)a->sets[set].columns, apart = (size_t)a->sets[set].slots * columns;
    size_t at = 1;
    for (int i = 0; i < a->count; i++) {
        const lmb_opened_channel *e = &a->entries[i];
        size_t size = (size_t)e->channel.size;
        for (size_t k = 0; e->set == set && k < (size_t)rows; k++)
            memcpy(values + k * width + at, from + k * apart + (size_t)e->slot * columns,
                   size * sizeof *values);
        at += size;
    }
}

lmb_status lmb_result_rows(lmb_result *r, lmb_context *context, int index, int first, int rows,
                           double *values)
{
    const lmb_opened *a = &r->analyses[index];
    size_t width = lmb_result_width(r, index);
    double *block = lmb_malloc((size_t)rows * width * sizeof *block);
    if (!block)
        return lmb_fail_memory(context);
    lmb_status status = LMB_OK;
    H5E_BEGIN_TRY
    {
        hid_t time = open_time(r, a);
        if (!read_block(time, first, rows, of_time, block))
            status = lmb_result_fail(r, context);
        H5Dclose(time);
        for (int k = 0; k < rows && !status; k++)
            values[(size_t)k * width] = block[k];
        for (int i = 0; !status && i < a->set_count; i++) {
            lmb_opened_set *set = &a->sets[i];
            lmb_channel_part all = {0, set->slots, 0, set->columns};
            if (read_block(open_set(r, a, set), first, rows, all, block))
                scatter(a, i, rows, width, block, values);
            else
                status = lmb_result_fail(r, context);
        }
    }
    H5E_END_TRY;
    free(block);
    return status;
}

size_t lmb_result_width(const lmb_result *r, int index)
{
    size_t width = 1;
    for (int i = 0; i < lmb_result_channel_count(r, index); i++)
        width += (size_t)r->analyses[index].entries[i].channel.size;
    return width;
}

int lmb_result_row_count(const lmb_result *r, int index)
{
    int rows;
    H5E_BEGIN_TRY
    {
        hid_t time = open_time(r, &r->analyses[index]);
        rows = rows_of(time);
        H5Dclose(time);
    }
    H5E_END_TRY;
    return rows < 0 ? 0 : rows;
}
