/* Reading results; the layout is described in write.c. */
#include "result/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/message.h"
#include "base/text.h"
#include "channels/component.h"

enum { FORMAT = 1 };

/* A channel and where it is in the file. */
typedef struct entry {
    lmb_channel channel;
    const char *path; /* inside the group of the analysis */
    int order;
} entry;

typedef struct analysis {
    const char *name;
    int order, count;
    entry *entries;
    lmb_channel over; /* what stands in the place of time */
} analysis;

struct lmb_result {
    lmb_arena *arena;
    const char *path;
    hid_t file;
    int count;
    analysis *analyses;
};

/* --- finding the analyses and their channels -------------------------------------------------- */

typedef struct visit {
    lmb_result *result;
    analysis *analysis;
} visit;

/* Looks at one member of an analysis, or of a group in it: data sets with the marks of a channel
 * are channels. */
static herr_t look_at(hid_t group, const char *path, const H5L_info_t *info, void *user)
{
    (void)info;
    visit *v = user;
    lmb_arena *arena = v->result->arena;
    analysis *a = v->analysis;
    hsize_t dims[3];
    int order;
    hid_t set = H5Oopen(group, path, H5P_DEFAULT);
    if (H5Iget_type(set) == H5I_DATASET && lmb_h5_get_integer(set, "order", &order) &&
        lmb_h5_shape(set, dims)) {
        char *name = lmb_text_copy(arena, path, strlen(path));
        for (char *c = name; c && *c; c++)
            if (*c == '/')
                *c = '.';
        const char *unit = lmb_h5_get_text(arena, set, "unit");
        const char *doc = lmb_h5_get_text(arena, set, "doc");
        const char *components = lmb_h5_get_text(arena, set, "components");
        a->entries = lmb_arena_append(arena, a->entries, a->count, sizeof *a->entries);
        entry found = {{name, unit ? unit : "", doc ? doc : "", (int)(dims[1] * dims[2]),
                        components ? components : ""},
                       lmb_text_copy(arena, path, strlen(path)),
                       order};
        if (lmb_arena_fine(arena))
            a->entries[a->count++] = found;
    }
    H5Oclose(set);
    return lmb_arena_fine(arena) ? 0 : -1;
}

static int by_order(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
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
    if (!name) /* in older files modes, which are numbered, have no unit */
        name = unit && !unit[0] ? "mode" : "time";
    return (lmb_channel){name, unit ? unit : "s", doc ? doc : "", 1, ""};
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
        result = H5Lvisit(object, H5_INDEX_NAME, H5_ITER_NATIVE, look_at, &(visit){r, &found});
        if (found.count)
            qsort(found.entries, (size_t)found.count, sizeof *found.entries, by_order);
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
    if (format > FORMAT)
        return lmb_fail(context, LMB_BAD_INPUT,
                        "'%s' was written by a newer Limber (file format %d)", r->path, format);
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

/* What a name means: an entry, and which part of it. */
static const entry *find_entry(const analysis *a, const char *name, lmb_channel_part *part)
{
    const entry *owner = NULL;
    for (int i = 0; i < a->count; i++) {
        const lmb_channel *c = &a->entries[i].channel;
        size_t length = strlen(c->name);
        lmb_channel_part found = {0, lmb_channel_nodes(c), 0, lmb_channel_columns(c)};
        bool whole = strcmp(c->name, name) == 0;
        if (!whole && (strncmp(c->name, name, length) != 0 || name[length] != '.' ||
                       !lmb_channel_part_of(c, name + length + 1, &found)))
            continue;
        *part = found;
        owner = &a->entries[i];
        if (whole)
            break;
    }
    return owner;
}

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

/* The rows of a data set of an analysis; 0 where it cannot be read. */
static int rows_of(const lmb_result *r, const analysis *a, const char *path)
{
    hsize_t dims[3];
    hid_t group = H5Gopen2(r->file, a->name, H5P_DEFAULT);
    hid_t set = H5Dopen2(group, path, H5P_DEFAULT);
    int rows = set >= 0 && lmb_h5_shape(set, dims) ? (int)dims[0] : 0;
    H5Dclose(set);
    H5Gclose(group);
    return rows;
}

/* Reads some rows of a part of a data set (NULL: of all of it) into the first columns of rows that
 * are `width` wide. */
static lmb_status read_block(const lmb_result *r, lmb_context *context, const analysis *a,
                             const char *path, const lmb_channel_part *part, int first, int rows,
                             size_t width, double *values)
{
    hsize_t dims[3] = {0, 0, 0}, corner[2] = {0, 0}, room[2] = {(hsize_t)rows, width};
    hid_t group = H5Gopen2(r->file, a->name, H5P_DEFAULT);
    hid_t set = H5Dopen2(group, path, H5P_DEFAULT);
    bool done = set >= 0 && lmb_h5_shape(set, dims) && dims[0] >= (hsize_t)(first + rows);
    hid_t space = done ? H5Dget_space(set) : H5I_INVALID_HID;
    hid_t memory = done ? H5Screate_simple(2, room, NULL) : H5I_INVALID_HID;
    hsize_t start[3] = {(hsize_t)first, part ? (hsize_t)part->node : 0,
                        part ? (hsize_t)part->column : 0};
    hsize_t count[3] = {(hsize_t)rows, part ? (hsize_t)part->nodes : dims[1],
                        part ? (hsize_t)part->columns : dims[2]};
    hsize_t taken[2] = {(hsize_t)rows, count[1] * count[2]};
    if (done && H5Sget_simple_extent_ndims(space) < 3) { /* columns alone */
        start[1] = start[2];
        count[1] = count[2];
    }
    if (done && rows > 0 && taken[1] > 0)
        done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
               H5Sselect_hyperslab(memory, H5S_SELECT_SET, corner, NULL, taken, NULL) >= 0 &&
               H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
    lmb_status status = done ? LMB_OK : fail_hdf5(r, context);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Gclose(group);
    return status;
}

static lmb_status read_entry(const lmb_result *r, lmb_context *context, const analysis *a,
                             const entry *e, const lmb_channel_part *part, lmb_series *out)
{
    int times = rows_of(r, a, "time"), rows = rows_of(r, a, e->path);
    out->count = times < rows ? times : rows;
    out->size = part->nodes * part->columns;
    size_t count = (size_t)out->count, size = (size_t)out->size;
    out->time = malloc((count + 1) * sizeof *out->time);
    out->values = calloc(count * size + 1, sizeof *out->values);
    if (!out->time || !out->values)
        return lmb_fail_memory(context);
    lmb_status status = read_block(r, context, a, "time", NULL, 0, out->count, 1, out->time);
    if (status)
        return status;
    return read_block(r, context, a, e->path, part, 0, out->count, size, out->values);
}

lmb_status lmb_result_read(lmb_result *r, lmb_context *context, const char *name, lmb_series *out)
{
    *out = (lmb_series){0};
    const analysis *a = NULL;
    lmb_status status = choose_analysis(r, context, &name, &a);
    if (status != LMB_OK)
        return status;
    lmb_channel_part part;
    const entry *e = find_entry(a, name, &part);
    if (!e)
        return fail_unknown(r, context, a, name);
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

lmb_status lmb_result_rows(lmb_result *r, lmb_context *context, int index, int first, int rows,
                           double *values)
{
    const analysis *a = &r->analyses[index];
    size_t width = lmb_result_width(r, index), column = 1;
    lmb_status status;
    H5E_BEGIN_TRY
    {
        status = read_block(r, context, a, "time", NULL, first, rows, width, values);
        for (int i = 0; !status && i < a->count; i++) {
            status = read_block(r, context, a, a->entries[i].path, NULL, first, rows, width,
                                values + column);
            column += (size_t)a->entries[i].channel.size;
        }
    }
    H5E_END_TRY;
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
        rows = rows_of(r, &r->analyses[index], "time");
    }
    H5E_END_TRY;
    return rows;
}
