/* Reading results; the layout is described in write.c. */
#include "result/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/message.h"
#include "base/text.h"
#include "channels/component.h"
#include "result/quantities.h"

/* A data set of like channels. */
typedef struct value_set {
    const char *name;
    hid_t id; /* once it is read from */
    const char *unit, *doc, *components;
    int slots, columns;
} value_set;

/* A channel and where it is in the file. */
typedef struct entry {
    lmb_channel channel;
    int set, slot;
} entry;

typedef struct analysis {
    const char *name;
    int order, count, set_count;
    entry *entries;
    value_set *sets;
    lmb_names names, set_names; /* of the channels and of the sets */
    lmb_channel over;           /* what stands in the place of time */
} analysis;

struct lmb_result {
    lmb_arena *arena;
    const char *path;
    hid_t file;
    int count;
    analysis *analyses;
};

/* --- finding the analyses and their channels -------------------------------------------------- */

/* Adds the data set of a name to an analysis; -1: there is none, or out of memory. */
static int add_set(lmb_arena *arena, hid_t values, const char *name, analysis *a)
{
    hsize_t dims[3];
    hid_t id = H5Dopen2(values, name, H5P_DEFAULT);
    bool fine = id >= 0 && lmb_h5_shape(id, dims);
    a->sets = lmb_arena_append(arena, a->sets, a->set_count, sizeof *a->sets);
    const char *unit = lmb_h5_get_text(arena, id, "unit");
    const char *doc = lmb_h5_get_text(arena, id, "doc");
    const char *components = lmb_h5_get_text(arena, id, "components");
    H5Dclose(id);
    if (!fine || !lmb_arena_fine(arena) ||
        !lmb_names_add(&a->set_names, arena, name, 0, a->set_count))
        return -1;
    a->sets[a->set_count] = (value_set){name,
                                        H5I_INVALID_HID,
                                        unit ? unit : "",
                                        doc ? doc : "",
                                        components ? components : "",
                                        (int)dims[1],
                                        (int)dims[2]};
    return a->set_count++;
}

/* Adds a channel of the table; false: it does not fit its data set. */
static bool add_entry(lmb_arena *arena, hid_t values, const lmb_channel_line *line, analysis *a)
{
    const lmb_named *named = lmb_names_find(&a->set_names, line->set, strlen(line->set));
    int index = named ? named->index : add_set(arena, values, line->set, a);
    if (index < 0)
        return false;
    const value_set *set = &a->sets[index];
    if (line->nodes < 1 || line->slot < 0 || line->slot > set->slots - line->nodes)
        return false;
    lmb_channel c = {line->name, set->unit, set->doc, line->nodes * set->columns, set->components};
    a->entries[a->count] = (entry){c, index, line->slot};
    return lmb_names_add(&a->names, arena, line->name, 0, a->count++);
}

static bool read_channels(lmb_arena *arena, hid_t group, analysis *a)
{
    lmb_channel_line *lines;
    int count;
    if (!lmb_channel_index_read(group, arena, &count, &lines))
        return false;
    a->entries = lmb_arena_alloc(arena, (size_t)count, sizeof *a->entries);
    hid_t values = H5Gopen2(group, "values", H5P_DEFAULT);
    bool done = a->entries && values >= 0;
    for (int i = 0; done && i < count; i++)
        done = add_entry(arena, values, &lines[i], a);
    H5Gclose(values);
    return done;
}

static int by_analysis_order(const void *a, const void *b)
{
    const analysis *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* What the rows of an analysis are over. */
static lmb_channel read_over(lmb_arena *arena, hid_t group)
{
    hid_t set = H5Dopen2(group, "time", H5P_DEFAULT);
    const char *name = lmb_h5_get_text(arena, set, "name");
    const char *unit = lmb_h5_get_text(arena, set, "unit");
    const char *doc = lmb_h5_get_text(arena, set, "doc");
    H5Dclose(set);
    return (lmb_channel){name ? name : "time", unit ? unit : "s", doc ? doc : "", 1, ""};
}

/* Looks at one member of the root: an analysis has an order, anything else is not one. */
static herr_t look_at_root(hid_t root, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    lmb_result *r = user;
    analysis found = {0};
    hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    herr_t result = 0;
    if (H5Iget_type(object) == H5I_GROUP && lmb_h5_get_integer(object, "order", &found.order)) {
        found.name = lmb_text_copy(r->arena, name, strlen(name));
        found.over = read_over(r->arena, object);
        result = read_channels(r->arena, object, &found) ? 0 : -1;
        r->analyses = lmb_arena_append(r->arena, r->analyses, r->count, sizeof *r->analyses);
        if (lmb_arena_fine(r->arena))
            r->analyses[r->count++] = found;
    }
    H5Oclose(object);
    return lmb_arena_fine(r->arena) ? result : -1;
}

/* --- opening ---------------------------------------------------------------------------------- */

static lmb_status fail_hdf5(const lmb_result *r, lmb_context *context)
{
    char reason[256];
    lmb_h5_reason(reason, sizeof reason);
    return lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged and cannot be read: %s", r->path,
                    reason);
}

static lmb_status fail_not_result(const lmb_result *r, lmb_context *context)
{
    lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a Limber result file", r->path);
    if (lmb_ends_with(r->path, ".yaml") || lmb_ends_with(r->path, ".yml"))
        lmb_hint(context, "`limber run %s` computes the result of a model", r->path);
    return LMB_BAD_INPUT;
}

/* Opens the file with HDF5 and finds what is in it. */
static lmb_status open_file(lmb_result *r, lmb_context *context)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, false, true); /* a run under way can be looked at */
    r->file = H5Fopen(r->path, H5F_ACC_RDONLY, access);
    lmb_status status = r->file < 0 ? fail_hdf5(r, context) : LMB_OK;
    H5Pclose(access);
    if (status)
        return status;
    const char *program = lmb_h5_get_text(r->arena, r->file, "program");
    int format = 0;
    if (!program || strcmp(program, "limber") != 0 ||
        !lmb_h5_get_integer(r->file, "format", &format))
        return fail_not_result(r, context);
    const char *kind = lmb_h5_get_text(r->arena, r->file, "kind");
    if (kind && strcmp(kind, "body") == 0) {
        lmb_fail(context, LMB_BAD_INPUT, "'%s' has a reduced body, not results", r->path);
        return lmb_hint(context, "`limber modes` and `limber matrices` read it");
    }
    if (format > LMB_RESULT_FORMAT)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "'%s' was written by a newer Limber (file format %d)", r->path, format);
    if (format < LMB_RESULT_FORMAT) {
        lmb_fail(context, LMB_BAD_INPUT, "'%s' was written by an older Limber (file format %d)",
                 r->path, format);
        return lmb_hint(context, "run its model again");
    }
    if (H5Literate(r->file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at_root, r) < 0)
        return lmb_arena_fine(r->arena) ? fail_hdf5(r, context) : lmb_fail_memory(context);
    if (r->count)
        qsort(r->analyses, (size_t)r->count, sizeof *r->analyses, by_analysis_order);
    return LMB_OK;
}

lmb_status lmb_result_open(lmb_result **out, lmb_context *context, const char *path)
{
    *out = NULL;
    lmb_arena *arena;
    lmb_result *r = lmb_arena_object(&arena, sizeof *r);
    const char *copy = r ? lmb_text_copy(arena, path, strlen(path)) : NULL;
    if (!copy) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    *r = (lmb_result){.arena = arena, .path = copy, .file = H5I_INVALID_HID};
    lmb_status status;
    if (lmb_h5_signature(path)) {
        H5E_BEGIN_TRY
        {
            status = open_file(r, context);
        }
        H5E_END_TRY;
    } else if (errno) {
        status = lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
    } else {
        status = fail_not_result(r, context);
    }
    if (status != LMB_OK) {
        lmb_result_close(r);
        return status;
    }
    *out = r;
    return LMB_OK;
}

void lmb_result_close(lmb_result *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->analyses[i].set_count; k++)
            if (r->analyses[i].sets[k].id >= 0)
                H5Dclose(r->analyses[i].sets[k].id);
    if (r->file >= 0)
        H5Fclose(r->file);
    lmb_arena_free(r->arena);
}

/* --- what is there ---------------------------------------------------------------------------- */

int lmb_result_analysis_count(const lmb_result *r)
{
    return r->count;
}

const char *lmb_result_analysis_name(const lmb_result *r, int index)
{
    return index >= 0 && index < r->count ? r->analyses[index].name : NULL;
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
    return index >= 0 && index < r->count ? &r->analyses[index].over : NULL;
}

int lmb_result_channel_count(const lmb_result *r, int index)
{
    return index >= 0 && index < r->count ? r->analyses[index].count : 0;
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
static lmb_status fail_unknown(const lmb_result *r, lmb_context *context, const analysis *a,
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
    lmb_hint(context, "see `limber list %s`", r->path);
    lmb_nearest_hint(context, &near);
    return LMB_BAD_INPUT;
}

/* The analysis that a channel name means; *name is moved behind the prefix. */
static lmb_status choose_analysis(const lmb_result *r, lmb_context *context, const char **name,
                                  const analysis **out)
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
    lmb_hint(context, "see `limber list %s`", r->path);
    lmb_nearest_hint(context, &near);
    return LMB_BAD_INPUT;
}

/* The data set of an analysis that stands for time, to be closed. */
static hid_t open_time(const lmb_result *r, const analysis *a)
{
    hid_t group = H5Gopen2(r->file, a->name, H5P_DEFAULT);
    hid_t set = H5Dopen2(group, "time", H5P_DEFAULT);
    H5Gclose(group);
    return set;
}

/* A data set of channels. It stays open, with room for the chunks of all rows of some channels, as
 * its neighbours are often read next. */
static hid_t open_set(const lmb_result *r, const analysis *a, value_set *set)
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

/* The rows of a data set; 0 where it cannot be read. */
static int rows_of(hid_t set)
{
    hsize_t dims[3];
    return set >= 0 && lmb_h5_shape(set, dims) ? (int)dims[0] : 0;
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

static lmb_status read_entry(const lmb_result *r, lmb_context *context, const analysis *a,
                             const entry *e, const lmb_channel_part *part, lmb_series *out)
{
    hid_t time = open_time(r, a), set = open_set(r, a, &a->sets[e->set]);
    int times = rows_of(time), rows = rows_of(set);
    out->count = times < rows ? times : rows;
    out->size = part->nodes * part->columns;
    size_t count = (size_t)out->count, size = (size_t)out->size;
    out->time = malloc((count + 1) * sizeof *out->time);
    out->values = calloc(count * size + 1, sizeof *out->values);
    lmb_channel_part at = *part;
    at.node += e->slot;
    lmb_status status = LMB_OK;
    if (!out->time || !out->values)
        status = lmb_fail_memory(context);
    else if (!read_block(time, 0, out->count, of_time, out->time) ||
             !read_block(set, 0, out->count, at, out->values))
        status = fail_hdf5(r, context);
    H5Dclose(time);
    return status;
}

lmb_status lmb_result_read(lmb_result *r, lmb_context *context, const char *name, lmb_series *out)
{
    *out = (lmb_series){0};
    const analysis *a = NULL;
    lmb_status status = choose_analysis(r, context, &name, &a);
    if (status != LMB_OK)
        return status;
    lmb_channel_part part;
    int found = lmb_channel_find(&a->names, a->entries, sizeof *a->entries, name, &part);
    if (found < 0)
        return fail_unknown(r, context, a, name);
    const entry *e = &a->entries[found];
    H5E_BEGIN_TRY
    {
        status = read_entry(r, context, a, e, &part, out);
    }
    H5E_END_TRY;
    out->channel = e->channel;
    out->over = a->over;
    if (status == LMB_OK && strcmp(name, e->channel.name) != 0) {
        out->channel.name = lmb_text_copy(r->arena, name, strlen(name));
        out->channel.size = out->size;
        if (part.columns == 1) /* else all components of a node */
            out->channel.components = "";
        if (!out->channel.name)
            status = lmb_fail_memory(context);
    }
    if (status != LMB_OK)
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
static void scatter(const analysis *a, int set, int rows, size_t width, const double *from,
                    double *values)
{
    size_t columns = (size_t)a->sets[set].columns, apart = (size_t)a->sets[set].slots * columns;
    size_t at = 1;
    for (int i = 0; i < a->count; i++) {
        const entry *e = &a->entries[i];
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
    const analysis *a = &r->analyses[index];
    size_t width = lmb_result_width(r, index);
    double *block = malloc((size_t)rows * width * sizeof *block);
    if (!block)
        return lmb_fail_memory(context);
    lmb_status status = LMB_OK;
    H5E_BEGIN_TRY
    {
        hid_t time = open_time(r, a);
        if (!read_block(time, first, rows, of_time, block))
            status = fail_hdf5(r, context);
        H5Dclose(time);
        for (int k = 0; k < rows && !status; k++)
            values[(size_t)k * width] = block[k];
        for (int i = 0; !status && i < a->set_count; i++) {
            value_set *set = &a->sets[i];
            lmb_channel_part all = {0, set->slots, 0, set->columns};
            if (read_block(open_set(r, a, set), first, rows, all, block))
                scatter(a, i, rows, width, block, values);
            else
                status = fail_hdf5(r, context);
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
    return rows;
}
