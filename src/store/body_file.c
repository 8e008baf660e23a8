/* Writing and reading reduced bodies: the same code goes through all data in both directions, so
 * that they cannot disagree. A file is made in memory and then written as a whole. */
#include "store/body_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fe/beam.h"
#include "store/h5.h"

enum { FORMAT = 7, MOST_MODES = 1000000 };

/* One pass over the data of a body. */
typedef struct transfer {
    hid_t file;
    bool write;
    lmb_arena *arena;  /* reading: what comes goes here */
    uint64_t checksum; /* of all data so far */
    bool failed;
    bool memory; /* ran out of it */
} transfer;

/* --- data sets -------------------------------------------------------------------------------- */

/* Opens a data set with these dimensions, or makes it. */
static hid_t open_set(transfer *t, const char *path, hid_t type, int rank, const hsize_t *dims)
{
    if (t->write) {
        hid_t space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
        hid_t links = H5Pcreate(H5P_LINK_CREATE), list = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_create_intermediate_group(links, 1);
        H5Pset_obj_track_times(list, 0);
        hid_t set = H5Dcreate2(t->file, path, type, space, links, list, H5P_DEFAULT);
        H5Pclose(list);
        H5Pclose(links);
        H5Sclose(space);
        return set;
    }
    hid_t set = H5Dopen2(t->file, path, H5P_DEFAULT);
    if (set < 0)
        return set;
    hsize_t found[4] = {0};
    hid_t space = H5Dget_space(set);
    bool same = H5Sget_simple_extent_ndims(space) == rank &&
                (rank == 0 || H5Sget_simple_extent_dims(space, found, NULL) == rank);
    for (int i = 0; i < rank; i++)
        same = same && found[i] == dims[i];
    H5Sclose(space);
    if (!same) {
        H5Dclose(set);
        return H5I_INVALID_HID;
    }
    return set;
}

/* What an array has: in memory and in the file. */
typedef struct number_type {
    size_t size;
    hid_t type, stored;
} number_type;

/* Writes an array, or makes room for it and reads it; returns it. */
static void *array(transfer *t, const char *path, number_type of, int rank, const hsize_t *dims,
                   void *data)
{
    size_t count = 1, size = of.size;
    for (int i = 0; i < rank; i++)
        count *= (size_t)dims[i];
    if (t->failed || (t->write && count == 0))
        return data;
    hid_t set = H5I_INVALID_HID;
    if (count > 0) {
        set = open_set(t, path, of.stored, rank, dims);
        t->failed = set < 0;
    }
    if (!t->write && !t->failed) {
        data = lmb_arena_alloc(t->arena, count + 1, size);
        t->memory = t->failed = !data;
    }
    if (!t->failed && count > 0)
        t->failed = (t->write ? H5Dwrite(set, of.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data)
                              : H5Dread(set, of.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data)) < 0;
    if (!t->failed && count > 0)
        t->checksum = lmb_h5_hash(t->checksum, data, count * size);
    if (set >= 0)
        H5Dclose(set);
    return data;
}

static void *numbers(transfer *t, const char *path, int rank, void *data, size_t a, size_t b,
                     size_t c)
{
    const hsize_t dims[3] = {a, b, c};
    const number_type doubles = {sizeof(double), H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE};
    return array(t, path, doubles, rank, dims, data);
}

/* In single precision, for looking at. */
static void *floats(transfer *t, const char *path, void *data, size_t a, size_t b, size_t c)
{
    const hsize_t dims[3] = {a, b, c};
    const number_type singles = {sizeof(float), H5T_NATIVE_FLOAT, H5T_IEEE_F32LE};
    return array(t, path, singles, 3, dims, data);
}

static void *integers(transfer *t, const char *path, int rank, void *data, size_t a, size_t b)
{
    const hsize_t dims[2] = {a, b};
    const number_type whole = {sizeof(int), H5T_NATIVE_INT, H5T_STD_I32LE};
    return array(t, path, whole, rank, dims, data);
}

static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* A text with its end. */
static void text(transfer *t, const char *path, const char **data)
{
    if (t->failed)
        return;
    hid_t type = text_type(t->write ? strlen(*data) + 1 : 1);
    hid_t set = open_set(t, path, type, 0, NULL);
    if (!t->write && set >= 0) {
        H5Tclose(type);
        type = H5Dget_type(set);
        size_t size = H5Tget_size(type);
        bool fine = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
        char *room = fine ? lmb_arena_alloc(t->arena, size + 1, 1) : NULL;
        t->failed = !room || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) < 0;
        *data = room;
    } else {
        t->failed = set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) < 0;
    }
    if (!t->failed)
        t->checksum = lmb_h5_hash(t->checksum, *data, strlen(*data));
    H5Tclose(type);
    if (set >= 0)
        H5Dclose(set);
}

/* --- all data of a body ----------------------------------------------------------------------- */

enum {
    COUNT_DIMENSION,
    COUNT_FIXED,
    COUNT_ALL,
    COUNT_MODES,
    COUNT_DAMPING,
    COUNT_POINTS,
    COUNT_NODES,
    COUNT_TURNS,
    COUNT_TRIANGLES,
    COUNT_LINES,
    COUNT_STRESSES,
    COUNT_STIFFENING,
    COUNT_SETS,
    COUNT_SET_NODES,
    COUNT_DRAWN,
    COUNT_BASIS,
    COUNTS
};

/* How many there are of everything; the rest is read by these numbers. */
static void transfer_counts(transfer *t, lmb_body_data *d, int counts[COUNTS])
{
    lmb_reduced *b = d->reduced;
    const int now[COUNTS] = {b->dimension,      b->fixed_count,
                             b->all_count,      b->mode_count,
                             b->C != NULL,      b->point_count,
                             b->node_count,     b->turn != NULL,
                             d->triangle_count, d->line_count,
                             d->stress_count,   b->spin_stiffness != NULL,
                             d->set_count,      d->set_count ? d->set_start[d->set_count] : 0,
                             b->drawn_count,    b->basis_count};
    memcpy(counts, now, sizeof now);
    int *read = counts;
    read = integers(t, "counts", 1, read, COUNTS, 0);
    if (t->failed || t->write)
        return;
    memcpy(counts, read, sizeof now);
    for (int i = 0; i < COUNTS; i++)
        t->failed = t->failed || counts[i] < 0;
    t->failed = t->failed || (counts[COUNT_DIMENSION] != 2 && counts[COUNT_DIMENSION] != 3) ||
                counts[COUNT_FIXED] > MOST_MODES || counts[COUNT_ALL] > MOST_MODES ||
                counts[COUNT_MODES] > MOST_MODES ||
                (counts[COUNT_STIFFENING] && counts[COUNT_MODES] > LMB_STIFFENED_MODES_MAX);
    b->dimension = counts[COUNT_DIMENSION];
    b->fixed_count = counts[COUNT_FIXED];
    b->all_count = counts[COUNT_ALL];
    b->mode_count = counts[COUNT_MODES];
    b->point_count = counts[COUNT_POINTS];
    b->node_count = counts[COUNT_NODES];
    d->triangle_count = counts[COUNT_TRIANGLES];
    d->line_count = counts[COUNT_LINES];
    d->stress_count = counts[COUNT_STRESSES];
    d->set_count = counts[COUNT_SETS];
    b->drawn_count = counts[COUNT_DRAWN];
    b->basis_count = counts[COUNT_BASIS];
}

/* Mass, centre, inertia by columns, origin. */
static void transfer_rigid(transfer *t, lmb_reduced *b)
{
    enum { RIGID = 16 };
    const mat3 *J = &b->inertia;
    double values[RIGID] = {b->mass,   b->centre.x, b->centre.y, b->centre.z, J->c[0].x, J->c[0].y,
                            J->c[0].z, J->c[1].x,   J->c[1].y,   J->c[1].z,   J->c[2].x, J->c[2].y,
                            J->c[2].z, b->origin.x, b->origin.y, b->origin.z};
    double *v = values;
    v = numbers(t, "rigid", 1, v, RIGID, 0, 0);
    if (t->failed || t->write)
        return;
    b->mass = v[0];
    b->centre = v3(v[1], v[2], v[3]);
    for (int i = 0; i < 3; i++)
        b->inertia.c[i] = v3(v[4 + 3 * i], v[5 + 3 * i], v[6 + 3 * i]);
    b->origin = v3(v[13], v[14], v[15]);
}

/* Names, a line each. */
static void transfer_names(transfer *t, const char *path, const char ***names, int count)
{
    const char *all = "";
    for (int i = 0; t->write && all && i < count; i++)
        all = lmb_text_format(t->arena, "%s%s\n", all, (*names)[i]);
    t->memory = !all;
    t->failed = t->failed || t->memory;
    text(t, path, &all);
    if (t->failed || t->write)
        return;
    *names = lmb_arena_alloc(t->arena, (size_t)count + 1, sizeof **names);
    t->memory = t->failed = !*names;
    for (int i = 0; !t->failed && i < count; i++) {
        size_t length = strcspn(all, "\n");
        t->failed = all[length] != '\n';
        (*names)[i] = lmb_text_copy(t->arena, all, length);
        all += length + 1;
    }
}

static void transfer_sets(transfer *t, lmb_body_data *d, size_t nodes)
{
    size_t sets = (size_t)d->set_count;
    if (sets == 0)
        return;
    transfer_names(t, "sets/name", &d->set_name, d->set_count);
    d->set_start = integers(t, "sets/start", 1, d->set_start, sets + 1, 0);
    d->set_node = integers(t, "sets/node", 1, d->set_node, nodes, 0);
}

static void transfer_drawing(transfer *t, lmb_body_data *d)
{
    size_t modes = (size_t)d->reduced->mode_count, lines = (size_t)d->line_count;
    d->triangles = integers(t, "surface/triangles", 2, d->triangles, (size_t)d->triangle_count, 3);
    d->lines = integers(t, "surface/lines", 2, d->lines, lines, 2);
    d->stress_node = integers(t, "stress/node", 1, d->stress_node, (size_t)d->stress_count, 0);
    d->stress =
        numbers(t, "stress/modes", 3, d->stress, modes, (size_t)d->stress_count, LMB_STRESSES);
    d->line_forces = numbers(t, "stress/lines", 3, d->line_forces, modes, lines, 12);
    d->line_inertia =
        numbers(t, "stress/inertia", 3, d->line_inertia, LMB_CARRIED + modes, lines, 12);
    d->stress_material =
        numbers(t, "stress/material", 2, d->stress_material, (size_t)d->stress_count, 2, 0);
    d->line_section = numbers(t, "stress/sections", 2, d->line_section, lines, LMB_LINE_NUMBERS, 0);
    d->line_axis = numbers(t, "stress/axes", 2, d->line_axis, lines, 3, 0);
}

/* The shapes of the basis at the nodes that are drawn, and their stresses. */
static void transfer_basis(transfer *t, lmb_body_data *d, bool turns)
{
    lmb_reduced *b = d->reduced;
    size_t drawn = (size_t)b->drawn_count, columns = (size_t)b->basis_count;
    b->drawn = integers(t, "basis/node", 1, b->drawn, drawn, 0);
    b->basis_shape = floats(t, "basis/shape", b->basis_shape, columns, drawn, 3);
    if (turns)
        b->basis_turn = floats(t, "basis/turn", b->basis_turn, columns, drawn, 3);
    d->basis_forces =
        numbers(t, "basis/lines", 3, d->basis_forces, columns, (size_t)d->line_count, 12);
    if (d->stress_count > 0)
        d->basis_mises = floats(t, "basis/stress", d->basis_mises, columns, drawn, 1);
}

static void transfer_body(transfer *t, lmb_body_data *d)
{
    lmb_reduced *b = d->reduced;
    int counts[COUNTS];
    transfer_counts(t, d, counts);
    size_t modes = (size_t)b->mode_count, nodes = (size_t)b->node_count;
    size_t gram = (size_t)lmb_gram_size(b->mode_count), points = (size_t)b->point_count;
    text(t, "settings", &d->settings);
    text(t, "warnings", &d->warnings);
    transfer_rigid(t, b);
    b->fixed_frequency =
        numbers(t, "fixed_frequency", 1, b->fixed_frequency, (size_t)b->fixed_count, 0, 0);
    b->effective =
        numbers(t, "effective", 2, b->effective, (size_t)b->fixed_count, LMB_DIRECTIONS, 0);
    b->all_frequency = numbers(t, "all_frequency", 1, b->all_frequency, (size_t)b->all_count, 0, 0);
    b->frequency = numbers(t, "frequency", 1, b->frequency, modes, 0, 0);
    b->K = numbers(t, "K", 2, b->K, modes, modes, 0);
    b->M = numbers(t, "M", 2, b->M, modes, modes, 0);
    if (counts[COUNT_DAMPING])
        b->C = numbers(t, "C", 2, b->C, modes, modes, 0);
    b->gram = numbers(t, "gram", 2, b->gram, gram, gram, 0);
    if (counts[COUNT_STIFFENING]) {
        b->spin_stiffness =
            numbers(t, "spin_stiffness", 3, b->spin_stiffness, LMB_SPINS, modes, modes);
        b->mode_stiffness = numbers(t, "mode_stiffness", 3, b->mode_stiffness, modes, modes, modes);
    }
    transfer_names(t, "point_name", &b->point_name, b->point_count);
    b->point = numbers(t, "point", 2, b->point, points, 3, 0);
    b->point_shape = numbers(t, "point_shape", 3, b->point_shape, points, LMB_DIRECTIONS, modes);
    b->x = numbers(t, "x", 2, b->x, nodes, 3, 0);
    b->number = integers(t, "number", 1, b->number, nodes, 0);
    b->shape = numbers(t, "shape", 3, b->shape, modes, nodes, 3);
    if (counts[COUNT_TURNS])
        b->turn = numbers(t, "turn", 3, b->turn, modes, nodes, 3);
    transfer_drawing(t, d);
    transfer_basis(t, d, counts[COUNT_TURNS]);
    transfer_sets(t, d, (size_t)counts[COUNT_SET_NODES]);
}

/* --- attributes ------------------------------------------------------------------------------- */

static bool put_attribute(hid_t file, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return done;
}

static bool put_text(hid_t file, const char *name, const char *value)
{
    hid_t type = text_type(strlen(value) + 1);
    bool done = put_attribute(file, name, type, value);
    H5Tclose(type);
    return done;
}

static bool get_attribute(hid_t file, const char *name, hid_t type, void *value)
{
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Aread(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return done;
}

/* A short text; empty if there is none. */
static void get_text(hid_t file, const char *name, char *value, size_t room)
{
    value[0] = 0;
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    if (attribute < 0)
        return;
    hid_t type = H5Aget_type(attribute);
    bool fine = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                H5Tget_size(type) <= room;
    if (!fine || H5Aread(attribute, type, value) < 0)
        value[0] = 0;
    value[room - 1] = 0;
    H5Tclose(type);
    H5Aclose(attribute);
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool write_all(transfer *t, const lmb_body_data *body)
{
    lmb_body_data copy = *body; /* the same code reads, so it takes data that may change */
    int format = FORMAT;
    transfer_body(t, &copy);
    return !t->failed && put_text(t->file, "program", "limber") &&
           put_text(t->file, "kind", "body") && put_text(t->file, "version", body->version) &&
           put_text(t->file, "name", body->name) &&
           put_attribute(t->file, "format", H5T_NATIVE_INT, &format) &&
           put_attribute(t->file, "checksum", H5T_NATIVE_UINT64, &t->checksum) &&
           H5Fflush(t->file, H5F_SCOPE_GLOBAL) >= 0;
}

lmb_status lmb_body_image(const lmb_body_data *body, lmb_context *context, unsigned char **bytes,
                          size_t *size)
{
    *bytes = NULL;
    transfer t = {.write = true, .arena = lmb_arena_new()};
    if (!t.arena)
        return lmb_fail_memory(context);
    ssize_t length = -1;
    H5E_BEGIN_TRY
    {
        hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_fapl_core(access, 1 << 20, 0);
        t.file = H5Fcreate("body", H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
        if (t.file >= 0 && write_all(&t, body))
            length = H5Fget_file_image(t.file, NULL, 0);
        *bytes = length > 0 ? malloc((size_t)length) : NULL;
        if (*bytes && H5Fget_file_image(t.file, *bytes, (size_t)length) != length)
            length = -1;
        if (t.file >= 0)
            H5Fclose(t.file);
    }
    H5E_END_TRY;
    lmb_arena_free(t.arena);
    *size = length > 0 ? (size_t)length : 0;
    return *bytes && length > 0 ? LMB_OK : lmb_fail_memory(context);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Says why it is not a body file of this program. */
static lmb_status check_kind(hid_t file, lmb_context *context, const char *path)
{
    char program[32], kind[32], version[64];
    int format = 0;
    get_text(file, "program", program, sizeof program);
    get_text(file, "kind", kind, sizeof kind);
    get_text(file, "version", version, sizeof version);
    if (strcmp(program, "limber") != 0 || strcmp(kind, "body") != 0) {
        lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a file of a reduced body", path);
        lmb_hint(context, strcmp(program, "limber") == 0 ? "it has results of `limber run`"
                                                         : "`limber reduce` makes such files");
        return LMB_BAD_INPUT;
    }
    if (get_attribute(file, "format", H5T_NATIVE_INT, &format) && format == FORMAT)
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT, "'%s' is a body file of format %d, made by version %s", path,
             format, version);
    lmb_hint(context, "this program reads format %d; make it again with `limber reduce`", FORMAT);
    return LMB_BAD_INPUT;
}

/* Numbers of nodes must be those of nodes. */
static bool in_range(const int *nodes, size_t count, int most)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] < 0 || nodes[i] >= most)
            return false;
    return true;
}

/* Sets follow each other and have nodes of the body. */
static bool sets_fit(const lmb_body_data *d, int nodes)
{
    for (int i = 0; i < d->set_count; i++)
        if (d->set_start[i] < 0 || d->set_start[i] > d->set_start[i + 1])
            return false;
    return d->set_count == 0 || in_range(d->set_node, (size_t)d->set_start[d->set_count], nodes);
}

/* Shapes of the basis are there for nodes of the body, and for all motions of the points and all
 * fixed-interface modes, or for none. */
static bool basis_fits(const lmb_reduced *b)
{
    int columns = b->point_count * lmb_interface_motions(b->dimension) + b->fixed_count;
    return (b->basis_count == 0 || b->basis_count == columns) &&
           in_range(b->drawn, (size_t)b->drawn_count, b->node_count);
}

static lmb_status read_all(transfer *t, lmb_body_data *d, lmb_context *context, const char *path)
{
    uint64_t checksum = 0;
    char name[256], version[64];
    lmb_status status = check_kind(t->file, context, path);
    if (status)
        return status;
    get_text(t->file, "name", name, sizeof name);
    get_text(t->file, "version", version, sizeof version);
    d->name = lmb_text_copy(t->arena, name, strlen(name));
    d->version = lmb_text_copy(t->arena, version, strlen(version));
    transfer_body(t, d);
    if (t->memory || !d->name || !d->version)
        return lmb_fail_memory(context);
    int nodes = d->reduced->node_count;
    if (!t->failed && get_attribute(t->file, "checksum", H5T_NATIVE_UINT64, &checksum) &&
        checksum == t->checksum && in_range(d->triangles, 3 * (size_t)d->triangle_count, nodes) &&
        in_range(d->lines, 2 * (size_t)d->line_count, nodes) &&
        in_range(d->stress_node, (size_t)d->stress_count, nodes) && sets_fit(d, nodes) &&
        basis_fits(d->reduced))
        return LMB_OK;
    lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged", path);
    lmb_hint(context, "make it again with `limber reduce`");
    return LMB_BAD_INPUT;
}

static lmb_status open_and_read(transfer *t, lmb_body_data *d, lmb_context *context,
                                const char *path)
{
    lmb_status status;
    H5E_BEGIN_TRY
    {
        t->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        if (t->file < 0) {
            status = lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged or cut off", path);
            lmb_hint(context, "make it again with `limber reduce`");
        } else {
            status = read_all(t, d, context, path);
            H5Fclose(t->file);
        }
    }
    H5E_END_TRY;
    return status;
}

lmb_status lmb_body_read(lmb_body_data **out, lmb_context *context, const char *path)
{
    *out = NULL;
    if (!lmb_h5_signature(path))
        return errno
                   ? lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno))
                   : lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a file of a reduced body", path);
    lmb_arena *arena;
    lmb_body_data *d = lmb_arena_object(&arena, sizeof *d);
    lmb_reduced *b = d ? lmb_arena_alloc(arena, 1, sizeof *b) : NULL;
    if (!b) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    d->arena = arena;
    d->reduced = b;
    transfer t = {.arena = arena};
    lmb_status status = open_and_read(&t, d, context, path);
    if (status)
        lmb_body_free(d);
    else
        *out = d;
    return status;
}

void lmb_body_free(lmb_body_data *d)
{
    if (!d)
        return;
    if (d->reduced && d->reduced->arena)
        lmb_reduced_free(d->reduced);
    lmb_arena_free(d->arena);
}

bool lmb_is_body_file(const char *path)
{
    return lmb_h5_signature(path) || lmb_ends_with(path, ".h5");
}

lmb_file_kind lmb_file_kind_of(const char *path)
{
    char program[32] = "", kind[32] = "";
    if (!lmb_h5_signature(path))
        return LMB_FILE_OTHER;
    H5E_BEGIN_TRY
    {
        hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        if (file >= 0) {
            get_text(file, "program", program, sizeof program);
            get_text(file, "kind", kind, sizeof kind);
            H5Fclose(file);
        }
    }
    H5E_END_TRY;
    if (strcmp(program, "limber") != 0)
        return LMB_FILE_OTHER;
    return strcmp(kind, "body") == 0 ? LMB_FILE_BODY : LMB_FILE_RESULT;
}
