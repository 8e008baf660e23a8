/* Writing results.
 *
 * Layout: attributes program, version and format on the root; texts as /model/NAME; an analysis
 * as a group with the attributes type and order, in it `time` and one data set per channel, the
 * dots of its name turned into groups, with the attributes unit, doc, components and order; it has
 * instants x components, or instants x nodes x components. The data set `time` has the attributes
 * name, unit and doc of what it really is.
 *
 * HDF5 is called only when rows are written: raw data first, then the file structure, all of it or
 * nothing (h5_journal.c). So the file is whole between two writes, and a full disk leaves it as it
 * was. A checkpoint comes last (checkpoint.h), into room that the file has by then. */
#include "result/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/message.h"
#include "base/text.h"
#include "result/series.h"
#include "store/h5.h"

enum {
    FORMAT = 1,
    MOST_ROWS = 1024,           /* kept in memory ... */
    MOST_NUMBERS = 1024 * 1024, /* ... if they are not more numbers than this */
    LEAST_ROWS = 16,
    LEAST_CHUNK = 64, /* rows */
    FLUSH_SECONDS = 2
};

struct lmb_writer {
    char *path;
    lmb_h5_disk disk;
    hid_t driver, file;
    bool broken; /* a write failed and was reported; later calls only return LMB_IO */
    char reason[256];
    int analysis_count;
    lmb_arena *arena; /* of the analysis under way */
    const char *analysis, *type;
    lmb_channel over;    /* what the rows are over: time, or as lmb_writer_over told */
    bool begun, created; /* created: the data sets are in the file */
    int channel_count;
    lmb_channel *channels;
    const char **sorted; /* the names, for path_of */
    hid_t *sets;         /* time, then the channels */
    size_t width;        /* numbers a row, time included */
    size_t used, room;   /* rows in memory */
    double *rows;        /* room x width */
    double *column;      /* room x size of the largest channel */
    hsize_t written;     /* rows in the file */
    double readable;     /* time of the last of them */
    bool some_readable;  /* in any analysis so far */
    struct timespec flushed;
    lmb_save_function *save; /* NULL: the file has no checkpoints */
    void *user;
    lmb_slots slots;
};

/* --- steps: each returns false when it fails -------------------------------------------------- */

/* HDF5 calls this where one of its functions fails: the first reason counts. */
static herr_t keep_reason(hid_t stack, void *user)
{
    (void)stack;
    lmb_writer *w = user;
    if (!w->reason[0])
        lmb_h5_reason(w->reason, sizeof w->reason);
    return 0;
}

/* Writes the file structure. */
static bool commit(lmb_writer *w)
{
    return H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0 && lmb_h5_commit(&w->disk);
}

/* Lets go of the file as it is on the disk. */
static void abandon(lmb_writer *w)
{
    w->disk.dead = true;
    H5Fclose(w->file);
    w->file = H5I_INVALID_HID;
}

/* Reports a failed write once. */
static lmb_status report(lmb_writer *w, lmb_context *context)
{
    const char *why = w->reason[0] ? w->reason : "HDF5 refused";
    w->broken = true;
    lmb_fail(context, LMB_IO, "cannot write '%s': %s", w->path,
             w->disk.error ? strerror(w->disk.error) : why);
    if (w->some_readable)
        lmb_hint(context, "the results up to %s = %.9g are readable", lmb_over_symbol(&w->over),
                 w->readable);
    return LMB_IO;
}

typedef bool step(lmb_writer *w, void *data);

/* Takes a step; the file is let go of where that fails, which is reported once. */
static lmb_status guarded(lmb_writer *w, lmb_context *context, step *write, void *data)
{
    H5E_auto2_t handler;
    void *user;
    if (w->broken)
        return LMB_IO;
    w->reason[0] = 0;
    H5Eget_auto2(H5E_DEFAULT, &handler, &user);
    H5Eset_auto2(H5E_DEFAULT, keep_reason, w);
    bool done = write(w, data);
    if (!done && w->file >= 0)
        abandon(w);
    H5Eset_auto2(H5E_DEFAULT, handler, user);
    return done ? LMB_OK : report(w, context);
}

/* --- the file -------------------------------------------------------------------------------- */

static bool create_file(lmb_writer *w, void *unused)
{
    (void)unused;
    w->disk.fd = open(w->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (w->disk.fd < 0) {
        w->disk.error = errno;
        return false;
    }
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    w->driver = lmb_h5_use_disk(access, &w->disk);
    if (w->driver >= 0)
        w->file = H5Fcreate(w->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return w->file >= 0 && lmb_h5_put_text(w->file, "program", "limber") &&
           lmb_h5_put_text(w->file, "version", lmb_version()) &&
           lmb_h5_put_integer(w->file, "format", FORMAT) && commit(w);
}

/* An existing file is replaced only if it may be a result: a slip of the hand in `-o` must not
 * cost somebody a model. */
static lmb_status check_replaceable(lmb_context *context, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0 ||
        lmb_h5_signature(path) || errno != 0)
        return LMB_OK;
    lmb_fail(context, LMB_IO, "'%s' exists and is not a result file, so it is not replaced", path);
    return lmb_hint(context, "give the result another name, or remove that file");
}

static void free_writer(lmb_writer *w)
{
    if (w->driver >= 0)
        H5FDunregister(w->driver);
    if (w->disk.fd >= 0)
        close(w->disk.fd);
    lmb_h5_release(&w->disk);
    free(w->path);
    free(w->rows);
    lmb_arena_free(w->arena);
    free(w);
}

lmb_status lmb_writer_new(lmb_writer **out, lmb_context *context, const char *path)
{
    *out = NULL;
    lmb_status status = check_replaceable(context, path);
    if (status != LMB_OK)
        return status;
    lmb_writer *w = calloc(1, sizeof *w);
    if (!w)
        return lmb_fail_memory(context);
    w->file = w->driver = H5I_INVALID_HID;
    w->disk.fd = -1;
    w->slots.disk = &w->disk;
    w->path = strdup(path);
    w->arena = lmb_arena_new();
    if (!w->path || !w->arena) {
        free_writer(w);
        return lmb_fail_memory(context);
    }
    status = guarded(w, context, create_file, NULL);
    if (status)
        free_writer(w);
    else
        *out = w;
    return status;
}

/* What is added to a group, and by whom. */
typedef struct addition {
    const char *group;
    lmb_add_function *add;
    void *user;
} addition;

static bool add_to_group(lmb_writer *w, void *data)
{
    const addition *a = data;
    hid_t group = lmb_h5_group(w->file, a->group ? a->group : w->analysis);
    bool done = group >= 0 && a->add(a->user, group);
    H5Gclose(group);
    return done && commit(w);
}

lmb_status lmb_writer_add(lmb_writer *w, lmb_context *context, const char *group,
                          lmb_add_function *add, void *user)
{
    return guarded(w, context, add_to_group, &(addition){group, add, user});
}

static bool put_text(void *user, hid_t group)
{
    const char *const *text = user; /* name and text */
    if (H5Lexists(group, text[0], H5P_DEFAULT) > 0)
        H5Ldelete(group, text[0], H5P_DEFAULT);
    return lmb_h5_write_text(group, text[0], text[1]);
}

lmb_status lmb_writer_text(lmb_writer *w, lmb_context *context, const char *name, const char *text)
{
    return lmb_writer_add(w, context, "model", put_text, (const char *[]){name, text});
}

static bool put_skin(void *skin, hid_t file)
{
    return lmb_skin_write(file, skin);
}

lmb_status lmb_writer_skin(lmb_writer *w, lmb_context *context, const lmb_skin *skin)
{
    return lmb_writer_add(w, context, "/", put_skin, (void *)skin);
}

/* --- an analysis ------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Copies the names and allocates what the rows need. */
static bool prepare(lmb_writer *w, int count, const lmb_channel *channels)
{
    lmb_arena *arena = w->arena;
    size_t n = (size_t)count, largest = 1;
    w->channels = lmb_arena_alloc(arena, n, sizeof *w->channels);
    w->sorted = lmb_arena_alloc(arena, n + 1, sizeof *w->sorted);
    w->sets = lmb_arena_alloc(arena, n + 1, sizeof *w->sets);
    w->width = 1;
    if (!lmb_arena_fine(arena))
        return false;
    for (size_t i = 0; i < n; i++) {
        const lmb_channel *c = &channels[i];
        w->channels[i] = (lmb_channel){lmb_text_copy(arena, c->name, strlen(c->name)),
                                       lmb_text_copy(arena, c->unit, strlen(c->unit)),
                                       lmb_text_copy(arena, c->doc, strlen(c->doc)), c->size,
                                       lmb_text_copy(arena, c->components, strlen(c->components))};
        if (!lmb_arena_fine(arena))
            return false;
        w->sorted[i] = w->channels[i].name;
        w->width += (size_t)c->size;
        largest = (size_t)c->size > largest ? (size_t)c->size : largest;
    }
    w->sorted[n] = "time";
    qsort(w->sorted, n + 1, sizeof *w->sorted, by_name);

    w->room = MOST_NUMBERS / w->width;
    w->room = w->room > MOST_ROWS ? MOST_ROWS : w->room < LEAST_ROWS ? LEAST_ROWS : w->room;
    free(w->rows);
    w->rows = calloc(w->room * (w->width + largest), sizeof *w->rows);
    w->column = w->rows ? w->rows + w->room * w->width : NULL;
    return w->rows != NULL;
}

lmb_status lmb_writer_begin(lmb_writer *w, lmb_context *context, const char *analysis,
                            const char *type, int channel_count, const lmb_channel *channels)
{
    if (w->broken)
        return LMB_IO;
    lmb_arena_clear(w->arena);
    w->analysis = lmb_text_copy(w->arena, analysis, strlen(analysis));
    w->type = lmb_text_copy(w->arena, type, strlen(type));
    if (!w->analysis || !w->type || !prepare(w, channel_count, channels))
        return lmb_fail_memory(context);
    w->channel_count = channel_count;
    w->used = 0;
    w->written = 0;
    w->begun = true;
    w->created = false;
    lmb_writer_over(w, "time", "s", "Time.");
    clock_gettime(CLOCK_MONOTONIC, &w->flushed);
    return LMB_OK;
}

void lmb_writer_over(lmb_writer *w, const char *name, const char *unit, const char *doc)
{
    w->over = (lmb_channel){name, unit, doc, 1, ""};
}

/* The path of a channel in the group of its analysis: "crank.B.position" is crank/B/position. A
 * dot behind the name of another channel ("stress.max" and "stress.max.node") stays a dot. */
static char *path_of(lmb_writer *w, const char *name)
{
    char *path = lmb_text_copy(w->arena, name, strlen(name));
    char *prefix = lmb_text_copy(w->arena, name, strlen(name));
    if (!path || !prefix)
        return NULL;
    for (char *dot = strrchr(prefix, '.'); dot; dot = strrchr(prefix, '.')) {
        *dot = 0;
        const char *key = prefix;
        if (!bsearch(&key, w->sorted, (size_t)w->channel_count + 1, sizeof *w->sorted, by_name))
            path[dot - prefix] = '/';
    }
    return path;
}

/* The numbers of an instant in a data set: none for a scalar, size, or nodes x size. */
static int shape_of(const lmb_channel *c, hsize_t out[2])
{
    int nodes = lmb_channel_nodes(c), columns = lmb_channel_columns(c);
    out[0] = (hsize_t)(nodes > 1 ? nodes : columns);
    out[1] = (hsize_t)columns;
    return nodes > 1 ? 2 : c->size != 1 || c->components[0] ? 1 : 0;
}

/* A data set of rows with the numbers of a channel. Where all rows are known it has just their
 * size, else it can grow by chunks. */
static hid_t create_set(lmb_writer *w, hid_t group, const char *path, const lmb_channel *c,
                        bool grows)
{
    hsize_t rows = w->used, size[2];
    int rank = 1 + shape_of(c, size);
    hsize_t now[3] = {grows ? 0 : rows, size[0], size[1]};
    hsize_t most[3] = {grows ? H5S_UNLIMITED : rows, size[0], size[1]};
    hsize_t chunk[3] = {rows > LEAST_CHUNK ? rows : LEAST_CHUNK, size[0] ? size[0] : 1, size[1]};
    hid_t space = H5Screate_simple(rank, now, most);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    if (grows)
        H5Pset_chunk(creation, rank, chunk);
    H5Pset_chunk_cache(access, 0, 0, 0); /* rows go straight to the file */
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(group, path, H5T_IEEE_F64LE, space, links, creation, access);
    H5Pclose(links);
    H5Pclose(access);
    H5Pclose(creation);
    H5Sclose(space);
    return set;
}

static bool create_channel(lmb_writer *w, hid_t group, int index, bool grows)
{
    const lmb_channel *c = &w->channels[index];
    const char *path = path_of(w, c->name);
    if (!path) {
        snprintf(w->reason, sizeof w->reason, "out of memory");
        return false;
    }
    hid_t set = create_set(w, group, path, c, grows);
    w->sets[index + 1] = set;
    return set >= 0 && lmb_h5_put_text(set, "unit", c->unit) &&
           lmb_h5_put_text(set, "doc", c->doc) &&
           lmb_h5_put_text(set, "components", c->components) &&
           lmb_h5_put_integer(set, "order", index);
}

/* Makes the group of the analysis and its data sets, still without rows. */
static bool create_analysis(lmb_writer *w, bool grows)
{
    hid_t group = lmb_h5_group(w->file, w->analysis);
    bool done = group >= 0 && lmb_h5_put_text(group, "type", w->type) &&
                lmb_h5_put_integer(group, "order", w->analysis_count);
    if (done) {
        hid_t time = w->sets[0] = create_set(w, group, "time", &w->over, grows);
        done = time >= 0 && lmb_h5_put_text(time, "name", w->over.name) &&
               lmb_h5_put_text(time, "unit", w->over.unit) &&
               lmb_h5_put_text(time, "doc", w->over.doc);
    }
    for (int i = 0; done && i < w->channel_count; i++)
        done = create_channel(w, group, i, grows);
    H5Gclose(group);
    w->created = done;
    w->analysis_count += done;
    return done;
}

/* Appends the numbers of a channel of each row in memory, from column `first` on, to its data set.
 */
static bool append(lmb_writer *w, hid_t set, const lmb_channel *c, size_t first)
{
    size_t size = (size_t)c->size;
    hsize_t shape[2], now[3] = {0, 0, 0};
    int rank = 1 + shape_of(c, shape);
    for (size_t i = 0; i < w->used; i++)
        memcpy(w->column + i * size, w->rows + i * w->width + first, size * sizeof *w->column);
    hsize_t start[3] = {w->written, 0, 0}, count[3] = {w->used, shape[0], shape[1]};
    hsize_t extent[3] = {w->written + w->used, shape[0], shape[1]};
    hid_t space = H5Dget_space(set);
    H5Sget_simple_extent_dims(space, now, NULL);
    if (now[0] < extent[0]) {
        H5Sclose(space);
        if (H5Dset_extent(set, extent) < 0)
            return false;
        space = H5Dget_space(set);
    }
    hid_t memory = H5Screate_simple(rank, count, NULL);
    bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, w->column) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return done;
}

/* Appends the rows in memory; `last` tells that no more will come in this analysis. */
static bool append_rows(lmb_writer *w, bool last)
{
    if (!w->created && !create_analysis(w, !last))
        return false;
    if (w->used > 0) {
        size_t first = 1;
        if (!append(w, w->sets[0], &w->over, 0))
            return false;
        for (int i = 0; i < w->channel_count; i++) {
            const lmb_channel *c = &w->channels[i];
            if (c->size > 0 && !append(w, w->sets[i + 1], c, first))
                return false;
            first += (size_t)c->size;
        }
    }
    for (int i = 0; last && i <= w->channel_count; i++)
        if (H5Dclose(w->sets[i]) < 0)
            return false;
    return true;
}

/* Writes the rows in memory, if an analysis is under way, and a checkpoint, if there is one. */
static bool write_all(lmb_writer *w, void *data)
{
    bool rows = ((const bool *)data)[0], last = ((const bool *)data)[1];
    lmb_checkpoint checkpoint;
    bool saves = w->save && w->save(w->user, &checkpoint);
    w->slots.file = w->file;
    return (!saves || lmb_slots_prepare(&w->slots, checkpoint.count)) &&
           (!rows || append_rows(w, last)) && commit(w) &&
           (!saves || lmb_slots_write(&w->slots, &checkpoint));
}

static lmb_status flush(lmb_writer *w, lmb_context *context, bool rows, bool last)
{
    lmb_status status = guarded(w, context, write_all, (bool[]){rows, last});
    if (status)
        return status;
    if (w->used > 0) {
        w->readable = w->rows[(w->used - 1) * w->width];
        w->some_readable = true;
    }
    w->written += w->used;
    w->used = 0;
    clock_gettime(CLOCK_MONOTONIC, &w->flushed);
    return LMB_OK;
}

lmb_status lmb_writer_row(lmb_writer *w, lmb_context *context, double t, const double *values)
{
    if (w->broken)
        return LMB_IO;
    double *row = w->rows + w->used * w->width;
    row[0] = t;
    if (w->width > 1)
        memcpy(row + 1, values, (w->width - 1) * sizeof *row);
    w->used++;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (w->used < w->room && now.tv_sec - w->flushed.tv_sec < FLUSH_SECONDS)
        return LMB_OK;
    return flush(w, context, true, false);
}

lmb_status lmb_writer_end(lmb_writer *w, lmb_context *context)
{
    if (!w->begun && !w->broken)
        return LMB_OK;
    w->begun = false;
    return flush(w, context, true, true);
}

/* --- checkpoints and the end ------------------------------------------------------------------ */

void lmb_writer_on_save(lmb_writer *w, lmb_save_function *save, void *user)
{
    w->save = save;
    w->user = user;
}

lmb_status lmb_writer_flush(lmb_writer *w, lmb_context *context)
{
    return flush(w, context, w->begun, false);
}

int lmb_writer_rows(const lmb_writer *w)
{
    return (int)(w->written + w->used);
}

static bool remove_slots(lmb_writer *w, void *unused)
{
    (void)unused;
    return lmb_slots_remove(&w->slots) && commit(w);
}

lmb_status lmb_writer_complete(lmb_writer *w, lmb_context *context)
{
    w->save = NULL;
    return guarded(w, context, remove_slots, NULL);
}

lmb_status lmb_writer_rename(lmb_writer *w, lmb_context *context, const char *path)
{
    if (w->broken)
        return LMB_IO;
    char *copy = strdup(path);
    if (!copy)
        return lmb_fail_memory(context);
    /* what the other file had must be on the disk before that goes */
    if ((fsync(w->disk.fd) != 0 && errno != EINVAL) || rename(w->path, path) != 0) {
        w->disk.error = errno;
        free(copy);
        abandon(w);
        return report(w, context);
    }
    free(w->path);
    w->path = copy;
    return LMB_OK;
}

/* Closes the file for good; some file systems report a failed write only then. */
static bool close_file(lmb_writer *w, void *unused)
{
    (void)unused;
    if (H5Fclose(w->file) < 0)
        return false;
    w->file = H5I_INVALID_HID;
    if (!lmb_h5_commit(&w->disk))
        return false;
    w->disk.error = close(w->disk.fd) == 0 ? 0 : errno;
    w->disk.fd = -1;
    return !w->disk.error;
}

lmb_status lmb_writer_close(lmb_writer *w, lmb_context *context)
{
    if (!w)
        return LMB_OK;
    lmb_status status = lmb_writer_end(w, context);
    if (!status)
        status = guarded(w, context, close_file, NULL);
    free_writer(w);
    return status;
}
