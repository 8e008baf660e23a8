/* Rows in memory, by quantities, and the data sets that they are appended to. */
#include "result/row_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "channels/component.h"

enum {
    MOST_ROWS = 1024,           /* kept in memory ... */
    MOST_NUMBERS = 1024 * 1024, /* ... if they are not more numbers than this */
    LEAST_ROWS = 16,
    LEAST_CHUNK = 64,    /* rows of a chunk, if there is room for as many, */
    CHUNK_NUMBERS = 8192 /* and about as many numbers: reading one channel reads its chunks */
};

/* A data set and its rows in memory. */
typedef struct row_set {
    hid_t set;
    size_t slots, columns;
    double *rows; /* room x slots x columns */
    size_t wide;  /* slots of a chunk */
} row_set;

/* Where the numbers of a channel go. */
typedef struct target {
    int set, first, size;
} target;

struct lmb_row_sets {
    lmb_arena *arena;
    const char *analysis, *type;
    int order;
    lmb_channel over;
    int count;
    const lmb_channel *channels;
    lmb_quantities quantities;
    target *targets; /* count */
    row_set *sets;   /* of time, then of the quantities */
    double *numbers; /* the rows of all */
    size_t used, room;
    hsize_t written; /* rows in the file */
    bool created;
};

/* --- in memory -------------------------------------------------------------------------------- */

/* Shares the rows out to the data sets. */
static bool make_room(lmb_row_sets *s)
{
    const lmb_quantities *q = &s->quantities;
    size_t width = 1, at = 0;
    s->sets[0] = (row_set){H5I_INVALID_HID, 1, 1, NULL, 1};
    for (int i = 0; i < q->count; i++) {
        s->sets[i + 1] = (row_set){H5I_INVALID_HID, (size_t)q->list[i].slots,
                                   (size_t)q->list[i].columns, NULL, 0};
        width += (size_t)q->list[i].slots * (size_t)q->list[i].columns;
    }
    s->room = MOST_NUMBERS / width;
    s->room = s->room > MOST_ROWS ? MOST_ROWS : s->room < LEAST_ROWS ? LEAST_ROWS : s->room;
    s->numbers = lmb_calloc(s->room * width, sizeof *s->numbers);
    for (int i = 0; s->numbers && i <= q->count; i++) {
        s->sets[i].rows = s->numbers + at;
        at += s->room * s->sets[i].slots * s->sets[i].columns;
    }
    return s->numbers != NULL;
}

static bool prepare(lmb_row_sets *s, const char *analysis, const char *type)
{
    s->analysis = lmb_text_copy(s->arena, analysis, strlen(analysis));
    s->type = lmb_text_copy(s->arena, type, strlen(type));
    s->targets = lmb_arena_alloc(s->arena, (size_t)s->count, sizeof *s->targets);
    if (!lmb_quantities_of(&s->quantities, s->arena, s->count, s->channels))
        return false;
    s->sets = lmb_arena_alloc(s->arena, (size_t)s->quantities.count + 1, sizeof *s->sets);
    if (!lmb_arena_fine(s->arena))
        return false;
    for (int i = 0; i < s->count; i++) {
        lmb_channel_slot at = s->quantities.slots[i];
        s->targets[i] = (target){at.quantity + 1, at.slot * s->quantities.list[at.quantity].columns,
                                 s->channels[i].size};
    }
    return make_room(s);
}

lmb_row_sets *lmb_row_sets_new(const char *analysis, const char *type, int order, int count,
                               const lmb_channel *channels)
{
    lmb_arena *arena;
    lmb_row_sets *s = lmb_arena_object(&arena, sizeof *s);
    if (!s)
        return NULL;
    *s = (lmb_row_sets){.arena = arena, .order = order, .count = count, .channels = channels};
    if (prepare(s, analysis, type))
        return s;
    lmb_row_sets_free(s);
    return NULL;
}

void lmb_row_sets_free(lmb_row_sets *s)
{
    if (!s)
        return;
    free(s->numbers);
    lmb_arena_free(s->arena);
}

void lmb_row_sets_over(lmb_row_sets *s, const lmb_channel *over)
{
    s->over = *over;
}

const lmb_channel *lmb_row_sets_over_what(const lmb_row_sets *s)
{
    return &s->over;
}

bool lmb_row_sets_take(lmb_row_sets *s, double t, const double *values)
{
    s->sets[0].rows[s->used] = t;
    for (int i = 0; i < s->count; i++) {
        const target *to = &s->targets[i];
        const row_set *set = &s->sets[to->set];
        double *row = set->rows + s->used * set->slots * set->columns + to->first;
        for (int k = 0; k < to->size; k++)
            row[k] = values[k];
        values += to->size;
    }
    return ++s->used == s->room;
}

/* --- in the file ------------------------------------------------------------------------------ */

/* The slots of a chunk, of so many at most: if it need not be less than half as many, so that no
 * chunk is filled in part, which has gaps. */
static size_t chunk_slots(size_t slots, size_t most)
{
    if (most >= slots)
        return slots;
    for (size_t wide = most; wide > 0 && 2 * wide >= most; wide--)
        if (slots % wide == 0)
            return wide;
    return most > 0 ? most : 1;
}

/* A data set of instants x slots x columns; time has instants alone. Where all rows are known it
 * has just their size, else it can grow by chunks. */
static hid_t create_set(const lmb_row_sets *s, hid_t group, const char *path, row_set *r, int rank,
                        bool grows)
{
    hsize_t rows = s->used, tall = rows > LEAST_CHUNK ? rows : LEAST_CHUNK;
    tall = tall < s->room ? tall : s->room;
    hsize_t columns = r->columns ? r->columns : 1;
    hsize_t wide = chunk_slots(r->slots, CHUNK_NUMBERS / (tall * columns));
    r->wide = grows ? wide : r->slots;
    hsize_t now[3] = {grows ? 0 : rows, r->slots, r->columns};
    hsize_t most[3] = {grows ? H5S_UNLIMITED : rows, r->slots, r->columns};
    hid_t space = H5Screate_simple(rank, now, most);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    if (grows)
        H5Pset_chunk(creation, rank, (hsize_t[]){tall, wide, columns});
    H5Pset_chunk_cache(access, 0, 0, 0); /* rows go straight to the file */
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(group, path, H5T_IEEE_F64LE, space, links, creation, access);
    H5Pclose(links);
    H5Pclose(access);
    H5Pclose(creation);
    H5Sclose(space);
    return set;
}

static bool create_quantity(lmb_row_sets *s, hid_t values, int index, bool grows)
{
    const lmb_quantity *q = &s->quantities.list[index];
    row_set *r = &s->sets[index + 1];
    r->set = create_set(s, values, q->name, r, 3, grows);
    return r->set >= 0 && lmb_h5_put_text(r->set, "unit", q->unit) &&
           lmb_h5_put_text(r->set, "doc", q->doc) &&
           lmb_h5_put_text(r->set, "components", q->components);
}

static bool create_time(lmb_row_sets *s, hid_t group, bool grows)
{
    hid_t time = s->sets[0].set = create_set(s, group, "time", &s->sets[0], 1, grows);
    return time >= 0 && lmb_h5_put_text(time, "name", s->over.name) &&
           lmb_h5_put_text(time, "unit", s->over.unit) && lmb_h5_put_text(time, "doc", s->over.doc);
}

/* Makes the group of the analysis and its data sets, still without rows. */
static bool create(lmb_row_sets *s, hid_t file, bool grows)
{
    hid_t group = lmb_h5_group(file, s->analysis), values = H5I_INVALID_HID;
    bool done = group >= 0 && lmb_h5_put_text(group, "type", s->type) &&
                lmb_h5_put_integer(group, "order", s->order) && create_time(s, group, grows) &&
                lmb_channel_index_write(group, s->count, s->channels, &s->quantities) &&
                (values = lmb_h5_group(group, "values")) >= 0;
    for (int i = 0; done && i < s->quantities.count; i++)
        done = create_quantity(s, values, i, grows);
    H5Gclose(values);
    H5Gclose(group);
    s->created = done;
    return done;
}

/* Writes some slots of the rows, `numbers` in a row of all of them, from `first` on. */
static bool write_slots(const lmb_row_sets *s, const row_set *r, hid_t space, int rank,
                        size_t first, size_t slots, const double *numbers)
{
    hsize_t start[3] = {s->written, first, 0}, count[3] = {s->used, slots, r->columns};
    hid_t memory = H5Screate_simple(rank, count, NULL);
    bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(r->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers) >= 0;
    H5Sclose(memory);
    return done;
}

/* Writes rows by the slots of a chunk, of which each is gathered before: HDF5 would write each row
 * of each chunk by itself. */
static bool write_by_chunks(const lmb_row_sets *s, const row_set *r, hid_t space, int rank)
{
    double *gathered = lmb_malloc(s->used * r->wide * r->columns * sizeof *gathered);
    bool done = gathered != NULL;
    for (size_t first = 0; done && first < r->slots; first += r->wide) {
        size_t slots = r->slots - first < r->wide ? r->slots - first : r->wide;
        size_t width = slots * r->columns;
        for (size_t i = 0; i < s->used; i++)
            memcpy(gathered + i * width, r->rows + (i * r->slots + first) * r->columns,
                   width * sizeof *gathered);
        done = write_slots(s, r, space, rank, first, slots, gathered);
    }
    free(gathered);
    return done;
}

/* Appends the rows in memory of a data set. */
static bool append(const lmb_row_sets *s, const row_set *r, int rank)
{
    hsize_t now[3] = {0, 0, 0};
    hsize_t extent[3] = {s->written + s->used, r->slots, r->columns};
    hid_t space = H5Dget_space(r->set);
    H5Sget_simple_extent_dims(space, now, NULL);
    if (now[0] < extent[0]) {
        H5Sclose(space);
        if (H5Dset_extent(r->set, extent) < 0)
            return false;
        space = H5Dget_space(r->set);
    }
    bool done = r->wide < r->slots ? write_by_chunks(s, r, space, rank)
                                   : write_slots(s, r, space, rank, 0, r->slots, r->rows);
    H5Sclose(space);
    return done;
}

bool lmb_row_sets_write(lmb_row_sets *s, hid_t file, bool last)
{
    if (!s->created && !create(s, file, !last))
        return false;
    for (int i = 0; s->used > 0 && i <= s->quantities.count; i++)
        if (s->sets[i].columns > 0 && !append(s, &s->sets[i], i ? 3 : 1))
            return false;
    for (int i = 0; last && i <= s->quantities.count; i++)
        if (H5Dclose(s->sets[i].set) < 0)
            return false;
    return true;
}

void lmb_row_sets_written(lmb_row_sets *s)
{
    s->written += s->used;
    s->used = 0;
}

int lmb_row_sets_count(const lmb_row_sets *s)
{
    return (int)(s->written + s->used);
}

int lmb_row_sets_waiting(const lmb_row_sets *s)
{
    return (int)s->used;
}

double lmb_row_sets_last(const lmb_row_sets *s)
{
    return s->sets[0].rows[s->used - 1];
}

const char *lmb_row_sets_analysis(const lmb_row_sets *s)
{
    return s->analysis;
}
